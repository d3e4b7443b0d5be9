//! Reading PGN files of any origin.

use std::path::Path;
use std::process::Command;

use chess::GAME;
use matches::game::{GameResult, PlyRecord};
use matches::pgn::MatchResults;
use matches::run::read_pairs;
use pgn::{Annotation, GameError, Games, PgnGame, PgnMove};
use playable::{Color, Move, Position, mate_in};
use serde_json::Value;

use crate::child::{ended, output};
use crate::helpers::sprt_line;
use crate::shared_data::{shared_data, unpacked};
use crate::skipping::skip;

fn read(text: &[u8]) -> Vec<Result<PgnGame, GameError>> {
    Games::new(text, "games.pgn").collect()
}

fn games(text: &str) -> Vec<PgnGame> {
    read(text.as_bytes()).into_iter().map(|game| game.expect("good games")).collect()
}

/// The moves of a game in coordinates.
fn coordinates(game: &PgnGame) -> String {
    let mut words = Vec::new();
    let word = |mv: Move| mv.typed::<chess::Move>().to_string();
    let visit = |_: &_, _, mv: Option<Move>| words.push(mv.map_or("--".into(), word));
    game.replay(GAME, visit).expect("legal moves");
    words.join(" ")
}

fn words(game: &PgnGame) -> Vec<&str> {
    game.moves.iter().map(|mv| mv.san.as_str()).collect()
}

#[test]
fn everything_that_files_contain() {
    let text = "\u{feff}% an escaped line\r\n\
        [Event \"A \\\"great\\\" day\"] [Site \"C:\\\\chess\"]\r\n\
        [White \"unescaped \"quotes\" here\"]\r\n\
        [Result \"1-0\"]\r\n\r\n\
        {before\r\nthe game} 1.e4! {a comment [%clk 0:01:00]} (1. d4 d5 {not (this)} (1... Nf6) 2. c4)\r\n\
        1...e5$1 $14 ; to the end (of the line\r\n\
        % [Event \"escaped\"]\r\n\
        2. Nf3 N Nc6 +/= 3 . Bb5 {one} {two} a6?! 4. Bxc6 dxc6 5.0-0 -- 6. -- Bg4 1-0 1-0\r\n";
    let games = games(text);
    assert_eq!(games.len(), 1, "{games:#?}");
    let game = &games[0];
    assert_eq!((game.number, game.line), (1, 2));
    assert_eq!(game.tag("event"), Some("A \"great\" day"));
    assert_eq!(game.tag("Site"), Some("C:\\chess"));
    assert_eq!(game.tag("White"), Some("unescaped \"quotes\" here"));
    assert_eq!(game.tag("Black"), None);
    assert_eq!(game.comment, "before the game");
    let expected = "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 0-0 -- -- Bg4";
    assert_eq!(words(game).join(" "), expected);
    assert_eq!(game.moves[0].comment, "a comment [%clk 0:01:00]");
    assert_eq!(game.moves[1].comment, "to the end (of the line");
    assert_eq!(game.moves[4].comment, "one two");
    assert_eq!(game.moves[2].line, 9);
    assert_eq!(game.result(), Some(GameResult::WhiteWins));
    let expected = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1h1 -- -- c8g4";
    assert_eq!(coordinates(game), expected);
}

#[test]
fn games_end_where_the_next_begins() {
    let games = games(
        "[White \"a\"]\n1. e4 e5\n[White \"b\"]\n1. d4 1/2-1/2\n1. c4 c5 *\n\n[White \"c\"]\n\n*\n",
    );
    let shown: Vec<(Option<&str>, String, Option<GameResult>)> = games
        .iter()
        .map(|game| (game.tag("White"), words(game).join(" "), game.result()))
        .collect();
    let expected = [
        (Some("a"), "e4 e5".to_owned(), None),
        (Some("b"), "d4".to_owned(), Some(GameResult::Draw)),
        (None, "c4 c5".to_owned(), None),
        (Some("c"), String::new(), None),
    ];
    assert_eq!(shown, expected);
    assert_eq!(read(b"").len(), 0);
    assert_eq!(read(b"\n\n  \n{nothing but words}\n").len(), 0);
}

