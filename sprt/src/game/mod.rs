//! What is known of a game: how long its players may think, what they do wrong.

mod clock;
mod fault;
mod limits;

pub(crate) use clock::{Clock, Late};
pub use fault::{Fault, FaultKind, Warning, WarningKind};
pub use limits::{DEFAULT_MARGIN, MoveLimits, TimeControl, milliseconds};
