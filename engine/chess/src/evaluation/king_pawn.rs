//! King and pawn against king, exactly: solved by working back from the ends when the program is
//! compiled, so that no clock ever pays for it.

use crate::rules::{Bitboard, Color, Square};

/// Does the side with the pawn win? All legal positions are answered exactly.
pub(super) fn is_won(
    strong: Color,
    strong_king: Square,
    pawn: Square,
    weak_king: Square,
    to_move: Color,
) -> bool {
    let turn = |square: Square| {
        let square = square.relative(strong);
        if pawn.file() > 3 { square.mirror() } else { square }
    };
    let won = if to_move == strong { &TABLE.with_the_move } else { &TABLE.without_the_move };
    won[pawn_index(turn(pawn))][turn(strong_king).index()] >> turn(weak_king).index() & 1 == 1
}

/// Pawns on files a to d and ranks 2 to 7.
const PAWNS: usize = 24;
/// From a pawn to that one square on.
const NEXT: usize = 4;

/// The squares of the weaker king with which the stronger side wins, by pawn and stronger king. The
/// stronger side is White.
type Won = [[u64; 64]; PAWNS];

struct Table {
    /// The stronger side is to move.
    with_the_move: Won,
    /// The weaker side is to move.
    without_the_move: Won,
}

/// Every position of king and pawn against king, a bit each: 24 KB.
static TABLE: Table = solve();

const fn pawn_index(pawn: Square) -> usize {
    (pawn.rank() as usize - 1) * NEXT + pawn.file() as usize
}

const fn pawn_of(index: usize) -> Square {
    Square::from_coordinates((index % NEXT) as u8, (index / NEXT) as u8 + 1)
}

/// Solves pawn after pawn, the foremost first, because a pawn's step leads to one that is solved.
/// For each, what is won grows until nothing more follows; the rest is drawn.
const fn solve() -> Table {
    let mut table = Table { with_the_move: [[0; 64]; PAWNS], without_the_move: [[0; 64]; PAWNS] };
    let mut index = PAWNS;
    while index > 0 {
        index -= 1;
        let pawn = pawn_of(index).bitboard().0;
        let mut grown = true;
        while grown {
            grown = false;
            let mut square = 0;
            while square < 64 {
                let king = 1 << square;
                if king != pawn {
                    let before = table.with_the_move[index][square];
                    let won = won_with_the_move(&table, index, square);
                    table.with_the_move[index][square] = won;
                    table.without_the_move[index][square] = won_without_the_move(pawn, king, won);
                    grown |= won != before;
                }
                square += 1;
            }
        }
    }
    table
}

/// Where the weaker king has lost if the stronger side is to move: any move wins.
const fn won_with_the_move(table: &Table, index: usize, strong_king: usize) -> u64 {
    let (pawn, king) = (pawn_of(index).bitboard().0, 1 << strong_king);
    let mut won = 0;
    let mut steps = around(king) & !pawn;
    while steps != 0 {
        won |= table.without_the_move[index][steps.trailing_zeros() as usize];
        steps &= steps - 1;
    }
    let ahead = pawn << 8;
    if pawn_of(index).rank() == 6 {
        // A queen or, against stalemate, a rook wins if it is not captured at once.
        if king != ahead {
            won |= if king & around(ahead) != 0 { !ahead } else { !(ahead | around(ahead)) };
        }
    } else if king != ahead {
        won |= table.without_the_move[index + NEXT][strong_king] & !ahead;
        if pawn_of(index).rank() == 1 && king != ahead << 8 {
            won |= table.without_the_move[index + 2 * NEXT][strong_king] & !(ahead | ahead << 8);
        }
    }
    won & !(king | around(king) | pawn | guarded(pawn))
}

/// Where the weaker king has lost if he is to move: mated, or every move leads to where he has lost
/// (`won`). If he can take the pawn, that is not among these.
const fn won_without_the_move(pawn: u64, king: u64, won: u64) -> u64 {
    let open = !(king | around(king) | guarded(pawn));
    let stalemated = !around(open) & !guarded(pawn);
    !(king | around(king) | pawn) & !around(open & !won) & !stalemated
}

/// The squares next to these.
const fn around(squares: u64) -> u64 {
    let squares = Bitboard(squares);
    let beside = squares.east().0 | squares.west().0;
    let row = Bitboard(squares.0 | beside);
    beside | row.north().0 | row.south().0
}

/// The squares a pawn guards.
const fn guarded(pawn: u64) -> u64 {
    let ahead = Bitboard(pawn).north();
    ahead.east().0 | ahead.west().0
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn count(won: &Won) -> u32 {
        let (mut sum, mut i) = (0, 0);
        while i < PAWNS * 64 {
            sum += won[i / 64][i % 64].count_ones();
            i += 1;
        }
        sum
    }

    /// The counts published for the ending, pawn on files a to d: won with the stronger side to
    /// move, lost with the weaker side to move. Known when the test is compiled: a search that met
    /// the ending first would otherwise pay for it with its clock.
    #[test]
    fn counts_of_won_positions_are_the_known_ones() {
        const COUNTS: (u32, u32) = (count(&TABLE.with_the_move), count(&TABLE.without_the_move));
        assert_eq!(COUNTS, (62_480, 48_802));
    }

    #[test]
    fn indices_round_trip() {
        assert!((0..PAWNS).all(|index| pawn_index(pawn_of(index)) == index));
    }
}
