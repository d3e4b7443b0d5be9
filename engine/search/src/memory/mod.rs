//! The memory of a search: results by position (`table.rs`), and points of moves and corrections of
//! the evaluation (`history.rs`), which nodes teach it (`learning.rs`).

pub(super) mod history;
pub(super) mod large_pages;
pub(super) mod learning;
pub(super) mod table;
