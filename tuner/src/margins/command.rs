//! `tuner margins`: the command line.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use sha2::{Digest, Sha256};
use sprt::game::MoveLimits;
use sprt::player::Contestant;

use super::ELO_PER_MERIT;
use super::bench::Bench;
use super::design::Space;
use super::journal::{Course, Journal};
use super::judge::JudgeSettings;
use super::measure::Scores;
use super::places::Places;
use super::tuning::{Finding, Listener, Tuning};
use crate::command_line::{self, WrongUse, count};
use crate::tunables::SubjectArguments;

/// Fit search margins to recorded positions, without a game.
///
/// In each position the engine chooses a move with few nodes, again and again with other margins;
/// a judge, the engine itself with many more nodes, says what each move is worth. From what the
/// choices lose follows which margins are better. All margins are moved at once, each position is
/// searched with values of its own, and a surface fitted to all observations leads the center
/// from round to round. At the end start and result are compared on positions of other games.
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
    /// Go on with a run that was begun with the same settings. More rounds continue it.
    #[arg(long)]
    pub resume: bool,
}

/// How moves are chosen and judged.
#[derive(Args, Clone, Debug)]
pub struct BenchArguments {
    /// Positions to choose in; half as many more, of other games, are there to report on.
    #[arg(long, default_value_t = 5000, value_name = "POSITIONS", value_parser = count(20, 10_000_000))]
    pub count: usize,
    /// Nodes of each choice.
    #[arg(long, default_value_t = 4000, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u64).range(16..=1_000_000_000))]
    pub nodes: u64,
    /// Nodes of the judge after each move; ten to a hundred times those of a choice.
    #[arg(long, default_value_t = 60_000, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u64).range(16..=1_000_000_000))]
    pub judge_nodes: u64,
    /// The judge: textbook, default, a parameter file, or any UCI engine with further words as `sprt
    /// run --help` describes them [default: who is tuned, with the values of the start].
    #[arg(long, value_name = "WORDS", num_args = 1..)]
    pub judge: Vec<String>,
    /// File that remembers what the judge said, for this run and all others on these positions
    /// [default: the output with .judgements.csv added].
    #[arg(long, value_name = "FILE")]
    pub judgements: Option<PathBuf>,
    /// What a centipawn changes in the logarithm of the odds [default: what fits the recorded
    /// scores and results].
    #[arg(long, value_name = "K", value_parser = command_line::within(1e-4, 0.1))]
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
    pub(super) fn judge(&self, usual: &Contestant) -> anyhow::Result<JudgeSettings> {
        let contestant = match self.judge.split_first() {
            None => usual.clone(),
            Some((first, rest)) => {
                let file = command_line::parameter_file(first).map_err(WrongUse)?;
                let mut words = vec![file.to_string_lossy().into_owned()];
                words.extend_from_slice(rest);
                Contestant::parse(&words, MoveLimits::default(), None)
                    .map_err(|error| WrongUse(format!("--judge: {error}")))?
            }
        };
        JudgeSettings::new(contestant, self.judge_nodes)
    }
}

