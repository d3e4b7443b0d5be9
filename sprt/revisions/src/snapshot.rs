//! The working tree as a commit, through an index of our own, so that the user's index stays.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use system::files::FileError;

use super::git::{GitError, Repository, Revision};

/// How git lists a change of a submodule.
const SUBMODULE: &str = ":160000 ";

/// How git lists an entry of the index that stands for a commit of another repository.
const OTHER_REPOSITORY: &str = "160000 ";

/// Names that a command line takes at once; Windows allows 32 kB.
const NAMES_AT_ONCE: usize = 100;

/// Git's marks of files whose changes it does not look for: an option that clears the mark, and
/// whether a letter of `git ls-files -v` tells of it.
type Mark = (&'static str, fn(char) -> bool);
const MARKS: [Mark; 2] = [
    ("--no-assume-unchanged", |letter| letter.is_ascii_lowercase()),
    ("--no-skip-worktree", |letter| letter.eq_ignore_ascii_case(&'S')),
];

impl Repository<'_> {
    /// The working tree as it is now, with all files that are not ignored, as a commit that no
    /// branch knows. Neither the user's files nor the index are touched. `scratch` is a folder for
    /// a moment's file; `reports` are files and folders of ours, which are left out.
    ///
    /// # Errors
    /// Git cannot write the commit, a submodule has changes, or a folder is a repository of its own.
    pub fn snapshot(&self, scratch: &Path, reports: &[PathBuf]) -> Result<Revision, GitError> {
        let Some(top) = &self.top else {
            return Err(GitError::Bare { path: self.common.clone() });
        };
        let file = scratch.join(format!("index-{}", std::process::id()));
        let index = Index { repository: self, top, file };
        let tree = index.tree(reports)?;
        self.commit_of(tree)
    }

    /// A commit of a tree that was made of the working tree.
    fn commit_of(&self, tree: String) -> Result<Revision, GitError> {
        let head = self.describe("HEAD", "HEAD")?;
        let mut commit = self.command(&["commit-tree", &tree, "-p", "HEAD", "-m", "Working tree"]);
        for role in ["AUTHOR", "COMMITTER"] {
            commit.env(format!("GIT_{role}_NAME"), "sprt regress");
            commit.env(format!("GIT_{role}_EMAIL"), "regress@localhost");
            // The same files give the same commit.
            commit.env(format!("GIT_{role}_DATE"), &head.date);
        }
        let commit = self.run(&mut commit)?;
        let subject = if tree == head.tree {
            format!("{} (nothing changed since)", head.subject)
        } else {
            format!("Changes since {:.10}", head.commit)
        };
        Ok(Revision { name: Revision::WORKTREE.to_owned(), commit, tree, subject, date: head.date })
    }
}

/// An index of our own; its file is removed when this is dropped.
struct Index<'a> {
    repository: &'a Repository<'a>,
    /// Top of the repository's files.
    top: &'a Path,
    file: PathBuf,
}

impl Drop for Index<'_> {
    fn drop(&mut self) {
        // Ours alone, and of no use to anybody.
        let _ = std::fs::remove_file(&self.file);
    }
}

