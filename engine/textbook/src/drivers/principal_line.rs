//! The last line first: the best line of the last iteration is mostly still good, and its values
//! cut the rest. The root's best move is tried first in any case, or iterations would be of no use.

use crate::prelude::*;

group! {
    /// The last line first: along the best line of the last iteration its moves are tried first
    /// (Kornilov p. 46).
    PrincipalLine, sound {
        /// The order on or off.
        enabled: Switch,
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// The move of the last line, where all moves up to here are that line's; else NONE.
    pub(crate) fn move_of_last_line(&self, ply: usize) -> G::Move {
        let wanted = ply == 0 || self.methods.principal_line.enabled();
        let follows =
            || self.path.iter().map(|step| step.mv).eq(self.last_line[..ply].iter().copied());
        match self.last_line.get(ply) {
            Some(&mv) if wanted && follows() => mv,
            _ => G::Move::NONE,
        }
    }
}