/// A path with something added to the file's name.
fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Runs `tuner margins`.
///
/// # Errors
/// If a file is unusable, too few positions are found, or nothing is left to tune.
pub fn run(arguments: &MarginsArguments) -> anyhow::Result<()> {
    let settings = &arguments.bench;
    let threads = command_line::useful_threads(settings.threads);
    eprintln!("repeat with: {} (seed {})", command_line::invocation(), settings.seed);
    let subject = Arc::new(arguments.subject.subject()?);
    subject.check()?;
    let tunables = subject.tunables();
    let mut places = Places::draw(&arguments.positions, settings.count, settings.seed, threads)?;
    places.k = settings.k.unwrap_or(places.k);
    let judge = settings.judge(subject.base())?;
    let judgements = settings.judgements(&arguments.output);
    let mut bench = Bench::new(&subject, settings.nodes, &judge, &judgements, places.k, threads)?;
    let course = Course {
        start: subject.base().load()?.identity.fingerprint,
        tunables: tunables.iter().map(|it| format!("{} = {}", it.name, it.value)).collect(),
        positions: fingerprint(&places),
        count: settings.count,
        nodes: settings.nodes,
        judge: judge.name(),
        seed: settings.seed,
    };
    let path = with_ending(&arguments.output, ".journal");
    let mut journal = Journal::open(&path, &course, arguments.resume)?;
    eprintln!(
        "{} numbers, {} positions to tune on and {} to report on, k {:.5}, {} judgements known, \
         {} observations from before",
        tunables.len(),
        places.tuning.len(),
        places.held_out.len(),
        places.k,
        bench.judgements(),
        journal.earlier(),
    );
    let space = Space::new(tunables);
    let mut display = Display::new(arguments.rounds, 2 * places.tuning.len());
    let mut tuning = Tuning {
        bench: &mut bench,
        journal: &mut journal,
        places: &places.tuning,
        space: &space,
        seed: settings.seed,
    };
    let findings = tuning.run(arguments.rounds, &mut display)?;
    display.bar.finish_and_clear();
    let mut notes = notes(arguments, &findings, &course.start);
    print_findings(&findings);
    if arguments.replicates > 0 {
        let line = compare(arguments, &mut bench, &places, &space, &findings)?;
        println!("{line}");
        notes.push(line);
    }
    let values: Vec<f64> = findings.iter().map(|finding| finding.value).collect();
    let folder = arguments.output.parent().unwrap_or(Path::new(""));
    let name = arguments.output.file_stem().unwrap_or_default().to_string_lossy();
    for path in subject.write(folder, &name, &values, &notes.join("\n"))? {
        println!("{}", path.display());
    }
    Ok(())
}

/// SHA-256 of all that a run depends on of its positions.
fn fingerprint(places: &Places) -> String {
    let mut hash = Sha256::new();
    for place in &places.tuning {
        hash.update(place.fen.as_bytes());
        hash.update(b"\n");
    }
    hash.update(places.k.to_le_bytes());
    hex::encode(&hash.finalize()[..12])
}

/// Compares start and result on the positions that have chosen nothing.
fn compare(
    arguments: &MarginsArguments,
    bench: &mut Bench,
    places: &Places,
    space: &Space,
    findings: &[Finding],
) -> anyhow::Result<String> {
    let sets = [
        space.tunables().iter().map(|tunable| tunable.value).collect(),
        findings.iter().map(|finding| finding.value).collect(),
    ];
    let replicates = arguments.replicates;
    let display = Display::new(1, sets.len() * replicates * places.held_out.len());
    let seed = arguments.bench.seed;
    let scores = Scores::measure(
        bench,
        &places.held_out,
        space,
        &sets,
        replicates,
        seed,
        &mut |searches| {
            display.bar.inc(searches as u64);
        },
    )?;
    display.bar.finish_and_clear();
    let (gain, null) = (scores.gain(1, 0), scores.null_gain(0));
    let regrets = [0, 1].map(|set| 1e4 * scores.regret(set, bench, &places.held_out).mean);
    let misjudgements = [0, 1].map(|set| 1e4 * scores.misjudgement(set).mean);
    Ok(format!(
        "On {} positions of other games (10^-4 of the expected score a move): regret {:.1} -> \
         {:.1}, misjudgement {:.1} -> {:.1}; merit {:+.1} +- {:.1}, about {:+.0} +- {:.0} Elo; a \
         change of nothing: {:+.1} +- {:.1}",
        places.held_out.len(),
        regrets[0],
        regrets[1],
        misjudgements[0],
        misjudgements[1],
        1e4 * gain.mean,
        1.96e4 * gain.error,
        ELO_PER_MERIT * gain.mean,
        1.96 * ELO_PER_MERIT * gain.error,
        1e4 * null.mean,
        1.96e4 * null.error,
    ))
}

