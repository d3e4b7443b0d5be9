//! Pages of HTML: one file each, that refers to nothing outside. Here is what they share: the
//! document, its style, charts, the file that is rewritten as a run goes on, the panels that all
//! runs have, and the viewer of their games, which alone has a script.

pub mod board;
pub mod chart;
pub mod document;
pub mod endings;
pub mod faults;
mod file;
pub mod games_tally;
pub mod regression;
pub mod rows;
mod run;
pub mod sequential_test;
pub mod tournament;
pub mod viewer;
pub mod words;
pub mod work;

pub use file::{PageFile, link_between};
pub use run::{
    PageContent, RunContext, RunPage, RunState, default_page, fact_of_player, facts_of_play,
};
pub use viewer::AnalysisLink;
