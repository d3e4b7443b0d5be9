//! The positions that a generation may learn from: the sample, what the champions recorded, and the
//! games of the tests before.

use std::path::PathBuf;

use sprt::statistics::Verdict;

use super::ledger::{Fitted, Generation};
use super::{GAMES, Run, TEST_GAMES};
use crate::command_line::quoted;

/// Elo between two players beyond which the games of their test are left out: there a result tells
/// who played rather than what was on the board.
const EVEN: f64 = 100.0;

/// Positions to learn from.
pub(super) struct Origin {
    /// Their file.
    pub path: PathBuf,
    /// What the notes of a candidate call them.
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
        let earlier = self.generations.iter().filter(|it| it.generation < number);
        let fits = earlier.filter(|it| it.step == Fitted::Terms).count();
        let of_sample = match (&self.settings.sample, self.settings.first_per_game) {
            (None, _) => 0,
            (Some(_), 0) => 1,
            (Some(_), _) => 2,
        };
        step == Fitted::Terms && fits >= of_sample
    }

    /// Positions of each game that the fit of a generation's terms takes at most; 0 means all.
    pub(super) fn per_game(&self, number: u32) -> usize {
        match (number, self.settings.first_per_game) {
            (1, few) if few > 0 => few,
            _ => self.settings.choices.per_game,
        }
    }

    /// What a generation fits, if it is done or the next one.
    fn step_of(&self, number: u32) -> Fitted {
        let done = self.generations.get(number as usize - 1);
        done.map_or_else(|| self.next_step(), |generation| generation.step)
    }

    /// What the next generation fits: margins after an accepted evaluation, which has moved what
    /// they should be.
    pub(super) fn next_step(&self) -> Fitted {
        let moved = self
            .generations
            .last()
            .is_some_and(|last| last.step == Fitted::Terms && last.verdict == Verdict::Accepted);
        let wanted = self.settings.choices.margin_positions > 0;
        if moved && wanted { Fitted::Margins } else { Fitted::Terms }
    }
}

impl Generation {
    /// Whether the games of its test are some to learn from: played, and between equals.
    pub(super) fn has_even_games(&self) -> bool {
        self.counts.pairs() > 0 && self.elo.value.abs() <= EVEN
    }
}
