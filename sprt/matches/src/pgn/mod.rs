//! Matches as PGN: the results of games that any program wrote, and the writing of our own. The
//! engine's `chess::pgn` reads the games themselves.

mod comments;
mod results;
mod writing;

pub use comments::MoveComments;
pub use results::{MatchResults, PairedResults, Pairing};
pub use writing::{PgnTags, Wording};
pub use writing::{ending, push_number};
