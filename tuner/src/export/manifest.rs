//! The manifest of an exported binary, which lies beside it and within.

use std::io::Write;
use std::path::{Path, PathBuf};

use matches::games;
use playable::Game;
use serde::{Deserialize, Serialize};
use system::files;

/// The parts that an exported binary is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The game whose numbers these are; chess where nobody says so.
    #[serde(with = "games", default = "games::usual", skip_serializing_if = "games::is_usual")]
    pub game: Game,
    /// SHA-256 of the parameter file, in hexadecimal.
    pub parameters_sha256: String,
    /// Fingerprint of the values, as in the engine's name.
    pub fingerprint: String,
    /// Nodes of the binary's `bench`.
    pub bench: u64,
    /// Commit that the engine was built from, with `-dirty` if there were changes; none where that
    /// is not known.
    pub commit: Option<String>,
    /// The compiler that built the engine, with its version.
    pub compiler: String,
    /// Target it was built for.
    pub target: String,
    /// Processor it was built for.
    pub target_cpu: String,
    /// Whether it was built by a profile of its bench; no where nobody says so.
    #[serde(default)]
    pub guided: bool,
    /// The verdict that accepted the file, if one is known.
    pub verdict: Option<String>,
}

impl Manifest {
    /// The manifest that a binary carries for a game.
    ///
    /// # Errors
    /// There is no binary that carries one.
    pub fn carried_by(binary: &Path, game: Game) -> anyhow::Result<Manifest> {
        let file = std::fs::read(binary)?;
        Ok(serde_json::from_str(&block::contents_of(&file, game.name())?.manifest)?)
    }

    /// Where the file lies that tells of a binary.
    pub(super) fn beside(binary: &Path) -> PathBuf {
        let mut name = binary.as_os_str().to_owned();
        name.push(".json");
        name.into()
    }

    /// Writes the file beside a binary.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write_beside(&self, binary: &Path) -> anyhow::Result<()> {
        let text = self.text()?;
        Ok(files::write_atomically(&Manifest::beside(binary), |file| {
            file.write_all(text.as_bytes())
        })?)
    }

    /// The file: what lies beside the binary and within.
    pub(super) fn text(&self) -> anyhow::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}
