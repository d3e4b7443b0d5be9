//! A thread that plays pairs and writes them down.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Competition, Workers, journal};
use crate::game::PairRecord;
use crate::openings::Book;
use crate::pgn::PgnTags;
use crate::player::{Loaded, Player};
use crate::playing::{Opponent, PlayedPair, Referee, Slot, play_pair};

/// What a thread has made of a pair of the schedule.
pub(super) enum Written {
    /// It is finished, with what is written of it.
    Pair { pair: Box<PairRecord>, journal_line: String, games: String },
    /// It was not played: one of its players was withdrawn.
    LeftOut,
}

/// All that threads need to play pairs and to write them down.
pub(super) struct WorkerContext {
    pub players: Vec<Loaded>,
    pub openings: Arc<Book>,
    pub tags: PgnTags,
    pub seed: u64,
    pub referee: Referee,
    pub workers: Workers,
    /// Players of whom no further pair is played.
    pub withdrawn: Vec<AtomicBool>,
}

impl WorkerContext {
    /// Notes who is withdrawn. Whatever pair a thread begins later comes behind in the schedule.
    pub fn withdraw<C: Competition>(&self, competition: &C) {
        for (player, withdrawn) in self.withdrawn.iter().enumerate() {
            withdrawn.store(competition.is_withdrawn(player), Ordering::Relaxed);
        }
    }

    /// A thread at work, with players of its own: each is made when it is first needed.
    pub fn worker(&self, number: usize) -> impl FnMut(Slot, &AtomicBool) -> PlayedPair<Written> {
        self.workers.take_place(number);
        let mut players: Vec<Option<Box<dyn Player>>> = self.players.iter().map(|_| None).collect();
        move |slot, cancel| {
            let [first, second] = slot.players;
            if slot.players.iter().any(|&it| self.withdrawn[it].load(Ordering::Relaxed)) {
                return PlayedPair::Finished(Written::LeftOut);
            }
            let seats = players.get_disjoint_mut([first, second]);
            let [one, other] = seats.expect("nobody plays against itself");
            let one = one.get_or_insert_with(|| self.players[first].player());
            let other = other.get_or_insert_with(|| self.players[second].player());
            let opponents = [
                Opponent { player: one.as_mut(), limits: &self.tags.limits[first] },
                Opponent { player: other.as_mut(), limits: &self.tags.limits[second] },
            ];
            let opening = self.openings.opening(slot.opening);
            let opening = opening.expect("a scheduled opening exists");
            let played =
                play_pair(slot, &opening.position, opponents, &self.referee, self.seed, cancel);
            played.map(|pair| Written::Pair {
                journal_line: journal::line_of_pair(&pair, self.tags.with_times()),
                games: self.tags.pair(&pair, opening.name.as_deref()),
                pair,
            })
        }
    }
}
