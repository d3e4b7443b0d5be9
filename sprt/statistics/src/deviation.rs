//! The best distribution with a given t-value: the distance of the mean from one half in standard
//! deviations, which is what normalized Elo states.
//!
//! Let b be a score less ½ and q the mean of b². That (mean − ½) / deviation is t means that the
//! mean of b is κ√q with κ = t / √(1 + t²). Now √q is the least value of (q/r + r) / 2 over all r,
//! taken at r = √q, so that this curved condition is a choice among the linear conditions that the
//! mean of φ(r) = b − κ (b²/r + r) / 2 is 0. For each of them the best distribution is
//! share / (1 + θφ) with one multiplier θ, and the right r is the one at which r² = q.
//!
//! A hypothesis nearer to 0 than the sample asks for a convex set of distributions, where there is
//! one such r and nothing can go wrong. A hypothesis farther from 0 than the sample asks for a union
//! of half-spaces; a lopsided sample then has several local optima, among which the usual
//! iterations find any or none. Here the best of all is searched for where there is a doubt.

use super::multiplier::{LEAST_PRODUCT, multiplier, relative_likelihood, scores};
use super::roots;

/// Relative log-likelihood per unit of the best distribution with (mean − ½) / deviation = `t`.
pub(super) fn best_likelihood<const N: usize>(shares: &[f64; N], t: f64) -> f64 {
    // The formula for a t-value above 0 holds for one below, seen from the other side.
    let mirrored =
        if t < 0.0 { std::array::from_fn(|class| shares[N - 1 - class]) } else { *shares };
    let constraint = Constraint::new(mirrored, t.abs());
    if t == 0.0 {
        // The condition is linear as it stands.
        let offsets = constraint.distances;
        let theta = multiplier(shares, &offsets).unwrap_or(0.0);
        return relative_likelihood(shares, &offsets, theta);
    }
    match constraint.by_newton() {
        Some(Stationary { likelihood, is_best: true }) => likelihood,
        _ if constraint.is_convex() => constraint.by_root(),
        Some(other) => constraint.by_search().max(other.likelihood),
        None => constraint.by_search(),
    }
}

/// A distribution from which no small step leads to a better one.
struct Stationary {
    /// Relative log-likelihood per unit.
    likelihood: f64,
    /// True if there is certainly no better one far away.
    is_best: bool,
}

/// A sample, and the condition that the mean of b is κ √(mean of b²), with κ ≥ 0.
struct Constraint<const N: usize> {
    shares: [f64; N],
    /// Distances of the scores from ½.
    distances: [f64; N],
    kappa: f64,
    /// Mean of the sample's distances, and of their squares.
    mean: f64,
    square: f64,
}

impl<const N: usize> Constraint<N> {
    fn new(shares: [f64; N], t: f64) -> Constraint<N> {
        let distances = scores::<N>().map(|score| score - 0.5);
        let terms = || shares.iter().zip(&distances);
        // At κ = 1 all would have to win.
        let kappa = (t / t.hypot(1.0)).min(1.0 - 1e-9);
        let mean = terms().map(|(share, b)| share * b).sum();
        let square = terms().map(|(share, b)| share * b * b).sum();
        Constraint { shares, distances, kappa, mean, square }
    }

    /// True if the sample is farther from ½ than the condition: then the set is convex.
    fn is_convex(&self) -> bool {
        self.mean >= self.kappa * self.square.sqrt()
    }

    /// φ at r.
    fn offsets(&self, r: f64) -> [f64; N] {
        self.distances.map(|b| b - 0.5 * self.kappa * (b * b / r + r))
    }

    /// The best distribution that satisfies the linear condition at r: its relative log-likelihood,
    /// and ln(q / r²), which is 0 at the right r. `None` if there is no such distribution.
    fn at(&self, r: f64) -> Option<(f64, f64)> {
        let offsets = self.offsets(r);
        let theta = multiplier(&self.shares, &offsets)?;
        let square: f64 = (0..N)
            .map(|class| {
                let fit = self.shares[class] / (1.0 + (theta * offsets[class]).max(LEAST_PRODUCT));
                fit * self.distances[class].powi(2)
            })
            .sum();
        Some((relative_likelihood(&self.shares, &offsets, theta), (square / (r * r)).ln()))
    }

