//! Who takes part in a match, as a user describes it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use parameters::ParametersError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use system::files::{EMBEDDED, FileError};
use thiserror::Error;

use crate::game::{MoveLimits, milliseconds};
use crate::games;

/// The word for the player that draws its moves.
pub const RANDOM: &str = "random";

/// Transposition table of a player in this process unless the user says otherwise (2²⁰ bytes).
pub const DEFAULT_HASH: usize = 4;

/// Who takes part in a match.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contestant {
    /// Name in reports and PGN.
    pub name: String,
    /// What plays under this name.
    pub source: Source,
    /// How long it may think.
    pub limits: MoveLimits,
    /// Transposition table in megabytes (2²⁰ bytes). If `None`, players in this process have 4
    /// and other engines their own default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub hash: Option<usize>,
}

/// What plays: an engine in this process or in one of its own, or chance.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Source {
    /// Our engine inside this process.
    Parameters {
        /// Parameter file, or "embedded", "textbook", "default", "zero", "power", "simplest".
        file: PathBuf,
        /// Numbers that differ from the file's: name as `kamerton params` lists it, and value.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        changes: Vec<(String, String)>,
    },
    /// Random legal moves.
    Random,
    /// An engine in a process of its own that speaks UCI or UCCI.
    Uci(UciEngine),
}

/// An engine in a process of its own that speaks UCI or UCCI.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UciEngine {
    /// The program: a path, or a name that is looked up in `PATH`.
    pub command: PathBuf,
    /// Arguments it is started with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// The folder it runs in; that of the runner if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// Options to set, by name; buttons have an empty value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// How long it may take to answer `uci` (milliseconds).
    pub start_timeout: u64,
    /// How long it may take to answer `isready` and `stop` (milliseconds).
    pub reply_timeout: u64,
    /// How long it may think where no clock says so (milliseconds).
    pub move_timeout: u64,
    /// Niceness it runs with; the runner's own if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nice: Option<i32>,
    /// Send positions from the last capture or pawn move on instead of the whole game from its start.
    pub short_positions: bool,
    /// Let it think in the opponent's time, about the answer that it expects.
    #[serde(default, skip_serializing_if = "is_off")]
    pub ponder: bool,
    /// It speaks UCCI, the protocol of xiangqi programs, and not UCI.
    #[serde(default, skip_serializing_if = "is_off")]
    pub ucci: bool,
    /// Begin each game with a new process.
    #[serde(default, skip_serializing_if = "is_off")]
    pub restart: bool,
}

fn is_off(switch: &bool) -> bool {
    !switch
}

impl UciEngine {
    /// An engine with default settings.
    pub fn new(command: impl Into<PathBuf>) -> UciEngine {
        UciEngine {
            command: command.into(),
            arguments: Vec::new(),
            folder: None,
            options: BTreeMap::new(),
            start_timeout: 10_000,
            reply_timeout: 5_000,
            move_timeout: 60_000,
            nice: None,
            short_positions: false,
            ponder: false,
            ucci: false,
            restart: false,
        }
    }

    /// Threads it thinks with: what its option `Threads` says, one unless it does.
    pub fn threads(&self) -> usize {
        self.option("threads").and_then(|value| value.parse().ok()).unwrap_or(1).max(1)
    }

    /// The value that an option is to be set to, by its name in any case.
    fn option(&self, name: &str) -> Option<&str> {
        let mut options = self.options.iter();
        options.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

/// A contestant that cannot take part.
#[derive(Debug, Error)]
pub enum ContestantError {
    /// The description makes no sense.
    #[error("{0}")]
    Words(String),
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// Its parameter file is wrong.
    #[error(transparent)]
    Parameters(#[from] ParametersError),
    /// A change names no number or gives it a wrong value.
    #[error("{word}: {reason}")]
    Change {
        /// The change as written.
        word: String,
        /// The reason in words.
        reason: String,
    },
    /// The program is not there.
    #[error("engine {}: no such program: {reason}", command.display())]
    NoProgram {
        /// The program as it was described.
        command: PathBuf,
        /// Where it was looked for, and what may be meant.
        reason: String,
    },
    /// The file is there, and the system does not run it.
    #[error(
        "engine {}: not a program: the file may not be executed (`chmod +x` lets it, if it is one)",
        command.display()
    )]
    NotExecutable {
        /// The program as it was described.
        command: PathBuf,
    },
    /// The folder it is to run in is not there.
    #[error("engine {}: no such folder to run in: {}", command.display(), folder.display())]
    NoFolder {
        /// The program as it was described.
        command: PathBuf,
        /// The folder as it was described.
        folder: PathBuf,
    },
}

impl Contestant {
    /// The file that it is made of: its program or its parameters. May be a name that is no file.
    pub fn file(&self) -> Option<&Path> {
        match &self.source {
            Source::Parameters { file, .. } => Some(file),
            Source::Uci(engine) => Some(&engine.command),
            Source::Random => None,
        }
    }

