//! The notation in which a run writes moves.

use std::borrow::Cow;
use std::str::FromStr;

use chess::games;
use playable::Game;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, de};

/// A notation of moves by its name, which some game has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
pub struct Notation(&'static str);

impl Notation {
    /// All names, game by game; the standard one of each game comes first.
    pub fn names() -> String {
        let of = |game: Game| format!("{} of {}", game.notations().join(", "), game.name());
        games::all().map(of).collect::<Vec<_>>().join("; ")
    }

    /// Its number in [`playable::Playable::notations`].
    ///
    /// # Errors
    /// The game has other ones, which are named.
    pub fn number(self, game: Game) -> Result<usize, String> {
        let notations = game.notations();
        notations.iter().position(|name| *name == self.0).ok_or_else(|| {
            let (name, known) = (game.name(), notations.join(", "));
            format!("{name} has no notation {:?}; expected {known}", self.0)
        })
    }
}

impl FromStr for Notation {
    type Err = String;

    fn from_str(text: &str) -> Result<Notation, String> {
        let mut known = games::all().flat_map(|game| game.notations());
        let found = known.find(|name| **name == text);
        found
            .map(|name| Notation(name))
            .ok_or_else(|| format!("unknown notation {text:?}; there are {}", Notation::names()))
    }
}

impl<'de> Deserialize<'de> for Notation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Notation, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl JsonSchema for Notation {
    fn schema_name() -> Cow<'static, str> {
        "Notation".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}
