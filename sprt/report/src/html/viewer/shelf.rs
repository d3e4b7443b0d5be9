//! The games that a page keeps while it counts: as few as a rule allows, however long the run is.

use std::collections::BTreeMap;

use matches::game::{GameRecord, PairRecord};

/// A game that can be looked at.
#[derive(Clone, Debug)]
pub struct KeptGame {
    /// Number of its pair, from 0.
    pub pair: u64,
    /// The game's index within the pair: 0 or 1.
    pub index: usize,
    /// Index of its opening, from 0.
    pub opening: usize,
    /// Indices of the players: White, Black.
    pub players: [usize; 2],
    /// The game with its moves and faults.
    pub record: GameRecord,
    /// Whether the times of its moves are known.
    pub with_times: bool,
}

impl KeptGame {
    /// A copy of one game of a pair.
    pub fn of(pair: &PairRecord, index: usize, with_times: bool) -> KeptGame {
        let [first, second] = pair.players;
        KeptGame {
            pair: pair.number,
            index,
            opening: pair.opening,
            players: if index == 0 { [first, second] } else { [second, first] },
            record: pair.games[index].clone(),
            with_times,
        }
    }

    /// Both games of a pair.
    pub fn both(pair: &PairRecord, with_times: bool) -> [KeptGame; 2] {
        [0, 1].map(|index| KeptGame::of(pair, index, with_times))
    }

    /// Pair and game from 1, as lists of faults name them.
    pub fn place(&self) -> String {
        format!("pair {}, game {}", self.pair + 1, self.index + 1)
    }
}

/// Games in which something went wrong.
#[derive(Clone, Default, Debug)]
pub struct FaultShelf {
    /// Games with faults, in their order: the first [`FaultShelf::MOST`].
    pub faulty: Vec<KeptGame>,
    /// Faulty games that found no room.
    pub left_out: u64,
    /// Games with the warnings that are told.
    pub odd: Vec<KeptGame>,
}

impl FaultShelf {
    /// Games with faults that are kept.
    pub const MOST: usize = 100;

    /// Takes in the games of a pair with faults, and those with warnings if any of them `is_told`.
    pub fn add(&mut self, pair: &PairRecord, with_times: bool, is_told: bool) {
        for (index, game) in pair.games.iter().enumerate() {
            if !game.faults.is_empty() {
                if self.faulty.len() < Self::MOST {
                    self.faulty.push(KeptGame::of(pair, index, with_times));
                } else {
                    self.left_out += 1;
                }
            } else if is_told && !game.warnings.is_empty() {
                self.odd.push(KeptGame::of(pair, index, with_times));
            }
        }
    }
}

/// Games of the openings that are farthest from even.
#[derive(Clone, Default, Debug)]
pub struct OpeningShelf {
    openings: BTreeMap<usize, Vec<KeptGame>>,
}

impl OpeningShelf {
    /// Openings that are kept at either end: more than are shown, because those that are played
    /// again may change places.
    const MOST: usize = 12;
    /// Pairs of an opening that are kept, the first since it has had a place here.
    const MOST_PAIRS: usize = 5;

    /// Takes in a pair; `lean` says how far an opening is from even, in whose favor by its sign. Of
    /// openings that lean alike those with lower numbers are the better ones.
    pub fn add(&mut self, pair: &PairRecord, with_times: bool, lean: impl Fn(usize) -> f64) {
        let games = self.openings.entry(pair.opening).or_default();
        if games.len() < 2 * Self::MOST_PAIRS {
            games.extend(KeptGame::both(pair, with_times));
        }
        if self.openings.len() > 2 * Self::MOST {
            let mut order: Vec<(f64, usize)> =
                self.openings.keys().map(|&opening| (lean(opening), opening)).collect();
            order.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
            self.openings.remove(&order[Self::MOST].1);
        }
    }

    /// The games of an opening that are kept.
    pub fn games(&self, opening: usize) -> &[KeptGame] {
        self.openings.get(&opening).map_or(&[], Vec::as_slice)
    }
}

/// Games of each two players.
#[derive(Clone, Debug)]
pub struct PairingShelf {
    /// Games of two players, by their indices, the lower one first.
    pairings: BTreeMap<[usize; 2], Vec<KeptGame>>,
    /// Pairs of each two players that are kept.
    pub pairs_each: usize,
    kept: usize,
}

impl PairingShelf {
    /// Pairs of all players that are kept.
    pub const MOST: usize = 200;
    /// Pairs of two players that are kept at most.
    const MOST_EACH: usize = 5;

    /// Room for the games of so many pairings.
    pub fn new(pairings: usize) -> PairingShelf {
        let pairs_each = (Self::MOST / pairings.max(1)).clamp(1, Self::MOST_EACH);
        PairingShelf { pairings: BTreeMap::new(), pairs_each, kept: 0 }
    }

    /// Takes in a pair, if there is room.
    pub fn add(&mut self, pair: &PairRecord, with_times: bool) {
        if self.kept >= Self::MOST {
            return;
        }
        let [one, other] = pair.players;
        let games = self.pairings.entry([one.min(other), one.max(other)]).or_default();
        if games.len() < 2 * self.pairs_each {
            games.extend(KeptGame::both(pair, with_times));
            self.kept += 1;
        }
    }

    /// The games of two players that are kept.
    pub fn games(&self, one: usize, other: usize) -> &[KeptGame] {
        self.pairings.get(&[one.min(other), one.max(other)]).map_or(&[], Vec::as_slice)
    }

    /// The pairings of which games are kept.
    pub fn pairings(&self) -> impl Iterator<Item = ([usize; 2], &[KeptGame])> {
        self.pairings.iter().map(|(players, games)| (*players, games.as_slice()))
    }
}
