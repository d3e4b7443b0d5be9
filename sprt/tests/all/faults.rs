//! Engines that break the protocol: each gets its verdict in a bounded time, and the run goes on.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use chess::GAME;
use matches::game::{FaultKind, GameRecord, GameResult, MoveLimits, Termination, WarningKind};
use matches::player::{Contestant, GameStart, RandomMover};
use matches::playing::{Entrant, GameNumber, GameSettings, Played, play_game_until};
use matches::run::read_result;
use matches::sequential_test::Summary;
use playable::{Color, Ending, Position};
use statistics::Verdict;
use tempfile::TempDir;

use crate::child::{Guarded, ended, output};
use crate::helpers::{each, fake, read, sprt, sprt_line};
use crate::skipping::skip;

/// Moves that a misbehaving engine plays well before.
const GOOD_MOVES: usize = 2;
/// Length of the games here.
const MAX_PLIES: u32 = 60;

/// These words, and before them those of `patience` whose keys are not among them.
fn with_patience(patience: &str, words: &str) -> String {
    fn key(word: &str) -> Option<&str> {
        word.split('=').next()
    }
    let is_open = |word: &&str| words.split(' ').all(|other| key(other) != key(word));
    let open: Vec<&str> = patience.split(' ').filter(is_open).collect();
    format!("{} {words}", open.join(" "))
}

fn misbehaving(kind: &str, good_moves: usize, more: &str) -> Contestant {
    let arguments = format!("--misbehave {kind} --after-moves {good_moves} --delay 700");
    let more = with_patience("start-timeout=20 reply-timeout=20 move-timeout=20", more);
    let words = fake(&arguments, &more);
    Contestant::parse(&words, MoveLimits::nodes(1), None).expect("words that make sense")
}

/// Times that a game is played in which the machine stalls.
const MOST_REPLAYS: usize = 100;

/// Two games against the random mover, with each color; the machine's stalls are played again.
fn play_twice(contestant: &Contestant, start: &Position) -> [GameRecord; 2] {
    let loaded = contestant.load(GAME).expect("the binary is there");
    let mut player = loaded.player();
    let limits = MoveLimits::nodes(1);
    let settings = GameSettings { max_plies: MAX_PLIES, ..GameSettings::default() };
    Color::ALL.map(|color| {
        for _ in 0..MOST_REPLAYS {
            let mut random = RandomMover::default();
            let mut seats = [
                Entrant { player: player.as_mut(), limits: &contestant.limits },
                Entrant { player: &mut random, limits: &limits },
            ];
            if color == Color::Black {
                seats.reverse();
            }
            let number = GameNumber { seed: 3, number: 7, fresh: true };
            let never = AtomicBool::new(false);
            match play_game_until(start, seats, &settings.into(), number, &never) {
                Played::Finished(game) => return *game,
                Played::Stalled(_) | Played::StoodStill(_) => {}
                other => unreachable!("nothing cancels the game: {other:?}"),
            }
        }
        panic!("the machine stalls in every one of {MOST_REPLAYS} games")
    })
}

