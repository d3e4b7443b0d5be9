//! The loop: killed at random moments and on any number of threads it ends with the same files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use rand::RngExt;
use random::stream;

use crate::child::{Guarded, kill_in_the_middle, output};
use crate::command_line::{parameters, tuner, write_book};
use crate::files::{LEFTOVERS, files};

/// The file that says how long it took.
const HOURS: &[&str] = &["hours.csv"];
/// The page, which shows it.
const PAGE: &str = "report.html";

/// All files of a run but those that tell of time.
fn untimed(run: &Path, left_out: &[&str]) -> BTreeMap<String, Vec<u8>> {
    let mut found = files(run, &[HOURS, left_out].concat());
    assert!(found.remove(PAGE).is_some(), "each run has its page");
    found
}

/// Fails unless two runs are the same but for what tells of time.
fn assert_same_runs(expected: &Path, found: &Path, left_out: &[&str]) {
    let [expected, found] = [expected, found].map(|run| untimed(run, left_out));
    assert!(expected.keys().eq(found.keys()), "{:?}, not {:?}", found.keys(), expected.keys());
    for (name, bytes) in &expected {
        assert!(*bytes == found[name], "{name} differs");
    }
}

/// A run of two generations with a few tiny games.
fn automatic(sample: &Path, folder: &Path, threads: u32) -> Command {
    let mut command = tuner();
    command.args(["auto", "--generations", "2", "--pairs", "6", "--nodes", "60", "--no-export"]);
    command.args(["--record-games", "12", "--record-nodes", "60", "--held-out", "0.2"]);
    command.args(["--validation", "0.2"]);
    command.args(["--optimizer", "adamw", "--epochs", "2", "--seen-min", "100"]);
    command.arg("--sample").arg(sample).arg("--output").arg(folder);
    command.args(["--threads", &threads.to_string()]);
    command
}

/// Bytes in all files of a run, some of which may just come or go.
fn written(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let lengths = entries.map(|entry| match entry.metadata() {
        Ok(it) if it.is_dir() => written(&entry.path()),
        Ok(it) => it.len(),
        Err(_) => 0,
    });
    lengths.sum()
}

#[test]
fn a_killed_run_ends_as_an_uninterrupted_one() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let sample = folder.path().join("sample.epd");
    write_book(&sample, 4000);
    let whole = folder.path().join("whole");
    let (status, stdout, stderr) = output(&mut automatic(&sample, &whole, 1));
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stdout.contains("held-out error") && stdout.contains("Ledger: "), "{stdout}");
    assert_is_plain(&stderr);
    let ledger = fs::read_to_string(whole.join("ledger.csv")).expect("the ledger");
    assert_eq!(ledger.lines().count(), 3, "{ledger}");

    let parallel = folder.path().join("parallel");
    let (status, _, stderr) = output(&mut automatic(&sample, &parallel, 2));
    assert_eq!(status, Some(0), "{stderr}");
    assert_same_runs(&whole, &parallel, &[]);

    let killed = folder.path().join("killed");
    let most = written(&whole) / 6;
    let mut random = stream(3, 0);
    let next = |kills| automatic(&sample, &killed, 1 + kills % 2);
    let step = || random.random_range(1..=most);
    let status = kill_in_the_middle(next, || written(&killed), step);
    assert_eq!(status, Some(0));
    assert_same_runs(&whole, &killed, LEFTOVERS);
}

/// Each line but warnings says with the clock in front what was done; nobody who did not ask for details meets λ,
/// a ratio or an error to six places.
fn assert_is_plain(stderr: &str) {
    let mut times = Vec::new();
    for line in stderr.lines().filter(|line| !line.starts_with("warning: ")) {
        let (time, text) = line.trim_start().split_once("  ").expect("a clock, then what was done");
        let (minutes, seconds) = time.split_once(':').expect("a clock");
        times.push(
            60 * minutes.parse::<u32>().expect("minutes") + seconds.parse::<u32>().expect("so"),
        );
        for word in ["lambda", "λ", "likelihood", "10^", "10⁻"] {
            assert!(!text.contains(word), "{line}");
        }
        let decimals = text.split(|letter: char| !letter.is_ascii_digit() && letter != '.');
        let most = decimals.filter_map(|number| number.split_once('.')).map(|it| it.1.len()).max();
        assert!(most.unwrap_or(0) <= 4, "{line}");
    }
    assert!(times.is_sorted(), "{stderr}");
}

