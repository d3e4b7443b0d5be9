//! `sprt index`.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use report::comparison::{find, page, text};
use system::files::write_atomically;
use system::shell;
use system::tell;

use super::Status;
use super::printing::answer;
use super::report::check_page;

const EXAMPLES: &str = "\
A test or a tournament is one row. A folder of `sprt regress` is one row for each of its tests by
games, or one for its decision where no game was played. A run's row leads to its page, if that lies
in the run's folder (page.html, report.html) or beside it (FOLDER.html, as `sprt report` writes it).
Folders that cannot be shown are told on standard error and on the page.

Examples:
  sprt index runs
  sprt index runs --output index.html
  sprt index runs/new-vs-old-1 runs/new-vs-old-2";

/// Arguments of `sprt index`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct IndexArguments {
    /// Folders of runs, finished or not, or folders in which runs are, however deep
    #[arg(value_name = "FOLDER", required = true, num_args = 1..)]
    folders: Vec<PathBuf>,
    /// Page of HTML with the same; it may be written again and again
    #[arg(long, value_name = "FILE.html", alias = "report")]
    output: Option<PathBuf>,
}

impl IndexArguments {
    /// Finds all runs, then shows them.
    pub fn execute(self) -> Result<Status> {
        let found = find(&self.folders)?;
        for it in &found.skipped {
            tell(format_args!("skipped {it}"));
        }
        answer(text(&found.rows))?;
        if let Some(path) = &self.output {
            for row in &found.rows {
                check_page(path, &row.folder)?;
            }
            let page = page(&found, path, &shell::invocation("sprt"));
            write_atomically(path, |writer| writer.write_all(page.as_bytes()))?;
        }
        Ok(Status::Success)
    }
}