    /// The stationary point next to the sample, by Newton's steps for θ and r; `None` if they do
    /// not lead to one.
    fn by_newton(&self) -> Option<Stationary> {
        const STEPS: usize = 16;
        const TOLERANCE: f64 = 1e-9;
        let (mut theta, mut r) = (0.0, self.square.sqrt());
        let mut step = [0.0, 0.0];
        for _ in 0..STEPS {
            // Beyond a pole there are stationary points too, which mean nothing. A pole is close
            // when a class that did not occur has to become more frequent.
            let mut halvings = 0;
            while self.offsets(r - step[1]).iter().any(|b| 1.0 + (theta - step[0]) * b <= 0.0) {
                step = step.map(|part| 0.5 * part);
                halvings += 1;
                if halvings == 8 {
                    return None;
                }
            }
            theta -= step[0];
            r -= step[1];
            // Both conditions, the means of φ and ψ = b²/r² − 1, and their derivatives.
            let (mut phi, mut psi) = (0.0, 0.0);
            let (mut phi_by_theta, mut phi_by_r) = (0.0, 0.0);
            let (mut psi_by_theta, mut psi_by_r) = (0.0, 0.0);
            let inverse = 1.0 / r;
            for (share, b) in self.shares.iter().zip(&self.distances) {
                let ratio = (b * inverse).powi(2);
                let offset = b - 0.5 * self.kappa * r * (ratio + 1.0);
                let factor = 1.0 / (1.0 + theta * offset);
                let fit = share * factor;
                let weight = fit * factor;
                let offset_by_r = 0.5 * self.kappa * (ratio - 1.0);
                phi += fit * offset;
                psi += fit * (ratio - 1.0);
                phi_by_theta -= weight * offset * offset;
                phi_by_r += weight * offset_by_r;
                psi_by_theta -= weight * offset * (ratio - 1.0);
                psi_by_r -=
                    2.0 * fit * ratio * inverse + theta * weight * offset_by_r * (ratio - 1.0);
            }
            let determinant = phi_by_theta * psi_by_r - phi_by_r * psi_by_theta;
            step = [
                (phi * psi_by_r - psi * phi_by_r) / determinant,
                (phi_by_theta * psi - psi_by_theta * phi) / determinant,
            ];
            if !(r - step[1] > 0.0 && step[0].is_finite()) {
                return None;
            }
            // The convergence is quadratic: after a step this small, what is left is rounding.
            if step[0].abs() < TOLERANCE && step[1].abs() < TOLERANCE * r {
                // How ln(q / r²) falls with ln r on the way along the first condition; by 2 if q
                // does not depend on r at all.
                let fall = -r * (psi_by_r - psi_by_theta * phi_by_r / phi_by_theta);
                return Some(self.stationary(theta, r, fall));
            }
        }
        None
    }

    fn stationary(&self, theta: f64, r: f64, fall: f64) -> Stationary {
        /// No class is made rarer or more frequent than by this factor.
        const MOST: f64 = 3.0;
        let offsets = self.offsets(r);
        let likelihood = relative_likelihood(&self.shares, &offsets, theta);
        // Unless the t-value is extreme, an optimum besides another one leans on a class that hardly
        // occurred.
        let is_near = || {
            self.kappa < 0.5
                && offsets.iter().all(|offset| {
                    let factor = 1.0 + theta * offset;
                    factor > 1.0 / MOST && factor < MOST
                })
        };
        // To shift the share x to a class that did not occur loses x of the likelihood at least,
        // and adds x/4 to q at most: with little to lose, q stays where r is the only root.
        let is_only = || -likelihood < 0.5 * self.square && fall > 1.0 && fall < 3.0;
        Stationary { likelihood, is_best: self.is_convex() || is_near() || is_only() }
    }

    /// The only stationary point of a convex set.
    ///
    /// The sample violates the linear conditions between two values of r, where the best
    /// distribution is the sample itself, one on either side of its own √q.
    fn by_root(&self) -> f64 {
        let middle = self.mean / self.kappa;
        let width = (middle * middle - self.square).max(0.0).sqrt();
        let high = middle + width;
        let low = self.square / high;
        let value = |logarithm: f64| self.at(logarithm.exp()).unwrap_or((0.0, 0.0));
        let best = roots::between(|logarithm| value(logarithm).1, low.ln(), high.ln(), 1e-12);
        value(best).0
    }

