//! Makes players of contestants: reads their parameters, finds their programs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use chess::games;
use parameters::NameError;
use playable::{Game, Numbers};
use sha2::{Digest, Sha256};
use system::files::{EMBEDDED, FileError};

use super::contestant::is_bare;
use super::named_files::{Watch, digests, named_files};
use super::{
    Contestant, ContestantError, DEFAULT_HASH, EngineIdentity, Identity, InProcess, LineLog,
    Player, ProgramIdentity, RANDOM, RandomMover, Source, UciEngine, UciPlayer,
};

impl Contestant {
    /// Loads what is needed to make players of this game.
    ///
    /// # Errors
    /// See [`ContestantError`].
    pub fn load(&self, game: Game) -> Result<Loaded, ContestantError> {
        let (source, fingerprint) = match &self.source {
            Source::Parameters { file, changes } => {
                let (numbers, text) = load_numbers(game, file, changes)?;
                let fingerprint = numbers.fingerprint();
                (LoadedSource::Parameters { numbers, text }, fingerprint)
            }
            Source::Random => (LoadedSource::Random, RANDOM.to_owned()),
            Source::Uci(engine) => {
                let command = find_program(&engine.command).ok_or_else(|| {
                    let reason = why_missing(engine);
                    ContestantError::NoProgram { command: engine.command.clone(), reason }
                })?;
                if !is_executable(&command) {
                    return Err(ContestantError::NotExecutable { command: engine.command.clone() });
                }
                if let Some(folder) = engine.folder.as_ref().filter(|folder| !folder.is_dir()) {
                    return Err(ContestantError::NoFolder {
                        command: engine.command.clone(),
                        folder: folder.clone(),
                    });
                }
                let bytes = fs::read(&command).map_err(FileError::at("read", &command))?;
                let digest = Sha256::digest(&bytes);
                let fingerprint = hex::encode(&digest[..6]);
                (LoadedSource::Uci(UciEngine { command, ..engine.clone() }), fingerprint)
            }
        };
        let identity = Identity { name: self.name.clone(), fingerprint };
        let table_megabytes = self.table_megabytes().unwrap_or(0);
        Ok(Loaded {
            identity,
            source,
            hash: self.hash,
            table_megabytes,
            constants: true,
            log: None,
        })
    }
}

/// Files that an engine is told of, as they were.
#[derive(Debug)]
pub struct NamedFiles {
    paths: BTreeMap<String, PathBuf>,
    digests: BTreeMap<String, String>,
}

/// A contestant ready to play.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Its name and engine, as journals keep them.
    pub identity: Identity,
    source: LoadedSource,
    hash: Option<usize>,
    /// Size of its transposition table (2²⁰ bytes), as far as that is known.
    table_megabytes: usize,
    /// In this process the numbers of the build may be constants, see
    /// [`InProcess::without_constants`].
    pub constants: bool,
    /// Where all lines of its processes go.
    log: Option<LineLog>,
}

#[derive(Clone, Debug)]
enum LoadedSource {
    Parameters { numbers: Numbers, text: String },
    Random,
    Uci(UciEngine),
}

impl Loaded {
    /// Watches all files that these players are told of, but for those of which it is `known` that the
    /// players write them.
    pub fn watch(players: &[Loaded], known: &BTreeSet<&str>) -> Watch {
        let files = players.iter().flat_map(|player| player.named_files().paths);
        Watch::new(files.filter(|(name, _)| !known.contains(name.as_str())).collect())
    }

    /// The text of a parameter file that gives the numbers in play again; none for other players.
    pub fn parameter_text(&self) -> Option<&str> {
        match &self.source {
            LoadedSource::Parameters { text, .. } => Some(text),
            LoadedSource::Random | LoadedSource::Uci(_) => None,
        }
    }

    /// The absolute path of the program; none for players in this process.
    pub fn command(&self) -> Option<&Path> {
        match &self.source {
            LoadedSource::Uci(engine) => Some(&engine.command),
            LoadedSource::Parameters { .. } | LoadedSource::Random => None,
        }
    }

    /// The numbers it plays with in this process; none for other players.
    pub fn numbers(&self) -> Option<&Numbers> {
        match &self.source {
            LoadedSource::Parameters { numbers, .. } => Some(numbers),
            LoadedSource::Random | LoadedSource::Uci(_) => None,
        }
    }

    /// The engine's identity, by a player of it that has begun a game, which ends then; and by the
    /// files that it is told of, as they were before. `None` for chance.
    pub fn engine(&self, player: Box<dyn Player>, files: &NamedFiles) -> Option<EngineIdentity> {
        match &self.source {
            LoadedSource::Parameters { numbers, .. } => Some(EngineIdentity::of_numbers(numbers)),
            LoadedSource::Random => None,
            LoadedSource::Uci(_) => {
                let (name, options) = player.introduction()?;
                // Some write what they have learned, or seen, when they end.
                drop(player);
                let (files, before) = (digests(&files.paths), &files.digests);
                let written = files.iter().filter(|&(name, now)| before.get(name) != Some(now));
                let written = written.map(|(name, _)| name.clone()).collect();
                let file = self.identity.fingerprint.clone();
                let program =
                    ProgramIdentity { file, name, options, files, written: BTreeSet::new() };
                Some(EngineIdentity::Program(program).having_written(&written))
            }
        }
    }

