//! Options of a design that is planned or simulated, and how its figures are printed.

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use statistics::{Hypotheses, Limit, Model, PairCounts, PairDistribution};

use super::bounds::{self, count};
use super::match_options::HypothesesOptions;
use super::statuses::WrongUse;

/// A test, the pairs it will see, and how strong the candidate may be.
#[derive(Args, Clone, Debug)]
pub struct DesignOptions {
    #[command(flatten)]
    hypotheses: HypothesesOptions,
    /// True strengths of the candidate, between commas, each within ±2000 [default: elo0, midway,
    /// elo1]
    #[arg(
        long,
        value_name = "ELO,…",
        value_delimiter = ',',
        num_args = 1,
        allow_hyphen_values = true,
        value_parser = bounds::elo
    )]
    elo: Vec<f64>,
    /// Greatest number of pairs, 1 to 10^12 [default: until decided]
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u64).range(bounds::PLANNED_PAIRS))]
    pairs: Option<u64>,
    /// At the greatest number of pairs, decide by the sign of the log-likelihood ratio
    #[arg(long, requires = "pairs")]
    decide_at_limit: bool,
    /// Pairs of a match like the one to come, by outcome: LL,LD,WL+DD,WD,WW or LL,LD,WL,DD,WD,WW
    /// (each up to 2^50)
    #[arg(long, value_name = "COUNTS", value_delimiter = ',', num_args = 1, value_parser = count,
          conflicts_with_all = ["draw_ratio", "book_bias"])]
    pentanomial: Vec<u64>,
    /// Share of drawn games between equal players, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.676, value_parser = bounds::share)]
    draw_ratio: f64,
    /// What the openings give to one side (root mean square, logistic Elo, 0 to 1000) [default: 72,
    /// or less where so many draws leave no room for that]
    #[arg(long, value_name = "ELO", value_parser = bounds::bias)]
    book_bias: Option<f64>,
}

impl DesignOptions {
    /// The hypotheses that the options give, if they can be tested.
    pub fn hypotheses(&self) -> Result<Hypotheses, WrongUse> {
        let hypotheses = self.hypotheses.hypotheses();
        hypotheses.validate().map_err(|error| WrongUse(error.to_string()))?;
        Ok(hypotheses)
    }

    /// Where the test is cut off.
    pub fn limit(&self) -> Option<Limit> {
        self.pairs.map(|pairs| Limit { pairs, decide: self.decide_at_limit })
    }

    /// The true strengths (Elo of the model).
    pub fn strengths(&self) -> Result<Vec<f64>, WrongUse> {
        let Hypotheses { elo0, elo1, .. } = self.hypotheses()?;
        if self.elo.is_empty() {
            return Ok(vec![elo0, 0.5 * (elo0 + elo1), elo1]);
        }
        Ok(self.elo.clone())
    }

    /// The distribution of the pairs, to be shifted to each strength.
    pub fn base(&self) -> Result<PairDistribution, WrongUse> {
        let base = match *self.pentanomial.as_slice() {
            [] => {
                let bias = self.book_bias;
                let bias = bias.unwrap_or_else(|| PairDistribution::usual_bias(self.draw_ratio));
                PairDistribution::of_draw_ratio(self.draw_ratio, bias)
            }
            _ => PairDistribution::of_counts(&pair_counts(
                &self.pentanomial,
                self.hypotheses.hypotheses().model,
            )?),
        };
        base.map_err(|error| WrongUse(error.to_string()))
    }

    /// Share of drawn games and bias of the openings that are assumed; unknown from five counts,
    /// which do not tell two draws from a win and a loss.
    pub fn draws_and_bias(&self) -> Result<Option<(f64, f64)>, WrongUse> {
        let base = self.base()?;
        Ok((self.pentanomial.len() != 5).then(|| (base.draw_ratio(), base.book_bias())))
    }

    /// The design as JSON shows it.
    pub fn assumptions(&self) -> Result<Assumptions, WrongUse> {
        let (limit, known) = (self.limit(), self.draws_and_bias()?);
        Ok(Assumptions {
            hypotheses: self.hypotheses()?,
            pairs_limit: limit.map(|limit| limit.pairs),
            decide_at_limit: limit.is_some_and(|limit| limit.decide),
            draw_ratio: known.map(|(draws, _)| draws),
            book_bias: known.map(|(_, bias)| bias),
        })
    }

    /// The design in words: three lines.
    pub fn describe(&self) -> Result<String, WrongUse> {
        let hypotheses = self.hypotheses()?;
        let Hypotheses { model, elo0, elo1, alpha, beta } = hypotheses;
        let pairs = match self.draws_and_bias()? {
            None => "as counted; five counts do not tell how many games were drawn".to_owned(),
            Some((draws, bias)) => {
                format!("{:.1} % of games drawn, openings' bias {bias:.0} Elo", 100.0 * draws)
            }
        };
        let limit = match self.limit() {
            None => "until decided".to_owned(),
            Some(Limit { pairs, decide: false }) => format!("{pairs} pairs, then undecided"),
            Some(Limit { pairs, decide: true }) => format!("{pairs} pairs, then by the sign"),
        };
        Ok(format!(
            "Test        {} [{elo0}, {elo1}], alpha {alpha}, beta {beta}, bounds {:.3} and {:.3}\n\
             Limit       {limit}\n\
             Pairs       {pairs}\n",
            model,
            hypotheses.lower_bound(),
            hypotheses.upper_bound()
        ))
    }
}

/// What a forecast rests on, as JSON.
#[derive(JsonSchema, Serialize)]
pub struct Assumptions {
    /// What the test decides between.
    pub hypotheses: Hypotheses,
    /// Pairs at which the test is cut off.
    #[schemars(range(min = 1))]
    pairs_limit: Option<u64>,
    /// The sign of the ratio decides there.
    decide_at_limit: bool,
    /// Share of drawn games that is assumed, 0 to 1; `None` if five counts were given.
    #[schemars(range(min = 0, max = 1))]
    draw_ratio: Option<f64>,
    /// Bias of the openings that is assumed (root mean square, logistic Elo); `None` if five counts
    /// were given.
    #[schemars(range(min = 0))]
    book_bias: Option<f64>,
}

/// Pairs from five or six counts on the command line.
pub fn pair_counts(counts: &[u64], model: Model) -> Result<PairCounts, WrongUse> {
    let counts = match *counts {
        [loss_loss, loss_draw, win_loss, draw_draw, win_draw, win_win] => {
            PairCounts { loss_loss, loss_draw, win_loss, draw_draw, win_draw, win_win }
        }
        [_, _, _, _, _] if model == Model::Bayes => {
            let message = "BayesElo needs the draws: give six counts LL,LD,WL,DD,WD,WW";
            return Err(WrongUse(message.to_owned()));
        }
        [loss_loss, loss_draw, draw_draw, win_draw, win_win] => {
            PairCounts { loss_loss, loss_draw, win_loss: 0, draw_draw, win_draw, win_win }
        }
        _ => {
            let message = format!("--pentanomial needs five or six counts, not {}", counts.len());
            return Err(WrongUse(message));
        }
    };
    Ok(counts)
}

/// A whole number with commas between thousands.
pub fn with_commas(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) && !text.ends_with('-') {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
