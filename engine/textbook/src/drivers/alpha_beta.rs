//! Alpha-beta: one good reply is enough to refute a move, so the other replies need not be
//! searched. With the best order of moves it visits the square root of the nodes.
//! Fail-soft: a value outside the window says more than the window's end.
//!
//! CITE: Donald E. Knuth and Ronald W. Moore, "An Analysis of Alpha-Beta Pruning" (1975); John P.
//! Fishburn, "Another Optimization of Alpha-Beta Search" (1983), for fail-soft.

use super::mtd::Mtd;
use crate::prelude::*;

group! {
    /// Alpha-beta: a reply that refutes a move need not be the best one (Kornilov pp. 39-45). Off,
    /// the search is minimax, and whatever needs a window does nothing.
    AlphaBeta, sound {
        /// Alpha-beta on or off.
        enabled: Switch,
    }
}

group! {
    /// Fail-soft: a node returns its best value, also outside the window (Kornilov p. 45). MTD(f)
    /// has it always.
    FailSoft, sound {
        /// Fail-soft on or off.
        enabled: Switch,
    }
}

impl AlphaBeta {
    /// Alpha after a move of this value: minimax asks for the exact value of all moves.
    pub(crate) fn raised(&self, alpha: Value, value: Value) -> Value {
        if self.enabled() { alpha.max(value) } else { alpha }
    }

    /// The part of a window in which a value can lie.
    pub(crate) fn within(&self, window: (Value, Value), bounds: (Value, Value)) -> (Value, Value) {
        if self.enabled() { (window.0.max(bounds.0), window.1.min(bounds.1)) } else { window }
    }
}

impl FailSoft {
    /// The value that a node returns for the one that it has found.
    pub(crate) fn returned(&self, value: Value, (alpha, beta): (Value, Value), mtd: Mtd) -> Value {
        if self.enabled() || mtd.enabled() { value } else { value.clamp(alpha, beta) }
    }
}
