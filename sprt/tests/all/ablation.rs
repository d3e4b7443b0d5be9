//! `sprt ablate`: the same table whatever happens on the way, and nothing in it that was not played.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::child::{Guarded, ended, output};
use crate::helpers::{read, sprt_line};

/// Methods of the textbook, ten pairs each.
fn ablate_only(methods: &str, folder: &Path) -> Command {
    let mut command = sprt_line(&format!(
        "ablate --parameters textbook --pairs 10 --nodes 150 --hash 1 --bench-depth 3 --only \
         {methods} --output"
    ));
    command.arg(folder);
    command
}

/// Two methods of the textbook; `extra` holds further options.
fn ablate(folder: &Path, extra: &str) -> Command {
    let mut command = ablate_only("null_move structure_history", folder);
    command.args(extra.split_whitespace());
    command
}

fn new_folder() -> TempDir {
    tempfile::tempdir().expect("temporary folder")
}

/// The row of a method in the table of Markdown.
fn row<'a>(table: &'a str, method: &str) -> &'a str {
    let start = format!("| `{method}` |");
    table.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("no {method}"))
}

#[test]
fn a_killed_ablation_goes_on_and_ends_the_same() {
    let home = new_folder();
    let whole = home.path().join("whole");
    let (stdout, _) = ended(0, &mut ablate(&whole, "--threads 2"));
    assert!(stdout.trim_end().ends_with("table.md"), "{stdout}");
    let table = read(&whole, "table.md");
    for (method, switch) in [("null_move", "off"), ("structure_history", "on")] {
        let row = row(&table, method);
        assert!(row.contains(&format!("| {switch} | 20 |")) && row.contains(", +"), "{row}");
        assert!(row.ends_with(" % |"), "{row}");
    }
    assert!(row(&table, "killer").contains("| 0 | not played | not counted |"));
    assert!(row(&table, "time_stability").contains("needs a clock"));

    let killed = home.path().join("killed");
    let journal = killed.join("games/null_move/journal");
    for lines in [3, 6] {
        let mut command = ablate(&killed, "--threads 1");
        let child = Guarded::spawn(command.stdout(Stdio::null()).stderr(Stdio::null()));
        child.until("pairs are written", || {
            fs::read_to_string(&journal).is_ok_and(|text| text.lines().count() >= lines)
        });
        assert!(child.try_wait().is_none(), "the second method is still to come");
        child.kill();
    }
    ended(0, &mut ablate(&killed, "--threads 2"));
    for name in ["table.md", "table.csv", "counts.csv", "games/null_move/journal"] {
        assert_eq!(read(&killed, name), read(&whole, name), "{name}");
    }

    // The same command again plays nothing, and another question has another folder.
    let before = read(&killed, "table.csv");
    assert_eq!(output(&mut ablate(&killed, "")).0, Some(0));
    assert_eq!(read(&killed, "table.csv"), before);
    let (_, stderr) = ended(64, &mut ablate(&killed, "--seed 2"));
    assert!(stderr.contains("was begun with other settings"), "{stderr}");
}

#[test]
fn what_was_begun_and_not_finished_is_said_to_be_so() {
    let home = new_folder();
    let folder = home.path().join("run");
    ended(0, &mut ablate(&folder, ""));
    // As a kill after four pairs leaves it.
    let journal = folder.join("games/structure_history/journal");
    let kept: String = read(&folder, "games/structure_history/journal")
        .lines()
        .take(5)
        .collect::<Vec<_>>()
        .join("\n");
    fs::write(&journal, kept + "\n").expect("writable");
    fs::remove_file(folder.join("games/structure_history/result.json")).expect("there");
    assert_eq!(output(&mut ablate_only("null_move", &folder)).0, Some(0));
    let table = read(&folder, "table.md");
    assert!(
        row(&table, "structure_history").contains("| 8 of 20 | not finished |"),
        "{}",
        row(&table, "structure_history")
    );
}

/// A term, or a half of it, is a method for who asks for it by name; its row stays in the table.
#[test]
fn terms_are_ablated_by_name() {
    let home = new_folder();
    let folder = home.path().join("run");
    let half = "material.bishop.middlegame";
    let (stdout, _) =
        ended(0, &mut ablate_only(&format!("{half} structure_history.enabled"), &folder));
    let shown: Vec<&str> = stdout.lines().collect();
    assert!(shown[0].starts_with("method ") && shown[0].contains(" Elo "), "{stdout}");
    assert!(
        shown.iter().any(|line| line.starts_with("structure_history ") && line.contains(" 20 ")),
        "{stdout}"
    );
    let own = shown.iter().find(|line| line.starts_with(half)).expect("a row");
    assert!(own.contains(" off ") && own.contains(", +"), "{stdout}");
    assert_eq!(shown.len(), 4, "those asked for, under a head, and where the table is: {stdout}");
    assert!(shown[..3].iter().all(|line| line.chars().count() <= 80), "{stdout}");
    let changed = read(&folder, &format!("games/{half}/candidate.toml"));
    assert!(changed.contains("\nbishop = [150, 300]\n"), "{changed}");

    ended(0, &mut ablate_only("structure_history", &folder));
    assert!(row(&read(&folder, "table.md"), half).contains("| off | 20 |"));
    for (wrong, says) in [
        ("material.bishops", "no method \"material.bishops\""),
        ("futility.margin", "no method \"futility.margin\""),
    ] {
        let (status, _, stderr) = output(&mut ablate_only(wrong, &folder));
        assert!(status == Some(64) && stderr.contains(says), "{stderr}");
    }
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let home = new_folder();
    let folder = home.path().join("run");
    let refused = |extra: &str| {
        let (status, _, stderr) = output(&mut ablate(&folder, extra));
        (status, stderr)
    };
    let (status, stderr) = refused("--only nul_move");
    assert_eq!(status, Some(64), "{stderr}");
    assert!(stderr.contains("no method \"nul_move\"") && stderr.contains("null_move"), "{stderr}");
    let suite = home.path().join("suite.epd");
    fs::write(&suite, "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#;\n6k1/8 w - - bm Ra8;\n").unwrap();
    let (status, stderr) = refused(&format!("--suite-nodes 100 --suite {}", suite.display()));
    assert_eq!(status, Some(3), "{stderr}");
    assert!(stderr.contains("suite.epd:2:"), "{stderr}");
}

#[test]
fn a_suite_counts_what_is_solved() {
    let home = new_folder();
    let folder = home.path().join("run");
    let suite = home.path().join("suite.epd");
    fs::write(
        &suite,
        "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#;\n6k1/5ppp/8/8/8/8/8/R5K1 w - - am Ra8#;\n",
    )
    .unwrap();
    let extra = format!("--suite-nodes 2000 --suite {}", suite.display());
    ended(0, &mut ablate(&folder, &extra));
    let table = read(&folder, "table.md");
    assert!(
        row(&table, "structure_history").ends_with("| 1 |"),
        "{}",
        row(&table, "structure_history")
    );
    assert!(table.contains("solves 1 of 2"), "{table}");
}
