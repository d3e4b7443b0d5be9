//! The leaves: noisy moves are played out until the evaluation can be trusted.

use super::alpha_beta::Kind;
use super::ordering::Picker;
use super::value::{INFINITY, MAX_PLY, Value, is_mate};
use super::{Bound, Entry, GameMove, Position, Search};

impl<P: Position> Search<'_, P> {
    /// The value of a node when only noisy moves, and answers to checks, are tried.
    pub(super) fn quiescence<K: Kind>(&mut self, alpha: Value, beta: Value, ply: usize) -> Value {
        if K::PRINCIPAL {
            self.lines[ply].length = 0;
        }
        if self.enter(ply) {
            return 0;
        }
        if let Some(value) = self.ruled(alpha, beta, ply) {
            return value;
        }
        if !self.margins.quiescence.enabled() || ply >= MAX_PLY - 1 {
            return self.position.evaluate();
        }

        // A result of any depth serves here.
        let entry = self.probe(ply);
        if let Some(entry) = entry
            && !K::PRINCIPAL
            && self.margins.table_cutoff.enabled()
            && entry.settles(alpha, beta)
        {
            return entry.value;
        }

        // Standing pat: not in check, the mover need not go for exchanges at all.
        let in_check = self.position.in_check();
        let mut raw = 0;
        let mut stand_pat = -INFINITY;
        if !in_check {
            raw = entry.map_or_else(|| self.position.evaluate(), |entry| entry.evaluation);
            stand_pat = self.corrected(raw);
            if let Some(entry) = entry {
                stand_pat = entry.refine(stand_pat);
            }
            if stand_pat >= beta {
                return stand_pat;
            }
        }

        let known = entry.map_or(P::Move::NONE, |entry| entry.mv);
        let table_move = self.usable_in_quiescence(known, in_check);
        let mut picker = Picker::noisy(self, ply, table_move, in_check);
        let floor = self.moves.len();
        let (best, best_move) =
            self.search_noisy::<K>(&mut picker, alpha, beta, ply, stand_pat, in_check);
        self.moves.truncate(floor);
        if self.stopped {
            return 0;
        }
        if in_check && best == -INFINITY {
            return self.position.stuck(ply);
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let entry = Entry { mv: best_move, value: best, bound, evaluation: raw, depth: 0 };
        self.store(ply, entry);
        best
    }

    fn search_noisy<K: Kind>(
        &mut self,
        picker: &mut Picker<P::Move>,
        alpha: Value,
        beta: Value,
        ply: usize,
        stand_pat: Value,
        in_check: bool,
    ) -> (Value, P::Move) {
        let mut best = stand_pat;
        let mut best_move = P::Move::NONE;
        let mut alpha = alpha.max(stand_pat);
        let hopeful = stand_pat + self.margins.quiescence_futility.margin;
        while let Some(mv) = picker.next(self) {
            if !in_check && !is_mate(best) {
                // Futility: even with a free capture the move stays below alpha.
                let most = hopeful + self.position.gain(mv);
                if self.margins.quiescence_futility.enabled() && most <= alpha {
                    best = best.max(most);
                    continue;
                }
                // Exchange pruning: a capture that loses material settles nothing.
                let threshold = -self.margins.quiescence_exchange.margin;
                if self.margins.quiescence_exchange.enabled()
                    && !self.position.exchange_at_least(mv, threshold)
                {
                    continue;
                }
            }
            self.play(mv, ply);
            let value = -self.quiescence::<K>(-beta, -alpha, ply + 1);
            self.position.undo();
            if self.stopped {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = mv;
                    if K::PRINCIPAL {
                        self.extend_line(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }
        (best, best_move)
    }

    /// The table's move if it can be played here and belongs into quiescence, else none.
    fn usable_in_quiescence(&self, mv: P::Move, in_check: bool) -> P::Move {
        let wanted = mv != P::Move::NONE
            && self.position.is_plausible(mv)
            && (in_check || self.position.is_noisy(mv));
        if wanted { mv } else { P::Move::NONE }
    }
}