    /// Reads a description: what plays, then `key=value` words.
    ///
    /// The player is `embedded`, `random`, a parameter file (`.toml`), a program, or `cmd=PROGRAM`.
    /// For parameters the words change numbers by name; for programs they are `arg` (repeatable),
    /// `dir`, `proto=uci|ucci`, `option.NAME`, `nice`, `position=full|short`, and `start-timeout`,
    /// `reply-timeout`, `move-timeout` in seconds. All know `name`, `hash`, `nodes`, `depth`, `movetime` (seconds),
    /// `tc` and `margin` (milliseconds); `limits` and `hash` hold where these words are absent.
    /// Programs play with one thread, without their own book and without pondering unless options
    /// say otherwise.
    ///
    /// # Errors
    /// The words make no sense, a number is beyond its bounds, or a key but `arg` comes twice.
    pub fn parse(
        words: &[String],
        limits: MoveLimits,
        hash: Option<usize>,
    ) -> Result<Contestant, ContestantError> {
        let wrong = |reason: String| ContestantError::Words(reason);
        let Some((first, mut rest)) = words.split_first() else {
            return Err(wrong("a player is missing".to_owned()));
        };
        let is_key = first.contains('=') && !Path::new(first).exists();
        let mut contestant = if is_key {
            let command = words.iter().find_map(|word| word.strip_prefix("cmd="));
            let command = command.ok_or_else(|| {
                wrong(format!("{first:?} is no player: begin with a file, or give cmd=PROGRAM"))
            })?;
            rest = words;
            Contestant::of_program(command)
        } else if first == EMBEDDED
            || games::all().any(|game| game.number_files().contains(&first.as_str()))
            || Path::new(first).extension().is_some_and(|it| it == "toml")
        {
            let source = Source::Parameters { file: first.into(), changes: Vec::new() };
            Contestant::named_by(Path::new(first), source)
        } else if first == RANDOM {
            Contestant::named_by(Path::new(first), Source::Random)
        } else {
            Contestant::of_program(first)
        };
        contestant.limits = limits;
        contestant.hash = hash;
        let mut own_limits = MoveLimits { margin: limits.margin, ..MoveLimits::default() };
        let mut keys = BTreeSet::new();
        if !is_key {
            keys.insert("cmd".to_owned());
        }
        for (index, word) in rest.iter().enumerate() {
            let Some((key, value)) = word.split_once('=') else {
                return Err(wrong(match unquoted(rest, index) {
                    Some(whole) => format!(
                        "{word:?} is not KEY=VALUE: what has a space is quoted as a whole, {whole:?}"
                    ),
                    None => format!(
                        "{word:?} is not KEY=VALUE (the player is described by {first:?} already)"
                    ),
                }));
            };
            // Options of engines are the same whatever their case; only arguments may be repeated.
            let known_as = match key.strip_prefix("option.") {
                Some(name) => format!("option.{}", name.to_ascii_lowercase()),
                None => key.to_owned(),
            };
            if key != "arg" && !keys.insert(known_as) {
                let reason = match key {
                    "cmd" => format!("the player is described by {first:?} already"),
                    _ => format!("{key} is given twice"),
                };
                return Err(ContestantError::Change { word: word.clone(), reason });
            }
            contestant
                .set(key, value, &mut own_limits)
                .map_err(|reason| ContestantError::Change { word: word.clone(), reason })?;
        }
        if own_limits.is_unlimited() {
            contestant.limits.margin = own_limits.margin;
        } else {
            contestant.limits = own_limits;
        }
        // Names stand in lines of games and reports, which a line break would end.
        if contestant.name.contains(foreign::is_sign) {
            return Err(wrong(format!(
                "the name {:?} has control characters: give another with name=NAME",
                contestant.name
            )));
        }
        Ok(contestant)
    }

    fn of_program(command: &str) -> Contestant {
        Contestant::named_by(Path::new(command), Source::Uci(UciEngine::new(command)))
    }

    fn named_by(path: &Path, source: Source) -> Contestant {
        let name = match source {
            Source::Uci(_) => path.file_name(),
            _ => path.file_stem(),
        };
        let name = name.unwrap_or_default().to_string_lossy().into_owned();
        Contestant { name, source, limits: MoveLimits::default(), hash: None }
    }

