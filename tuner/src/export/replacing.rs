//! A copy of an engine with its parameter block replaced: no compiler, and the time of a bench.
//!
//! The engine is `kamerton` beside this program if the benches agree, or else this program, which
//! has the whole engine in it. So the first command of the README needs no second build.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use block::Contents;
use system::files::FileError;
use system::tell;

use super::job::{Build, ExportJob, commit, output_of};
use super::manifest::Manifest;

/// The engine's program.
const ENGINE: &str = "kamerton";

/// Makes the job's binary of the first engine that can be used: the one beside this program, which
/// is small, or this program, which has the engine in it.
///
/// # Errors
/// When neither can be read, changed and run.
pub(super) fn copy_usual(job: &ExportJob) -> anyhow::Result<Manifest> {
    let program = std::env::current_exe().context("this program cannot find itself")?;
    let beside = program.with_file_name(ENGINE).with_extension(std::env::consts::EXE_EXTENSION);
    if beside.is_file() {
        match copy(job, &beside) {
            Ok(manifest) => return Ok(manifest),
            Err(error) if is_of_output(&error) => return Err(error),
            // It may be older than this program, which cargo does not build along with it.
            Err(error) => tell(format_args!("{} was not taken: {error:#}", beside.display())),
        }
    }
    tell(format_args!(
        "the engine that is copied is this program, {}, which has it in it; `{ENGINE}` beside it makes a \
         smaller copy (cargo build --release)",
        program.display()
    ));
    copy(job, &program).map_err(|error| {
        if is_of_output(&error) {
            return error;
        }
        error.context(format!(
            "no engine to copy: put `{ENGINE}` of the same version beside {}, name one with \
             --engine FILE, or build one with --compile",
            program.display()
        ))
    })
}

/// Whether the output cannot be written, which another engine would not help.
fn is_of_output(error: &anyhow::Error) -> bool {
    error.is::<FileError>()
}

/// Makes the job's binary of an engine, and checks it.
///
/// # Errors
/// When the engine cannot be read, has not exactly one sound block, the block is too small, or what
/// comes out cannot be run or plays something else.
pub(super) fn copy(job: &ExportJob, engine: &Path) -> anyhow::Result<Manifest> {
    let not_it = || format!("cannot use {} as engine", engine.display());
    let mut program = std::fs::read(engine).with_context(not_it)?;
    let before = block::contents_of(&program, job.numbers.game().name()).with_context(not_it)?;
    let build = build_of(&before, engine);
    // The manifest comes when the bench is known. Some other makes an engine of this program.
    let contents =
        Contents { parameters: job.file.to_string(), manifest: "{}\n".to_string(), ..before };
    let proven = || -> anyhow::Result<Manifest> {
        put(job, engine, &mut program, &contents)?;
        // Both benches at once take half the time.
        let bench = job.start_bench()?;
        let nodes = job.bench_here();
        bench.check(nodes)?;
        let manifest = job.manifest(build, nodes);
        let contents = Contents { manifest: manifest.text()?, ..contents };
        put(job, engine, &mut program, &contents)?;
        job.check_manifest(&manifest)?;
        Ok(manifest)
    };
    proven().map_err(|error| if is_of_output(&error) { error } else { error.context(not_it()) })
}

/// Writes the program with these contents in its block, to be run as the engine it was made of.
fn put(
    job: &ExportJob,
    engine: &Path,
    program: &mut [u8],
    contents: &Contents,
) -> anyhow::Result<()> {
    block::replace(program, contents)?;
    // Anew, rather than into the file that may still run.
    let _ = std::fs::remove_file(job.partial);
    File::create_new(job.partial)
        .and_then(|mut file| file.write_all(program))
        .and_then(|()| make_executable(job.partial, engine))
        .map_err(job.cannot_write())?;
    if cfg!(target_os = "macos") {
        let mut sign = Command::new("codesign");
        sign.args(["--force", "--sign", "-"]).arg(job.partial);
        output_of(&mut sign).context("a changed binary must be signed anew to run on macOS")?;
    }
    Ok(())
}

/// Lets those run a file who may run the engine, and its owner in any case.
#[cfg(unix)]
fn make_executable(file: &Path, engine: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(engine)?.permissions().mode() & 0o777;
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(mode | 0o700))
}

/// Elsewhere the name decides.
#[cfg(not(unix))]
fn make_executable(_: &Path, _: &Path) -> std::io::Result<()> {
    Ok(())
}

/// The engine's own notes about its origin. Where it does not know its commit, but lies in the
/// workspace that this program comes from, it is that of the workspace.
fn build_of(contents: &Contents, engine: &Path) -> Build {
    let note = |name: &str| contents.note(name).map(str::to_string);
    let workspace = || {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?.canonicalize().ok()?;
        let engine: PathBuf = engine.canonicalize().ok()?;
        engine.starts_with(&workspace).then(|| commit(&workspace))?
    };
    Build {
        commit: note("commit").or_else(workspace),
        compiler: note("compiler").unwrap_or_default(),
        target: note("target").unwrap_or_default(),
        target_cpu: note("target_cpu").unwrap_or_default(),
        guided: note("guided").as_deref() == Some("true"),
    }
}
