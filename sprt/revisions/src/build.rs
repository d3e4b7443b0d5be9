//! Builds of revisions, kept in a cache.
//!
//! Revisions are checked out at one place in the cache, so that paths in the programs are equal. A
//! build's key has all that it depends on: tree, recipe, compiler, flags, processor.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use foreign::last_lines;
use sha2::{Digest, Sha256};
use system::files::{FileError, create_folder, write_atomically};
use system::processes::{is_executable, lock_at_once};
use system::shell;
use thiserror::Error;

use super::built::{Built, Damage, Record, digest, note_use, prune, write_record};
use super::git::{GitError, Repository, Revision};
use super::process::{self, Control, Halt, ProcessError};
use super::recipe::{Method, Recipe};
use super::toolchain;

/// Lines of a failed build that are shown.
const LINES_SHOWN: usize = 30;

/// The output of a build, beside the program.
const LOG: &str = "build.log";

/// Why a revision could not be built.
#[derive(Debug, Error)]
pub enum BuildError {
    /// Git cannot give the sources.
    #[error(transparent)]
    Git(#[from] GitError),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A program cannot be run.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// The build ends with an error.
    #[error("{revision} does not build ({status}; all of it in {}):\n{output}", log.display())]
    Failed {
        /// Name of the revision that was being built.
        revision: String,
        /// Exit status or signal, in words.
        status: String,
        /// The file with its whole output.
        log: PathBuf,
        /// The last lines of it.
        output: String,
    },
    /// The build succeeds but gives no program.
    #[error("{revision} was built, but there is no program {}", path.display())]
    NoProgram {
        /// Name of the revision that was being built.
        revision: String,
        /// The path where it should be.
        path: PathBuf,
    },
    /// The build gives a file that cannot be run.
    #[error(
        "{revision} was built, but {} is no program: it may not be executed (chmod +x)",
        path.display()
    )]
    NotExecutable {
        /// Name of the revision that was being built.
        revision: String,
        /// The program that was to be there.
        path: PathBuf,
    },
    /// A companion is not in the checkout.
    #[error("{revision} has no {}, which the engine shall have beside it", path.display())]
    NoCompanion {
        /// Name of the revision that was being built.
        revision: String,
        /// Path of the missing file or folder.
        path: PathBuf,
    },
    /// It is not clear what to build.
    #[error("{revision}: {reason}")]
    NoChoice {
        /// Name of the revision that was being built.
        revision: String,
        /// The choices, or the lack of any, in words.
        reason: String,
    },
}

impl BuildError {
    /// The user or the budget, if either ended the build.
    pub fn halt(&self) -> Option<Halt> {
        match self {
            BuildError::Process(ProcessError::Halted(halt))
            | BuildError::Git(GitError::Process(ProcessError::Halted(halt))) => Some(*halt),
            _ => None,
        }
    }
}

/// Builds revisions of one repository by one recipe.
pub struct Builder<'a> {
    repository: &'a Repository<'a>,
    recipe: &'a Recipe,
    control: Control<'a>,
    /// Folder of the builds, a folder for each key.
    builds: PathBuf,
    /// Where this repository is checked out and built; one process at a time.
    site: PathBuf,
    toolchain: String,
    /// Cargo's folder, by toolchain: cargo does not notice that "native" is another processor.
    target: PathBuf,
}

