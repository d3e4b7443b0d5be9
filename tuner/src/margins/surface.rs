//! The response surface: how the expected score of the moves that are chosen depends on the numbers,
//! as far as a sum of one parabola a number can tell.
//!
//! What all numbers together do to one position is known twice a round, with other values each time;
//! every observation speaks of every number at once. A position has a level of its own, whatever the
//! numbers: it is taken out by comparing observations of the same position alone.
//!
//! CITE: G. E. P. Box and K. B. Wilson, "On the experimental attainment of optimum conditions"
//! (1951).

use nalgebra::{Cholesky, DMatrix, DVector};

/// Groups of positions for the jackknife: what is found without each of them shows how far it
/// depends on which positions there are.
const GROUPS: usize = 20;

/// What is thought of a number before anything is known: the slope of the expected score where the
/// number starts, by its spread, is about zero with this standard deviation …
const SLOPE_DEVIATION: f64 = 6e-4;
/// … and its second derivative about this, as most numbers have been set with some care, …
const CURVATURE: f64 = -2e-4;
/// … with this standard deviation.
const CURVATURE_DEVIATION: f64 = 2e-4;
/// A parabola is never taken to be flatter than this, so that noise does not bend it upwards.
const LEAST_CURVATURE: f64 = 2e-5;

/// Observations so far, summed up.
#[derive(Clone, Debug)]
pub(super) struct Surface {
    numbers: usize,
    groups: Vec<Sums>,
    positions: Vec<Level>,
}

/// Sums over the observations of a group of positions.
#[derive(Clone, Debug)]
struct Sums {
    matrix: DMatrix<f64>,
    vector: DVector<f64>,
    square: f64,
    weight: f64,
    /// Positions with an observation.
    levels: f64,
}

/// Sums over the observations of one position, from which its level follows.
#[derive(Clone, Debug)]
struct Level {
    features: DVector<f64>,
    value: f64,
    weight: f64,
}

/// One parabola for each number, in spreads from where it started.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Parabolas {
    /// Slope at the start (expected score by spread).
    pub slope: Vec<f64>,
    /// Second derivative (expected score by squared spread), negative.
    pub curvature: Vec<f64>,
}

impl Surface {
    /// A surface over so many numbers without an observation of any of the positions.
    pub fn new(numbers: usize, positions: usize) -> Surface {
        let level = Level { features: DVector::zeros(2 * numbers), value: 0.0, weight: 0.0 };
        Surface {
            numbers,
            groups: vec![Sums::new(2 * numbers); GROUPS],
            positions: vec![level; positions],
        }
    }

    /// Lets everything so far count for this share only: far from where it was observed it says
    /// less, because no number acts in an exact parabola.
    pub fn fade(&mut self, share: f64) {
        for sums in &mut self.groups {
            sums.scale(share);
        }
        for level in &mut self.positions {
            level.features *= share;
            level.value *= share;
            level.weight *= share;
        }
    }

    /// Takes in that a position's expected score was `value` with the numbers at `place`, in
    /// spreads from the start.
    pub fn observe(&mut self, position: usize, place: &[f64], value: f64) {
        let halves = place.iter().map(|u| 0.5 * u * u);
        let features =
            DVector::from_iterator(2 * self.numbers, place.iter().copied().chain(halves));
        let sums = &mut self.groups[position % GROUPS];
        sums.matrix.ger(1.0, &features, &features, 1.0);
        sums.vector.axpy(value, &features, 1.0);
        sums.square += value * value;
        sums.weight += 1.0;
        let level = &mut self.positions[position];
        level.features += features;
        level.value += value;
        level.weight += 1.0;
    }

    /// The parabolas that fit best, and those found without each group of positions in turn.
    pub fn parabolas(&self) -> (Parabolas, Vec<Parabolas>) {
        let within: Vec<Sums> = (0..GROUPS).map(|group| self.within(group)).collect();
        let mut all = Sums::new(2 * self.numbers);
        within.iter().for_each(|sums| all.add(sums, 1.0));
        let noise = all.residual_variance();
        let without = within.iter().filter(|sums| sums.weight > 0.0).map(|sums| {
            let mut rest = all.clone();
            rest.add(sums, -1.0);
            rest.solve(noise)
        });
        (all.solve(noise), without.collect())
    }

    /// The sums of a group less what the levels of its positions explain.
    fn within(&self, group: usize) -> Sums {
        let mut sums = self.groups[group].clone();
        for level in self.positions.iter().skip(group).step_by(GROUPS) {
            if level.weight > 0.0 {
                let share = -1.0 / level.weight;
                sums.matrix.ger(share, &level.features, &level.features, 1.0);
                sums.vector.axpy(share * level.value, &level.features, 1.0);
                sums.square += share * level.value * level.value;
                sums.levels += 1.0;
            }
        }
        sums
    }
}

impl Sums {
    fn new(features: usize) -> Sums {
        Sums {
            matrix: DMatrix::zeros(features, features),
            vector: DVector::zeros(features),
            square: 0.0,
            weight: 0.0,
            levels: 0.0,
        }
    }

    fn scale(&mut self, share: f64) {
        self.matrix *= share;
        self.vector *= share;
        self.square *= share;
        self.weight *= share;
    }

    fn add(&mut self, other: &Sums, times: f64) {
        self.matrix += &other.matrix * times;
        self.vector += &other.vector * times;
        self.square += other.square * times;
        self.weight += other.weight * times;
        self.levels += other.levels * times;
    }

