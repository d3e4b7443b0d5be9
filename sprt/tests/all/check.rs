//! `sprt check`: it finds what an engine does wrong, and nothing in one that does all right.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use engine::GAMES;
use matches::player::UciEngine;
use playable::Game;
use sprt::check::{CheckReport, Outcome, Report, Settings, Severity, Unwatched, examine};

use crate::child::output;
use crate::helpers::{SPRT, each, sprt_line};
use crate::json_schema::check_schema;

/// Words for the fake engine, patience in seconds, the checks that are asked for.
fn examined(words: &str, patience: u64, only: &[&str]) -> Report {
    examined_in(chess::GAME, words, patience, only)
}

/// The same in a game.
fn examined_in(game: Game, words: &str, patience: u64, only: &[&str]) -> Report {
    let mut engine = UciEngine::new(PathBuf::from(SPRT));
    engine.arguments =
        ["fake-engine"].into_iter().chain(words.split_whitespace()).map(str::to_owned).collect();
    report_of(game, engine, patience, only)
}

fn report_of(game: Game, engine: UciEngine, patience: u64, only: &[&str]) -> Report {
    let settings = Settings {
        engine,
        game,
        name: "fake".to_owned(),
        patience: Duration::from_secs(patience),
        seed: 1,
        only: only.iter().map(|&name| name.to_owned()).collect(),
        log: None,
    };
    examine(&settings, &Unwatched, &AtomicBool::new(false)).expect("nobody interrupts it")
}

/// Misbehavior, patience (seconds), the check that must find it, how bad it is, and a part of what it
/// says, in which `{n}` stands for n times the patience.
type Case = (&'static str, &'static [u64], &'static str, Severity, &'static str);

/// Engines that answer are waited for. Engines that never do are not; but a busy machine may keep
/// even the good answers before from coming in so short a time: then there is more of it.
const LONG: &[u64] = &[60];
const SHORT: &[u64] = &[1, 4, 16, 64];

const CASES: &[Case] = {
    use Severity::{Fault, Note, Warning};
    &[
        ("no-start", LONG, "start", Fault, "crashed: exit status 1"),
        ("slow-start", LONG, "start", Warning, "`uciok` came after"),
        ("no-uciok", SHORT, "start", Fault, "no `uciok` within {1} s"),
        ("option-flood", LONG, "start", Fault, "flooded its output"),
        ("standard-chess-only", LONG, "chess960", Note, "does not play Chess960"),
        ("no-readyok", SHORT, "isready", Fault, "no `readyok` within {1} s"),
        ("abort", LONG, "answers", Fault, aborted!("; stderr: first line of the last words")),
        ("exit-failure", LONG, "answers", Fault, "exit status 1; stderr: all is lost"),
        ("exit-success", LONG, "answers", Fault, "exited: with status 0"),
        ("leave-child", LONG, "answers", Fault, "exited: with status 0"),
        ("leave-session", SHORT, "answers", Fault, "gave no reply"),
        ("close-output", LONG, "answers", Fault, "closed its output"),
        ("hang", SHORT, "answers", Fault, "no `bestmove` within {2} s"),
        ("hang-busy", SHORT, "answers", Fault, "no `bestmove` within {2} s"),
        ("suspend", SHORT, "answers", Fault, "no `bestmove` within {2} s"),
        ("no-line-end", SHORT, "answers", Fault, "no `bestmove` within {2} s"),
        ("wait-for-stop", SHORT, "answers", Fault, "until `stop`"),
        ("many-nodes", LONG, "go-nodes", Warning, "1000.0 times as many as asked"),
        ("late", LONG, "go-movetime", Fault, "too late"),
        ("flood-lines", LONG, "answers", Fault, "more output than"),
        ("flood-line", LONG, "answers", Fault, "a line without end"),
        ("flood-info", LONG, "answers", Fault, "more output than"),
        ("flood-errors", LONG, "answers", Fault, "more on stderr than"),
        ("illegal-move", LONG, "legal-moves", Fault, "illegal move: e3e3"),
        ("stale-move", LONG, "legal-moves", Fault, "illegal move"),
        ("garbage-move", LONG, "legal-moves", Fault, "unreadable move"),
        ("empty-move", LONG, "legal-moves", Fault, "unreadable move: bestmove"),
        ("no-move", LONG, "legal-moves", Fault, "no move, in"),
        ("null-move", LONG, "legal-moves", Fault, "no move, in"),
        ("two-moves", LONG, "unasked-lines", Warning, "answers that nobody asked for"),
        ("invalid-utf8", LONG, "protocol-lines", Warning, "not UTF-8"),
        ("chatter", LONG, "protocol-lines", Warning, "not of the protocol"),
        ("other-variation", LONG, "variations", Warning, "played"),
        ("illegal-variation", LONG, "variations", Warning, "illegal move"),
        ("false-mate", LONG, "mates", Fault, "the move does not mate"),
        ("mate-sign", LONG, "mates", Fault, "wrong sign"),
        ("murmur", LONG, "stderr", Note, "lines on standard error"),
        ("ignore-quit", LONG, "quit", Warning, "lives on 2 s after `quit`"),
    ]
};

