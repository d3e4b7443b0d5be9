//! The players before the first game: names, logs, whether they start.

use super::folder::JournalContestant;
use super::{Competition, RunError, Workers};
use crate::game::MoveLimits;
use crate::openings::Book;
use crate::player::{
    Contestant, EngineIdentity, GameStart, Loaded, SearchLimit, compare, try_limits,
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
/// games, which know nothing of it. Returns which engines they are, and what the user ought to know.
pub(super) fn check_start(
    players: &[Loaded],
    limits: Option<Vec<MoveLimits>>,
    openings: &Book,
) -> Result<(Vec<Option<EngineIdentity>>, Vec<String>), RunError> {
    let mut engines = Vec::new();
    let mut remarks = Vec::new();
    let mut faults = Vec::new();
    let mut heedless = Vec::new();
    let opening = openings.opening(0).expect("no book is empty");
    for (index, loaded) in players.iter().enumerate() {
        let mut player = loaded.player();
        let name = &loaded.identity.name;
        if let Err(fault) = player.new_game(&GameStart::fresh(&opening.position)) {
            faults.push((name.clone(), fault));
            continue;
        }
        engines.push(loaded.engine(player.as_ref()));
        let unknown = player.unknown_options();
        remarks.extend(unknown.iter().map(|option| format!("{name} has no option {option}")));
        remarks.extend(player.option_remarks().iter().map(|it| format!("{name}: {it}")));
        let limits = limits.as_ref().map_or_else(Vec::new, |it| SearchLimit::to_try(&it[index]));
        match try_limits(player.as_mut(), &limits) {
            Ok(noticed) => remarks.extend(noticed.iter().map(|it| format!("{name}: {it}"))),
            Err(trial) => heedless.push((name.clone(), trial)),
        }
    }
    if !faults.is_empty() {
        return Err(RunError::Start(faults));
    }
    match heedless.is_empty() {
        true => Ok((engines, remarks)),
        false => Err(RunError::Heedless(heedless)),
    }
}

/// Checks that the players of a run that goes on are the engines that it was begun with. Returns what
/// the user ought to know.
///
/// # Errors
/// One is another and may not be; one does not start.
pub(super) fn check_engines(
    entries: &[JournalContestant],
    players: &[Loaded],
    workers: &Workers,
    openings: &Book,
) -> Result<Vec<String>, RunError> {
    let (engines, _) = check_start(players, None, openings)?;
    let mut remarks = Vec::new();
    for (entry, engine) in entries.iter().zip(&engines) {
        let name = &entry.identity.name;
        match compare(engine.as_ref(), entry.engine.as_ref(), workers.allows_changes) {
            Ok(remark) => remarks.extend(remark.map(|remark| format!("{name}: {remark}"))),
            Err(changed) => {
                return Err(RunError::ChangedEngine { player: name.clone(), changed });
            }
        }
    }
    Ok(remarks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_set_is_of_constants_where_several_meet_by_time() {
        let constants = |players: &[&[&str]]| {
            let parse = |words: &&[&str]| {
                let words: Vec<String> = words.iter().map(ToString::to_string).collect();
                let limits = MoveLimits { nodes: Some(100), ..MoveLimits::default() };
                Contestant::parse(&words, limits, None).expect("a player")
            };
            let contestants: Vec<Contestant> = players.iter().map(parse).collect();
            let load = |contestant: &Contestant| contestant.load().expect("its numbers");
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
