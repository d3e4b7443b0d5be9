//! Faults and warnings of players: a fault loses the game, a warning is counted.
//!
//! More faults than the cap fail the run, and so do forfeits in more than a tenth of the games
//! (`run/run_tally.rs`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Evidence;

/// What a player did wrong. Every fault but a loss on time is a defect of the program, and a run
/// ends as failed when there are too many.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, JsonSchema, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// The process could not be started again.
    Start,
    /// The process ended by a signal or with an error.
    Crash,
    /// The process ended on its own in the middle of a game, or closed its output.
    Exit,
    /// No reply within the time allowed for one.
    Hang,
    /// It did not stop writing.
    Flood,
    /// A move that is not legal in the position.
    IllegalMove,
    /// A reply that is no move at all.
    UnreadableMove,
    /// No move although there are legal ones.
    NoMove,
    /// More time used than there was.
    TimeLoss,
}

impl FaultKind {
    /// In words, as reports show it.
    pub fn as_str(self) -> &'static str {
        match self {
            FaultKind::Start => "did not start",
            FaultKind::Crash => "crashed",
            FaultKind::Exit => "exited",
            FaultKind::Hang => "gave no reply",
            FaultKind::Flood => "flooded its output",
            FaultKind::IllegalMove => "illegal move",
            FaultKind::UnreadableMove => "unreadable move",
            FaultKind::NoMove => "no move",
            FaultKind::TimeLoss => "lost on time",
        }
    }
}

/// Why a player loses a game at once. The detail holds nothing that differs between two runs that
/// are otherwise the same (no process numbers; times only where times decide).
#[derive(Clone, PartialEq, Eq, Debug, Error, Serialize, Deserialize)]
#[error("{}{}{detail}", kind.as_str(), if detail.is_empty() { "" } else { ": " })]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// The kind of fault; [`FaultKind::as_str`] names it.
    pub kind: FaultKind,
    /// More of it: the move, the signal, the last words on stderr. May be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// The state of the game when it was made; `None` for a fault read from a journal.
    #[serde(skip)]
    pub evidence: Option<Box<Evidence>>,
}

impl Fault {
    /// A fault with its detail.
    pub fn new(kind: FaultKind, detail: impl Into<String>) -> Fault {
        Fault { kind, detail: detail.into(), evidence: None }
    }
}

/// What a player did against the protocol without harm to the game.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, JsonSchema, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum WarningKind {
    /// Output that is not UTF-8.
    InvalidUtf8,
    /// A principal variation with an illegal move, or that does not begin with the move played.
    WrongVariation,
    /// A mate score that cannot be: wrong sign, or a mate that the position does not allow.
    MateScore,
    /// Lines that are not of the protocol, or at a time when they mean nothing.
    Protocol,
    /// An option was set that the engine does not declare.
    UnknownOption,
}

impl WarningKind {
    /// In words, as reports show it.
    pub fn as_str(self) -> &'static str {
        match self {
            WarningKind::InvalidUtf8 => "output that is not UTF-8",
            WarningKind::WrongVariation => "wrong variation",
            WarningKind::MateScore => "wrong mate score",
            WarningKind::Protocol => "line against the protocol",
            WarningKind::UnknownOption => "unknown option",
        }
    }
}

/// Something odd about a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Warning {
    /// The kind of oddity.
    pub kind: WarningKind,
    /// More of it. May be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}
