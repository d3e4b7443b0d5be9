//! Options of a match.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use matches::game::{DEFAULT_MARGIN, MoveLimits};
use matches::pgn::{MoveComments, Notation};
use matches::player::Contestant;
use matches::playing::MemorySpan;
use matches::run::{FaultCap, PlayRules, Workers};
use matches::sequential_test::Rules;
use report::html::words::rounded_percent;
use statistics::{Hypotheses, Model};

use super::adjudication_options::AdjudicationOptions;
use super::bounds;
use super::common_options::{GameOptions, StartOptions, TimeOptions};
use super::likeness::Likeness;
use super::opening_options::OpeningOptions;
use super::statuses::WrongUse;
use super::thread_options::ThreadOptions;

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
    #[arg(long, value_enum, default_value_t = ModelOption::Normalized)]
    model: ModelOption,
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

    /// The hypotheses, as in an earlier test where nothing else is given; not yet validated.
    pub fn like(&self, like: &Likeness<Rules>) -> Hypotheses {
        let &HypothesesOptions { elo0, elo1, model, alpha, beta } = self;
        Hypotheses {
            model: like.choose("model", model.into(), |plan| plan.rules.hypotheses.model),
            elo0: like.choose("elo0", elo0, |plan| plan.rules.hypotheses.elo0),
            elo1: like.choose("elo1", elo1, |plan| plan.rules.hypotheses.elo1),
            alpha: like.choose("alpha", alpha, |plan| plan.rules.hypotheses.alpha),
            beta: like.choose("beta", beta, |plan| plan.rules.hypotheses.beta),
        }
    }
}

/// [`Model`] on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ModelOption {
    /// Elo in units of the game's standard deviation: what can be resolved by a number of games
    #[value(alias = "normalised")]
    Normalized,
    /// The usual Elo of expected scores
    Logistic,
    /// BayesElo; the draw parameter is estimated from the games
    #[value(alias = "bayeselo")]
    Bayes,
}

impl From<ModelOption> for Model {
    fn from(option: ModelOption) -> Model {
        match option {
            ModelOption::Normalized => Model::Normalized,
            ModelOption::Logistic => Model::Logistic,
            ModelOption::Bayes => Model::Bayes,
        }
    }
}

/// How a match is played.
#[derive(Args, Clone, Debug)]
pub struct MatchOptions {
    /// Nodes a move, 1 to 10^12: Kamerton's own players then play the same games on any machine.
    /// Each program counts in its own way (Stockfish leaves out null moves): between two programs a
    /// clock is fairer
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(bounds::NODES))]
    nodes: Option<u64>,
    /// Depth of a move in plies, 1 to 100; with other limits, whatever is reached first
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    #[command(flatten)]
    time: TimeOptions,
    /// A move that is late by up to this does not lose (milliseconds, up to an hour)
    #[arg(long, value_name = "MS", default_value_t = DEFAULT_MARGIN,
          value_parser = clap::value_parser!(u64).range(bounds::WAIT))]
    margin: u64,
    #[command(flatten)]
    openings: OpeningOptions,
    #[command(flatten)]
    games: GameOptions,
    /// How long players remember what they learned
    #[arg(long, value_enum, default_value_t = MemorySpan::Game)]
    memory: MemorySpan,
    /// The run fails when the players made more faults than N and, if P is given, in more than P
    /// percent of the games (losses on time not counted); N up to 10^9
    #[arg(long, value_name = "N[,P%]", default_value_t = CapWords::OF_RUN)]
    max_faults: CapWords,
    /// The run fails when the players lost more games on time than this (up to 10^9)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(bounds::TROUBLES))]
    max_time_losses: Option<u64>,
    /// What games.pgn says behind each move, beside how the game ended
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = MoveComments::Both)]
    pgn_comments: MoveComments,
    /// Notation of the moves in games.pgn and on the page.
    #[arg(long, value_name = "NAME", help = notation_help())]
    notation: Option<Notation>,
    #[command(flatten)]
    start: StartOptions,
    #[command(flatten)]
    adjudication: AdjudicationOptions,
    #[command(flatten)]
    threads: ThreadOptions,
}

impl MatchOptions {
    /// Reads the description of a player. The rest is as for all players, and without a description
    /// all is as in an earlier run for the contestant of this index.
    pub fn contestant<R>(
        &self,
        words: &[String],
        like: &Likeness<R>,
        index: usize,
    ) -> Result<Contestant, WrongUse> {
        let &MatchOptions { nodes, depth, margin, time, .. } = self;
        let TimeOptions { movetime: move_time, tc: clock } = time;
        let theirs = like.plan().and_then(|plan| plan.contestants.get(index));
        let is_limited = ["nodes", "depth", "movetime", "tc"].iter().any(|it| like.is_given(it));
        let mut limits = MoveLimits { nodes, depth, move_time, clock, margin };
        let mut hash = self.games.hash;
        if let Some(theirs) = theirs {
            if !is_limited {
                limits = MoveLimits { margin, ..theirs.limits };
            }
            limits.margin = like.choose("margin", margin, |_| theirs.limits.margin);
            hash = hash.or(theirs.hash);
        }
        let contestant = match (theirs, words) {
            (Some(theirs), []) => Contestant { limits, hash, ..theirs.clone() },
            _ => Contestant::parse(words, limits, hash)
                .map_err(|error| WrongUse(error.to_string()))?,
        };
        if contestant.is_unlimited() {
            return Err(WrongUse(format!(
                "{}: how long may it think? give --tc, --movetime, --nodes or --depth",
                contestant.name
            )));
        }
        let is_timed = contestant.limits.is_timed();
        let of_time = |word: &&String| word.starts_with("margin=") || *word == "ponder=true";
        if let Some(word) = words.iter().find(of_time).filter(|_| !is_timed) {
            return Err(WrongUse(format!(
                "{}: {word} says something where time is limited, and no time limits this player: \
                 leave it out, or give --tc or --movetime",
                contestant.name
            )));
        }
        Ok(contestant)
    }

