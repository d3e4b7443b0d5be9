//! Extreme values for every option that takes a number: nothing may panic, hang or be half accepted.
//!
//! The options are those of clap's own tree, so that a new one is tried as soon as there is one.
//! [`numeric_options`] and [`EXTREMES`] know nothing of this program and serve any other.

use std::process::{Command as Process, Output, Stdio};

use clap::{Arg, ArgAction, CommandFactory, Parser};
use system::tell;

use super::entry::Arguments;

/// Values at and beyond the ends of what numbers can be.
const EXTREMES: [&str; 10] = [
    "0",
    "-1",
    "-3.5",
    "18446744073709551615",
    "99999999999999999999999",
    "1e300",
    "-1e300",
    "1e-300",
    "NaN",
    "inf",
];

/// Names of values that are no numbers. An option with any other name is tried.
const NO_NUMBERS: [&str; 20] = [
    "CHECK",
    "COMMAND",
    "CORES",
    "FILE",
    "FILE.epd",
    "FILE.html",
    "FOLDER",
    "FOLDER[:FOLDER]",
    "KIND",
    "NAME",
    "NAME=ELO",
    "NAME=VALUE",
    "ORDER",
    "PATH",
    "PLAYER",
    "REGEX",
    "REV",
    "URL",
    "WORDS",
    "FROM..TO|N",
];

/// All options of a command's subcommands that take a number: the subcommand and the option.
fn numeric_options<'a>(command: &'a clap::Command, no_numbers: &[&str]) -> Vec<(&'a str, &'a Arg)> {
    let is_numeric = |arg: &&Arg| {
        let takes_value = matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
        let is_choice = !arg.get_possible_values().is_empty();
        let names = arg.get_value_names().unwrap_or_default();
        let is_no_number = names.iter().any(|name| no_numbers.contains(&name.as_str()));
        takes_value && !is_choice && !is_no_number && arg.get_long().is_some()
    };
    let options = |sub: &'a clap::Command| {
        sub.get_arguments().filter(is_numeric).map(|arg| (sub.get_name(), arg))
    };
    command.get_subcommands().flat_map(options).collect()
}

/// Words that a subcommand needs besides an option, so that it ends soon with a good value.
fn other_words(subcommand: &str, option: &str) -> Vec<&'static str> {
    let all: &[&str] = match subcommand {
        "run" => &[
            "--candidate=random",
            "--baseline=random",
            "--pairs=1",
            "--max-plies=1",
            "--output=run",
        ],
        "resume" => &["run"],
        "tournament" => {
            &["--player=random", "--player=random", "--rounds=1", "--max-plies=1", "--output=run"]
        }
        "regress" if option == "history-pairs" => &["--repository=.", "--history=1"],
        "regress" => &["--repository=."],
        "fake-engine" if option != "seed" => &["--misbehave=murmur"],
        "overhead" => &["--pairs=1", "--pipe-pairs=0"],
        "ablate" => &[
            "--parameters=missing.toml",
            "--pairs=1",
            "--nodes=1",
            "--suite=missing.epd",
            "--suite-nodes=1",
            "--output=ablation",
        ],
        "check" => &["random"],
        "openings" => &[
            "--count=1",
            "--nodes=1",
            "--move-nodes=1",
            "--output=openings.epd",
            "--balance=30000",
        ],
        "calculate" if option != "trinomial" => &["--pentanomial=1,2,3,4,5"],
        "simulate" => &["--runs=1", "--elo1=20"],
        _ => &[],
    };
    let is_other = |word: &&&str| word.split('=').next() != Some(&format!("--{option}"));
    all.iter().filter(is_other).copied().collect()
}

#[test]
fn extreme_numbers_are_refused_or_taken() {
    let command = Arguments::command();
    let options = numeric_options(&command, &NO_NUMBERS);
    assert!(options.len() > 60, "{}", options.len());
    for (subcommand, arg) in options {
        let option = arg.get_long().expect("chosen by it");
        for value in EXTREMES {
            let mut words = vec!["sprt", subcommand];
            words.extend(other_words(subcommand, option));
            let named = format!("--{option}");
            words.extend([&named, value]);
            match Arguments::try_parse_from(&words) {
                Ok(_) => check_execution(&words[1..]),
                Err(error) => {
                    let text = error.to_string();
                    // Nor may a value below zero be taken for an option.
                    let is_plain = text.contains(&format!("invalid value '{value}' for '{named}"));
                    assert!(is_plain, "{words:?}: {text}");
                }
            }
        }
    }
}

/// Runs the program: it must end by itself, in order, with an error in words if it fails.
fn check_execution(words: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let output = as_program(words, folder.path());
    let status = output.status.code();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let what = format!("{words:?}: {:?}\n{told}", output.status);
    assert!(matches!(status, Some(0..=3 | 64)), "{what}");
    assert!(!told.contains("panicked"), "{what}");
    if matches!(status, Some(3 | 64)) {
        assert!(told.lines().any(|line| line.starts_with("error: ")), "{what}");
    }
    // A run that was begun can be opened.
    if folder.path().join("run").exists() {
        let output = as_program(&["resume", "run"], folder.path());
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(matches!(output.status.code(), Some(0..=2)), "{words:?}, then resumed: {told}");
    }
}

/// Words of the command line for this test program when it is to be `sprt`, by lines.
const WORDS: &str = "SPRT_TEST_WORDS";

/// This test program as `sprt`: unit tests have no other at hand.
fn as_program(words: &[&str], folder: &std::path::Path) -> Output {
    let (_, module) = module_path!().split_once("::").expect("a module of the crate");
    let output = Process::new(std::env::current_exe().expect("this program"))
        .args(["--exact", &format!("{module}::be_the_program"), "--nocapture"])
        .env(WORDS, words.join("\n"))
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("it runs");
    // Under another name no test would run, and nothing could fail.
    assert!(String::from_utf8_lossy(&output.stderr).contains(BEGUN), "{words:?} did not run");
    output
}

/// The output of this test program when it has become `sprt`.
const BEGUN: &str = "begun as sprt";

/// Does nothing unless [`as_program`] asks.
#[test]
fn be_the_program() {
    let Ok(words) = std::env::var(WORDS) else { return };
    tell(format_args!("{BEGUN}"));
    let words = ["sprt"].into_iter().chain(words.split('\n'));
    let arguments = Arguments::try_parse_from(words).expect("parsed before");
    let status = arguments.command.execute(Arguments::command).unwrap_or_else(|error| {
        tell(format_args!("error: {error:#}"));
        super::of_error(&error)
    });
    std::process::exit(i32::from(status as u8));
}
