//! What several themes look at, computed once a position: first where the men stand, then what the
//! pieces attack from there.

use super::geometry::pawn_attacks_twice;
use crate::rules::{Bitboard, Board, Color, PieceType, Square, attacks};

/// Where the men stand as one side sees them, its own pawns going up the board, with everything that
/// follows without a look at the pieces' attacks.
pub(super) struct Placement<'a> {
    /// The side the terms are computed for.
    pub own: &'a Side,
    /// The other side.
    pub enemy: Side,
    pub occupied: Bitboard,
    /// The own side is to move.
    pub to_move: bool,
    /// The own side may still castle.
    pub castles: bool,
}

/// One side's men, and what kings and pawns make of the board.
pub(super) struct Side {
    pub king: Square,
    /// All its men.
    pub men: Bitboard,
    pub pawns: Bitboard,
    pub knights: Bitboard,
    pub bishops: Bitboard,
    pub rooks: Bitboard,
    pub queens: Bitboard,
    /// Squares next to the king.
    pub king_attacks: Bitboard,
    pub pawn_attacks: Bitboard,
    /// Squares that two of its pawns attack.
    pub pawn_attacks_twice: Bitboard,
    /// Squares its pawns attack now or after any advance.
    pub pawn_span: Bitboard,
    /// Squares that count for its mobility.
    ///
    /// CITE: the Stockfish developers, mobility area.
    pub mobility_area: Bitboard,
    /// The nine squares around the king, moved inward at the edge, without those that two own pawns
    /// guard: there is no attacking the king on them.
    pub ring: Bitboard,
    /// Pieces of either side that alone stand between the king and an enemy slider.
    pub shields: Bitboard,
    /// Enemy sliders that see the king through exactly one piece: bishops, rooks, queens.
    pub xrays: [u8; 3],
}

/// What one side's men attack.
pub(super) struct SideAttacks {
    /// Squares attacked by anything.
    pub any: Bitboard,
    /// Squares attacked at least twice.
    pub twice: Bitboard,
    /// Mobility of all its pieces together, in squares.
    pub mobility: i32,
    /// Own pieces attacking the enemy's ring: knights, bishops, rooks, queens.
    pub ring_attackers: [u8; 4],
    /// Squares next to the enemy king attacked by them, summed over the pieces.
    pub ring_attacks: [u8; 4],
    by_kind: [Bitboard; 6],
}

/// The whole position as one side sees it: where the men stand and what they attack.
pub(super) struct Scene<'a> {
    pub placement: &'a Placement<'a>,
    /// What the side attacks that the terms are computed for.
    pub ours: &'a SideAttacks,
    /// What the other side attacks.
    pub theirs: &'a SideAttacks,
    /// Passed pawns of both sides.
    pub passed: Bitboard,
}

impl<'a> Placement<'a> {
    /// The board as the side of this color sees it, of each side as it sees itself.
    #[inline(always)]
    pub fn new(board: &Board, color: Color, own: &'a Side, enemy: &Side) -> Placement<'a> {
        Placement {
            own,
            enemy: enemy.turned(),
            occupied: board.occupied().relative(color),
            to_move: board.side_to_move() == color,
            castles: board.castling_rooks(color).any(),
        }
    }

    /// What a piece on `square` may attack: everything, or only along the line to its king if it
    /// shields him.
    #[inline(always)]
    pub fn unpinned(&self, square: Square, reach: Bitboard) -> Bitboard {
        let side = self.own;
        if side.shields.contains(square) { reach & attacks::line(side.king, square) } else { reach }
    }
}

impl Side {
    /// As it sees itself.
    #[inline(never)]
    pub fn new(board: &Board, color: Color) -> Side {
        let own = |kind| board.pieces(color, kind).relative(color);
        let enemy = |kind| board.pieces(!color, kind).relative(color);
        let occupied = board.occupied().relative(color);
        let king = board.king(color).relative(color);
        let pawns = own(PieceType::Pawn);
        let queens = own(PieceType::Queen);
        let pawn_attacks = attacks::pawn_set(Color::White, pawns);
        let enemy_pawn_attacks = attacks::pawn_set(Color::Black, enemy(PieceType::Pawn));
        // Pawns at home rarely move just to make room for a piece.
        let stuck = pawns & (occupied.south() | Bitboard::RANK_2 | Bitboard::RANK_3);
        let pawn_attacks_twice = pawn_attacks_twice(Color::White, pawns);
        let center = Square::from_coordinates(king.file().clamp(1, 6), king.rank().clamp(1, 6));
        let sliders = [PieceType::Bishop, PieceType::Rook, PieceType::Queen].map(enemy);
        let (shields, xrays) = shields(king, sliders, occupied);
        Side {
            king,
            men: board.color(color).relative(color),
            pawns,
            knights: own(PieceType::Knight),
            bishops: own(PieceType::Bishop),
            rooks: own(PieceType::Rook),
            queens,
            king_attacks: attacks::king(king),
            pawn_attacks,
            pawn_attacks_twice,
            pawn_span: pawn_attacks.fill_north(),
            mobility_area: !(enemy_pawn_attacks | stuck | queens | king.bitboard()),
            ring: (attacks::king(center) | center.bitboard()) & !pawn_attacks_twice,
            shields,
            xrays,
        }
    }

