//! The outcome as JUnit XML, which continuous integration shows as tests.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use revisions::{Decision, Outcome, RevisionReport, words};
use statistics::Verdict;

use super::markdown;

/// The outcome as JUnit XML: a test for each build, the speed, each test by games, and each step that
/// was not done.
///
/// # Errors
/// The XML cannot be made.
pub fn report(outcome: &Outcome) -> Result<String, quick_junit::SerializeError> {
    let mut suite = TestSuite::new("sprt regress");
    suite.set_time(seconds(outcome.elapsed_seconds));
    for (name, side) in [("base", &outcome.base), ("candidate", &outcome.candidate)] {
        if let Some(case) = build(name, side) {
            suite.add_test_case(case);
        }
    }
    if let Some(speed) = &outcome.speed {
        let text = format!("{}; {}", words::speed_result(speed), words::speed_detail(speed));
        let time = speed.turns.iter().map(|turn| turn.base + turn.candidate);
        suite.add_test_case(case("speed", speed.verdict, text, time.sum()));
    }
    for games in &outcome.games {
        let text = format!(
            "{} after {} games, LLR {:+.2}, Elo {}",
            words::verdict(games.verdict),
            2 * games.assessment.counts.pairs(),
            games.assessment.log_likelihood_ratio,
            words::elo(games)
        );
        let name = format!("games by {}", games.name);
        suite.add_test_case(case(&name, games.verdict, text, games.seconds));
    }
    for step in &outcome.not_done {
        suite.add_test_case(case_of_status(step, status(Decision::Undecided, words::NOT_DONE)));
    }
    // The whole has one answer, whatever the steps say.
    let mut whole = case_of_status("no regression", status(outcome.decision, &outcome.reason));
    whole.set_system_out(markdown::summary(outcome));
    suite.add_test_case(whole);
    let mut report = Report::new(words::title(outcome));
    report.add_test_suite(suite);
    report.to_string()
}

fn build(name: &str, side: &RevisionReport) -> Option<TestCase> {
    let build = side.build.as_ref()?;
    let mut case = case_of_status(&format!("build of the {name}"), TestCaseStatus::success());
    if !build.was_cached {
        case.set_time(seconds(build.seconds));
    }
    let mut text = format!("{}: {}", side.revision.label(), side.revision.subject);
    if let Some(bench) = side.bench {
        text += &format!("; bench {}", bench.nodes);
    }
    case.set_system_out(text);
    Some(case)
}

fn case(name: &str, verdict: Verdict, text: String, time: f64) -> TestCase {
    let mut case = case_of_status(name, status(verdict.into(), &text));
    case.set_time(seconds(time));
    case.set_system_out(text);
    case
}

fn case_of_status(name: &str, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(name, status);
    case.set_classname("regress");
    case
}

/// Undecided is neither success nor failure: JUnit calls that skipped.
fn status(decision: Decision, message: &str) -> TestCaseStatus {
    let mut status = match decision {
        Decision::Accepted => return TestCaseStatus::success(),
        Decision::Rejected => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Decision::Failed => TestCaseStatus::non_success(NonSuccessKind::Error),
        Decision::Undecided => TestCaseStatus::skipped(),
    };
    status.set_message(message);
    status
}

fn seconds(time: f64) -> Duration {
    Duration::try_from_secs_f64(time).unwrap_or_default()
}
