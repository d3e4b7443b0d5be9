//! `tuner margins`: the command line.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use command_line::say_line;
use command_line::{self, WrongUse, count};
use matches::game::MoveLimits;
use matches::player::Contestant;
use playable::Game;
use positions::logistic::K_RANGE;
use system::files;
use tunables::{SubjectArguments, TunedEngine};

use super::job::{TuningSettings, with_ending};
use super::judge::JudgeSettings;
use super::page;
use super::show::{Display, print_findings};
use crate::audit::{self, Findings, SurveySettings};

/// Fit search margins to recorded positions, without a game.
///
/// In each position the engine chooses a move with few nodes, again and again with other margins;
/// a judge, the engine itself with many more nodes, says what each move is worth. From what the
/// choices lose follows which margins are better. Positions come in passages of games, searched in
/// turn as in play, because margins that are best for a search from nothing are wrong in games. All
/// margins are moved at once, each passage is searched with values of its own, and a surface fitted
/// to all observations leads the center from round to round.
///
/// Three games in ten of each file are held out, whatever the seed: they choose nothing. At the end
/// start and result are compared on their positions, and `tuner regret` measures on them alone. The
/// tuned file records at its head what it was found on.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, allow_negative_numbers = true)]
pub struct MarginsArguments {
    /// Recorded positions: stores (.kgames), CSV or EPD files.
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    pub positions: Vec<PathBuf>,
    /// Who is tuned.
    #[command(flatten)]
    pub subject: SubjectArguments,
    /// File to write: parameters of Kamerton as TOML; of others OpenBench's lines (.txt) and
    /// weather-factory's JSON (.json), with the file's own ending replaced. Beside it, with .journal
    /// added to the name, stands what a killed run goes on from.
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// What all choosing shares with its measurement.
    #[command(flatten)]
    pub bench: BenchArguments,
    /// Rounds; each searches every position twice.
    #[arg(long, default_value_t = 16, value_name = "N", value_parser = count(1, 10_000))]
    pub rounds: usize,
    /// Searches a position and a set of values to compare start and result; 0 leaves that out.
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = count(0, 1000))]
    pub replicates: usize,
    /// Write a page of HTML: what was found of each number, and how sure that is.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Look into what the searches of start and result cut, too: how often is each rule wrong, and
    /// what does it save? See `tuner audit`. Of Kamerton alone, since others do not show their rules.
    #[arg(long)]
    pub audit: bool,
    /// Go on with a run that was begun with the same settings. More rounds continue it.
    #[arg(long)]
    pub resume: bool,
}

/// How moves are chosen and judged.
#[derive(Args, Clone, Debug)]
pub struct BenchArguments {
    /// Positions to choose in. `tuner margins` reports on half as many more, of the games held out.
    #[arg(long, default_value_t = 5000, value_name = "POSITIONS", value_parser = count(20, 10_000_000))]
    pub count: usize,
    /// Nodes of each choice: as many as are to be played with, since other margins are best for fewer
    /// or more.
    #[arg(long, default_value_t = 4000, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u64).range(16..=1_000_000_000))]
    pub nodes: u64,
    /// Nodes of the judge after each move; ten to a hundred times those of a choice.
    #[arg(long, default_value_t = 60_000, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u64).range(16..=1_000_000_000))]
    pub judge_nodes: u64,
    /// The judge.
    #[arg(long, value_name = "WORDS", num_args = 1..)]
    #[arg(help = command_line::values_help("The judge") + ", or any UCI engine with further words as \
        `sprt run --help` describes them [default: who is tuned, with the values of the start]")]
    pub judge: Vec<String>,
    /// File that remembers what the judge said, for this run and all others on these positions
    /// [default: the output, or `regret` in this folder, with .judgements.csv added].
    #[arg(long, value_name = "FILE")]
    pub judgements: Option<PathBuf>,
    /// Use what was said and found by an engine that is not the same now, as before a rebuild.
    #[arg(long)]
    pub allow_changed_engine: bool,
    /// Scale K of the expected score, 0.02 to 20, in the units of `tuner fit`: at 1, 400 centipawns
    /// are odds of ten to one [default: what fits the recorded scores and results].
    #[arg(long, value_name = "K", value_parser = command_line::within(K_RANGE.0, K_RANGE.1))]
    pub k: Option<f64>,
    /// Seed of all randomness.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Searches at a time, to 1024; 0 means one a core. The result does not depend on it.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = command_line::threads())]
    pub threads: usize,
}

