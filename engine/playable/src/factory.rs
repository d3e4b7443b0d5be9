//! The numbers and the engines of a game, as its programs are given them.

use std::path::Path;
use std::sync::Arc;

use block::Block;
use parameters::{Embedded, EmbeddedError, ParameterSet, ParametersError};
use search::Margins;

use crate::{Auditing, Engine, Numbers, Quiescence, Searched, Searcher};

/// Gives the numbers and the engines of a game. A game that needs nothing but the search has it by
/// [`BySearcher`].
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

/// A game whose engine is [`Searcher`].
pub trait BySearcher: Sync {
    /// The game as the search sees it.
    type Game: Searched + 'static;
}

/// The numbers of a game as it has them.
type Set<G> = ParameterSet<<G as Searched>::Weights, Margins, <G as Searched>::Methods>;

impl<T: BySearcher> Factory for T {
    fn block(&self) -> &'static Block {
        <T::Game as Searched>::Weights::carried().block()
    }

    fn try_embedded(&self) -> Result<Numbers, &'static EmbeddedError> {
        Set::<T::Game>::try_embedded().map(|set| Arc::clone(set).into())
    }

    fn number_files(&self) -> Vec<&'static str> {
        Set::<T::Game>::names().collect()
    }

    fn open_numbers(&self, file: &Path) -> Result<(Numbers, String), ParametersError> {
        let (set, text) = Set::<T::Game>::open_whole(file)?;
        Ok((Arc::new(set).into(), text))
    }

    fn missing_numbers(&self, file: &Path) -> Result<Vec<String>, ParametersError> {
        Ok(Set::<T::Game>::load_with_missing(file)?.1)
    }

    fn engine(&self, numbers: &Numbers, hash_megabytes: usize) -> Box<dyn Engine> {
        Box::new(Searcher::<T::Game>::new(numbers, hash_megabytes))
    }

    fn judge(&self, numbers: &Numbers) -> Box<dyn Quiescence> {
        Box::new(Searcher::<T::Game>::new(numbers, 0))
    }

    fn auditing(&self, numbers: &Numbers, hash_megabytes: usize) -> Box<dyn Auditing> {
        Box::new(Searcher::<T::Game>::new(numbers, hash_megabytes))
    }
}
