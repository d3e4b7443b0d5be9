//! Simultaneous perturbation stochastic approximation as fishtest and OpenBench define it: a path of
//! values that follows the results of games, and nothing else.
//!
//! CITE: James C. Spall, "Multivariate stochastic approximation using a simultaneous perturbation
//! gradient approximation"; gains and rounding as in fishtest and OpenBench.
//!
//! In iteration k each number is moved by its perturbation c up or down, by a coin; the numbers
//! moved so play those moved the other way, and all step towards the winner:
//! `value += R·c·δ·(wins − losses)`. With K iterations planned and A = ratio·K
//!
//! ```text
//! c = c_end·(K/k)^γ        R = r_end·(c_end/c)²·((A + K)/(A + k))^α
//! ```
//!
//! Beyond iteration K the same formulas go on. A whole number is played as ⌊x + U⌋ with one U from
//! [0, 1) for both players, so that it is right on average, and its c is at least a half, so that
//! both differ.
//!
//! Many games are played at once, but no result may depend on how many: iteration k is therefore
//! drawn from the values after iteration k − window, whoever waits for it.

use std::collections::VecDeque;
use std::sync::Arc;

use rand::RngExt;
use serde::{Deserialize, Serialize};
use tunables::Tunable;

/// Least perturbation of whole numbers.
const LEAST_WHOLE: f64 = 0.5;

/// How perturbations and steps shrink along a run.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gains {
    /// Iterations that the run is planned for: K. At its end perturbation and rate are those that
    /// each number asks for.
    pub iterations: u64,
    /// A in units of K: how much the first steps are held back.
    pub a_ratio: f64,
    /// Exponent by which steps shrink.
    pub alpha: f64,
    /// Exponent by which perturbations shrink.
    pub gamma: f64,
}

impl Gains {
    /// The gains that fishtest and OpenBench propose, for so many iterations.
    pub fn usual(iterations: u64) -> Gains {
        Gains { iterations, a_ratio: 0.1, alpha: 0.602, gamma: 0.101 }
    }

    /// Perturbation of a number in iteration k, from 1.
    pub fn perturbation(&self, tunable: &Tunable, k: u64) -> f64 {
        let c = tunable.step * (self.iterations as f64 / k as f64).powf(self.gamma);
        if tunable.is_whole { c.max(LEAST_WHOLE) } else { c }
    }

    /// How far a number moves in iteration k for each game won more than lost.
    pub fn move_per_win(&self, tunable: &Tunable, k: u64) -> f64 {
        let (planned, k) = (self.iterations as f64, k as f64);
        let held_back = self.a_ratio * planned;
        let shrinking = ((held_back + planned) / (held_back + k)).powf(self.alpha);
        let c = self.perturbation(tunable, k as u64);
        tunable.rate * tunable.step.powi(2) * shrinking / c
    }
}

/// The values of both players of one iteration.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Trial {
    /// Its number k, from 1.
    pub iteration: u64,
    /// Values of the player that was moved one way.
    pub plus: Vec<f64>,
    /// Values of the player that was moved the other way.
    pub minus: Vec<f64>,
    /// How far each number moves for each game that `plus` wins more than it loses.
    pub moves: Vec<f64>,
}

/// The path of SPSA under way: values, and trials that are drawn ahead.
#[derive(Clone, Debug)]
pub struct Path {
    tunables: Vec<Tunable>,
    gains: Gains,
    seed: u64,
    values: Vec<f64>,
    /// Trials that may be played now, the next to be counted first.
    trials: VecDeque<Arc<Trial>>,
}

impl Path {
    /// A path at its beginning, with so many iterations drawn ahead.
    ///
    /// # Panics
    /// If the window is 0.
    pub fn new(tunables: Vec<Tunable>, gains: Gains, seed: u64, window: u64) -> Path {
        assert!(window > 0, "somebody has to play");
        let values = tunables.iter().map(|tunable| tunable.value).collect();
        let mut path = Path { tunables, gains, seed, values, trials: VecDeque::new() };
        for iteration in 1..=window {
            let trial = path.draw(iteration);
            path.trials.push_back(trial);
        }
        path
    }

    /// Where it is: the values after the last iteration counted.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The iteration of this number, if it may be played now: the next to be counted, and those up to the
    /// window.
    pub fn trial(&self, iteration: u64) -> Option<&Arc<Trial>> {
        self.trials.iter().find(|trial| trial.iteration == iteration)
    }

    /// Counts the next iteration by the games that its `plus` won more than it lost. Returns it; another
    /// may be played from now on.
    ///
    /// # Panics
    /// Never: there is always a next iteration.
    pub fn count(&mut self, score: i64) -> Arc<Trial> {
        let counted = self.trials.pop_front().expect("the window is not empty");
        let moved = self.values.iter_mut().zip(&self.tunables).zip(&counted.moves);
        for ((value, tunable), by) in moved {
            *value = (*value + by * score as f64).clamp(tunable.low, tunable.high);
        }
        let next = self.trials.back().map_or(counted.iteration, |last| last.iteration) + 1;
        let drawn = self.draw(next);
        self.trials.push_back(drawn);
        counted
    }

