//! Fits: from positions and starting values to tuned values and a report.
//!
//! The core ([`problem`]) knows an evaluation as traced positions and named numbers alone. It is
//! used for Kamerton's own (`chess.rs`) and for linear ones read from files ([`traces`]).

mod adamw;
mod assessment;
pub mod attribution;
mod blending;
pub mod collinear;
mod command;
pub mod diagnosis;
mod equations;
mod factor;
pub mod gauge;
mod levenberg_marquardt;
mod memory;
mod own_evaluation;
pub mod page;
pub mod problem;
mod quasi_newton;
pub mod report;
mod rounding;
mod selection;
mod settings;
mod task;
mod ties;
pub mod traces;
pub mod uncertainty;
mod unit;

use chess::Parameters;

pub use adamw::adamw;
pub use command::{FitArguments, notes, run};
pub use levenberg_marquardt::levenberg_marquardt;
pub use own_evaluation::{fit, says_nothing};
pub use problem::Singular;
pub use quasi_newton::quasi_newton;
pub use rounding::{balanced, nearest, round};
pub use settings::{FitSettings, Optimizer};
pub use task::{Bounds, Iteration, Solution, Stop, Task};
pub use ties::Ties;
pub use unit::Unit;

use report::Report;

/// Takes the lines that a fit says about its progress.
pub type ProgressLines<'a> = &'a mut (dyn FnMut(&str) + Send);

/// The fit of Kamerton's evaluation.
pub struct Fit {
    /// The starting parameters with fitted weights.
    pub parameters: Parameters,
    /// What was done.
    pub report: Report,
}
