//! Margins of the search: found by games ([`spsa`]) or from recorded positions ([`margins`]), and
//! how often each rule of the search cuts wrongly ([`audit`]).

pub mod audit;
#[cfg(test)]
#[path = "../../../testing/lanes.rs"]
mod lanes;
pub mod margins;
pub mod spsa;
