//! Options of a session: all numbers are there, bad ones are answered, and they do what they say.

use chess::{Margins, Parameters, Weights};
use uci::ScoreValue;

use super::driver::Session;

/// Every margin and some weights, at both ends and beyond.
#[test]
fn every_number_is_an_option() {
    let mut session = Session::start();
    let weights = Weights::numbers().step_by(37);
    for number in Margins::numbers().chain(weights) {
        let (name, (low, high)) = (number.name(), number.range());
        for value in [low, high] {
            session.send(&format!("setoption name {name} value {value}"));
        }
        assert_eq!(session.until_ready(), Vec::<String>::new(), "{name}");
        let beyond = [i64::from(low) - 1, i64::from(high) + 1];
        for value in [beyond[0].to_string(), beyond[1].to_string(), "x".into(), "".into()] {
            session.send(&format!("setoption name {name} value {value}"));
            let said = session.until_ready();
            assert_eq!(said.len(), 1, "{name} value {value}");
            assert!(said[0].starts_with("info string ") && said[0].contains(&name), "{said:?}");
            assert!(said[0].contains(&low.to_string()) && said[0].contains(&high.to_string()));
        }
    }
    session.send("uci");
    let name = session.until("uciok").remove(0);
    assert!(!name.contains(&Parameters::embedded().fingerprint()), "{name}");
}

/// In any case, with tabs, with decimals that say nothing, and with other words for true and false; what
/// is refused is said.
#[test]
fn options_are_taken_as_people_write_them() {
    let mut session = Session::start();
    for line in [
        "setoption name HASH value 8",
        "setoption name hash value 16.0",
        "setoption\tname\tMove  Overhead\tvalue\t20",
        "setoption name Futility.Margin value 70.00",
        "setoption name clear hash",
    ] {
        session.send(line);
        assert_eq!(session.until_ready(), Vec::<String>::new(), "{line}");
    }
    for (value, expected) in
        [("on", true), ("OFF", false), ("1", true), ("0", false), ("True", true), ("FALSE", false)]
    {
        session.send(&format!("setoption name uci_showWDL value {value}"));
        session.send("go depth 2");
        let (_, infos) = session.best_move();
        let shows = infos.iter().all(|info| info.win_draw_loss.is_some() == expected);
        assert!(shows, "{value}: {infos:?}");
    }
    for (name, value) in [
        ("Hash", "16.5"),
        ("Hash", "many"),
        ("OwnBook", "2"),
        ("UCI_Chess960", "perhaps"),
        ("futility.margin", "7.5"),
    ] {
        session.send(&format!("setoption name {name} value {value}"));
        let said = session.until_ready();
        assert!(said.len() == 1 && said[0].starts_with("info string "), "{name}: {said:?}");
        assert!(said[0].contains(name), "{said:?}");
    }
}

/// Less is searched, whatever the limits; an analysis is not held back.
#[test]
fn strength_is_limited_by_nodes() {
    let mut session = Session::start();
    let mut nodes = |before: &str, go: &str| {
        session.send("ucinewgame");
        session.send(before);
        session.send(go);
        let (best, infos) = session.best_move();
        assert!(best.is_some());
        infos.iter().filter_map(|info| info.nodes).max().expect("a search")
    };
    let go = "go depth 9";
    let all = nodes("setoption name UCI_Elo value 1500", go);
    let less = nodes("setoption name UCI_LimitStrength value true", go);
    let least = nodes("setoption name UCI_Elo value 1300", go);
    assert!(least < less && less < all, "{least}, {less}, {all}");
    assert_eq!(nodes("debug off", "go wtime 60000 btime 60000"), least);
    assert_eq!(nodes("debug off", "go nodes 5"), 5);
    assert_eq!(nodes("setoption name UCI_AnalyseMode value true", go), all);
}

#[test]
fn contempt_says_what_a_draw_is_worth() {
    let mut session = Session::start();
    session.send("position fen 8/8/8/3k4/8/8/8/K7 w - - 0 1");
    let mut score = |before: &str| {
        session.send(before);
        session.send("go depth 4");
        let (_, infos) = session.best_move();
        infos.iter().rev().find_map(|info| info.score).expect("a score")
    };
    assert_eq!(score("debug off"), ScoreValue::Centipawns(0));
    assert_eq!(score("setoption name Contempt value 30"), ScoreValue::Centipawns(-30));
    assert_eq!(score("setoption name Contempt value -50"), ScoreValue::Centipawns(50));
    assert_eq!(score("setoption name UCI_AnalyseMode value true"), ScoreValue::Centipawns(0));
}

