//! `sprt regress`.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::regress::{
    Against, GamesSettings, GamesStage, History, HistorySettings, RegressError, RowStatus,
    Settings, Watcher, run,
};
use anyhow::Result;
use clap::Args;
use matches::GameOption;
use matches::game::MoveLimits;
use matches::openings::OpeningSettings;
use matches::run::{Observer, PlayRules, Workers};
use matches::sequential_test::{Rules, SequentialTest};
use regex::Regex;
use report::TestTerminal;
use revisions::{BenchSettings, Decision, Halt, Method, Recipe, SpeedSettings};
use statistics::{Design, Estimate};
use system::budget::parse_time;
use system::files::{FileError, read_text};
use system::paint;
use system::tell;

use super::common_options::{GameOptions, OpeningFile, StartOptions, TimeOptions};
use super::match_options::HypothesesOptions;
use super::printing::say;
use super::statuses::{WrongUse, interruption};
use super::thread_options::CoreOptions;
use super::{Status, bounds};

/// Arguments of `sprt regress`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct RegressArguments {
    /// Revision the candidate is compared with [default: where it left the main branch, or its
    /// parent on that; for a working tree with changes, HEAD]
    #[arg(long, value_name = "REV")]
    base: Option<String>,
    /// Revision that is tested, or "worktree" for the files as they are, those not yet added too
    #[arg(long, value_name = "REV", default_value = "worktree")]
    candidate: String,
    /// The git repository, or a folder in it
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    repository: PathBuf,
    /// Folder for reports and games; the same command goes on with what it finds there
    /// [default: regress/BASE..CANDIDATE]
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Time for everything, builds included, as 90s, 5m or 1h30m; what is known then is reported
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    budget: Option<Duration>,
    /// End with status 0 when nothing could be decided; the reports still say so
    #[arg(long)]
    undecided_passes: bool,
    /// Append the Markdown summary to the file that GITHUB_STEP_SUMMARY names
    #[arg(long)]
    github_summary: bool,
    #[command(flatten)]
    history: HistoryOptions,
    #[command(flatten)]
    build: BuildOptions,
    #[command(flatten)]
    bench: BenchOptions,
    #[command(flatten)]
    games: GamesOptions,
}

/// Whether one revision is tested, or many.
#[derive(Args, Debug)]
#[command(next_help_heading = "History")]
struct HistoryOptions {
    /// Measure the Elo of many revisions instead: FROM..TO along first parents, without FROM, or
    /// the last N; writes history.csv and history.svg, without --base against the commit before
    #[arg(long, value_name = "FROM..TO|N", conflicts_with = "candidate")]
    history: Option<String>,
    /// With what each is compared
    #[arg(long, value_enum, default_value_t = Against::Base, requires = "history")]
    against: Against,
    /// Pairs that each plays, 1 to 10^9; none if its bench is that of a revision measured before
    #[arg(long, value_name = "N", default_value_t = 250, requires = "history",
          value_parser = clap::value_parser!(u64).range(bounds::PAIRS))]
    history_pairs: u64,
}

/// How revisions are built.
#[derive(Args, Debug)]
#[command(next_help_heading = "Build")]
struct BuildOptions {
    /// Cargo package of the engine [default: the only one with a program, or "engine"]
    #[arg(long, value_name = "NAME", conflicts_with = "build")]
    package: Option<String>,
    /// Program to play with: its name in the package, or with --build its path in the checkout
    /// [default: the only one; with --build, what the command puts at {output}]
    #[arg(long, value_name = "NAME")]
    binary: Option<PathBuf>,
    /// Further arguments for `cargo build --release`, in one word
    #[arg(long, value_name = "WORDS", conflicts_with = "build", allow_hyphen_values = true)]
    cargo_flags: Option<String>,
    /// Shell command that builds engines without cargo, run at the top of a clean checkout; it
    /// must put the program at {output}, or --binary says where it is
    #[arg(long, value_name = "COMMAND")]
    build: Option<String>,
    /// File or folder of the checkout that the engine needs beside it, as a network; repeatable
    #[arg(long, value_name = "PATH")]
    companion: Vec<PathBuf>,
    /// Folder for builds, which are kept by revision, flags and compiler until a month after their
    /// last use
    /// [default: $XDG_CACHE_HOME/kamerton/regress, or ~/.cache/kamerton/regress]
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,
}