/// Misbehavior, further words, fault, moves before it, and a part of the fault's text.
type Case = (&'static str, &'static str, FaultKind, usize, &'static str);

const IMPATIENT: &str = "reply-timeout=0.4 move-timeout=0.4";
const CLOCK: &str = "reply-timeout=0.4 tc=0.3";
const PATIENT_CLOCK: &str = "tc=0.3";

#[test]
fn every_misbehavior_gets_its_verdict_and_a_new_process() {
    use FaultKind::{Crash, Exit, Flood, Hang, IllegalMove, NoMove, TimeLoss, UnreadableMove};
    let cases: &[Case] = &[
        ("no-start", "", Crash, 0, "exit status 1; stderr: I do not feel like it"),
        ("slow-start", "start-timeout=0.3", Hang, 0, "to `uci` within 0.3 s"),
        ("no-uciok", "start-timeout=0.4", Hang, 0, "to `uci` within 0.4 s"),
        ("option-flood", "", Flood, 0, ""),
        ("no-readyok", "start-timeout=0.4", Hang, 0, "to `isready` within 0.4 s"),
        ("abort", "", Crash, 2, aborted!("; stderr: first line of the last words | all is lost")),
        ("exit-failure", "", Crash, 2, "exit status 1; stderr: all is lost"),
        ("exit-success", "", Exit, 2, "with status 0"),
        ("leave-child", "", Exit, 2, "with status 0"),
        ("close-output", "", Exit, 2, "closed its output"),
        ("hang", IMPATIENT, Hang, 2, "to `go` within 0.4 s"),
        ("hang", CLOCK, Hang, 2, "to `stop` within 0.4 s"),
        ("hang-busy", IMPATIENT, Hang, 2, "to `go`"),
        ("suspend", IMPATIENT, Hang, 2, "to `go`"),
        ("no-line-end", IMPATIENT, Hang, 2, "to `go`"),
        ("wait-for-stop", IMPATIENT, Hang, 2, "to `go`"),
        ("wait-for-stop", PATIENT_CLOCK, TimeLoss, 2, "too late"),
        ("late", PATIENT_CLOCK, TimeLoss, 2, "too late"),
        ("flood-lines", "", Flood, 2, "more output than"),
        ("flood-line", "", Flood, 2, "a line without end"),
        ("flood-info", "", Flood, 2, "more output than"),
        ("flood-errors", "", Flood, 2, "more on stderr than"),
        ("illegal-move", "", IllegalMove, 2, "e3e3"),
        ("stale-move", "", IllegalMove, 2, ""),
        ("garbage-move", "", UnreadableMove, 2, "castles,"),
        ("empty-move", "", UnreadableMove, 2, "bestmove"),
        ("no-move", "", NoMove, 2, ""),
        ("null-move", "", NoMove, 2, ""),
    ];
    each(cases, |&(misbehavior, more, kind, moves, text)| {
        let contestant = misbehaving(misbehavior, GOOD_MOVES, more);
        let games = play_twice(&contestant, &GAME.start());
        for (game, color) in games.into_iter().zip(Color::ALL) {
            let [(guilty, fault)] = &game.faults[..] else { panic!("{misbehavior}: {game:?}") };
            assert_eq!((*guilty, fault.kind), (color, kind), "{misbehavior}: {fault}");
            assert!(fault.detail.contains(text), "{misbehavior}: {fault}");
            assert_eq!(game.result, GameResult::win_of(!color), "{misbehavior}");
            let termination = match kind {
                TimeLoss => Termination::TimeLoss,
                _ => Termination::Forfeit,
            };
            assert_eq!(game.termination, termination, "{misbehavior}");
            let plies = 2 * moves + usize::from(color == Color::Black && moves > 0);
            assert_eq!(game.plies.len(), plies, "{misbehavior}");
        }
    });
}

#[test]
fn oddities_are_warned_of_and_cost_nothing() {
    use WarningKind::{InvalidUtf8, MateScore, Protocol, UnknownOption, WrongVariation};
    let last = MAX_PLIES as usize / 2 - 1;
    let cases: &[(&str, usize, &str, Option<WarningKind>)] = &[
        ("slow-start", 0, "", None),
        ("many-nodes", 0, "", None),
        ("late", last, "", None),
        ("late", last, "tc=30", None),
        ("two-moves", 0, "", Some(Protocol)),
        ("invalid-utf8", 0, "", Some(InvalidUtf8)),
        ("chatter", 0, "", Some(Protocol)),
        ("other-variation", 0, "", Some(WrongVariation)),
        ("illegal-variation", 0, "", Some(WrongVariation)),
        ("false-mate", 0, "", Some(MateScore)),
        ("spaces", 0, "", None),
        ("murmur", 0, "", None),
        ("murmur", 0, "option.Nonsense=1", Some(UnknownOption)),
    ];
    each(cases, |&(misbehavior, good_moves, more, expected)| {
        let contestant = misbehaving(misbehavior, good_moves, more);
        let games = play_twice(&contestant, &GAME.start());
        for (game, color) in games.into_iter().zip(Color::ALL) {
            assert!(game.faults.is_empty(), "{misbehavior}: {:?}", game.faults);
            let kinds: BTreeSet<_> = game.warnings.iter().map(|(_, it)| it.kind).collect();
            assert_eq!(kinds, expected.into_iter().collect(), "{misbehavior}: {:?}", game.warnings);
            assert!(game.warnings.iter().all(|(of, _)| *of == color), "{misbehavior}");
            assert!(game.warnings.len() <= 3, "{misbehavior}: {}", game.warnings.len());
        }
    });
}

#[test]
fn a_mate_with_the_wrong_sign_is_noticed() {
    let start = GAME.position("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1").expect("a position");
    let contestant = misbehaving("mate-sign", 0, "");
    let [game, _] = play_twice(&contestant, &start);
    assert_eq!(game.termination, Termination::Rules(Ending::CHECKMATE));
    let [(Color::White, warning)] = &game.warnings[..] else { panic!("{:?}", game.warnings) };
    assert_eq!(warning.kind, WarningKind::MateScore);
    assert!(warning.detail.starts_with("wrong sign"), "{}", warning.detail);
}

#[test]
fn a_game_is_cancelled_in_the_middle_of_a_move() {
    let contestant = misbehaving("hang", 0, "move-timeout=60");
    let loaded = contestant.load(GAME).expect("the binary is there");
    let (mut player, mut random) = (loaded.player(), RandomMover::default());
    let seats = [
        Entrant { player: player.as_mut(), limits: &contestant.limits },
        Entrant { player: &mut random, limits: &contestant.limits },
    ];
    let cancel = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(300));
            cancel.store(true, Ordering::Relaxed);
        });
        let referee = GameSettings::default().into();
        let start = GAME.start();
        let played = play_game_until(&start, seats, &referee, GameNumber::SINGLE, &cancel);
        assert!(matches!(played, Played::Cancelled), "{played:?}");
    });
}

