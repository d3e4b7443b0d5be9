//! The fit of a linear evaluation whose traces and numbers come from files.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

use anyhow::ensure;
use indicatif::ProgressBar;
use positions::{Purpose, purpose_of};

use super::fitted::Fitted;
use super::problem::{Problem, check_sizes, sorted};
use super::report::Report;
use super::settings::FitSettings;
use super::unit::Unit;
use super::{ProgressLines, Ties, assessment, diagnosis, memory, selection};
use crate::model::Positions;
use crate::model::linear::{LinearStore, ParameterFile, read};
use crate::model::packing::Builder;
use crate::model::store::Store;

/// Positions between two looks at how far reading has come.
const PROGRESS_EVERY: usize = 1 << 14;

/// Fits the numbers of a parameter file to the traces in files, on the threads of the current pool.
/// With a unit, its number is what was asked for, and all others are in proportion.
///
/// # Errors
/// [`command_line::WrongUse`] for settings of Kamerton's own evaluation alone, and for a unit that cannot be one;
/// when a file is damaged or cannot be read, there are too few positions, and
/// [`Singular`](super::Singular) when the positions do not determine the values.
pub fn fit_traces(
    paths: &[PathBuf],
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
            .fit(paths, settings, seed, progress);
    };
    let place = unit.place(parameters)?;
    let plain = Scaled { parameters, held: &held, factor: Some(1.0) };
    let (fitted, _) = plain.fit(paths, settings, seed, progress)?;
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
    let (fitted, mut report) = scaled.fit(paths, &settings, seed, progress)?;
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
        paths: &[PathBuf],
        settings: &FitSettings,
        seed: u64,
        progress: ProgressLines<'_>,
    ) -> anyhow::Result<(Fitted, Report)> {
        let Scaled { parameters, held, factor } = *self;
        let Read { sets, games, held_out_results, guessed } =
            read_sets(paths, parameters, settings, seed, factor)?;
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
            guessed_positions: guessed,
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
    /// How many positions' games were guessed.
    guessed: usize,
}

/// Reads the files, with search scores multiplied by the factor of a unit, if there is one.
///
/// # Errors
/// As [`fit_traces`]: a part of an evaluation that is not fitted has no other unit than its own.
fn read_sets(
    paths: &[PathBuf],
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
    let bar =
        ProgressBar::new(paths.iter().filter_map(|path| fs::metadata(path).ok()).count() as u64)
            .with_message("reading traces");
    let (mut games, mut held_out_results) = (Vec::new(), Vec::new());
    let (mut guessed, mut count) = (0, 0usize);
    for (file, path) in paths.iter().enumerate() {
        // Games of different files are different games.
        let first_game = (file as u32).wrapping_mul(0x9E37_79B9);
        guessed += read(path, terms.cells(), |mut position, game| {
            count += 1;
            if let Some(factor) = factor {
                ensure!(
                    position.constant == 0.0,
                    "--unit: a part of the evaluation is not fitted (constant={}), and no unit \
                     changes it: leave out --unit, or have that part traced, too",
                    position.constant
                );
                let scaled = |score: i16| (f64::from(score) * factor).round() as i16;
                position.score = position.score.map(scaled);
            }
            if count.is_multiple_of(PROGRESS_EVERY) {
                bar.set_message(format!("reading traces: {count} positions"));
                bar.tick();
            }
            let game = game.wrapping_add(first_game);
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
        bar.inc(1);
    }
    bar.finish_and_clear();
    check_sizes([0, 1, 2].map(|set| sets[set].positions()), shares)?;
    let [training, validation, held_out] = sets.map(Builder::finish);
    let sets = [training?, validation?, held_out?];
    let games = sets[0].arranged(games);
    let held_out_results = sets[2].arranged(held_out_results);
    Ok(Read { sets, games, held_out_results, guessed })
}
