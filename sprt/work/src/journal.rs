//! Journals: what was done, line by line, appended before it counts.
//!
//! A text file of lines `CHECKSUM JSON`; the checksum is the CRC-32 of the JSON text in eight hex
//! digits. The first line is the header with all that decides the course of the work; each further
//! line is the answer to a unit, in the order of units. All else can be made again from the journal
//! alone. Nothing in it depends on threads or folders.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use system::files::{self, Claim, FileError, open_file, write_atomically};
use system::processes::is_deleted;
use thiserror::Error;

/// A journal that cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is one already.
    #[error("{}: there is a journal already", path.display())]
    Exists {
        /// Path of the journal.
        path: PathBuf,
    },
    /// Another process writes it, or is about to.
    #[error("{}: another run is writing this journal", path.display())]
    Locked {
        /// Path of the journal.
        path: PathBuf,
    },
    /// It was deleted while it was being written.
    #[error("{}: the journal was deleted, and the run ends with it", path.display())]
    Deleted {
        /// Path that the journal had.
        path: PathBuf,
    },
    /// Its folder was moved, or another journal stands in its place.
    #[error(
        "{}: the journal was moved away while it was written, and the run ends: resume it where it is now",
        path.display()
    )]
    Moved {
        /// Path that the journal had.
        path: PathBuf,
    },
    /// A line is not what was written.
    #[error(
        "{}:{line}: damaged journal: {reason} ({})",
        path.display(),
        match line {
            1 => "the run cannot be resumed: begin another in another folder",
            _ => "a copy cut off before this line can be resumed",
        }
    )]
    Damaged {
        /// Path of the journal.
        path: PathBuf,
        /// Line number from 1.
        line: usize,
        /// The reason in words.
        reason: String,
    },
}

/// A journal open for appending. The file is locked against other processes.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// Bytes of complete lines.
    length: u64,
}

impl Journal {
    /// Creates a journal with its header where there is none.
    ///
    /// # Errors
    /// There is one, or another process is about to create one. As [`Journal::create`].
    pub fn create_new(path: &Path, header: &impl Serialize) -> Result<Journal, JournalError> {
        let path_of = || path.to_path_buf();
        let Some(_claim) = Claim::on(path)? else {
            return Err(JournalError::Locked { path: path_of() });
        };
        match path.exists() {
            true => Err(JournalError::Exists { path: path_of() }),
            false => Journal::create(path, header),
        }
    }

    /// Creates a journal with its header; it appears with the whole header or not at all.
    ///
    /// # Errors
    /// The file cannot be written or locked.
    pub fn create(path: &Path, header: &impl Serialize) -> Result<Journal, JournalError> {
        let text = line_of(header);
        write_atomically(path, |writer| writer.write_all(text.as_bytes()))?;
        Journal::lock(path, text.len() as u64)
    }

    /// Opens a journal to go on with, and reads its header. The lines follow by
    /// [`JournalReader::next`]; then [`Journal::continue_after`] them.
    ///
    /// # Errors
    /// The file cannot be read or locked, or its header is damaged.
    pub fn open<H: DeserializeOwned>(
        path: &Path,
    ) -> Result<(H, JournalReader, Journal), JournalError> {
        let journal = Journal::lock(path, 0)?;
        let (header, reader) = JournalReader::open(path)?;
        Ok((header, reader, journal))
    }

