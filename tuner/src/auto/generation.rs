//! The steps of one generation. Each begins by looking for what an earlier process has finished.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use chess::Parameters;
use command_line::thread_pool;
use evaluation_tuning::fit;
use evaluation_tuning::fit::page::{self, PageSources};
use evaluation_tuning::fit::report::Report;
use positions::record::{Goal, Recording, record};
use positions::{self, Filter};
use report::html::words::grouped;
use statistics::{Assessment, Verdict};
use system::files;

use super::bounds;
use super::candidate::{FittedCandidate, worth_of};
use super::folder::{CANDIDATE, CHAMPION, GAMES, RESULT};
use super::hours::Lap;
use super::ledger::{Fitted, Generation, TestResult};
use super::run::{Run, State};
use super::settings::{Choices, Step, sha256_of};
use super::testing::Tested;
use super::time::{EXPORT_RESERVE, TEST_RESERVE};

/// The end of a generation in this process.
pub(super) enum Outcome {
    Finished(Generation),
    /// The budget ended its test; it can be gone on with.
    Cut(Generation),
    /// The budget ended its recording; it can be gone on with.
    Begun,
}

/// Remark on a fit that took changes back.
const SELECTED: &str = "; --shrink chose what moved, so that intervals are too narrow";
/// Games recorded between two looks at a budget.
const RECORD_STEP: u32 = 100;

impl Run {
    /// Does the next generation, or what is left of it.
    pub(super) fn next_generation(&mut self) -> anyhow::Result<Outcome> {
        let number = self.generations.len() as u32 + 1;
        files::create_folder(&self.generation_folder(number))?;
        let step = self.next_step;
        let Some(fitted) = (match step {
            Fitted::Margins => self.fit_margins(number)?,
            Fitted::Terms => self.fit_terms(number)?,
        }) else {
            return Ok(Outcome::Begun);
        };
        let hypotheses = bounds::of_gain(fitted.expected_elo, self.has_parts()?);
        let tested = self.test(number, hypotheses)?;
        let (mut generation, is_cut) = match tested {
            Tested::Finished(found) => (self.record_of(number, step, &fitted, &found)?, false),
            Tested::Cut(found) => (self.record_of(number, step, &fitted, &found)?, true),
        };
        generation.elo1 = hypotheses.elo1;
        self.voice.step(format_args!("{:#}", generation.outcome()));
        self.voice.detail(generation.sentence());
        let is_cut = is_cut || self.go_on_with(&mut generation, &fitted)?;
        if is_cut {
            self.voice.step("the budget ended the test; the same command goes on with it");
            return Ok(Outcome::Cut(generation));
        }
        let kept = self.generation_folder(number).join(generation.file());
        generation.fingerprint = Parameters::load(&kept)?.fingerprint();
        generation.sha256 = sha256_of(&kept)?;
        if generation.verdict != Verdict::Accepted {
            self.voice.step("the champion stays");
        }
        if generation.has_even_games() {
            self.keep_games(&generation)?;
        }
        let text = serde_json::to_string_pretty(&generation)? + "\n";
        files::write_atomically(&self.generation_folder(number).join(RESULT), |file| {
            std::io::Write::write_all(file, text.as_bytes())
        })?;
        Ok(Outcome::Finished(generation))
    }

    /// The record of a generation after its fit and its test.
    fn record_of(
        &self,
        number: u32,
        step: Fitted,
        fitted: &FittedCandidate,
        found: &Assessment,
    ) -> anyhow::Result<Generation> {
        let candidate = self.generation_folder(number).join(CANDIDATE);
        let (before, after) = fitted.errors.unzip();
        let result = TestResult::of(self.settings.choices.nodes, found);
        Ok(Generation {
            generation: number,
            step,
            positions: fitted.positions,
            k: fitted.k,
            before,
            after,
            regret_fall: fitted.regret_fall,
            expected_elo: fitted.expected_elo,
            elo1: 0.0,
            counts: result.counts,
            log_likelihood_ratio: result.log_likelihood_ratio,
            elo: result.elo,
            tested: result.verdict,
            parts: Vec::new(),
            check: None,
            verdict: result.verdict,
            fingerprint: Parameters::load(&candidate)?.fingerprint(),
            sha256: sha256_of(&candidate)?,
        })
    }

    /// Does the steps after the test of a candidate: a search for its good part where all of it was not
    /// accepted, and the check; true if the budget ended one of them.
    fn go_on_with(
        &mut self,
        generation: &mut Generation,
        fitted: &FittedCandidate,
    ) -> anyhow::Result<bool> {
        let may_be_halved = generation.verdict != Verdict::Accepted
            && generation.counts.pairs() > 0
            && self.has_parts()?;
        if may_be_halved && self.bisect(generation, fitted)? {
            generation.verdict = Verdict::Undecided;
            return Ok(true);
        }
        let is_checked = self.settings.check_nodes > 0 && generation.verdict == Verdict::Accepted;
        Ok(is_checked && self.add_check(generation)?)
    }

    /// Whether parts of a candidate are tested where all of it is not accepted. A fit from nothing has
    /// another unit, so that parts of it do not go with the champion's.
    fn has_parts(&self) -> anyhow::Result<bool> {
        let champion = Parameters::load(&self.folder.join(CHAMPION))?;
        Ok(!self.settings.choices.whole && !fit::says_nothing(&champion))
    }

