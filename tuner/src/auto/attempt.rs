//! The generation in work: what it fits, the positions that it may learn from (the sample, what the
//! champions recorded, and the games of the tests before), and what its fit says of its candidate.

use std::collections::BTreeMap;
use std::path::PathBuf;

use command_line::quoted;
use evaluation_tuning::fit::report::Errors;
use system::files::read_text;

use super::files::{GAMES, PER_GAME, TEST_GAMES, write_text};
use super::folder::Folder;
use super::generation::{Fitted, RegretFall};
use super::settings::{Sample, Settings};

/// A file of positions to learn from.
pub(super) struct Origin {
    pub path: PathBuf,
    /// Name of the file in the notes of a candidate.
    pub name: String,
    /// The file as the line that repeats a fit in the run's folder calls it.
    pub word: String,
}

impl Origin {
    fn of_sample(sample: &Sample) -> Origin {
        let word = quoted(&sample.path.display().to_string());
        Origin { path: sample.path.clone(), name: "the sample".to_string(), word }
    }

    fn in_folder(folder: &Folder, number: u32, file: &str, kind: &str) -> Origin {
        let path = folder.of_generation(number).join(file);
        let (name, word) = (format!("{kind} {number}"), format!("generation-{number}/{file}"));
        Origin { path, name, word }
    }
}

/// The generation in work.
pub(super) struct Attempt {
    number: u32,
    step: Fitted,
    folder: PathBuf,
    games: u32,
    origins: Vec<Origin>,
    per_game: Vec<usize>,
}

impl Attempt {
    /// The attempt to fit these numbers after the generations in the folder. All that fit terms record
    /// games of their own once all of the sample was fitted to; after a small beginning with it the next
    /// fit takes as many positions as there is time for.
    pub fn new(settings: &Settings, folder: &Folder, number: u32, step: Fitted) -> Attempt {
        let few = settings.first_per_game;
        let fits_to_sample = match (&settings.sample, few) {
            (None, _) => 0,
            (Some(_), 0) => 1,
            (Some(_), _) => 2,
        };
        let mut origins: Vec<Origin> = settings.sample.iter().map(Origin::of_sample).collect();
        let mut fits = 0;
        for earlier in folder.generations() {
            let it = earlier.generation;
            if earlier.step == Fitted::Terms {
                if fits >= fits_to_sample {
                    origins.push(Origin::in_folder(folder, it, GAMES, "generation"));
                }
                fits += 1;
            }
            if earlier.has_even_games() {
                origins.push(Origin::in_folder(folder, it, TEST_GAMES, "test"));
            }
        }
        let records = step == Fitted::Terms && fits >= fits_to_sample;
        if records {
            origins.push(Origin::in_folder(folder, number, GAMES, "generation"));
        }
        Attempt {
            number,
            step,
            folder: folder.of_generation(number),
            games: if records { settings.choices.record_games } else { 0 },
            origins,
            per_game: match fits {
                0 if few > 0 => vec![few],
                1 if few > 0 => vec![0, 8 * few, 4 * few, 2 * few],
                _ => vec![settings.choices.per_game],
            },
        }
    }

    pub fn number(&self) -> u32 {
        self.number
    }

    pub fn step(&self) -> Fitted {
        self.step
    }

    /// A file in its folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Whether an earlier process has left this file there.
    pub fn has(&self, name: &str) -> bool {
        self.file(name).exists()
    }

    /// Games of its own that it records; 0 for none.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// All positions that it may learn from, oldest first: it is the same whether its own were recorded
    /// yet or not.
    pub fn origins(&self) -> &[Origin] {
        &self.origins
    }

    /// The files of these positions.
    pub fn sources(&self) -> Vec<PathBuf> {
        self.origins.iter().map(|origin| origin.path.clone()).collect()
    }

    /// Positions of each game that its fit of terms may take at most, 0 for all: the first for which there
    /// is time; one number where nothing is to choose any more.
    pub fn per_game(&self) -> Vec<usize> {
        let known = || read_text(&self.file(PER_GAME)).ok()?.trim().parse().ok();
        let is_chosen = self.per_game.len() == 1;
        known().filter(|_| !is_chosen).map_or_else(|| self.per_game.clone(), |it| vec![it])
    }

    /// Keeps the number of positions of each game, where it followed from the time left.
    pub fn keep_per_game(&self, per_game: usize) -> anyhow::Result<()> {
        if self.per_game.len() > 1 {
            write_text(&self.file(PER_GAME), &format!("{per_game}\n"))?;
        }
        Ok(())
    }
}

/// A candidate, and what its fit says of it.
pub(super) struct FittedCandidate {
    /// Positions it was fitted to, without those held out.
    pub positions: usize,
    /// Scale of the expected result.
    pub k: f64,
    /// Errors of the champion and of the candidate; none where margins were fitted.
    pub errors: Option<(Errors, Errors)>,
    /// The gain of margins on other positions; none where terms were fitted.
    pub regret_fall: Option<RegretFall>,
    /// The gain expected in games.
    pub expected_elo: f64,
    /// The part of each group in that by the fit, in units that add up.
    pub worth: BTreeMap<String, f64>,
}

/// The sums of what single numbers are worth, by their groups.
pub(super) fn worth_of<'a>(numbers: impl Iterator<Item = (&'a str, f64)>) -> BTreeMap<String, f64> {
    let mut groups = BTreeMap::new();
    for (name, worth) in numbers {
        let group = name.split('.').next().unwrap_or(name);
        *groups.entry(group.to_string()).or_default() += worth;
    }
    groups
}
