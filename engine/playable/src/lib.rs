//! A game of two players as match runners and tuners know it, whichever it is.
//!
//! A game's crate implements [`Playable`] once. Runners and tuners hold a [`Game`], and of it
//! [`Position`]s, [`Numbers`] and [`Engine`]s in boxes, so that they are compiled once for all games.
//! Typed code stands in the game's crate alone.

mod book;
mod color;
mod ending;
mod engine;
mod factory;
mod game;
mod ladder;
pub mod linear;
mod moves;
mod numbers;
mod oracle;
mod packing;
mod position;
mod searcher;
mod trace;

pub use book::{OpeningMoves, PickedMove};
pub use color::{Color, GameResult};
pub use ending::Ending;
pub use engine::{Auditing, Engine, Limits, Outcome, Progress, Quiescence};
pub use factory::{Factory, of_searched};
pub use game::{
    Bench, BoardStyle, Features, Game, Playable, PointBoard, Terms, named_positions,
    nodes_per_second,
};
pub use ladder::Ladder;
pub use moves::{Move, MoveError};
pub use numbers::{NumberSet, Numbers, OfGame};
pub use oracle::{Oracle, OracleError, OracleUse};
pub use packing::{PACKED_MAX, PackedBytes, PackedError};
pub use position::{Position, PositionError, Rules, count_leaves, diagram};
pub use search::value::{MATE, MATE_IN_MAX, mate_in};
pub use search::{Bound, ClockSide, Control, Value};
pub use searcher::{Searched, Searcher};
pub use trace::{LinearTrace, Tracer};
