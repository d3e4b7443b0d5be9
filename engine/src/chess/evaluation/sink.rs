//! Where the terms go: a sum in play, a list of coefficients when the tuner traces.

use super::weights::Weights;
use crate::parameters::{Scalar, Score};

/// What a term is added to. Each side fills its own sink, so no term knows about signs.
pub trait Sink {
    /// Adds `times · weight` to the side's score.
    fn term(&mut self, weight: &Score, times: i32);
    /// Adds `times · weight` to the danger for the side's own king.
    fn danger(&mut self, weight: &Score, times: i32);
    /// Adds `times · weight` to the initiative, which belongs to neither side.
    fn initiative(&mut self, weight: &Scalar, times: i32);
    /// Adds `weight` to the scale of the endgame lead, should this side have the lead.
    fn scale(&mut self, weight: &Scalar);
}

/// The sink for play: sums, nothing else.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Sum {
    pub main: Score,
    pub danger: Score,
    pub initiative: i32,
    pub scale: i32,
}

impl Sink for Sum {
    #[inline(always)]
    fn term(&mut self, weight: &Score, times: i32) {
        self.main += *weight * times;
    }

    #[inline(always)]
    fn danger(&mut self, weight: &Score, times: i32) {
        self.danger += *weight * times;
    }

    #[inline(always)]
    fn initiative(&mut self, weight: &Scalar, times: i32) {
        self.initiative += weight.0 * times;
    }

    #[inline(always)]
    fn scale(&mut self, weight: &Scalar) {
        self.scale += weight.0;
    }
}

/// White's score minus Black's.
pub const MAIN: usize = 0;
/// Danger for White's king; Black's is the next channel.
pub const DANGER: usize = 1;
/// Initiative, of neither side (endgame half only).
pub const INITIATIVE: usize = 3;
/// Scale in 128ths, should White lead (endgame half only); Black's is the next channel.
pub const SCALE: usize = 4;
/// Number of channels.
pub const CHANNELS: usize = 6;

/// One coefficient of a position: cell `cell` was added `times` times to `channel`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TraceEntry {
    /// Index in [`Weights::cells`].
    pub cell: u16,
    /// Which sum it was added to, below [`CHANNELS`]. In channel [`MAIN`] Black's terms count
    /// negatively.
    pub channel: u8,
    /// How often.
    pub times: i16,
}

/// The recording sink of one side. The weight's address within `weights` is its index.
pub(super) struct Recorder<'a> {
    weights: &'a Weights,
    side: u8,
    pub entries: Vec<TraceEntry>,
}

impl<'a> Recorder<'a> {
    /// Records for White (`side` 0) or Black (1) into `entries`, which it clears.
    pub fn new(weights: &'a Weights, side: u8, mut entries: Vec<TraceEntry>) -> Recorder<'a> {
        entries.clear();
        Recorder { weights, side, entries }
    }

    fn push<T>(&mut self, weight: &T, channel: usize, times: i32) {
        if times == 0 {
            return;
        }
        let cell = self.weights.cell_of(weight);
        debug_assert!(cell < self.weights.cells().len(), "a weight from elsewhere");
        self.entries.push(TraceEntry {
            cell: cell as u16,
            channel: channel as u8,
            times: times as i16,
        });
    }
}

impl Sink for Recorder<'_> {
    fn term(&mut self, weight: &Score, times: i32) {
        let sign = if self.side == 0 { 1 } else { -1 };
        self.push(weight, MAIN, sign * times);
    }

    fn danger(&mut self, weight: &Score, times: i32) {
        self.push(weight, DANGER + self.side as usize, times);
    }

    fn initiative(&mut self, weight: &Scalar, times: i32) {
        self.push(weight, INITIATIVE, times);
    }

    fn scale(&mut self, weight: &Scalar) {
        self.push(weight, SCALE + self.side as usize, 1);
    }
}
