//! Where horses, elephants, advisors, kings and pawns go, by the men that are in their way.
//!
//! A horse is stopped by the man straight beside it, an elephant by the one diagonally beside it. So a
//! horse may attack another that does not attack it: who attacks a square is asked of a table of its
//! own, [`horses_to`].

use super::{Bitboard, Color, Square};

/// Four squares may be in the way.
const WAYS: usize = 16;

const STRAIGHT: [(i8, i8); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];
const DIAGONAL: [(i8, i8); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

type ByWays = [[Bitboard; WAYS]; Square::COUNT];

static HORSES: ByWays = by_ways(Leap::Horse);
static HORSES_TO: ByWays = by_ways(Leap::HorseTo);
static ELEPHANTS: ByWays = by_ways(Leap::Elephant);
static ADVISORS: [Bitboard; Square::COUNT] = in_palace(&DIAGONAL);
static KINGS: [Bitboard; Square::COUNT] = in_palace(&STRAIGHT);
static PAWNS: [[Bitboard; Square::COUNT]; 2] = [pawns(1), pawns(-1)];
static PAWNS_TO: [[Bitboard; Square::COUNT]; 2] = [pawns_to(0), pawns_to(1)];

/// The squares of both palaces.
pub const PALACES: Bitboard = palace(0).or(palace(1));

/// The palace of a side by its index.
#[inline]
pub const fn palace(color: usize) -> Bitboard {
    const BOTH: [Bitboard; 2] = [palace_of(0), palace_of(1)];
    BOTH[color]
}

const fn palace_of(color: usize) -> Bitboard {
    let first = if color == 0 { 0 } else { Square::RANKS - 3 };
    let ranks = Bitboard::rank(first).or(Bitboard::rank(first + 1)).or(Bitboard::rank(first + 2)).0;
    let files = Bitboard::file(3).or(Bitboard::file(4)).or(Bitboard::file(5)).0;
    Bitboard(ranks & files)
}

/// The half of the board on which a side, by its index, begins.
pub const fn half(color: usize) -> Bitboard {
    const NEAR: u128 = (1 << (Square::COUNT / 2)) - 1;
    Bitboard(if color == 0 { NEAR } else { NEAR << (Square::COUNT / 2) })
}

/// The moves that depend on men in the way.
#[derive(Clone, Copy)]
enum Leap {
    Horse,
    HorseTo,
    Elephant,
}

const fn add(set: Bitboard, square: Option<Square>) -> Bitboard {
    match square {
        Some(square) => set.or(Bitboard::of(square)),
        None => set,
    }
}

/// The table of squares by the men in the way, a bit each: straight beside it, or diagonally, in the order
/// of their indices.
const fn by_ways(leap: Leap) -> ByWays {
    let mut table = [[Bitboard::EMPTY; WAYS]; Square::COUNT];
    let mut at = 0;
    while at < Square::COUNT {
        let square = Square::at(at);
        let mut ways = 0;
        while ways < WAYS {
            let mut set = Bitboard::EMPTY;
            let mut way = 0;
            while way < 4 {
                if ways >> way & 1 == 0 {
                    let (files, ranks) = match leap {
                        Leap::Horse => STRAIGHT[way],
                        Leap::HorseTo | Leap::Elephant => DIAGONAL[way],
                    };
                    match leap {
                        Leap::Horse => {
                            // A step straight and one diagonally on, to either side.
                            let (far, aside) = ((2 * files, 2 * ranks), (ranks, files));
                            set = add(set, square.offset(far.0 + aside.0, far.1 + aside.1));
                            set = add(set, square.offset(far.0 - aside.0, far.1 - aside.1));
                        }
                        Leap::HorseTo => {
                            set = add(set, square.offset(2 * files, ranks));
                            set = add(set, square.offset(files, 2 * ranks));
                        }
                        Leap::Elephant => {
                            if let Some(to) = square.offset(2 * files, 2 * ranks)
                                && (to.rank() < Square::RANKS / 2)
                                    == (square.rank() < Square::RANKS / 2)
                            {
                                set = set.or(Bitboard::of(to));
                            }
                        }
                    }
                }
                way += 1;
            }
            table[at][ways] = set;
            ways += 1;
        }
        at += 1;
    }
    table
}

const fn in_palace(steps: &[(i8, i8); 4]) -> [Bitboard; Square::COUNT] {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut at = 0;
    while at < Square::COUNT {
        let square = Square::at(at);
        if PALACES.contains(square) {
            let mut way = 0;
            while way < 4 {
                table[at] = add(table[at], square.offset(steps[way].0, steps[way].1));
                way += 1;
            }
            table[at] = Bitboard(table[at].0 & PALACES.0);
        }
        at += 1;
    }
    table
}

/// Where pawns go that go ahead by so many ranks.
const fn pawns(ahead: i8) -> [Bitboard; Square::COUNT] {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut at = 0;
    while at < Square::COUNT {
        let square = Square::at(at);
        table[at] = add(table[at], square.offset(0, ahead));
        let has_crossed = half(if ahead > 0 { 1 } else { 0 }).contains(square);
        if has_crossed {
            table[at] = add(add(table[at], square.offset(1, 0)), square.offset(-1, 0));
        }
        at += 1;
    }
    table
}

/// From where pawns of a side, by its index, go there.
const fn pawns_to(color: usize) -> [Bitboard; Square::COUNT] {
    let steps = if color == 0 { pawns(1) } else { pawns(-1) };
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut from = 0;
    while from < Square::COUNT {
        let mut to = 0;
        while to < Square::COUNT {
            if steps[from].contains(Square::at(to)) {
                table[to] = table[to].or(Bitboard::of(Square::at(from)));
            }
            to += 1;
        }
        from += 1;
    }
    table
}

/// The four squares straight beside a square, men as bits. Beside the edges other bits are in their place,
/// of which the tables take no notice.
#[inline]
fn straight_ways(square: Square, occupied: Bitboard) -> usize {
    let around = ((occupied.0 << 9) >> square.index()) as usize;
    around & 1 | around >> 7 & 2 | around >> 8 & 4 | around >> 15 & 8
}

/// The same of the four diagonally beside it.
#[inline]
fn diagonal_ways(square: Square, occupied: Bitboard) -> usize {
    let around = ((occupied.0 << 10) >> square.index()) as usize;
    around & 1 | around >> 1 & 2 | around >> 16 & 4 | around >> 17 & 8
}

/// Where a horse goes from there.
#[inline]
pub fn horse(square: Square, occupied: Bitboard) -> Bitboard {
    HORSES[square.index()][straight_ways(square, occupied)]
}

/// From where a horse goes there.
#[inline]
pub fn horses_to(square: Square, occupied: Bitboard) -> Bitboard {
    HORSES_TO[square.index()][diagonal_ways(square, occupied)]
}

/// Where an elephant goes from there, and from where one goes there.
#[inline]
pub fn elephant(square: Square, occupied: Bitboard) -> Bitboard {
    ELEPHANTS[square.index()][diagonal_ways(square, occupied)]
}

/// Where an advisor goes from there, and from where one goes there.
#[inline]
pub fn advisor(square: Square) -> Bitboard {
    ADVISORS[square.index()]
}

/// Where a king goes from there, and from where one goes there.
#[inline]
pub fn king(square: Square) -> Bitboard {
    KINGS[square.index()]
}

/// Where a pawn of a side goes from there.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWNS[color.index()][square.index()]
}

