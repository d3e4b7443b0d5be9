//! The step of a generation that fits margins: an accepted evaluation has moved what they should be.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use engine::Parameters;
use serde::{Deserialize, Serialize};
use sprt::budget::Budget;
use sprt::files;
use sprt::game::MoveLimits;
use sprt::player::{Contestant, Source};

use super::bounds;
use super::display::ProgressDisplay;
use super::generation::{FittedCandidate, worth_of};
use super::hours::Lap;
use super::ledger::RegretFall;
use super::{CANDIDATE, CHAMPION, EXPORT_RESERVE, Run, TEST_RESERVE};
use crate::margins::{Finding, Job, JudgeSettings, Listener};
use crate::tunables::{self, Subject};

/// Nodes of the judge for each node of a choice.
const JUDGE_SHARE: u64 = 12;
/// Judgements that a position needs, as far as the time is planned by it.
const JUDGEMENTS: u64 = 3;
/// Plies of a game, as far as the time is planned by it.
const GAME_PLIES: u64 = 90;
/// Searches a position to compare start and result.
const REPLICATES: usize = 2;
/// What the run keeps of it in the folder of its generation.
const OUTCOME: &str = "margins.json";

/// What came of fitting margins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FittedMargins {
    /// Positions they were fitted to.
    pub positions: usize,
    /// What a centipawn changes in the logarithm of the odds.
    pub k: f64,
    /// What they gain on other positions.
    pub regret_fall: RegretFall,
    /// What each technique's margins are expected to gain (Elo).
    pub worth: BTreeMap<String, f64>,
}

impl FittedMargins {
    fn candidate(&self) -> FittedCandidate {
        FittedCandidate {
            positions: self.positions,
            k: self.k,
            errors: None,
            regret_fall: Some(self.regret_fall),
            expected_elo: bounds::gain_of_margins(&self.regret_fall),
            worth: self.worth.clone(),
        }
    }
}

impl Run {
    /// Fits the margins of a candidate from the champion; none if the budget ended it.
    pub(super) fn fit_margins(&mut self, number: u32) -> anyhow::Result<Option<FittedCandidate>> {
        let folder = self.generation_folder(number);
        let (candidate, outcome) = (folder.join(CANDIDATE), folder.join(OUTCOME));
        self.heading(number, "fit margins");
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
        let job = Job {
            positions: self.sources(number),
            judge: JudgeSettings::new(contestant.clone(), JUDGE_SHARE * choices.nodes)?,
            subject: Arc::new(Subject::new(contestant, tunables)?),
            journal: folder.join("margins.journal"),
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
        let mut watcher = Watcher {
            budget: self.budget,
            searches: Cell::new(0),
            display: ProgressDisplay::new(searches as u64, "searches"),
        };
        let lap = Lap::start();
        let tuned = job.run(&mut watcher)?;
        watcher.display.end();
        self.hours.add(number, "margins", &lap)?;
        let Some(tuned) = tuned else {
            eprintln!("  the budget ended the fit; --resume goes on with it");
            return Ok(None);
        };
        let mut findings: Vec<&Finding> = tuned.findings.iter().collect();
        findings.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        for finding in findings.iter().filter(|it| it.value != it.start).take(5) {
            eprintln!("  {}: {} -> {}", finding.name, finding.start, finding.value);
        }
        let comparison = tuned.comparison.expect("it was asked for");
        eprintln!("  {comparison}");
        let found = FittedMargins {
            positions: choices.margin_positions,
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
        Ok(Some(found.candidate()))
    }

    /// How long fitting margins takes, going by the games of the test before.
    pub(super) fn margins_time(&self) -> Duration {
        let choices = &self.settings.choices;
        let searches = 2 * choices.margin_rounds as u64 + 2 * REPLICATES as u64;
        // A quarter more for the positions that only fill the memory.
        let shares = searches * 5 / 4 + JUDGE_SHARE * JUDGEMENTS;
        let searched = choices.margin_positions as u64 * shares * choices.nodes;
        // A game costs so many nodes for each node of a move.
        self.pace.game_per_node * (searched / GAME_PLIES).min(u64::from(u32::MAX)) as u32
    }
}

/// Shows how a run goes on, and ends it when the budget does.
struct Watcher {
    budget: Budget,
    searches: Cell<u64>,
    display: ProgressDisplay,
}

impl Listener for Watcher {
    fn began(&mut self, text: &str) {
        eprintln!("  {text}");
    }

    fn searched(&mut self, round: usize, searches: usize, judgements: usize) {
        let done = self.searches.get() + searches as u64;
        self.searches.set(done);
        self.display.show(done, || format!("round {}, {judgements} judgements", round + 1));
    }

    fn round_ended(&mut self, _round: usize, _findings: &[Finding]) {}

    fn is_interrupted(&self) -> bool {
        !self.budget.allows(TEST_RESERVE + EXPORT_RESERVE)
    }
}
