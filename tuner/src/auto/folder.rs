//! Names within a run's folder and within that of a generation.

use std::path::{Path, PathBuf};

pub(super) const START: &str = "start.toml";
pub(super) const CHAMPION: &str = "champion.toml";
pub(super) const LEDGER: &str = "ledger.csv";
pub(super) const HOURS: &str = "hours.csv";
pub(super) const PAGE: &str = "report.html";
pub(super) const BINARY: &str = "kamerton-tuned";
pub(super) const RESULT: &str = "result.json";
pub(super) const CANDIDATE: &str = "candidate.toml";
pub(super) const GAMES: &str = "positions.kgames";
pub(super) const TEST_GAMES: &str = "tests.kgames";
pub(super) const JOURNAL: &str = "margins.journal";

/// The folder of a generation.
pub(super) fn generation_folder(folder: &Path, generation: u32) -> PathBuf {
    folder.join(format!("generation-{generation}"))
}

/// File of a part.
pub(super) fn file_of_part(step: u32) -> String {
    format!("part-{step}.toml")
}

/// Folder of the test of a part.
pub(super) fn folder_of_part(step: u32) -> String {
    format!("part-{step}")
}
