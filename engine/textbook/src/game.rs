//! The questions that old methods ask of a game beyond [`Game`].

use search::{Game, Ruling, Value};

/// The traits of a move that old methods look at.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct MoveTraits {
    /// Gain by the mover's new place alone, in centipawns.
    pub positional_gain: Value,
    /// How heavy the mover is, from 0 for the lightest to 5.
    pub weight: i32,
    /// The mover's worth in an exchange, from 0 for the least to 5 for the king.
    pub price: i32,
    /// The move goes back towards its own side.
    pub retreats: bool,
    /// It takes the piece that moved last.
    pub takes_last_mover: bool,
    /// After a pass: it is by the piece that its side moved last.
    pub by_last_mover: bool,
    /// The captured piece: nothing (0), the least there is (1), up to the greatest (4).
    pub prize: i32,
    /// It makes a greater piece of the mover.
    pub promotes: bool,
    /// A pawn comes to its last rank but one.
    pub reaches_seventh: bool,
    /// Distance in steps to which the heaviest piece comes near the opponent's king; none if it does
    /// not come nearer.
    pub approach: Option<i32>,
}

impl MoveTraits {
    const GREATEST_PRIZE: i32 = 4;

    /// Its gain in the steps of [`MoveTraits::prize`]: a promotion gains most.
    pub(crate) fn gain_step(&self) -> i32 {
        if self.promotes { MoveTraits::GREATEST_PRIZE } else { self.prize }
    }
}

/// A game that the search of the literature can play. Whatever a game does not say, methods that
/// ask for it do nothing in it.
pub trait TextbookGame: Game {
    /// The traits of a move, which must be playable here.
    fn traits_of(&self, _mv: Self::Move) -> MoveTraits {
        MoveTraits::default()
    }

    /// How many places around a side's king (0 or 1) the other side attacks.
    fn pressure_on(&self, _side: usize) -> i32 {
        0
    }

    /// As [`Game::ruling`], but a repetition counts only where the position stood on the board four
    /// and eight plies before as well.
    fn ruling_by_line(&mut self, ply: usize, depth: i32) -> Ruling {
        self.ruling(ply, depth)
    }
}
