//! Positions shown to people: a board, and counts of moves.

use std::fmt::Write;

use chess::engine::Control;
use chess::rules::{Color, Piece, PieceType, Position, Square};

/// The board in figurines, from the side that looks at it.
pub fn board(position: &Position, from: Color) -> String {
    let order = |index: u8| if from == Color::White { index } else { 7 - index };
    let mut text = String::new();
    for rank in (0..8).rev().map(order) {
        write!(text, "  {} ", rank + 1).expect("strings take all");
        for file in (0..8).map(order) {
            let piece = position.piece_on(Square::from_coordinates(file, rank));
            write!(text, " {}", piece.map_or('·', figurine)).expect("strings take all");
        }
        text += "\n";
    }
    let files: String = (0..8).map(order).flat_map(|file| [' ', char::from(b'a' + file)]).collect();
    text + "    " + &files + "\n"
}

/// The sign of a piece on a diagram.
fn figurine(piece: Piece) -> char {
    let white = match piece.kind() {
        PieceType::King => '♔',
        PieceType::Queen => '♕',
        PieceType::Rook => '♖',
        PieceType::Bishop => '♗',
        PieceType::Knight => '♘',
        PieceType::Pawn => '♙',
    };
    match piece.color() {
        Color::White => white,
        // Black's stand behind White's in the same order.
        Color::Black => char::from_u32(white as u32 + 6).unwrap_or(white),
    }
}

/// Counts of leaves as other engines print them: `e2e4: 20` for each first move, an
/// empty line, `Nodes searched: N`. None if `control` stops the count.
pub fn perft(position: &playable::Position, depth: u32, control: &Control) -> Option<String> {
    if depth == 0 {
        return Some("\nNodes searched: 1\n".to_string());
    }
    let counts = position.perft(depth, &|| control.is_stopped())?;
    let mut text = String::new();
    for (mv, count) in &counts {
        writeln!(text, "{}: {count}", position.uci(*mv)).expect("strings take all");
    }
    let total: u64 = counts.iter().map(|(_, count)| count).sum();
    writeln!(text, "\nNodes searched: {total}").expect("strings take all");
    Some(text)
}

/// The number before a move: `12.`, or `12...` for Black's.
pub fn move_number(position: &Position) -> String {
    let dots = if position.side_to_move() == Color::White { "." } else { "..." };
    format!("{}{dots}", position.fullmove_number())
}
