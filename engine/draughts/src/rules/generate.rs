//! Legal moves. Captures are forced, and a man goes on capturing as long as it can; it need not take the
//! most. A man that reaches the last row becomes a king there, and its move ends.

use playable::Color;

use super::board::CROWNING;
use super::routes::ROUTES;
use super::squares::{DIRECTIONS, backward, bits, shifted};
use super::{Board, Move};

/// The directions in which men of a side go.
const AHEAD: [[usize; 2]; 2] = [[0, 1], [2, 3]];
const ALL: [usize; DIRECTIONS] = [0, 1, 2, 3];

/// The directions in which a man goes, or a king.
#[inline]
fn directions(side: usize, is_king: bool) -> &'static [usize] {
    if is_king { &ALL } else { &AHEAD[side] }
}

impl Board {
    /// Men and kings of a side that may go in a direction.
    #[inline]
    fn goers(&self, color: Color, direction: usize) -> u32 {
        let is_ahead = AHEAD[color.index()].contains(&direction);
        if is_ahead { self.of(color) } else { self.kings_of(color) }
    }

    /// The men of a side that can capture in a direction.
    #[inline]
    fn jumpers(&self, color: Color, direction: usize) -> u32 {
        let back = backward(direction);
        let before = shifted(self.empty(), back) & self.of(!color);
        shifted(before, back) & self.goers(color, direction)
    }

    /// The men of a side that can capture.
    #[inline]
    pub fn capturers(&self, color: Color) -> u32 {
        ALL.into_iter().fold(0, |all, direction| all | self.jumpers(color, direction))
    }

    /// The men of a side that can step, were it its turn and no capture forced.
    #[inline]
    pub fn steppers(&self, color: Color) -> u32 {
        ALL.into_iter().fold(0, |all, direction| {
            all | shifted(self.empty(), backward(direction)) & self.goers(color, direction)
        })
    }

    /// Whether a man of this color that steps from a square to another one could be captured there at
    /// once.
    #[inline]
    pub fn is_attacked(&self, color: Color, from: usize, to: usize) -> bool {
        let (square, free) = (1 << to, self.empty() | 1 << from);
        ALL.into_iter().any(|direction| {
            let before = shifted(square, backward(direction));
            before & self.goers(!color, direction) != 0 && shifted(square, direction) & free != 0
        })
    }

    /// Whether the side to move must capture.
    #[inline]
    pub fn must_capture(&self) -> bool {
        self.capturers(self.side) != 0
    }

    /// Whether there is a legal move.
    #[inline]
    pub fn has_legal_move(&self) -> bool {
        self.steppers(self.side) != 0 || self.must_capture()
    }

    /// Hands all legal moves to `emit`.
    #[inline]
    pub fn each_move(&self, mut emit: impl FnMut(Move)) {
        if self.must_capture() {
            for direction in ALL {
                for from in bits(self.jumpers(self.side, direction)) {
                    let first = ROUTES.jumps[from][direction];
                    self.each_capture(first, &mut emit);
                }
            }
            return;
        }
        for direction in ALL {
            let free = shifted(self.empty(), backward(direction));
            for from in bits(free & self.goers(self.side, direction)) {
                emit(Move::at(ROUTES.steps[from][direction]));
            }
        }
    }

    /// Hands all captures that begin as a route does, which can be gone, to `emit`.
    fn each_capture(&self, number: u16, emit: &mut impl FnMut(Move)) {
        let route = ROUTES.of(number);
        let is_king = self.kings >> route.from & 1 == 1;
        let side = self.side.index();
        let mut is_end = true;
        if is_king || CROWNING[side] >> route.to & 1 == 0 {
            let free = self.empty() | 1 << route.from;
            for &direction in directions(side, is_king) {
                let next = route.next[direction];
                let farther = ROUTES.of(next);
                let is_jump = next != 0
                    && self.of(!self.side) >> farther.over & 1 == 1
                    && free >> farther.to & 1 == 1;
                if is_jump {
                    is_end = false;
                    self.each_capture(next, emit);
                }
            }
        }
        if is_end {
            emit(Move::at(number));
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
        if mv.number() == 0 || self.of(self.side) >> mv.route().from & 1 == 0 {
            return false;
        }
        let mut is_known = false;
        self.each_move(|other| is_known |= other == mv);
        is_known
    }
}
