//! Parameter files: TOML with docs and ranges as comments.
//!
//! The reader is driven by the declarations: a file must hold every declared number, in its
//! range, and nothing else. Each refusal names the place, what was found and what is expected.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use sha2::{Digest, Sha256};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::names::suggestion;
use super::{CellKind, Half, Margins, Number, Parameters, WeightInfo, Weights};

/// Why a parameter file was refused.
#[derive(Debug, thiserror::Error)]
pub enum ParametersError {
    /// The file could not be read at all.
    #[error("{}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// The text is not a complete and correct set of parameters.
    #[error("{source_name}:{line}:{column}: {message}")]
    Content {
        /// The file's name as the user gave it.
        source_name: String,
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// What was found and what is expected.
        message: String,
    },
}

/// The text that the binary carries: `data/parameters/default.toml`, unless the build was told
/// otherwise (`KAMERTON_PARAMETERS`).
pub const EMBEDDED_TEXT: &str = include_str!(env!("KAMERTON_PARAMETERS_FILE"));

/// The manifest of the export that made this binary (JSON), if an export made it.
pub fn embedded_manifest() -> Option<&'static str> {
    let text = include_str!(env!("KAMERTON_MANIFEST_FILE"));
    (!text.trim().is_empty()).then_some(text)
}

impl Parameters {
    /// The set that the binary carries, parsed once.
    ///
    /// # Panics
    /// If the embedded file is not a correct set; [`Parameters::try_embedded`] says so instead.
    pub fn embedded() -> &'static Arc<Parameters> {
        match Parameters::try_embedded() {
            Ok(parameters) => parameters,
            Err(error) => panic!("{error}"),
        }
    }

    /// The set that the binary carries, parsed once. Errors: the build embedded a bad file.
    pub fn try_embedded() -> Result<&'static Arc<Parameters>, &'static ParametersError> {
        static EMBEDDED: OnceLock<Result<Arc<Parameters>, ParametersError>> = OnceLock::new();
        EMBEDDED
            .get_or_init(|| {
                Parameters::from_toml(EMBEDDED_TEXT, "embedded parameters").map(Arc::new)
            })
            .as_ref()
    }

    /// Reads a parameter file. Errors: unreadable, or not a complete and correct set.
    pub fn load(path: &Path) -> Result<Parameters, ParametersError> {
        Parameters::from_toml(&read(path)?, &path.display().to_string())
    }

    /// Reads a parameter file that may lack numbers: they keep the values of `base` and their names
    /// are returned. Errors: unreadable, or wrong in any other way.
    pub fn load_partial(
        path: &Path,
        base: &Parameters,
    ) -> Result<(Parameters, Vec<String>), ParametersError> {
        let text = read(path)?;
        let reader = Reader::new(&text, &path.display().to_string(), base.clone());
        let (parameters, missing) = reader.read()?;
        Ok((parameters, missing.into_iter().map(|missing| missing.name).collect()))
    }

    /// Reads parameters from TOML; `source_name` is what error messages call it. Errors: not a
    /// complete and correct set.
    pub fn from_toml(text: &str, source_name: &str) -> Result<Parameters, ParametersError> {
        let reader = Reader::new(text, source_name, Parameters::zero());
        let (parameters, missing) = reader.read()?;
        let Some(first) = missing.first() else { return Ok(parameters) };
        let mut message = format!("missing `{}`: {}", first.name, first.expected);
        if missing.len() > 1 {
            message += &format!(" ({} more missing)", missing.len() - 1);
        }
        Err(error_at(text, source_name, first.offset, message))
    }

    /// The canonical name of the set: the first 12 hexadecimal digits of the SHA-256 over one line
    /// `name=value` for every number, in the order of declaration.
    pub fn fingerprint(&self) -> String {
        let mut hash = Sha256::new();
        for number in Number::all() {
            hash.update(format!("{}={}\n", number.name(), number.value(self)));
        }
        hex::encode(&hash.finalize()[..6])
    }
}

