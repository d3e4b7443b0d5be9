//! Where tests find the large data files that are not part of the repository.

// Each crate uses a part of it.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::skipping::skip;

/// A file or folder of the shared data; `None`, and the test says that it is skipped, where it is absent.
pub fn shared_data(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("KAMERTON_SHARED_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data"),
        PathBuf::from,
    );
    let path = folder.join(name);
    if !path.exists() {
        skip(&format!("there is no {}", path.display()));
        return None;
    }
    Some(path)
}

/// Unpacks a ZIP archive of the shared data into a folder by Python; `None` where either is absent.
pub fn unpacked(name: &str, folder: &Path) -> Option<PathBuf> {
    let archive = shared_data(name)?;
    let arguments = ["-m", "zipfile", "-e"];
    let status = Command::new("python3").args(arguments).arg(&archive).arg(folder).status();
    if !status.is_ok_and(|status| status.success()) {
        skip(&format!("python3 cannot unpack {}", archive.display()));
        return None;
    }
    Some(folder.join(archive.file_stem()?))
}
