//! Writes parameters: as TOML (the format of parameter files), as a table to read, and as JSON,
//! CSV and tuning lines for other tools.

use std::fmt::Write;

use block::USUAL_GAME;
use clap::ValueEnum;

use super::file::{BASE, GAME};
use super::{CellKind, Declaration, Declared, Named, Number, ParameterSet, Table};

/// Entries of an array on one line.
const ROW_LENGTH: usize = 8;
/// Widest line of comment, in characters.
const LINE_WIDTH: usize = 100;

/// A textual form of a parameter set. The first line of each doc is shown by `--help`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// A table: value, range, step, doc
    Text,
    /// A parameter file
    Toml,
    /// One object with a list of all numbers
    Json,
    /// One line a number
    Csv,
    /// SPSA lines of OpenBench: name, int, value, lowest, highest, c_end, r_end
    ///
    /// One line a margin; `c_end` is the last step of the perturbation, `r_end` the last rate.
    /// Switches are left out.
    #[value(name = "openbench")]
    OpenBench,
    /// As [`Format::OpenBench`], with the evaluation's weights as well.
    #[value(skip)]
    OpenBenchAll,
}

/// A filter: true for each declaration to be written.
pub type Wanted<'a> = &'a dyn Fn(&Declaration) -> bool;

impl<W: Named, M: Declared, T: Declared> ParameterSet<W, M, T> {
    /// The set in the given form, ending in a line break.
    pub fn format(&self, format: Format) -> String {
        self.format_some(format, &|_| true)
    }

    /// The wanted part of the set in the given form, ending in a line break; a parameter file always
    /// holds all.
    pub fn format_some(&self, format: Format, wanted: Wanted<'_>) -> String {
        match format {
            Format::Text => self.to_text(wanted),
            Format::Toml => self.to_toml(),
            Format::Json => self.to_json(wanted),
            Format::Csv => self.to_csv(wanted),
            Format::OpenBench => self.to_openbench(&[self.search_table()], wanted),
            Format::OpenBenchAll => self.to_openbench(&self.tables(), wanted),
        }
    }

    /// A parameter file with docs, ranges and steps as comments. Reading it gives an equal set, and
    /// equal sets give equal text.
    pub fn to_toml(&self) -> String {
        self.to_toml_with_notes("")
    }

    /// As [`ParameterSet::to_toml`], with lines of comment about this set (its origin, its worth) at
    /// the top.
    pub fn to_toml_with_notes(&self, notes: &str) -> String {
        let head = "Every number the engine plays with. Weights are centipawns unless their line says \
             otherwise: `[middlegame, endgame]`, or one number where phases do not differ. Names, docs \
             and ranges come from the engine.";
        self.to_toml_where(notes, head, None, |_| true)
    }

