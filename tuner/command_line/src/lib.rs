//! All commands share this: how files, numbers and threads are read from a command line, and the
//! line that repeats a run.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::builder::RangedU64ValueParser;
use matches::games;
use matches::player::{ALLOW_CHANGED_ENGINE, EngineIdentity, compare};
use system::paint;
use system::tell;
use system::threads::pool;

/// Says a line on standard output, as [`say`].
#[macro_export]
macro_rules! say_line {
    ($($words:tt)*) => { $crate::say(format_args!("{}\n", format_args!($($words)*))) };
}

/// Says a text on standard output as it is, as [`say`].
#[macro_export]
macro_rules! say_text {
    ($text:expr) => {
        $crate::say($text)
    };
}

/// Most threads that may be asked for.
const THREADS_MAX: u64 = 1024;
/// Threads for each core beyond which more of them only look for work in each other's queues.
const THREADS_PER_CORE: usize = 4;

/// A mistake in how a command was called, rather than a failure of its work: it has an exit status of
/// its own.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct WrongUse(pub String);

/// Says something on standard output. Its reader may have heard enough (`| head`); where it cannot
/// be written (a full disk) there is nothing left to do for a program that speaks last: it ends
/// with a message, as after a failure.
pub fn say(text: impl Display) {
    if let Err(error) = paint::write(text)
        && error.kind() != std::io::ErrorKind::BrokenPipe
    {
        paint::tell_error(format_args!("cannot write standard output: {error}"));
        std::process::exit(program::Status::Failure as i32);
    }
}

/// The command line of this process, as a shell takes it: what repeats the run.
pub fn invocation() -> String {
    line_of(arguments())
}

/// The command line of this process without what decides no result, to be kept with results: where
/// threads are many or another folder is written, these are the same bytes.
pub fn deciding_invocation() -> String {
    line_of(deciding(arguments()).into_iter())
}

/// The words of the command line behind the program's name.
fn arguments() -> impl Iterator<Item = String> {
    std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned())
}

fn line_of(arguments: impl Iterator<Item = String>) -> String {
    let words = std::iter::once("tuner".to_string()).chain(arguments.map(|word| quoted(&word)));
    words.collect::<Vec<_>>().join(" ")
}

/// The words of a command line without the options that decide no result. The caller who repeats it
/// chooses the files to write.
fn deciding(words: impl Iterator<Item = String>) -> Vec<String> {
    /// Options with a value.
    const IDLE: [&str; 2] = ["--threads", "--report"];
    const IDLE_FLAGS: [&str; 2] = ["--resume", "--allow-changed-engine"];
    const WRITTEN: &str = "--output";
    let mut kept = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let (name, value) =
            word.split_once('=').map_or((&*word, None), |(name, value)| (name, Some(value)));
        let is_written = name == WRITTEN;
        if is_written || IDLE.contains(&name) {
            if value.is_none() {
                words.next();
            }
            if is_written {
                kept.extend([WRITTEN, "OUTPUT"].map(str::to_string));
            }
        } else if !IDLE_FLAGS.contains(&&*word) {
            kept.push(word);
        }
    }
    kept
}

/// Compares an engine with the one that `what` was begun with, and says where they may differ.
///
/// # Errors
/// They differ, and may not.
pub fn check_engine(
    what: &dyn Display,
    now: Option<&EngineIdentity>,
    then: Option<&EngineIdentity>,
    allows_changes: bool,
) -> anyhow::Result<()> {
    match compare(now, then, allows_changes) {
        Ok(remark) => {
            remark.iter().for_each(|remark| paint::tell_warning(format_args!("{what}: {remark}")));
            Ok(())
        }
        Err(changed) => bail!(
            "{what}: {changed}; begin another run, or go on with both by {ALLOW_CHANGED_ENGINE}"
        ),
    }
}

/// Says how to repeat a run, once what it reads is there: a line that would fail again is of no use.
///
/// # Errors
/// A file is not there.
pub fn say_repeat<'a>(reads: impl IntoIterator<Item = &'a Path>, seed: u64) -> anyhow::Result<()> {
    for path in reads.into_iter().filter(|path| !is_carried(path)) {
        std::fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
    }
    tell(format_args!("repeat with: {} (seed {seed})", invocation()));
    Ok(())
}

/// A word as a shell takes it.
pub fn quoted(word: &str) -> String {
    // No argument of a process holds the one character that cannot be quoted.
    shlex::try_quote(word).map_or_else(|_| word.to_string(), |quoted| quoted.into_owned())
}

/// The parameter file that a word names: a path, or the name of one that this program carries.
///
/// # Errors
/// When the word is empty, or neither a name nor a file and looks like a name.
pub fn parameter_file(word: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(word);
    let looks_like_name = word.chars().all(|letter| letter.is_ascii_alphanumeric());
    if looks_like_name && !is_carried(&path) && !path.exists() {
        return Err(format!("name a parameter file, or one of {}", value_names()));
    }
    Ok(path)
}

