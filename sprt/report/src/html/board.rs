//! Positions as diagrams.

use maud::{Markup, html};

/// A diagram of the position that a FEN describes.
pub fn board(fen: &str) -> Markup {
    let placement = fen.split(' ').next().unwrap_or_default();
    let mut pieces = Vec::new();
    for (rank, row) in placement.split('/').enumerate() {
        let mut file = 0;
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(empty) => file += empty,
                None => {
                    pieces.push((10 * file, 10 * rank, letter));
                    file += 1;
                }
            }
        }
    }
    html! {
        svg.board viewBox="0 0 80 80" role="img" aria-label={ "Position " (fen) } {
            title { (fen) }
            rect.light-squares width="80" height="80" {}
            path.dark-squares d=(DARK_SQUARES) {}
            @for (x, y, letter) in pieces {
                text class=(if letter.is_uppercase() { "white-piece" } else { "black-piece" })
                    x=(x + 5) y=(y + 8) text-anchor="middle" { (glyph(letter)) }
            }
        }
    }
}

/// The dark squares as the even-odd overlap of four columns and four rows.
const DARK_SQUARES: &str = "M10 0h10v80h-10zM30 0h10v80h-10zM50 0h10v80h-10zM70 0h10v80h-10z\
                            M0 10h80v10h-80zM0 30h80v10h-80zM0 50h80v10h-80zM0 70h80v10h-80z";

/// The figure of a piece, filled, as text rather than as a colored picture.
fn glyph(letter: char) -> &'static str {
    match letter.to_ascii_lowercase() {
        'k' => "♚\u{fe0e}",
        'q' => "♛\u{fe0e}",
        'r' => "♜\u{fe0e}",
        'b' => "♝\u{fe0e}",
        'n' => "♞\u{fe0e}",
        _ => "♟\u{fe0e}",
    }
}
