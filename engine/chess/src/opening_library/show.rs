//! A library as text.

use std::fmt::Write;

use super::{Library, LibraryMove, Tally};
use crate::rules::{Color, Move, Position};

impl Library {
    /// The tree below a sequence of moves from the start of a game, down to `plies` more: a line a
    /// move with assessment, games, and how they ended; an asterisk marks the moves that are played.
    /// `None` if the library does not know the moves.
    pub fn show(&self, line: &[Move], plies: usize) -> Option<String> {
        let index = self.find(line)?;
        let mut position = Position::start();
        let mut words = Vec::new();
        for &mv in line {
            words.push(numbered(&position, mv, words.is_empty()));
            position.play(mv);
        }
        let title = if words.is_empty() { "The start".to_owned() } else { words.join(" ") };
        let entry = &self.entries[index];
        let mut text = String::new();
        row(&mut text, &title, entry.assessment, &entry.tally);
        self.show_below(index, &mut position, plies, 1, &mut text);
        Some(text)
    }

    fn show_below(
        &self,
        index: usize,
        position: &mut Position,
        plies: usize,
        indent: usize,
        text: &mut String,
    ) {
        if plies == 0 {
            return;
        }
        let mut replies: Vec<LibraryMove> = self.replies_at(index, position);
        // Order: the most played moves first, among equals those that the library plays.
        replies.sort_by_key(|it| (std::cmp::Reverse((it.tally.games(), it.is_best)), it.mv.bits()));
        for reply in replies {
            let mark = if reply.is_best { "*" } else { "" };
            let name = numbered(position, reply.mv, true);
            let name = format!("{:indent$}{name}{mark}", "", indent = 2 * indent);
            row(text, &name, reply.assessment, &reply.tally);
            position.play(reply.mv);
            self.show_below(reply.index, position, plies - 1, indent + 1, text);
            position.undo();
        }
    }
}

/// A move with its number, as one writes it; Black's without, unless it comes `first`.
fn numbered(position: &Position, mv: Move, first: bool) -> String {
    let san = position.to_san(mv);
    match position.side_to_move() {
        Color::White => format!("{}. {san}", position.fullmove_number()),
        Color::Black if first => format!("{}... {san}", position.fullmove_number()),
        Color::Black => san,
    }
}

fn row(text: &mut String, name: &str, assessment: super::Assessment, tally: &Tally) {
    let Tally { white_wins, draws, black_wins, .. } = *tally;
    let grade = if assessment == 0 { " 0".to_owned() } else { format!("{assessment:+}") };
    let games = tally.games();
    writeln!(text, "{name:<32} {grade}  {games:>7} games  +{white_wins} ={draws} -{black_wins}")
        .expect("a text takes all");
}