/// What stands at the head of the file.
fn notes(arguments: &MarginsArguments, findings: &[Finding], start: &str) -> Vec<String> {
    let settings = &arguments.bench;
    let mut notes = vec![format!(
        "Margins fitted by tuner margins from {}: {} positions, {} nodes, judged with {}, seed {}, \
         {} rounds.",
        start,
        settings.count,
        settings.nodes,
        settings.judge_nodes,
        settings.seed,
        arguments.rounds,
    )];
    let changed = findings.iter().filter(|finding| finding.value != finding.start);
    notes.extend(changed.map(|finding| {
        format!(
            "{}: {} -> {} ({:.0} to {:.0}), {:+.1} +- {:.1} Elo",
            finding.name,
            finding.start,
            finding.value,
            finding.interval.0,
            finding.interval.1,
            finding.gain,
            1.96 * finding.gain_error
        )
    }));
    notes
}

/// The table of what was found, greatest gain first.
fn print_findings(findings: &[Finding]) {
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort_by(|a, b| b.gain.total_cmp(&a.gain));
    let width = findings.iter().map(|finding| finding.name.len()).max().unwrap_or(0);
    println!(
        "{:width$} {:>7} {:>7} {:>15} {:>13} {:>19}",
        "number", "start", "found", "95 % interval", "gain (Elo)", "one spread off"
    );
    for finding in sorted {
        let verdict = if finding.is_indifferent() { "  does not matter" } else { "" };
        println!(
            "{:width$} {:>7} {:>7} {:>15} {:>+6.1} +- {:>3.1} {:>+6.1} +- {:>3.1} ({:.0}){verdict}",
            finding.name,
            finding.start,
            finding.value,
            format!("{:.0} to {:.0}", finding.interval.0, finding.interval.1),
            finding.gain,
            1.96 * finding.gain_error,
            -finding.curvature,
            1.96 * finding.curvature_error,
            finding.spread,
        );
    }
}

/// Progress on standard error: a bar on a terminal, lines elsewhere.
struct Display {
    bar: ProgressBar,
    rounds: usize,
    started: Instant,
    last_line: Instant,
}

impl Display {
    /// Time between two lines where no bar can be shown.
    const LINE_INTERVAL: Duration = Duration::from_secs(30);

    fn new(rounds: usize, searches: usize) -> Display {
        let length = (rounds * searches) as u64;
        let bar = if std::io::stderr().is_terminal() {
            ProgressBar::new(length)
        } else {
            ProgressBar::hidden()
        };
        let template = "{wide_bar} {human_pos}/{human_len} searches, {eta} left, {msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Display { bar, rounds, started: Instant::now(), last_line: Instant::now() }
    }
}

impl Listener for Display {
    fn searched(&mut self, round: usize, searches: usize, judgements: usize) {
        self.bar.inc(searches as u64);
        let text = format!("round {}/{}, {judgements} judgements", round + 1, self.rounds);
        if self.bar.is_hidden() && self.last_line.elapsed() >= Self::LINE_INTERVAL {
            let seconds = self.started.elapsed().as_secs();
            eprintln!("{text}, {} searches, {seconds} s", self.bar.position());
            self.last_line = Instant::now();
        }
        self.bar.set_message(text);
    }

    fn round_ended(&mut self, round: usize, findings: &[Finding]) {
        let gain: f64 = findings.iter().map(|finding| finding.gain).sum();
        let error = findings.iter().map(|it| it.gain_error.powi(2)).sum::<f64>().sqrt();
        let mut moved: Vec<&Finding> =
            findings.iter().filter(|finding| finding.value != finding.start).collect();
        moved.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        let words: Vec<String> = moved
            .iter()
            .take(4)
            .map(|it| format!("{} {} -> {}", it.name, it.start, it.value))
            .collect();
        self.bar.suspend(|| {
            eprintln!(
                "round {}: {gain:+.0} +- {:.0} Elo expected; {}",
                round + 1,
                1.96 * error,
                words.join(", ")
            );
        });
    }
}
