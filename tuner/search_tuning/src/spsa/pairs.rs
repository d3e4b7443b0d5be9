//! Pairs of a tuning as units of work: both players have numbers of their iteration.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use matches::game::PairRecord;
use matches::openings::Book;
use matches::player::Player;
use matches::playing::{Entrant, ScheduledPair, play_pair};
use matches::run::PlayRules;
use matches::run::journal::{line_of_pair, pair_of_line};
use serde::{Deserialize, Serialize};
use tunables::TunedEngine;
use work::{Card, Failure, Unit, UnitKind};

use super::path::Trial;

/// A pair of the schedule with the numbers of both players.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TrialPair {
    pub pair: ScheduledPair,
    pub trial: Arc<Trial>,
}

/// A finished pair with its line of the journal.
pub struct Written {
    pub pair: Box<PairRecord>,
    pub line: String,
}

/// All that threads need to play pairs.
pub struct TrialPairs {
    pub card: Card,
    pub subject: TunedEngine,
    pub book: Arc<Book>,
    pub rules: PlayRules,
}

impl UnitKind for TrialPairs {
    type Order = TrialPair;
    type Answer = Written;

    fn card(&self) -> Card {
        self.card.clone()
    }

    /// Players live as long as the iteration that they belong to.
    fn worker(
        &self,
        _: usize,
    ) -> impl FnMut(&Unit<TrialPair>, &AtomicBool) -> Result<Written, Failure> {
        let referee = self.rules.game.into();
        let limits = self.subject.base().limits;
        let mut players: Option<(u64, [Box<dyn Player>; 2])> = None;
        move |unit, cancel| {
            let TrialPair { pair, trial } = &unit.order;
            let (_, [plus, minus]) = match players.take() {
                Some(made) if made.0 == trial.iteration => players.insert(made),
                // Players of another iteration end before others start.
                other => {
                    drop(other);
                    let made = [&trial.plus, &trial.minus].map(|it| self.subject.player(it));
                    players.insert((trial.iteration, made))
                }
            };
            let opponents =
                [plus, minus].map(|it| Entrant { player: it.as_mut(), limits: &limits });
            let opening = self.book.opening(pair.opening).expect("a scheduled opening exists");
            let seed = self.rules.seed;
            let pair = play_pair(*pair, &opening.position, opponents, &referee, seed, cancel)?;
            Ok(Written { line: line_of_pair(&pair, limits.is_timed()), pair })
        }
    }

    fn write_answer(&self, answer: &Written) -> Vec<u8> {
        answer.line.clone().into_bytes()
    }

    fn read_answer(&self, unit: &Unit<TrialPair>, bytes: &[u8]) -> Result<Written, String> {
        let pair = pair_of_line(bytes, unit.order.pair, &self.book)?;
        Ok(Written { pair: Box::new(pair), line: String::from_utf8_lossy(bytes).into_owned() })
    }
}
