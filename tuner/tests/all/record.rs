//! Recording: the same bytes by any number of threads and after any kill.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use chess::Parameters;
use positions::record::{Balance, Goal, Recording, record};
use positions::store::Reader;
use rand::RngExt;
use random::stream;

use crate::child::{ended, kill_in_the_middle, output};
use crate::command_line::tuner;
use crate::store::{games, scratch};

/// Short games of few nodes, in small blocks.
fn recording(output: PathBuf, goal: Goal) -> Recording {
    Recording {
        threads: 1,
        block_plies: 300,
        ..Recording::new(goal, 60, chess::GAME.embedded(), output)
    }
}

fn recorded(recording: &Recording) -> Vec<u8> {
    record(recording, |_| {}).expect("recorded");
    fs::read(&recording.output).expect("readable")
}

#[test]
fn threads_do_not_show_in_the_store() {
    let folder = scratch();
    let one = recording(folder.path().join("one"), Goal::Games(12));
    let two = Recording { threads: 2, output: folder.path().join("two"), ..one.clone() };
    let five = Recording { threads: 5, output: folder.path().join("five"), ..one.clone() };
    let bytes = recorded(&one);
    assert!(recorded(&two) == bytes && recorded(&five) == bytes);

    let games = games(&one.output);
    assert_eq!(games.len(), 12);
    for game in &games {
        let mut plies = 0;
        game.replay(|_, _, _| plies += 1).expect("legal moves");
        assert_eq!(plies, game.plies.len());
        let first = i32::from(game.plies[0].score);
        assert!(first.abs() <= one.decided, "the opening is decided: {first}");
    }
    let starts: std::collections::HashSet<_> = games.iter().map(|game| game.start).collect();
    assert_eq!(starts.len(), games.len());
}

#[test]
fn a_goal_of_positions_ends_with_a_whole_game() {
    let folder = scratch();
    let by_positions = recording(folder.path().join("positions"), Goal::Positions(700));
    let two = Recording { threads: 2, output: folder.path().join("two"), ..by_positions.clone() };
    let bytes = recorded(&by_positions);
    assert!(recorded(&two) == bytes);
    let games = games(&by_positions.output);
    let plies: usize = games.iter().map(|game| game.plies.len()).sum();
    let last = games.last().expect("games").plies.len();
    assert!(plies >= 700 && plies - last < 700, "{plies} positions, {last} in the last game");
}

#[test]
fn a_store_grows_to_what_it_had_been_at_once() {
    let folder = scratch();
    let whole = recorded(&recording(folder.path().join("whole"), Goal::Games(10)));
    let output = folder.path().join("grown");
    for games in [0, 3, 4, 10, 10, 7] {
        let part =
            Recording { resume: true, threads: 2, ..recording(output.clone(), Goal::Games(games)) };
        recorded(&part);
    }
    assert!(fs::read(&output).expect("readable") == whole);
}

#[test]
fn resuming_refuses_other_settings_and_other_play() {
    let folder = scratch();
    let first = recording(folder.path().join("games"), Goal::Games(2));
    let bytes = recorded(&first);
    let refused = |recording: &Recording| {
        let error = record(recording, |_| {}).expect_err("refused");
        assert!(fs::read(&recording.output).expect("readable") == bytes, "the file is left alone");
        error.to_string()
    };
    assert!(refused(&first).contains("--resume"));

    let resumed = Recording { resume: true, goal: Goal::Games(3), ..first.clone() };
    let message = refused(&Recording { nodes: 61, ..resumed.clone() });
    assert!(message.contains("other settings: nodes 60 (now 61)"), "{message}");
    let mut parameters = Parameters::clone(Parameters::embedded());
    parameters.weights.cells_mut()[0] += 1;
    let numbers = Arc::new(parameters).into();
    let message = refused(&Recording { numbers, ..resumed.clone() });
    assert!(message.contains("other settings: parameters "), "{message}");

    // A store with the same settings whose last game this engine would not play.
    let mut other = games(&first.output);
    let reader = Reader::open(&first.output).expect("a store");
    other.last_mut().expect("games").plies[0].score += 1;
    fs::remove_file(&first.output).expect("removable");
    crate::store::write(&first.output, reader.settings(), &other);
    let message = record(&resumed, |_| {}).expect_err("refused").to_string();
    assert!(message.contains("does not play game 1 again"), "{message}");
    assert!(message.contains("--allow-changed-engine"), "{message}");
    let progress = record(&Recording { allows_changes: true, ..resumed }, |_| {}).expect("allowed");
    assert_eq!(progress.games, 3);
}

#[test]
fn what_decides_nothing_is_refused() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let openings = folder.path().join("openings.epd");
    fs::write(&openings, "4k3/8/8/8/8/8/4P3/4K3 w - -\n").expect("writable");
    let record = |extra: &[&str]| {
        let mut command = tuner();
        command.current_dir(folder.path()).args(["record", "--games", "1", "--nodes", "20"]);
        command.args(["--openings", "openings.epd", "--output", "games.kgames"]).args(extra);
        output(&mut command)
    };
    let (status, _, stderr) = record(&["--decided", "200"]);
    assert_eq!(status, Some(64), "{stderr}");
    assert!(stderr.contains("--decided replaces openings that random plies make"), "{stderr}");
    let (status, _, stderr) = record(&[]);
    assert_eq!(status, Some(0), "{stderr}");
    assert!(!stderr.contains("--decided"), "{stderr}");
}