/// A start that is so far off that its first candidate is accepted: then come the check with more
/// nodes, margins with a test of their own, and a fit that has the games of these tests.
fn from_bad_values(
    folder: &Path,
    sample: &Path,
    margin_positions: &'static str,
) -> impl Fn(&Path, u32) -> Command {
    let start = folder.join("bad.toml");
    let mut text = fs::read_to_string(parameters("textbook.toml")).expect("readable");
    for (name, good, bad) in [
        ("pawn", 100, 250),
        ("knight", 300, 150),
        ("bishop", 300, 150),
        ("rook", 500, 250),
        ("queen", 900, 500),
    ] {
        let line = |value: u32| format!("\n{name} = [{value}, {value}]");
        assert!(text.contains(&line(good)), "{name}");
        text = text.replacen(&line(good), &line(bad), 1);
    }
    fs::write(&start, text).expect("writable");
    let sample = sample.to_path_buf();
    move |output, threads| {
        let mut command = tuner();
        command.args(["auto", "--pairs", "100", "--nodes", "100"]);
        command.args(["--check-nodes", "150", "--record-games", "12", "--record-nodes", "60"]);
        command.args(["--margin-positions", margin_positions, "--margin-rounds", "2"]);
        command.args(["--verbose", "--no-export"]);
        command.args(["--held-out", "0.2", "--validation", "0.2", "--lambda", "0"]);
        command.arg("--start").arg(&start).arg("--sample").arg(&sample);
        command.arg("--output").arg(output).args(["--threads", &threads.to_string()]);
        command
    }
}

/// Labelled positions, quiet ones alone: a label says who has more on the board as it stands, and
/// the loop fits to the boards on which captures end.
fn write_quiet_book(path: &Path, count: u64) {
    write_book(path, count);
    let mut engine = chess::Engine::new(chess::Parameters::embedded().clone(), 1);
    let lines = fs::read_to_string(path).expect("readable");
    let is_quiet = |line: &&str| {
        let fen = line.rsplit_once(" [").expect("a label").0;
        let position = chess::Position::from_fen(fen).expect("a position");
        !position.in_check() && engine.quiescence_line(&position).1.is_empty()
    };
    let quiet: Vec<&str> = lines.lines().filter(is_quiet).collect();
    fs::write(path, quiet.join("\n") + "\n").expect("writable");
}

#[test]
fn an_accepted_candidate_is_checked_and_gets_margins() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let sample = folder.path().join("sample.epd");
    write_quiet_book(&sample, 8000);
    let command = from_bad_values(folder.path(), &sample, "30");
    let command = |output: &Path, threads| {
        let mut command = command(output, threads);
        command.args(["--generations", "3"]);
        command
    };
    let whole = folder.path().join("whole");
    let (status, stdout, stderr) = output(&mut command(&whole, 2));
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stderr.contains("plan: 3 generations") && stderr.contains("margins: "), "{stderr}");
    assert!(stdout.contains("at 150 nodes not weaker: "), "{stdout}");
    // The champion won all of these games, of which no interval has an end above.
    assert!(stdout.contains(" won, Elo above +") || stdout.contains(" lost, Elo +"), "{stdout}");
    assert_showcase(&whole, &stderr);
    let ledger = fs::read_to_string(whole.join("ledger.csv")).expect("the ledger");
    let mut reader = csv::Reader::from_reader(ledger.as_bytes());
    let names = reader.headers().expect("a header").clone();
    let column = |name: &str| names.iter().position(|it| it == name).expect("a column");
    let [step, verdict, elo1] = ["step", "verdict", "elo1"].map(column);
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    let steps: Vec<&str> = rows.iter().map(|row| &row[step]).collect();
    assert_eq!(steps, ["terms", "margins", "terms"], "{ledger}");
    // Much was expected of the first, which therefore had a short test.
    assert_eq!((&rows[0][verdict], &rows[0][elo1]), ("accepted", "100"), "{ledger}");
    let header = fs::read_to_string(whole.join("generation-1/test/journal")).expect("a journal");
    // Half of the generation's error; the other half is that of the parts.
    assert!(header.lines().next().is_some_and(|it| it.contains("\"alpha\":0.025")), "{header}");
    // Games between unequal players are left out, and others fitted to.
    assert!(!whole.join("generation-1/tests.kgames").exists());
    assert!(whole.join("generation-2/tests.kgames").exists());
    let report = fs::read_to_string(whole.join("generation-3/fit/report.html")).expect("a report");
    assert!(report.contains("test 2"), "the games of the test before are a source");
    let hours = fs::read_to_string(whole.join("hours.csv")).expect("the hours");
    let told: Vec<&str> = hours.lines().skip(1).filter_map(|it| it.split(',').nth(1)).collect();
    assert_eq!(told[..4], ["fit", "test", "check", "showcase"], "{hours}");
    assert!(told.contains(&"margins") && told.contains(&"record"), "{hours}");

    let killed = folder.path().join("killed");
    // Where files appear is where steps begin: each kill comes right after one of them.
    for step in ["generation-1/check", "generation-2/margins.journal", "generation-2/test"] {
        let child = Guarded::spawn(command(&killed, 1).stdout(Stdio::null()).stderr(Stdio::null()));
        child.until(step, || killed.join(step).exists());
        assert!(child.try_wait().is_none(), "{step}: there is more to do");
        child.kill();
    }
    let (status, _, stderr) = output(&mut command(&killed, 2));
    assert_eq!(status, Some(0), "{stderr}");
    assert_same_runs(&whole, &killed, LEFTOVERS);
}

