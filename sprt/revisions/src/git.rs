//! Revisions of a git repository, by the git command line.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use foreign::{WIDTH, last_lines, shown};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use system::files::FileError;
use thiserror::Error;

use super::process::{self, Control, Finished, ProcessError};

/// Branches that may be the main one, the likeliest first.
const MAIN_BRANCHES: [&str; 5] = [
    "refs/remotes/origin/HEAD",
    "refs/heads/main",
    "refs/remotes/origin/main",
    "refs/heads/master",
    "refs/remotes/origin/master",
];

/// Digits of a hash by which git finds a commit, at least.
const FEWEST_DIGITS: usize = 4;

/// Digits of a whole hash, at least: by them git finds nothing but the commit.
const WHOLE_HASH: usize = 40;

/// Keeps git from running the user's hooks: nothing that is done here is the user's doing.
const NO_HOOKS: [&str; 2] = ["-c", "core.hooksPath=/dev/null"];

/// Has git say when a name stands for several things.
const WARN_OF_AMBIGUITY: [&str; 2] = ["-c", "core.warnAmbiguousRefs=true"];

/// The greatest number of commits that git can be asked for.
const MOST_COMMITS: u64 = i32::MAX as u64;

/// Lines of git's words that are repeated.
const LINES_SHOWN: usize = 10;

/// Why a repository or a revision cannot be used.
#[derive(Debug, Error)]
pub enum GitError {
    /// The folder is in no repository.
    #[error("{} is in no git repository: name one with --repository", path.display())]
    NoRepository {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The repository has no commits.
    #[error("{} has no commits yet: there is nothing to compare with", path.display())]
    NoCommits {
        /// A folder of the repository.
        path: PathBuf,
    },
    /// The repository has no files beside it.
    #[error("{} is a bare repository: name a --candidate", path.display())]
    Bare {
        /// A folder of the repository.
        path: PathBuf,
    },
    /// No revision is called so.
    #[error("{} has no revision {name:?}{}", path.display(), advice(*is_shallow))]
    UnknownRevision {
        /// A folder of the repository.
        path: PathBuf,
        /// The name that was asked for.
        name: String,
        /// True if it may lie beyond where a shallow clone ends.
        is_shallow: bool,
    },
    /// Several things are called so.
    #[error(
        "{}: {name:?} is ambiguous, for several things are called {reference}: write refs/heads/{reference} \
         for the branch, refs/tags/{reference} for the tag, or the whole hash of the commit",
        path.display()
    )]
    Ambiguous {
        /// A folder of the repository.
        path: PathBuf,
        /// The name that was asked for.
        name: String,
        /// The part of it that stands for several things.
        reference: String,
    },
    /// There is nothing before the candidate.
    #[error("{name} has no commit before it to compare with: name a --base")]
    NoParent {
        /// The candidate as it was named.
        name: String,
    },
    /// The history before a revision was not fetched.
    #[error("what comes before {name} is not known{}", advice(true))]
    Shallow {
        /// The revision as it was named.
        name: String,
    },
    /// No revision lies in a range.
    #[error("--history {range}: the range is empty, no commit lies in it")]
    EmptyRange {
        /// The range as it was given.
        range: String,
    },
    /// A submodule has changes, which no commit of the repository around it can hold.
    #[error(
        "{}: the submodule {name} has files that are not committed there: commit or remove them, or name \
         a --candidate",
        path.display()
    )]
    ChangedSubmodule {
        /// A folder of the repository.
        path: PathBuf,
        /// Where in the repository the submodule is, as git shows it.
        name: String,
    },
    /// A folder is a repository of its own, whose files no commit of the one around it can hold.
    #[error(
        "{}: {name} is a git repository of its own, whose files would be left out: add it as a submodule \
         (`git submodule add`), put it into .gitignore, or name a --candidate",
        path.display()
    )]
    NestedRepository {
        /// A folder of the repository.
        path: PathBuf,
        /// Where in the repository the other one is.
        name: String,
    },
    /// Git ends with an error.
    #[error("`git {arguments}` failed{}", reason(message))]
    Failed {
        /// Git's arguments.
        arguments: String,
        /// Git's standard error.
        message: String,
    },
    /// Git cannot be run, or was ended.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
}

