//! The players before the first game: names, logs, whether they start.

use super::{Competition, RunError, Workers};
use crate::game::MoveLimits;
use crate::openings::Book;
use crate::player::{GameStart, Loaded, SearchLimit, try_limits};

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

/// Has the lines of all players logged, if they shall be.
pub(super) fn log_lines(players: &mut [Loaded], workers: &Workers) {
    if let Some(log) = &workers.log {
        players.iter_mut().for_each(|player| player.log_lines(log));
    }
}

/// Starts each player once, and a game: a program that is missing, refuses an option or does not
/// play Chess960 ends the run before it begins, instead of costing every game. So does one that does
/// not keep these limits of its moves, if they are to be tried. The processes are not those of the
/// games, which know nothing of it. Returns what the user ought to know.
pub(super) fn check_start(
    players: &[Loaded],
    limits: Option<Vec<MoveLimits>>,
    openings: &Book,
) -> Result<Vec<String>, RunError> {
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
        let unknown = player.unknown_options();
        remarks.extend(unknown.iter().map(|option| format!("{name} has no option {option}")));
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
        true => Ok(remarks),
        false => Err(RunError::Heedless(heedless)),
    }
}