impl Index<'_> {
    /// The tree of the working tree's files.
    fn tree(&self, reports: &[PathBuf]) -> Result<String, GitError> {
        self.copy_theirs()?;
        self.clear_marks()?;
        let reports = self.untracked(reports)?;
        let mut add = vec!["add", "--all"];
        if self.is_sparse()? {
            // Else git refuses files beyond the part that is checked out.
            add.push("--sparse");
        }
        let excluded: Vec<String> =
            reports.iter().map(|name| format!(":(top,exclude,literal){name}")).collect();
        if !excluded.is_empty() {
            add.extend(["--", ":/"]);
            add.extend(excluded.iter().map(String::as_str));
        }
        self.git(&add)?;
        self.refuse_nested_repositories()?;
        self.refuse_changed_submodules()?;
        self.git(&["write-tree"])
    }

    /// The output of a git command that works with this index.
    fn git(&self, arguments: &[&str]) -> Result<String, GitError> {
        let mut command = self.repository.command(arguments);
        self.repository.run(command.current_dir(self.top).env("GIT_INDEX_FILE", &self.file))
    }

    /// Begins with the user's index: it tells git which files have not changed; without one it reads
    /// them all.
    fn copy_theirs(&self) -> Result<(), GitError> {
        let path = ["rev-parse", "--path-format=absolute", "--git-path", "index"];
        if let Ok(theirs) = File::open(self.repository.git(&path)?) {
            copy_with_time(&theirs, &self.file).map_err(FileError::at("write", &self.file))?;
        }
        Ok(())
    }

    /// True if only a part of the repository's files is checked out.
    fn is_sparse(&self) -> Result<bool, GitError> {
        match self.git(&["config", "--type=bool", "core.sparseCheckout"]) {
            Ok(value) => Ok(value == "true"),
            // It is not set.
            Err(GitError::Failed { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Has git look at all files that are there, also at those that it was told to pass over.
    fn clear_marks(&self) -> Result<(), GitError> {
        let list = self.git(&["ls-files", "-v", "-z"])?;
        let entries: Vec<(char, &str)> = list
            .split('\0')
            .filter_map(|entry| Some((entry.chars().next()?, entry.get(2..)?)))
            .collect();
        for (option, is_of) in MARKS {
            let names: Vec<&str> = entries
                .iter()
                .filter(|(letter, name)| is_of(*letter) && self.holds(name))
                .map(|(_, name)| *name)
                .collect();
            for names in names.chunks(NAMES_AT_ONCE) {
                self.git(&[&["update-index", option, "--"], names].concat())?;
            }
        }
        Ok(())
    }

    /// True if the working tree has something of this name, be it a link to nowhere.
    fn holds(&self, name: &str) -> bool {
        self.top.join(name).symlink_metadata().is_ok()
    }

    /// Files among these, and in these folders, that git would add now.
    fn untracked(&self, paths: &[PathBuf]) -> Result<Vec<String>, GitError> {
        let Ok(top) = self.top.canonicalize() else { return Ok(Vec::new()) };
        let names: Vec<String> = paths
            .iter()
            .filter_map(|path| name_within(&top, path))
            .map(|name| format!(":(top,literal){name}"))
            .collect();
        if names.is_empty() {
            return Ok(names);
        }
        let mut list = vec!["ls-files", "--others", "--exclude-standard", "-z", "--"];
        list.extend(names.iter().map(String::as_str));
        let list = self.git(&list)?;
        Ok(list.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect())
    }

    /// Checks that no folder is a repository that the one around it knows nothing of: of such a one
    /// git keeps the number of a commit, by which nobody finds its files.
    fn refuse_nested_repositories(&self) -> Result<(), GitError> {
        let list = self.git(&["ls-files", "--stage", "-z"])?;
        let mut others = list
            .split('\0')
            .filter(|entry| entry.starts_with(OTHER_REPOSITORY))
            .filter_map(|entry| entry.split_once('\t').map(|(_, name)| name))
            // One that is not there leaves nothing out.
            .filter(|name| self.holds(&format!("{name}/.git")))
            .peekable();
        if others.peek().is_none() {
            return Ok(());
        }
        let submodules = self.submodules()?;
        match others.find(|name| !submodules.iter().any(|submodule| submodule == name)) {
            None => Ok(()),
            Some(name) => {
                let (path, name) = (self.top.to_path_buf(), name.to_owned());
                Err(GitError::NestedRepository { path, name })
            }
        }
    }

    fn submodules(&self) -> Result<Vec<String>, GitError> {
        let paths =
            ["config", "--file", ".gitmodules", "-z", "--get-regexp", r"^submodule\..*\.path$"];
        match self.git(&paths) {
            // Between key and value stands the end of a line.
            Ok(list) => Ok(list
                .split('\0')
                .filter_map(|entry| entry.split_once('\n').map(|(_, path)| path))
                .map(|path| path.trim_end_matches('/').to_owned())
                .collect()),
            // Nothing is found, or there is no such file.
            Err(GitError::Failed { .. }) => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Checks that the submodules are as a commit of theirs.
    fn refuse_changed_submodules(&self) -> Result<(), GitError> {
        let changed = self.git(&["diff-files", "--ignore-submodules=none"])?;
        match changed.lines().find(|line| line.starts_with(SUBMODULE)) {
            None => Ok(()),
            Some(line) => {
                let name = line.split_once('\t').map_or(line, |(_, name)| name).to_owned();
                Err(GitError::ChangedSubmodule { path: self.top.to_path_buf(), name })
            }
        }
    }
}

/// Git's name of a file in the working tree `top`; `None` if it lies elsewhere or is not there.
fn name_within(top: &Path, path: &Path) -> Option<String> {
    let path = path.canonicalize().ok()?;
    let parts = path.strip_prefix(top).ok()?.components();
    let parts: Vec<_> = parts.map(|part| part.as_os_str().to_string_lossy()).collect();
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// Copies an index, and keeps the time of its last change: git reads the files that are no older, which
/// may have changed since at the same size, and would miss them were the copy younger.
fn copy_with_time(mut index: &File, path: &Path) -> io::Result<()> {
    let mut copy = File::create(path)?;
    io::copy(&mut index, &mut copy)?;
    copy.set_modified(index.metadata()?.modified()?)
}
