//! The files of tables, and which of them are known to be whole.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock, RwLockWriteGuard};
use std::time::SystemTime;

use super::checksum;
use super::file::{self, DamagedTable, verify_table};
use super::material::Material;

/// The result of verifying the tables of some pieces and of all that captures lead to: whether they
/// are all there.
type Verified = Result<bool, DamagedTable>;

/// The files of tables by their pieces, and which of them are known to be whole.
#[derive(Default)]
pub(super) struct Files {
    /// Tables of wins, draws and losses.
    results: HashMap<Material, Vec<PathBuf>>,
    /// Tables of distances to the next capture or pawn's move.
    distances: HashMap<Material, Vec<PathBuf>>,
    verified: RwLock<HashMap<Material, Verified>>,
    verified_distances: RwLock<HashMap<Material, Verified>>,
    /// Size and time of verified files, to notice a change.
    stamps: RwLock<HashMap<PathBuf, Stamp>>,
    /// Pieces whose table of results the library has mapped into memory, where nobody can replace it.
    mapped: RwLock<HashSet<Material>>,
    /// Likewise for tables of distances.
    mapped_distances: RwLock<HashSet<Material>>,
    /// Held by the thread that verifies: others wait instead of reading the same file.
    verifying: Mutex<()>,
    /// Faults found and not yet reported.
    troubles: Mutex<Vec<DamagedTable>>,
}

