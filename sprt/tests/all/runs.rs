//! Whole runs by the binary: same bytes whatever happens, clear words when something is wrong.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
#[cfg(unix)]
use std::time::Duration;

use insta::assert_snapshot;
use rand::RngExt;
use random::stream;
#[cfg(windows)]
use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, GenerateConsoleCtrlEvent};
#[cfg(windows)]
use windows_sys::Win32::System::Threading::CREATE_NEW_PROCESS_GROUP;

use crate::child::{Guarded, ended, kill_in_the_middle, output};
use crate::files::{LEFTOVERS, assert_same, files};
use crate::helpers::{
    fake, journal_length, new_folder, parameters, resume, run_command, sprt, sprt_line,
};
use crate::skipping::skip;

const TEN_PAIRS: &str = "--pairs 10 --no-early-stop --elo1 60";

#[test]
fn threads_do_not_matter() {
    let home = new_folder();
    let mut statuses = Vec::new();
    for threads in ["1", "2", "4", "16"] {
        let folder = home.path().join(threads);
        let command = &mut run_command(&folder, TEN_PAIRS);
        let (status, _, stderr) = output(command.args(["--threads", threads]));
        assert!(matches!(status, Some(0..=2)), "{status:?}: {stderr}");
        statuses.push(status);
        assert_same(&home.path().join("1"), &folder, &[]);
    }
    assert!(statuses.iter().all(|status| *status == statuses[0]));
    let names = files(&home.path().join("1"), &[]).into_keys();
    let expected =
        ["baseline.toml", "candidate.toml", "games.pgn", "journal", "openings.epd", "result.json"];
    assert_eq!(names.collect::<Vec<_>>(), expected);
}

#[test]
fn an_early_stop_does_not_depend_on_threads_and_is_reported_again() {
    let home = new_folder();
    let folders = ["1", "3"].map(|threads| {
        let folder = home.path().join(threads);
        // Almost any result accepts this hypothesis within a few pairs.
        let options = format!("--pairs 500 --elo0 -900 --elo1 -500 --threads {threads}");
        let (stdout, _) = ended(0, &mut run_command(&folder, &options));
        assert!(stdout.contains("Verdict     candidate accepted"), "{stdout}");
        (folder, stdout)
    });
    let [(first, report), (second, _)] = &folders;
    assert_same(first, second, &[]);

    let before = files(first, &[]);
    let (stdout, _) = ended(0, &mut resume(first));
    assert_eq!(&stdout, report);
    assert_eq!(files(first, &[]), before);

    let (_, stderr) = ended(3, &mut run_command(first, TEN_PAIRS));
    assert!(stderr.contains("holds a run already: go on with `sprt resume "), "{stderr}");
    assert_eq!(files(first, &[]), before);
}

#[test]
fn a_rejection_and_an_open_end_have_their_statuses() {
    let home = new_folder();
    let options = "--pairs 500 --elo0 1200 --elo1 1800";
    ended(1, &mut run_command(&home.path().join("rejected"), options));
    let options = "--pairs 1 --elo0 0 --elo1 1";
    let (stdout, _) = ended(2, &mut run_command(&home.path().join("open"), options));
    assert!(stdout.contains("undecided at the limit of pairs"), "{stdout}");
}

#[test]
fn a_run_killed_again_and_again_ends_the_same() {
    let home = new_folder();
    let whole = home.path().join("whole");
    let (status, _, stderr) = output(&mut run_command(&whole, TEN_PAIRS));
    assert!(matches!(status, Some(0..=2)), "{stderr}");

    let killed = home.path().join("killed");
    let mut random = stream(11, 0);
    let most = journal_length(&whole) / 5;
    let next = |kills: u32| {
        let mut command =
            if kills == 0 { run_command(&killed, TEN_PAIRS) } else { resume(&killed) };
        command.args(["--threads", &(1 + kills % 2).to_string()]);
        command
    };
    let step = || random.random_range(1..=most);
    let finished = kill_in_the_middle(next, || journal_length(&killed), step);
    assert_eq!(finished, status);
    assert_same(&whole, &killed, LEFTOVERS);
}

