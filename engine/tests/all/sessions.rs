//! Whole sessions with the binary, as a user interface would hold them.

use std::io::Write;
use std::process::{Command, Stdio};

use chess::{Margins, Parameters, Weights};
use uci::{InfoLine, Reply, ScoreBound, ScoreValue};

use super::driver::Session;
use crate::child::Guarded;

#[test]
fn introduces_itself() {
    let mut session = Session::start();
    session.send("uci");
    let lines = session.until("uciok");
    let fingerprint = Parameters::embedded().fingerprint();
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(lines[0], format!("id name Kamerton {version} ({fingerprint})"));
    assert!(lines[1].starts_with("id author "));
    for line in &lines {
        assert!(Reply::parse(line).is_some(), "{line}");
    }
    // Match runners plan processors by it.
    assert!(lines.contains(&"option name Threads type spin default 1 min 1 max 512".to_string()));
    let options = lines.iter().filter(|line| line.starts_with("option ")).count();
    for name in ["Hash", "Clear Hash", "MultiPV", "Ponder", "UCI_Chess960", "UCI_AnalyseMode"] {
        assert!(lines.iter().any(|line| line.starts_with(&format!("option name {name} type "))));
    }
    assert!(options < 25, "few enough to choose from: {options}");
    session.send("setoption name ListTuningOptions value true");
    session.send("uci");
    lists_all_numbers(&session.until("uciok"), options);
    session.send("setoption name ListTuningOptions value false");
    session.send("uci");
    assert_eq!(session.until("uciok"), lines);
    session.send("quit");
    assert!(session.wait().1.success());
}

/// Every number, as an option with its value and range, after so many others.
fn lists_all_numbers(lines: &[String], others: usize) {
    let mut numbers = 0;
    for number in Margins::numbers().chain(Weights::numbers()) {
        let (name, (low, high)) = (number.name(), number.range());
        let value = number.value(Parameters::embedded());
        let line = format!("option name {name} type spin default {value} min {low} max {high}");
        assert!(lines.contains(&line), "{line}");
        numbers += 1;
    }
    let options = lines.iter().filter(|line| line.starts_with("option ")).count();
    assert_eq!(options, others + numbers);
}

#[test]
fn tells_all_options_if_started_so() {
    fn by_argument(command: &mut Command) {
        command.args(["--options", "all"]);
    }
    fn by_environment(command: &mut Command) {
        command.env("KAMERTON_OPTIONS", "all");
    }
    let starts: [&dyn Fn(&mut Command); 2] = [&by_argument, &by_environment];
    let mut plain = Session::start();
    plain.send("uci");
    let ordinary = plain.until("uciok").iter().filter(|line| line.starts_with("option ")).count();
    for prepare in starts {
        let mut session = Session::start_with(prepare);
        session.send("uci");
        lists_all_numbers(&session.until("uciok"), ordinary);
    }
}

#[test]
fn is_ready_during_a_search_that_stop_ends() {
    let mut session = Session::start();
    session.send("go infinite");
    session.until("info depth 3");
    assert!(session.until_ready().iter().all(|line| line.starts_with("info ")));
    session.send("uci");
    assert!(session.until("uciok").iter().all(|line| !line.starts_with("bestmove")));
    session.send("stop");
    assert!(session.best_move().0.is_some());
    session.send("stop");
    session.send("ponderhit");
    assert_eq!(session.until_ready(), Vec::<String>::new());
}

#[test]
fn ponders_until_the_move_is_played() {
    let mut session = Session::start();
    session.send("setoption name Ponder value true");
    session.send("position startpos moves e2e4 e7e5");
    session.send("go ponder wtime 50 btime 50 depth 3");
    session.until("info depth 3");
    assert!(session.until_ready().iter().all(|line| !line.starts_with("bestmove")));
    session.send("ponderhit");
    assert!(session.best_move().0.is_some());
    // Since then it ends by itself, and what waits does not end it.
    session.send("go ponder depth 9");
    session.until("info depth 1");
    session.send("ponderhit");
    session.send("go depth 1");
    assert!(session.best_move().1.iter().any(|info| info.depth == Some(9)));
    assert!(session.best_move().0.is_some());
    session.send("go ponder depth 2");
    session.until("info depth 2");
    session.send("stop");
    assert!(session.best_move().0.is_some());
}

#[test]
fn very_long_games_are_followed() {
    let mut session = Session::start();
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"].join(" ");
    let moves = vec![shuffle; 500].join(" ");
    session.send(&format!("position startpos moves {moves} e2e4"));
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1001";
    assert_eq!(session.fen(), fen);
    session.send("go depth 2");
    assert!(session.best_move().0.is_some());
    session.send(&format!("position fen {fen} moves {}", moves.replace("g1f3", "g8f6")));
    assert!(session.until("info string")[0].contains("move 2: "));
    session.send("go depth 1");
    assert_eq!(session.best_move().0, None, "no move of the position before");
}

