//! Files of lines that grow: what a killed run goes on from, and what judges have said.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};
use system::files;

/// A file of lines, locked against other processes.
#[derive(Debug)]
pub(super) struct LineFile {
    path: PathBuf,
    file: File,
    head: String,
    /// Bytes of whole lines that were found in it.
    whole: u64,
}

impl LineFile {
    /// Opens the file, or makes an empty one. Returns its whole lines, too. The file stays as it is until
    /// [`LineFile::go_on`] is called: it may be somebody else's.
    ///
    /// # Errors
    /// If it cannot be read or written, is used by another process, is no text, or has no whole line and
    /// does not begin as `head` does: then it `holds no` such thing.
    pub fn open(path: &Path, head: String, kind: &str) -> anyhow::Result<(LineFile, String)> {
        let shown = path.display();
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).with_context(|| format!("cannot open {shown}"))?;
        ensure!(file.metadata().is_ok_and(|it| it.is_file()), "{shown} is no file");
        ensure!(
            files::lock(&file).with_context(|| format!("cannot lock {shown}"))?,
            "{shown} is used by another process: wait for it, or name another file"
        );
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(|| format!("cannot read {shown}"))?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        // A crash of the system may leave zeros behind.
        let begun = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        ensure!(
            whole > 0 || head.as_bytes().starts_with(&bytes[..begun]),
            "{shown} holds no {kind}"
        );
        bytes.truncate(whole);
        let text = String::from_utf8(bytes).map_err(|error| {
            let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = 1 + valid.iter().filter(|&&byte| byte == b'\n').count();
            anyhow!("{shown}:{line}: this is not text in UTF-8")
        })?;
        Ok((LineFile { path: path.to_owned(), file, head, whole: whole as u64 }, text))
    }

    /// Removes what a kill has cut off behind the whole lines; begins with the first line where there is
    /// none.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn go_on(&mut self) -> anyhow::Result<()> {
        let cut = self.file.set_len(self.whole);
        cut.and_then(|()| self.file.seek(SeekFrom::End(0)))
            .with_context(|| format!("cannot write {}", self.path.display()))?;
        if self.whole == 0 {
            let head = std::mem::take(&mut self.head);
            self.append(&head)?;
        }
        Ok(())
    }

    /// Appends lines.
    ///
    /// # Errors
    /// If the file cannot be written, or was deleted: what is written into it would be lost.
    pub fn append(&mut self, lines: &str) -> anyhow::Result<()> {
        let shown = self.path.display();
        ensure!(!files::is_deleted(&self.file), "{shown} was deleted, and the run ends with it");
        self.file.write_all(lines.as_bytes()).with_context(|| format!("cannot write {shown}"))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}
