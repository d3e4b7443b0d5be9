//! One opening played twice with colors reversed: the unit of the statistics.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use engine::chess::{Color, Position};

use super::{GameNumber, MemorySpan, Played, Referee, Seat, play_game_until};
use crate::game::{MoveLimits, PairRecord};
use crate::player::Player;

/// A pair to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Number of the pair, from 0.
    pub number: u64,
    /// Index of its opening.
    pub opening: usize,
    /// Who plays: indices of the contestants.
    pub players: [usize; 2],
}

/// A contestant at work: a player and its limits.
pub struct Opponent<'a> {
    /// The player that is asked for moves.
    pub player: &'a mut dyn Player,
    /// How long it may think.
    pub limits: &'a MoveLimits,
}

impl Opponent<'_> {
    fn seat(&mut self) -> Seat<'_> {
        Seat { player: self.player, limits: self.limits }
    }
}

/// Times a pair is replayed because the machine kept players waiting, before the run fails.
pub const MOST_REPLAYS: usize = 20;

/// What became of a pair.
#[derive(Clone, Debug)]
pub enum PlayedPair<T = Box<PairRecord>> {
    /// Both games are over.
    Finished(T),
    /// It was cancelled.
    Cancelled,
    /// The machine stalled again and again; the texts tell how.
    Stalled(Vec<String>),
}

impl<T> PlayedPair<T> {
    /// The same with something else made of a finished pair.
    pub fn map<U>(self, convert: impl FnOnce(T) -> U) -> PlayedPair<U> {
        match self {
            PlayedPair::Finished(pair) => PlayedPair::Finished(convert(pair)),
            PlayedPair::Cancelled => PlayedPair::Cancelled,
            PlayedPair::Stalled(reasons) => PlayedPair::Stalled(reasons),
        }
    }
}

/// Waits before a replay, longer each time, so that a machine that is busy for a minute or two does
/// not end the run. Returns early when `cancel` is set.
fn wait_for_quiet(replays: usize, cancel: &AtomicBool) {
    const FIRST: Duration = Duration::from_millis(100);
    const LONGEST: Duration = Duration::from_secs(10);
    const POLL: Duration = Duration::from_millis(50);
    let end = Instant::now() + (FIRST * (1 << replays.min(16))).min(LONGEST);
    while Instant::now() < end && !cancel.load(Ordering::Relaxed) {
        std::thread::sleep(POLL);
    }
}

/// Plays an opening with both colors, or ends soon after `cancel` is set. A pair in which a time
/// loss was the machine's fault is replayed as a whole, whoever would have lost.
pub fn play_pair(
    slot: Slot,
    start: &Position,
    mut opponents: [Opponent<'_>; 2],
    referee: &Referee,
    seed: u64,
    cancel: &AtomicBool,
) -> PlayedPair {
    let mut replays = Vec::new();
    while replays.len() <= MOST_REPLAYS {
        if !replays.is_empty() {
            wait_for_quiet(replays.len() - 1, cancel);
        }
        let mut games = Vec::with_capacity(2);
        for game in 0..2 {
            let number = GameNumber {
                seed,
                number: 2 * slot.number + game,
                fresh: game == 0 || referee.settings.memory != MemorySpan::Pair,
            };
            let [first, second] = &mut opponents;
            let seats = match PairRecord::FIRST[game as usize] {
                Color::White => [first.seat(), second.seat()],
                Color::Black => [second.seat(), first.seat()],
            };
            match play_game_until(start, seats, referee, number, cancel) {
                Played::Finished(record) => games.push(*record),
                Played::Cancelled => return PlayedPair::Cancelled,
                Played::Stalled(reason) => {
                    replays.push(format!("game {}: {reason}", game + 1));
                    break;
                }
            }
        }
        if let Ok(games) = games.try_into() {
            let Slot { number, opening, players } = slot;
            let record = PairRecord { number, opening, players, games, replays };
            return PlayedPair::Finished(Box::new(record));
        }
    }
    PlayedPair::Stalled(replays)
}