/// The position before a wrong one is not the one that is meant: until another is accepted, no search
/// is answered by a move.
#[test]
fn no_move_is_played_in_another_position_than_was_asked_for() {
    let mut session = Session::start();
    let too_long = format!("position startpos moves{}", " e2e4".repeat(300_000));
    for wrong in [
        "position startpos moves e2e5",
        "position startpos moves e2e4 e2e4",
        "position startpos moves hello",
        "position startpos e2e4",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1",
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 more",
        "position fen",
        "position e2e4",
        "position",
        &too_long,
    ] {
        let text = &wrong[..wrong.len().min(60)];
        session.send("position startpos moves e2e4");
        let fen = session.fen();
        session.send(wrong);
        let said = session.until_ready();
        assert_eq!(said.len(), 1, "{text}: {said:?}");
        assert!(said[0].starts_with("info string position refused: "), "{text}: {said:?}");
        let refused = "info string there is no position: the last one was refused; send another";
        for asked in ["go depth 3", "go wtime 1000 btime 1000", "go infinite\nstop"] {
            session.send(asked);
            assert_eq!(session.until("bestmove"), [refused, "bestmove 0000"], "{text}: {asked}");
        }
        for asked in ["d", "eval", "go perft 1"] {
            session.send(asked);
            assert_eq!(session.until_ready(), [refused], "{text}: {asked}");
        }
        session.send("position startpos moves e2e4");
        assert_eq!(session.fen(), fen, "{text}");
        session.send("go depth 1");
        assert!(session.best_move().0.is_some());
    }
    session.send("position fen");
    session.send("go infinite");
    session.until_ready();
    assert!(session.until_ready().is_empty(), "an endless search is not answered before `stop`");
    session.send("quit");
    assert_eq!(session.until("bestmove").last().expect("a line"), "bestmove 0000");
}

/// Fields at a FEN's end may be missing, and operations of EPD may follow it.
#[test]
fn positions_of_test_suites_are_taken() {
    let mut session = Session::start();
    let board = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5";
    for (given, fields) in [
        ("b - - 0 1", "b - - 0 1"),
        ("b - - bm Qd1+; id \"BK.01\";", "b - - 0 1"),
        ("b - - 3 7 bm Qd1+", "b - - 3 7"),
        ("b - -", "b - - 0 1"),
        ("b", "b - - 0 1"),
        ("", "w - - 0 1"),
    ] {
        session.send(&format!("position fen {board} {given}"));
        assert_eq!(session.fen(), format!("{board} {fields}"), "{given}");
    }
    session.send(&format!("position fen {board} b moves d6d1"));
    assert_eq!(session.fen(), "1k1r4/pp1b1R2/6pp/4p3/2B5/4Q3/PPP2B2/2Kq4 w - - 1 2");
}

/// Not only those beside it: the search that runs and all that wait.
#[test]
fn stop_ends_all_searches_before_it() {
    let mut session = Session::start();
    // In one piece, so that the last line is read before the first search is over.
    session.send("go infinite\ngo depth 200\ngo nodes 1000000000000\ngo infinite\nstop");
    for _ in 0..4 {
        session.until("bestmove ");
    }
    session.send("quit");
    assert!(session.wait().1.success());
}

#[test]
fn quit_ends_a_search() {
    let mut session = Session::start();
    session.send("go infinite");
    session.until("info depth 2");
    session.send("go infinite");
    session.send("quit");
    session.send("go infinite");
    assert!(session.wait().1.success());
}

/// The engine with two pipes.
fn piped() -> Guarded {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kamerton"));
    Guarded::spawn(command.stdin(Stdio::piped()).stdout(Stdio::piped()))
}

/// A user interface that dies leaves a closed output, perhaps with the input still open.
#[test]
fn closed_output_ends_an_endless_search() {
    let child = piped();
    let mut stdin = child.take_stdin();
    stdin.write_all(b"position startpos moves e2e4\ngo infinite\n").unwrap();
    drop(child.take_stdout());
    assert!(child.wait().success());
}

#[test]
fn end_of_input_lets_limited_work_finish() {
    let mut session = Session::start();
    session.send("go depth 4");
    session.send("position startpos moves d2d4");
    session.send("go depth 3");
    session.send("go perft 3");
    session.send("go infinite");
    let (lines, status) = session.end();
    assert!(status.success());
    let best_moves = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
    assert_eq!(best_moves, 3);
    assert!(lines.iter().any(|line| line.starts_with("info depth 4 ")));
    assert!(lines.contains(&"Nodes searched: 12435".to_string()));
}

