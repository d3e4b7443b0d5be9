//! The positions whose moves are judged.

use std::path::PathBuf;

use anyhow::ensure;
use engine::Parameters;
use engine::chess::Position;
use rand::seq::SliceRandom;
use sprt::random::stream;

use crate::positions::{self, Filter, Purpose, Sample, Shares, purpose_of};

/// Share of the games whose positions choose nothing and only report.
const HELD_OUT: f64 = 0.3;
/// Positions a game at most: those of one game are alike.
const PER_GAME: usize = 4;
/// Greatest score of a recorded position (centipawns): beyond it most moves win, or none.
const MAX_SCORE: u16 = 600;
/// What a centipawn changes in the logarithm of the odds, where no recorded score says so.
const USUAL_K: f64 = 0.007;

/// A position in which a move is to be chosen.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub position: Position,
    pub fen: String,
}

/// Positions by purpose, and what a score means for the result.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// Those that numbers are tuned on.
    pub tuning: Vec<Place>,
    /// Those of other games, on which the result is measured.
    pub held_out: Vec<Place>,
    /// Expected score = 1 / (1 + exp(−k · centipawns)).
    pub k: f64,
}

impl Places {
    /// Draws `count` positions for tuning and half as many to report on from recorded games, as a
    /// seed has it. Whether they are quiet does not matter; those in which there is no choice, or
    /// which are decided, are left out.
    ///
    /// # Errors
    /// If the files cannot be read, or hold too few positions.
    pub fn draw(
        files: &[PathBuf],
        count: usize,
        seed: u64,
        threads: usize,
    ) -> anyhow::Result<Places> {
        let filter = Filter {
            per_game: PER_GAME,
            max_score: MAX_SCORE,
            keep_noisy: true,
            sample_seed: seed,
            ..Filter::default()
        };
        let found = positions::expand(files, &filter, Parameters::embedded(), threads)?;
        found.counts.warn();
        let mut samples = found.samples;
        let k = fitted_k(&samples).unwrap_or(USUAL_K);
        samples.shuffle(&mut stream(seed, u64::MAX));
        let shares = Shares { validation: 0.0, held_out: HELD_OUT };
        let (mut tuning, mut held_out) = (Vec::new(), Vec::new());
        for sample in &samples {
            let is_held_out = purpose_of(sample.game(), shares, seed) == Purpose::HeldOut;
            let (set, wanted) =
                if is_held_out { (&mut held_out, count / 2) } else { (&mut tuning, count) };
            if set.len() < wanted {
                set.extend(place(sample));
            }
        }
        ensure!(
            tuning.len() == count && held_out.len() == count / 2,
            "there are only {} positions to tune on and {} to report on, not {count} and {}: give \
             more files, or a smaller --count",
            tuning.len(),
            held_out.len(),
            count / 2
        );
        Ok(Places { tuning, held_out, k })
    }
}

/// The position of a sample, if there is a choice in it.
fn place(sample: &Sample) -> Option<Place> {
    let position = sample.position();
    let fen = position.to_fen(position.chess960());
    (position.legal_moves().len() > 1).then_some(Place { position, fen })
}

/// The k with which the recorded scores predict the results best; none if there are too few scores.
fn fitted_k(samples: &[Sample]) -> Option<f64> {
    /// Fewer results do not determine it.
    const FEWEST: usize = 1000;
    let known: Vec<(f64, f64)> = samples
        .iter()
        .filter_map(|sample| Some((f64::from(sample.score()?), sample.result())))
        .collect();
    if known.len() < FEWEST {
        return None;
    }
    let error = |k: f64| -> f64 {
        let squares =
            known.iter().map(|&(score, result)| (result - expected_score(k, score)).powi(2));
        squares.sum()
    };
    // Golden-section search: the error has one valley.
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (5e-4, 5e-2);
    while high - low > 1e-6 {
        let step = golden * (high - low);
        if error(high - step) < error(low + step) {
            high = low + step;
        } else {
            low = high - step;
        }
    }
    Some((low + high) / 2.0)
}

/// Expected score, 0 to 1, of who stands at so many centipawns.
pub(super) fn expected_score(k: f64, centipawns: f64) -> f64 {
    1.0 / (1.0 + (-k * centipawns).exp())
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;

    #[test]
    fn k_is_found_again() {
        let mut random = stream(3, 0);
        let truth = 0.006;
        let samples: Vec<Sample> = (0..20_000)
            .map(|game| {
                let score: i16 = random.random_range(-600..=600);
                let wins = random.random::<f64>() < expected_score(truth, f64::from(score));
                let result = if wins { 1.0 } else { 0.0 };
                Sample::new(&Position::start(), game, 0, Some(score), result).expect("packed")
            })
            .collect();
        let k = fitted_k(&samples).expect("enough");
        assert!((k - truth).abs() < 3e-4, "{k}");
        assert_eq!(fitted_k(&samples[..10]), None);
    }
}
