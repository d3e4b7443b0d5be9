//! Endings that are harder to win than their sum says.
//!
//! Who leads by advisors and elephants wins nothing with them, and one horse or cannon hardly mates against
//! a whole defence. So the sum is scaled by what the leader can attack with, and by who is there to hold.

use search::Value;

use super::weights::Weights;
use crate::rules::{Board, Color, Kind};

/// The share of the sum that counts for a leader of this color, in percent.
pub(super) fn scale(board: &Board, leader: Color, w: &Weights) -> Value {
    let own = |kind| board.of(leader, kind).count() as usize;
    let (rooks, pawns) = (own(Kind::Rook), own(Kind::Pawn).min(2));
    let helpers = own(Kind::Horse) + own(Kind::Cannon);
    match (rooks, helpers) {
        (0, 0..3) => {
            let defence = board.kind(Kind::Advisor) | board.kind(Kind::Elephant);
            let held_by = [0, 0, 1, 1, 2][(defence & board.color(!leader)).count().min(4) as usize];
            w.endings.without_rooks[9 * helpers + 3 * pawns + held_by]
        }
        (1, 1) if pawns == 0 => w.endings.rook_and_helper,
        _ => 100,
    }
}
