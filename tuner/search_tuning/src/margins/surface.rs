//! The response surface: how the worth of moves depends on the numbers, as far as a sum of one
//! parabola a number can tell.
//!
//! Each passage is observed twice a round, with other values of all numbers each time; every
//! observation speaks of every number at once. A passage has a level of its own, whatever the
//! numbers: it is taken out by comparing observations of the same passage alone.
//!
//! CITE: G. E. P. Box and K. B. Wilson, "On the experimental attainment of optimum conditions"
//! (1951).

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};
use statistics::CONFIDENCE;

/// Groups of passages for the jackknife: what is found without each of them shows how far it
/// depends on which passages there are.
const GROUPS: usize = 20;

/// Prior beliefs about the numbers, each weighed by how likely it makes the observations: slopes
/// where the numbers start (expected score by spread) scatter around zero with one of these
/// standard deviations …
const SLOPE_DEVIATIONS: [f64; 10] =
    [3e-5, 6e-5, 1e-4, 1.5e-4, 2e-4, 4e-4, 8e-4, 1.5e-3, 3e-3, 6e-3];
/// … and second derivatives (by squared spread), as numbers have been set with some care, around one
/// of these, with a standard deviation as great.
const CURVATURES: [f64; 7] = [-5e-5, -1e-4, -2e-4, -4e-4, -8e-4, -1.6e-3, -3e-3];
/// A parabola is never taken to be flatter than this: from a slope that may be noise a flat one would
/// lead far away, where nothing is known. Measured by what bolder moves of all numbers cost, it is
/// about this.
const LEAST_CURVATURE: f64 = 5e-5;
/// Priors that make the observations less likely than this, beside the likeliest, are left out.
const LEAST_WEIGHT: f64 = 1e-3;

/// Observations so far, summed up.
#[derive(Clone, Debug)]
pub(super) struct Surface {
    numbers: usize,
    groups: Vec<Sums>,
    passages: Vec<Level>,
}

/// Sums over the observations of a group of passages.
#[derive(Clone, Debug)]
struct Sums {
    matrix: DMatrix<f64>,
    vector: DVector<f64>,
    square: f64,
    weight: f64,
    /// Number of passages with an observation.
    levels: f64,
}

