//! A binary built anew with the file embedded: for another processor, or of other sources.
//!
//! A profile makes the engine 1 to 7 % faster (`docs/lab/speed.md`). It belongs to one compiler and
//! one state of the sources. So none is kept: `--guided` counts anew, as the Makefile does.
//! Compiler flags stand in `.cargo/config.toml` alone; builds add to them by
//! `CARGO_BUILD_RUSTFLAGS`.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use serde::Deserialize;
use system::files;

use super::job::{Build, ExportJob, commit, output_of};
use super::manifest::Manifest;

/// Options of `--compile`.
pub(super) struct Wishes<'a> {
    /// Workspace to build from; that of this program if none is named.
    pub workspace: Option<&'a Path>,
    /// Processor to build for, as rustc names it; this machine's if none is named.
    pub target_cpu: Option<&'a str>,
    /// Whether to build by a profile of the engine's bench.
    pub guided: bool,
}

/// Builds the job's binary in a workspace, and checks it.
///
/// # Errors
/// When there is no workspace, the build fails, or what comes out plays something else.
pub(super) fn compile(job: &ExportJob, wishes: &Wishes) -> anyhow::Result<Manifest> {
    let built_from = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let named = wishes.workspace.unwrap_or(&built_from);
    let workspace = named
        .canonicalize()
        .ok()
        .filter(|folder| folder.join("engine/Cargo.toml").is_file())
        .with_context(|| {
            format!("no workspace at {}: name it with --workspace", named.display())
        })?;
    let compiler = Compiler::of(&workspace)?;
    // Before anything that takes long.
    let merger = wishes.guided.then(|| compiler.profile_merger()).transpose()?;
    let target_cpu = wishes.target_cpu.unwrap_or("native");
    let build = Build {
        commit: commit(&workspace),
        compiler: compiler.version,
        target: compiler.host,
        target_cpu: target_cpu.to_string(),
        guided: wishes.guided,
    };
    let nodes = job.bench_here();
    let manifest = job.manifest(build, nodes);
    let workshop = Workshop::new(&workspace, job, target_cpu, &manifest.text()?)?;
    let built = match merger {
        Some(merger) => workshop.build_guided(&merger)?,
        None => workshop.build("", &[])?,
    };
    let game = job.numbers.game();
    block::contents_of(&std::fs::read(&built)?, game.name())
        .with_context(|| format!("{} is no engine for {}", built.display(), game.name()))?;
    std::fs::copy(&built, job.partial).map_err(job.cannot_write())?;
    job.start_bench()?.check(nodes)?;
    job.check_manifest(&manifest)?;
    Ok(manifest)
}

/// The compiler that cargo uses in the workspace.
struct Compiler {
    version: String,
    host: String,
    /// Where its libraries for the host lie.
    libraries: PathBuf,
}

impl Compiler {
    fn of(workspace: &Path) -> anyhow::Result<Compiler> {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let ask = |arguments: &[&str]| {
            output_of(Command::new(&rustc).args(arguments).current_dir(workspace))
                .context("--compile needs Rust; without it a built engine is copied")
        };
        let text = ask(&["-vV"])?;
        let host = text.lines().find_map(|line| line.strip_prefix("host: "));
        Ok(Compiler {
            version: text.lines().next().unwrap_or_default().to_string(),
            host: host.unwrap_or_default().to_string(),
            libraries: ask(&["--print", "target-libdir"])?.trim().into(),
        })
    }

    /// The toolchain's own program that joins what counters have counted: one of another LLVM may
    /// not read it.
    fn profile_merger(&self) -> anyhow::Result<PathBuf> {
        let name = Path::new("bin/llvm-profdata").with_extension(std::env::consts::EXE_EXTENSION);
        let merger = self.libraries.with_file_name(name);
        ensure!(
            merger.is_file(),
            "--guided needs LLVM's tools ({} is missing): rustup component add llvm-tools",
            merger.display()
        );
        Ok(merger)
    }
}

/// Where the engine is built with file and manifest embedded.
struct Workshop<'a> {
    workspace: &'a Path,
    /// A folder of its own: the environment is part of what cargo compares, and the main build
    /// should not notice.
    target: PathBuf,
    /// Flags of every build for the compiler: those of the workspace, and the processor.
    flags: Vec<String>,
    parameters: PathBuf,
    manifest: PathBuf,
    /// Held as long as the folder is in use: what is built there carries the files that lie there.
    _lock: File,
}

