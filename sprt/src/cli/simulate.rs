//! `sprt simulate`.

use std::fmt::Write;
use std::num::NonZeroU64;
use std::sync::atomic::Ordering;

use anyhow::Result;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use random::draws;
use schemars::JsonSchema;
use serde::Serialize;
use statistics::simulation::{Comparison, SimulatedErrors, Simulation};
use statistics::{Estimate, PairDistribution};
use system::threads::pool;

use super::design_options::{Assumptions, DesignOptions, with_commas};
use super::printing::{answer, answer_json};
use super::statuses::{WrongUse, interruption};
use super::thread_options::CoreOptions;
use super::{Status, bounds};

const EXAMPLES: &str = "\
Every simulated pair is judged twice, without and with overshoot correction, so that both columns
differ by the correction alone. A candidate of a given strength draws its pairs from the base
distribution tilted exponentially: shares times e^(lambda * score), with the one lambda that gives
the strength. In normalized Elo results hardly depend on the base; for your own engine take
--pentanomial with the counts of an earlier match.

accepted at elo0 is the true alpha, rejected at elo1 the true beta; the errors are binomial (95 %).
The same seed gives the same figures with any number of threads.

Examples:
  sprt simulate --elo0 0 --elo1 20 --batch 16
      What the correction saves when the test looks at every 16th pair
  sprt simulate --elo0 0 --elo1 5 --pairs 10000 --runs 20000
      A test cut off at 10,000 pairs
  sprt simulate --elo0 0 --elo1 10 --elo -10,0,10,20 --pentanomial 12,100,300,110,15
      Four strengths, with pairs like those of a match";

/// Arguments of `sprt simulate`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct SimulateArguments {
    #[command(flatten)]
    design: DesignOptions,
    /// Pairs between two looks at the log-likelihood ratio, 1 to 1000000
    #[arg(long, value_name = "N", default_value = "1", value_parser = bounds::batch)]
    batch: NonZeroU64,
    /// Tests to simulate for each strength, 1 to 10000000
    #[arg(long, value_name = "N", default_value_t = 100_000,
          value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    runs: u64,
    /// Seed of all randomness, any of 64 bits
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: CoreOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Output of `sprt simulate --json`.
#[derive(JsonSchema, Serialize)]
pub(super) struct Report {
    /// Name and version of this form. The version changes when a program that reads it would have
    /// to.
    #[schemars(extend("const" = Report::SCHEMA))]
    schema: &'static str,
    #[serde(flatten)]
    assumptions: Assumptions,
    /// Pairs between two looks at the ratio.
    batch_pairs: NonZeroU64,
    /// Simulated tests of each strength.
    #[schemars(range(min = 1))]
    runs: u64,
    /// Seed of all randomness.
    seed: u64,
    /// What came out for each strength.
    strengths: Vec<Strength>,
}

/// What came out for a candidate of one strength.
#[derive(JsonSchema, Serialize)]
struct Strength {
    /// The candidate's strength (Elo of the model).
    elo: f64,
    #[serde(flatten)]
    comparison: Comparison,
}

impl SimulateArguments {
    pub fn execute(self) -> Result<Status> {
        let base = self.design.base()?;
        let limit = self.design.limit();
        let simulation = Simulation {
            hypotheses: self.design.hypotheses()?,
            batch_pairs: self.batch,
            limit,
            runs: self.runs,
        };
        let mut truths = Vec::new();
        for elo in self.design.strengths()? {
            let truth = base.shifted(simulation.hypotheses.model, elo);
            truths.push((elo, truth.map_err(|error| WrongUse(error.to_string()))?));
        }
        let pool = pool(self.threads.count())?;
        let Some(strengths) = pool.install(|| simulate_all(&simulation, self.seed, truths))? else {
            return Ok(Status::Interrupted);
        };
        let report = Report {
            schema: Report::SCHEMA,
            assumptions: self.design.assumptions()?,
            batch_pairs: self.batch,
            runs: self.runs,
            seed: self.seed,
            strengths,
        };
        if self.json {
            answer_json(&report)?;
        } else {
            answer(format_args!("{}{}", self.design.describe()?, report.table()))?;
        }
        Ok(Status::Success)
    }
}

/// Simulates every strength with a progress bar; `None` if interrupted.
fn simulate_all(
    simulation: &Simulation,
    seed: u64,
    truths: Vec<(f64, PairDistribution)>,
) -> Result<Option<Vec<Strength>>> {
    let interrupted = interruption()?;
    let bar = ProgressBar::new(simulation.runs * truths.len() as u64);
    bar.set_style(
        ProgressStyle::with_template("{bar:30} {human_pos} of {human_len} tests, {eta} left")
            .expect("a valid template"),
    );
    let mut strengths = Vec::new();
    for (elo, truth) in truths {
        let on_run = || {
            bar.inc(1);
            !interrupted.load(Ordering::Relaxed)
        };
        let comparison = simulation.run(&truth, |run| draws(seed, run), on_run);
        let Some(comparison) = comparison else {
            bar.abandon();
            return Ok(None);
        };
        strengths.push(Strength { elo, comparison });
    }
    bar.finish_and_clear();
    Ok(Some(strengths))
}

impl Report {
    const SCHEMA: &str = "kamerton-simulate/1";

    fn table(&self) -> String {
        let line = "writing to a string";
        let mut text = String::new();
        writeln!(
            text,
            "Simulated   {} tests for each strength, batches of {}, seed {}",
            with_commas(self.runs as f64),
            self.batch_pairs,
            self.seed
        )
        .expect(line);
        for Strength { elo, comparison } in &self.strengths {
            let name = self.assumptions.hypotheses.model;
            writeln!(text, "\nTrue strength {elo:+.2} {name}").expect(line);
            text.push_str("  overshoot      accepted          rejected          undecided");
            text.push_str("         mean pairs    half by   95 % by\n");
            for (name, outcome) in
                [("uncorrected", &comparison.plain), ("corrected", &comparison.corrected)]
            {
                row(&mut text, name, outcome);
            }
            let saved = 100.0 * comparison.saved;
            let games =
                2.0 * (comparison.plain.mean_pairs.value - comparison.corrected.mean_pairs.value);
            writeln!(text, "  saved by the correction: {saved:.1} %, {games:.0} games a test")
                .expect(line);
        }
        text
    }
}

fn row(text: &mut String, name: &str, outcome: &SimulatedErrors) {
    let percent = |Estimate { value, error }: Estimate| {
        format!("{:6.2} ± {:.2} %", 100.0 * value, 100.0 * error)
    };
    let mean = outcome.mean_pairs;
    writeln!(
        text,
        "  {name:<12} {:>15}   {:>15}   {:>15}   {:>15}  {:>9} {:>9}",
        percent(outcome.accepted),
        percent(outcome.rejected),
        percent(outcome.undecided),
        format!("{} ± {:.1}", with_commas(mean.value), mean.error),
        with_commas(outcome.median_pairs as f64),
        with_commas(outcome.pairs_95 as f64),
    )
    .expect("writing to a string");
}
