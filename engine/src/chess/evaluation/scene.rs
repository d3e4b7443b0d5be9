//! What several themes look at, computed once a position: first where the men stand, then what the
//! pieces attack from there.

use super::geometry::pawn_attacks_twice;
use crate::chess::rules::{Bitboard, Board, Color, PieceType, Square, attacks};

/// Where the men stand, with everything that follows without a look at the pieces' attacks.
pub(super) struct Placement<'a> {
    pub board: &'a Board,
    pub occupied: Bitboard,
    sides: [Side; 2],
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

/// The whole position: where the men stand and what they attack.
pub(super) struct Scene<'a> {
    pub placement: &'a Placement<'a>,
    /// White's and Black's.
    pub attacks: [SideAttacks; 2],
}

impl<'a> Placement<'a> {
    /// Looks at the board.
    #[inline(always)]
    pub fn new(board: &'a Board) -> Placement<'a> {
        let pawns = |color| board.pieces(color, PieceType::Pawn);
        let white_pawns = attacks::pawn_set::<true>(pawns(Color::White));
        let black_pawns = attacks::pawn_set::<false>(pawns(Color::Black));
        let sides = [
            Side::new::<true>(board, white_pawns, black_pawns),
            Side::new::<false>(board, black_pawns, white_pawns),
        ];
        Placement { board, occupied: board.occupied(), sides }
    }

    /// The side the terms are computed for.
    #[inline(always)]
    pub fn own<const WHITE: bool>(&self) -> &Side {
        &self.sides[usize::from(!WHITE)]
    }

    /// The other side.
    #[inline(always)]
    pub fn enemy<const WHITE: bool>(&self) -> &Side {
        &self.sides[usize::from(WHITE)]
    }

    /// What a piece on `square` may attack: everything, or only along the line to its king if it
    /// shields him.
    #[inline(always)]
    pub fn unpinned<const WHITE: bool>(&self, square: Square, reach: Bitboard) -> Bitboard {
        let side = self.own::<WHITE>();
        if side.shields.contains(square) { reach & attacks::line(side.king, square) } else { reach }
    }
}

impl Scene<'_> {
    /// What the side attacks that the terms are computed for.
    #[inline(always)]
    pub fn own_attacks<const WHITE: bool>(&self) -> &SideAttacks {
        &self.attacks[usize::from(!WHITE)]
    }

    /// What the other side attacks.
    #[inline(always)]
    pub fn enemy_attacks<const WHITE: bool>(&self) -> &SideAttacks {
        &self.attacks[usize::from(WHITE)]
    }
}

impl Side {
    #[inline(always)]
    fn new<const WHITE: bool>(
        board: &Board,
        pawn_attacks: Bitboard,
        enemy_pawn_attacks: Bitboard,
    ) -> Side {
        let color = Color::of::<WHITE>();
        let king = board.king(color);
        let pawns = board.pieces(color, PieceType::Pawn);
        let queens = board.pieces(color, PieceType::Queen);
        let blocked = pawns & board.occupied().backward::<WHITE>();
        // Pawns at home rarely move just to make room for a piece.
        let home =
            if WHITE { Bitboard(0x0000_0000_00FF_FF00) } else { Bitboard(0x00FF_FF00_0000_0000) };
        let stuck = blocked | (pawns & home);
        let pawn_attacks_twice = pawn_attacks_twice::<WHITE>(pawns);
        let center = Square::from_coordinates(king.file().clamp(1, 6), king.rank().clamp(1, 6));
        let (shields, xrays) = shields(board, king, !color);
        Side {
            king,
            men: board.color(color),
            pawns,
            knights: board.pieces(color, PieceType::Knight),
            bishops: board.pieces(color, PieceType::Bishop),
            rooks: board.pieces(color, PieceType::Rook),
            queens,
            king_attacks: attacks::king(king),
            pawn_attacks,
            pawn_attacks_twice,
            pawn_span: pawn_attacks.fill_forward::<WHITE>(),
            mobility_area: !(enemy_pawn_attacks | stuck | queens | king.bitboard()),
            ring: (attacks::king(center) | center.bitboard()) & !pawn_attacks_twice,
            shields,
            xrays,
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
fn shields(board: &Board, king: Square, enemy: Color) -> (Bitboard, [u8; 3]) {
    let (mut shields, mut xrays) = (Bitboard::EMPTY, [0; 3]);
    let straight = attacks::rook_rays(king);
    let diagonal = attacks::bishop_rays(king);
    let kinds = [
        diagonal & board.pieces(enemy, PieceType::Bishop),
        straight & board.pieces(enemy, PieceType::Rook),
        (straight | diagonal) & board.pieces(enemy, PieceType::Queen),
    ];
    for (sliders, count) in kinds.into_iter().zip(&mut xrays) {
        for slider in sliders {
            let between = attacks::between(king, slider) & board.occupied();
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