#[test]
fn openings_of_a_file_are_each_played() {
    let folder = scratch();
    let openings = folder.path().join("openings.epd");
    let lines = [
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -",
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    ];
    fs::write(&openings, lines.join("\n")).expect("writable");
    let from_file = Recording {
        openings: Some(openings.clone()),
        random_plies: (0, 0),
        ..recording(folder.path().join("games"), Goal::Games(3))
    };
    recorded(&from_file);
    let board = |fen: &str| fen.split(' ').next().map(str::to_owned);
    let mut played: Vec<_> = games(&from_file.output)
        .iter()
        .map(|game| board(&game.start.unpack().expect("legal").to_fen()))
        .collect();
    let mut expected: Vec<_> = lines.iter().map(|line| board(line)).collect();
    played.sort();
    expected.sort();
    assert_eq!(played, expected);

    let output = folder.path().join("more");
    let more = Recording { goal: Goal::Games(4), output: output.clone(), ..from_file.clone() };
    let message = record(&more, |_| {}).expect_err("the fourth game repeats one").to_string();
    assert!(message.contains("4 games from the 3 openings"), "{message}");
    assert!(!output.exists());

    fs::write(&openings, "nonsense").expect("writable");
    let message = record(&more, |_| {}).expect_err("no opening").to_string();
    assert!(message.contains("openings.epd:1"), "{message}");
    assert!(!output.exists());
}

/// The recorded games are told with their shares, and games that occur again are seen.
#[test]
fn the_balance_of_a_store_is_told() {
    let folder = scratch();
    let path = folder.path().join("games");
    let mut games: Vec<_> = (0..30).map(|index| crate::store::random_game(61, index)).collect();
    games.push(games[4].clone());
    crate::store::write(&path, &crate::store::settings(200), &games);
    let balance = Balance::of_store(&path).expect("a store");
    let plies: Vec<usize> = games.iter().map(|game| game.plies.len()).collect();
    assert_eq!((balance.games, balance.repeated_games), (31, 1));
    assert_eq!(balance.positions, plies.iter().sum::<usize>() as u64);
    assert_eq!(balance.results.iter().sum::<u64>(), 31);
    assert_eq!(Some(&balance.length(1.0)), plies.iter().max());
    assert_eq!(Some(&balance.length(0.0)), plies.iter().min());
    let share = games[4].plies.len() as f64 / balance.positions as f64;
    assert!(balance.repeated_share() >= share && balance.repeated_share() < share + 0.1);

    let (_, text, _) = output(&mut record_command(&folder.path().join("new"), 1));
    for words in [
        "games                                   24",
        "  drawn",
        "plies of a game: ",
        "600 and more",
    ] {
        assert!(text.contains(words), "{words:?} in {text}");
    }
}

fn record_command(output: &Path, threads: u32) -> Command {
    let mut command = tuner();
    command.args(["record", "--games", "24", "--nodes", "60", "--seed", "5", "--resume"]);
    command.args(["--block-plies", "300", "--threads", &threads.to_string(), "--output"]);
    command.arg(output);
    command
}

#[test]
fn a_killed_recording_resumes_to_the_same_bytes() {
    let folder = scratch();
    let whole = folder.path().join("whole");
    ended(0, &mut record_command(&whole, 2));
    let killed = folder.path().join("killed");
    let length = |path: &Path| fs::metadata(path).map_or(0, |file| file.len());
    let most = length(&whole) / 5;
    let mut random = stream(17, 0);
    let next = |kills| record_command(&killed, 1 + kills % 2);
    let step = || random.random_range(1..=most);
    assert_eq!(kill_in_the_middle(next, || length(&killed), step), Some(0));
    assert!(fs::read(&killed).expect("readable") == fs::read(&whole).expect("readable"));
}

#[test]
fn an_unwritable_output_is_named() {
    let folder = scratch();
    let output = folder.path().join("missing").join("games");
    let error = record(&recording(output.clone(), Goal::Games(1)), |_| {}).expect_err("no folder");
    assert!(error.to_string().contains(&output.display().to_string()), "{error}");
}

/// Games recorded after that would be lost.
#[cfg(unix)]
#[test]
fn a_recording_whose_store_is_deleted_ends_at_once() {
    let folder = scratch();
    let path = folder.path().join("games");
    let mut games = 0;
    let error = record(&recording(path.clone(), Goal::Games(400)), |progress| {
        games = progress.games;
        if games == 3 {
            fs::remove_file(&path).expect("ours");
        }
    });
    let error = error.expect_err("it is gone").to_string();
    assert!(error.contains("was deleted, and the recording ends with it"), "{error}");
    assert_eq!(games, 3);
}

/// A limit of the size of files stands in for a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_is_told() {
    let folder = scratch();
    let path = folder.path().join("games.kgames");
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(
        "trap '' XFSZ; ulimit -f 4; exec \"$0\" record --games 600 --nodes 20 --output \"$1\"",
    );
    let (_, told) = ended(3, shell.arg(env!("CARGO_BIN_EXE_tuner")).arg(&path));
    assert!(told.contains("games.kgames") && told.contains("File too large"), "{told}");
}
