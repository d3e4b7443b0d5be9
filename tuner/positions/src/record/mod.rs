//! Self-play at a node limit, recorded as whole games.
//!
//! A game is a function of the settings and its number alone, and games are written in the order of
//! their numbers: the store's bytes depend neither on the number of threads nor on how often the
//! recording was interrupted.

mod balance;
mod command;
mod play;
mod recording;

use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;

use anyhow::{bail, ensure};
use command_line::useful_threads;
use matches::player::ALLOW_CHANGED_ENGINE;
use matches::playing::Adjudication;
use system::paint;
use work::{Coordinator, Stop, Threads, Unit, in_order};

use crate::store::{Game, Settings, Writer};
use play::{Openings, RecordedGames, SelfPlay};

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
        game: recording.numbers.game(),
        program: concat!("tuner ", env!("CARGO_PKG_VERSION")).to_owned(),
        parameters: recording.numbers.fingerprint(),
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
    let again = SelfPlay::new(&recording.numbers, settings, openings)
        .play(number, &AtomicBool::new(false))?;
    if again == *last {
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
    added: impl FnMut(&Writer),
) -> anyhow::Result<()> {
    let end = match recording.goal {
        Goal::Games(games) => u64::from(games),
        Goal::Positions(_) => u64::from(u32::MAX),
    };
    let kind = RecordedGames { numbers: &recording.numbers, settings, openings };
    let numbers = u64::from(writer.games())..end;
    let mut adding = Adding { writer, goal: recording.goal, numbers, added };
    let threads = useful_threads(recording.threads);
    let stop = Threads::scope(&kind, threads, |threads| in_order(threads, &mut adding))??;
    ensure!(stop == Stop::Broken, "the games ended before there were enough of them");
    Ok(())
}

/// Adds games to a store until the goal is reached.
struct Adding<'w, F> {
    writer: &'w mut Writer,
    goal: Goal,
    /// Games not yet given out.
    numbers: Range<u64>,
    added: F,
}

impl<F: FnMut(&Writer)> Coordinator for Adding<'_, F> {
    type Order = ();
    type Answer = Game;
    type Error = anyhow::Error;

    fn next(&mut self) -> Option<Unit<()>> {
        self.numbers.next().map(|number| Unit { number, order: () })
    }

    fn take(&mut self, _: Unit<()>, game: Game) -> anyhow::Result<ControlFlow<()>> {
        self.writer.push(game)?;
        (self.added)(self.writer);
        Ok(match self.goal.is_reached(self.writer.games(), self.writer.plies()) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use work::{Faulty, Remote, UnitKind, answer_bytes};

    use super::*;

    #[test]
    fn a_faulty_transport_changes_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let numbers = chess::GAME.embedded();
        let recording = |name: &str| Recording {
            block_plies: 300,
            ..Recording::new(Goal::Games(9), 60, numbers.clone(), folder.path().join(name))
        };
        let expected = recording("threads.kgames");
        record(&expected, |_| ()).expect("recorded");

        let recording = recording("faulty.kgames");
        let openings = Openings::load(&recording).expect("none");
        let settings = settings(&recording, &openings);
        let kind =
            RecordedGames { numbers: &recording.numbers, settings: &settings, openings: &openings };
        let mut work = kind.worker(0);
        let transport = Faulty::new(random::draws(7, 0), |unit, order| {
            answer_bytes(&kind, &mut work, unit, order, &AtomicBool::new(false))
        });
        let mut remote = Remote::new(&kind, transport, Duration::from_millis(1));
        let mut writer = Writer::create(&recording.output, &settings).expect("new");
        let added = |_: &Writer| ();
        let mut adding = Adding { writer: &mut writer, goal: recording.goal, numbers: 0..9, added };
        assert_eq!(in_order(&mut remote, &mut adding).expect("all games"), Stop::Broken);
        writer.finish().expect("written");
        let bytes = |of: &Recording| std::fs::read(&of.output).expect("written");
        assert!(bytes(&recording) == bytes(&expected));
    }
}
