//! `sprt plan`.

use std::fmt::Write;

use anyhow::Result;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use statistics::{Outlook, TestPlan};

use super::design_options::{Assumptions, DesignOptions, with_commas};
use super::printing::{answer, answer_json};
use super::statuses::WrongUse;
use super::{Status, bounds};

const EXAMPLES: &str = "\
Figures are those of a Brownian motion between the bounds: exact for long tests. The hardest case, a
candidate midway between elo0 and elo1, needs 1.6 times as many pairs as one at elo0 or elo1. Half
as wide bounds need four times as many pairs.

In normalized Elo the number of pairs depends on the bounds alone. Logistic Elo and BayesElo need to
know how pairs are distributed: by --pentanomial with the counts of an earlier match, or roughly by
--draw-ratio and --book-bias.

A test cut off at --pairs errs differently from what alpha and beta say: the columns give the true
probabilities. Undecided tests reject nothing; --decide-at-limit makes them decide by the sign of
the ratio, for larger errors.

Examples:
  sprt plan --elo0 0 --elo1 5 --games-per-second 20
      How many pairs, and hours at the speed that another test showed
  sprt plan --elo0 0 --elo1 3 --pairs 20000 --decide-at-limit
      What remains of alpha and beta when there is time for 20,000 pairs only
  sprt plan --model logistic --elo0 -1.75 --elo1 0.25 --pentanomial 127,4883,10712,5150,104
      A test of a simplification in logistic Elo, for pairs like those of an earlier match";

/// Arguments of `sprt plan`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct PlanArguments {
    #[command(flatten)]
    design: DesignOptions,
    /// Measured speed of all threads together, for the hours (1e-6 to 10^9)
    #[arg(long, value_name = "N", conflicts_with = "games_per_hour",
          value_parser = bounds::speed)]
    games_per_second: Option<f64>,
    /// Measured speed of all threads together, for the hours (1e-6 to 10^9)
    #[arg(long, value_name = "N", value_parser = bounds::speed)]
    games_per_hour: Option<f64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Output of `sprt plan --json`.
#[derive(JsonSchema, Serialize)]
pub(super) struct Forecast {
    /// Name and version of this form. The version changes when a program that reads it would have
    /// to.
    #[schemars(extend("const" = Forecast::SCHEMA))]
    schema: &'static str,
    #[serde(flatten)]
    assumptions: Assumptions,
    /// Speed; `None` if unknown.
    #[schemars(range(min = 0))]
    games_per_hour: Option<f64>,
    /// What to expect for each strength.
    strengths: Vec<Strength>,
    /// The longest mean of all strengths (pairs), that of a candidate midway between the hypotheses.
    worst_case_pairs: f64,
    /// The same in games.
    worst_case_games: f64,
    /// The same in hours; `None` if the speed is unknown.
    #[schemars(range(min = 0))]
    worst_case_hours: Option<f64>,
}

/// What to expect for a candidate of one strength.
#[derive(JsonSchema, Serialize)]
struct Strength {
    #[serde(flatten)]
    outlook: Outlook,
    /// Mean number of games.
    mean_games: f64,
    /// Mean time; `None` if the speed is unknown.
    #[schemars(range(min = 0))]
    mean_hours: Option<f64>,
    /// 19 tests in 20 take at most this long; `None` if the speed is unknown.
    #[schemars(range(min = 0))]
    hours_95: Option<f64>,
}

impl PlanArguments {
    pub fn execute(self) -> Result<Status> {
        let forecast = self.forecast()?;
        if self.json {
            answer_json(&forecast)?;
        } else {
            answer(format_args!("{}{}", self.design.describe()?, forecast.table()))?;
        }
        Ok(Status::Success)
    }

    fn forecast(&self) -> Result<Forecast, WrongUse> {
        let wrong = |error: statistics::DistributionError| WrongUse(error.to_string());
        let games_per_hour = match (self.games_per_second, self.games_per_hour) {
            (Some(rate), _) => Some(3600.0 * rate),
            (None, rate) => rate,
        };
        let hours = |pairs: f64| games_per_hour.map(|rate| 2.0 * pairs / rate);
        let base = self.design.base()?;
        let plan = TestPlan::new(self.design.hypotheses()?, base).map_err(wrong)?;
        let limit = self.design.limit();
        let mut strengths = Vec::new();
        for elo in self.design.strengths()? {
            let outlook = plan.outlook(elo, limit).map_err(wrong)?;
            strengths.push(Strength {
                outlook,
                mean_games: 2.0 * outlook.mean_pairs,
                mean_hours: hours(outlook.mean_pairs),
                hours_95: hours(outlook.pairs_95),
            });
        }
        let worst = plan.outlook(plan.hardest_elo(), limit).map_err(wrong)?.mean_pairs;
        Ok(Forecast {
            schema: Forecast::SCHEMA,
            assumptions: self.design.assumptions()?,
            games_per_hour,
            strengths,
            worst_case_pairs: worst,
            worst_case_games: 2.0 * worst,
            worst_case_hours: hours(worst),
        })
    }
}

impl Forecast {
    const SCHEMA: &str = "kamerton-plan/1";

    fn table(&self) -> String {
        let mut text = format!(
            "\nTrue advantage in {}:\n\
             {:>10}  accepted  rejected   undecided    mean pairs   half by      95 % by\n",
            self.assumptions.hypotheses.model, "Elo"
        );
        let line = "writing to a string";
        for Strength { outlook, .. } in &self.strengths {
            writeln!(
                text,
                "{:>+10.2} {:>7.2} % {:>7.2} % {:>9.2} % {:>13} {:>9} {:>12}",
                outlook.elo,
                100.0 * outlook.accepted,
                100.0 * outlook.rejected,
                100.0 * outlook.undecided,
                with_commas(outlook.mean_pairs),
                with_commas(outlook.median_pairs),
                with_commas(outlook.pairs_95),
            )
            .expect(line);
        }
        text.push('\n');
        for Strength { outlook, mean_games, mean_hours, hours_95 } in &self.strengths {
            let time = match (mean_hours, hours_95) {
                (Some(mean), Some(most)) => {
                    format!(", {mean:.2} hours; 95 % end within {most:.2} hours")
                }
                _ => String::new(),
            };
            writeln!(
                text,
                "At {:+.2} {}: {} games{time}",
                outlook.elo,
                self.assumptions.hypotheses.model,
                with_commas(*mean_games)
            )
            .expect(line);
        }
        let time =
            self.worst_case_hours.map_or(String::new(), |hours| format!(", {hours:.2} hours"));
        writeln!(
            text,
            "Worst case, midway between elo0 and elo1: {} pairs, {} games{time} on average",
            with_commas(self.worst_case_pairs),
            with_commas(self.worst_case_games)
        )
        .expect(line);
        text
    }
}