fn read(path: &Path) -> Result<String, ParametersError> {
    let fail = |error| ParametersError::Read { path: path.to_path_buf(), error };
    let bytes = std::fs::read(path).map_err(fail)?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let good = String::from_utf8_lossy(&error.as_bytes()[..at]).into_owned();
        let message = "not UTF-8 text; a parameter file is TOML".to_string();
        error_at(&good, &path.display().to_string(), at, message)
    })
}

/// An error at a byte offset of the text, told by line and column.
fn error_at(text: &str, source_name: &str, offset: usize, message: String) -> ParametersError {
    let before = text.get(..offset).unwrap_or(text);
    ParametersError::Content {
        source_name: source_name.to_string(),
        line: before.matches('\n').count() + 1,
        column: before.rsplit('\n').next().unwrap_or("").chars().count() + 1,
        message,
    }
}

/// A declared value that the file lacks.
struct Missing {
    name: String,
    expected: String,
    /// Byte offset of the table it belongs in.
    offset: usize,
}

/// A refusal before it is told by line and column: byte offset and message.
struct Problem {
    offset: usize,
    message: String,
}

type Table<'t> = DeTable<'t>;
type Value<'t> = Spanned<DeValue<'t>>;

/// Reads one document over a base set.
struct Reader<'t> {
    text: &'t str,
    source_name: String,
    parameters: Parameters,
    problems: Vec<Problem>,
    missing: Vec<Missing>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, source_name: &str, base: Parameters) -> Reader<'t> {
        Reader {
            text,
            source_name: source_name.to_string(),
            parameters: base,
            problems: Vec::new(),
            missing: Vec::new(),
        }
    }

    /// The set and what was missing. Errors: the first problem in the order of the text.
    fn read(mut self) -> Result<(Parameters, Vec<Missing>), ParametersError> {
        match DeTable::parse(self.text) {
            Ok(document) => self.document(document.get_ref()),
            Err(error) => {
                let offset = error.span().map_or(0, |span| span.start);
                let message = format!("not TOML: {}", error.message());
                self.problems.push(Problem { offset, message });
            }
        }
        match self.problems.into_iter().min_by_key(|problem| problem.offset) {
            None => Ok((self.parameters, self.missing)),
            Some(problem) => {
                Err(error_at(self.text, &self.source_name, problem.offset, problem.message))
            }
        }
    }

    fn document(&mut self, document: &Table<'t>) {
        let end = self.text.trim_end().len();
        self.refuse_unknown(document, "table", "", &["weights", "margins"]);
        let empty = Table::new();
        let groups = self.table(document, "weights").map_or(&empty, |(table, _)| table);
        let mut names: Vec<&str> = Weights::INFO.iter().map(|info| info.group).collect();
        names.dedup();
        self.refuse_unknown(groups, "group", "weights.", &names);
        for group in names {
            let infos = || Weights::INFO.iter().filter(|info| info.group == group);
            let (table, offset) = self.table(groups, group).unwrap_or((&empty, end));
            let weights: Vec<&str> = infos().map(|info| info.name).collect();
            self.refuse_unknown(table, "weight", &format!("weights.{group}."), &weights);
            for info in infos() {
                match table.get(info.name) {
                    Some(value) => self.weight(info, value),
                    None => self.missing.push(Missing {
                        name: format!("weights.{group}.{}", info.name),
                        expected: expected_weight(info),
                        offset,
                    }),
                }
            }
        }
        let (table, offset) = self.table(document, "margins").unwrap_or((&empty, end));
        let margins: Vec<&str> = Margins::INFO.iter().map(|info| info.name).collect();
        self.refuse_unknown(table, "margin", "margins.", &margins);
        for info in Margins::INFO {
            match table.get(info.name) {
                Some(value) => self.number(&Number::Margin(info), value, info.name),
                None => self.missing.push(Missing {
                    name: format!("margins.{}", info.name),
                    expected: format!("expected {}", expected_number(info.range)),
                    offset,
                }),
            }
        }
    }

    /// The sub-table of that name and its offset; a problem if it is something else.
    fn table<'a>(&mut self, parent: &'a Table<'t>, name: &str) -> Option<(&'a Table<'t>, usize)> {
        let (key, value) = parent.get_key_value(name)?;
        match value.get_ref() {
            DeValue::Table(table) => Some((table, key.span().start)),
            other => {
                let message = format!("`{name}` is {}; expected a table", describe(other));
                self.problems.push(Problem { offset: key.span().start, message });
                None
            }
        }
    }

    fn refuse_unknown(&mut self, table: &Table<'t>, what: &str, prefix: &str, known: &[&str]) {
        let names: Vec<String> = known.iter().map(|name| name.to_string()).collect();
        for key in table.keys() {
            let name = key.get_ref().as_ref();
            if !known.contains(&name) {
                let suggestion = suggestion(name, &names);
                let message = format!("unknown {what} `{prefix}{name}`{suggestion}");
                self.problems.push(Problem { offset: key.span().start, message });
            }
        }
    }

    fn weight(&mut self, info: &'static WeightInfo, value: &Value<'t>) {
        let name = format!("weights.{}.{}", info.group, info.name);
        if !info.is_array {
            self.cell(info, 0, value, &name);
            return;
        }
        let Some(entries) = self.array(value, info.length, &name, &expected_weight(info)) else {
            return;
        };
        for (index, entry) in entries.enumerate() {
            self.cell(info, index, entry, &format!("{name}[{index}]"));
        }
    }

    fn cell(&mut self, info: &'static WeightInfo, index: usize, value: &Value<'t>, name: &str) {
        match info.kind {
            CellKind::Scalar => {
                self.number(&Number::Weight { info, index, half: None }, value, name);
            }
            CellKind::Score => {
                let expected = format!("expected {}", expected_pair(info));
                let Some(halves) = self.array(value, 2, name, &expected) else { return };
                for (half, value) in [Half::Middlegame, Half::Endgame].into_iter().zip(halves) {
                    let number = Number::Weight { info, index, half: Some(half) };
                    self.number(&number, value, &format!("{name}.{}", half.name()));
                }
            }
        }
    }

    /// The entries of an array of the given length; a problem if it is anything else.
    fn array<'a>(
        &mut self,
        value: &'a Value<'t>,
        length: usize,
        name: &str,
        expected: &str,
    ) -> Option<impl Iterator<Item = &'a Value<'t>> + use<'a, 't>> {
        let found = match value.get_ref() {
            DeValue::Array(array) if array.len() == length => return Some(array.iter()),
            DeValue::Array(array) => format!("has {} entries", array.len()),
            other => format!("is {}", describe(other)),
        };
        let message = format!("`{name}` {found}; {expected}");
        self.problems.push(Problem { offset: value.span().start, message });
        None
    }

    fn number(&mut self, number: &Number, value: &Value<'t>, name: &str) {
        let found = match value.get_ref() {
            DeValue::Integer(integer) => {
                let parsed = i64::from_str_radix(integer.as_str(), integer.radix()).ok();
                match parsed.map(|value| number.set(&mut self.parameters, value)) {
                    Some(Ok(())) => return,
                    _ => integer.to_string(),
                }
            }
            other => describe(other),
        };
        let expected = expected_number(number.range());
        let message = format!("`{name}` is {found}; expected {expected}");
        self.problems.push(Problem { offset: value.span().start, message });
    }
}

fn expected_number((low, high): (i32, i32)) -> String {
    format!("an integer from {low} to {high}")
}

fn expected_pair(info: &WeightInfo) -> String {
    let (low, high) = info.range;
    format!("[middlegame, endgame], each an integer from {low} to {high}")
}

fn expected_weight(info: &WeightInfo) -> String {
    let one = match info.kind {
        CellKind::Score => expected_pair(info),
        CellKind::Scalar => expected_number(info.range),
    };
    match info.is_array {
        true => format!("expected an array of {} entries, each {one}", info.length),
        false => format!("expected {one}"),
    }
}

fn describe(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("the text {text:?}"),
        DeValue::Integer(integer) => format!("the integer {integer}"),
        DeValue::Float(float) => format!("{float}, not an integer"),
        DeValue::Boolean(truth) => truth.to_string(),
        DeValue::Datetime(datetime) => format!("the date {datetime}"),
        DeValue::Array(array) => format!("an array of {} entries", array.len()),
        DeValue::Table(_) => "a table".to_string(),
    }
}
