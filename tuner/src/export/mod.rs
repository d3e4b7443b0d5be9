//! `tuner export`: an engine binary with a parameter file embedded, checked, with its manifest
//! beside it.
//!
//! A binary gets its name only when its bench equals that of this process, so a wrong one never
//! lies under it.

mod compiling;
mod job;
mod manifest;
mod replacing;

use std::io::Write;
use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use command_line::say_line;
use command_line::{parameter_file, values_help};
use matches::GameOption;
use system::files::{self, FileError, partial_of};

use job::ExportJob;

pub use manifest::Manifest;

/// Write an engine binary that carries a parameter file, and prove that it plays those numbers.
///
/// It is a copy of an engine in which the block with its parameter file is replaced, which takes no
/// compiler: of `kamerton` beside this program, or else of this program itself, which has the same
/// engine in it and becomes it in the copy (larger, but as fast). With --compile the engine is built
/// anew, with the numbers as constants: some 7 % faster than a copy.
///
/// The binary's `bench` must equal the bench of this program's engine with the same file loaded;
/// otherwise nothing is left behind. The manifest lies beside the binary as OUTPUT.json and is
/// printed by `OUTPUT params --manifest`.
///
/// Where systems ask for signatures a changed binary needs a new one. On macOS it gets one of its
/// own making (`codesign --sign -`), as every binary that is built there; one that others are to
/// trust, and Authenticode on Windows, are for you to sign.
#[derive(Args, Clone, Debug, Default)]
#[command(after_help = EXAMPLES, allow_negative_numbers = true)]
pub struct ExportArguments {
    /// The game whose numbers these are.
    #[command(flatten)]
    pub game: GameOption,
    /// Values to embed.
    #[arg(long, value_name = "FILE", value_parser = parameter_file)]
    #[arg(help = values_help("Values to embed"))]
    pub parameters: PathBuf,
    /// Binary to write.
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// Engine to copy: a `kamerton` of the same version, or an exported one [default: the one beside
    /// this program, else this program].
    #[arg(long, value_name = "FILE", conflicts_with = "compile")]
    pub engine: Option<PathBuf>,
    /// Build the engine with cargo, a minute or two, instead of copying one.
    #[arg(long)]
    pub compile: bool,
    /// With --compile: processor to build for, as rustc's target-cpu: native, x86-64-v2, x86-64-v3
    /// … [default: native]
    #[arg(long, value_name = "NAME", requires = "compile")]
    pub target_cpu: Option<String>,
    /// With --compile: build twice, first with counters, to see in the bench which ways through the
    /// code are taken, then by what they counted (profile-guided optimization). The engine plays
    /// the same, some 1 to 7 % faster. Needs `rustup component add llvm-tools`.
    #[arg(long, requires = "compile")]
    pub guided: bool,
    /// With --compile: workspace to build from [default: the one this program was built from].
    #[arg(long, value_name = "FOLDER", requires = "compile")]
    pub workspace: Option<PathBuf>,
    /// The verdict that accepted the file, for the manifest.
    #[arg(long, value_name = "TEXT")]
    pub verdict: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  tuner export --parameters tuned.toml --output kamerton-tuned
  tuner export --parameters tuned.toml --output kamerton-tuned --engine downloads/kamerton
  tuner export --parameters tuned.toml --output kamerton-tuned --compile --target-cpu x86-64-v2
  ./kamerton-tuned params --manifest";

/// Runs `tuner export`.
///
/// # Errors
/// When the file is unusable, there is no engine to copy, the build fails, or the checks find a
/// difference; nothing is written then.
pub fn run(arguments: &ExportArguments) -> anyhow::Result<()> {
    let manifest = export(arguments)?;
    say_line!("{}", serde_json::to_string_pretty(&manifest)?);
    say_line!(
        "{}: bench {} as with {} loaded",
        arguments.output.display(),
        manifest.bench,
        arguments.parameters.display()
    );
    Ok(())
}

/// Makes, checks and writes the binary and its manifest.
///
/// # Errors
/// As [`run`].
pub fn export(arguments: &ExportArguments) -> anyhow::Result<Manifest> {
    ensure!(arguments.output.file_name().is_some(), "{} names no file", arguments.output.display());
    ensure!(
        !files::is_stream(&arguments.output),
        "{} is no file that a binary could take the place of",
        arguments.output.display()
    );
    let beside = Manifest::beside(&arguments.output);
    let read = [Some(&arguments.parameters), arguments.engine.as_ref()].into_iter().flatten();
    files::check_outputs(&[&arguments.output, &beside], read.map(PathBuf::as_path))?;
    let _claims = files::claim_outputs([&*arguments.output])?;
    let (numbers, file) = arguments.game.game.open_numbers(&arguments.parameters)?;
    // Before anything that takes long: can the output be written at all?
    let partial = partial_of(&arguments.output);
    let (_, partial) = partial.map_err(FileError::at("write", &arguments.output))?;
    let job = ExportJob {
        numbers,
        file: &file,
        verdict: arguments.verdict.as_deref(),
        partial: &partial,
        output: &arguments.output,
    };
    let manifest = match (arguments.compile, &arguments.engine) {
        (true, _) => {
            let (workspace, target_cpu) =
                (arguments.workspace.as_deref(), arguments.target_cpu.as_deref());
            let guided = arguments.guided;
            compiling::compile(&job, &compiling::Wishes { workspace, target_cpu, guided })
        }
        (false, Some(engine)) => replacing::copy(&job, engine),
        (false, None) => replacing::copy_usual(&job),
    }?;
    // Both are written before one of them takes its place.
    let (mut file, note) = partial_of(&beside).map_err(FileError::at("write", &beside))?;
    file.write_all(manifest.text()?.as_bytes()).map_err(FileError::at("write", &beside))?;
    for (partial, place) in [(partial, &arguments.output), (note, &beside)] {
        partial.persist().map_err(FileError::at("write", place))?;
    }
    Ok(manifest)
}
