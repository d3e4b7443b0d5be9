//! The status with which a command ends, and what ends it before its time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use matches::openings::GenerateError;
use matches::run::RunError;
use program::Status;
use statistics::Verdict;

/// Arguments that are well-formed each for itself but make no sense together.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct WrongUse(pub String);

/// The status that tells a verdict.
pub fn of_verdict(verdict: Verdict) -> Status {
    match verdict {
        Verdict::Accepted => Status::Success,
        Verdict::Rejected => Status::Rejected,
        Verdict::Undecided => Status::Undecided,
    }
}

/// The status that tells an error.
pub fn of_error(error: &anyhow::Error) -> Status {
    let interrupted = matches!(error.downcast_ref(), Some(RunError::Interrupted { .. }))
        || matches!(error.downcast_ref(), Some(GenerateError::Interrupted));
    let wrong_use = error.is::<WrongUse>()
        || matches!(error.downcast_ref(), Some(RunError::Hypotheses(_) | RunError::Rules(_)));
    if interrupted {
        Status::Interrupted
    } else if wrong_use {
        Status::WrongUse
    } else {
        Status::Failure
    }
}

/// A flag that SIGINT and SIGTERM set; the second signal ends the process at once.
pub fn interruption() -> Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = flag.clone();
    ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(Status::Interrupted as u8));
        }
    })
    .context("cannot listen for interruption")?;
    Ok(flag)
}
