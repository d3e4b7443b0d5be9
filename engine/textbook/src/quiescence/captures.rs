//! Captures that are not worth a search at a leaf: those that cannot lift the evaluation to alpha
//! even if they cost nothing, and those that lose by exchanges.

use crate::Methods;
use crate::prelude::*;

group! {
    /// Quiescence futility: noisy moves that cannot lift the evaluation to alpha are skipped
    /// (Kornilov pp. 103-107).
    QuiescenceFutility, sound {
        /// Futility in quiescence on or off.
        enabled: Switch,
        /// Most that a move may bring beyond its material gain (centipawns).
        margin: i32 = 150 in 20..=500 step 20,
    }
}

group! {
    /// Quiescence exchange: noisy moves that lose material by exchanges are skipped (Kornilov pp.
    /// 103-107).
    QuiescenceExchange, sound {
        /// Exchange pruning in quiescence on or off.
        enabled: Switch,
        /// Loss by exchanges that is still tried (centipawns).
        margin: i32 = 20 in 0..=200 step 10,
    }
}

group! {
    /// Quiescence prize: only captures of greater men are tried (a xiangqi program's quiet styles).
    QuiescencePrize, sound {
        /// The choice by prize on or off.
        enabled: Switch,
        /// Least man that is taken: 1 is any, 4 the greatest of the game.
        least: i32 = 3 in 1..=4 step 1,
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// An upper bound of a leaf's move, where the move is not worth a search. Answers to a check
    /// are: then there is no standing pat.
    pub(crate) fn skip_leaf_move(&self, mv: G::Move, alpha: Value, stand: Value) -> Option<Value> {
        let Methods { quiescence_futility: futility, quiescence_exchange: exchange, .. } =
            self.methods;
        let prize = &self.methods.quiescence_prize;
        if stand == -INFINITY || !self.game.is_noisy(mv) {
            return None;
        }
        let most = stand + futility.margin + self.game.gain(mv);
        if futility.enabled() && most <= alpha {
            return Some(most);
        }
        let loses = exchange.enabled() && !self.game.exchange_at_least(mv, -exchange.margin);
        let takes_little = || self.game.traits_of(mv).gain_step() < prize.least;
        (loses || prize.enabled() && takes_little()).then_some(stand)
    }
}
