//! A set of numbers, and each number in it.

use super::cell::{CellKind, Score};
use super::declaration::{Declaration, Declared, Table};

/// A complete set of numbers: what an engine plays a game with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterSet<W, M, T = ()> {
    /// The evaluation's numbers.
    pub weights: W,
    /// The search's margins and switches; as declared where the textbook's search plays.
    pub margins: M,
    /// Methods of the textbook's search, where that one plays.
    pub textbook: Option<T>,
}

impl<W: Declared, M: Declared, T: Declared> ParameterSet<W, M, T> {
    /// One row per declaration of the table, in their order.
    pub fn declarations(table: Table) -> &'static [Declaration] {
        // All parts of a set are declared as what they are used for.
        const { assert!(matches!((W::TABLE, M::TABLE), (Table::Weights, Table::Margins))) };
        const { assert!(matches!(T::TABLE, Table::Methods)) };
        match table {
            Table::Weights => W::INFO,
            Table::Margins => M::INFO,
            Table::Methods => T::INFO,
        }
    }

    /// The tables that the set has: its weights, and the numbers of the search that plays with it.
    pub fn tables(&self) -> [Table; 2] {
        [Table::Weights, self.search_table()]
    }

    /// The table of the search that plays with the set.
    pub fn search_table(&self) -> Table {
        if self.textbook.is_some() { Table::Methods } else { Table::Margins }
    }

    /// Every number of the set, weights first, in the order of declaration.
    pub fn own_numbers(&self) -> impl Iterator<Item = Number> + use<W, M, T> {
        let declarations = self.tables().into_iter().flat_map(|table| Self::declarations(table));
        declarations.flat_map(Declaration::numbers)
    }

    /// Every number of a set with margins, weights first, in the order of declaration.
    pub fn numbers() -> impl Iterator<Item = Number> {
        [Table::Weights, Table::Margins]
            .into_iter()
            .flat_map(|table| Self::declarations(table))
            .flat_map(Declaration::numbers)
    }

    /// Zero everywhere, or the end of the range nearest to it: every technique switched off and
    /// every term worth nothing.
    pub fn zero() -> ParameterSet<W, M, T> {
        Self::of_each(|number| {
            let (low, high) = number.range();
            0.clamp(low, high)
        })
    }

    /// The declared defaults: the set of a file that names no number and no base.
    pub fn declared() -> ParameterSet<W, M, T> {
        Self::of_each(|number| number.declaration.default)
    }

    fn of_each(value: impl Fn(&Number) -> i32) -> ParameterSet<W, M, T> {
        let mut set = ParameterSet { weights: W::zeroed(), margins: M::zeroed(), textbook: None };
        for number in set.own_numbers() {
            let value = i64::from(value(&number));
            number.set(&mut set, value).expect("the value lies in the range");
        }
        set
    }

    /// The same weights for the textbook's search, with its methods as declared.
    pub(super) fn with_textbook(self) -> ParameterSet<W, M, T> {
        let mut set =
            Self { margins: Self::declared().margins, textbook: Some(T::zeroed()), ..self };
        for number in T::INFO.iter().flat_map(Declaration::numbers) {
            let value = i64::from(number.declaration.default);
            number.set(&mut set, value).expect("the default lies in the range");
        }
        set
    }

    fn cells(&self, table: Table) -> &[i32] {
        match table {
            Table::Weights => self.weights.cells(),
            Table::Margins => self.margins.cells(),
            Table::Methods => self.textbook.as_ref().map_or(&[], T::cells),
        }
    }

    fn cells_mut(&mut self, table: Table) -> &mut [i32] {
        match table {
            Table::Weights => self.weights.cells_mut(),
            Table::Margins => self.margins.cells_mut(),
            Table::Methods => self.textbook.as_mut().map_or(&mut [], T::cells_mut),
        }
    }
}

/// One half of a [`Score`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Half {
    /// The middlegame number.
    Middlegame,
    /// The endgame number.
    Endgame,
}

impl Half {
    /// `middlegame` or `endgame`.
    pub fn name(self) -> &'static str {
        match self {
            Half::Middlegame => "middlegame",
            Half::Endgame => "endgame",
        }
    }
}

impl CellKind {
    /// The parts of a cell: two halves, or one number that is no half.
    pub(super) fn halves(self) -> &'static [Option<Half>] {
        match self {
            CellKind::Score => &[Some(Half::Middlegame), Some(Half::Endgame)],
            CellKind::Scalar => &[None],
        }
    }
}

/// One named number of a [`ParameterSet`]: where it lives in every set of its kind.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    /// The declaration that it belongs to.
    pub declaration: &'static Declaration,
    /// Index within the declaration's cells, 0 for a single cell.
    pub index: usize,
    /// The half, if the cell is a [`Score`].
    pub half: Option<Half>,
}

