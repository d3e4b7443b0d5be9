//! Reading games that any program wrote as PGN: for opening libraries, and for the match runner and
//! the tuner, which have their openings, their matches and their positions from it. `records` reads
//! to the first fault, and writes.
//!
//! The other readers are tolerant where a text can only mean one thing and name line and game where it
//! cannot. They stream: one game is in memory at a time.

mod annotation;
mod games;
mod movetext;
pub mod records;
mod source;
mod spelling;
mod tags;

pub use annotation::Annotation;
pub use games::{GameError, Games, PgnGame};
pub use movetext::PgnMove;
pub use source::open;
pub use spelling::game_result;
pub use tags::{PgnError, RawGame, RawGames, Tag};
