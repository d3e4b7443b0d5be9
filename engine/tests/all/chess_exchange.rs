//! Static exchange evaluation against figures by hand and against a plain recursion.

use chess::Parameters;
use chess::game::ChessGame;
use chess::{Bitboard, Board, Color, Move, PieceType, Position, Square, attacks};
use proptest::prelude::*;
use search::Game as _;

use crate::chess_rules::random_game;

const VALUES: [i32; 6] = [100, 300, 310, 500, 900, 0];

/// Checks that the exchange is worth exactly this.
fn assert_worth(board: &Board, mv: Move, worth: i32) {
    let text = board.to_fen(true);
    assert!(board.see_at_least(mv, worth, &VALUES), "{mv} in {text} is worth less than {worth}");
    assert!(
        !board.see_at_least(mv, worth + 1, &VALUES),
        "{mv} in {text} is worth more than {worth}"
    );
}

#[test]
fn exchanges_by_hand() {
    for (fen, mv, worth) in [
        // A free pawn; a defended one taken by rook, knight and pawn.
        ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100),
        ("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500),
        ("4k3/8/2p5/3p4/8/4N3/8/3RK3 w - - 0 1", "e3d5", 100 - 300 + 100),
        ("4k3/8/2p5/3p4/4P3/8/8/3RK3 w - - 0 1", "e4d5", 100),
        // A rook behind a rook joins in: rook takes pawn, pawn takes rook, rook takes pawn.
        ("4k3/8/2p5/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100 - 500 + 100),
        // A queen before the bishop on its diagonal defends by itself after it.
        ("4k3/8/8/8/3p4/8/1B6/Q3K3 w - - 0 1", "b2d4", 100),
        ("4k3/8/1b6/8/3p4/8/1B6/Q3K3 w - - 0 1", "b2d4", 100),
        // The king takes what nobody defends, and only that.
        ("8/8/3k4/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500),
        ("8/8/3k4/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
        // Moves that capture nothing.
        ("4k3/8/2p5/8/8/8/8/3RK3 w - - 0 1", "d1d5", -500),
        ("4k3/8/8/8/8/8/8/3RK3 w - - 0 1", "d1d5", 0),
        // A rook before the square, and one for which en passant opens the file behind it.
        ("3rk3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100 - 100),
        ("4k3/8/8/3pP3/8/8/6K1/3r4 w - d6 0 1", "e5d6", 100 - 100),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
        // Promotions: free, lost, and with a capture.
        ("7k/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q", 800),
        ("r6k/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q", -100),
        ("r6k/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7a8q", 500 + 800),
        ("r6k/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8n", -100),
        // The pinned knight does not defend e5; the rook pinned along its file does.
        ("4k3/8/2n5/1B2p3/8/5N2/8/4K3 w - - 0 1", "f3e5", 100),
        ("4k3/8/4r3/8/3Q4/8/8/4RK2 w - - 0 1", "d4e5", 500 - 900),
        // Castling stakes nothing.
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0),
        // White need not go on: queen takes pawn would lose the queen.
        ("3rk3/8/8/3p4/8/8/8/3QK3 w - - 0 1", "d1d5", 100 - 900),
    ] {
        let position = Position::from_fen(fen).expect("a legal FEN");
        assert_worth(&position, position.parse_uci(mv).expect("a legal move"), worth);
    }
}

/// The squares of the pieces that attack `target`, by walking from it.
fn attackers_by_walking(board: &Board, target: Square, occupied: Bitboard) -> Bitboard {
    let reaches = |from: &Square| {
        let piece = board.piece_on(*from).expect("a piece on an occupied square");
        let file = i32::from(target.file()) - i32::from(from.file());
        let rank = i32::from(target.rank()) - i32::from(from.rank());
        let (wide, high) = (file.abs(), rank.abs());
        let open = (attacks::between(*from, target) & occupied).is_empty();
        match piece.kind() {
            PieceType::Pawn => {
                wide == 1 && rank == if piece.color() == Color::White { 1 } else { -1 }
            }
            PieceType::Knight => wide * high == 2,
            PieceType::Bishop => wide == high && open,
            PieceType::Rook => (wide == 0 || high == 0) && open,
            PieceType::Queen => (wide == high || wide == 0 || high == 0) && open,
            PieceType::King => wide.max(high) == 1,
        }
    };
    (occupied - target.bitboard()).into_iter().filter(reaches).collect()
}

/// What `side` gains at best by capturing the piece worth `stake` on `target`, or by leaving it.
fn best_retake(board: &Board, target: Square, occupied: Bitboard, side: Color, stake: i32) -> i32 {
    let attackers = attackers_by_walking(board, target, occupied);
    let line = attacks::line(board.king(side), target);
    let free = !(board.pinned(side) - line);
    let mine = attackers & board.color(side) & free;
    let cheapest = mine.into_iter().min_by_key(|&square| {
        (board.piece_on(square).map(|piece| piece.kind().index()), square.index())
    });
    let Some(from) = cheapest else { return 0 };
    let kind = board.piece_on(from).expect("an attacker").kind();
    if kind == PieceType::King && (attackers & board.color(!side)).any() {
        return 0;
    }
    let left = occupied - from.bitboard();
    let reply = best_retake(board, target, left, !side, VALUES[kind.index()]);
    (stake - reply).max(0)
}

fn worth_by_recursion(board: &Board, mv: Move) -> i32 {
    if mv.is_castling() {
        return 0;
    }
    let mut occupied = (board.occupied() - mv.from().bitboard()) | mv.to().bitboard();
    if mv.is_en_passant() {
        occupied = occupied - Square::from_coordinates(mv.to().file(), mv.from().rank()).bitboard();
    }
    let value = |kind: PieceType| VALUES[kind.index()];
    let mut gain = board.captured(mv).map_or(0, |piece| value(piece.kind()));
    if let Some(kind) = mv.promotion() {
        gain += value(kind) - value(PieceType::Pawn);
    }
    let stake = value(mv.promotion().unwrap_or(board.moved_piece(mv).kind()));
    gain - best_retake(board, mv.to(), occupied, !board.side_to_move(), stake)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn exchanges_agree_with_a_plain_recursion(seed: u64) {
        random_game(seed, 120, |position| {
            for &mv in &position.legal_moves() {
                assert_worth(position, mv, worth_by_recursion(position, mv));
            }
        });
    }

    #[test]
    fn knowing_the_threats_changes_no_exchange(seed: u64) {
        let mut game = ChessGame::new(Parameters::embedded().clone());
        random_game(seed, 120, |position| {
            game.set_position(position);
            let threats = game.threats();
            for &mv in &position.legal_moves() {
                let gain = game.gain(mv);
                for threshold in [-900, -150, -20, 0, 1, gain - 1, gain, gain + 1] {
                    let known = game.exchange_under_threats(mv, threshold, threats);
                    let text = position.to_fen(true);
                    assert_eq!(known, game.exchange_at_least(mv, threshold), "{mv} in {text}");
                }
            }
        });
    }
}
