//! A game's data: limits of its players, their faults, its record and its end.

mod clock;
mod evidence;
mod fault;
mod limits;
mod outcome;
mod record;

pub use clock::{Clock, Late};
pub use evidence::{Direction, Evidence, Exchange, SaidLine};
pub use fault::{Fault, FaultKind, Warning, WarningKind};
pub use limits::{DEFAULT_MARGIN, MoveLimits, TimeControl, milliseconds};
pub use outcome::{Termination, outcome_for};
pub use playable::GameResult;
pub use record::{AuditRecord, GameRecord, HIGHEST_SCORE, PairRecord, PlyRecord, plies_to_mate};
