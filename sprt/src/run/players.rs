//! The players before the first game: names, logs, whether they start.

use super::{Competition, RunError, Workers};
use crate::openings::Book;
use crate::player::{GameStart, Loaded};

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
/// play Chess960 ends the run before it begins, instead of costing every game. Returns what their
/// user ought to know.
pub(super) fn check_start(players: &[Loaded], openings: &Book) -> Result<Vec<String>, RunError> {
    let mut remarks = Vec::new();
    let mut faults = Vec::new();
    let opening = openings.opening(0).expect("no book is empty");
    for loaded in players {
        let mut player = loaded.player();
        let name = &loaded.identity.name;
        if let Err(fault) = player.new_game(&GameStart::fresh(&opening.position)) {
            faults.push((name.clone(), fault));
        }
        let unknown = player.unknown_options();
        remarks.extend(unknown.iter().map(|option| format!("{name} has no option {option}")));
    }
    match faults.is_empty() {
        true => Ok(remarks),
        false => Err(RunError::Start(faults)),
    }
}
