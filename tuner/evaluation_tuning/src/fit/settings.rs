//! Settings that decide the result of a fit, besides positions and starting values.

use clap::{Args, ValueEnum};
use command_line::{WrongUse, within};
use positions::Shares;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::selection::held;
use crate::model::K_RANGE;
use crate::model::loss::Loss;

/// The settings of a fit, as the command line and a run's folder hold them.
#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitSettings {
    /// How to minimize the error.
    #[arg(long, value_enum, default_value_t = Optimizer::Auto)]
    pub optimizer: Optimizer,
    /// What is minimized the mean of; both are reported.
    #[arg(long, value_enum, default_value_t = Loss::Squares)]
    pub loss: Loss,
    /// Iterations at most, to 1,000,000 [default: 300 for auto, 30 for levenberg-marquardt, 100
    /// passes for adamw].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub epochs: Option<u32>,
    /// Share of games whose error decides when to stop; with 0 the fit goes on to the least error of
    /// the positions fitted to, with the pull.
    #[arg(long, default_value_t = 0.1, value_name = "SHARE", value_parser = within(0.0, 0.9))]
    pub validation: f64,
    /// Share of games held out: they take no part in the fit, and their error is reported. With 0
    /// that of the positions fitted to stands in its place.
    #[arg(long, default_value_t = 0.1, value_name = "SHARE", value_parser = within(0.0, 0.9))]
    pub held_out: f64,
    /// Share of the search score in the target, 0 (results only) to 1 (scores only) [default: that
    /// which lowers the error of the validation games' results most].
    #[arg(long, value_name = "SHARE", value_parser = within(0.0, 1.0))]
    pub lambda: Option<f64>,
    /// Pull towards the starting values, to 1e9: the summed squared error grows by this much for a
    /// term one pawn away from its start; the same with every optimizer [default: 20; for traces,
    /// whose starting values may be anything, 1].
    #[arg(long, value_name = "STRENGTH", value_parser = within(0.0, 1e9))]
    pub regularization: Option<f64>,
    /// Tie of neighboring squares, to 1e9: the summed squared error grows by this much for two
    /// neighbors in a square table of which one changes by a pawn more than the other [default: 50;
    /// for traces, which have no squares, none].
    #[arg(long, value_name = "STRENGTH", value_parser = within(0.0, 1e9))]
    pub tie_squares: Option<f64>,
    /// Fit these alone, and hold all others: numbers (`material.knight.endgame`), or by `group` or
    /// `group.name` all below.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Hold these: numbers or groups.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub freeze: Vec<String>,
    /// Move only what is significant: fit again with all numbers held at their starts that changed
    /// by less than this many standard errors.
    #[arg(long, value_name = "Z", value_parser = within(0.0, 100.0))]
    pub shrink: Option<f64>,
    /// Positions a term must occur in; rarer terms stay as they are and are listed.
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub seen_min: u32,
    /// Use this K, from 0.02 to 20, instead of fitting it.
    #[arg(long, value_name = "K", value_parser = within(K_RANGE.0, K_RANGE.1))]
    pub k: Option<f64>,
    /// At the end, fit K to the tuned values by what is on the board, too: whether a centipawn means
    /// the same in each phase.
    #[arg(long)]
    pub k_by_material: bool,
    /// Share of this machine's memory that traces may take; what is more lies in a temporary file.
    #[arg(long, default_value_t = MEMORY_SHARE, value_name = "SHARE", value_parser = within(0.0, 1.0))]
    #[serde(default = "memory_share")]
    pub memory: f64,
}

/// Share of the memory that traces may take unless another is asked for.
const MEMORY_SHARE: f64 = 0.5;

fn memory_share() -> f64 {
    MEMORY_SHARE
}

/// How the error is minimized.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Optimizer {
    /// The best known to us: the curvature of a sample of the positions, corrected by the gradients of
    /// all. Without games to stop by it is levenberg-marquardt.
    Auto,
    /// Second order, few iterations: damped Gauss–Newton steps over all positions.
    #[value(alias = "lm")]
    LevenbergMarquardt,
    /// First order, many passes: adaptive steps over mini-batches.
    Adamw,
}

