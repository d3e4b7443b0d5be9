//! Xiangqi as the search of the literature sees it.

use textbook::{MoveTraits, TextbookGame};

use crate::evaluation::square_gain;
use crate::game::XiangqiGame;
use crate::rules::{Color, Kind, Move, Piece, Square, attacks};

impl TextbookGame for XiangqiGame {
    fn traits_of(&self, mv: Move) -> MoveTraits {
        let (board, moves) = (self.board(), self.position().moves());
        let Some(mover) = board.man_on(mv.from()) else { return MoveTraits::default() };
        let captured = board.man_on(mv.to());
        let rank_of = |square: Square| match mover.color {
            Color::White => square.rank(),
            Color::Black => square.turned().rank(),
        };
        let arrived = |back: usize| moves.iter().rev().nth(back).copied().flatten().map(Move::to);
        let passed = moves.last() == Some(&None);
        MoveTraits {
            positional_gain: square_gain(board, mv, &self.parameters().weights),
            weight: match mover.kind {
                Kind::Pawn => 0,
                Kind::King => 1,
                Kind::Elephant | Kind::Advisor => 2,
                Kind::Horse => 3,
                Kind::Cannon => 4,
                Kind::Rook => 5,
            },
            price: match mover.kind {
                Kind::Pawn => 0,
                Kind::Elephant | Kind::Advisor => 1,
                Kind::Cannon => 2,
                Kind::Horse => 3,
                Kind::Rook => 4,
                Kind::King => 5,
            },
            retreats: rank_of(mv.to()) < rank_of(mv.from()),
            takes_last_mover: captured.is_some() && arrived(0) == Some(mv.to()),
            by_last_mover: passed && arrived(1) == Some(mv.from()),
            prize: captured.map_or(0, |man| prize_of(man, mv.to())),
            ..MoveTraits::default()
        }
    }
}

/// The prize for a man who stands there, by the styles of the source: a pawn that has not crossed the river is
/// never worth a search at a leaf, a defender is to the solid style alone, and a crossed pawn is to all.
fn prize_of(man: Piece, square: Square) -> i32 {
    match man.kind {
        Kind::Pawn if attacks::half(man.color.index()).contains(square) => 1,
        Kind::King => 1,
        Kind::Elephant | Kind::Advisor => 2,
        Kind::Pawn | Kind::Cannon | Kind::Horse => 3,
        Kind::Rook => 4,
    }
}
