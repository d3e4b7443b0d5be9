//! The command line: what it prints, what it refuses, and its help texts word by word.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use chess::Parameters;
use chess::bench::DEFAULT_DEPTH;
use engine::console::literature;
use insta::assert_snapshot;
use parameters::Format;

use crate::child::{Guarded, output};
use crate::lanes::is_long;

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kamerton"));
    // Help is wrapped to the terminal's width; tests have none.
    command.args(arguments).env_remove("COLUMNS").stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    output(&mut command(arguments))
}

fn stdout(arguments: &[&str]) -> String {
    let (status, stdout, errors) = run(arguments);
    assert_eq!(status, Some(0), "{arguments:?}: {errors}");
    stdout
}

/// Status and first line on stderr of a call that must fail and print nothing else.
fn refusal(arguments: &[&str]) -> (i32, String) {
    let (status, stdout, errors) = run(arguments);
    assert_eq!(stdout, "", "{arguments:?}");
    (status.unwrap(), errors.lines().next().unwrap_or_default().to_string())
}

#[test]
fn help_texts() {
    assert_snapshot!("help", stdout(&["--help"]));
    for name in ["bench", "perft", "eval", "params", "play", "search", "convert"] {
        assert_snapshot!(format!("help-{name}"), stdout(&[name, "--help"]));
    }
    assert_snapshot!("help-toy", stdout(&["toy", "--help"]));
    for name in ["tic-tac-toe", "corners"] {
        assert_snapshot!(format!("help-toy-{name}"), stdout(&["toy", name, "--help"]));
    }
    assert_snapshot!("help-library", stdout(&["library", "--help"]));
    for name in ["build", "learn", "show", "check", "export"] {
        let text = stdout(&["library", name, "--help"]);
        assert_snapshot!(format!("help-library-{name}"), text);
    }
}

