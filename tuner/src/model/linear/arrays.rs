//! Tuned values as source text, to be compiled into an engine.

use std::path::Path;

use super::super::Values;
use super::ParameterFile;

/// A language that values are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C: `static const int`.
    C,
    /// C++ from 2017 on: `inline constexpr int`.
    Cpp,
    /// Rust: `pub const`.
    Rust,
}

impl Language {
    /// The language of a file, by its ending; none if it is that of no language known here.
    pub fn of(path: &Path) -> Option<Language> {
        match path.extension()?.to_str()? {
            "c" | "h" => Some(Language::C),
            "cpp" | "hpp" | "cc" | "hh" => Some(Language::Cpp),
            "rs" => Some(Language::Rust),
            _ => None,
        }
    }

    /// The values as constants of this language, a term each: an array of two for middlegame and
    /// endgame, and an array of cells for an array.
    pub fn source(self, file: &ParameterFile, values: &Values, notes: &str) -> String {
        let mut text: String = notes.lines().map(|line| format!("// {line}\n")).collect();
        let (open, close) = if self == Language::Rust { ('[', ']') } else { ('{', '}') };
        for term in &file.terms.0 {
            let cells: Vec<String> = term
                .cells()
                .map(|cell| {
                    let numbers: Vec<String> =
                        term.halves().map(|half| values.whole(cell, half).to_string()).collect();
                    let joined = numbers.join(", ");
                    if term.has_phases { format!("{open}{joined}{close}") } else { joined }
                })
                .collect();
            let value = if term.is_array {
                let rows: Vec<String> =
                    cells.chunks(8).map(|row| format!("    {},\n", row.join(", "))).collect();
                format!("{open}\n{}{close}", rows.concat())
            } else {
                cells[0].clone()
            };
            let name = term.name.replace('.', "_");
            let pair = if term.has_phases { "[2]" } else { "" };
            let array = if term.is_array { format!("[{}]", term.length) } else { String::new() };
            text += &match self {
                Language::C => {
                    format!("\nstatic const int {}{array}{pair} = {value};\n", name.to_uppercase())
                }
                Language::Cpp => format!("\ninline constexpr int {name}{array}{pair} = {value};\n"),
                Language::Rust => {
                    let cell = if term.has_phases { "[i32; 2]" } else { "i32" };
                    let kind = if term.is_array {
                        format!("[{cell}; {}]", term.length)
                    } else {
                        cell.to_string()
                    };
                    format!("\npub const {}: {kind} = {value};\n", name.to_uppercase())
                }
            };
        }
        text
    }
}