/// Where a budget leaves no time for margins, terms are fitted again; the rest of it is not left unused.
#[test]
fn terms_are_fitted_again_where_margins_do_not_fit_into_the_budget() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let sample = folder.path().join("sample.epd");
    write_quiet_book(&sample, 8000);
    let command = from_bad_values(folder.path(), &sample, "10000000");
    let run = folder.path().join("run");
    let (status, _, stderr) =
        output(command(&run, 2).args(["--generations", "2", "--budget", "29m"]));
    assert_eq!(status, Some(0), "{stderr}");
    let ledger = fs::read_to_string(run.join("ledger.csv")).expect("the ledger");
    let steps: Vec<&str> =
        ledger.lines().skip(1).filter_map(|line| line.split(',').nth(1)).collect();
    assert_eq!(steps, ["terms", "terms"], "{ledger}{stderr}");
}

/// The first champion is shown against the start, by games of their own that decide nothing, and on
/// the page with tables of squares from both.
fn assert_showcase(run: &Path, stderr: &str) {
    assert!(stderr.contains("champion 1 against the start: "), "{stderr}");
    let text = fs::read_to_string(run.join("generation-1/showcase.json")).expect("a showcase");
    let shown: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let counts = shown["counts"].as_object().expect("counts of pairs");
    let pairs: u64 = counts.values().filter_map(serde_json::Value::as_u64).sum();
    assert_eq!((shown["nodes"].as_u64(), pairs), (Some(100), 100), "{text}");
    let page = fs::read_to_string(run.join(PAGE)).expect("a page");
    for panel in ["elo", "errors", "generations", "changes", "squares"] {
        assert!(page.contains(&format!("id=\"{panel}\"")), "{panel}");
    }
    assert!(page.contains("Elo over the start") && page.contains("<h3>Terms, "), "{page}");
    assert!(!page.contains("http-equiv=\"refresh\""), "the run is over");
}

