//! The step of a generation that fits margins: an accepted evaluation has moved what they should be.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Context;
use chess::Parameters;
use matches::game::MoveLimits;
use matches::player::{Contestant, Source};
use report::html::words::grouped;
use search_tuning::margins::{Finding, JudgeSettings, Listener, TuningSettings};
use serde::{Deserialize, Serialize};
use system::files;
use tunables::{self, TunedEngine};

use super::bounds;
use super::candidate::{FittedCandidate, worth_of};
use super::display::{ProgressDisplay, Voice};
use super::folder::{CANDIDATE, CHAMPION, JOURNAL};
use super::hours::Lap;
use super::ledger::RegretFall;
use super::pace::{Deadline, JUDGE_SHARE, REPLICATES};
use super::run::{Run, State};

/// The file of the fitted margins in the folder of their generation.
const OUTCOME: &str = "margins.json";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FittedMargins {
    pub positions: usize,
    pub rounds: usize,
    /// Change of the logarithm of the odds by a centipawn.
    pub k: f64,
    /// Their gain on other positions.
    pub regret_fall: RegretFall,
    /// Expected gain of each technique's margins (Elo).
    pub worth: BTreeMap<String, f64>,
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

impl Run {
    /// Fits the margins of a candidate from the champion: what was found when the rounds were over, or
    /// no other fits before the time for the test. None if the budget ended the first round.
    pub(super) fn fit_margins(&mut self, number: u32) -> anyhow::Result<Option<FittedCandidate>> {
        let folder = self.generation_folder(number);
        let (candidate, outcome) = (folder.join(CANDIDATE), folder.join(OUTCOME));
        // The candidate comes last: where it is, there is what came of it.
        if candidate.exists() && outcome.exists() {
            let found: FittedMargins = serde_json::from_str(&files::read_text(&outcome)?)
                .with_context(|| format!("{} was changed: remove it", outcome.display()))?;
            return Ok(Some(found.candidate()));
        }
        let choices = &self.settings.choices;
        let champion = self.folder.join(CHAMPION);
        let contestant = Contestant {
            name: "champion".to_string(),
            source: Source::Parameters { file: champion.clone(), changes: Vec::new() },
            limits: MoveLimits::default(),
            hash: None,
        };
        let tunables = tunables::margins(&Parameters::load(&champion)?);
        let job = TuningSettings {
            positions: self.sources(number),
            judge: JudgeSettings::new(contestant.clone(), JUDGE_SHARE * choices.nodes)?,
            subject: Arc::new(TunedEngine::new(contestant, tunables)?),
            journal: folder.join(JOURNAL),
            resume: true,
            allows_changes: self.allows_changes,
            judgements: folder.join("judgements.csv"),
            count: choices.margin_positions,
            nodes: choices.nodes,
            k: None,
            rounds: choices.margin_rounds,
            replicates: REPLICATES,
            seed: choices.seed,
            threads: self.threads,
        };
        let searches = 2 * choices.margin_rounds * choices.margin_positions;
        let lap = Lap::start();
        let mut watcher = Watcher {
            voice: &self.voice,
            planned: choices.margin_rounds,
            round: 0,
            deadline: self.margins_deadline(),
            searches: 0,
            known: 0,
            lap: Lap::start(),
            display: self.voice.begin("fit margins", Some(searches as u64), "searches"),
        };
        let tuned = job.run(&mut watcher)?;
        drop(watcher);
        self.hours.add(number, "margins", &lap)?;
        let Some(tuned) = tuned else {
            self.voice
                .step("the budget ended the fit of margins; the same command goes on with it");
            return Ok(None);
        };
        let mut findings: Vec<&Finding> = tuned.findings.iter().collect();
        findings.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        for finding in findings.iter().filter(|it| it.value != it.start).take(5) {
            self.voice.detail(format!("{}: {} -> {}", finding.name, finding.start, finding.value));
        }
        let comparison = tuned.comparison.expect("it was asked for");
        self.voice.detail(comparison);
        let found = FittedMargins {
            positions: choices.margin_positions,
            rounds: tuned.history.len(),
            k: tuned.k,
            regret_fall: RegretFall { gain: comparison.gain.mean, error: comparison.gain.error },
            worth: worth_of(tuned.findings.iter().map(|it| (it.name.as_str(), it.gain))),
        };
        let text = serde_json::to_string_pretty(&found)? + "\n";
        files::write_atomically(&outcome, |file| std::io::Write::write_all(file, text.as_bytes()))?;
        let parameters = job.subject.parameters(&tuned.values()).expect("they are our own");
        let text = parameters.to_toml_with_notes(&tuned.notes);
        files::write_atomically(&candidate, |file| {
            std::io::Write::write_all(file, text.as_bytes())
        })?;
        let fitted = found.candidate();
        self.voice.step(format!(
            "margins fitted to {} positions in {} of {} rounds, {:+.0} Elo expected",
            grouped(found.positions as u64),
            found.rounds,
            choices.margin_rounds,
            fitted.expected_elo
        ));
        self.write_page(State::Running)?;
        Ok(Some(fitted))
    }
}

/// Shows how a run goes on, and ends it while there is time for a test.
struct Watcher<'a> {
    voice: &'a Voice,
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

impl Listener for Watcher<'_> {
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
