//! How a game ended: for whom it was won, and why.

use playable::{Color, Ending, GameResult};
use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use statistics::GameOutcome;

/// The outcome of a game for the player of a color.
pub fn outcome_for(result: GameResult, color: Color) -> GameOutcome {
    match result {
        GameResult::Draw => GameOutcome::Draw,
        won if won == GameResult::win_of(color) => GameOutcome::Win,
        _ => GameOutcome::Loss,
    }
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Termination {
    /// A rule of the game.
    Rules(Ending),
    /// Both players saw equality.
    DrawAgreed,
    /// Both players saw one side lost.
    Resignation,
    /// The greatest number of plies was reached.
    MaxPlies,
    /// An endgame table knew the result.
    Tablebase,
    /// A player gave the game up, and lost.
    Resigned,
    /// A player used more time than it had, and lost.
    TimeLoss,
    /// A player failed or chose an illegal move, and lost.
    Forfeit,
}

impl Termination {
    /// All but the rules of games.
    const OTHERS: [Termination; 7] = {
        use Termination::*;
        [DrawAgreed, Resignation, MaxPlies, Tablebase, Resigned, TimeLoss, Forfeit]
    };

    /// True if the game was ended before the rules of the game end it, and nobody was at fault.
    pub fn is_adjudicated(self) -> bool {
        use Termination::{DrawAgreed, MaxPlies, Resignation, Tablebase};
        matches!(self, DrawAgreed | MaxPlies | Resignation | Tablebase)
    }

    /// The name in journals and results.
    pub fn name(&self) -> &str {
        match self {
            Termination::Rules(ending) => ending.as_str(),
            Termination::DrawAgreed => "draw_agreed",
            Termination::Resignation => "resignation",
            Termination::MaxPlies => "max_plies",
            Termination::Tablebase => "tablebase",
            Termination::Resigned => "resigned",
            Termination::TimeLoss => "time_loss",
            Termination::Forfeit => "forfeit",
        }
    }

    /// In words, as PGN and reports show it.
    pub fn words(self) -> Cow<'static, str> {
        let words = match self {
            Termination::Rules(ending) => return Cow::Owned(ending.words()),
            Termination::DrawAgreed => "draw by adjudication",
            Termination::Resignation => "win by adjudication",
            Termination::MaxPlies => "greatest number of plies",
            Termination::Tablebase => "endgame table",
            Termination::Resigned => "resignation",
            Termination::TimeLoss => "time",
            Termination::Forfeit => "forfeit",
        };
        Cow::Borrowed(words)
    }
}

impl Serialize for Termination {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Termination {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Termination, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        let other = Termination::OTHERS.into_iter().find(|it| it.name() == name);
        let rule = || Ending::parse(&name).map(Termination::Rules);
        let refused = || de::Error::custom(format!("{name:?} ends no game"));
        other.or_else(rule).ok_or_else(refused)
    }
}

impl JsonSchema for Termination {
    fn schema_name() -> Cow<'static, str> {
        "Termination".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let others = Termination::OTHERS.each_ref().map(|it| it.name()).join(", ");
        schemars::json_schema!({
            "description": format!(
                "Why a game ended: {others}, or a rule of the game: in chess checkmate, stalemate, \
                 repetition, fifty_moves, insufficient_material."
            ),
            "type": "string",
            "pattern": "^[a-z_]+$",
        })
    }
}
