//! The state of a session, and the events that change it.

use std::sync::Arc;
use std::sync::mpsc::{Sender, SyncSender};

use playable::{Control, Engine, Limits, Move, OpeningMoves, Oracle, Position};

use super::options::Options;
use super::output::Output;
use super::waiting::Waiting;
use crate::console::translation::Root;

/// An event that the session waits for.
pub enum Event {
    /// A line of input, as it came.
    Line(Vec<u8>),
    /// A line too long to be kept, but for its beginning.
    LongLine(Vec<u8>),
    /// The input has ended or cannot be read.
    End,
    /// The engine has done its work and comes back with the answer.
    Done(Box<dyn Engine>, Answer),
    /// The engine's thread has panicked.
    Died,
}

pub type Job = Box<dyn FnOnce() + Send>;

/// Lines that the engine's work has produced. The session prints them once the engine is back: the
/// reader may send the next command at once, which must not find the engine at work.
pub type Answer = Vec<String>;

/// The condition that ends the engine's work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// It ends by itself.
    Done,
    /// It does so after `ponderhit`, and until then only `stop` ends it.
    PonderHit,
    /// Only `stop` ends it.
    Stop,
}

impl Until {
    /// The end of a search within limits.
    pub fn of(limits: &Limits) -> Until {
        match (limits.infinite, limits.ponder) {
            (true, _) => Until::Stop,
            (false, true) => Until::PonderHit,
            (false, false) => Until::Done,
        }
    }

    /// Whether, as things stand, only `stop` ends it.
    pub fn is_endless(self) -> bool {
        self != Until::Done
    }
}

/// Where the engine is, and what it does.
pub enum EngineState {
    /// Here, waiting for work.
    Idle(Box<dyn Engine>),
    /// In its thread, at work.
    Busy {
        /// Signals to the search it runs.
        control: Arc<Control>,
        until: Until,
    },
}

pub struct Session {
    pub options: Options,
    /// The tables that `SyzygyPath` names, if they could be opened.
    pub tables: Option<Arc<dyn Oracle>>,
    /// The book or library that `BookFile` names, if it could be read.
    pub book: Option<Box<dyn OpeningMoves>>,
    pub position: Position,
    /// Another position was asked for since and refused: the one at hand is not the one that is meant.
    pub refused: bool,
    /// Moves that UCCI does not want played in this position, in coordinates.
    pub banned: Vec<String>,
    /// The moves that led to the position from the usual start, if it began there.
    pub line: Option<Vec<Move>>,
    pub engine: Option<EngineState>,
    pub waiting: Waiting,
    pub input_ended: bool,
    pub quitting: bool,
    pub output: Output,
    pub sender: SyncSender<Event>,
    pub jobs: Sender<Job>,
}

impl Session {
    /// The position as moves from it are written.
    pub fn root(&self) -> Root {
        let mut position = self.position.clone();
        let chess960 = self.options.chess960 || position.chess960();
        position.set_chess960(chess960);
        Root { position, dialect: self.options.first_rank }
    }
}
