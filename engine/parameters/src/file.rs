//! Parameter files: TOML with docs and ranges as comments.
//!
//! The reader is driven by the declarations: a file holds declared numbers, each in its range, and
//! nothing else but `base`, the name of a file that programs carry. A number that it does not name is as
//! in its base, or as declared. Each refusal names the place, what was found and what is expected.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use block::USUAL_GAME;
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
        /// The system's reason.
        error: std::io::Error,
    },
    /// Neither is there such a file, nor do programs carry one by that name.
    #[error("{name}: there is no such file; programs carry {}", carried.join(", "))]
    Unknown {
        /// The name, which is no path.
        name: String,
        /// The names of those that programs carry.
        carried: Vec<&'static str>,
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
        /// The mistake found, and the text expected.
        message: String,
    },
}

/// The key of a file that names its game; without it the game is [`USUAL_GAME`].
pub(super) const GAME: &str = "game";
/// The key of a file that names its base.
pub(super) const BASE: &str = "base";
/// Most files that are each the base of another.
const BASES_MAX: usize = 8;

/// A set, and the declared names that its file itself does not have.
pub type WithMissing<W, M, T> = (ParameterSet<W, M, T>, Vec<String>);

/// Weights of a game whose programs carry parameter files by name.
pub trait Named: Declared {
    /// The game as its parameter files call it.
    const GAME_NAME: &'static str;
    /// The names of these files, with their texts.
    const NAMED: &'static [(&'static str, &'static str)];
}

impl<W: Named, M: Declared, T: Declared> ParameterSet<W, M, T> {
    /// Reads a parameter file. Errors: unreadable, or not a correct set.
    pub fn load(path: &Path) -> Result<ParameterSet<W, M, T>, ParametersError> {
        Self::from_toml(&read_file(path)?, &path.display().to_string())
    }

    /// Reads parameters from TOML; `source_name` is what error messages call it. Errors: not a
    /// correct set.
    pub fn from_toml(
        text: &str,
        source_name: &str,
    ) -> Result<ParameterSet<W, M, T>, ParametersError> {
        Ok(Self::from_toml_with_missing(text, source_name)?.0)
    }

    /// As [`ParameterSet::load`], with the declared names that the file itself does not have.
    pub fn load_with_missing(path: &Path) -> Result<WithMissing<W, M, T>, ParametersError> {
        Self::from_toml_with_missing(&read_file(path)?, &path.display().to_string())
    }

    /// As [`ParameterSet::from_toml`], with the declared names that the text itself does not have.
    pub(super) fn from_toml_with_missing(
        text: &str,
        source_name: &str,
    ) -> Result<WithMissing<W, M, T>, ParametersError> {
        Self::read_over_base(text, source_name, 0)
    }

    fn read_over_base(
        text: &str,
        source_name: &str,
        bases: usize,
    ) -> Result<WithMissing<W, M, T>, ParametersError> {
        let document = DeTable::parse(text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            error_at(text, source_name, offset, format!("not TOML: {}", error.message()))
        })?;
        let document = document.get_ref();
        if let Err((offset, message)) = Self::check_game(document.get(GAME)) {
            return Err(error_at(text, source_name, offset, message));
        }
        let base = match document.get(BASE) {
            None => Self::declared(),
            Some(value) => {
                let refuse = |message| error_at(text, source_name, value.span().start, message);
                if bases == BASES_MAX {
                    let reason = format!("more than {BASES_MAX} files with a `{BASE}` in a row");
                    return Err(refuse(reason));
                }
                let (name, text) = Self::base(value).map_err(refuse)?;
                Self::read_over_base(text, name, bases + 1)?.0
            }
        };
        let names_textbook = document.contains_key(Table::Methods.name());
        let is_new = names_textbook && base.textbook.is_none();
        let base = if is_new { base.with_textbook() } else { base };
        Reader::new(text, source_name, base).read(document)
    }

    /// Checks that a file is of the game. Errors: where it is of another, and what it says.
    fn check_game(value: Option<&TomlValue<'_>>) -> Result<(), (usize, String)> {
        let expected = W::GAME_NAME;
        let (offset, found) = match value.map(|value| (value.span().start, value.get_ref())) {
            None if expected == USUAL_GAME => return Ok(()),
            None => (0, format!("no `{GAME}`, which means {USUAL_GAME}")),
            Some((_, DeValue::String(name))) if name == expected => return Ok(()),
            Some((offset, value)) => (offset, format!("`{GAME}` is {}", describe(value))),
        };
        Err((offset, format!("{found}; expected {GAME} = \"{expected}\"")))
    }

    /// The name and text of the file that a `base` names. Errors: what is wrong with it.
    fn base(value: &TomlValue<'_>) -> Result<(&'static str, &'static str), String> {
        let known: Vec<String> = Self::names().map(str::to_owned).collect();
        let expected = format!("one of {}", known.join(", "));
        let DeValue::String(name) = value.get_ref() else {
            return Err(format!("`{BASE}` is {}; expected {expected}", describe(value.get_ref())));
        };
        let found = W::NAMED.iter().find(|(known, _)| known == name).copied();
        found.ok_or_else(|| {
            format!("unknown {BASE} `{name}`{}; expected {expected}", suggestion(name, &known))
        })
    }
}

