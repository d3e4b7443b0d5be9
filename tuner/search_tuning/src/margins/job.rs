//! A whole run: positions, tuning, and the comparison of start and result.

use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use matches::game::MoveLimits;
use positions::FoundOn;
use sha2::{Digest, Sha256};
use statistics::{CONFIDENCE, EloEstimate};
use tunables::{Tunable, TunedEngine};

use super::ELO_PER_WORTH;
use super::bench::Bench;
use super::design::{DESIGN, Space};
use super::journal::{Journal, JournalHeader};
use super::judge::{JudgeSettings, identity_with_options};
use super::measure::{Estimate, Scores};
use super::places::Places;
use super::tuning::{Finding, Listener, Tuning};

/// The settings of a run.
#[derive(Clone, Debug)]
pub struct TuningSettings {
    /// Files of recorded positions.
    pub positions: Vec<PathBuf>,
    /// The engine or file that is tuned.
    pub subject: Arc<TunedEngine>,
    /// The engine that judges moves, and how.
    pub judge: JudgeSettings,
    /// The file from which a killed run goes on.
    pub journal: PathBuf,
    /// Go on with the journal if it is there.
    pub resume: bool,
    /// Go on although an engine is not the one that it was begun with.
    pub allows_changes: bool,
    /// File that remembers what the judge said.
    pub judgements: PathBuf,
    /// Positions to tune on; half as many are there to report on.
    pub count: usize,
    /// Nodes of each search.
    pub nodes: u64,
    /// K of the expected score, see [`fit_k`](positions::logistic::fit_k); fitted to the positions if
    /// none.
    pub k: Option<f64>,
    /// Rounds, each of which searches every position twice.
    pub rounds: usize,
    /// Searches a position to compare start and result; 0 leaves that out.
    pub replicates: usize,
    /// Seed of all randomness.
    pub seed: u64,
    /// Searches at a time.
    pub threads: usize,
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// The finding about each number.
    pub findings: Vec<Finding>,
    /// The same after each round.
    pub history: Vec<Vec<Finding>>,
    /// Start and result on positions that have chosen nothing.
    pub comparison: Option<Comparison>,
    /// K of the expected score, see [`fit_k`](positions::logistic::fit_k).
    pub k: f64,
    /// All of it in words, for the head of a file.
    pub notes: String,
}

/// Start and result compared on positions of other games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Comparison {
    /// Number of positions of both sides of the comparison.
    pub positions: usize,
    /// Mean regret of start and result (expected score a move).
    pub regret: [f64; 2],
    /// By how much the result's moves are worth more than the start's (expected score a move).
    pub gain: Estimate,
    /// The gain of a null change of the start over another, if there was another.
    pub null: Option<Estimate>,
}

impl TuningSettings {
    /// Tunes and compares what was found when the rounds were over or the listener ended them; none
    /// if it did so within the first one.
    ///
    /// # Errors
    /// If a file is unusable, too few positions are found, or an engine over pipes fails.
    pub fn run(&self, listener: &mut dyn Listener) -> anyhow::Result<Option<Tuned>> {
        self.subject.check(&MoveLimits { nodes: Some(self.nodes), ..MoveLimits::default() })?;
        let mut places = Places::draw(
            self.subject.game(),
            &self.positions,
            [self.count, self.count / 2],
            self.seed,
            self.threads,
        )?;
        places.k = self.k.unwrap_or(places.k);
        Bench::scope(
            &self.subject,
            self.nodes,
            &self.judge,
            (&self.judgements, self.allows_changes),
            places.k,
            self.threads,
            |bench| self.tune(bench, &places, listener),
        )
    }

