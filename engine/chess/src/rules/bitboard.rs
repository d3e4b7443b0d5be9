//! Sets of squares.

use std::fmt;
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr, Sub,
};

use super::{Color, Square};

/// A set of squares: bit 0 is a1, bit 63 is h8.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(pub u64);

impl Square {
    /// The set of this one square.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << self.index())
    }
}

impl Bitboard {
    /// The set of no square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// The set of all 64 squares.
    pub const ALL: Bitboard = Bitboard(!0);
    /// The a-file.
    pub const FILE_A: Bitboard = Bitboard(0x0101_0101_0101_0101);
    /// The b-file.
    pub const FILE_B: Bitboard = Bitboard(0x0101_0101_0101_0101 << 1);
    /// The c-file.
    pub const FILE_C: Bitboard = Bitboard(0x0101_0101_0101_0101 << 2);
    /// The d-file.
    pub const FILE_D: Bitboard = Bitboard(0x0101_0101_0101_0101 << 3);
    /// The e-file.
    pub const FILE_E: Bitboard = Bitboard(0x0101_0101_0101_0101 << 4);
    /// The f-file.
    pub const FILE_F: Bitboard = Bitboard(0x0101_0101_0101_0101 << 5);
    /// The g-file.
    pub const FILE_G: Bitboard = Bitboard(0x0101_0101_0101_0101 << 6);
    /// The h-file.
    pub const FILE_H: Bitboard = Bitboard(0x0101_0101_0101_0101 << 7);
    /// The first rank.
    pub const RANK_1: Bitboard = Bitboard(0xff);
    /// The second rank.
    pub const RANK_2: Bitboard = Bitboard(0xff << 8);
    /// The third rank.
    pub const RANK_3: Bitboard = Bitboard(0xff << 16);
    /// The fourth rank.
    pub const RANK_4: Bitboard = Bitboard(0xff << 24);
    /// The fifth rank.
    pub const RANK_5: Bitboard = Bitboard(0xff << 32);
    /// The sixth rank.
    pub const RANK_6: Bitboard = Bitboard(0xff << 40);
    /// The seventh rank.
    pub const RANK_7: Bitboard = Bitboard(0xff << 48);
    /// The eighth rank.
    pub const RANK_8: Bitboard = Bitboard(0xff << 56);
    /// The squares colored as h1.
    pub const LIGHT_SQUARES: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);
    /// The squares colored as a1.
    pub const DARK_SQUARES: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);

    /// The file with this number (0 = a).
    #[inline]
    pub const fn file(file: u8) -> Bitboard {
        Bitboard(Bitboard::FILE_A.0 << (file & 7))
    }

    /// The rank with this number (0 = the first).
    #[inline]
    pub const fn rank(rank: u8) -> Bitboard {
        Bitboard(0xff << ((rank & 7) * 8))
    }

    /// The rank with this number as this side counts.
    #[inline]
    pub const fn relative_rank(color: Color, rank: u8) -> Bitboard {
        match color {
            Color::White => Bitboard::rank(rank),
            Color::Black => Bitboard::rank(7 - (rank & 7)),
        }
    }

    /// The files beside the one with this number.
    #[inline]
    pub const fn neighbor_files(file: u8) -> Bitboard {
        let file = Bitboard::file(file);
        Bitboard(file.east().0 | file.west().0)
    }

    /// Whether there is no square in it.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether there is a square in it.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether there are two squares or more in it.
    #[inline]
    pub const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// How many squares there are in it.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether this square is in it.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 & square.bitboard().0 != 0
    }

    /// Whether the two sets share a square.
    #[inline]
    pub const fn intersects(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }

    /// The lowest square; the set must not be empty.
    #[inline]
    pub const fn first(self) -> Square {
        debug_assert!(self.0 != 0);
        Square::new((self.0.trailing_zeros() & 63) as u8)
    }

    /// The highest square; the set must not be empty.
    #[inline]
    pub const fn last(self) -> Square {
        debug_assert!(self.0 != 0);
        Square::new((63 - (self.0.leading_zeros() & 63)) as u8)
    }

    /// Takes the lowest square out.
    #[inline]
    pub const fn pop_first(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = self.first();
        self.0 &= self.0.wrapping_sub(1);
        Some(square)
    }

    /// Every square one rank up.
    #[inline]
    pub const fn north(self) -> Bitboard {
        Bitboard(self.0 << 8)
    }

    /// Every square one rank down.
    #[inline]
    pub const fn south(self) -> Bitboard {
        Bitboard(self.0 >> 8)
    }

    /// Every square one file towards h; those on the h-file drop out.
    #[inline]
    pub const fn east(self) -> Bitboard {
        Bitboard((self.0 & !Bitboard::FILE_H.0) << 1)
    }

    /// Every square one file towards a; those on the a-file drop out.
    #[inline]
    pub const fn west(self) -> Bitboard {
        Bitboard((self.0 & !Bitboard::FILE_A.0) >> 1)
    }

    /// Every square one rank onward, as this side's pawns go.
    #[inline]
    pub const fn forward(self, color: Color) -> Bitboard {
        match color {
            Color::White => self.north(),
            Color::Black => self.south(),
        }
    }

    /// Every square and all those north of it.
    #[inline]
    pub const fn fill_north(self) -> Bitboard {
        let mut set = self.0;
        set |= set << 8;
        set |= set << 16;
        set |= set << 32;
        Bitboard(set)
    }

    /// Every square and all those south of it.
    #[inline]
    pub const fn fill_south(self) -> Bitboard {
        let mut set = self.0;
        set |= set >> 8;
        set |= set >> 16;
        set |= set >> 32;
        Bitboard(set)
    }

    /// The set with ranks mirrored.
    #[inline]
    pub const fn flip(self) -> Bitboard {
        Bitboard(self.0.swap_bytes())
    }

    /// The set as this side sees it: flipped for Black.
    #[inline]
    pub const fn relative(self, color: Color) -> Bitboard {
        match color {
            Color::White => self,
            Color::Black => self.flip(),
        }
    }
}

