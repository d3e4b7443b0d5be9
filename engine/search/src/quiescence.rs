//! The leaves: noisy moves are played out until the evaluation can be trusted.

use parameters::Switch;
use parameters::group;

use super::audit::Auditor;
use super::audit::events::LeafMoveSkipped;
use super::audit::rule::{PricedMargin, PruningRule, Unit};
use super::node::kinds::Kind;
use super::ordering::TacticalPicker;
use super::value::{DRAW, INFINITY, MAX_PLY, Value, is_decided};
use super::{Bound, Game, GameMove, Rule, RuleBounds, Search, TableEntry};

group! {
    /// Quiescence: leaves are searched on until no noisy move helps; off, they are just evaluated
    /// (Kornilov p. 104).
    Quiescence, sound {
        /// Quiescence on or off.
        enabled: Switch = true,
    }
}

group! {
    /// Quiet evasions: in quiescence only the first quiet answers to a check are tried.
    QuiescenceEvasions {
        /// The limit on or off.
        enabled: Switch = true,
        /// How many are tried (number).
        quiets_max: i32 = 2 in 1..=10 step 1,
    }
}

group! {
    /// Quiescence exchange: noisy moves that lose material by exchanges are skipped (Kornilov pp.
    /// 103-107).
    QuiescenceExchange, sound {
        /// Exchange pruning in quiescence on or off.
        enabled: Switch = true,
        /// Loss by exchanges that is still tried (centipawns).
        margin: i32 = 20 in 0..=200 step 10,
        /// Where nothing less lifts the evaluation to alpha, only moves that gain by exchanges are tried.
        must_gain: Switch,
    }
}

group! {
    /// Quiescence futility: noisy moves that cannot lift the evaluation to alpha are skipped
    /// (Kornilov pp. 103-107).
    QuiescenceFutility, sound {
        /// Futility in quiescence on or off.
        enabled: Switch = true,
        /// What a move may bring beyond its material gain (centipawns).
        margin: i32 = 150 in 20..=500 step 20,
    }
}

impl QuiescenceEvasions {
    /// Whether the quiet answer with this number, from 1, is left out.
    #[inline]
    fn forbids(&self, number: i32) -> bool {
        self.enabled() && number > self.quiets_max
    }
}

impl QuiescenceExchange {
    /// What a move must gain by exchanges to be tried, in a leaf where one that gains nothing may or may
    /// not lift the evaluation to alpha.
    #[inline]
    pub(super) fn threshold(&self, may_gain_nothing: bool) -> Value {
        if self.must_gain() && !may_gain_nothing { 1 } else { -self.margin }
    }
}

/// The deficit against alpha of standing pat with the gain of the move.
pub(super) const FUTILITY_RULE: PruningRule = PruningRule {
    name: "quiescence_futility",
    unit: Unit::Centipawns,
    depth: |_| 0,
    gap: |margins, seen| (seen.alpha - seen.eval - seen.gain, margins.quiescence_futility.margin),
    priced: Some(PricedMargin { name: "quiescence_futility.margin", slope: |_, _| 1.0 }),
};