#[test]
fn every_misbehavior_is_found_by_its_check() {
    each(CASES, |&(misbehavior, patience, check, severity, text): &Case| {
        let words = format!("--after-moves 0 --delay 2500 --misbehave {misbehavior}");
        // Odd lines are noticed on the way, of which there must be one.
        let only = [check, "legal-moves"];
        let mut reports = Vec::new();
        let is_found = patience.iter().any(|&patience| {
            let [once, twice] = [patience, 2 * patience].map(|seconds| seconds.to_string());
            let text = text.replace("{1}", &once).replace("{2}", &twice);
            let report = examined(&words, patience, &only);
            let found = report.check(check).expect("it was asked for");
            reports.push(found.to_string());
            found.findings.iter().any(|finding| {
                let is_it = finding.severity == severity && finding.what.contains(&text);
                assert!(!is_it || !finding.remedy.is_empty(), "{misbehavior}");
                is_it
            })
        });
        assert!(is_found, "{misbehavior}: {}", reports.join("\n"));
    });
}

#[test]
fn no_misbehavior_is_forgotten() {
    let (_, _, text) = output(&mut sprt_line("fake-engine --misbehave ?"));
    let list = text.split("[possible values: ").nth(1).and_then(|it| it.split(']').next());
    let kinds: BTreeSet<&str> = list.expect("they are listed").split(", ").collect();
    let mut known: BTreeSet<&str> = CASES.iter().map(|(kind, ..)| *kind).collect();
    // These are allowed.
    known.extend(["spaces", "other-dialect"]);
    assert_eq!(kinds.iter().map(|it| it.trim()).collect::<BTreeSet<_>>(), known);
}

/// The findings that do not depend on how busy the machine is.
fn faults(report: &Report) -> Vec<String> {
    let timed = ["go-movetime", "clock", "tiny-clocks"];
    let checks = report.checks.iter().filter(|check| !timed.contains(&check.check));
    let faults = checks.filter(|it| it.findings.iter().any(|it| it.severity == Severity::Fault));
    faults.map(ToString::to_string).collect()
}

#[test]
fn engines_that_do_all_right_pass() {
    std::thread::scope(|scope| {
        for words in ["", "--misbehave spaces", "--parameters embedded"] {
            scope.spawn(move || {
                let report = examined(words, LONG[0], &[]);
                assert_eq!(faults(&report), Vec::<String>::new(), "{words}");
                assert!(report.checks.len() > 30, "{report}");
            });
        }
    });
}

/// Checks that ask in positions of the game.
const OF_GAME: &[&str] = &[
    "go-depth",
    "stop",
    "ponder",
    "searchmoves",
    "legal-moves",
    "single-reply",
    "long-games",
    "no-moves",
    "mates",
    "score-sign",
    "variations",
    "set-options",
    "ucinewgame",
    "unknown-commands",
    "bad-input",
];

#[test]
fn engines_of_other_games_pass() {
    const CASES: &[(usize, &str)] = &[
        (0, "--game xiangqi"),
        (0, "--game xiangqi --misbehave other-dialect"),
        (0, "--parameters embedded"),
        (1, "--game draughts"),
        (1, "--parameters embedded"),
    ];
    each(CASES, |&(game, words)| {
        let report = examined_in(GAMES[game], words, LONG[0], OF_GAME);
        assert_eq!(faults(&report), Vec::<String>::new(), "{words}: {report}");
        let is_passed = |check: &&CheckReport| check.outcome == Outcome::Passed;
        let passed = report.checks.iter().filter(is_passed).count();
        let is_kamerton = words.contains("embedded");
        assert!(passed == report.checks.len() || !is_kamerton && passed > 10, "{words}: {report}");
        assert!(!report.to_string().contains("castling"), "{report}");
    });
}

#[test]
fn misbehavior_in_other_games_is_found() {
    const CASES: &[(&str, u32, &str, &str)] = &[
        ("illegal-move", 0, "answers", "with `bestmove e3e3`, which is not legal"),
        ("illegal-move", 1, "legal-moves", "illegal move: e3e3"),
        ("no-move", 1, "single-reply", "no move, in"),
        ("false-mate", 0, "mates", "the move does not mate"),
        ("mate-sign", 0, "mates", "wrong sign"),
        ("illegal-variation", 0, "variations", "illegal move"),
        ("other-variation", 0, "variations", "played"),
    ];
    let cases: Vec<_> =
        GAMES.iter().flat_map(|game| CASES.iter().map(move |it| (game, it))).collect();
    each(&cases, |&(game, &(misbehavior, moves, check, text))| {
        let name = game.name();
        let words = format!("--game {name} --after-moves {moves} --misbehave {misbehavior}");
        let report = examined_in(*game, &words, LONG[0], &[check]);
        let found = report.check(check).expect("it was asked for");
        assert!(found.findings.iter().any(|it| it.what.contains(text)), "{name}: {report}");
    });
}

