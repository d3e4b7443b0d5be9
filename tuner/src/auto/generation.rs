//! The steps of one generation. Each begins by looking for what an earlier process has finished.

use std::cell::Cell;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::Parameters;
use indicatif::{ProgressBar, ProgressStyle};
use sprt::budget::Budget;
use sprt::game::{MoveLimits, PairRecord};
use sprt::player::{Contestant, Source};
use sprt::run::{Observer, PlayRules, RunError};
use sprt::sequential_test::{Progress, Rules, SequentialTest, TestSettings};
use sprt::statistics::{Assessment, Design, Hypotheses, Model, PairCounts, Verdict};
use sprt::{files, sequential_test};

use super::ledger::{Fitted, Generation};
use super::settings::{Step, sha256_of};
use super::{CANDIDATE, CHAMPION, EXPORT_RESERVE, GAMES, RESULT, Run, TEST_RESERVE};
use crate::command_line::thread_pool;
use crate::fit;
use crate::fit::page::{self, Subject};
use crate::fit::report::Report;
use crate::positions::{self, Filter};
use crate::record::{Goal, Recording, record};

/// What came of a generation in this process.
pub(super) enum Outcome {
    /// It is done.
    Finished(Generation),
    /// The budget ended its test; it can be gone on with.
    Cut(Generation),
    /// The budget ended its recording; it can be gone on with.
    Begun,
}

/// Transposition table of each player in a test, in megabytes: new for each game, and a few
/// thousand nodes a move need no more.
const HASH_MEGABYTES: usize = 1;
/// Games recorded between two looks at a budget.
const RECORD_STEP: u32 = 100;
/// Time between two lines of progress where no bar can be shown.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

impl Run {
    /// Does the next generation, or what is left of it.
    pub(super) fn next_generation(&mut self) -> anyhow::Result<Outcome> {
        let number = self.generations.len() as u32 + 1;
        let folder = self.generation_folder(number);
        files::create_folder(&folder)?;
        let step = self.next_step();
        let fitted = match step {
            Fitted::Margins => {
                let Some(fitted) = self.fit_margins(number)? else {
                    eprintln!("  the budget ended the fit; --resume goes on with it");
                    return Ok(Outcome::Begun);
                };
                (fitted.positions, fitted.k, None, Some(fitted.merit))
            }
            Fitted::Terms => {
                if number > 1 && !self.record(number)? {
                    eprintln!("  the budget ended the recording; --resume goes on with it");
                    return Ok(Outcome::Begun);
                }
                let report = self.fit(number)?;
                (report.training_positions, report.k, Some((report.before, report.after)), None)
            }
        };
        let (positions, k, errors, merit) = fitted;
        let candidate = folder.join(CANDIDATE);
        let (assessment, is_cut) = match self.test(number)? {
            Tested::Finished(assessment) => (assessment, false),
            Tested::Cut(assessment) => (assessment, true),
        };
        let elo = assessment.elo_after_stop;
        let (before, after) = errors.unzip();
        let generation = Generation {
            generation: number,
            step,
            positions,
            k,
            before,
            after,
            merit,
            counts: assessment.counts,
            log_likelihood_ratio: assessment.log_likelihood_ratio,
            // Adding zero turns a negative zero into zero.
            elo: elo.elo + 0.0,
            elo_error: (elo.upper - elo.lower) / 2.0,
            verdict: assessment.verdict,
            fingerprint: Parameters::load(&candidate)?.fingerprint(),
            sha256: sha256_of(&candidate)?,
        };
        eprintln!("  {}", generation.sentence());
        if is_cut {
            eprintln!("  the budget ended the test; --resume goes on with it");
            return Ok(Outcome::Cut(generation));
        }
        let next = match generation.verdict {
            Verdict::Accepted => "the candidate is the new champion",
            Verdict::Rejected | Verdict::Undecided => "the champion stays",
        };
        eprintln!("  {next}");
        let text = serde_json::to_string_pretty(&generation)? + "\n";
        files::write_atomically(&folder.join(RESULT), |file| {
            std::io::Write::write_all(file, text.as_bytes())
        })?;
        Ok(Outcome::Finished(generation))
    }