    /// Goes on after the lines that were read: a torn last line is cut off.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn continue_after(mut self, reader: JournalReader) -> Result<Journal, JournalError> {
        self.length = reader.length;
        self.cut().map_err(FileError::at("write", &self.path))?;
        Ok(self)
    }

    /// Puts another header in place of a journal's own; all other lines stay. The file is replaced as a
    /// whole or not at all, after `prepare` was called while no other process can play the run.
    ///
    /// # Errors
    /// The file cannot be read, written or locked, or that of `prepare`.
    pub fn replace_header(
        path: &Path,
        header: &impl Serialize,
        prepare: impl FnOnce() -> Result<(), FileError>,
    ) -> Result<(), JournalError> {
        let _lock = Journal::lock(path, 0)?;
        prepare()?;
        let text = line_of(header);
        let read = || {
            let mut lines = BufReader::new(File::open(path)?);
            lines.skip_until(b'\n')?;
            Ok(lines)
        };
        let mut lines = read().map_err(FileError::at("read", path))?;
        write_atomically(path, |writer| {
            writer.write_all(text.as_bytes())?;
            std::io::copy(&mut lines, writer).map(drop)
        })?;
        Ok(())
    }

    /// Appends lines made by [`line_of`]; when this returns, they are with the operating
    /// system as a whole.
    ///
    /// # Errors
    /// The file cannot be written, for instance as the disk is full; the line is cut off again. Or as
    /// [`Journal::check_place`].
    pub fn append(&mut self, text: &str) -> Result<(), JournalError> {
        self.check_place()?;
        if let Err(error) = self.file.write_all(text.as_bytes()) {
            // If cutting fails too, the next start drops the torn line.
            let _ = self.cut();
            return Err(FileError::at("write", &self.path)(error).into());
        }
        self.length += text.len() as u64;
        Ok(())
    }

    /// Checks that the journal still stands where it was.
    ///
    /// # Errors
    /// It was deleted: what is written into it would be lost. Or it was moved: what is written beside it
    /// would not be.
    pub fn check_place(&self) -> Result<(), JournalError> {
        let path = self.path.clone();
        if is_deleted(&self.file) {
            return Err(JournalError::Deleted { path });
        }
        if files::is_at(&self.file, &path) { Ok(()) } else { Err(JournalError::Moved { path }) }
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    /// The disk says so.
    pub fn synchronize(&self) -> Result<(), JournalError> {
        Ok(self.file.sync_all().map_err(FileError::at("write", &self.path))?)
    }

    fn lock(path: &Path, length: u64) -> Result<Journal, JournalError> {
        // A pipe would be waited for.
        open_file(path).map_err(FileError::at("open for writing", path))?;
        loop {
            let file = OpenOptions::new()
                .append(true)
                .open(path)
                .map_err(FileError::at("open for writing", path))?;
            if !files::lock(&file).map_err(FileError::at("lock", path))? {
                return Err(JournalError::Locked { path: path.to_path_buf() });
            }
            // The process that held it before may have put another file in its place.
            if !is_deleted(&file) {
                return Ok(Journal { path: path.to_path_buf(), file, length });
            }
        }
    }

    fn cut(&self) -> std::io::Result<()> {
        self.file.set_len(self.length)
    }
}

/// Bytes of a line: more than any answer has, or header.
const LINE_MAX: u64 = 64 << 20;

/// A journal being read.
#[derive(Debug)]
pub struct JournalReader {
    path: PathBuf,
    reader: BufReader<File>,
    line: usize,
    /// Bytes of the complete lines read.
    length: u64,
    buffer: Vec<u8>,
}

impl JournalReader {
    /// Opens a journal only to read it, even while another process writes it; reads its header.
    ///
    /// # Errors
    /// The file cannot be read, or its header is damaged.
    pub fn open<H: DeserializeOwned>(path: &Path) -> Result<(H, JournalReader), JournalError> {
        let file = open_file(path).map_err(FileError::at("read", path))?;
        let mut reader = JournalReader {
            path: path.to_path_buf(),
            reader: BufReader::new(file),
            line: 0,
            length: 0,
            buffer: Vec::new(),
        };
        let Some(text) = reader.next_line()? else {
            return Err(reader.damaged("there is no header".to_owned()));
        };
        let header = serde_json::from_str(&text)
            .map_err(|error| reader.damaged(format!("not a header: {error}")))?;
        Ok((header, reader))
    }

