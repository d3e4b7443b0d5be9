//! Generation of legal moves.
//!
//! Checks and pins are masks known before the first move is made, so that no move is ever tried
//! and taken back. The stage is a compile-time constant (quiet checks have a generator of their own).
//! The side is not: counting moves is as fast, and there is half the code.

use super::attacks;
use super::piece::backward;
use super::{Bitboard, Board, Color, Move, MoveList, PieceType, Square};

/// A subset of the legal moves to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Captures, en passant and promotions to a queen.
    Noisy,
    /// All others; underpromotions that capture nothing are here.
    Quiet,
    /// Quiet moves that give check, but for castling and promotions; the side to move must not be in
    /// check.
    QuietChecks,
    /// All legal moves; meant for positions in check.
    Evasions,
}

/// A receiver of generated moves: a list, or a mere counter.
pub(super) trait Collector {
    /// Moves of the piece on `from` to each of the targets.
    fn piece(&mut self, from: Square, targets: Bitboard);
    /// Moves of pawns to each of the targets, each from the square `back` away.
    fn pawns(&mut self, targets: Bitboard, back: i8);
    /// Promotions on each of the targets to each of the kinds.
    fn promotions(&mut self, targets: Bitboard, back: i8, kinds: &'static [PieceType]);
    /// One move of any kind.
    fn one(&mut self, mv: Move);
}

/// Hands the moves on, one by one.
pub(super) struct Each<F>(pub(super) F);

impl<F: FnMut(Move)> Collector for Each<F> {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        if targets.any() {
            self.some_of_piece(from, targets);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, back: i8) {
        if targets.any() {
            self.some_of_pawns(targets, back);
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, back: i8, kinds: &'static [PieceType]) {
        if targets.any() {
            self.some_promotions(targets, back, kinds);
        }
    }

    #[inline(never)]
    fn one(&mut self, mv: Move) {
        (self.0)(mv);
    }
}

/// The loops, which each taker has once and not once for each kind of man. Most sets of targets are
/// empty, so that they are seldom called.
impl<F: FnMut(Move)> Each<F> {
    #[inline(never)]
    fn some_of_piece(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            (self.0)(Move::new(from, to));
        }
    }

    #[inline(never)]
    fn some_of_pawns(&mut self, targets: Bitboard, back: i8) {
        for to in targets {
            (self.0)(Move::new(to.offset(back), to));
        }
    }

    #[inline(never)]
    fn some_promotions(&mut self, targets: Bitboard, back: i8, kinds: &'static [PieceType]) {
        for to in targets {
            for &kind in kinds {
                (self.0)(Move::promoting(to.offset(back), to, kind));
            }
        }
    }
}

/// Counts moves without making them.
#[derive(Default)]
pub(super) struct Count(pub(super) u64);

impl Collector for Count {
    #[inline]
    fn piece(&mut self, _from: Square, targets: Bitboard) {
        self.0 += u64::from(targets.count());
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, _back: i8) {
        self.0 += u64::from(targets.count());
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, _back: i8, kinds: &'static [PieceType]) {
        self.0 += u64::from(targets.count()) * kinds.len() as u64;
    }

    #[inline]
    fn one(&mut self, _mv: Move) {
        self.0 += 1;
    }
}

const QUEEN: [PieceType; 1] = [PieceType::Queen];
const MINORS_AND_ROOK: [PieceType; 3] = [PieceType::Knight, PieceType::Rook, PieceType::Bishop];

impl Board {
    /// Appends the legal moves of a stage to the list.
    pub fn generate(&self, stage: Stage, moves: &mut MoveList) {
        self.each_move(stage, |mv| moves.push(mv));
    }

    /// Hands the legal moves of a stage on, one by one.
    #[inline]
    pub fn each_move(&self, stage: Stage, emit: impl FnMut(Move)) {
        let moves = &mut Each(emit);
        match stage {
            Stage::Noisy => self.collect::<true, false, _>(moves),
            Stage::Quiet => self.collect::<false, true, _>(moves),
            Stage::QuietChecks => self.collect_quiet_checks(moves),
            Stage::Evasions => self.collect::<true, true, _>(moves),
        }
    }

    /// All legal moves, in no useful order.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate(Stage::Evasions, &mut moves);
        moves
    }

    /// How many legal moves there are.
    pub fn count_legal_moves(&self) -> u64 {
        let mut count = Count::default();
        self.collect::<true, true, _>(&mut count);
        count.0
    }

    /// Whether there is a legal move: otherwise it is mate or stalemate.
    pub fn has_legal_move(&self) -> bool {
        self.has_obvious_move() || self.king_can_step() || self.count_legal_moves() != 0
    }

    /// Whether a pawn, a knight or what moves straight has a move that needs no thought: that is so in
    /// most positions, and saves counting.
    fn has_obvious_move(&self) -> bool {
        if self.checkers.any() {
            return false;
        }
        let us = self.side_to_move;
        let free = self.color(us) - self.pinned;
        let pawns = self.kind(PieceType::Pawn) & free;
        let steps = pawns.forward(us);
        let others = !self.color(us);
        let mut knights = (self.kind(PieceType::Knight) & free).into_iter();
        let mut rooks = (self.straight_sliders(us) & free).into_iter();
        (steps - self.occupied()).any()
            || knights.any(|from| (attacks::knight(from) & others).any())
            || rooks.any(|from| (attacks::rook(from, self.occupied()) & others).any())
    }