    /// Variance of an observation around its position's level. The numbers explain so little of it
    /// that what they do need not be taken off.
    fn residual_variance(&self) -> f64 {
        let freedom = (self.weight - self.levels).max(1.0);
        (self.square / freedom).max(1e-12)
    }

    /// The parabolas that are most probable after the observations, whose noise has this variance.
    fn solve(&self, noise: f64) -> Parabolas {
        let numbers = self.vector.len() / 2;
        let mut matrix = &self.matrix / noise;
        let mut vector = &self.vector / noise;
        for number in 0..numbers {
            matrix[(number, number)] += SLOPE_DEVIATION.powi(-2);
            let bend = numbers + number;
            matrix[(bend, bend)] += CURVATURE_DEVIATION.powi(-2);
            vector[bend] += CURVATURE * CURVATURE_DEVIATION.powi(-2);
        }
        let solution = Cholesky::new(matrix)
            .expect("a sum of squares and a positive diagonal is positive definite")
            .solve(&vector);
        let (slope, curvature) = solution.as_slice().split_at(numbers);
        Parabolas {
            slope: slope.to_vec(),
            curvature: curvature.iter().map(|&bend| bend.min(-LEAST_CURVATURE)).collect(),
        }
    }
}

impl Parabolas {
    /// The place between `low` and `high` where a number's parabola is highest.
    pub fn peak(&self, number: usize, low: f64, high: f64) -> f64 {
        (-self.slope[number] / self.curvature[number]).clamp(low, high)
    }

    /// What a number's parabola gives at a place, less what it gives at another (expected score).
    pub fn gain(&self, number: usize, from: f64, to: f64) -> f64 {
        let (slope, curvature) = (self.slope[number], self.curvature[number]);
        let height = |place: f64| place * (slope + 0.5 * curvature * place);
        height(to) - height(from)
    }
}

/// Standard deviation of what was found with all groups, from what was found without each.
///
/// CITE: John W. Tukey, "Bias and confidence in not-quite large samples" (1958).
pub(super) fn jackknife_deviation(without: impl ExactSizeIterator<Item = f64> + Clone) -> f64 {
    let count = without.len() as f64;
    if count < 2.0 {
        return f64::INFINITY;
    }
    let mean = without.clone().sum::<f64>() / count;
    let squares: f64 = without.map(|value| (value - mean).powi(2)).sum();
    ((count - 1.0) / count * squares).sqrt()
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use sprt::random::stream;

    use super::*;

    const SLOPES: [f64; 3] = [8e-4, -3e-4, 0.0];
    const CURVATURES: [f64; 3] = [-4e-4, -3e-4, -1e-4];

    /// Observations of a known surface under noise far greater than what it explains, with levels
    /// far greater still.
    fn observed(noise: f64) -> Surface {
        let positions = 400;
        let mut surface = Surface::new(3, positions);
        let mut random = stream(5, 0);
        let levels: Vec<f64> = (0..positions).map(|_| random.random_range(0.0..1.0)).collect();
        for _ in 0..200 {
            for (position, level) in levels.iter().enumerate() {
                let place: Vec<f64> = (0..3).map(|_| random.random_range(-2.0..2.0)).collect();
                let value: f64 = (0..3)
                    .map(|number| {
                        let u = place[number];
                        u * (SLOPES[number] + 0.5 * CURVATURES[number] * u)
                    })
                    .sum();
                let luck = random.random_range(-noise..=noise);
                surface.observe(position, &place, level + value + luck);
            }
        }
        surface
    }

    #[test]
    fn a_known_surface_is_found_under_noise() {
        let (all, without) = observed(0.03).parabolas();
        for number in 0..3 {
            let slope = jackknife_deviation(without.iter().map(|it| it.slope[number]));
            assert!((1e-5..2e-4).contains(&slope), "{slope}");
            let off = all.slope[number] - SLOPES[number];
            assert!(off.abs() < 3.5 * slope, "{number}: {all:?}");
            let bend = jackknife_deviation(without.iter().map(|it| it.curvature[number]));
            let off = all.curvature[number] - CURVATURES[number];
            assert!(off.abs() < 3.5 * bend + 2e-5, "{number}: {all:?}");
        }
        let peak = all.peak(0, -5.0, 5.0);
        assert!((peak - 2.0).abs() < 0.5, "{peak}");
        assert_eq!(all.peak(0, -5.0, 0.75), 0.75);
        let gain = all.gain(0, 0.0, 2.0);
        assert!((gain - 8e-4).abs() < 3e-4, "{gain}");
        assert_eq!(all.gain(0, 2.0, 2.0), 0.0);
    }

    /// Without observations it is what was thought before; what fades counts less.
    #[test]
    fn little_is_believed_of_few_observations() {
        let (all, without) = Surface::new(3, 10).parabolas();
        assert_eq!(all.slope, [0.0; 3]);
        assert!(all.curvature.iter().all(|bend| (bend - CURVATURE).abs() < 1e-9), "{all:?}");
        assert!(without.is_empty());
        let mut surface = observed(0.03);
        let (before, _) = surface.parabolas();
        surface.fade(1e-4);
        let (after, _) = surface.parabolas();
        assert!(after.slope[0].abs() < 0.5 * before.slope[0].abs(), "{after:?} {before:?}");
    }
}
