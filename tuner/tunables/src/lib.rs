//! Numbers that are tuned by playing rather than by fitting, with a range and a step, whoever's
//! they are.
//!
//! Numbers of our own engine come from the declarations, numbers of a foreign one from a file in
//! the form that its authors use already ([`openbench`], [`weather_factory`]). Both are a
//! [`Tunable`]; who plays with them is a [`TunedEngine`], and nothing beyond this crate needs to know
//! whose they are.

mod names;
pub mod openbench;
mod subject;
mod tunable;
pub mod weather_factory;

use std::collections::HashSet;
use std::path::Path;

use command_line::WrongUse;
use parameters::Number;
use playable::Numbers;
use system::files::FileError;

pub use names::BadTunables;
pub use subject::{SubjectArguments, TunedEngine, check_limits};
pub use tunable::{RATE, Tunable};

/// Largest file that is read, in bytes: ten thousand numbers.
const FILE_MAX: u64 = 1 << 20;

/// Reads the numbers of a foreign engine, in OpenBench's lines or weather-factory's JSON, whichever
/// it is.
///
/// # Errors
/// The file cannot be read, or [`BadTunables`].
pub fn read(path: &Path) -> anyhow::Result<Vec<Tunable>> {
    let name = path.display().to_string();
    let text = system::text::read(path, FILE_MAX).map_err(FileError::at("read", path))?;
    let found = match text.trim_start().starts_with('{') {
        true => weather_factory::parse(&text, &name)?,
        false => openbench::parse(&text, &name)?,
    };
    Ok(found)
}

/// The margins of our own engine that are tuned unless a user names others: all that count at a
/// limit of nodes. Switches are decisions, not measures, what divides a clock needs one, and numbers
/// of a technique that is off in `start` move nothing.
pub fn margins(start: &Numbers) -> Vec<Tunable> {
    start
        .own_numbers()
        .into_iter()
        .filter(|number| number.declaration.table == start.search_table())
        .filter(|number| !number.is_switch() && !number.declaration.group.starts_with("time"))
        .filter(|number| is_in_play(number, start))
        .map(|number| Tunable::of_number(&number, start))
        .collect()
}

/// Whether a number's technique is on, if it has a switch.
fn is_in_play(number: &Number, start: &Numbers) -> bool {
    start.get(&format!("{}.enabled", number.declaration.group)).ok() != Some(0)
}

/// Every number of our own engine.
pub fn all(start: &Numbers) -> Vec<Tunable> {
    start.own_numbers().iter().map(|number| Tunable::of_number(number, start)).collect()
}

/// The numbers that are tuned: those that `only` names, the usual ones if it is empty, less those
/// that `freeze` names. A word names a number or, by `group` or `group.name`, all below it;
/// switches that are not usual are taken by their whole name alone.
///
/// # Errors
/// [`WrongUse`] for a word that names nothing, and where nothing is left.
pub fn select(
    usual: Vec<Tunable>,
    all: &[Tunable],
    only: &[String],
    freeze: &[String],
) -> anyhow::Result<Vec<Tunable>> {
    for word in only.iter().chain(freeze) {
        if !all.iter().any(|tunable| is_below(&tunable.name, word)) {
            return Err(WrongUse(format!("no number that can be tuned is called {word:?}")).into());
        }
    }
    let is_named = |words: &[String], name: &str| words.iter().any(|word| is_below(name, word));
    let is_chosen = |tunable: &&Tunable| {
        let is_usual = usual.iter().any(|it| it.name == tunable.name);
        match is_usual || !tunable.is_switch() {
            true => is_named(only, &tunable.name),
            false => only.contains(&tunable.name),
        }
    };
    let chosen =
        if only.is_empty() { usual } else { all.iter().filter(is_chosen).cloned().collect() };
    let left: Vec<Tunable> =
        chosen.into_iter().filter(|tunable| !is_named(freeze, &tunable.name)).collect();
    if left.is_empty() {
        return Err(WrongUse("--only and --freeze leave nothing to tune".to_string()).into());
    }
    Ok(left)
}

/// The names that `only` does not name, unless it is empty, or `freeze` does; words as in [`select`].
///
/// # Errors
/// As [`select`].
pub fn held_back(
    names: Vec<String>,
    only: &[String],
    freeze: &[String],
) -> anyhow::Result<HashSet<String>> {
    for word in only.iter().chain(freeze) {
        if !names.iter().any(|name| is_below(name, word)) {
            return Err(WrongUse(format!("no number that can be tuned is called {word:?}")).into());
        }
    }
    let is_named = |words: &[String], name: &str| words.iter().any(|word| is_below(name, word));
    let is_held =
        |name: &String| !(only.is_empty() || is_named(only, name)) || is_named(freeze, name);
    let count = names.len();
    let held: HashSet<String> = names.into_iter().filter(is_held).collect();
    if held.len() == count {
        return Err(WrongUse("--only and --freeze leave nothing to tune".to_string()).into());
    }
    Ok(held)
}

/// Whether a word names this number or a group that it belongs to.
fn is_below(name: &str, word: &str) -> bool {
    name.strip_prefix(word)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || rest.starts_with('['))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(only: &[&str], freeze: &[&str]) -> anyhow::Result<Vec<String>> {
        let start = &chess::GAME.embedded();
        let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
        let chosen = select(margins(start), &all(start), &words(only), &words(freeze))?;
        Ok(chosen.into_iter().map(|tunable| tunable.name).collect())
    }

    #[test]
    fn numbers_are_selected_by_name_and_by_group() {
        let usual = names(&[], &[]).expect("some");
        assert!(usual.len() > 50 && usual.contains(&"futility.base".to_string()));
        assert!(!usual.iter().any(|name| name.ends_with("enabled") || name.starts_with("time")));
        // A switched-off technique is tuned by its name alone.
        assert!(!usual.contains(&"inherited_line.depth_min".to_string()));
        assert_eq!(names(&["inherited_line"], &[]).expect("one"), ["inherited_line.depth_min"]);
        let futility = names(&["futility"], &["futility.base"]).expect("some");
        assert_eq!(futility, ["futility.depth_max", "futility.margin"]);
        assert_eq!(names(&["null_move.enabled"], &[]).expect("one").len(), 1);
        assert_eq!(names(&["pawns.isolated[0]"], &[]).expect("both halves").len(), 2);
        // A word is a whole name, not its beginning.
        assert!(names(&["futil"], &[]).is_err());
        assert!(names(&["futility"], &["futility"]).is_err());
    }
}
