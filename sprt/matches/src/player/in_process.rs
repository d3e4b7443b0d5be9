//! An engine of ours inside this process.

use std::thread::ThreadId;
use std::time::{Duration, Instant};

use playable::{Bound, Control, Engine, Limits, Numbers, Progress};

use super::stall::Meter;
use super::{Choice, GameStart, Player, Turn};
use crate::game::{Clock, Fault};

/// An engine of ours inside this process, with its own transposition table.
pub struct InProcess {
    engine: Box<dyn Engine>,
    control: Control,
    /// Measures what the machine withholds where time is limited, in the thread of this number.
    meter: Option<(ThreadId, Meter)>,
}

impl InProcess {
    /// A player with these numbers and a transposition table of so many megabytes (2²⁰ bytes).
    pub fn new(numbers: &Numbers, hash_megabytes: usize) -> InProcess {
        InProcess {
            engine: numbers.engine(hash_megabytes),
            control: Control::default(),
            meter: None,
        }
    }

    /// The same player, as fast with the numbers of the build as with any others: where sets of numbers
    /// meet by time, none is to be faster for being that of the build.
    pub fn without_constants(mut self) -> InProcess {
        self.engine.set_constants(false);
        self
    }

    /// The meter of the thread that asks.
    fn meter(&mut self) -> &mut Meter {
        let thread = std::thread::current().id();
        self.meter.take_if(|(known, _)| *known != thread);
        let (_, meter) = self.meter.get_or_insert_with(|| (thread, Meter::of_this_thread()));
        meter
    }
}

impl Player for InProcess {
    fn new_game(&mut self, game: &GameStart<'_>) -> Result<(), Fault> {
        if game.forget {
            self.engine.new_game();
        }
        Ok(())
    }

    fn forget(&mut self) -> Result<(), Fault> {
        self.engine.new_game();
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Fault> {
        let limits = Limits {
            nodes: turn.limits.nodes,
            depth: turn.limits.depth,
            move_time: turn.limits.move_time.map(Duration::from_millis),
            clock: turn.clocks,
            moves_to_go: turn.moves_to_go,
            ..Limits::default()
        };
        let timed = turn.limits.is_timed();
        if timed {
            self.meter().begin(false);
        }
        let begin = Instant::now();
        // As an engine's lines are read: what failed low counts only if nothing else was found.
        let (mut selective_depth, mut has_found) = (0, false);
        let mut hear = |progress: &Progress| {
            if progress.bound != Bound::Upper || !has_found {
                selective_depth = progress.selective_depth;
            }
            has_found |= progress.bound != Bound::Upper;
        };
        let outcome = self.engine.search(turn.position, &limits, &self.control, &mut hear);
        let elapsed = begin.elapsed();
        let may_count = timed && elapsed >= Clock::LEAST_STALL;
        let stall = if may_count { self.meter().waited() } else { Duration::ZERO };
        Ok(Choice {
            score: Some(outcome.score),
            depth: outcome.depth,
            selective_depth,
            nodes: outcome.nodes,
            elapsed,
            stall: stall.min(elapsed),
            ..Choice::of_move(outcome.best)
        })
    }
}