impl<W: Declared, M: Declared, T: Declared> ParameterSet<W, M, T> {
    /// The canonical name of the set: the first 12 hexadecimal digits of the SHA-256 over one line
    /// `name=value` for every number, sorted.
    pub fn fingerprint(&self) -> String {
        let line = |number: Number| format!("{}={}\n", number.name(), number.value(self));
        let mut lines: Vec<String> = self.own_numbers().map(line).collect();
        lines.sort_unstable();
        let mut hash = Sha256::new();
        lines.iter().for_each(|line| hash.update(line));
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

/// A refusal before it is told by line and column: byte offset and message.
struct Problem {
    offset: usize,
    message: String,
}

type TomlTable<'t> = DeTable<'t>;
type TomlValue<'t> = Spanned<DeValue<'t>>;

/// Reads one document over a base set.
struct Reader<'t, W, M, T> {
    text: &'t str,
    source_name: String,
    set: ParameterSet<W, M, T>,
    problems: Vec<Problem>,
    /// Declared names that the text lacks.
    missing: Vec<String>,
}

impl<'t, W: Declared, M: Declared, T: Declared> Reader<'t, W, M, T> {
    fn new(text: &'t str, source_name: &str, base: ParameterSet<W, M, T>) -> Reader<'t, W, M, T> {
        Reader {
            text,
            source_name: source_name.to_string(),
            set: base,
            problems: Vec::new(),
            missing: Vec::new(),
        }
    }

    /// The set and what was missing. Errors: the first problem in the order of the text.
    fn read(mut self, document: &TomlTable<'t>) -> Result<WithMissing<W, M, T>, ParametersError> {
        self.document(document);
        let tables = self.set.tables();
        let counts = tables.map(|table| ParameterSet::<W, M, T>::declarations(table).len());
        let names_nothing = self.missing.len() == counts.iter().sum::<usize>();
        let names_other = document.contains_key(BASE) || self.set.textbook.is_some();
        if self.problems.is_empty() && names_nothing && !names_other {
            let message = format!("no number and no {BASE} is named: no parameter file");
            self.problems.push(Problem { offset: 0, message });
        }
        match self.problems.into_iter().min_by_key(|problem| problem.offset) {
            None => Ok((self.set, self.missing)),
            Some(problem) => {
                Err(error_at(self.text, &self.source_name, problem.offset, problem.message))
            }
        }
    }

    fn document(&mut self, document: &TomlTable<'t>) {
        let [weights, margins, textbook] = Table::ALL.map(Table::name);
        let names = [GAME, BASE, weights, margins, textbook];
        self.refuse_unknown(document, "table", "", &names, |_| String::new());
        let tables = self.set.tables();
        if let Some((key, _)) = document.get_key_value(margins)
            && !tables.contains(&Table::Margins)
        {
            let message = format!(
                "`{margins}` beside `{textbook}`: the textbook's search has all its numbers in \
                 [{textbook}]; leave one of both tables out"
            );
            self.problems.push(Problem { offset: key.span().start, message });
        }
        for part in tables {
            self.part(part, document);
        }
    }

    /// One of the set's tables, with all its groups.
    fn part(&mut self, part: Table, document: &TomlTable<'t>) {
        let empty = TomlTable::new();
        let groups = self.table(document, part.name()).unwrap_or(&empty);
        let declarations = ParameterSet::<W, M, T>::declarations(part);
        let mut names: Vec<&str> = declarations.iter().map(|info| info.group).collect();
        names.dedup();
        let prefix = format!("{}.", part.name());
        let of_textbook = ParameterSet::<W, M, T>::declarations(Table::Methods);
        let by_words = |name: &str| match part {
            Table::Margins if of_textbook.iter().any(|info| info.group == name) => {
                format!(" (a method of the textbook's search: `{}.{name}`)", Table::Methods.name())
            }
            _ => suggestion_by_words(name, declarations.iter()),
        };
        self.refuse_unknown(groups, "group", &prefix, &names, by_words);
        for group in names {
            let infos = || declarations.iter().filter(|info| info.group == group);
            let table = self.table(groups, group).unwrap_or(&empty);
            let entries: Vec<&str> = infos().map(|info| info.name).collect();
            let prefix = format!("{prefix}{group}.");
            self.refuse_unknown(table, part.noun(), &prefix, &entries, |_| String::new());
            for info in infos() {
                match table.get(info.name) {
                    Some(value) => self.entry(info, value),
                    None => self.missing.push(format!("{prefix}{}", info.name)),
                }
            }
        }
    }

    /// The sub-table of that name; a problem if it is something else.
    fn table<'a>(&mut self, parent: &'a TomlTable<'t>, name: &str) -> Option<&'a TomlTable<'t>> {
        let (key, value) = parent.get_key_value(name)?;
        match value.get_ref() {
            DeValue::Table(table) => Some(table),
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
        let name = info.path_in_file();
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
    ) -> Option<impl Iterator<Item = &'a TomlValue<'t>> + use<'a, 't, W, M, T>> {
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