impl Files {
    /// Adds the tables in a folder, and the names and sizes of those of wins, draws and losses to
    /// `sizes`. Of one whose size or beginning is wrong its name is taken; it comes out when it is
    /// verified.
    pub fn find(&mut self, folder: &Path, sizes: &mut Vec<(String, u64)>) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let is_table = file::wdl_material(&name).or(file::dtz_material(&name)).is_some();
            // The library would wait for whoever writes into a pipe.
            if is_table && fs::metadata(entry.path()).is_ok_and(|it| !it.is_file()) {
                return Err(io::Error::other(format!("{name} is no file")));
            }
            if let Some(material) = file::wdl_material(&name) {
                let bytes = file::begin(&entry.path()).map_or(0, |(_, bytes)| bytes);
                sizes.push((name, bytes + checksum::LENGTH as u64));
                self.results.entry(material).or_default().push(entry.path());
            } else if let Some(material) = file::dtz_material(&name) {
                self.distances.entry(material).or_default().push(entry.path());
            }
        }
        Ok(())
    }

    /// Looks at the size and the first bytes of all tables of wins, draws and losses.
    pub fn look(&self) -> Result<(), DamagedTable> {
        let mut paths: Vec<&PathBuf> = self.results.values().flatten().collect();
        paths.sort();
        paths.into_iter().try_for_each(|path| file::begin(path).map(|_| ()))
    }

    /// How many sets of pieces have a table of results, and how many one of distances.
    pub fn counts(&self) -> (usize, usize) {
        (self.results.len(), self.distances.len())
    }

    /// Most pieces of any table of results.
    pub fn pieces(&self) -> Option<u32> {
        self.results.keys().map(Material::count).max()
    }

    /// The pieces that have tables, from few to many.
    pub fn materials(&self) -> Vec<Material> {
        let mut found: Vec<Material> =
            self.results.keys().chain(self.distances.keys()).copied().collect();
        found.sort_by_key(|material| (material.count(), *material));
        found.dedup();
        found
    }

    /// Verifies the table of these pieces and those that captures lead to, which a probe reads too.
    pub fn verify(&self, material: Material) -> Result<(), DamagedTable> {
        self.verify_results(material).map(|_| ())
    }

    /// Verifies all tables of these pieces, and notes as trouble what is wrong with them.
    pub fn verify_for_play(&self, material: Material) {
        let found = [self.verify_results(material), self.verify_distances(material)];
        let mut troubles = self.troubles.lock().unwrap_or_else(PoisonError::into_inner);
        for damaged in found.into_iter().filter_map(Result::err) {
            if !troubles.contains(&damaged) {
                troubles.push(damaged);
            }
        }
    }

    /// True if the tables of results that a probe of these pieces reads are all there, and known to
    /// be whole.
    pub fn is_complete(&self, material: Material) -> bool {
        material.is_bare() || matches!(known(&self.verified, material), Some(Ok(true)))
    }

    /// True if the distances of these pieces can be asked, with all the tables of results that this
    /// reads too, and are known to be whole.
    pub fn has_distances(&self, material: Material) -> bool {
        matches!(known(&self.verified_distances, material), Some(Ok(true)))
            && self.is_complete(material)
            && material.after_promotions().into_iter().all(|after| self.is_complete(after))
    }

    /// True if the library has mapped the table of results of these pieces.
    pub fn is_mapped(&self, material: Material) -> bool {
        self.mapped.read().unwrap_or_else(PoisonError::into_inner).contains(&material)
    }

    /// True if the library has mapped the table of distances of these pieces.
    pub fn is_mapped_for_distances(&self, material: Material) -> bool {
        self.mapped_distances.read().unwrap_or_else(PoisonError::into_inner).contains(&material)
    }

    /// Notes that the library has mapped the table of results of these pieces.
    pub fn note_mapped(&self, material: Material) {
        write(&self.mapped).insert(material);
    }

    /// Notes that the library has mapped the table of distances of these pieces.
    pub fn note_mapped_for_distances(&self, material: Material) {
        write(&self.mapped_distances).insert(material);
    }

    /// True if the table of results of these pieces still is the file that was verified.
    pub fn is_unchanged(&self, material: Material) -> bool {
        self.are_unchanged(self.results.get(&material))
    }

    /// True if the table of distances of these pieces still is the file that was verified.
    pub fn is_unchanged_for_distances(&self, material: Material) -> bool {
        self.are_unchanged(self.distances.get(&material))
    }

    /// Notes that a table of results which was whole is not there any more as it was, or cannot be
    /// read; nobody asks it again.
    pub fn withdraw(&self, material: Material) {
        write(&self.mapped).remove(&material);
        self.withdraw_from(&self.verified, &self.results, material);
    }

    /// The same of a table of distances.
    pub fn withdraw_distances(&self, material: Material) {
        write(&self.mapped_distances).remove(&material);
        self.withdraw_from(&self.verified_distances, &self.distances, material);
    }

    fn withdraw_from(
        &self,
        verified: &RwLock<HashMap<Material, Verified>>,
        paths: &HashMap<Material, Vec<PathBuf>>,
        material: Material,
    ) {
        let paths = paths.get(&material);
        let path = paths.and_then(|paths| paths.first()).cloned().unwrap_or_default();
        let reason = "cannot be read any more as it was: its positions are searched without tables";
        let withdrawn = DamagedTable { path, reason: reason.to_owned() };
        let before = write(verified).insert(material, Err(withdrawn.clone()));
        // Several searches may notice it; it is said once.
        if !matches!(before, Some(Err(_))) {
            self.troubles.lock().unwrap_or_else(PoisonError::into_inner).push(withdrawn);
        }
    }

    fn are_unchanged(&self, paths: Option<&Vec<PathBuf>>) -> bool {
        let stamps = self.stamps.read().unwrap_or_else(PoisonError::into_inner);
        let is_unchanged = |path: &PathBuf| {
            Stamp::of(path).is_ok_and(|stamp| stamps.get(path).is_some_and(|known| *known == stamp))
        };
        paths.is_some_and(|paths| paths.iter().all(is_unchanged))
    }

    /// Faults found since the last call, by name.
    pub fn take_troubles(&self) -> Vec<DamagedTable> {
        let mut troubles = self.troubles.lock().unwrap_or_else(PoisonError::into_inner);
        let mut troubles = std::mem::take(&mut *troubles);
        troubles.sort_by(|one, other| one.path.cmp(&other.path));
        troubles
    }

    fn verify_results(&self, material: Material) -> Verified {
        if let Some(known) = known(&self.verified, material) {
            return known;
        }
        let _alone = self.verifying.lock().unwrap_or_else(PoisonError::into_inner);
        self.verify_all(material)
    }

    fn verify_all(&self, material: Material) -> Verified {
        if material.is_bare() {
            return Ok(true);
        }
        if let Some(known) = known(&self.verified, material) {
            return known;
        }
        let mut found = self.verify_paths(self.results.get(&material));
        for after in material.after_captures() {
            let after = self.verify_all(after);
            found = found.and_then(|whole| after.map(|after| whole && after));
        }
        write(&self.verified).entry(material).or_insert(found).clone()
    }

    fn verify_distances(&self, material: Material) -> Verified {
        if let Some(known) = known(&self.verified_distances, material) {
            return known;
        }
        let _alone = self.verifying.lock().unwrap_or_else(PoisonError::into_inner);
        let found = self.verify_paths(self.distances.get(&material));
        write(&self.verified_distances).entry(material).or_insert(found).clone()
    }

    /// Verifies the tables at these paths: true if there is one.
    fn verify_paths(&self, paths: Option<&Vec<PathBuf>>) -> Verified {
        let paths = paths.map_or(&[][..], Vec::as_slice);
        for path in paths {
            let stamp = Stamp::of(path);
            verify_table(path)?;
            if let Ok(stamp) = stamp {
                write(&self.stamps).insert(path.clone(), stamp);
            }
        }
        Ok(!paths.is_empty())
    }
}