    /// Records the games that this generation adds, by the champion against itself; false when the
    /// budget ended it.
    fn record(&mut self, number: u32) -> anyhow::Result<bool> {
        let output = self.generation_folder(number).join(GAMES);
        // The candidate is fitted to all games, so that where it is they are complete.
        if self.generation_folder(number).join(CANDIDATE).exists() {
            return Ok(true);
        }
        let choices = self.settings.choices.clone();
        self.heading(number, &format!("record {} games of the champion", choices.record_games));
        let champion = Arc::new(Parameters::load(&self.folder.join(CHAMPION))?);
        let goal = Goal::Games(choices.record_games);
        let mut recording = Recording {
            seed: self.settings.seed_of(number, Step::Record),
            threads: self.threads,
            resume: output.exists(),
            ..Recording::new(goal, choices.record_nodes, champion, output)
        };
        let mut display = ProgressDisplay::new(u64::from(choices.record_games), "games");
        let started = Instant::now();
        let mut earlier = None;
        let mut games = if self.budget.is_limited() { 0 } else { choices.record_games };
        let progress = loop {
            // A store grows to the same bytes in any number of goes; between them is time to look
            // at the clock.
            games = choices.record_games.min(games.saturating_add(RECORD_STEP));
            recording.goal = Goal::Games(games);
            let progress = record(&recording, |progress| {
                earlier.get_or_insert(progress.games);
                let positions = progress.positions;
                display.show(u64::from(progress.games), || format!("{positions} positions"));
            })?;
            recording.resume = true;
            games = games.max(progress.games);
            let is_complete = progress.games >= choices.record_games;
            if is_complete || !self.budget.allows(self.pace.fit + TEST_RESERVE + EXPORT_RESERVE) {
                break progress;
            }
        };
        display.end();
        self.measure(started, progress.games - earlier.unwrap_or(0), choices.record_nodes);
        eprintln!("  {} games, {} positions", progress.games, progress.positions);
        Ok(progress.games >= choices.record_games)
    }

    /// Fits the candidate from the champion to all positions so far.
    fn fit(&mut self, number: u32) -> anyhow::Result<Report> {
        let folder = self.generation_folder(number);
        let (candidate, report) = (folder.join(CANDIDATE), folder.join("fit"));
        self.heading(number, "fit a candidate");
        // A fit is a function of its sources: where its report was lost, it is made again.
        if candidate.exists()
            && let Some(report) = report_in(&report)
        {
            let errors = (report.before.held_out, report.after.held_out);
            eprintln!("  done before: held-out error {:.6} -> {:.6}", errors.0, errors.1);
            return Ok(report);
        }
        let started = Instant::now();
        let sources = self.sources(number);
        let champion = Parameters::load(&self.folder.join(CHAMPION))?;
        let filter = Filter { sample_seed: self.settings.choices.seed, ..Filter::default() };
        let judge = Arc::new(champion.clone());
        let found = positions::expand(&sources, &filter, &judge, self.threads)?;
        found.counts.warn();
        let (games, positions) = (found.counts.games, found.samples.len());
        eprintln!("  {positions} positions of {games} games");
        let pool = thread_pool(self.threads)?;
        let choices = &self.settings.choices;
        let fit = pool.install(|| {
            fit::fit(found.samples, &champion, &choices.fit, choices.seed, &mut |line| {
                eprintln!("  {line}");
            })
        })?;
        let numbers = || std::iter::once(1).chain(self.recorded(number));
        let names: Vec<String> = numbers().map(source_name).collect();
        let notes = fit::notes(&fit.report, &champion, "the champion", &names);
        let text = fit.parameters.to_toml_with_notes(&notes);
        let (options, seed) = (choices.fit.to_options(), choices.seed);
        let repeat = format!(
            "tuner fit --positions {} --start {CHAMPION} --output {CANDIDATE} --sample-seed {seed} \
             --seed {seed}{options}",
            (1..=number).map(source_file).collect::<Vec<_>>().join(" ")
        );
        let subject = Subject {
            parameters: Some([&champion, &fit.parameters]),
            start_name: "the champion",
            sources: &names,
            repeat: &repeat,
        };
        page::write(&fit.report, &subject, &report)?;
        // The candidate comes last: where it is, there is its report.
        files::write_atomically(&candidate, |file| {
            std::io::Write::write_all(file, text.as_bytes())
        })?;
        for change in fit.report.changes.iter().take(5) {
            eprintln!("  {}: {} -> {}", change.name, change.before, change.after);
        }
        self.pace.fit = started.elapsed();
        eprintln!("  fitted in {:.0} s", self.pace.fit.as_secs_f64());
        Ok(fit.report)
    }

