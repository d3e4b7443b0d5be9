//! A board: its men, whose turn it is, and the counters.

use playable::Color;

use super::Move;
use super::squares::turned;

/// The row where men of a side become kings, and that where the others' do.
pub(super) const CROWNING: [u32; 2] = [0xF << 28, 0xF];
/// The row before it: a man that captures there jumps to the last row, or has been there.
const BEFORE_CROWNING: [u32; 2] = [0xF << 24, 0xF << 4];

/// A board without its past.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    /// White's men and Black's, kings included.
    pub(super) men: [u32; 2],
    pub(super) kings: u32,
    pub(super) side: Color,
    pub(super) clock: u32,
    pub(super) since_capture: u32,
    pub(super) number: u32,
}

impl Board {
    /// The start of a game: White begins.
    pub const START: Board = Board {
        men: [0xFFF, 0xFFF << 20],
        kings: 0,
        side: Color::White,
        clock: 0,
        since_capture: 0,
        number: 1,
    };

    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// The squares of a side, with those of its kings.
    #[inline]
    pub fn of(&self, color: Color) -> u32 {
        self.men[color.index()]
    }

    /// The squares of a side's kings.
    #[inline]
    pub fn kings_of(&self, color: Color) -> u32 {
        self.of(color) & self.kings
    }

    /// The squares of a side's men that are no kings.
    #[inline]
    pub fn men_of(&self, color: Color) -> u32 {
        self.of(color) & !self.kings
    }

    /// The squares where nobody stands.
    #[inline]
    pub fn empty(&self) -> u32 {
        !(self.men[0] | self.men[1])
    }

    /// Plies since the last capture or move of a man: kings alone have moved.
    #[inline]
    pub fn clock(&self) -> u32 {
        self.clock
    }

    /// Plies since the last capture.
    #[inline]
    pub fn since_capture(&self) -> u32 {
        self.since_capture
    }

    /// The number of the move, from 1; it rises after Black's.
    #[inline]
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The letter of the man on a square: `M` and `K` for White's, `m` and `k` for Black's.
    pub fn letter_on(&self, square: usize) -> Option<char> {
        let color = Color::ALL.into_iter().find(|&color| self.of(color) >> square & 1 == 1)?;
        let letters = [['M', 'K'], ['m', 'k']];
        Some(letters[color.index()][(self.kings >> square & 1) as usize])
    }

    /// Plays a legal move.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        let captured = self.captured(mv);
        self.play_capturing(mv, captured);
    }

    /// Plays a legal move whose captured squares are known.
    #[inline]
    pub(crate) fn play_capturing(&mut self, mv: Move, captured: u32) {
        let (us, from, to) = (self.side.index(), 1 << mv.from(), 1 << mv.to());
        let is_king = self.kings & from != 0;
        self.men[us] = self.men[us] & !from | to;
        self.men[1 - us] &= !captured;
        self.kings &= !(captured | from);
        if is_king || to & CROWNING[us] != 0 || captured & BEFORE_CROWNING[us] != 0 {
            self.kings |= to;
        }
        self.since_capture = if captured == 0 { self.since_capture.saturating_add(1) } else { 0 };
        let is_quiet = is_king && captured == 0;
        self.clock = if is_quiet { self.clock.saturating_add(1) } else { 0 };
        self.end_turn();
    }

    /// Gives the turn to the other side.
    #[inline]
    pub fn pass(&mut self) {
        self.clock = 0;
        self.since_capture = self.since_capture.saturating_add(1);
        self.end_turn();
    }

    #[inline]
    fn end_turn(&mut self) {
        self.number = self.number.saturating_add(self.side.index() as u32);
        self.side = !self.side;
    }

    /// A key of men and turn.
    #[inline]
    pub fn key(&self) -> u64 {
        let kings = u64::from(self.kings) << 1 | self.side.index() as u64;
        mixed(mixed(u64::from(self.men[0]) | u64::from(self.men[1]) << 32) ^ kings)
    }

    /// A key of the men that are no kings.
    #[inline]
    pub fn structure_key(&self) -> u64 {
        let [white, black] = self.men.map(|men| u64::from(men & !self.kings));
        mixed(white | black << 32)
    }

    /// The board as the other side sees it, with the turn of the other side.
    pub fn turned(&self) -> Board {
        let [white, black] = self.men;
        let men = [turned(black), turned(white)];
        Board { men, kings: turned(self.kings), side: !self.side, ..*self }
    }

    /// Whether men and turn are the same.
    #[inline]
    pub(super) fn is_like(&self, other: &Board) -> bool {
        (self.men, self.kings, self.side) == (other.men, other.kings, other.side)
    }
}

/// A number whose bits all depend on all bits of another.
#[inline]
pub(crate) fn mixed(number: u64) -> u64 {
    let number = (number ^ number >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    let number = (number ^ number >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    number ^ number >> 32
}
