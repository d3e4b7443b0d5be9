//! Files that tests write and compare.

// Each crate uses a part of it.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Endings of the files that a killed program may leave behind; the next run takes them over.
pub const LEFTOVERS: &[&str] = &[".claim", ".partial"];

/// Every file below a folder with its bytes. Files and folders whose names end so are left out.
pub fn files(folder: &Path, left_out: &[&str]) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).expect("a folder") {
            let path = entry.expect("readable").path();
            let name = path.strip_prefix(folder).expect("below it").display().to_string();
            let name = name.replace('\\', "/");
            if left_out.iter().any(|end| name.ends_with(end)) {
                continue;
            } else if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(name, fs::read(&path).expect("readable"));
            }
        }
    }
    found
}

/// Fails if one folder has a file that the other has not, or another one; some are left out.
pub fn assert_same(expected: &Path, found: &Path, left_out: &[&str]) {
    let (expected, found) = (files(expected, left_out), files(found, left_out));
    assert!(expected.keys().eq(found.keys()), "{:?}, not {:?}", found.keys(), expected.keys());
    for (name, bytes) in &expected {
        assert!(*bytes == found[name], "{name} differs");
    }
}

/// A journal of this version as one of another version would begin, its checksum right.
pub fn with_version(journal: &[u8], own: u32, other: u32) -> Vec<u8> {
    let end = journal.iter().position(|&byte| byte == b'\n').expect("a header");
    let header = std::str::from_utf8(&journal[9..end]).expect("text behind the checksum");
    let [own, other] = [own, other].map(|version| format!("\"version\":{version}"));
    assert_eq!(header.matches(&own).count(), 1, "{header}");
    let header = header.replace(&own, &other);
    let checksum = crc32fast::hash(header.as_bytes());
    [format!("{checksum:08x} {header}").as_bytes(), &journal[end..]].concat()
}

/// Writes a program that is a script. This process never has the file open for writing: its other
/// threads start programs, which would hand that on and have the system call the file busy.
#[cfg(unix)]
pub fn write_program(path: &Path, text: impl AsRef<[u8]>) {
    let beside = path.with_extension("text");
    fs::write(&beside, text).expect("writable");
    let mut install = std::process::Command::new("install");
    let status = install.args(["-m", "755"]).arg(&beside).arg(path).status();
    assert!(status.expect("it is installed").success());
    fs::remove_file(beside).expect("writable");
}
