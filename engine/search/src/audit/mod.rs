//! The audit of a search: at a sample of the places where a rule cuts, a shadow search without it
//! says what the cut has missed and what it has saved.
//!
//! The search is run twice. The first time only counts cuts, by rule and depth; of each such
//! stratum a few are then drawn (`strata.rs`), and the second time these are looked into
//! (`shadows.rs`). An audit is transparent: nothing that a shadow search does is left when it ends,
//! so that the second search is the first one, node by node. Nothing within a shadow search is
//! audited.
//!
//! Hooks are methods of [`Auditor`]; those of [`Unaudited`] do nothing and cost nothing.

pub(super) mod cutoffs;
mod shadows;
mod strata;

use std::marker::PhantomData;

use parameters::Source;

use crate::node::kinds::Kind;
use crate::node::known::{Candidate, Node};
use crate::ordering::Picker;
use crate::value::Value;
use crate::{Control, Game, Limits, Margins, Memory, Outcome, Search};
use shadows::Shadows;
use strata::Plan;

/// Depths that are told apart: 0 to this less one, which stands for all beyond it, too.
pub const DEPTHS: usize = 16;

/// A pruning rule: a technique by which the search leaves something out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// A node is cut because its evaluation is far above beta.
    ReverseFutility,
    /// A node far below alpha is left to quiescence.
    Razoring,
    /// A node is cut because passing keeps it above beta.
    NullMove,
    /// A node is cut because a capture stays far above beta in a shallower search.
    ProbCut,
    /// A node without a table move is searched less deeply.
    InternalReduction,
    /// A node is cut because a second move reaches nearly what the table's move did.
    MultiCut,
    /// A quiet move is skipped because many came before it.
    LateMovePruning,
    /// A quiet move is skipped because the evaluation is far below alpha.
    Futility,
    /// A noisy move is skipped because its gain leaves the evaluation far below alpha.
    NoisyFutility,
    /// A quiet move is skipped because it nearly always failed.
    HistoryPruning,
    /// A quiet move is skipped because it loses material.
    ExchangeQuiet,
    /// A noisy move is skipped because it loses material.
    ExchangeNoisy,
    /// A move late in the order is searched less deeply and fails low.
    LateMoveReduction,
    /// A noisy move is skipped in quiescence because the evaluation is far below alpha.
    QuiescenceFutility,
    /// A noisy move is skipped in quiescence because it loses material.
    QuiescenceExchange,
}

impl Rule {
    /// All rules, in the order in which a node meets them.
    pub const ALL: [Rule; 15] = [
        Rule::ReverseFutility,
        Rule::Razoring,
        Rule::NullMove,
        Rule::ProbCut,
        Rule::InternalReduction,
        Rule::MultiCut,
        Rule::LateMovePruning,
        Rule::Futility,
        Rule::NoisyFutility,
        Rule::HistoryPruning,
        Rule::ExchangeQuiet,
        Rule::ExchangeNoisy,
        Rule::LateMoveReduction,
        Rule::QuiescenceFutility,
        Rule::QuiescenceExchange,
    ];

    /// Whether it skips moves in quiescence.
    pub fn is_in_quiescence(self) -> bool {
        matches!(self, Rule::QuiescenceFutility | Rule::QuiescenceExchange)
    }

    /// The rule's name, after the group of its margins.
    pub fn name(self) -> &'static str {
        match self {
            Rule::ReverseFutility => "reverse_futility",
            Rule::Razoring => "razoring",
            Rule::NullMove => "null_move",
            Rule::InternalReduction => "internal_reduction",
            Rule::ProbCut => "prob_cut",
            Rule::MultiCut => "multi_cut",
            Rule::LateMovePruning => "late_move_pruning",
            Rule::Futility => "futility",
            Rule::NoisyFutility => "noisy_futility",
            Rule::HistoryPruning => "history_pruning",
            Rule::ExchangeQuiet => "exchange_pruning_quiet",
            Rule::ExchangeNoisy => "exchange_pruning_noisy",
            Rule::LateMoveReduction => "late_move_reduction",
            Rule::QuiescenceFutility => "quiescence_futility",
            Rule::QuiescenceExchange => "quiescence_exchange",
        }
    }
}

/// What kind of node a cut was made at.
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

/// What a shadow search said of a cut.
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
    /// The rule's measure before its margin: how far eval (or evaluation, with what a move wins)
    /// and bound lie apart in centipawns; the number of the move; points of history below zero;
    /// centipawns that exchanges lose; hundredths of a ply of reduction; plies of reduction.
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