#[test]
fn moves_in_every_notation() {
    let game = &games(
        "1. e2-e4 e7e5 2. Ng1-f3 Nb8c6 3. Bf1b5 Ngf6 4. e1g1 Bc5 5. d2-d4 exd4 6. c3 dxc3 7. Qe2 \
         cxb2 8. Kh1 bxa1(Q) 9. h3 Qxb1 10. e5 d5 11. exd6e.p.+ Be6 12. dxc7 O-O 13. cxd8/Q *",
    )[0];
    assert!(coordinates(game).ends_with("e5d6 c8e6 d6c7 e8h8 c7d8q"));
}

#[test]
fn signs_of_books_and_programs_are_read() {
    let game = &games(
        "1. ♙e4 e5 2. ♘f3! ♞c6 3. ♗b5 a6TN 4. B×c6 d×c6 $6 5. O–O ± f6 ⩲ 6. d4 (=) Bg4 +/- \
         7. d×e5 ∞ ♕×d1+- 8. ♖\u{fe0e}xd1 TN f×e5N 9. Rd3 □ Bd6= 10. ♘bd2 0—0-0 11. h3 Bh5 +- \
         12. g4 Bg6 13. ♔g2 !? ½–½",
    )[0];
    assert_eq!(game.result(), Some(GameResult::Draw));
    let expected = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1h1 f7f6 d2d4 c8g4 d4e5 d8d1 f1d1 f6e5 \
                    d1d3 f8d6 b1d2 e8a8 h2h3 g4h5 g2g4 h5g6 g1g2";
    assert_eq!(coordinates(game), expected);
}

/// However a result is spelt, it ends its game; and the tag counts, where the end says another.
#[test]
fn results_end_games_in_every_spelling() {
    use GameResult::{BlackWins, Draw, WhiteWins};
    for (ends, result) in [
        (&["1-0", "1:0", "1–0", "1—0", "1−0"][..], WhiteWins),
        (&["0-1", "0:1", "0–1", "0—1"], BlackWins),
        (&["1/2-1/2", "1/2", "1/2:1/2", "½-½", "½:½", "½–½", "½", "1/2–1/2"], Draw),
    ] {
        for end in ends {
            let text = format!("1. e4 e5 {end}\n1. d4 d5 {end}\n\n[Result \"{end}\"]\n1. c4 *\n");
            let found = games(&text);
            let results: Vec<_> = found.iter().map(PgnGame::result).collect();
            assert_eq!(results, [Some(result); 3], "{end}");
            assert!(found.iter().all(|game| !game.contradicts_itself()), "{end}");
        }
    }
    // The same from the reader of moves and from that of results alone.
    let text = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 e5 0:1 {a remark}\n";
    let game = &games(text)[0];
    assert_eq!((game.result(), game.contradicts_itself()), (Some(WhiteWins), true));
    let mut results = MatchResults::default();
    results.read(text.as_bytes()).expect("PGN");
    assert_eq!((results.finished(), results.unfinished, results.contradictory), (1, 0, 1));
    assert_eq!(results.pair_up().table.games_of(0), [0, 0, 1]);
    // It is told.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    let other = text.replace("1-0", "0-1").replace("0:1", "1/2");
    std::fs::write(&path, format!("{text}\n{other}")).expect("writable");
    let (_, stderr) = ended(0, sprt_line("calculate --pgn").arg(&path));
    let told = "warning: 2 games end with another result than the tag Result says: the tag counts";
    assert!(stderr.contains(told), "{stderr}");
}

/// PGN is the same in whatever form an editor saved it.
#[test]
fn encodings_of_pgn_change_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    let text = "[White \"J\u{f6}rg\"]\r\n\r\n1. ♘f3 d5 *\r\n\r\n[White \"b\"]\r\n\r\n1. e4 *\r\n";
    let read = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("writable");
        let games = Games::open(&path).expect("readable").map(|game| game.expect("good"));
        games
            .map(|game| (game.tag("White").map(str::to_owned), words(&game).join(" ")))
            .collect::<Vec<_>>()
    };
    let expected = [
        (Some("J\u{f6}rg".to_owned()), "Nf3 d5".to_owned()),
        (Some("b".to_owned()), "e4".to_owned()),
    ];
    let wide = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("\u{feff}{text}").encode_utf16().flat_map(bytes).collect()
    };
    for bytes in [
        text.as_bytes().to_vec(),
        wide(u16::to_le_bytes),
        wide(u16::to_be_bytes),
        format!("{text}\u{1a}junk").into_bytes(),
        text.replace("\r\n", "\r").into_bytes(),
        text.replace('♘', "N").chars().map(|letter| letter as u8).collect(),
    ] {
        assert_eq!(read(&bytes), expected);
    }
}

