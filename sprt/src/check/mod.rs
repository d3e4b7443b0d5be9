//! Is an engine fit for a runner? `sprt check` asks it what runners ask, and judges the answers.
//!
//! `list.rs` has all checks, each a function with a sentence of what it demands; they lie in files by
//! theme. `exam.rs` is the conversation that they share, `positions.rs` has the positions of chess and
//! `drawn.rs` those of other games, and `report.rs` is what comes out.

mod drawn;
mod exam;
mod handshake;
mod limits;
mod list;
mod manners;
mod moves;
mod output;
mod positions;
mod report;
mod settings;
mod thinking;

use std::sync::atomic::{AtomicBool, Ordering};

pub use exam::Need;
pub use list::{CHECKS, Check, checks_of};
pub use report::{CheckReport, CheckedEngine, Finding, Outcome, Report, Severity};
pub use settings::Settings;

use exam::{Exam, Stop};

/// Told how far it is.
pub trait Watcher {
    /// A check begins: its number from 0, of so many.
    fn on_check(&self, _check: &Check, _number: usize, _checks: usize) {}
}

/// A watcher that shows nothing.
#[derive(Clone, Copy, Debug)]
pub struct Unwatched;

impl Watcher for Unwatched {}

/// Does all checks of a game, each with a process of its own. `None` if `interrupted` was set.
pub fn examine(
    settings: &Settings,
    watcher: &dyn Watcher,
    interrupted: &AtomicBool,
) -> Option<Report> {
    let chosen: Vec<&Check> = checks_of(settings.game)
        .filter(|check| {
            let is_asked = settings.only.iter().any(|name| name == check.name);
            settings.only.is_empty() || is_asked || check.gives.is_some()
        })
        .collect();
    let mut exam = Exam::new(settings);
    let mut reports = Vec::new();
    for (number, check) in chosen.iter().enumerate() {
        if interrupted.load(Ordering::Relaxed) {
            return None;
        }
        watcher.on_check(check, number, chosen.len());
        reports.push(judge(&mut exam, check));
    }
    Some(Report::new(exam.subject(), settings, reports))
}

fn judge(exam: &mut Exam<'_>, check: &Check) -> CheckReport {
    if exam.reached < check.needs {
        let reason = exam.reached.lacking(exam.settings.game);
        return check.not_judged(exam.settings.game, reason);
    }
    let ended = (check.run)(exam);
    let mut skipped = None;
    match ended {
        Ok(()) => {}
        Err(Stop::Fault(fault)) => exam.broke_off(&fault),
        Err(Stop::NotJudged(reason)) => skipped = Some(reason),
    }
    let (findings, found) = exam.finish();
    let is_faulty = found[Severity::Fault as usize] > 0;
    if let Some(level) = check.gives.filter(|_| !is_faulty) {
        exam.reached = exam.reached.max(level);
    }
    match skipped {
        Some(reason) if findings.is_empty() => check.not_judged(exam.settings.game, reason),
        _ => check.judged(exam.settings.game, findings, found),
    }
}
