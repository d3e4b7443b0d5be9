//! `tuner fit --traces`: from files of traces to tuned numbers and their report.

use std::fs;
use std::path::Path;

use evaluation_tuning::fit::report::Report;
use evaluation_tuning::model::NATURAL;
use evaluation_tuning::model::linear::{LinearPosition, ParameterFile};
use rand::RngExt;
use random::stream;

use super::{PARAMETERS, packed, text};
use crate::child::{ended, output};
use crate::command_line::tuner;

/// From traces to tuned files, on the command line.
#[test]
fn traces_are_fitted_on_the_command_line() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = |name: &str| folder.path().join(name);
    // Who has more pawns wins more often; a pawn is worth more than the file says.
    let position = |game: u32| {
        let pawns = (game % 7) as i16 - 3;
        let luck = f32::from(i8::from(game.is_multiple_of(3))) * 0.5;
        let result = if pawns > 0 { 1.0 - luck } else { luck };
        let entries = vec![(0, pawns), (1 + (game % 3) as u16, 1), (4, (game % 2) as i16)];
        LinearPosition {
            result,
            phase: (game % 5) as f32 / 4.0,
            game: Some(game),
            entries,
            ..Default::default()
        }
    };
    let positions: Vec<LinearPosition> = (0..3000).map(position).collect();
    fs::write(path("numbers.toml"), PARAMETERS).expect("writable");
    fs::write(path("a.txt"), text(&positions[..1000])).expect("writable");
    fs::write(path("b.traces"), packed(&positions[1000..], 6)).expect("writable");
    let fit = |extra: &[&str]| {
        let mut command = tuner();
        command.current_dir(folder.path()).args(["fit", "--traces", "a.txt", "b.traces"]);
        command.args(["--parameters", "numbers.toml", "--output", "tuned.toml"]).args(extra);
        output(&mut command)
    };
    let (status, stdout, stderr) = fit(&["--array", "tuned.hpp", "--threads", "1"]);
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stdout.contains("The held-out error fell by"), "{stdout}");
    let tuned = ParameterFile::load(&path("tuned.toml")).expect("a correct file");
    let start = ParameterFile::parse(PARAMETERS, "start").expect("a correct file");
    assert_eq!(tuned.terms, start.terms);
    assert_ne!(tuned.values.0[0], start.values.0[0]);
    assert_eq!(tuned.values.0[4..], start.values.0[4..], "they are fixed");
    let source = fs::read_to_string(path("tuned.hpp")).expect("written");
    assert!(source.contains("inline constexpr int material_pawn[2] = {"), "{source}");
    let first = fs::read(path("tuned.toml")).expect("written");
    // The same bytes with more threads, and with traces in a temporary file.
    assert_eq!(fit(&["--threads", "2", "--memory", "0"]).0, Some(0));
    assert_eq!(fs::read(path("tuned.toml")).expect("written"), first);
    // With no games kept, all positions are fitted to the least error.
    assert_eq!(fit(&["--validation", "0"]).0, Some(0));
    let (status, _, stderr) = fit(&["--lambda", "0.5"]);
    assert!(status == Some(3) && stderr.contains("no position has one"), "{stderr}");
    for (options, named) in [
        (&["--per-game", "3"][..], "--per-game cannot be used with --traces"),
        (&["--syzygy", "tables"], "--syzygy cannot be used with --traces"),
        (&["--input-form", "text"], "cannot be used with"),
    ] {
        let (status, _, stderr) = fit(options);
        assert!(status == Some(64) && stderr.contains(named), "{stderr}");
    }
    let all = ["--validation", "0", "--held-out", "0", "--lambda", "0", "--report", "report"];
    let (status, stdout, stderr) = fit(&all);
    assert_eq!(status, Some(0), "{stderr}");
    assert!(
        stdout.contains("3000 positions of 3000 games to fit, 0 to stop by (validation), 0 held"),
        "{stdout}"
    );
    assert!(stdout.contains("The training error fell by"), "{stdout}");
    let page = fs::read_to_string(path("report/report.html")).expect("written");
    assert!(page.contains("training positions") && !page.contains("held-out p"), "{page}");
    assert!(!page.contains("NaN"), "{page}");
    fs::write(path("tuned.toml"), &first).expect("writable");
    let (status, _, stderr) = fit(&["--array", "tuned.txt"]);
    assert!(status == Some(64) && stderr.contains("the ending says no language"), "{stderr}");
    // Where positions have scores, nobody would choose their share.
    let scored = positions[..1000].iter().cloned();
    let scored: Vec<_> = scored.map(|it| LinearPosition { score: Some(10), ..it }).collect();
    fs::write(path("a.txt"), text(&scored)).expect("writable");
    let (status, _, stderr) = fit(&["--validation", "0"]);
    assert!(status == Some(64) && stderr.contains("--validation 0 needs --lambda"), "{stderr}");
    // A damaged file leaves everything as it was.
    fs::write(path("b.traces"), &packed(&positions[1000..], 6)[..5000]).expect("writable");
    let (status, _, stderr) = fit(&[]);
    assert!(
        status == Some(3) && stderr.contains("b.traces: at byte 24: the file ends"),
        "{stderr}"
    );
    assert_eq!(fs::read(path("tuned.toml")).expect("written"), first);
}

