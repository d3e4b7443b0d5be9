//! Matches as PGN: the results of games that any program wrote, and the writing of our own. The
//! engine's crate `pgn` reads the games themselves.

mod comments;
mod move_text;
mod notation;
mod results;
mod writing;

pub use comments::MoveComments;
pub use move_text::{Wording, ending, push_number};
pub use notation::Notation;
pub use results::{MatchResults, PairedResults, Pairing};
pub use writing::{PgnTags, variant};
