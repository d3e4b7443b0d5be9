//! Captures: ways of jumps, and the moves that they make.
//!
//! Captured men leave the board when the move is over. Until then nobody jumps over them again, and
//! they stand in the way. A man captures ahead and behind; one that comes to the last row goes on
//! as a king. A king that may land on several squares behind a man takes one from which it can go
//! on, if there is one.

use playable::Color;

use super::board::CROWNING;
use super::squares::{DIRECTIONS, SQUARES, backward, bits, name_of, shifted, way};
use super::{ALIKE_MAX, Board, Move};

const ALL: [usize; DIRECTIONS] = [0, 1, 2, 3];

/// A capture as the rules count it: of several ways between the same squares over the same men,
/// one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Capture {
    pub to: usize,
    /// The squares of the men that it captures.
    pub captured: u32,
}

/// A man on its way: where it is, whether it is a king by now, and what it has captured.
#[derive(Clone, Copy)]
pub(super) struct Jumper {
    at: usize,
    is_king: bool,
    captured: u32,
}

/// The ways over others: the side's enemies, and all squares where somebody stands but the jumper.
#[derive(Clone, Copy)]
struct Ways {
    side: usize,
    enemies: u32,
    taken: u32,
}

impl Ways {
    /// The man that is jumped over in a direction, and the squares behind it where one may land;
    /// both empty if there is no jump.
    #[inline]
    fn jump(&self, jumper: Jumper, direction: usize) -> (u32, u32) {
        let over = match jumper.is_king {
            true => way(jumper.at, direction, self.taken).1,
            false => shifted(1 << jumper.at, direction),
        };
        let over = over & self.enemies & !jumper.captured;
        if over == 0 {
            return (0, 0);
        }
        let behind = match jumper.is_king {
            true => way(over.trailing_zeros() as usize, direction, self.taken).0,
            false => shifted(over, direction) & !self.taken,
        };
        if behind == 0 { (0, 0) } else { (over, behind) }
    }

    fn can_jump(&self, jumper: Jumper) -> bool {
        ALL.into_iter().any(|direction| self.jump(jumper, direction).0 != 0)
    }

    /// The jumpers that one can become by a legal jump in a direction.
    fn after(&self, jumper: Jumper, direction: usize) -> impl Iterator<Item = Jumper> {
        let (over, behind) = self.jump(jumper, direction);
        let landed = move |at: usize| Jumper {
            at,
            is_king: jumper.is_king || CROWNING[self.side] >> at & 1 == 1,
            captured: jumper.captured | over,
        };
        let can_go_on = bits(behind).any(|at| self.can_jump(landed(at)));
        bits(behind).map(landed).filter(move |&it| !can_go_on || self.can_jump(it))
    }

    /// Hands all ends that a jumper can come to, some of them several times, to `emit`.
    fn each_end(&self, jumper: Jumper, emit: &mut impl FnMut(Jumper)) {
        let mut is_end = true;
        for direction in ALL {
            for next in self.after(jumper, direction) {
                is_end = false;
                self.each_end(next, emit);
            }
        }
        if is_end {
            emit(jumper);
        }
    }

    /// Appends the squares of the first way, in the order of names, by which a jumper comes to be
    /// another; false if there is none.
    fn first_way(&self, jumper: Jumper, goal: Capture, path: &mut Vec<usize>) -> bool {
        if (jumper.captured, jumper.at) == (goal.captured, goal.to) {
            return true;
        }
        let is_on_way = |it: &Jumper| it.captured & !goal.captured == 0;
        let next = ALL.into_iter().flat_map(|direction| self.after(jumper, direction));
        let mut next: Vec<Jumper> = next.filter(is_on_way).collect();
        next.sort_by_key(|it| name_of(it.at));
        next.into_iter().any(|it| {
            path.push(it.at);
            let is_found = self.first_way(it, goal, path);
            if !is_found {
                path.pop();
            }
            is_found
        })
    }
}

impl Board {
    /// The men of a side, and its kings, that can jump in a direction.
    #[inline]
    fn jumpers(&self, color: Color, direction: usize) -> u32 {
        let back = backward(direction);
        let before = shifted(self.empty(), back) & self.of(!color);
        let near = shifted(before, back) & self.of(color);
        let far = self.kings_of(color) & !near;
        if far == 0 || before == 0 {
            return near;
        }
        let can_jump = |&king: &usize| way(king, direction, !self.empty()).1 & before != 0;
        bits(far).filter(can_jump).fold(near, |all, king| all | 1 << king)
    }

