//! Regret, measured: how much worse than the best move known are those that are chosen.

use super::bench::{Bench, Question};
use super::design::Space;
use super::places::Passage;

/// A mean with its standard error.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Mean of the values.
    pub mean: f64,
    /// Standard error of the mean.
    pub error: f64,
}

impl Estimate {
    /// Mean of independent values.
    pub(super) fn of(values: &[f64]) -> Estimate {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Estimate { mean, error: (squares / (count * (count - 1.0))).sqrt() }
    }
}

/// The worth of moves that searches with several sets of values chose.
pub(super) struct Scores {
    /// The worth of the chosen moves (expected score), by set of values, replicate and passage.
    worths: Vec<Vec<Vec<f64>>>,
}

impl Scores {
    /// Lets each set of values choose in each passage, once for each replicate; replicates differ
    /// by a null change. `observe` hears how many searches are done.
    ///
    /// # Errors
    /// If judgements cannot be written.
    pub fn measure(
        bench: &mut Bench<'_>,
        passages: &[Passage],
        space: &Space,
        sets: &[Vec<f64>],
        replicates: usize,
        seed: u64,
        observe: &mut dyn FnMut(usize),
    ) -> anyhow::Result<Scores> {
        /// Passages between two reports of progress.
        const CHUNK: usize = 25;
        let mut worths = vec![vec![Vec::with_capacity(passages.len()); replicates]; sets.len()];
        for (chunk, first) in passages.chunks(CHUNK).zip((0..).step_by(CHUNK)) {
            let mut questions = Vec::new();
            for (index, passage) in chunk.iter().enumerate() {
                for replicate in 0..replicates {
                    let change = (((first + index) as u64) << 16) | replicate as u64;
                    let nearby = |set: &Vec<f64>| space.null_change(set, seed, change);
                    questions
                        .extend(sets.iter().map(|set| Question { passage, values: nearby(set) }));
                }
            }
            let mut found = bench.ask(&questions)?.into_iter();
            for _ in chunk {
                for replicate in 0..replicates {
                    for set in &mut worths {
                        set[replicate].extend(found.next());
                    }
                }
            }
            observe(questions.iter().map(|it| it.passage.places.len()).sum());
        }
        Ok(Scores { worths })
    }

    /// How much more the moves of one set of values are worth than those of another (expected score).
    pub fn gain(&self, set: usize, over: usize) -> Estimate {
        let (mine, others) = (self.means(set), self.means(over));
        Estimate::of(&mine.iter().zip(&others).map(|(a, b)| a - b).collect::<Vec<f64>>())
    }

    /// How much a set of values gains over itself: its first replicate over its second, which is
    /// nothing but chance, scaled to that in a gain over all replicates. None where there is
    /// no second one.
    pub fn null_gain(&self, set: usize) -> Option<Estimate> {
        let [first, second, ..] = self.worths[set].as_slice() else { return None };
        let scale = (self.worths[set].len() as f64).sqrt();
        let gains = first.iter().zip(second).map(|(a, b)| (a - b) / scale);
        Some(Estimate::of(&gains.collect::<Vec<f64>>()))
    }

    /// How much less the moves of a set are worth than the best moves known (expected score).
    pub fn regret(&self, set: usize, bench: &Bench<'_>, passages: &[Passage]) -> Estimate {
        let means = self.means(set);
        let regrets: Vec<f64> =
            passages.iter().zip(&means).map(|(passage, mean)| bench.best(passage) - mean).collect();
        Estimate::of(&regrets)
    }

    /// Mean over the replicates, by passage.
    fn means(&self, set: usize) -> Vec<f64> {
        let replicates = &self.worths[set];
        let sum = |passage: usize| replicates.iter().map(|it| it[passage]).sum::<f64>();
        (0..replicates[0].len()).map(|passage| sum(passage) / replicates.len() as f64).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_those_of_the_mean() {
        let estimate = Estimate::of(&[1.0, 2.0, 3.0, 4.0]);
        assert_eq!(estimate.mean, 2.5);
        // Variance 5/3 of a value, a quarter of it for the mean of four.
        assert!((estimate.error - (5.0f64 / 12.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn gains_compare_passage_by_passage() {
        let scores =
            Scores { worths: vec![vec![vec![0.5, 0.7], vec![0.5, 0.5]], vec![vec![0.4, 0.5]; 2]] };
        assert!((scores.gain(0, 1).mean - 0.1).abs() < 1e-12);
        assert!(scores.gain(0, 1).error < 1e-12);
        let null_gain = |set| scores.null_gain(set).expect("two replicates").mean;
        // Of means of two there is less chance by the root of two.
        assert!((null_gain(0) - 0.1 / 2f64.sqrt()).abs() < 1e-12);
        assert_eq!(null_gain(1), 0.0);
        let once = Scores { worths: vec![vec![vec![0.5, 0.7]]] };
        assert!(once.null_gain(0).is_none());
    }
}
