//! Every single number by its name: `group.name`, `group.name[3]`, `group.name.middlegame` or
//! `group.name[3].endgame`.

use super::cell::CellKind;
use super::declaration::{Declaration, Declared, Table};
use super::set::{Half, NameError, Number, ParameterSet};

impl<W: Declared, M: Declared, T: Declared> ParameterSet<W, M, T> {
    /// The value of one number by its name; see [`ParameterSet::find`] for the names and errors. A name
    /// without its table means the search that plays.
    pub fn get(&self, name: &str) -> Result<i32, NameError> {
        Ok(self.find_own(name)?.value(self))
    }

    /// Sets one number by its name, as [`ParameterSet::get`] takes it. Errors: as
    /// [`ParameterSet::find`], a number that the set does not have, and a value outside the declared
    /// range; nothing is changed then.
    pub fn set(&mut self, name: &str, value: i64) -> Result<(), NameError> {
        self.find_own(name)?.set(self, value)
    }

    /// [`ParameterSet::find`], where a name without its table means the search that plays.
    fn find_own(&self, name: &str) -> Result<Number, NameError> {
        let is_bare = without_table(name).1 == name;
        let of_textbook = (is_bare && self.textbook.is_some())
            .then(|| Self::find(&format!("{}.{name}", Table::Methods.name())));
        match of_textbook {
            Some(Ok(number)) => Ok(number),
            _ => Self::find(name),
        }
    }

    /// Finds a number by name, which may begin with its table in a parameter file (`weights.`,
    /// `margins.` or `textbook.`); without it the tables are looked through in this order. Errors: an
    /// unknown name, an index past the end, or a name that stands for several numbers.
    pub fn find(name: &str) -> Result<Number, NameError> {
        let unknown = || NameError::Unknown {
            name: name.to_string(),
            suggestion: suggestion_for_number::<W, M, T>(name),
        };
        let (tables, bare) = without_table(name);
        let (group, rest) = bare.split_once('.').ok_or_else(unknown)?;
        let (rest, half) = match rest.split_once('.') {
            None => (rest, None),
            Some((rest, "middlegame")) => (rest, Some(Half::Middlegame)),
            Some((rest, "endgame")) => (rest, Some(Half::Endgame)),
            Some(_) => return Err(unknown()),
        };
        let (entry, index) = match rest.split_once('[') {
            None => (rest, None),
            Some((entry, digits)) => {
                let digits = digits.strip_suffix(']').ok_or_else(unknown)?;
                (entry, Some(digits.parse::<usize>().map_err(|_| unknown())?))
            }
        };
        let mut declarations = tables.iter().flat_map(|&table| Self::declarations(table));
        let declaration = declarations
            .find(|declaration| declaration.group == group && declaration.name == entry)
            .ok_or_else(unknown)?;
        let index = match (index, declaration.is_array) {
            (None, true) => return Err(several(name, declaration, "an array", 0, half)),
            (Some(_), false) => return Err(unknown()),
            (index, _) => index.unwrap_or(0),
        };
        if index >= declaration.length {
            return Err(NameError::Index { name: name.to_string(), length: declaration.length });
        }
        match (declaration.kind, half) {
            (CellKind::Score, None) => Err(several(name, declaration, "a pair", index, half)),
            (CellKind::Scalar, Some(_)) => Err(unknown()),
            _ => Ok(Number { declaration, index, half }),
        }
    }
}

/// The tables in which to look for a name, and the name without its table.
fn without_table(name: &str) -> (&'static [Table], &str) {
    let named = |table: &Table| name.strip_prefix(table.name())?.strip_prefix('.');
    let found = Table::ALL.iter().find_map(|table| Some((table, named(table)?)));
    found.map_or((&Table::ALL, name), |(table, bare)| (std::slice::from_ref(table), bare))
}

/// The refusal of a name that stands for several numbers; it names one of them.
fn several(
    name: &str,
    declaration: &'static Declaration,
    found: &'static str,
    index: usize,
    half: Option<Half>,
) -> NameError {
    let half = half.or(declaration.kind.halves()[0]);
    let example = Number { declaration, index, half }.name();
    NameError::NotOneNumber { name: name.to_string(), found, example }
}

/// ` (did you mean …?)` for the most similar of the names, or nothing if none is similar.
pub(super) fn suggestion(name: &str, names: &[String]) -> String {
    /// Below this similarity (1 = equal) a suggestion would puzzle more than help.
    const SIMILAR: f64 = 0.75;
    names
        .iter()
        .map(|known| (strsim::normalized_damerau_levenshtein(name, known), known))
        .filter(|(similarity, _)| *similarity >= SIMILAR)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map_or_else(String::new, |(_, known)| did_you_mean(known))
}

fn did_you_mean(known: &str) -> String {
    format!(" (did you mean `{known}`?)")
}

/// The [`suggestion`] for a name of an earlier version: of a group that was renamed, or one that says in
/// other places, or with fewer words, what a declaration does, such as `null_move_depth_min` for
/// `null_move.depth_min`: margins had no groups once. Nothing if no declaration has all of the name's
/// words, or if it has one word only.
pub(super) fn suggestion_by_words(
    name: &str,
    declarations: impl Iterator<Item = &'static Declaration> + Clone,
) -> String {
    let (former, rest) = name.split_once('.').unwrap_or((name, ""));
    let mut renamed = declarations.clone();
    if let Some(info) = renamed.find(|info| !former.is_empty() && info.former_group == former) {
        let gap = if rest.is_empty() { "" } else { "." };
        return did_you_mean(&format!("{}{gap}{rest}", info.group));
    }
    fn words(name: &str) -> Vec<&str> {
        name.split(['_', '.']).collect()
    }
    let wanted = words(name);
    if wanted.len() < 2 {
        return String::new();
    }
    declarations
        .map(Declaration::path)
        .filter(|path| wanted.iter().all(|word| words(path).contains(word)))
        .min_by_key(|path| (words(path) != wanted, words(path).len()))
        .map_or_else(String::new, |path| did_you_mean(&path))
}

/// The [`suggestion`] for a name that [`ParameterSet::find`] does not know; group or table may be
/// wrong or missing, and index and half do not matter.
fn suggestion_for_number<W: Declared, M: Declared, T: Declared>(name: &str) -> String {
    fn last(name: &str) -> &str {
        name.rsplit('.').next().unwrap_or(name)
    }
    let (_, bare) = without_table(name);
    let halves = [".middlegame", ".endgame"];
    let stem = halves.iter().find_map(|half| bare.strip_suffix(half)).unwrap_or(bare);
    let stem = stem.split('[').next().unwrap_or(stem);
    let all = || Table::ALL.into_iter().flat_map(ParameterSet::<W, M, T>::declarations);
    let known: Vec<String> = all().map(Declaration::path).collect();
    for found in [suggestion_by_words(stem, all()), suggestion(stem, &known)] {
        if !found.is_empty() {
            return found;
        }
    }
    // `enabled` or `margin` alone says nothing about which.
    let mut same = known.iter().filter(|known| last(known) == last(stem));
    match (same.next(), same.next()) {
        (Some(only), None) => did_you_mean(only),
        _ => String::new(),
    }
}
