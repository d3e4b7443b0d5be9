//! Options of a match, and the line that repeats it.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::WrongUse;
use super::adjudication_options::AdjudicationOptions;
use super::opening_options::OpeningOptions;

use sprt::contestant::{Contestant, Source};
use sprt::game::MemorySpan;
use sprt::limits::{DEFAULT_MARGIN, MoveLimits, TimeControl};
use sprt::report::Summary;
use sprt::run::{PlayRules, find_openings, syzygy_folders};
use sprt::statistics::{Design, Hypotheses, Model};
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

/// How long players remember what they learned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum MemoryName {
    /// Every move is searched as by a fresh player
    Move,
    /// Every game is played as by a fresh player
    Game,
    /// The second game of a pair begins with what was learned in the first
    Pair,
}

impl From<MemoryName> for MemorySpan {
    fn from(name: MemoryName) -> MemorySpan {
        match name {
            MemoryName::Move => MemorySpan::Move,
            MemoryName::Game => MemorySpan::Game,
            MemoryName::Pair => MemorySpan::Pair,
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
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth of a move in plies; with other limits, whatever is reached first
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Clock: [MOVES/]TIME[+INCREMENT] in seconds
    #[arg(long, value_name = "TC")]
    tc: Option<TimeControl>,
    /// Time for each move in milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// A move that is late by up to this does not lose (milliseconds)
    #[arg(long, value_name = "MS", default_value_t = DEFAULT_MARGIN)]
    margin: u64,
    /// Greatest number of pairs
    #[arg(long, value_name = "N", default_value_t = 40_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
    /// Play all pairs, whatever the test says on the way
    #[arg(long)]
    no_early_stop: bool,
    #[command(flatten)]
    hypotheses: HypothesesOptions,
    #[command(flatten)]
    openings: OpeningOptions,
    /// Seed of the order of the openings
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Transposition table of each player in megabytes [default: 4 for parameters, other engines
    /// their own]
    #[arg(long, value_name = "MB",
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=65536))]
    hash: Option<usize>,
    /// How long players remember what they learned
    #[arg(long, value_enum, default_value_t = MemoryName::Game)]
    memory: MemoryName,
    /// The run fails when the players made more faults than this (losses on time not counted)
    #[arg(long, value_name = "N", default_value_t = PlayRules::DEFAULT_MOST_FAULTS)]
    max_faults: u64,
    #[command(flatten)]
    adjudication: AdjudicationOptions,
}

impl MatchOptions {
    /// Reads the description of a player; what it leaves open is as for all players.
    pub fn contestant(&self, words: &[String]) -> Result<Contestant, WrongUse> {
        let &MatchOptions { nodes, depth, movetime: move_time, tc: clock, margin, .. } = self;
        let limits = MoveLimits { nodes, depth, move_time, clock, margin };
        let contestant = Contestant::parse(words, limits, self.hash)
            .map_err(|error| WrongUse(error.to_string()))?;
        if contestant.limits.is_unlimited() {
            return Err(WrongUse(format!(
                "{}: how long may it think? give --tc, --movetime, --nodes or --depth",
                contestant.name
            )));
        }
        Ok(contestant)
    }

    /// Folders of endgame tables.
    pub fn syzygy(&self) -> Vec<PathBuf> {
        self.adjudication.folders()
    }

    /// The rules of the run.
    pub fn rules(&self) -> Rules {
        Rules {
            play: PlayRules {
                game: self.adjudication.settings(self.memory.into()),
                openings: self.openings.settings(),
                seed: self.seed,
                most_faults: self.max_faults,
                most_time_losses: None,
            },
            pairs: self.pairs,
            early_stop: !self.no_early_stop,
            hypotheses: self.hypotheses.hypotheses(),
            design: Design::default(),
        }
    }
}

/// The command line that repeats a run from the copies in its folder.
pub fn repeating_line(folder: &Path, summary: &Summary) -> String {
    let rules = &summary.rules;
    let mut words: Vec<String> = vec!["sprt run".into()];
    let mut option = |name: &str, value: String| words.push(format!("--{name} {value}"));
    for (role, contestant) in ["candidate", "baseline"].into_iter().zip(&summary.contestants) {
        option(role, contestant_words(folder, contestant));
    }
    option("openings", quoted(&find_openings(folder).display().to_string()));
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
    option("seed", rules.play.seed.to_string());
    let memory = match rules.play.game.memory {
        MemorySpan::Move => "move",
        MemorySpan::Game => "game",
        MemorySpan::Pair => "pair",
    };
    option("memory", memory.into());
    option("max-faults", rules.play.most_faults.to_string());
    words.push(AdjudicationOptions::words(&rules.play.game, &syzygy_folders(folder)));
    words.push(OpeningOptions::words(&rules.play.openings));
    if !rules.early_stop {
        words.push("--no-early-stop".into());
    }
    words.push("--output FOLDER".into());
    words.join(" ")
}

/// The words that describe a contestant, its parameters taken from the run's folder.
fn contestant_words(folder: &Path, contestant: &Contestant) -> String {
    let Contestant { name, source, limits, hash } = contestant;
    let mut words = Vec::new();
    match source {
        Source::Parameters { file, .. } => words.push(folder.join(file).display().to_string()),
        Source::Random => words.push("random".into()),
        Source::Uci(engine) => {
            words.push(format!("cmd={}", engine.command.display()));
            words.extend(engine.arguments.iter().map(|argument| format!("arg={argument}")));
            words.extend(engine.folder.iter().map(|folder| format!("dir={}", folder.display())));
            let options = engine.options.iter();
            words.extend(options.map(|(name, value)| format!("option.{name}={value}")));
            words.extend(engine.nice.map(|nice| format!("nice={nice}")));
            for (name, timeout) in [
                ("start", engine.start_timeout),
                ("reply", engine.reply_timeout),
                ("move", engine.move_timeout),
            ] {
                words.push(format!("{name}-timeout={}", timeout as f64 / 1000.0));
            }
            let position = if engine.short_positions { "short" } else { "full" };
            words.push(format!("position={position}"));
        }
    }
    words.push(format!("name={name}"));
    words.extend(hash.map(|hash| format!("hash={hash}")));
    words.extend(limits.nodes.map(|nodes| format!("nodes={nodes}")));
    words.extend(limits.depth.map(|depth| format!("depth={depth}")));
    words.extend(limits.move_time.map(|time| format!("movetime={}", time as f64 / 1000.0)));
    words.extend(limits.clock.map(|clock| format!("tc={clock}")));
    words.push(format!("margin={}", limits.margin));
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// A word as a shell takes it.
pub fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=+:,@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
