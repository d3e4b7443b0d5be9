//! The steps of one generation, in their order. Each begins by looking for what an earlier process has
//! finished.

use evaluation_tuning::fit;
use report::html::words::grouped;
use statistics::Verdict;
use system::files;

use super::attempt::{Attempt, FittedCandidate};
use super::bounds;
use super::folder::Folder;
use super::generation::{Fitted, Generation, TestResult};
use super::margins::fit_margins;
use super::page::{self, State};
use super::parts::bisect;
use super::recording::record;
use super::settings::{Step, sha256_of};
use super::task::Task;
use super::terms::fit_terms;
use super::testing::{self, Question, Tested};

/// The end of a generation in this process.
pub(super) enum Outcome {
    Finished(Generation),
    /// The budget ended one of its tests, or an earlier step; it can be gone on with.
    Cut(Option<Generation>),
}

/// Does a generation, or what is left of it.
pub(super) fn finish(task: &Task, folder: &Folder, attempt: &Attempt) -> anyhow::Result<Outcome> {
    files::create_folder(&folder.of_generation(attempt.number()))?;
    let fitted = match attempt.step() {
        Fitted::Margins => fit_margins(task, folder, attempt)?,
        Fitted::Terms if record(task, folder, attempt)? => Some(fit_terms(task, folder, attempt)?),
        Fitted::Terms => None,
    };
    let Some(fitted) = fitted else { return Ok(Outcome::Cut(None)) };
    page::write(task.settings(), folder, &State::Running)?;
    // A fit from nothing has another unit, so that parts of it do not go with the champion's.
    let has_parts = !task.choices().whole && !fit::says_nothing(&folder.champion()?);
    let hypotheses = bounds::of_gain(fitted.expected_elo, has_parts);
    let tested = testing::test(task, folder, attempt.number(), hypotheses)?;
    let mut generation = record_of(attempt, &fitted, hypotheses.elo1, tested.result);
    name_values(&mut generation, folder)?;
    task.voice().step(format_args!("{generation:#}"));
    task.voice().detail(generation.sentence());
    let is_accepted = generation.verdict == Verdict::Accepted;
    let mut is_cut = tested.is_cut;
    if !is_cut && !is_accepted && generation.counts.pairs() > 0 && has_parts {
        is_cut = bisect(task, folder, &mut generation, &fitted)?;
        if is_cut {
            generation.verdict = Verdict::Undecided;
        }
    }
    let is_checked = generation.verdict == Verdict::Accepted && task.settings().check_nodes > 0;
    if !is_cut && is_checked {
        is_cut = add_check(task, folder, &mut generation)?;
    }
    if is_cut {
        task.voice().step("the budget ended the test; the same command goes on with it");
        return Ok(Outcome::Cut(Some(generation)));
    }
    name_values(&mut generation, folder)?;
    if generation.verdict != Verdict::Accepted {
        task.voice().step("the champion stays");
    }
    if generation.has_even_games() {
        testing::keep_games(folder, &generation)?;
    }
    Ok(Outcome::Finished(generation))
}

/// The record of a generation after its fit and its test, but for its values.
fn record_of(
    attempt: &Attempt,
    fitted: &FittedCandidate,
    elo1: f64,
    test: TestResult,
) -> Generation {
    let (before, after) = fitted.errors.unzip();
    Generation {
        generation: attempt.number(),
        step: attempt.step(),
        positions: fitted.positions,
        k: fitted.k,
        before,
        after,
        regret_fall: fitted.regret_fall,
        expected_elo: fitted.expected_elo,
        elo1,
        counts: test.counts,
        log_likelihood_ratio: test.log_likelihood_ratio,
        elo: test.elo,
        tested: test.verdict,
        parts: Vec::new(),
        check: None,
        verdict: test.verdict,
        fingerprint: String::new(),
        sha256: String::new(),
    }
}

/// Says in the record of a generation which values were decided on.
fn name_values(generation: &mut Generation, folder: &Folder) -> anyhow::Result<()> {
    let file = folder.of_generation(generation.generation).join(generation.file());
    generation.fingerprint = folder.numbers(&file)?.fingerprint();
    generation.sha256 = sha256_of(&file)?;
    Ok(())
}

/// Checks an accepted candidate with more nodes, and takes its acceptance back if it is weaker
/// there; true if the budget ended that.
fn add_check(task: &Task, folder: &Folder, generation: &mut Generation) -> anyhow::Result<bool> {
    let (number, nodes) = (generation.generation, task.settings().check_nodes);
    let hypotheses = bounds::of_check();
    let question = Question::new(task, number, Step::Check, generation.file(), hypotheses);
    let what = format!("check at {nodes} nodes a move");
    let Tested { result: check, is_cut } = testing::ask(task, folder, &what, &question)?;
    task.voice().step(format_args!("at {} nodes {:#}", grouped(nodes), check.as_check()));
    if is_cut || check.verdict != Verdict::Accepted {
        generation.verdict = check.verdict;
    }
    generation.check = Some(check);
    Ok(is_cut)
}
