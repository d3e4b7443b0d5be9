//! The file of a page that is written again and again.

use std::cell::Cell;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use system::files::{FileError, folder_of, is_stream, write_atomically};

/// The file of a page: written whole, and not too often.
#[derive(Debug)]
pub struct PageFile {
    path: PathBuf,
    /// When it was last written, and how long that took.
    written: Cell<Option<(Instant, Duration)>>,
}

impl PageFile {
    /// Least time between two versions.
    const INTERVAL: Duration = Duration::from_secs(5);
    /// Pages take at most one part in so many of the time.
    const THRIFT: u32 = 100;

    /// A file that is not written yet.
    ///
    /// # Errors
    /// There is no folder to write it to.
    pub fn new(path: &Path) -> Result<PageFile, FileError> {
        std::fs::read_dir(folder_of(path)).map_err(FileError::at("write", path))?;
        Ok(PageFile { path: path.to_path_buf(), written: Cell::new(None) })
    }

    /// A folder as a link from the page, ending with a slash; `None` if either is nowhere.
    pub fn link_to(&self, folder: &Path) -> Option<String> {
        if is_stream(&self.path) { None } else { link_to_folder(&self.path, folder) }
    }

    /// Writes the page that `make` makes.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, make: impl FnOnce() -> String) -> Result<(), FileError> {
        let started = Instant::now();
        let text = make();
        let written = write_atomically(&self.path, |writer| writer.write_all(text.as_bytes()));
        self.written.set(Some((Instant::now(), started.elapsed())));
        written
    }

    /// Writes the page if it is time. A failure must not end the run; if it lasts, the end tells.
    /// A file that cannot be rewritten, such as a pipe, gets the last page only.
    pub fn refresh(&self, make: impl FnOnce() -> String) {
        if is_stream(&self.path) {
            return;
        }
        let is_due = self
            .written
            .get()
            .is_none_or(|(when, took)| when.elapsed() >= Self::INTERVAL.max(Self::THRIFT * took));
        if is_due {
            let _ = self.write(make);
        }
    }
}

/// A page as a link from another page; `None` if either is nowhere.
pub fn link_between(from: &Path, page: &Path) -> Option<String> {
    let folder = link_to_folder(from, folder_of(page))?;
    Some(folder + &encoded(&page.file_name()?.to_string_lossy()))
}

/// A folder as a link from a page, ending with a slash.
fn link_to_folder(from: &Path, folder: &Path) -> Option<String> {
    let page = folder_of(from).canonicalize().ok()?;
    let folder = folder.canonicalize().ok()?;
    let common = page.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let up = page.components().skip(common).map(|_| "..".to_owned());
    let down = folder.components().skip(common);
    let down = down.map(|part| encoded(&part.as_os_str().to_string_lossy()));
    Some(up.chain(down).map(|part| part + "/").collect())
}

/// A part of a path as links have it.
fn encoded(part: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~+,=@()".contains(&byte);
    part.bytes()
        .map(|byte| match is_plain(byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_linked_from_where_the_page_is() {
        let home = tempfile::tempdir().expect("temporary folder");
        let run = home.path().join("runs/a b");
        std::fs::create_dir_all(&run).expect("writable");
        for (page, link) in
            [("page.html", "runs/a%20b/"), ("runs/page.html", "a%20b/"), ("runs/a b/page.html", "")]
        {
            let page = PageFile::new(&home.path().join(page)).expect("a folder");
            assert_eq!(page.link_to(&run).as_deref(), Some(link));
            assert_eq!(page.link_to(&home.path().join("nowhere")), None);
        }
        let beside = home.path().join("pages");
        std::fs::create_dir(&beside).expect("writable");
        let page = PageFile::new(&beside.join("page.html")).expect("a folder");
        assert_eq!(page.link_to(&run).as_deref(), Some("../runs/a%20b/"));
        let other = link_between(&beside.join("page.html"), &home.path().join("runs/a b.html"));
        assert_eq!(other.as_deref(), Some("../runs/a%20b.html"));
    }
}
