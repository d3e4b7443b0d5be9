//! Who takes part in a match, as a user describes it, and how to make players of it.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use engine::parameters::{NameError, Parameters, ParametersError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::files::{FileError, read_text};
use crate::limits::{MoveLimits, milliseconds};
use crate::player::{InProcess, Player, RandomMover, UciPlayer};

/// The word that stands for the parameters or openings inside the binary instead of a file.
pub const EMBEDDED: &str = "embedded";
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
    /// What plays.
    pub source: Source,
    /// How long it may think.
    pub limits: MoveLimits,
    /// Transposition table in megabytes (2²⁰ bytes). If `None`, players in this process have 4
    /// and other engines their own default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub hash: Option<usize>,
}

/// What plays.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Source {
    /// Our engine inside this process.
    Parameters {
        /// Parameter file, or "embedded".
        file: PathBuf,
        /// Numbers that differ from the file's: name as `kamerton params` lists it, and value.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        changes: Vec<(String, String)>,
    },
    /// Random legal moves.
    Random,
    /// An engine in a process of its own that speaks UCI.
    Uci(UciEngine),
}

/// An engine in a process of its own that speaks UCI.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UciEngine {
    /// The program: a path, or a name that is looked up in `PATH`.
    pub command: PathBuf,
    /// Its arguments.
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
    /// Send positions from the last capture or pawn move on instead of the whole game.
    pub short_positions: bool,
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
            short_positions: true,
        }
    }

    /// Threads it thinks with: what its option `Threads` says, one unless it does.
    pub fn threads(&self) -> usize {
        let threads = self.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("threads"));
        threads.and_then(|(_, value)| value.parse().ok()).unwrap_or(1).max(1)
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
    /// The parameters are wrong.
    #[error(transparent)]
    Parameters(#[from] ParametersError),
    /// A change names no number or gives it a wrong value.
    #[error("{word}: {reason}")]
    Change {
        /// The change as written.
        word: String,
        /// What is wrong.
        reason: String,
    },
    /// The program is not there.
    #[error("engine {}: no such program{}", command.display(), meant(command))]
    NoProgram {
        /// As it was described.
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
    /// Reads a description: what plays, then `key=value` words.
    ///
    /// What plays is `embedded`, `random`, a parameter file (`.toml`), a program, or `cmd=PROGRAM`.
    /// For parameters the words change numbers by name; for programs they are `arg` (repeatable),
    /// `dir`, `option.NAME`, `nice`, `position=short|full`, and `start-timeout`, `reply-timeout`,
    /// `move-timeout` in seconds. All know `name`, `hash`, `nodes`, `depth`, `movetime` (seconds),
    /// `tc` and `margin` (milliseconds); `limits` and `hash` hold where these words are absent.
    /// Programs play with one thread, without their own book and without pondering unless options
    /// say otherwise.
    ///
    /// # Errors
    /// The words make no sense.
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
        } else if first == EMBEDDED || Path::new(first).extension().is_some_and(|it| it == "toml") {
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
        for word in rest {
            let Some((key, value)) = word.split_once('=') else {
                return Err(wrong(format!(
                    "{word:?} is not KEY=VALUE (the player is described by {first:?} already)"
                )));
            };
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
        if contestant.name.contains(char::is_control) {
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

    /// Takes one word of a description.
    fn set(&mut self, key: &str, value: &str, limits: &mut MoveLimits) -> Result<(), String> {
        fn number<T: FromStr + PartialOrd + Display>(value: &str, least: T) -> Result<T, String> {
            let number = value.parse().ok().filter(|number| *number >= least);
            number.ok_or_else(|| format!("a whole number from {least} on is expected"))
        }
        match key {
            "name" if value.is_empty() => return Err("a name has letters".to_owned()),
            "name" => self.name = value.to_owned(),
            "hash" => self.hash = Some(number(value, 1)?),
            "nodes" => limits.nodes = Some(number(value, 1)?),
            "depth" => limits.depth = Some(number(value, 1)?),
            "movetime" => limits.move_time = Some(milliseconds(value)?),
            "tc" => limits.clock = Some(value.parse()?),
            "margin" => limits.margin = number(value, 0)?,
            _ => match &mut self.source {
                Source::Parameters { changes, .. } => {
                    changes.push((key.to_owned(), value.to_owned()));
                }
                Source::Random => return Err(unknown(key, &COMMON_KEYS)),
                Source::Uci(engine) => match key {
                    "cmd" => engine.command = value.into(),
                    "arg" => engine.arguments.push(value.to_owned()),
                    "dir" => engine.folder = Some(value.into()),
                    "nice" => {
                        let nice = value.parse().ok().filter(|nice| NICENESS.contains(nice));
                        engine.nice =
                            Some(nice.ok_or("a whole number from -20 to 19 is expected")?);
                    }
                    "start-timeout" => engine.start_timeout = milliseconds(value)?,
                    "reply-timeout" => engine.reply_timeout = milliseconds(value)?,
                    "move-timeout" => engine.move_timeout = milliseconds(value)?,
                    "position" => {
                        engine.short_positions = match value {
                            "short" => true,
                            "full" => false,
                            _ => return Err("short or full".to_owned()),
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

    /// Loads what is needed to make players.
    ///
    /// # Errors
    /// See [`ContestantError`].
    pub fn load(&self) -> Result<Loaded, ContestantError> {
        let (stock, fingerprint) = match &self.source {
            Source::Parameters { file, changes } => {
                let (parameters, text) = load_parameters(file, changes)?;
                let fingerprint = parameters.fingerprint();
                (Stock::Parameters { parameters: Arc::new(parameters), text }, fingerprint)
            }
            Source::Random => (Stock::Random, RANDOM.to_owned()),
            Source::Uci(engine) => {
                let command = find_program(&engine.command).ok_or_else(|| {
                    ContestantError::NoProgram { command: engine.command.clone() }
                })?;
                if let Some(folder) = engine.folder.as_ref().filter(|folder| !folder.is_dir()) {
                    return Err(ContestantError::NoFolder {
                        command: engine.command.clone(),
                        folder: folder.clone(),
                    });
                }
                let bytes = fs::read(&command).map_err(FileError::at("read", &command))?;
                let fingerprint = hex::encode(&Sha256::digest(&bytes)[..6]);
                (Stock::Uci(UciEngine { command, ..engine.clone() }), fingerprint)
            }
        };
        let identity = Identity { name: self.name.clone(), fingerprint };
        Ok(Loaded { identity, stock, hash: self.hash })
    }
}

/// Who played, as reports name it.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// Name.
    pub name: String,
    /// Fingerprint of the parameters or of the program's file.
    pub fingerprint: String,
}

impl Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.fingerprint)
    }
}

/// A contestant ready to play.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Who it is.
    pub identity: Identity,
    stock: Stock,
    hash: Option<usize>,
}

#[derive(Clone, Debug)]
enum Stock {
    Parameters { parameters: Arc<Parameters>, text: String },
    Random,
    Uci(UciEngine),
}

impl Loaded {
    /// The text of a parameter file that gives the numbers in play again; none for other players.
    pub fn parameter_text(&self) -> Option<&str> {
        match &self.stock {
            Stock::Parameters { text, .. } => Some(text),
            Stock::Random | Stock::Uci(_) => None,
        }
    }

    /// The absolute path of the program; none for players in this process.
    pub fn command(&self) -> Option<&Path> {
        match &self.stock {
            Stock::Uci(engine) => Some(&engine.command),
            Stock::Parameters { .. } | Stock::Random => None,
        }
    }

    /// Makes a player; a process is started when it is first asked something.
    pub fn player(&self) -> Box<dyn Player> {
        match &self.stock {
            Stock::Parameters { parameters, .. } => {
                let hash = self.hash.unwrap_or(DEFAULT_HASH);
                Box::new(InProcess::new(parameters.clone(), hash))
            }
            Stock::Random => Box::new(RandomMover::default()),
            Stock::Uci(engine) => Box::new(UciPlayer::new(engine.clone(), self.hash)),
        }
    }
}

/// Niceness that Unix knows.
const NICENESS: RangeInclusive<i32> = -20..=19;
/// Keys that every player knows.
const COMMON_KEYS: [&str; 7] = ["name", "hash", "nodes", "depth", "movetime", "tc", "margin"];
/// Keys that engines know besides.
const ENGINE_KEYS: [&str; 9] = [
    "cmd",
    "arg",
    "dir",
    "option.NAME",
    "nice",
    "position",
    "start-timeout",
    "reply-timeout",
    "move-timeout",
];

/// Tells that a key is unknown, which one may be meant, and which there are.
fn unknown(key: &str, known: &[&str]) -> String {
    // What follows a point is the user's own.
    let stem = |key: &str| key.split('.').next().unwrap_or_default().to_owned();
    let similar =
        |known: &&&str| strsim::normalized_damerau_levenshtein(&stem(key), &stem(known)) > 0.6;
    let meant = match known.iter().find(similar) {
        Some(known) => format!(", did you mean {known:?}?"),
        None => String::new(),
    };
    format!("there is no setting {key:?}{meant} (known are {})", known.join(", "))
}

/// Where a program that is not there was looked for, and what else its name may mean.
fn meant(command: &Path) -> String {
    let Some(text) = command.to_str() else { return String::new() };
    let similar = |known: &&str| strsim::normalized_damerau_levenshtein(text, known) > 0.6;
    match [EMBEDDED, RANDOM].iter().find(|known| similar(known)) {
        Some(known) => format!(", did you mean {known:?}?"),
        None if is_bare(command) => " in this folder or in PATH".to_owned(),
        None => String::new(),
    }
}

/// Whether a name has no folder, so that it is looked up in `PATH`.
fn is_bare(command: &Path) -> bool {
    command.components().count() == 1
}

/// Parameters with the text that gives them again.
fn load_parameters(
    file: &Path,
    changes: &[(String, String)],
) -> Result<(Parameters, String), ContestantError> {
    let (mut parameters, text) = if file == Path::new(EMBEDDED) {
        let parameters = Parameters::embedded();
        (parameters.as_ref().clone(), parameters.to_toml())
    } else {
        let text = read_text(file)?;
        (Parameters::from_toml(&text, &file.display().to_string())?, text)
    };
    if changes.is_empty() {
        return Ok((parameters, text));
    }
    for (name, value) in changes {
        let change =
            |reason: String| ContestantError::Change { word: format!("{name}={value}"), reason };
        let value = value.parse().map_err(|_| change("not a whole number".to_owned()))?;
        parameters.set(name, value).map_err(|error| match &error {
            NameError::Unknown { suggestion, .. } if suggestion.is_empty() => {
                change(format!("{error} (`kamerton params` lists all)"))
            }
            _ => change(error.to_string()),
        })?;
    }
    let text = parameters.to_toml();
    Ok((parameters, text))
}

/// The absolute path of a program.
fn find_program(command: &Path) -> Option<PathBuf> {
    if !is_bare(command) || command.is_file() {
        return command.is_file().then(|| fs::canonicalize(command).ok()).flatten();
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(command)).find(|path| path.is_file())
}
