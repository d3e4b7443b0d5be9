//! Endgame knowledge: a bare king against what can, or cannot, mate him.
//!
//! CITE: David Slate and Larry Atkin, Chess 4.5 (1977): mop-up evaluation, which drives the bare
//! king to the edge and brings the other king near.

use super::king_pawn;
use super::scale::corner_holds;
use super::weights::Endgames;
use crate::rules::{Bitboard, Board, Color, PieceType, Square, attacks};

/// What a theoretically won ending is worth before progress is added: above every ordinary value,
/// below every mate.
const WON: i32 = 10_000;

/// The most that material adds to a won ending, so that what drives the king still fits below a
/// mate.
const WON_MATERIAL_MAX: i32 = 6_000;

/// A won king and pawn ending: below the ending with the queen it leads to.
const WON_WITH_PAWN: i32 = 9_500;

/// White's value in centipawns if the ending is known: 0 for a draw, `±(9,500 to 20,000)` for a
/// win, larger as the win comes nearer.
#[inline]
pub(super) fn known(board: &Board, w: &Endgames) -> Option<i32> {
    let bare = |color: Color| !board.color(color).many();
    let strong = match (bare(Color::White), bare(Color::Black)) {
        (false, false) => return None,
        (true, true) => return Some(0),
        (false, true) => Color::White,
        (true, false) => Color::Black,
    };
    let value = against_bare_king(board, strong, w)?;
    Some(if strong == Color::White { value } else { -value })
}

/// The stronger side's value against a bare king, if it is known.
fn against_bare_king(board: &Board, strong: Color, w: &Endgames) -> Option<i32> {
    let men = |kind| board.pieces(strong, kind);
    let pawns = men(PieceType::Pawn);
    let knights = men(PieceType::Knight);
    let bishops = men(PieceType::Bishop);
    let majors = men(PieceType::Rook) | men(PieceType::Queen);
    let king = board.king(strong);
    let weak_king = board.king(!strong);
    let pieces = knights | bishops | majors;

    if pieces.is_empty() && !pawns.many() {
        let pawn = pawns.first();
        let won = king_pawn::is_won(strong, king, pawn, weak_king, board.side_to_move());
        let advance = i32::from(pawn.relative(strong).rank());
        return Some(if won { WON_WITH_PAWN + w.last_pawn_advance.0 * advance } else { 0 });
    }
    let turn = |men: Bitboard| men.relative(strong);
    let holds = corner_holds(turn(pawns), turn(bishops), weak_king.relative(strong));
    if holds && (majors | knights).is_empty() {
        return Some(0);
    }
    let both_colors =
        (bishops & Bitboard::LIGHT_SQUARES).any() && (bishops & !Bitboard::LIGHT_SQUARES).any();
    let mates =
        majors.any() || both_colors || (bishops.any() && knights.any()) || knights.count() >= 3;
    if !mates {
        // Nothing left to promote: bishops of one color or two knights cannot force mate.
        return pawns.is_empty().then_some(0);
    }
    if is_stalemate(board, !strong) {
        return Some(0);
    }
    let only_minors = majors.is_empty() && pawns.is_empty();
    let near = 7 - i32::from(attacks::distance(king, weak_king));
    let kinds = [knights, bishops, men(PieceType::Rook), men(PieceType::Queen)];
    let points: i32 =
        kinds.iter().zip(w.piece_points).map(|(men, points)| men.count() as i32 * points.0).sum();
    let material = (points + pawns.count() as i32) * w.point_worth.0;
    let won = WON + material.min(WON_MATERIAL_MAX) + w.kings_near.0 * near;
    if only_minors && bishops.count() == 1 && knights.count() == 1 {
        let light = (bishops & Bitboard::LIGHT_SQUARES).any();
        return Some(won + w.king_to_corner.0 * corner_progress(weak_king, light));
    }
    // Where pawns run, each step counts, so that the win comes before the fifty-move limit.
    let advance: i32 = pawns.into_iter().map(|pawn| i32::from(pawn.relative(strong).rank())).sum();
    Some(won + w.pawn_advance.0 * advance + w.king_to_edge.0 * edge_progress(weak_king))
}

/// How far a king has been driven from the center: 0 to 6.
fn edge_progress(king: Square) -> i32 {
    let from_center = |index: u8| 3 - i32::from(index.min(7 - index));
    from_center(king.file()) + from_center(king.rank())
}

/// How near a king is to a corner of the bishop's color, where alone bishop and knight mate: 0 to
/// 7.
fn corner_progress(king: Square, light: bool) -> i32 {
    let (file, rank) = (i32::from(king.file()), i32::from(king.rank()));
    // a1 and h8 are dark, a8 and h1 light.
    if light { (file - rank).abs() } else { (file + rank - 7).abs() }
}

/// The bare king of `weak` is to move, not in check, and has no square to go to.
fn is_stalemate(board: &Board, weak: Color) -> bool {
    let king = board.king(weak);
    let others = board.occupied() & !king.bitboard();
    let free = |square: Square| {
        let attackers = board.attackers_to(square, others & !square.bitboard());
        (attackers & board.color(!weak) & !square.bitboard()).is_empty()
    };
    board.side_to_move() == weak && !board.in_check() && !attacks::king(king).into_iter().any(free)
}

#[cfg(test)]
mod tests {
    use parameters::Scalar;

    use super::*;
    use crate::rules::Position;