/// With little time a run begins with few positions of each game, and fits margins to fewer; what
/// does not fit into a budget is not begun, and said so.
#[test]
fn a_short_run_begins_small_and_says_what_does_not_fit() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let run = folder.path().join("run");
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/positions/champion.kgames");
    let begin = |budget: &str, generations: &str| {
        let mut command = tuner();
        command.args(["auto", "--budget", budget, "--generations", generations, "--pairs", "4"]);
        command.args(["--nodes", "60", "--held-out", "0.2", "--validation", "0.2", "--no-export"]);
        command.args(["--optimizer", "adamw", "--epochs", "2", "--seen-min", "100"]);
        output(command.arg("--sample").arg(&games).arg("--output").arg(&run))
    };
    let (status, _, stderr) = begin("20m", "2");
    assert_eq!(status, Some(0), "{stderr}");
    assert_is_plain(&stderr);
    let settings = fs::read_to_string(run.join("settings.json")).expect("settings");
    let settings: serde_json::Value = serde_json::from_str(&settings).expect("JSON");
    assert_eq!(settings["first_per_game"], 4);
    let choices = &settings["choices"];
    let begun = ["margin_positions", "margin_rounds", "record_games"].map(|name| &choices[name]);
    assert_eq!(begun.map(|it| it.as_u64()), [2000, 8, 1000].map(Some), "{settings}");
    let positions = |generation: u32| {
        let path = run.join(format!("generation-{generation}/result.json"));
        let text = fs::read_to_string(path).expect("a result");
        let result: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(result["step"], "terms", "{text}");
        result["positions"].as_u64().expect("a number")
    };
    // No verdict in four pairs: the second generation fits terms again, now to all of the sample.
    assert!(positions(1) > 1000 && positions(2) > 6 * positions(1));
    assert!(!run.join("generation-2/positions.kgames").exists(), "nothing was recorded");

    let whole = untimed(&run, &[]);
    let (status, _, stderr) = begin("5s", "3");
    assert_eq!(status, Some(0), "{stderr}");
    let said = stderr.lines().find(|line| line.contains("nothing begun: ")).expect(&stderr);
    assert!(
        said.contains("games, a fit of terms and its test need ") && said.ends_with(" more"),
        "{said}"
    );
    assert!(untimed(&run, &[]) == whole, "nothing was begun");
}

/// From zero there is nobody else's sample, and K is what makes centipawns of values.
#[test]
fn from_zero_a_run_learns_by_its_own_games() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let zero = |name: &str, threads: &str| {
        let run = folder.path().join(name);
        let mut command = tuner();
        command.args(["auto", "--start", "zero", "--generations", "1", "--pairs", "4"]);
        command.args(["--nodes", "60", "--record-games", "150", "--record-nodes", "100"]);
        command.args(["--held-out", "0.2", "--validation", "0.2", "--no-export"]);
        let (status, _, stderr) =
            output(command.args(["--threads", threads, "--output"]).arg(&run));
        assert_eq!(status, Some(0), "{stderr}");
        assert!(stderr.contains("150 games of the champion recorded"), "{stderr}");
        run
    };
    let run = zero("one", "1");
    assert_same_runs(&run, &zero("two", "2"), &[]);
    let (_, whole) = chess::Parameters::open_whole("zero".as_ref()).expect("a carried set");
    assert!(fs::read_to_string(run.join("start.toml")).expect("readable") == whole);
    let candidate = chess::Parameters::load(&run.join("generation-1/candidate.toml"));
    let candidate = candidate.expect("a parameter file");
    let worth = |name: &str| candidate.get(&format!("material.{name}.endgame")).expect("a number");
    let men = ["pawn", "knight", "rook", "queen"].map(worth);
    // A fit of so few games knows little of a queen, but its unit is right.
    assert!(men.is_sorted() && (60..=160).contains(&men[0]) && men[3] > 500, "{men:?}");
    // The numbers that danger is counted from have a slope, so that its terms are found, too.
    let danger = chess::Parameters::numbers()
        .filter(|number| number.declaration.group == "danger")
        .filter(|number| number.value(&candidate) != 0);
    let danger = danger.count();
    assert!(danger > 0, "{danger}");
}

/// A generation fits the same as `tuner fit` by the same options from the same positions: those of
/// the choice of positions and targets among them.
#[test]
fn a_candidate_is_what_a_fit_by_the_same_options_makes() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let [games, run] = ["games.kgames", "run"].map(|name| folder.path().join(name));
    let mut record = tuner();
    record.args(["record", "--games", "150", "--nodes", "60", "--output"]).arg(&games);
    assert_eq!(output(&mut record).0, Some(0));
    let fitted = ["--optimizer", "adamw", "--epochs", "3", "--seen-min", "100"]
        .into_iter()
        .chain(["--held-out", "0.2", "--validation", "0.2", "--lambda", "1"]);
    let mut automatic = tuner();
    automatic.args(["auto", "--generations", "1", "--pairs", "2", "--nodes", "60", "--no-export"]);
    automatic.args(["--lookahead", "9", "--per-game", "15"]).args(fitted.clone());
    automatic.arg("--sample").arg(&games).arg("--output").arg(&run);
    let (status, _, stderr) = output(&mut automatic);
    assert_eq!(status, Some(0), "{stderr}");
    let load = |path: &Path| chess::Parameters::load(path).expect("a parameter file");
    let fit = |name: &str, lookahead: &str| {
        let path = folder.path().join(name);
        let mut command = tuner();
        command.arg("fit").arg("--positions").arg(&games).args(["--start", "textbook"]);
        command
            .args(["--resolve", "--per-game", "15", "--lookahead", lookahead])
            .args(fitted.clone());
        assert_eq!(output(command.arg("--output").arg(&path)).0, Some(0));
        load(&path)
    };
    let candidate = load(&run.join("generation-1/candidate.toml"));
    assert!(candidate == fit("same.toml", "9"));
    assert!(candidate != fit("other.toml", "0"));
}

