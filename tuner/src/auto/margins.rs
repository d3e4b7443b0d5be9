//! The step of a generation that fits margins: an accepted evaluation has moved what they should be.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Context;
use matches::game::MoveLimits;
use matches::player::{Contestant, Source};
use report::html::words::grouped;
use search_tuning::margins::{Finding, JudgeSettings, Listener, Tuned, TuningSettings};
use serde::{Deserialize, Serialize};
use system::files;
use tunables::{self, TunedEngine};

use super::attempt::{Attempt, FittedCandidate, worth_of};
use super::bounds;
use super::display::{ProgressDisplay, Voice};
use super::estimates::Estimates;
use super::files::{CANDIDATE, CHAMPION, JOURNAL, write_json, write_text};
use super::folder::Folder;
use super::generation::RegretFall;
use super::hours::Lap;
use super::pace::{Deadline, JUDGE_SHARE, REPLICATES};
use super::task::Task;

/// The file of the fitted margins in the folder of their generation.
const OUTCOME: &str = "margins.json";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FittedMargins {
    positions: usize,
    rounds: usize,
    /// K of the expected score, see [`fit_k`](positions::logistic::fit_k).
    k: f64,
    /// Their gain on other positions.
    regret_fall: RegretFall,
    /// Expected gain of each technique's margins (Elo).
    worth: BTreeMap<String, f64>,
}

impl FittedMargins {
    fn candidate(&self) -> FittedCandidate {
        FittedCandidate {
            positions: self.positions,
            k: self.k,
            errors: None,
            regret_fall: Some(self.regret_fall),
            expected_elo: bounds::gain_of_margins(self.regret_fall.gain),
            worth: self.worth.clone(),
        }
    }
}

/// Fits the margins of a candidate from the champion: what was found when the rounds were over, or no
/// other fits before the time for the test. None if the budget ended the first round.
pub(super) fn fit_margins(
    task: &Task,
    folder: &Folder,
    attempt: &Attempt,
) -> anyhow::Result<Option<FittedCandidate>> {
    let outcome = attempt.file(OUTCOME);
    // The candidate comes last: where it is, there is what came of it.
    if attempt.has(CANDIDATE) && outcome.exists() {
        let found: FittedMargins = serde_json::from_str(&files::read_text(&outcome)?)
            .with_context(|| format!("{} was changed: remove it", outcome.display()))?;
        return Ok(Some(found.candidate()));
    }
    let (voice, choices) = (task.voice(), task.choices());
    let job = job_of(task, folder, attempt)?;
    let searches = 2 * choices.margin_rounds * choices.margin_positions;
    let lap = Lap::start();
    let mut watcher = Watcher {
        voice,
        planned: choices.margin_rounds,
        round: 0,
        deadline: Estimates::new(task, folder, attempt).margins_deadline(),
        searches: 0,
        known: 0,
        lap: Lap::start(),
        display: voice.begin("fit margins", Some(searches as u64), "searches"),
    };
    let tuned = job.run(&mut watcher)?;
    drop(watcher);
    folder.hours().add(attempt.number(), "margins", &lap)?;
    let Some(tuned) = tuned else {
        voice.step("the budget ended the fit of margins; the same command goes on with it");
        return Ok(None);
    };
    tell_findings(voice, &tuned);
    let gain = tuned.comparison.expect("it was asked for").gain;
    let found = FittedMargins {
        positions: choices.margin_positions,
        rounds: tuned.history.len(),
        k: tuned.k,
        regret_fall: RegretFall { gain: gain.mean, error: gain.error },
        worth: worth_of(tuned.findings.iter().map(|it| (it.name.as_str(), it.gain))),
    };
    write_json(&outcome, &found)?;
    let numbers = job.subject.numbers(&tuned.values()).expect("they are our own");
    write_text(&attempt.file(CANDIDATE), &numbers.to_toml_with_notes(&tuned.notes))?;
    let fitted = found.candidate();
    voice.step(format!(
        "margins fitted to {} positions in {} of {} rounds, {:+.0} Elo expected",
        grouped(found.positions as u64),
        found.rounds,
        choices.margin_rounds,
        fitted.expected_elo
    ));
    Ok(Some(fitted))
}

/// The fit of the champion's margins to all positions so far.
fn job_of(task: &Task, folder: &Folder, attempt: &Attempt) -> anyhow::Result<TuningSettings> {
    let choices = task.choices();
    let contestant = Contestant {
        name: "champion".to_string(),
        source: Source::Parameters { file: folder.file(CHAMPION), changes: Vec::new() },
        limits: MoveLimits::default(),
        hash: None,
    };
    let tunables = tunables::margins(&folder.champion()?);
    Ok(TuningSettings {
        positions: attempt.sources(),
        judge: JudgeSettings::new(folder.game(), contestant.clone(), JUDGE_SHARE * choices.nodes)?,
        subject: Arc::new(TunedEngine::new(folder.game(), contestant, tunables)?),
        journal: attempt.file(JOURNAL),
        resume: true,
        allows_changes: task.allows_changes(),
        judgements: attempt.file("judgements.csv"),
        count: choices.margin_positions,
        nodes: choices.nodes,
        k: None,
        rounds: choices.margin_rounds,
        replicates: REPLICATES,
        seed: choices.seed,
        threads: task.threads(),
    })
}

/// Says which margins moved by what is worth most, and what all of them are worth.
fn tell_findings(voice: Voice, tuned: &Tuned) {
    let mut findings: Vec<&Finding> = tuned.findings.iter().collect();
    findings.sort_by(|a, b| b.gain.total_cmp(&a.gain));
    for finding in findings.iter().filter(|it| it.value != it.start).take(5) {
        voice.detail(format!("{}: {} -> {}", finding.name, finding.start, finding.value));
    }
    tuned.comparison.iter().for_each(|comparison| voice.detail(comparison));
}

/// Shows how a run goes on, and ends it while there is time for a test.
struct Watcher {
    voice: Voice,
    planned: usize,
    /// The round that goes on, from 0.
    round: usize,
    deadline: Deadline,
    /// Searches of this process, and judgements that were there before.
    searches: usize,
    known: usize,
    /// When the searches of this process began.
    lap: Lap,
    display: ProgressDisplay,
}

impl Listener for Watcher {
    fn began(&mut self, text: &str) {
        self.voice.detail(text);
        // Reading the positions is no part of the searches.
        self.lap = Lap::start();
    }

    fn searched(&mut self, round: usize, searches: usize, fresh: usize, judgements: usize) {
        self.round = round;
        if self.searches + fresh == 0 {
            self.known = judgements;
            self.lap = Lap::start();
        }
        self.searches += fresh;
        self.deadline.learn(self.searches, judgements - self.known, self.lap.elapsed());
        self.display.advance(searches as u64, || {
            format!("round {} of {}, {judgements} judgements", round + 1, self.planned)
        });
    }

    fn round_ended(&mut self, _round: usize, _findings: &[Finding]) {}

    fn may_begin(&self) -> bool {
        self.deadline.allows_round(self.round + 1)
    }

    fn is_interrupted(&self) -> bool {
        self.deadline.is_near()
    }
}