#[test]
fn wrong_use_is_refused() {
    let mut texts = String::new();
    for arguments in [
        &["benchmark"][..],
        &["--depth", "3"],
        &["bench", "0"],
        &["bench", "deep"],
        &["perft"],
        &["perft", "99"],
        &["perft", "2", "--fen", "nonsense"],
        &["perft", "2", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"],
        &["eval", "start"],
        &["params", "--format", "xml"],
        &["params", "--manifest", "--format", "csv"],
        &["search"],
        &["search", "--time", "5"],
        &["search", "--time", "soon"],
        &["search", "--depth", "0"],
        &["search", "--depth", "3", "--hash", "0"],
        &["search", "--depth", "-3"],
        &["search", "--depth", "128"],
        &["search", "--nodes", "-1"],
        &["search", "--nodes", "18446744073709551615"],
        &["search", "--time", "-5s"],
        &["search", "--time", "99999999m"],
        &["search", "--depth", "3", "--lines", "-1"],
        &["bench", "-3"],
        &["bench", "128"],
        &["perft", "-1"],
        &["toy", "tic-tac-toe", "--order", "012345677"],
        &["toy", "corners", "--depth", "6"],
        &["library", "build", "--pgn", "a.pgn"],
        &["library", "build", "--output", "a", "--pgn", "a.pgn", "--plies", "201"],
        &["library", "build", "--output", "a", "--pgn", "a.pgn", "--min-games", "0"],
        &["library", "show", "1. e4"],
        &["library", "check"],
        &["convert"],
    ] {
        let (status, stdout, errors) = run(arguments);
        assert_eq!((status, stdout.as_str()), (Some(64), ""), "{arguments:?}");
        assert!(errors.starts_with("error: "), "{arguments:?}: {errors}");
        texts += &format!("$ kamerton {}\n{}\n\n", arguments.join(" "), errors.trim());
    }
    assert_snapshot!("wrong-use", texts);
}

/// Recorded games go from form to form and come back as they were.
#[test]
fn games_are_converted() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let wxf = "[Red \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. C2=5 C8=5\n2. C5+4 A4+5\n1-0\n";
    let of_chess = "[White \"a\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
        [FEN \"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 9\"]\n\n9... O-O-O\n10. Ke2 *\n";
    let of_draughts = "[Result \"0-1\"]\n[GameType \"25,W,8,8,A0,0\"]\n\n1. c3-d4 b6-c5\n\
        2. d4xb6 a7xc5\n0-1\n";
    fs::write(path("wxf.pgn"), wxf).unwrap();
    fs::write(path("chess.pgn"), of_chess).unwrap();
    fs::write(path("draughts.pdn"), of_draughts).unwrap();
    let convert =
        |game: &str, rest: &[&str]| stdout(&[&["--game", game, "convert"], rest].concat());
    let of_runner = wxf.replace("[Red ", "[Round \"1\"]\n[White ");
    fs::write(path("runner.pgn"), of_runner).unwrap();
    let output = path("a.xml");
    let to_xml = ["--notation", "chinese", "--output", &output];
    let (status, _, told) =
        run(&[&["--game", "xiangqi", "convert", &path("runner.pgn")][..], &to_xml].concat());
    assert_eq!((status, told.trim()), (Some(0), "warning: tags that XML has no place for: Round"));
    let xml = fs::read_to_string(path("a.xml")).unwrap();
    assert!(xml.contains("<red>a</red>"), "{xml}");
    assert!(xml.contains("<move>炮二平五</move>"), "{xml}");
    let keypad = convert("xiangqi", &[&path("a.xml"), "--notation", "keypad"]);
    assert!(keypad.contains("1. 62.5 68.5\n"), "{keypad}");
    fs::write(path("keypad.pgn"), keypad).unwrap();
    assert_eq!(convert("xiangqi", &[&path("keypad.pgn")]), wxf);
    let uci = convert("chess", &[&path("chess.pgn"), "--notation", "uci"]);
    assert!(uci.ends_with("\n9... e8c8\n10. e1e2 *\n"), "{uci}");
    assert_eq!(convert("chess", &[&path("chess.pgn")]), of_chess);
    assert_eq!(convert("draughts", &[&path("draughts.pdn")]), of_draughts);

    let (status, error) =
        refusal(&["--game", "xiangqi", "convert", &path("wxf.pgn"), "--notation", "san"]);
    let known = "wxf, coordinates, piece, iccs, letters, keypad, chinese";
    assert_eq!(status, 3);
    assert!(
        error.contains(&format!("xiangqi has no notation \"san\"; expected {known}")),
        "{error}"
    );
    fs::write(path("bad.pgn"), wxf.replace("A4+5", "A4+6")).unwrap();
    let output = path("never.pgn");
    let files = [path("wxf.pgn"), path("bad.pgn")];
    let (status, error) =
        refusal(&["--game", "xiangqi", "convert", &files[0], &files[1], "--output", &output]);
    assert_eq!(status, 3);
    assert!(error.contains("bad.pgn: line 6: \"A4+6\" is no legal move here"), "{error}");
    assert!(!Path::new(&output).exists());
    let (_, error) = refusal(&[
        "--game",
        "xiangqi",
        "convert",
        &files[0],
        &files[0],
        "--output",
        &path("two.xml"),
    ]);
    assert!(error.contains("a file of XML holds one game, not 2"), "{error}");
}

#[test]
fn failures_are_told() {
    let (status, error) = refusal(&["bench", "1", "--parameters", "/no/such/file.toml"]);
    assert_eq!(status, 3);
    assert!(error.starts_with("error: /no/such/file.toml: "), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bent.toml");
    let text = Parameters::embedded().to_toml().replacen(
        "[margins.aspiration]\n",
        "[margins.aspiration]\nnonsense = 1\n",
        1,
    );
    fs::write(&path, &text).unwrap();
    let path = path.to_str().unwrap();
    let line = text.lines().position(|line| line.starts_with("nonsense")).unwrap() + 1;
    let message = format!("error: {path}:{line}:1: unknown margin `margins.aspiration.nonsense`");
    for arguments in [&["eval"][..], &["params"], &["search", "--depth", "1"], &[]] {
        let mut with_file = arguments.to_vec();
        with_file.extend(["--parameters", path]);
        assert_eq!(refusal(&with_file), (3, message.clone()), "{arguments:?}");
    }
    assert_eq!(refusal(&["--parameters", path, "bench"]), (3, message), "before the command too");
    let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    let refused = refusal(&["search", "--depth", "1", "--fen", stalemate]);
    assert_eq!(refused, (3, "error: the game is over: stalemate".to_string()));
    for (arguments, reason) in [
        (["--parameters", path, "perft", "1"], "--parameters says nothing to this command"),
        (["--options", "all", "bench", "1"], "--options is for sessions of UCI alone"),
    ] {
        assert_eq!(refusal(&arguments), (3, format!("error: {reason}")));
    }
    let (status, error) = refusal(&["params", "--manifest"]);
    assert_eq!(status, 3);
    assert!(error.starts_with("error: this binary carries no manifest"), "{error}");
}

#[test]
fn perft_counts_moves() {
    let text = stdout(&["perft", "3"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 22);
    assert!(lines.contains(&"e2e4: 600"));
    assert_eq!(&lines[20..], ["", "Nodes searched: 8902"]);
    assert_eq!(stdout(&["perft", "0"]).trim(), "Nodes searched: 1");
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let plain = stdout(&["perft", "1", "--fen", fen]);
    assert!(plain.contains("e1g1: 1\n") && plain.contains("e1c1: 1\n"));
    let chess960 = stdout(&["perft", "1", "--chess960", "--fen", fen]);
    assert!(chess960.contains("e1h1: 1\n") && chess960.contains("e1a1: 1\n"));
    assert!(plain.ends_with("\nNodes searched: 26\n") && chess960.ends_with("searched: 26\n"));
}

#[test]
fn parameters_are_printed_in_every_format() {
    let embedded = Parameters::embedded();
    for (name, format) in [
        ("toml", Format::Toml),
        ("json", Format::Json),
        ("csv", Format::Csv),
        ("openbench", Format::OpenBench),
    ] {
        assert_eq!(stdout(&["params", "--format", name]), embedded.format(format), "{name}");
    }
    let text = format!("{}\n{}", embedded.format(Format::Text), literature::section());
    assert_eq!(stdout(&["params"]), text);
    assert_eq!(stdout(&["params", "--format", "text"]), text);
    let all = stdout(&["params", "--format", "openbench", "--weights"]);
    assert_eq!(all, embedded.format(Format::OpenBenchAll));
}

#[test]
fn parameters_are_filtered_by_a_word_of_name_or_description() {
    let text = stdout(&["params", "Bishop"]);
    assert!(text.contains("\n  bishop_pair ") && text.contains("\nmobility: "), "{text}");
    assert!(!text.contains("\n  rook ") && !text.contains("\nnull_move: "), "{text}");
    let csv = stdout(&["params", "null_move.", "--format", "csv"]);
    assert!(csv.lines().count() > 5, "{csv}");
    assert!(csv.lines().skip(1).all(|line| line.starts_with("null_move.")), "{csv}");
    for (wrong, says) in [
        (&["params", "no such thing"][..], "no number has \"no such thing\""),
        (&["params", "bishop", "--format", "toml"], "holds all numbers"),
    ] {
        let (status, _, stderr) = run(wrong);
        assert!(status == Some(3) && stderr.contains(says), "{stderr}");
    }
}

#[test]
fn files_that_lack_numbers_are_completed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.toml");
    fs::write(&path, "[margins.killer]\nenabled = 0\n").unwrap();
    let path = path.to_str().unwrap();
    let (status, stdout, errors) = run(&["params", "--parameters", path, "--format", "toml"]);
    let mut expected = Parameters::declared();
    expected.set("killer.enabled", 0).unwrap();
    assert_eq!((status, stdout), (Some(0), expected.to_toml()));
    assert!(errors.starts_with(&format!("missing in {path}: weights.")), "{errors}");
    assert!(!errors.contains("killer.enabled"), "{errors}");
}

/// The embedded file, loaded by option, gives the same signature, which does not change from run to
/// run; so does the last line for frameworks that read it.
#[test]
fn bench_prints_its_signature() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("same.toml");
    fs::write(&path, Parameters::embedded().to_toml()).unwrap();
    let nodes = |arguments: &[&str]| {
        let text = stdout(arguments);
        let words: Vec<&str> = text.split_whitespace().collect();
        assert_eq!((words.len(), words[1], words[3]), (4, "nodes", "nps"), "{text}");
        assert!(words[2].parse::<u64>().unwrap() > 0);
        words[0].parse::<u64>().unwrap()
    };
    let embedded = nodes(&["bench", "3"]);
    assert_eq!(nodes(&["bench", "3", "--parameters", path.to_str().unwrap()]), embedded);
    assert_eq!(nodes(&["--parameters", path.to_str().unwrap(), "bench", "3"]), embedded);
    assert_eq!(chess::bench::bench(Parameters::embedded(), 3, &mut |_, _| {}).nodes, embedded);
}

/// Details come before the signature and do not change it.
#[test]
fn bench_says_how_good_the_order_of_moves_is() {
    let details = stdout(&["bench", "6", "--details"]);
    let (first, signature) = details.split_once('\n').unwrap();
    let nodes = |text: &str| text.split_whitespace().next().unwrap().parse::<u64>().unwrap();
    assert_eq!(nodes(signature), nodes(&stdout(&["bench", "6"])));
    let words: Vec<&str> = first.split_whitespace().collect();
    let [_, "cutoffs,", percent, "%", "by", "the", "first", "move,", "mean", "number", mean] =
        words[..]
    else {
        panic!("{first}");
    };
    let (percent, mean): (f64, f64) = (percent.parse().unwrap(), mean.parse().unwrap());
    assert!(percent > 50.0 && percent < 100.0 && mean > 1.0 && mean < 4.0, "{first}");
    assert!(nodes(first) > 100 && nodes(first) < nodes(signature));
}

#[test]
fn positions_are_searched_and_evaluated() {
    let mate = "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1";
    let text = stdout(&["search", "--depth", "4", "--fen", mate]);
    assert!(text.contains(" score mate 1 "), "{text}");
    assert_eq!(text.lines().last(), Some("bestmove g1g7"));
    let text = stdout(&["search", "--nodes", "2000", "--lines", "2", "--hash", "1"]);
    assert!(text.contains(" multipv 2 "), "{text}");
    assert!(stdout(&["search", "--time", "20ms"]).contains("bestmove "));
    assert!(!stdout(&["eval"]).is_empty());
    assert_ne!(stdout(&["eval", "--fen", mate]), stdout(&["eval"]));
}

/// The signature of the values that the project ships. Whoever changes what the engine plays changes
/// this number too, and says so.
#[test]
fn the_shipped_values_have_their_signature() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/parameters/default.toml");
    let parameters = Arc::new(Parameters::load(&path).unwrap());
    let result = chess::bench::bench(&parameters, DEFAULT_DEPTH, &mut |_, _| {});
    assert_eq!(result.nodes, 2_055_891);
}

