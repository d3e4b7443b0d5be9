//! A sequential test of two contestants: run it, resume it, take its summary.

mod rules;
mod summary;

use std::path::{Path, PathBuf};

use statistics::{
    Assessment, ColorCounts, EloEstimate, Hypotheses, Monitor, PairCounts, PairDistribution,
    Shortfall, TestPlan, Verdict,
};

use crate::game::PairRecord;
use crate::player::{Contestant, Identity};
use crate::run::{
    self, Competition, Kind, Observer, PlayRules, RunError, RunPlan, RunTally, Workers,
};

pub use rules::Rules;
pub use summary::{Summary, Truncation, style_of};

/// The contestants, files and rules of a test.
#[derive(Clone, PartialEq, Debug)]
pub struct TestSettings {
    /// The contestant on trial, first player of each pair.
    pub candidate: Contestant,
    /// Who it is tested against.
    pub baseline: Contestant,
    /// Opening file, or [`system::files::EMBEDDED`].
    pub openings: PathBuf,
    /// Folders of endgame tables; none if the rules ask none.
    pub syzygy: Vec<PathBuf>,
    /// Settings that decide the course of the run besides the files.
    pub rules: Rules,
}

/// The test's description, as observers are told it.
pub type Description = run::Description<Rules>;

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The counted pairs by their points.
    pub counts: PairCounts,
    /// Log-likelihood ratio as the test sees it: see [`Monitor::log_likelihood_ratio`].
    pub log_likelihood_ratio: f64,
    /// Its bounds as they are now, overshoot correction included: lower, upper.
    pub bounds: (f64, f64),
    /// The rules of the run.
    pub rules: Rules,
    /// Pairs that were in the journal when this process began.
    pub resumed_pairs: u64,
    /// Pairs that equal earlier ones, and are not counted.
    pub copies: u64,
}

impl Progress {
    /// Logistic Elo by the rule that ends the test, now or when these pairs were counted.
    pub fn elo_at(&self, counts: &PairCounts) -> EloEstimate {
        let hypotheses = self.rules.hypotheses;
        hypotheses.estimate(&counts.sample(), &counts.game_sample(), self.stopping_bounds()).elo
    }

    /// All figures of the pairs so far.
    pub fn assessment(&self) -> Assessment {
        Assessment::with_bounds(self.counts, &self.rules.hypotheses, self.stopping_bounds())
    }

    /// The bounds at which the test ends; none if all pairs are played.
    fn stopping_bounds(&self) -> Option<(f64, f64)> {
        self.rules.early_stop.then_some(self.bounds)
    }
}

/// A test under way: its rules, counts and bounds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SequentialTest {
    rules: Rules,
    monitor: Monitor,
    colors: ColorCounts,
}

impl Competition for SequentialTest {
    type Rules = Rules;
    type Progress = Progress;
    type Summary = Summary;

    const KIND: Kind = Kind::Test;

    fn new(rules: &Rules, _players: &[Identity]) -> Result<SequentialTest, RunError> {
        rules.hypotheses.validate()?;
        let new = if rules.early_stop { Monitor::new } else { Monitor::without_stop };
        let monitor = new(rules.hypotheses, rules.design);
        Ok(SequentialTest { rules: *rules, monitor, colors: ColorCounts::default() })
    }

    fn role(index: usize) -> String {
        ["candidate", "baseline"][index].to_owned()
    }

    fn play_rules(&self) -> &PlayRules {
        &self.rules.play
    }

    fn play_rules_of(rules: &mut Rules) -> &mut PlayRules {
        &mut rules.play
    }

    fn pairings(&self) -> Vec<[usize; 2]> {
        vec![[0, 1]]
    }

    fn pairs(&self) -> u64 {
        self.rules.pairs
    }

    /// A test that all its pairs could hardly decide. Where it is not to stop early, or the sign is to
    /// decide, somebody wants just so many pairs.
    fn forewarnings(&self) -> Vec<String> {
        let Rules { pairs, early_stop, hypotheses, design, .. } = self.rules;
        if !early_stop || design.decide_at_limit {
            return Vec::new();
        }
        // Logistic Elo and BayesElo depend on how many games are drawn, which nobody knows yet.
        let base = PairDistribution::of_draw_ratio(0.5, PairDistribution::usual_bias(0.5));
        let plan = base.and_then(|base| TestPlan::new(hypotheses, base));
        let shortfall = plan.and_then(|plan| plan.shortfall(pairs)).ok().flatten();
        shortfall.map(|it| shortfall_text(&it, pairs, &hypotheses)).into_iter().collect()
    }

