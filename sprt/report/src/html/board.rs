//! Positions as diagrams.

use maud::{Markup, html};
use playable::Game;

/// Side of a square.
const SIDE: usize = 10;

/// The viewBox of a game's diagrams.
pub fn view_box(game: Game) -> String {
    let (files, ranks) = game.board();
    format!("0 0 {} {}", SIDE * files, SIDE * ranks)
}

/// A diagram of the position that a FEN of the game describes.
pub fn board(game: Game, fen: &str) -> Markup {
    let placement = fen.split(' ').next().unwrap_or_default();
    let mut men = Vec::new();
    for (rank, row) in placement.split('/').enumerate() {
        let (mut file, mut gap) = (0, 0);
        for letter in row.chars() {
            if let Some(digit) = letter.to_digit(10) {
                gap = 10 * gap + digit as usize;
                continue;
            }
            file += std::mem::take(&mut gap);
            men.push((SIDE * file, SIDE * rank, letter));
            file += 1;
        }
    }
    let (files, ranks) = game.board();
    html! {
        svg.board viewBox=(view_box(game)) role="img" aria-label={ "Position " (fen) } {
            title { (fen) }
            rect.light-squares width=(SIDE * files) height=(SIDE * ranks) {}
            path.dark-squares d=(dark_squares(files, ranks)) {}
            @for (x, y, letter) in men {
                text class=(if letter.is_uppercase() { "white-piece" } else { "black-piece" })
                    x=(x + 5) y=(y + 8) text-anchor="middle" { (figure(game, letter)) }
            }
        }
    }
}

/// The dark squares as the even-odd overlap of columns and rows.
fn dark_squares(files: usize, ranks: usize) -> String {
    let (wide, high) = (SIDE * files, SIDE * ranks);
    let every = |length: usize| (1..length).step_by(2).map(|at| SIDE * at);
    let columns = every(files).map(|x| format!("M{x} 0h10v{high}h-10z"));
    let rows = every(ranks).map(|y| format!("M0 {y}h{wide}v10h-{wide}z"));
    columns.chain(rows).collect()
}

/// The figure of a man, filled, as text rather than as a colored picture; its letter where it has none.
fn figure(game: Game, letter: char) -> String {
    let kind = letter.to_ascii_lowercase();
    match game.figures().iter().find(|(known, _)| *known == kind) {
        Some((_, figure)) => format!("{figure}\u{fe0e}"),
        None => letter.to_ascii_uppercase().to_string(),
    }
}
