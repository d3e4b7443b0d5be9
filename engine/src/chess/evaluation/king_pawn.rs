//! King and pawn against king, exactly: one bit a position, found by working back from the ends.

use std::sync::OnceLock;

use crate::chess::rules::{Bitboard, Color, Square, attacks};

/// Side to move, pawn on files a to d and ranks 2 to 7, two kings.
const POSITIONS: usize = 2 * 24 * 64 * 64;

/// Won positions, one bit each: 24 KB, computed at first use in some ten milliseconds.
static WON: OnceLock<Box<[u64]>> = OnceLock::new();

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
    let position = Position {
        strong_to_move: to_move == strong,
        strong_king: turn(strong_king),
        pawn: turn(pawn),
        weak_king: turn(weak_king),
    };
    let index = position.index();
    WON.get_or_init(solve)[index / 64] >> (index % 64) & 1 == 1
}

/// A position with the stronger side as White and its pawn on files a to d.
#[derive(Clone, Copy)]
struct Position {
    strong_to_move: bool,
    strong_king: Square,
    pawn: Square,
    weak_king: Square,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Illegal,
    Unknown,
    Drawn,
    Won,
}

impl Position {
    fn index(self) -> usize {
        let pawn = usize::from(self.pawn.rank() - 1) * 4 + usize::from(self.pawn.file());
        let kings = self.strong_king.index() * 64 + self.weak_king.index();
        (usize::from(self.strong_to_move) * 24 + pawn) * 4096 + kings
    }

    fn from_index(index: usize) -> Position {
        let pawn = index / 4096 % 24;
        Position {
            strong_to_move: index >= POSITIONS / 2,
            strong_king: Square::new((index / 64 % 64) as u8),
            pawn: Square::from_coordinates((pawn % 4) as u8, (pawn / 4 + 1) as u8),
            weak_king: Square::new((index % 64) as u8),
        }
    }

    /// Squares the weaker king may go to, the pawn's included if it is unguarded.
    fn weak_moves(self) -> Bitboard {
        let strong = attacks::king(self.strong_king);
        attacks::king(self.weak_king)
            & !strong
            & !attacks::pawn(Color::White, self.pawn)
            & !self.strong_king.bitboard()
    }

    fn in_check(self) -> bool {
        attacks::pawn(Color::White, self.pawn).contains(self.weak_king)
    }

    /// What can be said without looking at other positions.
    fn first_verdict(self) -> Verdict {
        let Position { strong_king, pawn, weak_king, .. } = self;
        let adjacent = attacks::distance(strong_king, weak_king) <= 1;
        if adjacent || strong_king == pawn || weak_king == pawn {
            return Verdict::Illegal;
        }
        if self.strong_to_move {
            if self.in_check() {
                return Verdict::Illegal;
            }
            let goal = Square::from_coordinates(pawn.file(), 7);
            let free = strong_king != goal && weak_king != goal;
            let keeps =
                attacks::distance(weak_king, goal) > 1 || attacks::distance(strong_king, goal) <= 1;
            // A queen or, against stalemate, a rook wins if it is not captured at once.
            if pawn.rank() == 6 && free && keeps {
                return Verdict::Won;
            }
        } else {
            let moves = self.weak_moves();
            if moves.contains(pawn) || (moves.is_empty() && !self.in_check()) {
                return Verdict::Drawn;
            }
            if moves.is_empty() {
                return Verdict::Won;
            }
        }
        Verdict::Unknown
    }

    /// What follows from the positions one move on.
    fn next_verdict(self, verdicts: &[Verdict]) -> Verdict {
        let mut drawn_only = true;
        if !self.strong_to_move {
            for square in self.weak_moves() {
                let next = Position { strong_to_move: true, weak_king: square, ..self };
                match verdicts[next.index()] {
                    Verdict::Drawn => return Verdict::Drawn,
                    Verdict::Won => {}
                    _ => drawn_only = false,
                }
            }
            return if drawn_only { Verdict::Won } else { Verdict::Unknown };
        }
        let mut look = |next: Position| {
            let verdict = verdicts[next.index()];
            drawn_only &= verdict == Verdict::Drawn || verdict == Verdict::Illegal;
            verdict == Verdict::Won
        };
        let next = Position { strong_to_move: false, ..self };
        for square in attacks::king(self.strong_king) {
            if look(Position { strong_king: square, ..next }) {
                return Verdict::Won;
            }
        }
        let occupied = self.strong_king.bitboard() | self.weak_king.bitboard();
        let mut step = self.pawn;
        for _ in 0..if self.pawn.rank() == 1 { 2 } else { 1 } {
            step = Square::from_coordinates(step.file(), step.rank() + 1);
            if occupied.contains(step) || step.rank() == 7 {
                break;
            }
            if look(Position { pawn: step, ..next }) {
                return Verdict::Won;
            }
        }
        if drawn_only { Verdict::Drawn } else { Verdict::Unknown }
    }
}

/// Sweeps over all positions until nothing more follows; what is then still unknown is drawn.
fn solve() -> Box<[u64]> {
    let mut verdicts: Vec<Verdict> =
        (0..POSITIONS).map(|index| Position::from_index(index).first_verdict()).collect();
    loop {
        let mut changed = false;
        for index in 0..POSITIONS {
            if verdicts[index] == Verdict::Unknown {
                let verdict = Position::from_index(index).next_verdict(&verdicts);
                changed |= verdict != Verdict::Unknown;
                verdicts[index] = verdict;
            }
        }
        if !changed {
            break;
        }
    }
    let mut won = vec![0u64; POSITIONS / 64].into_boxed_slice();
    for (index, verdict) in verdicts.into_iter().enumerate() {
        won[index / 64] |= u64::from(verdict == Verdict::Won) << (index % 64);
    }
    won
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counts published for the ending, pawn on files a to d: won with the stronger side to
    /// move, lost with the weaker side to move.
    #[test]
    fn counts_of_won_positions_are_the_known_ones() {
        let won = solve();
        let count = |half: &[u64]| half.iter().map(|bits| bits.count_ones()).sum::<u32>();
        let (weak, strong) = won.split_at(won.len() / 2);
        assert_eq!((count(strong), count(weak)), (62_480, 48_802));
    }

    #[test]
    fn indices_round_trip() {
        assert!((0..POSITIONS).all(|index| Position::from_index(index).index() == index));
    }
}
