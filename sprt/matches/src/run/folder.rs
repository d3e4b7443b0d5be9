//! The files in the folder of a run, and the header of its journal.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use playable::Game;
use serde::{Deserialize, Serialize};
use system::files::{FileError, OutputError, create_folder, folder_of, write_beside_others};
use system::shell;
use work::journal::JournalReader;

use super::RunError;
use super::kind::{Kind, OLDEST_VERSION, VERSION};
use crate::openings::{Book, Format};
use crate::player::{Contestant, EngineIdentity, Identity, Loaded, Source};
use crate::playing::{Adjudication, Tablebase};

/// Every finished pair in schedule order.
pub const JOURNAL: &str = "journal";
/// All games as PGN.
pub const GAMES: &str = "games.pgn";
/// The result of the run, as JSON.
pub(super) const RESULT: &str = "result.json";
/// Copy of the openings, with the ending of its form.
const OPENINGS: &str = "openings";

/// The first line of the journal.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header<R> {
    pub kind: Kind,
    pub version: u32,
    pub players: Vec<JournalContestant>,
    /// Checksum of the opening file's text.
    pub openings: String,
    /// Endgame tables, if they end games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<Tables>,
    pub rules: R,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tables {
    pub folders: Vec<PathBuf>,
    fingerprint: String,
}

impl Tables {
    /// Opens the tables of a new run, if its rules ask any.
    pub fn open(
        game: Game,
        folders: &[PathBuf],
        adjudication: &Adjudication,
    ) -> Result<Option<(Tables, Tablebase)>, RunError> {
        match (adjudication.tablebase, folders) {
            (None, []) => return Ok(None),
            (Some(_), []) => {
                return Err(RunError::Rules("endgame tables end games, but none is given".into()));
            }
            (None, _) => {
                return Err(RunError::Rules("endgame tables are given, but end no game".into()));
            }
            (Some(_), _) => {}
        }
        // The run may be resumed from elsewhere.
        let folders: Vec<PathBuf> = folders
            .iter()
            .map(|folder| fs::canonicalize(folder).unwrap_or_else(|_| folder.clone()))
            .collect();
        let tablebase = Tablebase::open(game, &folders)?;
        let fingerprint = tablebase.fingerprint().to_owned();
        Ok(Some((Tables { folders, fingerprint }, tablebase)))
    }

    /// Fingerprint of their files.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Opens the tables again, and checks that they are the same.
    pub fn reopen(&self, game: Game) -> Result<Tablebase, RunError> {
        let tablebase = Tablebase::open(game, &self.folders)?;
        let path = self.folders.first().cloned().unwrap_or_default();
        unchanged(&path, tablebase.fingerprint().to_owned(), &self.fingerprint)?;
        Ok(tablebase)
    }
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JournalContestant {
    pub identity: Identity,
    pub contestant: Contestant,
    /// Its identity; runs of earlier versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineIdentity>,
}

impl JournalContestant {
    /// A contestant whose parameters, if it has any, are copied to the file of this name.
    pub fn new(
        copy: String,
        contestant: &Contestant,
        loaded: &Loaded,
        engine: Option<EngineIdentity>,
    ) -> JournalContestant {
        let mut contestant = contestant.clone();
        contestant.name.clone_from(&loaded.identity.name);
        match &mut contestant.source {
            // Changes are in the copy, and the run must not depend on the file it was made from.
            Source::Parameters { file, changes } => {
                *file = copy.into();
                changes.clear();
            }
            Source::Uci(engine) => {
                if let Some(command) = loaded.command() {
                    engine.command = command.to_path_buf();
                }
            }
            Source::Random => {}
        }
        JournalContestant { identity: loaded.identity.clone(), contestant, engine }
    }

    /// The contestant with the files of a run's folder.
    pub fn in_folder(&self, folder: &Path) -> Contestant {
        let mut contestant = self.contestant.clone();
        if let Source::Parameters { file, .. } = &mut contestant.source {
            *file = folder.join(&file);
        }
        contestant
    }

    /// Loads the contestant from a run's folder, and checks that its numbers are the same as then. So
    /// must a program's file be where the header does not say more of it.
    pub fn load(&self, game: Game, folder: &Path) -> Result<Loaded, RunError> {
        let contestant = self.in_folder(folder);
        let loaded = contestant.load(game)?;
        let path = match (&contestant.source, &self.engine) {
            (Source::Parameters { file, .. }, _) => file,
            (Source::Uci(engine), None) => &engine.command,
            (Source::Uci(_), Some(_)) | (Source::Random, _) => return Ok(loaded),
        };
        unchanged(path, loaded.identity.fingerprint.clone(), &self.identity.fingerprint)?;
        Ok(loaded)
    }

