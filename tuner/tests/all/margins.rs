//! Margins from recorded positions: the same bytes by any number of threads and after any kill; what
//! is known to be worse is seen to be, and what changes nothing is not.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use chess::Parameters;
use rand::RngExt;
use random::stream;

use crate::child::{ended, kill_in_the_middle, output};
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

/// Standard output of a run that succeeds.
fn run(folder: &Path, arguments: &str) -> String {
    let (stdout, _) = ended(0, &mut tuner(folder, arguments));
    stdout
}

/// A small run over a few margins.
fn small(threads: u32, name: &str) -> String {
    format!(
        "margins --start default --only reverse_futility,futility --count 300 --nodes 60 \
         --judge-nodes 120 --rounds 3 --replicates 1 --threads {threads} --output {name}.toml \
         --report {name}.html"
    )
}

/// The files of a run: result, journal, judgements, page.
fn files(folder: &Path, name: &str) -> [Vec<u8>; 4] {
    [".toml", ".toml.journal", ".toml.judgements.csv", ".html"].map(|ending| {
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
    let [_, journal, judgements, _] = files(folder, "killed");
    assert!(journal.starts_with(&expected[1]) && journal.len() > expected[1].len());
    assert!(judgements.starts_with(&expected[2]));
}

/// The lines that `tuner regret --csv` prints: change, fall in regret and its standard error.
fn regrets(folder: &Path, arguments: &str) -> Vec<(String, f64, f64)> {
    rows_of(&run(folder, &format!("regret --csv --start default {arguments}")))
}

/// Change, fall in regret and its standard error, of each line.
fn rows_of(printed: &str) -> Vec<(String, f64, f64)> {
    let mut reader = csv::Reader::from_reader(printed.as_bytes());
    let rows = reader.deserialize().map(|row| {
        let (change, fall, error, ..): (String, f64, f64, f64, f64) = row.expect("a row");
        (change, fall, error)
    });
    rows.collect()
}

/// The positions, without counters, that the judge of a run was asked about.
fn judged(path: &Path) -> BTreeSet<String> {
    let mut reader = csv::Reader::from_path(path).expect("judgements");
    let position = |row: Result<csv::StringRecord, csv::Error>| {
        row.expect("a row")[1].split(' ').take(4).collect::<Vec<_>>().join(" ")
    };
    reader.records().map(position).collect()
}

/// A tuned file is measured on games that did not choose it, whatever the seeds, and it records on
/// which it was found.
#[test]
fn what_was_tuned_on_is_not_what_is_measured_on() {
    let folder = scratch();
    let folder = folder.path();
    let bench = "--nodes 60 --judge-nodes 120 --threads 2";
    let mut tuned = BTreeSet::new();
    for seed in [1, 2] {
        run(
            folder,
            &format!(
                "margins --start default --only futility --count 600 --rounds 1 --replicates 0 \
                 --seed {seed} --output found-{seed}.toml {bench}"
            ),
        );
        tuned.extend(judged(&folder.join(format!("found-{seed}.toml.judgements.csv"))));
    }
    let mut measured = BTreeSet::new();
    for seed in [1, 2, 3] {
        let arguments = format!(
            "regret --start default --change found-1.toml --count 300 --seed {seed} \
             --judgements measured-{seed}.csv {bench}"
        );
        let (_, stderr) = ended(0, &mut tuner(folder, &arguments));
        let note = "note: found-1.toml was found on other games of champion.kgames\n";
        assert!(stderr.contains(note), "{stderr}");
        measured.extend(judged(&folder.join(format!("measured-{seed}.csv"))));
    }
    assert!(tuned.len() > 900 && measured.len() > 500, "{} {}", tuned.len(), measured.len());
    let both: Vec<&String> = tuned.intersection(&measured).collect();
    assert!(both.is_empty(), "{both:?}");
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

/// From margins set so that the engine is far weaker the way back is found: on games that chose nothing
/// the values found are better beyond doubt, and no worse than those that were right.
#[test]
fn a_margin_set_wrong_is_put_right() {
    let folder = scratch();
    let folder = folder.path();
    let mut wrong = crate::fit::textbook();
    let (base, margin) = ("late_move_pruning.base", "late_move_pruning.margin");
    let values = |set: &Parameters| [base, margin].map(|name| set.get(name).expect("a number"));
    assert_eq!(values(&wrong), [4, 90], "set by hand");
    for (name, value) in [(base, 1), (margin, 20)] {
        wrong.set(name, value).expect("in range");
    }
    fs::write(folder.join("wrong.toml"), wrong.to_toml()).expect("written");
    let bench = "--nodes 400 --judge textbook --judge-nodes 2000";
    run(
        folder,
        &format!(
            "margins --start wrong.toml --only {base},{margin} --count 1600 --rounds 8 \
             --replicates 0 --output found.toml {bench}"
        ),
    );
    let found = fs::read_to_string(folder.join("found.toml")).expect("written");
    let found = values(&Parameters::from_toml(&found, "found.toml").expect("correct"));
    assert!(found[0] >= 3 && found[1] >= 60, "{found:?} are hardly better than 1 and 20");
    let printed = run(
        folder,
        &format!(
            "regret --csv --start wrong.toml --change found.toml --change textbook --count 2400 \
             --judgements found.toml.judgements.csv {bench}"
        ),
    );
    let rows = rows_of(&printed);
    let [(_, found, error), (_, right, right_error)] = &rows[1..] else { panic!("{rows:?}") };
    assert!(*found > 2.0 * error, "{rows:?}");
    assert!(*found > right - 2.0 * error.hypot(*right_error), "{rows:?}");
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
        let number = Parameters::find(name).expect("a number");
        let value = number.value(Parameters::embedded());
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

/// Options without effect, overwritten files and vain waits are refused before any search.
#[test]
fn wrong_use_is_named() {
    let folder = scratch();
    let folder = folder.path();
    fs::write(folder.join("a.toml"), Parameters::embedded().to_toml()).expect("written");
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
    let (_, stderr) = ended(3, &mut tuner(folder, arguments));
    let message = "the judge does not keep its limit: `go nodes 500` was answered after 900000";
    assert!(stderr.contains(message), "{stderr}");
}
