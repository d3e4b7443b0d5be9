//! How games become the bytes of a block, and back.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use playable::Move;

use super::super::packed::PackedPosition;
use super::{BLOCK_PLIES_MAX, Game, Ply, RESULTS, result_code, termination_code, terminations};

pub(super) const HEAD_BYTES: usize = 32;
/// Bytes of a game of this kind before its plies: start, result, termination, number of plies.
fn game_bytes(game: playable::Game) -> usize {
    PackedPosition::length(game) + 4
}

/// Bytes of a ply: move and score.
const PLY_BYTES: usize = 4;
/// Most plies of a block: it is closed at the first game that brings it to [`BLOCK_PLIES_MAX`]. There
/// are no more games than plies.
const PLIES_MAX: u32 = BLOCK_PLIES_MAX + u16::MAX as u32;
/// First bytes of a block of games.
const BLOCK_MAGIC: [u8; 4] = *b"KBLK";
/// First bytes of the end mark.
const END_MAGIC: [u8; 4] = *b"KEND";

/// A block's head, before its games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Head {
    /// This is the end mark, not a block of games.
    pub end: bool,
    /// Index of the first game in the store.
    pub first_game: u32,
    pub games: u32,
    /// Number of plies in all games.
    pub plies: u32,
    pub plain_bytes: u32,
    /// Bytes that follow the head.
    pub payload_bytes: u32,
    pub payload_checksum: u32,
}

impl Head {
    /// The end mark of a store of so many games.
    pub fn end_mark(games: u32) -> Head {
        Head {
            end: true,
            first_game: games,
            games: 0,
            plies: 0,
            plain_bytes: 0,
            payload_bytes: 0,
            payload_checksum: 0,
        }
    }

    /// The head as bytes. `store` is the header's checksum: it ties the block to its store.
    pub fn to_bytes(self, store: u32) -> [u8; HEAD_BYTES] {
        let mut bytes = [0; HEAD_BYTES];
        bytes[..4].copy_from_slice(if self.end { &END_MAGIC } else { &BLOCK_MAGIC });
        let numbers = [
            self.first_game,
            self.games,
            self.plies,
            self.plain_bytes,
            self.payload_bytes,
            self.payload_checksum,
        ];
        for (slot, number) in bytes[4..28].chunks_exact_mut(4).zip(numbers) {
            slot.copy_from_slice(&number.to_le_bytes());
        }
        let checksum = head_checksum(store, &bytes[..28]);
        bytes[28..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Reads a head; says what is wrong otherwise.
    pub fn from_bytes(
        bytes: &[u8; HEAD_BYTES],
        store: u32,
        game: playable::Game,
    ) -> Result<Head, &'static str> {
        let number = |at: usize| le_u32(&bytes[at..at + 4]);
        if number(28) != head_checksum(store, &bytes[..28]) {
            return Err("the checksum of its head is wrong");
        }
        let end = bytes[..4] == END_MAGIC;
        if !end && bytes[..4] != BLOCK_MAGIC {
            return Err("it is of an unknown kind");
        }
        let head = Head {
            end,
            first_game: number(4),
            games: number(8),
            plies: number(12),
            plain_bytes: number(16),
            payload_bytes: number(20),
            payload_checksum: number(24),
        };
        let plain = u64::from(head.games) * game_bytes(game) as u64
            + u64::from(head.plies) * PLY_BYTES as u64;
        if plain != u64::from(head.plain_bytes) {
            return Err("its numbers of games and plies do not fit its length");
        }
        // Bytes that do not pack are a little longer packed.
        let longest = plain + plain / 64 + 1024;
        if head.plies > PLIES_MAX
            || head.games > PLIES_MAX
            || u64::from(head.payload_bytes) > longest
        {
            return Err("no block is so large");
        }
        if end && head != Head::end_mark(head.first_game) {
            return Err("its end mark has content");
        }
        Ok(head)
    }
}

/// A number from four little-endian bytes.
pub(super) fn le_u32(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

fn head_checksum(store: u32, head: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&store.to_le_bytes());
    hasher.update(head);
    hasher.finalize()
}

/// A whole block of games: head and compressed payload.
///
/// Panics if the games do not fit 32-bit counts; the writer closes a block long before.
pub(super) fn encode(first_game: u32, games: &[Game], store: u32) -> Vec<u8> {
    let plies: usize = games.iter().map(|game| game.plies.len()).sum();
    let mut plain = Vec::with_capacity(
        games.iter().map(|it| game_bytes(it.start.game())).sum::<usize>() + plies * PLY_BYTES,
    );
    for game in games {
        let length = u16::try_from(game.plies.len()).expect("a game is shorter than 65,536 plies");
        plain.extend_from_slice(game.start.bytes());
        plain.push(result_code(game.result));
        plain.push(termination_code(game.start.game(), game.termination) as u8);
        plain.extend_from_slice(&length.to_le_bytes());
    }
    let all = || games.iter().flat_map(|game| &game.plies);
    plain.extend(all().map(|ply| ply.played.bits().to_le_bytes()[0]));
    plain.extend(all().map(|ply| ply.played.bits().to_le_bytes()[1]));
    plain.extend(all().map(|ply| ply.score.to_le_bytes()[0]));
    plain.extend(all().map(|ply| ply.score.to_le_bytes()[1]));

    let count = |number: usize| u32::try_from(number).expect("a block is smaller than 4 GB");
    let payload = compress(&plain);
    let head = Head {
        end: false,
        first_game,
        games: count(games.len()),
        plies: count(plies),
        plain_bytes: count(plain.len()),
        payload_bytes: count(payload.len()),
        payload_checksum: crc32fast::hash(&payload),
    };
    let mut block = head.to_bytes(store).to_vec();
    block.extend_from_slice(&payload);
    block
}

fn compress(plain: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder
        .write_all(plain)
        .and_then(|()| encoder.finish())
        .expect("writing to memory does not fail")
}

impl Game {
    /// The game as a block of no store.
    pub fn to_bytes(&self) -> Vec<u8> {
        encode(0, std::slice::from_ref(self), 0)
    }

