//! A labelled position as the fit reads it, and the split of such positions by games.

use engine::chess::Position;

use super::packed::{PackedError, PackedPosition};

/// Stands for no score: no search returns it.
const NO_SCORE: i16 = i16::MIN;

/// A labelled position, packed to 40 bytes, so that millions fit in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    packed: PackedPosition,
    game: u32,
    ply: u16,
    score: i16,
    percent: u8,
}

impl Sample {
    /// A sample of a legal position. `game` counts through all files read, `ply` from the start of
    /// the record; `score` is in centipawns from White's view, `percent` White's points in
    /// hundredths.
    ///
    /// # Errors
    /// If the position has more pieces than a game can have.
    pub fn new(
        position: &Position,
        game: u32,
        ply: u16,
        score: Option<i16>,
        percent: u8,
    ) -> Result<Sample, PackedError> {
        debug_assert!(percent <= 100);
        let score = score.unwrap_or(NO_SCORE);
        Ok(Sample { packed: PackedPosition::pack(position)?, game, ply, score, percent })
    }

    /// The position, without its history.
    pub fn position(&self) -> Position {
        self.packed.unpack().expect("a sample was packed from a legal position")
    }

    /// The position, packed.
    pub fn packed(&self) -> &PackedPosition {
        &self.packed
    }

    /// White's points: 0, ½, 1, or between where the source blends results.
    pub fn result(&self) -> f64 {
        f64::from(self.percent) / 100.0
    }

    /// Search score: White's view, centipawns.
    pub fn score(&self) -> Option<i16> {
        Some(self.score).filter(|&score| score != NO_SCORE)
    }

    /// Number of the game through all files read.
    pub fn game(&self) -> u32 {
        self.game
    }

    /// Plies from the start of the record, or 0 if unknown.
    pub fn ply(&self) -> u16 {
        self.ply
    }

    /// White's points in hundredths.
    pub(super) fn percent(&self) -> u8 {
        self.percent
    }

    pub(super) fn with_game(self, game: u32) -> Sample {
        Sample { game, ..self }
    }
}

/// Samples for fitting and samples to judge the fit by. No game is in both.
#[derive(Clone, Debug, Default)]
pub struct Split {
    /// To fit.
    pub training: Vec<Sample>,
    /// To judge by.
    pub held_out: Vec<Sample>,
}

/// Splits samples by their games; each part keeps their order. `share` is the share of games held
/// out, 0 to 1.
pub fn split(samples: &[Sample], share: f64, seed: u64) -> Split {
    let (held_out, training) =
        samples.iter().partition(|sample| is_held_out(sample.game(), share, seed));
    Split { training, held_out }
}

/// Whether a game is held out: a function of its number and the seed alone, so that a game stays
/// on its side when files are added after it.
pub fn is_held_out(game: u32, share: f64, seed: u64) -> bool {
    // CITE: the finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
    // generators). A stream of random numbers a game would cost more than the split is worth.
    let mut hash = seed ^ u64::from(game).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    hash = (hash ^ hash >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    hash = (hash ^ hash >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    hash ^= hash >> 31;
    ((hash >> 11) as f64) < share * (1u64 << 53) as f64
}