/// Sums over the observations of one passage, from which its level follows.
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
    /// A surface over so many numbers without an observation of any of the passages.
    pub fn new(numbers: usize, passages: usize) -> Surface {
        let level = Level { features: DVector::zeros(2 * numbers), value: 0.0, weight: 0.0 };
        Surface {
            numbers,
            groups: vec![Sums::new(2 * numbers); GROUPS],
            passages: vec![level; passages],
        }
    }

    /// Takes in that a search of a passage had this worth with the numbers at `place`, in
    /// spreads from the start.
    pub fn observe(&mut self, passage: usize, place: &[f64], value: f64) {
        let halves = place.iter().map(|u| 0.5 * u * u);
        let features =
            DVector::from_iterator(2 * self.numbers, place.iter().copied().chain(halves));
        let sums = &mut self.groups[passage % GROUPS];
        sums.matrix.ger(1.0, &features, &features, 1.0);
        sums.vector.axpy(value, &features, 1.0);
        sums.square += value * value;
        sums.weight += 1.0;
        let level = &mut self.passages[passage];
        level.features += features;
        level.value += value;
        level.weight += 1.0;
    }

    /// The parabolas that fit best, and how far they may be off.
    pub fn parabolas(&self) -> (Parabolas, Doubts) {
        let within: Vec<Sums> = (0..GROUPS).map(|group| self.within(group)).collect();
        let mut all = Sums::new(2 * self.numbers);
        within.iter().for_each(|sums| all.add(sums, 1.0));
        let noise = all.residual_variance();
        let priors = all.likely_priors(noise);
        let without = within.iter().filter(|sums| sums.weight > 0.0).map(|sums| {
            let mut rest = all.clone();
            rest.add(sums, -1.0);
            rest.mean(noise, &priors)
        });
        let without: Vec<DVector<f64>> = without.collect();
        let mean = all.mean(noise, &priors);
        let doubts = Doubts {
            believed: all.covariances(noise, &priors, &mean),
            scattered: (0..self.numbers).map(|it| Covariance::jackknife(&without, it)).collect(),
        };
        (Parabolas::of(&mean), doubts)
    }

    /// The sums of a group less what the levels of its passages explain.
    fn within(&self, group: usize) -> Sums {
        let mut sums = self.groups[group].clone();
        for level in self.passages.iter().skip(group).step_by(GROUPS) {
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

    fn add(&mut self, other: &Sums, times: f64) {
        self.matrix += &other.matrix * times;
        self.vector += &other.vector * times;
        self.square += other.square * times;
        self.weight += other.weight * times;
        self.levels += other.levels * times;
    }

    /// Variance of an observation around its passage's level. The numbers explain so little of it
    /// that what they do need not be taken off.
    fn residual_variance(&self) -> f64 {
        let freedom = (self.weight - self.levels).max(1.0);
        (self.square / freedom).max(1e-12)
    }

    /// How likely each prior makes the observations, whose noise has this variance, as shares of all.
    ///
    /// The likeliest alone would not do: where slopes are hardly larger than their errors, one that
    /// believes nothing and one that believes much are about as likely, and which of them comes out
    /// first is chance.
    ///
    /// CITE: David J. C. MacKay, "Bayesian interpolation" (1992); Jennifer A. Hoeting et al.,
    /// "Bayesian model averaging: a tutorial" (1999).
    fn likely_priors(&self, noise: f64) -> Vec<(Prior, f64)> {
        let priors = SLOPE_DEVIATIONS.iter().flat_map(|&slope_deviation| {
            CURVATURES.map(|curvature| Prior { slope_deviation, curvature })
        });
        let rated: Vec<(Prior, f64)> =
            priors.map(|prior| (prior, self.posterior(noise, prior).log_likelihood)).collect();
        let best = rated.iter().map(|it| it.1).fold(f64::NEG_INFINITY, f64::max);
        let likely: Vec<(Prior, f64)> = rated
            .into_iter()
            .map(|(prior, logarithm)| (prior, (logarithm - best).exp()))
            .filter(|(_, weight)| *weight >= LEAST_WEIGHT)
            .collect();
        let sum: f64 = likely.iter().map(|it| it.1).sum();
        likely.into_iter().map(|(prior, weight)| (prior, weight / sum)).collect()
    }

    /// The mean of what is thought of the numbers under each prior, by how much it is believed:
    /// slopes, then second derivatives.
    fn mean(&self, noise: f64, priors: &[(Prior, f64)]) -> DVector<f64> {
        let mut mean = DVector::zeros(self.vector.len());
        for (prior, weight) in priors {
            mean.axpy(*weight, &self.posterior(noise, *prior).solution, 1.0);
        }
        mean
    }

    /// How what is thought of each number scatters around that mean, within and among the priors.
    fn covariances(
        &self,
        noise: f64,
        priors: &[(Prior, f64)],
        mean: &DVector<f64>,
    ) -> Vec<Covariance> {
        let numbers = mean.len() / 2;
        let mut covariances = vec![Covariance::default(); numbers];
        for (prior, weight) in priors {
            let posterior = self.posterior(noise, *prior);
            let inverse = posterior.factors.inverse();
            let off = posterior.solution - mean;
            for (number, covariance) in covariances.iter_mut().enumerate() {
                let bend = numbers + number;
                let of = |row, column| weight * (inverse[(row, column)] + off[row] * off[column]);
                covariance.slope += of(number, number);
                covariance.mixed += of(number, bend);
                covariance.bend += of(bend, bend);
            }
        }
        covariances
    }

    /// The belief about the numbers after the observations.
    fn posterior(&self, noise: f64, prior: Prior) -> Posterior {
        let numbers = self.vector.len() / 2;
        let mut matrix = &self.matrix / noise;
        let mut vector = &self.vector / noise;
        let (slope, bend) = (prior.slope_deviation.powi(-2), prior.curvature.powi(-2));
        for number in 0..numbers {
            matrix[(number, number)] += slope;
            matrix[(numbers + number, numbers + number)] += bend;
            vector[numbers + number] += prior.curvature * bend;
        }
        let factors = Cholesky::new(matrix)
            .expect("a sum of squares and a positive diagonal is positive definite");
        let solution = factors.solve(&vector);
        let determinant: f64 = factors.l_dirty().diagonal().iter().map(|it| it.ln()).sum();
        let log_likelihood = 0.5 * numbers as f64 * (slope.ln() + bend.ln()) - determinant
            + 0.5 * vector.dot(&solution)
            - 0.5 * numbers as f64 * prior.curvature * prior.curvature * bend;
        Posterior { solution, log_likelihood, factors }
    }
}

/// A belief about the numbers before the observations.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Prior {
    slope_deviation: f64,
    curvature: f64,
}