    /// The men of a side that can capture, were it its turn.
    #[inline]
    pub fn capturers(&self, color: Color) -> u32 {
        ALL.into_iter().fold(0, |all, direction| all | self.jumpers(color, direction))
    }

    /// Whether the side to move must capture.
    #[inline]
    pub fn must_capture(&self) -> bool {
        ALL.into_iter().any(|direction| self.jumpers(self.side, direction) != 0)
    }

    /// The man of the side to move on a square before its first jump, and the ways that it has.
    fn jumper(&self, from: usize) -> (Jumper, Ways) {
        let is_king = self.kings >> from & 1 == 1;
        let ways = Ways {
            side: self.side.index(),
            enemies: self.of(!self.side),
            taken: !self.empty() & !(1 << from),
        };
        (Jumper { at: from, is_king, captured: 0 }, ways)
    }

    /// The captures from a square of a man that can capture, in the order of squares and captured
    /// sets.
    pub(super) fn captures(&self, from: usize) -> Vec<Capture> {
        let (jumper, ways) = self.jumper(from);
        let mut captures = Vec::new();
        ways.each_end(jumper, &mut |end| {
            captures.push(Capture { to: end.at, captured: end.captured });
        });
        captures.sort_unstable();
        captures.dedup();
        captures
    }

    /// The captures from a square, each with its move. The rules of positions see to it that moves
    /// can name them.
    pub(super) fn named_captures(&self, from: usize) -> impl Iterator<Item = (Move, Capture)> {
        let (mut to, mut rank) = (SQUARES, 0);
        let named = self.captures(from).into_iter().map(move |capture| {
            rank = if capture.to == to { rank + 1 } else { 0 };
            to = capture.to;
            (rank, capture)
        });
        let known = named.filter(|(rank, _)| *rank < ALIKE_MAX);
        known.map(move |(rank, capture)| (Move::new(from, capture.to, rank), capture))
    }

    /// The squares of the men that a legal move captures; none for a step.
    #[inline]
    pub fn captured(&self, mv: Move) -> u32 {
        if !self.must_capture() {
            return 0;
        }
        let mut captures = self.named_captures(mv.from());
        captures.find(|(known, _)| *known == mv).map_or(0, |(_, capture)| capture.captured)
    }

    /// The squares of a legal move, the first one first; of several ways that in the order of
    /// names.
    pub fn path(&self, mv: Move) -> Vec<usize> {
        let (mut path, captured) = (vec![mv.from()], self.captured(mv));
        if captured == 0 {
            path.push(mv.to());
        } else {
            let (jumper, ways) = self.jumper(mv.from());
            let is_found = ways.first_way(jumper, Capture { to: mv.to(), captured }, &mut path);
            debug_assert!(is_found, "a legal move has a way");
        }
        path
    }

    /// The move that captures by this way: all squares, the first one first.
    pub(crate) fn capture_by(&self, path: &[usize]) -> Option<Move> {
        let &from = path.first().filter(|&&from| self.of(self.side) >> from & 1 == 1)?;
        let (mut jumper, ways) = self.jumper(from);
        for &square in &path[1..] {
            let next = |direction| ways.after(jumper, direction).find(|it| it.at == square);
            jumper = ALL.into_iter().find_map(next)?;
        }
        let reached = Capture { to: jumper.at, captured: jumper.captured };
        let mut captures = self.named_captures(from).filter(|_| reached.captured != 0);
        captures.find(|(_, capture)| *capture == reached).map(|(mv, _)| mv)
    }

    /// Two squares between which there are more captures than moves can name.
    pub(super) fn unnamed_captures(&self) -> Option<(usize, usize)> {
        bits(self.capturers(self.side)).find_map(|from| {
            let to = crowded_end(&self.captures(from))?;
            Some((from, to))
        })
    }
}

/// The square where more captures of a list in order end than moves can name.
fn crowded_end(captures: &[Capture]) -> Option<usize> {
    let mut alike = captures.windows(ALIKE_MAX + 1);
    alike.find(|alike| alike[0].to == alike[ALIKE_MAX].to).map(|alike| alike[0].to)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No board is known that has a tenth of them.
    #[test]
    fn more_captures_than_moves_can_name_are_found() {
        let to = |to: usize, count: u32| (1..=count).map(move |captured| Capture { to, captured });
        let named: Vec<Capture> = to(3, 64).chain(to(7, 64)).collect();
        assert_eq!(crowded_end(&named), None);
        let crowded: Vec<Capture> = to(3, 64).chain(to(7, 65)).chain(to(9, 1)).collect();
        assert_eq!(crowded_end(&crowded), Some(7));
    }
}
