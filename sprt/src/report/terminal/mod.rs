//! Progress on the terminal.

mod sequential_test;
mod tournament;

pub use sequential_test::TestTerminal;
pub use tournament::TournamentTerminal;
