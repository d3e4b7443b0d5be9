//! How a number is declared, named, ranged, read and written. Which numbers there are is not known
//! here.
//!
//! A declaration (`declare.rs`) makes a plain struct of cells (`cell.rs`) and a row for each name;
//! two such structs, a game's weights and the search's margins, are a [`ParameterSet`]. `names.rs`
//! finds single numbers by name; `file.rs` reads sets as TOML and `format.rs` writes them.
//! Evaluation and search reach all numbers through a [`Source`]: a reference to such a set, or the
//! numbers of the build as constants (`built.rs`). Which of both is no matter to their lines.

pub mod block;
pub mod built;
mod carried;
mod cell;
pub mod declare;
mod file;
mod format;
mod names;
mod source;

pub use carried::{Carried, EmbeddedError, Named};
pub use cell::{CellKind, Declarable, Scalar, Score, Switch};
pub use declare::{Declaration, Declared, Table};
pub use file::{ParametersError, read_file};
pub use format::Format;
pub use names::{Half, NameError, Number};
pub use source::Source;

/// A complete set of numbers: what an engine plays a game with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterSet<W, M> {
    /// The evaluation's numbers.
    pub weights: W,
    /// The search's margins and switches.
    pub margins: M,
}

impl<W: Declared, M: Declared> ParameterSet<W, M> {
    /// One row per declaration of the table, in their order.
    pub fn declarations(table: Table) -> &'static [Declaration] {
        // Both sides of a set are declared as what they are used for.
        const { assert!(matches!((W::TABLE, M::TABLE), (Table::Weights, Table::Margins))) };
        match table {
            Table::Weights => W::INFO,
            Table::Margins => M::INFO,
        }
    }

    /// Every number, weights first, in the order of declaration.
    pub fn numbers() -> impl Iterator<Item = Number> {
        Table::ALL
            .into_iter()
            .flat_map(|table| Self::declarations(table))
            .flat_map(Declaration::numbers)
    }

    /// Zero everywhere, or the end of the range nearest to it: every technique switched off and
    /// every term worth nothing.
    pub fn zero() -> ParameterSet<W, M> {
        Self::of_each(|number| {
            let (low, high) = number.range();
            0.clamp(low, high)
        })
    }

    /// The declared defaults: the set of a file that names no number and no base.
    pub fn declared() -> ParameterSet<W, M> {
        Self::of_each(|number| number.declaration.default)
    }

    fn of_each(value: impl Fn(&Number) -> i32) -> ParameterSet<W, M> {
        let mut set = ParameterSet { weights: W::zeroed(), margins: M::zeroed() };
        for number in Self::numbers() {
            let value = i64::from(value(&number));
            number.set(&mut set, value).expect("the value lies in the range");
        }
        set
    }

    /// The value of one number by its name; see [`ParameterSet::find`] for the names and errors.
    pub fn get(&self, name: &str) -> Result<i32, NameError> {
        Ok(Self::find(name)?.value(self))
    }

    /// Sets one number by its name. Errors: as [`ParameterSet::find`], and a value outside the
    /// declared range; nothing is changed then.
    pub fn set(&mut self, name: &str, value: i64) -> Result<(), NameError> {
        Self::find(name)?.set(self, value)
    }

    fn cells(&self, table: Table) -> &[i32] {
        match table {
            Table::Weights => self.weights.cells(),
            Table::Margins => self.margins.cells(),
        }
    }

    fn cells_mut(&mut self, table: Table) -> &mut [i32] {
        match table {
            Table::Weights => self.weights.cells_mut(),
            Table::Margins => self.margins.cells_mut(),
        }
    }
}
