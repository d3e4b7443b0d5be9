//! Help, errors and exit statuses of the program, and the files it leaves.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use insta::assert_snapshot;
use matches::openings::random_opening;
use random::stream;

use crate::child::{Guarded, ended, output};

/// The program, at a fixed width of text.
pub fn tuner() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tuner"));
    command.env_remove("COLUMNS");
    command
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
        let position = random_opening(chess::GAME, &mut stream(11, game), 20..=80);
        let board = position.typed::<chess::Position>().board();
        let values = [1, 3, 3, 5, 9, 0];
        let lead: i32 = chess::PieceType::ALL
            .iter()
            .map(|&kind| {
                let pieces = |color| board.pieces(color, kind).count() as i32;
                let (white, black) = (chess::Color::White, chess::Color::Black);
                values[kind.index()] * (pieces(white) - pieces(black))
            })
            .sum();
        let result = match (lead, game % 5) {
            (-1..=1, _) | (_, 4) => "0.5",
            (2.., _) => "1.0",
            _ => "0.0",
        };
        text += &format!("{} [{result}]\n", position.to_fen());
    }
    fs::write(path, text).expect("writable");
}

#[test]
fn help_texts() {
    let commands = [
        "",
        "record",
        "import",
        "positions",
        "fit",
        "margins",
        "regret",
        "audit",
        "export",
        "auto",
        "spsa",
    ];
    for command in commands {
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
fn wrong_use_and_failures_have_statuses_of_their_own() {
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
        (&["--lambda", "2"][..], 64, "'2' for '--lambda <SHARE>': must be from 0 to 1"),
        (&["--held-out", "0.6", "--validation", "0.5"], 64, "error: --validation and --held-out"),
        (&["--optimizer", "magic"], 64, "error: invalid value 'magic'"),
        (&[], 3, "error: too few positions to fit"),
    ] {
        let (found, _, stderr) = fit(extra);
        assert_eq!(found, Some(status), "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
        assert!(!out.exists());
    }
    let (_, stderr) = ended(64, tuner().args(["auto", "--budget", "5"]));
    assert!(stderr.contains("write 90s, 5m, 2h or 1h30m"), "{stderr}");
    let run = folder.path().join("run");
    let (_, stderr) = ended(64, tuner().args(["auto", "--resume", "--output"]).arg(&run));
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
    command.args([
        "fit",
        "--held-out",
        "0.2",
        "--validation",
        "0.2",
        "--epochs",
        "20",
        "--optimizer",
        "adamw",
    ]);
    command.arg("--positions").arg(&book).arg("--start").arg(parameters("textbook.toml"));
    let (stdout, _) = ended(0, command.arg("--output").arg(&out).arg("--report").arg(&report));
    assert!(stdout.contains("\nChanges by their share of that fall"), "{stdout}");
    let text = fs::read_to_string(&out).expect("the tuned file");
    assert!(text.starts_with("# Fitted by `tuner fit` from "), "{text}");
    let json = fs::read_to_string(report.join("report.json")).expect("the report");
    let read: evaluation_tuning::fit::report::Report =
        serde_json::from_str(&json).expect("a report");
    assert!(read.after.held_out < read.before.held_out, "{json}");
    let page = fs::read_to_string(report.join("report.html")).expect("the page");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("id=\"changes\""), "{page}");
    // One file: nothing is fetched and nothing runs.
    for word in ["<script", "<link", "src=", "url(", "@import", "://"] {
        assert!(!page.contains(word), "{word}");
    }
    // The book names no games, and the report says what was split instead.
    assert!(stdout.contains("positions are guessed, as blocks of successive lines"), "{stdout}");
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
    let (_, stderr) = ended(3, &mut command);
    assert!(stderr.contains("book.epd:301"), "{stderr}");
    assert!(!out.exists());
}

/// A few unusable lines are left out, and named.
#[test]
fn a_fit_shows_the_lines_it_leaves_out() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let book = folder.path().join("book.epd");
    write_book(&book, 4000);
    let text = fs::read_to_string(&book).expect("readable") + "this is no position\n";
    fs::write(&book, text).expect("writable");
    let out = folder.path().join("tuned.toml");
    let mut command = tuner();
    command
        .args([
            "fit",
            "--epochs",
            "1",
            "--held-out",
            "0.2",
            "--validation",
            "0.2",
            "--start",
            "textbook",
            "--positions",
        ])
        .arg(&book);
    let (_, stderr) = ended(0, command.arg("--output").arg(&out));
    assert!(stderr.contains("warning: 1 unusable lines left out"), "{stderr}");
    assert!(stderr.contains("book.epd:4001: "), "{stderr}");
}