const EXAMPLES: &str = "\
Examples:
  All margins of the default values, on the games of the repository:
    tuner margins --positions data/positions/*.kgames --start default --output margins.toml
  One technique, and the same again after it was stopped:
    tuner margins --positions games.kgames --start default --only null_move --output null.toml
    tuner margins --positions games.kgames --start default --only null_move --output null.toml \\
      --resume
  Whether it helped, by games:
    sprt run --candidate margins.toml --baseline data/parameters/default.toml --nodes 4000";

impl BenchArguments {
    /// The file of judgements, for an output.
    pub(super) fn judgements(&self, output: &Path) -> PathBuf {
        self.judgements.clone().unwrap_or_else(|| with_ending(output, ".judgements.csv"))
    }

    /// Who judges; `usual` if nobody is named.
    ///
    /// # Errors
    /// If the words make no sense, or the judge is not there.
    pub(super) fn judge(&self, game: Game, usual: &Contestant) -> anyhow::Result<JudgeSettings> {
        let contestant = match self.judge.as_slice() {
            [] => usual.clone(),
            words => {
                let judge = Contestant::parse(words, MoveLimits::default(), None)
                    .map_err(|error| WrongUse(format!("--judge: {error}")))?;
                check_unlimited(&judge, "--judge", "--judge-nodes")?;
                judge
            }
        };
        JudgeSettings::new(game, contestant, self.judge_nodes)
    }
}

/// Refuses words that limit the searches of who chooses or judges: the command does.
fn check_unlimited(contestant: &Contestant, option: &str, nodes: &str) -> Result<(), WrongUse> {
    if contestant.limits == MoveLimits::default() {
        return Ok(());
    }
    let message = format!("{option}: {nodes} says how long it searches: leave out other limits");
    Err(WrongUse(message))
}

/// Runs `tuner margins`.
///
/// # Errors
/// If a file is unusable, too few positions are found, or nothing is left to tune.
pub fn run(arguments: &MarginsArguments) -> anyhow::Result<()> {
    let settings = &arguments.bench;
    let subject = Arc::new(arguments.subject.subject()?);
    check_unlimited(subject.base(), "--engine", "--nodes")?;
    let folder = arguments.output.parent().unwrap_or(Path::new(""));
    let name = arguments.output.file_stem().unwrap_or_default().to_string_lossy();
    let written = subject.outputs(folder, &name);
    let read = arguments.positions.iter().chain(&arguments.subject.parameters);
    let read = read.chain(&arguments.subject.start).map(PathBuf::as_path);
    let journal = with_ending(&arguments.output, ".journal");
    let judgements = settings.judgements(&arguments.output);
    let outputs = written.iter().chain(&arguments.report).chain([&journal, &judgements]);
    let outputs: Vec<&Path> = outputs.map(PathBuf::as_path).collect();
    files::check_outputs(&outputs, read)?;
    // Journal and judgements are locked as they are opened.
    let claimed = written.iter().chain(&arguments.report).map(PathBuf::as_path);
    let _claims = files::claim_outputs(claimed)?;
    if arguments.audit && subject.program().is_some() {
        let message = "--audit looks into the rules of Kamerton's own search, which a program over \
                       pipes does not show: leave it out, or tune Kamerton with --start FILE";
        return Err(WrongUse(message.to_string()).into());
    }
    let job = TuningSettings {
        positions: arguments.positions.clone(),
        judge: settings.judge(subject.game(), subject.base())?,
        subject: subject.clone(),
        journal,
        resume: arguments.resume,
        allows_changes: settings.allow_changed_engine,
        judgements,
        count: settings.count,
        nodes: settings.nodes,
        k: settings.k,
        rounds: arguments.rounds,
        replicates: arguments.replicates,
        seed: settings.seed,
        threads: command_line::useful_threads(settings.threads),
    };
    command_line::say_repeat(arguments.positions.iter().map(PathBuf::as_path), settings.seed)?;
    let mut display = Display::new(&job);
    let tuned = job.run(&mut display)?.expect("nobody interrupts it");
    display.end();
    // The values first, wherever all else may fail.
    let paths = subject.write(folder, &name, &tuned.values(), &tuned.notes)?;
    print_findings(&tuned.findings);
    if let Some(comparison) = &tuned.comparison {
        say_line!("{comparison}");
    }
    let audits =
        if arguments.audit { audits(&job, &subject, &tuned.values())? } else { Vec::new() };
    for (name, findings) in &audits {
        say_line!("\nAudit of the {name}");
        audit::print_findings(findings);
    }
    paths.iter().for_each(|path| say_line!("{}", path.display()));
    if let Some(path) = &arguments.report {
        let text = page::page(&job, &tuned, &audits, &command_line::deciding_invocation());
        files::write_atomically(path, |file| std::io::Write::write_all(file, text.as_bytes()))?;
        say_line!("{}", path.display());
    }
    Ok(())
}

/// Audits of start and result, in the same positions.
fn audits(
    job: &TuningSettings,
    subject: &TunedEngine,
    result: &[f64],
) -> anyhow::Result<Vec<(&'static str, Findings)>> {
    /// More positions tell little more of a rule that is wrong once in a hundred cuts.
    const POSITIONS_MAX: usize = 500;
    let settings = SurveySettings {
        positions: job.positions.clone(),
        count: job.count.min(POSITIONS_MAX),
        nodes: job.nodes,
        samples: audit::SAMPLES,
        shadow_nodes: job.nodes,
        seed: job.seed,
        threads: job.threads,
    };
    let of_values = |(name, values): (&'static str, &[f64])| {
        let numbers = subject.numbers(values).expect("they are Kamerton's own");
        Ok((name, Findings::of(&settings.survey(&numbers)?)))
    };
    [("start", subject.start().as_slice()), ("result", result)].into_iter().map(of_values).collect()
}
