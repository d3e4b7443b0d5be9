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
    // Kind by kind, so that each is compiled for itself.
    men(board, color, Kind::Pawn, w, side);
    men(board, color, Kind::Elephant, w, side);
    men(board, color, Kind::Advisor, w, side);
    men(board, color, Kind::Cannon, w, side);
    men(board, color, Kind::Horse, w, side);
    men(board, color, Kind::Rook, w, side);
    men(board, color, Kind::King, w, side);
}

#[inline(always)]
fn men<S: Sink>(board: &Board, color: Color, kind: Kind, w: &Weights, side: &mut Side<'_, S>) {
    for square in board.of(color, kind) {
        if let Some(weight) = material_of(kind, w) {
            side.add(weight, 1);
        }
        side.add(weight_on(Piece { color, kind }, square, w), 1);
    }
}

#[inline(always)]
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

/// Five times the rank from the own side, and the file from the nearer edge, by side and square.
const PLACES: [[u8; Square::COUNT]; 2] = {
    let mut places = [[0; Square::COUNT]; 2];
    let mut at = 0;
    while at < Square::COUNT {
        let (rank, file) = (at / Square::FILES, at % Square::FILES);
        let aside = if file > 4 { Square::FILES - 1 - file } else { file };
        places[0][at] = (5 * rank + aside) as u8;
        places[1][at] = (5 * (Square::RANKS - 1 - rank) + aside) as u8;
        at += 1;
    }
    places
};

/// The worth of a man's square.
#[inline(always)]
pub(super) fn weight_on(man: Piece, square: Square, w: &Weights) -> &Score {
    let squares = &w.squares;
    let place = usize::from(PLACES[man.color.index()][square.index()]);
    let (rank, file) = (place / 5, place % 5);
    match man.kind {
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
