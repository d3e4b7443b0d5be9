//! How wrong an expected result is: what a fit minimizes the mean of.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// The loss of predicting one result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// (result − p)²: bounded, so that one position that went astray counts little.
    #[default]
    Squares,
    /// Half of −result·ln p − (1 − result)·ln(1 − p): what the likelihood of the results says. At
    /// even chances it has the curvature of the squares, so that a pull means about the same.
    CrossEntropy,
}

/// Least p(1 − p) that is told from 0: beyond it, slopes would be no numbers.
const VARIANCE_MIN: f64 = 1e-30;

impl Loss {
    /// The loss where `target` came and the logit of the expected result is `logit`.
    #[inline]
    pub fn of(self, target: f64, logit: f64) -> f64 {
        match self {
            Loss::Squares => (target - 1.0 / (1.0 + (-logit).exp())).powi(2),
            Loss::CrossEntropy => 0.5 * cross_entropy(target, logit),
        }
    }

    /// A residual and a slope by the evaluation such that a step of least squares with them is one
    /// of Gauss and Newton for this loss: their product is half of how the loss falls with the
    /// evaluation, the squared slope half of its curvature where results come as expected.
    /// `residual` is target minus `expected` result, `scale` the logit of one centipawn.
    #[inline]
    pub fn least_squares(self, scale: f64, expected: f64, residual: f64) -> (f64, f64) {
        let variance = expected * (1.0 - expected);
        match self {
            Loss::Squares => (residual, scale * variance),
            Loss::CrossEntropy => {
                let root = variance.max(VARIANCE_MIN).sqrt();
                (0.5 * residual / root, 0.5 * scale * root)
            }
        }
    }
}

/// −target·ln p − (1 − target)·ln(1 − p), in natural units, at the logit of p.
#[inline]
pub fn cross_entropy(target: f64, logit: f64) -> f64 {
    logit.max(0.0) + (-logit.abs()).exp().ln_1p() - target * logit
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Residual times slope is minus half the derivative of the loss, by finite differences, and
    /// the squared slope half its curvature in the mean over the results that are expected.
    #[test]
    fn residual_and_slope_are_those_of_the_loss() {
        let scale = 0.005;
        for loss in [Loss::Squares, Loss::CrossEntropy] {
            for (target, evaluation) in [(1.0, 150.0), (0.5, -420.0), (0.0, 90.0), (0.25, 1.0)] {
                let at = |target: f64, step: f64| loss.of(target, scale * (evaluation + step));
                let expected = 1.0 / (1.0 + (-scale * evaluation).exp());
                let (residual, slope) = loss.least_squares(scale, expected, target - expected);
                let derivative = (at(target, 0.01) - at(target, -0.01)) / 0.02;
                assert!((residual * slope + derivative / 2.0).abs() < 1e-9, "{loss:?} {target}");
                let curvature = |target: f64| {
                    (at(target, 1.0) - 2.0 * at(target, 0.0) + at(target, -1.0)) / 2.0
                };
                let mean = expected * curvature(1.0) + (1.0 - expected) * curvature(0.0);
                assert!((slope * slope - mean).abs() < 1e-9, "{loss:?}: {slope} {mean}");
            }
        }
        // With nothing between them at even chances.
        let slopes = [Loss::Squares, Loss::CrossEntropy].map(|it| it.least_squares(1.0, 0.5, 0.5));
        assert_eq!(slopes[0], slopes[1]);
        assert!(cross_entropy(0.0, 2000.0) == 2000.0 && cross_entropy(1.0, 2000.0) == 0.0);
    }
}
