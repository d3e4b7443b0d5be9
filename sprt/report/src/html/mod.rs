//! Pages of HTML: one file each, that refers to nothing outside. Here is what they share: the
//! document, its style, charts, the file that is rewritten as a run goes on, the panels that all
//! runs have, and the viewer of their games, which alone has a script.
//!
//! A page is a `Document` of panels. Its games are bounded by rules (`viewer/shelf.rs`), its
//! drawing to 1 % of the time (`file.rs`). No page is written into a run's folder by itself,
//! because its times would break the sameness of the folder.

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
pub mod table;
pub mod tournament;
pub mod viewer;
pub mod words;
pub mod work;

pub use file::{PageFile, link_between};
pub use run::{
    PageContent, RunContext, RunPage, RunState, default_page, fact_of_player, facts_of_play,
};
pub use viewer::AnalysisLink;
