//! How games are played: settings, and a game's number.

use clap::ValueEnum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::TablebaseRule;

/// How games are played, whoever plays them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameSettings {
    /// When a game is ended before the rules end it.
    pub adjudication: Adjudication,
    /// Plies after which a game is a draw.
    #[schemars(range(min = 1))]
    pub max_plies: u32,
    /// How long players remember.
    #[serde(default)]
    pub memory: MemorySpan,
    /// Share of the adjudicated games that are played on to learn whether adjudication was right
    /// (ten-thousandths).
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schemars(range(max = AUDIT_ALL))]
    pub audit: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Default for GameSettings {
    /// Usual adjudication, at most 400 plies, nothing remembered from other games.
    fn default() -> GameSettings {
        GameSettings {
            adjudication: Adjudication::default(),
            max_plies: 400,
            memory: MemorySpan::default(),
            audit: 0,
        }
    }
}

/// How long players keep what they learned: transposition table, histories.
#[derive(
    Clone, Copy, PartialEq, Eq, Default, Debug, JsonSchema, Serialize, Deserialize, ValueEnum,
)]
#[serde(rename_all = "lowercase")]
pub enum MemorySpan {
    /// Every move is searched as by a fresh player.
    Move,
    /// Every game is played as by a fresh player.
    #[default]
    Game,
    /// The second game of a pair begins with what was learned in the first.
    Pair,
}

/// Where a game stands in a run, which is all that its random numbers depend on.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct GameNumber {
    /// Seed of the run.
    pub seed: u64,
    /// Number of the game, from 0.
    pub number: u64,
    /// True if the players must not know games before it.
    pub fresh: bool,
}

impl GameNumber {
    /// The only game of a run.
    pub const SINGLE: GameNumber = GameNumber { seed: 0, number: 0, fresh: true };
}

/// When a game is ended before the rules end it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// When a game is called a draw; never if `None`.
    pub draw: Option<DrawRule>,
    /// When a game is called lost; never if `None`.
    pub resign: Option<ResignRule>,
    /// When endgame tables are asked; never if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tablebase: Option<TablebaseRule>,
}

impl Adjudication {
    /// Every game is played out.
    pub const NEVER: Adjudication = Adjudication { draw: None, resign: None, tablebase: None };
}

impl Default for Adjudication {
    fn default() -> Adjudication {
        Adjudication {
            draw: Some(DrawRule { after_moves: 34, moves: 8, score: 20 }),
            resign: Some(ResignRule { moves: 3, score: 600, two_sided: true }),
            tablebase: None,
        }
    }
}

/// The unit of [`GameSettings::audit`]: ten-thousandths.
pub const AUDIT_ALL: u32 = 10_000;

/// A game is a draw when both players see equality for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// Moves of each side, from the start of the game, before which the rule is not applied.
    pub after_moves: u32,
    /// Successive moves of each side that must show equality.
    pub moves: u32,
    /// Scores within plus or minus this are equality (centipawns).
    pub score: i32,
}

/// A game is lost when both players, or the loser alone, see the same side lost for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// Successive moves of each side that must show the loss.
    pub moves: u32,
    /// The loser is at least this far behind (centipawns).
    pub score: i32,
    /// The winner must see it too; true if missing.
    #[serde(default = "two_sided", skip_serializing_if = "is_two_sided")]
    pub two_sided: bool,
}

fn two_sided() -> bool {
    true
}

fn is_two_sided(two_sided: &bool) -> bool {
    *two_sided
}
