//! Games of matches become positions to fit to.

use std::fs;
use std::path::Path;

use matches::game::{GameResult, MoveLimits};
use matches::player::Contestant;
use matches::playing::GameSettings;
use matches::run::{NoObserver, PlayRules};
use matches::sequential_test::{self, Rules, TestSettings};
use statistics::{Design, Hypotheses, Model};
use system::files::{Claim, EMBEDDED};

use crate::child::{ended, output};
use crate::command_line::{parameters, tuner};
use crate::files::with_version;
use crate::store::games;

/// Plays a short match; the plies of its games.
fn play(folder: &Path) -> u64 {
    let player = |name: &str, nodes| {
        let words = [EMBEDDED.to_owned(), format!("name={name}")];
        Contestant::parse(&words, MoveLimits::nodes(nodes), Some(1)).expect("a player")
    };
    let settings = TestSettings {
        candidate: player("new", 300),
        baseline: player("old", 200),
        openings: EMBEDDED.into(),
        syzygy: Vec::new(),
        rules: Rules {
            play: PlayRules { game: GameSettings::default(), ..PlayRules::with_seed(4) },
            pairs: 12,
            early_stop: false,
            hypotheses: Hypotheses {
                model: Model::Normalized,
                elo0: 0.0,
                elo1: 5.0,
                alpha: 0.05,
                beta: 0.05,
            },
            design: Design::default(),
        },
    };
    sequential_test::run(&settings, 2, folder, &NoObserver).expect("a run").tally.plies
}

/// The number behind a name in a table.
fn number(table: &str, name: &str) -> u64 {
    let line = table.lines().find(|line| line.trim_start().starts_with(name));
    let line = line.unwrap_or_else(|| panic!("no {name:?} in {table}"));
    let word = line.trim_start()[name.len()..].split_whitespace().next();
    word.and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("no number in {line:?}"))
}

#[test]
fn a_match_becomes_positions_that_a_fit_accepts() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let at = |name: &str| folder.path().join(name);
    let plies = play(&at("match"));
    let import = |source: &str, store: &str| {
        let mut command = tuner();
        output(command.arg("import").arg(at(source)).arg("--output").arg(at(store)))
    };
    let (status, table, errors) = import("match", "journal.kgames");
    assert_eq!((status, errors.as_str()), (Some(0), ""));
    assert_eq!((number(&table, "games found"), number(&table, "recorded")), (24, 24));
    assert_eq!(number(&table, "positions recorded"), plies);
    assert_eq!(number(&table, "with a score"), plies);
    // The PGN of the same run says the same, mates being written in pawns there.
    assert_eq!(import("match/games.pgn", "pgn.kgames").0, Some(0));
    let [journal, pgn] = ["journal.kgames", "pgn.kgames"].map(|store| games(&at(store)));
    assert_eq!(journal.len(), pgn.len());
    for (one, other) in journal.iter().zip(&pgn) {
        assert_eq!((one.start, one.result), (other.start, other.result));
        assert_eq!(one.plies.len(), other.plies.len());
        for (one, other) in one.plies.iter().zip(&other.plies) {
            assert_eq!(one.played, other.played);
            let are_mates = one.score.abs() >= 30_000 && other.score.abs() >= 30_000;
            let is_one_side = one.score.signum() == other.score.signum();
            let is_same = one.score == other.score || (are_mates && is_one_side);
            assert!(is_same, "{one:?} {other:?}");
        }
    }
    let mut command = tuner();
    let (status, table, _) =
        output(command.arg("positions").arg(at("journal.kgames")).arg("--count"));
    assert_eq!((status, number(&table, "positions")), (Some(0), plies), "{table}");
    let mut command = tuner();
    command.arg("fit").arg("--positions").arg(at("journal.kgames"));
    command.arg("--start").arg(parameters("textbook.toml"));
    // Two dozen games may say anything of K.
    command.args(["--k", "1", "--per-game", "0", "--held-out", "0.3", "--validation", "0.3"]);
    ended(0, command.arg("--output").arg(at("tuned.toml")));
    assert!(at("tuned.toml").exists());
    // Nothing is overwritten.
    let (status, _, errors) = import("match", "journal.kgames");
    assert_eq!(status, Some(3));
    assert!(errors.contains("journal.kgames exists"), "{errors}");
    // A run of another version has no games to read.
    let journal = fs::read(at("match/journal")).expect("written");
    for version in [2, 5] {
        let other = with_version(&journal, 4, version);
        fs::write(at("match/journal"), &other).expect("writable");
        let (status, _, errors) = import("match", "other.kgames");
        assert_eq!(status, Some(3), "{errors}");
        assert!(errors.contains(&format!("version {version}; expected is ")), "{errors}");
        assert_eq!(fs::read(at("match/journal")).expect("written"), other);
        assert!(!at("other.kgames").exists());
    }
}

