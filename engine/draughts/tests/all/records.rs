//! Records of games.

use draughts::records::{GameRecord, parse_pdn, write_pdn};
use draughts::rules::Position;
use playable::GameResult;

use crate::game_suite::Chance;

/// Two records: one whole, one from a position.
const PDN: &str = "[Event \"a match\"]
[White \"x\"]
[Black \"y\"]
[Result \"0-1\"]
[GameType \"21\"]

1. 11-15 {the old fourteenth begins so} 23-19
2. 8-11 22-17 ; a comment to the end of the line
3. 4-8 (3. 11-16 24-20 (3... 17-13) 4. 16x23) 17-13
4. 15-18 24-20 0-1

[Event \"an ending\"]
[Result \"*\"]
[FEN \"W:WK31:B18,19,26,27\"]

1... 31x24x15x22x31 *
";

#[test]
fn records_are_read_as_they_are_written() {
    let mut chance = Chance(7);
    let results =
        [None, Some(GameResult::WhiteWins), Some(GameResult::Draw), Some(GameResult::BlackWins)];
    for game in 0..40 {
        let mut start = Position::start();
        let mut moves = Vec::new();
        let mut position = start.clone();
        for ply in 0..100 {
            if ply == game % 7 * 10 {
                (start, moves) = (Position::from_board(*position.board()), Vec::new());
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
        let text = write_pdn(&record);
        let twice = parse_pdn(&(text.clone() + "\n" + &text)).unwrap_or_else(|error| {
            panic!("{error}: {text}");
        });
        assert_eq!(twice.len(), 2, "{text}");
        for other in &twice {
            assert_eq!(record.tags, other.tags, "{text}");
            assert_eq!(record.start.board(), other.start.board(), "{text}");
            assert_eq!(record.moves, other.moves, "{text}");
            assert_eq!(record.result, other.result, "{text}");
            assert_eq!(write_pdn(other), text);
        }
    }
}

/// Each damage replaces a part of the record, and gives the error that names line and fault.
const DAMAGES: [(&str, &str, &str); 14] = [
    ("[Black \"y\"]", "[White \"y\"]", "line 1: White stands twice"),
    ("[Black \"y\"]", "[Black y]", "line 3: \"[Black\" is not written as a move"),
    ("\"0-1\"]", "\"0-2\"]", "line 1: \"0-2\" is no result"),
    ("\"0-1\"]", "\"1-0\"]", "line 1: the tag states another result than 0-1 behind the moves"),
    ("24-20 0-1", "24-20", "line 1: the tag states another result than * behind the moves"),
    ("\"21\"", "\"25\"", "line 1: the game type \"25\" is not that of English draughts, 21"),
    ("8-11", "8-12", "line 8: \"8-12\" is no legal move here"),
    ("8-11", "8-", "line 8: \"8-\" is not written as a move"),
    ("8-11 ", "", "line 8: \"22-17\" is no legal move here"),
    ("so}", "so", "line 7: a comment is not closed"),
    ("17-13) ", "17-13 ", "line 9: a variation is not closed"),
    ("4. 15-18", "1-0 4. 15-18", "line 10: moves follow the result"),
    ("B18,19", "B18,33", "line 12: \"33\" is no square from 1 to 32"),
    ("31x24x15x22x31", "31x31", "line 16: \"31x31\" may mean 31x22x15x24x31 or 31x24x15x22x31"),
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
