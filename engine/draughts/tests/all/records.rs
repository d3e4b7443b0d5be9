//! Records of games.

use draughts::GAME;
use pgn::records::{GameRecord, RecordError, parse, write};
use playable::GameResult;

use crate::game_suite::Chance;

/// Two records: one whole, with squares as names and as numbers, one from a position.
const PDN: &str = "[Event \"a match\"]
[White \"x\"]
[Black \"y\"]
[Result \"0-1\"]
[GameType \"25\"]

1. c3-d4 {the center} 24-20
2. b2-c3 g7-h6 ; a comment to the end of the line
3. c3-b4 (3. g3-f4 g5xe3 (3... b6-a5) 4. d2xf4) g5-h4
4. b4-a5 b6-c5 0-1

[Event \"an ending\"]
[Result \"*\"]
[FEN \"W:WKh6:BKa1,Kc3,Ke5,Ke7,Kg5\"]

1. h6:d2:b4:f8 *
";

fn parse_pdn(text: &str) -> Result<Vec<GameRecord>, RecordError> {
    parse(text, GAME)
}

#[test]
fn records_are_read_as_they_are_written() {
    let mut chance = Chance(7);
    let results =
        [None, Some(GameResult::WhiteWins), Some(GameResult::Draw), Some(GameResult::BlackWins)];
    for game in 0..40 {
        let mut start = GAME.start();
        let mut moves = Vec::new();
        let mut position = start.clone();
        for ply in 0..100 {
            if ply == game % 7 * 10 {
                (start, moves) = (position.clone(), Vec::new());
                start.forget_past();
            }
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = legal[chance.below(legal.len())];
            position.play(mv);
            moves.push(mv);
        }
        let tags = [("Event", "<\"\\&amp;]>"), ("White", "{;)'"), ("Black", "[x]")];
        let tags = tags.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        let record = GameRecord { tags, start, moves, result: results[game % 4] };
        let text = write(&record, 0);
        let twice = parse_pdn(&(text.clone() + "\n" + &text)).unwrap_or_else(|error| {
            panic!("{error}: {text}");
        });
        assert_eq!(twice.len(), 2, "{text}");
        for other in &twice {
            assert_eq!(record.tags, other.tags, "{text}");
            assert_eq!(record.start.to_fen(), other.start.to_fen(), "{text}");
            assert_eq!(record.moves, other.moves, "{text}");
            assert_eq!(record.result, other.result, "{text}");
            assert_eq!(write(other, 0), text);
        }
    }
}

/// Each damage replaces a part of the record, and gives the error that names line and fault.
const DAMAGES: [(&str, &str, &str); 16] = [
    ("[Black \"y\"]", "[White \"y\"]", "line 3: White stands twice"),
    ("[Black \"y\"]", "[Black y]", "line 3: a tag is written [Name \"value\"]"),
    ("[Black \"y\"]", "[Black \"y]", "line 3: a tag is written [Name \"value\"]"),
    ("\"0-1\"]", "\"0-2\"]", "line 4: \"0-2\" is no result"),
    ("\"0-1\"]", "\"1-0\"]", "line 10: the tag states another result than 0-1"),
    ("b6-c5 0-1", "b6-c5 *", "line 10: the tag states another result than *"),
    ("\"25\"", "\"21\"", "line 5: the game type \"21\" is not that of draughts, 25"),
    ("b2-c3", "b2-c5", "line 8: \"b2-c5\" is no legal move here"),
    ("b2-c3", "b2-", "line 8: \"b2-\" is not written as a move"),
    ("b2-c3 ", "", "line 8: \"g7-h6\" is no legal move here"),
    ("center}", "center", "line 7: a comment is not closed"),
    ("b6-a5) ", "b6-a5 ", "line 9: a variation is not closed"),
    ("b6-a5) ", "b6-a5)) ", "line 9: ')' closes nothing"),
    ("4. b4-a5", "0-1 4. b4-a5", "line 10: a record begins with its tags"),
    ("Ke7,", "33,", "line 14: \"33\" is no dark square, by name or by a number from 1 to 32"),
    ("h6:d2:b4:f8", "h6:f8", "line 16: \"h6:f8\" may mean h6d2b4f8 or h6f4d6f8"),
];

#[test]
fn damaged_records_are_refused_with_line_and_reason() {
    for (part, damage, error) in DAMAGES {
        let text = PDN.replacen(part, damage, 1);
        assert_ne!(text, PDN, "{part}");
        assert_eq!(parse_pdn(&text).expect_err(damage).to_string(), error, "{part} {damage}");
    }
}

/// Records that end anywhere, or lack or have any sign, are read or refused.
#[test]
fn no_damage_panics() {
    assert_eq!(parse_pdn(PDN).expect("records").len(), 2);
    for (at, c) in PDN.char_indices() {
        let (before, behind) = (&PDN[..at], &PDN[at + c.len_utf8()..]);
        for damaged in [before.to_owned(), before.to_owned() + behind] {
            let _ = parse_pdn(&damaged);
        }
        for sign in ["\"", "\\", "[", "{", "(", "}", "\n", "x", "-", "."] {
            let _ = parse_pdn(&format!("{before}{sign}{behind}"));
        }
    }
}
