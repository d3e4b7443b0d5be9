//! How a run begins, or goes on from what its folder holds.

use command_line::WrongUse;
use matches::player::EngineIdentity;
use report::html::words::count_of;
use system::budget::Budget;

use super::arguments::AutoArguments;
use super::asked;
use super::display::Voice;
use super::files::{PAGE, SETTINGS};
use super::folder::Folder;
use super::page::{self, State};
use super::settings::Settings;
use super::task::Task;

/// Begins a run in the folder, or goes on with the one that is there.
pub(super) fn open(arguments: &AutoArguments) -> anyhow::Result<(Task, Folder)> {
    let voice = Voice::new(arguments.verbose);
    let budget = Budget::starting_now(arguments.budget);
    asked::check_options(arguments)?;
    let path = &arguments.output;
    let (settings, folder) = match (Settings::load(path)?, arguments.resume) {
        (Some(begun), true) => {
            asked::refuse_others(arguments, &begun)?;
            let place = path.join(SETTINGS);
            voice.step(format!("the run goes on as it was begun, see {}", place.display()));
            let folder = Folder::open(path, begun.game)?;
            (begun, folder)
        }
        (Some(begun), false) => {
            let (settings, _) = asked::settings_of(arguments, Some(&begun))?;
            settings.check_same(&begun, path)?;
            let folder = Folder::open(path, settings.game)?;
            (settings, folder)
        }
        (None, false) => {
            let (settings, start) = asked::settings_of(arguments, None)?;
            let folder = Folder::begin(path, &settings, &start)?;
            (settings, folder)
        }
        (None, true) => {
            let message = format!("--resume: {} holds no run", path.display());
            return Err(WrongUse(message).into());
        }
    };
    if settings.sample.is_none() {
        voice.step("no sample of positions: the first generation records games of its own");
    }
    let task = Task::new(arguments, settings, budget, voice);
    folder.check_files(task.settings())?;
    check_engine(&folder, task.allows_changes())?;
    say_what_begins(&task, &folder);
    folder.write_state(None)?;
    page::write(task.settings(), &folder, &State::Running)?;
    Ok((task, folder))
}

/// Checks that the engine is the one that the run was begun with, if it may not be another.
fn check_engine(folder: &Folder, allows_changes: bool) -> anyhow::Result<()> {
    let now = EngineIdentity::of_numbers(&folder.start()?);
    let then = Settings::load(folder.path())?.and_then(|begun| begun.engine);
    let what = folder.path().display();
    command_line::check_engine(&what, Some(&now), then.as_ref(), allows_changes)
}

fn say_what_begins(task: &Task, folder: &Folder) {
    let (voice, settings) = (task.voice(), task.settings());
    let (start, threads) = (settings.start_name(), count_of(task.threads() as u64, "thread"));
    voice.step(format!("from {start} on {threads}; the page is {}", folder.file(PAGE).display()));
    voice.detail(format!(
        "repeat with: {} (seed {}, start {})",
        command_line::invocation(),
        settings.choices.seed,
        settings.start,
    ));
}
