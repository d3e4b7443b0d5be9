//! What is remembered of positions: results of the search, and which stood on the board before.

pub(crate) mod line_repetition;
pub(crate) mod table;
