//! The state of an engine that speaks UCI: its process, its game, its warnings.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use playable::{Game, Move, Position};
use uci::Protocol;

use super::answer::LastInfoLines;
use super::options::Declared;
use super::position_command::PositionCommand;
use super::process::Process;
use crate::game::{Exchange, PlyRecord, Warning, WarningKind};
use crate::games;
use crate::player::UciEngine;
use crate::player::line_log::LineLog;
use crate::player::stall::Meter;

/// Warnings of a kind that a player gives in one game; more would fill the journal.
const WARNINGS_OF_A_KIND: usize = 3;

/// An engine in a process of its own that speaks UCI.
#[derive(Debug)]
pub struct UciPlayer {
    pub(super) engine: UciEngine,
    pub(super) hash: Option<usize>,
    /// Where all lines go, and what it is called there.
    pub(super) log: Option<(LineLog, String)>,
    pub(super) running: Option<Running>,
    /// The last lines of a process that is gone.
    pub(super) last_exchange: Option<Exchange>,
    pub(super) game: Option<PositionCommand>,
    pub(super) message: String,
    pub(super) info_lines: LastInfoLines,
    pub(super) warnings: Warnings,
    /// The answer that it expects to its last move.
    pub(super) expected: Option<String>,
    /// Its last answer gave the game up.
    pub(super) resigns: bool,
    /// Its guess at the opponent's move, if it thinks in the opponent's time.
    pub(super) pondering: Option<Guess>,
    /// The last mate it announced in this game, in moves as UCI counts them.
    pub(super) last_mate: Option<i32>,
}

impl UciPlayer {
    /// A player; its process is started with the first game. `hash` is the size of its
    /// transposition table in megabytes, if it is to be set.
    ///
    /// On Linux the process dies with the thread that started it, whatever kills that.
    pub fn new(engine: UciEngine, hash: Option<usize>) -> UciPlayer {
        let info_lines = LastInfoLines::new(engine.protocol());
        UciPlayer {
            engine,
            hash,
            log: None,
            running: None,
            last_exchange: None,
            game: None,
            message: String::new(),
            info_lines,
            warnings: Warnings::default(),
            expected: None,
            resigns: false,
            pondering: None,
            last_mate: None,
        }
    }

    /// The same with all lines of its processes written into a log, under this name.
    pub fn with_log(self, log: LineLog, name: &str) -> UciPlayer {
        UciPlayer { log: Some((log, name.to_owned())), ..self }
    }

    /// The game of its last position.
    pub(super) fn game(&self) -> Game {
        self.game.as_ref().map_or_else(games::usual, PositionCommand::game)
    }

    /// A game as it is told from here on. In UCCI positions are told as FEN after the last capture.
    pub(super) fn told_from(&self, start: &Position, dialect: usize) -> PositionCommand {
        let is_ucci = self.engine.ucci;
        let told = PositionCommand::new(start, self.engine.short_positions || is_ucci, dialect);
        if is_ucci { told.by_fen() } else { told }
    }

    /// When an answer to a simple question is overdue.
    pub(super) fn reply_deadline(&self) -> Instant {
        Instant::now() + Duration::from_millis(self.engine.reply_timeout)
    }
}

/// The process and what it has been told.
#[derive(Debug)]
pub(super) struct Running {
    pub process: Process,
    pub declared: Declared,
    /// Its introduction, before it was asked for more options.
    pub introduction: (String, BTreeMap<String, String>),
    pub protocol: Protocol,
    /// Its dialect of the game.
    pub dialect: usize,
    pub chess960: bool,
    /// Games it has been told of.
    pub games: u64,
    /// It has said something unasked.
    pub says_more: bool,
    pub meter: Meter,
}

/// Warnings that wait for the next answer.
#[derive(Debug, Default)]
pub(super) struct Warnings {
    pub waiting: Vec<Warning>,
    /// Kinds of all those given in this game.
    given: Vec<WarningKind>,
}

impl Warnings {
    pub fn add(&mut self, kind: WarningKind, detail: String) {
        let of_kind = self.given.iter().filter(|&&given| given == kind).count();
        if of_kind < WARNINGS_OF_A_KIND {
            self.given.push(kind);
            self.waiting.push(Warning { kind, detail });
        }
    }
}

/// The answer that an engine expects and thinks about while its opponent is to move.
#[derive(Debug)]
pub(super) struct Guess {
    /// Plies of the game before its own move.
    pub plies: usize,
    pub own: Move,
    pub reply: Move,
}

impl UciEngine {
    /// The protocol that it speaks, before it is told the unit of its clocks.
    pub(super) fn protocol(&self) -> Protocol {
        if self.ucci { Protocol::Ucci { milliseconds: false } } else { Protocol::Uci }
    }
}

impl Guess {
    /// True if the game went on so.
    pub fn came_true(&self, plies: &[PlyRecord]) -> bool {
        let since = plies.get(self.plies..).unwrap_or_default();
        since.iter().map(|ply| ply.mv).eq([self.own, self.reply])
    }
}