/// Iterations at most, if none are asked for.
const AUTO_ITERATIONS: u32 = 300;
const NEWTON_ITERATIONS: u32 = 30;
const PASSES: u32 = 100;
/// Pull that nobody chose, of Kamerton's own evaluation.
const PULL: f64 = 20.0;
/// The same for traces: of twenty numbers set with little care, with 48,000 positions and eight seeds,
/// the held-out error falls by .00134 with this, by .00099 with 20 and by .00141 with a tenth; with a
/// few thousand positions the differences are chance.
const PULL_OF_TRACES: f64 = 1.0;
/// Tie of neighboring squares that nobody chose: with it fits to 1.1 million positions lay lower on
/// three public sets than with none (docs/lab/loop.md).
const TIE_SQUARES: f64 = 50.0;
/// Greatest share of the games that may be kept from the fit.
const KEPT_MAX: f64 = 0.9;

impl Optimizer {
    /// The name, as the option takes it.
    pub fn name(self) -> String {
        let value = self.to_possible_value().expect("every optimizer is offered");
        value.get_name().to_string()
    }
}

impl FitSettings {
    /// Checks what the single options do not, for a fit of Kamerton's own evaluation.
    ///
    /// # Errors
    /// [`WrongUse`] when too few games are left to fit to, and for words that name no number.
    pub fn check(&self) -> anyhow::Result<()> {
        self.check_shares()?;
        held(&self.only, &self.freeze).map(|_| ())
    }

    /// Checks that enough games are fitted to.
    ///
    /// # Errors
    /// [`WrongUse`] when they do not.
    fn check_shares(&self) -> Result<(), WrongUse> {
        let kept = self.validation + self.held_out;
        if kept > KEPT_MAX {
            let range = format!("from 0 to {KEPT_MAX}, not {kept}");
            let text = format!("--validation and --held-out together must be {range}");
            return Err(WrongUse(text));
        }
        Ok(())
    }

    /// The same for a fit of traces: refuses what only one of Kamerton's own evaluation of chess can do. Which
    /// numbers there are says the parameter file.
    ///
    /// # Errors
    /// [`WrongUse`] that names the option.
    pub fn check_for_traces(&self) -> Result<(), WrongUse> {
        let asked = [
            ("--tie-squares", self.tie_squares.is_some()),
            ("--k-by-material", self.k_by_material),
        ];
        match asked.into_iter().find(|(_, is_asked)| *is_asked) {
            None => self.check_shares(),
            Some((option, _)) => Err(WrongUse(format!(
                "{option} needs positions of chess, and Kamerton's own evaluation of it"
            ))),
        }
    }

    /// The settings as options of the command line, each with its value.
    pub fn to_options(&self) -> String {
        let settings = serde_json::to_value(self).expect("numbers and words");
        let options = settings.as_object().into_iter().flatten().filter_map(|(name, value)| {
            let option = format!(" --{}", name.replace('_', "-"));
            Some(match value {
                Value::Null | Value::Bool(false) => return None,
                Value::Bool(true) => option,
                Value::String(word) => format!("{option} {word}"),
                Value::Array(words) if words.is_empty() => return None,
                Value::Array(words) => {
                    let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
                    format!("{option} {}", words.join(","))
                }
                number => format!("{option} {number}"),
            })
        });
        options.collect()
    }

    /// How strongly values are pulled towards where they start.
    pub fn pull(&self) -> f64 {
        self.regularization.unwrap_or(PULL)
    }

    /// The settings for traces of any engine.
    #[must_use]
    pub fn for_traces(&self) -> FitSettings {
        let regularization = Some(self.regularization.unwrap_or(PULL_OF_TRACES));
        FitSettings { regularization, ..self.clone() }
    }

    /// How strongly neighboring squares are tied, where there are any.
    pub fn tie(&self) -> f64 {
        self.tie_squares.unwrap_or(TIE_SQUARES)
    }

    /// Shares of the games that are kept from the fit.
    pub fn shares(&self) -> Shares {
        Shares { validation: self.validation, held_out: self.held_out }
    }

    /// Most iterations: those given, or the optimizer's usual number.
    pub fn iterations(&self) -> u32 {
        self.epochs.unwrap_or(match self.optimizer {
            Optimizer::Auto => AUTO_ITERATIONS,
            Optimizer::LevenbergMarquardt => NEWTON_ITERATIONS,
            Optimizer::Adamw => PASSES,
        })
    }
}
