//! Parameter files: TOML with docs and ranges as comments.
//!
//! The reader is driven by the declarations: a file must hold every declared number, in its
//! range, and nothing else. Each refusal names the place, what was found and what is expected.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use system::text::plain;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::names::{suggestion, suggestion_by_words};
use super::{CellKind, Declaration, Declared, Number, ParameterSet, Table};

/// Largest file that is read, in bytes: many times a complete one with its comments.
const FILE_MAX: u64 = 1 << 20;

/// Why a parameter file was refused.
#[derive(Debug, thiserror::Error)]
pub enum ParametersError {
    /// The file could not be read at all.
    #[error("{}: {error}", path.display())]
    Read {
        /// The file as it was named.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// The file is larger than any parameter file; it was not read further.
    #[error("{}: larger than {FILE_MAX} bytes: no parameter file", path.display())]
    TooLarge {
        /// The file that could not be read.
        path: PathBuf,
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

impl<W: Declared, M: Declared> ParameterSet<W, M> {
    /// Reads a parameter file. Errors: unreadable, or not a complete and correct set.
    pub fn load(path: &Path) -> Result<ParameterSet<W, M>, ParametersError> {
        Self::from_toml(&read_file(path)?, &path.display().to_string())
    }

    /// Reads a parameter file that may lack numbers: they keep the values of `base` and their names
    /// are returned. Errors: unreadable, or wrong in any other way.
    pub fn load_partial(
        path: &Path,
        base: &ParameterSet<W, M>,
    ) -> Result<(ParameterSet<W, M>, Vec<String>), ParametersError> {
        let text = read_file(path)?;
        let reader = Reader::new(&text, &path.display().to_string(), base.clone());
        let (set, missing) = reader.read()?;
        Ok((set, missing.into_iter().map(|missing| missing.name).collect()))
    }

    /// Reads parameters from TOML; `source_name` is what error messages call it. Errors: not a
    /// complete and correct set.
    pub fn from_toml(text: &str, source_name: &str) -> Result<ParameterSet<W, M>, ParametersError> {
        let reader = Reader::new(text, source_name, Self::zero());
        let (set, missing) = reader.read()?;
        let Some(first) = missing.first() else { return Ok(set) };
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
        for number in Self::numbers() {
            hash.update(format!("{}={}\n", number.name(), number.value(self)));
        }
        hex::encode(&hash.finalize()[..6])
    }
}

/// The text of a parameter file. Errors: unreadable, far too large, or not text.
pub fn read_file(path: &Path) -> Result<String, ParametersError> {
    let fail = |error| ParametersError::Read { path: path.to_path_buf(), error };
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(fail)?;
    file.take(FILE_MAX + 1).read_to_end(&mut bytes).map_err(fail)?;
    if bytes.len() as u64 > FILE_MAX {
        return Err(ParametersError::TooLarge { path: path.to_path_buf() });
    }
    String::from_utf8(plain(bytes)).map_err(|error| {
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

type TomlTable<'t> = DeTable<'t>;
type TomlValue<'t> = Spanned<DeValue<'t>>;

/// Reads one document over a base set.
struct Reader<'t, W, M> {
    text: &'t str,
    source_name: String,
    set: ParameterSet<W, M>,
    problems: Vec<Problem>,
    missing: Vec<Missing>,
}

impl<'t, W: Declared, M: Declared> Reader<'t, W, M> {
    fn new(text: &'t str, source_name: &str, base: ParameterSet<W, M>) -> Reader<'t, W, M> {
        Reader {
            text,
            source_name: source_name.to_string(),
            set: base,
            problems: Vec::new(),
            missing: Vec::new(),
        }
    }

    /// The set and what was missing. Errors: the first problem in the order of the text.
    fn read(mut self) -> Result<(ParameterSet<W, M>, Vec<Missing>), ParametersError> {
        match DeTable::parse(self.text) {
            Ok(document) => self.document(document.get_ref()),
            Err(error) => {
                let offset = error.span().map_or(0, |span| span.start);
                let message = format!("not TOML: {}", error.message());
                self.problems.push(Problem { offset, message });
            }
        }
        match self.problems.into_iter().min_by_key(|problem| problem.offset) {
            None => Ok((self.set, self.missing)),
            Some(problem) => {
                Err(error_at(self.text, &self.source_name, problem.offset, problem.message))
            }
        }
    }

    fn document(&mut self, document: &TomlTable<'t>) {
        let names = Table::ALL.map(Table::name);
        self.refuse_unknown(document, "table", "", &names, |_| String::new());
        for part in Table::ALL {
            self.part(part, document);
        }
    }

    /// One of the set's tables, with all its groups.
    fn part(&mut self, part: Table, document: &TomlTable<'t>) {
        let end = self.text.trim_end().len();
        let empty = TomlTable::new();
        let groups = self.table(document, part.name()).map_or(&empty, |(table, _)| table);
        let declarations = ParameterSet::<W, M>::declarations(part);
        let mut names: Vec<&str> = declarations.iter().map(|info| info.group).collect();
        names.dedup();
        let prefix = format!("{}.", part.name());
        let by_words = |name: &str| suggestion_by_words(name, declarations.iter());
        self.refuse_unknown(groups, "group", &prefix, &names, by_words);
        for group in names {
            let infos = || declarations.iter().filter(|info| info.group == group);
            let (table, offset) = self.table(groups, group).unwrap_or((&empty, end));
            let entries: Vec<&str> = infos().map(|info| info.name).collect();
            let prefix = format!("{prefix}{group}.");
            self.refuse_unknown(table, part.noun(), &prefix, &entries, |_| String::new());
            for info in infos() {
                match table.get(info.name) {
                    Some(value) => self.entry(info, value),
                    None => self.missing.push(Missing {
                        name: format!("{prefix}{}", info.name),
                        expected: expected_entry(info),
                        offset,
                    }),
                }
            }
        }
    }

    /// The sub-table of that name and its offset; a problem if it is something else.
    fn table<'a>(
        &mut self,
        parent: &'a TomlTable<'t>,
        name: &str,
    ) -> Option<(&'a TomlTable<'t>, usize)> {
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

    /// Notes every key that is not `known`; `meant` may say what is, before names are compared.
    fn refuse_unknown(
        &mut self,
        table: &TomlTable<'t>,
        what: &str,
        prefix: &str,
        known: &[&str],
        meant: impl Fn(&str) -> String,
    ) {
        let names: Vec<String> = known.iter().map(|name| name.to_string()).collect();
        for key in table.keys() {
            let name = key.get_ref().as_ref();
            if !known.contains(&name) {
                let mut hint = meant(name);
                if hint.is_empty() {
                    hint = suggestion(name, &names);
                }
                let message = format!("unknown {what} `{prefix}{name}`{hint}");
                self.problems.push(Problem { offset: key.span().start, message });
            }
        }
    }

    fn entry(&mut self, info: &'static Declaration, value: &TomlValue<'t>) {
        let name = format!("{}.{}", info.table.name(), info.path());
        if !info.is_array {
            self.cell(info, 0, value, &name);
            return;
        }
        let Some(entries) = self.array(value, info.length, &name, &expected_entry(info)) else {
            return;
        };
        for (index, entry) in entries.enumerate() {
            self.cell(info, index, entry, &format!("{name}[{index}]"));
        }
    }

    fn cell(
        &mut self,
        info: &'static Declaration,
        index: usize,
        value: &TomlValue<'t>,
        name: &str,
    ) {
        let number = |half| Number { declaration: info, index, half };
        match info.kind {
            CellKind::Scalar => self.number(&number(None), value, name),
            CellKind::Score => {
                let expected = format!("expected {}", expected_pair(info));
                let Some(values) = self.array(value, 2, name, &expected) else { return };
                for (half, value) in info.kind.halves().iter().flatten().zip(values) {
                    let name = format!("{name}.{}", half.name());
                    self.number(&number(Some(*half)), value, &name);
                }
            }
        }
    }

    /// The entries of an array of the given length; a problem if it is anything else.
    fn array<'a>(
        &mut self,
        value: &'a TomlValue<'t>,
        length: usize,
        name: &str,
        expected: &str,
    ) -> Option<impl Iterator<Item = &'a TomlValue<'t>> + use<'a, 't, W, M>> {
        let found = match value.get_ref() {
            DeValue::Array(array) if array.len() == length => return Some(array.iter()),
            DeValue::Array(array) => format!("has {} entries", array.len()),
            other => format!("is {}", describe(other)),
        };
        let message = format!("`{name}` {found}; {expected}");
        self.problems.push(Problem { offset: value.span().start, message });
        None
    }

    fn number(&mut self, number: &Number, value: &TomlValue<'t>, name: &str) {
        let found = match value.get_ref() {
            DeValue::Integer(integer) => {
                let parsed = i64::from_str_radix(integer.as_str(), integer.radix()).ok();
                match parsed.map(|value| number.set(&mut self.set, value)) {
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

fn expected_pair(info: &Declaration) -> String {
    let (low, high) = info.range;
    format!("[middlegame, endgame], each an integer from {low} to {high}")
}

fn expected_entry(info: &Declaration) -> String {
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
