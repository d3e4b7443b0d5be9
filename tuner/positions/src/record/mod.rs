//! Self-play at a node limit, recorded as whole games.
//!
//! A game is a function of the settings and its number alone, and games are written in the order of
//! their numbers: the store's bytes depend neither on the number of threads nor on how often the
//! recording was interrupted.

mod balance;
mod command;
mod play;
mod recording;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use anyhow::bail;
use command_line::useful_threads;
use matches::player::ALLOW_CHANGED_ENGINE;
use matches::playing::Adjudication;
use system::paint;
use system::threads::{self, CancelOnPanic};

use crate::store::{Game, Settings, Writer};
use play::{Openings, SelfPlay};

pub use balance::Balance;
pub use command::{RecordArguments, run};
pub use recording::{Goal, Recording};

/// How far a recording has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Games recorded, with those of earlier runs.
    pub games: u32,
    /// Positions in these games.
    pub positions: u64,
    /// Positions recorded by this run.
    pub new_positions: u64,
    /// Size of the store as far as it is written (bytes).
    pub bytes: u64,
}

/// Size of each player's hash table (megabytes): cleared for every game, so no larger than a few
/// thousand nodes a move can use.
const HASH_MEGABYTES: usize = 1;
/// Plies after which a game is a draw.
const MAX_PLIES: u32 = 400;

/// Records games until the goal is reached; calls `observe` at the start and after each game.
///
/// # Errors
/// On unusable openings, and if the store exists (without `resume`), is damaged, was made with
/// other settings, or cannot be written. All whole blocks stay, to be resumed from.
pub fn record(
    recording: &Recording,
    mut observe: impl FnMut(Progress),
) -> anyhow::Result<Progress> {
    let openings = Openings::load(recording)?;
    let settings = settings(recording, &openings);
    let mut writer = match recording.resume {
        true => Writer::resume(&recording.output, &settings)?,
        false => Writer::create(&recording.output, &settings)?,
    };
    let before = writer.plies();
    let progress = |writer: &Writer| Progress {
        games: writer.games(),
        positions: writer.plies(),
        new_positions: writer.plies() - before,
        bytes: writer.bytes(),
    };
    observe(progress(&writer));
    if !recording.goal.is_reached(writer.games(), writer.plies()) {
        check_last_game(&writer, recording, &settings, &openings)?;
        play_games(&mut writer, recording, &settings, &openings, |writer| {
            observe(progress(writer));
        })?;
    }
    writer.finish()?;
    Ok(progress(&writer))
}

fn settings(recording: &Recording, openings: &Openings) -> Settings {
    Settings {
        program: concat!("tuner ", env!("CARGO_PKG_VERSION")).to_owned(),
        parameters: recording.parameters.fingerprint(),
        seed: recording.seed,
        nodes: recording.nodes,
        hash: HASH_MEGABYTES,
        openings: openings.fingerprint().map(str::to_owned),
        random_plies: recording.random_plies,
        decided: recording.decided,
        adjudication: Adjudication::default(),
        max_plies: MAX_PLIES,
        block_plies: recording.block_plies,
    }
}

/// Plays the last game of a resumed store again: an engine that was changed meanwhile, under the
/// same version and parameters, would go on with other games than it would have recorded at once.
fn check_last_game(
    writer: &Writer,
    recording: &Recording,
    settings: &Settings,
    openings: &Openings,
) -> anyhow::Result<()> {
    let Some(last) = writer.last_game() else { return Ok(()) };
    let number = u64::from(writer.games()) - 1;
    let again = SelfPlay::new(recording.parameters.clone(), settings, openings)
        .play(number, &AtomicBool::new(false))?;
    if again.as_ref() == Some(last) {
        return Ok(());
    }
    let changed = format!(
        "{}: this engine does not play game {number} again as it is recorded: it was changed since",
        recording.output.display()
    );
    if recording.allows_changes {
        paint::tell_warning(changed);
        return Ok(());
    }
    bail!("{changed}; record to another file, or go on with both by {ALLOW_CHANGED_ENGINE}")
}

/// Plays games in parallel and adds them in their order until the goal is reached.
fn play_games(
    writer: &mut Writer,
    recording: &Recording,
    settings: &Settings,
    openings: &Openings,
    mut added: impl FnMut(&Writer),
) -> anyhow::Result<()> {
    let threads = useful_threads(recording.threads);
    let next = AtomicU64::new(u64::from(writer.games()));
    let end = match recording.goal {
        Goal::Games(games) => u64::from(games),
        Goal::Positions(_) => u64::from(u32::MAX),
    };
    let cancel = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, next, cancel) = (sender.clone(), &next, &cancel);
            let mut players = SelfPlay::new(recording.parameters.clone(), settings, openings);
            let started = threads::start_in(scope, "player", move || {
                let _guard = CancelOnPanic(cancel);
                while !cancel.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= end {
                        break;
                    }
                    let game = players.play(number, cancel).transpose();
                    // Nothing comes of a cancelled game, and nobody listens once all is recorded.
                    if game.is_none_or(|game| sender.send((number, game)).is_err()) {
                        break;
                    }
                }
            });
            if let Err(error) = started {
                cancel.store(true, Ordering::Relaxed);
                return Err(error.into());
            }
        }
        drop(sender);
        let added = add_in_order(writer, recording.goal, &receiver, &mut added);
        cancel.store(true, Ordering::Relaxed);
        added
    })
}

/// Adds games as they come in, each after the one before it, until the goal is reached.
fn add_in_order(
    writer: &mut Writer,
    goal: Goal,
    games: &mpsc::Receiver<(u64, anyhow::Result<Game>)>,
    added: &mut impl FnMut(&Writer),
) -> anyhow::Result<()> {
    let mut waiting = BTreeMap::new();
    for (number, game) in games {
        waiting.insert(number, game);
        while let Some(game) = waiting.remove(&u64::from(writer.games())) {
            writer.push(game?)?;
            added(writer);
            if goal.is_reached(writer.games(), writer.plies()) {
                return Ok(());
            }
        }
    }
    bail!("the games ended before there were enough of them")
}
