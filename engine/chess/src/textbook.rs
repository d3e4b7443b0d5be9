//! Chess as the search of the literature sees it.

use search::{Control, Limits, Outcome, Progress, Ruling};
use textbook::{Memory, Methods, MoveTraits, TextbookGame};

use crate::evaluation::square_gain;
use crate::game::ChessGame;
use crate::rules::{Color, Move, PieceType, Square, attacks};

/// [`textbook::search`] of chess, compiled once for all who ask.
pub fn search(
    game: &mut ChessGame,
    methods: &Methods,
    memory: &mut Memory<Move>,
    limits: &Limits<Move>,
    control: &Control,
    on_info: &mut dyn FnMut(&Progress<Move>),
) -> Outcome<Move> {
    textbook::search(game, methods, memory, limits, control, on_info)
}

impl TextbookGame for ChessGame {
    fn traits_of(&self, mv: Move) -> MoveTraits {
        let board = self.board();
        let us = board.side_to_move();
        let kind = board.moved_piece(mv).kind();
        let (from, to) = (mv.from(), mv.to());
        let captured = board.captured(mv).map(|piece| piece.kind());
        let taken_on =
            if mv.is_en_passant() { Square::from_coordinates(to.file(), from.rank()) } else { to };
        let rank_of = |square: Square| square.relative(us).rank();
        let squares = &self.parameters().weights.squares;
        let moves_alone = !mv.is_castling() && mv.promotion().is_none();
        MoveTraits {
            positional_gain: if moves_alone {
                square_gain(squares, board, kind, from, to)
            } else {
                0
            },
            weight: match kind {
                PieceType::Pawn => 0,
                PieceType::King => 1,
                PieceType::Knight => 2,
                PieceType::Bishop => 3,
                PieceType::Rook => 4,
                PieceType::Queen => 5,
            },
            price: kind.index() as i32,
            retreats: !mv.is_castling() && rank_of(to) < rank_of(from),
            takes_last_mover: captured.is_some()
                && self.position().last_arrivals().contains(taken_on),
            by_last_mover: self.position().arrivals_before_pass().contains(from),
            prize: match captured {
                None => 0,
                Some(PieceType::Pawn | PieceType::King) => 1,
                Some(PieceType::Knight | PieceType::Bishop) => 2,
                Some(PieceType::Rook) => 3,
                Some(PieceType::Queen) => 4,
            },
            promotes: mv.promotion().is_some(),
            reaches_seventh: kind == PieceType::Pawn && rank_of(to) == 6,
            approach: (kind == PieceType::Queen).then(|| approach(self, mv)).flatten(),
        }
    }

    fn pressure_on(&self, side: usize) -> i32 {
        let (board, color) = (self.board(), Color::ALL[side]);
        let king = board.king(color);
        let around = attacks::king(king) | king.bitboard();
        (board.attacked_by(!color) & around).count() as i32
    }

    fn ruling_by_line(&mut self, ply: usize, depth: i32) -> Ruling {
        let is_repeated = self.position().is_line_repetition();
        self.ruling_where(is_repeated, ply, depth)
    }
}

/// Distance in steps to which a queen's move brings it near the enemy king: nearer than it was, or as near
/// with a smaller sum of its files and ranks from him; none otherwise.
///
/// SOURCE: E. N. Kornilov, *Programming Chess and Other Logic Games* (in Russian, 2005), p. 114.
fn approach(game: &ChessGame, mv: Move) -> Option<i32> {
    let board = game.board();
    let king = board.king(!board.side_to_move());
    let sum =
        |square: Square| square.file().abs_diff(king.file()) + square.rank().abs_diff(king.rank());
    let way = |square: Square| (attacks::distance(square, king), sum(square));
    let (before, after) = (way(mv.from()), way(mv.to()));
    (after < before).then(|| i32::from(after.0))
}
