//! Models of a cut by its measures: a logistic one of whether it was wrong, and one with a
//! logarithmic link of the nodes it saved.

use nalgebra::{SMatrix, SVector};
use search::{Cut, NodeKind, Unit};

/// Numbers that describe a cut, the constant first.
pub(super) const FEATURES: usize = 10;
/// Weight of the ridge against the effective number of cuts, for features of unit deviation.
const RIDGE: f64 = 2.0;
/// Beyond it nothing changes but the rounding.
const LINK_MAX: f64 = 14.0;

pub(super) type Features = SVector<f64, FEATURES>;

/// Describes a cut as if its rule's measure had been `gap`.
pub(super) fn features(cut: &Cut, gap: f64) -> Features {
    // Near the bound each unit matters, far from it only how many times as far.
    let unit = cut.rule.declared().unit;
    let scale = match unit {
        Unit::Moves => 4.0,
        Unit::HistoryPoints => 4000.0,
        Unit::Plies => 1.0,
        Unit::Centipawns | Unit::ExchangeLoss | Unit::Reduction => 50.0,
    };
    let far = (gap.max(0.0) / scale).ln_1p();
    let depth = f64::from(cut.depth) / 4.0;
    // A measure that is the gap itself is left out.
    let history = if unit == Unit::HistoryPoints { 0 } else { cut.history };
    let count = if unit == Unit::Moves { 0 } else { cut.count };
    let plies = if unit == Unit::Reduction { cut.lead } else { 0 };
    let is = |holds: bool| f64::from(u8::from(holds));
    Features::from([
        1.0,
        far,
        depth,
        far * depth,
        is(cut.improving),
        is(cut.node == NodeKind::Cut),
        is(cut.node == NodeKind::Principal),
        f64::from(history) / 8192.0,
        (count as f64).ln_1p(),
        f64::from(plies),
    ])
}

/// How the expected answer follows from the sum of features.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Link {
    /// The answer is a probability.
    Logistic,
    /// The answer is a number above zero.
    Logarithm,
}

/// A model of one answer.
#[derive(Clone, Debug)]
pub(super) struct Model {
    link: Link,
    center: Features,
    scale: Features,
    coefficients: Features,
    /// Unit of the answers.
    unit: f64,
}

/// One observation: description, answer, weight.
pub(super) type Observation = (Features, f64, f64);

impl Model {
    /// The most likely model of the observations, with a ridge on all but the constant. Of no
    /// observations it is one that knows nothing.
    pub fn fit(link: Link, observations: &[Observation]) -> Model {
        let sum: f64 = observations.iter().map(|it| it.2).sum();
        let squares: f64 = observations.iter().map(|it| it.2 * it.2).sum();
        let mean = |of: &dyn Fn(&Observation) -> f64| -> f64 {
            observations.iter().map(|it| it.2 * of(it)).sum::<f64>() / sum.max(f64::MIN_POSITIVE)
        };
        let mut center = Features::zeros();
        let mut scale = Features::zeros();
        scale[0] = 1.0;
        for feature in 1..FEATURES {
            center[feature] = mean(&|it| it.0[feature]);
            let variance = mean(&|it| (it.0[feature] - center[feature]).powi(2));
            // A feature that never differs says nothing.
            scale[feature] = if variance > 1e-12 { variance.sqrt().recip() } else { 0.0 };
        }
        let answer = mean(&|it| it.1);
        let unit = if link == Link::Logarithm { answer.max(1e-9) } else { 1.0 };
        let mut model = Model { link, center, scale, coefficients: Features::zeros(), unit };
        if squares > 0.0 {
            // Weights say how many cuts one stands for, which makes nothing surer.
            let each = sum / squares;
            let rows: Vec<Observation> = observations
                .iter()
                .map(|(features, answer, weight)| {
                    (model.standard(features), answer / unit, each * weight)
                })
                .collect();
            model.descend(&rows);
        }
        model
    }

    pub fn predict(&self, features: &Features) -> f64 {
        let (value, _) = self.of_sum(self.coefficients.dot(&self.standard(features)));
        self.unit * value
    }

    fn standard(&self, features: &Features) -> Features {
        (features - self.center).component_mul(&self.scale)
    }

    /// Expected answer and its derivative by the sum.
    fn of_sum(&self, sum: f64) -> (f64, f64) {
        let sum = sum.clamp(-LINK_MAX, LINK_MAX);
        match self.link {
            Link::Logistic => {
                let value = 1.0 / (1.0 + (-sum).exp());
                (value, value * (1.0 - value))
            }
            Link::Logarithm => (sum.exp(), sum.exp()),
        }
    }

