//! Sets of numbers that programs carry: the one in their block, and parameter files by name.

use std::borrow::Cow;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use block::{Block, BlockError};

use crate::{Declared, Named, ParameterSet, ParametersError, read_file};

/// The set in a game's block of this binary.
pub struct Carried<W, M, T = ()> {
    block: &'static Block,
    set: OnceLock<SetOrError<W, M, T>>,
}

type SetOrError<W, M, T> = Result<Arc<ParameterSet<W, M, T>>, EmbeddedError>;

impl<W, M, T> Carried<W, M, T> {
    /// The set of this block.
    pub const fn new(block: &'static Block) -> Carried<W, M, T> {
        Carried { block, set: OnceLock::new() }
    }

    /// Its block.
    pub fn block(&self) -> &'static Block {
        self.block
    }
}

impl<W: Named, M: Declared, T: Declared> Carried<W, M, T> {
    /// The set, parsed once.
    ///
    /// # Errors
    /// A damaged binary, a bad file.
    pub fn set(&self) -> Result<&Arc<ParameterSet<W, M, T>>, &EmbeddedError> {
        let read = || {
            let text = &self.block.contents().map_err(EmbeddedError::Block)?.parameters;
            let parsed = ParameterSet::from_toml(text, "embedded parameters");
            parsed.map(Arc::new).map_err(EmbeddedError::Parameters)
        };
        self.set.get_or_init(read).as_ref()
    }
}

/// Weights of a game of whose binaries one set is taken where none is named, with the search's margins
/// `M`.
pub trait Embedded<M: Declared, T: Declared>: Named {
    /// The set.
    fn carried() -> &'static Carried<Self, M, T>;
}

/// Why the set that the binary carries cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EmbeddedError {
    /// The block cannot be read: the binary was damaged.
    #[error("this binary cannot be used: {0}")]
    Block(&'static BlockError),
    /// The build embedded a bad file.
    #[error("{0}: this program was built with that file; build it again when the file is right")]
    Parameters(ParametersError),
}

impl<W: Embedded<M, T>, M: Declared, T: Declared> ParameterSet<W, M, T> {
    /// The set that the binary carries, parsed once.
    ///
    /// # Panics
    /// If the embedded file is not a correct set; [`ParameterSet::try_embedded`] says so instead.
    pub fn embedded() -> &'static Arc<ParameterSet<W, M, T>> {
        match Self::try_embedded() {
            Ok(parameters) => parameters,
            Err(error) => panic!("{error}"),
        }
    }

    /// The set that the binary carries, parsed once: `default.toml` of the game, unless the build
    /// (`KAMERTON_PARAMETERS`) or an export put in another. Errors: a damaged binary, a bad file.
    pub fn try_embedded() -> Result<&'static Arc<ParameterSet<W, M, T>>, &'static EmbeddedError> {
        W::carried().set()
    }
}

impl<W: Named, M: Declared, T: Declared> ParameterSet<W, M, T> {
    /// The set of a file, or of the file that is called so, see [`ParameterSet::is_name`]. Errors:
    /// unreadable, or not a complete and correct set.
    pub fn open(file: &Path) -> Result<ParameterSet<W, M, T>, ParametersError> {
        Self::from_toml(&Self::text_of(file)?, &file.display().to_string())
    }

    /// The names of the parameter files that programs carry.
    pub fn names() -> impl Iterator<Item = &'static str> {
        W::NAMED.iter().map(|(name, _)| *name)
    }

    /// Whether a path is the bare name of a file that programs carry, see [`ParameterSet::names`].
    pub fn is_name(file: &Path) -> bool {
        Self::names().any(|name| file == Path::new(name))
    }

    /// The text of a parameter file: of that which the path is the name of, see
    /// [`ParameterSet::is_name`], or of the file there.
    fn text_of(file: &Path) -> Result<Cow<'static, str>, ParametersError> {
        match W::NAMED.iter().find(|(name, _)| file == Path::new(name)) {
            Some(&(_, text)) => Ok(Cow::Borrowed(text)),
            None => read_file(file).map(Cow::Owned).map_err(|error| match error {
                ParametersError::Read { path, error }
                    if error.kind() == ErrorKind::NotFound && is_bare(&path) =>
                {
                    let name = path.display().to_string();
                    ParametersError::Unknown { name, carried: Self::names().collect() }
                }
                other => other,
            }),
        }
    }

    /// The set that [`ParameterSet::open`] makes of a file, with a text that names all its numbers, so that it
    /// depends on no other file and no program: that of the file, or, if it lacks some, its notes and the
    /// set anew.
    ///
    /// # Errors
    /// As [`ParameterSet::open`].
    pub fn open_whole(file: &Path) -> Result<(ParameterSet<W, M, T>, String), ParametersError> {
        let text = Self::text_of(file)?;
        let name = file.display().to_string();
        let (set, missing) = Self::from_toml_with_missing(&text, &name)?;
        if missing.is_empty() {
            return Ok((set, text.into_owned()));
        }
        let notes = text.lines().take_while(|line| line.starts_with('#'));
        let notes: String = notes.map(|line| format!("{line}\n")).collect();
        let gap = if notes.is_empty() { "" } else { "\n" };
        let whole = format!("{notes}{gap}{}", set.to_toml());
        Ok((set, whole))
    }
}

/// Whether a path is a word that may be meant for the name of a set.
fn is_bare(path: &Path) -> bool {
    path.components().count() == 1 && path.extension().is_none()
}