    /// Draws an iteration around the values as they are.
    fn draw(&self, iteration: u64) -> Arc<Trial> {
        let mut random = random::stream(self.seed, iteration);
        let count = self.tunables.len();
        let mut trial = Trial {
            iteration,
            plus: Vec::with_capacity(count),
            minus: Vec::with_capacity(count),
            moves: Vec::with_capacity(count),
        };
        for (tunable, value) in self.tunables.iter().zip(&self.values) {
            let sign = if random.random::<bool>() { 1.0 } else { -1.0 };
            // Drawn for every number, so that its kind does not change the coins of those behind.
            let threshold: f64 = random.random();
            let played = |value: f64| {
                let value = if tunable.is_whole { (value + threshold).floor() } else { value };
                value.clamp(tunable.low, tunable.high)
            };
            let c = sign * self.gains.perturbation(tunable, iteration);
            trial.plus.push(played(value + c));
            trial.minus.push(played(value - c));
            trial.moves.push(sign * self.gains.move_per_win(tunable, iteration));
        }
        Arc::new(trial)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tunable(is_whole: bool, value: f64, step: f64) -> Tunable {
        let name = "x".to_string();
        Tunable { name, is_whole, value, low: 0.0, high: 200.0, step, rate: 0.002 }
    }

    #[test]
    fn gains_are_those_of_openbench() {
        // By its formulas: c_value / k^γ, and a_value / (A + k)^α / c², times c.
        let (gains, number) = (Gains::usual(1000), tunable(false, 50.0, 4.0));
        let c_value = 4.0 * 1000_f64.powf(0.101);
        let a_value = 0.002 * 16.0 * 1100_f64.powf(0.602);
        for k in [1, 7, 500, 1000, 2500] {
            let c = c_value / (k as f64).powf(0.101);
            let r = a_value / (100.0 + k as f64).powf(0.602) / (c * c);
            assert!((gains.perturbation(&number, k) / c - 1.0).abs() < 1e-12, "{k}");
            assert!((gains.move_per_win(&number, k) / (r * c) - 1.0).abs() < 1e-12, "{k}");
        }
        assert!((gains.perturbation(&number, 1000) - 4.0).abs() < 1e-12);
        assert!((gains.move_per_win(&number, 1000) - 0.002 * 4.0).abs() < 1e-12);
        // A whole number is moved by a half at least, and no further for that.
        let whole = tunable(true, 50.0, 0.1);
        assert_eq!(gains.perturbation(&whole, 1000), 0.5);
        assert!((gains.move_per_win(&whole, 1000) - 0.002 * 0.01 / 0.5).abs() < 1e-15);
    }

    #[test]
    fn whole_numbers_are_right_on_average_and_differ() {
        let path = Path::new(vec![tunable(true, 50.3, 0.4)], Gains::usual(4000), 3, 4000);
        let (mut sum, mut spread) = (0.0, 0.0);
        for trial in &path.trials {
            let (plus, minus) = (trial.plus[0], trial.minus[0]);
            assert!(plus.fract() == 0.0 && minus.fract() == 0.0);
            sum += (plus + minus) / 2.0 - 50.3;
            spread += (plus - minus) * trial.moves[0].signum()
                / (2.0 * path.gains.perturbation(&path.tunables[0], trial.iteration));
        }
        assert!((sum / 4000.0).abs() < 0.02, "{}", sum / 4000.0);
        assert!((spread / 4000.0 - 1.0).abs() < 0.03, "{}", spread / 4000.0);
    }

    #[test]
    fn ranges_hold_for_players_and_values() {
        let mut path = Path::new(vec![tunable(true, 199.0, 8.0)], Gains::usual(10), 1, 2);
        for _ in 0..200 {
            let up = path.trials.front().expect("a trial").moves[0].signum();
            path.count(2000 * up as i64);
        }
        assert_eq!(path.values(), [200.0]);
        for trial in &path.trials {
            let of_range = |value: f64| (0.0..=200.0).contains(&value);
            assert!(of_range(trial.plus[0]) && of_range(trial.minus[0]));
        }
    }

    #[test]
    fn an_iteration_is_drawn_from_the_values_a_window_before() {
        let numbers = vec![tunable(false, 100.0, 4.0), tunable(true, 60.0, 3.0)];
        let mut path = Path::new(numbers, Gains::usual(50), 9, 4);
        let mut after = vec![path.values().to_vec()];
        let mut drawn: Vec<Arc<Trial>> = path.trials.iter().cloned().collect();
        for k in 0..30 {
            let counted = path.count(k % 3 - 1);
            assert_eq!(counted, drawn[k as usize]);
            after.push(path.values().to_vec());
            drawn.extend(path.trials.back().cloned());
        }
        for (index, trial) in drawn.iter().enumerate() {
            assert_eq!(trial.iteration, index as u64 + 1);
            let middle = (trial.plus[0] + trial.minus[0]) / 2.0;
            assert!((middle - after[index.saturating_sub(3)][0]).abs() < 1e-9, "{index}");
        }
    }
}
