//! Reading games that any program wrote as PGN: openings, matches of other runners, games for the
//! tuner.
//!
//! The readers are tolerant where a text can only mean one thing and name line and game where it
//! cannot. They stream: one game is in memory at a time.

mod annotation;
mod games;
mod movetext;
mod results;
mod source;
mod tags;
mod writing;

pub use annotation::Annotation;
pub use games::{GameError, Games, PgnGame, PgnMove};
pub use results::{MatchResults, PairedResults, Pairing};
pub use source::open;
pub use tags::{PgnError, RawGame, RawGames, Tag};
pub use writing::PgnTags;
pub(crate) use writing::push_number;