/// Lines of a file in another order are the same games: whatever is said of them is the same but for
/// rounding, and a file is not to be given twice.
#[test]
fn the_order_of_lines_changes_no_errors() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let folder = folder.path();
    fs::write(
        folder.join("numbers.toml"),
        "[[term]]\nname = \"pawn\"\nvalue = [100, 100]\n\n[[term]]\nname = \"cells\"\n\
         values = [0, 0, 0, 0, 0, 0, 0, 0]\n",
    )
    .expect("writable");
    // Games of ten positions, of which each has as many entries as it likes; who stands better by
    // pawns wins more often, game by game.
    let mut random = stream(8, 0);
    let mut lines: Vec<String> = Vec::new();
    for game in 0..300 {
        let lead = random.random_range(-3..=3);
        let result = if random.random_bool(0.5 + f64::from(lead) * 0.12) { 1 } else { 0 };
        for _ in 0..10 {
            let phase = f64::from(random.random_range(0..=8)) / 8.0;
            let mut line = format!("{result} phase={phase} game={game}");
            if lead != 0 {
                line += &format!(" 0:{lead}");
            }
            for cell in 1..=8 {
                if random.random_bool(0.4) {
                    line += &format!(" {cell}:{}", random.random_range(1..=2));
                }
            }
            lines.push(line);
        }
    }
    let report = |name: &str, lines: &[String]| {
        let path = folder.join(name);
        fs::write(&path, lines.join("\n") + "\n").expect("writable");
        let mut command = tuner();
        command.current_dir(folder).args(["fit", "--traces", name, "--parameters", "numbers.toml"]);
        command.args(["--output", "tuned.toml", "--lambda", "0", "--held-out", "0.3"]);
        let (stdout, _) = ended(0, command.args(["--regularization", "0"]));
        // The report of the numbers and of the results held out, without bytes and paths.
        let told = stdout.lines().filter(|line| !line.contains("bytes a position"));
        told.map(str::to_string).collect::<Vec<_>>()
    };
    let as_played = report("played.txt", &lines);
    lines.sort_by_key(|line| (line.split(' ').count(), line.len()));
    let sorted = report("sorted.txt", &lines);
    assert!(as_played.iter().any(|line| line.contains("pawn")), "{as_played:?}");
    assert_eq!(as_played, sorted);

    let mut command = tuner();
    command.current_dir(folder).args(["fit", "--traces", "played.txt", "./played.txt"]);
    let (_, stderr) =
        ended(3, command.args(["--parameters", "numbers.toml", "--output", "tuned.toml"]));
    assert!(stderr.contains("played.txt is named twice"), "{stderr}");
}

/// Writes traces of games that a pawn of 100 and a knight of 320 decide, a tempo of 20 apart, and the
/// file of their numbers, a quarter too small.
fn write_quarter_too_small(folder: &Path, positions: u32, constant: f32) {
    let mut random = stream(9, 0);
    let position = |game| {
        let [pawns, knights] = [3, 1].map(|most| random.random_range(-most..=most));
        let advantage = 100.0 * f64::from(pawns) + 320.0 * f64::from(knights) + 20.0;
        let wins = random.random_bool(1.0 / (1.0 + (-NATURAL * advantage).exp()));
        let entries = vec![(0, pawns), (1, knights), (2, 1)];
        let entries = entries.into_iter().filter(|it| it.1 != 0).collect();
        let result = if wins { 1.0 } else { 0.0 };
        LinearPosition { result, constant, game: Some(game), entries, ..Default::default() }
    };
    let positions: Vec<LinearPosition> = (0..positions).map(position).collect();
    fs::write(folder.join("games.txt"), text(&positions)).expect("writable");
    let numbers = "[[term]]\nname = \"pawn\"\nvalue = 75\n\n[[term]]\nname = \"knight\"\nvalue = 240\n\
                   range = [0, 400]\n\n[[term]]\nname = \"tempo\"\nvalue = 15\nfixed = true\n";
    fs::write(folder.join("numbers.toml"), numbers).expect("writable");
}

/// `tuner fit` of these traces.
fn fit_of_games(folder: &Path, extra: &[&str]) -> (Option<i32>, String, String) {
    let mut command = tuner();
    command.current_dir(folder).args(["fit", "--traces", "games.txt", "--parameters"]);
    output(command.args(["numbers.toml", "--output", "tuned.toml"]).args(extra))
}

