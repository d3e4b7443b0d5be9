//! Positions as diagrams.

use std::collections::BTreeMap;
use std::fmt::Write;

use maud::{Markup, html};
use playable::{BoardStyle, Game, PointBoard};

/// Side of a square, or the distance of lines.
const SIDE: usize = 10;

/// Room for names of files and ranks beside a board of points.
const MARGIN: usize = 3;

/// Radius of a man that stands on a point.
const RADIUS: &str = "4.4";

/// The viewBox of a game's diagrams.
pub fn view_box(game: Game) -> String {
    let (files, ranks) = game.board();
    format!("0 0 {} {}", SIDE * files, SIDE * ranks)
}

/// The same with room for names of files and ranks, which have none between men on points.
pub fn wide_view_box(game: Game) -> String {
    let (files, ranks) = game.board();
    match game.board_style() {
        BoardStyle::Squares => view_box(game),
        BoardStyle::Points(_) => {
            let (wide, high) = (SIDE * files + 2 * MARGIN, SIDE * ranks + MARGIN);
            format!("-{MARGIN} 0 {wide} {high}")
        }
    }
}

/// The classes of a game's diagrams.
pub fn classes(game: Game) -> &'static str {
    match game.board_style() {
        BoardStyle::Squares => "board",
        BoardStyle::Points(_) => "board points",
    }
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
    let figures = figures(game);
    let is_of_points = game.board_style() != BoardStyle::Squares;
    html! {
        svg class=(classes(game)) viewBox=(view_box(game)) role="img" aria-label={ "Position " (fen) } {
            title { (fen) }
            (ground(game))
            @for (x, y, letter) in men {
                @let class = if letter.is_uppercase() { "white-piece" } else { "black-piece" };
                @if is_of_points { circle class=(class) cx=(x + 5) cy=(y + 5) r=(RADIUS) {} }
                text class=(class) x=(x + 5) y=(y + 8) text-anchor="middle" {
                    @match figures.get(&letter) {
                        Some(figure) => (figure),
                        None => (letter.to_ascii_uppercase()),
                    }
                }
            }
        }
    }
}

/// The figures of men by their letters. On squares both sides have the filled ones of the second, which
/// colors tell apart, as text rather than as colored pictures.
pub fn figures(game: Game) -> BTreeMap<char, String> {
    let figures = game.figures();
    let of = |letter| figures.iter().find(|(known, _)| *known == letter).map(|(_, figure)| *figure);
    let figure = |&(letter, figure): &(char, char)| match game.board_style() {
        BoardStyle::Points(_) => figure.to_string(),
        BoardStyle::Squares => {
            let filled = of(letter.to_ascii_lowercase()).unwrap_or(figure);
            format!("{filled}\u{fe0e}")
        }
    };
    figures.iter().map(|it| (it.0, figure(it))).collect()
}

/// The board without men.
pub fn ground(game: Game) -> Markup {
    let (files, ranks) = game.board();
    let (wide, high) = (SIDE * files, SIDE * ranks);
    html! {
        @match game.board_style() {
            BoardStyle::Squares => {
                rect.light-squares width=(wide) height=(high) {}
                path.dark-squares d=(dark_squares(files, ranks)) {}
            }
            BoardStyle::Points(board) => {
                rect.light-squares x={ "-" (MARGIN) } width=(wide + 2 * MARGIN) height=(high + MARGIN) {}
                path.lines d=(lines(files, ranks, &board)) {}
                @let middle = SIDE * (ranks - board.river);
                @for (place, words) in (1..).step_by(2).zip(board.river_words) {
                    text.river x=(wide * place / 4) y=(middle) text-anchor="middle" dy=".36em" { (words) }
                }
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

/// The lines of a board of points: files, ranks, palaces, marks.
fn lines(files: usize, ranks: usize, board: &PointBoard) -> String {
    let middle = |index: usize| SIDE * index + SIDE / 2;
    let point = |&(file, rank): &(usize, usize)| (middle(file), middle(ranks - 1 - rank));
    let (right, bottom) = (middle(files - 1), middle(ranks - 1));
    let mut path = String::new();
    for y in (0..ranks).map(middle) {
        let _ = write!(path, "M5 {y}H{right}");
    }
    let (far, near) = (middle(ranks - board.river - 1), middle(ranks - board.river));
    for x in (0..files).map(middle) {
        let river = if x == 5 || x == right { String::new() } else { format!("V{far}M{x} {near}") };
        let _ = write!(path, "M{x} 5{river}V{bottom}");
    }
    for (x, y) in board.palaces.iter().map(point) {
        let _ = write!(path, "M{} {}l20 20m0-20l-20 20", x - SIDE, y - SIDE);
    }
    for (x, y) in board.marks.iter().map(point) {
        for [across, down] in [["-", "-"], ["-", ""], ["", "-"], ["", ""]] {
            let is_outside = if across.is_empty() { x == right } else { x == 5 };
            if !is_outside {
                // From beside the rank to the corner, and from there along it.
                let back = if down.is_empty() { "-" } else { "" };
                let _ = write!(path, "M{x} {y}m{across}.9 {down}2.4v{back}1.5h{across}1.5");
            }
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_on_points_are_characters_on_discs_between_lines() {
        let start = xiangqi::GAME.start().to_fen();
        let text = board(xiangqi::GAME, &start).into_string();
        assert_eq!(text.matches("<circle class=\"white-piece\"").count(), 16, "{text}");
        assert_eq!(text.matches(">车</text>").count(), 4, "{text}");
        assert_eq!(text.matches(">帅</text>").count(), 1, "{text}");
        assert!(text.contains("M15 5V45M15 55V95"), "inner files end at the river: {text}");
        assert!(text.contains("M5 5V95") && text.contains("M85 5V95"), "outer ones do not: {text}");
        assert_eq!(text.matches("l20 20m0-20l-20 20").count(), 2, "palaces: {text}");
    }

    #[test]
    fn men_on_squares_of_both_sides_have_filled_figures() {
        let text = board(chess::GAME, "7k/8/8/8/8/8/8/K7 w - - 0 1").into_string();
        assert_eq!(text.matches(">♚\u{fe0e}</text>").count(), 2, "{text}");
        assert!(!text.contains("circle") && text.contains("dark-squares"), "{text}");
    }
}
