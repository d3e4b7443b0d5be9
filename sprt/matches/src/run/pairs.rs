//! Pairs as units of work: how a thread plays one and writes it down.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::json;
use work::{Card, Failure, Unit, UnitKind};

use super::folder::{Header, JournalContestant};
use super::journal;
use super::workers::{IDLE_MEGABYTES, Workers};
use super::{Kind, PlayRules};
use crate::game::PairRecord;
use crate::openings::Book;
use crate::pgn::PgnTags;
use crate::player::{Loaded, Player, Source};
use crate::playing::{Entrant, Referee, ScheduledPair, play_pair};

/// A finished pair, with what is written of it.
pub(super) struct Written {
    pub pair: Box<PairRecord>,
    pub journal_line: String,
    pub games: String,
}

/// All that threads need to play the pairs of a run and to write them down.
pub(super) struct Pairs {
    pub card: Card,
    pub players: Vec<Loaded>,
    pub openings: Arc<Book>,
    pub tags: PgnTags,
    pub seed: u64,
    pub referee: Referee,
    pub workers: Workers,
}

impl Pairs {
    fn written(&self, pair: Box<PairRecord>) -> Written {
        let opening = self.openings.opening(pair.opening);
        let name = opening.and_then(|opening| opening.name);
        Written {
            journal_line: journal::line_of_pair(&pair, self.tags.with_times()),
            games: self.tags.pair(&pair, name.as_deref()),
            pair,
        }
    }
}

/// The card of a run's pairs: who plays by which rules, from which openings.
pub(super) fn card<R>(header: &Header<R>, kind: Kind, rules: &PlayRules) -> Card {
    let player = |entry: &JournalContestant| {
        let (options, arguments) = match &entry.contestant.source {
            Source::Uci(engine) => (Some(&engine.options), Some(&engine.arguments)),
            Source::Parameters { .. } | Source::Random => (None, None),
        };
        json!({
            "fingerprint": entry.identity.fingerprint,
            "engine": entry.engine,
            "limits": entry.contestant.limits,
            "hash": entry.contestant.hash,
            "options": options,
            "arguments": arguments,
        })
    };
    let players: Vec<_> = header.players.iter().map(player).collect();
    let tables = header.tables.as_ref().map(|tables| tables.fingerprint());
    let content = json!({
        "players": players, "openings": header.openings, "tables": tables, "rules": rules,
    });
    Card::new(&format!("pairs of a {kind}"), &content)
}

impl UnitKind for Pairs {
    type Order = ScheduledPair;
    type Answer = Written;

    fn card(&self) -> Card {
        self.card.clone()
    }

    fn worker(
        &self,
        index: usize,
    ) -> impl FnMut(&Unit<ScheduledPair>, &AtomicBool) -> Result<Written, Failure> {
        self.workers.take_place(index);
        let mut cast = Cast::new(&self.players);
        move |unit, cancel| {
            let slot = unit.order;
            let [first, second] = slot.players;
            let [one, other] = cast.meet(slot.players);
            let opponents = [
                Entrant { player: one, limits: &self.tags.limits[first] },
                Entrant { player: other, limits: &self.tags.limits[second] },
            ];
            let opening = self.openings.opening(slot.opening);
            let opening = opening.expect("a scheduled opening exists");
            let pair =
                play_pair(slot, &opening.position, opponents, &self.referee, self.seed, cancel)?;
            Ok(self.written(pair))
        }
    }

    fn write_answer(&self, answer: &Written) -> Vec<u8> {
        answer.journal_line.clone().into_bytes()
    }

    fn read_answer(&self, unit: &Unit<ScheduledPair>, bytes: &[u8]) -> Result<Written, String> {
        let pair = journal::pair_of_line(bytes, unit.order, &self.openings)?;
        Ok(self.written(Box::new(pair)))
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
            player.expect("words").load(chess::GAME).expect("built in")
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
