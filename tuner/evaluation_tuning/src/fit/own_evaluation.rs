//! The fit of Kamerton's own evaluation: from samples and starting values to tuned values and a
//! report.

use chess::Color;
use chess::evaluation::Evaluator;
use chess::evaluation::weights::SHAPE_GROUPS;
use chess::{Parameters, Weights};
use parameters::{Number, Table};
use positions::{Sample, Split, split};
use rand::seq::SliceRandom;

use super::problem::{Problem, check_sizes};
use super::report::Report;
use super::settings::FitSettings;
use super::{Fit, ProgressLines, Ties, assessment, memory, selection};
use crate::model::store::BLOCK;
use crate::model::trace::{self, BOARDS, TraceStore, Tracer};
use crate::model::{Positions, Values, Work, in_blocks};

/// Stream of random numbers that shuffles the positions; the passes of AdamW have those from 0 on.
const SHUFFLE: u64 = u64::MAX;
/// The pawn's value where a fit from nothing begins (centipawns).
const PAWN: i64 = 100;
/// Samples that are traced, and then freed, at a time.
const SAMPLES_AT_A_TIME: usize = 1 << 16;

/// Fits the weights of `start` to the samples, on the threads of the current pool.
///
/// # Errors
/// When there are too few positions, a temporary file fails, and
/// [`Singular`](super::Singular) when the positions do not determine the values, and
/// [`command_line::WrongUse`] for words that name no number.
pub fn fit(
    samples: Vec<Sample>,
    start: &Parameters,
    settings: &FitSettings,
    seed: u64,
    progress: ProgressLines<'_>,
) -> anyhow::Result<Fit> {
    let held = selection::held(&settings.only, &settings.freeze)?;
    let (start, settings) = &match says_nothing(start) {
        // Scores of who knows nothing are of another unit, and no good.
        true => (
            in_centipawns(start),
            FitSettings { lambda: settings.lambda.or(Some(0.0)), ..settings.clone() },
        ),
        false => (start.clone(), settings.clone()),
    };
    let sets = Sets::new(samples, settings, seed, start)?;
    progress(&sets.describe());
    let before = Values::of(&start.weights);
    let terms = trace::terms();
    let problem = Problem {
        training: &sets.training,
        validation: sets.all()[1],
        held_out: sets.all()[2],
        start: &before,
        terms: &terms,
        games: Some(sets.training.games()),
        ties: &Ties::of_squares(settings.tie()),
        held: &held,
    };
    let fitted = problem.fit(settings, seed, progress)?;
    let parameters = Parameters { weights: fitted.values.rounded(), margins: start.margins };
    let mut report = Report {
        guessed_positions: sets.total(TraceStore::guessed),
        exact_positions: sets.total(|set| set.exact().len()),
        entries_per_position: sets.total(|set| set.entries()) as f64 / sets.positions(),
        bytes_per_position: sets.bytes_per_position(),
        ..Report::of(&problem, &fitted, settings, seed)
    };
    assessment::assess(&sets, fitted.k, settings, (start, &parameters), &mut report);
    assessment::numbers(&problem, &fitted, &mut report);
    progress(&report.errors_line());
    Ok(Fit { parameters, report })
}

/// Whether values say nothing of results but who has more men: every term is 0 or as near to it as
/// its range goes. Neither scales nor where danger begins favor a side by themselves.
pub fn says_nothing(values: &Parameters) -> bool {
    let zero = Parameters::zero();
    let speaks = |number: &Number| {
        let declaration = number.declaration;
        declaration.table == Table::Weights
            && !SHAPE_GROUPS.contains(&declaration.group)
            && declaration.group != "scale"
            && declaration.path() != "danger.start"
    };
    let mut terms = Parameters::numbers().filter(speaks);
    terms.all(|number| number.value(values) == number.value(&zero))
}

/// Values that say nothing but what men are worth at least, in the unit of margins: with a pawn of 100.
/// They predict what they did, at a smaller K.
///
/// The unit has to be right before the fit: K keeps it, and the pull would hold a queen at the least
/// of her range against all but a million positions. A K other than 1 is as it should be: in games
/// of who knows nothing, men decide less.
fn in_centipawns(start: &Parameters) -> Parameters {
    let mut scaled = start.clone();
    let pawn = i64::from(start.get("material.pawn.middlegame").expect("it is declared"));
    for number in Parameters::numbers().filter(|it| it.declaration.group == "material") {
        let (low, high) = number.range();
        let value = i64::from(number.value(start)) * PAWN / pawn;
        let value = value.clamp(i64::from(low), i64::from(high));
        number.set(&mut scaled, value).expect("it was clamped to its range");
    }
    scaled
}

