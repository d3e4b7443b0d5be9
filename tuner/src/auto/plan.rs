//! What a run is going to do, with the games and the time to be expected.

use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::chess::bench;
use engine::search::{Control, Limits};
use engine::{Engine, Parameters};
use sprt::statistics::{Hypotheses, Limit, PairDistribution, Plan};

use super::ledger::Fitted;
use super::testing::CHECK_PAIRS;
use super::{CANDIDATE, CHAMPION, GAMES, Run, bounds};

/// Plies of a game of the champion against itself, about.
const GAME_PLIES: u32 = 90;
/// Share of drawn games at a few thousand nodes, about.
const DRAWS: f64 = 0.3;
/// Elo of the gain that a generation is planned with where nothing is known of it.
const USUAL_GAIN: f64 = 40.0;
/// Positions that a fit reads, traces and fits in a second of one processor, about.
const FIT_SPEED: f64 = 9000.0;
/// Positions in a recorded game that a fit can use, about.
const GAME_POSITIONS: usize = 62;
/// Bytes of a store for a recorded game, about.
const GAME_BYTES: u64 = 266;
/// How long the pace is measured.
const MEASURED: Duration = Duration::from_millis(300);

impl Run {
    /// Says on standard error what the generations to come will do.
    pub(super) fn show_plan(&mut self, generations: u32) {
        let next = self.generations.len() as u32 + 1;
        if next > generations {
            return;
        }
        self.measure_pace();
        let until = match generations {
            u32::MAX => "as many generations as the budget allows".to_string(),
            count => format!("{count} generations"),
        };
        let game = self.game_time(self.settings.choices.nodes).as_secs_f64() * self.threads as f64;
        eprintln!(
            "plan: {until}; a game at {} nodes a move takes {game:.2} s of a processor, {} at a time",
            self.settings.choices.nodes, self.threads
        );
        let step = self.next_step();
        eprintln!("  generation {next}: {}", self.plan_of(next, step));
        if next < generations {
            let later = match step {
                Fitted::Terms => "  then each that fits terms: ",
                Fitted::Margins => "  each that fits terms: ",
            };
            eprintln!("{later}{}", self.plan_of(next + 1, Fitted::Terms));
            if step == Fitted::Terms && self.settings.choices.margin_positions > 0 {
                let plan = self.plan_of(next + 1, Fitted::Margins);
                eprintln!("  after each accepted one, margins: {plan}");
            }
        }
    }

    /// The steps of a generation, in words.
    fn plan_of(&self, number: u32, step: Fitted) -> String {
        let choices = &self.settings.choices;
        let folder = self.generation_folder(number);
        let mut steps = Vec::new();
        let has_candidate = folder.join(CANDIDATE).exists();
        if self.records(number, step) && !has_candidate {
            let time = self.game_time(choices.record_nodes) * choices.record_games;
            let begun = if folder.join(GAMES).exists() { " (begun)" } else { "" };
            steps.push(format!("record {} games{begun}, {}", choices.record_games, spoken(time)));
        }
        if !has_candidate {
            let time = match step {
                Fitted::Terms => self.fit_time(number),
                Fitted::Margins => self.margins_time(),
            };
            steps.push(format!("fit, {}", spoken(time)));
        }
        let test = expected_pairs(&bounds::of_gain(USUAL_GAIN), USUAL_GAIN, choices.pairs);
        steps.push(format!(
            "test, {} games if it gains {USUAL_GAIN} Elo ({}), {} at most",
            2 * test,
            spoken(self.game_time(choices.nodes) * 2 * test as u32),
            2 * choices.pairs
        ));
        if self.settings.check_nodes > 0 {
            let check = expected_pairs(&bounds::of_check(), USUAL_GAIN / 2.0, CHECK_PAIRS);
            steps.push(format!(
                "check at {} nodes, {} games ({})",
                self.settings.check_nodes,
                2 * check,
                spoken(self.game_time(self.settings.check_nodes) * 2 * check as u32)
            ));
        }
        steps.join("; ")
    }

    /// Time for a game at so many nodes a move, with all threads at work on others.
    fn game_time(&self, nodes: u64) -> Duration {
        self.pace.game_per_node * nodes.min(u64::from(u32::MAX)) as u32
    }

    /// Time for a fit of terms, going by the last one or by the positions to come.
    fn fit_time(&self, number: u32) -> Duration {
        if self.pace.fit > Duration::ZERO {
            return self.pace.fit;
        }
        let last = self.generations.iter().rev().find(|it| it.step == Fitted::Terms);
        let before = last.map_or(0, |it| it.positions as u32);
        let games = match &self.settings.sample {
            Some(sample) if number == 1 => {
                std::fs::metadata(&sample.path).map_or(0, |file| file.len() / GAME_BYTES)
            }
            _ => u64::from(self.settings.choices.record_games),
        };
        let of_game = match self.settings.choices.per_game {
            0 => GAME_POSITIONS,
            most => most.min(GAME_POSITIONS),
        };
        let positions = f64::from(before) + games as f64 * of_game as f64;
        Duration::from_secs_f64(positions / FIT_SPEED / self.threads as f64)
    }

    /// Measures how fast the champion searches, where no game was played yet.
    fn measure_pace(&mut self) {
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
        let ply = started.elapsed() / searched.max(1);
        self.pace.game_per_node =
            ply * GAME_PLIES / self.threads.max(1) as u32 / nodes.clamp(1, 1 << 30) as u32;
    }
}

/// Pairs that a test takes on average for a candidate that is stronger by `gain` (normalized Elo).
fn expected_pairs(hypotheses: &Hypotheses, gain: f64, pairs: u64) -> u64 {
    let limit = Limit { pairs, decide: false };
    PairDistribution::of_draw_ratio(DRAWS, PairDistribution::usual_bias(DRAWS))
        .and_then(|base| Plan::new(*hypotheses, base))
        .and_then(|plan| plan.outlook(gain, Some(limit)))
        .map_or(pairs, |outlook| outlook.mean_pairs.ceil() as u64)
}

/// A time in words.
fn spoken(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..=99 => format!("{} s", seconds.max(1)),
        seconds @ 100..=5999 => format!("{} min", (seconds + 30) / 60),
        seconds => format!("{:.1} h", seconds as f64 / 3600.0),
    }
}
