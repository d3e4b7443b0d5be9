//! Revisions checked out into folders of ours, as worktrees of the user's repository.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use system::budget::Budget;

use super::git::{GitError, Repository, Revision};
use super::process::{self, Control};

/// Has git check out all files, also where the user's checkout is sparse: they are all tested.
const WHOLE: [&str; 2] = ["-c", "core.sparseCheckout=false"];

/// A checked-out revision; its folder is removed when this is dropped.
pub struct Worktree<'a> {
    repository: Repository<'a>,
    folder: PathBuf,
    lock: &'a File,
}

impl Drop for Worktree<'_> {
    fn drop(&mut self) {
        self.repository.remove_worktree(&self.folder, self.lock);
    }
}

impl<'a> Repository<'a> {
    /// Checks a revision out into a new folder, which is removed again when what is returned is
    /// dropped. Git holds the folder's lock, too: when this process is killed, git goes on, and would
    /// remove what the next one puts there.
    ///
    /// # Errors
    /// Git cannot make the worktree.
    pub fn check_out(
        &self,
        revision: &Revision,
        folder: &Path,
        lock: &'a File,
    ) -> Result<Worktree<'a>, GitError> {
        self.remove_worktree(folder, lock);
        let worktree = Worktree { repository: self.clone(), folder: folder.to_path_buf(), lock };
        let mut command = self.command(&WHOLE);
        command.args(["worktree", "add", "--detach", "--force", "--quiet"]);
        self.ask_with_input(command.arg(folder).arg(&revision.commit), holding(lock))?;
        if folder.join(".gitmodules").is_file() {
            let submodules = ["submodule", "update", "--init", "--recursive", "--quiet"];
            let mut command = self.command(&submodules);
            self.ask_with_input(command.current_dir(folder), holding(lock))?;
        }
        Ok(worktree)
    }

    /// Removes a worktree of ours, also one that a killed process left behind.
    fn remove_worktree(&self, folder: &Path, lock: &File) {
        // Interrupted or not, this is always done; and what is not there need not be removed.
        let undisturbed = Control { budget: Budget::starting_now(None), ..self.control };
        let control = Control { is_interrupted: &|| false, ..undisturbed };
        let mut command = self.command(&["worktree", "remove", "--force", "--force"]);
        let _ = process::run_with_input(command.arg(folder), holding(lock), None, &control);
        let _ = fs::remove_dir_all(folder);
        self.forget_worktree(folder);
    }

    /// Removes what git still knows of a worktree that is gone. `git worktree prune` would forget the
    /// user's others, too, whose folders are away for a while, as on a drive.
    fn forget_worktree(&self, folder: &Path) {
        let entries = self.common.join("worktrees");
        let ours = place(folder);
        for entry in fs::read_dir(&entries).into_iter().flatten().flatten() {
            let text = fs::read_to_string(entry.path().join("gitdir")).unwrap_or_default();
            // It names the file .git of the folder; a path may begin at the entry.
            let link = entry.path().join(text.trim_end());
            if ours.is_some() && link.parent().and_then(place) == ours {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        // As git does: removed only where it is empty.
        let _ = fs::remove_dir(&entries);
    }
}

/// A locked file as standard input, which nobody reads: it is locked as long as the program lives.
fn holding(lock: &File) -> Stdio {
    lock.try_clone().map_or_else(|_| Stdio::null(), Stdio::from)
}

/// A path without links and detours, whether there is something in its place or not.
fn place(path: &Path) -> Option<PathBuf> {
    let parent = path.parent()?.canonicalize().ok()?;
    Some(parent.join(path.file_name()?))
}