/// How benches and speeds are compared.
#[derive(Args, Debug)]
#[command(next_help_heading = "Bench and speed")]
struct BenchOptions {
    /// Shell command that prints the node count of a fixed search; {engine} is the program. It is
    /// run twice, and must count the same
    #[arg(long, value_name = "COMMAND", default_value = BenchSettings::COMMAND)]
    bench_command: String,
    /// Regular expression whose first group is the node count [default: the usual forms, as
    /// "N nodes M nps", "Nodes searched: N", "Bench: N"]
    #[arg(long, value_name = "REGEX", value_parser = with_group)]
    bench_pattern: Option<Regex>,
    /// Take every change as functional and play games
    #[arg(long, conflicts_with_all = ["bench_command", "bench_pattern", "speed_command",
          "speed_tolerance", "speed_precision", "speed_benches"])]
    no_bench: bool,
    /// The same for a shorter search that is timed, if the bench takes more than a second or two;
    /// it too must count the same nodes for both [default: the bench]
    #[arg(long, value_name = "COMMAND")]
    speed_command: Option<String>,
    /// Reject a non-functional change that is surely slower by more than this (percent, 0.001 to 99)
    #[arg(long, value_name = "PERCENT", default_value_t = 2.0, value_parser = bounds::percent)]
    speed_tolerance: f64,
    /// Measure speed until its 95 % interval is at most plus or minus this (percent, 0.001 to
    /// 99)
    #[arg(long, value_name = "PERCENT", default_value_t = 1.0, value_parser = bounds::percent)]
    speed_precision: f64,
    /// Or until each program has run its bench so many times, 6 to 100000
    #[arg(long, value_name = "N", default_value_t = 60,
          value_parser = clap::value_parser!(u32).range(6..=100_000))]
    speed_benches: u32,
}

/// How games are played.
#[derive(Args, Debug)]
#[command(
    next_help_heading = "Games",
    mut_arg("tc", |it| it.conflicts_with("movetime")),
    mut_arg("elo0", |it| it.default_value("-10")),
    mut_arg("elo1", |it| it.default_value("0")),
    mut_arg("threads", |it| it.help("Games at a time, 1 to 1024 [default: cores]"))
)]
struct GamesOptions {
    /// Nodes a move, 1 to 10^12 [default: 5000; none where --tc or --movetime is given]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(bounds::NODES))]
    nodes: Option<u64>,
    #[command(flatten)]
    time: TimeOptions,
    #[command(flatten)]
    game: GameOption,
    #[command(flatten)]
    openings: OpeningFile,
    /// Greatest number of pairs of a test, 1 to 10^9
    #[arg(long, value_name = "N", default_value_t = 20_000, conflicts_with = "history",
          value_parser = clap::value_parser!(u64).range(bounds::PAIRS))]
    pairs: u64,
    #[command(flatten)]
    hypotheses: HypothesesOptions,
    #[command(flatten)]
    games: GameOptions,
    /// UCI option for both engines; repeatable
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_option)]
    option: Vec<(String, String)>,
    #[command(flatten)]
    start: StartOptions,
    #[command(flatten)]
    threads: CoreOptions,
}

/// A regular expression with a group, which is what is taken of the match.
fn with_group(text: &str) -> Result<Regex, String> {
    let pattern = Regex::new(text).map_err(|error| error.to_string())?;
    match pattern.captures_len() {
        1 => Err("it has no group: put parentheses around the number".to_owned()),
        _ => Ok(pattern),
    }
}

const AFTER_HELP: &str = "\
Both revisions are built in clean checkouts, then asked for their bench. The same node count means
that the change is non-functional: the speed is compared by benches run in turn. Otherwise games
decide: by nodes, by time with --tc or --movetime, or with --nodes besides by nodes and, if those
accept, by time. OUTPUT gets result.json, junit.xml, summary.md and page.html.

An engine without a bench plays all its games with --no-bench, or gets a bench by --bench-command:
any command that prints a number which changes whenever the search does, as the nodes of a depth
do in the last example. A best move hardly ever changes.

Examples:
  sprt regress                                   what I changed against what is committed
  sprt regress --base main --candidate topic     a branch against main
  sprt regress --base HEAD~1 --candidate HEAD --budget 5m --undecided-passes
  sprt regress --base v1.0 --tc 8+0.08           by time alone, for engines that know no nodes
  sprt regress --base v1.0 --nodes 5000 --tc 8+0.08     by nodes, then by time
  sprt regress --history v1.0..HEAD              Elo of each commit since
  sprt regress --build 'make -C src -j build EXE={output}'
  sprt regress --build 'make -j' --binary src/engine --companion nets/big.nnue
  sprt regress --build 'make EXE={output}' --tc 8+0.08 --bench-pattern 'nodes ([0-9]+)' \\
    --bench-command '(echo uci; echo go depth 9; sleep 9; echo quit) | {engine} |
      grep \"^info depth 9 \" | grep -o \"nodes [0-9]*\" | tail -n 1'

The exit status is the verdict: 0 no regression, 1 a regression, 2 undecided within the games or the
budget. 3 says that something does not build, run or play; in a history that is a row. The same
command goes on where it was interrupted.";