#[test]
fn programs_of_the_textbook_play_by_name() {
    for name in ["power", "simplest"] {
        let parameters = Arc::new(Parameters::open(name.as_ref()).unwrap());
        let nodes = chess::bench::bench(&parameters, 2, &mut |_, _| {}).nodes;
        let text = stdout(&["bench", "2", "--parameters", name]);
        assert!(text.starts_with(&format!("{nodes} nodes ")), "{nodes}: {text}");
        let text = stdout(&["--parameters", name, "search", "--depth", "3", "--lines", "2"]);
        assert!(text.contains(" depth 3 ") && text.contains(" multipv 2 "), "{text}");
        assert!(text.contains("bestmove "), "{text}");
    }
}

/// What is done between the searches, such as clearing the table, is no part of their time.
#[test]
fn bench_takes_the_time_of_its_searches_alone() {
    let pause = Duration::from_millis(2);
    let start = Instant::now();
    let mut paused = Duration::ZERO;
    let result = chess::bench::bench(Parameters::embedded(), 1, &mut |_, _| {
        std::thread::sleep(pause);
        paused += pause;
    });
    assert!(paused > Duration::ZERO && result.time > Duration::ZERO);
    assert!(result.time + paused <= start.elapsed());
}

/// OpenBench's clients call this, and read it. Builds the engine once or twice: in the long lane only.
#[test]
fn make_builds_an_engine_that_carries_a_file() {
    if !is_long() {
        return eprintln!("left to the long lane: KAMERTON_LONG=1");
    }
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("engine-of-make");
    let mut make = Command::new("make");
    // Apart, because cargo would build this test's own binary anew afterwards.
    make.env("CARGO_TARGET_DIR", workspace.join("target/export")).arg("-C").arg(&workspace);
    make.arg("-j").arg(format!("EXE={}", program.display()));
    let (status, _, errors) =
        output(make.arg("EVALFILE=data/parameters/textbook.toml").arg("CC=cc"));
    assert_eq!(status, Some(0), "{errors}");
    let bench = |program: &Path, more: &[&str]| {
        let (_, text, _) = output(Command::new(program).args(["bench", "4"]).args(more));
        let words: Vec<String> =
            text.lines().last().unwrap().split(' ').map(str::to_owned).collect();
        assert_eq!((words[1].as_str(), words[3].as_str()), ("nodes", "nps"), "{text}");
        words[0].clone()
    };
    let textbook = workspace.join("data/parameters/textbook.toml");
    let parameters = ["--parameters", textbook.to_str().unwrap()];
    let ours = Path::new(env!("CARGO_BIN_EXE_kamerton"));
    assert_eq!(bench(&program, &[]), bench(ours, &parameters));
    assert_ne!(bench(&program, &[]), bench(ours, &[]));
}

