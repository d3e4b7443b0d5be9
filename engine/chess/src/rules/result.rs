//! Who won a game.

use serde::{Deserialize, Serialize};

use super::Color;

/// Who won a game; in JSON as PGN writes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum GameResult {
    /// White has the whole point.
    #[serde(rename = "1-0")]
    WhiteWins,
    /// Half a point for each.
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// Black has the whole point.
    #[serde(rename = "0-1")]
    BlackWins,
}

impl GameResult {
    /// The win of a color.
    pub fn win_of(color: Color) -> GameResult {
        match color {
            Color::White => GameResult::WhiteWins,
            Color::Black => GameResult::BlackWins,
        }
    }

    /// As PGN writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::Draw => "1/2-1/2",
            GameResult::BlackWins => "0-1",
        }
    }
}
