//! Counts of a test's page besides those of all pages.

use std::collections::BTreeMap;

use chess::Color;
use matches::game::{PairRecord, outcome_for};
use matches::player::Identity;
use matches::sequential_test::Progress;
use statistics::{ColorCounts, PairCounts};

use super::path::RatioPath;
use crate::html::games_tally::{GamesTally, Outcomes, class_of};
use crate::html::viewer::{KeptGame, OpeningShelf};

/// Everything counted so far.
#[derive(Clone, Debug)]
pub struct TestTally {
    /// Pairs by outcome.
    pub counts: PairCounts,
    /// Pairs by White's outcomes.
    pub colors: ColorCounts,
    /// The candidate's games with White, and with Black.
    pub candidate: [Outcomes; 2],
    /// The course of the test.
    pub path: RatioPath,
    /// Games, from the candidate's view.
    pub games: GamesTally,
    /// Pairs by opening.
    pub openings: BTreeMap<usize, OpeningTally>,
    /// Games of those that are farthest from even.
    pub opening_games: OpeningShelf,
    /// Games of the first pairs.
    pub first_games: Vec<KeptGame>,
}

/// The results of an opening. They are small, because a book may have millions of openings.
#[derive(Clone, Copy, Default, Debug)]
pub struct OpeningTally {
    /// Pairs that began with the opening.
    pub pairs: u32,
    /// The candidate's score in half points.
    pub half_points: u32,
    /// White's score in half points.
    pub white_half_points: u32,
}

impl OpeningTally {
    /// How far the candidate's points are from even, in whose favor by the sign: points above even
    /// over the root of the number of pairs, because what has been seen more often is surer.
    pub fn lean(&self) -> f64 {
        let pairs = f64::from(self.pairs);
        (f64::from(self.half_points) / 2.0 - pairs) / pairs.sqrt()
    }
}

impl TestTally {
    /// First pairs whose games are kept, whatever came of them.
    const FIRST_PAIRS: usize = 10;

    /// Nothing counted yet.
    pub fn new(players: &[Identity]) -> TestTally {
        TestTally {
            counts: PairCounts::default(),
            colors: ColorCounts::default(),
            candidate: [[0; 3]; 2],
            path: RatioPath::new(),
            games: GamesTally::new(players),
            openings: BTreeMap::new(),
            opening_games: OpeningShelf::default(),
            first_games: Vec::new(),
        }
    }

    /// Counts a pair. `with_times` says whether the times of its moves are known.
    pub fn count(&mut self, progress: &Progress, pair: &PairRecord, with_times: bool) {
        let outcomes = pair.outcomes();
        self.counts.add(outcomes[0], outcomes[1]);
        self.colors.add(outcomes[0], outcomes[1]);
        self.path.push(progress.counts, progress.log_likelihood_ratio);
        self.games.count(pair, outcomes, with_times);
        let opening = self.openings.entry(pair.opening).or_default();
        opening.pairs += 1;
        for (index, (game, outcome)) in pair.games.iter().zip(outcomes).enumerate() {
            self.candidate[index][class_of(outcome)] += 1;
            opening.half_points += class_of(outcome) as u32;
            opening.white_half_points += class_of(outcome_for(game.result, Color::White)) as u32;
        }
        let lean = |opening| self.openings.get(&opening).map_or(0.0, OpeningTally::lean);
        self.opening_games.add(pair, with_times, lean);
        if self.first_games.len() < 2 * Self::FIRST_PAIRS {
            self.first_games.extend(KeptGame::both(pair, with_times));
        }
    }
}