/// Nobody need read the nodes of each position.
#[test]
fn bench_needs_no_stderr() {
    let mut bench = command(&["bench", "1"]);
    let child = Guarded::spawn(bench.stdout(Stdio::piped()).stderr(Stdio::piped()));
    drop(child.take_stderr());
    let (status, stdout, _) = child.finish();
    assert_eq!(status, Some(0));
    assert!(stdout.contains(" nodes "));
}

/// A reader that leaves early (`| head`) is no failure.
#[test]
fn closed_output_is_no_failure() {
    for arguments in
        [&["params", "--format", "json"][..], &["search", "--time", "60s"], &["bench", "1"]]
    {
        let mut command = command(arguments);
        let child = Guarded::spawn(command.stdout(Stdio::piped()).stderr(Stdio::piped()));
        drop(child.take_stdout());
        let (status, _, errors) = child.finish();
        assert!(!errors.contains("panicked") && !errors.contains("error:"), "{errors}");
        assert_eq!(status, Some(0), "{arguments:?}");
    }
}

/// Nor is one that reads neither output: what would be said is lost.
#[test]
fn closed_error_output_is_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    let partial = folder.path().join("old.toml");
    fs::write(&partial, "[margins.killer]\nenabled = 0\n").unwrap();
    let partial = partial.to_str().unwrap();
    for (arguments, expected) in [
        (&["params", "--parameters", "/no/such/file"][..], None),
        (&["search", "--depth", "none"], None),
        (&["params", "--format", "toml", "--parameters", partial], Some(0)),
        (&["bench", "1"], Some(0)),
    ] {
        let mut command = command(arguments);
        let child = Guarded::spawn(command.stdout(Stdio::piped()).stderr(Stdio::piped()));
        drop(child.take_stderr());
        let (status, ..) = child.finish();
        assert!(status.is_some_and(|status| status < 100), "{arguments:?}: {status:?}");
        assert_eq!(status == Some(0), expected.is_some(), "{arguments:?}");
    }
}

