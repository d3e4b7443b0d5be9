//! A binary built anew with the file embedded: for another processor, or of other sources.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use sprt::files;

use super::{Build, Job, Manifest, commit, output_of};

/// Builds the job's binary in a workspace, that of this program if none is named, and checks it.
///
/// # Errors
/// When there is no workspace, the build fails, or what comes out plays something else.
pub(super) fn compile(
    job: &Job,
    workspace: Option<&Path>,
    target_cpu: Option<&str>,
) -> anyhow::Result<Manifest> {
    let built_from = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let named = workspace.unwrap_or(&built_from);
    let workspace = named
        .canonicalize()
        .ok()
        .filter(|folder| folder.join("engine/Cargo.toml").is_file())
        .with_context(|| {
            format!("no workspace at {}: name it with --workspace", named.display())
        })?;
    let compiler = Compiler::of(&workspace)?;
    let build = Build {
        commit: commit(&workspace),
        compiler: compiler.version,
        target: compiler.host,
        target_cpu: target_cpu.unwrap_or("native").to_string(),
    };
    let nodes = job.bench_here();
    let manifest = job.manifest(build, nodes);
    let built = build_engine(&workspace, job, target_cpu, &manifest.text()?)?;
    std::fs::copy(&built, job.partial)
        .with_context(|| format!("cannot write {}", job.partial.display()))?;
    job.start_bench()?.check(nodes)?;
    job.check_manifest(&manifest)?;
    Ok(manifest)
}

/// The compiler that cargo uses in the workspace.
struct Compiler {
    version: String,
    host: String,
}

impl Compiler {
    fn of(workspace: &Path) -> anyhow::Result<Compiler> {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let text = output_of(Command::new(rustc).arg("-vV").current_dir(workspace))
            .context("--compile needs Rust; without it a built engine is copied")?;
        let host = text.lines().find_map(|line| line.strip_prefix("host: "));
        Ok(Compiler {
            version: text.lines().next().unwrap_or_default().to_string(),
            host: host.unwrap_or_default().to_string(),
        })
    }
}

/// Builds the engine with file and manifest embedded; returns the path of the binary.
fn build_engine(
    workspace: &Path,
    job: &Job,
    target_cpu: Option<&str>,
    manifest: &str,
) -> anyhow::Result<PathBuf> {
    // A folder of its own: the environment is part of what cargo compares, and the main build
    // should not notice.
    let target = workspace.join("target/export");
    files::create_folder(&target)?;
    let manifest_file = target.join("manifest.json");
    files::write_atomically(&manifest_file, |file| file.write_all(manifest.as_bytes()))?;
    let parameters = target.join("parameters.toml");
    files::write_atomically(&parameters, |file| file.write_all(job.file.as_bytes()))?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args(["build", "--release", "--quiet", "--package", "engine", "--bin", "kamerton"])
        .arg("--target-dir")
        .arg(&target)
        .current_dir(workspace)
        .env("KAMERTON_PARAMETERS", &parameters)
        .env("KAMERTON_MANIFEST", &manifest_file);
    if let Some(name) = target_cpu {
        command.env("RUSTFLAGS", format!("-C target-cpu={name}"));
    }
    output_of(&mut command).context("the engine was not built")?;
    Ok(target.join("release/kamerton").with_extension(std::env::consts::EXE_EXTENSION))
}