    /// True if nothing would ever end its thinking.
    pub fn is_unlimited(&self) -> bool {
        self.limits.is_unlimited() && self.source != Source::Random
    }

    /// Threads it thinks with, see [`UciEngine::threads`]; others than engines have one.
    pub fn threads(&self) -> usize {
        match &self.source {
            Source::Uci(engine) => engine.threads(),
            Source::Parameters { .. } | Source::Random => 1,
        }
    }

    /// Transposition table in megabytes (2²⁰ bytes); `None` if there is none or nobody has said.
    pub fn table_megabytes(&self) -> Option<usize> {
        match &self.source {
            Source::Parameters { .. } => Some(self.hash.unwrap_or(DEFAULT_HASH)),
            Source::Uci(engine) => self.hash.or_else(|| engine.option("hash")?.parse().ok()),
            Source::Random => None,
        }
    }

    fn set(&mut self, key: &str, value: &str, limits: &mut MoveLimits) -> Result<(), String> {
        fn number<T: FromStr + PartialOrd + Display>(
            value: &str,
            bounds: RangeInclusive<T>,
        ) -> Result<T, String> {
            let number = value.parse().ok().filter(|number| bounds.contains(number));
            number.ok_or_else(|| {
                format!("a whole number from {} to {} is expected", bounds.start(), bounds.end())
            })
        }
        match key {
            "name" if value.is_empty() => return Err("a name has letters".to_owned()),
            "name" => self.name = value.to_owned(),
            "hash" => self.hash = Some(number(value, 1..=65_536)?),
            "nodes" => limits.nodes = Some(number(value, 1..=1_000_000_000_000)?),
            "depth" => limits.depth = Some(number(value, 1..=100)?),
            "movetime" => limits.move_time = Some(milliseconds(value)?),
            "tc" => limits.clock = Some(value.parse()?),
            "margin" => limits.margin = number(value, 0..=3_600_000)?,
            _ => match &mut self.source {
                Source::Parameters { .. } if is_of_engines(key) => {
                    return Err("that is for programs: numbers play within this process".into());
                }
                Source::Parameters { changes, .. } => {
                    changes.push((key.to_owned(), value.to_owned()));
                }
                Source::Random => return Err(unknown(key, &COMMON_KEYS)),
                Source::Uci(engine) => match key {
                    "cmd" => engine.command = value.into(),
                    "arg" => engine.arguments.push(value.to_owned()),
                    "dir" => engine.folder = Some(value.into()),
                    "nice" => {
                        engine.nice = Some(number(value, NICENESS)?);
                    }
                    "start-timeout" => engine.start_timeout = milliseconds(value)?,
                    "reply-timeout" => engine.reply_timeout = milliseconds(value)?,
                    "move-timeout" => engine.move_timeout = milliseconds(value)?,
                    "proto" => {
                        engine.ucci = match value {
                            "ucci" => true,
                            "uci" => false,
                            _ => return Err("uci or ucci".to_owned()),
                        };
                    }
                    "ponder" => {
                        engine.ponder = match value {
                            "true" => true,
                            "false" => false,
                            _ => return Err("true or false".to_owned()),
                        };
                    }
                    "position" => {
                        engine.short_positions = match value {
                            "short" => true,
                            "full" => false,
                            _ => return Err("full or short".to_owned()),
                        };
                    }
                    _ => match key.strip_prefix("option.") {
                        Some(name) if name.trim().is_empty() => {
                            return Err("the option's name is missing: option.NAME=VALUE".into());
                        }
                        Some(name) => {
                            engine.options.insert(name.to_owned(), value.to_owned());
                        }
                        None => {
                            let keys = [&COMMON_KEYS[..], &ENGINE_KEYS].concat();
                            return Err(unknown(key, &keys));
                        }
                    },
                },
            },
        }
        Ok(())
    }
}

/// Who played, as reports name it.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// Name in reports and games.
    pub name: String,
    /// Fingerprint of the parameters or of the program's file.
    pub fingerprint: String,
}

impl Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.fingerprint)
    }
}

/// Niceness that Unix knows; Windows gets the class of priority that is nearest.
const NICENESS: RangeInclusive<i32> = -20..=19;
/// Keys that every player knows.
const COMMON_KEYS: [&str; 7] = ["name", "hash", "nodes", "depth", "movetime", "tc", "margin"];
/// Keys that engines know besides.
const ENGINE_KEYS: [&str; 11] = [
    "cmd",
    "arg",
    "dir",
    "proto",
    "option.NAME",
    "nice",
    "ponder",
    "position",
    "start-timeout",
    "reply-timeout",
    "move-timeout",
];

