//! A tournament of several contestants: round robin or gauntlet, in pairs with colors reversed.
//!
//! A round is one opening, played by every pairing, so that nobody gets easier openings than others.
//! Journal, resumption and all else that keeps a run repeatable are those of a test: see
//! [`crate::run`].
//!
//! A player that fails too often is withdrawn, and the journal has gaps there.

mod rules;
mod summary;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use playable::Color;
use statistics::Crosstable;

use crate::game::{FaultKind, PairRecord};
use crate::player::{Contestant, Identity};
use crate::run::{
    self, Competition, Kind, Observer, PlayRules, RunError, RunPlan, RunTally, Workers,
};

pub use rules::{Format, Rules};
pub use summary::{Summary, Withdrawal};

/// The players, files and rules of a tournament.
#[derive(Clone, PartialEq, Debug)]
pub struct TournamentSettings {
    /// Who plays; in a gauntlet those first that play all others.
    pub players: Vec<Contestant>,
    /// Opening file, or [`system::files::EMBEDDED`].
    pub openings: PathBuf,
    /// Folders of endgame tables; none if no game ends by them.
    pub syzygy: Vec<PathBuf>,
    /// Settings that decide the course besides the files.
    pub rules: Rules,
}

/// How far a tournament is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Pairs played so far, those in the journal at the start included.
    pub pairs: u64,
    /// Pairs of the whole tournament, without those that are left out so far.
    pub pairs_in_all: u64,
    /// Pairs that were in the journal when this process began.
    pub resumed_pairs: u64,
    /// Results so far, by pairs of players; no copy, because it grows with their square.
    pub crosstable: Arc<Crosstable>,
    /// Who was withdrawn, in the order in which that happened.
    pub withdrawn: Vec<Withdrawal>,
    /// The rules of the tournament.
    pub rules: Rules,
}

/// A tournament under way: its rules, players and results.
#[derive(Clone, PartialEq, Debug)]
pub struct Tournament {
    rules: Rules,
    pairings: Vec<[usize; 2]>,
    crosstable: Arc<Crosstable>,
    /// Names of the players, each with its faults and games.
    players: Vec<(String, u64, u64)>,
    withdrawn: Vec<Withdrawal>,
}

impl Competition for Tournament {
    type Rules = Rules;
    type Progress = Progress;
    type Summary = Summary;

    const KIND: Kind = Kind::Tournament;

    fn new(rules: &Rules, players: &[Identity]) -> Result<Tournament, RunError> {
        let pairings = rules.format.pairings(players.len());
        if pairings.is_empty() {
            let reason = match rules.format {
                Format::RoundRobin => "a round robin needs two players".to_owned(),
                Format::Gauntlet { seeds } => {
                    let players = players.len();
                    format!("a gauntlet of {seeds} among {players} players has no games")
                }
            };
            return Err(RunError::Rules(reason));
        }
        if rules.rounds.checked_mul(pairings.len() as u64).is_none() {
            return Err(RunError::Rules(format!("{} rounds are too many", rules.rounds)));
        }
        let crosstable = Crosstable::new(players.iter().map(|it| it.name.clone()).collect());
        // Anchors that make no sense are known before the first game.
        crosstable.rate(&rules.rating()).map_err(|error| RunError::Rules(error.to_string()))?;
        let players = players.iter().map(|it| (it.name.clone(), 0, 0)).collect();
        let withdrawn = Vec::new();
        let (rules, crosstable) = (rules.clone(), Arc::new(crosstable));
        Ok(Tournament { rules, pairings, crosstable, players, withdrawn })
    }

    fn role(index: usize) -> String {
        format!("player-{}", index + 1)
    }

    fn play_rules(&self) -> &PlayRules {
        &self.rules.play
    }

    fn play_rules_of(rules: &mut Rules) -> &mut PlayRules {
        &mut rules.play
    }