#[test]
fn wrong_options_are_answered() {
    let mut session = Session::start();
    session.send("uci");
    let hash = session.until("option name Hash ").pop().expect("a line");
    session.until("uciok");
    let most = hash.rsplit(' ').next().expect("a number");
    for (value, found) in [(" value 0", "`0`"), (" value big", "`big`"), ("", "nothing")] {
        session.send(&format!("setoption name Hash{value}"));
        let answer = format!("option Hash takes an integer from 1 to {most}, not {found}");
        assert_eq!(session.until_ready(), [format!("info string {answer}")]);
    }
    for (line, answer) in [
        (
            "setoption name Threads value 513",
            "option Threads takes an integer from 1 to 512, not `513`",
        ),
        ("setoption name Ponder value 2", "option Ponder takes `true` or `false`, not `2`"),
        ("setoption name Clear Hash value 1", "option Clear Hash takes no value, not `1`"),
        ("setoption name Nonsense value 1", "unknown option `Nonsense`"),
        ("setoption", "`setoption` takes `name`, not nothing"),
        ("setoption name", "`setoption name` takes the name of an option, not nothing"),
    ] {
        session.send(line);
        assert_eq!(session.until_ready(), [format!("info string {answer}")], "{line}");
    }
    session.send("setoption name ParametersFile value /no/such file.toml");
    let said = session.until_ready();
    assert!(said[0].starts_with("info string /no/such file.toml: "), "{said:?}");
    for good in [
        "setoption name hash value 2",
        "setoption name CLEAR HASH",
        "setoption name Threads value 512",
        "setoption name Threads value 1",
        "setoption name Move Overhead value 0",
        "setoption name UCI_Chess960 value TRUE",
        "setoption name UCI_AnalyseMode value true",
        "setoption name ParametersFile value <empty>",
        "debug on",
        "debug off",
        "register later",
        "ucinewgame",
    ] {
        session.send(good);
        assert_eq!(session.until_ready(), Vec::<String>::new(), "{good}");
    }
}

/// The same numbers give the same bench, embedded, loaded, and set one by one; other numbers give
/// another.
#[test]
fn bench_depends_on_the_numbers_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a set.toml");
    std::fs::write(&path, Parameters::embedded().to_toml()).unwrap();
    let mut session = Session::start();
    let mut bench = |before: &[String]| {
        before.iter().for_each(|line| session.send(line));
        session.send("bench 3");
        let mut lines = session.until("info string");
        while lines.last().unwrap().starts_with("info string") {
            lines.push(session.line());
        }
        let last = lines.pop().unwrap();
        let words: Vec<&str> = last.split(' ').collect();
        assert_eq!((words[1], words[3], words.len()), ("nodes", "nps", 4), "{last}");
        words[0].parse::<u64>().unwrap()
    };
    let embedded = bench(&[]);
    assert_eq!(bench(&[]), embedded);
    let load = format!("setoption name ParametersFile value {}", path.display());
    let set = |line: &str| vec![format!("setoption name {line}")];
    let other = bench(&set("quiescence_exchange.margin value 200"));
    assert_ne!(other, embedded);
    assert_ne!(bench(&set("material.knight.middlegame value 300")), other);
    assert_eq!(bench(&[load]), embedded);
    assert_ne!(bench(&set("material.knight.middlegame value 300")), embedded);
    assert_eq!(bench(&set("ParametersFile value <empty>")), embedded);
    assert_eq!(bench(&["setoption name Constants value false".into()]), embedded);
    let result = chess::bench::bench(Parameters::embedded(), 3, &mut |_, _| {});
    assert_eq!(result.nodes, embedded);
    assert_eq!(result.positions.len(), 45);
}

/// Nobody may ever write into a pipe, and a session that waits for it does not hear `quit`.
#[test]
#[cfg(unix)]
fn what_is_no_file_is_not_waited_for() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let tables = folder.path().join("tables");
    std::fs::create_dir(&tables).expect("writable");
    let pipe = folder.path().join("pipe");
    for pipe in [&pipe, &tables.join("KQvK.rtbw")] {
        let made = std::process::Command::new("mkfifo").arg(pipe).status();
        assert!(made.expect("mkfifo is installed").success());
    }
    let mut session = Session::start();
    for (name, path) in [
        ("BookFile", &pipe),
        ("ParametersFile", &pipe),
        ("SyzygyPath", &pipe),
        ("SyzygyPath", &tables),
        ("BookFile", &tables),
    ] {
        session.send(&format!("setoption name {name} value {}", path.display()));
        let said = session.until_ready();
        assert!(said.len() == 1 && said[0].starts_with("info string "), "{name}: {said:?}");
        assert!(said[0].contains(path.to_str().expect("a text")), "{name}: {said:?}");
    }
    assert!(session.end().1.success());
}

/// User interfaces show remarks as they are.
#[test]
fn what_is_repeated_steers_no_terminal() {
    let mut session = Session::start();
    let text = "\u{1b}]0;title\u{7}\u{9b}31m\u{202e}";
    for line in [
        format!("setoption name BookFile value {text}"),
        format!("setoption name ParametersFile value {text}"),
        format!("setoption name SyzygyPath value {text}"),
        format!("setoption name {text} value 1"),
        format!("setoption name Hash value {text}"),
        format!("position fen {text}"),
        format!("{text} {text}"),
    ] {
        session.send(&line);
        let said = session.until_ready();
        assert_eq!(said.len(), 1, "{line:?}: {said:?}");
        assert!(!said[0].contains(foreign::is_sign), "{said:?}");
    }
    session.send(&format!("setoption name BookFile value {}", "x".repeat(100_000)));
    assert!(session.until_ready()[0].len() < 5000);
}
