//! `sprt report`, and what `sprt run` and `sprt resume` show.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;

use sprt::files::FileError;
use sprt::player::LineLog;
use sprt::report::{PageContent, RunPage, TestPage, TestTerminal, TournamentPage};
use sprt::run::{self, Competition, Kind, Observer, RunError, Workers, repeating_line};
use sprt::sequential_test::{self, SequentialTest, Summary};
use sprt::shell;

use super::{Status, interruption, say};

/// Where a run is shown besides the terminal.
#[derive(Args, Clone, Debug)]
pub struct ReportOptions {
    /// Page of HTML that shows the run, rewritten as it goes on
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// File to which all lines between the runner and its engines are appended, each with its time
    /// (seconds), engine, process and direction (> to the engine, < from it, ! on standard error)
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

impl ReportOptions {
    /// Has all lines of the engines written, if that is wanted.
    pub fn log_lines(&self, workers: Workers) -> Result<Workers, FileError> {
        let log = self.log.as_deref().map(LineLog::open).transpose()?;
        Ok(Workers { log, ..workers })
    }

    /// The page that `make` makes at its path, if one is wanted.
    pub fn page<P>(
        &self,
        make: impl FnOnce(&Path) -> Result<P, FileError>,
    ) -> Result<Option<P>, FileError> {
        self.report.as_deref().map(make).transpose()
    }

    /// Runs a test with progress on the terminal and, if wanted, on a page; prints what came out.
    pub fn watch_test(
        &self,
        folder: &Path,
        play: impl FnOnce(&dyn Observer<SequentialTest>) -> Result<Summary, RunError>,
    ) -> Result<Status> {
        let page = self.page(|path| TestPage::new(path, None))?;
        let summary = watch(folder, TestTerminal::new(interruption()?), page, play)?;
        say(format_args!("Repeat      {}", repeating_line(Kind::Test, folder)));
        Ok(Status::of_verdict(summary.verdict))
    }
}

/// Runs something with progress on the terminal and, if there is one, on a page; prints what came
/// out.
pub fn watch<S: PageContent>(
    folder: &Path,
    terminal: impl Observer<S::Competition>,
    page: Option<RunPage<S>>,
    play: impl FnOnce(&dyn Observer<S::Competition>) -> Result<SummaryOf<S>, RunError>,
) -> Result<SummaryOf<S>, RunError> {
    let observer = (terminal, page);
    let result = play(&observer);
    let (terminal, page) = observer;
    drop(terminal);
    if let Some(Err(error)) = page.map(|page| page.finish(&result)) {
        // The run has its own result, which this must not hide.
        eprintln!("warning: {error}");
    }
    match &result {
        Ok(summary) => say(summary),
        // What the players did is in the result of a run that they ended, too.
        Err(error) if error.is_by_players() => {
            if let Some(summary) = run::read_result::<SummaryOf<S>>(folder) {
                say(summary);
            }
            if let Some(option) = error.remedy() {
                let folder = folder.to_string_lossy();
                let line = shell::join(["sprt", "resume", &folder]);
                eprintln!("tip: `{line} {option}` goes on");
            }
        }
        Err(_) => {}
    }
    result
}

type SummaryOf<S> = <<S as PageContent>::Competition as Competition>::Summary;

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
        let ReportArguments { folder, output } = &self;
        match run::kind_of(folder)? {
            Kind::Test => {
                let page = TestPage::new(output, None)?;
                show(&page, sequential_test::review(folder, &page))
            }
            Kind::Tournament => {
                let page = TournamentPage::new(output, None)?;
                show(&page, sprt::tournament::review(folder, &page))
            }
        }
    }
}

fn show<S: PageContent>(
    page: &RunPage<S>,
    result: Result<SummaryOf<S>, RunError>,
) -> Result<Status> {
    page.finish(&result)?;
    match result {
        // The page of a run that failed shows just that.
        Err(error) if !error.is_by_players() => Err(error.into()),
        _ => Ok(Status::Success),
    }
}