    /// Checks an accepted candidate with more nodes, and takes its acceptance back if it is weaker
    /// there; true if the budget ended that.
    fn add_check(&mut self, generation: &mut Generation) -> anyhow::Result<bool> {
        let tested = self.check(generation.generation, generation.file(), bounds::of_check())?;
        let (found, is_cut) = match &tested {
            Tested::Finished(found) => (found, false),
            Tested::Cut(found) => (found, true),
        };
        let check = TestResult::of(self.settings.check_nodes, found);
        let nodes = grouped(check.nodes);
        self.voice.step(format_args!("at {nodes} nodes {:#}", check.as_check()));
        if is_cut || check.verdict != Verdict::Accepted {
            generation.verdict = check.verdict;
        }
        generation.check = Some(check);
        Ok(is_cut)
    }

    /// Records, where this generation does, and fits terms; none if the budget ended it.
    fn fit_terms(&mut self, number: u32) -> anyhow::Result<Option<FittedCandidate>> {
        if self.records(number, Fitted::Terms) && !self.record(number)? {
            self.voice.step("the budget ended the recording; the same command goes on with it");
            return Ok(None);
        }
        let report = self.fit(number)?;
        let expected_elo = bounds::gain_of_terms(&report.before, &report.after);
        let fall = format!("{:.4} -> {:.4}", report.before.held_out, report.after.held_out);
        self.voice.step(format!(
            "terms fitted to {} positions of {} games, error on other games {fall}{}",
            grouped(report.training_positions as u64),
            grouped(report.training_games as u64),
            if report.shrink.is_some() { SELECTED } else { "" }
        ));
        self.voice.detail(format!("by the fall of the error {expected_elo:+.0} Elo are expected"));
        self.write_page(State::Running)?;
        Ok(Some(FittedCandidate {
            positions: report.training_positions,
            k: report.k,
            errors: Some((report.before, report.after)),
            regret_fall: None,
            expected_elo,
            worth: worth_of(report.changes.iter().map(|it| (it.name.as_str(), it.part))),
        }))
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
        let champion = Arc::new(Parameters::load(&self.folder.join(CHAMPION))?);
        let goal = Goal::Games(choices.record_games);
        let mut recording = Recording {
            seed: self.settings.seed_of(number, Step::Record),
            threads: self.threads,
            resume: output.exists(),
            allows_changes: self.allows_changes,
            ..Recording::new(goal, choices.record_nodes, champion, output)
        };
        let what = format!("record {} games of the champion", choices.record_games);
        let mut display = self.voice.begin(&what, Some(u64::from(choices.record_games)), "games");
        let fitting = self.fit_time(number);
        let lap = Lap::start();
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
            if is_complete || !self.budget.allows(fitting + TEST_RESERVE + EXPORT_RESERVE) {
                break progress;
            }
        };
        drop(display);
        let new = progress.games - earlier.unwrap_or(0);
        self.measure(&lap, new, choices.record_nodes);
        if new > 0 {
            self.hours.add(number, "record", &lap)?;
        }
        let [games, positions] = [u64::from(progress.games), progress.positions].map(grouped);
        self.voice.step(format!("{games} games of the champion recorded, {positions} positions"));
        Ok(progress.games >= choices.record_games)
    }

    /// Fits the candidate from the champion to all positions so far.
    fn fit(&mut self, number: u32) -> anyhow::Result<Report> {
        let folder = self.generation_folder(number);
        let (candidate, report) = (folder.join(CANDIDATE), folder.join("fit"));
        // A fit is a function of its sources: where its report was lost, it is made again.
        if candidate.exists()
            && let Some(report) = report_in(&report)
        {
            return Ok(report);
        }
        let display = self.voice.begin("fit terms", None, "");
        let lap = Lap::start();
        let origins = self.origins(number);
        let sources: Vec<PathBuf> = origins.iter().map(|origin| origin.path.clone()).collect();
        let champion = Parameters::load(&self.folder.join(CHAMPION))?;
        let choices = &self.settings.choices;
        let per_game = self.per_game(number);
        self.keep_per_game(number, per_game)?;
        // Where captures are pending the position after them says more than none (docs/lab/loop.md has
        // figures, and what is known of the other choices).
        let filter = Filter {
            per_game,
            lookahead: choices.lookahead,
            resolve: true,
            sample_seed: choices.seed,
            ..Filter::default()
        };
        let judge = Arc::new(champion.clone());
        let found = positions::expand(&sources, &filter, &judge, self.threads)?;
        found.counts.warn();
        let (games, positions) = (found.counts.games, found.samples.len());
        self.voice.detail(format!("{positions} positions of {games} games"));
        let pool = thread_pool(self.threads)?;
        let fit = pool.install(|| {
            fit::fit(found.samples, &champion, &choices.fit, choices.seed, &mut |line| {
                self.voice.detail(line);
            })
        })?;
        let names: Vec<String> = origins.iter().map(|origin| origin.name.clone()).collect();
        let notes = fit::notes(&fit.report, &champion, "the champion", &names);
        let text = fit.parameters.to_toml_with_notes(&notes);
        let Choices { lookahead, seed, .. } = *choices;
        let options = choices.fit.to_options();
        let champion_file = self.champion_file();
        let start = champion_file.strip_prefix(&self.folder).unwrap_or(&champion_file);
        let repeat = format!(
            "tuner fit --positions {} --start {} --output {CANDIDATE} --per-game {per_game} \
             --resolve --lookahead {lookahead} --sample-seed {seed} --seed {seed}{options}",
            origins.iter().map(|origin| origin.word.as_str()).collect::<Vec<_>>().join(" "),
            start.display()
        );
        let subject = PageSources {
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
            let text = format!("{}: {} -> {}", change.name, change.before, change.after);
            self.voice.detail(text);
        }
        drop(display);
        self.hours.add(number, "fit", &lap)?;
        Ok(fit.report)
    }
}

/// The report in a folder; none if there is no whole one.
fn report_in(folder: &Path) -> Option<Report> {
    let text = files::read_text(&folder.join("report.json")).ok()?;
    serde_json::from_str(&text).ok()
}
