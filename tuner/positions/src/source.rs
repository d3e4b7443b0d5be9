//! Where positions come from: a file, what it holds, and how much it counts for.

use std::fmt;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use clap::builder::PossibleValue;
use serde::{Deserialize, Serialize};

use super::compression::plain_name;
use super::filter::Filter;
use super::store::MAGIC;

/// What a file of positions holds. Any of them may be packed by gzip or zstd.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// Whole games as `tuner record` and `tuner import` write them.
    Store,
    /// Columns named fen, score, result, ply, game; without names, lines as of text.
    Csv,
    /// Lines of a FEN and a result; `FEN | score | result` is what is written.
    Text,
    /// Records of 32 bytes, turned so that the mover is White: for bullet.
    Bulletformat,
    /// Whole games as Viridithas writes them: for its tools and for bullet.
    Viriformat,
}

/// As the command line names it.
impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value();
        f.write_str(value.as_ref().map_or("", PossibleValue::get_name))
    }
}

impl Form {
    /// The form that a name stands for, whatever it says of packing.
    pub fn of_name(path: &Path) -> Option<Form> {
        let ending = plain_name(path).extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "kgames" => Some(Form::Store),
            "csv" | "tsv" => Some(Form::Csv),
            "txt" | "epd" | "book" => Some(Form::Text),
            "bullet" | "bulletformat" | "data" => Some(Form::Bulletformat),
            "vf" | "viri" | "viriformat" => Some(Form::Viriformat),
            _ => None,
        }
    }

    /// Whether the form says itself whose view results and scores are from.
    pub(super) fn has_own_view(self) -> bool {
        !matches!(self, Form::Csv | Form::Text)
    }
}

/// Whose results and scores a text gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum View {
    /// White's, as is usual.
    #[default]
    White,
    /// The side's that is to move.
    Mover,
}

/// A file of positions, and what is taken from it.
#[derive(Clone, PartialEq, Debug)]
pub struct Source {
    /// Path of the file.
    pub path: PathBuf,
    /// Its form; where none is given, its first bytes tell a store, and its name the rest.
    pub form: Option<Form>,
    /// Whose results and scores it gives, if it is text.
    pub view: View,
    /// How much each of its positions counts: below 1, such a share of them is drawn; above, each
    /// is taken so often, and for a fraction some of them once more.
    pub weight: f64,
    /// Positions at most, after the filter, drawn at random.
    pub positions: Option<usize>,
    /// The filter of its positions.
    pub filter: Filter,
}

impl Source {
    /// Its form as given, or by the first bytes of a store, or by its name; else text.
    pub(super) fn form_of(&self, first_bytes: &[u8]) -> Form {
        self.form.unwrap_or_else(|| match Form::of_name(&self.path) {
            _ if first_bytes.starts_with(&MAGIC) => Form::Store,
            named => named.unwrap_or(Form::Text),
        })
    }

    /// All positions of a file, each once.
    pub fn new(path: &Path, form: Option<Form>, filter: &Filter) -> Source {
        Source {
            path: path.to_owned(),
            form,
            view: View::White,
            weight: 1.0,
            positions: None,
            filter: filter.clone(),
        }
    }
}
