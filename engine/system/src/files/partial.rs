//! Hidden files in which new contents are written until they take their place.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use super::places::folder_of;

/// A hidden file that takes its place, or is removed when it is dropped.
#[derive(Debug)]
pub struct Partial {
    path: TempPath,
    place: PathBuf,
}

impl Partial {
    /// Puts the file in its place, over what is there.
    ///
    /// # Errors
    /// The file system says why not.
    pub fn persist(self) -> io::Result<()> {
        Ok(self.path.persist(self.place)?)
    }
}

impl Deref for Partial {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

/// Makes the hidden file in which the new contents of a place are written, under a name that no other
/// process has. It takes the place by [`Partial::persist`], or else is removed when it is dropped; what
/// killed processes left of the same place is removed now. It may be read and run by those who might do
/// so with the file that is replaced, or with any new file. A place that is a symbolic link stays one: the
/// file that it leads to is replaced.
///
/// # Errors
/// It cannot be made, or the links lead nowhere.
pub fn partial_of(place: &Path) -> io::Result<(File, Partial)> {
    let place = behind_links(place)?;
    let folder = folder_of(&place);
    let prefix = hidden_beside(&place, ".").file_name().unwrap_or_default().to_owned();
    remove_leftovers(folder, &prefix);
    loop {
        let (file, path) = tempfile::Builder::new()
            .prefix(&prefix)
            .rand_bytes(RANDOM_LETTERS)
            .suffix(PARTIAL)
            .make_in(folder, |path| OpenOptions::new().write(true).create_new(true).open(path))?
            .into_parts();
        // As long as it is written: what nobody has locked is a leftover. Where files cannot be locked
        // these stay.
        let _ = file.lock();
        if path.exists() {
            keep_permissions(&place, &file)?;
            return Ok((file, Partial { path, place }));
        }
    }
}

/// The place that symbolic links lead to, whether there is a file or not yet.
fn behind_links(place: &Path) -> io::Result<PathBuf> {
    /// As many as Linux follows.
    const LINKS_MAX: usize = 40;
    let mut place = place.to_path_buf();
    for _ in 0..LINKS_MAX {
        match fs::read_link(&place) {
            Ok(target) => place = folder_of(&place).join(target),
            // No link, or nothing at all.
            Err(_) => return Ok(place),
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "its symbolic links lead to each other"))
}

/// The end of a partial file's name, and the letters before it that make the name its own.
const PARTIAL: &str = ".partial";
const RANDOM_LETTERS: usize = 6;

/// Removes the partial files with this beginning of their names that nobody is writing.
fn remove_leftovers(folder: &Path, prefix: &OsStr) {
    let prefix = prefix.as_encoded_bytes();
    let length = prefix.len() + RANDOM_LETTERS + PARTIAL.len();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        let is_partial = name.len() == length
            && name.starts_with(prefix)
            && name.ends_with(PARTIAL.as_bytes())
            && entry.file_type().is_ok_and(|it| it.is_file());
        if is_partial
            && let Ok(file) = OpenOptions::new().write(true).open(entry.path())
            && file.try_lock().is_ok()
        {
            // One that cannot be removed is in nobody's way.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Lets those read and run a new file who might do so with the one that it replaces.
#[cfg(unix)]
fn keep_permissions(place: &Path, file: &File) -> io::Result<()> {
    let Ok(replaced) = fs::symlink_metadata(place) else { return Ok(()) };
    let (replaced, own) = (replaced.is_file().then(|| replaced.permissions()), file.metadata()?);
    match replaced {
        Some(replaced) if replaced != own.permissions() => file.set_permissions(replaced),
        _ => Ok(()),
    }
}

/// Elsewhere it has those of its folder.
#[cfg(not(unix))]
fn keep_permissions(_: &Path, _: &File) -> io::Result<()> {
    Ok(())
}

/// A hidden file beside another one: its name with an ending. Of a name so long that the ending would go
/// beyond what file systems take, the rest stands as a number.
pub(super) fn hidden_beside(path: &Path, ending: &str) -> PathBuf {
    /// Bytes of a name, when 255 are the most and [`PARTIAL`] and letters come behind it.
    const NAME_MAX: usize = 220;
    let whole = path.file_name().unwrap_or_default();
    let mut name = OsString::from(".");
    if whole.len() <= NAME_MAX {
        name.push(whole);
    } else {
        let text = whole.to_string_lossy();
        let end = (0..=NAME_MAX - 8).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        name.push(format!("{}{:08x}", &text[..end], crc32fast::hash(whole.as_encoded_bytes())));
    }
    name.push(ending);
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::files::{Claim, write_atomically};

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_its_file_is_replaced() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().expect("temporary folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("far")).expect("writable");
        fs::write(at("far/file"), "old").expect("writable");
        symlink("far/file", at("near")).expect("writable");
        symlink("near", at("nearer")).expect("writable");
        symlink("far/none", at("dangling")).expect("writable");
        for (link, file) in [("nearer", "far/file"), ("dangling", "far/none")] {
            write_atomically(&at(link), |writer| writer.write_all(b"new")).expect("writable");
            assert_eq!(fs::read_to_string(at(file)).expect("readable"), "new");
            assert!(fs::symlink_metadata(at(link)).expect("there").is_symlink());
        }
        symlink("b", at("a")).expect("writable");
        symlink("a", at("b")).expect("writable");
        let error = write_atomically(&at("a"), |writer| writer.write_all(b"new"));
        let error = error.expect_err("a circle").to_string();
        assert!(error.ends_with("its symbolic links lead to each other"), "{error}");
    }

    #[test]
    fn a_name_of_any_length_that_the_system_takes_is_written() {
        let folder = tempfile::tempdir().expect("temporary folder");
        for length in [200, 220, 221, 238, 249, 255] {
            for letter in ["a", "é"] {
                let path = folder.path().join(letter.repeat(length / letter.len()));
                let claim = Claim::on(&path).expect("writable").expect("free");
                write_atomically(&path, |writer| writer.write_all(b"new")).expect("writable");
                drop(claim);
                assert_eq!(fs::read_to_string(&path).expect("readable"), "new");
                fs::remove_file(&path).expect("there");
                assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0);
            }
        }
    }
}