/// The names of the parameter files that this program carries, of all games.
fn carried() -> Vec<&'static str> {
    let mut names: Vec<&str> = Vec::new();
    for name in games::all().flat_map(|game| game.number_files()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Whether a path is the bare name of such a file.
fn is_carried(path: &Path) -> bool {
    carried().into_iter().any(|name| path == Path::new(name))
}

/// The same as a list of words.
fn value_names() -> String {
    carried().join(", ")
}

/// The help of an option that takes a parameter file.
pub fn values_help(what: &str) -> String {
    format!("{what}: {}, or a parameter file", value_names())
}

/// Reads numbers from `low` to `high`, both included.
pub fn within(
    low: f64,
    high: f64,
) -> impl Fn(&str) -> Result<f64, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number: f64 = text.parse().map_err(|_| format!("{text:?} is no number"))?;
        // Not a number lies in no range.
        if (low..=high).contains(&number) {
            Ok(number)
        } else {
            Err(format!("must be from {low} to {high}"))
        }
    }
}

/// Reads whole numbers from `low` to `high`, both included, that count things in memory.
pub fn count(low: u64, high: u64) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(low..=high)
}

/// Reads a number of threads; 0 means all cores.
pub fn threads() -> RangedU64ValueParser<usize> {
    count(0, THREADS_MAX)
}

/// The threads that are started where so many are asked for: one for each core if none are, and no
/// more than can be of use.
pub fn useful_threads(asked: usize) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    if asked == 0 { cores } else { asked.min(THREADS_PER_CORE * cores) }
}

/// Threads for parallel work, see [`useful_threads`].
///
/// # Errors
/// When the system gives none.
pub fn thread_pool(asked: usize) -> anyhow::Result<rayon::ThreadPool> {
    Ok(pool(useful_threads(asked))?)
}

#[cfg(test)]
mod tests {
    use chess::Parameters;

    use super::*;

    #[test]
    fn numbers_have_bounds() {
        let share = within(0.0, 1.0);
        assert_eq!(share("0.25"), Ok(0.25));
        assert_eq!((share("0"), share("1")), (Ok(0.0), Ok(1.0)));
        for text in ["-0.1", "1.01", "nan", "inf"] {
            assert_eq!(share(text), Err("must be from 0 to 1".to_string()), "{text}");
        }
        assert_eq!(share("much"), Err("\"much\" is no number".to_string()));
    }

    #[test]
    fn threads_are_no_more_than_can_be_of_use() {
        let cores = useful_threads(0);
        assert!(cores >= 1);
        assert_eq!(useful_threads(1), 1);
        assert_eq!(useful_threads(4 * cores), 4 * cores);
        assert_eq!(useful_threads(4096 * cores), 4 * cores);
    }

    #[test]
    fn what_decides_no_result_is_not_kept() {
        let kept = |line: &str| deciding(shlex::split(line).expect("a line").into_iter()).join(" ");
        let line = "spsa --start default --threads 3 --output runs/one --pairs 9 --resume";
        let expected = "spsa --start default --output OUTPUT --pairs 9";
        assert_eq!(kept(line), expected);
        assert_eq!(kept("spsa --threads=2 --start default --output=two --pairs 9"), expected);
        // An engine's words are its own.
        let words = "spsa --engine cmd=x arg=--threads=7 option.Threads=2 --output OUTPUT";
        assert_eq!(kept(words), words);
    }

    #[test]
    fn words_are_quoted_as_a_shell_reads_them() {
        for word in ["plain/path.toml", "two words", "it's", "", "$HOME"] {
            assert_eq!(shlex::split(&quoted(word)), Some(vec![word.to_string()]));
        }
    }

    #[test]
    fn files_of_the_repository_have_names() {
        for name in Parameters::names() {
            let file = parameter_file(name).expect("a name");
            let path = format!("{}/../../data/parameters/{name}.toml", env!("CARGO_MANIFEST_DIR"));
            let read = Parameters::load(path.as_ref()).expect("a parameter file");
            assert_eq!(Parameters::open(&file).expect("carried"), read);
        }
        assert_eq!(parameter_file("./textbook"), Ok(PathBuf::from("./textbook")));
        assert!(Parameters::open("./textbook".as_ref()).is_err());
        for word in ["", "textbok"] {
            let error = parameter_file(word).expect_err("neither a name nor a file");
            let expected =
                "name a parameter file, or one of textbook, default, zero, power, simplest";
            assert_eq!(error, expected);
        }
        // A path that is no name is opened, which says why it cannot be.
        assert!(parameter_file("missing.toml").is_ok());
    }
}
