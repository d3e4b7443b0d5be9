//! Records of games.

use pgn::records::{GameRecord, RecordError, parse, write, write_xml};
use playable::{GameResult, Move};
use xiangqi::GAME;
use xiangqi::rules::Move as OwnMove;

use crate::notation::{CROWDED, Numbers};

pub const PGN: &str = r#"[Event "杯 \"五羊\" \\"]
[Date "2001.??.??"]
[Red "甲"]
[Black "乙"]
[Result "1-0"]

1. 炮二平五 炮8平5 {two
lines (and more)} 2.炮五进四 士4进5
(2... 马8进7 (2... 士6进5 {)}) 3. 炮五退二 ; )
)
3. 马二进三! 马8进7 $1 4. 炮八平五 马2进3 5. 前炮退二
1-0

[Event "?"]
[FEN "3k5/9/9/9/9/9/9/9/9/R3K4 b - - 3 46"]

46... 将4进1 47. R9+1 *
"#;

pub const XML: &str = "<?xml version='1.0'?>
<!-- a game -->
<game>
  <event>A &amp; B &lt;&#x4e2d;&#25991;&gt;</event>
  <site/>
  <date>2001.??.??</date>
  <red> 甲 </red>
  <black>乙</black>
  <fen>rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r - - 0 1</fen>
  <result>1/2-1/2</result>
  <move>炮二平五</move>
  <move>炮8平5</move>
  <!-- check -->
  <move>炮五进四</move>
</game>
";

/// The number of the notation of the World Xiangqi Federation.
const WXF: usize = 0;

pub fn parse_pgn(text: &str) -> Result<Vec<GameRecord>, RecordError> {
    parse(text, GAME)
}

pub fn parse_xml(text: &str) -> Result<GameRecord, RecordError> {
    pgn::records::parse_xml(text, GAME)
}

