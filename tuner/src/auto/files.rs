//! The files of a run: their names in its folder and in that of a generation, and how they are written.

use std::io::Write;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use system::files::{FileError, read_text, write_atomically};

pub(super) const SETTINGS: &str = "settings.json";
pub(super) const START: &str = "start.toml";
pub(super) const CHAMPION: &str = "champion.toml";
pub(super) const LEDGER: &str = "ledger.csv";
pub(super) const HOURS: &str = "hours.csv";
pub(super) const PAGE: &str = "report.html";
pub(super) const BINARY: &str = "kamerton-tuned";
pub(super) const RESULT: &str = "result.json";
pub(super) const SHOWCASE: &str = "showcase.json";
pub(super) const CANDIDATE: &str = "candidate.toml";
pub(super) const GAMES: &str = "positions.kgames";
/// Keeps the number of positions of each game that a fit takes.
pub(super) const PER_GAME: &str = "per-game.txt";
pub(super) const TEST_GAMES: &str = "tests.kgames";
pub(super) const JOURNAL: &str = "margins.journal";

/// The folder of a generation.
pub(super) fn folder_of_generation(number: u32) -> String {
    format!("generation-{number}")
}

/// Reads a record; none if there is no whole one.
pub(super) fn read_json<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_str(&read_text(path).ok()?).ok()
}

/// Writes a text whole or not at all.
pub(super) fn write_text(path: &Path, text: &str) -> Result<(), FileError> {
    write_atomically(path, |file| file.write_all(text.as_bytes()))
}

/// Writes a record as JSON, whole or not at all.
pub(super) fn write_json(path: &Path, record: &impl Serialize) -> anyhow::Result<()> {
    Ok(write_text(path, &(serde_json::to_string_pretty(record)? + "\n"))?)
}
