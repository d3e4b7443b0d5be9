//! The numbers and the engines of a game, as its programs are given them.

use std::path::Path;

use block::Block;
use parameters::{EmbeddedError, ParametersError};

use crate::{Auditing, Engine, Numbers, Quiescence};

/// Gives the numbers and the engines of a game. A game that needs nothing but the search has it by
/// [`by_searcher!`](crate::by_searcher).
pub trait Factory: Sync {
    /// The block with the numbers that this program carries.
    fn block(&self) -> &'static Block;

    /// The numbers that programs carry.
    ///
    /// # Errors
    /// A damaged program, or one that was built with a bad file.
    fn try_embedded(&self) -> Result<Numbers, &'static EmbeddedError>;

    /// The names of the parameter files that programs carry.
    fn number_files(&self) -> Vec<&'static str>;

    /// The numbers of a parameter file, or of one that programs carry by that name, and a text that
    /// gives all of them.
    ///
    /// # Errors
    /// It cannot be read, or is not correct.
    fn open_numbers(&self, file: &Path) -> Result<(Numbers, String), ParametersError>;

    /// The names of the numbers that a parameter file, which is not one of those that programs carry, does
    /// not have.
    ///
    /// # Errors
    /// It cannot be read, or is not correct.
    fn missing_numbers(&self, file: &Path) -> Result<Vec<String>, ParametersError>;

    /// An engine, see [`Numbers::engine`].
    fn engine(&self, numbers: &Numbers, hash_megabytes: usize) -> Box<dyn Engine>;

    /// A judge of whether positions are quiet.
    fn judge(&self, numbers: &Numbers) -> Box<dyn Quiescence>;

    /// A search that looks into its own cuts, with a transposition table of so many megabytes.
    fn auditing(&self, numbers: &Numbers, hash_megabytes: usize) -> Box<dyn Auditing>;
}

/// Gives a game the numbers and the engines that a [`Searched`](crate::Searched) and its
/// [`Searcher`](crate::Searcher) have:
/// `by_searcher!(Draughts, DraughtsGame);`. A macro, so that they are compiled in the game's crate and in no
/// other.
#[macro_export]
macro_rules! by_searcher {
    ($game:ty, $searched:ty) => {
        impl $crate::Factory for $game {
            fn block(&self) -> &'static $crate::of_searched::Block {
                $crate::of_searched::block::<$searched>()
            }

            fn try_embedded(
                &self,
            ) -> Result<$crate::Numbers, &'static $crate::of_searched::EmbeddedError> {
                $crate::of_searched::try_embedded::<$searched>()
            }

            fn number_files(&self) -> Vec<&'static str> {
                $crate::of_searched::number_files::<$searched>()
            }

            fn open_numbers(
                &self,
                file: &std::path::Path,
            ) -> Result<($crate::Numbers, String), $crate::of_searched::ParametersError> {
                $crate::of_searched::open_numbers::<$searched>(file)
            }

            fn missing_numbers(
                &self,
                file: &std::path::Path,
            ) -> Result<Vec<String>, $crate::of_searched::ParametersError> {
                $crate::of_searched::missing_numbers::<$searched>(file)
            }

            fn engine(
                &self,
                numbers: &$crate::Numbers,
                hash_megabytes: usize,
            ) -> Box<dyn $crate::Engine> {
                Box::new($crate::Searcher::<$searched>::new(numbers, hash_megabytes))
            }

            fn judge(&self, numbers: &$crate::Numbers) -> Box<dyn $crate::Quiescence> {
                Box::new($crate::Searcher::<$searched>::new(numbers, 0))
            }

            fn auditing(
                &self,
                numbers: &$crate::Numbers,
                hash_megabytes: usize,
            ) -> Box<dyn $crate::Auditing> {
                Box::new($crate::Searcher::<$searched>::new(numbers, hash_megabytes))
            }
        }
    };
}

/// Answers of [`by_searcher!`](crate::by_searcher).
#[doc(hidden)]
pub mod of_searched {
    use std::path::Path;
    use std::sync::Arc;

    pub use block::Block;
    use parameters::{Embedded, ParameterSet};
    pub use parameters::{EmbeddedError, ParametersError};
    use search::Margins;

    use crate::{Numbers, Searched};

    /// The numbers of a game as it has them.
    type Set<G> = ParameterSet<<G as Searched>::Weights, Margins, <G as Searched>::Methods>;

    pub fn block<G: Searched>() -> &'static Block {
        G::Weights::carried().block()
    }

    pub fn try_embedded<G: Searched>() -> Result<Numbers, &'static EmbeddedError> {
        Set::<G>::try_embedded().map(|set| Arc::clone(set).into())
    }

    pub fn number_files<G: Searched>() -> Vec<&'static str> {
        Set::<G>::names().collect()
    }

    pub fn open_numbers<G: Searched>(file: &Path) -> Result<(Numbers, String), ParametersError> {
        let (set, text) = Set::<G>::open_whole(file)?;
        Ok((Arc::new(set).into(), text))
    }

    pub fn missing_numbers<G: Searched>(file: &Path) -> Result<Vec<String>, ParametersError> {
        Ok(Set::<G>::load_with_missing(file)?.1)
    }
}
