//! Writing a store, and going on with one that was interrupted.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use system::files;

use super::block::{self, Head};
use super::{Ending, Game, MAGIC, Reader, Settings, StoreError, VERSION};

/// Appends games to a store.
///
/// A block is written once it is full, and synchronized with the disk: a kill loses the games of
/// one block at most. The bytes depend on settings and games alone, not on how often the recording
/// was interrupted: an unfilled last block is opened again on resuming.
pub struct Writer {
    path: PathBuf,
    file: File,
    game: playable::Game,
    /// Checksum of the header.
    checksum: u32,
    block_plies: u32,
    /// End of the last block that stays as it is (bytes).
    kept_bytes: u64,
    kept_blocks: usize,
    /// Games in these blocks.
    kept_games: u32,
    /// Games after them, not yet in a block of their own.
    pending: Vec<Game>,
    pending_plies: u64,
    plies: u64,
    /// The last game, for comparison on resuming.
    last: Option<Game>,
    /// The file holds all games and its end mark.
    finished: bool,
    /// The file may hold bytes beyond `kept_bytes`.
    surplus: bool,
}

impl Writer {
    /// Starts a new store.
    ///
    /// # Errors
    /// If the file exists or cannot be written.
    pub fn create(path: &Path, settings: &Settings) -> Result<Writer, StoreError> {
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path).map_err(
            |error| match error.kind() {
                io::ErrorKind::AlreadyExists => StoreError::Exists { path: path.to_owned() },
                _ => StoreError::io("create", path, error),
            },
        )?;
        lock(&file, path)?;
        Writer::begin(file, path, settings).inspect_err(|_| {
            // A file that could not even take its header is of no use to anyone.
            let _ = fs::remove_file(path);
        })
    }

    /// Goes on with a store, or starts it if there is none.
    ///
    /// An unfinished block at the end is dropped; nothing is changed in the file before the first
    /// game is added.
    ///
    /// # Errors
    /// If the file is no store, damaged, made with other settings, in use or unwritable.
    pub fn resume(path: &Path, settings: &Settings) -> Result<Writer, StoreError> {
        if !path.exists() {
            return Writer::create(path, settings);
        }
        let io_error = |action| move |error| StoreError::io(action, path, error);
        let mut file =
            OpenOptions::new().read(true).write(true).open(path).map_err(io_error("open"))?;
        lock(&file, path)?;
        if is_cut_header(&mut file, settings).map_err(io_error("read"))? {
            return Writer::begin(file, path, settings);
        }

        let copy = BufReader::new(file.try_clone().map_err(io_error("open"))?);
        let mut reader = Reader::new(Box::new(copy), path)?;
        if reader.settings() != settings {
            let differences = differences(reader.settings(), settings);
            return Err(StoreError::Settings { path: path.to_owned(), differences });
        }
        let mut writer = Writer::new(file, path, settings, reader.checksum());
        writer.kept_bytes = reader.offset();
        while let Some(block) = reader.next_block()? {
            writer.keep_pending(&reader, &block)?;
        }
        writer.finished = reader.ending() == Some(Ending::Finished);
        writer.surplus = true;
        Ok(writer)
    }

    /// Adds a game; writes a block if it is full.
    ///
    /// # Errors
    /// If the block cannot be written; the file then ends with the last whole block. If the file was
    /// deleted: what is written into it would be lost.
    pub fn push(&mut self, game: Game) -> Result<(), StoreError> {
        if files::is_deleted(&self.file) {
            return Err(StoreError::Deleted { path: self.path.clone() });
        }
        self.finished = false;
        self.plies += game.plies.len() as u64;
        self.pending_plies += game.plies.len() as u64;
        self.last = Some(game.clone());
        self.pending.push(game);
        if self.pending_plies >= u64::from(self.block_plies) { self.write_block() } else { Ok(()) }
    }

    /// Writes what is pending and the end mark.
    ///
    /// # Errors
    /// If these cannot be written; the file then ends with the last whole block.
    pub fn finish(&mut self) -> Result<(), StoreError> {
        if self.finished {
            return Ok(());
        }
        if !self.pending.is_empty() {
            self.write_block()?;
        }
        self.write_at_end(&Head::end_mark(self.kept_games).to_bytes(self.checksum))?;
        self.finished = true;
        Ok(())
    }

    /// The game that all its games are of.
    pub fn game(&self) -> playable::Game {
        self.game
    }

    /// Games added, with those found on resuming.
    pub fn games(&self) -> u32 {
        self.kept_games + self.pending.len() as u32
    }

    /// Plies of these games.
    pub fn plies(&self) -> u64 {
        self.plies
    }

    /// The last game added or found on resuming.
    pub fn last_game(&self) -> Option<&Game> {
        self.last.as_ref()
    }

    /// Size of the file up to the last block written (bytes).
    pub fn bytes(&self) -> u64 {
        self.kept_bytes
    }

    fn new(file: File, path: &Path, settings: &Settings, checksum: u32) -> Writer {
        Writer {
            path: path.to_owned(),
            file,
            game: settings.game,
            checksum,
            block_plies: settings.block_plies,
            kept_bytes: 0,
            kept_blocks: 0,
            kept_games: 0,
            pending: Vec::new(),
            pending_plies: 0,
            plies: 0,
            last: None,
            finished: false,
            surplus: false,
        }
    }

    /// Starts a store in a file that is empty or worthless.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn begin(
        mut file: File,
        path: &Path,
        settings: &Settings,
    ) -> Result<Writer, StoreError> {
        let header = header(settings);
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| file.write_all(&header))
            .and_then(|()| file.sync_data())
            .map_err(|error| StoreError::io("write", path, error))?;
        let mut writer = Writer::new(file, path, settings, le_tail(&header));
        writer.kept_bytes = header.len() as u64;
        Ok(writer)
    }

    /// Takes in a block found on resuming. If the block before was not full, it has been reopened
    /// for more games, so that no block may follow it.
    fn keep_pending(&mut self, reader: &Reader, block: &super::Block) -> Result<(), StoreError> {
        if !self.pending.is_empty() {
            return Err(block.damaged("it follows a block that is not full"));
        }
        let games = block.decode()?;
        self.plies += u64::from(block.plies());
        self.last = games.last().cloned();
        if block.plies() < self.block_plies {
            self.pending_plies = u64::from(block.plies());
            self.pending = games;
        } else {
            self.kept_bytes = reader.offset();
            self.kept_blocks += 1;
            self.kept_games = reader.games();
        }
        Ok(())
    }

    fn write_block(&mut self) -> Result<(), StoreError> {
        let bytes = block::encode(self.kept_games, &self.pending, self.checksum);
        self.write_at_end(&bytes)?;
        self.kept_bytes += bytes.len() as u64;
        self.kept_blocks += 1;
        self.kept_games += self.pending.len() as u32;
        self.pending.clear();
        self.pending_plies = 0;
        Ok(())
    }

    /// Writes after the last kept block, over whatever is there.
    fn write_at_end(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        let written = self.try_write_at_end(bytes);
        written.map_err(|error| {
            // Readers then find a store that ends with a whole block. Should this fail too, they
            // find an unfinished block, which resuming drops as well.
            let _ = self.file.set_len(self.kept_bytes);
            StoreError::Write {
                path: self.path.clone(),
                block: self.kept_blocks,
                offset: self.kept_bytes,
                error,
            }
        })
    }

    fn try_write_at_end(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.surplus {
            self.file.set_len(self.kept_bytes)?;
            self.surplus = false;
        }
        self.file.seek(SeekFrom::Start(self.kept_bytes))?;
        self.file.write_all(bytes)?;
        self.file.sync_data()
    }
}