impl RegressArguments {
    pub fn execute(self) -> Result<Status> {
        if self.github_summary && std::env::var_os(GITHUB_SUMMARY).is_none() {
            return Err(WrongUse(format!("--github-summary: {GITHUB_SUMMARY} is not set")).into());
        }
        let settings = self.settings()?;
        settings.games.rules.hypotheses.validate().map_err(|it| WrongUse(it.to_string()))?;
        let watcher = Talk { interrupted: interruption()? };
        if let Some(history) = self.history.settings() {
            return match crate::regress::history(&settings, &history, &watcher) {
                Ok(found) => Ok(print_history(&found, self.undecided_passes)),
                Err(error) => status_of(error),
            };
        }
        let (outcome, folder) = match run(&settings, &watcher) {
            Ok(found) => found,
            Err(error) => return status_of(error),
        };
        say(outcome.to_text());
        say(format_args!("Reports     {}", folder.display()));
        if self.github_summary {
            // The verdict stands, whether this can be written or not.
            append_to_github_summary(&folder)
                .unwrap_or_else(|error| paint::tell_warning(format_args!("{error:#}")));
        }
        Ok(match outcome.decision {
            Decision::Accepted => Status::Success,
            Decision::Rejected => Status::Rejected,
            Decision::Undecided if self.undecided_passes => Status::Success,
            Decision::Undecided => Status::Undecided,
            Decision::Failed => {
                paint::tell_error(&outcome.reason);
                Status::Failure
            }
        })
    }

    fn settings(&self) -> Result<Settings> {
        let games = &self.games;
        let cache = self.build.cache.clone().map_or_else(default_cache, Ok)?;
        let bench = |command: &String| BenchSettings {
            command: command.clone(),
            pattern: self.bench.bench_pattern.clone(),
        };
        let BenchOptions { bench_command, speed_command, .. } = &self.bench;
        let stages = games.stages();
        if self.history.history.is_some() && stages.len() > 1 {
            let reason = "a history is played with one limit: give --nodes, or --tc or --movetime";
            return Err(WrongUse(reason.to_owned()).into());
        }
        Ok(Settings {
            repository: self.repository.clone(),
            base: self.base.clone(),
            candidate: Some(self.candidate.clone()),
            recipe: self.build.recipe()?,
            bench: (!self.bench.no_bench).then(|| bench(bench_command)),
            timed: bench(speed_command.as_ref().unwrap_or(bench_command)),
            speed: SpeedSettings {
                tolerance: self.bench.speed_tolerance / 100.0,
                precision: self.bench.speed_precision / 100.0,
                most_turns: self.bench.speed_benches as usize,
            },
            games: GamesSettings {
                stages,
                rules: Rules {
                    play: PlayRules {
                        openings: OpeningSettings::of(games.game.game),
                        ..PlayRules::with_seed(games.games.seed)
                    },
                    pairs: games.pairs,
                    early_stop: true,
                    hypotheses: games.hypotheses.hypotheses(),
                    design: Design::default(),
                },
                openings: games.openings.path.clone(),
                hash: games.games.hash,
                options: games.option.iter().cloned().collect::<BTreeMap<_, _>>(),
                workers: games.start.of(Workers::from(games.threads.count())),
            },
            budget: self.budget,
            cache,
            output: self.output.clone(),
            other_options: other_options(std::env::args().skip(2)),
        })
    }
}

impl GamesOptions {
    /// The tests by games, in their order.
    fn stages(&self) -> Vec<GamesStage> {
        let TimeOptions { tc: clock, movetime: move_time } = self.time;
        let is_timed = clock.is_some() || move_time.is_some();
        // An engine may know nothing but time: nodes are not forced on who asks for that.
        let nodes = self.nodes.or((!is_timed).then_some(GamesOptions::NODES));
        let by_nodes = nodes.map(|it| GamesStage { name: "nodes", limits: MoveLimits::nodes(it) });
        let limits = MoveLimits { clock, move_time, ..MoveLimits::default() };
        let by_time = is_timed.then_some(GamesStage { name: "time", limits });
        by_nodes.into_iter().chain(by_time).collect()
    }

    /// Nodes a move where nothing is said.
    const NODES: u64 = 5000;
}

impl HistoryOptions {
    fn settings(&self) -> Option<HistorySettings> {
        let range = self.history.clone()?;
        Some(HistorySettings { range, against: self.against, pairs: self.history_pairs })
    }
}

