//! `tuner auto`: the loop record, fit, test, accept or keep, export, generation by generation.
//!
//! A run is a `Task`: what is to be done, and by which means; a `Folder`: what was done so far; and an
//! `Attempt`: the generation in work.
//!
//! The state of a run is what lies in its folder: every step ends in a file written whole or in a
//! journal that can be appended to, so that a run killed at any moment goes on where it was, and
//! ends with the same bytes. Nothing in these files depends on time or threads but hours.csv, which
//! says how long each step took, and report.html, which shows it.

mod arguments;
mod asked;
mod attempt;
mod bounds;
mod display;
mod ending;
mod estimates;
mod files;
mod folder;
mod generation;
mod hours;
mod ledger;
mod margins;
mod opening;
mod pace;
mod page;
mod parts;
mod plan;
mod recording;
mod settings;
mod showcase;
mod steps;
mod task;
mod terms;
mod testing;

pub use arguments::AutoArguments;
pub use settings::Choices;

use std::time::Duration;

use display::spoken;
use estimates::Estimates;
use folder::Folder;
use generation::Generation;
use pace::Pace;
use page::State;
use showcase::show_champions;
use steps::Outcome;
use task::Task;

/// Share of the budget in which champions play the start for show.
const SHOW_SHARE: f64 = 0.05;

/// Runs `tuner auto`.
///
/// # Errors
/// When a step fails; what was finished stays and is found again by the next call.
pub fn run(arguments: &AutoArguments) -> anyhow::Result<()> {
    let (task, mut folder) = opening::open(arguments)?;
    let show_time = arguments.budget.map(|budget| budget.mul_f64(SHOW_SHARE));
    let ended = work(&task, &mut folder, show_time).and_then(|cut| {
        folder.write_state(cut.as_ref())?;
        Ok((cut, if arguments.no_export { None } else { ending::export(&folder, task.voice())? }))
    });
    match ended {
        Ok((cut, exported)) => {
            page::write(task.settings(), &folder, &State::Ended)?;
            ending::summarize(&folder, cut.as_ref(), exported.as_deref());
            Ok(())
        }
        Err(error) => {
            // The first error is the one to tell.
            let _ = page::write(task.settings(), &folder, &State::Failed(format!("{error:#}")));
            Err(error)
        }
    }
}

/// Does as many generations as there is time for; the one that the budget cut, if any.
fn work(
    task: &Task,
    folder: &mut Folder,
    mut show_time: Option<Duration>,
) -> anyhow::Result<Option<Generation>> {
    let pace = Pace::measured(&folder.champion()?, task.choices().nodes, task.threads());
    folder.hours().learn(Some(pace));
    let mut attempt = plan::next_attempt(task, folder);
    plan::show(task, folder, &attempt);
    show_champions(task, folder, &mut show_time)?;
    while attempt.number() <= task.generations() {
        if let Some((missing, what)) = Estimates::new(task, folder, &attempt).missing() {
            task.voice().step(format!("nothing begun: {what} need {} more", spoken(missing)));
            break;
        }
        match steps::finish(task, folder, &attempt)? {
            Outcome::Finished(generation) => folder.add(generation)?,
            Outcome::Cut(generation) => return Ok(generation),
        }
        folder.write_state(None)?;
        show_champions(task, folder, &mut show_time)?;
        attempt = plan::next_attempt(task, folder);
    }
    Ok(None)
}
