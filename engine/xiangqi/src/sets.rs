//! The numbers with which xiangqi is played, and the sets of them that programs carry.

use parameters::{Carried, Embedded, Named, ParameterSet};
use search::Margins;
use textbook::Methods;

use crate::evaluation::weights::Weights;

/// A complete set of numbers: what an engine plays xiangqi with.
pub type Parameters = ParameterSet<Weights, Margins, Methods>;

impl Named for Weights {
    const GAME_NAME: &'static str = "xiangqi";
    const NAMED: &'static [(&'static str, &'static str)] = &[
        ("textbook", include_str!("../../../data/parameters/xiangqi/textbook.toml")),
        ("default", include_str!("../../../data/parameters/xiangqi/default.toml")),
        ("source", include_str!("../../../data/parameters/xiangqi/source.toml")),
        ("source-solid", include_str!("../../../data/parameters/xiangqi/source-solid.toml")),
        ("source-risky", include_str!("../../../data/parameters/xiangqi/source-risky.toml")),
    ];
}

impl Embedded<Margins, Methods> for Weights {
    fn carried() -> &'static Carried<Weights, Margins, Methods> {
        static CARRIED: Carried<Weights, Margins, Methods> = Carried::new(block::carried!());
        &CARRIED
    }
}
