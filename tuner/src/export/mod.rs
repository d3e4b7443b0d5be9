//! `tuner export`: an engine binary with a parameter file embedded, checked, with its manifest
//! beside it.
//!
//! A binary gets its name only when its bench equals that of this process, so a wrong one never
//! lies under it.

mod compiling;
mod replacing;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use chess::Parameters;
use chess::bench::{DEFAULT_DEPTH, bench};
use chess::block;
use clap::Args;
use command_line::say_line;
use command_line::{parameter_file, values_help};
use foreign::last_lines;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use system::files::{self, FileError, partial_of};

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

/// The parts that an exported binary is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// SHA-256 of the parameter file, in hexadecimal.
    pub parameters_sha256: String,
    /// Fingerprint of the values, as in the engine's name.
    pub fingerprint: String,
    /// Nodes of the binary's `bench`.
    pub bench: u64,
    /// Commit that the engine was built from, with `-dirty` if there were changes; none where that
    /// is not known.
    pub commit: Option<String>,
    /// The compiler that built the engine, with its version.
    pub compiler: String,
    /// Target it was built for.
    pub target: String,
    /// Processor it was built for.
    pub target_cpu: String,
    /// Whether it was built by a profile of its bench; no where nobody says so.
    #[serde(default)]
    pub guided: bool,
    /// The verdict that accepted the file, if one is known.
    pub verdict: Option<String>,
}

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
    let (parameters, file) = Parameters::open_whole(&arguments.parameters)?;
    // Before anything that takes long: can the output be written at all?
    let partial = partial_of(&arguments.output);
    let (_, partial) = partial.map_err(FileError::at("write", &arguments.output))?;
    let job = ExportJob {
        fingerprint: parameters.fingerprint(),
        parameters: Arc::new(parameters),
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

/// The binary to be made.
struct ExportJob<'a> {
    /// The numbers that the binary is to play.
    parameters: Arc<Parameters>,
    fingerprint: String,
    /// Content of their file.
    file: &'a str,
    verdict: Option<&'a str>,
    /// Where the binary is made and checked.
    partial: &'a Path,
    /// Path of the binary.
    output: &'a Path,
}

/// The origin of an engine: commit, compiler and target.
struct Build {
    commit: Option<String>,
    compiler: String,
    target: String,
    target_cpu: String,
    guided: bool,
}

impl ExportJob<'_> {
    /// The manifest of the job's file in an engine of this build; the bench is that of the engine
    /// in this program.
    fn manifest(&self, build: Build, bench: u64) -> Manifest {
        Manifest {
            parameters_sha256: hex::encode(Sha256::digest(self.file)),
            fingerprint: self.fingerprint.clone(),
            bench,
            commit: build.commit,
            compiler: build.compiler,
            target: build.target,
            target_cpu: build.target_cpu,
            guided: build.guided,
            verdict: self.verdict.map(str::to_string),
        }
    }

    /// The error that the binary cannot be written, whatever it is made of.
    fn cannot_write(&self) -> impl FnOnce(io::Error) -> FileError {
        FileError::at("write", self.output)
    }

    /// Nodes of the bench by this program's own engine.
    fn bench_here(&self) -> u64 {
        bench(&self.parameters, DEFAULT_DEPTH, &mut |_, _| ()).nodes
    }

    /// Starts the bench of the binary that was made.
    fn start_bench(&self) -> anyhow::Result<Bench> {
        let path = self.partial.canonicalize();
        let path = path.with_context(|| format!("cannot find {}", self.partial.display()))?;
        let child = Command::new(&path)
            .arg("bench")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot run {}, which was just made", path.display()))?;
        Ok(Bench(child))
    }

    /// Checks that the binary carries this manifest.
    fn check_manifest(&self, manifest: &Manifest) -> anyhow::Result<()> {
        let path = self.partial.canonicalize()?;
        let carried = output_of(Command::new(path).args(["params", "--manifest"]))?;
        let same = carried.trim() == manifest.text()?.trim();
        ensure!(same, "the binary carries another manifest: {carried}");
        Ok(())
    }
}

impl Manifest {
    /// The manifest that a binary carries.
    ///
    /// # Errors
    /// There is no binary that carries one.
    pub fn carried_by(binary: &Path) -> anyhow::Result<Manifest> {
        let file = std::fs::read(binary)?;
        Ok(serde_json::from_str(&block::contents_of(&file)?.manifest)?)
    }

    /// Where the file lies that tells of a binary.
    fn beside(binary: &Path) -> PathBuf {
        let mut name = binary.as_os_str().to_owned();
        name.push(".json");
        name.into()
    }

    /// Writes the file beside a binary.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write_beside(&self, binary: &Path) -> anyhow::Result<()> {
        let text = self.text()?;
        Ok(files::write_atomically(&Manifest::beside(binary), |file| {
            file.write_all(text.as_bytes())
        })?)
    }

    /// The file: what lies beside the binary and within.
    fn text(&self) -> anyhow::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// The bench of a binary at work.
struct Bench(Child);

impl Bench {
    /// Waits for it, and checks that its nodes are those of this program's engine.
    fn check(self, expected: u64) -> anyhow::Result<()> {
        let output = self.0.wait_with_output().context("the binary's bench was lost")?;
        let text = succeeded(&output, "the binary's bench")?;
        let nodes = text
            .lines()
            .last()
            .and_then(|line| line.split_whitespace().next())
            .and_then(|nodes| nodes.parse::<u64>().ok())
            .with_context(|| format!("the binary's bench ends in no node count: {text}"))?;
        ensure!(
            nodes == expected,
            "the binary's bench is {nodes} nodes, but {expected} in this program with the file \
             loaded: the engine is of another version than this program"
        );
        Ok(())
    }
}

/// The commit the workspace is at.
fn commit(workspace: &Path) -> Option<String> {
    let git = |arguments: &[&str]| {
        output_of(Command::new("git").args(arguments).current_dir(workspace)).ok()
    };
    let commit = git(&["rev-parse", "HEAD"])?.trim().to_string();
    let changes = git(&["status", "--porcelain", "--untracked-files=no"])?;
    Some(if changes.is_empty() { commit } else { commit + "-dirty" })
}

/// Standard output of a command that must succeed; its standard error is part of the failure.
fn output_of(command: &mut Command) -> anyhow::Result<String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("cannot run {program}"))?;
    succeeded(&output, &program)
}

/// Standard output of what must have succeeded.
fn succeeded(output: &std::process::Output, program: &str) -> anyhow::Result<String> {
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        let last = last_lines(&errors, 30).join("\n");
        bail!("{program} failed ({}): {last}", output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
