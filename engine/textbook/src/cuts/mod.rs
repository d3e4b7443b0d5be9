//! Cuts leave out, or search less deeply, nodes whose evaluation says enough and moves that promise
//! nothing. Each of them can be wrong.

pub(crate) mod frontier;
pub(crate) mod futility;
pub(crate) mod internal_deepening;
pub(crate) mod lazy_eval;
pub(crate) mod null_move;
pub(crate) mod null_move_rules;
pub(crate) mod null_threat;
pub(crate) mod razoring;
pub(crate) mod static_search;
