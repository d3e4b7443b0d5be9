//! Reading a store block by block.

use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use system::files::FileError;

use super::super::compression;
use super::block::{self, HEAD_BYTES, Head, le_u32};
use super::{Game, MAGIC, Settings, StoreError, VERSION};

/// Longest settings that are believed (bytes).
const SETTINGS_BYTES_MAX: u32 = 1 << 20;

/// Zeros at the end of a store that are no flipped bit: more than the checksum with which heads end, and
/// more than what is compressed ends with.
const HEAD_ZEROS: usize = 5;
const PAYLOAD_ZEROS: usize = 32;

/// Zeros with which these bytes end.
fn zeros_after(bytes: &[u8]) -> usize {
    bytes.iter().rev().take_while(|&&byte| byte == 0).count()
}

/// How a store ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// With its end mark.
    Finished,
    /// Without: what follows the last whole block is this many bytes of an unfinished one.
    Unfinished {
        /// Bytes after the last whole block.
        surplus: u64,
    },
}

/// A block of games as it lies in the file.
#[derive(Clone, Debug)]
pub struct Block {
    path: PathBuf,
    /// Index of the block in its store, from 0.
    pub index: usize,
    /// Where the block begins in the file (bytes).
    pub offset: u64,
    game: playable::Game,
    head: Head,
    payload: Vec<u8>,
}

impl Block {
    /// Index of its first game in the store.
    pub fn first_game(&self) -> u32 {
        self.head.first_game
    }

    /// Number of games in the block.
    pub fn games(&self) -> u32 {
        self.head.games
    }

    /// Number of plies in all games.
    pub fn plies(&self) -> u32 {
        self.head.plies
    }

    /// Bytes in the file, with the head.
    pub fn bytes(&self) -> u64 {
        (HEAD_BYTES + self.payload.len()) as u64
    }

    /// Bytes of its games before compression.
    pub fn plain_bytes(&self) -> u32 {
        self.head.plain_bytes
    }

    /// The block's games. Their moves have not been tried: [`Game::replay`] does.
    ///
    /// # Errors
    /// If the checksum or the content is wrong.
    pub fn decode(&self) -> Result<Vec<Game>, StoreError> {
        block::decode(&self.head, &self.payload, self.game).map_err(|problem| self.damaged(problem))
    }

    /// The error that this block is damaged.
    pub fn damaged(&self, problem: impl Into<String>) -> StoreError {
        StoreError::Damaged {
            path: self.path.clone(),
            block: self.index,
            offset: self.offset,
            problem: problem.into(),
        }
    }
}

/// Reads a store from its beginning.
pub struct Reader {
    path: PathBuf,
    file: Box<dyn BufRead + Send>,
    settings: Settings,
    checksum: u32,
    blocks: usize,
    games: u32,
    offset: u64,
    ending: Option<Ending>,
}

impl Reader {
    /// Opens a store, which may be packed, and reads its header.
    ///
    /// # Errors
    /// If the file cannot be read or does not begin with a sound header of this version.
    pub fn open(path: &Path) -> Result<Reader, StoreError> {
        let file = compression::open(path, &ProgressBar::hidden());
        let file =
            file.map_err(|FileError { action, reason, .. }| StoreError::io(action, path, reason))?;
        Reader::new(file, path)
    }

    /// As [`Reader::open`], on a file open at its beginning; `path` is its name in errors.
    pub(crate) fn new(
        mut file: Box<dyn BufRead + Send>,
        path: &Path,
    ) -> Result<Reader, StoreError> {
        let mut header = Vec::new();
        let problem = |problem: &str| StoreError::Header {
            path: path.to_owned(),
            problem: problem.to_owned(),
        };
        let mut more = |header: &mut Vec<u8>, bytes: u32| {
            let wanted = header.len() + bytes as usize;
            file.by_ref()
                .take(u64::from(bytes))
                .read_to_end(header)
                .map_err(|error| StoreError::io("read", path, error))?;
            if header.len() < wanted {
                return Err(problem("the header is cut off"));
            }
            Ok(())
        };

        let magic_missing = "its first bytes are wrong";
        more(&mut header, 16).map_err(|error| match error {
            StoreError::Header { .. } if !header.starts_with(&MAGIC) => problem(magic_missing),
            other => other,
        })?;
        if !header.starts_with(&MAGIC) {
            return Err(problem(magic_missing));
        }
        let version = le_u32(&header[8..12]);
        if version != VERSION {
            return Err(problem(&format!(
                "it is of version {version}, this program reads version {VERSION}"
            )));
        }
        let settings_bytes = le_u32(&header[12..16]);
        if settings_bytes > SETTINGS_BYTES_MAX {
            return Err(problem("the length of its settings is impossible"));
        }
        more(&mut header, settings_bytes)?;
        let checksum = crc32fast::hash(&header);
        more(&mut header, 4)?;
        let (content, stated) = header.split_at(header.len() - 4);
        if le_u32(stated) != checksum {
            return Err(problem("the checksum of its header is wrong"));
        }
        let settings = serde_json::from_slice(&content[16..])
            .map_err(|error| problem(&format!("its settings are unreadable ({error})")))?;
        Ok(Reader {
            path: path.to_owned(),
            offset: header.len() as u64,
            file,
            settings,
            checksum,
            blocks: 0,
            games: 0,
            ending: None,
        })
    }

