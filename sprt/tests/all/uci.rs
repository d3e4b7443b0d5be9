//! Engines over pipes: the same games as in this process, options, what is sent.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use chess::GAME;
use matches::game::{GameRecord, MoveLimits};
use matches::player::{Contestant, GameStart};
use matches::playing::{Entrant, GameNumber, GameSettings, MemorySpan, Played, play_game_until};
use playable::Position;
use tempfile::TempDir;

use crate::child::{ended, output};
use crate::helpers::{fake, read, sprt, sprt_line};

/// The words for a player that is this program as an engine.
fn kamerton(more: &str) -> Vec<String> {
    fake("--parameters embedded", more)
}

fn contestant(words: &[String], limits: MoveLimits) -> Contestant {
    Contestant::parse(words, limits, None).expect("words that make sense")
}

/// Two games of a contestant against itself, with one player a side.
fn play(contestant: &Contestant, start: &Position, memory: MemorySpan) -> Vec<GameRecord> {
    let loaded = contestant.load(GAME).expect("it can be loaded");
    let (mut white, mut black) = (loaded.player(), loaded.player());
    let settings = GameSettings { memory, max_plies: 120, ..GameSettings::default() };
    let games = (0..2).map(|game| {
        let seats = [
            Entrant { player: white.as_mut(), limits: &contestant.limits },
            Entrant { player: black.as_mut(), limits: &contestant.limits },
        ];
        let fresh = game == 0 || memory != MemorySpan::Pair;
        let number = GameNumber { seed: 11, number: game, fresh };
        let never = AtomicBool::new(false);
        match play_game_until(start, seats, &settings.into(), number, &never) {
            Played::Finished(game) => *game,
            other => panic!("{other:?}"),
        }
    });
    games.collect()
}

/// All of the games that is not time.
fn assert_same(games: &[GameRecord], others: &[GameRecord]) {
    assert_eq!(games.len(), others.len());
    for (game, other) in games.iter().zip(others) {
        assert_eq!((&game.faults, &game.warnings), (&other.faults, &other.warnings));
        for (number, (ply, other)) in (1..).zip(game.plies.iter().zip(&other.plies)) {
            let all = |ply: &matches::game::PlyRecord| (ply.mv, ply.score, ply.depth, ply.nodes);
            assert_eq!(all(ply), all(other), "ply {number}");
        }
        assert_eq!(game.plies.len(), other.plies.len());
        assert_eq!((game.result, game.termination), (other.result, other.termination));
    }
}

#[test]
fn pipes_play_the_games_of_this_process() {
    // Chess960 with all rights, so that castling goes both ways; and an endgame full of mates.
    let chess960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    let positions = [
        ("startpos", GAME.start()),
        ("chess960", GAME.position(chess960).expect("a position")),
        ("endgame", GAME.position("8/8/4k3/8/8/3QK3/8/8 w - - 3 40").expect("a position")),
    ];
    let all_limits = [
        MoveLimits::nodes(400),
        MoveLimits::depth(3),
        MoveLimits { depth: Some(6), ..MoveLimits::nodes(700) },
        MoveLimits::nodes(1),
    ];
    let here = ["embedded".to_owned(), "hash=4".to_owned()];
    for (name, start) in &positions {
        // All limits from the start, one from elsewhere.
        let count = if *name == "startpos" { all_limits.len() } else { 1 };
        for limits in all_limits.into_iter().take(count) {
            let ours = play(&contestant(&here, limits), start, MemorySpan::Game);
            for position in ["position=short", "position=full"] {
                let there = contestant(&kamerton(&format!("hash=4 {position}")), limits);
                eprintln!("{name}, {limits}, {position}");
                assert_same(&ours, &play(&there, start, MemorySpan::Game));
            }
        }
    }
    for memory in [MemorySpan::Move, MemorySpan::Pair] {
        let limits = MoveLimits::nodes(300);
        let there = contestant(&kamerton("hash=4"), limits);
        let start = GAME.start();
        let ours = play(&contestant(&here, limits), &start, memory);
        assert_same(&ours, &play(&there, &start, memory));
    }
}