/// A number that is the unit comes out as asked for, all others in proportion, and what they foretell
/// is the same.
#[test]
fn a_unit_sets_the_scale() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let folder = folder.path();
    write_quarter_too_small(folder, 20_000, 0.0);
    let fit = |extra: &[&str]| {
        let all = [&["--report", "report"], extra].concat();
        let (status, stdout, stderr) = fit_of_games(folder, &all);
        assert_eq!(status, Some(0), "{stderr}");
        let tuned = ParameterFile::load(&folder.join("tuned.toml")).expect("a correct file");
        let json = fs::read_to_string(folder.join("report/report.json")).expect("written");
        let report: Report = serde_json::from_str(&json).expect("a report");
        ([0, 1, 2].map(|cell| tuned.values.0[cell][1]), report, stdout)
    };
    let (plain, without, _) = fit(&[]);
    // K makes up for the start, whose unit is kept.
    assert!((plain[0] - 75.0).abs() < 4.0 && plain[2] == 15.0, "{plain:?}");
    let (found, with, stdout) = fit(&["--unit", "pawn=100"]);
    assert!(stdout.contains("; unit: pawn = 100, starting values multiplied by 1."), "{stdout}");
    assert_eq!((found[0], found[2]), (100.0, 20.0), "{found:?}");
    assert!((found[1] / (100.0 * plain[1] / plain[0]) - 1.0).abs() < 0.015, "{plain:?} {found:?}");
    assert!(
        (with.k * 100.0 / (without.k * plain[0]) - 1.0).abs() < 0.01,
        "{} {}",
        with.k,
        without.k
    );
    assert!((with.after.held_out - without.after.held_out).abs() < 2e-5, "{with:?}");
    assert_eq!(with.regularization, without.regularization);
    assert!(with.frozen.is_empty(), "nobody held a number: {:?}", with.frozen);

    for (unit, reason) in [
        ("pawns=100", "no number is called \"pawns\"; there are pawn, knight, tempo"),
        ("pawn", "NAME=VALUE is expected"),
        ("pawn=0", "a whole number from 1 to 10000"),
        ("pawn=150", "knight becomes 4"),
    ] {
        let (status, _, stderr) = fit_of_games(folder, &["--unit", unit]);
        assert_eq!(status, Some(64), "{unit}: {stderr}");
        assert!(stderr.contains(reason), "{reason}: {stderr}");
    }
    // A part that is not fitted keeps its unit.
    write_quarter_too_small(folder, 1000, 12.0);
    let (status, _, stderr) = fit_of_games(folder, &["--unit", "pawn=100"]);
    assert_eq!(status, Some(3), "{stderr}");
    assert!(stderr.contains("a part of the evaluation is not fitted (constant=12)"), "{stderr}");
}

/// Too few positions to move a number by one: that is said, in the terminal and on the page.
#[test]
fn no_change_is_said() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let folder = folder.path();
    write_quarter_too_small(folder, 3000, 0.0);
    let pulled = ["--regularization", "1000000", "--report", "report"];
    let (status, stdout, stderr) = fit_of_games(folder, &pulled);
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stdout.contains("\nNo change: too few positions: with "), "{stdout}");
    let reasons = ["rounding to whole numbers takes that back.\n", "no step lowered the error of "];
    assert!(reasons.iter().any(|reason| stdout.contains(reason)), "{stdout}");
    assert!(!stdout.contains("Changes by their share"), "{stdout}");
    let page = fs::read_to_string(folder.join("report/report.html")).expect("written");
    assert!(page.contains(">no change</p>") && page.contains("No change: too few"), "{page}");
    // Where something changes, nothing of the kind is said.
    write_quarter_too_small(folder, 20_000, 0.0);
    let (_, stdout, _) = fit_of_games(folder, &["--freeze", "pawn", "--k", "1"]);
    assert!(!stdout.contains("No change") && stdout.contains("Changes by their share"), "{stdout}");
}

/// Intervals of numbers that the same positions have chosen say so, wherever they are shown.
#[test]
fn intervals_after_a_selection_say_so() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let folder = folder.path();
    write_quarter_too_small(folder, 20_000, 0.0);
    for (shrink, is_selected) in [(&["--shrink", "2"][..], true), (&[], false)] {
        let all = [&["--k", "1", "--report", "report"], shrink].concat();
        let (status, stdout, stderr) = fit_of_games(folder, &all);
        assert_eq!(status, Some(0), "{stderr}");
        let told = "Intervals and t-values follow a selection";
        let read = |name: &str| fs::read_to_string(folder.join(name)).expect("written");
        for text in [&stdout, &read("report/report.html")] {
            assert_eq!(text.contains(told), is_selected, "{text}");
        }
        let json = read("report/report.json");
        let field = format!("\"intervals_follow_selection\": {is_selected}");
        assert!(json.contains(&field), "{json}");
    }
}
