//! `tuner export`: an engine binary with a parameter file embedded, checked, with its manifest
//! beside it.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use clap::Args;
use engine::Parameters;
use engine::chess::bench::{DEFAULT_DEPTH, bench};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sprt::files;

use crate::command_line::parameter_file;

/// Build the engine with a parameter file embedded, and prove that it plays those numbers.
///
/// The binary's `bench` must equal the bench of this program's engine with the same file loaded;
/// otherwise nothing is left behind. The manifest lies beside the binary as OUTPUT.json and is
/// printed by `OUTPUT params --manifest`.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, allow_negative_numbers = true)]
pub struct ExportArguments {
    /// Values to embed: textbook, default, zero, or a parameter file.
    #[arg(long, value_name = "FILE", value_parser = parameter_file)]
    pub parameters: PathBuf,
    /// Binary to write.
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// Processor to build for, as rustc's target-cpu: native, x86-64-v2, x86-64-v3 … [default: as
    /// the workspace says, native]
    #[arg(long, value_name = "NAME")]
    pub target_cpu: Option<String>,
    /// Workspace to build from [default: the one this program was built from].
    #[arg(long, value_name = "FOLDER")]
    pub workspace: Option<PathBuf>,
    /// The verdict that accepted the file, for the manifest.
    #[arg(long, value_name = "TEXT")]
    pub verdict: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  tuner export --parameters tuned.toml --output kamerton-tuned
  tuner export --parameters tuned.toml --output kamerton-tuned --target-cpu x86-64-v2
  ./kamerton-tuned params --manifest";

/// What an exported binary is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// SHA-256 of the parameter file, in hexadecimal.
    pub parameters_sha256: String,
    /// Fingerprint of the values, as in the engine's name.
    pub fingerprint: String,
    /// Nodes of `bench`.
    pub bench: u64,
    /// Commit of the workspace, with `-dirty` if it had changes; none outside a repository.
    pub commit: Option<String>,
    /// Version of the compiler.
    pub compiler: String,
    /// Target it was built for.
    pub target: String,
    /// Processor it was built for.
    pub target_cpu: String,
    /// The verdict that accepted the file, if one is known.
    pub verdict: Option<String>,
}

/// Runs `tuner export`.
///
/// # Errors
/// When the file is unusable, the build fails or the checks find a difference; nothing is written
/// then.
pub fn run(arguments: &ExportArguments) -> anyhow::Result<()> {
    let manifest = export(arguments)?;
    println!("{}", serde_json::to_string_pretty(&manifest)?);
    println!(
        "{}: bench {} as with {} loaded",
        arguments.output.display(),
        manifest.bench,
        arguments.parameters.display()
    );
    Ok(())
}

/// Builds, checks and writes the binary and its manifest.
///
/// # Errors
/// As [`run`].
pub fn export(arguments: &ExportArguments) -> anyhow::Result<Manifest> {
    let built_from = || Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let workspace = arguments.workspace.clone().unwrap_or_else(built_from);
    let workspace = workspace
        .canonicalize()
        .ok()
        .filter(|folder| folder.join("engine/Cargo.toml").is_file())
        .with_context(|| {
            format!("no workspace at {}: name it with --workspace", workspace.display())
        })?;
    let name = arguments
        .output
        .file_name()
        .with_context(|| format!("{} names no file", arguments.output.display()))?;
    let parameters = Parameters::load(&arguments.parameters)?;
    let file = std::fs::read(&arguments.parameters)
        .with_context(|| format!("cannot read {}", arguments.parameters.display()))?;
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(".partial");
    let partial = Partial(arguments.output.with_file_name(hidden));
    // Before the build, which takes a minute: can the output be written at all?
    std::fs::write(&partial.0, [])
        .with_context(|| format!("cannot write {}", partial.0.display()))?;
    let compiler = Compiler::of(&workspace)?;
    let manifest = Manifest {
        parameters_sha256: hex::encode(Sha256::digest(&file)),
        fingerprint: parameters.fingerprint(),
        bench: bench_here(parameters),
        commit: commit(&workspace),
        compiler: compiler.version,
        target: compiler.host,
        target_cpu: arguments.target_cpu.clone().unwrap_or_else(|| "native".to_string()),
        verdict: arguments.verdict.clone(),
    };
    let text = serde_json::to_string_pretty(&manifest)? + "\n";
    let built = build(&workspace, arguments, &text)?;
    std::fs::copy(&built, &partial.0)
        .with_context(|| format!("cannot write {}", partial.0.display()))?;
    check(&partial.0, &manifest, &text)?;
    let mut beside = arguments.output.clone().into_os_string();
    beside.push(".json");
    files::write_atomically(Path::new(&beside), |file| file.write_all(text.as_bytes()))?;
    std::fs::rename(&partial.0, &arguments.output).with_context(|| {
        let _ = std::fs::remove_file(&beside);
        format!("cannot write {}", arguments.output.display())
    })?;
    Ok(manifest)
}

