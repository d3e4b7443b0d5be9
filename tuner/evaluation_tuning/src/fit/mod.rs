//! Fits: from positions and starting values to tuned values and a report.
//!
//! The core ([`problem`]) knows an evaluation as traced positions and named numbers alone
//! (`model::Positions`). Kamerton's own of chess (`own_evaluation.rs`) and linear ones, from files or
//! of other games ([`traces`]), are thin layers above the same store.
//!
//! All optimizers minimize the same error with the same pull (`task.rs`). Reported errors are of
//! results and whole numbers, whatever was minimized, so that fits with different losses compare.
//!
//! A fitted number has an interval, which is what the positions alone say, and a t-value, which
//! says whether it moved for a reason ([`uncertainty`]). It also has a share of the fall of the
//! error ([`attribution`]).

mod adamw;
mod assessment;
pub mod attribution;
mod blending;
pub mod collinear;
mod command;
pub mod diagnosis;
mod equations;
mod factor;
pub mod fitted;
mod fitting;
pub mod gauge;
mod levenberg_marquardt;
mod memory;
mod own_evaluation;
pub mod page;
pub mod problem;
mod quasi_newton;
mod recorded;
pub mod report;
mod rounding;
mod selection;
mod sets;
mod settings;
mod task;
mod ties;
pub mod traces;
pub mod uncertainty;
mod unit;

pub use adamw::adamw;
pub use command::{FitArguments, run};
pub use levenberg_marquardt::levenberg_marquardt;
pub use problem::Singular;
pub use quasi_newton::quasi_newton;
pub use recorded::{Fit, check, fit, says_nothing};
pub use rounding::{balanced, nearest, round};
pub use settings::{FitSettings, Optimizer};
pub use task::{Bounds, Iteration, Solution, Stop, Task};
pub use ties::Ties;
pub use unit::Unit;

/// Takes the lines that a fit says about its progress.
pub type ProgressLines<'a> = &'a mut (dyn FnMut(&str) + Send);
