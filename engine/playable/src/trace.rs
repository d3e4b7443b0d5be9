//! Positions as a linear evaluation counts them.

use crate::{Numbers, Position};

/// A position as a linear, tapered evaluation counts it. With counts c, middlegame values m, endgame
/// values e and values v of single phase, it is worth
/// constant + phase · Σ c·m + (1 − phase) · scale · Σ c·e + Σ c·v, in centipawns from White's view.
#[derive(Clone, PartialEq, Debug)]
pub struct LinearTrace {
    /// Share of the middlegame, 0 to 1.
    pub phase: f32,
    /// Factor of the endgame half, 0 to 1.
    pub scale: f32,
    /// The part of the evaluation that no weight tells.
    pub constant: f32,
    /// Indices of the weights' cells in the order of their declaration, and how often each counts:
    /// White's less Black's.
    pub counts: Vec<(u16, i16)>,
}

/// Counts positions, see [`LinearTrace`].
pub trait Tracer {
    /// The trace of a position.
    ///
    /// # Panics
    /// If the position is of another game.
    fn trace(&mut self, position: &Position) -> LinearTrace;
}

impl<F: FnMut(&Position) -> LinearTrace> Tracer for F {
    fn trace(&mut self, position: &Position) -> LinearTrace {
        self(position)
    }
}

impl Numbers {
    /// Traces of the evaluation with these numbers, if it is linear.
    pub fn tracer(&self) -> Option<Box<dyn Tracer>> {
        self.game().tracer(self)
    }
}
