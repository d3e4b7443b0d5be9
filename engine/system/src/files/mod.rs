//! Files: written whole or not at all (here and `partial.rs`), or appended to (`growing.rs`), by one
//! process at a time; read up to a size; and folders (`folders.rs`).

mod folders;
mod growing;
mod partial;
mod places;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use thiserror::Error;

pub use folders::{check_free, create_folder, lock_folder, write_beside_others};
pub use growing::GrowingFile;
use partial::hidden_beside;
pub use partial::{Partial, partial_of};
pub use places::{folder_of, is_at};

pub use crate::processes::is_deleted;
use crate::processes::lock_at_once;
use crate::text;

/// The word that stands for the parameters or openings inside the binary instead of a file.
pub const EMBEDDED: &str = "embedded";

/// A file that could not be read or written, with what was tried.
#[derive(Debug, Error)]
#[error("cannot {action} {}: {reason}", path.display())]
pub struct FileError {
    /// The action tried: "read", "write", …
    pub action: &'static str,
    /// The file that it was tried with.
    pub path: PathBuf,
    /// Why it failed. Part of the message, hence no `source`, which would be printed again.
    pub reason: io::Error,
}

impl FileError {
    /// For `map_err`: names the action and the file.
    pub fn at(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FileError {
        let path = path.to_path_buf();
        move |reason| FileError { action, path, reason }
    }
}

/// Opens a file to be read. Folders, pipes and devices are refused: they may never begin, or never
/// end.
///
/// # Errors
/// It is no file, or cannot be opened.
pub fn open_file(path: &Path) -> io::Result<File> {
    if !fs::metadata(path)?.is_file() {
        let reason = "it is no file, but a folder, a pipe or a device";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    }
    File::open(path)
}

/// Why a file is not to be written.
#[derive(Debug, Error)]
pub enum OutputError {
    /// The folder that it is to lie in is not there.
    #[error("cannot write {}: no folder {}", .0.display(), .0.parent().unwrap_or(.0).display())]
    NoFolder(PathBuf),
    /// The path names a folder.
    #[error("cannot write {}: it is a folder", .0.display())]
    Folder(PathBuf),
    /// It is one that is read.
    #[error("{} is read: choose another file to write", .0.display())]
    Read(PathBuf),
    /// Another output has its name.
    #[error("{} is to be written twice: choose another file", .0.display())]
    Twice(PathBuf),
    /// It is somebody else's.
    #[error("{} would be overwritten: choose another folder", .0.display())]
    Occupied(PathBuf),
    /// Another process has claimed it.
    #[error("another process is writing {}: wait for it, or choose another file", .0.display())]
    Claimed(PathBuf),
    /// Nothing can be written beside it.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Checks that none of the files to be written is one that is read or another one to be written, and
/// that all can be written where they are to lie.
///
/// # Errors
/// Says which is not.
pub fn check_outputs<'a>(
    outputs: &[&Path],
    inputs: impl IntoIterator<Item = &'a Path>,
) -> Result<(), OutputError> {
    let place = |path: &Path| Some(folder_of(path).canonicalize().ok()?.join(path.file_name()?));
    let read: Vec<PathBuf> =
        inputs.into_iter().filter_map(|path| path.canonicalize().ok()).collect();
    let mut written = Vec::new();
    for path in outputs.iter().copied().filter(|path| !is_stream(path)) {
        let named = path.to_path_buf();
        let Some(place) = place(path) else { return Err(OutputError::NoFolder(named)) };
        if path.is_dir() {
            return Err(OutputError::Folder(named));
        }
        if path.canonicalize().is_ok_and(|path| read.contains(&path)) {
            return Err(OutputError::Read(named));
        }
        if written.contains(&place) {
            return Err(OutputError::Twice(named));
        }
        written.push(place);
    }
    Ok(())
}

/// Claims files that are to be written after a while, so that no other process works for the same.
/// Pipes and devices are left out: all may write into them.
///
/// # Errors
/// Another process has claimed one of them, or nothing can be written beside it.
pub fn claim_outputs<'a>(
    outputs: impl IntoIterator<Item = &'a Path>,
) -> Result<Vec<Claim>, OutputError> {
    let files = outputs.into_iter().filter(|path| !is_stream(path));
    files.map(|path| Claim::on(path)?.ok_or_else(|| OutputError::Claimed(path.into()))).collect()
}

/// The right to make a file, which one process at a time has. While it lasts an empty hidden file lies
/// beside the place. One that a killed process left is taken over by the next claim.
#[derive(Debug)]
#[must_use = "it ends when it is dropped"]
pub struct Claim {
    path: PathBuf,
    /// Kept open, for the lock on it.
    _file: File,
}