/// The belief about them after the observations.
struct Posterior {
    /// Slopes, then second derivatives.
    solution: DVector<f64>,
    /// Logarithm of how likely the observations were, but for what is the same for all priors.
    log_likelihood: f64,
    /// Factors of the inverse covariance.
    factors: Cholesky<f64, Dyn>,
}

impl Parabolas {
    fn of(mean: &DVector<f64>) -> Parabolas {
        let (slope, curvature) = mean.as_slice().split_at(mean.len() / 2);
        Parabolas {
            slope: slope.to_vec(),
            curvature: curvature.iter().map(|&bend| bend.min(-LEAST_CURVATURE)).collect(),
        }
    }

    /// The place between `low` and `high` where a number's parabola is highest.
    pub fn peak(&self, number: usize, low: f64, high: f64) -> f64 {
        (-self.slope[number] / self.curvature[number]).clamp(low, high)
    }

    /// The gain of a number's parabola at a place over another (expected score).
    pub fn gain(&self, number: usize, from: f64, to: f64) -> f64 {
        let (slope, curvature) = (self.slope[number], self.curvature[number]);
        let height = |place: f64| place * (slope + 0.5 * curvature * place);
        height(to) - height(from)
    }
}

/// How far the parabolas may be off: as the observations under their priors say, who take each for
/// independent of all others, and as what was found without each group of passages scatters, which
/// holds where passages differ in what they say but knows nothing of what the priors have added. The
/// greater of both counts.
#[derive(Clone, Debug)]
pub(super) struct Doubts {
    believed: Vec<Covariance>,
    scattered: Vec<Covariance>,
}

impl Doubts {
    /// Standard deviation of a weighted sum of a number's slope and second derivative.
    pub fn deviation(&self, number: usize, weights: [f64; 2]) -> f64 {
        let both = [&self.believed[number], &self.scattered[number]];
        both.map(|it| it.of_sum(weights)).into_iter().fold(0.0, f64::max).sqrt()
    }

    /// True if no observation depended on the number.
    pub fn are_blind(&self, number: usize) -> bool {
        let Covariance { slope, bend, .. } = self.scattered[number];
        slope == 0.0 && bend == 0.0
    }

    /// The places between `low` and `high` around the parabola's peak where, with a probability of
    /// 95 %, the best one lies: those where the slope may be nothing.
    ///
    /// CITE: E. C. Fieller, "Some problems in interval estimation" (1954).
    pub fn best_places(
        &self,
        parabolas: &Parabolas,
        number: usize,
        (low, high): (f64, f64),
    ) -> (f64, f64) {
        /// Steps in which a side is gone through.
        const STEPS: u32 = 200;
        let (slope, bend) = (parabolas.slope[number], parabolas.curvature[number]);
        let may_be_best = |place: f64| {
            (slope + bend * place).abs() <= CONFIDENCE * self.deviation(number, [1.0, place])
        };
        let peak = parabolas.peak(number, low, high);
        let side = |end: f64| {
            let at = |step: u32| peak + (end - peak) * f64::from(step) / f64::from(STEPS);
            let Some(beyond) = (1..=STEPS).find(|&step| !may_be_best(at(step))) else { return end };
            let (mut inside, mut outside) = (at(beyond - 1), at(beyond));
            for _ in 0..30 {
                let middle = 0.5 * (inside + outside);
                *if may_be_best(middle) { &mut inside } else { &mut outside } = middle;
            }
            inside
        };
        (side(low), side(high))
    }
}

/// Variances of a slope and a second derivative, and their covariance.
#[derive(Clone, Copy, Default, Debug)]
struct Covariance {
    slope: f64,
    mixed: f64,
    bend: f64,
}