    /// Writes the copy of the parameters.
    pub fn write_copy(&self, folder: &Path, loaded: &Loaded) -> Result<(), RunError> {
        match (&self.contestant.source, loaded.parameter_text()) {
            (Source::Parameters { file, .. }, Some(text)) => {
                Ok(write_beside_others(&folder.join(file), text.as_bytes())?)
            }
            _ => Ok(()),
        }
    }
}

/// Writes the copy of the openings. One of another format would be taken for it.
pub(super) fn write_openings(folder: &Path, book: &Book) -> Result<(), OutputError> {
    let others = Format::ALL.into_iter().filter(|&format| format != book.format());
    let other = others.map(|format| openings_copy(folder, format)).find(|path| path.exists());
    match other {
        Some(path) => Err(OutputError::Occupied(path)),
        None => write_beside_others(&openings_copy(folder, book.format()), book.bytes()),
    }
}

/// The copy of an opening file in a run's folder.
pub(super) fn openings_copy(folder: &Path, format: Format) -> PathBuf {
    folder.join(OPENINGS).with_extension(format.extension())
}

/// The copy of the openings that is in a run's folder.
pub(super) fn find_openings(folder: &Path) -> PathBuf {
    let copies = Format::ALL.map(|format| openings_copy(folder, format));
    copies.iter().find(|path| path.exists()).unwrap_or(&copies[0]).clone()
}

/// True if the folder holds a run that can be resumed or reported.
pub fn exists(folder: &Path) -> bool {
    folder.join(JOURNAL).exists()
}

/// True for what a run in the folder writes itself, or would: nothing else is to be written there.
pub fn is_own_file(folder: &Path, path: &Path) -> bool {
    let parent = folder_of(path);
    let is_there = parent == folder
        || parent.canonicalize().is_ok_and(|it| folder.canonicalize().is_ok_and(|own| own == it));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let openings = Format::ALL.map(|format| openings_copy(Path::new(""), format));
    let is_copy = || name.ends_with(".toml") || openings.iter().any(|it| *it == *name);
    is_there && ([JOURNAL, GAMES, RESULT].contains(&&*name) || name.starts_with('.') || is_copy())
}

/// The journal of a folder that holds a run.
fn existing_journal(folder: &Path) -> Result<PathBuf, RunError> {
    if exists(folder) {
        Ok(folder.join(JOURNAL))
    } else {
        Err(RunError::Missing { folder: folder.to_path_buf() })
    }
}

/// The kind of the run in a folder.
///
/// # Errors
/// There is no run, or the header of its journal is damaged.
pub fn kind_of(folder: &Path) -> Result<Kind, RunError> {
    #[derive(Deserialize)]
    struct Beginning {
        kind: Kind,
    }
    let (beginning, _) = JournalReader::open::<Beginning>(&existing_journal(folder)?)?;
    Ok(beginning.kind)
}

/// The command line that plays the run of a folder again, from the copies in it.
pub fn repeating_line(kind: Kind, folder: &Path) -> String {
    let command = match kind {
        Kind::Test => "run",
        Kind::Tournament => "tournament",
    };
    shell::join(["sprt", command, "--like", &folder.to_string_lossy(), "--output", "FOLDER"])
}

/// Who plays in the run of a folder.
///
/// # Errors
/// There is no run, or the header of its journal is damaged.
pub fn contestants_of(folder: &Path) -> Result<Vec<Contestant>, RunError> {
    #[derive(Deserialize)]
    struct Beginning {
        players: Vec<JournalContestant>,
    }
    let (beginning, _) = JournalReader::open::<Beginning>(&existing_journal(folder)?)?;
    Ok(beginning.players.iter().map(|entry| entry.in_folder(folder)).collect())
}

/// The journal of a run of this kind and of the version that this program writes.
pub(super) fn journal_of(folder: &Path, expected: Kind) -> Result<PathBuf, RunError> {
    #[derive(Deserialize)]
    struct Beginning {
        kind: Kind,
        version: u32,
    }
    let path = existing_journal(folder)?;
    let (Beginning { kind: found, version }, _) = JournalReader::open(&path)?;
    if found == expected && (OLDEST_VERSION..=VERSION).contains(&version) {
        return Ok(path);
    }
    Err(RunError::Foreign { path, found, expected, version })
}

/// Fails if a file of the run is not what it was when the run began.
pub(super) fn unchanged(path: &Path, found: String, expected: &str) -> Result<(), RunError> {
    if found == expected {
        return Ok(());
    }
    let expected = expected.to_owned();
    Err(RunError::Changed { path: path.to_path_buf(), found, expected })
}

/// A folder for a run of which only the name is known: the first of `runs/NAME-1`, `runs/NAME-2`, …
/// that is not there yet. It is created, so that no other process takes it.
///
/// # Errors
/// It cannot be created.
pub fn next_folder(name: &str) -> Result<PathBuf, FileError> {
    let plain = |letter: char| match letter {
        '-' | '_' | '.' | '+' => letter,
        letter if letter.is_alphanumeric() => letter,
        _ => '_',
    };
    let name: String = name.chars().map(plain).take(100).collect();
    let runs = Path::new("runs");
    create_folder(runs)?;
    let folders = (1u64..).map(|number| runs.join(format!("{name}-{number}")));
    for folder in folders {
        match fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(FileError::at("create folder", &folder)(error)),
        }
    }
    unreachable!("there are more numbers than folders")
}
