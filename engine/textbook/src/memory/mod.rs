//! The memory of positions: results of the search, and which ones stood on the board before.

pub(crate) mod line_repetition;
pub(crate) mod table;
