//! `sprt report`, and what `sprt run` and `sprt resume` show.

use std::io::{Stdout, stdout};
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use matches::player::LineLog;
use matches::run::{self, Competition, Kind, Observer, RunError, Workers, repeating_line};
use matches::sequential_test::{self, SequentialTest, Summary};
use report::stream::{EndOutcome, JsonStream};
use report::{
    AnalysisLink, PageContent, RunPage, TestPage, TestTerminal, TournamentPage, default_page,
};
use system::files::{Claim, FileError, OutputError, check_outputs, claim_outputs};
use system::paint;
use system::shell;

use super::Status;
use super::printing::{answer, say};
use super::statuses::{WrongUse, interruption, of_error, of_verdict};

/// Where a run is shown besides the terminal.
#[derive(Args, Clone, Debug)]
pub struct ReportOptions {
    /// Page of HTML that shows the run, rewritten as it goes on
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Site that analyzes positions, to which each position of the page's games then links: its
    /// address with {fen} for the position
    #[arg(long, value_name = "URL", requires = "report")]
    analysis_link: Option<AnalysisLink>,
    /// File to which all lines between the runner and its engines are appended, each with its time
    /// (seconds), engine, process and direction (> to the engine, < from it, ! on standard error)
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

impl ReportOptions {
    /// Checks that nothing is written over what is read for the run in the folder, or what it keeps
    /// there itself, and claims the page.
    ///
    /// # Errors
    /// Says which file is not to be written.
    pub fn check<'a>(
        &self,
        folder: &Path,
        inputs: impl IntoIterator<Item = &'a Path>,
    ) -> Result<Vec<Claim>> {
        let files: Vec<&Path> =
            [&self.report, &self.log].into_iter().flatten().map(|it| &**it).collect();
        files.iter().try_for_each(|path| check_page(path, folder))?;
        check_outputs(&files, inputs).map_err(refused)?;
        // Several runs may write behind each other into a log.
        claim_outputs(self.report.as_deref()).map_err(refused)
    }

    /// Has all lines of the engines written, if that is wanted.
    pub fn log_lines(&self, workers: Workers) -> Result<Workers, FileError> {
        let log = self.log.as_deref().map(LineLog::open).transpose()?;
        Ok(Workers { log, ..workers })
    }

    /// The page at its path, if one is wanted.
    pub fn page<S: PageContent>(&self) -> Result<Option<RunPage<S>>, FileError> {
        let page =
            |path: &Path| Ok(RunPage::new(path, None)?.with_analysis(self.analysis_link.clone()));
        self.report.as_deref().map(page).transpose()
    }

    /// Runs a test with progress on the terminal and, if wanted, on a page and as a stream; prints
    /// what came out.
    pub fn watch_test(
        &self,
        folder: &Path,
        stream: StreamOptions,
        play: impl FnOnce(&dyn Observer<SequentialTest>) -> Result<Summary, RunError>,
    ) -> Result<Status> {
        let page: Option<TestPage> = self.page()?;
        let terminal = TestTerminal::new(interruption()?);
        let Some(stream) = stream.open() else {
            let summary =
                watch(folder, terminal, page, play, |summary| say(format_args!("{summary:#}")))?;
            say(format_args!("Repeat      {}", repeating_line(Kind::Test, folder)));
            return Ok(of_verdict(summary.verdict));
        };
        // The standard output is the stream's alone.
        let tell = |summary: &Summary| system::tell(format_args!("{summary:#}"));
        match watch(folder, (terminal, &stream), page, play, tell) {
            Ok(summary) => {
                system::tell(format_args!("Repeat      {}", repeating_line(Kind::Test, folder)));
                let status = of_verdict(summary.verdict);
                stream.end(Some(&summary), EndOutcome::Finished, status as u8, None);
                Ok(status)
            }
            Err(error) => {
                let outcome = match error {
                    RunError::Interrupted { .. } => EndOutcome::Interrupted,
                    _ => EndOutcome::Failed,
                };
                let error = anyhow::Error::from(error);
                let status = of_error(&error);
                stream.end(None, outcome, status as u8, Some(format!("{error:#}")));
                Err(error)
            }
        }
    }
}

