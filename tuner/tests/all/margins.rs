//! Margins from recorded positions: the same bytes by any number of threads and after any kill; what
//! is known to be worse is seen to be, and what changes nothing is not.

use std::fs;
use std::path::Path;
use std::process::Command;

use rand::RngExt;
use sprt::random::stream;

use crate::child::{kill_in_the_middle, output};
use crate::skipping::skip;
#[cfg(unix)]
use crate::spsa::scripted_engine;
use crate::store::scratch;

const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/positions/champion.kgames");

fn tuner(folder: &Path, arguments: &str) -> Command {
    let mut command = crate::command_line::tuner();
    command.current_dir(folder).args(arguments.split_whitespace()).args(["--positions", GAMES]);
    command
}

/// What is printed.
fn run(folder: &Path, arguments: &str) -> String {
    let (status, stdout, stderr) = output(&mut tuner(folder, arguments));
    assert_eq!(status, Some(0), "{stderr}");
    stdout
}

/// A small run over a few margins.
fn small(threads: u32, name: &str) -> String {
    format!(
        "margins --start default --only reverse_futility,futility --count 300 --nodes 60 \
         --judge-nodes 120 --rounds 3 --replicates 1 --threads {threads} --output {name}.toml"
    )
}

/// What a run leaves: result, journal, judgements.
fn files(folder: &Path, name: &str) -> [Vec<u8>; 3] {
    [".toml", ".toml.journal", ".toml.judgements.csv"].map(|ending| {
        fs::read(folder.join(format!("{name}{ending}"))).expect("the run has written it")
    })
}

#[test]
fn threads_and_kills_do_not_show() {
    let folder = scratch();
    let folder = folder.path();
    run(folder, &small(1, "one"));
    let expected = files(folder, "one");
    run(folder, &small(3, "three"));
    assert!(files(folder, "three") == expected);

    let written = |name: &str| {
        fs::metadata(folder.join(format!("{name}.toml.journal"))).map_or(0, |file| file.len())
    };
    let most = written("one") / 5;
    let mut random = stream(7, 0);
    let next = |kills| {
        let resume = if kills == 0 { "" } else { " --resume" };
        tuner(folder, &(small(2, "killed") + resume))
    };
    let step = || random.random_range(1..=most);
    assert_eq!(kill_in_the_middle(next, || written("killed"), step), Some(0));
    assert!(files(folder, "killed") == expected);
    // More rounds continue it; none of what is known is asked again.
    let more = small(2, "killed").replace("--rounds 3", "--rounds 4") + " --resume";
    run(folder, &more);
    let [_, journal, judgements] = files(folder, "killed");
    assert!(journal.starts_with(&expected[1]) && journal.len() > expected[1].len());
    assert!(judgements.starts_with(&expected[2]));
}

/// The lines that `tuner regret --csv` prints: change, fall in regret and its standard error.
fn regrets(folder: &Path, arguments: &str) -> Vec<(String, f64, f64)> {
    let printed = run(folder, &format!("regret --csv --start default {arguments}"));
    let mut reader = csv::Reader::from_reader(printed.as_bytes());
    let rows = reader.deserialize().map(|row| {
        let (change, fall, error, ..): (String, f64, f64, f64, f64) = row.expect("a row");
        (change, fall, error)
    });
    rows.collect()
}

/// Changes that lose games beyond doubt raise the regret beyond doubt; null changes measure zero within
/// their error.
#[test]
fn what_loses_games_raises_the_regret() {
    let folder = scratch();
    let changes = "--change late_move_pruning.base=1,late_move_pruning.margin=20 \
                   --change quiescence.enabled=0,reverse_futility.enabled=0 --change time.horizon=20 --change default";
    let rows = regrets(
        folder.path(),
        &format!("--count 2500 --nodes 400 --judge-nodes 4000 --replicates 2 {changes}"),
    );
    let names: Vec<&str> = rows.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!((names.len(), names[0]), (5, "nothing"));
    for (change, fall, error) in &rows[..1] {
        assert!(*error > 0.0 && fall.abs() < 3.0 * error, "{change}: {fall} +- {error}");
    }
    for (change, fall, error) in &rows[1..3] {
        assert!(*fall < -3.0 * error, "{change}: {fall} +- {error}");
    }
    // A change that a limit of nodes does not feel, and none at all.
    for (change, fall, error) in &rows[3..] {
        assert_eq!((*fall, *error), (0.0, 0.0), "{change}");
    }
}

/// A switch knows no null change; chance is measured by the margins all the same.
#[test]
fn chance_is_measured_for_switches_too() {
    let folder = scratch();
    let rows = regrets(
        folder.path(),
        "--count 300 --nodes 1000 --judge-nodes 4000 --change null_move.enabled=0",
    );
    let (name, fall, error) = &rows[0];
    assert_eq!(name, "nothing");
    assert!(*error > 0.0 && fall.abs() < 4.0 * error, "{fall} +- {error}");
}