/// Starts `sprt run` of an engine that misbehaves against the random mover.
fn start(folder: &Path, arguments: &str, options: &str) -> Guarded {
    let mut command = sprt();
    command.arg("run").arg("--candidate").args(fake(arguments, "name=culprit"));
    command.args(["--baseline", "random", "--nodes", "1", "--no-early-stop", "--output"]);
    command.arg(folder).args(options.split_whitespace());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Guarded::spawn(&mut command)
}

/// The same to its end: exit status, standard output, standard error.
fn run(folder: &Path, arguments: &str, options: &str) -> (Option<i32>, String, String) {
    start(folder, arguments, options).finish()
}

/// Processes with this text among their arguments, the process of this number left out.
fn processes_with(mark: &str, except: u32) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let arguments = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let arguments = String::from_utf8_lossy(&arguments).replace('\0', " ");
        if arguments.contains(mark) && name != except.to_string() {
            found.push(format!("{name}: {arguments}"));
        }
    }
    found
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Open files of a process, and how many of its children are zombies.
fn count_leaks(process: u32) -> (usize, usize) {
    let files = fs::read_dir(format!("/proc/{process}/fd")).map_or(0, Iterator::count);
    let mut zombies = 0;
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let status = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let rest: Vec<&str> =
            status.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        if rest.first() == Some(&"Z") && rest.get(1) == Some(&process.to_string().as_str()) {
            zombies += 1;
        }
    }
    (files, zombies)
}

