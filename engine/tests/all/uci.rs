//! The protocol: what is parsed, what is printed, and whole sessions with the binary.

use std::time::Duration;

use proptest::prelude::*;
use uci::{
    Command, CommandError, Go, InfoLine, OptionDeclaration, OptionKind, Reply, ScoreBound,
    ScoreValue, Start, win_draw_loss,
};

fn parse(line: &str) -> Command {
    let parsed = Command::parse(line).unwrap().unwrap();
    assert_eq!(parsed.ignored, Vec::<String>::new(), "{line}");
    assert_eq!(parsed.mistakes, [], "{line}");
    parsed.command
}

fn refusal(line: &str) -> String {
    Command::parse(line).unwrap_err().to_string()
}

fn milliseconds(count: u64) -> Option<Duration> {
    Some(Duration::from_millis(count))
}

#[test]
fn commands_are_parsed() {
    assert_eq!(Command::parse("").unwrap(), None);
    assert_eq!(Command::parse(" \t\r\n").unwrap(), None);
    for (line, command) in [
        ("uci", Command::Uci),
        ("  isready \r\n", Command::IsReady),
        ("ucinewgame", Command::NewGame),
        ("debug on", Command::Debug(true)),
        ("debug off", Command::Debug(false)),
        ("register name Anybody code 4359874324", Command::Register),
        ("stop", Command::Stop),
        ("ponderhit", Command::PonderHit),
        ("quit", Command::Quit),
        ("bench", Command::Bench(None)),
        ("bench 7", Command::Bench(Some(7))),
        ("d", Command::Display),
        ("eval", Command::Evaluate),
    ] {
        assert_eq!(parse(line), command);
    }
    let parsed = Command::parse("stop now please").unwrap().unwrap();
    assert_eq!(parsed.command, Command::Stop);
    assert_eq!(parsed.ignored, ["now", "please"]);
    assert_eq!(
        Command::parse("make tea"),
        Err(CommandError::Unknown("make".to_string())),
        "the first word is named"
    );
}

