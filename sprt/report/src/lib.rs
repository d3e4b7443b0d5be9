//! Reports of a run: progress on the terminal, the result as JSON and text, pages of HTML.

pub mod comparison;
pub mod html;
pub mod junit;
pub mod markdown;
pub mod pace;
pub mod stream;
mod terminal;

pub use html::sequential_test::TestPage;
pub use html::tournament::TournamentPage;
pub use html::{AnalysisLink, PageContent, RunPage, default_page};
pub use terminal::{TestTerminal, TournamentTerminal};
