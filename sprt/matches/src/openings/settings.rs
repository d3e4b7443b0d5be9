//! The choice among the openings of a file, and their order.

use clap::ValueEnum;
use playable::Game;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::games;

/// Which openings of a file are played, and in which order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningSettings {
    /// The game that they are openings of; chess if missing.
    #[serde(with = "games", default = "games::usual", skip_serializing_if = "games::is_usual")]
    #[schemars(with = "String")]
    pub game: Game,
    /// Which opening a pair is given.
    #[serde(default)]
    pub order: OpeningOrder,
    /// The first pair plays the opening of this number in that order, from 1: runs with the same
    /// seed and other starts play other openings.
    #[serde(default = "first")]
    #[schemars(range(min = 1))]
    pub start: u64,
    /// Plies of a PGN game that belong to the opening, fewer if the game is shorter; all if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
    /// Play Chess960 even if no position says so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub chess960: bool,
}

impl OpeningSettings {
    /// Openings of this game in random order, whole games, Chess960 only if a position needs it.
    pub fn of(game: Game) -> OpeningSettings {
        OpeningSettings {
            game,
            order: OpeningOrder::Random,
            start: 1,
            plies: None,
            chess960: false,
        }
    }
}

impl Default for OpeningSettings {
    /// Openings of chess.
    fn default() -> OpeningSettings {
        OpeningSettings::of(games::usual())
    }
}

/// The order of openings.
#[derive(
    Clone, Copy, PartialEq, Eq, Default, Debug, JsonSchema, Serialize, Deserialize, ValueEnum,
)]
#[serde(rename_all = "lowercase")]
pub enum OpeningOrder {
    /// Drawn without replacement, by the seed; drawn anew when all were played.
    #[default]
    Random,
    /// As in the file, again from its beginning when all were played.
    Sequential,
}

fn first() -> u64 {
    1
}
