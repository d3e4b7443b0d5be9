//! Writing files whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// A file that could not be read or written, with what was tried.
#[derive(Debug, Error)]
#[error("cannot {action} {}: {reason}", path.display())]
pub struct FileError {
    /// What was tried: "read", "write", …
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

/// Opens a file to be read. What is none (a folder, a pipe, a device) is refused: it may never begin,
/// or never end.
///
/// # Errors
/// It is none, or cannot be opened.
pub fn open_file(path: &Path) -> io::Result<File> {
    if !fs::metadata(path)?.is_file() {
        let reason = "it is no file, but a folder, a pipe or a device";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    }
    File::open(path)
}

/// Why a file is not to be written.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OutputError {
    /// The folder that it is to lie in is not there.
    #[error("cannot write {}: no folder {}", .0.display(), .0.parent().unwrap_or(.0).display())]
    NoFolder(PathBuf),
    /// It is a folder.
    #[error("cannot write {}: it is a folder", .0.display())]
    Folder(PathBuf),
    /// It is one that is read.
    #[error("{} is read: choose another file to write", .0.display())]
    Read(PathBuf),
    /// Another output has its name.
    #[error("{} is to be written twice: choose another file", .0.display())]
    Twice(PathBuf),
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
    let place = |path: &Path| {
        let folder = path.parent().filter(|folder| *folder != "").unwrap_or(Path::new("."));
        Some(folder.canonicalize().ok()?.join(path.file_name()?))
    };
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

/// Writes a file whole or not at all: into a hidden file beside it, flushed and synchronized to the
/// disk, which then takes its place. On failure nothing is left, and what was there stays.
///
/// What is no file (a device, a pipe, what a program calls its standard output) cannot be replaced:
/// the text is written into it.
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
    let partial = partial_of(path);
    let written = (|| {
        let mut writer = BufWriter::new(File::create(&partial)?);
        write(&mut writer)?;
        let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        drop(file);
        fs::rename(&partial, path)
    })();
    written.map_err(|reason| {
        // The first error is the one to tell; the partial file may never have been created.
        let _ = fs::remove_file(&partial);
        FileError { action: "write", path: path.to_path_buf(), reason }
    })
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

/// The hidden file beside `path` in which its new contents are written.
pub fn partial_of(path: &Path) -> PathBuf {
    let mut partial = OsString::from(".");
    partial.push(path.file_name().unwrap_or_default());
    partial.push(".partial");
    path.with_file_name(partial)
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
    fn a_missing_folder_is_named() {
        let path = Path::new("/nonexistent/folder/file.txt");
        let message = write_atomically(path, |_| Ok(())).expect_err("no folder").to_string();
        assert!(message.starts_with("cannot write /nonexistent/folder/file.txt: "), "{message}");
    }
}