/// Kamerton lists its numbers only if asked; whoever sets one must find it all the same.
#[test]
fn options_that_an_engine_lists_if_asked_are_set() {
    let limits = MoveLimits::nodes(300);
    let changes = ["late_move_pruning.margin=60", "material.bishop_pair.endgame=9"];
    let ours: Vec<String> =
        ["embedded", "hash=4"].iter().chain(&changes[..1]).map(|&it| it.into()).collect();
    let there = contestant(&kamerton(&format!("hash=4 option.{}", changes[0])), limits);
    let start = GAME.start();
    let ours = play(&contestant(&ours, limits), &start, MemorySpan::Game);
    assert_same(&ours, &play(&there, &start, MemorySpan::Game));
    let unknown = |more: &str| {
        let mut player = contestant(&kamerton(more), limits).load(GAME).expect("loadable").player();
        player.new_game(&GameStart::fresh(&start)).expect("it plays");
        player.unknown_options()
    };
    assert_eq!(unknown("option.Late_Move_Pruning.Margin=60"), [""; 0]);
    assert_eq!(unknown(&format!("option.{}", changes[1])), [""; 0]);
    assert_eq!(unknown("option.late_move_prunning.margin=60").len(), 1);
}

#[test]
fn the_fake_engine_is_the_random_mover() {
    let limits = MoveLimits::nodes(1);
    let start = GAME.start();
    let ours = play(&contestant(&["random".to_owned()], limits), &start, MemorySpan::Game);
    let theirs = play(&contestant(&fake("", ""), limits), &start, MemorySpan::Game);
    assert_same(&ours, &theirs);
}

/// Whole runs: journal but for its header, and games.
#[test]
fn runs_are_the_same_over_pipes_and_for_all_threads() {
    let home = TempDir::new().expect("temporary folder");
    let run = |name: &str, player: &[String], threads: &str| {
        let folder = home.path().join(name);
        let mut command = sprt();
        command.arg("run").arg("--candidate").args(player).args(["name=one", "nodes=300"]);
        command.arg("--baseline").args(player).args(["name=two", "nodes=200"]);
        command.args(["--hash", "1", "--pairs", "6", "--no-early-stop", "--threads", threads]);
        let (status, _, stderr) = output(command.arg("--output").arg(&folder));
        assert!(matches!(status, Some(0..=2)), "{stderr}");
        read_run(&folder)
    };
    let ours = run("here", &["embedded".to_owned()], "2");
    for threads in ["1", "2", "4"] {
        assert!(run(threads, &kamerton(""), threads) == ours, "{threads} threads differ");
    }
}

fn read_run(folder: &Path) -> (String, String) {
    let journal = read(folder, "journal");
    let pairs = journal.split_once('\n').expect("a header").1.to_owned();
    (pairs, read(folder, "games.pgn"))
}

#[test]
fn wrong_options_are_an_error_before_the_run() {
    let home = TempDir::new().expect("temporary folder");
    let folder = home.path().join("run");
    let mut command = sprt();
    command.arg("run").arg("--candidate").args(kamerton("option.MultiPV=many"));
    command.args(["--baseline", "random", "--nodes", "1", "--pairs", "1", "--output"]);
    let (_, stderr) = ended(3, command.arg(&folder));
    assert!(stderr.contains("MultiPV takes an integer from 1 to"), "{stderr}");
    assert!(!folder.exists());
}

#[test]
fn words_that_make_no_sense_are_refused_with_their_reason() {
    let cases = [
        ("nice=100", "nice=100: a whole number from -20 to 19 is expected"),
        ("nice=-21", "from -20 to 19"),
        ("option.=3", "option.=3: the option's name is missing"),
        ("name=one\ntwo", "the name \"one\\ntwo\" has control characters"),
    ];
    for (word, reason) in cases {
        let words = [fake("", ""), vec![word.to_owned()]].concat();
        let error = Contestant::parse(&words, MoveLimits::nodes(1), None);
        let error = error.expect_err(word).to_string();
        assert!(error.contains(reason), "{error}");
    }
    for nice in ["nice=-20", "nice=0", "nice=19"] {
        contestant(&fake("", nice), MoveLimits::nodes(1));
    }
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let home = TempDir::new().expect("temporary folder");
    let engine = home.path().join("engine");
    let words = fake("", &format!("dir={}", engine.display()));
    let contestant = contestant(&words, MoveLimits::nodes(1));
    let expected = format!("no such folder to run in: {}", engine.display());
    let error = contestant.load(GAME).expect_err("there is no folder").to_string();
    assert!(error.ends_with(&expected), "{error}");
    // It may also go later.
    fs::create_dir(&engine).expect("writable");
    let mut player = contestant.load(GAME).expect("the folder is there").player();
    fs::remove_dir(&engine).expect("it is empty");
    let start = GAME.start();
    let fault = player.new_game(&GameStart::fresh(&start)).expect_err("the folder is gone");
    assert!(fault.detail.ends_with(&format!("no such folder: {}", engine.display())), "{fault}");
}

