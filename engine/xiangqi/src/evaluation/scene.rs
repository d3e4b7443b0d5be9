//! The attacks that all terms ask for, found once.

use crate::rules::{Bitboard, Board, Color, Kind, Piece, attacks};

/// Most men of a kind that is no pawn.
const PAIR: usize = 2;

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
    /// Empty squares that the cannons of each side reach, cannon by cannon.
    pub cannon_walks: [[Bitboard; PAIR]; 2],
    /// Squares that rooks, horses and cannons attack, man by man.
    heavy: [[[Bitboard; PAIR]; Kind::COUNT]; 2],
}

impl Scene {
    /// Squares that men of a side attack that are worth less than a horse or a cannon.
    pub fn by_small(&self, color: Color) -> Bitboard {
        let sets = &self.of_kind[color.index()];
        sets[Kind::Pawn.index()] | sets[Kind::Elephant.index()] | sets[Kind::Advisor.index()]
    }

    /// Squares that each rook, horse or cannon attacks, in the order of the men.
    pub fn of_each(&self, color: Color, kind: Kind) -> &[Bitboard; PAIR] {
        &self.heavy[color.index()][kind.index()]
    }
}

impl Scene {
    pub fn new(board: &Board) -> Scene {
        let mut scene = Scene {
            all: [Bitboard::EMPTY; 2],
            of_kind: [[Bitboard::EMPTY; Kind::COUNT]; 2],
            on_palace: [[0; Kind::COUNT]; 2],
            checks: [[Bitboard::EMPTY; Kind::COUNT]; 2],
            cannon_walks: [[Bitboard::EMPTY; PAIR]; 2],
            heavy: [[[Bitboard::EMPTY; PAIR]; Kind::COUNT]; 2],
        };
        let occupied = board.occupied();
        for color in Color::ALL {
            // Kind by kind, so that each is compiled for itself.
            scene.add(board, color, Kind::Pawn);
            scene.add(board, color, Kind::Elephant);
            scene.add(board, color, Kind::Advisor);
            scene.add(board, color, Kind::Cannon);
            scene.add(board, color, Kind::Horse);
            scene.add(board, color, Kind::Rook);
            scene.add(board, color, Kind::King);
            let king = board.king(!color);
            let checks = &mut scene.checks[color.index()];
            checks[Kind::Rook.index()] = attacks::rook(king, occupied);
            checks[Kind::Cannon.index()] = attacks::cannon(king, occupied);
            checks[Kind::Horse.index()] = attacks::horses_to(king, occupied);
            checks[Kind::Pawn.index()] = attacks::pawns_of(color, king);
        }
        scene
    }

    /// Adds what the men of a kind attack.
    #[inline(always)]
    fn add(&mut self, board: &Board, color: Color, kind: Kind) {
        let (own, occupied) = (color.index(), board.occupied());
        let palace = attacks::palace(1 - own);
        for (place, square) in board.of(color, kind).enumerate() {
            let set = attacks::captures_of(Piece { color, kind }, square, occupied);
            self.of_kind[own][kind.index()] |= set;
            self.on_palace[own][kind.index()] += u32::from((set & palace).any());
            if let Kind::Rook | Kind::Horse | Kind::Cannon = kind {
                self.heavy[own][kind.index()][place] = set;
            }
            if kind == Kind::Cannon {
                let walks = attacks::rook(square, occupied) & !occupied;
                self.cannon_walks[own][place] = walks;
            }
        }
        self.all[own] |= self.of_kind[own][kind.index()];
    }
}
