//! A board with its past: undo, repetition and the end of the game.

use std::ops::Deref;
use std::slice;

use super::{Bitboard, Board, Color, FenError, Move, PieceType, Square, attacks, fen, repetition};

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The side to move is mated.
    Checkmate,
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// The position occurred for the third time.
    Repetition,
    /// A hundred plies without capture or pawn move.
    FiftyMoves,
    /// Neither side can mate any more.
    InsufficientMaterial,
}

/// A board and the boards before it.
#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
    past: Vec<Board>,
    /// The keys of `past`, apart so that the search for repetitions reads little memory.
    past_keys: Vec<u64>,
    chess960: bool,
}

impl Deref for Position {
    type Target = Board;

    #[inline]
    fn deref(&self) -> &Board {
        &self.board
    }
}

impl Position {
    /// The start of a standard game.
    pub fn start() -> Position {
        Position::new(fen::start(), false)
    }

    /// Reads FEN, X-FEN or Shredder-FEN. Fields at its end may be missing: then no counters ran, nobody
    /// may castle or capture en passant, and White is to move unless only Black can be.
    ///
    /// # Errors
    /// A [`FenError`] that says what is wrong with which field.
    pub fn from_fen(text: &str) -> Result<Position, FenError> {
        let board = fen::parse(text)?;
        Ok(Position::new(board, fen::needs_chess960(&board)))
    }

    /// A text split behind the words that can be the first four fields of a FEN, as many of them as are
    /// there: lines of labelled positions go on with counters or a label.
    pub fn split_fields(text: &str) -> (&str, &str) {
        fen::split_fields(text)
    }

    /// A text split behind its FEN, of which fields may be missing, where operations of EPD follow.
    /// Any other text stays with the FEN, and is refused with it.
    pub fn split_operations(text: &str) -> (&str, &str) {
        fen::split_operations(text)
    }

    /// As [`Position::from_fen`], but castling rights and an en passant square that nobody has there
    /// are left out: many programs write them down, and the board is clear. Returns what was wrong,
    /// too.
    ///
    /// # Errors
    /// A [`FenError`] that says what else is wrong.
    pub fn from_loose_fen(text: &str) -> Result<(Position, Vec<FenError>), FenError> {
        let mut fields: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let read = |fields: &[String]| Position::from_fen(&fields.join(" "));
        let mut left_out = Vec::new();
        loop {
            let error = match read(&fields) {
                Ok(position) => return Ok((position, left_out)),
                Err(error) => error,
            };
            let (field, left) = match error {
                FenError::Castling { .. } if fields[2].chars().all(fen::is_castling_letter) => {
                    let mut rights = String::new();
                    let mut tried = fields.clone();
                    for right in fields[2].chars() {
                        tried[2] = format!("{rights}{right}");
                        if !matches!(read(&tried), Err(FenError::Castling { .. })) {
                            rights.push(right);
                        }
                    }
                    (2, rights)
                }
                FenError::EnPassant { .. } if fields[3].parse::<Square>().is_ok() => {
                    (3, String::new())
                }
                error => return Err(error),
            };
            let left = if left.is_empty() { "-".to_owned() } else { left };
            if left == fields[field] {
                return Err(error);
            }
            fields[field] = left;
            left_out.push(error);
        }
    }

    /// The FEN of the position: Shredder-FEN if `chess960`, else X-FEN, which is FEN wherever
    /// standard chess can tell the rooks apart.
    pub fn to_fen(&self, chess960: bool) -> String {
        self.board.to_fen(chess960)
    }

    /// A position without past: no earlier position counts as repeated.
    pub fn from_board(board: Board) -> Position {
        Position::new(board, fen::needs_chess960(&board))
    }

    fn new(board: Board, chess960: bool) -> Position {
        Position { board, past: Vec::new(), past_keys: Vec::new(), chess960 }
    }

