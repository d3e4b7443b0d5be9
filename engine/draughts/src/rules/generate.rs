//! Legal moves. Captures are forced; a side need not take the most.

use playable::Color;

use super::squares::{DIRECTIONS, backward, bits, shifted, way};
use super::{Board, Move};

/// The directions in which men of a side step.
const AHEAD: [[usize; 2]; 2] = [[0, 1], [2, 3]];

impl Board {
    /// The men of a side, and its kings, that can step, were it its turn and no capture forced.
    #[inline]
    pub fn steppers(&self, color: Color) -> u32 {
        let ahead = AHEAD[color.index()];
        (0..DIRECTIONS).fold(0, |all, direction| {
            let goers = match ahead.contains(&direction) {
                true => self.of(color),
                false => self.kings_of(color),
            };
            all | shifted(self.empty(), backward(direction)) & goers
        })
    }

    /// Whether there is a legal move.
    #[inline]
    pub fn has_legal_move(&self) -> bool {
        self.steppers(self.side) != 0 || self.must_capture()
    }

    /// The free squares to which a king can go from a square.
    #[inline]
    pub fn king_steps(&self, from: usize) -> u32 {
        let taken = !self.empty();
        (0..DIRECTIONS).fold(0, |all, direction| all | way(from, direction, taken).0)
    }

    /// The free squares to which the man or king of the side to move on a square can step.
    #[inline]
    fn steps(&self, from: usize) -> u32 {
        if self.kings >> from & 1 == 1 {
            return self.king_steps(from);
        }
        let [left, right] = AHEAD[self.side.index()];
        (shifted(1 << from, left) | shifted(1 << from, right)) & self.empty()
    }

    /// Hands all legal moves to `emit`.
    #[inline]
    pub fn each_move(&self, mut emit: impl FnMut(Move)) {
        let capturers = self.capturers(self.side);
        if capturers != 0 {
            for from in bits(capturers) {
                self.named_captures(from).for_each(|(mv, _)| emit(mv));
            }
            return;
        }
        for from in bits(self.of(self.side)) {
            bits(self.steps(from)).for_each(|to| emit(Move::new(from, to, 0)));
        }
    }

    /// All legal moves.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.each_move(|mv| moves.push(mv));
        moves
    }

    /// Whether a move of any bits is legal.
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        let from = mv.from();
        if self.of(self.side) >> from & 1 == 0 {
            return false;
        }
        let capturers = self.capturers(self.side);
        if capturers != 0 {
            return capturers >> from & 1 == 1
                && self.named_captures(from).any(|(known, _)| known == mv);
        }
        mv.rank() == 0 && self.steps(from) >> mv.to() & 1 == 1
    }
}
