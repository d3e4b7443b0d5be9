//! The fit of a linear evaluation whose traces come from files, or from its game.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use indicatif::ProgressBar;
use playable::{Color, Numbers};
use positions::{Purpose, Sample, purpose_of};

use super::fitted::Fitted;
use super::problem::{Problem, check_sizes, sorted};
use super::report::Report;
use super::settings::FitSettings;
use super::unit::Unit;
use super::{ProgressLines, Ties, assessment, diagnosis, memory, selection};
use crate::model::Positions;
use crate::model::linear::{LinearPosition, LinearStore, ParameterFile, read};
use crate::model::packing::Builder;
use crate::model::store::Store;

/// Positions between two looks at how far reading has come.
const PROGRESS_EVERY: usize = 1 << 14;

/// The sources of a linear evaluation's traces.
#[derive(Clone, Copy)]
pub enum Traces<'a> {
    /// Files of them.
    Files(&'a [PathBuf]),
    /// Recorded positions, traced by their game with these numbers.
    Recorded(&'a [Sample], &'a Numbers),
}

/// The reading of traces.
#[derive(Default)]
struct Told {
    /// How many positions' games were guessed.
    guessed: usize,
    /// Greatest difference between engine and trace, in centipawns; none where no engine was asked.
    disagreement: Option<f64>,
}

impl Traces<'_> {
    /// Hands the positions to `take`, each with its game.
    ///
    /// # Errors
    /// As [`read`]; the evaluation of a game is not linear; and those of `take`.
    fn each(
        self,
        parameters: &ParameterFile,
        bar: &ProgressBar,
        mut take: impl FnMut(LinearPosition, u32) -> anyhow::Result<()>,
    ) -> anyhow::Result<Told> {
        let ParameterFile { terms, values } = parameters;
        let mut told = Told::default();
        match self {
            Traces::Files(paths) => {
                bar.set_length(
                    paths.iter().filter_map(|path| fs::metadata(path).ok()).count() as u64
                );
                for (file, path) in paths.iter().enumerate() {
                    // Games of different files are different games.
                    let first_game = (file as u32).wrapping_mul(0x9E37_79B9);
                    told.guessed += read(path, terms.cells(), |position, game| {
                        take(position, game.wrapping_add(first_game))
                    })?;
                    bar.inc(1);
                }
            }
            Traces::Recorded(samples, numbers) => {
                bar.set_length(samples.len() as u64);
                let game = numbers.game();
                let mut tracer = numbers.tracer().with_context(|| {
                    format!("the evaluation of {} is not linear: nothing traces it", game.name())
                })?;
                let mut judge = game.judge(numbers);
                let mut greatest = 0.0;
                for sample in samples {
                    let position = sample.position();
                    let traced = LinearPosition::of(sample, tracer.trace(&position));
                    let value = f64::from(judge.evaluate(&position));
                    let value =
                        if position.side_to_move() == Color::White { value } else { -value };
                    greatest = f64::max(greatest, (value - traced.evaluate(terms, values)).abs());
                    told.guessed += usize::from(sample.game_is_guessed());
                    take(traced, sample.game())?;
                    bar.inc(1);
                }
                told.disagreement = Some(greatest);
            }
        }
        Ok(told)
    }
}

/// Fits the numbers of a parameter file to traces, on the threads of the current pool.
/// With a unit, its number is what was asked for, and all others are in proportion.
///
/// # Errors
/// [`command_line::WrongUse`] for settings of Kamerton's own evaluation alone, and for a unit that cannot be one;
/// when a file is damaged or cannot be read, there are too few positions, and
/// [`Singular`](super::Singular) when the positions do not determine the values.
pub fn fit_traces(
    traces: Traces<'_>,
    parameters: &ParameterFile,
    settings: &FitSettings,
    unit: Option<&Unit>,
    seed: u64,
    progress: ProgressLines<'_>,
) -> anyhow::Result<(Fitted, Report)> {
    settings.check_for_traces()?;
    let settings = &settings.for_traces();
    let held = selection::held_of(&parameters.terms, &settings.only, &settings.freeze)?;
    let Some(unit) = unit else {
        return Scaled { parameters, held: &held, factor: None }
            .fit(traces, settings, seed, progress);
    };
    let place = unit.place(parameters)?;
    let plain = Scaled { parameters, held: &held, factor: Some(1.0) };
    let (fitted, _) = plain.fit(traces, settings, seed, progress)?;
    let factor = unit.factor(fitted.solution.values.0[place.0][place.1])?;
    progress(&format!("{unit}: again, with the starting values multiplied by {factor:.4}"));
    let parameters = &unit.scaled(parameters, factor, place)?;
    let pull = settings.pull();
    let settings = FitSettings {
        k: Some(fitted.k / factor),
        lambda: Some(fitted.lambda),
        // The pull is that of a change in centipawns.
        regularization: Some(pull / factor.powi(2)),
        ..settings.clone()
    };
    let mut with_unit = held.clone();
    with_unit.insert(parameters.terms.number_name(place.0, place.1));
    let scaled = Scaled { parameters, held: &with_unit, factor: Some(factor) };
    let (fitted, mut report) = scaled.fit(traces, &settings, seed, progress)?;
    report.frozen = sorted(held);
    report.regularization = pull;
    report.unit = Some(format!("{unit}, starting values multiplied by {factor:.4}"));
    Ok((fitted, report))
}

