//! Counts of games for all pages, pair by pair: a pair's cost does not grow with the run.

use std::collections::BTreeMap;

use matches::game::{PairRecord, Termination, outcome_for};
use matches::player::Identity;
use matches::playing::AuditTally;
use matches::run::PlayerFaults;
use statistics::GameOutcome;

use super::viewer::FaultShelf;

/// Games by outcome: lost, drawn, won.
pub type Outcomes = [u64; 3];

/// Games as all runs count them.
#[derive(Clone, Debug)]
pub struct GamesTally {
    /// Games by how they ended.
    pub terminations: BTreeMap<Termination, Outcomes>,
    /// How often adjudication was wrong.
    pub audit: AuditTally,
    /// Each player's games with White, and with Black, from its own view.
    pub by_color: Vec<[Outcomes; 2]>,
    /// Games by length, in steps of [`GamesTally::LENGTH_STEP`] moves.
    pub lengths: Vec<Outcomes>,
    /// Work of each player.
    pub work: Vec<PlayerWork>,
    /// Faults of each player.
    pub faults: Vec<PlayerFaults>,
    /// Games with faults.
    pub shelf: FaultShelf,
    /// Pairs that were replayed, and why: the first few.
    pub replays: Vec<String>,
    /// How often pairs were replayed.
    pub replayed: u64,
    /// Plies of all games.
    pub plies: u64,
}

/// A player's work for its moves.
#[derive(Clone, Default, Debug)]
pub struct PlayerWork {
    /// Work for all its moves.
    pub total: Work,
    /// Work for the moves of one number after the opening, as far as moves are told apart.
    pub by_move: Vec<Work>,
}

/// Work for some moves.
#[derive(Clone, Copy, Default, Debug)]
pub struct Work {
    /// Number of its moves.
    pub moves: u64,
    /// Sum of the depths (plies).
    pub depth: u64,
    /// Nodes of all its searches.
    pub nodes: u64,
    /// Moves whose time is known.
    pub timed_moves: u64,
    /// Their time (microseconds).
    pub time: u64,
    /// Nodes of the moves whose time is known.
    pub timed_nodes: u64,
}

impl Work {
    fn add(&mut self, other: &Work) {
        self.moves += other.moves;
        self.depth += other.depth;
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.timed_moves += other.timed_moves;
        self.time += other.time;
        self.timed_nodes = self.timed_nodes.saturating_add(other.timed_nodes);
    }
}

impl GamesTally {
    /// Moves that share a column of the lengths.
    pub const LENGTH_STEP: usize = 10;
    /// Moves told apart in [`PlayerWork::by_move`].
    const MOST_MOVES: usize = 100;
    /// Reasons for replays that are kept.
    const MOST_REASONS: usize = 5;

    /// Counts without a game.
    pub fn new(players: &[Identity]) -> GamesTally {
        GamesTally {
            terminations: BTreeMap::new(),
            audit: AuditTally::default(),
            by_color: vec![Default::default(); players.len()],
            lengths: Vec::new(),
            work: vec![PlayerWork::default(); players.len()],
            faults: players.iter().map(|it| PlayerFaults::new(it.name.clone())).collect(),
            shelf: FaultShelf::default(),
            replays: Vec::new(),
            replayed: 0,
            plies: 0,
        }
    }

    /// Counts a pair; `outcomes` are those of its games from the page's view. `with_times` says
    /// whether the times of its moves are known.
    pub fn count(&mut self, pair: &PairRecord, outcomes: [GameOutcome; 2], with_times: bool) {
        self.audit.count(pair);
        for (game, outcome) in pair.games.iter().zip(outcomes) {
            let class = class_of(outcome);
            self.terminations.entry(game.termination).or_default()[class] += 1;
            let length = game.plies.len().div_ceil(2) / Self::LENGTH_STEP;
            if self.lengths.len() <= length {
                self.lengths.resize(length + 1, [0; 3]);
            }
            self.lengths[length][class] += 1;
            self.plies += game.plies.len() as u64;
        }
        self.count_players(pair, with_times);
        let told =
            |faults: &[PlayerFaults]| faults.iter().map(|it| it.examples.len()).sum::<usize>();
        let told_before = told(&self.faults);
        for (player, faults) in self.faults.iter_mut().enumerate() {
            faults.count(player, pair);
        }
        self.shelf.add(pair, with_times, told(&self.faults) > told_before);
        self.replayed += pair.replays.len() as u64;
        let free = Self::MOST_REASONS - self.replays.len();
        let reasons = pair.replays.iter().take(free);
        self.replays.extend(reasons.map(|why| format!("pair {}, {why}", pair.number + 1)));
    }

    fn count_players(&mut self, pair: &PairRecord, with_times: bool) {
        let [one, other] = pair.players;
        for (game, color) in pair.games.iter().zip(PairRecord::FIRST) {
            for (player, color) in [(one, color), (other, !color)] {
                let class = class_of(outcome_for(game.result, color));
                self.by_color[player][color.index()][class] += 1;
            }
            let begins = game.start.side_to_move() == color;
            let players = if begins { [one, other] } else { [other, one] };
            for (ply, record) in game.plies.iter().enumerate() {
                let mut work = Work {
                    moves: 1,
                    depth: u64::from(record.depth),
                    nodes: record.nodes,
                    ..Work::default()
                };
                if with_times {
                    work.timed_moves = 1;
                    work.time = u64::from(record.time);
                    work.timed_nodes = record.nodes;
                }
                let PlayerWork { total, by_move } = &mut self.work[players[ply % 2]];
                total.add(&work);
                let number = ply / 2;
                if number < Self::MOST_MOVES {
                    if by_move.len() <= number {
                        by_move.resize(number + 1, Work::default());
                    }
                    by_move[number].add(&work);
                }
            }
        }
    }

    /// All games by outcome.
    pub fn outcomes(&self) -> Outcomes {
        let mut sum = [0; 3];
        for outcomes in self.terminations.values() {
            for (sum, games) in sum.iter_mut().zip(outcomes) {
                *sum += games;
            }
        }
        sum
    }

    /// How many games were counted.
    pub fn games(&self) -> u64 {
        self.outcomes().iter().sum()
    }

    /// True if the time of any move is known.
    pub fn is_timed(&self) -> bool {
        self.work.iter().any(|work| work.total.timed_moves > 0)
    }
}

/// The index of an outcome: lost, drawn, won. It is the score in half points, too.
pub fn class_of(outcome: GameOutcome) -> usize {
    match outcome {
        GameOutcome::Loss => 0,
        GameOutcome::Draw => 1,
        GameOutcome::Win => 2,
    }
}
