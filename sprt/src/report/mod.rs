//! What a run leaves behind and shows: PGN, progress, the summary as JSON and text, a page of HTML.

pub(crate) mod pace;
mod page;
mod pgn;
mod summary;
mod terminal;

pub use crate::page::{RunPage, Sheet};
pub use page::Page;
pub use pgn::PgnTags;
pub use summary::{Summary, Truncation};
pub use terminal::Terminal;