    /// Tunes and compares on a bench.
    fn tune(
        &self,
        bench: &mut Bench<'_>,
        places: &Places,
        listener: &mut dyn Listener,
    ) -> anyhow::Result<Option<Tuned>> {
        let tunables = self.subject.tunables();
        let course = JournalHeader {
            start: identity_with_options(
                &self.subject.base().load(self.subject.game())?.identity.fingerprint,
                self.subject.base(),
            ),
            tunables: tunables
                .iter()
                .map(|it| {
                    let Tunable { name, value, low, high, step, .. } = it;
                    format!("{name} = {value}, {low} to {high}, step {step}")
                })
                .collect(),
            positions: fingerprint(places),
            k: places.k.to_string(),
            count: self.count,
            nodes: self.nodes,
            judge: self.judge.name(),
            seed: self.seed,
            design: DESIGN,
            engine: self.subject.engine()?,
            judging: bench.judging().cloned(),
        };
        let mut journal = Journal::open(&self.journal, &course, self.resume, self.allows_changes)?;
        listener.began(&format!(
            "{} numbers, {} positions in {} passages to tune on and {} to report on, K {:.4}, {} \
             judgements and {} observations from before",
            tunables.len(),
            self.count,
            places.tuning.len(),
            self.count / 2,
            places.k,
            bench.judgements(),
            journal.earlier(),
        ));
        let space = Space::new(tunables);
        let mut tuning = Tuning {
            bench,
            journal: &mut journal,
            passages: &places.tuning,
            space: &space,
            seed: self.seed,
        };
        let history = tuning.run(self.rounds, listener)?;
        let Some(findings) = history.last().cloned() else { return Ok(None) };
        let mut tuned =
            Tuned { findings, history, comparison: None, k: places.k, notes: String::new() };
        if self.replicates > 0 {
            tuned.comparison =
                Some(self.compare(bench, places, &space, &tuned.values(), listener)?);
        }
        tuned.notes = self.notes(&tuned, &course.start, &FoundOn::of(&self.positions)?);
        Ok(Some(tuned))
    }

    /// Compares start and result on the positions that have chosen nothing.
    fn compare(
        &self,
        bench: &mut Bench<'_>,
        places: &Places,
        space: &Space,
        values: &[f64],
        listener: &mut dyn Listener,
    ) -> anyhow::Result<Comparison> {
        let sets = [self.subject.start(), values.to_vec()];
        let scores = Scores::measure(
            bench,
            &places.held_out,
            space,
            &sets,
            self.replicates,
            self.seed,
            &mut |searches| listener.compared(searches),
        )?;
        Ok(Comparison {
            positions: self.count / 2,
            regret: [0, 1].map(|set| scores.regret(set, bench, &places.held_out).mean),
            gain: scores.gain(1, 0),
            null: scores.null_gain(0),
        })
    }

    /// The head of the file.
    fn notes(&self, tuned: &Tuned, start: &str, found_on: &FoundOn) -> String {
        let mut notes = format!(
            "Margins fitted by `tuner margins` from {start}: {} positions, {} nodes, judge {}, \
             seed {}, {} rounds.\n{}",
            self.count,
            self.nodes,
            self.judge.name(),
            self.seed,
            tuned.history.len(),
            found_on.line(),
        );
        for finding in tuned.findings.iter().filter(|finding| finding.value != finding.start) {
            notes += &format!(
                "\n{}: {} -> {} ({:.0} to {:.0}), {:+.1} +- {:.1} Elo",
                finding.name,
                finding.start,
                finding.value,
                finding.interval.0,
                finding.interval.1,
                finding.gain,
                CONFIDENCE * finding.gain_error
            );
        }
        if let Some(comparison) = &tuned.comparison {
            notes += &format!("\n{comparison}");
        }
        notes
    }
}

impl Tuned {
    /// The values that were found, in the order of the tunables.
    pub fn values(&self) -> Vec<f64> {
        self.findings.iter().map(|finding| finding.value).collect()
    }
}

impl Comparison {
    /// The gain expected in games (Elo), with its interval of 95 %.
    pub fn elo(&self) -> EloEstimate {
        let [value, side] =
            [self.gain.mean, CONFIDENCE * self.gain.error].map(|it| ELO_PER_WORTH * it);
        EloEstimate { value, lower: value - side, upper: value + side }
    }
}

