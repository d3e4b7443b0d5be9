//! The rules of a tournament: who plays whom, how often, and who is withdrawn.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use statistics::RatingSettings;

use crate::run::{FaultCap, PlayRules};

/// What decides the course of a tournament besides the contestants and the openings.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// How games are played.
    pub play: PlayRules,
    /// Who plays whom.
    pub format: Format,
    /// Rounds: openings that every pairing plays with both colors.
    pub rounds: u64,
    /// Ratings that are held fixed, in logistic Elo, by the names of the players. Without any, the
    /// mean rating is 0.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub anchors: BTreeMap<String, f64>,
    /// When a player is withdrawn: its games count, those that are left are not played. Never if
    /// `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawal: Option<FaultCap>,
}

impl Rules {
    /// The conditions under which players are rated.
    pub fn rating(&self) -> RatingSettings {
        RatingSettings {
            anchors: self.anchors.iter().map(|(name, &elo)| (name.clone(), elo)).collect(),
            white_advantage: true,
        }
    }
}

/// Who plays whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Everybody plays everybody else.
    RoundRobin,
    /// The first players play everybody behind them, and nobody else plays.
    Gauntlet {
        /// How many players are first; at least one.
        seeds: usize,
    },
}

impl Format {
    /// The pairings of a round among so many players.
    pub fn pairings(self, players: usize) -> Vec<[usize; 2]> {
        let all = (0..players).flat_map(|one| (one + 1..players).map(move |other| [one, other]));
        match self {
            Format::RoundRobin => all.collect(),
            Format::Gauntlet { seeds } => {
                all.filter(|&[one, other]| one < seeds && other >= seeds).collect()
            }
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Format::RoundRobin => f.write_str("round robin"),
            Format::Gauntlet { seeds: 1 } => f.write_str("gauntlet of the first player"),
            Format::Gauntlet { seeds } => write!(f, "gauntlet of the first {seeds} players"),
        }
    }
}
