//! The rules that all kinds of run share.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::openings::OpeningSettings;
use crate::pgn::{MoveComments, Notation};
use crate::playing::GameSettings;

/// How the games of a run are played and when it fails, whatever it is to decide.
#[derive(Clone, Copy, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayRules {
    /// How games are played.
    pub game: GameSettings,
    /// Which openings, in which order.
    #[serde(default)]
    pub openings: OpeningSettings,
    /// Seed of all randomness.
    pub seed: u64,
    /// The run fails when the players made more faults than this, losses on time not counted, and
    /// in more than `most_fault_share` of the games.
    pub most_faults: u64,
    /// Share of the games (0 to 1): in a long run an engine that fails now and then is not broken.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schemars(range(min = 0, max = 1))]
    pub most_fault_share: f64,
    /// The run fails when the players lost more games on time than this; never if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_time_losses: Option<u64>,
    /// What games.pgn has behind each move; `plain` if missing.
    #[serde(default, skip_serializing_if = "MoveComments::is_plain")]
    pub pgn_comments: MoveComments,
    /// The notation of moves in games.pgn and on pages; the game's own if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notation: Option<Notation>,
}

fn is_zero(share: &f64) -> bool {
    *share == 0.0
}

impl PlayRules {
    /// [`PlayRules::most_faults`] unless the user says otherwise.
    pub const DEFAULT_MOST_FAULTS: u64 = 25;
    /// [`PlayRules::most_fault_share`] unless the user says otherwise.
    pub const DEFAULT_MOST_FAULT_SHARE: f64 = 0.01;

    /// Rules with this seed and the defaults.
    pub fn with_seed(seed: u64) -> PlayRules {
        PlayRules {
            game: GameSettings::default(),
            openings: OpeningSettings::default(),
            seed,
            most_faults: PlayRules::DEFAULT_MOST_FAULTS,
            most_fault_share: PlayRules::DEFAULT_MOST_FAULT_SHARE,
            most_time_losses: None,
            pgn_comments: MoveComments::default(),
            notation: None,
        }
    }

    /// The number of the notation in [`playable::Playable::notations`].
    pub fn notation(&self) -> usize {
        self.notation.and_then(|it| it.number(self.openings.game).ok()).unwrap_or(0)
    }
}

/// How many faults are too many: more than a number, and in more than a share of the games.
#[derive(Clone, Copy, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultCap {
    /// Faults, losses on time not counted.
    pub faults: u64,
    /// Share of the games (0 to 1).
    #[schemars(range(min = 0, max = 1))]
    pub share: f64,
}

impl FaultCap {
    /// True if so many faults in so many games are too many.
    pub fn is_exceeded(&self, faults: u64, games: u64) -> bool {
        faults > self.faults.max((self.share * games as f64) as u64)
    }
}
