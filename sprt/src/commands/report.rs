//! `sprt report`, and what `sprt run` and `sprt resume` show.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;

use sprt::files::FileError;
use sprt::report::{Page, Summary, Terminal};
use sprt::run::{Observer, RunError};
use sprt::test::{self, Description};

use super::test_options::repeating_line;
use super::{Status, interruption};

/// Where a run is shown besides the terminal.
#[derive(Args, Clone, Debug)]
pub struct ReportOptions {
    /// Page of HTML that shows the run, rewritten as it goes on
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
}

impl ReportOptions {
    /// Runs a test with progress on the terminal and, if wanted, on a page; prints what came out.
    pub fn watch(
        &self,
        folder: &Path,
        run: impl FnOnce(&dyn Observer) -> Result<Summary, RunError>,
    ) -> Result<Status> {
        let terminal = Terminal::new(interruption()?);
        let page = self.report.as_ref().map(|path| page(path, folder)).transpose()?;
        let observer = (terminal, page);
        let result = run(&observer);
        let (terminal, page) = observer;
        drop(terminal);
        if let Some(Err(error)) = page.map(|page| page.finish(&result)) {
            // The run has its own result, which this must not hide.
            eprintln!("warning: {error}");
        }
        let summary = match result {
            Ok(summary) => summary,
            Err(error) => {
                // What the players did is in the result of a run that they ended, too.
                if error.is_by_players()
                    && let Some(summary) = Summary::read(folder)
                {
                    println!("{summary}");
                }
                return Err(error.into());
            }
        };
        println!("{summary}");
        println!("Repeat      {}", repeating_line(folder, &summary.contestants, &summary.rules));
        Ok(Status::of_verdict(summary.verdict))
    }
}

/// Arguments of `sprt report`.
#[derive(Args, Debug)]
pub struct ReportArguments {
    /// Folder of the run; it may be finished, interrupted or going on
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Where the page is written
    #[arg(long, value_name = "FILE.html")]
    output: PathBuf,
}

impl ReportArguments {
    /// Makes the page from the journal.
    pub fn execute(self) -> Result<Status> {
        let page = page(&self.output, &self.folder)?;
        let result = test::review(&self.folder, &page);
        page.finish(&result)?;
        match result {
            // The page of a run that failed shows just that.
            Err(error) if !error.is_by_players() => Err(error.into()),
            _ => Ok(Status::Success),
        }
    }
}

/// The page of the run in a folder.
fn page(path: &Path, folder: &Path) -> Result<Page, FileError> {
    let folder = folder.to_path_buf();
    let repeat = move |run: &Description| repeating_line(&folder, &run.contestants, &run.rules);
    Page::new(path, Box::new(repeat))
}
