//! Reading games that any program wrote as PGN.

mod tags;

pub use tags::{PgnError, RawGame, RawGames, Tag};
