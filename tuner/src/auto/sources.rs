//! The positions that a generation may learn from: the sample, what the champions recorded, and the
//! games of the tests before.

use std::io::Write as _;
use std::path::PathBuf;

use command_line::quoted;
use statistics::Verdict;
use system::files;

use super::folder::{CANDIDATE, GAMES, JOURNAL, TEST_GAMES};
use super::ledger::{Fitted, Generation};
use super::run::Run;

/// Elo between two players beyond which the games of their test are left out: there a result tells
/// who played rather than what was on the board.
const EVEN: f64 = 100.0;

/// Keeps the number of positions of each game that a fit takes.
const PER_GAME: &str = "per-game.txt";

/// A file of positions to learn from.
pub(super) struct Origin {
    pub path: PathBuf,
    /// Name of the file in the notes of a candidate.
    pub name: String,
    /// The file as the line that repeats a fit in the run's folder calls it.
    pub word: String,
}

impl Run {
    /// All positions that a generation may learn from, oldest first: it is the same whether its own
    /// were recorded yet or not.
    pub(super) fn origins(&self, number: u32) -> Vec<Origin> {
        let sample = self.settings.sample.as_ref().map(|sample| Origin {
            path: sample.path.clone(),
            name: "the sample".to_string(),
            word: quoted(&sample.path.display().to_string()),
        });
        let of = |generation: u32, file: &str, name: String| Origin {
            path: self.generation_folder(generation).join(file),
            name,
            word: format!("generation-{generation}/{file}"),
        };
        let mut origins: Vec<Origin> = sample.into_iter().collect();
        for earlier in self.generations.iter().filter(|it| it.generation < number) {
            let it = earlier.generation;
            if self.records(it, earlier.step) {
                origins.push(of(it, GAMES, format!("generation {it}")));
            }
            if earlier.has_even_games() {
                origins.push(of(it, TEST_GAMES, format!("test {it}")));
            }
        }
        if self.records(number, self.step_of(number)) {
            origins.push(of(number, GAMES, format!("generation {number}")));
        }
        origins
    }

    /// The files of these positions.
    pub(super) fn sources(&self, number: u32) -> Vec<PathBuf> {
        self.origins(number).into_iter().map(|origin| origin.path).collect()
    }

    /// Whether a generation records games of its own: all that fit terms do, once all of the sample
    /// was fitted to, if there is one.
    pub(super) fn records(&self, number: u32, step: Fitted) -> bool {
        let of_sample = match (&self.settings.sample, self.settings.first_per_game) {
            (None, _) => 0,
            (Some(_), 0) => 1,
            (Some(_), _) => 2,
        };
        step == Fitted::Terms && self.fits_before(number) >= of_sample
    }

    /// Fits of terms before a generation.
    fn fits_before(&self, number: u32) -> usize {
        let earlier = self.generations.iter().filter(|it| it.generation < number);
        earlier.filter(|it| it.step == Fitted::Terms).count()
    }

    /// Positions of each game that the fit of a generation's terms takes at most; 0 means all. After a
    /// small beginning the next fit takes as many as there is time for, which its folder remembers.
    pub(super) fn per_game(&self, number: u32) -> usize {
        let few = self.settings.first_per_game;
        match self.fits_before(number) {
            0 if few > 0 => few,
            1 if few > 0 => {
                let known = files::read_text(&self.generation_folder(number).join(PER_GAME)).ok();
                let known = known.and_then(|text| text.trim().parse().ok());
                known.unwrap_or_else(|| self.affordable(number, [0, 8 * few, 4 * few, 2 * few]))
            }
            _ => self.settings.choices.per_game,
        }
    }

    /// Keeps the number of positions of each game, where it followed from the time left.
    pub(super) fn keep_per_game(&self, number: u32, per_game: usize) -> anyhow::Result<()> {
        if self.settings.first_per_game == 0 || self.fits_before(number) != 1 {
            return Ok(());
        }
        let path = self.generation_folder(number).join(PER_GAME);
        files::write_atomically(&path, |file| writeln!(file, "{per_game}"))?;
        Ok(())
    }

    /// The fit of a generation, if it is done or the next one.
    fn step_of(&self, number: u32) -> Fitted {
        let done = self.generations.get(number as usize - 1);
        done.map_or(self.next_step, |generation| generation.step)
    }

    /// Chooses the fit of the next generation: margins after an accepted evaluation, which has moved
    /// what they should be; terms again where there is no time for margins. A fit that was begun goes on.
    pub(super) fn choose_step(&self) -> Fitted {
        let moved = self
            .generations
            .last()
            .is_some_and(|last| last.step == Fitted::Terms && last.verdict == Verdict::Accepted);
        if !moved || self.settings.choices.margin_positions == 0 {
            return Fitted::Terms;
        }
        let folder = self.generation_folder(self.generations.len() as u32 + 1);
        let is_begun = |files: &[&str]| files.iter().any(|name| folder.join(name).exists());
        let [margins, terms] = [Fitted::Margins, Fitted::Terms].map(|step| self.needed_time(step));
        let is_terms = is_begun(&[CANDIDATE, GAMES, PER_GAME])
            || !self.budget.allows(margins) && terms < margins;
        if !is_begun(&[JOURNAL]) && is_terms { Fitted::Terms } else { Fitted::Margins }
    }
}

impl Generation {
    /// Whether the games of its test are some to learn from: played, and between equals.
    pub(super) fn has_even_games(&self) -> bool {
        self.counts.pairs() > 0 && self.elo.value.abs() <= EVEN
    }
}
