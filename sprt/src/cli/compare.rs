//! `sprt compare`.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use sprt::files::write_atomically;
use sprt::report::comparison::{page, rows_of, text};
use sprt::shell;

use super::report::check_page;
use super::{Status, answer};

const EXAMPLES: &str = "\
A test is one row, a tournament one a player. A folder of `sprt regress` is one row for each of its
tests by games, or one for its decision where no game was played.

Examples:
  sprt compare runs/new-vs-old-1 runs/new-vs-old-2
  sprt compare runs/* --report compared.html";

/// Arguments of `sprt compare`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct CompareArguments {
    /// Folders of runs, finished or not: those of tests, tournaments and regression tests
    #[arg(value_name = "FOLDER", required = true, num_args = 1..)]
    folders: Vec<PathBuf>,
    /// Page of HTML with the same
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
}

impl CompareArguments {
    /// Reads all folders, then shows them.
    pub fn execute(self) -> Result<Status> {
        for folder in &self.folders {
            self.report.as_ref().map_or(Ok(()), |path| check_page(path, folder))?;
        }
        let mut rows = Vec::new();
        for folder in &self.folders {
            rows.extend(rows_of(folder)?);
        }
        if let Some(path) = &self.report {
            let page = page(&rows, &shell::invocation("sprt"));
            write_atomically(path, |writer| writer.write_all(page.as_bytes()))?;
        }
        answer(text(&rows))?;
        Ok(Status::Success)
    }
}