#[test]
fn an_engine_of_another_game_is_told_apart() {
    let asked = ["legal-moves", "quit"];
    for &game in GAMES {
        let report = examined_in(game, "", LONG[0], &asked);
        let text = format!("it begins a game of {} with `bestmove ", game.name());
        assert_eq!(report.faults, 1, "{report}");
        assert!(report.to_string().contains(&text), "{report}");
        let outcome = |name| report.check(name).expect("it was asked for").outcome;
        assert_eq!(asked.map(outcome), [Outcome::NotJudged, Outcome::Passed], "{report}");
    }
}

/// An engine with a choice of games, but not this one.
#[test]
#[cfg(unix)]
fn a_game_that_an_engine_does_not_list_is_refused() {
    let home = tempfile::tempdir().expect("temporary folder");
    let program = home.path().join("engine");
    let script = "#!/bin/sh\nwhile read -r word rest; do case $word in\n\
                  uci) echo 'option name UCI_Variant type combo default chess var chess'\n\
                  echo uciok;;\nisready) echo readyok;;\nquit) exit;;\nesac; done\n";
    crate::files::write_program(&program, script);
    let report = report_of(GAMES[0], UciEngine::new(program), LONG[0], &["legal-moves"]);
    let text = "it does not play xiangqi: its option UCI_Variant has no such value";
    let answers = report.check("answers").expect("always done").to_string();
    assert!(answers.contains(text) && report.faults == 1, "{report}");
}

fn call(line: &str) -> (Option<i32>, String, String) {
    output(&mut sprt_line(line))
}

#[test]
fn the_exit_status_tells_faults_from_wrong_use() {
    let home = tempfile::tempdir().expect("temporary folder");
    let log = home.path().join("lines.txt");
    let engine = format!("{SPRT} arg=fake-engine");
    let line = format!("check {engine} --only single-reply --json --log {}", log.display());
    let (status, stdout, stderr) = call(&line);
    assert_eq!(status, Some(0), "{stderr}{stdout}");
    check_schema("check", &stdout);
    let lines = std::fs::read_to_string(log).expect("a log");
    assert!(lines.contains(" > go depth 4\n") && lines.contains(" < bestmove "), "{lines}");

    let bad = "arg=--misbehave arg=illegal-move arg=--after-moves arg=0";
    let (status, stdout, _) = call(&format!("check {engine} {bad} --only single-reply --json"));
    assert_eq!(status, Some(1), "{stdout}");
    check_schema("check", &stdout);
    let (status, stdout, _) = call(&format!("check {engine} {bad} --only single-reply"));
    assert_eq!(status, Some(1));
    for part in
        ["FAULT   single-reply", "> position fen", "< bestmove e3e3", "Not fit for a runner"]
    {
        assert!(stdout.contains(part), "{part} is not in\n{stdout}");
    }
    let file = tempfile::NamedTempFile::new().expect("a file that its owner may read and write");
    let not_executable = format!("check {}", file.path().display());
    let ucci = format!("check --game xiangqi {engine} proto=ucci");
    for (line, reason) in [
        ("check", "ENGINE"),
        ("check /nowhere/engine", "no such program"),
        #[cfg(unix)]
        (&not_executable, "not a program"),
        ("check embedded", "only programs are checked"),
        ("check sprt --only everything", "--list names all"),
        ("check sprt --game go", "unknown game"),
        ("check sprt --game xiangqi --only chess960", "makes no sense in xiangqi"),
        (&ucci, "proto=ucci is another protocol"),
        ("check sprt --patience x", "a time in seconds"),
    ] {
        let (status, stdout, stderr) = call(line);
        assert_eq!((status, stdout.as_str()), (Some(64), ""), "{line}: {stderr}");
        assert!(stderr.contains(reason), "{line}: {stderr}");
    }
    let (status, stdout, _) = call("check --list");
    assert!(status == Some(0) && stdout.lines().count() > 30, "{stdout}");
    let (status, stdout, _) = call("check --list --game xiangqi");
    assert!(status == Some(0) && !stdout.contains("castling"), "{stdout}");
    let line =
        format!("check --game xiangqi {engine} arg=--game arg=xiangqi --only answers --json");
    let (status, stdout, stderr) = call(&line);
    assert!(status == Some(0) && stdout.contains("\"game\": \"xiangqi\""), "{stderr}{stdout}");
    check_schema("check", &stdout);
}

/// A name is shown as it may be shown, also where a terminal shows colors.
#[test]
#[cfg(unix)]
fn an_engine_s_name_steers_no_terminal() {
    let home = tempfile::tempdir().expect("temporary folder");
    let engine = home.path().join("engine");
    let script = "#!/bin/sh\nread line\nprintf 'id name \\033]0;title\\007toad\\033[8m\\nuciok\\n'\n\
                  while read line; do printf '\\033[2J\\n'; done\n";
    crate::files::write_program(&engine, script);
    let mut check = sprt_line("check");
    check.arg(&engine).args(["--only", "start", "--patience", "1"]).env("CLICOLOR_FORCE", "1");
    let (_, stdout, stderr) = output(&mut check);
    assert!(stdout.contains("?]0;title?toad?[8m"), "{stdout:?}{stderr}");
    assert!(!stdout.contains(['\u{7}', '\u{9b}']) && !stdout.contains("\u{1b}]"), "{stdout:?}");
}
