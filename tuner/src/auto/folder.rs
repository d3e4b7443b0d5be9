//! The folder of a run: all that was done so far, so that a run killed at any moment goes on from it.

use std::fs::File;
use std::iter;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use playable::{Game, Numbers};
use statistics::Verdict;
use system::files;

use super::files::{
    BINARY, CHAMPION, HOURS, LEDGER, PAGE, RESULT, SETTINGS, SHOWCASE, START, folder_of_generation,
    read_json, write_json, write_text,
};
use super::generation::{Generation, Showcase};
use super::hours::Hours;
use super::ledger::write_ledger;
use super::settings::{Settings, sha256_of};

/// The folder of a run, which no other process writes to as long as this lives.
pub(super) struct Folder {
    path: PathBuf,
    game: Game,
    /// The generations that are finished.
    generations: Vec<Generation>,
    hours: Hours,
    _lock: File,
}

impl Folder {
    /// Makes the folder of a new run; the settings come last: where they are, there is all of it.
    pub fn begin(path: &Path, settings: &Settings, start: &str) -> anyhow::Result<Folder> {
        files::create_folder(path)?;
        let folder = Folder::locked(path, settings.game)?;
        let shown = path.display();
        ensure!(Settings::load(path)?.is_none(), "another run was just begun in {shown}");
        let manifest = format!("{BINARY}.json");
        let first = folder_of_generation(1);
        files::check_free(path, [CHAMPION, LEDGER, HOURS, PAGE, BINARY, &manifest, &first])?;
        files::write_beside_others(&path.join(START), start.as_bytes())?;
        write_json(&path.join(SETTINGS), settings)?;
        Ok(folder)
    }

    /// Opens the folder of a run that was begun, with what it finished.
    pub fn open(path: &Path, game: Game) -> anyhow::Result<Folder> {
        let mut folder = Folder::locked(path, game)?;
        loop {
            let result = folder.of_generation(folder.next_number()).join(RESULT);
            if !result.exists() {
                return Ok(folder);
            }
            folder.generations.push(Generation::load(&result)?);
        }
    }

    /// Keeps a second process out of a folder.
    fn locked(path: &Path, game: Game) -> anyhow::Result<Folder> {
        let lock = files::lock_folder(path)?;
        let taken = || format!("another `tuner auto` is at work in {}", path.display());
        Ok(Folder {
            path: path.to_path_buf(),
            game,
            generations: Vec::new(),
            hours: Hours::of(path),
            _lock: lock.with_context(taken)?,
        })
    }

    /// Checks that the files which later steps begin from are those the run wrote.
    ///
    /// # Errors
    /// Naming the first file that was changed: what was found from it is not true of it any more.
    pub fn check_files(&self, settings: &Settings) -> anyhow::Result<()> {
        let start = (self.file(START), &settings.start_sha256, "--start");
        let candidates = self.generations.iter().map(|generation| {
            let folder = self.of_generation(generation.generation);
            (folder.join(generation.file()), &generation.sha256, "--start")
        });
        let sample = settings.sample.iter();
        let sample = sample.map(|sample| (sample.path.clone(), &sample.sha256, "--sample"));
        for (path, expected, option) in iter::once(start).chain(candidates).chain(sample) {
            ensure!(
                sha256_of(&path)? == *expected,
                "{} was changed after the run had begun with it: put the file back, or begin \
                 another run with {option} and --output",
                path.display()
            );
        }
        Ok(())
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn game(&self) -> Game {
        self.game
    }

    /// A file of the run.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The folder of a generation.
    pub fn of_generation(&self, number: u32) -> PathBuf {
        self.path.join(folder_of_generation(number))
    }

    pub fn hours(&self) -> &Hours {
        &self.hours
    }

    pub fn generations(&self) -> &[Generation] {
        &self.generations
    }

    /// The number of the generation in work.
    pub fn next_number(&self) -> u32 {
        self.generations.len() as u32 + 1
    }

    /// The generations whose candidates became champions.
    pub fn accepted(&self) -> impl DoubleEndedIterator<Item = &Generation> {
        self.generations.iter().filter(|generation| generation.verdict == Verdict::Accepted)
    }

    /// The values of the champion.
    pub fn champion(&self) -> anyhow::Result<Numbers> {
        self.numbers(&self.file(CHAMPION))
    }

    /// The values that the run began with.
    pub fn start(&self) -> anyhow::Result<Numbers> {
        self.numbers(&self.file(START))
    }

    /// The values of a parameter file of the run's game.
    pub fn numbers(&self, path: &Path) -> anyhow::Result<Numbers> {
        Ok(self.game.open_numbers(path)?.0)
    }

    /// The file that the champion comes from in the run's folder: the last accepted candidate, or the start.
    pub fn champion_source(&self) -> String {
        self.accepted().next_back().map_or(START.to_string(), |generation| {
            format!("{}/{}", folder_of_generation(generation.generation), generation.file())
        })
    }

    /// Keeps a generation that is finished.
    pub fn add(&mut self, generation: Generation) -> anyhow::Result<()> {
        write_json(&self.of_generation(generation.generation).join(RESULT), &generation)?;
        self.generations.push(generation);
        Ok(())
    }

    /// Writes what follows from the generations, and from one that the budget cut: ledger and champion.
    pub fn write_state(&self, cut: Option<&Generation>) -> anyhow::Result<()> {
        write_ledger(&self.file(LEDGER), self.generations.iter().chain(cut))?;
        let champion = files::read_text(&self.file(&self.champion_source()))?;
        Ok(write_text(&self.file(CHAMPION), &champion)?)
    }

    /// The games of a generation's champion against the start so far, if there are any.
    pub fn showcase_of(&self, generation: u32) -> Option<Showcase> {
        let known = read_json(&self.of_generation(generation).join(SHOWCASE));
        known.filter(|it: &Showcase| it.counts.pairs() > 0)
    }

    /// Keeps the result of these games.
    pub fn keep_showcase(&self, generation: u32, showcase: &Showcase) -> anyhow::Result<()> {
        write_json(&self.of_generation(generation).join(SHOWCASE), showcase)
    }
}