/// Where no sample lies, as away from the sources, the first generation makes its own.
#[test]
fn without_a_sample_a_run_records_its_own_games() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let run = folder.path().join("run");
    let mut command = tuner();
    command.args(["auto", "--sample", "none", "--generations", "1", "--pairs", "4"]);
    command.args(["--nodes", "60", "--record-games", "150", "--record-nodes", "60"]);
    command.args(["--held-out", "0.2", "--validation", "0.2", "--no-export"]);
    let (status, _, stderr) = output(command.arg("--output").arg(&run));
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stderr.contains("no sample of positions"), "{stderr}");
    assert!(stderr.contains("150 games of the champion recorded"), "{stderr}");
    assert!(run.join("generation-1/positions.kgames").exists());
    assert!(run.join("generation-1/candidate.toml").exists());
}

/// Chess takes all positions, resolved; any other game sixteen quiet ones a game, as `tuner fit` does.
#[test]
fn another_game_is_fitted_to_quiet_positions() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let run = folder.path().join("run");
    let fitted = ["--held-out", "0.2", "--validation", "0.2", "--epochs", "2", "--seen-min", "9"];
    let mut command = tuner();
    command.args([
        "auto",
        "--game",
        "xiangqi",
        "--generations",
        "1",
        "--pairs",
        "2",
        "--nodes",
        "60",
    ]);
    command.args(["--record-games", "150", "--record-nodes", "60", "--no-export"]).args(fitted);
    let (status, _, stderr) = output(command.arg("--output").arg(&run));
    assert_eq!(status, Some(0), "{stderr}");
    let mut fit = tuner();
    fit.args(["fit", "--game", "xiangqi", "--start", "textbook", "--positions"]);
    fit.arg(run.join("generation-1/positions.kgames")).args(fitted);
    let candidate = folder.path().join("candidate.toml");
    assert_eq!(output(fit.arg("--output").arg(&candidate)).0, Some(0));
    let values = |path: &Path| {
        let text = fs::read_to_string(path).expect("a parameter file");
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(values(&run.join("generation-1/candidate.toml")), values(&candidate));
    let page = fs::read_to_string(run.join("generation-1/fit/report.html")).expect("a page");
    // The line that repeats it.
    assert!(page.contains("--per-game</span> 16 ") && !page.contains("--resolve"));
}

#[test]
fn a_run_with_other_settings_is_not_mixed_in() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let sample = folder.path().join("sample.epd");
    write_book(&sample, 4000);
    let run = folder.path().join("run");
    let begin = |extra: &[&str]| {
        let mut command = automatic(&sample, &run, 0);
        output(command.args(extra))
    };
    fs::create_dir_all(&run).expect("writable");
    let (status, _, stderr) = begin(&["--seed", "7"]);
    assert_eq!(status, Some(0), "{stderr}");
    let (status, _, stderr) = begin(&["--seed", "8"]);
    assert_eq!(status, Some(3), "{stderr}");
    assert!(stderr.contains("other settings (seed: 8, not 7)"), "{stderr}");
    for (words, difference) in [
        (["--seed", "5"], "(seed: 5, not 7)"),
        (["--epochs", "77"], "(epochs: 77, not "),
        (["--start", "default"], "(start: "),
        (["--sample", "none"], "(sample: null, not "),
    ] {
        let mut command = tuner();
        command.args(["auto", "--resume", "--no-export"]).args(words);
        let (status, _, stderr) = output(command.arg("--output").arg(&run));
        assert_eq!(status, Some(64), "{stderr}");
        assert!(
            stderr.contains("leave out what is other") && stderr.contains(difference),
            "{stderr}"
        );
    }
    let (status, stdout, stderr) = output(
        tuner()
            .args(["auto", "--resume", "--generations", "2", "--no-export", "--output"])
            .arg(&run),
    );
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stdout.contains("Generations of "), "{stdout}");
}