impl Covariance {
    /// The covariance of a number with all groups, from the results without each.
    ///
    /// CITE: John W. Tukey, "Bias and confidence in not-quite large samples" (1958).
    fn jackknife(without: &[DVector<f64>], number: usize) -> Covariance {
        let count = without.len() as f64;
        if count < 2.0 {
            // Nothing can be told of it: what is believed has to do.
            return Covariance { slope: f64::MIN_POSITIVE, ..Covariance::default() };
        }
        let bend = without[0].len() / 2 + number;
        let mean = |row: usize| without.iter().map(|it| it[row]).sum::<f64>() / count;
        let means = [mean(number), mean(bend)];
        let scale = (count - 1.0) / count;
        let mut sum = Covariance::default();
        for found in without {
            let (slope, bend) = (found[number] - means[0], found[bend] - means[1]);
            sum.slope += scale * slope * slope;
            sum.mixed += scale * slope * bend;
            sum.bend += scale * bend * bend;
        }
        sum
    }

    /// Variance of a weighted sum.
    fn of_sum(&self, [slope, bend]: [f64; 2]) -> f64 {
        let sum =
            slope * slope * self.slope + 2.0 * slope * bend * self.mixed + bend * bend * self.bend;
        sum.max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use random::stream;

    use super::*;
    use crate::lanes::{assert_share, repetitions};

    const SLOPES: [f64; 3] = [1.6e-3, -6e-4, 0.0];
    const CURVATURE_OF: [f64; 3] = [-8e-4, -6e-4, -4e-4];

    /// Observations of a known surface under noise far greater than what it explains, with levels
    /// far greater still.
    fn observed(noise: f64) -> Surface {
        let passages = 400;
        let mut surface = Surface::new(3, passages);
        let mut random = stream(5, 0);
        let levels: Vec<f64> = (0..passages).map(|_| random.random_range(0.0..1.0)).collect();
        for _ in 0..200 {
            for (passage, level) in levels.iter().enumerate() {
                let place: Vec<f64> = (0..3).map(|_| random.random_range(-2.0..2.0)).collect();
                let value: f64 = (0..3)
                    .map(|number| {
                        let u = place[number];
                        u * (SLOPES[number] + 0.5 * CURVATURE_OF[number] * u)
                    })
                    .sum();
                let luck = random.random_range(-noise..=noise);
                surface.observe(passage, &place, level + value + luck);
            }
        }
        surface
    }

    #[test]
    fn a_known_surface_is_found_under_noise() {
        let (all, doubts) = observed(0.03).parabolas();
        for number in 0..3 {
            let slope = doubts.deviation(number, [1.0, 0.0]);
            assert!((1e-5..2e-4).contains(&slope), "{slope}");
            let off = all.slope[number] - SLOPES[number];
            assert!(off.abs() < 3.5 * slope, "{number}: {all:?}");
            let bend = doubts.deviation(number, [0.0, 1.0]);
            let off = all.curvature[number] - CURVATURE_OF[number];
            assert!(off.abs() < 3.5 * bend + 2e-5, "{number}: {all:?}");
        }
        let peak = all.peak(0, -5.0, 5.0);
        assert!((peak - 2.0).abs() < 0.5, "{peak}");
        assert_eq!(all.peak(0, -5.0, 0.75), 0.75);
        let gain = all.gain(0, 0.0, 2.0);
        assert!((gain - 1.6e-3).abs() < 4e-4, "{gain}");
        assert_eq!(all.gain(0, 2.0, 2.0), 0.0);
    }

    /// Without observations nothing is to be gained. Where all that is seen is noise, that is found
    /// out, and next to nothing is made of it.
    #[test]
    fn noise_is_not_taken_for_a_slope() {
        let (all, doubts) = Surface::new(3, 10).parabolas();
        assert_eq!(all.slope, [0.0; 3]);
        assert_eq!(doubts.best_places(&all, 0, (-2.0, 3.0)), (-2.0, 3.0));
        let numbers = 30;
        let mut surface = Surface::new(numbers, 400);
        let mut random = stream(6, 0);
        for _ in 0..10 {
            for passage in 0..400 {
                let place: Vec<f64> =
                    (0..numbers).map(|_| random.random_range(-1.5..1.5)).collect();
                surface.observe(passage, &place, random.random_range(-0.05..0.05));
            }
        }
        let (all, _) = surface.parabolas();
        // Least squares would have slopes with an error of .029 / sqrt(4000 · .75) = 5e-4.
        assert!(all.slope.iter().all(|slope| slope.abs() < 1e-4), "{all:?}");
        let gain: f64 = (0..numbers).map(|it| all.gain(it, 0.0, all.peak(it, -1.0, 1.0))).sum();
        assert!(gain < 1e-3, "{gain}");
    }

    /// Runs whose surfaces, passages and luck are drawn anew: the intervals hold the best places.
    #[test]
    fn intervals_hold_the_truth() {
        let (numbers, passages, range) = (4, 100, (-3.0, 3.0));
        let (mut held, mut all, mut bounded) = (0, 0, 0);
        for run in 0..repetitions(600) {
            let mut random = stream(8, run);
            let truth: Vec<[f64; 2]> = (0..numbers)
                .map(|_| [random.random_range(-8e-4..8e-4), random.random_range(-1e-3..-2e-4)])
                .collect();
            let mut surface = Surface::new(numbers, passages);
            for passage in 0..passages {
                // The effect of a number differs from passage to passage.
                let own: Vec<f64> =
                    truth.iter().map(|it| it[0] + random.random_range(-2e-3..2e-3)).collect();
                for _ in 0..32 {
                    let place: Vec<f64> =
                        (0..numbers).map(|_| random.random_range(-1.5..1.5)).collect();
                    let of = |it: usize| place[it] * (own[it] + 0.5 * truth[it][1] * place[it]);
                    let value: f64 = (0..numbers).map(of).sum();
                    surface.observe(passage, &place, value + random.random_range(-0.02..0.02));
                }
            }
            let (found, doubts) = surface.parabolas();
            for (number, [slope, bend]) in truth.into_iter().enumerate() {
                let best = (-slope / bend).clamp(range.0, range.1);
                let (low, high) = doubts.best_places(&found, number, range);
                all += 1;
                held += u64::from((low..=high).contains(&best));
                bounded += u64::from(high - low < 4.0);
                assert!(!doubts.are_blind(number));
            }
        }
        assert_share(held, all, 0.95..=1.0, "best places");
        // They say something.
        assert!(bounded > all / 4, "{bounded} of {all}");
    }

    /// Where slopes are no larger than their errors, more than one prior makes the observations
    /// likely, and what is found lies between what each would have found.
    #[test]
    fn no_prior_has_all_the_say() {
        let numbers = 30;
        let mut surface = Surface::new(numbers, 400);
        let mut random = stream(7, 0);
        let slope = |number: usize| if number.is_multiple_of(2) { 4e-4 } else { -4e-4 };
        for _ in 0..10 {
            for passage in 0..400 {
                let place: Vec<f64> =
                    (0..numbers).map(|_| random.random_range(-1.5..1.5)).collect();
                let value: f64 = (0..numbers).map(|it| slope(it) * place[it]).sum();
                surface.observe(passage, &place, value + random.random_range(-0.05..0.05));
            }
        }
        let mut all = Sums::new(2 * numbers);
        (0..GROUPS).for_each(|group| all.add(&surface.within(group), 1.0));
        let noise = all.residual_variance();
        let priors = all.likely_priors(noise);
        assert!((priors.iter().map(|it| it.1).sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(priors.iter().all(|it| it.1 < 0.9) && priors.len() > 2, "{priors:?}");
        let strength = |parabolas: &Parabolas| -> f64 {
            (0..numbers).map(|it| parabolas.slope[it] * slope(it).signum()).sum()
        };
        let alone = priors
            .iter()
            .map(|(prior, _)| strength(&Parabolas::of(&all.mean(noise, &[(*prior, 1.0)]))));
        let (least, most) =
            alone.fold((f64::INFINITY, 0.0), |(low, high), it| (it.min(low), it.max(high)));
        let found = strength(&surface.parabolas().0);
        assert!(1.05 * least < found && found < most / 1.05, "{least} {found} {most}");
    }
}
