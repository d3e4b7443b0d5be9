//! The numbers with which draughts is played, and the sets of them that programs carry.

use parameters::{Carried, Embedded, Named, ParameterSet};
use search::Margins;

use crate::evaluation::weights::Weights;

/// A complete set of numbers: what an engine plays draughts with.
pub type Parameters = ParameterSet<Weights, Margins>;

impl Named for Weights {
    const GAME_NAME: &'static str = "draughts";
    const NAMED: &'static [(&'static str, &'static str)] = &[
        ("textbook", include_str!("../../../data/parameters/draughts/textbook.toml")),
        ("default", include_str!("../../../data/parameters/draughts/default.toml")),
    ];
}

impl Embedded<Margins, ()> for Weights {
    fn carried() -> &'static Carried<Weights, Margins> {
        static CARRIED: Carried<Weights, Margins> = Carried::new(block::carried!());
        &CARRIED
    }
}
