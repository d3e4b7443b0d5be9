//! The methods that can be switched in a parameter file: each switch of the search, and each group
//! of the evaluation that is not neutral already.

use parameters::{Declaration, Number, Table};
use playable::Numbers;

/// Groups without which the evaluation is none: all moves would be alike.
const KEPT: [&str; 2] = ["material", "closing"];
/// Groups of margins that matter by the clock alone.
const BY_CLOCK: &str = "time";
/// Weights whose neutral value is not nothing: a scale of 0 would call an ending a draw.
const SCALES: (&str, i32) = ("scale", 128);

/// A method that a parameter file has or has not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Method {
    /// The group's name, with that of the switch where it is not the group's own.
    pub name: String,
    /// Its meaning, in the words of the declaration.
    pub what: String,
    /// Whether the change puts it on; else it goes off.
    pub put_on: bool,
    /// The numbers that switch it, with their new values.
    pub changes: Vec<(String, i32)>,
    /// It matters by the clock alone: under a limit of nodes its games would be all alike.
    pub by_clock: bool,
}

/// Every method of a file, the search's first.
pub fn methods(numbers: &Numbers) -> Vec<Method> {
    let switches = numbers.declarations(numbers.search_table()).iter();
    let switches = switches.filter(|info| info.is_switch());
    let searches = switches.map(|info| of_switch(info, numbers));
    let weights = numbers.declarations(Table::Weights).chunk_by(|a, b| a.group == b.group);
    searches.chain(weights.filter_map(|group| of_weights(group, numbers))).collect()
}

/// A switch of the search, turned; where it lies behind a group's own switch that is off, both go on.
fn of_switch(info: &'static Declaration, numbers: &Numbers) -> Method {
    let is_own = info.name == "enabled";
    let value = |path: &str| numbers.get(path).ok();
    let path = switch_name(info);
    let turned = 1 - value(&path).unwrap_or_default();
    let own = format!("{}.enabled", info.group);
    let mut changes = Vec::new();
    if !is_own && value(&own) == Some(0) {
        changes.push((own, 1));
    }
    let put_on = turned == 1 || !changes.is_empty();
    changes.push((path.clone(), turned));
    Method {
        name: if is_own { info.group.to_owned() } else { path },
        what: if is_own { info.group_doc.to_owned() } else { sentence(info) },
        put_on,
        changes,
        by_clock: info.group.starts_with(BY_CLOCK),
    }
}

/// The name of a switch of the search that plays.
fn switch_name(info: &Declaration) -> String {
    format!("{}.{}", info.group, info.name)
}

/// The method that a name stands for: one of [`methods`], a switch of the search, or what part of the
/// evaluation has that name: a group, a term, a cell or row of halves, a single number. None if none
/// has it; one without changes says nothing in this file.
pub fn named(name: &str, numbers: &Numbers) -> Option<Method> {
    let switches = numbers.declarations(numbers.search_table()).iter();
    let mut switches = switches.filter(|info| info.is_switch());
    let own = |info: &Declaration| info.name == "enabled" && info.group == name;
    if let Some(info) = switches.find(|info| switch_name(info) == name || own(info)) {
        return Some(of_switch(info, numbers));
    }
    let parts = numbers.declarations(Table::Weights).iter().flat_map(Declaration::numbers);
    let parts: Vec<Number> = parts.filter(|number| is_part(number, name)).collect();
    let info = parts.first()?.declaration;
    Some(Method {
        name: name.to_owned(),
        what: if info.group == name { info.group_doc.to_owned() } else { sentence(info) },
        put_on: false,
        changes: to_nothing(parts.into_iter(), numbers),
        by_clock: false,
    })
}

/// Whether a number has this name or is a part of what has it.
fn is_part(number: &Number, name: &str) -> bool {
    let info = number.declaration;
    let path = info.path();
    let half = number.half.map_or_else(String::new, |half| format!(".{}", half.name()));
    [info.group, &path, &format!("{path}[{}]", number.index), &format!("{path}{half}")]
        .contains(&name)
        || number.name() == name
}

/// Group and switch in words.
fn sentence(info: &Declaration) -> String {
    let group = info.group_doc.split(':').next().unwrap_or_default();
    format!("{}: {}", group.trim_end_matches('.'), info.doc)
}

