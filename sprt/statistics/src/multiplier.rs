//! The best distribution under one linear condition: each share of the sample divided by one plus a
//! multiple of the class's offset.

/// The scores of the classes, from 0 to 1.
pub(super) fn scores<const N: usize>() -> [f64; N] {
    std::array::from_fn(|class| class as f64 / (N - 1) as f64)
}

/// Relative log-likelihood per unit of the distribution share / (1 + θ · offset).
pub(super) fn relative_likelihood<const N: usize>(
    shares: &[f64; N],
    offsets: &[f64; N],
    theta: f64,
) -> f64 {
    let terms = shares.iter().zip(offsets);
    -terms.map(|(share, offset)| share * (theta * offset).max(LEAST_PRODUCT).ln_1p()).sum::<f64>()
}

/// Least value of θ · offset: among 10¹⁵ pairs the multiplier of a class that never occurred is
/// closer to its pole than a number can tell.
pub(super) const LEAST_PRODUCT: f64 = -1.0 + f64::EPSILON / 2.0;

/// The root θ of Σ share · x / (1 + θx), or `None` if the offsets x do not lie on both sides of 0.
///
/// The sum falls from +∞ to −∞ between its poles: Newton's steps are taken where they lead less than
/// half way through what is known of the root, and halvings otherwise, so that nothing can fail.
pub(super) fn multiplier<const N: usize>(shares: &[f64; N], offsets: &[f64; N]) -> Option<f64> {
    let most = offsets.iter().copied().fold(f64::MIN, f64::max);
    let least = offsets.iter().copied().fold(f64::MAX, f64::min);
    if !(most > 0.0 && least < 0.0 && most.is_finite() && least.is_finite()) {
        return None;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    // The sample itself, θ = 0, is close to the root in a long test.
    let mut theta = 0.0;
    loop {
        let (mut value, mut slope) = (0.0, 0.0);
        for (share, offset) in shares.iter().zip(offsets) {
            let scaled = offset / (1.0 + theta * offset);
            value += share * scaled;
            slope += share * scaled * scaled;
        }
        if value > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        // The derivative is −slope.
        let step = value / slope;
        let is_newton = step.abs() < 0.5 * (high - low);
        let next = if is_newton { theta + step } else { 0.5 * (low + high) };
        // The convergence is quadratic: after a step this small, what is left is rounding.
        let is_close = is_newton && step.abs() <= 1e-9 * theta.abs().max(1e-6);
        if is_close || next <= low || next >= high {
            return Some(next);
        }
        theta = next;
    }
}
