//! Options of a match, and the line that repeats it.

use std::path::Path;
use std::str::FromStr;

use clap::{Args, ValueEnum};

use sprt::game::{Adjudication, DrawRule, GameSettings, MoveLimits, ResignRule};
use sprt::statistics::{Hypotheses, Model};
use sprt::test::Rules;

/// Scale of the hypotheses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ModelName {
    /// In units of the game's standard deviation
    Normalized,
    /// The usual Elo of expected scores
    Logistic,
    /// BayesElo, its draw parameter taken from the games
    Bayes,
}

impl From<ModelName> for Model {
    fn from(name: ModelName) -> Model {
        match name {
            ModelName::Normalized => Model::Normalized,
            ModelName::Logistic => Model::Logistic,
            ModelName::Bayes => Model::Bayes,
        }
    }
}

/// What the sequential test decides between.
#[derive(Args, Clone, Debug)]
pub struct HypothesesOptions {
    /// Advantage at which the candidate is rejected (Elo of the model)
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,
    /// Advantage at which the candidate is accepted (Elo of the model)
    #[arg(long, value_name = "ELO", default_value_t = 5.0, allow_negative_numbers = true)]
    elo1: f64,
    /// Scale of elo0 and elo1
    #[arg(long, value_enum, default_value_t = ModelName::Normalized)]
    model: ModelName,
    /// Probability of accepting a candidate at elo0
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    alpha: f64,
    /// Probability of rejecting a candidate at elo1
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    beta: f64,
}

impl HypothesesOptions {
    /// The hypotheses, not yet validated.
    pub fn hypotheses(&self) -> Hypotheses {
        let &HypothesesOptions { elo0, elo1, model, alpha, beta } = self;
        Hypotheses { model: model.into(), elo0, elo1, alpha, beta }
    }
}

/// How a match is played.
#[derive(Args, Clone, Debug)]
pub struct MatchOptions {
    /// Nodes a move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..),
          required_unless_present = "depth")]
    nodes: Option<u64>,
    /// Depth of a move in plies; with --nodes, whatever is reached first
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Greatest number of pairs
    #[arg(long, value_name = "N", default_value_t = 40_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
    /// Play all pairs, whatever the test says on the way
    #[arg(long)]
    no_early_stop: bool,
    #[command(flatten)]
    hypotheses: HypothesesOptions,
    /// Seed of the order of the openings
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Transposition table of each player in megabytes
    #[arg(long, value_name = "MB", default_value_t = 4,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=65536))]
    hash: usize,
    /// Draw after so many moves when both scores were within so many centipawns for so many
    /// moves; or "never"
    #[arg(long, value_name = "AFTER,MOVES,SCORE", default_value = "34,8,20")]
    draw: Rule<3>,
    /// Loss when both scores said so for so many moves by so many centipawns; or "never"
    #[arg(long, value_name = "MOVES,SCORE", default_value = "3,600")]
    resign: Rule<2>,
    /// Plies after which a game is a draw
    #[arg(long, value_name = "PLIES", default_value_t = 400,
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    max_plies: u32,
}

impl MatchOptions {
    /// The rules of the run.
    pub fn rules(&self) -> Rules {
        let draw = self.draw.0.map(|[after_moves, moves, score]| DrawRule {
            after_moves,
            moves,
            score: score as i32,
        });
        let resign = self.resign.0.map(|[moves, score]| ResignRule { moves, score: score as i32 });
        Rules {
            game: GameSettings {
                limits: MoveLimits { nodes: self.nodes, depth: self.depth },
                adjudication: Adjudication { draw, resign },
                max_plies: self.max_plies,
            },
            hash_megabytes: self.hash,
            pairs: self.pairs,
            early_stop: !self.no_early_stop,
            hypotheses: self.hypotheses.hypotheses(),
            seed: self.seed,
        }
    }
}

/// The command line that repeats a run from the copies in its folder.
pub fn repeating_line(folder: &Path, rules: &Rules) -> String {
    let file = |name: &str| folder.join(name).display().to_string();
    let mut words: Vec<String> = vec!["sprt run".into()];
    let mut option = |name: &str, value: String| words.push(format!("--{name} {value}"));
    option("candidate", file("candidate.toml"));
    option("baseline", file("baseline.toml"));
    option("openings", file("openings.epd"));
    let MoveLimits { nodes, depth } = rules.game.limits;
    if let Some(nodes) = nodes {
        option("nodes", nodes.to_string());
    }
    if let Some(depth) = depth {
        option("depth", depth.to_string());
    }
    option("pairs", rules.pairs.to_string());
    let Hypotheses { model, elo0, elo1, alpha, beta } = rules.hypotheses;
    let model = match model {
        Model::Normalized => "normalized",
        Model::Logistic => "logistic",
        Model::Bayes => "bayes",
    };
    option("model", model.into());
    for (name, value) in [("elo0", elo0), ("elo1", elo1), ("alpha", alpha), ("beta", beta)] {
        option(name, value.to_string());
    }
    option("seed", rules.seed.to_string());
    option("hash", rules.hash_megabytes.to_string());
    let Adjudication { draw, resign } = rules.game.adjudication;
    let never = || "never".to_owned();
    let draw = draw.map_or_else(never, |DrawRule { after_moves, moves, score }| {
        format!("{after_moves},{moves},{score}")
    });
    option("draw", draw);
    let resign =
        resign.map_or_else(never, |ResignRule { moves, score }| format!("{moves},{score}"));
    option("resign", resign);
    option("max-plies", rules.game.max_plies.to_string());
    if !rules.early_stop {
        words.push("--no-early-stop".into());
    }
    words.push("--output FOLDER".into());
    words.join(" ")
}

/// `N` numbers between commas, or "never".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Rule<const N: usize>(Option<[u32; N]>);

impl<const N: usize> FromStr for Rule<N> {
    type Err = String;

    fn from_str(text: &str) -> Result<Rule<N>, String> {
        if text == "never" {
            return Ok(Rule(None));
        }
        let numbers: Option<Vec<u32>> = text
            .split(',')
            .map(|word| word.trim().parse().ok().filter(|&number| number <= 100_000))
            .collect();
        let numbers = numbers.and_then(|numbers| numbers.try_into().ok());
        numbers
            .map(|numbers| Rule(Some(numbers)))
            .ok_or_else(|| format!("{N} whole numbers up to 100000 between commas, or \"never\""))
    }
}