/// By what a file that was replaced or written to since is told from what it was: its size, its last
/// change and, where systems number files, its number.
#[derive(PartialEq, Eq)]
struct Stamp {
    bytes: u64,
    changed: Option<SystemTime>,
    number: u64,
}

impl Stamp {
    fn of(path: &Path) -> io::Result<Stamp> {
        let metadata = fs::metadata(path)?;
        #[cfg(unix)]
        let number = std::os::unix::fs::MetadataExt::ino(&metadata);
        #[cfg(not(unix))]
        let number = 0;
        Ok(Stamp { bytes: metadata.len(), changed: metadata.modified().ok(), number })
    }
}

fn known(verified: &RwLock<HashMap<Material, Verified>>, material: Material) -> Option<Verified> {
    verified.read().unwrap_or_else(PoisonError::into_inner).get(&material).cloned()
}

fn write<T>(shared: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    shared.write().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small_tables() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/syzygy")
    }

    /// Copies of the small tables, of which one has a wrong bit.
    fn damaged_folder(damaged: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("temporary folder");
        for name in ["KQvK.rtbw", "KBvK.rtbw", "KBvK.rtbz"] {
            let mut bytes = fs::read(small_tables().join(name)).expect("readable");
            if name == damaged {
                bytes[50] ^= 8;
            }
            fs::write(folder.path().join(name), bytes).expect("writable");
        }
        folder
    }

    fn files(folder: &Path) -> Files {
        let mut files = Files::default();
        files.find(folder, &mut Vec::new()).expect("a folder");
        files
    }

    fn material(name: &str) -> Material {
        Material::parse(name).expect("a name")
    }

    #[test]
    fn a_table_is_verified_with_those_that_captures_lead_to() {
        let folder = damaged_folder("KBvK.rtbw");
        let files = files(folder.path());
        assert_eq!(files.look(), Ok(()), "whole as far as their sizes tell");
        // Not looked at, or not needed.
        assert_eq!(files.verify(material("KQvK")), Ok(()));
        assert_eq!(files.verify(material("KRvKN")), Ok(()));
        for name in ["KBvK", "KQvKB", "KRPvKB", "KPvKP"] {
            let error = files.verify(material(name)).expect_err("it leads to KBvK");
            assert_eq!(error.path, folder.path().join("KBvK.rtbw"), "{name}");
        }
        // A verified file is not read again.
        fs::remove_file(folder.path().join("KQvK.rtbw")).expect("it is there");
        assert_eq!(files.verify(material("KQvK")), Ok(()));
    }

    #[test]
    fn play_asks_only_what_is_there_and_whole() {
        let folder = damaged_folder("KBvK.rtbz");
        let files = files(folder.path());
        assert_eq!(files.counts(), (2, 1));
        assert!(!files.is_complete(material("KQvK")), "not verified yet");
        for material in files.materials() {
            files.verify_for_play(material);
        }
        assert!(files.is_complete(material("KQvK")) && files.is_complete(material("KBvK")));
        assert!(!files.is_complete(material("KRvK")), "not there");
        assert!(!files.has_distances(material("KBvK")), "damaged");
        assert!(!files.has_distances(material("KQvK")), "not there");
        let troubles = files.take_troubles();
        assert_eq!(troubles.len(), 1);
        assert_eq!(troubles[0].path, folder.path().join("KBvK.rtbz"));
        assert_eq!(files.take_troubles(), []);
        files.withdraw(material("KQvK"));
        assert!(!files.is_complete(material("KQvK")));
        assert_eq!(files.take_troubles()[0].path, folder.path().join("KQvK.rtbw"));
    }
}
