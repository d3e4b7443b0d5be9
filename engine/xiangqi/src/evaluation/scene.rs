//! The attacks that all terms ask for, found once.

use crate::rules::{Bitboard, Board, Color, Kind, Piece, attacks};

/// The attacks of both sides.
pub(super) struct Scene {
    /// Squares that each side attacks.
    pub all: [Bitboard; 2],
    /// By kinds.
    pub of_kind: [[Bitboard; Kind::COUNT]; 2],
    /// Rooks, horses, cannons and pawns that attack the other side's palace, by kinds.
    pub on_palace: [[u32; Kind::COUNT]; 2],
    /// Squares from which a man of each kind would check the other side's king.
    pub checks: [[Bitboard; Kind::COUNT]; 2],
    /// Empty squares that the cannons of each side reach.
    pub cannon_walks: [Bitboard; 2],
}

impl Scene {
    /// Squares that men of a side attack that are worth less than a horse or a cannon.
    pub fn by_small(&self, color: Color) -> Bitboard {
        let sets = &self.of_kind[color.index()];
        sets[Kind::Pawn.index()] | sets[Kind::Elephant.index()] | sets[Kind::Advisor.index()]
    }
}

impl Scene {
    pub fn new(board: &Board) -> Scene {
        let mut scene = Scene {
            all: [Bitboard::EMPTY; 2],
            of_kind: [[Bitboard::EMPTY; Kind::COUNT]; 2],
            on_palace: [[0; Kind::COUNT]; 2],
            checks: [[Bitboard::EMPTY; Kind::COUNT]; 2],
            cannon_walks: [Bitboard::EMPTY; 2],
        };
        let occupied = board.occupied();
        for color in Color::ALL {
            let own = color.index();
            let palace = attacks::palace(1 - own);
            for kind in Kind::ALL {
                for square in board.of(color, kind) {
                    let set = attacks::captures_of(Piece { color, kind }, square, occupied);
                    scene.of_kind[own][kind.index()] |= set;
                    scene.on_palace[own][kind.index()] += u32::from((set & palace).any());
                }
                scene.all[own] |= scene.of_kind[own][kind.index()];
            }
            for cannon in board.of(color, Kind::Cannon) {
                scene.cannon_walks[own] |= attacks::rook(cannon, occupied) & !occupied;
            }
            let king = board.king(!color);
            let checks = &mut scene.checks[own];
            checks[Kind::Rook.index()] = attacks::rook(king, occupied);
            checks[Kind::Cannon.index()] = attacks::cannon(king, occupied);
            checks[Kind::Horse.index()] = attacks::horses_to(king, occupied);
            checks[Kind::Pawn.index()] = attacks::pawns_of(color, king);
        }
        scene
    }
}
