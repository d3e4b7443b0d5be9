//! Where tests find the large data files that are not part of the repository.

// Each crate uses a part of it.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// A file or folder of the shared data; `None`, with a word on standard error, where it is absent.
///
/// # Panics
/// If it is absent and `KAMERTON_REQUIRE_SHARED` is set: a test that is skipped proves nothing.
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

/// Says why a test is skipped, if it may be.
fn skip(reason: &str) {
    let is_required = std::env::var_os("KAMERTON_REQUIRE_SHARED").is_some_and(|it| it != "0");
    assert!(!is_required, "KAMERTON_REQUIRE_SHARED: {reason}");
    eprintln!("skipped: {reason}");
}
