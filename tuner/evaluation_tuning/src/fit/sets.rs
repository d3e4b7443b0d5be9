//! The traced positions of a fit of Kamerton's evaluation, by what they are for.

use chess::evaluation::Evaluator;
use chess::{Color, Parameters, Position, Weights};
use positions::{Sample, Split, split};
use rand::seq::SliceRandom;

use super::memory;
use super::problem::check_sizes;
use super::settings::FitSettings;
use crate::model::trace::{BOARDS, TraceStore, Tracer};
use crate::model::{BLOCK, Positions, Values, Work, in_blocks};

/// Stream of random numbers that shuffles the positions; the passes of AdamW have those from 0 on.
const SHUFFLE: u64 = u64::MAX;

/// Samples that are traced, and then freed, at a time.
const SAMPLES_AT_A_TIME: usize = 1 << 16;

/// The traced positions of a fit, by what they are for; no game is in two sets.
pub(super) struct Sets {
    pub training: TraceStore,
    /// To stop by.
    pub validation: TraceStore,
    /// To report the error of: they decide nothing.
    pub held_out: TraceStore,
}

impl Sets {
    pub fn new(
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
    pub fn total(&self, count: impl Fn(&TraceStore) -> usize) -> usize {
        [&self.training, &self.validation, &self.held_out].into_iter().map(count).sum()
    }

    pub fn positions(&self) -> f64 {
        self.total(|set| set.len()) as f64
    }

    /// Memory held for the traces, in bytes for each position.
    pub fn bytes_per_position(&self) -> f64 {
        self.total(|set| set.bytes()) as f64 / self.positions()
    }

    pub fn describe(&self) -> String {
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
                let position: &Position = position.typed();
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
