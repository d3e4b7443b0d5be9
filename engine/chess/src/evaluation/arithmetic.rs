//! The types that the closing formula can be computed in.

use std::ops::{Add, Mul, Neg, Sub};

/// What the closing formula needs of a type: integers in play, floating point and dual numbers in
/// the tuner.
pub trait Arithmetic:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// The constant `value`.
    fn from_i32(value: i32) -> Self;
    /// The number itself, without derivatives: for comparisons.
    fn value(self) -> f64;
    /// Divided by a positive constant; integers round towards zero, so that a mirrored position has
    /// exactly the negated value.
    fn divide(self, divisor: i32) -> Self;

    /// The larger of the two: `other` is a floor.
    fn max(self, other: Self) -> Self {
        if self.value() >= other.value() { self } else { other }
    }

    /// The smaller of the two: `other` is a ceiling.
    fn min(self, other: Self) -> Self {
        if self.value() <= other.value() { self } else { other }
    }
}

impl Arithmetic for i32 {
    #[inline]
    fn from_i32(value: i32) -> i32 {
        value
    }

    #[inline]
    fn value(self) -> f64 {
        f64::from(self)
    }

    #[inline]
    fn divide(self, divisor: i32) -> i32 {
        // Told that it is positive, the compiler leaves out its checks for 0 and -1.
        self / Ord::max(divisor, 1)
    }

    #[inline]
    fn max(self, other: i32) -> i32 {
        Ord::max(self, other)
    }

    #[inline]
    fn min(self, other: i32) -> i32 {
        Ord::min(self, other)
    }
}

impl Arithmetic for f64 {
    #[inline]
    fn from_i32(value: i32) -> f64 {
        f64::from(value)
    }

    #[inline]
    fn value(self) -> f64 {
        self
    }

    #[inline]
    fn divide(self, divisor: i32) -> f64 {
        self / f64::from(divisor)
    }
}
