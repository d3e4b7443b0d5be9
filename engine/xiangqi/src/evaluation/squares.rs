//! Men, and the squares where they stand.
//!
//! The value of a man and that of its square are apart, so that a fit of one leaves the other alone where
//! positions say little.

use parameters::Score;

use super::sink::{Side, Sink};
use super::weights::Weights;
use crate::rules::{Board, Color, Kind, Piece, Square};

/// Ranks before that of the pawns at the start.
const PAWN_RANK: usize = 3;

pub(super) fn terms<S: Sink>(board: &Board, color: Color, w: &Weights, side: &mut Side<'_, S>) {
    for kind in Kind::ALL {
        for square in board.of(color, kind) {
            if let Some(weight) = material_of(kind, w) {
                side.add(weight, 1);
            }
            side.add(weight_on(Piece { color, kind }, square, w), 1);
        }
    }
}

fn material_of(kind: Kind, w: &Weights) -> Option<&Score> {
    let material = &w.material;
    match kind {
        Kind::Pawn => Some(&material.pawn),
        Kind::Elephant => Some(&material.elephant),
        Kind::Advisor => Some(&material.advisor),
        Kind::Cannon => Some(&material.cannon),
        Kind::Horse => Some(&material.horse),
        Kind::Rook => Some(&material.rook),
        Kind::King => None,
    }
}

/// File from the nearer edge and rank from the own side.
fn seen_by(color: Color, square: Square) -> (usize, usize) {
    let rank = if color == Color::White { square.rank() } else { square.turned().rank() };
    (square.file().min(square.mirrored().file()), rank)
}

/// The worth of a man's square.
pub(super) fn weight_on(man: Piece, square: Square, w: &Weights) -> &Score {
    weight_of(man.kind, seen_by(man.color, square), w)
}

fn weight_of(kind: Kind, (file, rank): (usize, usize), w: &Weights) -> &Score {
    let squares = &w.squares;
    let place = 5 * rank + file;
    match kind {
        Kind::Pawn => &squares.pawn[place - 5 * PAWN_RANK],
        Kind::Elephant => {
            &squares.elephant[match (file, rank) {
                (2, 0) => 0,
                (0, _) => 1,
                (4, _) => 2,
                _ => 3,
            }]
        }
        Kind::Advisor => &squares.advisor[rank],
        Kind::Cannon => &squares.cannon[place],
        Kind::Horse => &squares.horse[place],
        Kind::Rook => &squares.rook[place],
        Kind::King => &squares.king[3 * (file - 3) + rank],
    }
}
