//! `sprt tournament`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches, ValueEnum};

use sprt::files::{EMBEDDED, FileError};
use sprt::player::Contestant;
use sprt::report::{TournamentPage, TournamentTerminal};
use sprt::run::{Description, Observer, RunError, Workers};
use sprt::tournament::{self, Format, Rules, Summary, Tournament, TournamentSettings};

use super::bounds;
use super::contestant_words::{PLAYER_HELP, contestant_words, quoted};
use super::match_options::{MatchOptions, play_words};
use super::report::{ReportOptions, watch};
use super::run::folder_or_next;
use super::{Status, WrongUse, interruption, say};

const EXAMPLES: &str = "\
Examples:
  Three engines, everybody against everybody, from 100 openings:
    sprt tournament --player ./one --player ./two --player ./three --tc 8+0.08 --rounds 100
  A new version against three others, one of which is known to have 3000 Elo:
    sprt tournament --format gauntlet --player ./new --player ./a --player ./b --player ./c \\
      --anchor a=3000 --nodes 20000 --rounds 500";

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
#[command(after_help = EXAMPLES, after_long_help = format!("{PLAYER_HELP}\n\n{EXAMPLES}"))]
pub struct TournamentArguments {
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
    /// Opening file, or "embedded": EPD or FEN lines, or PGN games, told apart by their contents
    #[arg(long, value_name = "FILE", default_value = EMBEDDED)]
    openings: PathBuf,
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
    /// Plays the tournament.
    pub fn execute(self) -> Result<Status> {
        let players = self
            .players
            .0
            .iter()
            .map(|words| self.options.contestant(words))
            .collect::<Result<Vec<_>, WrongUse>>()?;
        let format = match self.format {
            FormatName::RoundRobin => Format::RoundRobin,
            FormatName::Gauntlet => Format::Gauntlet { seeds: self.seeds },
        };
        let workers = self.options.workers(&players)?;
        let folder = folder_or_next(self.output, || "tournament".to_owned());
        let settings = TournamentSettings {
            players,
            openings: self.openings,
            syzygy: self.options.syzygy(),
            rules: Rules {
                play: self.options.rules(),
                format,
                rounds: self.rounds,
                anchors: self.anchors.into_iter().collect::<BTreeMap<_, _>>(),
            },
        };
        show(&folder, &self.report, |observer| {
            tournament::run(&settings, workers, &folder, observer)
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
        command.arg(player.action(ArgAction::Append).required(true).help(help))
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
    let page = report.page(|path| page(path, folder))?;
    let summary = watch(folder, TournamentTerminal::new(interruption()?), page, run)?;
    say(format_args!(
        "Repeat      {}",
        repeating_line(folder, &summary.contestants, &summary.rules)
    ));
    Ok(Status::Success)
}

/// The page of the tournament in a folder.
pub fn page(path: &Path, folder: &Path) -> Result<TournamentPage, FileError> {
    let folder = folder.to_path_buf();
    let repeat =
        move |run: &Description<Rules>| repeating_line(&folder, &run.contestants, &run.rules);
    TournamentPage::new(path, Box::new(repeat))
}

/// The command line that repeats a tournament from the copies in its folder.
fn repeating_line(folder: &Path, contestants: &[Contestant], rules: &Rules) -> String {
    let Rules { play, format, rounds, anchors } = rules;
    let mut words: Vec<String> = vec!["sprt tournament".into()];
    for contestant in contestants {
        words.push(format!("--player {}", contestant_words(folder, contestant)));
    }
    match format {
        Format::RoundRobin => words.push("--format round-robin".into()),
        Format::Gauntlet { seeds } => words.push(format!("--format gauntlet --seeds {seeds}")),
    }
    words.push(format!("--rounds {rounds}"));
    let anchor =
        |(name, elo): (&String, &f64)| format!("--anchor {}", quoted(&format!("{name}={elo}")));
    words.extend(anchors.iter().map(anchor));
    words.extend(play_words(folder, play));
    words.push("--output FOLDER".into());
    words.join(" ")
}
