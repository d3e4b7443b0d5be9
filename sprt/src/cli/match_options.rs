//! Options of a match, and the line that repeats it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Args, ValueEnum};

use super::WrongUse;
use super::adjudication_options::AdjudicationOptions;
use super::bounds;
use super::contestant_words::quoted;
use super::opening_options::OpeningOptions;
use super::thread_options::ThreadOptions;

use sprt::game::{DEFAULT_MARGIN, MoveLimits, TimeControl, milliseconds};
use sprt::player::Contestant;
use sprt::playing::MemorySpan;
use sprt::run::{PlayRules, Workers, find_openings, syzygy_folders};
use sprt::statistics::{Hypotheses, Model};

/// Scale of the hypotheses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ModelName {
    /// In units of the game's standard deviation
    #[value(alias = "normalised")]
    Normalized,
    /// The usual Elo of expected scores
    Logistic,
    /// BayesElo, its draw parameter taken from the games
    #[value(alias = "bayeselo")]
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
    /// Advantage at which the candidate is rejected (Elo of the model, within ±2000)
    #[arg(long, value_name = "ELO", default_value_t = 0.0, value_parser = bounds::elo)]
    elo0: f64,
    /// Advantage at which the candidate is accepted (Elo of the model, within ±2000 and at least
    /// 0.001 above elo0)
    #[arg(long, value_name = "ELO", default_value_t = 5.0, value_parser = bounds::elo)]
    elo1: f64,
    /// Scale of elo0 and elo1
    #[arg(long, value_enum, default_value_t = ModelName::Normalized)]
    model: ModelName,
    /// Probability of accepting a candidate at elo0, from 1e-9; with beta at most 0.99
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = bounds::probability)]
    alpha: f64,
    /// Probability of rejecting a candidate at elo1, from 1e-9; with alpha at most 0.99
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = bounds::probability)]
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
    /// Nodes a move, 1 to 10^12: games are then the same on every machine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(bounds::NODES))]
    nodes: Option<u64>,
    /// Depth of a move in plies, 1 to 100; with other limits, whatever is reached first
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Clock: [MOVES/]TIME[+INCREMENT] in seconds, as in 8+0.08 or 40/60; up to 100 days
    #[arg(long, value_name = "TC")]
    tc: Option<TimeControl>,
    /// Time for each move in seconds, 0.001 to 10000000
    #[arg(long, value_name = "SECONDS", value_parser = milliseconds)]
    movetime: Option<u64>,
    /// A move that is late by up to this does not lose (milliseconds, up to an hour)
    #[arg(long, value_name = "MS", default_value_t = DEFAULT_MARGIN,
          value_parser = clap::value_parser!(u64).range(bounds::WAIT))]
    margin: u64,
    #[command(flatten)]
    openings: OpeningOptions,
    /// Seed of the order of the openings, any of 64 bits
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Transposition table of each player in megabytes, 1 to 65536; those of all games at once must
    /// fit into memory [default: 4 for parameters, other engines their own]
    #[arg(long, value_name = "MB",
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(bounds::HASH))]
    hash: Option<usize>,
    /// How long players remember what they learned
    #[arg(long, value_enum, default_value_t = MemoryName::Game)]
    memory: MemoryName,
    /// The run fails when the players made more faults than N and, if P is given, in more than P
    /// percent of the games (losses on time not counted); N up to 10^9
    #[arg(long, value_name = "N[,P%]", default_value_t = FaultCap::default())]
    max_faults: FaultCap,
    /// The run fails when the players lost more games on time than this (up to 10^9)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(bounds::TROUBLES))]
    max_time_losses: Option<u64>,
    #[command(flatten)]
    adjudication: AdjudicationOptions,
    #[command(flatten)]
    threads: ThreadOptions,
}

impl MatchOptions {
    /// Reads the description of a player; what it leaves open is as for all players.
    pub fn contestant(&self, words: &[String]) -> Result<Contestant, WrongUse> {
        let &MatchOptions { nodes, depth, movetime: move_time, tc: clock, margin, .. } = self;
        let limits = MoveLimits { nodes, depth, move_time, clock, margin };
        let contestant = Contestant::parse(words, limits, self.hash)
            .map_err(|error| WrongUse(error.to_string()))?;
        if contestant.is_unlimited() {
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

    /// How games are played.
    pub fn rules(&self) -> PlayRules {
        PlayRules {
            game: self.adjudication.settings(self.memory.into()),
            openings: self.openings.settings(),
            seed: self.seed,
            most_faults: self.max_faults.faults,
            most_fault_share: self.max_faults.share,
            most_time_losses: self.max_time_losses,
        }
    }

    /// Threads of the run and the cores they may use; tells where the machine has too few.
    pub fn workers(&self, contestants: &[Contestant]) -> Result<Workers, WrongUse> {
        self.threads.workers(contestants)
    }
}

/// The words that give the rules again, the openings taken from the run's folder.
pub fn play_words(folder: &Path, rules: &PlayRules) -> Vec<String> {
    let mut words = Vec::new();
    let mut option = |name: &str, value: String| words.push(format!("--{name} {value}"));
    option("openings", quoted(&find_openings(folder).display().to_string()));
    option("seed", rules.seed.to_string());
    let memory = match rules.game.memory {
        MemorySpan::Move => "move",
        MemorySpan::Game => "game",
        MemorySpan::Pair => "pair",
    };
    option("memory", memory.into());
    let cap = FaultCap { faults: rules.most_faults, share: rules.most_fault_share };
    option("max-faults", cap.to_string());
    if let Some(most) = rules.most_time_losses {
        option("max-time-losses", most.to_string());
    }
    words.push(AdjudicationOptions::words(&rules.game, &syzygy_folders(folder)));
    words.push(OpeningOptions::words(&rules.openings));
    words
}
/// How many faults a run may have.
#[derive(Clone, Copy, PartialEq, Debug)]
struct FaultCap {
    faults: u64,
    share: f64,
}

impl Default for FaultCap {
    fn default() -> FaultCap {
        FaultCap {
            faults: PlayRules::DEFAULT_MOST_FAULTS,
            share: PlayRules::DEFAULT_MOST_FAULT_SHARE,
        }
    }
}

impl FromStr for FaultCap {
    type Err = String;

    fn from_str(text: &str) -> Result<FaultCap, String> {
        let wrong =
            || "a number of faults up to 10^9, or with a share of the games, as 25,1%".to_owned();
        let (faults, share) = text.split_once(',').unwrap_or((text, "0%"));
        let faults = faults.trim().parse().ok().filter(|faults| bounds::TROUBLES.contains(faults));
        let faults = faults.ok_or_else(wrong)?;
        let percent = share.trim().strip_suffix('%').and_then(|share| share.trim().parse().ok());
        let percent: f64 =
            percent.filter(|percent| (0.0..=100.0).contains(percent)).ok_or_else(wrong)?;
        Ok(FaultCap { faults, share: percent / 100.0 })
    }
}

impl fmt::Display for FaultCap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.faults)?;
        if self.share > 0.0 { write!(f, ",{}%", 100.0 * self.share) } else { Ok(()) }
    }
}
