//! What a run leaves behind and shows: PGN, progress, the summary as JSON and text, a page.

mod pace;
mod page;
mod pgn;
mod summary;
mod terminal;

pub use page::{Page, Repeat};
pub use pgn::PgnTags;
pub use summary::{Summary, Truncation};
pub use terminal::Terminal;
