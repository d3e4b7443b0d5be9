//! viriformat, whole games as Viridithas records them: what is closest to our own store.
//!
//! A file is games without a header. A game is its start (32 bytes: a packed position as ours, but
//! with the square of en passant in the state and the score and result at the end), then two bytes
//! of move and two of score a ply, then four zeros. Where the squares of a start are all empty, an
//! extension follows instead: number (2), length (2), content, four zeros; none is known, and all are
//! left out and told of, since bytes that a disk lost are zeros, too. All numbers are little-endian,
//! scores are White's.
//!
//! How a game ended is lost, but for what its last position tells.

use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use chess::packed::{BLACK_TO_MOVE, CHESS960, NO_FILE, PACKED_BYTES, PackedPosition};
use chess::{GAME, Move, PieceType, Square};

use super::super::counts::BadLines;
use super::super::packed;
use super::super::store::{Game, Ply, RESULTS, result_code, termination_of};

/// Bytes of a game's start.
const START_BYTES: usize = 32;
/// Byte of a start that holds side and square of en passant.
const STATE: usize = 24;
/// Square of en passant where there is none.
const NO_SQUARE: u8 = 64;
/// Most plies of a game: the store has two bytes for them.
const PLIES_MAX: usize = u16::MAX as usize;

/// Kinds of moves, in their two highest bits.
const EN_PASSANT: u16 = 1 << 14;
const CASTLING: u16 = 2 << 14;
const PROMOTION: u16 = 3 << 14;
/// The bits of a move's two squares.
const SQUARES: u16 = 0xfff;

/// A game as it lies in the file, not yet held against the rules.
pub(crate) struct RawGame {
    /// Number in the file, from 1.
    pub number: u64,
    /// Where it begins, in the file unpacked (bytes).
    offset: u64,
    start: [u8; START_BYTES],
    /// Move and score of each ply.
    plies: Vec<[u8; 4]>,
}

/// Reads a file game by game.
pub(crate) struct Reader<R> {
    path: PathBuf,
    file: R,
    offset: u64,
    games: u64,
    extensions: BadLines,
}

impl<R: BufRead> Reader<R> {
    /// Reads from the beginning of a file; `path` is its name in errors.
    pub fn new(file: R, path: &Path) -> Reader<R> {
        let extensions = BadLines::default();
        Reader { path: path.to_owned(), file, offset: 0, games: 0, extensions }
    }

    /// Games read so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Extensions left out so far.
    pub fn extensions(&self) -> &BadLines {
        &self.extensions
    }

    /// The next game; none at the end of the file.
    ///
    /// # Errors
    /// If the file cannot be read, or is so damaged that nobody knows where the next game begins.
    pub fn next_game(&mut self) -> anyhow::Result<Option<RawGame>> {
        loop {
            let offset = self.offset;
            let is_at_end = self.file.fill_buf().map(<[u8]>::is_empty);
            if is_at_end.with_context(|| self.cannot_read())? {
                return Ok(None);
            }
            let mut start = [0; START_BYTES];
            self.fill(&mut start[..8])?;
            if start[..8] == [0; 8] {
                self.skip_extension(offset)?;
                continue;
            }
            self.fill(&mut start[8..])?;
            let mut plies = Vec::new();
            loop {
                let mut ply = [0; 4];
                self.fill(&mut ply)?;
                if ply == [0; 4] {
                    break;
                }
                ensure!(
                    plies.len() < PLIES_MAX,
                    "{}: the game at byte {offset} does not end within {PLIES_MAX} plies: not \
                     viriformat, or damaged",
                    self.path.display()
                );
                plies.push(ply);
            }
            self.games += 1;
            return Ok(Some(RawGame { number: self.games, offset, start, plies }));
        }
    }

    fn skip_extension(&mut self, offset: u64) -> anyhow::Result<()> {
        let mut head = [0; 4];
        self.fill(&mut head)?;
        let length = u16::from_le_bytes([head[2], head[3]]);
        let mut content = vec![0; usize::from(length) + 4];
        self.fill(&mut content)?;
        ensure!(
            content.ends_with(&[0; 4]),
            "{}: at byte {offset} is neither a game nor an extension: not viriformat, or damaged",
            self.path.display()
        );
        let number = u16::from_le_bytes([head[0], head[1]]);
        self.extensions.add(|| {
            let path = self.path.display();
            format!(
                "{path}: number {number} at byte {offset}, {length} bytes: no game is known there"
            )
        });
        Ok(())
    }

