//! The job of an export, and the checks that its binary plays as it should.

use std::io;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use anyhow::{Context, bail, ensure};
use foreign::last_lines;
use playable::{Control, Numbers};
use sha2::{Digest, Sha256};
use system::files::FileError;

use super::manifest::Manifest;

/// What is to be made.
pub(super) struct ExportJob<'a> {
    /// The numbers that the binary is to play.
    pub numbers: Numbers,
    /// Their file.
    pub file: &'a str,
    pub verdict: Option<&'a str>,
    /// Where the binary is made and checked.
    pub partial: &'a Path,
    /// Where it will be.
    pub output: &'a Path,
}

/// The origin of an engine: commit, compiler and target.
pub(super) struct Build {
    pub commit: Option<String>,
    pub compiler: String,
    pub target: String,
    pub target_cpu: String,
    pub guided: bool,
}

impl ExportJob<'_> {
    /// The manifest of the job's file in an engine of this build; the bench is that of the engine
    /// in this program.
    pub fn manifest(&self, build: Build, bench: u64) -> Manifest {
        Manifest {
            parameters_sha256: hex::encode(Sha256::digest(self.file)),
            game: self.numbers.game(),
            fingerprint: self.numbers.fingerprint(),
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
    pub fn cannot_write(&self) -> impl FnOnce(io::Error) -> FileError {
        FileError::at("write", self.output)
    }

    /// Nodes of the bench by this program's own engine.
    pub fn bench_here(&self) -> u64 {
        let (game, control) = (self.numbers.game(), Control::new());
        let bench = game.bench(&self.numbers, None, true, &control, &mut |_, _| ());
        bench.expect("nobody else has the control to stop it").nodes
    }

    /// Starts the bench of the binary that was made.
    pub fn start_bench(&self) -> anyhow::Result<Bench> {
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
    pub fn check_manifest(&self, manifest: &Manifest) -> anyhow::Result<()> {
        let path = self.partial.canonicalize()?;
        let carried = output_of(Command::new(path).args(["params", "--manifest"]))?;
        let same = carried.trim() == manifest.text()?.trim();
        ensure!(same, "the binary carries another manifest: {carried}");
        Ok(())
    }
}

/// The bench of a binary at work.
pub(super) struct Bench(Child);

impl Bench {
    /// Waits for it, and checks that its nodes are those of this program's engine.
    pub fn check(self, expected: u64) -> anyhow::Result<()> {
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
pub(super) fn commit(workspace: &Path) -> Option<String> {
    let git = |arguments: &[&str]| {
        output_of(Command::new("git").args(arguments).current_dir(workspace)).ok()
    };
    let commit = git(&["rev-parse", "HEAD"])?.trim().to_string();
    let changes = git(&["status", "--porcelain", "--untracked-files=no"])?;
    Some(if changes.is_empty() { commit } else { commit + "-dirty" })
}

/// Standard output of a command that must succeed; its standard error is part of the failure.
pub(super) fn output_of(command: &mut Command) -> anyhow::Result<String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("cannot run {program}"))?;
    succeeded(&output, &program)
}

/// Standard output of what must have succeeded.
fn succeeded(output: &Output, program: &str) -> anyhow::Result<String> {
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        let last = last_lines(&errors, 30).join("\n");
        bail!("{program} failed ({}): {last}", output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