/// From a margin set so that the engine is far weaker, the way back is found.
#[test]
fn a_margin_set_wrong_is_put_right() {
    let folder = scratch();
    let start = fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../data/parameters/textbook.toml"
    ))
    .expect("there");
    let section = start.find("[margins.late_move_pruning]").expect("a group");
    let place = section + start[section..].find("\nmargin = ").expect("a margin") + 1;
    let end = place + start[place..].find('\n').expect("a line");
    let (right, wrong) = (&start[place..end], "margin = 20");
    let right: f64 = right["margin = ".len()..].trim().parse().expect("a number");
    assert!(right >= 60.0, "the test takes {right} for right");
    let start = format!("{}{wrong}{}", &start[..place], &start[end..]);
    fs::write(folder.path().join("wrong.toml"), start).expect("written");
    run(
        folder.path(),
        "margins --start wrong.toml --only late_move_pruning.margin --count 400 --nodes 400 \
         --judge textbook --judge-nodes 4000 --rounds 5 --output right.toml",
    );
    let found = fs::read_to_string(folder.path().join("right.toml")).expect("written");
    let found = engine::Parameters::from_toml(&found, "right.toml").expect("correct");
    let found = found.margins.late_move_pruning.margin;
    assert!(found >= 30, "{found}");
}

/// An engine over pipes with options in OpenBench's lines finds the same as the engine in this
/// process whose numbers they are.
#[test]
fn pipes_do_not_show() {
    let engine = Path::new(env!("CARGO_BIN_EXE_tuner")).with_file_name("kamerton");
    if !engine.is_file() {
        skip(&format!("{} is not built (cargo build --workspace)", engine.display()));
        return;
    }
    let folder = scratch();
    let folder = folder.path();
    let only = "reverse_futility.margin,futility.base,futility.margin";
    let settings = "--count 60 --nodes 300 --judge default --judge-nodes 600 --rounds 2 \
                    --replicates 1 --threads 2";
    run(folder, &format!("margins --start default --only {only} {settings} --output own.toml"));
    let lines = only.split(',').map(|name| {
        let number = engine::Parameters::find(name).expect("a number");
        let value = number.value(engine::Parameters::embedded());
        let ((low, high), step) = (number.range(), number.step());
        format!("{name}, int, {value}, {low}, {high}, {step}, 0.002\n")
    });
    fs::write(folder.join("lines.txt"), lines.collect::<String>()).expect("written");
    run(
        folder,
        &format!(
            "margins --engine {} hash=1 --parameters lines.txt {settings} --output piped.txt",
            engine.display()
        ),
    );
    let entries = |name: &str| {
        let journal = fs::read_to_string(folder.join(name)).expect("written");
        journal.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let own = entries("own.toml.journal");
    // Two rounds over passages of four to eight positions.
    assert!((16..=30).contains(&own.len()), "{}", own.len());
    assert_eq!(entries("piped.txt.journal"), own);
    assert!(folder.join("piped.json").is_file());
    let written = fs::read_to_string(folder.join("piped.txt")).expect("written");
    assert_eq!(written.lines().count(), 3, "{written}");
}

/// What would be ignored, overwritten or waited for in vain is refused before anything is searched.
#[test]
fn wrong_use_is_named() {
    let folder = scratch();
    let folder = folder.path();
    fs::write(folder.join("a.toml"), engine::Parameters::embedded().to_toml()).expect("written");
    fs::write(folder.join("lines.txt"), "A, int, 1, 0, 2, 1, 0.1").expect("written");
    let bench = "--count 20 --nodes 60 --judge-nodes 120 --threads 1";
    for (arguments, message) in [
        (
            "margins --start default --only null_move --output b.toml --judge textbook depth=3",
            "--judge: --judge-nodes says how long it searches",
        ),
        (
            "margins --engine /bin/cat movetime=1 --parameters lines.txt --output b.txt",
            "--engine: --nodes says how long it searches",
        ),
        ("margins --start a.toml --only null_move --output a.toml", "a.toml is read: choose"),
        (
            "regret --start default --change futility.margin=60,futility.margin=70",
            "futility.margin is named twice",
        ),
    ] {
        let (status, _, stderr) = output(&mut tuner(folder, &format!("{arguments} {bench}")));
        assert_ne!(status, Some(0), "{arguments}");
        assert!(stderr.contains(message), "{message}: {stderr}");
    }
    assert!(!folder.join("b.toml.journal").exists());
}

#[cfg(unix)]
#[test]
fn a_judge_must_keep_its_limit() {
    let folder = scratch();
    let folder = folder.path();
    scripted_engine(folder, &[], "info depth 9 nodes 900000 score cp 1\nbestmove a2a3");
    let arguments = "regret --start default --change futility.margin=60 --count 20 --nodes 60 \
                     --judge-nodes 500 --threads 1 --judge ./engine.sh";
    let (status, _, stderr) = output(&mut tuner(folder, arguments));
    assert_eq!(status, Some(1), "{stderr}");
    let message = "the judge does not keep its limit: `go nodes 500` was answered after 900000";
    assert!(stderr.contains(message), "{stderr}");
}