    /// The files that its options and arguments name, as they are now.
    pub fn named_files(&self) -> NamedFiles {
        let paths = match &self.source {
            LoadedSource::Uci(engine) => named_files(engine),
            LoadedSource::Parameters { .. } | LoadedSource::Random => BTreeMap::new(),
        };
        NamedFiles { digests: digests(&paths), paths }
    }

    /// Size of its transposition table (2²⁰ bytes); 0 where nobody has said.
    pub fn table_megabytes(&self) -> u64 {
        self.table_megabytes as u64
    }

    /// Has all lines of its processes written into a log.
    pub fn log_lines(&mut self, log: &LineLog) {
        self.log = Some(log.clone());
    }

    /// Makes a player; a process is started when it is first asked something.
    pub fn player(&self) -> Box<dyn Player> {
        match &self.source {
            LoadedSource::Parameters { numbers, .. } => {
                let hash = self.hash.unwrap_or(DEFAULT_HASH);
                let player = InProcess::new(numbers, hash);
                Box::new(if self.constants { player } else { player.without_constants() })
            }
            LoadedSource::Random => Box::new(RandomMover::default()),
            LoadedSource::Uci(engine) => {
                let player = UciPlayer::new(engine.clone(), self.hash);
                Box::new(match &self.log {
                    Some(log) => player.with_log(log.clone(), &self.identity.name),
                    None => player,
                })
            }
        }
    }
}

/// Numbers with the text that gives them again.
fn load_numbers(
    game: Game,
    file: &Path,
    changes: &[(String, String)],
) -> Result<(Numbers, String), ContestantError> {
    let (mut numbers, text) = if file == Path::new(EMBEDDED) {
        let numbers = game.embedded();
        let text = numbers.to_toml();
        (numbers, text)
    } else {
        game.open_numbers(file)?
    };
    if changes.is_empty() {
        return Ok((numbers, text));
    }
    for (name, value) in changes {
        let change =
            |reason: String| ContestantError::Change { word: format!("{name}={value}"), reason };
        let value = value.parse().map_err(|_| change("not a whole number".to_owned()))?;
        numbers.set(name, value).map_err(|error| match &error {
            NameError::Unknown { suggestion, .. } if suggestion.is_empty() => {
                let of_game = match games::is_usual(&game) {
                    true => String::new(),
                    false => format!(" --game {}", game.name()),
                };
                change(format!("{error} (`kamerton params{of_game}` lists all)"))
            }
            _ => change(error.to_string()),
        })?;
    }
    let text = numbers.to_toml();
    Ok((numbers, text))
}

/// Whether the system says of a file that somebody may run it, where it says that of files.
#[cfg(unix)]
fn is_executable(program: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(program).is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_program: &Path) -> bool {
    true
}

/// The absolute path of a program. A link stays one: what it is called by, some programs go by.
fn find_program(command: &Path) -> Option<PathBuf> {
    if !is_bare(command) || command.is_file() {
        return command.is_file().then(|| std::path::absolute(command).ok()).flatten();
    }
    let path = std::env::var_os("PATH")?;
    // As a shell does, the first that may be executed.
    let files = || {
        let there = std::env::split_paths(&path).map(|folder| folder.join(command));
        there.filter(|path| path.is_file())
    };
    let found = files().find(|path| is_executable(path)).or_else(|| files().next())?;
    std::path::absolute(found).ok()
}

/// Where a program that is not there was looked for, and what may be meant.
fn why_missing(engine: &UciEngine) -> String {
    let command = &engine.command;
    let text = command.to_string_lossy();
    let similar = |known: &&str| strsim::normalized_damerau_levenshtein(&text, known) > 0.6;
    if let Some(known) = [EMBEDDED, RANDOM].into_iter().find(similar) {
        return format!("did you mean {known:?}?");
    }
    let words = shlex::split(&text).unwrap_or_default();
    if let [program, arguments @ ..] = &words[..]
        && !arguments.is_empty()
        && find_program(Path::new(program)).is_some()
    {
        let words = arguments.iter().map(|word| format!("arg={word}"));
        let words = words.map(|word| if word.contains(' ') { format!("{word:?}") } else { word });
        let words = words.collect::<Vec<_>>().join(" ");
        return format!("arguments are words of their own: cmd={program} {words}");
    }
    let at = std::path::absolute(command).unwrap_or_else(|_| command.clone());
    if command.is_dir() {
        return format!("{} is a folder: name the program in it", at.display());
    }
    // A path is taken from where the runner stands, before anybody goes to another folder.
    let folder = engine.folder.as_deref().filter(|folder| folder.join(command).is_file());
    if let Some(folder) = folder {
        let there = folder.join(command);
        return format!(
            "the path is looked for from this folder, not from dir=: write {}",
            there.display()
        );
    }
    match is_bare(command) {
        true => format!("there is no file {}, nor one of that name in PATH", at.display()),
        false => format!("there is no file {}", at.display()),
    }
}
