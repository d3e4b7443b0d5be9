//! The numbers with which chess is played: the chess evaluation's weights and the search's margins,
//! and the set of them that the binary carries.

use std::sync::{Arc, OnceLock};

use crate::chess::evaluation::weights::Weights;
use crate::parameters::{ParameterSet, ParametersError};
use crate::search::Margins;

/// A complete set of numbers: what an engine plays chess with.
pub type Parameters = ParameterSet<Weights, Margins>;

/// The text that the binary carries: `data/parameters/default.toml`, unless the build was told
/// otherwise (`KAMERTON_PARAMETERS`).
pub const EMBEDDED_TEXT: &str = include_str!(env!("KAMERTON_PARAMETERS_FILE"));

/// The manifest of the export that made this binary (JSON), if an export made it.
pub fn embedded_manifest() -> Option<&'static str> {
    let text = include_str!(env!("KAMERTON_MANIFEST_FILE"));
    (!text.trim().is_empty()).then_some(text)
}

impl Parameters {
    /// The set that the binary carries, parsed once.
    ///
    /// # Panics
    /// If the embedded file is not a correct set; [`Parameters::try_embedded`] says so instead.
    pub fn embedded() -> &'static Arc<Parameters> {
        match Parameters::try_embedded() {
            Ok(parameters) => parameters,
            Err(error) => panic!("{error}"),
        }
    }

    /// The set that the binary carries, parsed once. Errors: the build embedded a bad file.
    pub fn try_embedded() -> Result<&'static Arc<Parameters>, &'static ParametersError> {
        static EMBEDDED: OnceLock<Result<Arc<Parameters>, ParametersError>> = OnceLock::new();
        EMBEDDED
            .get_or_init(|| {
                Parameters::from_toml(EMBEDDED_TEXT, "embedded parameters").map(Arc::new)
            })
            .as_ref()
    }
}