#[test]
fn a_cut_journal_is_resumed_and_a_damaged_one_is_named() {
    let home = new_folder();
    let whole = home.path().join("whole");
    let options = "--pairs 3 --no-early-stop --threads 2";
    let (_, _, stderr) = output(&mut run_command(&whole, options));
    let journal = fs::read(whole.join("journal")).expect(&stderr);
    let lines: Vec<usize> =
        (0..journal.len()).filter(|&index| journal[index] == b'\n').map(|end| end + 1).collect();
    assert_eq!(lines.len(), 4);

    let copy = home.path().join("copy");
    let damaged = |bytes: &[u8]| {
        let _ = fs::remove_dir_all(&copy);
        fs::create_dir(&copy).expect("writable");
        for (name, bytes) in files(&whole, &[]) {
            if name != "result.json" {
                fs::write(copy.join(name), bytes).expect("writable");
            }
        }
        fs::write(copy.join("journal"), bytes).expect("writable");
        output(&mut resume(&copy))
    };
    // Cut within a line, at its end, and after the header: the rest is played again.
    for length in [journal.len() - 1, journal.len() - 700, lines[1], lines[0], lines[0] + 1] {
        let (status, _, stderr) = damaged(&journal[..length]);
        assert!(matches!(status, Some(0..=2)), "{stderr}");
        assert_same(&whole, &copy, &[]);
    }
    // Cut within the header, or nothing left.
    for length in [lines[0] - 5, 0] {
        let (status, _, stderr) = damaged(&journal[..length]);
        assert_eq!(status, Some(3));
        assert!(stderr.contains("journal:1: damaged journal: there is no header"), "{stderr}");
    }
    // A flipped bit anywhere is found, and nothing is changed.
    for (line, position) in
        [(1, lines[0] / 2), (2, lines[0] + 30), (3, lines[1]), (4, lines[2] + 99)]
    {
        let mut bytes = journal.clone();
        bytes[position] ^= 4;
        let (status, _, stderr) = damaged(&bytes);
        assert_eq!(status, Some(3), "{stderr}");
        assert!(stderr.contains(&format!("journal:{line}: damaged journal: ")), "{stderr}");
        let read = |folder: &Path, name| fs::read(folder.join(name)).expect("readable");
        assert_eq!(read(&copy, "journal"), bytes);
        assert_eq!(read(&copy, "games.pgn"), read(&whole, "games.pgn"));
        assert_eq!(files(&copy, &[]).len(), 5);
    }
    // A line left out.
    let missing = [&journal[..lines[0]], &journal[lines[1]..]].concat();
    let (status, _, stderr) = damaged(&missing);
    assert_eq!(status, Some(3));
    assert!(stderr.contains("journal:2: damaged journal: pair 1 is out of order"), "{stderr}");
    // Parameters or openings changed in the meantime.
    let (_, _, _) = damaged(&journal[..lines[1]]);
    fs::write(copy.join("openings.epd"), "8/8/8/4k3/8/4P3/4K3/8 w - -\n").expect("writable");
    let (_, stderr) = ended(3, &mut resume(&copy));
    assert!(stderr.contains("openings.epd: not what the run began with"), "{stderr}");
}