#[test]
fn text_in_latin_1_is_read() {
    let games = read(b"[White \"J\xf6rg\"]\n[Black \"J\xc3\xb6rg\"]\n1. e4 {sch\xf6n} *\n");
    let game = games[0].as_ref().expect("a good game");
    assert_eq!([game.tag("White"), game.tag("Black")], [Some("J\u{f6}rg"); 2]);
    assert_eq!(game.moves[0].comment, "sch\u{f6}n");
}

#[test]
fn chess960_in_all_its_forms() {
    let board = "rkbnnqbr/pppppppp/8/8/8/8/PPPPPPPP/RKBNNQBR w";
    let coordinates_of = |castling: &str, variant: &str| {
        let text = format!(
            "[FEN \"{board} {castling} - 0 1\"]\n[Variant \"{variant}\"]\n\
             1. b3 b6 2. Bb2 Bb7 3. Nc3 Nc6 4. O-O-O 0-0-0 *"
        );
        coordinates(&games(&text)[0])
    };
    let expected = "b2b3 b7b6 c1b2 c8b7 d1c3 d8c6 b1a1 b8a8";
    // Castling in Chess960 is the king's move onto its rook.
    for (castling, variant) in
        [("KQkq", "chess960"), ("HAha", "fischerandom"), ("KQkq", ""), ("HAha", "Chess 960")]
    {
        let moves = coordinates_of(castling, variant);
        assert_eq!(moves, expected, "{castling} {variant}");
    }
    // The usual start may be one of the 960.
    let game = &games("[Variant \"Chess960\"]\n1. e4 *")[0];
    assert!(game.start(GAME).expect("good").chess960());
    assert!(!games("1. e4 *")[0].start(GAME).expect("good").chess960());
}

#[test]
fn broken_games_are_named_and_the_rest_is_read() {
    let text = "[Event \"1\"]\n\n1. e4 e5 2. Ke3 *\n\n\
        [Event \"2\"]\n\n1. e4 {never closed\n\n\
        [Event \"3\"]\n\n1. e4 (1. d4\n\n\
        [Event \"4\"]\n[FEN \"8/8 w - - 0 1\"]\n*\n\
        [Event \"5\"]\n[Variant \"Atomic\"]\n*\n\
        [Event \"6\"]\n1. e4 d5\n2. Bb5+ -- 3. Bxe8 *\n\
        [Event \"7\"]\n1. e4 thing *\n\
        [Event \"8\"]\n[Result \"1-0\"]\n1. e4 0-1\n\
        1. d4 { to the end of the file";
    let mut errors = Vec::new();
    for game in read(text.as_bytes()) {
        match game.and_then(|game| game.replay(GAME, |_, _, _| {})) {
            Ok(_) => errors.push("good".to_owned()),
            Err(error) => errors.push(error.to_string()),
        }
    }
    let expected = [
        "games.pgn:3: game 1: 2. \"Ke3\" is no legal move here",
        "games.pgn:7: game 2: a comment is not closed",
        "games.pgn:11: game 3: a variation is not closed",
        "games.pgn:13: game 4: FEN board \"8/8\": 2 ranks instead of 8",
        "games.pgn:16: game 5: the variant \"Atomic\" is not known here",
        "games.pgn:21: game 6: 2... a null move in check",
        "games.pgn:23: game 7: 1... \"thing\" is not written as a move",
        "good",
        "games.pgn:27: game 9: a comment is not closed",
    ];
    assert_eq!(errors, expected);
    // Where the end says another result than the tag, the tag counts.
    let eighth = read(text.as_bytes()).swap_remove(7).expect("well-formed");
    assert_eq!((eighth.result(), eighth.contradicts_itself()), (Some(GameResult::WhiteWins), true));
    let missing = Games::open(Path::new("/nonexistent.pgn")).err().expect("no file").to_string();
    assert!(missing.starts_with("cannot read /nonexistent.pgn: "), "{missing}");
}