/// From values with silent numbers and without a pull the fit goes ahead; where nothing at all is
/// determined it has a status of its own.
#[test]
fn singular_fits_have_their_own_status() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let book = folder.path().join("book.epd");
    write_book(&book, 4000);
    let out = folder.path().join("tuned.toml");
    let fit = |extra: &[&str]| {
        let mut command = tuner();
        command.args(["fit", "--start", "textbook", "--positions"]).arg(&book);
        output(command.arg("--output").arg(&out).args(extra))
    };
    let (status, stdout, stderr) = fit(&["--seen-min", "1000000"]);
    assert_eq!(status, Some(1), "{stdout}");
    assert!(stderr.contains("error: nothing is determined"), "{stderr}");
    assert!(!stderr.contains("converged") && !stdout.contains("converged"), "{stdout}");
    assert!(!out.exists());
    let (status, stdout, stderr) = fit(&["--regularization", "0", "--tie-squares", "0"]);
    assert_eq!(status, Some(0), "{stderr}");
    assert!(!stdout.contains("converged") && !stdout.contains(" of 0 taken"), "{stdout}");
}

/// A fit that was killed leaves nothing half done, and begun again ends with the same bytes.
#[test]
fn a_killed_fit_leaves_nothing_and_repeats_to_the_byte() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let book = folder.path().join("book.epd");
    write_book(&book, 3000);
    let fit = |name: &str| {
        let mut command = tuner();
        command.args(["fit", "--epochs", "3", "--held-out", "0.2", "--validation", "0.2"]);
        command.args(["--start", "textbook", "--positions"]).arg(&book);
        command.arg("--report").arg(folder.path().join(format!("{name}-report")));
        command.arg("--output").arg(folder.path().join(format!("{name}.toml")));
        command
    };
    assert_eq!(output(&mut fit("whole")).0, Some(0));
    let child = Guarded::spawn(fit("killed").stdout(Stdio::null()).stderr(Stdio::piped()));
    // Killed in the middle of the work, as soon as it says that there is some.
    let mut first = String::new();
    BufReader::new(child.take_stderr()).read_line(&mut first).expect("text");
    child.kill();
    assert!(first.starts_with("repeat with: "), "{first}");
    assert!(!folder.path().join("killed.toml").exists());
    assert_eq!(output(&mut fit("killed")).0, Some(0));
    for file in [".toml", "-report/report.json", "-report/report.html"] {
        let [whole, killed] = ["whole", "killed"].map(|name| {
            let path = folder.path().join(format!("{name}{file}"));
            let text = fs::read_to_string(path).expect("a file");
            // The page says what repeats it, and where that writes to.
            text.replace(&format!("{name}-report"), "").replace(&format!("{name}.toml"), "")
        });
        assert!(whole == killed, "{file} differs");
    }
}

