//! `tuner fit`: from recorded positions and a starting file to a tuned file and a report.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::Args;
use command_line::{self, WrongUse};
use command_line::{say_line, say_text};
use matches::GameOption;
use positions::{self, Filter, Source, SourceArguments};
use system::files::{self, Claim};
use system::tell;

use super::page::{self, PageSources};
use super::report::Report;
use super::settings::FitSettings;
use super::traces::{Traces, fit_traces};
use super::unit::Unit;
use super::{check, fit};
use crate::model::linear::{Language, ParameterFile};

/// Fit the evaluation terms to recorded positions (Texel's method).
///
/// The error is the mean over positions of (result − p)², result 0, ½ or 1 from White's view and p
/// the expected result, 1 / (1 + 10^(−K·evaluation/400)) with the evaluation in centipawns: at K =
/// 1 an advantage of 400 wins ten times as often as it loses.
///
/// K says how steeply results follow evaluations: it is great for strong players, who win with
/// little. Were all values twice as great and K half, the error would be the same. So K is fitted
/// first, with the starting values, and then kept: a centipawn goes on meaning what it meant there,
/// which margins of the search count on. At the end K is fitted again and told: one that differs
/// means that the tuned values have another scale. Fix it by --k where fits are to be compared or
/// follow each other, and where the starting values predict nothing.
///
/// Each number comes with what the positions alone say of it (95 % interval), its t-value and its
/// share of the fall of the error. Errors are those of games, since all positions of a game share
/// its result.
///
/// Whole games are kept from the fit: the error of some decides when to stop, the error of others,
/// which decide nothing, is reported. Where a file names no games, they are guessed from successive
/// lines.
///
/// A fit writes its files at its end, each whole or not at all; the same command begins afresh and
/// ends with the same bytes.
///
/// Where the positions do not determine the values, the exit status is 1 and nothing is written.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, allow_negative_numbers = true)]
pub struct FitArguments {
    /// The game whose evaluation is fitted.
    #[command(flatten)]
    pub game: GameOption,
    /// Recorded games, or positions with results in any form that `tuner positions` reads.
    #[arg(
        long,
        required_unless_present_any = ["job", "traces"],
        num_args = 1..,
        value_name = "FILE"
    )]
    pub positions: Vec<PathBuf>,
    /// Other sources than files.
    #[command(flatten)]
    pub sources: SourceArguments,
    /// Values to start from, and towards which the fit is pulled.
    #[arg(
        long,
        required_unless_present = "traces",
        value_name = "FILE",
        value_parser = command_line::parameter_file,
        help = command_line::values_help(START) + FROM_ZERO
    )]
    pub start: Option<PathBuf>,
    /// Instead of positions: traces of a linear evaluation, text or packed, as docs/traces shows.
    #[arg(
        long,
        num_args = 1..,
        value_name = "FILE",
        requires = "parameters",
        conflicts_with_all = ["positions", "start", "job", "print_job", "input_form"]
    )]
    pub traces: Vec<PathBuf>,
    /// With --traces: names, ranges and starting values of the numbers.
    #[arg(long, value_name = "FILE", requires = "traces", conflicts_with = "start")]
    pub parameters: Option<PathBuf>,
    /// With --traces: the tuned values as source, too; C (.c, .h), C++ (.cpp, .hpp, .cc, .hh) or
    /// Rust (.rs).
    #[arg(long, value_name = "FILE", requires = "traces", conflicts_with = "start")]
    pub array: Option<PathBuf>,
    /// With --traces: which number is the unit, as pawn=100 (of a number with two phases that of the
    /// middlegame). All values, those that are fixed included, are multiplied so that it has this
    /// value, and K is divided by as much.
    #[arg(long, value_name = "NAME=VALUE", requires = "traces", conflicts_with = "start")]
    pub unit: Option<Unit>,
    /// Tuned parameter file to write.
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// Folder for the report: a page of HTML (report.html) and the same as data (report.json).
    #[arg(long, value_name = "FOLDER")]
    pub report: Option<PathBuf>,
    /// What decides the result.
    #[command(flatten)]
    pub settings: FitSettings,
    /// Which of the positions to use.
    #[command(flatten)]
    pub filter: Filter,
    /// Seed of the split by games and of the order of mini-batches.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads to use, to 1024; 0 means all cores. The result does not depend on it.
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = command_line::threads())]
    pub threads: usize,
}

