//! Sets of squares, their neighbors, and the ways of kings.
//!
//! Square 1 is a1, at White's lower left, square 32 is h8. A row has four of them, from file a on
//! in odd ranks and from file b on in even ones.

/// Number of squares.
pub const SQUARES: usize = 32;
/// The ranks in which squares begin at file a.
pub(crate) const FROM_A: u32 = 0x0F0F_0F0F;
const FIRST_OF_ROW: u32 = 0x1111_1111;
const LAST_OF_ROW: u32 = FIRST_OF_ROW << 3;

/// The main road, from a1 to h8.
pub const ROAD: u32 = RAYS[1][0] | 1;

/// The four directions: to the left and right ahead of White, and to the left and right ahead of
/// Black.
pub(super) const DIRECTIONS: usize = 4;

/// The squares from each one on in each direction.
const RAYS: [[u32; SQUARES]; DIRECTIONS] = {
    let mut rays = [[0; SQUARES]; DIRECTIONS];
    let mut place = 0;
    while place < DIRECTIONS * SQUARES {
        let (direction, square) = (place / SQUARES, place % SQUARES);
        let mut front = shifted(1 << square, direction);
        while front != 0 {
            rays[direction][square] |= front;
            front = shifted(front, direction);
        }
        place += 1;
    }
    rays
};

/// A set moved by a step in a direction; what leaves the board is lost.
#[inline]
pub const fn shifted(set: u32, direction: usize) -> u32 {
    let (from_a, from_b) = (set & FROM_A, set & !FROM_A);
    match direction {
        0 => (from_a & !FIRST_OF_ROW) << 3 | from_b << 4,
        1 => from_a << 4 | (from_b & !LAST_OF_ROW) << 5,
        2 => (from_a & !FIRST_OF_ROW) >> 5 | from_b >> 4,
        _ => from_a >> 4 | (from_b & !LAST_OF_ROW) >> 3,
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

/// The free squares from a square on in a direction, and the first that is taken, a set of one or
/// none.
#[inline]
pub(super) fn way(square: usize, direction: usize, taken: u32) -> (u32, u32) {
    let ray = RAYS[direction][square];
    let met = ray & taken;
    if met == 0 {
        return (ray, 0);
    }
    // Squares ahead of White have greater numbers.
    match direction {
        0 | 1 => {
            let first = met & met.wrapping_neg();
            (ray & (first - 1), first)
        }
        _ => {
            let first = 1 << (31 - met.leading_zeros());
            (ray & !(first | (first - 1)), first)
        }
    }
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
    row * 8 + square % 4 * 2 + row % 2
}

/// The square at such a place; `None` for a light one.
pub(crate) fn at_place(place: usize) -> Option<usize> {
    let square = place / 8 * 4 + place % 8 / 2;
    (on_board(square) == place).then_some(square)
}

/// The name of a square, as in `c3`.
pub fn name_of(square: usize) -> String {
    let place = on_board(square);
    format!("{}{}", char::from(b'a' + (place % 8) as u8), place / 8 + 1)
}

/// The dark square of this name, from 0.
pub(crate) fn named(name: &str) -> Option<usize> {
    match name.as_bytes() {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
            at_place(usize::from(rank - b'1') * 8 + usize::from(file - b'a'))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_are_those_of_the_board() {
        let names = |set| bits(set).map(name_of).collect::<Vec<_>>().join(" ");
        for (square, expected) in [
            ("a1", "b2"),
            ("g1", "f2 h2"),
            ("h2", "g1 g3"),
            ("a3", "b2 b4"),
            ("c3", "b2 d2 b4 d4"),
            ("f6", "e5 g5 e7 g7"),
            ("b8", "a7 c7"),
            ("h8", "g7"),
        ] {
            let square = named(square).expect("a dark square");
            assert_eq!(names(neighbors(1 << square)), expected);
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
        assert_eq!(names(ROAD), "a1 b2 c3 d4 e5 f6 g7 h8");
    }

    #[test]
    fn ways_end_before_the_first_that_is_taken() {
        let square = |name| named(name).expect("a dark square");
        for direction in 0..DIRECTIONS {
            let step = |set| shifted(set, direction);
            for from in 0..SQUARES {
                for taken in [0, 0x0040_0200, 0x8421_1248, 0x1111_1111, !0] {
                    let (mut free, mut first) = (0, step(1 << from));
                    while first != 0 && first & taken == 0 {
                        (free, first) = (free | first, step(first));
                    }
                    assert_eq!(way(from, direction, taken), (free, first));
                }
            }
        }
        assert_eq!(way(square("a1"), 1, 1 << square("c3")).0, 1 << square("b2"));
    }
}