/// An output that would take the place of an input is a mistake of the command line; one that cannot
/// lie where it is to is a failure as any other.
pub fn refused(error: OutputError) -> anyhow::Error {
    match error {
        OutputError::Read(_) | OutputError::Twice(_) => WrongUse(error.to_string()).into(),
        _ => error.into(),
    }
}

/// Checks that a page is not to be written over what the run in the folder keeps there, or any other
/// run beside it.
///
/// # Errors
/// It is.
pub fn check_page(path: &Path, folder: &Path) -> Result<(), WrongUse> {
    let other = path.parent().filter(|parent| run::exists(parent));
    match [Some(folder), other].into_iter().flatten().any(|it| run::is_own_file(it, path)) {
        true => {
            let reason = "is a file of the run itself: choose another file to write";
            Err(WrongUse(format!("{} {reason}", path.display())))
        }
        false => Ok(()),
    }
}

/// Whether a test is told as a stream.
#[derive(Args, Clone, Copy, Debug)]
pub struct StreamOptions {
    /// Tell the test on standard output as lines of JSON, one an event; all else goes to standard
    /// error. docs/schemas/stream.schema.json describes the lines
    #[arg(long)]
    json_stream: bool,
}

impl StreamOptions {
    /// True if a stream is wanted.
    pub fn is_wanted(self) -> bool {
        self.json_stream
    }

    fn open(self) -> Option<JsonStream<Stdout>> {
        self.json_stream.then(|| JsonStream::new(stdout()))
    }
}

/// Runs something with progress on the terminal and, if there is one, on a page; `tell`s what came
/// out.
pub fn watch<S: PageContent>(
    folder: &Path,
    terminal: impl Observer<S::Competition>,
    page: Option<RunPage<S>>,
    play: impl FnOnce(&dyn Observer<S::Competition>) -> Result<SummaryOf<S>, RunError>,
    tell: impl Fn(&SummaryOf<S>),
) -> Result<SummaryOf<S>, RunError> {
    let observer = (terminal, page);
    let result = play(&observer);
    let (terminal, page) = observer;
    drop(terminal);
    if let Some(Err(error)) = page.map(|page| page.finish(&result)) {
        // The run has its own result, which this must not hide.
        paint::tell_warning(error);
    }
    match &result {
        Ok(summary) => tell(summary),
        // A run that its players ended has a result, too, with their faults.
        Err(error) if error.is_by_players() => {
            if let Some(summary) = run::read_result::<SummaryOf<S>>(folder) {
                tell(&summary);
            }
        }
        Err(_) => {}
    }
    if let Some(option) = result.as_ref().err().and_then(RunError::remedy) {
        let line = shell::join(["sprt", "resume", &folder.to_string_lossy()]);
        system::tell(format_args!("tip: `{line} {option}` goes on"));
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
    /// Where the page is written [default: beside the folder, as FOLDER.html]
    #[arg(long, value_name = "FILE.html")]
    output: Option<PathBuf>,
    /// Site that analyzes positions, to which each position of the page's games then links: its
    /// address with {fen} for the position
    #[arg(long, value_name = "URL")]
    analysis_link: Option<AnalysisLink>,
}

impl ReportArguments {
    /// Makes the page from the journal.
    pub fn execute(self) -> Result<Status> {
        let ReportArguments { folder, output, analysis_link } = &self;
        let is_told = output.is_some();
        let output = &output.clone().unwrap_or_else(|| default_page(folder));
        check_page(output, folder)?;
        let link = analysis_link.clone();
        let status = match run::kind_of(folder)? {
            Kind::Test => {
                let page = TestPage::new(output, None)?.with_analysis(link);
                show(&page, sequential_test::review(folder, &page))
            }
            Kind::Tournament => {
                let page = TournamentPage::new(output, None)?.with_analysis(link);
                show(&page, matches::tournament::review(folder, &page))
            }
        }?;
        if !is_told {
            answer(output.display())?;
        }
        Ok(status)
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
