//! Games as PGN.

use std::fmt::Write;

use engine::chess::{Color, Position};

use crate::game::GameRecord;
use crate::pair::PairRecord;

/// Widest line of move text, in characters.
const WIDTH: usize = 80;

/// The tags that all games of a run share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnTags {
    /// Event.
    pub event: String,
    /// The contestants' names.
    pub players: Vec<String>,
    /// Write the time of each move: where time decides, no run repeats another anyway.
    pub with_times: bool,
}

impl PgnTags {
    /// Both games of a pair. A comment behind each move gives the mover's score in pawns and the
    /// depth, and the time in seconds where time decides: `{+0.31/9 0.052s}`. No date is given, so that
    /// a run repeated gives the same bytes.
    pub fn pair(&self, pair: &PairRecord) -> String {
        let mut text = String::new();
        for (index, game) in pair.games.iter().enumerate() {
            let [first, second] = pair.players.map(|player| &self.players[player]);
            let names = match PairRecord::FIRST[index] {
                Color::White => [first, second],
                Color::Black => [second, first],
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
        tag("Termination", game.termination.as_str());
        text.push('\n');
        move_text(text, game, self.with_times);
        text.push('\n');
    }
}

fn move_text(text: &mut String, game: &GameRecord, with_times: bool) {
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
    let mut board = *game.start.board();
    // Written to by the million: one buffer for all words, and no floating point.
    let mut word = String::with_capacity(24);
    for (index, ply) in game.plies.iter().enumerate() {
        let mover = board.side_to_move();
        // A number before Black's move is only due at the start.
        if mover == Color::White || index == 0 {
            let dots = if mover == Color::White { "." } else { "..." };
            word.clear();
            write!(word, "{}{dots}", board.fullmove_number()).expect("writing to a string");
            push(&word);
        }
        push(&board.to_san(ply.mv));
        let score = if mover == Color::White { ply.score } else { -ply.score };
        let sign = if score < 0 { '-' } else { '+' };
        let score = score.unsigned_abs();
        let (pawns, hundredths, depth) = (score / 100, score % 100, ply.depth);
        word.clear();
        write!(word, "{{{sign}{pawns}.{hundredths:02}/{depth}").expect("writing to a string");
        if with_times {
            let (seconds, milliseconds) = (ply.time / 1_000_000, ply.time / 1000 % 1000);
            write!(word, " {seconds}.{milliseconds:03}s").expect("writing to a string");
        }
        word.push('}');
        push(&word);
        board.play(ply.mv);
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
        let ply = PlyRecord { mv, score: -31_000, depth: 3, nodes: 77, time: 1234 };
        let game = GameRecord {
            start: position.clone(),
            plies: vec![ply],
            result: GameResult::BlackWins,
            termination: Termination::Checkmate,
            fault: None,
            warnings: Vec::new(),
        };
        position.play(mv);
        assert!(position.outcome().is_some());
        let tags = PgnTags {
            event: "test".into(),
            players: vec!["new \"one\"".into(), "old".into()],
            with_times: false,
        };
        let text = tags.pair(&PairRecord {
            number: 4,
            opening: 0,
            players: [0, 1],
            games: [game.clone(), game],
            replays: Vec::new(),
        });
        let expected = "[Event \"test\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"5.1\"]\n\
            [White \"new \\\"one\\\"\"]\n[Black \"old\"]\n[Result \"0-1\"]\n[SetUp \"1\"]\n\
            [FEN \"6qk/8/8/8/8/8/r7/7K b - - 4 31\"]\n[PlyCount \"1\"]\n\
            [Termination \"checkmate\"]\n\n31... Qg2# {+310.00/3} 0-1\n\n";
        assert_eq!(&text[..expected.len()], expected);
        assert!(text.contains("[Round \"5.2\"]\n[White \"old\"]"));
    }
}