/// A file that is removed unless it was renamed.
struct Partial(PathBuf);

impl Drop for Partial {
    fn drop(&mut self) {
        // Already renamed in the good case; nothing can be done about a file that cannot be
        // removed.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Nodes of the bench by this program's own engine.
fn bench_here(parameters: Parameters) -> u64 {
    bench(&Arc::new(parameters), DEFAULT_DEPTH, &mut |_, _| ()).nodes
}

/// The compiler that cargo uses in the workspace.
struct Compiler {
    version: String,
    host: String,
}

impl Compiler {
    fn of(workspace: &Path) -> anyhow::Result<Compiler> {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let text = output_of(Command::new(rustc).arg("-vV").current_dir(workspace))?;
        let host = text.lines().find_map(|line| line.strip_prefix("host: "));
        Ok(Compiler {
            version: text.lines().next().unwrap_or_default().to_string(),
            host: host.unwrap_or_default().to_string(),
        })
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

/// Builds the engine with file and manifest embedded; returns the path of the binary.
fn build(workspace: &Path, arguments: &ExportArguments, manifest: &str) -> anyhow::Result<PathBuf> {
    // A folder of its own: the environment is part of what cargo compares, and the main build
    // should not notice.
    let target = workspace.join("target/export");
    files::create_folder(&target)?;
    let manifest_file = target.join("manifest.json");
    files::write_atomically(&manifest_file, |file| file.write_all(manifest.as_bytes()))?;
    let parameters = arguments
        .parameters
        .canonicalize()
        .with_context(|| format!("cannot read {}", arguments.parameters.display()))?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args(["build", "--release", "--quiet", "--package", "engine", "--bin", "kamerton"])
        .arg("--target-dir")
        .arg(&target)
        .current_dir(workspace)
        .env("KAMERTON_PARAMETERS", &parameters)
        .env("KAMERTON_MANIFEST", &manifest_file);
    if let Some(name) = &arguments.target_cpu {
        command.env("RUSTFLAGS", format!("-C target-cpu={name}"));
    }
    output_of(&mut command).context("the engine was not built")?;
    Ok(target.join("release/kamerton").with_extension(std::env::consts::EXE_EXTENSION))
}

/// Checks that the binary plays the file's numbers and carries its manifest.
fn check(binary: &Path, manifest: &Manifest, text: &str) -> anyhow::Result<()> {
    let path =
        binary.canonicalize().with_context(|| format!("cannot find {}", binary.display()))?;
    let bench = output_of(Command::new(&path).arg("bench"))?;
    let nodes = bench
        .lines()
        .last()
        .and_then(|line| line.split_whitespace().next())
        .and_then(|nodes| nodes.parse::<u64>().ok())
        .with_context(|| format!("the binary's bench ends in no node count: {bench}"))?;
    ensure!(
        nodes == manifest.bench,
        "the binary's bench is {nodes} nodes, but {} with the file loaded: is this program older \
         than the workspace it builds?",
        manifest.bench
    );
    let carried = output_of(Command::new(&path).args(["params", "--manifest"]))?;
    ensure!(carried.trim() == text.trim(), "the binary carries another manifest: {carried}");
    Ok(())
}

/// Standard output of a command that must succeed; its standard error is part of the failure.
fn output_of(command: &mut Command) -> anyhow::Result<String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("cannot run {program}"))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        let lines: Vec<&str> = errors.trim_end().lines().collect();
        let last = lines[lines.len().saturating_sub(30)..].join("\n");
        bail!("{program} failed ({}): {last}", output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
