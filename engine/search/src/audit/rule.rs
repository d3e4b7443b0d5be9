//! A pruning rule as an audit sees it. The file of a technique declares its rule as a [`PruningRule`],
//! and the list `rules!` in `node/mod.rs` makes the enumeration of all.

use crate::Margins;
use crate::audit::Cut;
use crate::value::Value;

/// The unit of the measure by which a rule cuts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// How far an evaluation, with what a move wins, and a bound lie apart (centipawns).
    Centipawns,
    /// Material that a move loses by exchanges (centipawns).
    ExchangeLoss,
    /// The number of the move in its node, from 1.
    Moves,
    /// Points of history below zero.
    HistoryPoints,
    /// Plies by which a node is searched less deeply.
    Plies,
    /// Reduction of a move (hundredths of a ply).
    Reduction,
}

/// A margin at whose edge the price of a rule's cuts is looked at.
#[derive(Clone, Copy, Debug)]
pub struct PricedMargin {
    /// `group.number` of the margin.
    pub name: &'static str,
    /// By how much the edge of the rule moves at a cut, in the rule's unit, where the margin grows by one.
    pub slope: fn(&Cut, &Margins) -> f64,
}

/// A technique by which the search leaves something out.
#[derive(Clone, Copy, Debug)]
pub struct PruningRule {
    /// After the group of its margins.
    pub name: &'static str,
    /// The unit of its gap.
    pub unit: Unit,
    /// The depth by which it cuts (plies).
    pub(crate) depth: fn(&Seen) -> i32,
    /// Its measure, and the margin at whose edge it cuts, both in its unit.
    pub(crate) gap: fn(&Margins, &Seen) -> (i32, i32),
    /// The margin that says most of its cuts, if its gap is held against one.
    pub priced: Option<PricedMargin>,
}

/// All that a rule may look at where it cuts; 0 and false where there is nothing of the kind. For a move
/// in quiescence `eval` is the value of standing pat.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Seen {
    /// Of the node, in plies.
    pub(crate) depth: i32,
    /// At which the moves of the node are searched.
    pub(crate) depth_of_moves: i32,
    pub(crate) eval: Value,
    pub(crate) alpha: Value,
    pub(crate) beta: Value,
    /// The value that the rule gave.
    pub(crate) value: Value,
    pub(crate) improving: bool,
    pub(crate) tt_pv: bool,
    /// The move's number in its node, from 1.
    pub(crate) count: usize,
    pub(crate) history: i32,
    /// Depth left after the move and its reduction for pruning.
    pub(crate) reduced_depth: i32,
    /// Of the move, before all that suits a single node (hundredths of a ply).
    pub(crate) base_reduction: i32,
    /// By which the move was reduced.
    pub(crate) plies: i32,
    /// The material that the move takes (centipawns).
    pub(crate) gain: Value,
    /// The material that the move loses by exchanges (centipawns), for rules of this unit alone.
    pub(crate) loss: Value,
}

/// Makes the enumeration of the pruning rules, each declared as a `PruningRule` in its technique's file.
macro_rules! rules {
    ($($(#[$documentation:meta])+ $rule:ident = $declared:path,)+) => {
        /// A pruning rule: a technique by which the search leaves something out.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Rule {
            $($(#[$documentation])+ $rule,)+
        }

        impl Rule {
            /// All rules, in the order in which a node meets them.
            pub const ALL: [Rule; [$(Rule::$rule),+].len()] = [$(Rule::$rule),+];

            /// The declaration in its technique's file.
            pub fn declared(self) -> &'static $crate::PruningRule {
                match self {
                    $(Rule::$rule => &$declared,)+
                }
            }

            /// The rule's name, after the group of its margins.
            pub fn name(self) -> &'static str {
                self.declared().name
            }
        }
    };
}

pub(crate) use rules;
