//! What several themes look at: attack maps, king rings, mobility areas, computed once a position.

use crate::chess::rules::{Bitboard, Board, Color, PieceType, Square, attacks};

/// One side of the board as the terms see it.
#[derive(Clone, Copy)]
pub(super) struct Side {
    pub king: Square,
    /// All its men.
    pub men: Bitboard,
    pub pawns: Bitboard,
    pub knights: Bitboard,
    pub bishops: Bitboard,
    pub rooks: Bitboard,
    pub queens: Bitboard,
    /// Squares attacked, by kind of piece; sliders look through the queens behind which they stand,
    /// rooks through own rooks too.
    pub attacks: [Bitboard; 6],
    /// Squares attacked by anything.
    pub attacked: Bitboard,
    /// Squares attacked at least twice.
    pub attacked_twice: Bitboard,
    /// Squares that count for its mobility.
    pub mobility_area: Bitboard,
    /// Mobility of all its pieces together, in squares.
    pub mobility: i32,
    /// The nine squares around the king, moved inward at the edge.
    pub ring: Bitboard,
    /// Pieces of either side that alone stand between the king and an enemy slider.
    pub shields: Bitboard,
    /// Own sliders that see the enemy king through exactly one piece: bishops, rooks, queens.
    pub xrays: [u8; 3],
    /// Squares its pawns attack now or after any advance.
    pub pawn_span: Bitboard,
    /// Own pieces attacking the enemy's ring: knights, bishops, rooks, queens.
    pub ring_attackers: [u8; 4],
    /// Squares next to the enemy king attacked by them, summed over the pieces.
    pub ring_attacks: [u8; 4],
}

/// The position with both sides' maps. `pieces` completes the maps of the pieces; before it only
/// those of kings and pawns are there.
pub(super) struct Scene<'a> {
    pub board: &'a Board,
    pub occupied: Bitboard,
    sides: [Side; 2],
}

impl<'a> Scene<'a> {
    /// Looks at the board: kings, pawns, rings, shields.
    pub fn new(board: &'a Board) -> Scene<'a> {
        let mut white = Side::new::<true>(board);
        let mut black = Side::new::<false>(board);
        white.limit_mobility::<true>(&black, board);
        black.limit_mobility::<false>(&white, board);
        find_shields(&mut white, &mut black, board.occupied());
        find_shields(&mut black, &mut white, board.occupied());
        Scene { board, occupied: board.occupied(), sides: [white, black] }
    }

    /// The side the terms are computed for.
    #[inline(always)]
    pub fn own<const WHITE: bool>(&self) -> &Side {
        &self.sides[usize::from(!WHITE)]
    }

    /// Its enemy.
    #[inline(always)]
    pub fn enemy<const WHITE: bool>(&self) -> &Side {
        &self.sides[usize::from(WHITE)]
    }

    /// Enters the attacks of one piece into its side's maps and returns the number of squares that
    /// count as mobility.
    #[inline(always)]
    pub fn enter<const WHITE: bool>(&mut self, kind: PieceType, reach: Bitboard) -> u32 {
        let (enemy_ring, enemy_king) = {
            let enemy = self.enemy::<WHITE>();
            (enemy.ring, enemy.attacks[PieceType::King.index()])
        };
        let side = &mut self.sides[usize::from(!WHITE)];
        side.attacked_twice |= side.attacked & reach;
        side.attacked |= reach;
        side.attacks[kind.index()] |= reach;
        if (reach & enemy_ring).any() {
            let index = kind.index() - PieceType::Knight.index();
            side.ring_attackers[index] += 1;
            side.ring_attacks[index] += (reach & enemy_king).count() as u8;
        }
        let squares = (reach & side.mobility_area).count();
        side.mobility += squares as i32;
        squares
    }

    /// What a piece on `square` may attack: everything, or only along the line to its king if it
    /// shields him.
    #[inline(always)]
    pub fn unpinned<const WHITE: bool>(&self, square: Square, reach: Bitboard) -> Bitboard {
        let side = self.own::<WHITE>();
        if side.shields.contains(square) { reach & attacks::line(side.king, square) } else { reach }
    }
}

impl Side {
    fn new<const WHITE: bool>(board: &Board) -> Side {
        let color = if WHITE { Color::White } else { Color::Black };
        let king = board.king(color);
        let pawns = board.pieces(color, PieceType::Pawn);
        let pawn_attacks = attacks::pawn_set::<WHITE>(pawns);
        let pawn_attacks_twice = pawn_attacks_twice::<WHITE>(pawns);
        let king_attacks = attacks::king(king);
        let mut by_kind = [Bitboard::EMPTY; 6];
        by_kind[PieceType::Pawn.index()] = pawn_attacks;
        by_kind[PieceType::King.index()] = king_attacks;
        let center = Square::from_coordinates(king.file().clamp(1, 6), king.rank().clamp(1, 6));
        Side {
            king,
            men: board.color(color),
            pawns,
            knights: board.pieces(color, PieceType::Knight),
            bishops: board.pieces(color, PieceType::Bishop),
            rooks: board.pieces(color, PieceType::Rook),
            queens: board.pieces(color, PieceType::Queen),
            attacks: by_kind,
            attacked: pawn_attacks | king_attacks,
            attacked_twice: pawn_attacks_twice | (pawn_attacks & king_attacks),
            mobility_area: Bitboard::EMPTY,
            mobility: 0,
            // A square that two own pawns guard is no place to attack the king on.
            ring: (attacks::king(center) | center.bitboard()) & !pawn_attacks_twice,
            shields: Bitboard::EMPTY,
            xrays: [0; 3],
            pawn_span: pawn_attacks.fill_forward::<WHITE>(),
            ring_attackers: [0; 4],
            ring_attacks: [0; 4],
        }
    }

