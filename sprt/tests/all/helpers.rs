//! Helpers of most tests of this crate.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use tempfile::TempDir;

/// The path of the program.
pub const SPRT: &str = env!("CARGO_BIN_EXE_sprt");

/// The program, without arguments yet.
pub fn sprt() -> Command {
    Command::new(SPRT)
}

/// The program with these words, quoted as for a shell.
pub fn sprt_line(line: &str) -> Command {
    let mut command = sprt();
    command.args(shlex::split(line).expect("well-formed"));
    command
}

/// A parameter file of the repository.
pub fn parameters(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/parameters").join(name)
}

/// `sprt run` of the default against the textbook parameters; `extra` holds further options.
pub fn run_command(folder: &Path, extra: &str) -> Command {
    let mut command = sprt();
    command.arg("run").arg("--candidate").arg(parameters("default.toml"));
    command.arg("--baseline").arg(parameters("textbook.toml"));
    command.args(["--nodes", "150", "--hash", "1", "--output"]).arg(folder);
    command.args(extra.split_whitespace());
    command
}

/// A temporary folder.
pub fn new_folder() -> TempDir {
    tempfile::tempdir().expect("temporary folder")
}

/// `sprt resume` of the run in a folder.
pub fn resume(folder: &Path) -> Command {
    let mut command = sprt();
    command.arg("resume").arg(folder);
    command
}

/// The words for a player that is the fake engine with these arguments, and more words; blanks part
/// them.
pub fn fake(arguments: &str, more: &str) -> Vec<String> {
    let mut words = vec![format!("cmd={SPRT}"), "arg=fake-engine".to_owned()];
    words.extend(arguments.split_whitespace().map(|argument| format!("arg={argument}")));
    words.extend(more.split_whitespace().map(str::to_owned));
    words
}

/// A text in a folder.
pub fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// How long the journal of a run is; 0 where there is none yet.
pub fn journal_length(folder: &Path) -> u64 {
    fs::metadata(folder.join("journal")).map_or(0, |file| file.len())
}

/// Runs the cases side by side: they mostly wait.
pub fn each<T: Sync>(cases: &[T], check: impl Fn(&T) + Sync) {
    let next = Mutex::new(cases.iter());
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                loop {
                    let Some(case) = next.lock().expect("no panic inside").next() else { return };
                    check(case);
                }
            });
        }
    });
}
