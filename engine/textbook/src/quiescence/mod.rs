//! Quiescence: leaves are searched on until no noisy move helps, since in the middle of an exchange
//! the count is wrong. The mover need not capture at all: his evaluation is his already, unless he
//! is in check.
//!
//! CITE: Claude E. Shannon, "Programming a Computer for Playing Chess" (1950).

pub(crate) mod cap;
pub(crate) mod captures;
pub(crate) mod forced_checks;
pub(crate) mod leaf_noise;

use crate::prelude::*;

group! {
    /// Quiescence: leaves are searched on until no noisy move helps; off, they are just evaluated
    /// (Kornilov p. 104).
    Quiescence, sound {
        /// Quiescence on or off.
        enabled: Switch,
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// The value of a node where the main search ends.
    pub(crate) fn leaf(&mut self, alpha: Value, beta: Value, ply: usize) -> Value {
        self.horizon = ply;
        self.check_limit = ply + self.methods.forced_checks.plies as usize;
        self.quiescence(alpha, beta, ply)
    }

    fn quiescence(&mut self, alpha: Value, beta: Value, ply: usize) -> Value {
        if self.enter(ply) {
            return DRAW;
        }
        self.by_rules((alpha, beta), (0, ply), |search, alpha, beta| {
            search.open_leaf(alpha, beta, ply)
        })
    }

    /// The value of a leaf that the rules of the game leave open.
    fn open_leaf(&mut self, alpha: Value, beta: Value, ply: usize) -> Value {
        let methods = self.methods;
        let is_beyond = methods.quiescence_cap.forbids(ply - self.horizon);
        if !methods.quiescence.enabled() || is_beyond || ply >= MAX_PLY - 1 {
            return self.evaluate_leaf();
        }
        let in_check = self.game.in_check();
        let stand_pat = if in_check { -INFINITY } else { self.evaluate_leaf() };
        if stand_pat >= beta {
            return stand_pat;
        }
        let check_limit = self.check_limit;
        let moves = if in_check { self.game.legal_moves() } else { self.captures_and_checks(ply) };
        if in_check {
            self.follow_checks_further(moves.len());
        }
        let moves = self.sorted(moves, ply, G::Move::NONE);
        let best = self.try_leaf_moves(moves, (alpha, beta), ply, stand_pat);
        self.check_limit = check_limit;
        if in_check && best == -INFINITY { self.game.stuck(ply) } else { best }
    }

    /// The moves of a leaf that is not in check.
    fn captures_and_checks(&self, ply: usize) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.game.generate(MoveClass::Noisy, |mv| moves.push(mv));
        if self.tries_checks(ply) {
            self.game.generate(MoveClass::QuietChecks, |mv| moves.push(mv));
        }
        moves
    }

    /// Tries the moves one by one; the value of the best, or of standing pat.
    fn try_leaf_moves(
        &mut self,
        moves: Vec<G::Move>,
        (alpha, beta): (Value, Value),
        ply: usize,
        stand_pat: Value,
    ) -> Value {
        let mut best = stand_pat;
        let mut alpha = self.methods.alpha_beta.raised(alpha, stand_pat);
        for mv in moves {
            if let Some(bound) = self.skip_leaf_move(mv, alpha, stand_pat) {
                best = best.max(bound);
                continue;
            }
            self.play(mv, false);
            let value = -self.quiescence(-beta, -alpha, ply + 1);
            self.undo();
            if self.stopped {
                return DRAW;
            }
            if value <= best {
                continue;
            }
            best = value;
            if value > alpha {
                self.improve_line(ply, mv);
            }
            alpha = self.methods.alpha_beta.raised(alpha, best);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
