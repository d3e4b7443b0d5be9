//! Progress on the terminal.

mod sequential_test;
mod tournament;

pub use sequential_test::Terminal;
pub use tournament::Terminal as TournamentTerminal;