/// The loss of the move.
pub(super) const EXCHANGE_RULE: PruningRule = PruningRule {
    name: "quiescence_exchange",
    unit: Unit::ExchangeLoss,
    depth: |_| 0,
    gap: |margins, seen| {
        let hopeful = seen.eval + margins.quiescence_futility.margin;
        (seen.loss, -margins.quiescence_exchange.threshold(hopeful > seen.alpha))
    },
    priced: Some(PricedMargin { name: "quiescence_exchange.margin", slope: |_, _| 1.0 }),
};

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// The value of a node when only noisy moves, and answers to checks, are tried.
    ///
    /// CITE: Claude E. Shannon, "Programming a Computer for Playing Chess" (1950).
    pub(super) fn quiescence<K: Kind>(&mut self, alpha: Value, beta: Value, ply: usize) -> Value {
        if K::PRINCIPAL {
            self.variations[ply].length = 0;
        }
        if self.enter(ply) {
            return DRAW;
        }
        let (least, most) = match self.rule_bounds(alpha, beta, ply, 0) {
            RuleBounds::Settled(value) => return value,
            RuleBounds::Within(least, most) => (least, most),
        };
        let (alpha, beta) = (alpha.max(least), beta.min(most));
        self.unsettled_leaf::<K>(alpha, beta, ply).clamp(least, most)
    }

    /// The value of a leaf that the rules of the game have not settled for this window.
    fn unsettled_leaf<K: Kind>(&mut self, alpha: Value, beta: Value, ply: usize) -> Value {
        if !self.margins.quiescence.enabled() || ply >= MAX_PLY - 1 {
            return self.evaluate();
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
        let in_check = self.game.in_check();
        let mut raw_eval = 0;
        let mut stand_pat = -INFINITY;
        if !in_check {
            (raw_eval, stand_pat) = self.evaluated(&entry, ply);
            if let Some(entry) = entry {
                stand_pat = entry.refine(stand_pat);
            }
            if stand_pat >= beta {
                return self.margins.fail_high_blend.stood_pat(stand_pat, beta);
            }
        }

        let known = entry.map_or(G::Move::NONE, |entry| entry.mv);
        let table_move = self.usable_in_quiescence(known, in_check);
        if in_check {
            self.look_for_threats(ply);
        }
        let mut picker = TacticalPicker::new(self, ply, table_move, in_check);
        let floor = self.moves.len();
        let (best, best_move) =
            self.search_noisy::<K>(&mut picker, alpha, beta, ply, stand_pat, in_check);
        self.moves.truncate(floor);
        if self.stopped {
            return DRAW;
        }
        if in_check && best == -INFINITY {
            return self.game.stuck(ply);
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let tt_pv = K::PRINCIPAL || entry.is_some_and(|entry| entry.tt_pv);
        self.store(
            ply,
            TableEntry { mv: best_move, value: best, bound, evaluation: raw_eval, depth: 0, tt_pv },
        );
        best
    }

    fn search_noisy<K: Kind>(
        &mut self,
        picker: &mut TacticalPicker<G::Move>,
        alpha: Value,
        beta: Value,
        ply: usize,
        stand_pat: Value,
        in_check: bool,
    ) -> (Value, G::Move) {
        let mut best = (stand_pat, G::Move::NONE);
        let mut alpha = alpha.max(stand_pat);
        let hopeful = stand_pat + self.margins.quiescence_futility.margin;
        let mut quiets = 0;
        while let Some(mv) = picker.next_move(self) {
            // Quiet evasions: those late in the order are not worth a search of checks.
            if in_check && !is_decided(best.0) && !self.game.is_noisy(mv) {
                quiets += 1;
                if self.margins.quiescence_evasions.forbids(quiets) {
                    continue;
                }
            }
            self.prefetch_after(mv);
            if !in_check && !is_decided(best.0) {
                // Futility: even with a free capture the move stays below alpha.
                let most = hopeful + self.game.gain(mv);
                let threshold = self.margins.quiescence_exchange.threshold(hopeful > alpha);
                if self.margins.quiescence_futility.enabled() && most <= alpha {
                    let rule = Rule::QuiescenceFutility;
                    A::event(self, LeafMoveSkipped { rule, mv, stand_pat, alpha, ply, threshold });
                    best.0 = best.0.max(most);
                    continue;
                }
                // Exchange pruning: a capture that loses material settles nothing.
                if self.margins.quiescence_exchange.enabled()
                    && !self.game.exchange_at_least(mv, threshold)
                {
                    let rule = Rule::QuiescenceExchange;
                    A::event(self, LeafMoveSkipped { rule, mv, stand_pat, alpha, ply, threshold });
                    continue;
                }
            }
            if self.leaf_move_ends_it::<K>(mv, (&mut alpha, beta), ply, &mut best) {
                break;
            }
        }
        best
    }

    /// Searches a move at a leaf, and keeps its value and, if it raises alpha, the move. Returns
    /// whether no other need be searched.
    #[inline(always)]
    pub(super) fn leaf_move_ends_it<K: Kind>(
        &mut self,
        mv: G::Move,
        (alpha, beta): (&mut Value, Value),
        ply: usize,
        best: &mut (Value, G::Move),
    ) -> bool {
        self.play(mv, ply);
        let value = -self.quiescence::<K>(-beta, -*alpha, ply + 1);
        self.game.undo();
        if self.stopped || value <= best.0 {
            return self.stopped;
        }
        best.0 = value;
        if value > *alpha {
            best.1 = mv;
            if K::PRINCIPAL {
                self.update_variation(ply, mv);
            }
            *alpha = value;
        }
        value >= beta
    }

    /// The table's move if it can be played here and belongs into quiescence, else none.
    fn usable_in_quiescence(&self, mv: G::Move, in_check: bool) -> G::Move {
        let wanted = mv != G::Move::NONE
            && self.game.is_plausible(mv)
            && (in_check || self.game.is_noisy(mv));
        if wanted { mv } else { G::Move::NONE }
    }
}