    fn count(&mut self, pair: &PairRecord) {
        let [first, second] = pair.outcomes();
        self.monitor.push(first, second);
        self.colors.add(first, second);
    }

    fn is_decided(&self) -> bool {
        self.rules.early_stop && self.monitor.verdict() != Verdict::Undecided
    }

    fn has_verdict(&self) -> bool {
        self.monitor.verdict_at_limit() != Verdict::Undecided
    }

    fn progress(&self, tally: &RunTally, resumed_pairs: u64) -> Progress {
        Progress {
            counts: self.monitor.counts(),
            log_likelihood_ratio: self.monitor.log_likelihood_ratio(),
            bounds: self.monitor.bounds(),
            rules: self.rules,
            resumed_pairs,
            copies: tally.copies,
        }
    }

    fn summary(
        &self,
        contestants: Vec<Contestant>,
        players: Vec<Identity>,
        tally: RunTally,
    ) -> Summary {
        let rules = self.rules;
        let mut assessment = Assessment::of_monitor(&self.monitor);
        let is_at_limit = tally.is_at_end(rules.pairs);
        assessment.figures.verdict = match is_at_limit {
            _ if tally.failure.is_some() => Verdict::Undecided,
            true => self.monitor.verdict_at_limit(),
            false if rules.early_stop => self.monitor.verdict(),
            // All pairs decide, and some are left to play.
            false => Verdict::Undecided,
        };
        let is_cut = rules.early_stop && is_at_limit && tally.failure.is_none();
        let truncation = Truncation::of_test(&rules, &assessment.counts)
            .filter(|_| is_cut && self.monitor.verdict() == Verdict::Undecided);
        let [candidate, baseline] = [0, 1].map(|index| players[index].clone());
        Summary {
            schema: Summary::SCHEMA.to_owned(),
            candidate,
            baseline,
            contestants,
            rules,
            verdict: assessment.verdict,
            bounds: self.monitor.bounds(),
            truncation,
            first_crossing: self.monitor.first_crossing().filter(|_| !rules.early_stop),
            assessment,
            white_advantage: self.colors.white_advantage(),
            colors: self.colors,
            tally,
        }
    }
}

/// The warning that so many pairs can hardly decide, and what could.
fn shortfall_text(shortfall: &Shortfall, pairs: u64, hypotheses: &Hypotheses) -> String {
    let Hypotheses { model, elo0, elo1, .. } = hypotheses;
    let &Shortfall { undecided, needed, elo1: reachable } = shortfall;
    // Two digits, rounded up, are as good as the forecast.
    let unit = 10f64.powf(needed.log10().floor() - 1.0);
    let needed = unit * (needed / unit).ceil();
    let other = reachable.map_or_else(String::new, |elo1| {
        format!(", or with --elo1 {} for as many pairs as now", elo1.ceil())
    });
    let percent = (100.0 * undecided).floor();
    let share =
        if percent < 100.0 { format!("at least {percent} % of") } else { "nearly all".to_owned() };
    format!(
        "{pairs} pairs can hardly decide between {elo0} and {elo1} {model}: {share} such tests stay \
         undecided; nine of ten end with --pairs {needed}{other}"
    )
}

/// Runs a test in a new folder: see [`run::begin`].
///
/// # Errors
/// See [`RunError`]; the folder must not hold a run already.
pub fn run(
    settings: &TestSettings,
    workers: impl Into<Workers>,
    folder: &Path,
    observer: &dyn Observer<SequentialTest>,
) -> Result<Summary, RunError> {
    let plan = RunPlan {
        contestants: vec![settings.candidate.clone(), settings.baseline.clone()],
        openings: settings.openings.clone(),
        syzygy: settings.syzygy.clone(),
        rules: settings.rules,
    };
    run::begin(&plan, &workers.into(), folder, observer)
}

/// Goes on with a test, or reports one that is finished.
///
/// # Errors
/// See [`RunError`].
pub fn resume(
    folder: &Path,
    workers: impl Into<Workers>,
    observer: &dyn Observer<SequentialTest>,
) -> Result<Summary, RunError> {
    run::resume(folder, &workers.into(), observer)
}

/// Reads the journal of a test and changes nothing: see [`run::review`].
///
/// # Errors
/// See [`RunError`].
pub fn review(folder: &Path, observer: &dyn Observer<SequentialTest>) -> Result<Summary, RunError> {
    run::review(folder, observer)
}
