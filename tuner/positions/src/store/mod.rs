//! The native store of recorded positions: whole games, so that game boundaries survive.
//!
//! A store is a header, blocks of games, and an end mark. All numbers are little-endian.
//!
//! | part | bytes |
//! |---|---|
//! | header | magic (8), version (4), length of the settings (4), settings as JSON, checksum (4) |
//! | block | head (32), compressed games |
//! | end mark | a head (32) of its own kind, whose first game is the number of all games |
//!
//! A head is: magic (4), first game (4), games (4), plies (4), length before compression (4) and
//! after (4), checksum of the compressed games (4), checksum of the head (4). Checksums are CRC32;
//! that of a head also takes in that of the header, so that no block fits another store.
//!
//! A game is its packed start position, its result, how it ended, its length, and then two bytes
//! of move and two of score a ply. Within a block these lie in planes (all low bytes of moves, then
//! all high bytes, and so on), because a plane of like bytes compresses better.
//!
//! Appending is safe: a block counts only once it is whole. A killed run leaves an unfinished block
//! at the end, which [`Writer::resume`] drops and records again. Every other difference (a flipped
//! bit, bytes missing in the middle, a block of another store) fails a checksum and is an error
//! that names file, block and byte. A store without its end mark was not finished.

mod block;
mod reader;
mod writer;

use std::io;
use std::path::{Path, PathBuf};

use chess::games;
use matches::game::{GameResult, Termination};
use matches::playing::Adjudication;
use playable::{Move, Position};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::packed::PackedPosition;

pub use reader::{Block, Ending, Reader};
pub use writer::Writer;

/// First bytes of every store; not text, and damaged by any conversion of line ends.
pub const MAGIC: [u8; 8] = *b"\x89KPOS\r\n\n";

/// Version of the format this program reads and writes.
pub const VERSION: u32 = 1;

/// Bound of [`Settings::block_plies`], exclusive.
pub const BLOCK_PLIES_MAX: u32 = 1_000_000;

/// The settings that the games were recorded by: recording goes on only with the same.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The game that was recorded; chess if missing.
    #[serde(with = "games", default = "games::usual", skip_serializing_if = "games::is_usual")]
    pub game: playable::Game,
    /// Program and version that recorded the games.
    pub program: String,
    /// Fingerprint of the parameters that played.
    pub parameters: String,
    /// Seed of all randomness.
    pub seed: u64,
    /// Nodes searched for each move.
    pub nodes: u64,
    /// Size of each player's hash table (megabytes).
    pub hash: usize,
    /// Hash of the opening file, or none if all games start at the usual position.
    pub openings: Option<String>,
    /// Least and greatest number of random plies before a game is recorded.
    pub random_plies: (u32, u32),
    /// An opening whose first score is beyond this is replaced (centipawns).
    pub decided: i32,
    /// When games are cut short.
    pub adjudication: Adjudication,
    /// Plies after which a game is a draw.
    pub max_plies: u32,
    /// A block is closed at the first game that brings it to so many plies.
    pub block_plies: u32,
}

/// The endings of games of this kind, in the order of their codes in the store: its own rules, then
/// what ends any game before them.
pub fn terminations(game: playable::Game) -> impl Iterator<Item = Termination> {
    const OTHERS: [Termination; 7] = [
        Termination::DrawAgreed,
        Termination::Resignation,
        Termination::MaxPlies,
        Termination::Forfeit,
        Termination::TimeLoss,
        Termination::Tablebase,
        Termination::Resigned,
    ];
    game.endings().iter().copied().map(Termination::Rules).chain(OTHERS)
}

/// The code of an ending of such a game.
pub fn termination_code(game: playable::Game, termination: Termination) -> usize {
    let code = terminations(game).position(|known| known == termination);
    code.expect("all endings have a code")
}

/// How a game ended, as far as its last position and its result tell.
pub(super) fn termination_of(end: &Position, result: GameResult) -> Termination {
    match end.outcome() {
        Some((_, rule)) => Termination::Rules(rule),
        None if result == GameResult::Draw => Termination::DrawAgreed,
        None => Termination::Resignation,
    }
}

/// The results of games, in the order of their codes in the store: White's points, doubled.
pub const RESULTS: [GameResult; 3] =
    [GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins];

/// White's points, doubled: the code of a result.
pub fn result_code(result: GameResult) -> u8 {
    match result {
        GameResult::BlackWins => 0,
        GameResult::Draw => 1,
        GameResult::WhiteWins => 2,
    }
}

