//! Every number of the engine: declared once, named, documented, ranged, read and written here.
//!
//! `weights.rs` declares the evaluation's weights, `margins.rs` the search's margins and switches; `declare.rs` holds
//! the two macros; `names.rs` finds single numbers by name; `file.rs` reads TOML and `format.rs` writes it. Search and evaluation read all numbers through a reference to a
//! [`Parameters`] value: there is no second, compiled-in copy.

pub(crate) mod declare;
mod file;
mod format;

mod names;

pub use crate::chess::evaluation::weights::*;
pub use crate::search::margins::*;
pub use declare::{CellKind, Cells, DEFAULT_WEIGHT_RANGE, MarginInfo, Scalar, Score, WeightInfo};
pub use file::{EMBEDDED_TEXT, ParametersError, embedded_manifest};
pub use format::Format;
pub use names::{Half, NameError, Number};

/// A complete set of numbers: what an engine plays with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameters {
    /// Evaluation weights.
    pub weights: Weights,
    /// Search margins and switches.
    pub margins: Margins,
}

impl Weights {
    /// All weights as one slice of cells: a packed [`Score`] or a [`Scalar`] each, see [`WeightInfo::kind`].
    pub fn cells(&self) -> &[i32] {
        bytemuck::cast_slice(std::slice::from_ref(self))
    }

    /// As [`Weights::cells`], to write.
    pub fn cells_mut(&mut self) -> &mut [i32] {
        bytemuck::cast_slice_mut(std::slice::from_mut(self))
    }

    /// Cell index of a weight inside `self`: its address is its name.
    ///
    /// `weight` must lie inside `self`; otherwise the index is meaningless and out of bounds.
    #[inline]
    pub fn cell_of<T>(&self, weight: &T) -> usize {
        ((weight as *const T as usize).wrapping_sub(self as *const Weights as usize)) / 4
    }
}

impl Margins {
    /// All margins as one slice, indexed by [`MarginInfo::cell`].
    pub fn cells(&self) -> &[i32] {
        bytemuck::cast_slice(std::slice::from_ref(self))
    }

    /// As [`Margins::cells`], to write.
    pub fn cells_mut(&mut self) -> &mut [i32] {
        bytemuck::cast_slice_mut(std::slice::from_mut(self))
    }
}
