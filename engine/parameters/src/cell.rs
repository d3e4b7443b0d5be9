//! The types of declared numbers. Every cell of a table takes 32 bits.

use bytemuck::{Pod, Zeroable};

/// A middlegame and an endgame number packed in one `i32`, so that both are added at once.
///
/// The middlegame half is the low 16 bits (signed), the endgame half the rest; sums stay exact as
/// long as each half stays within ±32,767 (centipawns).
#[derive(Clone, Copy, PartialEq, Eq, Default, Pod, Zeroable)]
#[repr(transparent)]
pub struct Score(i32);

impl Score {
    /// Packs two halves in centipawns.
    pub const fn new(middlegame: i32, endgame: i32) -> Score {
        Score((endgame << 16).wrapping_add(middlegame))
    }

    /// Both halves, as a cell of a table holds them.
    pub(super) const fn packed(self) -> i32 {
        self.0
    }

    /// The middlegame half in centipawns.
    #[inline]
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame half in centipawns.
    #[inline]
    pub const fn endgame(self) -> i32 {
        // A negative low half has borrowed one from the high half; adding 2^15 gives it back.
        self.0.wrapping_add(0x8000) >> 16
    }
}

impl std::fmt::Debug for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{}, {}]", self.middlegame(), self.endgame())
    }
}

impl std::ops::Add for Score {
    type Output = Score;
    #[inline]
    fn add(self, other: Score) -> Score {
        Score(self.0.wrapping_add(other.0))
    }
}

impl std::ops::Sub for Score {
    type Output = Score;
    #[inline]
    fn sub(self, other: Score) -> Score {
        Score(self.0.wrapping_sub(other.0))
    }
}

impl std::ops::AddAssign for Score {
    #[inline]
    fn add_assign(&mut self, other: Score) {
        *self = *self + other;
    }
}

impl std::ops::Mul<i32> for Score {
    type Output = Score;
    #[inline]
    fn mul(self, times: i32) -> Score {
        Score(self.0.wrapping_mul(times))
    }
}

/// A single number (no game phases), in the unit its doc line gives.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Pod, Zeroable)]
#[repr(transparent)]
pub struct Scalar(pub i32);

/// A technique's switch, on or off: 1 or 0 in files and options.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Pod, Zeroable)]
#[repr(transparent)]
pub struct Switch(i32);

impl Switch {
    /// The technique is used.
    pub const ON: Switch = Switch(1);
    /// The technique is left out.
    pub const OFF: Switch = Switch(0);

    /// True if the technique is used.
    #[inline]
    pub const fn is_on(self) -> bool {
        self.0 != 0
    }
}

/// The content of one cell of a declared number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CellKind {
    /// A [`Score`]: two numbers, middlegame and endgame.
    Score,
    /// One number: a [`Scalar`], an `i32` or a [`Switch`].
    Scalar,
}

/// Types a number can be declared with: `Score`, `Scalar`, `i32`, `Switch`, and arrays of them.
pub trait Declarable {
    /// The content of each cell.
    const KIND: CellKind;
    /// Number of cells: 1, or the array's length.
    const LENGTH: usize;
    /// Allowed values, inclusive, of a number whose declaration names none.
    const RANGE: (i32, i32) = (-1000, 1000);
}

impl Declarable for Score {
    const KIND: CellKind = CellKind::Score;
    const LENGTH: usize = 1;
}

impl Declarable for Scalar {
    const KIND: CellKind = CellKind::Scalar;
    const LENGTH: usize = 1;
}

impl Declarable for i32 {
    const KIND: CellKind = CellKind::Scalar;
    const LENGTH: usize = 1;
}

impl Declarable for Switch {
    const KIND: CellKind = CellKind::Scalar;
    const LENGTH: usize = 1;
    const RANGE: (i32, i32) = (0, 1);
}

impl<T: Declarable, const N: usize> Declarable for [T; N] {
    const KIND: CellKind = T::KIND;
    const LENGTH: usize = N * T::LENGTH;
    const RANGE: (i32, i32) = T::RANGE;
}