    /// The content of the next line; `None` at the end or at a torn last line, which a kill leaves.
    ///
    /// # Errors
    /// The file cannot be read or is damaged; its line is not of `kind`, as in "not a pair".
    pub fn next<T: DeserializeOwned>(&mut self, kind: &str) -> Result<Option<T>, JournalError> {
        let Some(text) = self.next_line()? else { return Ok(None) };
        let line = serde_json::from_str(&text);
        line.map(Some).map_err(|error| self.damaged(format!("not a {kind}: {error}")))
    }

    /// The JSON text of the next complete line.
    fn next_line(&mut self) -> Result<Option<String>, JournalError> {
        self.buffer.clear();
        let mut line = self.reader.by_ref().take(LINE_MAX + 1);
        let read =
            line.read_until(b'\n', &mut self.buffer).map_err(FileError::at("read", &self.path))?;
        if read as u64 > LINE_MAX {
            self.line += 1;
            return Err(self.damaged(format!("longer than {LINE_MAX} bytes")));
        }
        if self.buffer.last() != Some(&b'\n') {
            return Ok(None);
        }
        self.line += 1;
        let text = checked(&self.buffer).map_err(|reason| self.damaged(reason))?.to_owned();
        self.length += read as u64;
        Ok(Some(text))
    }

    /// The error that the line read last is not what was written, for this reason.
    pub fn damaged(&self, reason: String) -> JournalError {
        JournalError::Damaged { path: self.path.clone(), line: self.line.max(1), reason }
    }
}

/// The line of plain data, with its checksum and its end.
///
/// # Panics
/// If it cannot become JSON.
pub fn line_of(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).expect("plain data becomes JSON");
    format!("{} {json}\n", checksum(json.as_bytes()))
}

/// The checksum of a line or of a file's text: its CRC-32 in eight hexadecimal digits.
pub fn checksum(bytes: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(bytes))
}

/// The JSON text of a line that [`line_of`] wrote, with or without its end.
///
/// # Errors
/// The reason why it is no such line, or not what was written.
pub fn checked(line: &[u8]) -> Result<&str, String> {
    let text = std::str::from_utf8(line).map_err(|_| "not UTF-8".to_owned())?;
    let text = text.strip_suffix('\n').unwrap_or(text);
    let (expected, json) =
        text.split_once(' ').ok_or_else(|| "not a line of a journal".to_owned())?;
    if expected != checksum(json.as_bytes()) {
        return Err("the checksum does not match".to_owned());
    }
    Ok(json)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pipe, which would be waited for, and a file without line ends are no journals.
    #[test]
    fn what_has_no_line_is_refused() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("journal");
        let file = File::create(&path).expect("writable");
        file.set_len(100 * LINE_MAX).expect("the zeros take no room");
        let error = JournalReader::open::<String>(&path).expect_err("no line");
        assert!(error.to_string().contains("longer than"), "{error}");
        std::fs::remove_file(&path).expect("there");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        if made.is_ok_and(|status| status.success()) {
            assert!(JournalReader::open::<String>(&path).is_err());
            assert!(Journal::open::<String>(&path).is_err());
        }
    }

    #[test]
    fn a_journal_that_was_moved_away_takes_no_more() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let [here, there] = ["here", "there"].map(|name| folder.path().join(name));
        std::fs::create_dir(&here).expect("writable");
        let path = here.join("journal");
        let mut journal = Journal::create(&path, &"first").expect("writable");
        journal.append("a line\n").expect("it is there");
        std::fs::rename(&here, &there).expect("free");
        let moved = |journal: &mut Journal| {
            matches!(journal.append("lost\n"), Err(JournalError::Moved { .. }))
        };
        assert!(moved(&mut journal));
        std::fs::create_dir(&here).expect("free");
        Journal::create(&path, &"second").expect("writable");
        assert!(moved(&mut journal));
        std::fs::remove_dir_all(&there).expect("there");
        assert!(matches!(journal.check_place(), Err(JournalError::Deleted { .. })));
    }
}
