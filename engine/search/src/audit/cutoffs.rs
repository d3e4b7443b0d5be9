//! How good the order of moves is: which of a node's moves refuted it, over a whole search.

use crate::audit::{Auditor, Event};
use crate::{Control, Game, Limits, Margins, Memory, Outcome, Progress, Search};

/// Nodes of the main search that a move refuted, root included.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Cutoffs {
    /// All of them.
    pub nodes: u64,
    /// Nodes that the first move refuted.
    pub by_first: u64,
    /// Sum of the numbers of the refuting moves, from 1.
    pub numbers: u64,
}

impl Cutoffs {
    /// Adds those of another search.
    pub fn add(&mut self, other: &Cutoffs) {
        self.nodes += other.nodes;
        self.by_first += other.by_first;
        self.numbers += other.numbers;
    }

    /// Share of the nodes that the first move refuted (percent); 0 without any node.
    pub fn first_percent(&self) -> f64 {
        self.by_first as f64 * 100.0 / self.nodes.max(1) as f64
    }

    /// Mean number of the refuting move, from 1; 0 without any node.
    pub fn mean_number(&self) -> f64 {
        self.numbers as f64 / self.nodes.max(1) as f64
    }
}

impl<G: Game> Auditor<G> for Cutoffs {
    type Margins<'a> = &'a Margins;

    fn event(search: &mut Search<'_, G, Self>, event: impl Event<G>) {
        if let Some(number) = event.refutation() {
            search.auditor.nodes += 1;
            search.auditor.by_first += u64::from(number == 1);
            search.auditor.numbers += number as u64;
        }
    }
}

/// As [`crate::search()`], and counts cutoffs.
pub fn search_counting_cutoffs<G: Game>(
    game: &mut G,
    margins: &Margins,
    memory: &mut Memory<G>,
    limits: &Limits<G::Move>,
    control: &Control,
    on_info: &mut dyn FnMut(&Progress<G::Move>),
) -> (Outcome<G::Move>, Cutoffs) {
    memory.table.grow_older();
    let mut search = Search::new(game, margins, memory, limits, control, Cutoffs::default());
    search.collect_root_moves(limits);
    let outcome = search.deepen(limits, on_info);
    (outcome, search.auditor)
}
