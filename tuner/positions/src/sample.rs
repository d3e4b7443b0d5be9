//! A labelled position as the fit reads it, and the split of such positions by games.

use playable::{PackedError, Position};

use super::packed::PackedPosition;

/// Stands for no score: no search returns it.
const NO_SCORE: i16 = i16::MIN;

/// A labelled position in 48 bytes, so that millions fit in memory.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    packed: PackedPosition,
    game: u32,
    result: f32,
    ply: u16,
    score: i16,
    game_is_guessed: bool,
}

impl Sample {
    /// A sample of a legal position. `game` counts through all files read, `ply` from the start of
    /// the record; `score` is in centipawns from White's view, `result` White's points, 0 to 1.
    ///
    /// # Errors
    /// If the position has more pieces than a game can have.
    pub fn new(
        position: &Position,
        game: u32,
        ply: u16,
        score: Option<i16>,
        result: f32,
    ) -> Result<Sample, PackedError> {
        debug_assert!((0.0..=1.0).contains(&result));
        let score = score.unwrap_or(NO_SCORE);
        let packed = PackedPosition::pack(position)?;
        Ok(Sample { packed, game, result, ply, score, game_is_guessed: false })
    }

    /// The position, without its history.
    pub fn position(&self) -> Position {
        self.packed.unpack().expect("a sample was packed from a legal position")
    }

    /// The position in its packed form.
    pub fn packed(&self) -> &PackedPosition {
        &self.packed
    }

    /// White's points: 0, ½, 1, or between where the source blends results or the position
    /// occurred more than once.
    pub fn result(&self) -> f64 {
        f64::from(self.result)
    }

    /// White's points, doubled, as whole as most forms want them: 0, 1 or 2.
    pub(super) fn nearest_result(&self) -> u8 {
        (2.0 * self.result).round() as u8
    }

    /// Search score: White's view, centipawns.
    pub fn score(&self) -> Option<i16> {
        Some(self.score).filter(|&score| score != NO_SCORE)
    }

    /// Number of the game through all files read: what is never split.
    pub fn game(&self) -> u32 {
        self.game
    }

    /// Whether the source names no game: the number is then that of a block of successive lines,
    /// which ends where a game seems to end.
    pub fn game_is_guessed(&self) -> bool {
        self.game_is_guessed
    }

    /// Plies from the start of the record, or 0 if unknown.
    pub fn ply(&self) -> u16 {
        self.ply
    }

    pub(super) fn with_game(self, game: u32, is_guessed: bool) -> Sample {
        Sample { game, game_is_guessed: is_guessed, ..self }
    }

    /// With another position in place of its own.
    pub(super) fn with_position(self, position: &Position) -> Result<Sample, PackedError> {
        Ok(Sample { packed: PackedPosition::pack(position)?, ..self })
    }

    /// The same position with another result (White's points, 0 to 1).
    pub fn with_result(self, result: f32) -> Sample {
        Sample { result, ..self }
    }
}

/// Shares of the games that are kept from a fit, each 0 to 1, and no more than 1 together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shares {
    /// Share of games whose positions decide when a fit stops, 0 to 1.
    pub validation: f64,
    /// Share of games whose positions judge a fit, 0 to 1.
    pub held_out: f64,
}

/// The purpose of a game's positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// The fit is made to them.
    Training,
    /// Their error decides when to stop.
    Validation,
    /// Their error is reported; they decide nothing.
    HeldOut,
}

/// Samples by purpose. No game is in two of the sets.
#[derive(Clone, Debug, Default)]
pub struct Split {
    /// Positions to fit to.
    pub training: Vec<Sample>,
    /// Positions that decide when the fit stops.
    pub validation: Vec<Sample>,
    /// Positions that judge the fit.
    pub held_out: Vec<Sample>,
}

/// Splits samples by their games; each set keeps their order.
pub fn split(samples: Vec<Sample>, shares: Shares, seed: u64) -> Split {
    let mut split = Split::default();
    for sample in samples {
        match purpose_of(sample.game(), shares, seed) {
            Purpose::Training => split.training.push(sample),
            Purpose::Validation => split.validation.push(sample),
            Purpose::HeldOut => split.held_out.push(sample),
        }
    }
    split
}

/// The purpose of a game: a function of its number and the seed alone, so that a game keeps its
/// purpose when files are added after it.
pub fn purpose_of(game: u32, shares: Shares, seed: u64) -> Purpose {
    // CITE: the finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
    // generators). A stream of random numbers a game would cost more than the split is worth.
    let mut hash = seed ^ u64::from(game).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    hash = (hash ^ hash >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    hash = (hash ^ hash >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    hash ^= hash >> 31;
    let place = (hash >> 11) as f64 / (1u64 << 53) as f64;
    if place < shares.held_out {
        Purpose::HeldOut
    } else if place < shares.held_out + shares.validation {
        Purpose::Validation
    } else {
        Purpose::Training
    }
}