    fn limit_mobility<const WHITE: bool>(&mut self, enemy: &Side, board: &Board) {
        let blocked = self.pawns & board.occupied().backward::<WHITE>();
        let home =
            if WHITE { Bitboard(0x0000_0000_00FF_FF00) } else { Bitboard(0x00FF_FF00_0000_0000) };
        // Pawns at home rarely move just to make room for a piece.
        let stuck = blocked | (self.pawns & home);
        self.mobility_area =
            !(enemy.attacks[PieceType::Pawn.index()] | stuck | self.queens | self.king.bitboard());
    }

    /// True if it has a piece besides king and pawns.
    #[inline]
    pub fn has_pieces(&self) -> bool {
        (self.knights | self.bishops | self.rooks | self.queens).any()
    }
}

/// Finds the pieces that alone stand between `side`'s king and an enemy slider, and counts such
/// sliders for the enemy.
fn find_shields(side: &mut Side, enemy: &mut Side, occupied: Bitboard) {
    let straight = attacks::rook(side.king, Bitboard::EMPTY);
    let diagonal = attacks::bishop(side.king, Bitboard::EMPTY);
    let kinds =
        [diagonal & enemy.bishops, straight & enemy.rooks, (straight | diagonal) & enemy.queens];
    for (index, sliders) in kinds.into_iter().enumerate() {
        for slider in sliders {
            let between = attacks::between(side.king, slider) & occupied;
            if between.any() && !between.many() {
                side.shields |= between;
                enemy.xrays[index] += 1;
            }
        }
    }
}

/// Index of a square table's or rank array's row: the square as its own side sees it.
#[inline(always)]
pub(super) fn relative<const WHITE: bool>(square: Square) -> Square {
    if WHITE { square } else { square.flip() }
}

/// Rank as its own side counts it, 0 to 7.
#[inline(always)]
pub(super) fn relative_rank<const WHITE: bool>(square: Square) -> usize {
    usize::from(if WHITE { square.rank() } else { 7 - square.rank() })
}

/// Distance of the square's file from the nearer edge: 0 (a, h) to 3 (d, e).
#[inline(always)]
pub(super) fn edge_file(square: Square) -> usize {
    usize::from(square.file().min(7 - square.file()))
}

/// All squares on the ranks ahead of the square's.
#[inline(always)]
pub(super) fn ranks_ahead<const WHITE: bool>(square: Square) -> Bitboard {
    let rank = u32::from(square.rank());
    Bitboard(if WHITE { (!0 << (8 * rank)) << 8 } else { (1 << (8 * rank)) - 1 })
}

/// The squares ahead on the file.
#[inline(always)]
pub(super) fn file_ahead<const WHITE: bool>(square: Square) -> Bitboard {
    ranks_ahead::<WHITE>(square) & Bitboard::file(square.file())
}

/// The squares and those to their left and right.
#[inline(always)]
pub(super) fn widen(squares: Bitboard) -> Bitboard {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    Bitboard(squares.0 | ((squares.0 << 1) & !FILE_A) | ((squares.0 & !FILE_A) >> 1))
}

/// Squares that two pawns attack.
#[inline(always)]
fn pawn_attacks_twice<const WHITE: bool>(pawns: Bitboard) -> Bitboard {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    let next = pawns.forward::<WHITE>().0;
    Bitboard(((next << 1) & !FILE_A) & ((next & !FILE_A) >> 1))
}