/// Why a line that asks for a position gives none.
fn unreadable(line: &str) -> String {
    match parse(line) {
        Command::Position { start: Start::Unreadable(error), moves } if moves.is_empty() => {
            error.to_string()
        }
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn positions_are_parsed() {
    let moves = |moves: &[&str]| moves.iter().map(|m| m.to_string()).collect::<Vec<_>>();
    let standard = |m: &[&str]| Command::Position { start: Start::Standard, moves: moves(m) };
    assert_eq!(parse("position startpos"), standard(&[]));
    assert_eq!(parse("position startpos moves"), standard(&[]));
    assert_eq!(parse("position  startpos  moves e2e4  e7e5"), standard(&["e2e4", "e7e5"]));
    let fen = "8/8/8/8/8/8/8/K1k5 w - - 0 1";
    let from = |m: &[&str]| Command::Position { start: Start::Fen(fen.into()), moves: moves(m) };
    assert_eq!(parse(&format!("position fen {fen}")), from(&[]));
    assert_eq!(parse(&format!("position fen {fen} moves a1a2 ")), from(&["a1a2"]));
    let many = vec!["g1f3"; 5000].join(" ");
    let Command::Position { moves, .. } = parse(&format!("position startpos moves {many}")) else {
        panic!("not a position");
    };
    assert_eq!(moves.len(), 5000);
    assert_eq!(unreadable("position"), "`position` takes `startpos` or `fen`, not nothing");
    assert_eq!(unreadable("position e2e4"), "`position` takes `startpos` or `fen`, not `e2e4`");
    assert_eq!(unreadable("position fen"), "`position fen` takes a position, not nothing");
    assert_eq!(
        unreadable("position fen moves e2e4"),
        "`position fen` takes a position, not `moves`"
    );
    assert_eq!(
        unreadable("position startpos e2e4"),
        "`position startpos` takes `moves`, not `e2e4`"
    );
}

#[test]
fn searches_are_parsed() {
    let go = |line: &str| match parse(line) {
        Command::Go(go) => go,
        other => panic!("{other:?}"),
    };
    assert_eq!(go("go"), Go::default());
    assert_eq!(go("go infinite"), Go { infinite: true, ..Go::default() });
    let clock = Go {
        ponder: true,
        time: [milliseconds(1000), milliseconds(0)],
        increment: [milliseconds(10), milliseconds(20)],
        moves_to_go: Some(40),
        ..Go::default()
    };
    assert_eq!(go("go ponder wtime 1000 btime -5 winc 10 binc 20 movestogo 40"), clock);
    let fixed = Go {
        depth: Some(7),
        nodes: Some(5_000_000_000),
        mate: Some(3),
        move_time: milliseconds(100),
        ..Go::default()
    };
    assert_eq!(go("go mate 3 movetime 100 nodes 5000000000 depth 7"), fixed);
    let moves = Go {
        search_moves: vec!["e2e4".to_string(), "a7a8q".to_string()],
        depth: Some(4),
        ..Go::default()
    };
    assert_eq!(go("go searchmoves e2e4 a7a8q depth 4"), moves);
    assert_eq!(go("go perft 3"), Go { perft: Some(3), ..Go::default() });
    assert_eq!(go("go depth 99999999999").depth, Some(u32::MAX));
    assert_eq!(go("go nodes 99999999999999999999999").nodes, Some(u64::MAX));
    assert!(go("go wtime 18446744073709551615").time[0].unwrap() < Duration::from_secs(1 << 33));
    let parsed = Command::parse("go quickly depth 3").unwrap().unwrap();
    assert_eq!(parsed.ignored, ["quickly"]);
    assert_eq!(parsed.command, Command::Go(Go { depth: Some(3), ..Go::default() }));
}

/// Somebody waits for the answer to every `go`: what cannot be read is named, the rest counts, and
/// where no limit is left, the clocks have run out.
#[test]
fn a_search_that_cannot_be_read_wholly_is_one_all_the_same() {
    let depth = |depth| Go { depth: Some(depth), ..Go::default() };
    let no_time = Go { time: [milliseconds(0); 2], ..Go::default() };
    for (line, go, mistake) in [
        ("go depth", no_time.clone(), "`depth` takes a whole number, not nothing"),
        ("go depth five", no_time.clone(), "`depth` takes a whole number, not `five`"),
        ("go depth -3", no_time.clone(), "`depth` takes a whole number, not `-3`"),
        ("go wtime 1.5", no_time.clone(), "`wtime` takes a whole number, not `1.5`"),
        ("go wtime", no_time.clone(), "`wtime` takes a number of milliseconds, not nothing"),
        ("go searchmoves", no_time.clone(), "`searchmoves` takes moves, not nothing"),
        ("go perft 21", no_time.clone(), "`perft` takes at most 20 plies, not `21`"),
        ("go perft x", no_time.clone(), "`perft` takes a whole number, not `x`"),
        ("go searchmoves depth 3", depth(3), "`searchmoves` takes moves, not `depth`"),
        ("go depth 3 searchmoves ", depth(3), "`searchmoves` takes moves, not nothing"),
        ("go nodes depth 3", depth(3), "`nodes` takes a whole number, not `depth`"),
        (
            "go wtime x btime 50",
            Go { time: [milliseconds(0), milliseconds(50)], ..Go::default() },
            "`wtime` takes a whole number, not `x`",
        ),
        (
            "go depth x infinite",
            Go { infinite: true, ..Go::default() },
            "`depth` takes a whole number, not `x`",
        ),
        (
            "go ponder depth x",
            Go { ponder: true, ..no_time.clone() },
            "`depth` takes a whole number, not `x`",
        ),
    ] {
        let parsed = Command::parse(line).unwrap().unwrap();
        assert_eq!(parsed.command, Command::Go(go), "{line}");
        let mistakes: Vec<String> = parsed.mistakes.iter().map(|it| it.to_string()).collect();
        assert_eq!(mistakes, [mistake], "{line}");
        assert_eq!(parsed.ignored, Vec::<String>::new(), "{line}");
    }
}

#[test]
fn options_are_parsed() {
    let set = |name: &str, value: Option<&str>| Command::SetOption {
        name: name.to_string(),
        value: value.map(str::to_string),
    };
    assert_eq!(parse("setoption name Hash value 64"), set("Hash", Some("64")));
    assert_eq!(parse("setoption name Clear Hash"), set("Clear Hash", None));
    assert_eq!(
        parse("setoption name  Move   Overhead value 100"),
        set("Move Overhead", Some("100"))
    );
    let path = "/some where/a  b.toml";
    let line = format!("setoption name ParametersFile value {path}");
    assert_eq!(parse(&line), set("ParametersFile", Some(path)));
    assert_eq!(parse("setoption name ParametersFile value"), set("ParametersFile", Some("")));
    assert_eq!(refusal("setoption"), "`setoption` takes `name`, not nothing");
    assert_eq!(refusal("setoption Hash 3"), "`setoption` takes `name`, not `Hash`");
    assert_eq!(
        refusal("setoption name value 3"),
        "`setoption name` takes the name of an option, not `value`"
    );
}

#[test]
fn commands_are_printed() {
    for line in [
        "uci",
        "isready",
        "ucinewgame",
        "debug on",
        "setoption name Clear Hash",
        "setoption name Move Overhead value 100",
        "position startpos",
        "position startpos moves e2e4 e7e5",
        "position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1 moves a1a2",
        "go",
        "go ponder wtime 1000 btime 900 winc 10 binc 20 movestogo 40",
        "go movetime 100 depth 7 nodes 5000 mate 3 infinite searchmoves e2e4 d2d4",
        "go perft 3",
        "stop",
        "ponderhit",
        "quit",
        "bench",
        "bench 7",
    ] {
        assert_eq!(parse(line).to_string(), line);
    }
}

fn info(line: &str) -> InfoLine {
    match Reply::parse(line) {
        Some(Reply::Info(info)) => *info,
        other => panic!("{other:?}"),
    }
}

#[test]
fn replies_are_parsed() {
    assert_eq!(Reply::parse("uciok"), Some(Reply::UciOk));
    assert_eq!(Reply::parse(" readyok \r"), Some(Reply::ReadyOk));
    assert_eq!(Reply::parse("id name Some Engine 3"), Some(Reply::Name("Some Engine 3".into())));
    assert_eq!(Reply::parse("id author A. B."), Some(Reply::Author("A. B.".into())));
    let best = |best: Option<&str>, ponder: Option<&str>| {
        let text = |text: Option<&str>| text.map(str::to_string);
        Some(Reply::BestMove { best: text(best), ponder: text(ponder) })
    };
    assert_eq!(Reply::parse("bestmove e2e4"), best(Some("e2e4"), None));
    assert_eq!(Reply::parse("bestmove e2e4 ponder e7e5"), best(Some("e2e4"), Some("e7e5")));
    assert_eq!(Reply::parse("bestmove e2e4 ponder (none)"), best(Some("e2e4"), None));
    assert_eq!(Reply::parse("bestmove (none)"), best(None, None));
    assert_eq!(Reply::parse("bestmove 0000"), best(None, None));
    for strange in ["", "bestmove", "hello", "id", "id name", "option name", "copyprotection ok"] {
        assert_eq!(Reply::parse(strange), None, "{strange}");
    }
}

#[test]
fn infos_are_parsed() {
    let line = "info depth 12 seldepth 20 multipv 2 score cp -31 lowerbound wdl 100 800 100 \
                nodes 123456789012 nps 1000000 hashfull 17 tbhits 3 time 1234 currmove e2e4 \
                currmovenumber 5 pv e2e4 e7e5 g1f3";
    let expected = InfoLine {
        depth: Some(12),
        selective_depth: Some(20),
        multi_pv: Some(2),
        score: Some(ScoreValue::Centipawns(-31)),
        bound: ScoreBound::Lower,
        win_draw_loss: Some([100, 800, 100]),
        nodes: Some(123_456_789_012),
        nodes_per_second: Some(1_000_000),
        hash_full: Some(17),
        table_hits: Some(3),
        time: milliseconds(1234),
        current_move: Some("e2e4".into()),
        current_move_number: Some(5),
        line: ["e2e4", "e7e5", "g1f3"].map(str::to_string).to_vec(),
        text: None,
    };
    assert_eq!(info(line), expected);
    assert_eq!(Reply::Info(Box::new(expected)).to_string(), line);
    let mate = info("info score mate -3 upperbound pv a7a8q b1b2 nodes 5 string all  the rest pv");
    assert_eq!(mate.score, Some(ScoreValue::Mate(-3)));
    assert_eq!(mate.bound, ScoreBound::Upper);
    assert_eq!(mate.line, ["a7a8q", "b1b2"]);
    assert_eq!(mate.nodes, Some(5));
    assert_eq!(mate.text.as_deref(), Some("all  the rest pv"));
    // Captures of draughts name all their squares; xiangqi has ten ranks.
    let squares = info("info pv e3c5a7 d8b6d4f2h4 b10c8 a10i10 nodes 7");
    assert_eq!(squares.line, ["e3c5a7", "d8b6d4f2h4", "b10c8", "a10i10"]);
    assert_eq!(squares.nodes, Some(7));
    assert_eq!(info("info pv e3c5a nodes 7").line, ["e3c5a"]);
    // Placements name one square, and some games have passes.
    assert_eq!(info("info pv e3 pass d3 nodes 7").line, ["e3", "pass", "d3"]);
    assert!(info("info pv nodes 7").line.is_empty());
    let odd = info("info depth x nodes score cp time 5 refutation d1h5 g6h5");
    assert_eq!(odd, InfoLine { time: milliseconds(5), ..InfoLine::default() });
    assert_eq!(InfoLine::text("two\nlines").to_string(), "info string two lines");
}

#[test]
fn option_lines_are_parsed_and_printed() {
    for (line, kind) in [
        ("type check default true", OptionKind::Check { default: true }),
        (
            "type spin default 16 min 1 max 4096",
            OptionKind::Spin { default: 16, low: 1, high: 4096 },
        ),
        ("type button", OptionKind::Button),
        ("type string default <empty>", OptionKind::Text { default: String::new() }),
        ("type string default c:\\a b", OptionKind::Text { default: "c:\\a b".into() }),
        (
            "type combo default Solid Play var Solid Play var Risky",
            OptionKind::Combo {
                default: "Solid Play".into(),
                choices: vec!["Solid Play".into(), "Risky".into()],
            },
        ),
    ] {
        let line = format!("option name Some Thing {line}");
        let option = OptionDeclaration { name: "Some Thing".into(), kind };
        assert_eq!(Reply::parse(&line), Some(Reply::Option(option.clone())));
        assert_eq!(option.to_string(), line);
    }
}

/// The option that a line behind `option` declares.
fn option(line: &str) -> OptionDeclaration {
    match Reply::parse(&format!("option {line}")) {
        Some(Reply::Option(option)) => option,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn a_line_that_names_an_option_declares_it() {
    let other = |type_name: &str, default: &str| OptionKind::Other {
        type_name: type_name.into(),
        default: default.into(),
    };
    for (line, name, kind) in [
        ("name Rate type spin default 0.5 min 0 max 1", "Rate", other("spin", "0.5")),
        ("name Rate type spin default 1 min 0.0 max 2.5", "Rate", other("spin", "1")),
        ("name Hash type spin default 16", "Hash", other("spin", "16")),
        ("name Hash type spin", "Hash", other("spin", "")),
        ("name Net type file default <empty>", "Net", other("file", "")),
        ("name Net type path default /a b", "Net", other("path", "/a b")),
        ("name X type none", "X", other("none", "")),
        ("name X", "X", other("", "")),
        ("name\tHash\ttype\tspin\tdefault\t1\tmin\t1\tmax\t9", "Hash", {
            OptionKind::Spin { default: 1, low: 1, high: 9 }
        }),
        ("name A type B type check default true", "A type B", OptionKind::Check { default: true }),
        ("name Mode\ttype combo default One  x\tvar One  x var Two", "Mode", {
            OptionKind::Combo {
                default: "One  x".into(),
                choices: vec!["One  x".into(), "Two".into()],
            }
        }),
        ("name T type string default a var b", "T", OptionKind::Text { default: "a var b".into() }),
    ] {
        assert_eq!(option(line), OptionDeclaration { name: name.into(), kind }, "{line}");
    }
    for line in ["option", "option name", "option name type spin", "option named X type button"] {
        assert_eq!(Reply::parse(line), None, "{line}");
    }
}

#[test]
fn values_are_sent_in_the_spelling_of_the_option() {
    let accept = |line: &str, value: &str| option(line).accept(Some(value));
    let sent = |text: &str| Ok(Some(text.to_string()));
    let check = "name C type check default false";
    for value in ["true", "TRUE", "1", "on", "Yes"] {
        assert_eq!(accept(check, value), sent("true"), "{value}");
    }
    for value in ["false", "False", "0", "off", "no"] {
        assert_eq!(accept(check, value), sent("false"), "{value}");
    }
    assert!(accept(check, "2").is_err());
    let combo = "name S type combo default Solid var Solid var solid play var Risky";
    assert_eq!(accept(combo, "RISKY"), sent("Risky"));
    assert_eq!(accept(combo, "Solid Play"), sent("solid play"));
    assert_eq!(
        accept(combo, "s"),
        Err("option S takes one of Solid, solid play, Risky, not `s`".into())
    );
    let two = "name S type combo default a var A var a";
    assert_eq!((accept(two, "a"), accept(two, "A")), (sent("a"), sent("A")));
    let spin = option("name Hash type spin default 16 min 1 max 99");
    assert_eq!(spin.accept(Some("99")), sent("99"));
    for (value, found) in [(Some("100"), "`100`"), (Some("many"), "`many`"), (None, "nothing")] {
        let message = format!("option Hash takes an integer from 1 to 99, not {found}");
        assert_eq!(spin.accept(value), Err(message));
    }
    assert_eq!(accept("name R type spin default .5", "0.25"), sent("0.25"));
    assert_eq!(option("name B type button").accept(None), Ok(None));
    assert!(accept("name B type button", "x").is_err());
}

#[test]
fn chances_sum_up_and_mirror() {
    for score in (-3000..=3000).step_by(7) {
        let [win, draw, loss] = win_draw_loss(score);
        assert_eq!(win + draw + loss, 1000);
        assert_eq!(win_draw_loss(-score), [loss, draw, win]);
        assert!(win_draw_loss(score + 7)[0] >= win);
    }
    assert_eq!(win_draw_loss(32_000), [1000, 0, 0]);
}

proptest! {
    #[test]
    fn no_line_makes_the_parsers_panic(line in any::<String>()) {
        let _ = Command::parse(&line);
        let _ = Reply::parse(&line);
    }

    #[test]
    fn no_words_of_the_protocol_make_the_parsers_panic(words in proptest::collection::vec(
        prop_oneof![
            Just("go"), Just("position"), Just("fen"), Just("startpos"), Just("moves"),
            Just("setoption"), Just("name"), Just("value"), Just("info"), Just("score"),
            Just("cp"), Just("mate"), Just("pv"), Just("string"), Just("wdl"), Just("option"),
            Just("type"), Just("spin"), Just("default"), Just("min"), Just("max"), Just("var"),
            Just("depth"), Just("12"), Just("-3"), Just("e2e4"), Just("bestmove"), Just("id"),
            Just("searchmoves"), Just("bench"), Just("debug"), Just("é\u{a0}"),
        ],
        0..12,
    )) {
        let line = words.join(" ");
        // A printed command is parsed to the same again, where it has a meaning.
        if let Ok(Some(parsed)) = Command::parse(&line)
            && !matches!(parsed.command, Command::Position { start: Start::Unreadable(_), .. })
        {
            let again = Command::parse(&parsed.command.to_string()).unwrap().unwrap();
            prop_assert_eq!(again.command, parsed.command);
        }
        if let Some(reply) = Reply::parse(&line) {
            prop_assert_eq!(Reply::parse(&reply.to_string()), Some(reply));
        }
    }
}