    const WEIGHTS: Endgames = Endgames {
        piece_points: [Scalar(3), Scalar(3), Scalar(5), Scalar(9)],
        point_worth: Scalar(100),
        king_to_edge: Scalar(20),
        king_to_corner: Scalar(60),
        kings_near: Scalar(20),
        pawn_advance: Scalar(10),
        last_pawn_advance: Scalar(20),
    };

    fn value(fen: &str) -> Option<i32> {
        known(Position::from_fen(fen).unwrap().board(), &WEIGHTS)
    }

    #[test]
    fn every_number_counts_as_declared() {
        for (fen, expected) in [
            // Kings two squares apart are five nearer than the seven possible; d5 is no step from the
            // center, d8 three, h8 six.
            ("8/8/8/3k4/8/3K4/8/7R w - - 0 1", 10_000 + 500 + 20 * 5),
            ("3k4/8/3K4/8/8/8/8/7R w - - 0 1", 10_000 + 500 + 20 * 5 + 20 * 3),
            ("3k4/8/3K4/8/8/8/8/7Q w - - 0 1", 10_000 + 900 + 20 * 5 + 20 * 3),
            ("3k4/8/3K4/8/8/8/P7/7R w - - 0 1", 10_000 + 600 + 20 * 5 + 20 * 3 + 10),
            ("3k4/8/3K4/P7/8/8/8/7R w - - 0 1", 10_000 + 600 + 20 * 5 + 20 * 3 + 10 * 4),
            ("7k/8/5K2/8/8/8/8/2B1N3 w - - 0 1", 10_000 + 600 + 20 * 5 + 60 * 7),
            ("7k/8/5K2/8/8/8/8/1B1B4 w - - 0 1", 0),
            ("7k/8/5K2/8/8/8/8/1BB5 w - - 0 1", 10_000 + 600 + 20 * 5 + 20 * 6),
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", 9_500 + 20 * 4),
            // Material counts up to its bound.
            ("8/8/8/3k4/8/8/8/QQQQKQQQ b - - 0 1", 10_000 + 6_000 + 20 * 3),
        ] {
            assert_eq!(value(fen), Some(expected), "{fen}");
        }
    }

    #[test]
    fn king_and_pawn_endings_are_answered_exactly() {
        for (fen, won) in [
            // The king on the sixth before his pawn wins, whoever moves.
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", true),
            ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", true),
            // Opposition decides when he is only on the fifth.
            ("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", true),
            ("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", false),
            // A rook pawn with the king in the corner is a draw.
            ("k7/8/K7/P7/8/8/8/8 w - - 0 1", false),
            ("7k/8/7K/7P/8/8/8/8 w - - 0 1", false),
            // The rule of the square.
            ("8/8/8/7k/P7/8/8/K7 w - - 0 1", true),
            ("8/8/8/4k3/P7/8/8/7K b - - 0 1", false),
            // Stalemate.
            ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", false),
            ("4k3/4P3/3K4/8/8/8/8/8 b - - 0 1", true),
        ] {
            let value = value(fen).unwrap();
            assert_eq!(value > 9_000, won, "{fen}: {value}");
            assert_eq!(value == 0, !won, "{fen}: {value}");
        }
    }

    #[test]
    fn bishop_and_knight_drive_to_the_bishops_corner() {
        // The light bishop wants h1 or a8.
        let right = value("7k/8/8/8/8/2K5/2N5/1B6 w - - 0 1").unwrap();
        let wrong = value("k7/8/8/8/8/2K5/2N5/2B5 w - - 0 1").unwrap();
        let dark_right = value("7k/8/8/8/8/2K5/2N5/2B5 w - - 0 1").unwrap();
        let light_right = value("k7/8/8/8/8/2K5/2N5/1B6 w - - 0 1").unwrap();
        assert!(light_right > right && dark_right > wrong);
        assert!(right > 10_000);
    }

    #[test]
    fn mating_material_wins_and_drives_to_the_edge() {
        let center = value("8/8/8/3k4/8/3K4/8/7R w - - 0 1").unwrap();
        let edge = value("3k4/8/3K4/8/8/8/8/7R w - - 0 1").unwrap();
        let far = value("3k4/8/8/8/3K4/8/8/7R w - - 0 1").unwrap();
        assert!(edge > center && edge > far && center > 10_000);
        assert!(value("3K4/8/3k4/8/8/8/8/r7 w - - 0 1").unwrap() < -10_000);
        assert!(value("8/8/8/3k4/8/8/8/QQQQKQQQ b - - 0 1").unwrap() < 20_000);
    }

    #[test]
    fn what_cannot_mate_is_drawn() {
        for fen in [
            "8/8/8/3k4/8/8/8/4K3 w - - 0 1",
            "8/8/8/3k4/8/8/8/2B1K3 w - - 0 1",
            "8/8/8/3k4/8/8/8/2N1KN2 w - - 0 1",
            "8/8/8/3k4/8/8/8/B1B1K3 w - - 0 1",
            // The queen stalemates.
            "k7/2Q5/8/8/8/8/8/4K3 b - - 0 1",
            // Wrong corner: the bishop is dark, h8 too, but a8 is light.
            "k7/8/8/P7/8/8/8/2B1K3 w - - 0 1",
        ] {
            assert_eq!(value(fen), Some(0), "{fen}");
        }
        assert_ne!(value("7k/8/8/7P/8/8/8/2B1K3 w - - 0 1"), Some(0));
        assert_eq!(value("4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1"), None);
    }
}