    /// Error that is minimized: the negative logarithm of the likelihood, and the ridge.
    fn error(&self, rows: &[Observation], coefficients: &Features) -> f64 {
        let of_row = |(features, answer, weight): &Observation| {
            let sum = coefficients.dot(features).clamp(-LINK_MAX, LINK_MAX);
            let normal = match self.link {
                Link::Logistic => sum.exp().ln_1p(),
                Link::Logarithm => sum.exp(),
            };
            weight * (normal - answer * sum)
        };
        let ridge = coefficients.norm_squared() - coefficients[0].powi(2);
        rows.iter().map(of_row).sum::<f64>() + 0.5 * RIDGE * ridge
    }

    /// Newton's method with halved steps.
    fn descend(&mut self, rows: &[Observation]) {
        let mut error = self.error(rows, &self.coefficients);
        for _ in 0..100 {
            let mut gradient = RIDGE * self.coefficients;
            gradient[0] = 0.0;
            let mut curvature = SMatrix::<f64, FEATURES, FEATURES>::identity() * RIDGE;
            // Without a single answer of one kind the constant would run away.
            curvature[(0, 0)] = 1e-6;
            for (features, answer, weight) in rows {
                let (value, slope) = self.of_sum(self.coefficients.dot(features));
                gradient += features * (weight * (value - answer));
                curvature += features * features.transpose() * (weight * slope);
            }
            let Some(factor) = curvature.cholesky() else { return };
            let mut step = factor.solve(&gradient);
            let longest = step.amax();
            if longest > 4.0 {
                step *= 4.0 / longest;
            }
            let mut found = None;
            for _ in 0..30 {
                let next = self.coefficients - step;
                let next_error = self.error(rows, &next);
                if next_error <= error {
                    found = Some((next, next_error));
                    break;
                }
                step *= 0.5;
            }
            let Some((next, next_error)) = found else { return };
            let is_settled = step.amax() < 1e-9 || next[0].abs() >= LINK_MAX;
            (self.coefficients, error) = (next, next_error);
            if is_settled {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use random::stream;

    use super::*;

    /// Observations with two features that matter, answered by `answer` of the true sum.
    fn observations(answer: &mut dyn FnMut(f64) -> f64) -> Vec<Observation> {
        let mut random = stream(9, 0);
        let mut row = || {
            let mut features = Features::zeros();
            features[0] = 1.0;
            features[1] = 3.0 * random.random::<f64>();
            features[2] = random.random::<f64>() - 0.5;
            // A third that does not.
            features[7] = random.random::<f64>();
            let weight = if random.random::<bool>() { 1.0 } else { 3.0 };
            (features, answer(-1.0 - features[1] + 2.0 * features[2]), weight)
        };
        (0..20_000).map(|_| row()).collect()
    }

    #[test]
    fn probabilities_are_found_again() {
        let mut luck = stream(10, 0);
        let rows = observations(&mut |sum| {
            f64::from(u8::from(luck.random::<f64>() < 1.0 / (1.0 + (-sum).exp())))
        });
        let model = Model::fit(Link::Logistic, &rows);
        for (far, other) in [(0.0, 0.0), (2.0, 0.3), (1.0, -0.5)] {
            let mut features = Features::zeros();
            (features[0], features[1], features[2], features[7]) = (1.0, far, other, 0.5);
            let expected = 1.0 / (1.0 + (1.0f64 + far - 2.0 * other).exp());
            let found = model.predict(&features);
            assert!((found - expected).abs() < 0.1 * expected, "{found} {expected}");
        }
        // The constant is free: the mean is that of the observations.
        let sum = |of: &dyn Fn(&Observation) -> f64| rows.iter().map(|it| it.2 * of(it)).sum();
        let (expected, found): (f64, f64) = (sum(&|it| it.1), sum(&|it| model.predict(&it.0)));
        assert!((found / expected - 1.0).abs() < 1e-6, "{found} {expected}");
    }

    #[test]
    fn numbers_are_found_again() {
        let mut luck = stream(11, 0);
        // Exponentially distributed around their mean.
        let rows = observations(&mut |sum| -luck.random::<f64>().ln() * 1000.0 * sum.exp());
        let model = Model::fit(Link::Logarithm, &rows);
        let mut features = Features::zeros();
        (features[0], features[1], features[7]) = (1.0, 1.5, 0.5);
        let (found, expected) = (model.predict(&features), 1000.0 * (-2.5f64).exp());
        assert!((found / expected - 1.0).abs() < 0.06, "{found} {expected}");
    }

    #[test]
    fn little_is_said_of_little() {
        assert_eq!(Model::fit(Link::Logistic, &[]).predict(&Features::zeros()), 0.5);
        let mut features = Features::zeros();
        features[0] = 1.0;
        let right = vec![(features, 0.0, 1.0); 50];
        let probability = Model::fit(Link::Logistic, &right).predict(&features);
        assert!(probability < 1e-3, "{probability}");
    }
}
