//! `sprt calculate`.

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use sprt::statistics::{Figures, Hypotheses, Model, PairCounts, Sample};

use super::match_options::HypothesesOptions;
use super::{Status, WrongUse};

/// Arguments of `sprt calculate`.
#[derive(Args, Debug)]
pub struct CalculateArguments {
    /// Pairs by outcome: LL,LD,WL+DD,WD,WW or, with all six apart, LL,LD,WL,DD,WD,WW
    #[arg(
        long,
        value_name = "COUNTS",
        value_delimiter = ',',
        num_args = 1,
        required_unless_present = "trinomial",
        conflicts_with = "trinomial"
    )]
    pentanomial: Vec<u64>,
    /// Single games by outcome: L,D,W
    #[arg(long, value_name = "COUNTS", value_delimiter = ',', num_args = 1)]
    trinomial: Vec<u64>,
    #[command(flatten)]
    hypotheses: HypothesesOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is printed as JSON.
#[derive(Serialize)]
struct Calculation {
    llr: f64,
    llr_lower: f64,
    llr_upper: f64,
    verdict: sprt::statistics::Verdict,
    elo: f64,
    elo_error: f64,
    nelo: f64,
    nelo_error: f64,
    los: f64,
    elo_after_stop: f64,
    elo_after_stop_lower: f64,
    elo_after_stop_upper: f64,
}

impl CalculateArguments {
    /// Computes and prints.
    pub fn execute(self) -> Result<Status> {
        let hypotheses = self.hypotheses.hypotheses();
        hypotheses.validate().map_err(|error| WrongUse(error.to_string()))?;
        let (sample, games) = self.samples(&hypotheses)?;
        let calculation =
            Calculation::new(&Figures::new(&sample, &games, &hypotheses), &hypotheses);
        if self.json {
            println!("{}", serde_json::to_string_pretty(&calculation)?);
        } else {
            print!("{calculation}");
        }
        Ok(Status::Success)
    }

    /// The sample of pairs or games, and that of games for the draws of BayesElo.
    fn samples(&self, hypotheses: &Hypotheses) -> Result<(Sample, Sample), WrongUse> {
        let wrong = |message: String| Err(WrongUse(message));
        match (self.trinomial.as_slice(), self.pentanomial.as_slice()) {
            (&[losses, draws, wins], []) => {
                let games = Sample::of_games([losses, draws, wins]);
                Ok((games, games))
            }
            ([], &[loss_loss, loss_draw, win_loss, draw_draw, win_draw, win_win]) => {
                let counts =
                    PairCounts { loss_loss, loss_draw, win_loss, draw_draw, win_draw, win_win };
                Ok((counts.sample(), counts.game_sample()))
            }
            ([], &[_, _, _, _, _]) if hypotheses.model == Model::Bayes => {
                wrong("BayesElo needs the draws: give six counts LL,LD,WL,DD,WD,WW".to_owned())
            }
            ([], &[loss_loss, loss_draw, draw_draw, win_draw, win_win]) => {
                let win_loss = 0;
                let counts =
                    PairCounts { loss_loss, loss_draw, win_loss, draw_draw, win_draw, win_win };
                Ok((counts.sample(), counts.game_sample()))
            }
            ([], counts) => {
                wrong(format!("--pentanomial needs five or six counts, not {}", counts.len()))
            }
            (counts, _) => wrong(format!("--trinomial needs three counts, not {}", counts.len())),
        }
    }
}

impl Calculation {
    fn new(figures: &Figures, hypotheses: &Hypotheses) -> Calculation {
        Calculation {
            llr: figures.log_likelihood_ratio,
            llr_lower: hypotheses.lower_bound(),
            llr_upper: hypotheses.upper_bound(),
            verdict: figures.verdict,
            elo: figures.elo.value,
            elo_error: figures.elo.error,
            nelo: figures.normalized_elo.value,
            nelo_error: figures.normalized_elo.error,
            los: figures.likelihood_of_superiority,
            elo_after_stop: figures.elo_after_stop.elo,
            elo_after_stop_lower: figures.elo_after_stop.lower,
            elo_after_stop_upper: figures.elo_after_stop.upper,
        }
    }
}

impl std::fmt::Display for Calculation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(
            f,
            "LLR         {:.6} within [{:.6}, {:.6}]",
            self.llr, self.llr_lower, self.llr_upper
        )?;
        writeln!(f, "Elo         {:+.3} ± {:.3} (95 %)", self.elo, self.elo_error)?;
        writeln!(
            f,
            "  unbiased  {:+.3} [{:+.3}, {:+.3}] if a sequential test stopped here",
            self.elo_after_stop, self.elo_after_stop_lower, self.elo_after_stop_upper
        )?;
        writeln!(f, "Normalized  {:+.3} ± {:.3}", self.nelo, self.nelo_error)?;
        writeln!(f, "LOS         {:.3} %", 100.0 * self.los)
    }
}
