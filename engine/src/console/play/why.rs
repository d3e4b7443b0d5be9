//! Why the engine moved so: what it expected, and what that changes in its evaluation.

use std::fmt::Write;

use playable::{Color, Numbers, Outcome, Position, Terms, mate_in};

use crate::console::show::move_number;

/// Columns of a terminal, less one.
const WIDTH: usize = 79;

/// How many terms are shown.
const TERMS: usize = 6;

/// The engine's thoughts before a move.
pub struct Thought {
    /// The position that it thought about.
    pub before: Position,
    /// The answer that it found.
    pub found: Outcome,
}

impl Thought {
    /// The score, the expected line, and the terms that change most along it.
    pub fn explain(&self, numbers: &Numbers) -> String {
        let (game, side) = (numbers.game(), self.before.side_to_move());
        let name = game.color_names()[side.index()];
        let score = match mate_in(self.found.score) {
            Some(moves) if self.found.score > 0 => format!("{name} mates in {moves}"),
            Some(moves) => format!("{name} is mated in {}", moves.abs()),
            None => format!("{:+.2} for {name}", f64::from(self.found.score) / 100.0),
        };
        let (depth, nodes) = (self.found.depth, self.found.nodes);
        let mut text = format!("{score}, seen {depth} plies deep with {nodes} nodes.\n");
        let (line, after) = self.line();
        text += &wrapped("It expects", &line);
        match [&self.before, &after].map(|it| game.terms(numbers, it)) {
            [Some(before), Some(after)] => text + &changes(&before, &after, side),
            _ => text,
        }
    }

    /// The words of the expected line, and the position at its end.
    fn line(&self) -> (Vec<String>, Position) {
        let mut position = self.before.clone();
        let mut words = Vec::new();
        for &mv in &self.found.pv {
            if !position.is_legal(mv) {
                break;
            }
            if words.is_empty() || position.side_to_move() == Color::White {
                words.push(move_number(&position));
            }
            words.push(position.to_san(mv));
            position.play(mv);
        }
        (words, position)
    }
}

/// Words behind a beginning, in lines that a terminal has room for.
fn wrapped(beginning: &str, words: &[String]) -> String {
    let mut text = beginning.to_owned();
    let mut width = beginning.len();
    for word in words {
        if width + 1 + word.len() > WIDTH {
            text += "\n ";
            width = 1;
        }
        text += " ";
        text += word;
        width += 1 + word.len();
    }
    text + "\n"
}

/// The terms that change most for a side between two evaluations.
fn changes(before: &Terms, after: &Terms, side: Color) -> String {
    let sign = if side == Color::White { 1 } else { -1 };
    let mut terms: Vec<(String, [i32; 2])> = Vec::new();
    for (index, counted) in [before, after].into_iter().enumerate() {
        for (path, share) in &counted.shares {
            let known = terms.iter_mut().find(|(name, _)| name == path);
            match known {
                Some((_, leads)) => leads[index] = sign * share,
                None => {
                    let mut leads = [0; 2];
                    leads[index] = sign * share;
                    terms.push((path.clone(), leads));
                }
            }
        }
    }
    let values = [sign * before.value, sign * after.value];
    let rest: Vec<i32> = (0..2)
        .map(|index| values[index] - terms.iter().map(|(_, leads)| leads[index]).sum::<i32>())
        .collect();
    terms.push(("all else".to_owned(), [rest[0], rest[1]]));
    // A known endgame is counted by no terms.
    if before.shares.is_empty() || after.shares.is_empty() {
        terms.clear();
    }
    terms.retain(|(_, [then, now])| then != now);
    terms.sort_by_key(|(_, [then, now])| -(now - then).abs());
    terms.truncate(TERMS);
    terms.push(("evaluation".to_owned(), values));
    let mut text = String::from("The greatest changes along this line, in centipawns for it:\n");
    writeln!(text, "  {:<34}{:>8}{:>8}{:>8}", "term", "now", "then", "change")
        .expect("strings take all");
    for (name, [then, now]) in terms {
        writeln!(text, "  {name:<34}{then:>8}{now:>8}{:>+8}", now - then)
            .expect("strings take all");
    }
    text
}