impl BuildOptions {
    fn recipe(&self) -> Result<Recipe, WrongUse> {
        let outside = |path: &&PathBuf| {
            path.components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir))
        };
        if let Some(path) = self.companion.iter().find(outside) {
            let path = path.display();
            return Err(WrongUse(format!("--companion {path}: give a path within the checkout")));
        }
        let method = match &self.build {
            Some(command) => {
                if self.binary.is_none() && !command.contains("{output}") {
                    return Err(WrongUse(
                        "--build: where is the program then? let the command put it at {output}, \
                         or say --binary PATH"
                            .to_owned(),
                    ));
                }
                Method::Shell { command: command.clone(), binary: self.binary.clone() }
            }
            None => Method::Cargo {
                package: self.package.clone(),
                binary: self.binary.as_ref().map(|name| name.display().to_string()),
                flags: words(self.cargo_flags.as_deref().unwrap_or_default()),
            },
        };
        Ok(Recipe { method, companions: self.companion.clone() })
    }
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// The folder of builds where none is named.
fn default_cache() -> Result<PathBuf, WrongUse> {
    let folder = |name: &str| std::env::var_os(name).filter(|it| !it.is_empty()).map(PathBuf::from);
    let caches = folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")));
    let caches = caches.ok_or_else(|| {
        WrongUse("neither XDG_CACHE_HOME nor HOME is set: name a --cache".to_owned())
    })?;
    Ok(caches.join("kamerton").join("regress"))
}

/// The words of the command line but for the revisions, which the repeating line names exactly.
fn other_options(arguments: impl Iterator<Item = String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut arguments = arguments;
    while let Some(word) = arguments.next() {
        match word.as_str() {
            "--base" | "--candidate" => drop(arguments.next()),
            _ if word.starts_with("--base=") || word.starts_with("--candidate=") => {}
            _ => kept.push(word),
        }
    }
    kept
}

fn parse_option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("a UCI option as NAME=VALUE".to_owned()),
    }
}

/// Notes on stderr, games on the terminal.
struct Talk {
    interrupted: Arc<AtomicBool>,
}

impl Watcher for Talk {
    fn note(&self, text: &str) {
        tell(format_args!("{text}"));
    }

    fn games(&self) -> Box<dyn Observer<SequentialTest> + '_> {
        Box::new(TestTerminal::new(self.interrupted.clone()))
    }

    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

/// Tells the user that it was interrupted, or hands the error on.
fn status_of(error: RegressError) -> Result<Status> {
    match error {
        error if error.halt() == Some(Halt::Interrupted) => {
            tell("interrupted: the same command goes on");
            Ok(Status::Interrupted)
        }
        RegressError::Git(error) if error.is_of_use() => Err(WrongUse(error.to_string()).into()),
        error => Err(error.into()),
    }
}

fn print_history(history: &History, undecided_passes: bool) -> Status {
    say(format_args!(
        "{:<10} {:>16} {:>7} {:>16}  Subject",
        "Revision", "Elo", "Games", "Since the base"
    ));
    let estimate = |value: Option<f64>, error: Option<f64>| match (value, error) {
        (Some(value), Some(error)) => {
            let elo = Estimate { value, error }.interval();
            if elo.is_bounded() { format!("{value:+.1} ± {error:.1}") } else { elo.to_string() }
        }
        _ => "–".to_owned(),
    };
    for row in &history.rows {
        let step = match row.status {
            RowStatus::Played => estimate(row.elo, row.elo_error),
            RowStatus::Equal => "equal bench".to_owned(),
            RowStatus::Failed => "failed".to_owned(),
            RowStatus::Unreached => "not reached".to_owned(),
        };
        let total = estimate(row.total_elo, row.total_error);
        say(format_args!(
            "{:<10.10} {step:>16} {:>7} {total:>16}  {}",
            row.revision, row.games, row.subject
        ));
    }
    say(format_args!("Reports    {}", history.folder.display()));
    let (unreached, all) = (history.unreached(), history.rows.len());
    if unreached == 0 {
        return Status::Success;
    }
    tell(format_args!(
        "the budget left no time for {unreached} of {all} revisions; the same command goes on"
    ));
    if undecided_passes { Status::Success } else { Status::Undecided }
}

/// Where GitHub tells of the file that it shows for a job.
const GITHUB_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// Appends the summary to the file that GitHub shows for a job.
fn append_to_github_summary(folder: &Path) -> Result<()> {
    let path = std::env::var_os(GITHUB_SUMMARY).map(PathBuf::from).unwrap_or_default();
    let text = read_text(&folder.join("summary.md"))?;
    std::fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(&path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(FileError::at("write", &path))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_has_a_group() {
        assert_eq!(with_group("Bench: ([0-9]+)").map(|pattern| pattern.captures_len()), Ok(2));
        let error = with_group("Bench: [0-9]+").expect_err("nothing to take");
        assert_eq!(error, "it has no group: put parentheses around the number");
        assert!(with_group("(").is_err());
    }
}
