//! The parameter file of a linear evaluation: what its numbers are called, where they begin and
//! where they may go.
//!
//! ```toml
//! [[term]]
//! name = "material.knight"     # group.name
//! value = [300, 280]           # middlegame and endgame; one number alone has no phases
//! range = [0, 1000]            # of each number; -10000 to 10000 if it is missing
//!
//! [[term]]
//! name = "mobility.bishop"
//! values = [[-20, -30], [0, 5], [18, 20]]      # three cells
//! fixed = true                 # stays as it is
//! ```
//!
//! Cells are counted through the file from 0: that is the index which traces name.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use parameters::{NameError, Table};
use playable::Numbers;
use serde::Deserialize;

use super::super::Values;
use super::super::terms::{Term, Terms};

/// Range of a term that tells none.
const RANGE: (i32, i32) = (-10_000, 10_000);
/// Most cells: their indices have two bytes.
const CELLS_MAX: usize = 1 << 16;

/// The content of a parameter file, or the weights of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterFile {
    /// Names and ranges of the numbers.
    pub terms: Terms,
    /// Values of all cells.
    pub values: Values,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    term: Vec<toml::Spanned<Row>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    value: Option<Cell>,
    values: Option<Vec<Cell>>,
    range: Option<(i32, i32)>,
    #[serde(default)]
    fixed: bool,
}

/// A number without phases, or a middlegame and an endgame number.
#[derive(Clone, Copy, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a whole number, or two of them in brackets (middlegame, endgame)"
)]
enum Cell {
    Single(i32),
    Pair([i32; 2]),
}

impl ParameterFile {
    /// The weights of a game with a linear evaluation.
    pub fn of(numbers: &Numbers) -> ParameterFile {
        let terms = Terms::of(numbers.declarations(Table::Weights));
        let mut values = vec![[0.0; 2]; terms.cells()];
        for (cell, half, _) in terms.numbers() {
            let value = numbers.get(&terms.number_name(cell, half));
            values[cell][half] = value.expect("it is declared").into();
        }
        ParameterFile { terms, values: Values(values) }
    }

    /// A game's numbers with these weights.
    ///
    /// # Errors
    /// A value is out of its range.
    pub fn put(&self, values: &Values, numbers: &mut Numbers) -> Result<(), NameError> {
        let mut terms = self.terms.numbers();
        terms.try_for_each(|(cell, half, _)| {
            let value = values.whole(cell, half);
            numbers.set(&self.terms.number_name(cell, half), value.into())
        })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or is none: then with line and reason.
    pub fn load(path: &Path) -> anyhow::Result<ParameterFile> {
        let name = path.display().to_string();
        ParameterFile::parse(&system::files::read_toml(path)?, &name)
    }

    /// Reads the text of a file that is called `name` in messages.
    ///
    /// # Errors
    /// As [`ParameterFile::load`].
    pub fn parse(text: &str, name: &str) -> anyhow::Result<ParameterFile> {
        let line = |offset: usize| 1 + text[..offset].matches('\n').count();
        let file: File = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line(span.start));
            anyhow!("{name}:{line}: {}", error.message())
        })?;
        let mut read = ParameterFile { terms: Terms(Vec::new()), values: Values(Vec::new()) };
        for row in &file.term {
            let at = || format!("{name}:{}", line(row.span().start));
            read.push(row.get_ref()).with_context(at)?;
        }
        if read.values.0.is_empty() {
            bail!("{name} names no term");
        }
        Ok(read)
    }

    fn push(&mut self, row: &Row) -> anyhow::Result<()> {
        let Row { name, value, values, range, fixed } = row;
        check_name(name)?;
        if self.terms.0.iter().any(|term| term.name == *name) {
            bail!("`{name}` is there twice");
        }
        let (cells, is_array) = match (value, values) {
            (Some(value), None) => (vec![*value], false),
            (None, Some(values)) if !values.is_empty() => (values.clone(), true),
            _ => bail!("`{name}` needs either value = … or values = [ … ] with at least one"),
        };
        let has_phases = matches!(cells[0], Cell::Pair(_));
        let (low, high) = range.unwrap_or(RANGE);
        let first_cell = self.values.0.len();
        for cell in &cells {
            let halves = match *cell {
                Cell::Pair(pair) if has_phases => pair,
                Cell::Single(single) if !has_phases => [0, single],
                _ => bail!("the values of `{name}` must all be numbers, or all pairs of numbers"),
            };
            let numbers = &halves[usize::from(!has_phases)..];
            if let Some(number) = numbers.iter().find(|number| !(low..=high).contains(number)) {
                bail!("`{name}`: {number} is not in the range from {low} to {high}");
            }
            self.values.0.push(halves.map(f64::from));
        }
        if self.values.0.len() > CELLS_MAX {
            bail!("more than {CELLS_MAX} cells");
        }
        self.terms.0.push(Term {
            name: name.clone(),
            first_cell,
            length: cells.len(),
            is_array,
            has_phases,
            range: (low, high),
            is_fixed: *fixed,
        });
        Ok(())
    }

    /// The file with other values and a comment at its top.
    pub fn to_toml(&self, values: &Values, notes: &str) -> String {
        let mut text = String::new();
        for line in notes.lines() {
            text += &format!("# {line}\n");
        }
        for term in &self.terms.0 {
            let key = if term.is_array { "values" } else { "value" };
            let shown = shown_values(term, values, ['[', ']']);
            let _ = write!(text, "\n[[term]]\nname = \"{}\"\n{key} = {shown}\n", term.name);
            if term.range != RANGE {
                text += &format!("range = [{}, {}]\n", term.range.0, term.range.1);
            }
            if term.is_fixed {
                text += "fixed = true\n";
            }
        }
        text
    }
}

/// The value of a term; the halves of a cell, and the cells of an array in rows of eight, stand
/// between brackets and with commas.
pub(super) fn shown_values(term: &Term, values: &Values, [open, close]: [char; 2]) -> String {
    let cell = |cell| {
        let numbers: Vec<String> =
            term.halves().map(|half| values.whole(cell, half).to_string()).collect();
        let joined = numbers.join(", ");
        if term.has_phases { format!("{open}{joined}{close}") } else { joined }
    };
    let cells: Vec<String> = term.cells().map(cell).collect();
    if !term.is_array {
        return cells.concat();
    }
    let rows = cells.chunks(8).map(|row| format!("    {},\n", row.join(", ")));
    format!("{open}\n{}{close}", rows.collect::<String>())
}

/// Names are such that every language takes them, with a dot between group and name.
fn check_name(name: &str) -> anyhow::Result<()> {
    let is_word = |word: &str| {
        word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && word.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    if name.split('.').all(is_word) {
        return Ok(());
    }
    bail!("`{name}` is no name: words of letters, digits and _ with dots between, as in group.name")
}
