//! The audit of a search: at a sample of the places where a rule cuts, a shadow search without it
//! says what the cut has missed and what it has saved.
//!
//! The search is run twice. The first time only counts cuts, by rule and depth; of each such
//! stratum a few are then drawn (`strata.rs`), and the second time these are looked into
//! (`shadows.rs`). An audit is transparent: nothing that a shadow search does is left when it ends,
//! so that the second search is the first one, node by node. Nothing within a shadow search is
//! audited.
//!
//! The hooks are those of [`Auditor`], and what happens is told as events (`events.rs`): for
//! [`Unaudited`] they do nothing and cost nothing. `rule.rs` says what a pruning rule declares.

pub(super) mod cutoffs;
pub(super) mod events;
pub(super) mod rule;
mod shadows;
mod strata;

use std::marker::PhantomData;

use parameters::Source;

use crate::value::Value;
use crate::{Control, Game, Limits, Margins, Memory, Outcome, Rule, Search};
use shadows::Shadows;
use strata::SamplingPlan;

/// Depths that are told apart: 0 to this less one, which stands for all beyond it, too.
pub const DEPTHS: usize = 16;

/// The kind of node that a cut was made at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// On the line of best play, with an open window.
    Principal,
    /// Its parent expects it to fail high.
    Cut,
    /// Its parent expects it to fail low.
    All,
    /// A leaf in quiescence.
    Leaf,
}

/// The answer of a shadow search to a cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Without it the answer would have been on the same side of the bound.
    Right,
    /// Without it the answer would have been on the other side of the bound.
    Wrong,
    /// The shadow search had not ended when its nodes were used up.
    Unknown,
}

/// A cut that was looked into.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cut {
    /// Whose it was.
    pub rule: Rule,
    /// Depth left in plies, as the rule counts it: after reduction for futility, history pruning
    /// and exchange pruning of quiet moves; after the move for late-move reduction; else of the
    /// node.
    pub depth: i32,
    /// The rule's measure before its margin, in the rule's unit ([`rule::PruningRule`]).
    pub gap: i32,
    /// By how much that was beyond the margin, in the same unit; plies for late-move reduction.
    pub lead: i32,
    /// The mover stood better than at its last turn.
    pub improving: bool,
    /// Points of the move's history, 0 where a whole node was cut and in quiescence.
    pub history: i32,
    /// The move's number in its node, 0 where a whole node was cut and in quiescence.
    pub count: usize,
    /// Where it was made.
    pub node: NodeKind,
    /// Whether it was wrong.
    pub verdict: Verdict,
    /// The shadow's value less the cut's: the value the rule gave a node, or the bound that a move
    /// was held to be below (centipawns); 0 where the verdict is unknown.
    pub shift: Value,
    /// Another rule cuts the same where this one does not, and no node was searched.
    pub covered: bool,
    /// Nodes of the shadow search.
    pub nodes: u64,
    /// Nodes that the rule itself needed.
    pub spent: u64,
    /// How many cuts of the same rule and depth in this search it stands for.
    pub weight: f64,
}

/// All cuts of one rule at one depth in a search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// How many there were. Late-move pruning counts nodes, each of which skips several moves.
    pub cuts: u64,
    /// Nodes that the rule spent where it then did not cut.
    pub in_vain: u64,
}

/// The sample that an audit looks into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AuditSettings {
    /// Most cuts of a rule at a depth.
    pub samples: usize,
    /// Most nodes of a shadow search.
    pub shadow_nodes: u64,
}

/// A search and what its audit found.
#[derive(Clone, PartialEq, Debug)]
pub struct Audited<M> {
    /// The answer of the search: as without an audit.
    pub outcome: Outcome<M>,
    /// The cuts that were looked into, in the order of the search.
    pub cuts: Vec<Cut>,
    /// All cuts, by rule in the order of [`Rule::ALL`] and depth.
    pub tallies: [[Tally; DEPTHS]; Rule::ALL.len()],
}

/// Searches the position of `game` as [`crate::search()`] does from an empty memory, to a depth or
/// number of nodes, and looks into a sample of its cuts, drawn by `random`. The position is the
/// same afterwards.
///
/// # Panics
/// If limits of time are given, since a search that depends on them cannot be repeated.
pub fn audit<G: Game>(
    game: &mut G,
    margins: &Margins,
    memory: &mut Memory<G>,
    limits: &Limits<G::Move>,
    settings: &AuditSettings,
    random: &mut dyn FnMut() -> u32,
) -> Audited<G::Move> {
    let is_timed = limits.move_time.is_some() || limits.clock.iter().any(Option::is_some);
    assert!(!is_timed, "a search by the clock cannot be repeated, and therefore not be audited");
    let mut run = |plan: SamplingPlan| {
        memory.clear();
        memory.table.grow_older();
        let control = Control::new();
        let shadows = Shadows::new(plan, settings.shadow_nodes);
        let mut search = Search::new(game, margins, memory, limits, &control, shadows);
        search.collect_root_moves(limits);
        let outcome = search.deepen(limits, &mut |_| {});
        (outcome, search.auditor)
    };
    let (outcome, counted) = run(SamplingPlan::default());
    let tallies = counted.plan.tallies();
    let (again, looked) = run(SamplingPlan::draw(&tallies, settings.samples, random));
    assert!(
        outcome == again && tallies == looked.plan.tallies(),
        "a shadow search has left a trace: {outcome:?} became {again:?}"
    );
    Audited { outcome, cuts: looked.cuts, tallies }
}

/// Who looks at what a search cuts, by three hooks, which do nothing unless they are overridden.
pub(crate) trait Auditor<G: Game>: Sized {
    /// Where the search has its margins from.
    type Margins<'a>: Source<Margins>;

    /// Whether a rule is off at a ply, to see what the node is worth without it.
    #[inline(always)]
    fn is_off(_search: &Search<'_, G, Self>, _rule: Rule, _ply: usize) -> bool {
        false
    }

    /// A cut, or something else that the auditor may want to know of.
    #[inline(always)]
    fn event(_search: &mut Search<'_, G, Self>, _event: impl Event<G>) {}

    /// The search is about to change what the next one finds.
    #[inline(always)]
    fn before_change(_search: &mut Search<'_, G, Self>, _change: Change) {}
}

/// An event of the search, with all that is known of it.
pub(crate) trait Event<G: Game> {
    /// The number, from 1, of the move that has just refuted its node.
    fn refutation(&self) -> Option<usize> {
        None
    }

    /// Asks a shadow search whether the cut was right, if it is drawn.
    fn look_into(self, search: &mut Search<'_, G, Shadows<G>>);
}

/// A change of the memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// The current position's entry of the transposition table.
    Table,
    /// Histories of moves or corrections of evaluations.
    Histories,
}

/// Nobody; the margins are of the kind `M`.
pub(crate) struct Unaudited<M>(PhantomData<M>);

impl<M> Unaudited<M> {
    pub(crate) const fn new() -> Unaudited<M> {
        Unaudited(PhantomData)
    }
}

impl<G: Game, M: Source<Margins>> Auditor<G> for Unaudited<M> {
    type Margins<'a> = M;
}
