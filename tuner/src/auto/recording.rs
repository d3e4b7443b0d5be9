//! The step of a generation that records games: of the champion against itself.

use positions::record::{Goal, Recording, record as record_until};
use report::html::words::grouped;

use super::attempt::Attempt;
use super::estimates::Estimates;
use super::files::{CANDIDATE, GAMES};
use super::folder::Folder;
use super::hours::Lap;
use super::pace::Pace;
use super::settings::Step;
use super::task::Task;

/// Games recorded between two looks at a budget.
const RECORD_STEP: u32 = 100;

/// Records the games that a generation adds, if it does; false when the budget ended it.
pub(super) fn record(task: &Task, folder: &Folder, attempt: &Attempt) -> anyhow::Result<bool> {
    let (wanted, nodes) = (attempt.games(), task.choices().record_nodes);
    // The candidate is fitted to all games, so that where it is they are complete.
    if wanted == 0 || attempt.has(CANDIDATE) {
        return Ok(true);
    }
    let (goal, champion) = (Goal::Games(wanted), folder.champion()?);
    let mut recording = Recording {
        seed: task.settings().seed_of(attempt.number(), Step::Record),
        threads: task.threads(),
        resume: attempt.has(GAMES),
        allows_changes: task.allows_changes(),
        ..Recording::new(goal, nodes, champion, attempt.file(GAMES))
    };
    let what = format!("record {wanted} games of the champion");
    let mut display = task.voice().begin(&what, Some(u64::from(wanted)), "games");
    let estimates = Estimates::new(task, folder, attempt);
    let fitting = estimates.fit();
    let lap = Lap::start();
    let mut earlier = None;
    let mut games = if task.budget().is_limited() { 0 } else { wanted };
    let progress = loop {
        // A store grows to the same bytes in any number of goes; between them is time to look
        // at the clock.
        games = wanted.min(games.saturating_add(RECORD_STEP));
        recording.goal = Goal::Games(games);
        let progress = record_until(&recording, |progress| {
            earlier.get_or_insert(progress.games);
            let positions = progress.positions;
            display.show(u64::from(progress.games), || format!("{positions} positions"));
        })?;
        recording.resume = true;
        games = games.max(progress.games);
        if progress.games >= wanted || !estimates.allows(fitting) {
            break progress;
        }
    };
    drop(display);
    let new = progress.games - earlier.unwrap_or(0);
    folder.hours().learn(Pace::of_games(lap.elapsed(), u64::from(new), nodes));
    if new > 0 {
        folder.hours().add(attempt.number(), &Step::Record.name(), &lap)?;
    }
    let [games, positions] = [u64::from(progress.games), progress.positions].map(grouped);
    task.voice().step(format!("{games} games of the champion recorded, {positions} positions"));
    let is_complete = progress.games >= wanted;
    if !is_complete {
        task.voice().step("the budget ended the recording; the same command goes on with it");
    }
    Ok(is_complete)
}