    fn king_can_step(&self) -> bool {
        let us = self.side_to_move;
        let (king, targets) = (self.king(us), !self.color(us));
        self.king_steps(us, king, targets).next().is_some()
    }

    /// Hands the legal moves to the collector.
    #[inline]
    pub(super) fn collect<const NOISY: bool, const QUIET: bool, C: Collector>(&self, out: &mut C) {
        let us = self.side_to_move;
        let occupied = self.occupied();
        let mut targets = Bitboard::EMPTY;
        if NOISY {
            targets |= self.color(!us);
        }
        if QUIET {
            targets |= !occupied;
        }
        let king = self.king(us);
        out.piece(king, self.king_steps(us, king, targets).collect());
        if self.checkers.many() {
            return;
        }
        let mut check_mask = Bitboard::ALL;
        if self.checkers.any() {
            check_mask = attacks::between(king, self.checkers.first()) | self.checkers;
        } else if QUIET {
            for rook in self.castling_rooks(us) {
                if self.can_castle(king, rook) {
                    out.one(Move::castling(king, rook));
                }
            }
        }
        self.collect_pawns::<NOISY, QUIET, C>(king, check_mask, out);

        let targets = targets & check_mask;
        let pinned = self.pinned;
        for from in self.pieces(us, PieceType::Knight) - pinned {
            out.piece(from, attacks::knight(from) & targets);
        }
        let diagonal = self.diagonal_sliders(us);
        for from in diagonal - pinned {
            out.piece(from, attacks::bishop(from, occupied) & targets);
        }
        let straight = self.straight_sliders(us);
        for from in straight - pinned {
            out.piece(from, attacks::rook(from, occupied) & targets);
        }
        if pinned.any() {
            for from in diagonal & pinned {
                let line = attacks::line(king, from);
                out.piece(from, attacks::bishop(from, occupied) & targets & line);
            }
            for from in straight & pinned {
                let line = attacks::line(king, from);
                out.piece(from, attacks::rook(from, occupied) & targets & line);
            }
        }
    }

    /// The subset of the targets that the king can step to.
    #[inline]
    pub(super) fn king_steps(
        &self,
        us: Color,
        king: Square,
        targets: Bitboard,
    ) -> impl Iterator<Item = Square> {
        let them = !us;
        // Squares that pawns and king guard are cheap to find all at once.
        let pawns = self.pieces(them, PieceType::Pawn);
        let by_pawns = attacks::pawn_set(them, pawns);
        let steps = (attacks::king(king) & targets) - by_pawns - attacks::king(self.king(them));
        // The king hides nothing behind it from the slider it flees.
        let occupied = self.occupied() ^ king.bitboard();
        steps.into_iter().filter(move |&to| !self.is_attacked_by_piece(to, them, occupied))
    }

    #[inline]
    fn collect_pawns<const NOISY: bool, const QUIET: bool, C: Collector>(
        &self,
        king: Square,
        check_mask: Bitboard,
        out: &mut C,
    ) {
        let us = self.side_to_move;
        let last_rank = Bitboard::relative_rank(us, 7);
        let back = backward(us);
        let pawns = self.pieces(us, PieceType::Pawn);
        // A pinned pawn still moves along the line of its pin.
        let free = pawns - self.pinned;
        let (towards_east, towards_west) = match us {
            Color::White => (attacks::diagonal(king), attacks::antidiagonal(king)),
            Color::Black => (attacks::antidiagonal(king), attacks::diagonal(king)),
        };
        let empty = !self.occupied();
        let pushers = free | (pawns & Bitboard::file(king.file()));
        let step = pushers.forward(us) & empty;
        let single = step & check_mask;
        if QUIET {
            let third = Bitboard::relative_rank(us, 2);
            let double = (step & third).forward(us) & empty & check_mask;
            out.pawns(single - last_rank, back);
            out.pawns(double, 2 * back);
            out.promotions(single & last_rank, back, &MINORS_AND_ROOK);
        }
        if NOISY {
            out.promotions(single & last_rank, back, &QUEEN);
            let victims = self.color(!us) & check_mask;
            let east = (free | (pawns & towards_east)).forward(us).east() & victims;
            let west = (free | (pawns & towards_west)).forward(us).west() & victims;
            out.pawns(east - last_rank, back - 1);
            out.pawns(west - last_rank, back + 1);
            if ((east | west) & last_rank).any() {
                out.promotions(east & last_rank, back - 1, &QUEEN);
                out.promotions(west & last_rank, back + 1, &QUEEN);
                out.promotions(east & last_rank, back - 1, &MINORS_AND_ROOK);
                out.promotions(west & last_rank, back + 1, &MINORS_AND_ROOK);
            }
            if let Some(to) = self.en_passant {
                for from in attacks::pawn(!us, to) & pawns {
                    if self.en_passant_is_legal(from, to) {
                        out.one(Move::en_passant(from, to));
                    }
                }
            }
        }
    }
}