#[test]
fn any_bytes_are_read_without_panic() {
    use rand::RngExt;
    let pieces: [&[u8]; 24] = [
        b"[",
        b"]",
        b"\"",
        b"{",
        b"}",
        b"(",
        b")",
        b";",
        b"$",
        b"%",
        b"\n",
        b"\r\n",
        b" ",
        b"*",
        b"\\",
        b"1.",
        b"e4",
        b"O-O",
        b"1-0",
        b"[A \"b\"]\n",
        b"--",
        b"\xff",
        b"<",
        b"\xe2\x80",
    ];
    for seed in 0..20_000 {
        let mut random = random::stream(seed, 0);
        let count = random.random_range(0..40);
        let text: Vec<u8> = (0..count)
            .flat_map(|_| pieces[random.random_range(0..pieces.len())])
            .copied()
            .collect();
        for game in read(&text).into_iter().flatten() {
            // Errors are as good as games.
            let _ = game.replay(GAME, |_, _, _| {});
        }
    }
}

#[derive(Default)]
struct Found {
    /// Games that replay.
    games: u64,
    plies: u64,
    /// Scores in comments.
    scores: u64,
    /// Games that are longer or shorter than their tag says.
    other_lengths: u64,
    errors: Vec<String>,
}

impl Found {
    fn read(&mut self, path: &Path) {
        for game in Games::open(path).expect("readable") {
            if let Err(error) = game.and_then(|game| self.take(&game)) {
                self.errors.push(error.to_string());
            }
        }
    }

    fn take(&mut self, game: &PgnGame) -> Result<(), GameError> {
        game.replay(GAME, |position, index, _| {
            let comment = &game.moves[index].comment;
            let annotation = Annotation::parse(comment, position.side_to_move());
            self.scores += u64::from(annotation.is_some());
        })?;
        self.games += 1;
        self.plies += game.moves.len() as u64;
        let stated: Option<usize> = game.tag("PlyCount").and_then(|count| count.parse().ok());
        self.other_lengths += u64::from(stated.is_some_and(|count| count != game.moves.len()));
        Ok(())
    }
}

#[test]
fn the_games_of_tcec_replay() {
    let Some(folder) = shared_data("pgn/tcec") else { return };
    let mut found = Found::default();
    for entry in std::fs::read_dir(folder).expect("readable") {
        found.read(&entry.expect("readable").path());
    }
    assert_eq!(found.errors, Vec::<String>::new());
    assert_eq!((found.games, found.plies, found.scores), (1704, 237_015, 211_800));
    // Two games of season 4, stage 2a; another library finds the same moves in them.
    assert_eq!(found.other_lengths, 2);
}

#[test]
fn the_books_in_pgn_replay() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let books = [("books/8moves_v3.pgn.zip", 34_700, 16), ("books/2moves_v2.pgn.zip", 12_092, 4)];
    for (archive, games, plies) in books {
        let Some(path) = unpacked(archive, folder.path()) else { return };
        let mut found = Found::default();
        found.read(&path);
        assert_eq!(found.errors, Vec::<String>::new());
        assert_eq!((found.games, found.plies), (games, games * plies));
    }
}

#[test]
fn null_moves_are_told_from_others() {
    let game = &games("1. e4 0000 2. Z0 e5 3. @@@@ *")[0];
    assert_eq!(words(game), ["e4", "0000", "Z0", "e5", "@@@@"]);
    let nulls: Vec<bool> = game.moves.iter().map(PgnMove::looks_null).collect();
    assert_eq!(nulls, [false, true, true, false, true]);
}

/// Chiron withdrew from season 4; its opponent was given the point.
#[test]
fn a_withdrawal_of_tcec_is_no_result() {
    let Some(path) = shared_data("pgn/tcec/TCEC_Season_4_-_Stage_3.pgn") else { return };
    let mut results = MatchResults::default();
    results.read(pgn::open(&path).expect("readable")).expect("PGN");
    assert_eq!(results.unfinished, 1);
    let white_wins = |game: &PgnGame| game.result() == Some(GameResult::WhiteWins);
    let games = Games::open(&path).expect("readable").map(|game| game.expect("readable"));
    assert!(games.filter(|game| game.tag("Round") == Some("3.4")).all(|game| !white_wins(&game)));
}

/// Reads games.pgn by python-chess: a line of JSON for each move, with the score from White's view
/// (centipawns, or `[moves to mate]`), depth, clock and time of the move in seconds.
const PYTHON: &str = r#"
import json, sys
import chess.pgn
with open(sys.argv[1]) as file:
    while (game := chess.pgn.read_game(file)) is not None:
        assert not game.errors, game.errors
        for node in game.mainline():
            score = node.eval()
            if score is not None:
                white = score.white()
                score = [white.mate()] if white.is_mate() else white.score()
            print(json.dumps([node.san(), score, node.eval_depth(), node.clock(), node.emt()]))
