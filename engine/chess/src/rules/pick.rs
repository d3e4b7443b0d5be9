//! Picking one of the legal moves by its number, without making the others.

use smallvec::SmallVec;

use super::generate::Collector;
use super::{Bitboard, Board, Move, PieceType, Square};

impl Board {
    /// Counts the legal moves and gives the one that `choose` makes of their number: an index into
    /// [`Board::legal_moves`]. Gives `None`, without asking, if there is no legal move.
    ///
    /// # Panics
    /// If the index is not below the number.
    pub fn pick_legal_move(&self, choose: impl FnOnce(usize) -> usize) -> Option<Move> {
        let mut groups = Groups::default();
        self.collect::<true, true, _>(&mut groups);
        (groups.count > 0).then(|| groups.pick(choose(groups.count)))
    }
}

/// Moves as generation hands them over. Hardly a position has more groups than fit without
/// allocation.
#[derive(Default)]
struct Groups {
    /// Each with the number of moves up to its end.
    groups: SmallVec<[(usize, Group); 32]>,
    count: usize,
}

#[derive(Clone, Copy)]
enum Group {
    Piece { from: Square, targets: Bitboard },
    Pawns { targets: Bitboard, back: i8 },
    Promotions { targets: Bitboard, back: i8, kinds: &'static [PieceType] },
    One(Move),
}

impl Groups {
    #[inline]
    fn push(&mut self, count: usize, group: Group) {
        if count > 0 {
            self.count += count;
            self.groups.push((self.count, group));
        }
    }

    fn pick(&self, index: usize) -> Move {
        let mut begin = 0;
        for &(end, group) in &self.groups {
            if index < end {
                return group.pick(index - begin);
            }
            begin = end;
        }
        panic!("there are {begin} moves, hence none of index {index}");
    }
}

impl Group {
    fn pick(self, index: usize) -> Move {
        let nth = |targets: Bitboard, index: usize| {
            targets.into_iter().nth(index).expect("the group was counted")
        };
        match self {
            Group::Piece { from, targets } => Move::new(from, nth(targets, index)),
            Group::Pawns { targets, back } => {
                let to = nth(targets, index);
                Move::new(to.offset(back), to)
            }
            Group::Promotions { targets, back, kinds } => {
                let to = nth(targets, index / kinds.len());
                Move::promoting(to.offset(back), to, kinds[index % kinds.len()])
            }
            Group::One(mv) => mv,
        }
    }
}

impl Collector for Groups {
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        self.push(targets.count() as usize, Group::Piece { from, targets });
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, back: i8) {
        self.push(targets.count() as usize, Group::Pawns { targets, back });
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, back: i8, kinds: &'static [PieceType]) {
        let count = targets.count() as usize * kinds.len();
        self.push(count, Group::Promotions { targets, back, kinds });
    }

    #[inline]
    fn one(&mut self, mv: Move) {
        self.push(1, Group::One(mv));
    }
}
