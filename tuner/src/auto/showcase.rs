//! Games of each champion against the start, to show what was gained. They decide nothing.

use std::time::Duration;

use system::budget::Budget;

use super::bounds;
use super::folder::Folder;
use super::generation::{Showcase, score_in_words};
use super::hours::Lap;
use super::page::{self, State};
use super::settings::Step;
use super::task::Task;
use super::testing::{Question, ask};

/// Part of what is left of the time for show that one champion has at most.
const PART: f64 = 0.5;

/// Shows all champions that were not shown yet, or not in all of the games, as long as there is time
/// `left` for show; without a budget there always is.
pub(super) fn show_champions(
    task: &Task,
    folder: &Folder,
    left: &mut Option<Duration>,
) -> anyhow::Result<()> {
    for (place, champion) in (1..).zip(folder.accepted()) {
        let number = champion.generation;
        let time = left.map(|left| left.mul_f64(PART));
        let is_shown = folder.showcase_of(number).is_some_and(|it| it.is_whole);
        if is_shown || time.is_some_and(|time| time < Duration::from_millis(100)) {
            continue;
        }
        let what = format!("champion {place} against the start");
        let hypotheses = bounds::of_gain(0.0, false);
        let question = Question {
            until: Budget::starting_now(time),
            ..Question::new(task, number, Step::Showcase, champion.file(), hypotheses)
        };
        let lap = Lap::start();
        let tested = ask(task, folder, &what, &question)?;
        *left = left.map(|left| left.saturating_sub(lap.elapsed()));
        let (nodes, counts) = (question.nodes, tested.result.counts);
        let showcase = Showcase { nodes, counts, is_whole: !tested.is_cut };
        folder.keep_showcase(number, &showcase)?;
        task.voice().step(format!("{what}: {}", score_in_words(&counts, &showcase.elo())));
        page::write(task.settings(), folder, &State::Running)?;
    }
    Ok(())
}