/// Whether a key is one of engines, and of nobody else.
fn is_of_engines(key: &str) -> bool {
    ENGINE_KEYS.contains(&key) || key.starts_with("option.")
}

/// Tells that a key is unknown, which one may be meant, and which there are.
fn unknown(key: &str, known: &[&str]) -> String {
    // The part behind a point is the user's own.
    let stem = |key: &str| key.split('.').next().unwrap_or_default().to_owned();
    let similar =
        |known: &&&str| strsim::normalized_damerau_levenshtein(&stem(key), &stem(known)) > 0.6;
    let meant = match known.iter().find(similar) {
        Some(known) => format!(", did you mean {known:?}?"),
        None => String::new(),
    };
    format!("there is no setting {key:?}{meant} (known are {})", known.join(", "))
}

/// The word that was probably meant where the shell has parted one with spaces: one of an option, or an
/// argument, of which this piece is no `KEY=VALUE`.
fn unquoted(words: &[String], index: usize) -> Option<String> {
    let begins = |word: &String| word.starts_with("option.") || word.starts_with("arg=");
    // The name was parted, and the value comes later; or the value was, and its key came before.
    let (first, last) = if begins(&words[index]) {
        let value = words[index..].iter().position(|word| word.contains('='))?;
        (index, index + value)
    } else {
        (words[..index].iter().rposition(|word| word.contains('='))?, index)
    };
    begins(&words[first]).then(|| words[first..=last].join(" "))
}

/// Whether a name has no folder, so that it is looked up in `PATH`.
pub(super) fn is_bare(command: &Path) -> bool {
    command.components().count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Contestant, String> {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let limits = MoveLimits::nodes(1);
        Contestant::parse(&words, limits, None).map_err(|error| error.to_string())
    }

    #[test]
    fn a_key_is_given_once_and_to_whom_it_concerns() {
        for (words, message) in [
            (&["random", "name=a", "name=b"][..], "name=b: name is given twice"),
            (&["embedded", "nodes=5", "nodes=5"], "nodes=5: nodes is given twice"),
            (&["cmd=x", "cmd=y"], "cmd=y: the player is described by \"cmd=x\" already"),
            (&["x", "cmd=y"], "cmd=y: the player is described by \"x\" already"),
            (&["x", "option.Hash=1", "option.hash=2"], "option.hash is given twice"),
            (&["embedded", "pawns.a=1", "pawns.a=2"], "pawns.a is given twice"),
            (
                &["embedded", "proto=ucci"],
                "proto=ucci: that is for programs: numbers play within this process",
            ),
        ] {
            let error = parse(words).expect_err("refused");
            assert!(error.ends_with(message), "{error}");
        }
        parse(&["x", "arg=a", "arg=a", "option.A=1", "option.B=1"]).expect("different keys");
    }

    #[test]
    fn words_that_a_shell_has_parted_are_told_as_one() {
        for (words, whole) in [
            (&["x", "option.Use", "NNUE=false"][..], "option.Use NNUE=false"),
            (&["x", "option.Clear", "Big", "Hash=1", "name=y"], "option.Clear Big Hash=1"),
            (&["x", "option.Style=Very", "Risky"], "option.Style=Very Risky"),
            (&["x", "arg=a", "b"], "arg=a b"),
        ] {
            let error = parse(words).expect_err("refused");
            assert!(error.ends_with(&format!("quoted as a whole, {whole:?}")), "{error}");
        }
        for words in [&["x", "y"][..], &["x", "name=a", "b"], &["x", "option.Use"]] {
            let error = parse(words).expect_err("refused");
            assert!(error.contains("is described by \"x\" already"), "{error}");
        }
    }

    #[test]
    fn numbers_of_all_keys_are_bounded() {
        let numeric = COMMON_KEYS.iter().chain(&ENGINE_KEYS).filter(|key| {
            !["name", "cmd", "arg", "dir", "proto", "option.NAME", "ponder", "position"]
                .contains(key)
        });
        for key in numeric {
            for value in ["0", "-1", "18446744073709551615", "1e300", "NaN", "inf", "1e-300", ""] {
                let word = format!("{key}={value}");
                let is_fine = matches!((*key, value), ("nice", "0" | "-1") | ("margin", "0"));
                match parse(&["engine", &word]) {
                    Ok(_) => assert!(is_fine, "{word} is accepted"),
                    Err(error) => {
                        assert!(!is_fine && error.contains(&word), "{error}");
                        let says_what = error.contains("is expected") || error.contains("as 40/60");
                        assert!(says_what, "{error}");
                    }
                }
            }
        }
    }
}
