//! Why a run failed.

use std::path::PathBuf;

use playable::OracleError;
use statistics::HypothesesError;
use system::files::{FileError, OutputError};
use thiserror::Error;
use work::UnitFailure;
use work::journal::JournalError;

use super::Kind;
use crate::game::Fault;
use crate::openings::OpeningsError;
use crate::player::{ALLOW_CHANGED_ENGINE, Changed, ContestantError, LimitTrial};

/// Why a run failed. A failure is never a verdict.
#[derive(Debug, Error)]
pub enum RunError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A contestant cannot take part.
    #[error(transparent)]
    Contestant(#[from] ContestantError),
    /// Contestants did not even start.
    #[error("{}", cannot_play(.0))]
    Start(Vec<(String, Fault)>),
    /// Contestants do not keep their limits of nodes or depth.
    #[error("{}", heedless(.0))]
    Heedless(Vec<(String, LimitTrial)>),
    /// Engines do not have options that are to be set; with the option that may be meant.
    #[error("{}", lacking(.0))]
    UnknownOptions(Vec<(String, String)>),
    /// The players made too many faults.
    #[error("{faults} faults, more than the {most} allowed; the last: {last}")]
    Faults {
        /// Faults that were made.
        faults: u64,
        /// Faults that were allowed.
        most: u64,
        /// The last fault, with its player.
        last: String,
    },
    /// A verdict would rest on games that were not played.
    #[error("{faults} of {games} games were forfeited: too many for a verdict; the last: {last}")]
    Forfeits {
        /// Faults that were made.
        faults: u64,
        /// Games that were played.
        games: u64,
        /// The last fault, with its player.
        last: String,
    },
    /// The players lost on time too often.
    #[error("{losses} losses on time, more than the {most} allowed; the last: {last}")]
    TimeLosses {
        /// Losses on time that occurred.
        losses: u64,
        /// Losses on time that were allowed.
        most: u64,
        /// The last of them, with its player.
        last: String,
    },
    /// The opening file cannot be used.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// The endgame tables cannot be used.
    #[error(transparent)]
    Tablebase(#[from] OracleError),
    /// The hypotheses cannot be tested.
    #[error(transparent)]
    Hypotheses(#[from] HypothesesError),
    /// The rules contradict each other or the contestants.
    #[error("{0}")]
    Rules(String),
    /// The folder holds a run already.
    #[error(
        "{} holds a run already: go on with `sprt resume {}`, or choose another folder",
        folder.display(),
        folder.display()
    )]
    Exists {
        /// The folder of the run.
        folder: PathBuf,
    },
    /// A file of somebody else would be overwritten.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The folder holds no run.
    #[error("{} holds no run: there is no journal in it", folder.display())]
    Missing {
        /// The folder of the run.
        folder: PathBuf,
    },
    /// The run was begun for something else, or by another version of this program.
    #[error(
        "{}: a journal of a {found}, version {version}; expected is a {expected}, version {}",
        path.display(),
        super::kind::VERSION
    )]
    Foreign {
        /// Path of the journal.
        path: PathBuf,
        /// The kind of run that the journal is of.
        found: Kind,
        /// The kind of run that was asked for.
        expected: Kind,
        /// The version in the journal's header.
        version: u32,
    },
    /// A file of the run was changed since it began.
    #[error(
        "{}: not what the run began with (fingerprint {found} instead of {expected})",
        path.display()
    )]
    Changed {
        /// The file that is meant.
        path: PathBuf,
        /// Fingerprint of the file now.
        found: String,
        /// Fingerprint in the journal.
        expected: String,
    },
    /// An engine of the run is another than it was when the run began.
    #[error("{player}: {changed}; begin another run")]
    ChangedEngine {
        /// Name of the contestant.
        player: String,
        /// The part of its identity that differs.
        changed: Changed,
    },
    /// The run was interrupted; it can be resumed.
    #[error("interrupted after {pairs} pairs: go on with `sprt resume {}`", folder.display())]
    Interrupted {
        /// The folder of the run.
        folder: PathBuf,
        /// Pairs in the journal.
        pairs: u64,
    },
    /// A pair could not be played: the engine has a bug, the machine is too busy for games with clocks,
    /// or an endgame table is damaged.
    #[error("pair {} could not be played: {reason}", pair + 1)]
    Unplayed {
        /// Number of the pair, from 0.
        pair: u64,
        /// The reason in words.
        reason: String,
    },
    /// The threads that play cannot be started, or have ended.
    #[error("{0}")]
    Threads(String),
}

/// Who cannot play, each with what it did instead.
fn cannot_play(faults: &[(String, Fault)]) -> String {
    let of_player = |(name, fault): &(String, Fault)| format!("{name} cannot play: {fault}");
    faults.iter().map(of_player).collect::<Vec<_>>().join("; ")
}

/// Who lacks which option, and what to do.
fn lacking(options: &[(String, String)]) -> String {
    let of_player = |(name, option): &(String, String)| format!("{name} has no option {option}");
    let found = options.iter().map(of_player).collect::<Vec<_>>().join("; ");
    format!(
        "{found}. Correct the name, or leave it out; with --allow-unknown-options games are played \
         without it"
    )
}

/// Who does not keep a limit, how that was found, and what to do.
fn heedless(trials: &[(String, LimitTrial)]) -> String {
    let of_player =
        |(name, trial): &(String, LimitTrial)| format!("{name} does not keep its limit: {trial}");
    let found = trials.iter().map(of_player).collect::<Vec<_>>().join("; ");
    format!(
        "{found}. Play on a clock (--tc 8+0.08), or with a time for each move (--movetime 0.1); \
         with --no-probe games are played nevertheless"
    )
}

impl RunError {
    /// The option of `sprt resume` that lets a run go on which the players' faults have ended, or
    /// another engine.
    pub fn remedy(&self) -> Option<String> {
        match self {
            RunError::Faults { faults, .. } => Some(format!("--max-faults {}", 2 * faults)),
            RunError::Forfeits { faults, games, .. } => {
                let percent = (100 * faults).div_ceil(*games).min(100);
                Some(format!("--max-faults {faults},{percent}%"))
            }
            RunError::TimeLosses { losses, .. } => {
                Some(format!("--max-time-losses {}", 2 * losses))
            }
            RunError::ChangedEngine { .. } => Some(ALLOW_CHANGED_ENGINE.to_owned()),
            _ => None,
        }
    }

    /// True if what the players did wrong ended the run; the same pairs always end it so.
    pub fn is_by_players(&self) -> bool {
        matches!(
            self,
            RunError::Faults { .. } | RunError::Forfeits { .. } | RunError::TimeLosses { .. }
        )
    }
}

impl From<UnitFailure> for RunError {
    fn from(failure: UnitFailure) -> RunError {
        match failure {
            UnitFailure::Panicked { unit } => {
                RunError::Unplayed { pair: unit, reason: "its thread panicked".to_owned() }
            }
            UnitFailure::Failed { unit, reason } => RunError::Unplayed { pair: unit, reason },
            UnitFailure::Gone => RunError::Threads(failure.to_string()),
        }
    }
}
