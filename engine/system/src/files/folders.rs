//! Folders that one process fills, beside what others have put there.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use super::{FileError, OutputError, lock, write_atomically};

/// Creates a folder and those above it.
///
/// # Errors
/// [`FileError`] with the path.
pub fn create_folder(path: &Path) -> Result<(), FileError> {
    fs::create_dir_all(path).map_err(FileError::at("create folder", path))
}

/// Checks that nothing is in the way of files that a new run will write into its folder.
///
/// # Errors
/// [`OutputError::Occupied`] with the first that is there already.
pub fn check_free<'a>(
    folder: &Path,
    names: impl IntoIterator<Item = &'a str>,
) -> Result<(), OutputError> {
    let mut paths = names.into_iter().map(|name| folder.join(name));
    paths.find(|path| path.exists()).map_or(Ok(()), |path| Err(OutputError::Occupied(path)))
}

/// Writes a file whole or not at all, but not over one with other bytes.
///
/// # Errors
/// [`OutputError::Occupied`] where there is such a file; one that cannot be read or written.
pub fn write_beside_others(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    match fs::read(path) {
        Ok(there) if there == bytes => Ok(()),
        Ok(_) => Err(OutputError::Occupied(path.to_path_buf())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Ok(write_atomically(path, |writer| writer.write_all(bytes))?)
        }
        Err(error) => Err(FileError::at("read", path)(error).into()),
    }
}

/// Keeps a second process out of a folder as long as the file that is returned is open; `None` if there
/// is one already. Within it lies an empty file `lock` for that.
///
/// # Errors
/// The file cannot be made or locked.
pub fn lock_folder(folder: &Path) -> Result<Option<File>, FileError> {
    let path = folder.join("lock");
    let lock = File::options().write(true).create(true).truncate(false).open(&path);
    let lock = lock.map_err(FileError::at("write", &path))?;
    Ok(self::lock(&lock).map_err(FileError::at("lock", &path))?.then_some(lock))
}