impl Claim {
    /// Claims the place of a file, whether there is one or not; `None` if another process has claimed
    /// it and keeps it for a while.
    ///
    /// # Errors
    /// [`FileError`] if nothing can be written beside it.
    pub fn on(place: &Path) -> Result<Option<Claim>, FileError> {
        let path = hidden_beside(place, ".claim");
        loop {
            let opened = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
            let file = opened.map_err(FileError::at("write", place))?;
            if !lock(&file).map_err(FileError::at("lock", &path))? {
                return Ok(None);
            }
            // A process that had it before has removed it, and another may have made it anew.
            if is_at(&file, &path) {
                return Ok(Some(Claim { path, _file: file }));
            }
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // A file that stays is empty, and the next claim takes it over.
        let _ = fs::remove_file(&self.path);
    }
}

/// Locks a file against other processes, if need be after three seconds; false if another process keeps
/// it: one that was killed keeps its locks until the system has cleared it away. The lock ends with the
/// file.
///
/// # Errors
/// The file system knows no locks.
pub fn lock(file: &File) -> io::Result<bool> {
    const PATIENCE: Duration = Duration::from_secs(3);
    let started = Instant::now();
    loop {
        match lock_at_once(file) {
            Ok(()) => return Ok(true),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if started.elapsed() > PATIENCE => return Ok(false),
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

/// Writes a file whole or not at all: into a hidden file beside it, flushed and synchronized to the
/// disk, which then takes its place. On failure nothing is left, and what was there stays.
///
/// A device, a pipe or a program's standard output cannot be replaced: the text is written into it.
///
/// # Errors
/// [`FileError`] with the path, whatever `write` or the file system says.
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), FileError> {
    if path.file_name().is_none() {
        let reason = io::Error::new(io::ErrorKind::InvalidInput, "it names no file");
        return Err(FileError { action: "write", path: path.to_path_buf(), reason });
    }
    if is_stream(path) {
        return write_into(path, write).map_err(FileError::at("write", path));
    }
    let written = partial_of(path).and_then(|(file, partial)| {
        let mut writer = BufWriter::new(file);
        write(&mut writer)?;
        let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        partial.persist()
    });
    written.map_err(FileError::at("write", path))
}

/// Whether a path names something that bytes flow into, which is there and is no file; or one of the
/// names that a process has for its own streams, whatever they lead to.
pub fn is_stream(path: &Path) -> bool {
    let is_file = |it: &fs::Metadata| it.is_file() || it.is_dir();
    match fs::metadata(path) {
        Ok(metadata) => {
            !is_file(&metadata)
                || own_stream(path).is_some()
                || ["/dev/fd", "/proc"].iter().any(|folder| path.starts_with(folder))
        }
        Err(_) => false,
    }
}

/// The stream of this process that a path names, so that it goes on where it was.
#[cfg(unix)]
fn own_stream(path: &Path) -> Option<io::Result<std::os::fd::OwnedFd>> {
    use std::os::fd::AsFd;

    match path.to_str()? {
        "/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1" => {
            Some(io::stdout().as_fd().try_clone_to_owned())
        }
        "/dev/stderr" | "/dev/fd/2" | "/proc/self/fd/2" => {
            Some(io::stderr().as_fd().try_clone_to_owned())
        }
        _ => None,
    }
}

#[cfg(not(unix))]
fn own_stream(_: &Path) -> Option<io::Result<File>> {
    None
}

fn write_into(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let file = match own_stream(path) {
        Some(stream) => File::from(stream?),
        None => OpenOptions::new().append(true).open(path)?,
    };
    let mut writer = BufWriter::new(file);
    write(&mut writer)?;
    writer.flush()
}

/// Largest text that is read whole, in bytes.
const LARGEST: u64 = 64 << 20;
/// The same of TOML that people write: it takes fifty times as much memory while it is read.
const LARGEST_TOML: u64 = 4 << 20;

/// Reads a text file: see [`text`].
///
/// # Errors
/// [`FileError`] with the path, also when the file is larger than any such text or not UTF-8: then with
/// the line.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    text::read(path, LARGEST).map_err(FileError::at("read", path))
}

/// As [`read_text`], of a file in TOML.
///
/// # Errors
/// As [`read_text`].
pub fn read_toml(path: &Path) -> Result<String, FileError> {
    text::read(path, LARGEST_TOML).map_err(FileError::at("read", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_what_was_there() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("file.txt");
        write_atomically(&path, |writer| writer.write_all(b"first")).expect("writable");
        let failed = write_atomically(&path, |writer| {
            writer.write_all(b"half")?;
            Err(io::Error::other("disk full"))
        });
        let message = failed.expect_err("the closure failed").to_string();
        assert!(message.contains("file.txt") && message.contains("disk full"), "{message}");
        assert_eq!(fs::read_to_string(&path).expect("readable"), "first");
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_no_file_is_written_into_and_stays_what_it_is() {
        use std::io::Read;
        use std::os::unix::fs::{FileTypeExt, symlink};

        let folder = tempfile::tempdir().expect("temporary folder");
        // Devices, by themselves and behind a link; one is always full.
        let link = folder.path().join("link");
        symlink("/dev/null", &link).expect("writable");
        for path in [Path::new("/dev/null"), &link] {
            write_atomically(path, |writer| writer.write_all(b"text")).expect("it takes all");
            assert!(fs::metadata(path).expect("it is there").file_type().is_char_device());
        }
        assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
        let full = Path::new("/dev/full");
        let failed = write_atomically(full, |writer| writer.write_all(b"text"));
        let message = failed.expect_err("it is full").to_string();
        assert!(message.starts_with("cannot write /dev/full: No space"), "{message}");
        assert!(fs::metadata(full).expect("it is there").file_type().is_char_device());
        // A pipe with a reader.
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo is installed").success());
        let mut reader = OpenOptions::new().read(true).write(true).open(&pipe).expect("a pipe");
        write_atomically(&pipe, |writer| writer.write_all(b"text")).expect("it takes all");
        let mut text = [0; 4];
        reader.read_exact(&mut text).expect("what was written");
        assert_eq!(&text, b"text");
        assert!(fs::metadata(&pipe).expect("it is there").file_type().is_fifo());
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 2);
    }

    #[test]
    fn two_writers_of_a_file_do_not_mix_and_the_last_has_it() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("file.txt");
        write_atomically(&path, |first| {
            first.write_all(b"the fir")?;
            first.flush()?;
            write_atomically(&path, |second| second.write_all(b"the second")).expect("writable");
            first.write_all(b"st")
        })
        .expect("writable");
        assert_eq!(fs::read_to_string(&path).expect("readable"), "the first");
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
    }

    #[test]
    fn what_a_killed_writer_left_goes_and_what_one_is_writing_stays() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let at = |name: &str| folder.path().join(name);
        let (path, left) = (at("file.txt"), at(".file.txt.aB3dE6.partial"));
        // As long, but of another place or nobody's.
        let others =
            [at(".file.txt.partial"), at(".fine.txt.aB3dE6.partial"), at(".file.txt.more.partial")];
        for path in others.iter().chain([&left]) {
            fs::write(path, "half").expect("writable");
        }
        let (_file, living) = partial_of(&path).expect("writable");
        assert!(!left.exists() && others.iter().all(|path| path.exists()));
        write_atomically(&path, |writer| writer.write_all(b"whole")).expect("writable");
        assert!(living.exists() && path.exists());
        drop(living);
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 4);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_are_those_of_new_files_or_of_the_one_that_is_replaced() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().expect("temporary folder");
        let (path, ordinary) = (folder.path().join("file.txt"), folder.path().join("ordinary"));
        let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode();
        let write = || write_atomically(&path, |writer| writer.write_all(b"text"));
        fs::write(&ordinary, "").expect("writable");
        write().expect("writable");
        assert_eq!(mode(&path), mode(&ordinary));
        for own in [0o600, 0o640, 0o755] {
            fs::set_permissions(&path, fs::Permissions::from_mode(own)).expect("ours");
            write().expect("writable");
            assert_eq!(mode(&path) & 0o777, own);
        }
    }

    #[test]
    fn a_claim_is_for_one_at_a_time_and_streams_need_none() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
        let claims = claim_outputs([&*one, &*other]).expect("nobody else's");
        let refused = claim_outputs([&*other]).expect_err("another has it").to_string();
        assert!(refused.starts_with("another process is writing ") && refused.contains("other"));
        drop(claims);
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0);
        // A claim that a killed process left is taken over.
        fs::write(folder.path().join(".one.claim"), "").expect("writable");
        assert_eq!(claim_outputs([&*one]).expect("nobody's").len(), 1);
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0);
        #[cfg(target_os = "linux")]
        assert!(claim_outputs([Path::new("/dev/null")]).expect("a device").is_empty());
    }

    #[test]
    fn a_missing_folder_is_named() {
        let path = Path::new("/nonexistent/folder/file.txt");
        let message = write_atomically(path, |_| Ok(())).expect_err("no folder").to_string();
        assert!(message.starts_with("cannot write /nonexistent/folder/file.txt: "), "{message}");
    }
}
