//! Runs that faults have ended go on with a higher cap; players that fail too often are withdrawn.

use std::fs;
use std::path::Path;
use std::process::Command;

use matches::run::read_result;
use matches::sequential_test::Summary;
use rand::RngExt;
use random::stream;

use crate::child::{ended, kill_in_the_middle, output};
use crate::files::{LEFTOVERS, assert_same};
use crate::helpers::{fake, journal_length, read, resume, sprt, sprt_line};

/// Makes the fake engine fail in every game.
const BROKEN: &str = "--misbehave no-move --after-moves 1";

/// `sprt run` of an engine that fails in every game.
fn run(folder: &Path, options: &str) -> Command {
    let mut command = sprt();
    command.arg("run").arg("--candidate").args(fake(BROKEN, "name=culprit"));
    command.args(["--baseline", "random", "--nodes", "1", "--no-early-stop", "--pairs", "6"]);
    command.args(options.split_whitespace()).arg("--output").arg(folder);
    command
}

#[test]
fn a_run_that_faults_have_ended_goes_on_with_a_higher_cap() {
    let home = tempfile::tempdir().expect("temporary folder");
    let whole = home.path().join("whole");
    let (status, ..) = output(&mut run(&whole, "--max-faults 30,100%"));
    assert!(matches!(status, Some(1 | 2)), "{status:?}");

    let folder = home.path().join("run");
    let (stdout, stderr) = ended(3, &mut run(&folder, "--max-faults 3,10%"));
    assert!(stderr.contains("4 faults, more than the 3 allowed"), "{stderr}");
    assert!(stdout.contains("Verdict     none, the run failed"), "{stdout}");
    let tip = format!("sprt resume {} --max-faults 8", folder.display());
    assert!(stderr.contains(&tip), "{stderr}");
    // Without the option nothing has changed.
    let (_, stderr) = ended(3, &mut resume(&folder));
    assert!(stderr.contains("4 faults, more than the 3"), "{stderr}");
    let (status, stdout, stderr) = output(resume(&folder).args(["--max-faults", "30,100%"]));
    assert!(matches!(status, Some(1 | 2)), "{stderr}");
    assert!(stdout.contains("12 in 6 pairs"), "{stdout}");
    // It is the run that it would have been from the start.
    assert_same(&whole, &folder, &["faults"]);
    assert!(read_result::<Summary>(&folder).expect("a result").tally.failure.is_none());
}

#[test]
fn a_cap_of_time_losses_can_be_raised_too() {
    let home = tempfile::tempdir().expect("temporary folder");
    let folder = home.path().join("run");
    let mut command = sprt();
    let late = "--misbehave late --after-moves 1 --delay 900";
    command.arg("run").arg("--candidate").args(fake(late, "name=culprit tc=0.3"));
    command.args(["--baseline", "random", "--nodes=1", "--no-early-stop", "--pairs=2"]);
    command.args(["--max-time-losses=1", "--output"]).arg(&folder);
    let (_, stderr) = ended(3, &mut command);
    assert!(stderr.contains("more than the 1 allowed"), "{stderr}");
    assert!(stderr.contains("--max-time-losses 4` goes on"), "{stderr}");
    let (status, _, stderr) = output(resume(&folder).args(["--max-time-losses", "9"]));
    assert!(matches!(status, Some(1 | 2)), "{stderr}");
}

/// A tournament of three that play and one that fails in every game.
fn tournament(folder: &Path, options: &str) -> Command {
    let mut command = sprt();
    command.args(["tournament", "--player", "random", "name=a", "--player"]);
    command.args(fake(BROKEN, "name=broken"));
    command.args(["--player", "random", "name=b", "--player", "embedded", "name=c"]);
    command.args(["--nodes", "30", "--hash", "1", "--rounds", "8", "--output"]).arg(folder);
    command.args(options.split_whitespace());
    command
}

#[test]
fn a_player_that_fails_too_often_is_withdrawn_and_the_others_go_on() {
    let home = tempfile::tempdir().expect("temporary folder");
    let whole = home.path().join("whole");
    let options = "--withdraw-after 8 --max-faults 8";
    let (stdout, stderr) = ended(0, &mut tournament(&whole, &format!("{options} --threads 1")));
    // Three pairs a round with two faults each: the ninth fault is in the fifth of its pairs.
    let told = "broken after pair 10, with 10 faults in 10 games";
    assert!(stdout.contains(&format!("Withdrawn   {told}")), "{stdout}");
    assert!(stderr.contains(&format!("withdrawn: {told}")), "{stderr}");
    let result: serde_json::Value =
        serde_json::from_str(&read(&whole, "result.json")).expect("JSON");
    assert_eq!(result["withdrawn"][0]["player"], "broken");
    // Each of the three pairings without it is played in every round; of the others five pairs.
    assert_eq!(result["pairs"], 3 * 8 + 5);
    assert_eq!(result["left_out"], 3 * 8 - 5);
    crate::json_schema::check_schema("tournament", &read(&whole, "result.json"));

    // Neither threads nor kills show.
    let threaded = home.path().join("threaded");
    ended(0, &mut tournament(&threaded, &format!("{options} --threads 4")));
    let killed = home.path().join("killed");
    let mut random = stream(4, 0);
    let most = journal_length(&whole) / 5;
    let next = |kills| if kills == 0 { tournament(&killed, options) } else { resume(&killed) };
    let step = || random.random_range(1..=most);
    let status = kill_in_the_middle(next, || journal_length(&killed), step);
    assert_eq!(status, Some(0));
    assert_same(&whole, &threaded, &["faults"]);
    assert_same(&whole, &killed, &[&["faults"], LEFTOVERS].concat());
    // Made from the journal, the page says it as well, and that the tournament is over.
    let page = home.path().join("page.html");
    ended(0, sprt_line("report").arg(&whole).arg("--output").arg(&page));
    let page = fs::read_to_string(page).expect("a page");
    assert!(page.contains(told) && page.contains(">finished<"), "{page}");
}

#[test]
fn a_tournament_is_over_when_nobody_is_left_to_play() {
    let home = tempfile::tempdir().expect("temporary folder");
    let folder = home.path().join("run");
    let mut command = sprt();
    command.args(["tournament", "--player", "random", "name=a", "--player"]);
    command.args(fake(BROKEN, "name=broken")).args(["--nodes", "1", "--output"]);
    command.arg(&folder).args(["--rounds", "1000000000", "--withdraw-after", "0"]);
    let (stdout, _) = ended(0, &mut command);
    assert!(stdout.contains("broken after pair 1, with 2 faults in 2 games"), "{stdout}");
    let (status, again, stderr) = output(&mut resume(&folder));
    assert_eq!((status, again), (Some(0), stdout), "{stderr}");
}
