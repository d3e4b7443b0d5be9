//! Engines that write the moves of a game otherwise than we do, or speak UCCI, over pipes.

use std::path::{Path, PathBuf};
use std::process::Command;

use engine::GAMES;
use matches::game::{FaultKind, GameRecord, GameResult, MoveLimits, Termination};
use matches::player::{Contestant, GameStart};
use matches::playing::{Entrant, GameSettings, play_game};
use pgn::Games;
use playable::{Color, Game, Position};
use serde_json::Value;
use tempfile::TempDir;

use crate::child::{ended, output};
use crate::helpers::{fake, read, sprt, sprt_line};
use crate::skipping::skip;

/// `sprt run` of xiangqi between two players.
fn run(folder: &Path, candidate: &[String], baseline: &[String]) -> Command {
    run_of("xiangqi", folder, candidate, baseline)
}

fn run_of(game: &str, folder: &Path, candidate: &[String], baseline: &[String]) -> Command {
    let mut command = sprt();
    command.args(["run", "--game", game, "--no-early-stop", "--pairs", "2", "--nodes", "100"]);
    command.arg("--candidate").args(candidate).arg("name=one");
    command.arg("--baseline").args(baseline).arg("name=two");
    command.arg("--output").arg(folder);
    command
}

/// The games of a run that has ended well, as its journal has them.
fn games(command: &mut Command, folder: &Path) -> Vec<Value> {
    let (status, _, stderr) = output(command);
    assert!(matches!(status, Some(0..=2)), "{stderr}");
    let pair = |line: &str| {
        let (_, json) = line.split_once(' ').expect("a checksum");
        serde_json::from_str::<Value>(json).expect("JSON")["games"].clone()
    };
    let pairs: Vec<Value> = read(folder, "journal").lines().skip(1).map(pair).collect();
    assert_eq!(pairs.len(), 2);
    pairs
}

#[test]
fn chance_is_the_same_in_all_dialects() {
    let home = TempDir::new().expect("temporary folder");
    let [here, ours, other] = ["here", "ours", "other"].map(|name| home.path().join(name));
    let random = ["random".to_owned()];
    let dialect = |arguments| fake(&format!("--game xiangqi {arguments}"), "");
    let expected = games(&mut run(&here, &random, &random), &here);
    let both = [dialect(""), dialect("--misbehave other-dialect")];
    for (folder, player) in [ours, other].iter().zip(&both) {
        assert!(games(&mut run(folder, player, &random), folder) == expected, "{player:?}");
    }
}

#[test]
fn chance_plays_draughts_over_pipes_as_within_the_process() {
    let home = TempDir::new().expect("temporary folder");
    let [here, there] = ["here", "there"].map(|name| home.path().join(name));
    let random = ["random".to_owned()];
    let expected = games(&mut run_of("draughts", &here, &random, &random), &here);
    let player = fake("--game draughts", "");
    assert!(games(&mut run_of("draughts", &there, &player, &random), &there) == expected);
    let has_capture = |word: &str| {
        let squares = word.split('/').next().unwrap_or_default();
        squares.len() > 4
    };
    let text = expected.iter().map(Value::to_string).collect::<String>();
    assert!(text.split([' ', '"']).any(has_capture), "a capture of several men: {text}");
    let records = std::fs::read_to_string(here.join("games.pgn")).expect("records");
    assert!(records.contains("\n[GameType \"25,W,8,8,A0,0\"]\n"), "{records}");
}

#[test]
fn an_engine_whose_first_move_is_legal_in_no_dialect_does_not_start() {
    let home = TempDir::new().expect("temporary folder");
    let player = fake("--game xiangqi --misbehave illegal-move --after-moves 0", "");
    let mut command = run(&home.path().join("run"), &player, &["random".to_owned()]);
    let (_, stderr) = ended(3, &mut command);
    assert!(stderr.contains("with `bestmove e3e3`, which is not legal"), "{stderr}");
}

/// Another program that plays xiangqi among other games, if there is one.
fn fairy_stockfish() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/games".into()]);
    folders.map(|folder| folder.join("fairy-stockfish")).find(|file| file.is_file())
}

#[test]
fn fairy_stockfish_plays_xiangqi() {
    let Some(program) = fairy_stockfish() else {
        return skip("fairy-stockfish is not there, which plays xiangqi");
    };
    let home = TempDir::new().expect("temporary folder");
    let folder = home.path().join("run");
    let player = [format!("cmd={}", program.display()), "hash=4".to_owned()];
    for pair in games(&mut run(&folder, &player, &["random".to_owned()]), &folder) {
        for game in pair.as_array().expect("two games") {
            assert!(game["faults"].as_array().is_none_or(Vec::is_empty), "{game}");
            // Its variations are read, too.
            assert!(!game["warnings"].to_string().contains("illegal move"), "{game}");
        }
    }
    // A game that the user has chosen stays, and shows at the first move.
    let player = [player[0].clone(), "option.UCI_Variant=chess".to_owned()];
    let mut command = run(&home.path().join("chess"), &player, &["random".to_owned()]);
    let (_, stderr) = ended(3, &mut command);
    assert!(stderr.contains("which is not legal"), "{stderr}");
}