    /// A parameter file of what differs from a base, which programs carry by that name; without one, from
    /// the declared defaults.
    pub fn to_toml_over(
        &self,
        notes: &str,
        base: Option<(&str, &ParameterSet<W, M, T>)>,
    ) -> String {
        let head = match base {
            Some((name, _)) => format!("All else is as in {name}."),
            None => "All else is as the engine declares it.".to_owned(),
        };
        let declared = Self::declared();
        let from = base.map_or(&declared, |(_, set)| set);
        let differs = |info: &'static Declaration| {
            info.numbers().any(|number| number.value(self) != number.value(from))
        };
        self.to_toml_where(notes, &head, base.map(|(name, _)| name), differs)
    }

    fn to_toml_where(
        &self,
        notes: &str,
        head: &str,
        base: Option<&str>,
        wanted: impl Fn(&'static Declaration) -> bool,
    ) -> String {
        let mut text = String::new();
        comment(&mut text, notes);
        if !notes.is_empty() {
            text += "\n";
        }
        comment(&mut text, head);
        if W::GAME_NAME != USUAL_GAME {
            writeln!(text, "{GAME} = \"{}\"", W::GAME_NAME).expect("strings take all");
        }
        if let Some(base) = base {
            writeln!(text, "{BASE} = \"{base}\"").expect("strings take all");
        }
        let mut is_headed = self.textbook.is_none();
        for (table, group) in self.groups() {
            // The table alone says which search plays, even if nothing differs in it.
            if table == Table::Methods && !is_headed {
                writeln!(text, "\n[{}]", table.name()).expect("strings take all");
                is_headed = true;
            }
            if !group.iter().any(&wanted) {
                continue;
            }
            text += "\n";
            comment(&mut text, group[0].group_doc);
            writeln!(text, "[{}.{}]", table.name(), group[0].group).expect("strings take all");
            for info in group.iter().filter(|info| wanted(info)) {
                comment(&mut text, &entry_comment(info));
                text += &self.entry_as_toml(info);
            }
        }
        text
    }

    /// The declarations of each group of each of the set's tables.
    fn groups(&self) -> impl Iterator<Item = (Table, &'static [Declaration])> + use<W, M, T> {
        self.tables().into_iter().flat_map(|table| {
            let declarations = Self::declarations(table);
            let groups = declarations.chunk_by(|one, next| one.group == next.group);
            groups.map(move |group| (table, group))
        })
    }

    fn entry_as_toml(&self, info: &'static Declaration) -> String {
        let numbers: Vec<Vec<i32>> =
            (0..info.length).map(|index| self.cell_numbers(info, index)).collect();
        let show = |cell: &Vec<i32>, width: usize| {
            let numbers: Vec<String> = cell.iter().map(|n| format!("{n:>width$}")).collect();
            match info.kind {
                CellKind::Score => format!("[{}]", numbers.join(", ")),
                CellKind::Scalar => numbers.join(", "),
            }
        };
        if !info.is_array {
            return format!("{} = {}\n", info.name, show(&numbers[0], 0));
        }
        // The layout depends on the declaration alone: when a tuner changes a value, no other line
        // changes. Square tables stand as on the board, in columns wide enough for all values.
        if info.length <= ROW_LENGTH {
            let cells: Vec<String> = numbers.iter().map(|cell| show(cell, 0)).collect();
            return format!("{} = [{}]\n", info.name, cells.join(", "));
        }
        let (low, high) = info.range;
        let width = low.to_string().len().max(high.to_string().len());
        let mut text = format!("{} = [\n", info.name);
        for row in numbers.chunks(ROW_LENGTH) {
            let cells: Vec<String> = row.iter().map(|cell| show(cell, width)).collect();
            writeln!(text, "    {},", cells.join(", ")).expect("strings take all");
        }
        text + "]\n"
    }

    /// The one or two numbers of a cell.
    fn cell_numbers(&self, info: &'static Declaration, index: usize) -> Vec<i32> {
        let halves = info.kind.halves().iter();
        halves.map(|&half| Number { declaration: info, index, half }.value(self)).collect()
    }

    fn to_text(&self, wanted: Wanted<'_>) -> String {
        let mut text = format!("parameters {}\n", self.fingerprint());
        for (_, group) in self.groups() {
            if !group.iter().any(wanted) {
                continue;
            }
            writeln!(text, "\n{}: {}", group[0].group, group[0].group_doc)
                .expect("strings take all");
            for info in group.iter().filter(|info| wanted(info)) {
                text += &self.entry_as_text(info);
            }
        }
        text
    }

    /// Name, value (if it is one), range, step and doc; an array's values follow in rows.
    fn entry_as_text(&self, info: &'static Declaration) -> String {
        let cells: Vec<String> = (0..info.length)
            .map(|index| {
                let numbers = self.cell_numbers(info, index);
                let numbers: Vec<String> = numbers.iter().map(i32::to_string).collect();
                numbers.join("/")
            })
            .collect();
        let (value, rows) = match cells.as_slice() {
            [only] => (only.as_str(), [].as_slice()),
            many => ("", many),
        };
        let range = format!("{}..{}", info.range.0, info.range.1);
        let step = info.step.map_or_else(String::new, |step| step.to_string());
        let (name, doc) = (info.name, info.doc);
        let mut text = format!("  {name:<32} {value:>11}  {range:<12} {step:>4}  {doc}\n");
        for row in rows.chunks(ROW_LENGTH) {
            let row: Vec<String> = row.iter().map(|cell| format!("{cell:>9}")).collect();
            writeln!(text, "    {}", row.join(" ")).expect("strings take all");
        }
        text
    }

    fn to_json(&self, wanted: Wanted<'_>) -> String {
        let numbers: Vec<serde_json::Value> = self
            .own_numbers()
            .filter(|number| wanted(number.declaration))
            .map(|number| {
                let (low, high) = number.range();
                serde_json::json!({
                    "name": number.name(),
                    "value": number.value(self),
                    "low": low,
                    "high": high,
                    "step": number.step(),
                    "switch": number.is_switch(),
                    "doc": number.doc(),
                })
            })
            .collect();
        let all = serde_json::json!({ "fingerprint": self.fingerprint(), "numbers": numbers });
        format!("{all:#}\n")
    }

    fn to_csv(&self, wanted: Wanted<'_>) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let fail = "writing to memory does not fail";
        writer.write_record(["name", "value", "low", "high", "step", "doc"]).expect(fail);
        for number in self.own_numbers().filter(|number| wanted(number.declaration)) {
            let (low, high) = number.range();
            let numbers = [number.value(self), low, high, number.step()].map(|n| n.to_string());
            let [value, low, high, step] = &numbers;
            let name = number.name();
            writer.write_record([&name, value, low, high, step, number.doc()]).expect(fail);
        }
        String::from_utf8(writer.into_inner().expect(fail)).expect("all fields are UTF-8")
    }

    fn to_openbench(&self, tables: &[Table], wanted: Wanted<'_>) -> String {
        // The rate with which both OpenBench and fishtest begin; their users seldom change it.
        const RATE: &str = "0.002";
        let mut text = String::new();
        let declarations = tables.iter().flat_map(|&table| Self::declarations(table));
        let numbers = declarations.filter(|info| wanted(info)).flat_map(Declaration::numbers);
        for number in numbers.filter(|number| !number.is_switch()) {
            let (low, high) = number.range();
            let (name, value, step) = (number.name(), number.value(self), number.step());
            writeln!(text, "{name}, int, {value}, {low}, {high}, {step}, {RATE}")
                .expect("strings take all");
        }
        text
    }
}

/// Doc, range and step of a declaration, in sentences.
fn entry_comment(info: &Declaration) -> String {
    let doc = sentence(info.doc);
    if info.is_switch() {
        return format!("{doc} Switch: 0 or 1.");
    }
    let (low, high) = info.range;
    let each = if info.length > 1 || info.kind == CellKind::Score { "Each " } else { "" };
    let step = info.step.map_or_else(String::new, |step| format!(", step {step}"));
    format!("{doc} {each}{low}..{high}{step}.")
}

/// The doc line with a full stop at its end.
fn sentence(doc: &str) -> String {
    match doc.ends_with(['.', '!', '?']) {
        true => doc.to_string(),
        false => format!("{doc}."),
    }
}

/// Appends lines of comment, wrapped between words.
fn comment(text: &mut String, content: &str) {
    for paragraph in content.lines() {
        let mut line = String::from("#");
        for word in paragraph.split_whitespace() {
            if line.chars().count() + 1 + word.chars().count() > LINE_WIDTH {
                *text += &line;
                *text += "\n";
                line = String::from("#");
            }
            line += " ";
            line += word;
        }
        *text += &line;
        *text += "\n";
    }
}
