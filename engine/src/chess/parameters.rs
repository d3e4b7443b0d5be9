//! The numbers with which chess is played: the chess evaluation's weights and the search's margins,
//! and the set of them that the binary carries.

use std::borrow::Cow;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::block::{self, BlockError};
use crate::chess::evaluation::weights::Weights;
use crate::parameters::{ParameterSet, ParametersError, read_file};
use crate::search::Margins;

/// A complete set of numbers: what an engine plays chess with.
pub type Parameters = ParameterSet<Weights, Margins>;

/// Parameter files of the repository that programs carry by name, with their texts.
const NAMED: [(&str, &str); 5] = [
    ("textbook", include_str!("../../../data/parameters/textbook.toml")),
    ("default", include_str!("../../../data/parameters/default.toml")),
    ("zero", include_str!("../../../data/parameters/zero.toml")),
    ("power", include_str!("../../../data/parameters/power.toml")),
    ("simplest", include_str!("../../../data/parameters/simplest.toml")),
];

/// The names of the parameter files that programs carry.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMED.iter().map(|(name, _)| *name)
}

/// Whether a path is the bare name of a file that programs carry, see [`names`].
pub fn is_name(file: &Path) -> bool {
    NAMED.iter().any(|(name, _)| file == Path::new(name))
}

/// The text of a parameter file: of that which the path is the name of, see [`is_name`], or of the
/// file there.
///
/// # Errors
/// When it cannot be read.
pub fn text_of(file: &Path) -> Result<Cow<'static, str>, ParametersError> {
    match NAMED.iter().find(|(name, _)| file == Path::new(name)) {
        Some(&(_, text)) => Ok(Cow::Borrowed(text)),
        None => read_file(file).map(Cow::Owned),
    }
}

/// Why the set that the binary carries cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EmbeddedError {
    /// The binary was damaged.
    #[error("this binary cannot be used: {0}")]
    Block(&'static BlockError),
    /// The build embedded a bad file.
    #[error("{0}: this program was built with that file; build it again when the file is right")]
    Parameters(ParametersError),
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

    /// The set that the binary carries, parsed once: `data/parameters/default.toml`, unless the build
    /// (`KAMERTON_PARAMETERS`) or an export put in another. Errors: a damaged binary, a bad file.
    pub fn try_embedded() -> Result<&'static Arc<Parameters>, &'static EmbeddedError> {
        static EMBEDDED: OnceLock<Result<Arc<Parameters>, EmbeddedError>> = OnceLock::new();
        let read = || {
            let text = &block::own().map_err(EmbeddedError::Block)?.parameters;
            let parsed = Parameters::from_toml(text, "embedded parameters");
            parsed.map(Arc::new).map_err(EmbeddedError::Parameters)
        };
        EMBEDDED.get_or_init(read).as_ref()
    }

    /// The set of a file, or of the file that is called so, see [`is_name`]. Errors: unreadable, or
    /// not a complete and correct set.
    pub fn open(file: &Path) -> Result<Parameters, ParametersError> {
        Parameters::from_toml(&text_of(file)?, &file.display().to_string())
    }
}