/// Plays so many pairs with an engine that fails in every game, and watches the runner.
fn restart(misbehavior: &str, pairs: u32, mark: &str) {
    let home = TempDir::new().expect("temporary folder");
    // The delay marks the processes of this test, and how long those would live that are left.
    let arguments = format!("--misbehave {misbehavior} --after-moves 1 --delay {mark}000");
    let options = format!("--pairs {pairs} --max-faults {},100% --threads 1", 2 * pairs);
    let child = start(&home.path().join("run"), &arguments, &options);
    let runner = child.id();
    let waiter = std::thread::spawn(|| child.finish());
    let (mut most_files, mut most_zombies) = (0, 0);
    while !waiter.is_finished() {
        let (files, zombies) = count_leaks(runner);
        (most_files, most_zombies) = (most_files.max(files), most_zombies.max(zombies));
        std::thread::sleep(Duration::from_millis(10));
    }
    let (status, _, stderr) = waiter.join().expect("no panic inside");
    assert!(matches!(status, Some(0..=2)), "{stderr}");
    let result = read(home.path(), "run/result.json");
    assert!(result.contains(&format!("\"exit\": {}", 2 * pairs)), "{result}");
    assert!(most_files > 0, "the runner was watched");
    // One engine at a time, and a process that ends is a zombie until it is asked how.
    assert!(most_files < 40 && most_zombies <= 1, "{most_files} files, {most_zombies} zombies");
    assert_eq!(processes_with(mark, runner), Vec::<String>::new());
}

/// Two hundred restarts, or as many as `KAMERTON_RESTARTS` says.
#[test]
fn restarts_leave_nothing_behind() {
    if !Path::new("/proc/self/fd").exists() {
        return skip("processes and files are counted in /proc");
    }
    let restarts = std::env::var("KAMERTON_RESTARTS").ok().and_then(|it| it.parse().ok());
    let mark = (1_000_000 + u64::from(std::process::id())).to_string();
    restart("exit-success", restarts.unwrap_or(200_u32).div_ceil(2), &mark);
    restart("leave-child", 4, &mark);
}

#[test]
fn engines_do_not_outlive_their_runner() {
    if !cfg!(target_os = "linux") {
        return skip("only Linux ends children with their parents");
    }
    let home = TempDir::new().expect("temporary folder");
    let mark = (2_000_000 + u64::from(std::process::id())).to_string();
    let arguments = format!("--misbehave hang-busy --seed {mark}");
    let child = start(&home.path().join("run"), &arguments, "--pairs 1 --threads 1");
    let runner = child.id();
    child.until("the engine starts", || !processes_with(&mark, runner).is_empty());
    child.kill();
    wait_until("the engine ends", || processes_with(&mark, runner).is_empty());
}

/// A killed runner cannot clean up.
#[test]
fn what_engines_have_started_does_not_outlive_a_runner_that_is_killed() {
    if !cfg!(target_os = "linux") {
        return skip("only Linux tells what a process was started with");
    }
    let home = TempDir::new().expect("temporary folder");
    let mark = (6_000_000 + u64::from(std::process::id())).to_string();
    let arguments = format!("--misbehave leave-session --after-moves 0 --delay {mark}000");
    let child = start(&home.path().join("run"), &arguments, "--pairs 1 --threads 1");
    let runner = child.id();
    let sleeper = format!("sleep {mark}");
    child.until("the engine leaves it", || !processes_with(&sleeper, runner).is_empty());
    child.kill();
    wait_until("all ends", || processes_with(&mark, runner).is_empty());
}

#[test]
fn an_engine_that_overspends_its_clock_loses_on_time() {
    let home = TempDir::new().expect("temporary folder");
    let folder = home.path().join("run");
    let late = "--misbehave late --after-moves 1 --delay 900";
    let mut command = sprt();
    command.arg("run").arg("--candidate").args(fake(late, "name=culprit tc=0.3"));
    command.args(["--baseline", "random", "--nodes", "1", "--pairs", "3", "--no-early-stop"]);
    let (status, _, stderr) = output(command.arg("--output").arg(&folder));
    assert!(matches!(status, Some(1 | 2)), "{stderr}");
    let result = read_result::<Summary>(&folder).expect("a result");
    assert_eq!(result.tally.faults[0].time_losses(), 6, "{:?}", result.tally);
}

