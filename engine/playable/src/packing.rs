//! Positions in few bytes, so that millions of them fit into memory and into files.

use thiserror::Error;

/// Most bytes of a packed position.
pub const PACKED_MAX: usize = 32;

/// A position without its history in the bytes of its game; those that the game does not use are 0.
pub type PackedBytes = [u8; PACKED_MAX];

/// Why a position cannot be packed, or bytes are none, in words.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct PackedError(pub String);
