//! How the root and the moves of a node are asked: windows, iterations, zero windows.

pub(crate) mod alpha_beta;
pub(crate) mod aspiration;
pub(crate) mod iterative_deepening;
pub(crate) mod mtd;
pub(crate) mod principal_line;
pub(crate) mod scout;
