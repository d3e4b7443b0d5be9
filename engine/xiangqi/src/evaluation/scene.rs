//! The attacks that all terms ask for, found once.

use crate::rules::{Bitboard, Board, Color, Kind, Piece, attacks};

/// The attacks of both sides.
pub(super) struct Scene {
    /// Squares that each side attacks.
    pub all: [Bitboard; 2],
    /// By kinds.
    pub of_kind: [[Bitboard; Kind::COUNT]; 2],
    /// Rooks, horses and cannons, crossed pawns that attack the other side's palace.
    pub on_palace: [u32; 2],
}

impl Scene {
    pub fn new(board: &Board) -> Scene {
        let mut scene = Scene {
            all: [Bitboard::EMPTY; 2],
            of_kind: [[Bitboard::EMPTY; Kind::COUNT]; 2],
            on_palace: [0; 2],
        };
        let occupied = board.occupied();
        for color in Color::ALL {
            let own = color.index();
            let palace = attacks::palace(1 - own);
            for kind in Kind::ALL {
                for square in board.of(color, kind) {
                    let set = attacks::captures_of(Piece { color, kind }, square, occupied);
                    scene.of_kind[own][kind.index()] |= set;
                    scene.on_palace[own] += u32::from((set & palace).any());
                }
                scene.all[own] |= scene.of_kind[own][kind.index()];
            }
        }
        scene
    }
}
