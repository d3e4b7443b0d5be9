//! The players before the first game: names, logs, whether they start.

use std::collections::BTreeSet;

use super::folder::JournalContestant;
use super::{Competition, RunError, Workers};
use crate::openings::Book;
use crate::player::{
    Contestant, EngineIdentity, GameStart, Loaded, SearchLimit, Source, UciEngine, compare,
    try_limits,
};

/// Adds its role to the name of each player that shares it with one behind.
pub(super) fn make_names_distinct<C: Competition>(players: &mut [Loaded]) {
    for index in 0..players.len() {
        let name = players[index].identity.name.clone();
        let is_shared = players.iter().skip(index + 1).any(|other| other.identity.name == name);
        if is_shared {
            players[index].identity.name = format!("{name} ({})", C::role(index));
        }
    }
}

/// Has sets of numbers play equally fast, where several meet in this process by time: none is to win for
/// being that of the build.
pub(super) fn make_sets_equal<'a>(
    players: &mut [Loaded],
    contestants: impl IntoIterator<Item = &'a Contestant>,
) {
    let is_timed = contestants.into_iter().any(|it| it.limits.is_timed());
    let mut sets = players.iter().filter_map(Loaded::numbers);
    let first = sets.next();
    if is_timed && sets.any(|set| Some(set) != first) {
        players.iter_mut().for_each(|player| player.constants = false);
    }
}

/// Has the lines of all players logged, if they shall be.
pub(super) fn log_lines(players: &mut [Loaded], workers: &Workers) {
    if let Some(log) = &workers.log {
        players.iter_mut().for_each(|player| player.log_lines(log));
    }
}

/// Starts each player once, and a game: a program that is missing, refuses an option or does not
/// play Chess960 ends the run before it begins, instead of costing every game. So does one that does
/// not keep these limits of its moves, if they are to be tried. The processes are not those of the
/// games, which know nothing of it. An option that an engine does not have is refused, unless it is
/// allowed. Returns which engines they are, and what the user ought to know.
pub(super) fn check_start<'a>(
    players: &[Loaded],
    contestants: impl Iterator<Item = &'a Contestant>,
    workers: &Workers,
    openings: &Book,
) -> Result<(Vec<Option<EngineIdentity>>, Vec<String>), RunError> {
    let mut engines = Vec::new();
    let mut remarks = Vec::new();
    let mut lacking = Vec::new();
    let mut faults = Vec::new();
    let mut heedless = Vec::new();
    let opening = openings.opening(0).expect("no book is empty");
    for (loaded, contestant) in players.iter().zip(contestants) {
        let files = loaded.named_files();
        let mut player = loaded.player();
        let name = &loaded.identity.name;
        if let Err(fault) = player.new_game(&GameStart::fresh(&opening.position)) {
            faults.push((name.clone(), fault));
            continue;
        }
        for option in player.unknown_options() {
            if workers.allows_unknown_options || is_table_of_all(&option, contestant) {
                remarks.push(format!("{name} has no option {option}"));
            } else {
                lacking.push((name.clone(), option));
            }
        }
        remarks.extend(player.option_remarks().iter().map(|it| format!("{name}: {it}")));
        let limits = match workers.tries_limits {
            true => SearchLimit::to_try(&contestant.limits),
            false => Vec::new(),
        };
        match try_limits(player.as_mut(), &limits) {
            Ok(noticed) => remarks.extend(noticed.iter().map(|it| format!("{name}: {it}"))),
            Err(trial) => heedless.push((name.clone(), trial)),
        }
        let engine = loaded.engine(player, &files);
        let written = engine.iter().flat_map(EngineIdentity::written);
        remarks.extend(written.map(|file| format!("{name}: {}", words_of_written(file))));
        engines.push(engine);
    }
    if !faults.is_empty() {
        return Err(RunError::Start(faults));
    }
    if !lacking.is_empty() {
        return Err(RunError::UnknownOptions(lacking));
    }
    match heedless.is_empty() {
        true => Ok((engines, remarks)),
        false => Err(RunError::Heedless(heedless)),
    }
}

/// The remark about a file that an engine writes.
pub(super) fn words_of_written(file: &str) -> String {
    format!("the engine is told of {file} and writes it: whether that changes is not looked at")
}

