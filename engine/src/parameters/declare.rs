//! How a number is declared: once, with its name, doc, range and place in memory.

use bytemuck::{Pod, Zeroable};

/// A middlegame and an endgame number packed in one `i32`, so that both are added at once.
///
/// The middlegame half is the low 16 bits (signed), the endgame half the rest; sums stay exact as long as each
/// half stays within ±32,767 (centipawns).
#[derive(Clone, Copy, PartialEq, Eq, Default, Pod, Zeroable)]
#[repr(transparent)]
pub struct Score(i32);

impl Score {
    /// Packs two halves in centipawns.
    pub const fn new(middlegame: i32, endgame: i32) -> Score {
        Score((endgame << 16).wrapping_add(middlegame))
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

/// What one cell of a weight holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CellKind {
    /// A [`Score`]: two numbers, middlegame and endgame.
    Score,
    /// A [`Scalar`]: one number.
    Scalar,
}

/// Types a weight can be declared with: `Score`, `Scalar` and arrays of them.
pub trait Cells {
    /// What each cell holds.
    const KIND: CellKind;
    /// Number of cells.
    const LENGTH: usize;
}

impl Cells for Score {
    const KIND: CellKind = CellKind::Score;
    const LENGTH: usize = 1;
}

impl Cells for Scalar {
    const KIND: CellKind = CellKind::Scalar;
    const LENGTH: usize = 1;
}

impl<T: Cells, const N: usize> Cells for [T; N] {
    const KIND: CellKind = T::KIND;
    const LENGTH: usize = N * T::LENGTH;
}

/// One declared evaluation weight (a single cell or an array).
#[derive(Clone, Debug)]
pub struct WeightInfo {
    /// Group, as in `[weights.GROUP]` of a parameter file.
    pub group: &'static str,
    /// The group's doc line.
    pub group_doc: &'static str,
    /// Name within the group.
    pub name: &'static str,
    /// What it means.
    pub doc: &'static str,
    /// Index of its first cell in [`super::Weights::cells`].
    pub first_cell: usize,
    /// Number of cells.
    pub length: usize,
    /// What each cell holds.
    pub kind: CellKind,
    /// Allowed values of each number, inclusive.
    pub range: (i32, i32),
    /// True for an array, false for a single cell: decides how the file shows it.
    pub is_array: bool,
}

/// One declared search margin or switch.
#[derive(Clone, Debug)]
pub struct MarginInfo {
    /// The name in code, file, UCI option and report.
    pub name: &'static str,
    /// What it means, with its unit.
    pub doc: &'static str,
    /// Index in [`super::Margins::cells`].
    pub cell: usize,
    /// Allowed values, inclusive. `(0, 1)` is a switch.
    pub range: (i32, i32),
    /// A sensible first step for a tuner.
    pub step: i32,
}

impl MarginInfo {
    /// True for a switch: 0 turns the technique off, 1 on.
    pub fn is_switch(&self) -> bool {
        self.range == (0, 1)
    }
}

/// Range of a weight whose declaration names none, in centipawns.
pub const DEFAULT_WEIGHT_RANGE: std::ops::RangeInclusive<i32> = -1000..=1000;

/// Declares all evaluation weights: a plain struct of structs and one [`WeightInfo`] row each.
///
/// ```text
/// weights! {
///     /// Pawns: structure and promotion.
///     group pawns: Pawns {
///         /// No friendly pawn on a neighboring file; by file from the edge.
///         isolated: [Score; 4] in -60..=20,
///     }
/// }
/// ```
macro_rules! weights {
    ($(
        $(#[doc = $group_doc:literal])+
        group $group:ident : $Group:ident {
            $(
                $(#[doc = $doc:literal])+
                $name:ident : $type:tt $(in $low:literal ..= $high:literal)?
            ),+ $(,)?
        }
    )+) => {
        $(
            $(#[doc = $group_doc])+
            #[derive(Clone, Copy, PartialEq, Eq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
            #[repr(C)]
            pub struct $Group {
                $( $(#[doc = $doc])+ pub $name: $type, )+
            }

            impl $Group {
                const DOC: &'static str = concat!($($group_doc),+).trim_ascii();
            }
        )+

        /// Every evaluation weight of the engine.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
        #[repr(C)]
        pub struct Weights {
            $( $(#[doc = $group_doc])+ pub $group: $Group, )+
        }

        impl Weights {
            /// One row per declared weight, in the order of declaration.
            pub const INFO: &'static [$crate::parameters::WeightInfo] = &[$($(
                $crate::parameters::WeightInfo {
                    group: stringify!($group),
                    group_doc: $Group::DOC,
                    name: stringify!($name),
                    doc: concat!($($doc),+).trim_ascii(),
                    first_cell: core::mem::offset_of!(Weights, $group.$name) / 4,
                    length: <$type as $crate::parameters::Cells>::LENGTH,
                    kind: <$type as $crate::parameters::Cells>::KIND,
                    range: {
                        #[allow(unused_mut, unused_assignments)]
                        let mut range = $crate::parameters::DEFAULT_WEIGHT_RANGE;
                        $( range = $low..=$high; )?
                        (*range.start(), *range.end())
                    },
                    is_array: core::mem::size_of::<$type>() != 4,
                },
            )+)+];
        }
    };
}

/// Declares all search margins: a plain struct of `i32` and one [`MarginInfo`] row each.
///
/// ```text
/// margins! {
///     /// Reverse futility: how far above beta the evaluation must be, per ply of depth left (centipawns).
///     reverse_futility_margin: { 20..=200, step 8 }
///     /// Reverse futility on or off.
///     reverse_futility_enabled: { switch }
/// }
/// ```
macro_rules! margins {
    (@range switch) => { (0, 1) };
    (@range $low:literal ..= $high:literal, step $step:literal) => { ($low, $high) };
    (@step switch) => { 1 };
    (@step $low:literal ..= $high:literal, step $step:literal) => { $step };
    ($(
        $(#[doc = $doc:literal])+
        $name:ident : { $($range:tt)+ }
    )+) => {
        /// Every search margin and switch of the engine.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
        #[repr(C)]
        pub struct Margins {
            $( $(#[doc = $doc])+ pub $name: i32, )+
        }

        impl Margins {
            /// One row per declared margin, in the order of declaration.
            pub const INFO: &'static [$crate::parameters::MarginInfo] = &[$(
                $crate::parameters::MarginInfo {
                    name: stringify!($name),
                    doc: concat!($($doc),+).trim_ascii(),
                    cell: core::mem::offset_of!(Margins, $name) / 4,
                    range: $crate::parameters::declare::margins!(@range $($range)+),
                    step: $crate::parameters::declare::margins!(@step $($range)+),
                },
            )+];
        }
    };
}

pub(crate) use margins;
pub(crate) use weights;