/// The words of a page that are seen.
fn seen(page: &str) -> String {
    let unseen = regex::Regex::new("(?s)<(style|script).*?</(style|script)>").expect("a pattern");
    unseen.replace_all(page, "").into_owned()
}

#[test]
fn reports_of_xiangqi_call_the_sides_red_and_black() {
    let home = TempDir::new().expect("temporary folder");
    let (test, page) = (home.path().join("test"), home.path().join("page.html"));
    let mut command = sprt_line(
        "run --game xiangqi --candidate embedded --baseline random --nodes 50 --hash 1 --pairs 12 \
         --no-early-stop",
    );
    let (_, terminal, _) = output(command.arg("--output").arg(&test).arg("--report").arg(&page));
    let words = seen(&read(home.path(), "page.html"));
    assert!(words.contains("Red's advantage") && words.contains("Candidate with Red"), "{words}");
    assert!(!words.contains("White"), "{words}");
    assert!(terminal.contains("\nRed         "), "{terminal}");
    let games = read(&test, "games.pgn");
    assert!(games.contains(" wins by ") && !games.contains("White wins"), "{games}");

    let (tournament, page) = (home.path().join("tournament"), home.path().join("page-2.html"));
    let mut command =
        sprt_line("tournament --game xiangqi --player random --player random name=two");
    command.args(["--nodes", "1", "--rounds", "6", "--output"]).arg(&tournament);
    let (_, terminal, _) = output(command.arg("--report").arg(&page));
    let words = seen(&read(home.path(), "page-2.html"));
    assert!(words.contains("with Red") && !words.contains("White"), "{words}");
    assert!(!terminal.contains("White"), "{terminal}");
}

/// FENs after each move of all games of a run, as its PGN tells them.
fn positions(game: Game, folder: &Path) -> Vec<String> {
    let mut fens = Vec::new();
    for read in Games::open(&folder.join("games.pgn")).expect("readable") {
        let read = read.expect("a game");
        let last = read.replay(game, |position, _, _| fens.push(position.to_fen()));
        fens.push(last.expect("legal moves").to_fen());
    }
    fens
}

#[test]
fn games_in_every_notation_are_read_back() {
    let home = TempDir::new().expect("temporary folder");
    let (game, random) = (GAMES[0], ["random".to_owned()]);
    let mut all = Vec::new();
    for notation in game.notations() {
        let folder = home.path().join(notation);
        games(run(&folder, &random, &random).args(["--notation", notation]), &folder);
        all.push(positions(game, &folder));
        let first = read(&folder, "games.pgn").split("\n1. ").nth(1).map(str::to_owned);
        let first = first.unwrap_or_else(|| read(&folder, "games.pgn"));
        let has = |signs: &str| first.chars().any(|sign| signs.contains(sign));
        assert_eq!(has("进退平"), *notation == "chinese", "{first}");
    }
    assert!(all[0].len() > 100 && all.iter().all(|fens| *fens == all[0]));
    let mut command = run(&home.path().join("bad"), &random, &random);
    let (_, stderr) = ended(64, command.args(["--notation", "san"]));
    assert!(stderr.contains("xiangqi has no notation \"san\"; expected wxf, "), "{stderr}");
    let mut command = run(&home.path().join("bad"), &random, &random);
    let (_, stderr) = ended(64, command.args(["--notation", "klingon"]));
    assert!(stderr.contains("wxf") && stderr.contains("san"), "{stderr}");
}

/// Two games of xiangqi in which a player meets itself, from one ply after the start.
fn play(words: &[String], limits: MoveLimits) -> Vec<GameRecord> {
    let contestant = Contestant::parse(words, limits, None).expect("words that make sense");
    let xiangqi = GAMES[0];
    let loaded = contestant.load(xiangqi).expect("it can be loaded");
    let (mut red, mut black) = (loaded.player(), loaded.player());
    let settings = GameSettings { max_plies: 150, ..GameSettings::default() };
    let play = |start: &Position| {
        let seats = [
            Entrant { player: red.as_mut(), limits: &contestant.limits },
            Entrant { player: black.as_mut(), limits: &contestant.limits },
        ];
        play_game(start, seats, &settings)
    };
    let start = xiangqi.start();
    let mut later = start.clone();
    let mv = later.parse_uci("h0g2").expect("a move");
    later.play(mv);
    [start, later].iter().map(play).collect()
}

