//! Table cutoff: a result in the transposition table that is deep enough answers a zero-window node.
//!
//! CITE: Richard D. Greenblatt, Donald E. Eastlake and Stephen D. Crocker, "The Greenblatt Chess
//! Program" (1967).

use parameters::Switch;
use parameters::group;

use crate::audit::{Auditor, Change};
use crate::value::Value;
use crate::{Game, GameMove, Search, TableEntry};

group! {
    /// Table cutoffs: a remembered result that is deep enough ends a zero-window node (Kornilov pp.
    /// 140-142).
    TableCutoff, sound {
        /// Table cutoffs on or off.
        enabled: Switch = true,
        /// Bonus of a quiet move whose remembered result cuts the node, as a share of that of a move
        /// which does so by a search (percent).
        bonus_share: i32 = 100 in 0..=200 step 20,
    }
}

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// The value of a zero-window node, where the transposition table has the answer.
    #[inline(always)]
    pub(super) fn try_table_cutoff(
        &mut self,
        entry: Option<TableEntry<G::Move>>,
        (alpha, beta): (Value, Value),
        depth: i32,
        ply: usize,
    ) -> Option<Value> {
        let entry = entry?;
        if !self.margins.table_cutoff.enabled()
            || entry.depth < depth
            || !entry.settles(alpha, beta)
        {
            return None;
        }
        self.learn_from_table(&entry, beta, depth, ply);
        Some(entry.value)
    }

    /// Histories learn from a remembered result that cuts a node, as from one just found.
    fn learn_from_table(
        &mut self,
        entry: &TableEntry<G::Move>,
        beta: Value,
        depth: i32,
        ply: usize,
    ) {
        let margins = self.margins;
        let share = margins.table_cutoff.bonus_share;
        let mv = entry.mv;
        if share == 0 || entry.value < beta || mv == G::Move::NONE {
            return;
        }
        if self.game.is_plausible(mv) && !self.game.is_noisy(mv) {
            A::before_change(self, Change::Histories);
            let bonus = margins.history.bonus(depth) * share / 100;
            self.look_for_threats(ply);
            let index = self.game.history_index(mv, self.threats_of_histories(ply));
            let rows = self.rows(ply);
            self.memory.histories.update_quiet(&margins, index, rows, bonus);
        }
    }
}
