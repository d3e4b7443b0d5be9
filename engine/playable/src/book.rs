//! Moves for the opening, from a book or a library.

use crate::{Move, Position};

/// A source of opening moves.
pub trait OpeningMoves: Send {
    /// How much is in it, in words.
    fn summary(&self) -> String;

    /// A key of the position, by which chance among its moves may be fixed.
    fn key(&self, position: &Position) -> u64;

    /// The move to play in a position that `line` led to from the usual start, if it began there; `pick`
    /// draws a number below the one that it is given.
    fn pick(
        &self,
        position: &Position,
        line: Option<&[Move]>,
        pick: &mut dyn FnMut(u32) -> u32,
    ) -> Option<PickedMove>;
}

/// A move that was picked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PickedMove {
    /// The move.
    pub mv: Move,
    /// Where it is from: `book` or `library`.
    pub form: &'static str,
    /// Why this one, in words.
    pub why: String,
}
