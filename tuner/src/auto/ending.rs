//! The end of a run: a binary of its champion, and a summary.

use std::path::{Path, PathBuf};

use command_line::{quoted, say_line};
use matches::{GameOption, games};

use super::display::{Voice, spoken};
use super::files::{BINARY, CHAMPION, LEDGER, PAGE};
use super::folder::Folder;
use super::generation::Generation;
use super::hours::Lap;
use crate::export::{self, ExportArguments, Manifest};

/// Puts the champion into a binary, unless it is there already; none while the start stays
/// champion.
pub(super) fn export(folder: &Folder, voice: Voice) -> anyhow::Result<Option<PathBuf>> {
    let Some(accepted) = folder.accepted().next_back() else { return Ok(None) };
    let output = folder.file(BINARY);
    // The binary itself says what it plays: the file beside it may be another's.
    if let Ok(manifest) = Manifest::carried_by(&output, folder.game())
        && manifest.parameters_sha256 == accepted.sha256
    {
        manifest.write_beside(&output)?;
        return Ok(Some(output));
    }
    let display = voice.begin("make a binary of the champion", None, "");
    let lap = Lap::start();
    let manifest = export::export(&ExportArguments {
        game: GameOption { game: folder.game() },
        parameters: folder.file(CHAMPION),
        output: output.clone(),
        verdict: Some(format!("generation {}: {}", accepted.generation, accepted.sentence())),
        ..ExportArguments::default()
    })?;
    drop(display);
    voice.step(format!("{} made, and its bench checked", output.display()));
    voice.detail(format!("bench {}, in {}", manifest.bench, spoken(lap.elapsed())));
    Ok(Some(output))
}

/// Says on standard output what the run came to.
pub(super) fn summarize(folder: &Folder, cut: Option<&Generation>, exported: Option<&Path>) {
    say_line!("Generations of {}:", folder.path().display());
    for generation in folder.generations().iter().chain(cut) {
        let number = generation.generation;
        say_line!("  {number}: {}; {:#}", generation.fit_in_words(), generation);
    }
    say_line!("Ledger: {}", folder.file(LEDGER).display());
    say_line!("Page: {}", folder.file(PAGE).display());
    match folder.accepted().next_back() {
        Some(Generation { generation, .. }) => {
            say_line!("Champion: {}, generation {generation}", folder.file(CHAMPION).display());
        }
        None => say_line!("No candidate was accepted: the start stays champion."),
    }
    if let Some(path) = exported {
        let path = path.display().to_string();
        if games::is_usual(&folder.game()) {
            say_line!(
                "Play it: {} play, or name {path} as a UCI engine in a chess program",
                quoted(&path)
            );
        } else {
            say_line!("Binary: {path}, a UCI engine");
        }
    }
}