/// A group of weights, set to nothing; none if it says nothing already.
fn of_weights(group: &'static [Declaration], numbers: &Numbers) -> Option<Method> {
    let info = &group[0];
    if KEPT.contains(&info.group) {
        return None;
    }
    let changes = to_nothing(group.iter().flat_map(Declaration::numbers), numbers);
    (!changes.is_empty()).then(|| Method {
        name: info.group.to_owned(),
        what: info.group_doc.to_owned(),
        put_on: false,
        changes,
        by_clock: false,
    })
}

/// The numbers that say something, each with the value with which it says nothing.
fn to_nothing(parts: impl Iterator<Item = Number>, numbers: &Numbers) -> Vec<(String, i32)> {
    let change = |number: Number| {
        let nothing = nothing_of(number.declaration.group, &number);
        (numbers.value(&number) != nothing).then(|| (number.name(), nothing))
    };
    parts.filter_map(change).collect()
}

/// The value with which a weight says nothing, or the nearest in its range.
fn nothing_of(group: &str, number: &Number) -> i32 {
    let (low, high) = number.range();
    let neutral = if group == SCALES.0 { SCALES.1 } else { 0 };
    neutral.clamp(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Method {
        super::named(name, &chess::GAME.embedded()).unwrap_or_else(|| panic!("{name}"))
    }

    fn zero() -> Numbers {
        chess::GAME.open_numbers("zero".as_ref()).expect("a file").0
    }

    #[test]
    fn a_name_stands_for_what_is_declared_under_it() {
        for method in methods(&chess::GAME.embedded()) {
            assert_eq!(named(&method.name), method);
        }
        let pair = named("material.bishop_pair");
        let names: Vec<&str> = pair.changes.iter().map(|(name, _)| name.as_str()).collect();
        let halves = ["material.bishop_pair.middlegame", "material.bishop_pair.endgame"];
        assert_eq!(names, halves);
        assert_eq!(named(halves[1]).changes, [(halves[1].to_owned(), 0)]);
        let king = named("squares.king.middlegame").changes;
        assert!(king.len() > 20 && king.iter().all(|(name, _)| name.ends_with("].middlegame")));
        assert!(named("squares.king[3]").changes.len() <= 2);
        assert!(named("material").changes.len() > 8, "kept only where nobody asks for it");
        assert_eq!(named("null_move.enabled"), named("null_move"));
        for unknown in ["material.bishop", "futility.margin", "", "material.bishop_pair.early"] {
            let found = super::named(unknown, &chess::GAME.embedded());
            assert_eq!(found.is_some(), unknown == "material.bishop", "{unknown}");
        }
        assert!(super::named("mobility", &zero()).expect("it is").changes.is_empty());
    }

    #[test]
    fn what_is_on_goes_off_and_what_is_off_goes_on() {
        let null_move = named("null_move");
        assert!(!null_move.put_on);
        assert_eq!(null_move.changes, [("null_move.enabled".to_owned(), 0)]);
        let inherited = named("inherited_line");
        assert!(inherited.put_on);
        assert_eq!(inherited.changes, [("inherited_line.enabled".to_owned(), 1)]);
        // The search of the textbook has other switches, by the same kind of names.
        let power = chess::GAME.open_numbers("power".as_ref()).expect("a file").0;
        assert!(super::named("lmr_research", &power).is_none());
        let behind = super::named("mtd.bisects", &power).expect("a switch");
        let both = [("mtd.enabled".to_owned(), 1), ("mtd.bisects".to_owned(), 1)];
        assert_eq!((behind.put_on, &behind.changes[..]), (true, &both[..]));
        assert!(named("time_stability").by_clock && !null_move.by_clock);
    }

    #[test]
    fn groups_of_weights_are_set_to_nothing_and_material_is_kept() {
        let mobility = named("mobility");
        assert!(mobility.changes.iter().all(|(_, value)| *value == 0));
        assert!(mobility.changes.len() > 100, "{} numbers", mobility.changes.len());
        let all = methods(&chess::GAME.embedded());
        assert!(KEPT.iter().all(|kept| all.iter().all(|method| method.name != *kept)));
        let mut names: Vec<&str> = all.iter().map(|method| method.name.as_str()).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "each name once");
    }
}