    /// Whether castling is that of Chess960: set by hand, or the rights name a king or rook that
    /// is not on its standard square.
    pub fn chess960(&self) -> bool {
        self.chess960
    }

    /// Says whether the game is Chess960.
    pub fn set_chess960(&mut self, chess960: bool) {
        self.chess960 = chess960;
    }

    /// The board as it stands after the last move.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The pawn that just made a double step, if a pawn of the side to move stands beside it: whether
    /// that may capture it is another question, which only [`Board::en_passant`] answers. Without a
    /// past the same as that.
    pub fn attacked_double_step(&self) -> Option<Square> {
        let them = !self.board.side_to_move();
        let Some(before) = self.past.last() else {
            let file = self.board.en_passant()?.file();
            return Some(Square::from_coordinates(file, if them == Color::White { 3 } else { 4 }));
        };
        let pawns = |board: &Board| board.pieces(them, PieceType::Pawn);
        let left = pawns(before) & !pawns(&self.board) & Bitboard::relative_rank(them, 1);
        let arrived = pawns(&self.board) & !pawns(before) & Bitboard::relative_rank(them, 3);
        let pawn =
            arrived.into_iter().find(|pawn| left.into_iter().any(|it| it.file() == pawn.file()))?;
        let us = self.board.pieces(!them, PieceType::Pawn);
        let beside =
            |other: Square| other.rank() == pawn.rank() && other.file().abs_diff(pawn.file()) == 1;
        us.into_iter().any(beside).then_some(pawn)
    }

    /// How many moves and passes can be undone.
    #[inline]
    pub fn plies_played(&self) -> usize {
        self.past.len()
    }

