//! The numbers with which chess is played: the chess evaluation's weights and those of a search, and
//! the sets of them that programs carry.

use std::sync::{Arc, OnceLock};

use parameters::{Carried, EmbeddedError, Named, ParameterSet};
use search::Margins;
use textbook::Methods;

use crate::block;
use crate::evaluation::weights::Weights;

/// A complete set of numbers: what an engine plays chess with.
pub type Parameters = ParameterSet<Weights, Margins, Methods>;

impl Named for Weights {
    const NAMED: &'static [(&'static str, &'static str)] = &[
        ("textbook", include_str!("../../../data/parameters/textbook.toml")),
        ("default", include_str!("../../../data/parameters/default.toml")),
        ("zero", include_str!("../../../data/parameters/zero.toml")),
        ("power", include_str!("../../../data/parameters/power.toml")),
        ("simplest", include_str!("../../../data/parameters/simplest.toml")),
    ];
}

impl Carried<Margins, Methods> for Weights {
    fn embedded() -> Result<&'static Arc<Parameters>, &'static EmbeddedError> {
        static EMBEDDED: OnceLock<Result<Arc<Parameters>, EmbeddedError>> = OnceLock::new();
        let read = || {
            let text = &block::own().map_err(EmbeddedError::Block)?.parameters;
            let parsed = Parameters::from_toml(text, "embedded parameters");
            parsed.map(Arc::new).map_err(EmbeddedError::Parameters)
        };
        EMBEDDED.get_or_init(read).as_ref()
    }
}