/// Engines that ponder are asked about the answer that they expect, and told whether it came.
#[test]
fn engines_think_in_the_time_of_their_opponents() {
    let home = TempDir::new().expect("temporary folder");
    let log = home.path().join("lines.txt");
    let folder = home.path().join("run");
    let mut command = sprt_line("run --tc 1+0.02 --pairs 1 --no-early-stop --threads 1");
    for side in ["candidate", "baseline"] {
        let more = format!("ponder=true margin=2000 name={side}");
        command.arg(format!("--{side}")).args(kamerton(&more));
    }
    let (_, said) = ended(2, command.arg("--log").arg(&log).arg("--output").arg(&folder));
    let games = read(&folder, "games.pgn");
    for ending in games.lines().filter(|line| line.starts_with("[Termination ")) {
        assert!(ending.contains("normal") || ending.contains("adjudication"), "{ending}");
    }
    let log = read(home.path(), "lines.txt");
    let count = |words: &str| log.matches(words).count();
    let (begun, hits, misses) = (count("> go ponder wtime"), count("> ponderhit"), count("> stop"));
    assert!(hits > 5 && misses > 0, "{hits} of {begun} were right, {misses} wrong");
    // Only what was thought about when the run ended is neither.
    assert!((hits + misses..=hits + misses + 2).contains(&begun), "{begun}, {hits}, {misses}");
    assert!(count("> setoption name Ponder value true") >= 2, "each is told");
    // The only warning is that both are the same.
    assert!(said.matches("warning").count() == 1 && said.contains("same program"), "{said}");

    let words = fake("", "ponder=true");
    let mut player =
        contestant(&words, MoveLimits::nodes(1)).load(GAME).expect("it is there").player();
    let fault = player.new_game(&GameStart::fresh(&GAME.start())).expect_err("it cannot");
    assert!(fault.detail.contains("it has no option Ponder"), "{fault}");
}

/// An engine without a clock that hears of the opponent's would think that it is out of time.
#[test]
fn clocks_are_told_to_those_who_have_one() {
    let home = tempfile::tempdir().expect("temporary folder");
    let log = home.path().join("log.txt");
    let mut command = sprt();
    command.arg("run").arg("--candidate").args(fake("", "nodes=20 name=counts"));
    command.arg("--baseline").args(fake("", "tc=60+1 name=clocked"));
    command.args(["--pairs", "1", "--max-plies", "8", "--threads", "1", "--log"]).arg(&log);
    ended(2, command.arg("--output").arg(home.path().join("run")));
    let text = fs::read_to_string(log).expect("a log");
    let asked = |name: &str| -> Vec<&str> {
        text.lines().filter(|line| line.contains(name) && line.contains("> go ")).collect()
    };
    let (counts, clocked) = (asked("counts"), asked("clocked"));
    assert!(counts.len() >= 8 && clocked.len() >= 8, "{text}");
    assert!(counts.iter().all(|line| line.ends_with("> go nodes 20")), "{counts:?}");
    let is_told = |line: &&str| line.contains("wtime") ^ line.contains("btime");
    assert!(clocked.iter().all(is_told), "{clocked:?}");
}

/// The same games are played in this process and over pipes, at any cost.
#[test]
fn overhead_is_told_of_the_same_games() {
    let told = |line: &str| {
        let (stdout, _) = ended(0, &mut sprt_line(line));
        assert!(!stdout.contains("NaN") && !stdout.contains("inf"), "{stdout}");
        let lines = stdout.lines().map(|line| {
            let (head, _) = line.split_once(" plies on average: ").expect("a number of plies");
            head.split_once("  ").expect("where").1.to_owned()
        });
        lines.collect::<Vec<_>>()
    };
    let both = told("overhead --pairs 1 --pipe-pairs 1");
    assert_eq!((both.len(), &both[0]), (2, &both[1]));
    assert!(both[0].starts_with("2 games of "), "{both:?}");
    assert_eq!(told("overhead --pairs 1 --pipe-pairs 0"), both[..1]);
}
