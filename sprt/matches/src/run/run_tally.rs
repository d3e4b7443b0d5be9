//! Counts of every run, whatever it is to decide.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{PlayRules, PlayerFaults, RunError};
use crate::game::{PairRecord, Termination};
use crate::player::Identity;
use crate::playing::AuditTally;
use crate::schema::by_name;

/// What is counted in every run, whatever it is to decide.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct RunTally {
    /// Pairs that are counted.
    pub pairs: u64,
    /// Pairs that equal an earlier one move for move, under limits of nodes or depth: played, but not
    /// counted.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub copies: u64,
    /// True if the run ended because no opening gave a pair that was new.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_exhausted: bool,
    /// Pairs that were not played because a player was withdrawn.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: u64,
    /// Games by how they ended.
    #[schemars(schema_with = "by_name::<Termination, u64>")]
    pub terminations: BTreeMap<Termination, u64>,
    /// Plies of all games.
    pub plies: u64,
    /// Nodes of all games.
    pub nodes: u64,
    /// How often adjudication was wrong, from games that were played on.
    #[serde(default, skip_serializing_if = "AuditTally::is_empty")]
    pub audit: AuditTally,
    /// What the players did wrong, in the order of the contestants.
    pub faults: Vec<PlayerFaults>,
    /// Times a pair was replayed because the machine kept players waiting.
    pub replays: u64,
    /// True if openings were played more than once.
    pub openings_repeated: bool,
    /// Why the run failed, if what the players did wrong ended it; there is no verdict then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The last of what players did wrong, with who it was.
fn last_fault<'a>(players: impl IntoIterator<Item = &'a PlayerFaults>) -> String {
    let last = players.into_iter().filter_map(PlayerFaults::last).max_by_key(|it| it.0);
    last.map_or_else(String::new, |(_, text)| text)
}

impl RunTally {
    /// The remark where openings were played more than once.
    pub const OPENINGS_REPEATED: &str =
        "more pairs than different openings: openings were played repeatedly";

    /// Counts of a run without pairs.
    pub fn new(identities: &[Identity]) -> RunTally {
        RunTally {
            pairs: 0,
            copies: 0,
            is_exhausted: false,
            left_out: 0,
            terminations: BTreeMap::new(),
            plies: 0,
            nodes: 0,
            audit: AuditTally::default(),
            faults: identities.iter().map(|it| PlayerFaults::new(it.name.clone())).collect(),
            replays: 0,
            openings_repeated: false,
            failure: None,
        }
    }

    /// Counts one more pair.
    pub fn count(&mut self, pair: &PairRecord) {
        self.pairs += 1;
        self.audit.count(pair);
        for game in &pair.games {
            *self.terminations.entry(game.termination).or_default() += 1;
            self.plies += game.plies.len() as u64;
            // Some engines claim more than there can be.
            self.nodes =
                game.plies.iter().fold(self.nodes, |sum, ply| sum.saturating_add(ply.nodes));
        }
        self.replays += pair.replays.len() as u64;
        for (index, faults) in self.faults.iter_mut().enumerate() {
            faults.count(index, pair);
        }
    }

    /// How many games were played.
    pub fn games(&self) -> u64 {
        self.terminations.values().sum()
    }

    /// Faults of all players, losses on time left out.
    fn defects(&self) -> u64 {
        self.faults.iter().map(PlayerFaults::defects).sum()
    }

    /// The number of the next pair in the schedule, from 0.
    pub fn next_pair(&self) -> u64 {
        self.pairs + self.copies + self.left_out
    }

    /// True if no pair is left to play of a run of so many, or none that would be new.
    pub fn is_at_end(&self, pairs: u64) -> bool {
        self.next_pair() >= pairs || self.is_exhausted
    }

    /// The remark on pairs that were not counted.
    pub fn copies_text(&self) -> Option<String> {
        let end = match self.is_exhausted {
            true => "; no opening gives a new pair, and the run ends: name a larger book",
            false => "",
        };
        let copies = match self.copies {
            0 => return None,
            1 => "1 pair equals".to_owned(),
            copies => format!("{copies} pairs equal"),
        };
        Some(format!("{copies} an earlier one move for move: not counted{end}"))
    }

    /// Fails when too many of the games that decide something were forfeited: they were not played.
    ///
    /// # Errors
    /// How many were forfeited, if they are too many.
    pub fn check_verdict(&self, rules: &PlayRules) -> Result<(), RunError> {
        /// Share of the games, where the rules do not allow more.
        const MOST_FORFEITS: f64 = 0.1;
        let games = self.games();
        // Both players may forfeit a game.
        let faults = self.defects().min(games);
        if faults as f64 > rules.most_fault_share.max(MOST_FORFEITS) * games as f64 {
            let last = last_fault(&self.faults);
            return Err(RunError::Forfeits { faults, games, last });
        }
        Ok(())
    }

    /// Fails when the players that are still in the run made more faults or lost more games on time
    /// than allowed.
    ///
    /// # Errors
    /// The faults, with the last of them.
    pub fn check(
        &self,
        rules: &PlayRules,
        is_withdrawn: impl Fn(usize) -> bool,
    ) -> Result<(), RunError> {
        let playing: Vec<&PlayerFaults> = self
            .faults
            .iter()
            .enumerate()
            .filter(|(player, _)| !is_withdrawn(*player))
            .map(|(_, faults)| faults)
            .collect();
        let faults = playing.iter().map(|it| it.defects()).sum();
        let losses = playing.iter().map(|it| it.time_losses()).sum();
        let share = (rules.most_fault_share * self.games() as f64) as u64;
        let most = rules.most_faults.max(share);
        if faults > most {
            return Err(RunError::Faults { faults, most, last: last_fault(playing) });
        }
        match rules.most_time_losses {
            Some(most) if losses > most => {
                Err(RunError::TimeLosses { losses, most, last: last_fault(playing) })
            }
            _ => Ok(()),
        }
    }

    /// Writes how the games ended, and what an audit found of that.
    pub fn write_endings(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let endings: Vec<String> = self
            .terminations
            .iter()
            .map(|(termination, games)| format!("{} {games}", termination.words()))
            .collect();
        writeln!(f, "Endings     {}", endings.join(", "))?;
        if self.audit.is_empty() {
            return Ok(());
        }
        let audit = self.audit.to_string();
        audit.lines().try_for_each(|line| writeln!(f, "Audit       {line}"))
    }

    /// Writes what went wrong, if anything did.
    pub fn write_troubles(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for faults in &self.faults {
            let forfeits = faults.faults.iter().map(|(kind, count)| (kind.as_str(), count));
            let warnings = faults.warnings.iter().map(|(kind, count)| (kind.as_str(), count));
            let list: Vec<String> =
                forfeits.chain(warnings).map(|(kind, count)| format!("{kind} {count}")).collect();
            if !list.is_empty() {
                writeln!(f, "Faults      {}: {}", faults.player, list.join(", "))?;
            }
            for example in &faults.examples {
                writeln!(f, "            {example}")?;
            }
        }
        if self.replays > 0 {
            writeln!(f, "Replays     {} because the machine kept players waiting", self.replays)?;
        }
        if let Some(text) = self.copies_text() {
            writeln!(f, "Copies      {text}")?;
        }
        if self.openings_repeated {
            writeln!(f, "Note        {}", RunTally::OPENINGS_REPEATED)?;
        }
        Ok(())
    }
}