/// Every number has bounds, and a negative one is a number, not an option.
#[test]
fn numbers_on_the_command_line_have_bounds() {
    for (arguments, reason) in [
        ("record --games 0 --output x", "0 is not in 1.."),
        ("record --games 5 --nodes 0 --output x", "0 is not in 1.."),
        ("record --games 5 --decided -5 --output x", "-5 is not in 0..=32000"),
        ("record --games 5 --threads 4096 --output x", "4096 is not in 0..=1024"),
        ("positions x --count --threads 4096", "4096 is not in 0..=1024"),
        ("positions x --count --threads -1", "invalid value '-1' for '--threads <N>'"),
        ("positions x --count --per-game 99999", "99999 is not in 0..=65535"),
        ("positions x --count --quiet-margin -60", "-60 is not in 0..=40000"),
        ("positions x --count --max-score -1", "-1 is not in 0..=65535"),
        ("positions x --count --bad-lines-max -0.5", "must be from 0 to 1"),
        ("import x --output y --bad-games-max 1.5", "must be from 0 to 1"),
        ("fit --positions x --start textbook --output y --lambda -1", "must be from 0 to 1"),
        ("fit --positions x --start textbook --output y --k -1", "must be from 0.02 to 20"),
        ("fit --positions x --start textbook --output y --epochs -3", "-3 is not in 0..=1000000"),
        ("auto --generations 0", "0 is not in 1..=100000"),
        ("auto --pairs -4", "invalid value '-4' for '--pairs <N>'"),
        ("auto --record-games 4294967296", "4294967296 is not in 1.."),
    ] {
        let (status, _, stderr) = output(tuner().args(arguments.split(' ')));
        assert_eq!(status, Some(64), "{arguments}: {stderr}");
        assert!(stderr.contains(reason), "{arguments}: {stderr}");
    }
}

/// An option that would do nothing beside another one is refused with it.
#[test]
fn options_that_would_do_nothing_are_refused() {
    for (arguments, reason) in [
        ("positions x --count --resolve --keep-noisy", "--keep-noisy"),
        ("positions x --count --keep-noisy --quiet-margin 9", "--quiet-margin"),
        ("fit --positions x --start textbook --output y --resolve --quiet-margin 9", "--quiet-"),
        ("spsa --resume --output x --no-test --test-pairs 9", "--test-pairs"),
        ("spsa --start default --pairs 9 --output x --allow-changed-engine", "--resume"),
        ("record --games 1 --output x --allow-changed-engine", "--resume"),
        ("auto --margin-positions 0 --margin-rounds 3 --output x", "--margin-rounds"),
    ] {
        let (status, _, stderr) = output(tuner().args(arguments.split(' ')));
        assert_eq!(status, Some(64), "{arguments}: {stderr}");
        assert!(stderr.contains(reason), "{arguments}: {stderr}");
    }
}

/// The files of the repository have names wherever parameters are taken.
#[test]
fn parameter_files_of_the_repository_have_names() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let book = folder.path().join("book.epd");
    write_book(&book, 20);
    ended(0, tuner().args(["positions", "--count", "--parameters", "textbook"]).arg(&book));
    let mut command = tuner();
    command.args(["record", "--games", "1", "--nodes", "20", "--parameters", "default"]);
    ended(0, command.arg("--output").arg(folder.path().join("a.kgames")));
    // A word that is no name is a path.
    let mut command = tuner();
    command.args(["export", "--parameters", "textbok", "--output"]);
    let (_, stderr) = ended(64, command.arg(folder.path().join("kamerton")));
    assert!(stderr.contains("textbok") && stderr.contains("textbook"), "{stderr}");
}

/// One ending names the store of games, in every help text and everything that is written.
#[test]
fn stores_have_one_ending() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let readme = fs::read_to_string(root.join("README.md")).expect("readable");
    let mut texts = vec![readme];
    for command in ["record", "import", "positions", "fit", "auto"] {
        texts.push(output(tuner().args([command, "--help"])).1);
    }
    for text in &texts {
        assert!(!text.contains(".kam ") && !text.contains(".games"), "{text}");
    }
    assert!(root.join("data/positions/sample.kgames").is_file());
}
