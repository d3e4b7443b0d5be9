//! What the program says: help, errors, exit statuses; and the files it leaves.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use insta::assert_snapshot;
use sprt::openings::random_opening;
use sprt::random::stream;

/// The program, at a fixed width of text.
pub fn tuner() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tuner"));
    command.env_remove("COLUMNS");
    command
}

/// Exit status, standard output, standard error.
pub fn output(command: &mut Command) -> (Option<i32>, String, String) {
    let output = command.output().expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// A parameter file of the repository.
pub fn parameters(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/parameters").join(name)
}

/// Writes labelled positions of random play, each a game of its own: who has more material has
/// won, with some surprises.
pub fn write_book(path: &Path, count: u64) {
    let mut text = String::new();
    for game in 0..count {
        let position = random_opening(&mut stream(11, game), 20..=80);
        let values = [1, 3, 3, 5, 9, 0];
        let lead: i32 = engine::chess::PieceType::ALL
            .iter()
            .map(|&kind| {
                let pieces = |color| position.pieces(color, kind).count() as i32;
                let (white, black) = (engine::chess::Color::White, engine::chess::Color::Black);
                values[kind.index()] * (pieces(white) - pieces(black))
            })
            .sum();
        let result = match (lead, game % 5) {
            (-1..=1, _) | (_, 4) => "0.5",
            (2.., _) => "1.0",
            _ => "0.0",
        };
        text += &format!("{} [{result}]\n", position.to_fen(false));
    }
    fs::write(path, text).expect("writable");
}

#[test]
fn help_texts() {
    for command in ["", "import", "fit", "export", "auto"] {
        let mut help = tuner();
        if !command.is_empty() {
            help.arg(command);
        }
        let (status, stdout, stderr) = output(help.arg("--help"));
        assert_eq!((status, stderr.as_str()), (Some(0), ""));
        let name = if command.is_empty() { "tuner" } else { command };
        assert_snapshot!(format!("help-{name}"), stdout);
    }
}

#[test]
fn wrong_use_is_status_2_and_failure_status_1() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let book = folder.path().join("small.epd");
    write_book(&book, 3);
    let start = parameters("textbook.toml");
    let out = folder.path().join("tuned.toml");
    let fit = |extra: &[&str]| {
        let mut command = tuner();
        command.arg("fit").arg("--positions").arg(&book).arg("--start").arg(&start);
        output(command.arg("--output").arg(&out).args(extra))
    };
    for (extra, status, expected) in [
        (&["--lambda", "2"][..], 2, "error: --lambda must be from 0 to 1, not 2"),
        (&["--optimizer", "magic"], 2, "error: invalid value 'magic'"),
        (&[], 1, "error: too few positions to fit"),
    ] {
        let (found, _, stderr) = fit(extra);
        assert_eq!(found, Some(status), "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
        assert!(!out.exists());
    }
    let (status, _, stderr) = output(tuner().args(["auto", "--budget", "5"]));
    assert_eq!(status, Some(2));
    assert!(stderr.contains("write 90s, 5m, 2h or 1h30m"), "{stderr}");
    let run = folder.path().join("run");
    let (status, _, stderr) = output(tuner().args(["auto", "--resume", "--output"]).arg(&run));
    assert_eq!(status, Some(2));
    assert!(stderr.contains("holds no run"), "{stderr}");
}

#[test]
fn a_fit_writes_file_and_report() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let book = folder.path().join("book.epd");
    write_book(&book, 4000);
    let report = folder.path().join("report");
    let out = folder.path().join("tuned.toml");
    let mut command = tuner();
    command.args(["fit", "--held-out", "0.2", "--epochs", "4", "--optimizer", "adamw"]);
    command.arg("--positions").arg(&book).arg("--start").arg(parameters("textbook.toml"));
    let (status, stdout, stderr) =
        output(command.arg("--output").arg(&out).arg("--report").arg(&report));
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stdout.contains("## Largest changes"), "{stdout}");
    let text = fs::read_to_string(&out).expect("the tuned file");
    assert!(text.starts_with("# Fitted by `tuner fit` from "), "{text}");
    let json = fs::read_to_string(report.join("report.json")).expect("the report");
    let read: tuner::report::Report = serde_json::from_str(&json).expect("a report");
    assert!(read.after.held_out < read.before.held_out, "{json}");
    let svg = fs::read_to_string(report.join("loss.svg")).expect("the plot");
    assert!(svg.starts_with("<svg") && svg.contains("held out"), "{svg}");
}

#[test]
fn bad_lines_stop_a_fit_before_it_begins() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let book = folder.path().join("book.epd");
    write_book(&book, 300);
    let mut text = fs::read_to_string(&book).expect("readable");
    text += &"this is no position\n".repeat(100);
    fs::write(&book, text).expect("writable");
    let out = folder.path().join("tuned.toml");
    let mut command = tuner();
    command.arg("fit").arg("--positions").arg(&book);
    command.arg("--start").arg(parameters("textbook.toml")).arg("--output").arg(&out);
    let (status, _, stderr) = output(&mut command);
    assert_eq!(status, Some(1), "{stderr}");
    assert!(stderr.contains("book.epd:301"), "{stderr}");
    assert!(!out.exists());
}
