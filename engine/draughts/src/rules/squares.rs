//! Sets of squares, and their neighbors.
//!
//! Square 1 lies at the left end of the row that is farthest from White, square 32 at the right end of
//! White's own. A row has four of them, from the second column on in even rows and from the first in odd
//! ones, rows counted from 0 at Black's side.

/// Number of squares.
pub const SQUARES: usize = 32;
/// The rows in which squares begin at the second column.
const EVEN: u32 = 0x0F0F_0F0F;
const FIRST_OF_ROW: u32 = 0x1111_1111;
const LAST_OF_ROW: u32 = FIRST_OF_ROW << 3;

/// The four directions: to the left and right ahead of White, and to the left and right ahead of Black.
pub(super) const DIRECTIONS: usize = 4;

/// A set moved by a step in a direction; what leaves the board is lost.
#[inline]
pub const fn shifted(set: u32, direction: usize) -> u32 {
    let (even, odd) = (set & EVEN, set & !EVEN);
    match direction {
        0 => even >> 4 | (odd & !FIRST_OF_ROW) >> 5,
        1 => (even & !LAST_OF_ROW) >> 3 | odd >> 4,
        2 => even << 4 | (odd & !FIRST_OF_ROW) << 3,
        _ => (even & !LAST_OF_ROW) << 5 | odd << 4,
    }
}

/// The opposite direction.
#[inline]
pub const fn backward(direction: usize) -> usize {
    3 - direction
}

/// The squares beside those of a set.
#[inline]
pub const fn neighbors(set: u32) -> u32 {
    shifted(set, 0) | shifted(set, 1) | shifted(set, 2) | shifted(set, 3)
}

/// A set as the other side sees it.
#[inline]
pub const fn turned(set: u32) -> u32 {
    set.reverse_bits()
}

/// The squares of a set, from 0.
#[inline]
pub fn bits(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (square < SQUARES).then_some(square)
    })
}

/// The place on the whole board of 64 squares, from White's left, row by row.
pub(crate) const fn on_board(square: usize) -> usize {
    let row = square / 4;
    (7 - row) * 8 + square % 4 * 2 + (1 - row % 2)
}

/// The square at such a place; `None` for a light one.
pub(crate) fn at_place(place: usize) -> Option<usize> {
    let square = (7 - place / 8) * 4 + place % 8 / 2;
    (on_board(square) == place).then_some(square)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_are_those_of_the_printed_board() {
        let around = |number: usize| {
            let list: Vec<usize> = bits(neighbors(1 << (number - 1))).map(|it| it + 1).collect();
            list
        };
        for (number, expected) in [
            (1, vec![5, 6]),
            (4, vec![8]),
            (5, vec![1, 9]),
            (12, vec![8, 16]),
            (18, vec![14, 15, 22, 23]),
            (21, vec![17, 25]),
            (29, vec![25]),
            (32, vec![27, 28]),
        ] {
            assert_eq!(around(number), expected, "{number}");
        }
        for direction in 0..DIRECTIONS {
            for square in 0..SQUARES {
                let there = shifted(1 << square, direction);
                let turned_there = shifted(turned(1 << square), backward(direction));
                assert_eq!(turned_there, turned(there));
                assert!(there == 0 || shifted(there, backward(direction)) == 1 << square);
            }
        }
        for place in 0..64 {
            assert!(at_place(place).is_none_or(|square| on_board(square) == place));
        }
    }
}
