//! The two sides, and which of them won.

use std::ops::Not;

use serde::{Deserialize, Serialize};

/// A side of the game, which moves its own men. In other games than chess the sides may have other
/// names for people ([`crate::Playable::color_names`]); White is the side that `w` means in FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// The side that moves first, in most games.
    White,
    /// The other side.
    Black,
}

impl Color {
    /// Both sides, by index.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// 0 for White, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

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