#[test]
fn wrong_input_is_named() {
    let home = new_folder();
    let folder = home.path().join("run");
    let check = |command: &mut Command, status: i32, message: &str| {
        let (stdout, stderr) = ended(status, command);
        assert!(stderr.contains(message), "{stderr} does not contain {message}");
        assert_eq!(stdout, "");
        assert!(!folder.join("journal").exists());
    };
    let bad = home.path().join("bad.epd");
    let good_line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    fs::write(&bad, format!("{good_line}\nnonsense\n")).unwrap();
    check(run_command(&folder, "--pairs 1 --openings").arg(&bad), 3, "bad.epd:2: ");
    check(&mut run_command(&folder, "--openings /no/file"), 3, "error: cannot read /no/file: ");
    check(&mut run_command(&folder, "--elo0 5 --elo1 5"), 64, "elo0 must be below elo1");
    check(&mut run_command(&folder, "--alpha 0.6 --beta 0.5"), 64, "alpha and beta must be");
    check(&mut run_command(&folder, "--draw 1,2"), 64, "3 whole numbers up to 100000");
    check(&mut run_command(&folder, "--threads 0"), 64, "--threads");
    let missing = "run --candidate /no/candidate.toml --baseline embedded --nodes 1 --output";
    check(sprt_line(missing).arg(&folder), 3, "error: /no/candidate.toml: ");
    let bad = home.path().join("bad.toml");
    fs::write(&bad, "nonsense").unwrap();
    let mut command = sprt_line("run --baseline embedded --nodes 1 --candidate");
    command.arg(&bad);
    check(command.arg("--output").arg(&folder), 3, "bad.toml");
    check(&mut resume(&folder), 3, "holds no run");
    // Games of somebody else, and a file where the folder should be.
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("games.pgn"), "").unwrap();
    check(&mut run_command(&folder, "--pairs 1"), 3, "games.pgn would be overwritten");
    let file = home.path().join("file");
    fs::write(&file, "").unwrap();
    check(&mut run_command(&file, "--pairs 1"), 3, "cannot create folder ");
    check(&mut run_command(&file.join("below"), "--pairs 1"), 3, "cannot create folder ");
}

#[test]
fn the_same_parameters_are_never_better_than_themselves() {
    let home = new_folder();
    for seed in 0..20 {
        let folder = home.path().join(seed.to_string());
        let line = format!(
            "run --candidate embedded --baseline embedded --nodes 40 --pairs 3 --hash 1 --seed \
             {seed} --output"
        );
        let (stdout, _) = ended(2, sprt_line(&line).arg(&folder));
        // The same engine plays the same moves with either color, so that every pair is even.
        assert!(stdout.contains("LL 0, LD 0, "), "{stdout}");
        assert!(stdout.contains("WD 0, WW 0 "), "{stdout}");
    }
}

/// Starts a program that [`interrupt`] can reach alone.
#[cfg(unix)]
fn start_interruptible(command: &mut Command) -> Guarded {
    Guarded::spawn(command)
}

/// Starts a program that [`interrupt`] can reach alone: consoles know groups of processes.
#[cfg(windows)]
fn start_interruptible(command: &mut Command) -> Guarded {
    use std::os::windows::process::CommandExt;
    Guarded::spawn(command.creation_flags(CREATE_NEW_PROCESS_GROUP))
}

/// Asks a program to end; whether there is a way to ask.
#[cfg(unix)]
fn interrupt(child: &Guarded) -> bool {
    let signaled = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(signaled.expect("kill is installed").success());
    true
}

/// Asks a program to end, as Ctrl+Break in its console does; whether there is a console.
#[cfg(windows)]
fn interrupt(child: &Guarded) -> bool {
    // SAFETY: only numbers are passed.
    unsafe { GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, child.id()) != 0 }
}