/// Also if the ponder hit came while another search ran.
#[test]
fn end_of_input_lets_a_ponder_hit_count() {
    let mut session = Session::start();
    session.send("go depth 9");
    session.send("go ponder depth 8");
    session.send("ponderhit");
    let (lines, _) = session.end();
    let answers: Vec<usize> =
        (0..lines.len()).filter(|&line| lines[line].starts_with("bestmove ")).collect();
    assert_eq!(answers.len(), 2);
    let second = &lines[answers[0]..];
    assert!(second.iter().any(|line| line.starts_with("info depth 8 ")), "{second:?}");
}

#[test]
fn commands_wait_for_the_search() {
    let mut session = Session::start();
    session.send("go infinite");
    session.until("info depth 2");
    // A new search ends the endless one before it, in the position set up in between.
    session.send("position fen 7k/8/5K2/8/8/8/8/6Q1 w - - 0 1");
    session.send("go depth 3");
    session.best_move();
    let (best, infos) = session.best_move();
    assert_eq!(best.as_deref(), Some("g1g7"));
    assert_eq!(infos.last().unwrap().score, Some(ScoreValue::Mate(1)));
    // `stop` is also meant for the search that waits.
    session.send("go infinite");
    session.send("go infinite");
    session.send("stop");
    session.best_move();
    session.best_move();
    assert_eq!(session.until_ready(), Vec::<String>::new());
    // A new game ends an endless search too, even one that has not begun when it is announced.
    session.send("go depth 3");
    session.send("go infinite");
    session.send("ucinewgame");
    session.best_move();
    session.best_move();
    session.send("go infinite");
    session.send("quit");
    session.until("bestmove");
}

