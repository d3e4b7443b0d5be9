//! The problem of a fit: numbers and positions, and where these determine nothing.

use std::collections::HashSet;

use anyhow::ensure;
use positions::Shares;

use super::ties::Ties;
use crate::model::terms::Terms;
use crate::model::{Positions, Values};

/// A fit to make: the numbers of an evaluation, and positions in three sets that share no game.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    /// Training positions.
    pub training: &'a dyn Positions,
    /// Positions whose error decides when to stop; those fitted to where none are kept for it.
    pub validation: &'a dyn Positions,
    /// Positions held out, which decide nothing; those fitted to where none are kept.
    pub held_out: &'a dyn Positions,
    /// Values to start from.
    pub start: &'a Values,
    /// Names and ranges of the numbers.
    pub terms: &'a Terms,
    /// The game of each training position; without them nothing is said of how sure numbers are.
    pub games: Option<&'a [u32]>,
    /// Numbers that should change alike.
    pub ties: &'a Ties,
    /// Names of numbers that may not change.
    pub held: &'a HashSet<String>,
}

/// The positions do not determine the values: nothing is fitted.
#[derive(Debug, thiserror::Error)]
pub enum Singular {
    /// No number may change, or none changes any evaluation.
    #[error(
        "nothing is determined: of {numbers} numbers, {held} occur in too few positions \
         (--seen-min) or are held (--only, --freeze), and no training position says anything about \
         the others"
    )]
    Nothing {
        /// All numbers of the evaluation.
        numbers: usize,
        /// Numbers that may not change.
        held: usize,
    },
    /// The equations of a step have no solution.
    #[error(
        "the equations of iteration {iteration} are singular, however damped: the positions do not \
         determine the values; raise --regularization or --seen-min"
    )]
    Equations {
        /// The iteration that could not be made.
        iteration: usize,
    },
}

/// Fewest positions in any of the sets: with fewer, errors say nothing.
const POSITIONS_MIN: usize = 100;

/// Refuses sets of so few positions (for training, to stop by, held out) that errors say nothing.
/// Sets of which no share is kept may be empty.
///
/// # Errors
/// When one of them is too small.
pub fn check_sizes(sizes: [usize; 3], shares: Shares) -> anyhow::Result<()> {
    let wanted = [true, shares.validation > 0.0, shares.held_out > 0.0];
    ensure!(
        sizes.iter().zip(wanted).all(|(&size, wanted)| !wanted || size >= POSITIONS_MIN),
        "too few positions to fit: {} for training, {} to stop by and {} held out, {POSITIONS_MIN} \
         of each needed",
        sizes[0],
        sizes[1],
        sizes[2],
    );
    Ok(())
}

pub(super) fn sorted(names: HashSet<String>) -> Vec<String> {
    let mut names: Vec<String> = names.into_iter().collect();
    names.sort();
    names
}