/// Where the end of the moves says another result than the tag, the tag counts, and it is told.
#[test]
fn a_contradiction_is_told() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let (pgn, store) = (folder.path().join("all.pgn"), folder.path().join("all.kgames"));
    let text = "[Result \"1-0\"]\n1. e4 e5 0–1\n\n[Result \"½-½\"]\n1. d4 d5 1/2:1/2\n\n\
        [Result \"0-1\"]\n1. c4 c5 *\n\n[Result \"*\"]\n1. b4 b5 1:0\n";
    let wide: Vec<u8> =
        format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_be_bytes).collect();
    for bytes in [text.as_bytes(), &wide] {
        fs::write(&pgn, bytes).expect("writable");
        let mut command = tuner();
        let (table, errors) = ended(0, command.arg("import").arg(&pgn).arg("--output").arg(&store));
        assert_eq!(number(&table, "recorded"), 4, "{table}");
        let told =
            "warning: 1 game ends with another result than the tag Result says: the tag counts";
        assert!(errors.contains(told), "{errors}");
        let results: Vec<GameResult> = games(&store).iter().map(|game| game.result).collect();
        use GameResult::{BlackWins, Draw, WhiteWins};
        assert_eq!(results, [WhiteWins, Draw, BlackWins, WhiteWins]);
        fs::remove_file(&store).expect("it is there");
    }
}

#[test]
fn games_that_teach_nothing_are_left_out() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let (pgn, store) = (folder.path().join("all.pgn"), folder.path().join("all.kgames"));
    let text = "[Result \"1-0\"]\n1. e4 {book} e5 {book} 2. Nf3 {+0.3/5 0s} Nc6 {-0.2/5 0s} 1-0\n\n\
        [Result \"*\"]\n1. e4 *\n\n\
        [Result \"0-1\"]\n[Termination \"time forfeit\"]\n1. e4 e5 0-1\n\n\
        [White \"a\"]\n[Black \"b\"]\n[Result \"0-1\"]\n[Termination \"abandoned\"]\n1. e4 e5 0-1\n\n\
        [Result \"0-1\"]\n1. e4 -- 0-1\n\n\
        [Result \"0-1\"]\n0-1\n\n\
        [Result \"1-0\"]\n[Variant \"Chess960\"]\n\
        [FEN \"nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1\"]\n1. e4 e5 2. f3 1-0\n\n\
        [Result \"1-0\"]\n1. e4 e4 1-0\n\n\
        \u{feff}[White \"Crash Test\"]\r\n[Black \"DeathNote\"]\r\n[Result \"0-1\"]\r\n\
        [Termination \"DeathNote won by checkmate\"]\r\n\r\n1. f4 e5 2. g4 Qh4# 0-1\r\n";
    fs::write(&pgn, text).expect("writable");
    let import = |share: &str| {
        let mut command = tuner();
        command.arg("import").arg(&pgn).arg("--output").arg(&store);
        output(command.args(["--bad-games-max", share]))
    };
    // Another process that imports into the same store has it.
    let claim = Claim::on(&store).expect("writable").expect("nobody else's");
    let (status, _, errors) = import("0.2");
    assert_eq!(status, Some(3));
    assert!(errors.contains("another process is writing"), "{errors}");
    drop(claim);
    let (status, _, errors) = import("0.1");
    assert_eq!(status, Some(3));
    assert!(
        errors.contains("1 of 9 games are unusable") && errors.contains("\"e4\" is no legal"),
        "{errors}"
    );
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
    let (status, table, errors) = import("0.2");
    assert_eq!(status, Some(0), "{errors}");
    for (name, count) in [
        ("games found", 9),
        ("recorded", 3),
        ("left out: without a result", 1),
        ("left out: ended by a fault or on time", 2),
        ("left out: with null moves", 1),
        ("left out: without moves", 1),
        ("left out: broken", 1),
        ("positions recorded", 9),
        ("with a score", 2),
        ("moves of books left out", 2),
    ] {
        assert_eq!(number(&table, name), count, "{name} in {table}");
    }
    let games = games(&store);
    assert!(games[1].start.unpack().expect("a position").chess960());
    // Positions without a score pass the filter like others.
    let mut command = tuner();
    command.arg("positions").arg(&store).args(["--min-ply", "0", "--per-game", "0"]);
    let (lines, _) = ended(0, &mut command);
    assert!(lines.lines().any(|line| line.contains("w GBgb - 0 1,,1,0,1")), "{lines}");
}
