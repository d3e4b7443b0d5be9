//! The purpose of a run, a test or a tournament, as those see it that play its games.

use std::fmt::Display;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Kind, PlayRules, RunError, RunTally};
use crate::game::PairRecord;
use crate::player::{Contestant, Identity};

/// A kind of run: who plays whom, when it is over, and its result.
///
/// All of it is a function of the rules and of the pairs counted so far, in schedule order; that is
/// why a run ends the same however often it was killed.
pub trait Competition: Sized {
    /// Settings that decide the course besides the contestants and the openings.
    type Rules: Clone + Serialize + DeserializeOwned;
    /// How far it is, as observers are told.
    type Progress;
    /// The result that `result.json` holds.
    type Summary: Serialize + DeserializeOwned + Display;

    /// Its name in the journal.
    const KIND: Kind;

    /// The competition before its first pair.
    ///
    /// # Errors
    /// The rules make no sense for these players.
    fn new(rules: &Self::Rules, players: &[Identity]) -> Result<Self, RunError>;

    /// A word that tells the player of this index from another of the same name.
    fn role(index: usize) -> String;

    /// How its games are played.
    fn play_rules(&self) -> &PlayRules;

    /// The same of its rules.
    fn play_rules_of(rules: &mut Self::Rules) -> &mut PlayRules;

    /// Who plays whom from every opening, one pairing after the other.
    fn pairings(&self) -> Vec<[usize; 2]>;

    /// Pairs after which it ends at the latest.
    fn pairs(&self) -> u64;

    /// Warnings on the rules, for before the first game.
    fn forewarnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// Takes in one more pair.
    fn count(&mut self, pair: &PairRecord);

    /// True if a player takes no further part, by what was counted so far: its pairs are left out.
    fn is_withdrawn(&self, _player: usize) -> bool {
        false
    }

    /// True if it is over, however many pairs are left.
    fn is_decided(&self) -> bool;

    /// True if it ends with a verdict where it is now.
    fn has_verdict(&self) -> bool;

    /// How far it is; `resumed_pairs` were in the journal when this process began.
    fn progress(&self, tally: &RunTally, resumed_pairs: u64) -> Self::Progress;

    /// The result of the run, from all that was counted.
    fn summary(
        &self,
        contestants: Vec<Contestant>,
        players: Vec<Identity>,
        tally: RunTally,
    ) -> Self::Summary;
}