/// What UCCI tells of a game: its scores are half of ours.
fn told(game: &GameRecord) -> impl PartialEq + std::fmt::Debug + use<> {
    let plies = game.plies.iter().map(|ply| {
        let half = |score: i16| if score.abs() < 9_000 { score / 2 } else { score };
        (ply.mv, ply.score.map(half), ply.depth, ply.nodes)
    });
    let (faults, warnings) = (format!("{:?}", game.faults), format!("{:?}", game.warnings));
    (plies.collect::<Vec<_>>(), game.result, game.termination, faults, warnings)
}

#[test]
fn the_same_games_are_played_here_and_in_both_protocols() {
    let here = ["embedded".to_owned(), "hash=4".to_owned()];
    let uci = fake("--parameters embedded", "hash=4");
    let ucci = fake("--parameters embedded", "hash=4 proto=ucci");
    for limits in [MoveLimits::nodes(300), MoveLimits::depth(2)] {
        let expected: Vec<_> = play(&here, limits).iter().map(told).collect();
        for words in [&uci, &ucci] {
            let games: Vec<_> = play(words, limits).iter().map(told).collect();
            assert_eq!(games, expected, "{words:?}");
        }
    }
}

#[test]
fn ucci_is_spoken_in_xiangqi_alone() {
    let words = fake("--parameters embedded", "proto=ucci");
    let contestant = Contestant::parse(&words, MoveLimits::nodes(10), None).expect("words");
    let mut player = contestant.load(chess::GAME).expect("it can be loaded").player();
    let refused = player.new_game(&GameStart::fresh(&chess::GAME.start())).expect_err("a fault");
    let refused = refused.to_string();
    assert!(refused.contains("UCCI is a protocol of xiangqi, and this is chess"), "{refused}");
    let wrong = fake("", "proto=xboard");
    let refused = Contestant::parse(&wrong, MoveLimits::nodes(10), None).expect_err("refused");
    assert_eq!(refused.to_string(), "proto=xboard: uci or ucci");
}

/// An engine that speaks UCCI by a script of the shell and answers `go` by this line.
#[cfg(unix)]
fn scripted(folder: &Path, answer: &str) -> Vec<String> {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("engine.sh");
    let text = format!(
        "#!/bin/sh\nwhile read -r word rest; do\n  echo \"$word $rest\" >> '{log}'\n  case $word in\n  \
         ucci) echo 'id name script'; echo 'option batch type check default false'; echo ucciok;;\n  \
         isready) echo readyok;;\n  go) echo 'info depth 3 score -7 pv'; echo '{answer}';;\n  \
         quit) echo bye; exit 0;;\n  esac\ndone\n",
        log = folder.join("log").display()
    );
    std::fs::write(&path, text).expect("writable");
    let permissions = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&path, permissions).expect("executable");
    vec![format!("cmd={}", path.display()), "proto=ucci".to_owned()]
}

#[cfg(unix)]
#[test]
fn ucci_engines_may_resign_and_must_have_a_move() {
    let home = TempDir::new().expect("temporary folder");
    let limits: MoveLimits =
        MoveLimits { clock: Some("40/60".parse().expect("a clock")), ..MoveLimits::default() };
    let resigned = &play(&scripted(home.path(), "bestmove h2e2 ponder h9g7 resign"), limits)[0];
    assert_eq!(resigned.termination, Termination::Resigned);
    assert_eq!(resigned.result, GameResult::BlackWins);
    assert!(resigned.plies.is_empty() && resigned.faults.is_empty(), "{resigned:?}");
    // It knows seconds alone.
    let log = read(home.path(), "log");
    let start = GAMES[0].start().to_fen();
    assert!(log.contains(&format!("\nposition fen {start}\n")), "{log}");
    let go = "go time 60 movestogo 40 opptime 60\n";
    assert!(log.contains(go), "{log}");

    // An offer of a draw is passed over, and the next move of the other side is illegal.
    let drawn = &play(&scripted(home.path(), "bestmove h2e2 draw"), limits)[0];
    assert_eq!((drawn.plies.len(), drawn.plies[0].score), (1, Some(-14)));
    assert_eq!(drawn.faults[0].1.kind, FaultKind::IllegalMove);

    let silent = &play(&scripted(home.path(), "nobestmove"), limits)[0];
    let (color, fault) = &silent.faults[0];
    assert_eq!((*color, fault.kind), (Color::White, FaultKind::NoMove));
    assert!(fault.to_string().contains("it answered `nobestmove`"), "{fault}");
}
