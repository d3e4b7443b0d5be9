//! Principal-variation search and NegaScout: where moves are well ordered, the first is mostly the
//! best, so the others are only asked whether they are better. That is a zero window, which costs
//! least; whoever passes it is searched again.
//!
//! Principal-variation search asks again with the whole window. NegaScout begins at the bound just
//! proved. In the source's program A the first move, too, is asked with a zero window before.
//!
//! CITE: T. A. Marsland and Murray Campbell, "Parallel Search of Strongly Ordered Game Trees"
//! (1982); Alexander Reinefeld, "An Improvement to the Scout Tree Search Algorithm" (1983).

use crate::prelude::*;

group! {
    /// Principal-variation search: all moves but the first must pass a zero window (Kornilov p.
    /// 46).
    PrincipalVariation, sound {
        /// Zero windows on or off.
        enabled: Switch,
    }
}

group! {
    /// NegaScout: a move whose zero window fails high is searched again from the bound that was
    /// just proved (Kornilov p. 52).
    NegaScout, sound {
        /// Zero windows, and second searches from the proved bound, on or off.
        enabled: Switch,
        /// The first move, too, is asked with a zero window before (p. 53, program A p. 117).
        first_move: Switch,
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// The value of the move just played, from the view of who played it.
    pub(crate) fn scout(
        &mut self,
        is_first: bool,
        (alpha, beta): (Value, Value),
        depth: i32,
        ply: usize,
    ) -> Value {
        let methods = self.methods;
        let scouts = (methods.principal_variation.enabled() || methods.negascout.enabled())
            && methods.alpha_beta.enabled()
            && (!is_first || methods.negascout.first_move());
        let mut proved = -INFINITY;
        if scouts && beta - alpha > 1 {
            let value = -self.node(-alpha - 1, -alpha, depth, ply);
            if value <= alpha || value >= beta || self.stopped {
                return value;
            }
            if methods.negascout.enabled() {
                proved = value;
            }
        }
        let value = -self.node(-beta, -alpha.max(proved), depth, ply);
        value.max(proved)
    }
}