    /// The best of all stationary points.
    fn by_search(&self) -> f64 {
        const STEPS: usize = 48;
        // Below this r no score makes φ positive: φ > 0 asks for b / r below this bound.
        let most = (1.0 + (1.0 - self.kappa * self.kappa).sqrt()) / self.kappa;
        let high = 0.5f64.ln();
        let low = (self.distances[N / 2 + 1] / most).ln().max(high - 40.0);
        let place = |index: usize| low + (high - low) * index as f64 / STEPS as f64;
        let value = |logarithm: f64| self.at(logarithm.exp()).unwrap_or((f64::NEG_INFINITY, 0.0));
        let grid: [f64; STEPS + 1] = std::array::from_fn(|index| value(place(index)).0);
        let mut best = f64::NEG_INFINITY;
        for index in 0..=STEPS {
            let (before, after) = (index.saturating_sub(1), (index + 1).min(STEPS));
            if grid[index] >= grid[before] && grid[index] >= grid[after] {
                let slope = |logarithm: f64| value(logarithm).1;
                let top = roots::between(slope, place(before), place(after), 1e-10);
                best = best.max(grid[index]).max(value(top).0);
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use random::stream;

    use super::*;

    #[test]
    fn all_ways_lead_to_the_best_likelihood() {
        let mut random = stream(3, 0);
        let mut certain = 0;
        for round in 0..4000 {
            let size = random.random_range(1f64..12.0);
            let counts: [f64; 5] = std::array::from_fn(|_| {
                if random.random_bool(0.3) { 1e-3 } else { random.random_range(0.0..size).exp() }
            });
            let total: f64 = counts.iter().sum();
            let most = if random.random_bool(0.6) { 0.3 } else { 8.0 };
            let t = random.random_range(0f64..1.0).powi(3) * most;
            let constraint = Constraint::new(counts.map(|count| count / total), t);
            let robust =
                if constraint.is_convex() { constraint.by_root() } else { constraint.by_search() };
            let what = format!("{round}: {counts:?} {t}");
            if let Some(Stationary { likelihood, is_best: true }) = constraint.by_newton() {
                certain += 1;
                assert!((likelihood - robust).abs() < 1e-8 * (1.0 + robust.abs()), "{what}");
            }
            // No r on a fine grid does better than the best, and in a convex set none worse.
            let best = best_likelihood(&constraint.shares, t);
            for index in 0..if round < 400 { 1000 } else { 0 } {
                let r = 0.5 * (-8.0 * f64::from(index) / 1000.0).exp();
                let Some((likelihood, _)) = constraint.at(r) else { continue };
                if constraint.is_convex() {
                    let is_violated = !constraint
                        .offsets(r)
                        .iter()
                        .zip(&constraint.shares)
                        .map(|(offset, share)| offset * share)
                        .sum::<f64>()
                        .is_sign_negative();
                    assert!(!is_violated || likelihood >= best - 1e-9, "{what} at {r}");
                } else {
                    assert!(likelihood <= best + 1e-9, "{what} at {r}");
                }
            }
        }
        // 1853; the fewer, the more often the slow way is taken for nothing.
        assert!((1840..1870).contains(&certain), "{certain}");
    }

    #[test]
    fn games_are_judged_by_the_same_condition() {
        // All distributions of three classes with the given t-value are a curve: its best point.
        let shares = [0.2, 0.5, 0.3];
        for t in [-0.4f64, 0.02, 0.3] {
            let mut best = f64::NEG_INFINITY;
            for index in 1..200_000 {
                // The mean m of the distances and the mean q of their squares determine the shares.
                let r = 0.5 * f64::from(index) / 200_000.0;
                let mean = t / t.hypot(1.0) * r;
                let decided = 4.0 * r * r;
                let fitted = [decided / 2.0 - mean, 1.0 - decided, decided / 2.0 + mean];
                if fitted.iter().all(|&fit| fit > 0.0) {
                    let terms = shares.iter().zip(fitted);
                    let likelihood: f64 =
                        terms.map(|(s, fit): (&f64, f64)| s * (fit / s).ln()).sum();
                    best = best.max(likelihood);
                }
            }
            assert!((best_likelihood(&shares, t) - best).abs() < 1e-8, "{t}");
        }
    }
}