    fn pairings(&self) -> Vec<[usize; 2]> {
        self.pairings.clone()
    }

    fn pairs(&self) -> u64 {
        self.rules.rounds * self.pairings.len() as u64
    }

    fn count(&mut self, pair: &PairRecord) {
        let [first, second] = pair.players;
        Arc::make_mut(&mut self.crosstable).add_pair(first, second, pair.outcomes());
        for (game, white) in pair.games.iter().zip([first, second]) {
            for (color, fault) in &game.faults {
                let is_white = *color == Color::White;
                let player = if is_white { white } else { first + second - white };
                self.players[player].1 += u64::from(fault.kind != FaultKind::TimeLoss);
            }
        }
        for player in pair.players {
            let (name, faults, games) = &mut self.players[player];
            *games += 2;
            if let Some(cap) = self.rules.withdrawal
                && cap.is_exceeded(*faults, *games)
            {
                let (player, pair) = (name.clone(), pair.number + 1);
                let (faults, games) = (*faults, *games);
                self.withdrawn.push(Withdrawal { player, pair, faults, games });
            }
        }
    }

    fn is_withdrawn(&self, player: usize) -> bool {
        let (name, ..) = &self.players[player];
        self.withdrawn.iter().any(|it| it.player == *name)
    }

    fn is_decided(&self) -> bool {
        false
    }

    fn has_verdict(&self) -> bool {
        false
    }

    fn progress(&self, tally: &RunTally, resumed_pairs: u64) -> Progress {
        Progress {
            pairs: tally.pairs,
            pairs_in_all: self.pairs() - tally.left_out - tally.copies,
            resumed_pairs,
            crosstable: self.crosstable.clone(),
            withdrawn: self.withdrawn.clone(),
            rules: self.rules.clone(),
        }
    }

    fn summary(
        &self,
        contestants: Vec<Contestant>,
        players: Vec<Identity>,
        tally: RunTally,
    ) -> Summary {
        let rules = self.rules.clone();
        let withdrawn = self.withdrawn.clone();
        Summary::new(rules, contestants, players, &self.crosstable, withdrawn, tally)
    }
}

/// Plays a tournament in a new folder: see [`run::begin`].
///
/// # Errors
/// See [`RunError`]; the folder must not hold a run already.
pub fn run(
    settings: &TournamentSettings,
    workers: impl Into<Workers>,
    folder: &Path,
    observer: &dyn Observer<Tournament>,
) -> Result<Summary, RunError> {
    let plan = RunPlan {
        contestants: settings.players.clone(),
        openings: settings.openings.clone(),
        syzygy: settings.syzygy.clone(),
        rules: settings.rules.clone(),
    };
    run::begin(&plan, &workers.into(), folder, observer)
}

/// Reads the journal of a tournament and changes nothing: see [`run::review`].
///
/// # Errors
/// See [`RunError`].
pub fn review(folder: &Path, observer: &dyn Observer<Tournament>) -> Result<Summary, RunError> {
    run::review(folder, observer)
}

/// Goes on with a tournament, or reports one that is finished.
///
/// # Errors
/// See [`RunError`].
pub fn resume(
    folder: &Path,
    workers: impl Into<Workers>,
    observer: &dyn Observer<Tournament>,
) -> Result<Summary, RunError> {
    run::resume(folder, &workers.into(), observer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairings_of_each_format() {
        let round_robin = Format::RoundRobin.pairings(4);
        assert_eq!(round_robin, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(Format::Gauntlet { seeds: 1 }.pairings(3), [[0, 1], [0, 2]]);
        let two = Format::Gauntlet { seeds: 2 }.pairings(4);
        assert_eq!(two, [[0, 2], [0, 3], [1, 2], [1, 3]]);
        assert!(Format::Gauntlet { seeds: 3 }.pairings(3).is_empty());
        assert!(Format::RoundRobin.pairings(1).is_empty());
    }
}