/// The traced positions of a fit, by what they are for; no game is in two sets.
pub(super) struct Sets {
    pub training: TraceStore,
    /// To stop by.
    pub validation: TraceStore,
    /// To report the error of: they decide nothing.
    pub held_out: TraceStore,
}

impl Sets {
    fn new(
        samples: Vec<Sample>,
        settings: &FitSettings,
        seed: u64,
        start: &Parameters,
    ) -> anyhow::Result<Sets> {
        let Split { mut training, validation, held_out } = split(samples, settings.shares(), seed);
        check_sizes([training.len(), validation.len(), held_out.len()], settings.shares())?;
        // Shuffled once for all: mini-batches can then be made of neighbors in memory.
        training.shuffle(&mut random::stream(seed, SHUFFLE));
        let limit = memory::limit(settings.memory) as f64;
        let traced = |samples: Vec<Sample>, share: f64| {
            trace(samples, &start.weights, (limit * share) as usize)
        };
        let kept = settings.validation;
        Ok(Sets {
            // They are looked at but twice: no memory for them.
            held_out: traced(held_out, 0.0)?,
            validation: traced(validation, kept)?,
            training: traced(training, 1.0 - kept)?,
        })
    }

    /// Positions for training, to stop by, and held out; where no games are kept for a purpose,
    /// those for training serve it.
    pub fn all(&self) -> [&TraceStore; 3] {
        let kept = |set| if TraceStore::len(set) == 0 { &self.training } else { set };
        [&self.training, kept(&self.validation), kept(&self.held_out)]
    }

    /// A sum over all sets.
    fn total(&self, count: impl Fn(&TraceStore) -> usize) -> usize {
        [&self.training, &self.validation, &self.held_out].into_iter().map(count).sum()
    }

    fn positions(&self) -> f64 {
        self.total(|set| set.len()) as f64
    }

    /// Memory held for the traces, in bytes for each position.
    fn bytes_per_position(&self) -> f64 {
        self.total(|set| set.bytes()) as f64 / self.positions()
    }

    fn describe(&self) -> String {
        let in_file = self.total(|set| set.file_bytes() as usize);
        let elsewhere = match in_file {
            0 => String::new(),
            bytes => format!(", and {} MB in a temporary file", bytes >> 20),
        };
        format!(
            "{} positions to fit, {} to stop by, {} held out; {:.0} bytes each in memory{elsewhere}",
            self.training.len(),
            self.validation.len(),
            self.held_out.len(),
            self.bytes_per_position(),
        )
    }
}

/// Traces samples, and frees them on the way: they take half as much room as their traces.
fn trace(mut samples: Vec<Sample>, weights: &Weights, memory: usize) -> anyhow::Result<TraceStore> {
    let mut tracer = Tracer::new(weights, memory);
    samples.reverse();
    while !samples.is_empty() {
        let mut part = samples.split_off(samples.len().saturating_sub(SAMPLES_AT_A_TIME));
        samples.shrink_to_fit();
        part.reverse();
        tracer.add(&part)?;
    }
    tracer.finish()
}

/// The engine's evaluations of the positions in centipawns from White's view, and their greatest
/// difference from the model's.
pub(super) fn engine_evaluations(set: &TraceStore, weights: &Weights) -> (Vec<i32>, f64) {
    let tables = set.tables(&Values::of(weights));
    let room = || (Evaluator::new(), Work::default());
    let parts = in_blocks(set.board_blocks(), 1, room, |(evaluator, work), blocks| {
        let (mut evaluations, mut greatest) = (Vec::with_capacity(BOARDS), 0.0);
        for (inside, boards) in set.boards(blocks.start).chunks(BLOCK).enumerate() {
            set.evaluate(blocks.start * (BOARDS / BLOCK) + inside, &tables, work);
            for (index, board) in boards.iter().enumerate() {
                let position = board.unpack().expect("it was packed from a legal position");
                let value = evaluator.evaluate(position.board(), weights);
                let value = if position.side_to_move() == Color::White { value } else { -value };
                let difference = f64::from(value) - work.evaluations[index];
                greatest = f64::max(greatest, difference.abs());
                evaluations.push(value);
            }
        }
        (evaluations, greatest)
    });
    let greatest = parts.iter().map(|part| part.1).fold(0.0, f64::max);
    (parts.into_iter().flat_map(|part| part.0).collect(), greatest)
}