#[test]
fn finished_games_have_no_best_move() {
    let mut session = Session::start();
    session.send("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    session.send("go depth 5");
    let (best, infos) = session.best_move();
    assert_eq!((best, infos.last().unwrap().score), (None, Some(ScoreValue::Mate(0))));
    session.send("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    session.send("go movetime 10");
    let (best, infos) = session.best_move();
    assert_eq!((best, infos.last().unwrap().score), (None, Some(ScoreValue::Centipawns(0))));
}

#[test]
fn castling_is_written_as_the_user_interface_writes_it() {
    let mut session = Session::start();
    let castle = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    for (chess960, written) in [("false", "e1g1"), ("true", "e1h1")] {
        session.send(&format!("setoption name UCI_Chess960 value {chess960}"));
        for accepted in ["e1g1", "e1h1"] {
            session.send(castle);
            session.send(&format!("go depth 2 searchmoves {accepted}"));
            let (best, infos) = session.best_move();
            assert_eq!(best.as_deref(), Some(written));
            assert_eq!(infos.last().unwrap().line[0], written);
            session.send(&format!("{castle} moves {accepted}"));
            assert!(session.fen().starts_with("4k3/8/8/8/8/8/8/5RK1 b - -"));
        }
    }
    // King and rook change places: only the form of Chess960 can say so.
    session.send("setoption name UCI_Chess960 value false");
    session.send("position fen 4k3/8/8/8/8/8/8/5KR1 w G - 0 1");
    session.send("go depth 2 searchmoves f1g1");
    assert_eq!(session.best_move().0.as_deref(), Some("f1g1"));
    session.send("position fen 4k3/8/8/8/8/8/8/5KR1 w G - 0 1 moves f1g1 e8e7");
    assert!(session.fen().starts_with("8/4k3/8/8/8/8/8/5RK1 w - -"));
}

#[test]
fn limits_are_kept() {
    let mut session = Session::start();
    session.send("go nodes 777");
    assert_eq!(nodes_of(&session.best_move().1), 777);
    session.send("go depth 0");
    let (best, infos) = session.best_move();
    assert!(best.is_some() && !infos.is_empty());
    assert!(infos.iter().all(|info| info.depth == Some(1)));
    session.send("position fen 7k/8/5K2/8/8/8/8/6Q1 w - - 0 1");
    session.send("go mate 1");
    assert_eq!(session.best_move().0.as_deref(), Some("g1g7"));
    session.send("position startpos");
    session.send("go depth 2 searchmoves a2a3 e2e5 h2h3");
    assert_eq!(session.line(), "info string searchmoves: illegal here: e2e5");
    let best = session.best_move().0.unwrap();
    assert!(["a2a3", "h2h3"].contains(&best.as_str()));
}

/// The most nodes that a search has told.
fn nodes_of(infos: &[InfoLine]) -> u64 {
    infos.iter().filter_map(|info| info.nodes).max().expect("infos")
}

/// More than any search that ends at once, however fast the machine: the clock is looked at every
/// thousand nodes, and a busy machine only has fewer.
const AT_ONCE: u64 = 200_000;

#[test]
fn who_has_no_time_searches_next_to_nothing() {
    let mut session = Session::start();
    for [before, go] in [
        ["", "go wtime 0 btime 0"],
        ["", "go wtime -100 btime 100 winc 10 binc 10 movestogo 0"],
        ["", "go movetime 0"],
        // Each side has a clock of its own.
        ["position startpos moves e2e4", "go wtime 3600000 btime 1"],
        // All the time may pass on the way to the user interface.
        ["setoption name Move Overhead value 10000", "go movetime 10000"],
    ] {
        session.send(before);
        session.send(go);
        let (best, infos) = session.best_move();
        assert!(best.is_some() && nodes_of(&infos) < AT_ONCE, "{go}: {:?}", infos.last());
    }
}

#[test]
fn several_lines_and_chances() {
    let mut session = Session::start();
    session.send("setoption name MultiPV value 3");
    session.send("setoption name UCI_ShowWDL value true");
    session.send("go depth 4");
    let (best, infos) = session.best_move();
    let last: Vec<&InfoLine> = infos.iter().filter(|info| info.depth == Some(4)).collect();
    let ranks: Vec<Option<u32>> = last.iter().map(|info| info.multi_pv).collect();
    assert_eq!(ranks, [Some(1), Some(2), Some(3)]);
    assert_eq!(last[0].line.first(), best.as_ref());
    for info in last {
        assert_eq!(info.win_draw_loss.unwrap().iter().sum::<u32>(), 1000);
        assert!(info.selective_depth.is_some() && info.nodes_per_second.is_some());
        assert!(info.hash_full.is_some() && info.table_hits.is_some() && info.time.is_some());
    }
    // Where nobody can win, nobody has a chance: with bare kings, in stalemate and in mate.
    for (fen, chances) in [
        ("7k/8/8/8/8/8/8/K7 w - - 0 1", [0, 1000, 0]),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", [0, 1000, 0]),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", [0, 0, 1000]),
    ] {
        session.send(&format!("position fen {fen}"));
        session.send("go depth 2");
        let (_, infos) = session.best_move();
        assert_eq!(infos.last().unwrap().win_draw_loss, Some(chances), "{fen}");
    }
}

#[test]
fn a_search_that_is_broken_off_tells_the_depth_of_its_answer() {
    // Where two lines of one depth differ, one of them is mislabelled.
    let mut session = Session::start();
    for nodes in (300..9000).step_by(100) {
        session.send("ucinewgame");
        session.send(&format!("go nodes {nodes}"));
        let (best, infos) = session.best_move();
        let exact = infos.iter().filter(|info| info.bound == ScoreBound::Exact);
        let told: Vec<_> = exact.map(|info| (info.depth, info.score, &info.line)).collect();
        for pair in told.windows(2) {
            assert!(pair[0].0 < pair[1].0 || pair[0] == pair[1], "{nodes} nodes: {pair:?}");
        }
        let last = infos.last().unwrap();
        assert_eq!(last.line.first(), best.as_ref());
    }
}

#[test]
fn every_search_is_answered() {
    let mut session = Session::start();
    for (line, mistake) in [
        ("go depth -3", "`depth` takes a whole number, not `-3`"),
        ("go depth 3 searchmoves ", "`searchmoves` takes moves, not nothing"),
        ("go nodes", "`nodes` takes a whole number, not nothing"),
        ("go perft 100000", "`perft` takes at most 20 plies, not `100000`"),
    ] {
        session.send(line);
        assert_eq!(session.line(), format!("info string {mistake}"));
        assert!(session.best_move().0.is_some(), "{line}");
    }
    // There is no mate: it is given up.
    session.send("go mate 1");
    assert!(session.best_move().0.is_some());
    session.send("go mate 1");
    let (lines, status) = session.end();
    assert!(status.success());
    assert!(lines.iter().any(|line| line.starts_with("bestmove ")));
}

#[test]
fn counts_and_benches_are_stopped() {
    for (line, stopped) in
        [("go perft 20", "perft was stopped"), ("bench 127", "bench was stopped")]
    {
        let mut session = Session::start();
        session.send(line);
        session.until_ready();
        session.send("stop");
        session.until(&format!("info string {stopped}"));
        session.send(line);
        session.send("quit");
        assert!(session.wait().1.success());
    }
}

/// Nobody is left who could stop it.
#[test]
fn closed_pipes_end_counts_and_benches() {
    for line in ["go perft 20", "bench 127", "go depth 127"] {
        let child = piped();
        writeln!(child.take_stdin(), "{line}").unwrap();
        drop(child.take_stdout());
        assert!(child.wait().success(), "{line}");
    }
}

/// Each of them costs the same, however many wait.
#[test]
fn many_commands_wait() {
    let mut session = Session::start();
    session.send("go infinite");
    let many = "position startpos moves e2e4\n".repeat(300_000);
    session.send_bytes(many.as_bytes());
    session.until_ready();
    session.send("stop");
    assert!(session.best_move().0.is_some());
    assert_eq!(session.fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
}

#[test]
fn what_is_too_long_is_refused() {
    let mut session = Session::start();
    let too_long = "info string ignored: a line of more than 1048576 bytes";
    for length in [(1 << 20) + 1, 5_000_000] {
        session.send_bytes(&vec![b'x'; length]);
        assert_eq!(session.until_ready(), [too_long], "{length}");
    }
    let mut longest = b"position startpos moves".to_vec();
    longest.resize((1 << 20) - 1, b' ');
    session.send_bytes(&longest);
    assert_eq!(session.until_ready(), Vec::<String>::new());
    if cfg!(unix) {
        session.send("setoption name ParametersFile value /dev/zero");
        let answer = "info string /dev/zero: it is no file, but a folder, a pipe or a device";
        assert_eq!(session.until_ready(), [answer]);
    }
}

#[test]
fn garbage_is_answered_and_survived() {
    let mut session = Session::start();
    for bytes in [
        &b"\xff\xfe\x00\x01"[..],
        b"position startpos moves \xe2\x82",
        b"\0\0\0",
        b"joho debug on",
        b"\x1b[31mred",
    ] {
        session.send_bytes(bytes);
        let said = session.until_ready();
        assert!(said.iter().all(|line| line.starts_with("info string ")), "{said:?}");
        assert_eq!(said.len(), 1, "{bytes:?}");
    }
    session.send_bytes(&[b'x'; 1_000_000]);
    assert!(session.until_ready()[0].len() < 200);
    for blank in ["", "   ", "\t", "\r"] {
        session.send(blank);
        assert_eq!(session.until_ready(), Vec::<String>::new());
    }
    session.send("position startpos");
    session.send("go depth 1");
    assert!(session.best_move().0.is_some());
    assert!(session.end().1.success());
}

/// Who hears of the opponent's clock alone has none, and must not think for ever.
#[test]
fn a_clock_that_is_not_told_has_run_out() {
    let mut session = Session::start();
    for line in ["go btime 500", "go winc 100", "go btime 60000 binc 10 movestogo 4"] {
        session.send(line);
        let (best, infos) = session.best_move();
        let most = infos.iter().filter_map(|info| info.nodes).max();
        assert!(best.is_some() && most.is_none_or(|nodes| nodes < 200_000), "{line}: {most:?}");
    }
    // Another limit holds as it is.
    session.send("go nodes 3000 btime 60000");
    assert_eq!(session.best_move().1.last().and_then(|info| info.nodes), Some(3000));
}

/// A table for which there is no memory is refused, and the engine lives on with what it had.
#[test]
fn a_table_that_does_not_fit_is_refused() {
    let mut session = Session::start();
    session.send("uci");
    let hash = session.until("uciok").into_iter().find(|line| line.contains(" Hash "));
    let hash = hash.expect("an option");
    let most = hash.rsplit(' ').next().expect("a word");
    session.send(&format!("setoption name Hash value {most}"));
    let said = session.until_ready();
    // Elsewhere nobody tells how much there is, and it may be granted.
    if cfg!(target_os = "linux") {
        assert!(said.iter().any(|line| line.contains("megabytes")), "{said:?}");
    }
    session.send("go nodes 1000");
    assert!(session.best_move().0.is_some());
}

/// What many programs write down though nobody can castle or capture so.
#[test]
fn rights_that_nobody_has_are_left_out() {
    let mut session = Session::start();
    for (fen, kept) in [
        ("4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("4k3/8/8/8/8/8/8/4K3 b KQkq e3 3 9", "4k3/8/8/8/8/8/8/4K3 b - - 3 9"),
    ] {
        session.send(&format!("position fen {fen}"));
        let said = session.until_ready();
        assert!(!said.is_empty() && said.iter().all(|line| line.contains("left out")), "{said:?}");
        assert_eq!(session.fen(), kept);
    }
}
