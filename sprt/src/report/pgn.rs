//! Games as PGN.

use std::fmt::Write;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use engine::chess::{Color, Position};

use crate::files::FileError;
use crate::game::GameRecord;
use crate::pair::PairRecord;

/// Widest line of move text, in characters.
const WIDTH: usize = 80;

/// The tags that all games of a run share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnTags {
    /// Event.
    pub event: String,
    /// The candidate's name.
    pub candidate: String,
    /// The baseline's name.
    pub baseline: String,
}

impl PgnTags {
    /// Both games of a pair. A comment behind each move gives the mover's score in pawns and the
    /// depth: `{+0.31/9}`. No date is given, so that a run repeated gives the same bytes.
    pub fn pair(&self, pair: &PairRecord) -> String {
        let mut text = String::new();
        for (index, game) in pair.games.iter().enumerate() {
            let names = match PairRecord::CANDIDATE[index] {
                Color::White => [&self.candidate, &self.baseline],
                Color::Black => [&self.baseline, &self.candidate],
            };
            let round = format!("{}.{}", pair.number + 1, index + 1);
            self.game(&mut text, game, names, &round);
        }
        text
    }

    fn game(&self, text: &mut String, game: &GameRecord, names: [&String; 2], round: &str) {
        let mut tag = |name: &str, value: &str| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(text, "[{name} \"{value}\"]").expect("writing to a string");
        };
        let chess960 = game.start.chess960();
        tag("Event", &self.event);
        tag("Site", "?");
        tag("Date", "????.??.??");
        tag("Round", round);
        tag("White", names[0]);
        tag("Black", names[1]);
        tag("Result", game.result.as_str());
        if chess960 {
            tag("Variant", "Chess960");
        }
        if game.start.key() != Position::start().key() {
            tag("SetUp", "1");
            tag("FEN", &game.start.to_fen(chess960));
        }
        tag("PlyCount", &game.plies.len().to_string());
        tag("Termination", game.failure.as_deref().unwrap_or(game.termination.as_str()));
        text.push('\n');
        move_text(text, game);
        text.push('\n');
    }
}

/// The file of a run's games.
#[derive(Debug)]
pub struct PgnFile {
    path: PathBuf,
    writer: BufWriter<File>,
    tags: PgnTags,
}

impl PgnFile {
    /// Creates the file anew.
    ///
    /// # Errors
    /// It cannot be created.
    pub fn create(path: &Path, tags: PgnTags) -> Result<PgnFile, FileError> {
        let file = File::create(path).map_err(FileError::at("write", path))?;
        Ok(PgnFile { path: path.to_path_buf(), writer: BufWriter::new(file), tags })
    }

    /// Appends both games of a pair.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn append(&mut self, pair: &PairRecord) -> Result<(), FileError> {
        let text = self.tags.pair(pair);
        io::Write::write_all(&mut self.writer, text.as_bytes())
            .map_err(FileError::at("write", &self.path))
    }

    /// Hands what was appended to the operating system.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn flush(&mut self) -> Result<(), FileError> {
        io::Write::flush(&mut self.writer).map_err(FileError::at("write", &self.path))
    }
}

fn move_text(text: &mut String, game: &GameRecord) {
    let mut column = 0;
    let mut push = |word: &str| {
        if column > 0 && column + 1 + word.len() > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    };
    let mut position = game.start.clone();
    for (index, ply) in game.plies.iter().enumerate() {
        let mover = position.side_to_move();
        let number = position.fullmove_number();
        match mover {
            Color::White => push(&format!("{number}.")),
            // A comment stands between the moves, but numbers for Black are only due at the start.
            Color::Black if index == 0 => push(&format!("{number}...")),
            Color::Black => {}
        }
        push(&position.to_san(ply.mv));
        let score = if mover == Color::White { ply.score } else { -ply.score };
        push(&format!("{{{:+.2}/{}}}", f64::from(score) / 100.0, ply.depth));
        position.play(ply.mv);
    }
    push(game.result.as_str());
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameResult, PlyRecord, Termination};

    #[test]
    fn a_game_from_a_position_with_black_to_move() {
        let mut position = Position::from_fen("6qk/8/8/8/8/8/r7/7K b - - 4 31").expect("good");
        let mv = position.parse_uci("g8g2").expect("legal");
        let ply = PlyRecord { mv, score: -31_000, depth: 3, nodes: 77 };
        let game = GameRecord {
            start: position.clone(),
            plies: vec![ply],
            result: GameResult::BlackWins,
            termination: Termination::Checkmate,
            failure: None,
        };
        position.play(mv);
        assert!(position.outcome().is_some());
        let tags = PgnTags {
            event: "test".into(),
            candidate: "new \"one\"".into(),
            baseline: "old".into(),
        };
        let text = tags.pair(&PairRecord { number: 4, opening: 0, games: [game.clone(), game] });
        let expected = "[Event \"test\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"5.1\"]\n\
            [White \"new \\\"one\\\"\"]\n[Black \"old\"]\n[Result \"0-1\"]\n[SetUp \"1\"]\n\
            [FEN \"6qk/8/8/8/8/8/r7/7K b - - 4 31\"]\n[PlyCount \"1\"]\n\
            [Termination \"checkmate\"]\n\n31... Qg2# {+310.00/3} 0-1\n\n";
        assert_eq!(&text[..expected.len()], expected);
        assert!(text.contains("[Round \"5.2\"]\n[White \"old\"]"));
    }
}