/// --resume ends where the run was begun to end, unless it is told otherwise; a run whose files were
/// changed is refused, and a report that was lost is made again.
#[test]
fn a_resumed_run_is_the_one_that_was_begun() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let sample = folder.path().join("sample.epd");
    write_book(&sample, 4000);
    let run = folder.path().join("run");
    let (status, _, stderr) = output(&mut automatic(&sample, &run, 0));
    assert_eq!(status, Some(0), "{stderr}");
    let whole = untimed(&run, &[]);
    let resume = || {
        let mut command = tuner();
        output(command.args(["auto", "--resume", "--no-export", "--output"]).arg(&run))
    };
    // Begun for two generations; three would be the default.
    let (status, stdout, stderr) = resume();
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stdout.contains("\n  2: ") && !stdout.contains("\n  3: "), "{stdout}");
    assert!(untimed(&run, &[]) == whole, "nothing was left to do");

    // Other positions where the sample lay.
    let positions = fs::read(&sample).expect("readable");
    write_book(&sample, 3000);
    let (status, _, stderr) = resume();
    assert_eq!(status, Some(3), "{stderr}");
    assert!(stderr.contains("sample.epd was changed after the run had begun"), "{stderr}");
    fs::write(&sample, positions).expect("writable");

    // The last generation lost its result and its report.
    fs::remove_file(run.join("generation-2/result.json")).expect("removable");
    fs::write(run.join("generation-2/fit/report.json"), "").expect("writable");
    let (status, _, stderr) = resume();
    assert_eq!(status, Some(0), "{stderr}");
    for (name, bytes) in untimed(&run, &[]) {
        assert!(bytes == whole[&name], "{name} differs");
    }

    // The engine was rebuilt, and plays otherwise.
    let settings = run.join("settings.json");
    let text = String::from_utf8(whole["settings.json"].clone()).expect("text");
    let place = text.find("\"signature\": \"").expect("the engine is named") + 14;
    let other = format!("{}0123456789ab{}", &text[..place], &text[place + 12..]);
    fs::write(&settings, other).expect("writable");
    let (status, _, stderr) = resume();
    assert_eq!(status, Some(3), "{stderr}");
    assert!(stderr.contains("another engine than this was begun with"), "{stderr}");
    let mut command = tuner();
    command.args(["auto", "--resume", "--no-export", "--allow-changed-engine", "--output"]);
    let (status, _, stderr) = output(command.arg(&run));
    assert_eq!(status, Some(0), "{stderr}");
    fs::write(&settings, text).expect("writable");

    // A result that is none is named with what to do.
    let result = run.join("generation-2/result.json");
    fs::write(&result, "").expect("writable");
    let (status, _, stderr) = resume();
    assert_eq!(status, Some(3), "{stderr}");
    assert!(stderr.contains("result.json") && stderr.contains("remove it"), "{stderr}");
    fs::write(&result, &whole["generation-2/result.json"]).expect("writable");

    // Files that later steps begin from.
    for name in ["start.toml", "generation-1/candidate.toml"] {
        let edited = fs::read_to_string(parameters("default.toml")).expect("readable");
        fs::write(run.join(name), edited).expect("writable");
        let (status, _, stderr) = resume();
        assert_eq!(status, Some(3), "{stderr}");
        let file = name.rsplit('/').next().expect("a name");
        assert!(stderr.contains(&format!("{file} was changed")), "{stderr}");
        assert!(fs::read(run.join("champion.toml")).expect("readable") == whole["champion.toml"]);
        fs::write(run.join(name), &whole[name]).expect("writable");
    }
    // Files of another version have another form.
    let settings = fs::read_to_string(run.join("settings.json")).expect("readable");
    let older = settings.replacen("\"version\": 2,", "", 1);
    assert!(older != settings);
    fs::write(run.join("settings.json"), older).expect("writable");
    let (status, _, stderr) = resume();
    assert_eq!(status, Some(3), "{stderr}");
    assert!(stderr.contains("begun by another version of this program"), "{stderr}");
}
