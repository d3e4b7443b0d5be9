//! How all three programs end: one table of exit statuses.

use std::panic::catch_unwind;
use std::process::ExitCode;

use system::tell;

/// How a program ends. A failure is never taken for a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Done; the candidate is accepted, no regression, no fault.
    Success = 0,
    /// The answer is no: the candidate is rejected, a regression, faults.
    Rejected = 1,
    /// Undecided when the greatest number of pairs was played.
    Undecided = 2,
    /// The work failed: there is no answer.
    Failure = 3,
    /// Wrong use of the command line (`EX_USAGE` of sysexits.h).
    WrongUse = 64,
    /// Interrupted (as a shell reports SIGINT); what can be resumed goes on from here.
    Interrupted = 130,
}

impl Status {
    /// The table of `--help`, the same for all programs.
    pub const TABLE: &str = "\
Exit status of kamerton, sprt and tuner:
  0    done; the candidate is accepted, no regression, no fault
  1    the answer is no: rejected, a regression, faults, positions that do not determine a fit
  2    undecided when the greatest number of pairs was played
  3    the work failed: there is no answer
  64   wrong use of the command line
  130  interrupted; a run can be resumed";

    /// Prints what clap answers, and says how the program ends: help and version come as errors too.
    pub fn of_answer(answer: &clap::Error) -> Status {
        // Nothing is left to tell when even the terminal is gone.
        let _ = answer.print();
        if answer.use_stderr() { Status::WrongUse } else { Status::Success }
    }
}

/// Runs a whole program. A panic in it ends as any failure does, once it was told; and where a file may
/// grow no further (`ulimit -f`), writing it fails instead of ending the process.
pub fn guarded(program: fn() -> ExitCode) -> ExitCode {
    #[cfg(unix)]
    fail_beyond_the_size_of_files();
    catch_unwind(program).unwrap_or_else(|_| {
        tell("error: this program has a fault, of which the lines above tell: please report them");
        Status::Failure.into()
    })
}

/// True where nobody reads any more what is written.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

/// Has the system say that a file is too large, where it would end the process by a signal. Programs that
/// this one starts are left as they are: a handler does not outlive that, as ignoring would.
#[cfg(unix)]
fn fail_beyond_the_size_of_files() {
    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

    extern "C" fn pass_over(_: std::ffi::c_int) {}
    let action =
        SigAction::new(SigHandler::Handler(pass_over), SaFlags::SA_RESTART, SigSet::empty());
    // Should it fail, all is as before. SAFETY: the handler does nothing.
    let _ = unsafe { sigaction(Signal::SIGXFSZ, &action) };
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status as u8)
    }
}