#[test]
fn all_players_that_cannot_start_are_named() {
    let home = TempDir::new().expect("temporary folder");
    let mut command = sprt();
    let arguments = "--misbehave no-start";
    command.arg("run").arg("--candidate").args(fake(arguments, "name=one"));
    command.arg("--baseline").args(fake(arguments, "name=other"));
    command.args(["--nodes", "1", "--output"]).arg(home.path().join("run"));
    let (status, _, stderr) = output(&mut command);
    assert_eq!(status, Some(3), "{stderr}");
    for name in ["one", "other"] {
        let message = format!("{name} cannot play: crashed: exit status 1");
        assert!(stderr.contains(&message), "{stderr}");
    }
}

/// A launcher that leaves a process in a session of its own behind, and waits for the engine.
#[cfg(target_os = "linux")]
#[test]
fn what_an_engine_has_started_ends_with_it() {
    use crate::files::write_program;
    use crate::helpers::SPRT;

    let home = TempDir::new().expect("temporary folder");
    let launcher = home.path().join("launcher");
    let script =
        format!("#!/bin/sh\nsetsid sleep $1 &\nshift\n'{SPRT}' fake-engine \"$@\"\nexit $?\n");
    write_program(&launcher, script);
    let own = std::process::id();
    if !Path::new(&format!("/proc/{own}/task/{own}/children")).exists() {
        return skip("the kernel does not tell who has started whom");
    }
    // After `quit`; killed; ended by itself, so that its child is an orphan.
    let cases: &[(u32, &str, Option<FaultKind>)] = &[
        (3_000_000, "", None),
        (4_000_000, "arg=--misbehave arg=hang move-timeout=0.4", Some(FaultKind::Hang)),
        (5_000_000, "arg=--misbehave arg=exit-success", Some(FaultKind::Exit)),
    ];
    each(cases, |&(mark, more, fault)| {
        let mark = (mark + own).to_string();
        let mut words = vec![format!("cmd={}", launcher.display()), format!("arg={mark}")];
        let more = with_patience("start-timeout=60 reply-timeout=60 move-timeout=60", more);
        words.extend(more.split_whitespace().map(str::to_owned));
        let contestant = Contestant::parse(&words, MoveLimits::nodes(1), None).expect("known");
        // Its player is dropped with the last game.
        for game in play_twice(&contestant, &GAME.start()) {
            assert_eq!(game.faults.first().map(|(_, fault)| fault.kind), fault, "{more}");
        }
        wait_until("all has ended", || processes_with(&mark, own).is_empty());
    });
}

/// Its work after `quit` may be worth something: it is not killed at once.
#[test]
fn an_engine_has_two_seconds_to_end() {
    let contestant = misbehaving("ignore-quit", 0, "");
    let mut player = contestant.load(GAME).expect("the binary is there").player();
    let start = GAME.start();
    player.new_game(&GameStart::fresh(&start)).expect("it starts");
    let begin = Instant::now();
    drop(player);
    assert!(begin.elapsed() >= Duration::from_secs(2), "{:?}", begin.elapsed());
}

#[test]
fn too_many_faults_fail_the_run() {
    let home = TempDir::new().expect("temporary folder");
    let arguments = "--misbehave abort --after-moves 1";
    let folder = home.path().join("run");
    let (status, stdout, stderr) = run(&folder, arguments, "--pairs 20 --max-faults 4 --threads 2");
    assert_eq!(status, Some(3), "{stderr}");
    assert!(stderr.contains("culprit") && stderr.contains(aborted!()), "{stderr}");
    // The faults are told and kept, but they are no verdict.
    assert!(stdout.contains("Faults      culprit: crashed"), "{stdout}");
    assert!(stdout.contains("Verdict     none, the run failed: 6 faults"), "{stdout}");
    let result = read_result::<Summary>(&folder).expect("a result");
    assert_eq!(result.verdict, Verdict::Undecided);
    assert!(result.tally.failure.expect("a reason").contains(aborted!()));
    let page = home.path().join("page.html");
    assert_eq!(output(sprt_line("report").arg(&folder).arg("--output").arg(&page)).0, Some(0));
    let page = fs::read_to_string(page).expect("a page");
    assert!(page.contains(">failed<") && page.contains(aborted!()), "{page}");
}