/// From where pawns of a side go there.
#[inline]
pub fn pawns_of(color: Color, square: Square) -> Bitboard {
    PAWNS_TO[color.index()][square.index()]
}

/// The squares straight beside a square.
#[inline]
pub fn straight_neighbors(square: Square) -> Bitboard {
    static TABLE: [Bitboard; Square::COUNT] = neighbors(&STRAIGHT);
    TABLE[square.index()]
}

/// The squares diagonally beside a square.
#[inline]
pub fn diagonal_neighbors(square: Square) -> Bitboard {
    static TABLE: [Bitboard; Square::COUNT] = neighbors(&DIAGONAL);
    TABLE[square.index()]
}

const fn neighbors(steps: &[(i8, i8); 4]) -> [Bitboard; Square::COUNT] {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut at = 0;
    while at < Square::COUNT {
        let mut way = 0;
        while way < 4 {
            table[at] = add(table[at], Square::at(at).offset(steps[way].0, steps[way].1));
            way += 1;
        }
        at += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn horses_attack_by_the_leg_at_their_own_side() {
        let mut state = 11u128;
        for _ in 0..200 {
            state = state.wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645).wrapping_add(7);
            let occupied = Bitboard(state >> 11) & Bitboard::ALL;
            for square in Square::all() {
                let from = Square::all().filter(|&from| horse(from, occupied).contains(square));
                assert_eq!(horses_to(square, occupied), from.collect(), "{square}");
                let from = Square::all().filter(|&from| elephant(from, occupied).contains(square));
                assert_eq!(elephant(square, occupied), from.collect(), "{square}");
            }
        }
    }

    #[test]
    fn men_stay_where_they_belong() {
        let count = |set: &dyn Fn(Square) -> Bitboard| -> u32 {
            Square::all().map(|square| set(square).count()).sum()
        };
        // Each palace has eight diagonals, half of which no advisor ever uses, and twelve lines of a king.
        assert_eq!(count(&advisor), 2 * 16);
        assert_eq!(count(&king), 2 * 24);
        // Every square has three pawns' steps beyond the river but on edges, and one before it.
        assert_eq!(count(&|square| pawn(Color::White, square)), 45 + 36 + 2 * 40);
        assert_eq!(
            count(&|square| pawn(Color::Black, square)),
            count(&|square| pawns_of(Color::White, square))
        );
    }
}
