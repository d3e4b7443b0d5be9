//! Programs that were built, as the cache keeps them.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use system::files::{FileError, folder_of, read_text, write_atomically};
use system::processes::is_executable;

use super::bench::{Bench, BenchError, BenchSettings, bench};
use super::git::Revision;
use super::process::Control;
use super::recipe::Recipe;

/// The record of a build, beside the program.
const RECORD: &str = "build.json";

/// A revision that was built.
#[derive(Clone, Debug)]
pub struct Built {
    /// Name of the revision.
    pub revision: String,
    /// Path of the program in the cache.
    pub binary: PathBuf,
    /// SHA-256 of the program in hexadecimal.
    pub sha256: String,
    /// Time the build took when it was made (seconds).
    pub seconds: f64,
    /// True if it came from the cache.
    pub was_cached: bool,
    record: Record,
}

impl Built {
    /// Where the program is, with its companions.
    pub fn folder(&self) -> &Path {
        folder_of(&self.binary)
    }

    /// The tree that it was built of.
    pub fn tree(&self) -> &str {
        &self.record.tree
    }

    /// Runs the bench once.
    ///
    /// # Errors
    /// See [`BenchError`].
    pub fn bench(&self, settings: &BenchSettings, control: &Control) -> Result<Bench, BenchError> {
        bench(&self.revision, &self.binary, settings, control)
    }

    /// The bench, run twice and then remembered beside the program: a count that changes from run to
    /// run would pass for a change of play.
    ///
    /// # Errors
    /// See [`BenchError`].
    pub fn signature(
        &mut self,
        settings: &BenchSettings,
        control: &Control,
    ) -> Result<Bench, BenchError> {
        if let Some(known) = self.known_bench(settings) {
            return Ok(known);
        }
        let first = self.bench(settings, control)?.nodes;
        let found = self.bench(settings, control)?;
        if found.nodes != first {
            let (revision, second) = (self.revision.clone(), found.nodes);
            return Err(BenchError::Unsteady { revision, first, second });
        }
        self.record.benches.insert(settings.key(), found);
        // A cache that cannot be written costs the benches the next time.
        let _ = write_record(self.folder(), &self.record);
        Ok(found)
    }

    /// The bench, if it is remembered.
    pub fn known_bench(&self, settings: &BenchSettings) -> Option<Bench> {
        self.record.benches.get(&settings.key()).copied().filter(|bench| bench.nodes > 0)
    }

    /// The build that a folder of the cache holds, if there is one.
    ///
    /// # Errors
    /// The program is not the one that was built.
    pub fn load(folder: &Path, revision: &Revision) -> Result<Option<Built>, Damage> {
        let Some(record) = read_record(folder) else { return Ok(None) };
        touch(folder);
        let binary = folder.join(&record.program);
        if !is_executable(&binary) {
            return Ok(None);
        }
        // One that cannot be read is of no more use than one that was changed.
        if !fs::read(&binary).is_ok_and(|bytes| digest(&bytes) == record.sha256) {
            return Err(Damage);
        }
        Ok(Some(Built {
            revision: revision.name.clone(),
            binary,
            sha256: record.sha256.clone(),
            seconds: record.seconds,
            was_cached: true,
            record,
        }))
    }
}

/// A program in the cache that is not what was built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Damage;

fn read_record(folder: &Path) -> Option<Record> {
    serde_json::from_str(&read_text(&folder.join(RECORD)).ok()?).ok()
}

/// The record of a build; it lies beside the program in the cache.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// File name of the program.
    pub program: String,
    /// SHA-256 of the program in hexadecimal.
    pub sha256: String,
    /// Time the build took (seconds).
    pub seconds: f64,
    /// The tree that was built.
    pub tree: String,
    /// The recipe it was built by.
    pub recipe: Recipe,
    /// The compiler, its flags and the processor it was built for.
    pub toolchain: String,
    /// Benches so far, by how they were asked for.
    pub benches: BTreeMap<String, Bench>,
}

/// Time after which a build that no run asked for is removed from the cache.
const KEPT_FOR: Duration = Duration::from_secs(30 * 86_400);

/// Digits of the names in the cache: of builds, and of cargo's folders.
const BUILD_DIGITS: usize = 24;
const TARGET_DIGITS: usize = 16;

