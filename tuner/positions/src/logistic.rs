//! Expected results: the logistic function of an advantage, and the search for its scale K.

use rayon::prelude::*;

/// The unit of K: odds of ten to one for 400 centipawns, in natural units for one centipawn. A
/// centipawn changes the logarithm of the odds by K times this.
pub const NATURAL: f64 = std::f64::consts::LN_10 / 400.0;

/// Values of K tried, in units of [`NATURAL`]: beyond them the evaluation's unit is no centipawn.
pub const K_RANGE: (f64, f64) = (0.02, 20.0);

/// The expected result at an evaluation, for a scale in natural units for one centipawn.
#[inline(always)]
pub fn expected(scale: f64, evaluation: f64) -> f64 {
    1.0 / (1.0 + exponential(-scale * evaluation))
}

/// The exponential function, to fourteen digits, for −700 to 700; beyond, as at these ends. Without a
/// call and without a branch it is computed for several positions at once.
#[inline(always)]
fn exponential(exponent: f64) -> f64 {
    /// Added to a number below 2⁵¹, it leaves the nearest integer in the lowest bits.
    const INTEGER: f64 = 6_755_399_441_055_744.0;
    const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    let exponent = exponent.clamp(-700.0, 700.0);
    let shifted = exponent * std::f64::consts::LOG2_E + INTEGER;
    let whole = shifted - INTEGER;
    let rest = exponent - whole * LN_2_HIGH - whole * LN_2_LOW;
    // Taylor's series: the rest is at most half the logarithm of 2.
    let mut series = 1.0;
    let mut divisor = 12.0;
    while divisor > 0.5 {
        series = 1.0 + series * rest * (1.0 / divisor);
        divisor -= 1.0;
    }
    series * f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52)
}

/// The K, in units of [`NATURAL`], at which results (0 to 1) are foretold best by evaluations
/// (centipawns), both from the same view: that of the least mean squared error in [`K_RANGE`].
pub fn fit_k(known: &[(f32, f32)]) -> f64 {
    /// Squares that are added up by one thread: the sum does not depend on how many there are.
    const PART: usize = 2048;
    least_k(|k| {
        let square = |&(evaluation, result): &(f32, f32)| {
            (f64::from(result) - expected(k * NATURAL, f64::from(evaluation))).powi(2)
        };
        let parts = known.par_chunks(PART).map(|part| part.iter().map(square).sum::<f64>());
        parts.collect::<Vec<_>>().into_iter().sum::<f64>() / known.len() as f64
    })
}

/// The K, in units of [`NATURAL`], for which `error` is least, of all in [`K_RANGE`].
pub fn least_k(error: impl Fn(f64) -> f64) -> f64 {
    golden_section(K_RANGE.0.ln(), K_RANGE.1.ln(), &|logarithm| error(logarithm.exp())).exp()
}

/// Where `function`, with a single valley, is least between `low` and `high`, to six digits of the
/// interval.
///
/// CITE: Jack Kiefer, Sequential Minimax Search for a Maximum (1953).
fn golden_section(mut low: f64, mut high: f64, function: &impl Fn(f64) -> f64) -> f64 {
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let tolerance = (high - low) * 1e-6;
    let (mut left, mut right) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut left_value, mut right_value) = (function(left), function(right));
    while high - low > tolerance {
        if left_value <= right_value {
            (high, right, right_value) = (right, left, left_value);
            left = high - ratio * (high - low);
            left_value = function(left);
        } else {
            (low, left, left_value) = (left, right, right_value);
            right = low + ratio * (high - low);
            right_value = function(right);
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_results_are_those_of_the_logistic_function() {
        for step in -7000..=7000 {
            let exponent = f64::from(step) / 10.0 + 0.0123;
            let (found, right) = (exponential(exponent), exponent.clamp(-700.0, 700.0).exp());
            assert!((found / right - 1.0).abs() < 1e-13, "{exponent}: {found}, not {right}");
        }
        assert_eq!((exponential(0.0), expected(1.0, 0.0)), (1.0, 0.5));
        assert!(exponential(f64::NAN).is_nan());
        assert!(expected(1.0, f64::INFINITY) > 1.0 - 1e-9 && expected(1.0, -1e9) < 1e-9);
    }

    #[test]
    fn the_best_k_is_found_over_the_whole_range() {
        for k in [0.05, 1.0, 1.3, 15.0f64] {
            let found = least_k(|guess| (guess.ln() - k.ln()).powi(2));
            assert!((found / k - 1.0).abs() < 1e-4, "{k}: {found}");
        }
    }

    #[test]
    fn golden_section_finds_the_valley() {
        let least = golden_section(-3.0, 5.0, &|x| (x - 1.25) * (x - 1.25));
        assert!((least - 1.25).abs() < 1e-4, "{least}");
    }
}