const START: &str = "Values to start from, and towards which the fit is pulled";
const FROM_ZERO: &str = ". From zero, which knows no unit, the fit begins with all men at the same \
                         multiple of their least worth, a pawn at 100; lambda is 0 unless it is given";

const EXAMPLES: &str = "\
Examples:
  tuner fit --positions games.kgames --start textbook --output tuned.toml
  tuner fit --positions a.epd b.csv --start textbook --output tuned.toml --optimizer adamw \\
      --epochs 200 --report report
  tuner fit --positions games.kgames --start textbook --output tuned.toml --only king,danger \\
      --shrink 2
  The evaluation of another engine, from traces that it has written:
    tuner fit --traces games.traces --parameters numbers.toml --output tuned.toml --array tuned.h";

/// Runs `tuner fit`.
///
/// # Errors
/// On unusable arguments, files or data, and as [`super::Singular`]; nothing is written then.
pub fn run(arguments: &FitArguments) -> anyhow::Result<()> {
    let sources = if arguments.traces.is_empty() {
        let sources = &arguments.sources;
        let found = sources.sources_or_print(&arguments.positions, &arguments.filter)?;
        found
            .map(|found| check(&arguments.settings, arguments.game.game).map(|()| found))
            .transpose()?
    } else {
        arguments.settings.check_for_traces()?;
        if let Some(option) = arguments.filter.unusual() {
            let reason = "whoever writes traces chooses their positions";
            return Err(WrongUse(format!("{option} cannot be used with --traces: {reason}")).into());
        }
        Some(Vec::new())
    };
    let Some(sources) = sources else { return Ok(()) };
    let _claims = arguments.claim_files(&sources)?;
    let report = match (&arguments.start, &arguments.parameters) {
        (Some(start), _) => fit_recorded(arguments, &sources, start)?,
        (None, Some(parameters)) => fit_linear(arguments, parameters)?,
        (None, None) => return Err(WrongUse("--start or --parameters is needed".into()).into()),
    };
    say_text!(report.to_text());
    say_line!("\nTuned parameters: {}", arguments.output.display());
    Ok(())
}

impl FitArguments {
    /// Checks before anything that takes long that the files can be written, and that none of them is
    /// one that is read, and claims them.
    fn claim_files(&self, sources: &[Source]) -> anyhow::Result<Vec<Claim>> {
        // A folder that is yet to be made holds nothing.
        let folder = self.report.iter().filter(|folder| folder.is_dir());
        let pages = folder.flat_map(|folder| page::files(folder));
        let outputs = [self.output.clone()].into_iter().chain(self.array.clone()).chain(pages);
        let outputs: Vec<PathBuf> = outputs.collect();
        let outputs: Vec<&Path> = outputs.iter().map(PathBuf::as_path).collect();
        let read = sources.iter().map(|source| source.path.as_path());
        let read = read.chain(self.traces.iter().map(PathBuf::as_path));
        let read =
            read.chain([&self.start, &self.parameters].into_iter().flatten().map(PathBuf::as_path));
        let read = read.chain(self.sources.job.as_deref());
        files::check_outputs(&outputs, read)?;
        let mut known = BTreeSet::new();
        for path in &self.traces {
            let is_new = known.insert(path.canonicalize().unwrap_or_else(|_| path.clone()));
            ensure!(is_new, "{} is named twice: its games would count double", path.display());
        }
        if let Some(report) = &self.report {
            let files = [Some(&self.output), self.array.as_ref()];
            let plain = |path: &Path| path.components().collect::<PathBuf>();
            let is_output = files.into_iter().flatten().any(|file| plain(file) == plain(report));
            ensure!(!is_output, "--report {}: it is a file of the same fit", report.display());
        }
        if let Some(report) = self.report.as_ref().filter(|report| report.exists()) {
            ensure!(report.is_dir(), "--report {}: it is no folder", report.display());
        }
        // One within folders that are yet to be made has no place to be claimed.
        let report = self.report.as_deref().filter(|report| files::folder_of(report).is_dir());
        let claimed = [Some(&*self.output), self.array.as_deref(), report];
        Ok(files::claim_outputs(claimed.into_iter().flatten())?)
    }
}