impl GitError {
    /// True if the user named what is not there, false if something fails.
    pub fn is_of_use(&self) -> bool {
        !matches!(self, GitError::Failed { .. } | GitError::Process(_) | GitError::File(_))
    }
}

/// Advice where a repository lacks a part of its history; empty if it has all.
fn advice(is_shallow: bool) -> &'static str {
    if is_shallow {
        ". The clone is shallow: fetch the whole history by `git fetch --unshallow`, in CI by \
         `fetch-depth: 0` of actions/checkout or by `GIT_DEPTH: 0` on GitLab"
    } else {
        ""
    }
}

/// A message behind what failed, also where there is none.
fn reason(message: &str) -> String {
    match message {
        "" => " without a message".to_owned(),
        message => format!(": {message}"),
    }
}

/// A state of the repository's files.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Revision {
    /// What the user called it, hashes as short as git shows them; "worktree" for the working tree.
    pub name: String,
    /// The commit; for the working tree one that was made of it and that no branch knows.
    pub commit: String,
    /// The tree: equal for equal files.
    pub tree: String,
    /// First line of the commit's message.
    pub subject: String,
    /// When it was committed (ISO 8601).
    pub date: String,
}

impl Revision {
    /// The name of the working tree with all that is not committed.
    pub const WORKTREE: &'static str = "worktree";

    /// True if it is the working tree.
    pub fn is_worktree(&self) -> bool {
        self.name == Revision::WORKTREE
    }

    /// The name with the commit that it stands for, unless it is a hash itself.
    pub fn label(&self) -> String {
        if self.is_worktree() {
            self.short()
        } else if self.commit.starts_with(&self.name) {
            self.name.clone()
        } else {
            format!("{} {}", self.name, self.short())
        }
    }

    /// A short unique name that fits into a file name.
    pub fn short(&self) -> String {
        if self.is_worktree() {
            format!("{}-{}", Revision::WORKTREE, &self.tree[..10])
        } else {
            self.commit[..10].to_owned()
        }
    }
}

/// A git repository, seen from one of its folders.
#[derive(Clone)]
pub struct Repository<'a> {
    /// Where its files are; `None` if it is bare.
    pub(super) top: Option<PathBuf>,
    /// Where git keeps what all worktrees share.
    pub(super) common: PathBuf,
    pub(super) control: Control<'a>,
}