"#;

/// A short match with clocks: its folder holds journal and games.pgn.
fn play_match(folder: &Path, comments: &str) {
    let mut command = sprt_line(&format!(
        "run --candidate embedded --baseline random --pairs 4 --tc 60+0.5 --nodes 400 --hash 1 \
         --no-early-stop --resign never --pgn-comments {comments} --output"
    ));
    let (status, _, stderr) = output(command.arg(folder));
    assert!(matches!(status, Some(0..=2)), "{stderr}");
}

/// All plies of a match as its journal has them, with the mover and its clock after the move in seconds.
fn plies_of(folder: &Path) -> Vec<(PlyRecord, Color, f64)> {
    let mut plies = Vec::new();
    read_pairs(folder, |pair| {
        for game in &pair.games {
            let mut clocks = [60.0, 60.0];
            let mut mover = game.start.side_to_move();
            for ply in &game.plies {
                let clock: &mut f64 = &mut clocks[mover.index()];
                // The increment is given for the first move, too.
                *clock += 0.5 - f64::from(ply.time) / 1e6;
                plies.push((*ply, mover, *clock + 0.5));
                mover = !mover;
            }
        }
    })
    .expect("a run");
    plies
}

#[test]
fn commands_say_what_the_journal_knows() {
    let home = tempfile::tempdir().expect("temporary folder");
    let at = |name: &str| home.path().join(name);
    play_match(&at("both"), "both");
    let plies = plies_of(&at("both"));
    assert!(plies.iter().any(|(ply, ..)| ply.score.is_some_and(|score| score > 30_000)), "a mate");

    // Our own reader, which takes the command where there are both; and where there are only
    // commands.
    for comments in ["both", "commands", "plain"] {
        if comments != "both" {
            play_match(&at(comments), comments);
        }
        let mut expected = plies_of(&at(comments)).into_iter();
        let text = std::fs::read(at(comments).join("games.pgn")).expect("readable");
        for game in read(&text) {
            let game = game.expect("a good game");
            let visit = |position: &Position, index: usize, _: Option<Move>| {
                let (ply, ..) = expected.next().expect("a ply");
                let comment = &game.moves[index].comment;
                let found = Annotation::parse(comment, position.side_to_move());
                assert_eq!(found.map(|it| it.score), ply.score, "{comment}");
                let depth = ply.score.map(|_| u32::from(ply.depth));
                assert_eq!(found.and_then(|it| it.depth), depth, "{comment}");
                assert_eq!(comment.contains("[%clk "), comments != "plain", "{comment}");
                assert_eq!(comment.contains(" n="), comments != "commands", "{comment}");
            };
            game.replay(GAME, visit).expect("legal moves");
        }
        assert_eq!(expected.count(), 0);
    }

    let mut python = Command::new("python3");
    if !python.args(["-c", "import chess.pgn"]).output().is_ok_and(|it| it.status.success()) {
        skip("there is no python-chess");
        return;
    }
    let mut python = Command::new("python3");
    let (text, _) = ended(0, python.args(["-c", PYTHON]).arg(at("both").join("games.pgn")));
    assert_eq!(text.lines().count(), plies.len());
    for (line, (ply, mover, clock)) in text.lines().zip(&plies) {
        let (_, score, depth, seen_clock, time): (String, Value, Option<u8>, f64, f64) =
            serde_json::from_str(line).expect("JSON");
        // Moves to a mate are those that the mover counts.
        let sign = if *mover == Color::White { 1 } else { -1 };
        let expected = ply.score_for(*mover).map(i32::from);
        let expected = expected.map_or(Value::Null, |score| match mate_in(score) {
            Some(moves) => Value::from(vec![sign * moves]),
            None => Value::from(sign * score),
        });
        assert_eq!(score, expected, "{line}");
        assert_eq!(depth, ply.score.map(|_| ply.depth), "{line}");
        // Milliseconds are written, and what is less is cut off.
        let cut = |seconds: f64| (0.0..0.001 + 1e-6).contains(&seconds);
        assert!(cut(f64::from(ply.time) / 1e6 - time + 1e-6), "{line}");
        assert!(cut(clock - seen_clock + 1e-6), "{line}: {clock}");
    }
}
