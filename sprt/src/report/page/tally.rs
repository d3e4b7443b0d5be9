//! What a page shows, counted pair by pair: the cost of a pair does not grow with the run.

use std::collections::BTreeMap;

use engine::chess::Color;

use super::path::Path;
use crate::audit::AuditTally;
use crate::contestant::Identity;
use crate::faults::PlayerFaults;
use crate::game::{GameRecord, Termination};
use crate::pair::PairRecord;
use crate::statistics::{ColorCounts, GameOutcome, PairCounts};
use crate::test::Progress;

/// Games by outcome for the candidate: lost, drawn, won.
pub type Outcomes = [u64; 3];

/// Everything counted so far.
#[derive(Clone, Debug)]
pub struct Tally {
    /// Pairs by outcome.
    pub counts: PairCounts,
    /// Pairs by White's outcomes.
    pub colors: ColorCounts,
    /// The candidate's games with White, and with Black.
    pub candidate: [Outcomes; 2],
    /// The course of the test.
    pub path: Path,
    /// Games by how they ended.
    pub terminations: BTreeMap<Termination, Outcomes>,
    /// How often adjudication was wrong.
    pub audit: AuditTally,
    /// Games by length, in steps of [`Tally::LENGTH_STEP`] moves.
    pub lengths: Vec<Outcomes>,
    /// Work by number of the move: candidate, baseline.
    pub work: [Vec<Work>; 2],
    /// Pairs by opening.
    pub openings: BTreeMap<usize, OpeningTally>,
    /// What the players did wrong.
    pub faults: Vec<PlayerFaults>,
    /// Pairs that were replayed, and why: the first few.
    pub replays: Vec<String>,
    /// How often pairs were replayed.
    pub replayed: u64,
    /// Plies of all games.
    pub plies: u64,
}

/// What a player put into its moves of one number.
#[derive(Clone, Copy, Default, Debug)]
pub struct Work {
    /// Moves.
    pub moves: u64,
    /// Plies of depth.
    pub depth: u64,
    /// Nodes.
    pub nodes: u64,
    /// Moves whose time is known.
    pub timed_moves: u64,
    /// Their time (microseconds).
    pub time: u64,
    /// Their nodes.
    pub timed_nodes: u64,
}

impl Work {
    /// Adds other moves.
    pub fn add(&mut self, other: &Work) {
        self.moves += other.moves;
        self.depth += other.depth;
        self.nodes += other.nodes;
        self.timed_moves += other.timed_moves;
        self.time += other.time;
        self.timed_nodes += other.timed_nodes;
    }
}

/// What became of an opening. It is small, because a book may have millions of them.
#[derive(Clone, Copy, Default, Debug)]
pub struct OpeningTally {
    /// Pairs.
    pub pairs: u32,
    /// The candidate's score in half points.
    pub half_points: u32,
    /// White's score in half points.
    pub white_half_points: u32,
}

impl Tally {
    /// Moves that share a column of the lengths.
    pub const LENGTH_STEP: usize = 10;
    /// Moves told apart; later ones are left out.
    const MOST_MOVES: usize = 100;
    /// Reasons for replays that are kept.
    const MOST_REASONS: usize = 5;

    /// Nothing counted yet.
    pub fn new(players: &[Identity]) -> Tally {
        Tally {
            counts: PairCounts::default(),
            colors: ColorCounts::default(),
            candidate: [[0; 3]; 2],
            path: Path::new(),
            terminations: BTreeMap::new(),
            audit: AuditTally::default(),
            lengths: Vec::new(),
            work: Default::default(),
            openings: BTreeMap::new(),
            faults: players.iter().map(|it| PlayerFaults::new(it.name.clone())).collect(),
            replays: Vec::new(),
            replayed: 0,
            plies: 0,
        }
    }

    /// Counts a pair. `with_times` says whether the times of its moves are known.
    pub fn count(&mut self, progress: &Progress, pair: &PairRecord, with_times: bool) {
        let outcomes = pair.outcomes();
        self.counts.add(outcomes[0], outcomes[1]);
        self.colors.add(outcomes[0], outcomes[1]);
        self.audit.count(pair);
        self.path.push(progress.counts, progress.log_likelihood_ratio);
        let mut white = 0;
        for (index, (game, outcome)) in pair.games.iter().zip(outcomes).enumerate() {
            let class = class_of(outcome);
            self.candidate[index][class] += 1;
            self.terminations.entry(game.termination).or_default()[class] += 1;
            let length = game.plies.len().div_ceil(2) / Self::LENGTH_STEP;
            if self.lengths.len() <= length {
                self.lengths.resize(length + 1, [0; 3]);
            }
            self.lengths[length][class] += 1;
            self.plies += game.plies.len() as u64;
            white += class_of(game.result.outcome_for(Color::White)) as u32;
            self.count_work(PairRecord::FIRST[index], game, with_times);
        }
        let opening = self.openings.entry(pair.opening).or_default();
        opening.pairs += 1;
        opening.half_points += outcomes.map(|outcome| class_of(outcome) as u32).iter().sum::<u32>();
        opening.white_half_points += white;
        for (player, faults) in self.faults.iter_mut().enumerate() {
            faults.count(player, pair);
        }
        self.replayed += pair.replays.len() as u64;
        let free = Self::MOST_REASONS - self.replays.len();
        let reasons = pair.replays.iter().take(free);
        self.replays.extend(reasons.map(|why| format!("pair {}, {why}", pair.number + 1)));
    }

    fn count_work(&mut self, candidate: Color, game: &GameRecord, with_times: bool) {
        let first = usize::from(game.start.side_to_move() != candidate);
        for (ply, record) in game.plies.iter().take(2 * Self::MOST_MOVES).enumerate() {
            let player = (first + ply) % 2;
            let work = &mut self.work[player];
            let index = ply / 2;
            if work.len() <= index {
                work.resize(index + 1, Work::default());
            }
            let work = &mut work[index];
            work.moves += 1;
            work.depth += u64::from(record.depth);
            work.nodes += record.nodes;
            if with_times {
                work.timed_moves += 1;
                work.time += u64::from(record.time);
                work.timed_nodes += record.nodes;
            }
        }
    }

    /// All moves of a player (0 the candidate, 1 the baseline) together.
    pub fn total_work(&self, player: usize) -> Work {
        let mut total = Work::default();
        for work in &self.work[player] {
            total.add(work);
        }
        total
    }
}

/// The index of an outcome: lost, drawn, won. It is the score in half points, too.
fn class_of(outcome: GameOutcome) -> usize {
    match outcome {
        GameOutcome::Loss => 0,
        GameOutcome::Draw => 1,
        GameOutcome::Win => 2,
    }
}