    /// Refuses options that would do nothing beside the others.
    pub fn check_effects<R>(
        &self,
        like: &Likeness<R>,
        contestants: &[Contestant],
        rules: &PlayRules,
    ) -> Result<(), WrongUse> {
        let is_timed = contestants.iter().any(|player| player.limits.is_timed());
        for option in ["margin", "max_time_losses"] {
            if like.is_given(option) && !is_timed {
                return Err(without_time(option));
            }
        }
        if let Some(notation) = rules.notation {
            notation.number(rules.openings.game).map_err(WrongUse)?;
        }
        self.adjudication.check_effects(like, &rules.game)
    }

    /// The file of the openings.
    pub fn openings<R>(&self, like: &Likeness<R>) -> PathBuf {
        like.choose("openings", self.openings.file.path.clone(), |plan| plan.openings.clone())
    }

    /// Folders of endgame tables.
    pub fn syzygy<R>(&self, like: &Likeness<R>) -> Vec<PathBuf> {
        like.choose("syzygy", self.adjudication.folders(), |plan| plan.syzygy.clone())
    }

    /// How games are played, and where the rules of an earlier run say it.
    pub fn rules<R>(&self, like: &Likeness<R>, theirs: impl Fn(&R) -> &PlayRules) -> PlayRules {
        let memory = like.choose("memory", self.memory, |plan| theirs(&plan.rules).game.memory);
        let most_time_losses = self.max_time_losses;
        let cap = like.choose("max_faults", self.max_faults.0, |plan| {
            let rules = theirs(&plan.rules);
            FaultCap { faults: rules.most_faults, share: rules.most_fault_share }
        });
        PlayRules {
            game: self.adjudication.settings(like, memory, |rules| theirs(rules).game),
            openings: self.openings.settings(like, |rules| theirs(rules).openings),
            seed: like.choose("seed", self.games.seed, |plan| theirs(&plan.rules).seed),
            most_faults: cap.faults,
            most_fault_share: cap.share,
            most_time_losses: like.choose("max_time_losses", most_time_losses, |plan| {
                theirs(&plan.rules).most_time_losses
            }),
            pgn_comments: like
                .choose("pgn_comments", self.pgn_comments, |plan| theirs(&plan.rules).pgn_comments),
            notation: like.choose("notation", self.notation, |plan| theirs(&plan.rules).notation),
        }
    }

    /// Threads of the run and the cores they may use; tells where the machine has too few.
    pub fn workers(&self, contestants: &[Contestant]) -> Result<Workers, WrongUse> {
        Ok(self.start.of(self.threads.workers(contestants)?))
    }
}

fn notation_help() -> String {
    let names = Notation::names();
    format!(
        "Notation of the moves in games.pgn and on the page: {names} [default: the game's first]"
    )
}

/// Refuses an option, by its name with underscores, that speaks of time where no player has a limit of
/// it.
pub fn without_time(option: &str) -> WrongUse {
    WrongUse(format!(
        "--{} says something where time is limited, and no player has a clock or a time for each \
         move: leave it out, or give --tc or --movetime",
        option.replace('_', "-")
    ))
}

/// How many faults are too many, as the command line has it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CapWords(pub FaultCap);

impl CapWords {
    const OF_RUN: CapWords = CapWords(FaultCap {
        faults: PlayRules::DEFAULT_MOST_FAULTS,
        share: PlayRules::DEFAULT_MOST_FAULT_SHARE,
    });
}

impl FromStr for CapWords {
    type Err = String;

    fn from_str(text: &str) -> Result<CapWords, String> {
        let wrong =
            || "a number of faults up to 10^9, or with a share of the games, as 25,1%".to_owned();
        let (faults, share) = text.split_once(',').unwrap_or((text, "0%"));
        let faults = faults.trim().parse().ok().filter(|faults| bounds::TROUBLES.contains(faults));
        let faults = faults.ok_or_else(wrong)?;
        let percent = share.trim().strip_suffix('%').and_then(|share| share.trim().parse().ok());
        let percent: f64 =
            percent.filter(|percent| (0.0..=100.0).contains(percent)).ok_or_else(wrong)?;
        Ok(CapWords(FaultCap { faults, share: percent / 100.0 }))
    }
}

impl fmt::Display for CapWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FaultCap { faults, share } = self.0;
        write!(f, "{faults}")?;
        if share > 0.0 { write!(f, ",{}%", rounded_percent(share)) } else { Ok(()) }
    }
}