    /// Plays a legal move.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        debug_assert!(self.board.is_legal(mv), "{mv} is illegal in {}", self.to_fen(true));
        self.keep();
        self.board.play(mv);
    }

    /// Plays a legal move and appends it in standard algebraic notation.
    pub fn play_and_push_san(&mut self, mv: Move, text: &mut String) {
        self.keep();
        self.board.play_and_push_san(mv, text);
    }

    /// Lets the other side move (null move); the side to move must not be in check.
    #[inline]
    pub fn pass(&mut self) {
        self.keep();
        self.board.pass();
    }

    /// Adds the board to the past.
    #[inline]
    fn keep(&mut self) {
        // A pushed board is copied twice: first to where it is safe while room is made.
        self.past.extend_from_slice(slice::from_ref(&self.board));
        self.past_keys.push(self.board.key());
    }

    /// Takes back the last move or pass.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn undo(&mut self) {
        self.board = self.past.pop().expect("a move to undo");
        self.past_keys.pop();
    }

    /// Makes room for so many moves at once.
    pub fn reserve(&mut self, moves: usize) {
        self.past.reserve(moves);
        self.past_keys.reserve(moves);
    }

    /// Forgets the past; nothing can be undone and nothing counts as repeated.
    pub fn forget_past(&mut self) {
        self.past.clear();
        self.past_keys.clear();
        self.board.reversible_plies = 0;
    }

    /// Forgets the past if none of it can come back, because the last move was irreversible. A game
    /// that is only played forward stays small and copies cheaply.
    #[inline]
    pub fn forget_unrepeatable_past(&mut self) {
        if self.board.reversible_plies == 0 {
            self.past.clear();
            self.past_keys.clear();
        }
    }

    /// How often the position occurred before, since the last capture, pawn move or pass.
    #[inline]
    pub fn repetitions(&self) -> u32 {
        self.earlier_occurrences().count() as u32
    }

    /// Whether this or any position since the last capture, pawn move or pass has occurred twice.
    pub fn has_repeated(&self) -> bool {
        let reach = usize::from(self.board.reversible_plies).min(self.past_keys.len());
        let mut keys = self.past_keys[self.past_keys.len() - reach..].to_vec();
        keys.push(self.board.key());
        keys.sort_unstable();
        keys.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// Whether the search may call the position a draw by repetition: it occurred before within
    /// the last `ply_since_root` plies, the root excluded, or twice in the whole game.
    #[inline]
    pub fn is_repetition(&self, ply_since_root: usize) -> bool {
        let mut occurrences = self.earlier_occurrences();
        match occurrences.next() {
            None => false,
            Some(distance) => distance < ply_since_root || occurrences.next().is_some(),
        }
    }

    /// Whether the position stood on the board four and eight plies before as well.
    pub fn is_line_repetition(&self) -> bool {
        let back = |plies: usize| self.past_keys.iter().rev().nth(plies - 1).copied();
        let key = Some(self.board.key());
        back(4) == key && back(8) == key
    }

    /// The squares that the last move's pieces came to: two after castling, none after a pass or
    /// without a past.
    pub fn last_arrivals(&self) -> Bitboard {
        let them = !self.board.side_to_move();
        let Some(before) = self.past.last() else { return Bitboard::EMPTY };
        self.board.color(them) & !before.color(them)
    }

    /// After a pass, the squares that the side to move came to with its move before.
    pub fn arrivals_before_pass(&self) -> Bitboard {
        let us = self.board.side_to_move();
        match self.past.as_slice() {
            [.., before, _] => self.board.color(us) & !before.color(us),
            _ => Bitboard::EMPTY,
        }
    }

    /// Whether the side to move can play a reversible move to a position that occurred within the
    /// last `ply_since_root` plies, the root excluded, or twice in the whole game.
    pub fn can_repeat(&self, ply_since_root: usize) -> bool {
        let reach = usize::from(self.board.reversible_plies).min(self.past_keys.len());
        // After an odd number of plies, three at least, one move leads back.
        for distance in (3..=reach).step_by(2) {
            let past = self.past_keys.len() - distance;
            let Some(shuttle) = repetition::shuttle(self.board.key() ^ self.past_keys[past]) else {
                continue;
            };
            if self.occupied().intersects(attacks::between(shuttle.from, shuttle.to)) {
                continue;
            }
            // The piece on one of the squares is the one that would go to the other.
            let piece = self.piece_on(shuttle.from).or_else(|| self.piece_on(shuttle.to));
            if piece.is_none_or(|piece| piece.color() != self.side_to_move()) {
                continue;
            }
            let occurred_before = || {
                let earlier = &self.past_keys[self.past_keys.len() - reach..past];
                earlier.iter().rev().skip(1).step_by(2).any(|&key| key == self.past_keys[past])
            };
            if distance < ply_since_root || occurred_before() {
                return true;
            }
        }
        false
    }

    /// How many plies ago the position occurred, from the latest.
    #[inline]
    fn earlier_occurrences(&self) -> impl Iterator<Item = usize> {
        let reach = usize::from(self.board.reversible_plies).min(self.past_keys.len());
        let recent = &self.past_keys[self.past_keys.len() - reach..];
        let key = self.board.key();
        // Two plies ago, four, six, and so on; nothing can recur after two.
        let turns = recent.rchunks_exact(2).zip(1..).skip(1);
        turns.filter(move |(turn, _)| turn[0] == key).map(|(_, number)| 2 * number)
    }

    /// How the game has ended, by the rules that need no claim and those that a claim would win:
    /// threefold repetition and fifty moves count.
    pub fn outcome(&self) -> Option<Ending> {
        if !self.has_legal_move() {
            return Some(if self.in_check() { Ending::Checkmate } else { Ending::Stalemate });
        }
        if self.insufficient_material() {
            Some(Ending::InsufficientMaterial)
        } else if self.halfmove_clock() >= Board::CLOCK_DRAWS_AT {
            Some(Ending::FiftyMoves)
        } else if self.repetitions() >= 2 {
            Some(Ending::Repetition)
        } else {
            None
        }
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::start()
    }
}