#[test]
fn commands_know_draughts() {
    let of = |words: &[&str]| stdout(&[&["--game", "draughts"], words].concat());
    assert!(of(&["perft", "5"]).ends_with("Nodes searched: 7482\n"));
    let of_squares = ["--fen", "B:Wc3,g3,Kf2:Bd6,h8,Ka5"];
    let found = of(&[&["search", "--depth", "4"], &of_squares[..]].concat());
    assert!(found.contains(" score cp ") && found.contains("bestmove "), "{found}");
    let text = of(&[&["eval"], &of_squares[..]].concat());
    assert!(text.contains("material.tempo") && text.contains("⛃"), "{text}");
    let wrong = ["--game", "draughts", "perft", "1", "--fen", "B:W33:B1"];
    let (status, error) = refusal(&wrong);
    assert_eq!(status, 64);
    assert!(
        error.ends_with(
            "for '--fen <FEN>': \"33\" is no dark square, by name or by a number from 1 to 32"
        ),
        "{error}"
    );
}

#[test]
fn commands_know_xiangqi() {
    let of = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        stdout(&[&["--game", "xiangqi"], &words[..]].concat())
    };
    assert!(of("perft 3").ends_with("Nodes searched: 79666\n"));
    let found = of("search --depth 4");
    assert!(found.contains(" score cp ") && found.contains("bestmove "), "{found}");
    let text = of("eval");
    assert!(text.contains("material.tempo") && text.contains("9  r n b a k a b n r"), "{text}");
    assert!(of("params rook").contains("rook"));
    assert!(of("bench 2").ends_with(" nps\n"));
    let of_file = of("params --format toml");
    assert!(of_file.contains("\ngame = \"xiangqi\"\n"), "{of_file}");
    let wrong = ["--game", "xiangqi", "perft", "1", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"];
    let (status, error) = refusal(&wrong);
    assert_eq!(status, 64);
    assert!(error.ends_with("for '--fen <FEN>': the board has 8 ranks, not 10"), "{error}");
    let (status, error) = refusal(&["--game", "xiangqi", "toy", "tic-tac-toe"]);
    assert_eq!((status, &*error), (3, "error: this command knows no game but chess"));
    let (status, error) = refusal(&["--game", "xiangqi", "bench", "--parameters", "zero"]);
    let (missing, known) = error.split_once("; programs carry ").expect("their names");
    assert_eq!((status, missing), (3, "error: zero: there is no such file"));
    assert!(known.split(", ").any(|name| name == "source-risky"), "{known}");
}
