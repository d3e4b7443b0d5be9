//! The numbers with which chess is played: the chess evaluation's weights and those of a search, and
//! the sets of them that programs carry.

use parameters::{Carried, Embedded, Named, ParameterSet};
use search::Margins;
use textbook::Methods;

use crate::evaluation::weights::Weights;

/// A complete set of numbers: what an engine plays chess with.
pub type Parameters = ParameterSet<Weights, Margins, Methods>;

impl Named for Weights {
    const GAME_NAME: &'static str = block::USUAL_GAME;
    const NAMED: &'static [(&'static str, &'static str)] = &[
        ("textbook", include_str!("../../../data/parameters/textbook.toml")),
        ("default", include_str!("../../../data/parameters/default.toml")),
        ("zero", include_str!("../../../data/parameters/zero.toml")),
        ("power", include_str!("../../../data/parameters/power.toml")),
        ("simplest", include_str!("../../../data/parameters/simplest.toml")),
    ];
}

impl Embedded<Margins, Methods> for Weights {
    fn carried() -> &'static Carried<Weights, Margins, Methods> {
        static CARRIED: Carried<Weights, Margins, Methods> = Carried::new(block::carried!());
        &CARRIED
    }
}
