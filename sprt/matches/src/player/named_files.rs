//! Files and folders that an engine is told of in its options and arguments: what it reads there decides
//! its play as its program does, unless it is what it writes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use super::UciEngine;

/// Bytes of a digest that are kept.
const DIGEST: usize = 6;

/// The files and folders that are there of those that an engine's words may name, by these words.
pub(super) fn named_files(engine: &UciEngine) -> BTreeMap<String, PathBuf> {
    let words = engine.arguments.iter().chain(engine.options.values());
    let texts: BTreeSet<String> = words.flat_map(|word| texts_of(word)).collect();
    let folder = engine.folder.as_deref().unwrap_or(Path::new(""));
    let files = texts.into_iter().map(|text| {
        let path = folder.join(&text);
        (text, path)
    });
    files.filter(|(_, path)| path.is_file() || path.is_dir()).collect()
}

/// The parts of a word that may be a path: all of it, the text behind an equals sign, and the parts of a list.
fn texts_of(word: &str) -> Vec<String> {
    let value = word.split_once('=').map(|(_, value)| value);
    let lists = [Some(word), value].into_iter().flatten();
    let parts = lists.clone().flat_map(std::env::split_paths);
    let parts = parts.map(|path| path.to_string_lossy().into_owned());
    let whole = lists.clone().map(str::to_owned);
    whole.chain(parts).filter(|text| !text.is_empty()).collect()
}

/// Digests of them: of what is in a file, of the names and sizes in a folder. For a file that
/// cannot be read, the reason stands in place of the digest.
pub(super) fn digests(files: &BTreeMap<String, PathBuf>) -> BTreeMap<String, String> {
    let of = |path: &Path| match path.is_dir() {
        true => digest_of_folder(path),
        false => digest_of_file(path),
    };
    let told = |path: &Path| of(path).unwrap_or_else(|error| error.to_string());
    files.iter().map(|(name, path)| (name.clone(), told(path))).collect()
}

fn digest_of_file(path: &Path) -> io::Result<String> {
    let (mut file, mut hash) = (File::open(path)?, Sha256::new());
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex::encode(&hash.finalize()[..DIGEST])),
            length => hash.update(&buffer[..length]),
        }
    }
}

fn digest_of_folder(path: &Path) -> io::Result<String> {
    let mut entries = BTreeMap::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let size = entry.metadata().ok().filter(fs::Metadata::is_file).map(|file| file.len());
        entries.insert(entry.file_name(), size);
    }
    Ok(hex::encode(&Sha256::digest(format!("{entries:?}"))[..DIGEST]))
}

/// Size and last change of a file; nothing if it is not there.
type Stamp = Option<(u64, Option<SystemTime>)>;

/// Tells which named files change while games are played.
#[derive(Debug, Default)]
pub struct Watch {
    /// The stamps of files that have not changed yet.
    files: Mutex<BTreeMap<String, (PathBuf, Stamp)>>,
}

impl Watch {
    /// Watches these, from now on.
    pub(super) fn new(files: BTreeMap<String, PathBuf>) -> Watch {
        let stamped = |(name, path): (String, PathBuf)| {
            let stamp = stamp_of(&path);
            (name, (path, stamp))
        };
        Watch { files: Mutex::new(files.into_iter().map(stamped).collect()) }
    }

    /// The names of those that have changed, each told once.
    pub fn changed(&self) -> Vec<String> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let mut changed = Vec::new();
        files.retain(|name, (path, stamp)| {
            let is_same = stamp_of(path) == *stamp;
            if !is_same {
                changed.push(name.clone());
            }
            is_same
        });
        changed
    }
}

fn stamp_of(path: &Path) -> Stamp {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.len(), metadata.modified().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_by_words_values_and_lists() {
        let home = tempfile::tempdir().expect("temporary folder");
        for name in ["net", "book", "one"] {
            fs::write(home.path().join(name), name).expect("writable");
        }
        fs::create_dir(home.path().join("tables")).expect("writable");
        let list = std::env::join_paths(["tables", "one"]).expect("a list");
        let mut engine = UciEngine::new("engine");
        engine.folder = Some(home.path().to_path_buf());
        engine.arguments = ["--net=net", "book", "missing"].map(str::to_owned).to_vec();
        let options = [("Tables", list.to_string_lossy().into_owned()), ("Hash", "16".to_owned())];
        engine.options = options.map(|(name, value)| (name.to_owned(), value)).into();
        let files = named_files(&engine);
        assert_eq!(files.keys().collect::<Vec<_>>(), ["book", "net", "one", "tables"]);
        let before = digests(&files);
        assert_eq!(before, digests(&files));
        // The same name and size: of files in a folder only these count.
        fs::write(home.path().join("tables/a"), "a").expect("writable");
        fs::write(home.path().join("net"), "ten").expect("writable");
        let after = digests(&files);
        let same = |name: &str| before[name] == after[name];
        assert_eq!(["book", "net", "one", "tables"].map(same), [true, false, true, false]);
    }

    #[test]
    fn what_changes_is_told_once() {
        let home = tempfile::tempdir().expect("temporary folder");
        let path = home.path().join("learned");
        fs::write(&path, "").expect("writable");
        let watch = Watch::new(BTreeMap::from([("learned".to_owned(), path.clone())]));
        assert!(watch.changed().is_empty());
        fs::write(&path, "more").expect("writable");
        assert_eq!(watch.changed(), ["learned"]);
        fs::write(&path, "much more").expect("writable");
        assert!(watch.changed().is_empty());
    }
}
