//! Names and ranges of an evaluation's numbers.

use std::ops::Range;

use parameters::{CellKind, Declaration};

/// A term: one cell, or an array of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Its name, as `group.name`.
    pub name: String,
    /// Its first cell in [`Values`](super::Values).
    pub first_cell: usize,
    /// Number of cells: 1, or the array's length.
    pub length: usize,
    /// Whether it is an array, be it of one cell.
    pub is_array: bool,
    /// Whether its cells have a middlegame and an endgame half, rather than one number.
    pub has_phases: bool,
    /// Least and greatest value of its numbers.
    pub range: (i32, i32),
    /// Whether no fit changes it.
    pub is_fixed: bool,
}

/// The terms of an evaluation, in the order of their cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms(pub Vec<Term>);

const HALVES: [&str; 2] = ["middlegame", "endgame"];

impl Term {
    /// The range of its cells among those of all terms.
    pub fn cells(&self) -> Range<usize> {
        self.first_cell..self.first_cell + self.length
    }

    /// The halves of its cells that are numbers.
    pub fn halves(&self) -> Range<usize> {
        if self.has_phases { 0..2 } else { 1..2 }
    }
}

impl Terms {
    /// The terms that a game declares.
    pub fn of(declarations: &[Declaration]) -> Terms {
        let term = |declaration: &Declaration| Term {
            name: declaration.path(),
            first_cell: declaration.first_cell,
            length: declaration.length,
            is_array: declaration.is_array,
            has_phases: declaration.kind == CellKind::Score,
            range: declaration.range,
            is_fixed: false,
        };
        Terms(declarations.iter().map(term).collect())
    }

    /// Number of cells of all terms.
    pub fn cells(&self) -> usize {
        self.0.last().map_or(0, |term| term.cells().end)
    }

    /// The term of a cell.
    ///
    /// # Panics
    /// When there is no such cell.
    pub fn of_cell(&self, cell: usize) -> &Term {
        &self.0[self.0.partition_point(|term| term.cells().end <= cell)]
    }

    /// Name of a cell, as `group.name` or `group.name[3]`.
    pub fn cell_name(&self, cell: usize) -> String {
        let term = self.of_cell(cell);
        if term.is_array {
            format!("{}[{}]", term.name, cell - term.first_cell)
        } else {
            term.name.clone()
        }
    }

    /// Name of a number, as `group.name[3].endgame`.
    pub fn number_name(&self, cell: usize, half: usize) -> String {
        let name = self.cell_name(cell);
        if self.of_cell(cell).has_phases { format!("{name}.{}", HALVES[half]) } else { name }
    }

    /// Every number: its cell, its half, and its range.
    pub fn numbers(&self) -> impl Iterator<Item = (usize, usize, (i32, i32))> {
        self.0.iter().flat_map(|term| {
            let halves = move |cell| term.halves().map(move |half| (cell, half, term.range));
            term.cells().flat_map(halves)
        })
    }
}
