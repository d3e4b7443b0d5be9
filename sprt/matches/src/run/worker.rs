//! A thread that plays pairs and writes them down.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::workers::{IDLE_MEGABYTES, Workers};
use super::{Competition, journal};
use crate::game::PairRecord;
use crate::openings::Book;
use crate::pgn::PgnTags;
use crate::player::{Loaded, Player};
use crate::playing::{Entrant, PlayedPair, Referee, ScheduledPair, play_pair};

/// A pair of the schedule as a thread hands it on.
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
    /// Notes who is withdrawn. Every pair that a thread begins later comes behind in the schedule.
    pub fn withdraw<C: Competition>(&self, competition: &C) {
        for (player, withdrawn) in self.withdrawn.iter().enumerate() {
            withdrawn.store(competition.is_withdrawn(player), Ordering::Relaxed);
        }
    }

    /// A thread at work, with players of its own.
    pub fn worker(
        &self,
        number: usize,
    ) -> impl FnMut(ScheduledPair, &AtomicBool) -> PlayedPair<Written> {
        self.workers.take_place(number);
        let mut cast = Cast::new(&self.players);
        move |slot, cancel| {
            let [first, second] = slot.players;
            if slot.players.iter().any(|&it| self.withdrawn[it].load(Ordering::Relaxed)) {
                return PlayedPair::Finished(Written::LeftOut);
            }
            let [one, other] = cast.meet(slot.players);
            let opponents = [
                Entrant { player: one, limits: &self.tags.limits[first] },
                Entrant { player: other, limits: &self.tags.limits[second] },
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

/// The players of a thread. Each is made when it is first needed. Of those that do not play, the ones
/// that played last are kept, as far as their tables are small; who is made again plays the same.
struct Cast<'a> {
    loaded: &'a [Loaded],
    seats: Vec<Option<Box<dyn Player>>>,
    /// Who was made and is there, the one that played last at the end.
    present: Vec<usize>,
}

impl<'a> Cast<'a> {
    fn new(loaded: &'a [Loaded]) -> Cast<'a> {
        let seats = loaded.iter().map(|_| None).collect();
        Cast { loaded, seats, present: Vec::new() }
    }

    /// The players of a pair; others leave where they would take up too much.
    fn meet(&mut self, players: [usize; 2]) -> [&mut dyn Player; 2] {
        self.present.retain(|it| !players.contains(it));
        let mut kept = 0;
        let mut idle = std::mem::take(&mut self.present);
        // From the one that played last.
        idle.reverse();
        idle.retain(|&player| {
            kept += self.loaded[player].table_megabytes();
            let may_stay = kept <= IDLE_MEGABYTES;
            if !may_stay {
                self.seats[player] = None;
            }
            may_stay
        });
        idle.reverse();
        self.present = idle;
        self.present.extend(players);
        let seats = self.seats.get_disjoint_mut(players).expect("nobody plays against itself");
        let mut numbers = players.into_iter();
        seats.map(|seat| {
            let loaded = &self.loaded[numbers.next().expect("two players")];
            seat.get_or_insert_with(|| loaded.player()).as_mut()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::MoveLimits;
    use crate::player::Contestant;

    /// Who is there after pairs of players with tables of so many megabytes.
    fn present(tables: &[usize], pairs: &[[usize; 2]]) -> Vec<usize> {
        let player = |&hash: &usize| {
            let words = ["embedded".to_owned()];
            let player = Contestant::parse(&words, MoveLimits::nodes(1), Some(hash));
            player.expect("words").load().expect("built in")
        };
        let loaded: Vec<Loaded> = tables.iter().map(player).collect();
        let mut cast = Cast::new(&loaded);
        for &pair in pairs {
            cast.meet(pair);
        }
        (0..tables.len()).filter(|&player| cast.seats[player].is_some()).collect()
    }

    #[test]
    fn players_with_large_tables_leave_when_others_play() {
        let round_robin = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
        assert_eq!(present(&[65; 4], &round_robin), [2, 3]);
        assert_eq!(present(&[4; 4], &round_robin), [0, 1, 2, 3]);
        // Players of the last games stay, as far as there is room: 1 and 0, in this order.
        assert_eq!(present(&[40, 40, 1, 1], &[[0, 2], [1, 2], [2, 3]]), [1, 2, 3]);
        assert_eq!(present(&[40, 24, 1, 1], &[[0, 2], [1, 2], [2, 3]]), [0, 1, 2, 3]);
    }
}
