//! The options of `tuner auto`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use command_line::{count, parameter_file, threads};
use matches::GameOption;
use positions::PER_GAME_MAX;
use system::budget::parse_time;

use super::settings::Choices;

/// Run the whole loop: record, fit, test, accept or keep, export.
///
/// Each generation fits a candidate to all positions so far, from the champion's values, and plays
/// it against the champion until a sequential test decides: no gain against half of what the fit
/// lets expect, but at least 10 and at most 100 normalized Elo. An accepted candidate that is not
/// weaker at a longer budget either is the next champion; of one that is not accepted the better
/// half of the changed groups is tried, then half of that. All tests of a generation together accept
/// what is no gain in 5 % of cases at most. The first generation has the positions of the
/// repository's sample; each further one records new games of the champion first, and all have
/// those of the tests before, unless they were between unequal players (more than 100 Elo). After an
/// accepted evaluation a generation fits the margins of the search to the same positions, with a
/// test of its own. At the end the champion is put into a binary.
///
/// With a budget below 30 minutes the first generation fits to four positions of each game, so that
/// the first champion is there in seconds, and the next fit of terms to as many as there is time for.
/// Margins are tested as the budget lets them be found: a quarter of what is left then is kept for
/// their test. Where there is no time for that, terms are fitted again.
///
/// Each new champion plays the start for show: in at most 5 % of the budget, with openings that are
/// the same for all champions. These games decide nothing.
///
/// From zero, which knows nothing but that pieces are worth something (each the least that it may
/// be), with the margins and switches of textbook, the first generation records its own games, too,
/// unless --sample names others: the repository's sample was played by engines that knew more. So
/// it does, too, where this program runs away from its sources and no sample lies beside it.
///
/// The folder holds the whole state: the same command goes on where an earlier one was stopped.
/// report.html in it shows the run, and is rewritten after each step.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, allow_negative_numbers = true)]
pub struct AutoArguments {
    /// The game whose numbers are tuned.
    #[command(flatten)]
    pub game: GameOption,
    /// Time for all of it, as 90s, 5m, 2h: decides how many generations are begun and when a test
    /// is cut short. A fit that has begun is finished.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub budget: Option<Duration>,
    /// Generations at most, with those already in the folder [default: 3, or as many as the budget
    /// allows; with --resume what the run was begun for]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub generations: Option<u32>,
    /// Values to start from: textbook, default, zero, power, simplest, or a parameter file.
    #[arg(long, default_value = START_USUAL, value_name = "FILE", value_parser = parameter_file)]
    pub start: PathBuf,
    /// Positions of the first generation, or "none": it records its own [default: the repository's
    /// sample, where it lies in the sources or beside this program as sample.kgames; from zero none]
    #[arg(long, value_name = "FILE")]
    pub sample: Option<PathBuf>,
    /// Games that each generation adds to the positions once it has seen all of the sample, or without
    /// one from the first on [default: 4000; 1000 with a budget below 30 minutes].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub record_games: Option<u32>,
    /// Nodes a move at which an accepted candidate must not be weaker, either (at most 300 pairs);
    /// 0 checks nothing [default: four times --nodes; 0 with a budget below 30 minutes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=1_000_000_000))]
    pub check_nodes: Option<u64>,
    /// Positions of each game that fits use at most, drawn at random; 0 means all. In chess all teach
    /// most at first, the position after pending captures in place of them. In other games quiet ones
    /// are taken, since long drawn games have too much of the say among all [default: 0; 16 in other
    /// games than chess]
    #[arg(long, value_name = "N", value_parser = count(0, PER_GAME_MAX))]
    pub per_game: Option<usize>,
    /// Positions on which margins are fitted after each accepted evaluation, which moves what they
    /// should be; 0 leaves them as they are [default: 4000; 2000 with a budget below 30 minutes]
    #[arg(long, value_name = "N", value_parser = count(0, 10_000_000))]
    pub margin_positions: Option<usize>,
    /// Rounds of that at most, each of which searches every position twice [default: 16; 8 with a
    /// budget below 30 minutes]
    #[arg(long, value_name = "N", value_parser = count(1, 10_000))]
    pub margin_rounds: Option<usize>,
    /// Folder of the run.
    #[arg(long, default_value = "runs/auto", value_name = "FOLDER")]
    pub output: PathBuf,
    /// The options that decide the run's course.
    #[command(flatten)]
    pub choices: Choices,
    /// Go on with the run in the folder by the settings it was begun with.
    #[arg(long)]
    pub resume: bool,
    /// Go on although the engine is not the one that the run was begun with, as after a rebuild: games
    /// of both are learned from and added up.
    #[arg(long)]
    pub allow_changed_engine: bool,
    /// Make no binary at the end.
    #[arg(long)]
    pub no_export: bool,
    /// Say more of each step: how fits and tests go on, and what the tests ask.
    #[arg(long)]
    pub verbose: bool,
    /// Threads to use, to 1024; 0 means all cores. The result does not depend on it.
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = threads())]
    pub threads: usize,
}

const EXAMPLES: &str = "\
Examples:
  See it work in five minutes, from the values of a textbook:
    tuner auto --budget 5m
  A night's run, and going on with it the next night:
    tuner auto --budget 8h --output runs/night --record-games 20000
    tuner auto --budget 8h --output runs/night --resume
  A fixed amount of work, repeatable to the byte:
    tuner auto --generations 2 --pairs 500 --record-games 1000 --output runs/fixed

  What is found from nothing:
    tuner auto --start zero --budget 6h --output runs/zero

Files of a run: report.html (all of it as a page), ledger.csv (a line a generation), hours.csv (how
long each step took), champion.toml, kamerton-tuned with its manifest, and generation-N with
candidate, fit report, recorded games, and the journals and games of the tests. Page and hours tell
of time; all else depends on the settings, and on where a budget cut a step.";

/// The usual start of a run.
pub(super) const START_USUAL: &str = "textbook";