impl<'a> Workshop<'a> {
    fn new(
        workspace: &'a Path,
        job: &ExportJob,
        target_cpu: &'a str,
        manifest: &str,
    ) -> anyhow::Result<Workshop<'a>> {
        let target = workspace.join("target/export");
        files::create_folder(&target)?;
        let lock = File::create(target.join("lock"))
            .and_then(|file| file.lock().map(|()| file))
            .with_context(|| format!("cannot lock {}", target.display()))?;
        let written = |name: &str, text: &str| -> anyhow::Result<PathBuf> {
            let path = target.join(name);
            files::write_atomically(&path, |file| file.write_all(text.as_bytes()))?;
            Ok(path)
        };
        let (parameters, manifest) =
            (written("parameters.toml", job.file)?, written("manifest.json", manifest)?);
        let mut flags = flags_of(workspace)?;
        flags.push(format!("-Ctarget-cpu={target_cpu}"));
        Ok(Workshop { workspace, target, flags, parameters, manifest, _lock: lock })
    }

    /// Builds with these flags, too, in a folder of that name; returns the path of the binary.
    fn build(&self, name: &str, flags: &[String]) -> anyhow::Result<PathBuf> {
        let target = self.target.join(name);
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command
            .args(["build", "--release", "--quiet", "--package", "engine", "--bin", "kamerton"])
            .arg("--target-dir")
            .arg(&target)
            .current_dir(self.workspace)
            // Cargo's way to take flags with spaces in them.
            .env("CARGO_ENCODED_RUSTFLAGS", [&self.flags, flags].concat().join("\x1f"))
            .env("KAMERTON_PARAMETERS", &self.parameters)
            .env("KAMERTON_MANIFEST", &self.manifest);
        output_of(&mut command).context("the engine was not built")?;
        Ok(target.join("release/kamerton").with_extension(std::env::consts::EXE_EXTENSION))
    }

    /// Builds first with counters, to see in the bench which ways through the code are taken, then
    /// by what they counted.
    fn build_guided(&self, merger: &Path) -> anyhow::Result<PathBuf> {
        let counts = self.target.join("counts");
        if counts.exists() {
            std::fs::remove_dir_all(&counts)
                .with_context(|| format!("cannot empty {}", counts.display()))?;
        }
        let counting = format!("-Cprofile-generate={}", counts.display());
        let counting = self.build("counting", &[counting])?;
        output_of(Command::new(&counting).arg("bench")).context("nothing was counted")?;
        // Other numbers than those of the build have code of their own. Older sources have one code for
        // all numbers, and refuse the flag.
        let mut others = Command::new(&counting);
        let counted = others.args(["bench", "--no-constants"]).output()?;
        let is_refused = counted.status.code() == Some(2);
        ensure!(counted.status.success() || is_refused, "nothing was counted without constants");
        let profile = self.target.join("kamerton.profdata");
        let mut merging = Command::new(merger);
        merging.args(["merge", "--output"]).args([&profile, &counts]);
        output_of(&mut merging).context("what was counted could not be joined")?;
        self.build("guided", &[format!("-Cprofile-use={}", profile.display())])
    }
}

/// The flags that the workspace has cargo hand to the compiler; the variable that names some
/// replaces all of these.
fn flags_of(workspace: &Path) -> anyhow::Result<Vec<String>> {
    let path = workspace.join(".cargo/config.toml");
    let text = match std::fs::read_to_string(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.with_context(|| format!("cannot read {}", path.display()))?,
    };
    let config: Config =
        toml::from_str(&text).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(config.build.rustflags)
}

/// The part of cargo's configuration that is read.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Config {
    build: BuildConfig,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct BuildConfig {
    rustflags: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_those_of_the_workspace() -> anyhow::Result<()> {
        let workspace = tempfile::tempdir()?;
        assert_eq!(flags_of(workspace.path())?, [""; 0], "without a file there are none");
        std::fs::create_dir(workspace.path().join(".cargo"))?;
        let path = workspace.path().join(".cargo/config.toml");
        std::fs::write(&path, "[term]\nquiet = true\n")?;
        assert_eq!(flags_of(workspace.path())?, [""; 0], "nor in a file about other things");
        std::fs::write(&path, "[build]\nrustflags = [\"-C\", \"opt-level=3\"]\n")?;
        assert_eq!(flags_of(workspace.path())?, ["-C", "opt-level=3"]);
        std::fs::write(&path, "[build]\nrustflags = 3\n")?;
        let error = format!("{:#}", flags_of(workspace.path()).expect_err("a number is no flag"));
        assert!(error.contains("config.toml") && error.contains("line 2"), "{error}");
        Ok(())
    }
}