fn header(settings: &Settings) -> Vec<u8> {
    let settings = serde_json::to_vec(settings).expect("settings have nothing JSON cannot hold");
    let mut header = MAGIC.to_vec();
    header.extend_from_slice(&VERSION.to_le_bytes());
    header.extend_from_slice(&(settings.len() as u32).to_le_bytes());
    header.extend_from_slice(&settings);
    header.extend_from_slice(&crc32fast::hash(&header).to_le_bytes());
    header
}

/// The checksum at the end of a header.
fn le_tail(header: &[u8]) -> u32 {
    block::le_u32(&header[header.len() - 4..])
}

/// Whether the file is a piece of the header: the recording was killed as it began.
fn is_cut_header(file: &mut File, settings: &Settings) -> io::Result<bool> {
    let header = header(settings);
    let mut content = Vec::new();
    Read::by_ref(file).take(header.len() as u64).read_to_end(&mut content)?;
    file.rewind()?;
    Ok(content.len() < header.len() && header.starts_with(&content))
}

fn lock(file: &File, path: &Path) -> Result<(), StoreError> {
    match files::lock(file) {
        Ok(true) => Ok(()),
        Ok(false) => Err(StoreError::Locked { path: path.to_owned() }),
        Err(error) => Err(StoreError::io("lock", path, error)),
    }
}

/// The settings that differ, as `name: in the file / now`.
fn differences(file: &Settings, now: &Settings) -> String {
    let value = |settings| serde_json::to_value(settings).unwrap_or_default();
    let (file, now) = (value(file), value(now));
    let fields = file.as_object().into_iter().flatten();
    fields
        .filter(|(name, value)| now.get(name.as_str()) != Some(value))
        .map(|(name, value)| {
            let name_in_words = name.replace('_', " ");
            format!("{name_in_words} {value} (now {})", now.get(name).unwrap_or_default())
        })
        .collect::<Vec<_>>()
        .join(", ")
}