/// Checks that the players of a run that goes on are the engines that it was begun with, whose named
/// files these were written while games were played. Returns what the user ought to know.
///
/// # Errors
/// One is another and may not be; one does not start.
pub(super) fn check_engines(
    entries: &[JournalContestant],
    written: &BTreeSet<String>,
    players: &[Loaded],
    workers: &Workers,
    openings: &Book,
) -> Result<Vec<String>, RunError> {
    let contestants = entries.iter().map(|entry| &entry.contestant);
    // Missing options were told when the run began.
    let once = Workers { tries_limits: false, allows_unknown_options: true, ..workers.clone() };
    let (engines, _) = check_start(players, contestants, &once, openings)?;
    let mut remarks = Vec::new();
    for (entry, engine) in entries.iter().zip(&engines) {
        let name = &entry.identity.name;
        let then = entry.engine.clone().map(|then| then.having_written(written));
        match compare(engine.as_ref(), then.as_ref(), workers.allows_changes) {
            Ok(remark) => remarks.extend(remark.map(|remark| format!("{name}: {remark}"))),
            Err(changed) => {
                return Err(RunError::ChangedEngine { player: name.clone(), changed });
            }
        }
    }
    Ok(remarks)
}

/// True if this missing option is the size of the table, which `--hash` asks of all players and no
/// option of this one: some engines have no table.
fn is_table_of_all(option: &str, contestant: &Contestant) -> bool {
    let is_own = match &contestant.source {
        Source::Uci(engine) => engine.options.keys().any(|name| name.eq_ignore_ascii_case("hash")),
        _ => false,
    };
    !is_own && option.starts_with("\"Hash\"")
}

/// The remark on players that meet and differ in nothing but their names. Chance differs from itself.
pub(super) fn remark_on_same_players(
    players: &[Loaded],
    contestants: &[Contestant],
    pairings: &[[usize; 2]],
) -> Vec<String> {
    let plays_as = |one: usize, other: usize| {
        let [first, second] = [&contestants[one], &contestants[other]];
        let are_same = match (&first.source, &second.source) {
            (Source::Parameters { .. }, Source::Parameters { .. }) => true,
            (Source::Uci(engine), Source::Uci(theirs)) => {
                // The file itself is in the fingerprint.
                *engine == UciEngine { command: engine.command.clone(), ..theirs.clone() }
            }
            _ => false,
        };
        are_same
            && players[one].identity.fingerprint == players[other].identity.fingerprint
            && (first.limits, first.hash) == (second.limits, second.hash)
    };
    let same = pairings.iter().filter(|&&[one, other]| plays_as(one, other));
    let name = |player: usize| &players[player].identity.name;
    same.map(|&[one, other]| {
        format!(
            "{} and {} are the same program with the same options and limits: what games find between \
             them is chance",
            name(one),
            name(other)
        )
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::MoveLimits;

    #[test]
    fn no_set_is_of_constants_where_several_meet_by_time() {
        let constants = |players: &[&[&str]]| {
            let parse = |words: &&[&str]| {
                let words: Vec<String> = words.iter().map(ToString::to_string).collect();
                let limits = MoveLimits { nodes: Some(100), ..MoveLimits::default() };
                Contestant::parse(&words, limits, None).expect("a player")
            };
            let contestants: Vec<Contestant> = players.iter().map(parse).collect();
            let load = |contestant: &Contestant| contestant.load(chess::GAME).expect("its numbers");
            let mut loaded: Vec<Loaded> = contestants.iter().map(load).collect();
            make_sets_equal(&mut loaded, &contestants);
            loaded.iter().map(|player| player.constants).collect::<Vec<bool>>()
        };
        let (own, other) = ("embedded", "futility.margin=77");
        assert_eq!(constants(&[&[own], &[own, other]]), [true, true], "nodes are no time");
        assert_eq!(constants(&[&[own, "tc=1"], &[own, other, "tc=1"]]), [false, false]);
        assert_eq!(constants(&[&[own, "tc=1"], &[own, "tc=2"]]), [true, true], "one set");
        assert_eq!(constants(&[&[own, "tc=1"], &["random"]]), [true, true], "one set");
    }
}