    /// Plays the candidate against the champion until the test decides or the budget ends it.
    fn test(&mut self, number: u32) -> anyhow::Result<Tested> {
        let folder = self.generation_folder(number);
        let (candidate, output) = (folder.join(CANDIDATE), folder.join("test"));
        let choices = &self.settings.choices;
        self.heading(number, "test the candidate against the champion");
        let hypotheses =
            Hypotheses { model: Model::Normalized, elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };
        let champion = self.folder.join(CHAMPION);
        if Parameters::load(&candidate)? == Parameters::load(&champion)? {
            // Nothing to test, and a match of equals would go on to its last pair.
            eprintln!("  the fit changed no value");
            let mut assessment = Assessment::new(PairCounts::default(), &hypotheses);
            assessment.figures.verdict = Verdict::Rejected;
            return Ok(Tested::Finished(assessment));
        }
        let player = |file: PathBuf| Contestant {
            name: file.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            source: Source::Parameters { file, changes: Vec::new() },
            limits: MoveLimits::nodes(choices.nodes),
            hash: Some(HASH_MEGABYTES),
        };
        let settings = TestSettings {
            candidate: player(candidate),
            baseline: player(champion),
            openings: PathBuf::from(files::EMBEDDED),
            syzygy: Vec::new(),
            rules: Rules {
                play: PlayRules {
                    most_faults: 0,
                    most_fault_share: 0.0,
                    ..PlayRules::with_seed(self.settings.seed_of(number, Step::Test))
                },
                pairs: choices.pairs,
                early_stop: true,
                hypotheses,
                design: Design::default(),
            },
        };
        let watcher = Watcher {
            budget: self.budget,
            counts: Cell::new(PairCounts::default()),
            resumed: Cell::new(0),
            display: Cell::new(Some(ProgressDisplay::new(choices.pairs, "pairs"))),
        };
        let started = Instant::now();
        let outcome = if sprt::run::exists(&output) {
            sequential_test::resume(&output, self.threads, &watcher)
        } else {
            sequential_test::run(&settings, self.threads, &output, &watcher)
        };
        if let Some(mut display) = watcher.display.take() {
            display.end();
        }
        let games = 2 * (watcher.counts.get().pairs() - watcher.resumed.get());
        self.measure(started, games as u32, choices.nodes);
        match outcome {
            Ok(summary) => Ok(Tested::Finished(summary.assessment)),
            Err(RunError::Interrupted { .. }) => {
                Ok(Tested::Cut(Assessment::new(watcher.counts.get(), &hypotheses)))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Says which step begins, and how much of the budget is left.
    pub(super) fn heading(&self, generation: u32, text: &str) {
        eprintln!("\nGeneration {generation}: {text}{}", self.budget.left());
    }

    /// Remembers how long games take.
    fn measure(&mut self, started: Instant, games: u32, nodes: u64) {
        if games > 0 && nodes > 0 {
            self.pace.game_per_node = started.elapsed() / games / (nodes as u32).max(1);
        }
    }
}

/// The report in a folder; none if there is no whole one.
fn report_in(folder: &Path) -> Option<Report> {
    let text = files::read_text(&folder.join("report.json")).ok()?;
    serde_json::from_str(&text).ok()
}

/// How a test ended.
enum Tested {
    Finished(Assessment),
    Cut(Assessment),
}

/// What the notes of a candidate call the positions of a generation.
fn source_name(generation: u32) -> String {
    match generation {
        1 => "the sample".to_string(),
        number => format!("generation {number}"),
    }
}

/// The file of these positions, for the line that repeats a fit in the run's folder.
fn source_file(generation: u32) -> String {
    match generation {
        1 => "SAMPLE".to_string(),
        number => format!("generation-{number}/{GAMES}"),
    }
}

/// Follows a test: shows progress and ends it when the budget does.
struct Watcher {
    budget: Budget,
    counts: Cell<PairCounts>,
    resumed: Cell<u64>,
    display: Cell<Option<ProgressDisplay>>,
}

impl Watcher {
    fn show(&self, progress: &Progress) {
        self.counts.set(progress.counts);
        self.resumed.set(progress.resumed_pairs);
        let Some(mut display) = self.display.take() else { return };
        display.show(progress.counts.pairs(), || {
            let [losses, draws, wins] = progress.counts.trinomial();
            let hypotheses = &progress.rules.hypotheses;
            format!(
                "+{wins} ={draws} -{losses}, log-likelihood ratio {:.2} of {:.2}",
                progress.log_likelihood_ratio,
                hypotheses.upper_bound()
            )
        });
        self.display.set(Some(display));
    }
}

impl Observer<SequentialTest> for Watcher {
    fn on_start(&self, progress: &Progress) {
        self.show(progress);
    }

    fn on_pair(&self, progress: &Progress, _pair: &PairRecord) {
        self.show(progress);
    }

    fn is_interrupted(&self) -> bool {
        !self.budget.allows(EXPORT_RESERVE)
    }
}

/// Progress on standard error: a bar on a terminal, now and then a line elsewhere.
pub(super) struct ProgressDisplay {
    bar: Option<ProgressBar>,
    unit: &'static str,
    total: u64,
    last: Instant,
}

impl ProgressDisplay {
    pub fn new(total: u64, unit: &'static str) -> ProgressDisplay {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("  {bar:30} {pos}/{len} {prefix}, {msg}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(total).with_style(style).with_prefix(unit)
        });
        ProgressDisplay { bar, unit, total, last: Instant::now() }
    }

    pub fn show(&mut self, done: u64, message: impl FnOnce() -> String) {
        match &self.bar {
            Some(bar) => {
                bar.set_position(done);
                bar.set_message(message());
            }
            None if self.last.elapsed() >= LINE_INTERVAL => {
                eprintln!("  {done} of at most {} {}: {}", self.total, self.unit, message());
                self.last = Instant::now();
            }
            None => {}
        }
    }

    pub fn end(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
