//! `sprt tournament`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches, ValueEnum};
use matches::player::Contestant;
use matches::run::{FaultCap, Kind, Observer, RunError, Workers, repeating_line};
use matches::tournament::{self, Format, Rules, Summary, Tournament, TournamentSettings};
use report::{TournamentPage, TournamentTerminal};

use super::Status;
use super::bounds;
use super::contestant_words::PLAYER_HELP;
use super::likeness::LikeOptions;
use super::match_options::{CapWords, MatchOptions};
use super::output_folder::OutputFolder;
use super::printing::say;
use super::report::{ReportOptions, watch};
use super::statuses::{WrongUse, interruption};

const USAGE: &str = "\
sprt tournament [OPTIONS] --player <PLAYER>...
       sprt tournament [OPTIONS] --like <FOLDER>";

const EXAMPLES: &str = "\
Examples:
  Three engines, everybody against everybody, from 100 openings:
    sprt tournament --player ./one --player ./two --player ./three --tc 8+0.08 --rounds 100
  A new version against three others, one of which is known to have 3000 Elo:
    sprt tournament --format gauntlet --player ./new --player ./a --player ./b --player ./c \\
      --anchor a=3000 --nodes 20000 --rounds 500";

/// When a player is withdrawn unless the user says otherwise: before a single one can end the run.
const WITHDRAW_AFTER: CapWords = CapWords(FaultCap { faults: 10, share: 0.01 });

/// Who plays whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum FormatName {
    /// Everybody plays everybody else
    RoundRobin,
    /// The first --seeds players play all others
    Gauntlet,
}

/// Arguments of `sprt tournament`.
#[derive(Args, Debug)]
#[command(override_usage = USAGE, after_help = EXAMPLES, after_long_help = format!("{PLAYER_HELP}\n\n{EXAMPLES}"))]
pub struct TournamentArguments {
    // First: it must see all options.
    #[command(flatten)]
    like: LikeOptions,
    #[command(flatten)]
    players: Players,
    /// Who plays whom
    #[arg(long, value_enum, default_value_t = FormatName::RoundRobin)]
    format: FormatName,
    /// Players that the others play against in a gauntlet: the first so many, 1 to 1000
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1000))]
    seeds: usize,
    /// Rounds, 1 to 10^9; in a round every pairing plays the same opening with both colors
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    rounds: u64,
    /// Rating of a player that is held fixed (logistic Elo, within ±10000); without any, the mean
    /// rating is 0
    #[arg(long = "anchor", value_name = "NAME=ELO", value_parser = bounds::anchor)]
    anchors: Vec<(String, f64)>,
    /// A player that made more faults than N and, if P is given, in more than P percent of its games
    /// (losses on time not counted) is withdrawn: the games it has played count in the table, those
    /// that are left are not played, and the others go on. Its faults then count no more for
    /// --max-faults. N up to 10^9
    #[arg(long, value_name = "N[,P%]", default_value_t = WITHDRAW_AFTER)]
    withdraw_after: CapWords,
    #[command(flatten)]
    options: MatchOptions,
    /// New folder for journal, games.pgn, result.json and copies of all files that matter [default:
    /// runs/tournament-1, or the next number that is free]
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    #[command(flatten)]
    report: ReportOptions,
}

impl TournamentArguments {
    pub fn execute(self) -> Result<Status> {
        let like = self.like.read::<Tournament>()?;
        let players = match (like.plan(), self.players.0.as_slice()) {
            (Some(plan), []) => vec![Vec::new(); plan.contestants.len()],
            (_, players) => players.to_vec(),
        };
        let player =
            |(index, words): (usize, &Vec<String>)| self.options.contestant(words, &like, index);
        let players =
            players.iter().enumerate().map(player).collect::<Result<Vec<_>, WrongUse>>()?;
        let own_seeds = Format::Gauntlet { seeds: self.seeds };
        let format = match self.format {
            FormatName::RoundRobin => Format::RoundRobin,
            FormatName::Gauntlet => own_seeds,
        };
        let format = like.choose("format", format, |plan| plan.rules.format);
        let format = match format {
            Format::Gauntlet { .. } => like.choose("seeds", own_seeds, |_| format),
            Format::RoundRobin => format,
        };
        if like.is_given("seeds") && format == Format::RoundRobin {
            let reason = "--seeds says who plays a gauntlet, and in a round robin everybody plays \
                          everybody: leave it out, or give --format gauntlet";
            return Err(WrongUse(reason.to_owned()).into());
        }
        let anchors = self.anchors.into_iter().collect::<BTreeMap<_, _>>();
        let workers = self.options.workers(&players)?;
        let settings = TournamentSettings {
            players,
            openings: self.options.openings(&like),
            syzygy: self.options.syzygy(&like),
            rules: Rules {
                play: self.options.rules(&like, |rules| &rules.play),
                format,
                rounds: like.choose("rounds", self.rounds, |plan| plan.rules.rounds),
                anchors: like.choose("anchors", anchors, |plan| plan.rules.anchors.clone()),
                withdrawal: like.choose("withdraw_after", Some(self.withdraw_after.0), |plan| {
                    plan.rules.withdrawal
                }),
            },
        };
        self.options.check_effects(&like, &settings.players, &settings.rules.play)?;
        let folder = OutputFolder::new(self.output, "tournament")?;
        let inputs =
            settings.players.iter().filter_map(Contestant::file).chain([&*settings.openings]);
        let _claims = self.report.check(&folder.path, inputs)?;
        let workers = self.report.log_lines(workers)?;
        show(&folder.path, &self.report, |observer| {
            tournament::run(&settings, workers, &folder.path, observer)
        })
    }
}

/// The words of each player; the derived parser knows no list of lists.
#[derive(Debug)]
struct Players(Vec<Vec<String>>);

impl Args for Players {
    fn augment_args(command: clap::Command) -> clap::Command {
        let help = "Who plays, once for each player: a program, a parameter file, \"embedded\" or \
                    \"random\", then KEY=VALUE words";
        let player = Arg::new("player").long("player").value_name("PLAYER").num_args(1..);
        command.arg(player.action(ArgAction::Append).required_unless_present("like").help(help))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Players::augment_args(command)
    }
}

impl FromArgMatches for Players {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Players, clap::Error> {
        let players = matches.get_occurrences::<String>("player").into_iter().flatten();
        Ok(Players(players.map(|words| words.cloned().collect()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Players::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Goes on with the tournament in a folder.
pub fn resume(folder: &Path, workers: Workers, report: &ReportOptions) -> Result<Status> {
    show(folder, report, |observer| tournament::resume(folder, workers, observer))
}

/// Plays a tournament with progress on the terminal and, if wanted, on a page; prints what came out.
fn show(
    folder: &Path,
    report: &ReportOptions,
    run: impl FnOnce(&dyn Observer<Tournament>) -> Result<Summary, RunError>,
) -> Result<Status> {
    let page: Option<TournamentPage> = report.page()?;
    watch(folder, TournamentTerminal::new(interruption()?), page, run, |summary| say(summary))?;
    say(format_args!("Repeat      {}", repeating_line(Kind::Tournament, folder)));
    Ok(Status::Success)
}
