//! The step of a generation that fits the terms of the evaluation to all positions so far.

use command_line::thread_pool;
use evaluation_tuning::fit;
use evaluation_tuning::fit::page::{self, PageSources};
use evaluation_tuning::fit::report::Report;
use positions::{self, Filter};
use report::html::words::grouped;

use super::attempt::{Attempt, FittedCandidate, worth_of};
use super::bounds;
use super::estimates::Estimates;
use super::files::{CANDIDATE, read_json, write_text};
use super::folder::Folder;
use super::hours::Lap;
use super::task::Task;

/// Folder of the report in that of the generation.
const REPORT: &str = "fit";
/// Remark on a fit that took changes back.
const SELECTED: &str = "; --shrink chose what moved, so that intervals are too narrow";

/// Fits terms from the champion, or finds what was fitted.
pub(super) fn fit_terms(
    task: &Task,
    folder: &Folder,
    attempt: &Attempt,
) -> anyhow::Result<FittedCandidate> {
    // A fit is a function of its sources: where its report was lost, it is made again.
    let report = match read_json(&attempt.file(REPORT).join("report.json")) {
        Some(report) if attempt.has(CANDIDATE) => report,
        _ => make_candidate(task, folder, attempt)?,
    };
    let expected_elo = bounds::gain_of_terms(&report.before, &report.after);
    let fall = format!("{:.4} -> {:.4}", report.before.held_out, report.after.held_out);
    task.voice().step(format!(
        "terms fitted to {} positions of {} games, error on other games {fall}{}",
        grouped(report.training_positions as u64),
        grouped(report.training_games as u64),
        if report.shrink.is_some() { SELECTED } else { "" }
    ));
    task.voice().detail(format!("by the fall of the error {expected_elo:+.0} Elo are expected"));
    Ok(FittedCandidate {
        positions: report.training_positions,
        k: report.k,
        errors: Some((report.before, report.after)),
        regret_fall: None,
        expected_elo,
        worth: worth_of(report.changes.iter().map(|it| (it.name.as_str(), it.part))),
    })
}

/// Fits the candidate, and writes it and the report.
fn make_candidate(task: &Task, folder: &Folder, attempt: &Attempt) -> anyhow::Result<Report> {
    let (voice, choices) = (task.voice(), task.choices());
    let display = voice.begin("fit terms", None, "");
    let lap = Lap::start();
    let per_game = Estimates::new(task, folder, attempt).per_game();
    attempt.keep_per_game(per_game)?;
    let filter = Filter {
        per_game,
        lookahead: choices.lookahead,
        resolve: choices.resolve,
        sample_seed: choices.seed,
        ..Filter::default()
    };
    let champion = folder.champion()?;
    let found = positions::expand(&attempt.sources(), &filter, &champion, task.threads())?;
    found.counts.warn();
    let (games, positions) = (found.counts.games, found.samples.len());
    voice.detail(format!("{positions} positions of {games} games"));
    let fit = thread_pool(task.threads())?.install(|| {
        fit::fit(found.samples, &champion, &choices.fit, choices.seed, &mut |line| {
            voice.detail(line);
        })
    })?;
    let names: Vec<String> = attempt.origins().iter().map(|origin| origin.name.clone()).collect();
    let subject = PageSources {
        numbers: Some([&champion, &fit.numbers]),
        start_name: "the champion",
        sources: &names,
        repeat: &repeat_line(task, &folder.champion_source(), attempt, per_game),
    };
    page::write(&fit.report, &subject, &attempt.file(REPORT))?;
    // The candidate comes last: where it is, there is its report.
    let notes = fit.notes(&champion, "the champion", &names);
    write_text(&attempt.file(CANDIDATE), &fit.numbers.to_toml_with_notes(&notes))?;
    for change in fit.report.changes.iter().take(5) {
        voice.detail(format!("{}: {} -> {}", change.name, change.before, change.after));
    }
    drop(display);
    folder.hours().add(attempt.number(), "fit", &lap)?;
    Ok(fit.report)
}

/// The command that repeats a fit in the folder of the run.
fn repeat_line(task: &Task, start: &str, attempt: &Attempt, per_game: usize) -> String {
    let choices = task.choices();
    let words: Vec<&str> = attempt.origins().iter().map(|origin| origin.word.as_str()).collect();
    format!(
        "tuner fit --positions {} --start {start} --output {CANDIDATE} --per-game {per_game}{} \
         --lookahead {} --sample-seed {seed} --seed {seed}{}",
        words.join(" "),
        if choices.resolve { " --resolve" } else { "" },
        choices.lookahead,
        choices.fit.to_options(),
        seed = choices.seed,
    )
}