impl Display for Comparison {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            text,
            "On {} positions of other games (10^-4 of the expected score a move): regret {:.1} -> \
             {:.1}, a gain of {:+.1} +- {:.1}, about {:+.0} +- {:.0} Elo",
            self.positions,
            1e4 * self.regret[0],
            1e4 * self.regret[1],
            1e4 * self.gain.mean,
            1.96e4 * self.gain.error,
            ELO_PER_WORTH * self.gain.mean,
            CONFIDENCE * ELO_PER_WORTH * self.gain.error,
        )?;
        let Some(null) = self.null else { return Ok(()) };
        let (mean, error) = (1e4 * null.mean, 1.96e4 * null.error);
        write!(text, "; a change of nothing: {mean:+.1} +- {error:.1}")
    }
}

/// A path with something added to the file's name.
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// SHA-256 of all that a run depends on of its positions.
fn fingerprint(places: &Places) -> String {
    let mut hash = Sha256::new();
    for passage in &places.tuning {
        for earlier in &passage.before {
            hash.update(earlier.to_fen().as_bytes());
            hash.update(b" before\n");
        }
        for place in &passage.places {
            hash.update(place.fen.as_bytes());
            hash.update(b"\n");
        }
    }
    hex::encode(&hash.finalize()[..12])
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use matches::player::{Contestant, Source};
    use tunables;

    use super::*;

    fn job(folder: &Path, rounds: usize) -> TuningSettings {
        let contestant = Contestant {
            name: "textbook".to_string(),
            source: Source::Parameters { file: "textbook".into(), changes: Vec::new() },
            limits: MoveLimits::default(),
            hash: None,
        };
        let tunables = tunables::margins(&chess::GAME.embedded());
        TuningSettings {
            positions: vec![
                Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/positions/champion.kgames"),
            ],
            judge: JudgeSettings::new(chess::GAME, contestant.clone(), 60).expect("it is there"),
            subject: Arc::new(
                TunedEngine::new(chess::GAME, contestant, tunables).expect("its margins"),
            ),
            journal: folder.join("journal"),
            resume: true,
            allows_changes: false,
            judgements: folder.join("judgements.csv"),
            count: 40,
            nodes: 30,
            k: None,
            rounds,
            replicates: 1,
            seed: 1,
            threads: 1,
        }
    }

    /// Lets so many rounds end, and is asked before each further one.
    struct Patience {
        rounds: usize,
        ended: usize,
        fresh: usize,
    }

    impl Listener for Patience {
        fn searched(&mut self, _round: usize, _searches: usize, fresh: usize, _judgements: usize) {
            self.fresh += fresh;
        }

        fn round_ended(&mut self, _round: usize, _findings: &[Finding]) {
            self.ended += 1;
        }

        fn may_begin(&self) -> bool {
            self.ended < self.rounds
        }

        fn is_interrupted(&self) -> bool {
            self.rounds == 0
        }
    }

    /// Fewer rounds than were planned find what a run of so many finds, with its comparison.
    #[test]
    fn what_some_rounds_found_is_kept() {
        let run = |planned: usize, patience: usize, folder: &Path| {
            let mut listener = Patience { rounds: patience, ended: 0, fresh: 0 };
            let tuned = job(folder, planned).run(&mut listener).expect("nothing fails");
            (tuned, listener.fresh)
        };
        let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let (planned, _) = run(2, 2, folders[0].path());
        let planned = planned.expect("all of its rounds");
        let (none, begun) = run(9, 0, folders[1].path());
        assert!(none.is_none() && begun > 0, "the first round was cut off");
        let (cut, fresh) = run(9, 2, folders[1].path());
        let cut = cut.expect("two rounds");
        assert_eq!((cut.history.len(), fresh), (2, 2 * 2 * 40 - begun));
        assert_eq!((cut.values(), cut.comparison), (planned.values(), planned.comparison));
        assert_eq!(cut.notes, planned.notes);
        // Entries of the journal are not searched again.
        let (again, fresh) = run(3, 2, folders[1].path());
        assert_eq!((again.expect("two rounds").values(), fresh), (cut.values(), 0));
    }
}