/// Fits the evaluation of the game to recorded positions, and writes the files.
fn fit_recorded(
    arguments: &FitArguments,
    sources: &[Source],
    start_path: &Path,
) -> anyhow::Result<Report> {
    let (start, _) = arguments.game.game.open_numbers(start_path)?;
    let read = sources.iter().map(|source| source.path.as_path());
    command_line::say_repeat(read, arguments.seed)?;
    let found = positions::expand_sources(sources, &start, arguments.threads)?;
    tell(found.counts.to_string().trim_end());
    found.counts.warn();
    let pool = command_line::thread_pool(arguments.threads)?;
    let fit = pool.install(|| {
        fit(found.samples, &start, &arguments.settings, arguments.seed, &mut |line| {
            tell(format_args!("{line}"))
        })
    })?;
    let names: Vec<String> =
        sources.iter().map(|source| source.path.display().to_string()).collect();
    let start_name = start_path.display().to_string();
    let notes = fit.notes(&start, &start_name, &names);
    let subject = PageSources {
        numbers: Some([&start, &fit.numbers]),
        start_name: &start_name,
        sources: &names,
        repeat: &command_line::invocation(),
    };
    write(arguments, &fit.report, &subject, &fit.numbers.to_toml_with_notes(&notes), None)?;
    Ok(fit.report)
}

/// Fits the linear evaluation of traces in files, and writes the files.
fn fit_linear(arguments: &FitArguments, path: &Path) -> anyhow::Result<Report> {
    let language = match &arguments.array {
        Some(path) => Some((
            path,
            Language::of(path).ok_or_else(|| {
                WrongUse(format!(
                    "--array {}: the ending says no language: .c, .h, .cpp, .hpp, .cc, .hh, .rs",
                    path.display()
                ))
            })?,
        )),
        None => None,
    };
    let parameters = ParameterFile::load(path)?;
    if let Some((array, language)) = language {
        let fault = |reason| WrongUse(format!("--array {}: {reason}", array.display()));
        language.check(&parameters).map_err(fault)?;
    }
    command_line::say_repeat(arguments.traces.iter().map(PathBuf::as_path), arguments.seed)?;
    let pool = command_line::thread_pool(arguments.threads)?;
    let (fitted, report) = pool.install(|| {
        let FitArguments { traces, settings, unit, seed, .. } = arguments;
        let traces = Traces::Files(traces);
        fit_traces(traces, &parameters, settings, unit.as_ref(), *seed, &mut |it| {
            tell(format_args!("{it}"))
        })
    })?;
    let start = format!("from {}", path.display());
    let names = sources(&arguments.traces);
    let notes = report.notes(&start, &names);
    let source = language.map(|(path, language)| {
        let is_header = path.extension().is_some_and(|it| it.as_encoded_bytes().starts_with(b"h"));
        let guard = if is_header { "#pragma once\n\n" } else { "" };
        (path, guard.to_string() + &language.source(&parameters, &fitted.values, &notes))
    });
    let subject = PageSources {
        numbers: None,
        start_name: &path.display().to_string(),
        sources: &names,
        repeat: &command_line::invocation(),
    };
    let tuned = parameters.to_toml(&fitted.values, &notes);
    write(arguments, &report, &subject, &tuned, source)?;
    Ok(report)
}

/// Writes the tuned file, then the report, if asked for: where there is no room for that, the values
/// stay.
fn write(
    arguments: &FitArguments,
    report: &Report,
    subject: &PageSources<'_>,
    tuned: &str,
    source: Option<(&PathBuf, String)>,
) -> anyhow::Result<()> {
    files::write_atomically(&arguments.output, |file| file.write_all(tuned.as_bytes()))?;
    if let Some((path, source)) = source {
        files::write_atomically(path, |file| file.write_all(source.as_bytes()))?;
    }
    let Some(folder) = &arguments.report else { return Ok(()) };
    let told = || format!("the tuned values are in {}, but", arguments.output.display());
    page::write(report, subject, folder).with_context(told)
}

fn sources(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| path.display().to_string()).collect()
}