/// Removes from a folder of the cache what nobody asked for in a long time: builds, logs of failed
/// ones, and what cargo keeps between builds. Files of others stay.
pub fn prune(folder: &Path) {
    // Files that cannot be looked at or removed cost room, but no run may fail for that.
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()).filter(|path| is_ours(path)) {
        let is_folder = path.is_dir();
        let dated = if is_folder { path.join(RECORD) } else { path.clone() };
        let dated = fs::metadata(dated).or_else(|_| fs::metadata(&path));
        let age = dated.and_then(|it| it.modified()).map(|it| it.elapsed());
        if matches!(age, Ok(Ok(age)) if age > KEPT_FOR) {
            let _ = if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        }
    }
}

/// True for what builds leave in the cache, by its name and what it holds.
fn is_ours(path: &Path) -> bool {
    let part = |part: Option<&OsStr>| part.and_then(OsStr::to_str).unwrap_or_default().to_owned();
    let (stem, extension) = (part(path.file_stem()), part(path.extension()));
    let is_digit = |digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
    let is_digest = stem.bytes().all(is_digit);
    is_digest
        && match (stem.len(), extension.as_str()) {
            (BUILD_DIGITS, "log") => path.is_file(),
            (BUILD_DIGITS, "partial") => path.is_dir(),
            (BUILD_DIGITS | TARGET_DIGITS, "") => path.join(RECORD).is_file(),
            _ => false,
        }
}

/// Notes that a build was asked for now.
fn touch(folder: &Path) {
    let record = File::options().append(true).open(folder.join(RECORD));
    let _ = record.and_then(|record| record.set_modified(SystemTime::now()));
}

/// Notes that cargo's folder for a toolchain is used now.
///
/// # Errors
/// The file cannot be written.
pub fn note_use(folder: &Path, toolchain: &str) -> Result<(), FileError> {
    let text = serde_json::json!({ "toolchain": toolchain }).to_string() + "\n";
    write_atomically(&folder.join(RECORD), |file| file.write_all(text.as_bytes()))
}

/// Writes what is known of a build beside it.
///
/// # Errors
/// The file cannot be written.
pub fn write_record(folder: &Path, record: &Record) -> Result<(), FileError> {
    let text = serde_json::to_string_pretty(record).expect("plain data becomes JSON") + "\n";
    write_atomically(&folder.join(RECORD), |file| file.write_all(text.as_bytes()))
}

/// SHA-256 of the bytes in hexadecimal.
pub fn digest(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use system::files::create_folder;

    use super::*;

    #[test]
    fn builds_unused_for_long_are_removed() {
        let home = tempfile::tempdir().expect("temporary folder");
        let old = SystemTime::now() - KEPT_FOR - Duration::from_secs(60);
        let name = |digit: &str, digits| digit.repeat(digits);
        let [new, past, revived] = ["0", "1", "a"].map(|digit| name(digit, BUILD_DIGITS));
        let (target, log) = (name("b", TARGET_DIGITS), format!("{}.log", name("c", BUILD_DIGITS)));
        for name in [&new, &past, &revived, &target] {
            create_folder(&home.path().join(name)).expect("writable");
            let record = File::create(home.path().join(name).join(RECORD)).expect("writable");
            if *name != new {
                record.set_modified(old).expect("writable");
            }
        }
        let file = File::create(home.path().join(&log)).expect("writable");
        file.set_modified(old).expect("writable");
        touch(&home.path().join(&revived));
        prune(home.path());
        let left = |name: &str| home.path().join(name).exists();
        assert!(left(&new) && left(&revived));
        assert!(!left(&past) && !left(&target) && !left(&log));
        prune(&home.path().join("missing"));
    }

    #[test]
    fn files_of_others_stay_in_the_cache() {
        let home = tempfile::tempdir().expect("temporary folder");
        let old = SystemTime::now() - KEPT_FOR - Duration::from_secs(60);
        let digits = "a".repeat(BUILD_DIGITS);
        // Folders hold such a file or do not; others' programs write files of this name, too.
        let folders = ["engine-1.0", "engine-2.0", &digits];
        for name in folders {
            create_folder(&home.path().join(name)).expect("writable");
        }
        let record = format!("engine-2.0/{RECORD}");
        let named = format!("{digits}.txt");
        let files = ["engine-1.0/engine", &record, "notes.log", "notes.txt", &named];
        for name in files {
            let file = File::create(home.path().join(name)).expect("writable");
            file.set_modified(old).expect("writable");
        }
        // The time of a folder itself can be set on Unix alone.
        for name in folders.iter().filter(|_| cfg!(unix)) {
            let folder = File::open(home.path().join(name)).expect("readable");
            folder.set_modified(old).expect("writable");
        }
        prune(home.path());
        for name in folders.iter().chain(&files) {
            assert!(home.path().join(name).exists(), "{name}");
        }
    }
}
