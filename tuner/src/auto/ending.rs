//! The end of a run: ledger and champion after each generation, a binary and a summary at last.

use std::path::PathBuf;

use command_line::quoted;
use command_line::say_line;
use system::files;

use super::display::spoken;
use super::folder::{BINARY, CHAMPION, LEDGER, PAGE};
use super::hours::Lap;
use super::run::Run;
use super::{Generation, ledger};
use crate::export::{self, ExportArguments, Manifest};

impl Run {
    /// Writes what follows from the generations: ledger and champion.
    pub(super) fn write_state(&self, cut: Option<&Generation>) -> anyhow::Result<()> {
        let mut generations = self.generations.clone();
        generations.extend(cut.cloned());
        ledger::write_ledger(&self.folder.join(LEDGER), &generations)?;
        let champion = files::read_text(&self.champion_file())?;
        let path = self.folder.join(CHAMPION);
        files::write_atomically(&path, |file| {
            std::io::Write::write_all(file, champion.as_bytes())
        })?;
        Ok(())
    }

    /// Puts the champion into a binary, unless it is there already; none while the start stays
    /// champion.
    pub(super) fn export(&self) -> anyhow::Result<Option<(PathBuf, Manifest)>> {
        let Some(accepted) = self.accepted() else { return Ok(None) };
        let output = self.folder.join(BINARY);
        // The binary itself says what it plays: the file beside it may be another's.
        if let Ok(manifest) = Manifest::carried_by(&output)
            && manifest.parameters_sha256 == accepted.sha256
        {
            manifest.write_beside(&output)?;
            return Ok(Some((output, manifest)));
        }
        let display = self.voice.begin("make a binary of the champion", None, "");
        let lap = Lap::start();
        let manifest = export::export(&ExportArguments {
            parameters: self.folder.join(CHAMPION),
            output: output.clone(),
            verdict: Some(format!("generation {}: {}", accepted.generation, accepted.sentence())),
            ..ExportArguments::default()
        })?;
        drop(display);
        self.voice.step(format!("{} made, and its bench checked", output.display()));
        self.voice.detail(format!("bench {}, in {}", manifest.bench, spoken(lap.elapsed())));
        Ok(Some((output, manifest)))
    }

    /// Says on standard output what the run came to.
    pub(super) fn summarize(
        &self,
        cut: Option<&Generation>,
        exported: Option<&(PathBuf, Manifest)>,
    ) {
        let folder = &self.folder;
        say_line!("Generations of {}:", folder.display());
        for generation in self.generations.iter().chain(cut) {
            let number = generation.generation;
            say_line!("  {number}: {}; {:#}", generation.fit_in_words(), generation.outcome());
        }
        say_line!("Ledger: {}", folder.join(LEDGER).display());
        say_line!("Page: {}", folder.join(PAGE).display());
        match self.accepted() {
            Some(accepted) => say_line!(
                "Champion: {}, generation {}",
                folder.join(CHAMPION).display(),
                accepted.generation
            ),
            None => say_line!("No candidate was accepted: the start stays champion."),
        }
        if let Some((path, _)) = exported {
            let path = path.display().to_string();
            say_line!(
                "Play it: {} play, or name {path} as a UCI engine in a chess program",
                quoted(&path)
            );
        }
    }
}
