//! The worth of a position: a sum of weights for each phase of the game, and the mean of both by
//! how many men are left.

mod back_row;
mod formation;
mod kings;
mod squares;
mod timing;
pub mod weights;

use playable::LinearTrace;
use playable::linear::{self, Counts, Side, Sink, Sum, WHOLE};
use search::Value;

use crate::rules::{Board, Color};
use weights::Weights;

/// Men at the start.
const FULL: i32 = 24;

fn terms(board: &Board, weights: &Weights, sink: &mut impl Sink) {
    for color in Color::ALL {
        let sign = if color == Color::White { 1 } else { -1 };
        let side = &mut Side { sink: &mut *sink, sign };
        squares::terms(board, color, weights, side);
        back_row::terms(board, color, weights, side);
        formation::terms(board, color, weights, side);
        kings::terms(board, color, weights, side);
        timing::terms(board, color, weights, side);
    }
}

/// The middlegame's share of a position, of [`WHOLE`].
fn phase_of(board: &Board) -> i32 {
    WHOLE * board.empty().count_zeros() as i32 / FULL
}

/// The evaluation in centipawns from the mover's view.
pub fn evaluate(board: &Board, weights: &Weights) -> Value {
    let mut sum = Sum::default();
    terms(board, weights, &mut sum);
    let value = sum.value(phase_of(board));
    if board.side_to_move() == Color::White { value } else { -value }
}

/// The same as counts of weights.
pub fn trace(board: &Board, weights: &Weights) -> LinearTrace {
    let mut counts = Counts::new(weights);
    terms(board, weights, &mut counts);
    counts.trace(phase_of(board))
}

/// The evaluation from White's view, weight by weight, for people.
pub fn explain(board: &Board, weights: &Weights) -> String {
    let value = evaluate(board, weights);
    let value = if board.side_to_move() == Color::White { value } else { -value };
    linear::explain(weights, &trace(board, weights), value, "White")
}
