//! The plan of a run, with the games and the time to be expected.

use statistics::{Hypotheses, Limit, PairDistribution, TestPlan};

use super::bounds;
use super::display::spoken;
use super::folder::{CANDIDATE, GAMES};
use super::ledger::Fitted;
use super::run::Run;
use super::testing::CHECK_PAIRS;

/// Share of drawn games at a few thousand nodes, about.
const DRAWS: f64 = 0.3;
/// Elo of the gain that a generation is planned with where nothing is known of it.
const USUAL_GAIN: f64 = 40.0;

impl Run {
    /// Says on standard error what the generations to come will do.
    pub(super) fn show_plan(&self, generations: u32) {
        let next = self.generations.len() as u32 + 1;
        if next > generations {
            return;
        }
        let until = match generations {
            u32::MAX => "as many generations as the budget allows".to_string(),
            count => format!("{count} generations"),
        };
        let game = self.game_time(self.settings.choices.nodes).as_secs_f64() * self.threads as f64;
        self.voice.detail(format!(
            "plan: {until}; a game at {} nodes a move takes {game:.2} s of a processor, {} at a time",
            self.settings.choices.nodes, self.threads
        ));
        let step = self.next_step;
        self.voice.detail(format!("generation {next}: {}", self.plan_of(next, step)));
        if next < generations {
            let later = match step {
                Fitted::Terms => "then each that fits terms: ",
                Fitted::Margins => "each that fits terms: ",
            };
            self.voice.detail(later.to_string() + &self.plan_of(next + 1, Fitted::Terms));
            if step == Fitted::Terms && self.settings.choices.margin_positions > 0 {
                let plan = self.plan_of(next + 1, Fitted::Margins);
                self.voice.detail(format!("after each accepted one, margins: {plan}"));
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
            let time = self.record_time(number);
            let begun = if folder.join(GAMES).exists() { " (begun)" } else { "" };
            steps.push(format!("record {} games{begun}, {}", choices.record_games, spoken(time)));
        }
        if !has_candidate {
            let time = match step {
                Fitted::Terms => self.fit_time(number),
                Fitted::Margins => self.margins_time(number, choices.margin_rounds),
            };
            steps.push(format!("fit, {}", spoken(time)));
        }
        let hypotheses = bounds::of_gain(USUAL_GAIN, !choices.whole);
        let test = expected_pairs(&hypotheses, USUAL_GAIN, choices.pairs);
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
}

/// Pairs that a test takes on average for a candidate that is stronger by `gain` (normalized Elo).
fn expected_pairs(hypotheses: &Hypotheses, gain: f64, pairs: u64) -> u64 {
    let limit = Limit { pairs, decide: false };
    PairDistribution::of_draw_ratio(DRAWS, PairDistribution::usual_bias(DRAWS))
        .and_then(|base| TestPlan::new(*hypotheses, base))
        .and_then(|plan| plan.outlook(gain, Some(limit)))
        .map_or(pairs, |outlook| outlook.mean_pairs.ceil() as u64)
}