impl<'a> Repository<'a> {
    /// The repository that `path` lies in.
    ///
    /// # Errors
    /// There is none, it has no commits, or git is not installed.
    pub fn open(path: &Path, control: Control<'a>) -> Result<Repository<'a>, GitError> {
        let missing = || GitError::NoRepository { path: path.to_path_buf() };
        if !path.is_dir() {
            return Err(missing());
        }
        let mut repository =
            Repository { top: Some(path.to_path_buf()), common: path.to_path_buf(), control };
        let asked = repository.git(&["rev-parse", "--path-format=absolute", "--git-common-dir"]);
        repository.common = match asked {
            Ok(common) => PathBuf::from(common),
            Err(GitError::Failed { message, .. }) if message.contains("not a git repository") => {
                return Err(missing());
            }
            Err(error) => return Err(error),
        };
        repository.top = match repository.git(&["rev-parse", "--show-toplevel"]) {
            Ok(top) => Some(PathBuf::from(top)),
            Err(GitError::Failed { .. }) => None,
            Err(error) => return Err(error),
        };
        match repository.git(&["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]) {
            Ok(_) => Ok(repository),
            Err(GitError::Failed { .. }) => Err(GitError::NoCommits { path: path.to_path_buf() }),
            Err(error) => Err(error),
        }
    }

    /// Where its files are; for a bare repository where it is itself.
    pub fn folder(&self) -> &Path {
        self.top.as_deref().unwrap_or(&self.common)
    }

    /// The repository's common folder, which is the same for all of its worktrees.
    pub fn identity(&self) -> &Path {
        &self.common
    }

    /// The revision called `name`, as git understands it.
    ///
    /// # Errors
    /// There is none, or there are several.
    pub fn resolve(&self, name: &str) -> Result<Revision, GitError> {
        if let Some(revision) = self.find(name)? {
            return Ok(revision);
        }
        let is_shallow = self.is_shallow()?;
        let (path, name) = (self.folder().to_path_buf(), name.to_owned());
        Err(GitError::UnknownRevision { path, name, is_shallow })
    }

    /// The first parent of a revision; `None` for the first commit of all.
    ///
    /// # Errors
    /// A shallow clone ends with the revision.
    pub fn parent(&self, revision: &Revision) -> Result<Option<Revision>, GitError> {
        match self.find(&format!("{}^", revision.commit))? {
            Some(parent) => self.describe(&parent.commit, &parent.commit).map(Some),
            None if self.is_shallow()? => Err(GitError::Shallow { name: revision.name.clone() }),
            None => Ok(None),
        }
    }

    /// The revision called `name`, if there is one.
    fn find(&self, name: &str) -> Result<Option<Revision>, GitError> {
        // A name with a hyphen in front would be taken for an option.
        if name.is_empty() || name.starts_with('-') {
            return Ok(None);
        }
        // With --quiet it would not warn.
        let commit = format!("{name}^{{commit}}");
        let mut verify = self.command(&WARN_OF_AMBIGUITY);
        let finished = match self.ask(verify.args(["rev-parse", "--verify", &commit])) {
            Ok(finished) => finished,
            Err(GitError::Failed { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        if let Some(reference) = ambiguous_reference(&finished.errors)
            && !is_whole_hash(name)
        {
            let (path, name) = (self.folder().to_path_buf(), name.to_owned());
            return Err(GitError::Ambiguous { path, name, reference: reference.to_owned() });
        }
        match finished.output.trim_end() {
            // To git `^NAME` is all that is not there, which is no revision.
            commit if commit.starts_with('^') => Ok(None),
            commit => self.describe(commit, name).map(Some),
        }
    }

    /// True if the repository has only the last part of its history.
    fn is_shallow(&self) -> Result<bool, GitError> {
        Ok(self.git(&["rev-parse", "--is-shallow-repository"])? == "true")
    }

    pub(super) fn describe(&self, commit: &str, name: &str) -> Result<Revision, GitError> {
        // Of what prints commits this alone is the same whatever the user has set for `git log`.
        let format = "--format=%H%n%h%n%T%n%cI%n%s";
        let text = self.git(&["rev-list", "--max-count=1", format, commit, "--"])?;
        // The first line has the hash in any format.
        let mut lines = text.lines().skip(1);
        let mut line = || lines.next().unwrap_or_default().to_owned();
        let (commit, abbreviated, tree, date, subject) = (line(), line(), line(), line(), line());
        let subject = shown(&subject, WIDTH);
        // A hash of 40 digits, as CI hands over, says nothing to people.
        let is_hash = name.len() >= FEWEST_DIGITS && commit.starts_with(&name.to_ascii_lowercase());
        let name = if is_hash { abbreviated } else { name.to_owned() };
        Ok(Revision { name, commit, tree, subject, date })
    }

    /// The base of a comparison when nobody names one: where the candidate left the main branch, or
    /// its parent if it is on that. For a working tree with changes, the commit they are made to.
    ///
    /// # Errors
    /// The candidate is the first commit, or a shallow clone ends before what is looked for.
    pub fn default_base(&self, candidate: &Revision) -> Result<Revision, GitError> {
        let start = if candidate.is_worktree() {
            let head = self.resolve("HEAD")?;
            if head.tree != candidate.tree {
                return Ok(head);
            }
            head
        } else {
            candidate.clone()
        };
        for branch in MAIN_BRANCHES {
            let Some(main) = self.find(branch)? else { continue };
            match self.git(&["merge-base", &start.commit, &main.commit]) {
                Ok(fork) if fork == start.commit => break,
                Ok(fork) => return self.describe(&fork, &fork),
                // The parent would be another answer than the whole history gives.
                Err(GitError::Failed { .. }) if self.is_shallow()? => {
                    return Err(GitError::Shallow { name: start.name });
                }
                Err(GitError::Failed { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        self.parent(&start)?.ok_or(GitError::NoParent { name: start.name })
    }

    /// The commits of `range` along first parents, the oldest first: `A..B` without A, or the last
    /// `N` up to HEAD when it is a number.
    ///
    /// # Errors
    /// A revision is unknown, the range is empty, or a shallow clone ends within it.
    pub fn first_parents(&self, range: &str) -> Result<Vec<Revision>, GitError> {
        let mut arguments = vec!["rev-list".to_owned(), "--first-parent".to_owned()];
        if let Ok(count) = range.parse::<u64>() {
            let count = count.min(MOST_COMMITS);
            arguments.extend([format!("--max-count={count}"), "HEAD".to_owned()]);
        } else {
            let (from, to) = range.split_once("..").unwrap_or((range, "HEAD"));
            let from = self.resolve(from)?;
            let to = self.resolve(if to.is_empty() { "HEAD" } else { to })?;
            arguments.push(format!("{}..{}", from.commit, to.commit));
        }
        arguments.push("--".to_owned());
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let list = self.git(&arguments)?;
        let mut revisions = Vec::new();
        // Git lists the latest first.
        for commit in list.lines().rev() {
            revisions.push(self.describe(commit, commit)?);
        }
        let Some(first) = revisions.first() else {
            return Err(GitError::EmptyRange { range: range.to_owned() });
        };
        // Where a shallow clone ends, nothing tells whether the range does.
        self.parent(first)?;
        Ok(revisions)
    }

    /// A git command in the repository's folder.
    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.args(NO_HOOKS).args(arguments).current_dir(self.folder()).env("LC_ALL", "C");
        // Within a hook these name the repository that calls, not the one we were told.
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
            command.env_remove(variable);
        }
        command
    }

    pub(super) fn git(&self, arguments: &[&str]) -> Result<String, GitError> {
        self.run(&mut self.command(arguments))
    }

    /// The output of a git command, without the end of its last line.
    pub(super) fn run(&self, command: &mut Command) -> Result<String, GitError> {
        Ok(self.ask(command)?.output.trim_end_matches(['\n', '\r']).to_owned())
    }

    /// A git command that succeeds, with what it warns of.
    fn ask(&self, command: &mut Command) -> Result<Finished, GitError> {
        self.ask_with_input(command, Stdio::null())
    }

    /// A git command that succeeds, with something as its standard input.
    pub(super) fn ask_with_input(
        &self,
        command: &mut Command,
        input: Stdio,
    ) -> Result<Finished, GitError> {
        let finished = process::run_with_input(command, input, None, &self.control)?;
        if finished.status.success() {
            return Ok(finished);
        }
        let words = command.get_args().skip(NO_HOOKS.len());
        let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
        let message = last_lines(&finished.errors, LINES_SHOWN).join("\n");
        let message = message.trim().trim_start_matches("fatal: ").to_owned();
        Err(GitError::Failed { arguments: words.join(" "), message })
    }
}

/// The name that git warns of because it stands for several things.
fn ambiguous_reference(warnings: &str) -> Option<&str> {
    let rest = |line| str::strip_prefix(line, "warning: refname '");
    warnings.lines().filter_map(rest).find_map(|rest| rest.strip_suffix("' is ambiguous."))
}

/// True for a whole hash and what goes on from one, as `HASH^`.
fn is_whole_hash(name: &str) -> bool {
    let digits = name.bytes().take_while(u8::is_ascii_hexdigit).count();
    digits >= WHOLE_HASH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_without_a_message_says_so() {
        let failed = |message: &str| {
            let (arguments, message) = ("worktree add".to_owned(), message.to_owned());
            GitError::Failed { arguments, message }.to_string()
        };
        assert_eq!(failed(""), "`git worktree add` failed without a message");
        assert_eq!(failed("no room"), "`git worktree add` failed: no room");
    }

    #[test]
    fn warnings_of_ambiguous_names_are_known() {
        let warnings = "hint: x\nwarning: refname 'a'b' is ambiguous.\n";
        assert_eq!(ambiguous_reference(warnings), Some("a'b"));
        assert_eq!(ambiguous_reference("warning: log for 'a' only goes back to 1970"), None);
        let hash = "0123456789abcdef0123456789abcdef01234567";
        assert!(is_whole_hash(hash) && is_whole_hash(&format!("{hash}^")));
        assert!(!is_whole_hash(&hash[1..]) && !is_whole_hash("topic"));
    }
}
