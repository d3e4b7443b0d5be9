//! The players before the first game: names, logs, whether they start.

use std::time::Duration;

use super::{Competition, RunError, Workers};
use crate::game::MoveLimits;
use crate::openings::Book;
use crate::player::{GameStart, Keeping, LimitTrial, Loaded, Player, SearchLimit};

/// How long a search may take that shows whether a limit is kept: none takes that long but on a
/// very slow engine, or on one that does not know the limit.
const TRIAL: Duration = Duration::from_secs(10);

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

/// Has a player searched with each limit; returns what is odd.
///
/// # Errors
/// It does not keep a limit at all: how it was tried.
fn try_limits(player: &mut dyn Player, limits: &[SearchLimit]) -> Result<Vec<String>, LimitTrial> {
    let mut noticed = Vec::new();
    for &limit in limits {
        let trial = match player.try_limit(limit, TRIAL) {
            Ok(Some(trial)) => trial,
            Ok(None) => return Ok(noticed),
            // What it does wrong in games is judged there.
            Err(fault) => {
                noticed.push(format!("`{limit}` could not be tried: {fault}"));
                return Ok(noticed);
            }
        };
        match trial.keeping() {
            Keeping::Kept => {}
            Keeping::Ignored => return Err(trial),
            Keeping::Exceeded => noticed.push(format!("{trial}: it keeps this limit roughly")),
            Keeping::Unknown => {
                noticed.push(format!("{trial}: whether it keeps this limit cannot be judged"));
            }
        }
    }
    Ok(noticed)
}