impl Declaration {
    /// The numbers it stands for: one a cell, or two where a cell holds a pair.
    pub fn numbers(&'static self) -> impl Iterator<Item = Number> {
        (0..self.length).flat_map(move |index| {
            let halves = self.kind.halves().iter();
            halves.map(move |&half| Number { declaration: self, index, half })
        })
    }
}

impl Number {
    /// The full name, as [`ParameterSet::find`] takes it.
    pub fn name(&self) -> String {
        let mut name = self.declaration.path();
        if self.declaration.is_array {
            name += &format!("[{}]", self.index);
        }
        if let Some(half) = self.half {
            name += ".";
            name += half.name();
        }
        name
    }

    /// Index of its cell in [`Declared::cells`] of its table.
    pub fn cell(&self) -> usize {
        self.declaration.first_cell + self.index
    }

    /// Smallest and largest allowed value, inclusive.
    pub fn range(&self) -> (i32, i32) {
        self.declaration.range
    }

    /// A first step for a tuner: the declared one, or else a twentieth of the range, from 1 to 10.
    pub fn step(&self) -> i32 {
        let (low, high) = self.range();
        self.declaration.step.unwrap_or(((high - low) / 20).clamp(1, 10))
    }

    /// The number's meaning, with its unit.
    pub fn doc(&self) -> &'static str {
        self.declaration.doc
    }

    /// True for a number that turns a technique on and off.
    pub fn is_switch(&self) -> bool {
        self.declaration.is_switch()
    }

    /// The number's value in `set`, or the declared one where the set does not have it.
    pub fn value<W: Declared, M: Declared, T: Declared>(&self, set: &ParameterSet<W, M, T>) -> i32 {
        let Some(&cell) = set.cells(self.declaration.table).get(self.cell()) else {
            return self.declaration.default;
        };
        let score: Score = bytemuck::cast(cell);
        match self.half {
            None => cell,
            Some(Half::Middlegame) => score.middlegame(),
            Some(Half::Endgame) => score.endgame(),
        }
    }

    /// Sets the number in `set`. Errors: [`NameError::OutOfRange`], [`NameError::OtherSearch`].
    pub fn set<W: Declared, M: Declared, T: Declared>(
        &self,
        set: &mut ParameterSet<W, M, T>,
        value: i64,
    ) -> Result<(), NameError> {
        let table = self.declaration.table;
        if !set.tables().contains(&table) {
            let (table, other) = (table.name(), set.search_table().name());
            return Err(NameError::OtherSearch { name: self.name(), table, other });
        }
        let (low, high) = self.range();
        let value = match i32::try_from(value) {
            Ok(value) if (low..=high).contains(&value) => value,
            _ => return Err(NameError::OutOfRange { name: self.name(), value, low, high }),
        };
        let cell = &mut set.cells_mut(self.declaration.table)[self.cell()];
        let score: Score = bytemuck::cast(*cell);
        *cell = match self.half {
            None => value,
            Some(Half::Middlegame) => bytemuck::cast(Score::new(value, score.endgame())),
            Some(Half::Endgame) => bytemuck::cast(Score::new(score.middlegame(), value)),
        };
        Ok(())
    }
}

/// Why a number could not be read or set by name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// No parameter of that name.
    #[error("unknown parameter `{name}`{suggestion}")]
    Unknown {
        /// The name asked for.
        name: String,
        /// Empty, or ` (did you mean …?)`.
        suggestion: String,
    },
    /// The name is that of an array or a pair, not of one number.
    #[error("`{name}` names {found}; name one number, such as `{example}`")]
    NotOneNumber {
        /// The name asked for.
        name: String,
        /// The kind of thing it names, in words for the message.
        found: &'static str,
        /// A name of one number in it.
        example: String,
    },
    /// The index is past the end of the array.
    #[error("`{name}`: the index must be below {length}")]
    Index {
        /// The name asked for.
        name: String,
        /// Length of the array.
        length: usize,
    },
    /// The value lies outside the declared range.
    #[error("`{name}` must be from {low} to {high}, not {value}")]
    OutOfRange {
        /// The parameter's name.
        name: String,
        /// The value that was refused.
        value: i64,
        /// Smallest allowed value.
        low: i32,
        /// Largest allowed value.
        high: i32,
    },
    /// The set plays with the other search.
    #[error("`{name}` is a number of [{table}], and the set has [{other}] in its place")]
    OtherSearch {
        /// The parameter's name.
        name: String,
        /// Its table.
        table: &'static str,
        /// The table of the search that plays.
        other: &'static str,
    },
}
