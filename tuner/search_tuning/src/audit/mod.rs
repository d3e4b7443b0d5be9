//! How often the search's rules cut wrongly, and what that saves.
//!
//! The engine looks into a sample of its own cuts ([`search::audit()`]); `survey.rs` has it
//! do so in recorded positions, half of whose games are kept to check what is learned from the
//! others. `ratio.rs` has the rates with their errors by games, `model.rs` the models of one rule's
//! cuts, `calibration.rs` what they predict for the games that were kept, and `prices.rs` at which
//! margins all rules would pay the same for a node. `findings.rs` joins it by rule; `show.rs` and
//! `page.rs` show it.

mod calibration;
mod command;
mod findings;
mod model;
pub mod page;
mod prices;
mod ratio;
mod show;
mod survey;

pub use calibration::{Bin, Calibration, Prediction};
pub use command::{AuditArguments, run};
pub use findings::{Findings, RuleFindings};
pub use prices::{Proposal, Proposals};
pub use ratio::Ratio;
pub use show::{print_findings, print_proposals};
pub use survey::SAMPLES;
pub use survey::{Record, Survey, SurveySettings};