#[test]
fn forfeits_are_no_verdict() {
    let home = TempDir::new().expect("temporary folder");
    // Fewer faults than the run may have, but the likelihood ratio rests on them alone.
    let arguments = "--misbehave no-move --after-moves 0";
    for (name, more, status) in [("default", "", 3), ("allowed", "--max-faults 25,100%", 1)] {
        let folder = home.path().join(name);
        let options = format!("--pairs 12 --threads 1 --model logistic --elo1 200 {more}");
        let (ended, _, stderr) = run(&folder, arguments, &options);
        assert_eq!(ended, Some(status), "{stderr}");
        if status == 3 {
            assert!(stderr.contains("24 of 24 games were forfeited"), "{stderr}");
        }
    }
}

#[test]
fn what_cannot_work_is_told_before_the_first_game() {
    let home = TempDir::new().expect("temporary folder");
    let folder = home.path().join("chess960");
    let openings = home.path().join("openings.epd");
    fs::write(&openings, "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf -\n")
        .expect("writable");
    let options = format!("--pairs 1 --threads 1 --openings {}", openings.display());
    let (status, _, stderr) = run(&folder, "--misbehave standard-chess-only", &options);
    assert_eq!(status, Some(3), "{stderr}");
    assert!(stderr.contains("culprit cannot play: did not start: does not play Chess960"));
    assert!(!folder.exists());
}

/// A misspelt option would be played to a verdict about nothing.
#[test]
fn an_option_that_is_not_there_is_refused_unless_it_is_allowed() {
    let home = TempDir::new().expect("temporary folder");
    let folder = home.path().join("run");
    let run = |options: &str, more: &str| {
        let mut command = sprt();
        command.arg("run").arg("--candidate").args(fake("", options));
        command.args(["--baseline", "random", "--nodes", "1", "--pairs", "1", "--output"]);
        output(command.arg(&folder).args(more.split_whitespace()))
    };
    let (status, stdout, stderr) = run("option.Sed=1 option.Zebra=on", "");
    assert_eq!((status, stdout.as_str()), (Some(3), ""), "{stderr}");
    assert!(stderr.contains("has no option \"Sed\", did you mean \"Seed\"?"), "{stderr}");
    assert!(stderr.contains("has no option \"Zebra\""), "{stderr}");
    assert!(stderr.contains("--allow-unknown-options"), "{stderr}");
    assert!(!folder.exists(), "no game was played");
    let mut command = sprt();
    command.args(["tournament", "--player", "random", "--player"]).args(fake("", "option.Sed=1"));
    command.args(["--nodes", "1", "--rounds", "1", "--output"]);
    ended(3, command.arg(&folder));
    assert!(!folder.exists(), "no game was played");
    // The size of the table that all players get is no misspelt option.
    let (status, _, stderr) = run("", "--hash 16");
    assert_eq!(status, Some(2), "{stderr}");
    fs::remove_dir_all(&folder).expect("a run");
    let (status, _, stderr) = run("option.Sed=1", "--allow-unknown-options");
    assert_eq!(status, Some(2), "{stderr}");
    assert!(stderr.contains("warning: ") && stderr.contains("has no option \"Sed\""), "{stderr}");
}

#[test]
fn an_engine_that_answers_twice_plays_the_same_games_every_time() {
    let home = TempDir::new().expect("temporary folder");
    let games = ["one", "other"].map(|name| {
        let folder = home.path().join(name);
        let arguments = "--misbehave two-moves --after-moves 0";
        let options = "--pairs 3 --threads 1 --max-plies 40 --max-faults 0";
        let (status, _, stderr) = run(&folder, arguments, options);
        assert!(matches!(status, Some(0..=2)), "{stderr}");
        read(&folder, "journal")
    });
    assert_eq!(games[0], games[1]);
    assert!(games[0].contains("unasked: bestmove"));
}