    /// As the other side sees it.
    #[inline(always)]
    fn turned(&self) -> Side {
        Side {
            king: self.king.flip(),
            men: self.men.flip(),
            pawns: self.pawns.flip(),
            knights: self.knights.flip(),
            bishops: self.bishops.flip(),
            rooks: self.rooks.flip(),
            queens: self.queens.flip(),
            king_attacks: self.king_attacks.flip(),
            pawn_attacks: self.pawn_attacks.flip(),
            pawn_attacks_twice: self.pawn_attacks_twice.flip(),
            pawn_span: self.pawn_span.flip(),
            mobility_area: self.mobility_area.flip(),
            ring: self.ring.flip(),
            shields: self.shields.flip(),
            xrays: self.xrays,
        }
    }

    /// True if it has a piece besides king and pawns.
    #[inline]
    pub fn has_pieces(&self) -> bool {
        (self.knights | self.bishops | self.rooks | self.queens).any()
    }
}

/// The pieces that alone stand between a king and a slider of the enemy, and how many such sliders
/// there are: bishops, rooks, queens.
#[inline(always)]
fn shields(
    king: Square,
    [bishops, rooks, queens]: [Bitboard; 3],
    occupied: Bitboard,
) -> (Bitboard, [u8; 3]) {
    let (mut shields, mut xrays) = (Bitboard::EMPTY, [0; 3]);
    let straight = attacks::rook_rays(king);
    let diagonal = attacks::bishop_rays(king);
    let kinds = [diagonal & bishops, straight & rooks, (straight | diagonal) & queens];
    for (sliders, count) in kinds.into_iter().zip(&mut xrays) {
        for slider in sliders {
            let between = attacks::between(king, slider) & occupied;
            if between.any() && !between.many() {
                shields |= between;
                *count += 1;
            }
        }
    }
    (shields, xrays)
}

impl SideAttacks {
    /// Those of king and pawns, to which the pieces are added.
    #[inline(always)]
    pub fn of_king_and_pawns(side: &Side) -> SideAttacks {
        let mut by_kind = [Bitboard::EMPTY; 6];
        by_kind[PieceType::Pawn.index()] = side.pawn_attacks;
        by_kind[PieceType::King.index()] = side.king_attacks;
        SideAttacks {
            any: side.pawn_attacks | side.king_attacks,
            twice: side.pawn_attacks_twice | (side.pawn_attacks & side.king_attacks),
            mobility: 0,
            ring_attackers: [0; 4],
            ring_attacks: [0; 4],
            by_kind,
        }
    }

    /// As the other side sees them.
    #[inline(always)]
    pub fn turned(&self) -> SideAttacks {
        SideAttacks {
            any: self.any.flip(),
            twice: self.twice.flip(),
            by_kind: self.by_kind.map(Bitboard::flip),
            ..*self
        }
    }

    /// Squares attacked by one kind of man; sliders look through the queens behind which they
    /// stand, rooks through own rooks too.
    #[inline(always)]
    pub fn by(&self, kind: PieceType) -> Bitboard {
        self.by_kind[kind.index()]
    }

    /// Adds what one piece of side `own` attacks, and returns the number of squares that count as
    /// mobility.
    #[inline(always)]
    pub fn add(&mut self, kind: PieceType, reach: Bitboard, own: &Side, enemy: &Side) -> usize {
        self.twice |= self.any & reach;
        self.any |= reach;
        self.by_kind[kind.index()] |= reach;
        if (reach & enemy.ring).any() {
            let index = kind.index() - PieceType::Knight.index();
            self.ring_attackers[index] += 1;
            self.ring_attacks[index] += (reach & enemy.king_attacks).count() as u8;
        }
        let squares = (reach & own.mobility_area).count();
        self.mobility += squares as i32;
        squares as usize
    }
}

/// Pawns and kings as one side sees them: all that cached terms may look at, or the cache would lie.
pub(super) struct PawnsAndKings {
    pub own_pawns: Bitboard,
    pub enemy_pawns: Bitboard,
    pub own_king: Square,
    pub enemy_king: Square,
}

impl PawnsAndKings {
    /// As the side of this color sees them.
    pub fn new(board: &Board, color: Color) -> PawnsAndKings {
        PawnsAndKings {
            own_pawns: board.pieces(color, PieceType::Pawn).relative(color),
            enemy_pawns: board.pieces(!color, PieceType::Pawn).relative(color),
            own_king: board.king(color).relative(color),
            enemy_king: board.king(!color).relative(color),
        }
    }
}