    fn fill(&mut self, bytes: &mut [u8]) -> anyhow::Result<()> {
        match self.file.read_exact(bytes) {
            Ok(()) => {
                self.offset += bytes.len() as u64;
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => bail!(
                "{}: ends within a game, beyond byte {}: the file is cut off, or not viriformat \
                 ({error})",
                self.path.display(),
                self.offset
            ),
            Err(error) => Err(error).with_context(|| self.cannot_read()),
        }
    }

    fn cannot_read(&self) -> String {
        format!("cannot read {} beyond byte {}", self.path.display(), self.offset)
    }
}

impl RawGame {
    /// Bytes of the file that it takes.
    pub fn bytes(&self) -> usize {
        START_BYTES + size_of_val(&*self.plies) + 4
    }

    /// A problem with this game, with the place where it lies.
    pub fn describe(&self, path: &Path, problem: &str) -> String {
        format!("{}: game {} at byte {}: {problem}", path.display(), self.number, self.offset)
    }

    /// The game, tried by playing it through.
    ///
    /// # Errors
    /// In words, what is impossible about it.
    pub fn decode(&self) -> Result<Game, String> {
        let mut packed = [0; PACKED_BYTES];
        packed.copy_from_slice(&self.start[..PACKED_BYTES]);
        packed[STATE] = state_of(self.start[STATE])?;
        let result = self.start[30];
        let result = *RESULTS
            .get(usize::from(result))
            .ok_or_else(|| format!("its result is {result}, not 0, 1 or 2"))?;
        let impossible = |error| format!("impossible start position ({error})");
        let start = PackedPosition::from_bytes(&packed).with_rules_of_castling();
        let mut game = Game {
            start: packed::PackedPosition::from_bytes(GAME, start.map_err(impossible)?.bytes()),
            plies: Vec::with_capacity(self.plies.len()),
            result,
            // Known once it has been played through.
            termination: matches::game::Termination::Resignation,
        };
        for [low, high, score_low, score_high] in &self.plies {
            let played = move_of(u16::from_le_bytes([*low, *high]));
            game.plies.push(Ply {
                played: played.into(),
                score: i16::from_le_bytes([*score_low, *score_high]),
            });
        }
        let end = game.replay(|_, _, _| {})?;
        game.termination = termination_of(&end, result);
        Ok(game)
    }
}

/// Side and square of en passant, as a packed position has them.
fn state_of(byte: u8) -> Result<u8, String> {
    let (side, square) = (byte & BLACK_TO_MOVE, byte & !BLACK_TO_MOVE);
    let rank = if side == 0 { 5 } else { 2 };
    match square {
        NO_SQUARE => Ok(side | NO_FILE),
        square if square / 8 == rank => Ok(side | (square % 8)),
        square => Err(format!("no pawn can be taken en passant on square {square}")),
    }
}

/// A move of the file; what makes no sense is not legal either.
fn move_of(bits: u16) -> Move {
    let square = |index: u16| Square::new((index & 63) as u8);
    let (from, to) = (square(bits), square(bits >> 6));
    match bits & PROMOTION {
        EN_PASSANT => Move::en_passant(from, to),
        CASTLING => Move::castling(from, to),
        PROMOTION => {
            let kind = PieceType::ALL[PieceType::Knight.index() + usize::from(bits >> 12 & 3)];
            Move::promoting(from, to, kind)
        }
        _ => Move::new(from, to),
    }
}

fn bits_of(played: Move) -> u16 {
    let kind = match played.promotion() {
        Some(kind) => PROMOTION | (kind.index() as u16 - 1) << 12,
        None if played.is_castling() => CASTLING,
        None if played.is_en_passant() => EN_PASSANT,
        None => 0,
    };
    played.bits() & SQUARES | kind
}

/// Writes a game. False, and nothing written, if it has no plies, or one without a score, which a
/// trainer would take for even.
pub(crate) fn write(mut output: impl Write, game: &Game) -> io::Result<bool> {
    if game.plies.is_empty() || game.plies.iter().any(|ply| ply.known_score().is_none()) {
        return Ok(false);
    }
    let mut bytes = game.start.bytes().to_vec();
    let (side, file) = (bytes[STATE] & BLACK_TO_MOVE, bytes[STATE] & !BLACK_TO_MOVE & !CHESS960);
    let rank = if side == 0 { 5 } else { 2 };
    bytes[STATE] = side | if file == NO_FILE { NO_SQUARE } else { 8 * rank + file };
    bytes.extend(game.plies[0].score.to_le_bytes());
    bytes.extend([result_code(game.result), 0]);
    for ply in &game.plies {
        bytes.extend(bits_of(ply.played.into()).to_le_bytes());
        bytes.extend(ply.score.to_le_bytes());
    }
    bytes.extend([0; 4]);
    output.write_all(&bytes).map(|()| true)
}
