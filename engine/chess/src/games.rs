//! The games that this process knows: chess, and those that its `main` was given.

use std::sync::OnceLock;

use playable::Game;
use serde::{Deserialize, Deserializer, Serializer, de};

use crate::GAME;

static MORE: OnceLock<&'static [Game]> = OnceLock::new();

/// Makes further games known, once in a process, before anything else is done.
pub fn know(games: &'static [Game]) {
    // A second list is that of a second `main`, which does not exist.
    let _ = MORE.set(games);
}

/// The game of files that name none: chess.
pub fn usual() -> Game {
    GAME
}

/// Whether it is the game of files that name none.
pub fn is_usual(game: &Game) -> bool {
    *game == usual()
}

/// The game whose numbers an export put into this program, if one did.
pub fn exported() -> Option<Game> {
    all().find(|game| game.block().manifest().is_some())
}

/// The name of the game that a program plays if nobody says which: of the exported one, or else chess.
pub fn of_program() -> &'static str {
    exported().unwrap_or_else(usual).name()
}

/// All games, the usual one first.
pub fn all() -> impl Iterator<Item = Game> {
    let more = MORE.get().copied().unwrap_or_default();
    std::iter::once(usual()).chain(more.iter().copied().filter(|game| !is_usual(game)))
}

/// The help of an option that takes a game.
pub fn help() -> String {
    let names: Vec<&str> = all().map(|game| game.name()).collect();
    let (last, others) = names.split_last().expect("there is a game");
    match others {
        [] => format!("The game that is played: {last}"),
        _ => format!("The game that is played: {} or {last}", others.join(", ")),
    }
}

/// The place of a game among [`all`], by which a byte names it in memory; files have its name.
pub fn index_of(game: Game) -> u8 {
    let index = all().position(|known| known == game);
    index.and_then(|index| u8::try_from(index).ok()).expect("few games, all of them known")
}

/// The game of an index that [`index_of`] gave.
pub fn at(index: u8) -> Game {
    all().nth(index.into()).expect("an index of a known game")
}

/// The game of this name.
///
/// # Errors
/// The names of the games that there are.
pub fn named(name: &str) -> Result<Game, String> {
    all().find(|game| game.name() == name).ok_or_else(|| {
        let known: Vec<&str> = all().map(|game| game.name()).collect();
        format!("unknown game {name:?}; expected {}", known.join(", "))
    })
}

/// Writes a game as its name.
///
/// # Errors
/// The serializer's.
pub fn serialize<S: Serializer>(game: &Game, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(game.name())
}

/// Reads a game by its name.
///
/// # Errors
/// There is no such game.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Game, D::Error> {
    named(&String::deserialize(deserializer)?).map_err(de::Error::custom)
}
