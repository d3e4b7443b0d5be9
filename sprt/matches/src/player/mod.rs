//! Who plays: anything that chooses a move when asked.

mod contestant;
mod heartbeat;
mod identity;
mod in_process;
mod limit_trial;
mod line_log;
mod loading;
mod named_files;
mod random;
mod stall;
mod steal;
mod uci;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use playable::ClockSide;
use playable::{Move, Position};

use crate::game::{Exchange, Fault, MoveLimits, PlyRecord, Warning};

pub use contestant::{
    Contestant, ContestantError, DEFAULT_HASH, Identity, RANDOM, Source, UciEngine,
};
pub use heartbeat::Heartbeat;
pub use identity::{ALLOW_CHANGED_ENGINE, Changed, EngineIdentity, ProgramIdentity, compare};
pub use in_process::InProcess;
pub use limit_trial::{Keeping, LimitTrial, SearchLimit, try_limits};
pub use line_log::LineLog;
pub use loading::{Loaded, NamedFiles};
pub use named_files::Watch;
pub use random::RandomMover;
pub use uci::{
    Declared, Dialogue, Heard, Parting, Silence, UciPlayer, VARIANT, dialect_of, judge_lines,
    read_move,
};

/// A player of games, in this process or in one of its own.
pub trait Player {
    /// Options that it was to set and does not have, and what may be meant; known from the first
    /// game on.
    fn unknown_options(&self) -> Vec<String> {
        Vec::new()
    }

    /// Remarks on odd declarations of options that are set; known from the first game on.
    fn option_remarks(&self) -> Vec<String> {
        Vec::new()
    }

    /// The introduction of a program: its name, and its options with their types and defaults, as it
    /// lists them at first. Known from the first game on; `None` for players that say nothing.
    fn introduction(&self) -> Option<(String, BTreeMap<String, String>)> {
        None
    }

    /// Prepares for a game: a program is started with the first one. It forgets games before if the
    /// game says so.
    ///
    /// # Errors
    /// The player does not answer: it forfeits the game.
    fn new_game(&mut self, game: &GameStart<'_>) -> Result<(), Fault>;

    /// Forgets what was learned since the game began.
    ///
    /// # Errors
    /// The player does not answer: it forfeits the game.
    fn forget(&mut self) -> Result<(), Fault>;

    /// Chooses a move in a game that is not over. The caller checks that it is legal, and its time.
    ///
    /// # Errors
    /// The player crashed, hung or answered nonsense: it forfeits the game.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Fault>;

    /// Searches once, in a game, to show whether it keeps a limit, and is told to stop if it has not
    /// answered for so long; it may be of no use afterwards. `None` for players that keep all limits.
    ///
    /// # Errors
    /// The player crashed or floods.
    fn try_limit(
        &mut self,
        _limit: SearchLimit,
        _patience: Duration,
    ) -> Result<Option<LimitTrial>, Fault> {
        Ok(None)
    }

    /// The last lines between the runner and the player, also of a process that a fault has ended;
    /// `None` for players without pipes.
    fn exchange(&self) -> Option<Exchange> {
        None
    }
}

/// The start of a game, as a player is told it.
#[derive(Clone, Copy, Debug)]
pub struct GameStart<'a> {
    /// The position before the first ply.
    pub position: &'a Position,
    /// Forget everything from games before.
    pub forget: bool,
    /// Seed of the run, for players that draw random numbers.
    pub seed: u64,
    /// The player's stream of random numbers in this game: no other player or game has it.
    pub stream: u64,
}

impl<'a> GameStart<'a> {
    /// A game that owes nothing to others and in which nobody draws random numbers.
    pub fn fresh(position: &'a Position) -> GameStart<'a> {
        GameStart { position, forget: true, seed: 0, stream: 0 }
    }
}

/// A question to a player.
#[derive(Clone, Copy)]
pub struct Turn<'a> {
    /// The position with the whole game as its past.
    pub position: &'a Position,
    /// The position before the game's first ply.
    pub start: &'a Position,
    /// The plies since `start`.
    pub plies: &'a [PlyRecord],
    /// How long the mover may think.
    pub limits: &'a MoveLimits,
    /// The clocks of White and Black; none for who has none.
    pub clocks: [Option<ClockSide>; 2],
    /// Moves until the mover's clock is refilled, if it ever is.
    pub moves_to_go: Option<u32>,
    /// Set when the answer is not wanted any more: the player may give up with any fault.
    pub cancel: Option<&'a AtomicBool>,
}

impl<'a> Turn<'a> {
    /// A turn without clocks at the start of a game.
    pub fn first(position: &'a Position, limits: &'a MoveLimits) -> Turn<'a> {
        Turn {
            position,
            start: position,
            plies: &[],
            limits,
            clocks: [None; 2],
            moves_to_go: None,
            cancel: None,
        }
    }
}

/// A player's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The move to play, not yet checked.
    pub mv: Move,
    /// Its score in centipawns from the mover's view, mates as [`crate::game::plies_to_mate`] reads
    /// them; `None` if the player gave none.
    pub score: Option<i32>,
    /// Depth of the search in plies.
    pub depth: u32,
    /// Longest line that the search followed, in plies; 0 if it is not known.
    pub selective_depth: u32,
    /// Nodes of the search, as the player counts them.
    pub nodes: u64,
    /// Time from the question to the answer.
    pub elapsed: Duration,
    /// How much of that time the machine kept the player or its reader from running, where time is
    /// limited; stalls below a millisecond may be left out.
    pub stall: Duration,
    /// It gives the game up instead of playing the move.
    pub resigns: bool,
    /// Oddities of the answer.
    pub warnings: Vec<Warning>,
}

impl Choice {
    /// A move without anything else to say.
    pub fn of_move(mv: Move) -> Choice {
        Choice {
            mv,
            score: None,
            depth: 0,
            selective_depth: 0,
            nodes: 0,
            elapsed: Duration::ZERO,
            stall: Duration::ZERO,
            resigns: false,
            warnings: Vec::new(),
        }
    }
}
