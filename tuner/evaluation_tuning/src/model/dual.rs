//! Dual numbers: a value together with its slopes, so that the engine's own formulas differentiate
//! themselves.
//!
//! CITE: W. K. Clifford, Preliminary Sketch of Biquaternions (1873): dual numbers; R. E. Wengert, A
//! Simple Automatic Derivative Evaluation Program (1964).

use std::ops::{Add, Mul, Neg, Sub};

use chess::evaluation::{Arithmetic, SUMS};

/// Directions a closing formula is differentiated in: the two halves of each sum.
pub const DIRECTIONS: usize = 2 * SUMS;

/// A value and its partial derivatives by the sums of the channels.
#[derive(Clone, Copy, Debug)]
pub struct Dual {
    /// The value without derivatives.
    pub value: f64,
    /// Its partial derivative in each direction.
    pub slopes: [f64; DIRECTIONS],
}

impl Dual {
    /// A number that does not depend on the channel sums.
    pub const fn constant(value: f64) -> Dual {
        Dual { value, slopes: [0.0; DIRECTIONS] }
    }

    /// The sum and half of the given direction.
    pub const fn variable(value: f64, direction: usize) -> Dual {
        let mut dual = Dual::constant(value);
        dual.slopes[direction] = 1.0;
        dual
    }

    /// The chain rule: `value` with the slopes of `self` times `slope`.
    #[inline]
    fn chain(self, value: f64, slope: f64) -> Dual {
        Dual { value, slopes: self.slopes.map(|inner| slope * inner) }
    }
}

impl Add for Dual {
    type Output = Dual;
    #[inline]
    fn add(mut self, other: Dual) -> Dual {
        self.value += other.value;
        for (slope, added) in self.slopes.iter_mut().zip(other.slopes) {
            *slope += added;
        }
        self
    }
}

impl Sub for Dual {
    type Output = Dual;
    #[inline]
    fn sub(self, other: Dual) -> Dual {
        self + -other
    }
}

impl Mul for Dual {
    type Output = Dual;
    #[inline]
    fn mul(mut self, other: Dual) -> Dual {
        for (slope, others) in self.slopes.iter_mut().zip(other.slopes) {
            *slope = *slope * other.value + others * self.value;
        }
        self.value *= other.value;
        self
    }
}

impl Neg for Dual {
    type Output = Dual;
    #[inline]
    fn neg(self) -> Dual {
        self.chain(-self.value, -1.0)
    }
}

impl Arithmetic for Dual {
    #[inline]
    fn from_i32(value: i32) -> Dual {
        Dual::constant(f64::from(value))
    }

    #[inline]
    fn value(self) -> f64 {
        self.value
    }

    #[inline]
    fn divide(self, divisor: i32) -> Dual {
        let inverse = 1.0 / f64::from(divisor);
        self.chain(self.value * inverse, inverse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (x·y − 3x)/2 at x = 5, y = 7 has the value 10 and the slopes 2 and 5/2.
    #[test]
    fn arithmetic_follows_the_chain_rule() {
        let (x, y) = (Dual::variable(5.0, 0), Dual::variable(7.0, 1));
        let result = (x * y - x * Dual::from_i32(3)).divide(2);
        assert_eq!(result.value, 10.0);
        assert_eq!(&result.slopes[..3], &[2.0, 2.5, 0.0]);
        assert_eq!((-result).slopes[0], -2.0);
    }

    #[test]
    fn bounds_take_the_slopes_of_the_side_that_counts() {
        let x = Dual::variable(5.0, 0);
        let three = Dual::from_i32(3);
        assert_eq!(Arithmetic::max(x, three).slopes[0], 1.0);
        assert_eq!(Arithmetic::min(x, three).slopes[0], 0.0);
    }
}
