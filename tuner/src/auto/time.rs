//! How long steps take, by the pace of searching: which of them fit into what is left of a budget.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chess::bench;
use chess::engine::{Control, Limits};
use chess::{Engine, Parameters};
use search_tuning::margins;

use super::folder::{CANDIDATE, CHAMPION, GAMES, JOURNAL};
use super::hours::Lap;
use super::ledger::Fitted;
use super::pace::{Deadline, GAME_PLIES, MarginsWork};
use super::run::Run;

/// Time kept for making the binary: a second of work, most of which is its bench.
pub(super) const EXPORT_RESERVE: Duration = Duration::from_secs(10);
/// Least time for a test that is worth beginning.
pub(super) const TEST_RESERVE: Duration = Duration::from_secs(30);
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
/// Games from which on they say how fast the machine is; in fewer of them processors wait for the last.
const TELLING_GAMES: u32 = 50;
/// How much longer a step may take than is expected.
const DOUBT: f64 = 1.3;
/// How long the pace is measured.
const MEASURED: Duration = Duration::from_millis(300);
/// Rounds without which margins are not worth a test.
const ROUNDS_MIN: usize = 2;

impl Run {
    /// The time that the next generation needs beyond what is left, and for which steps; none if
    /// there is enough, or nothing was done yet.
    pub(super) fn missing_time(&self) -> Option<(Duration, String)> {
        let left = self.budget.remaining()?;
        let (next, step) = (self.generations.len() as u32 + 1, self.next_step);
        let what = match step {
            _ if next == 1 => return None,
            _ if self.has_candidate(next) => "the test of its candidate",
            Fitted::Terms if self.records(next, step) => "games, a fit of terms and its test",
            Fitted::Terms => "a fit of terms and its test",
            Fitted::Margins => "a fit of margins and its test",
        };
        let missing = self.needed_time(step).checked_sub(left)?;
        Some((missing, what.to_string()))
    }

    /// Time that the next generation needs if it fits these numbers, in whole seconds.
    pub(super) fn needed_time(&self, step: Fitted) -> Duration {
        let next = self.generations.len() as u32 + 1;
        let fitting = match step {
            _ if self.has_candidate(next) => Duration::ZERO,
            Fitted::Terms => self.record_time(next) + self.fit_time(next).mul_f64(DOUBT),
            Fitted::Margins => self.margins_time(next, ROUNDS_MIN),
        };
        Duration::from_secs((fitting + TEST_RESERVE + EXPORT_RESERVE).as_secs() + 1)
    }

    fn has_candidate(&self, number: u32) -> bool {
        self.generation_folder(number).join(CANDIDATE).exists()
    }

    /// The first of these numbers of positions a game, 0 for all, with which there is time for a fit of
    /// terms and its test; the last where there is for none.
    pub(super) fn affordable<const N: usize>(&self, number: u32, per_game: [usize; N]) -> usize {
        let is_affordable = |&per_game: &usize| {
            let fitting = self.fit_time_with(number, per_game).mul_f64(DOUBT);
            self.budget.allows(fitting + TEST_RESERVE + EXPORT_RESERVE)
        };
        per_game.into_iter().find(is_affordable).unwrap_or(per_game[N - 1])
    }

    /// Until when the margins of a generation that begins now are fitted and compared.
    pub(super) fn margins_deadline(&self) -> Deadline {
        let share = |left: Duration| left.saturating_sub(EXPORT_RESERVE).mul_f64(1.0 - TEST_SHARE);
        Deadline {
            end: self.budget.remaining().map(|left| Instant::now() + share(left)),
            work: self.margins_work(),
            pace: self.pace,
        }
    }

    fn margins_work(&self) -> MarginsWork {
        let choices = &self.settings.choices;
        MarginsWork { positions: choices.margin_positions, nodes: choices.nodes }
    }

    /// Time for what is left of so many rounds of margins, and for their comparison.
    pub(super) fn margins_time(&self, number: u32, rounds: usize) -> Duration {
        let done = margins::rounds_in(&self.generation_folder(number).join(JOURNAL));
        let work = self.margins_work();
        self.pace.of_nodes(work.rounds(done, rounds) + work.comparison())
    }

    /// Time for a game at so many nodes a move, with all threads at work on others.
    pub(super) fn game_time(&self, nodes: u64) -> Duration {
        self.pace.game_per_node.mul_f64(nodes as f64)
    }

    /// Games that a generation which fits terms still has to record, about.
    fn missing_games(&self, number: u32) -> u64 {
        if !self.records(number, Fitted::Terms) {
            return 0;
        }
        let recorded = games_in(&self.generation_folder(number).join(GAMES));
        u64::from(self.settings.choices.record_games).saturating_sub(recorded)
    }

    /// Time for what is left of the games that a generation records.
    pub(super) fn record_time(&self, number: u32) -> Duration {
        let nodes = self.settings.choices.record_nodes;
        self.game_time(nodes).mul_f64(self.missing_games(number) as f64)
    }

    /// Time for a fit of terms, going by the positions to come.
    pub(super) fn fit_time(&self, number: u32) -> Duration {
        self.fit_time_with(number, self.per_game(number))
    }

    /// The same with so many positions of each game, 0 for all.
    fn fit_time_with(&self, number: u32, per_game: usize) -> Duration {
        let of_game = match per_game {
            0 => GAME_POSITIONS,
            most => most.min(GAME_POSITIONS),
        };
        let positions = |path: &Path| match games_in(path) {
            0 => std::fs::metadata(path).map_or(0, |file| file.len()) / POSITION_BYTES,
            games => games * of_game as u64,
        };
        let written: u64 = self.sources(number).iter().map(|path| positions(path)).sum();
        let coming = self.missing_games(number) * of_game as u64;
        self.pace.game_per_node.mul_f64((written + coming) as f64 * FIT_NODES)
    }

    /// Remembers how long games take.
    pub(super) fn measure(&mut self, lap: &Lap, games: u32, nodes: u64) {
        if games >= TELLING_GAMES && nodes > 0 {
            let nodes = f64::from(games) * nodes as f64;
            self.pace.game_per_node = lap.elapsed().div_f64(nodes);
        }
    }

    /// Measures how fast the champion searches, where no game was played yet.
    pub(super) fn measure_pace(&mut self) {
        let champion = self.folder.join(CHAMPION);
        let Ok(parameters) = Parameters::load(&champion) else { return };
        let mut engine = Engine::new(Arc::new(parameters), 1);
        let nodes = self.settings.choices.nodes;
        let (started, mut searched) = (Instant::now(), 0u32);
        for (_, position) in bench::positions().collect::<Vec<_>>().iter().cycle() {
            engine.search(position, &Limits::nodes(nodes), &Control::new(), &mut |_| {});
            searched += 1;
            if started.elapsed() >= MEASURED {
                break;
            }
        }
        let nodes = f64::from(searched.max(1)) * nodes.max(1) as f64 * self.threads.max(1) as f64;
        self.pace.game_per_node = started.elapsed().mul_f64(GAME_PLIES / nodes);
    }
}

/// Games in a store of recorded games, about; 0 where a file is none.
pub(super) fn games_in(path: &Path) -> u64 {
    let is_store = path.extension().is_some_and(|ending| ending == STORE);
    let bytes = std::fs::metadata(path).map_or(0, |file| file.len());
    if is_store { bytes / GAME_BYTES } else { 0 }
}
