//! How long the steps of a generation take, by the pace of searching: which of them fit into what is
//! left of a budget.

use std::path::Path;
use std::time::{Duration, Instant};

use search_tuning::margins;

use super::attempt::Attempt;
use super::files::{CANDIDATE, GAMES, JOURNAL};
use super::folder::Folder;
use super::generation::Fitted;
use super::pace::{Deadline, MarginsWork, Pace};
use super::task::{EXPORT_RESERVE, Task};

/// Least time for a test that is worth beginning.
const TEST_RESERVE: Duration = Duration::from_secs(30);
/// Share of what is left when a step begins that is kept for its test.
const TEST_SHARE: f64 = 0.25;
/// A fit takes as long for a position as a game does for so many nodes a move: it reads, traces and
/// fits it.
const FIT_NODES: f64 = 1.5;
/// Positions in a recorded game that a fit can use, about.
const GAME_POSITIONS: usize = 62;
/// Bytes of a store for a recorded game, about, and the ending of its name.
const GAME_BYTES: u64 = 266;
const STORE: &str = "kgames";
/// Bytes of a position in any other file, about.
const POSITION_BYTES: u64 = 70;
/// How much longer a step may take than is expected.
const DOUBT: f64 = 1.3;
/// Rounds without which margins are not worth a test.
const ROUNDS_MIN: usize = 2;

/// How long the steps of an attempt take.
pub(super) struct Estimates<'a> {
    task: &'a Task,
    attempt: &'a Attempt,
    pace: Pace,
}

impl<'a> Estimates<'a> {
    /// The steps at the pace of now.
    pub fn new(task: &'a Task, folder: &Folder, attempt: &'a Attempt) -> Estimates<'a> {
        Estimates { task, attempt, pace: folder.hours().pace() }
    }

    /// The time that the attempt needs beyond what is left, and for which steps; none if there is
    /// enough, or nothing was done yet.
    pub fn missing(&self) -> Option<(Duration, &'static str)> {
        let left = self.task.budget().remaining()?;
        let what = match self.attempt.step() {
            _ if self.attempt.number() == 1 => return None,
            _ if self.attempt.has(CANDIDATE) => "the test of its candidate",
            Fitted::Terms if self.attempt.games() > 0 => "games, a fit of terms and its test",
            Fitted::Terms => "a fit of terms and its test",
            Fitted::Margins => "a fit of margins and its test",
        };
        Some((self.needed().checked_sub(left)?, what))
    }

    /// Time that the attempt needs, in whole seconds.
    pub fn needed(&self) -> Duration {
        let fitting = match self.attempt.step() {
            _ if self.attempt.has(CANDIDATE) => Duration::ZERO,
            Fitted::Terms => self.record() + self.fit().mul_f64(DOUBT),
            Fitted::Margins => self.margins(ROUNDS_MIN),
        };
        Duration::from_secs((fitting + TEST_RESERVE + EXPORT_RESERVE).as_secs() + 1)
    }

    /// Whether there is time for a fit that takes so long, for its test and for the binary.
    pub fn allows(&self, fitting: Duration) -> bool {
        self.task.budget().allows(fitting + TEST_RESERVE + EXPORT_RESERVE)
    }

    /// Positions of each game that the fit of terms takes at most, 0 for all: the most with which there
    /// is time for it; the fewest where there is for none.
    pub fn per_game(&self) -> usize {
        let numbers = self.attempt.per_game();
        let (fewest, more) = numbers.split_last().expect("there is a number");
        let fits = |&&number: &&usize| self.allows(self.fit_with(number).mul_f64(DOUBT));
        *more.iter().find(fits).unwrap_or(fewest)
    }

    /// Until when the margins of an attempt that begins now are fitted and compared.
    pub fn margins_deadline(&self) -> Deadline {
        let share = |left: Duration| left.saturating_sub(EXPORT_RESERVE).mul_f64(1.0 - TEST_SHARE);
        Deadline {
            end: self.task.budget().remaining().map(|left| Instant::now() + share(left)),
            work: self.margins_work(),
            pace: self.pace,
        }
    }

    fn margins_work(&self) -> MarginsWork {
        let choices = self.task.choices();
        MarginsWork { positions: choices.margin_positions, nodes: choices.nodes }
    }

    /// Time for what is left of so many rounds of margins, and for their comparison.
    pub fn margins(&self, rounds: usize) -> Duration {
        let done = margins::rounds_in(&self.attempt.file(JOURNAL));
        let work = self.margins_work();
        self.pace.of_nodes(work.rounds(done, rounds) + work.comparison())
    }

    /// Games that the attempt still has to record, about.
    fn missing_games(&self) -> u64 {
        let recorded = games_in(&self.attempt.file(GAMES));
        u64::from(self.attempt.games()).saturating_sub(recorded)
    }

    /// Time for what is left of the games that the attempt records.
    pub fn record(&self) -> Duration {
        let nodes = self.task.choices().record_nodes;
        self.pace.of_game(nodes).mul_f64(self.missing_games() as f64)
    }

    /// Time for a fit of terms, going by the positions to come.
    pub fn fit(&self) -> Duration {
        self.fit_with(self.per_game())
    }

    /// The same with so many positions of each game, 0 for all.
    fn fit_with(&self, per_game: usize) -> Duration {
        let of_game = match per_game {
            0 => GAME_POSITIONS,
            most => most.min(GAME_POSITIONS),
        };
        let positions = |path: &Path| match games_in(path) {
            0 => std::fs::metadata(path).map_or(0, |file| file.len()) / POSITION_BYTES,
            games => games * of_game as u64,
        };
        let written: u64 = self.attempt.origins().iter().map(|it| positions(&it.path)).sum();
        let coming = self.missing_games() * of_game as u64;
        self.pace.of_game(1).mul_f64((written + coming) as f64 * FIT_NODES)
    }
}

/// Games in a store of recorded games, about; 0 where a file is none.
pub(super) fn games_in(path: &Path) -> u64 {
    let is_store = path.extension().is_some_and(|ending| ending == STORE);
    let bytes = std::fs::metadata(path).map_or(0, |file| file.len());
    if is_store { bytes / GAME_BYTES } else { 0 }
}