/// A fit whose values are in another unit than the file's.
struct Scaled<'a> {
    /// Names, ranges and starting values, in the unit of the fit.
    parameters: &'a ParameterFile,
    held: &'a HashSet<String>,
    /// The factor of the file's values; none where no unit was asked for.
    factor: Option<f64>,
}

impl Scaled<'_> {
    fn fit(
        &self,
        traces: Traces<'_>,
        settings: &FitSettings,
        seed: u64,
        progress: ProgressLines<'_>,
    ) -> anyhow::Result<(Fitted, Report)> {
        let Scaled { parameters, held, factor } = *self;
        let Read { sets, games, held_out_results, told } =
            read_sets(traces, parameters, settings, seed, factor)?;
        let positions = sets.iter().map(Positions::len).sum::<usize>() as f64;
        let bytes = sets.iter().map(Store::bytes).sum::<usize>() as f64 / positions;
        let [training, validation, held_out] = &sets;
        progress(&format!(
            "{} positions to fit, {} to stop by, {} held out; {bytes:.0} bytes each in memory",
            training.len(),
            validation.len(),
            held_out.len(),
        ));
        let kept = |set| if LinearStore::len(set) == 0 { training } else { set };
        let problem = Problem {
            training,
            validation: kept(validation),
            held_out: kept(held_out),
            start: &parameters.values,
            terms: &parameters.terms,
            games: Some(&games),
            ties: &Ties::default(),
            held,
        };
        let fitted = problem.fit(settings, seed, progress)?;
        let mut report = Report {
            guessed_positions: told.guessed,
            disagreement: told.disagreement,
            entries_per_position: sets.iter().map(Store::entries).sum::<usize>() as f64 / positions,
            bytes_per_position: bytes,
            ..Report::of(&problem, &fitted, settings, seed)
        };
        assessment::assess_model(&problem, &fitted, &mut report);
        assessment::numbers(&problem, &fitted, &mut report);
        if !held_out_results.is_empty() {
            let [before, after] =
                [problem.start, &fitted.values].map(|values| held_out.evaluations(values));
            report.diagnosis =
                diagnosis::diagnose_results(&held_out_results, [&before, &after], fitted.k);
        }
        progress(&report.errors_line());
        Ok((fitted, report))
    }
}

struct Read {
    /// For training, to stop by, and held out; no game is in two of them.
    sets: [LinearStore; 3],
    /// The game of each training position, in the order of the store.
    games: Vec<u32>,
    /// Game and White's result of each position held out, in the order of the store.
    held_out_results: Vec<(u32, f64)>,
    told: Told,
}

/// Reads traces, with search scores multiplied by the factor of a unit, if there is one.
///
/// # Errors
/// As [`fit_traces`]: a part of an evaluation that is not fitted has no other unit than its own.
fn read_sets(
    traces: Traces<'_>,
    parameters: &ParameterFile,
    settings: &FitSettings,
    seed: u64,
    factor: Option<f64>,
) -> anyhow::Result<Read> {
    let terms = &parameters.terms;
    let limit = memory::limit(settings.memory) as f64;
    let shares = settings.shares();
    // Held-out positions are looked at but twice: no memory for them.
    let mut sets = [1.0 - shares.validation, shares.validation, 0.0]
        .map(|share| Store::builder(terms.cells(), (limit * share) as usize));
    let bar = ProgressBar::no_length().with_message("reading traces");
    let (mut games, mut held_out_results) = (Vec::new(), Vec::new());
    let mut count = 0usize;
    let told = traces.each(parameters, &bar, |mut position, game| {
        count += 1;
        if let Some(factor) = factor {
            ensure!(
                position.constant == 0.0,
                "--unit: a part of the evaluation is not fitted (constant={}), and no unit changes \
                 it: leave out --unit, or have that part traced, too",
                position.constant
            );
            let scaled = |score: i16| (f64::from(score) * factor).round() as i16;
            position.score = position.score.map(scaled);
        }
        if count.is_multiple_of(PROGRESS_EVERY) {
            bar.set_message(format!("reading traces: {count} positions"));
            bar.tick();
        }
        let set = match purpose_of(game, shares, seed) {
            Purpose::Training => {
                games.push(game);
                0
            }
            Purpose::Validation => 1,
            Purpose::HeldOut => {
                held_out_results.push((game, f64::from(position.result)));
                2
            }
        };
        position.append(terms, &mut sets[set])
    })?;
    bar.finish_and_clear();
    check_sizes([0, 1, 2].map(|set| sets[set].positions()), shares)?;
    let [training, validation, held_out] = sets.map(Builder::finish);
    let sets = [training?, validation?, held_out?];
    let games = sets[0].arranged(games);
    let held_out_results = sets[2].arranged(held_out_results);
    Ok(Read { sets, games, held_out_results, told })
}
