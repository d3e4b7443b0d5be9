//! What people are shown of positions: a diagram, and counts of moves.

use std::fmt::Write;

use crate::chess::rules::{Color, Position, Square, perft_divide_until};
use crate::engine::Control;

/// The board from White's side, the FEN, the key, and who gives check.
pub fn diagram(position: &Position, chess960: bool) -> String {
    let rule = "  +---+---+---+---+---+---+---+---+\n";
    let mut text = String::from(rule);
    for rank in (0..8).rev() {
        write!(text, "{} |", rank + 1).expect("strings take all");
        for file in 0..8 {
            let letter = match position.piece_on(Square::from_coordinates(file, rank)) {
                None => ' ',
                Some(piece) => match piece.color() {
                    Color::White => piece.kind().letter().to_ascii_uppercase(),
                    Color::Black => piece.kind().letter().to_ascii_lowercase(),
                },
            };
            write!(text, " {letter} |").expect("strings take all");
        }
        text += "\n";
        text += rule;
    }
    text += "    a   b   c   d   e   f   g   h\n\n";
    let checkers = position.checkers().into_iter().map(|square| format!(" {square}"));
    writeln!(text, "Fen: {}", position.to_fen(chess960)).expect("strings take all");
    writeln!(text, "Key: {:016x}", position.key()).expect("strings take all");
    writeln!(text, "Checkers:{}", checkers.collect::<String>()).expect("strings take all");
    text
}

/// The counts of [`perft_divide_until`] as other engines print them: `e2e4: 20` for each first move, an
/// empty line, `Nodes searched: N`. None if `control` stops the count.
pub fn perft(position: &Position, depth: u32, chess960: bool, control: &Control) -> Option<String> {
    if depth == 0 {
        return Some("\nNodes searched: 1\n".to_string());
    }
    let counts = perft_divide_until(position, depth, &|| control.is_stopped())?;
    let mut text = String::new();
    for (mv, count) in &counts {
        writeln!(text, "{}: {count}", position.uci(*mv, chess960)).expect("strings take all");
    }
    let total: u64 = counts.iter().map(|(_, count)| count).sum();
    writeln!(text, "\nNodes searched: {total}").expect("strings take all");
    Some(text)
}
