//! Positions shown to people: a board, and counts of moves.

use std::fmt::Write;

use playable::{BoardStyle, Color, Control, Game, Position};
use system::paint;

/// The board in figures, from the side that looks at it. Where both sides share figures, colors tell them
/// apart, and letters where there are none.
pub fn board(position: &Position, from: Color, is_colored: bool) -> String {
    let game = position.game();
    let (files, ranks) = game.board();
    let order = |index: usize, of: usize| if from == Color::White { index } else { of - 1 - index };
    let men = Men::of(game, is_colored);
    let margin = (ranks - 1 + game.first_rank()).to_string().len();
    let mut text = String::new();
    for row in 0..ranks {
        let rank = order(ranks - 1 - row, ranks);
        text += &format!("  {:>margin$} ", rank + game.first_rank());
        for file in (0..files).map(|file| order(file, files)) {
            text += &match position.man_on(rank * files + file) {
                Some(letter) => men.text(letter),
                None => men.padded(empty(game.board_style(), file, rank)),
            };
        }
        text.truncate(text.trim_end().len());
        text += "\n";
        if let BoardStyle::Points(board) = game.board_style()
            && row + 1 == if from == Color::White { ranks - board.river } else { board.river }
        {
            text += &format!("{:margin$}   {}\n", "", men.padded('~').repeat(files).trim_end());
        }
    }
    let letter = |file| men.padded(char::from(b'a' + order(file, files) as u8));
    let letters: String = (0..files).map(letter).collect();
    text + &format!("{:margin$}   {}\n", "", letters.trim_end())
}

/// The sign of an empty place; palaces have one of their own.
fn empty(style: BoardStyle, file: usize, rank: usize) -> char {
    let BoardStyle::Points(board) = style else { return '·' };
    let is_near = |&(x, y): &(usize, usize)| x.abs_diff(file) <= 1 && y.abs_diff(rank) <= 1;
    if board.palaces.iter().any(is_near) { '+' } else { '·' }
}

/// How men are shown.
struct Men {
    figures: &'static [(char, char)],
    is_painted: bool,
    /// Characters of the figures are as wide as two letters.
    are_wide: bool,
}

impl Men {
    fn of(game: Game, is_colored: bool) -> Men {
        let figures = game.figures();
        let are_shared =
            (1..figures.len()).any(|at| figures[..at].iter().any(|it| it.1 == figures[at].1));
        let figures = if are_shared && !is_colored { &[] } else { figures };
        let are_wide = figures.iter().any(|(_, figure)| ('\u{2e80}'..'\u{d7a4}').contains(figure));
        Men { figures, is_painted: are_shared && is_colored, are_wide }
    }

    /// A sign with the room that a man takes.
    fn padded(&self, sign: char) -> String {
        format!(" {sign}{}", if self.are_wide { " " } else { "" })
    }

    fn text(&self, letter: char) -> String {
        let figure = self.figures.iter().find(|(known, _)| *known == letter);
        let Some((_, figure)) = figure else { return self.padded(letter) };
        match self.is_painted && letter.is_uppercase() {
            true => format!(" {}", paint::painted(paint::BAD, figure)),
            false => format!(" {figure}"),
        }
    }
}

/// Counts of leaves as other engines print them: `e2e4: 20` for each first move, an
/// empty line, `Nodes searched: N`. None if `control` stops the count.
/// Moves are in a dialect of the game.
pub fn perft(position: &Position, depth: u32, dialect: usize, control: &Control) -> Option<String> {
    if depth == 0 {
        return Some("\nNodes searched: 1\n".to_string());
    }
    let counts = position.perft(depth, &|| control.is_stopped())?;
    let mut text = String::new();
    for (mv, count) in &counts {
        position.push_dialect(*mv, dialect, &mut text);
        writeln!(text, ": {count}").expect("strings take all");
    }
    let total: u64 = counts.iter().map(|(_, count)| count).sum();
    writeln!(text, "\nNodes searched: {total}").expect("strings take all");
    Some(text)
}

/// The number before a move: `12.`, or `12...` where the second side moves.
pub fn move_number(position: &Position) -> String {
    let dots = if position.side_to_move() == Color::White { "." } else { "..." };
    format!("{}{dots}", position.move_number())
}