impl<'a> Builder<'a> {
    /// A builder that keeps everything below `cache`, where builds unused for a month are removed.
    ///
    /// # Errors
    /// The cache cannot be written, or there is no compiler.
    pub fn new(
        repository: &'a Repository<'a>,
        recipe: &'a Recipe,
        cache: &Path,
        control: Control<'a>,
    ) -> Result<Builder<'a>, BuildError> {
        let identity = digest(repository.identity().as_os_str().as_encoded_bytes());
        create_folder(cache)?;
        let cache = cache.canonicalize().map_err(FileError::at("find", cache))?;
        let (builds, site) = (cache.join("builds"), cache.join("sites").join(&identity[..16]));
        create_folder(&builds)?;
        create_folder(&site)?;
        prune(&builds);
        let toolchain = toolchain::describe(repository.folder(), &recipe.method, &control)?;
        let target = site.join("target").join(&digest(toolchain.as_bytes())[..16]);
        Ok(Builder { repository, recipe, control, builds, site, toolchain, target })
    }

    /// A folder for what lives for a moment.
    pub fn scratch(&self) -> &Path {
        &self.site
    }

    /// The program of a revision: from the cache, or built now. `on_build` is told before a build.
    ///
    /// # Errors
    /// See [`BuildError`]; nothing is left behind but the log of a failed build.
    pub fn build(&self, revision: &Revision, on_build: &dyn Fn(&str)) -> Result<Built, BuildError> {
        let folder = self.builds.join(self.key(revision));
        if let Ok(Some(built)) = Built::load(&folder, revision) {
            return Ok(built);
        }
        let lock = self.lock(on_build)?;
        // The process that had the lock may have built the same.
        match Built::load(&folder, revision) {
            Ok(Some(built)) => return Ok(built),
            Ok(None) => {}
            Err(Damage) => {
                let name = &revision.name;
                on_build(&format!(
                    "the program of {name} in the cache is not the one that was built (its SHA-256 is \
                     another): it is removed"
                ));
                let _ = fs::remove_dir_all(&folder);
            }
        }
        on_build(&format!("building {} ({})", revision.name, revision.subject));
        let partial = folder.with_extension("partial");
        let _ = fs::remove_dir_all(&partial);
        create_folder(&partial)?;
        let started = Instant::now();
        let made = self.make(revision, &lock, &folder, &partial);
        let settled = made.and_then(|program| {
            let path = partial.join(&program);
            let bytes = fs::read(&path).map_err(FileError::at("read", &path))?;
            let record = Record {
                program,
                sha256: digest(&bytes),
                seconds: started.elapsed().as_secs_f64(),
                tree: revision.tree.clone(),
                recipe: self.recipe.clone(),
                toolchain: self.toolchain.clone(),
                benches: BTreeMap::new(),
            };
            write_record(&partial, &record)?;
            // A build that could not be loaded above is damaged.
            let _ = fs::remove_dir_all(&folder);
            fs::rename(&partial, &folder).map_err(FileError::at("write", &folder))?;
            let missing = || BuildError::NoProgram {
                revision: revision.name.clone(),
                path: folder.join(&record.program),
            };
            let mut built = Built::load(&folder, revision).ok().flatten().ok_or_else(missing)?;
            built.was_cached = false;
            Ok(built)
        });
        if settled.is_err() {
            let _ = fs::remove_dir_all(&partial);
        }
        settled
    }

    /// Everything that a build depends on.
    fn key(&self, revision: &Revision) -> String {
        let recipe = serde_json::to_string(self.recipe).expect("plain data becomes JSON");
        let repository = self.repository.identity().to_string_lossy();
        let mut hash = Sha256::new();
        for part in [&*repository, &revision.tree, &recipe, &self.toolchain] {
            hash.update(part.as_bytes());
            hash.update([0]);
        }
        hex::encode(&hash.finalize()[..12])
    }

    /// Waits until no other process builds in the site.
    fn lock(&self, on_wait: &dyn Fn(&str)) -> Result<File, BuildError> {
        let path = self.site.join("lock");
        let file = File::create(&path).map_err(FileError::at("write", &path))?;
        let mut told = false;
        loop {
            match lock_at_once(&file) {
                Ok(()) => return Ok(file),
                Err(TryLockError::Error(error)) => {
                    return Err(FileError::at("lock", &path)(error).into());
                }
                Err(TryLockError::WouldBlock) if !told => {
                    on_wait("waiting for another run that builds this repository");
                    told = true;
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(50)),
            }
            self.control.check().map_err(ProcessError::from)?;
        }
    }

    /// Checks out, builds, and puts program, companions and log into `partial`; returns the
    /// program's file name. The log of a failure is kept beside `folder`.
    fn make(
        &self,
        revision: &Revision,
        lock: &File,
        folder: &Path,
        partial: &Path,
    ) -> Result<String, BuildError> {
        // Always the same folder: paths go into programs, and cargo compares them.
        let source = self.site.join("source");
        let _checkout = self.repository.check_out(revision, &source, lock)?;
        let name = revision.name.clone();
        let program = match &self.recipe.method {
            Method::Cargo { package, binary, flags } => {
                let wanted = (package.as_deref(), binary.as_deref());
                let choice = toolchain::choose(&source, wanted, &self.control)?
                    .map_err(|reason| BuildError::NoChoice { revision: name.clone(), reason })?;
                let mut command = toolchain::cargo(&source);
                command.args(["build", "--release", "--package", &choice.package]);
                command.args(["--bin", &choice.binary, "--message-format"]);
                command.arg("json-render-diagnostics").args(flags);
                command.env("CARGO_TARGET_DIR", self.claim_target()?);
                let finished = process::run(&mut command, None, &self.control)?;
                self.keep_log(revision, folder, partial, &finished.status, &finished.errors)?;
                toolchain::program_built(&finished.output, &choice.binary)
                    .unwrap_or_else(|| PathBuf::from(choice.binary))
            }
            Method::Shell { command, binary } => {
                let output = partial.join("engine").with_extension(std::env::consts::EXE_EXTENSION);
                let place = shell::join([&*output.to_string_lossy()]);
                let mut shell = toolchain::shell(&command.replace("{output}", &place));
                let finished = process::run(shell.current_dir(&source), None, &self.control)?;
                let log = format!("{}{}", finished.output, finished.errors);
                self.keep_log(revision, folder, partial, &finished.status, &log)?;
                binary.as_ref().map_or(output, |binary| source.join(binary))
            }
        };
        if !program.is_file() {
            return Err(BuildError::NoProgram { revision: name, path: program });
        }
        if !is_executable(&program) {
            return Err(BuildError::NotExecutable { revision: name, path: program });
        }
        let file_name = program.file_name().unwrap_or_default();
        copy(&program, &partial.join(file_name))?;
        for companion in &self.recipe.companions {
            let from = source.join(companion);
            if !from.exists() {
                return Err(BuildError::NoCompanion { revision: name, path: companion.clone() });
            }
            copy(&from, &partial.join(companion))?;
        }
        Ok(file_name.to_string_lossy().into_owned())
    }

    /// Cargo's folder, with those of other toolchains removed that were not used for long.
    fn claim_target(&self) -> Result<&Path, FileError> {
        create_folder(&self.target)?;
        note_use(&self.target, &self.toolchain)?;
        prune(&self.site.join("target"));
        Ok(&self.target)
    }

    /// Keeps the output of a build: beside the program, or for a failure beside the folder that
    /// there will not be.
    fn keep_log(
        &self,
        revision: &Revision,
        folder: &Path,
        partial: &Path,
        status: &ExitStatus,
        log: &str,
    ) -> Result<(), BuildError> {
        let path = if status.success() { partial.join(LOG) } else { folder.with_extension("log") };
        write_atomically(&path, |file| file.write_all(log.as_bytes()))?;
        if status.success() {
            return Ok(());
        }
        Err(BuildError::Failed {
            revision: revision.name.clone(),
            status: status.to_string(),
            log: path,
            output: last_lines(log, LINES_SHOWN).join("\n"),
        })
    }
}

/// Copies a file, or a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> Result<(), FileError> {
    if from == to {
        return Ok(());
    }
    if let Some(parent) = to.parent() {
        create_folder(parent)?;
    }
    if !from.is_dir() {
        fs::copy(from, to).map_err(FileError::at("copy", from))?;
        return Ok(());
    }
    create_folder(to)?;
    for entry in fs::read_dir(from).map_err(FileError::at("read", from))? {
        let entry = entry.map_err(FileError::at("read", from))?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}