/// A move that was played and what the search thought of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move that was played.
    pub played: Move,
    /// Score of the search before the move: White's view, centipawns, mates as the engine counts
    /// them (31,000 less the plies to mate); [`Ply::NO_SCORE`] if nobody knows.
    pub score: i16,
}

impl Ply {
    /// Stands for no score: no search returns it.
    pub const NO_SCORE: i16 = i16::MIN;

    /// A move with its score, if it is known.
    pub fn new(played: Move, score: Option<i16>) -> Ply {
        Ply { played, score: score.unwrap_or(Ply::NO_SCORE) }
    }

    /// The score, if it is known.
    pub fn known_score(&self) -> Option<i16> {
        Some(self.score).filter(|&score| score != Ply::NO_SCORE)
    }
}

/// A recorded game from its start to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Position before the first recorded ply.
    pub start: PackedPosition,
    /// The game's plies.
    pub plies: Vec<Ply>,
    /// How the game ended for White.
    pub result: GameResult,
    /// The reason why it ended.
    pub termination: Termination,
}

impl Game {
    /// Plays the game through: calls `visit` with the position before each ply, the ply's index and
    /// the ply. Gives the position at the end.
    ///
    /// # Errors
    /// In words, if the start position is impossible or a move illegal. `visit` has then seen the
    /// plies before.
    pub fn replay(&self, mut visit: impl FnMut(&Position, usize, Ply)) -> Result<Position, String> {
        let mut position =
            self.start.unpack().map_err(|error| format!("impossible start position ({error})"))?;
        for (index, &ply) in self.plies.iter().enumerate() {
            if !position.is_legal(ply.played) {
                return Err(format!("illegal move {:#06x} at ply {index}", ply.played.bits()));
            }
            visit(&position, index, ply);
            position.play(ply.played);
        }
        Ok(position)
    }
}

/// Why a store cannot be read or written.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file system refuses.
    #[error("cannot {action} {path}: {error}", path = path.display())]
    Io {
        /// The action tried: "read", "write", …
        action: &'static str,
        /// Path of the store.
        path: PathBuf,
        /// The system's answer.
        error: io::Error,
    },
    /// A block could not be written; the file was cut back to its last whole block.
    #[error(
        "cannot write block {block} at byte {offset} of {path}: {error}",
        path = path.display()
    )]
    Write {
        /// Path of the store.
        path: PathBuf,
        /// Index of the block, from 0.
        block: usize,
        /// First byte of the block.
        offset: u64,
        /// The system's answer.
        error: io::Error,
    },
    /// The file does not begin as a store does.
    #[error("{path}: not a store of recorded positions: {problem}", path = path.display())]
    Header {
        /// Path of the store.
        path: PathBuf,
        /// The fault in words.
        problem: String,
    },
    /// A block's checksum or content is wrong.
    #[error("{path}: block {block} at byte {offset} is damaged: {problem}", path = path.display())]
    Damaged {
        /// Path of the store.
        path: PathBuf,
        /// Index of the block, from 0.
        block: usize,
        /// First byte of the block.
        offset: u64,
        /// The fault in words.
        problem: String,
    },
    /// The end mark is missing.
    #[error(
        "{path}: ends at byte {offset} after {blocks} whole blocks and {surplus} bytes of another, \
         without an end mark: cut off, or its recording was interrupted (finish it with \
         `tuner record … --resume`)",
        path = path.display()
    )]
    Unfinished {
        /// Path of the store.
        path: PathBuf,
        /// Whole blocks in it.
        blocks: usize,
        /// Where the next block would begin.
        offset: u64,
        /// Bytes after these blocks.
        surplus: u64,
    },
    /// The file exists and resuming was not asked for.
    #[error("{path} exists: --resume goes on with it", path = path.display())]
    Exists {
        /// Path of the store.
        path: PathBuf,
    },
    /// The store was recorded with other settings.
    #[error("{path} was recorded with other settings: {differences}", path = path.display())]
    Settings {
        /// Path of the store.
        path: PathBuf,
        /// The settings that differ, in the file and now.
        differences: String,
    },
    /// The file was deleted while it was being written.
    #[error("{path} was deleted, and the recording ends with it", path = path.display())]
    Deleted {
        /// Path that the store had.
        path: PathBuf,
    },
    /// Another process holds the file.
    #[error("{path} is being recorded by another process", path = path.display())]
    Locked {
        /// Path of the store.
        path: PathBuf,
    },
}

impl StoreError {
    pub(super) fn io(action: &'static str, path: &Path, error: io::Error) -> StoreError {
        StoreError::Io { action, path: path.to_owned(), error }
    }
}
