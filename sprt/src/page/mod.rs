//! Pages of HTML: one file each, without scripts. Here is what they share: the document, its style,
//! charts, the file that is rewritten as a run goes on, and the panels that all runs have.

pub mod chart;
pub mod endings;
pub mod faults;
mod file;
mod run;
pub mod shell;
pub mod tally;
pub mod words;
pub mod work;

pub use run::{Known, RunPage, Sheet, State, fact_of_player, facts_of_play};
