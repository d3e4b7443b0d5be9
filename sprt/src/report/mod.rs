//! What a run leaves behind and shows: PGN, progress, the summary as JSON and text.

mod pgn;
mod summary;
mod terminal;

pub use pgn::PgnTags;
pub use summary::Summary;
pub use terminal::Terminal;