fn coordinates(moves: &[Move]) -> String {
    let text = |mv: &Move| mv.typed::<OwnMove>().to_string();
    moves.iter().map(text).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_text_of_records_is_read() {
    // The second game is in one notation only.
    let records = parse_pgn(&PGN.replace("R9+1", "车九进一")).expect("records");
    let [first, second] = &records[..] else { panic!("{} records", records.len()) };
    let tags =
        [("Event", "杯 \"五羊\" \\"), ("Date", "2001.??.??"), ("Red", "甲"), ("Black", "乙")];
    assert_eq!(first.tags, tags.map(|(name, value)| (name.to_owned(), value.to_owned())));
    assert_eq!(first.result, Some(GameResult::WhiteWins));
    assert_eq!(coordinates(&first.moves), "h2e2 h7e7 e2e6 d9e8 h0g2 h9g7 b2e2 b9c7 e6e4");
    assert_eq!(second.result, None);
    assert_eq!(second.start.move_number(), 46);
    assert_eq!(coordinates(&second.moves), "d9d8 a0a1");
    let written = write(second, WXF);
    assert!(written.ends_with("\n\n46... K4+1\n47. R9+1 *\n"), "{written}");
}

#[test]
fn a_record_in_xml_is_read() {
    let record = parse_xml(XML).expect("a record");
    let tags = [
        ("Event", "A & B <中文>"),
        ("Site", ""),
        ("Date", "2001.??.??"),
        ("Red", "甲"),
        ("Black", "乙"),
    ];
    assert_eq!(record.tags, tags.map(|(name, value)| (name.to_owned(), value.to_owned())));
    assert_eq!(record.result, Some(GameResult::Draw));
    assert_eq!(coordinates(&record.moves), "h2e2 h7e7 e2e6");
}

fn agree(record: &GameRecord, other: &GameRecord, text: &str) {
    assert_eq!(record.tags, other.tags, "{text}");
    assert_eq!(record.start.to_fen(), other.start.to_fen(), "{text}");
    assert_eq!(record.moves, other.moves, "{text}");
    assert_eq!(record.result, other.result, "{text}");
}

#[test]
fn records_are_read_as_they_are_written() {
    let mut numbers = Numbers(7);
    let results =
        [None, Some(GameResult::WhiteWins), Some(GameResult::Draw), Some(GameResult::BlackWins)];
    let starts = CROWDED.map(|fen| GAME.position(fen).expect("a position"));
    for (game, start) in [GAME.start()].into_iter().chain(starts).enumerate() {
        let (mut position, mut moves) = (start.clone(), Vec::new());
        for _ in 0..40 + game {
            let legal = position.legal_moves();
            let Some(&mv) = legal.get(numbers.below(legal.len().max(1))) else { break };
            position.play(mv);
            moves.push(mv);
        }
        let tags = [("Event", "<\"\\&amp;]>"), ("Red", "车 [x]"), ("Black", "{;)'")];
        let tags = tags.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        let record = GameRecord { tags, start, moves, result: results[game % 4] };
        for notation in 0..GAME.notations().len() {
            let text = write(&record, notation);
            let twice = parse_pgn(&(text.clone() + &text)).expect("records");
            assert_eq!(twice.len(), 2);
            twice.iter().for_each(|other| agree(&record, other, &text));
            let text = write_xml(&record, notation);
            agree(&record, &parse_xml(&text).expect("a record"), &text);
        }
    }
}

/// Each damage replaces a part of the record, and gives the error that names line and fault.
const PGN_DAMAGES: [(&str, &str, &str); 16] = [
    ("[Red \"甲\"]", "[Red \"甲]", "line 3: a tag is written [Name \"value\"]"),
    ("[Red \"甲\"]", "[Red 甲]", "line 3: a tag is written [Name \"value\"]"),
    ("[Red \"甲\"]", "[Red \"甲\"", "line 3: a tag is written [Name \"value\"]"),
    ("[Black \"乙\"]", "[Red \"乙\"]", "line 4: Red stands twice"),
    ("[Result \"1-0\"]", "[Result \"1-1\"]", "line 5: \"1-1\" is no result"),
    ("[Result \"1-0\"]", "[Result \"0-1\"]", "line 12: the tag states another result than 1-0"),
    ("炮8平5", "炮8平8", "line 7: \"炮8平8\" is no legal move here"),
    ("炮8平5", "炮8", "line 7: \"炮8\" is not written as a move"),
    ("士4进5", "", "line 11: \"马二进三\" is no legal move here"),
    ("{)})", "{))", "line 9: a comment is not closed"),
    ("{)})", "{)}", "line 9: a variation is not closed"),
    ("1-0\n\n", "1-0\n) ", "line 13: ')' closes nothing"),
    ("1-0\n\n", "1-0\n1. 炮二平五 ", "line 13: a record begins with its tags"),
    ("R3K4 b", "R8 b", "line 15: there is no K"),
    ("46... 将4进1 47. R9+1", "R9+1", "line 17: \"R9+1\" is no legal move here"),
    (" 47. R9+1 *", "", "line 18: the result is missing"),
];

#[test]
fn damaged_records_are_refused_with_line_and_reason() {
    for (part, damage, error) in PGN_DAMAGES {
        let text = PGN.replacen(part, damage, 1);
        assert_ne!(text, PGN, "{part}");
        assert_eq!(parse_pgn(&text).expect_err(damage).to_string(), error, "{part} {damage}");
    }
}

const XML_DAMAGES: [(&str, &str, &str); 15] = [
    ("<game>", "<games>", "line 3: <game> is expected"),
    ("check -->", "check", "line 13: <!-- is not closed"),
    ("&amp;", "&am;", "line 4: &am; stands for no character"),
    ("&amp;", "&", "line 4: & B  stands for no character"),
    ("&#25991;", "&#xd800;", "line 4: &#xd800; stands for no character"),
    ("<site/>", "<place/>", "line 5: <place> is no element of a record"),
    ("<site/>", "<event/>", "line 5: Event stands twice"),
    ("<site/>", "<site id='1'/>", "line 5: > is expected"),
    ("<site/>", "text", "line 5: < is expected"),
    ("</black>", "</red>", "line 8: </black> is expected"),
    ("9/RNBAKABNR", "RNBAKABNR", "line 9: the board has 9 ranks, not 10"),
    ("1/2-1/2", "1/2", "line 10: \"1/2\" is no result"),
    ("炮8平5", "炮8平8", "line 12: \"炮8平8\" is no legal move here"),
    ("</game>", "", "line 16: < is expected"),
    ("</game>", "</game><game>", "line 15: the end is expected"),
];

#[test]
fn damaged_xml_is_refused_with_line_and_reason() {
    for (part, damage, error) in XML_DAMAGES {
        let text = XML.replacen(part, damage, 1);
        assert_ne!(text, XML, "{part}");
        assert_eq!(parse_xml(&text).expect_err(damage).to_string(), error, "{part} {damage}");
    }
}

/// Records that end anywhere, or lack or have any sign, are read or refused.
#[test]
fn no_damage_panics() {
    for text in [PGN, XML] {
        for (at, c) in text.char_indices() {
            let (before, behind) = (&text[..at], &text[at + c.len_utf8()..]);
            for damaged in [before.to_owned(), before.to_owned() + behind] {
                let _ = (parse_pgn(&damaged), parse_xml(&damaged));
            }
            for sign in ["<", ">", "&", "\"", "\\", "[", "{", "(", "}", "\n", "炮", "."] {
                let damaged = format!("{before}{sign}{behind}");
                let _ = (parse_pgn(&damaged), parse_xml(&damaged));
            }
        }
    }
}

#[test]
fn a_text_of_two_meanings_is_refused() {
    // The front pawn of three steps ahead, or the king of a keypad does.
    let fen = "3k5/4P4/4P4/4P4/9/9/9/9/9/4K4 w - - 0 1";
    let text = format!("[FEN \"{fen}\"]\n15+1 *");
    let error = parse_pgn(&text).expect_err("two meanings");
    assert_eq!(error.to_string(), "line 2: \"15+1\" may mean e8e9 or e0e1");
}

#[test]
fn numbers_are_told_from_moves_of_keypads() {
    let fen = "5k3/3P5/9/3P5/3P5/9/9/9/9/4K4 w - - 0 1";
    for text in ["1. 7.+1", "1.7.+1", "7.+1", "1.7..7", "12...7-.5", "1. 15.6", "15.6"] {
        let text = format!("[FEN \"{fen}\"]\n{text} *");
        let records = parse_pgn(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(records[0].moves.len(), 1, "{text}");
    }
}