/// What an audit is to look into.
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
    /// What the search answered: as without an audit.
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
    let mut run = |plan: Plan| {
        memory.clear();
        memory.table.grow_older();
        let control = Control::new();
        let shadows = Shadows::new(plan, settings.shadow_nodes);
        let mut search = Search::new(game, margins, memory, limits, &control, shadows);
        search.collect_root_moves(limits);
        let outcome = search.deepen(limits, &mut |_| {});
        (outcome, search.auditor)
    };
    let (outcome, counted) = run(Plan::default());
    let tallies = counted.plan.tallies();
    let (again, looked) = run(Plan::draw(&tallies, settings.samples, random));
    assert!(
        outcome == again && tallies == looked.plan.tallies(),
        "a shadow search has left a trace: {outcome:?} became {again:?}"
    );
    Audited { outcome, cuts: looked.cuts, tallies }
}

/// Who looks at what a search cuts. Each method is called where the search does what it says.
pub(crate) trait Auditor<G: Game>: Sized {
    /// Where the search has its margins from.
    type Margins<'a>: Source<Margins>;

    /// Whether a rule is off at a ply, to see what the node is worth without it.
    #[inline(always)]
    fn is_off(_search: &Search<'_, G, Self>, _rule: Rule, _ply: usize) -> bool {
        false
    }

    /// A pruning rule gave a node of this depth and window its value. The search had `nodes_before`
    /// nodes when the rule began.
    #[inline(always)]
    fn node_was_cut(
        _search: &mut Search<'_, G, Self>,
        _rule: Rule,
        _node: &Node<G::Move>,
        _depth: i32,
        _window: (Value, Value),
        _value: Value,
        _nodes_before: u64,
    ) {
    }

    /// A rule spent all nodes after `nodes_before` and did not cut.
    #[inline(always)]
    fn was_in_vain(
        _search: &mut Search<'_, G, Self>,
        _rule: Rule,
        _depth: i32,
        _nodes_before: u64,
    ) {
    }

    /// A move was skipped.
    #[inline(always)]
    fn skipped_move<K: Kind>(
        _search: &mut Search<'_, G, Self>,
        _rule: Rule,
        _node: &Node<G::Move>,
        _candidate: &Candidate<G::Move>,
        _alpha: Value,
    ) {
    }

    /// A late quiet move and all after it that the picker still has are skipped, but for those that are
    /// spared.
    #[inline(always)]
    fn skipped_late<K: Kind, P: Picker<G>>(
        _search: &mut Search<'_, G, Self>,
        _node: &Node<G::Move>,
        _picker: &P,
        _candidate: &Candidate<G::Move>,
        _alpha: Value,
    ) {
    }

    /// After this number of moves those that futility leaves out are skipped with
    /// this reduction (hundredths of a ply).
    #[inline(always)]
    fn skipped_futile<K: Kind, P: Picker<G>>(
        _search: &mut Search<'_, G, Self>,
        _node: &Node<G::Move>,
        _picker: &P,
        _count: usize,
        _reduction: i32,
        _alpha: Value,
    ) {
    }

    /// The move that was just played was searched to its depth less some plies, and had this value.
    #[inline(always)]
    fn reduced_move<K: Kind>(
        _search: &mut Search<'_, G, Self>,
        _node: &Node<G::Move>,
        _candidate: &Candidate<G::Move>,
        _plies: (i32, i32),
        _alpha: Value,
        _value: Value,
        _nodes_before: u64,
    ) {
    }

    /// A move was skipped in quiescence, by so much beyond the margin where that is known; exchanges must
    /// reach this threshold.
    #[inline(always)]
    fn skipped_leaf_move(
        _search: &mut Search<'_, G, Self>,
        _rule: Rule,
        _mv: G::Move,
        _alpha: Value,
        _ply: usize,
        (_lead, _threshold): (Value, Value),
    ) {
    }

    /// The move with this number, from 1, has refuted its node.
    #[inline(always)]
    fn refuted(_search: &mut Search<'_, G, Self>, _number: usize) {}

    /// The current position's result is about to be stored.
    #[inline(always)]
    fn before_storing(_search: &mut Search<'_, G, Self>) {}

    /// The histories are about to change.
    #[inline(always)]
    fn before_learning(_search: &mut Search<'_, G, Self>) {}
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