/// Lines of the journal: a header, then one a pair.
fn journal_lines(folder: &Path) -> usize {
    let bytes = fs::read(folder.join("journal")).unwrap_or_default();
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

#[test]
fn an_interrupted_run_says_how_to_go_on() {
    let home = new_folder();
    let folder = home.path().join("run");
    let mut command = run_command(&folder, "--pairs 100000 --no-early-stop --threads 2");
    let child = start_interruptible(command.stdout(Stdio::null()).stderr(Stdio::piped()));
    child.until("the second pair is written", || journal_lines(&folder) >= 3);
    if !interrupt(&child) {
        return skip("without a console nobody interrupts a program");
    }
    let (status, _, stderr) = child.finish();
    assert_eq!(status, Some(130), "{stderr}");
    assert!(stderr.contains("pairs: go on with `sprt resume "), "{stderr}");
    assert!(!folder.join("result.json").exists());
    assert!(fs::read(folder.join("journal")).expect("readable").ends_with(b"\n"));
}

/// A run that waits for a reader of its output does not hear the first.
#[cfg(unix)]
#[test]
fn a_second_interruption_ends_a_run_at_once() {
    use std::io::Write;

    let home = new_folder();
    let folder = home.path().join("run");
    let mut command = run_command(&folder, "--pairs 100000 --no-early-stop --threads 2");
    let (reader, writer) = std::io::pipe().expect("a pipe");
    let mut ours = writer.try_clone().expect("a pipe");
    let child = Guarded::spawn(command.stdout(Stdio::null()).stderr(writer));
    drop(command);
    child.until("the second pair is written", || journal_lines(&folder) >= 3);
    let full = std::thread::spawn(move || while ours.write_all(&[b' '; 1000]).is_ok() {});
    let status = loop {
        interrupt(&child);
        std::thread::sleep(Duration::from_millis(100));
        if let Some(status) = child.try_wait() {
            break status;
        }
    };
    assert_eq!(status.code(), Some(130));
    assert!(!folder.join("result.json").exists());
    drop(reader);
    full.join().expect("it ends with the reader");
}

#[test]
fn a_run_whose_folder_is_deleted_ends() {
    let home = new_folder();
    let folder = home.path().join("run");
    let mut command = run_command(&folder, "--pairs 20000 --no-early-stop --threads 2");
    let child = Guarded::spawn(command.stdout(Stdio::null()).stderr(Stdio::piped()));
    child.until("a pair is written", || journal_lines(&folder) >= 2);
    fs::remove_dir_all(&folder).expect("it can be deleted");
    let (status, _, stderr) = child.finish();
    assert_eq!(status, Some(3), "{stderr}");
    let message = "run/journal: the journal was deleted, and the run ends with it";
    assert!(stderr.contains(message), "{stderr}");
    assert!(!folder.exists());
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_asked_for_and_cannot_be_written_is_an_error() {
    for line in [
        "calculate --pentanomial 249,1440,2771,1626,284",
        "calculate --pentanomial 249,1440,2771,1626,284 --json",
        "plan --elo0 0 --elo1 5",
        "plan --elo0 0 --elo1 5 --json",
        "simulate --elo0 0 --elo1 50 --runs 2",
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
        let mut command = sprt_line(line);
        let (status, _, stderr) =
            Guarded::spawn(command.stdout(full).stderr(Stdio::piped())).finish();
        assert_eq!(status, Some(3), "{line}: {stderr}");
        let message = "error: cannot write to standard output: No space left";
        assert!(stderr.contains(message), "{line}: {stderr}");
    }
}

#[test]
fn what_a_source_of_openings_cannot_use_is_refused() {
    let line = "openings --output never.epd --from random --worse 20";
    let (_, stderr) = ended(64, &mut sprt_line(line));
    assert!(stderr.contains("--worse is for --from search, not --from random"), "{stderr}");
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_names_a_stream_goes_into_it() {
    let made = |path: &str| output(sprt_line("openings --count 3 --seed 5 --output").arg(path));
    let home = new_folder();
    let file = home.path().join("openings.epd");
    let (status, _, stderr) = made(file.to_str().expect("UTF-8"));
    assert_eq!(status, Some(0), "{stderr}");
    let openings = fs::read_to_string(&file).expect("readable");
    assert_eq!(openings.lines().count(), 3);
    let (status, stdout, stderr) = made("/dev/stdout");
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stdout.starts_with(&openings), "{stdout}");
    let (status, stdout, stderr) = made("/dev/null");
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stdout.contains("3 openings in /dev/null"), "{stdout}");
    let (status, _, stderr) = made("/dev/full");
    assert_eq!(status, Some(3), "{stderr}");
    assert!(stderr.contains("cannot write /dev/full: No space left"), "{stderr}");
    for path in ["/dev/null", "/dev/full"] {
        use std::os::unix::fs::FileTypeExt;
        let kind = fs::metadata(path).expect("it is there").file_type();
        assert!(kind.is_char_device(), "{path} was replaced");
    }
}

#[test]
fn a_run_spoiled_by_its_players_fails_and_says_so_again() {
    let home = new_folder();
    let folder = home.path().join("run");
    let bad = || {
        let mut command = sprt();
        command.arg("run").arg("--candidate").args(fake("--misbehave illegal-move", "name=bad"));
        command.args(["--baseline", "random", "--nodes", "1", "--threads", "2", "--output"]);
        command
    };
    let more = ["--max-faults", "3", "--pairs", "50"];
    let (stdout, message) = ended(3, bad().arg(&folder).args(more));
    assert!(stdout.contains("Verdict     none, the run failed: 4 faults"), "{stdout}");
    assert!(message.contains("4 faults, more than the 3 allowed; the last: bad, "), "{message}");
    assert!(message.contains("illegal move"), "{message}");
    let journal = fs::read(folder.join("journal")).expect("it is kept");
    let (_, again) = ended(3, &mut resume(&folder));
    let reason = message.lines().last().expect("an error");
    assert_eq!(again.lines().last(), Some(reason));
    assert_eq!(fs::read(folder.join("journal")).expect("readable"), journal);
    let result = fs::read_to_string(folder.join("result.json")).expect("a result");
    assert!(result.contains("\"failure\": \"4 faults, more than"), "{result}");

    // The same player may fail in every game if the user allows it.
    let folder = home.path().join("patient");
    let more = ["--max-faults", "3,100%", "--pairs", "4", "--no-early-stop"];
    let (stdout, _) = ended(2, bad().arg(&folder).args(more));
    assert!(stdout.contains("bad: illegal move 8"), "{stdout}");
}

#[test]
fn a_run_without_a_folder_gets_a_new_one() {
    let home = new_folder();
    for number in 1..=2 {
        let line = "run --candidate random name=a/b --baseline random --nodes 1 --pairs 1";
        let (_, stderr) = ended(2, sprt_line(line).current_dir(home.path()));
        let folder = format!("runs/a_b-vs-random-{number}");
        assert!(stderr.contains(&format!("output in {folder}")), "{stderr}");
        assert!(home.path().join(folder).join("result.json").exists());
    }
}

#[test]
fn batches_decide_the_same_after_an_interruption() {
    let home = new_folder();
    let options = "--pairs 60 --elo0 -900 --elo1 -500 --batch 8 --overshoot-correction --threads";
    let folders = ["1", "4"].map(|threads| {
        let folder = home.path().join(threads);
        ended(0, &mut run_command(&folder, &format!("{options} {threads}")));
        folder
    });
    assert_same(&folders[0], &folders[1], &[]);
    let journal = fs::read_to_string(folders[0].join("journal")).expect("text");
    // Only full batches decide.
    assert_eq!((journal.lines().count() - 1) % 8, 0);
    let kept: String = journal.lines().take(6).map(|line| format!("{line}\n")).collect();
    fs::write(folders[1].join("journal"), kept).expect("writable");
    fs::remove_file(folders[1].join("result.json")).expect("writable");
    ended(0, &mut resume(&folders[1]));
    assert_same(&folders[0], &folders[1], &[]);
}

#[test]
fn a_test_that_is_cut_off_states_its_errors() {
    let home = new_folder();
    // Nearly equal players, whatever the default has become: only pairs that differ have errors.
    let run = |folder: &Path, extra: &str| {
        let mut command = sprt();
        command.arg("run").arg("--candidate").arg(parameters("textbook.toml"));
        command.arg("--baseline").arg(parameters("textbook.toml")).arg("material.tempo.endgame=5");
        command.args(["--nodes", "150", "--hash", "1", "--output"]).arg(folder);
        output(command.args(extra.split_whitespace()))
    };
    let folder = home.path().join("run");
    let (status, stdout, _) = run(&folder, "--pairs 4 --elo0 0 --elo1 1");
    assert_eq!(status, Some(2), "{stdout}");
    assert!(stdout.contains("Limit       true alpha 0.0 %, beta 0.0 %; undecided in"), "{stdout}");
    let folder = home.path().join("decided");
    let options = "--pairs 4 --elo0 -900 --elo1 500 --alpha 0.000001 --beta 0.000001";
    let (_, stdout, _) = run(&folder, &format!("{options} --decide-at-limit"));
    assert!(!stdout.contains("undecided at"), "{stdout}");
}

#[test]
fn words_of_a_player_that_make_no_sense_are_named() {
    let check = |words: &str, status: i32, message: &str| {
        let mut command = sprt();
        command.arg("run").arg("--candidate").args(words.split(' '));
        let home = new_folder();
        command.args(["--baseline", "random", "--nodes", "1", "--output"]);
        let (_, stderr) = ended(status, command.arg(home.path().join("run")));
        assert!(stderr.contains(message), "{stderr} does not contain {message}");
    };
    check("embeded", 3, "engine embeded: no such program: did you mean \"embedded\"?");
    check("random hsh=1", 64, "hsh=1: there is no setting \"hsh\", did you mean \"hash\"?");
    check("cmd=sprt opton.Hash=1", 64, "did you mean \"option.NAME\"?");
    check("random depth=0", 64, "depth=0: a whole number from 1 to 100 is expected");
    check(
        "random movetime=0",
        64,
        "movetime=0: a time in seconds from 0.001 to 10000000 is expected",
    );
    check("random tc=x", 64, "is not [MOVES/]TIME[+INCREMENT]");
    check("name=x", 64, "begin with a file, or give cmd=PROGRAM");
    check("embedded material.bishop_pair.midlegame=3", 3, "unknown parameter");
    check("embedded tuned", 64, "\"tuned\" is not KEY=VALUE");
    check("embedded material.bishop_pair.middlegame=x", 3, "not a whole number");
}

#[test]
fn help_texts() {
    for command in [
        "",
        "run",
        "resume",
        "tournament",
        "ablate",
        "overhead",
        "report",
        "index",
        "regress",
        "openings",
        "calculate",
        "check",
        "plan",
        "simulate",
    ] {
        let (status, stdout, stderr) = output(sprt_line(command).arg("--help"));
        assert_eq!((status, stderr.as_str()), (Some(0), ""));
        let name = if command.is_empty() { "sprt" } else { command };
        assert_snapshot!(format!("help-{name}"), stdout);
    }
}

#[test]
fn the_short_help_has_examples_and_few_options() {
    for command in [
        "run",
        "tournament",
        "ablate",
        "regress",
        "openings",
        "calculate",
        "plan",
        "simulate",
        "check",
    ] {
        let (status, help, stderr) = output(sprt_line(command).arg("-h"));
        assert_eq!((status, stderr.as_str()), (Some(0), ""));
        assert!(help.starts_with(&format!("Usage: sprt {command} ")), "{help}");
        let examples = help.find("Examples:\n").expect("examples");
        assert!(help.find("ptions:\n").is_some_and(|options| examples < options), "{help}");
        let (_, options) = help.split_once("ptions:\n").expect("options");
        let options: Vec<&str> =
            options.lines().filter(|line| line.starts_with("      --")).collect();
        assert!((3..=10).contains(&options.len()), "{help}");
        // All of them are in the long one.
        let (_, long, _) = output(sprt_line(command).arg("--help"));
        for option in options {
            let name = option.split_whitespace().next().expect("a name");
            assert!(long.contains(&format!("      {name}")), "{name}: {long}");
        }
    }
}

#[test]
fn calculations() {
    let check = |line: &str, status: i32, name: &str| {
        let (stdout, stderr) = ended(status, &mut sprt_line(&format!("calculate {line}")));
        assert_snapshot!(name, format!("{stdout}{stderr}"));
    };
    check("--pentanomial 249,1440,2771,1626,284 --elo1 3", 0, "calculate-pairs");
    check("--pentanomial 1,2,3,4,5 --model bayes", 64, "calculate-no-draws");
    check("--trinomial 1,2", 64, "calculate-two-counts");

    let line = "calculate --trinomial 68526,128429,68965 --model bayes --elo1 2 --json";
    let (stdout, _) = ended(0, &mut sprt_line(line));
    let figures: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    for (name, expected) in
        [("llr", -1.262156), ("llr_upper", 2.944439), ("elo_if_fixed", 0.573572)]
    {
        let found = figures[name].as_f64().expect("a number");
        assert!((found - expected).abs() < 1e-6, "{name}: {found}");
    }
}
