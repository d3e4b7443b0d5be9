//! Kamerton's engine as a program: its command line, its UCI session, a game on the terminal, and games
//! for learners.

pub mod console;
pub mod toys;

use playable::Game;

/// The games of Kamerton's programs besides chess.
pub const GAMES: &[Game] = &[xiangqi::GAME, draughts::GAME];
