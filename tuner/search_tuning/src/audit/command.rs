//! `tuner audit`: the command line.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use command_line::say_line;
use command_line::{self, count};
use matches::GameOption;
use system::files;

use super::findings::Findings;
use super::page;
use super::prices::Proposals;
use super::show::{print_findings, print_proposals};
use super::survey::{SAMPLES, SurveySettings};

/// Look into what the search cuts: how often is each of its rules wrong, and what does it save?
///
/// Each position is searched, and at a sample of the places where a rule cuts, a shadow search
/// finds out what the node or move is worth without the rule, and how many nodes that takes. What
/// is found in half of the games is fitted, rule by rule, and checked against the others. From the
/// models follows at which margins all rules would pay the same number of wrong cuts for a node.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct AuditArguments {
    /// The game that is played.
    #[command(flatten)]
    pub game: GameOption,
    /// Recorded positions: stores (.kgames), CSV or EPD files.
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    pub positions: Vec<PathBuf>,
    /// Whose search is audited.
    #[arg(long, value_name = "FILE", value_parser = command_line::parameter_file)]
    #[arg(help = command_line::values_help("Whose search is audited"))]
    pub start: PathBuf,
    /// Nodes of each search.
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u64).range(16..=100_000_000))]
    pub nodes: u64,
    /// Positions to search; half of them are of games that only check what the others say.
    #[arg(long, default_value_t = 500, value_name = "POSITIONS")]
    #[arg(value_parser = count(2, 1_000_000))]
    pub count: usize,
    /// Cuts of each rule at each depth that are looked into in a search.
    #[arg(long, default_value_t = SAMPLES, value_name = "N", value_parser = count(1, 10_000))]
    pub samples: usize,
    /// Most nodes of a shadow search; what it does not answer until then stays unknown [default:
    /// those of the search].
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u64).range(16..=100_000_000))]
    pub shadow_nodes: Option<u64>,
    /// Seed of all randomness.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Searches at a time, to 1024; 0 means one a core. The result does not depend on it.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = command_line::threads())]
    pub threads: usize,
    /// Write every cut that was looked into as CSV.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Write a page of HTML, with a reliability diagram of each rule.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Write the parameters with the margins at one price (TOML).
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  The default values, on the games of the repository:
    tuner audit --positions data/positions/sample.kgames --start default --report audit.html
  The margins at one price, and what they are worth:
    tuner audit --positions data/positions/sample.kgames --start default --output priced.toml
    tuner regret --positions data/positions/champion.kgames --start default --change priced.toml";

/// Runs `tuner audit`.
///
/// # Errors
/// If a file is unusable, or too few positions are found.
pub fn run(arguments: &AuditArguments) -> anyhow::Result<()> {
    let outputs = [&arguments.csv, &arguments.report, &arguments.output];
    let outputs: Vec<&Path> = outputs.into_iter().flatten().map(PathBuf::as_path).collect();
    let read = arguments.positions.iter().chain([&arguments.start]).map(PathBuf::as_path);
    files::check_outputs(&outputs, read.clone())?;
    let _claims = files::claim_outputs(outputs)?;
    let (numbers, _) = arguments.game.game.open_numbers(&arguments.start)?;
    command_line::say_repeat(read, arguments.seed)?;
    let settings = SurveySettings {
        positions: arguments.positions.clone(),
        count: arguments.count,
        nodes: arguments.nodes,
        samples: arguments.samples,
        shadow_nodes: arguments.shadow_nodes.unwrap_or(arguments.nodes),
        seed: arguments.seed,
        threads: arguments.threads,
    };
    let survey = settings.survey(&numbers)?;
    let findings = Findings::of(&survey);
    let proposals = Proposals::of(&survey, &numbers);
    let name = arguments.start.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    // The values first, wherever all else may fail.
    if let Some(path) = &arguments.output {
        let notes = proposals.notes(&name, &settings);
        let text = proposals.applied(&numbers).to_toml_with_notes(&notes);
        files::write_atomically(path, |file| file.write_all(text.as_bytes()))?;
    }
    if let Some(path) = &arguments.csv {
        survey.write_csv(path)?;
    }
    print_findings(&findings);
    print_proposals(&proposals);
    for path in arguments.output.iter().chain(&arguments.csv) {
        say_line!("{}", path.display());
    }
    if let Some(path) = &arguments.report {
        let repeat = command_line::invocation();
        let text = page::page(&name, &settings, &findings, &proposals, &repeat);
        files::write_atomically(path, |file| file.write_all(text.as_bytes()))?;
        say_line!("{}", path.display());
    }
    Ok(())
}