    /// The settings that the games were recorded by.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Checksum of the header, which every block's head takes in.
    pub(super) fn checksum(&self) -> u32 {
        self.checksum
    }

    /// Where the next block begins, or the end mark or the surplus after the last one (bytes).
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Games in the blocks read so far.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// How the store ends; none before its end is reached.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The next block; none at the end, see [`Reader::ending`].
    ///
    /// # Errors
    /// If the file cannot be read, or a block's head is wrong. Whether its games are sound shows
    /// [`Block::decode`].
    pub fn next_block(&mut self) -> Result<Option<Block>, StoreError> {
        if self.ending.is_some() {
            return Ok(None);
        }
        let mut head = [0; HEAD_BYTES];
        let read = self.fill(&mut head)?;
        if read < HEAD_BYTES {
            self.ending = Some(Ending::Unfinished { surplus: read as u64 });
            return Ok(None);
        }
        let head = match Head::from_bytes(&head, self.checksum, self.settings.game) {
            Ok(head) => head,
            Err(problem) => {
                let surplus = self.zero_tail(&head, HEAD_ZEROS)?;
                let surplus = surplus.ok_or_else(|| self.damaged(problem))?;
                self.ending = Some(Ending::Unfinished { surplus });
                return Ok(None);
            }
        };
        if head.first_game != self.games {
            return Err(self.damaged("its first game is not the one after the last"));
        }
        if head.end {
            let mut beyond = [0; 1];
            if self.fill(&mut beyond)? > 0 {
                return Err(self.damaged("bytes follow the end mark"));
            }
            self.ending = Some(Ending::Finished);
            return Ok(None);
        }
        let Some(games) = self.games.checked_add(head.games).filter(|_| head.games > 0) else {
            return Err(self.damaged("its number of games is impossible"));
        };
        let mut payload = Vec::new();
        self.file
            .by_ref()
            .take(u64::from(head.payload_bytes))
            .read_to_end(&mut payload)
            .map_err(|error| StoreError::io("read", &self.path, error))?;
        if payload.len() < head.payload_bytes as usize {
            let surplus = (HEAD_BYTES + payload.len()) as u64;
            self.ending = Some(Ending::Unfinished { surplus });
            return Ok(None);
        }
        let block = Block {
            path: self.path.clone(),
            index: self.blocks,
            offset: self.offset,
            game: self.settings.game,
            head,
            payload,
        };
        if zeros_after(&block.payload) > 0 && !block::is_sound(&block.head, &block.payload) {
            let zeros = self.zero_tail(&block.payload, PAYLOAD_ZEROS)?;
            let zeros = zeros.ok_or_else(|| block.damaged(block::WRONG_CHECKSUM))?;
            self.ending = Some(Ending::Unfinished { surplus: HEAD_BYTES as u64 + zeros });
            return Ok(None);
        }
        self.blocks += 1;
        self.games = games;
        self.offset += block.bytes();
        Ok(Some(block))
    }

    /// Bytes from these that were read to the end of the file, if all of it is zeros from somewhere in
    /// them on, at least so many: a crash of the system leaves them where it had given room to a file
    /// but not written it.
    fn zero_tail(&mut self, read: &[u8], least: usize) -> Result<Option<u64>, StoreError> {
        let mut zeros = zeros_after(read);
        let before = read.len() - zeros;
        if zeros == 0 {
            return Ok(None);
        }
        loop {
            let more = self.file.fill_buf();
            let more = more.map_err(|error| StoreError::io("read", &self.path, error))?;
            let length = more.len();
            if zeros_after(more) < length {
                return Ok(None);
            }
            if length == 0 {
                return Ok((zeros >= least).then_some((before + zeros) as u64));
            }
            zeros += length;
            self.file.consume(length);
        }
    }

    /// The error that the store is unfinished; none if it is finished or its end not reached.
    pub fn unfinished(&self) -> Option<StoreError> {
        match self.ending {
            Some(Ending::Unfinished { surplus }) => Some(StoreError::Unfinished {
                path: self.path.clone(),
                blocks: self.blocks,
                offset: self.offset,
                surplus,
            }),
            _ => None,
        }
    }

    /// Reads until the buffer is full or the file ends; the number of bytes read.
    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, StoreError> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.file.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(StoreError::io("read", &self.path, error)),
            }
        }
        Ok(filled)
    }

    fn damaged(&self, problem: &str) -> StoreError {
        StoreError::Damaged {
            path: self.path.clone(),
            block: self.blocks,
            offset: self.offset,
            problem: problem.to_owned(),
        }
    }
}
