//! Roots of monotone functions of one variable.

/// The root of `function` between `low` and `high`, at which it must have different signs, to
/// within `tolerance`. If the signs agree, the end where the function is closer to 0.
///
/// CITE: T. R. Chandrupatla, "A new hybrid quadratic/bisection algorithm for finding the zero of a
/// nonlinear function without using derivatives".
pub(super) fn between(
    mut function: impl FnMut(f64) -> f64,
    low: f64,
    high: f64,
    tolerance: f64,
) -> f64 {
    const STEPS: usize = 200;
    // The root is between `a`, the newest point, and `b`; `c` is the point given up last.
    let (mut a, mut b) = (high, low);
    let (mut value_a, mut value_b) = (function(a), function(b));
    if value_a == 0.0 || value_b == 0.0 || (value_a > 0.0) == (value_b > 0.0) {
        return if value_a.abs() < value_b.abs() { a } else { b };
    }
    let mut share = 0.5;
    for _ in 0..STEPS {
        let trial = a + share * (b - a);
        let value = function(trial);
        let (c, value_c);
        if (value > 0.0) == (value_a > 0.0) {
            (c, value_c) = (a, value_a);
        } else {
            (c, value_c) = (b, value_b);
            (b, value_b) = (a, value_a);
        }
        (a, value_a) = (trial, value);
        let best = if value_a.abs() < value_b.abs() { a } else { b };
        let least = (0.5 * tolerance + 2.0 * f64::EPSILON * best.abs()) / (b - a).abs();
        if least > 0.5 || value == 0.0 {
            return best;
        }
        // Inverse quadratic interpolation where the three points allow it, halving elsewhere.
        let place = (a - b) / (c - b);
        let slope = (value_a - value_b) / (value_c - value_b);
        share = if slope * slope < place && (1.0 - slope).powi(2) < 1.0 - place {
            value_a / (value_b - value_a) * value_c / (value_b - value_c)
                + (c - a) / (b - a) * value_a / (value_c - value_a) * value_b / (value_c - value_b)
        } else {
            0.5
        };
        share = share.clamp(least, 1.0 - least);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_found_in_few_steps() {
        let mut steps = 0;
        let root = between(
            |x: f64| {
                steps += 1;
                x.powi(3) - 2.0
            },
            -1000.0,
            1000.0,
            1e-12,
        );
        assert!((root - 2f64.cbrt()).abs() < 1e-11, "{root}");
        // 20, and 25 or more where the interpolation is disturbed.
        assert!(steps <= 22, "{steps}");
        let step = between(|x| if x > 0.3 { 1.0 } else { -1.0 }, 0.0, 1.0, 1e-9);
        assert!((step - 0.3).abs() < 1e-9, "{step}");
        assert_eq!(between(|x| x + 5.0, 0.0, 1.0, 1e-9), 0.0);
    }
}