macro_rules! binary_operators {
    ($($Trait:ident $method:ident $Assign:ident $assign:ident $op:tt;)*) => {$(
        impl $Trait for Bitboard {
            type Output = Bitboard;
            #[inline]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $op other.0)
            }
        }
        impl $Assign for Bitboard {
            #[inline]
            fn $assign(&mut self, other: Bitboard) {
                *self = *self $op other;
            }
        }
    )*};
}

binary_operators! {
    BitAnd bitand BitAndAssign bitand_assign &;
    BitOr bitor BitOrAssign bitor_assign |;
    BitXor bitxor BitXorAssign bitxor_assign ^;
}

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl Sub for Bitboard {
    type Output = Bitboard;
    /// The squares of the first set that are not in the second.
    #[inline]
    fn sub(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }
}

impl Shl<u32> for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn shl(self, by: u32) -> Bitboard {
        Bitboard(self.0 << by)
    }
}

impl Shr<u32> for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn shr(self, by: u32) -> Bitboard {
        Bitboard(self.0 >> by)
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Bitboard {
        square.bitboard()
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | square.bitboard())
    }
}

/// The squares of a set, from the lowest.
#[derive(Clone)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        self.0.pop_first()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(squares: &str) -> Bitboard {
        squares.split_whitespace().map(|text| text.parse::<Square>().expect("a square")).collect()
    }

    #[test]
    fn shifts_drop_what_leaves_the_board() {
        let corners = set("a1 h1 a8 h8");
        assert_eq!(corners.north(), set("a2 h2"));
        assert_eq!(corners.south(), set("a7 h7"));
        assert_eq!(corners.east(), set("b1 b8"));
        assert_eq!(corners.west(), set("g1 g8"));
        assert_eq!(corners.forward(Color::White), corners.north());
        assert_eq!(corners.forward(Color::Black), corners.south());
    }

    #[test]
    fn fills_reach_the_edge() {
        assert_eq!(set("c6").fill_north(), set("c6 c7 c8"));
        assert_eq!(set("c3 d1").fill_south(), set("c3 c2 c1 d1"));
        assert_eq!(Bitboard::neighbor_files(0), Bitboard::FILE_B);
        assert_eq!(Bitboard::neighbor_files(3), Bitboard::FILE_C | Bitboard::FILE_E);
    }

    #[test]
    fn squares_come_from_the_lowest() {
        let squares = set("h8 a1 e4");
        let order: Vec<Square> = squares.into_iter().collect();
        assert_eq!(order, [Square::A1, Square::E4, Square::H8]);
        assert_eq!(squares.into_iter().len(), 3);
        assert_eq!((squares.first(), squares.last()), (Square::A1, Square::H8));
        assert!(squares.many() && !set("e4").many() && !Bitboard::EMPTY.many());
        assert_eq!(Bitboard::LIGHT_SQUARES, !Bitboard::DARK_SQUARES);
        assert!(Bitboard::DARK_SQUARES.contains(Square::A1));
    }
}