    /// The game, of this kind, of such a block. Its moves are not yet known to be legal.
    ///
    /// # Errors
    /// The reason why the bytes are none.
    pub fn from_bytes(kind: playable::Game, bytes: &[u8]) -> Result<Game, String> {
        let (head, payload) = bytes.split_first_chunk().ok_or("too short for a head")?;
        let games = decode(&Head::from_bytes(head, 0, kind)?, payload, kind)?;
        let [game] =
            <[Game; 1]>::try_from(games).map_err(|games| format!("{} games", games.len()))?;
        Ok(game)
    }
}

/// The fault of a payload that is not as it was written.
pub(super) const WRONG_CHECKSUM: &str = "the checksum of its games is wrong";

/// Whether a payload is as it was written.
pub(super) fn is_sound(head: &Head, payload: &[u8]) -> bool {
    crc32fast::hash(payload) == head.payload_checksum
}

/// The games of a block; says what is wrong otherwise. Moves are not yet known to be legal.
pub(super) fn decode(
    head: &Head,
    payload: &[u8],
    kind: playable::Game,
) -> Result<Vec<Game>, String> {
    if !is_sound(head, payload) {
        return Err(WRONG_CHECKSUM.to_owned());
    }
    let plain_bytes = head.plain_bytes as usize;
    let mut plain = Vec::new();
    DeflateDecoder::new(payload)
        .take(u64::from(head.plain_bytes) + 1)
        .read_to_end(&mut plain)
        .map_err(|error| format!("it does not decompress ({error})"))?;
    if plain.len() != plain_bytes {
        return Err(format!("it should hold {plain_bytes} bytes, not {}", plain.len()));
    }

    let plies = head.plies as usize;
    let (heads, planes) = plain.split_at(head.games as usize * game_bytes(kind));
    let plane = |index: usize| &planes[index * plies..(index + 1) * plies];
    let (move_low, move_high, score_low, score_high) = (plane(0), plane(1), plane(2), plane(3));
    let mut games = Vec::with_capacity(head.games as usize);
    let mut next = 0;
    for (index, bytes) in heads.chunks_exact(game_bytes(kind)).enumerate() {
        let (start, rest) = bytes.split_at(PackedPosition::length(kind));
        let length = usize::from(u16::from_le_bytes([rest[2], rest[3]]));
        let range = next..next + length;
        next += length;
        if next > plies {
            return Err(format!("its game {index} is longer than the block"));
        }
        let (Some(&result), Some(termination)) =
            (RESULTS.get(usize::from(rest[0])), terminations(kind).nth(usize::from(rest[1])))
        else {
            return Err(format!("its game {index} has an unknown result or ending"));
        };
        let ply = |at: usize| Ply {
            played: Move::from_bits(u16::from_le_bytes([move_low[at], move_high[at]])),
            score: i16::from_le_bytes([score_low[at], score_high[at]]),
        };
        let start = PackedPosition::from_bytes(kind, start);
        games.push(Game { start, plies: range.map(ply).collect(), result, termination });
    }
    if next != plies {
        return Err(format!("its games have {next} plies in all, not {plies}"));
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packed it may be a thousand times smaller, so that its bytes say nothing against it.
    #[test]
    fn a_block_larger_than_any_is_refused() {
        let head = |games: u32, plies: u32, payload_bytes| {
            let plain_bytes = games * game_bytes(chess::GAME) as u32 + plies * PLY_BYTES as u32;
            let head = Head { games, plies, plain_bytes, payload_bytes, ..Head::end_mark(0) };
            Head::from_bytes(&Head { end: false, ..head }.to_bytes(7), 7, chess::GAME)
        };
        let largest = [PLIES_MAX / 100, PLIES_MAX];
        assert!(head(largest[0], largest[1], 1000).is_ok());
        for (games, plies, bytes) in
            [(largest[0], largest[1] + 1, 1000), (largest[1] + 1, 0, 1000), (1, 100, 1 << 20)]
        {
            assert_eq!(head(games, plies, bytes), Err("no block is so large"));
        }
    }
}
