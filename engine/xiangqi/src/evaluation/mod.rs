//! The worth of a position: a sum of weights for each phase of the game, and the mean of both by how much
//! material is left.
//!
//! Terms know neither sums nor traces: they speak to a sink (`playable::linear`). So what plays and what a fit
//! counts is one text.

mod cannons;
mod endings;
mod king;
mod mobility;
mod pawns;
mod scene;
mod squares;
mod threats;
mod together;
pub mod weights;

use playable::linear::{self as sink, Counts, Side, Sink, Sum, WHOLE};
use playable::{LinearTrace, Terms};
use search::Value;

use crate::rules::{Board, Color, Kind, Move};
use scene::Scene;
use weights::Weights;

/// The parts of the whole middlegame that the men make, at the start.
const FULL: i32 = 66;

fn terms(board: &Board, weights: &Weights, sink: &mut impl Sink) {
    let scene = Scene::new(board);
    for color in Color::ALL {
        let sign = if color == Color::White { 1 } else { -1 };
        let side = &mut Side { sink: &mut *sink, sign };
        squares::terms(board, color, weights, side);
        together::terms(board, color, weights, side);
        mobility::terms(board, color, &scene, weights, side);
        cannons::terms(board, color, weights, side);
        pawns::terms(board, color, weights, side);
        king::terms(board, color, &scene, weights, side);
        threats::terms(board, color, &scene, weights, side);
        if board.side_to_move() == color {
            side.add(&weights.material.tempo, 1);
        }
    }
}

/// The middlegame's share of a position, of [`WHOLE`]: rooks count most, and the first men to go least.
fn phase_of(board: &Board) -> i32 {
    let count = |kind| board.kind(kind).count() as i32;
    let light = count(Kind::Pawn) + count(Kind::Advisor) + count(Kind::Elephant);
    let left = 6 * count(Kind::Rook) + 3 * (count(Kind::Horse) + count(Kind::Cannon)) + light;
    WHOLE * left * (2 * FULL - left) / (FULL * FULL)
}

/// The evaluation in centipawns from the mover's view.
pub fn evaluate(board: &Board, weights: &Weights) -> Value {
    let mut sum = Sum::default();
    terms(board, weights, &mut sum);
    let value = sum.value(phase_of(board));
    let value = value * scale_of(board, value, weights) / 100;
    if board.side_to_move() == Color::White { value } else { -value }
}

/// The share in percent that counts of a value from Red's view.
fn scale_of(board: &Board, value: Value, weights: &Weights) -> Value {
    endings::scale(board, if value > 0 { Color::White } else { Color::Black }, weights)
}

/// A man's gain by its new square alone (centipawns). The move must be playable.
pub(crate) fn square_gain(board: &Board, mv: Move, weights: &Weights) -> Value {
    let Some(man) = board.man_on(mv.from()) else { return 0 };
    let worth = |square| sink::tapered(*squares::weight_on(man, square, weights), phase_of(board));
    worth(mv.to()) - worth(mv.from())
}

/// The evaluation as counts of weights. The scale is that for who leads by these weights.
pub fn trace(board: &Board, weights: &Weights) -> LinearTrace {
    let mut counts = Counts::new(weights);
    terms(board, weights, &mut counts);
    let scale = scale_of(board, from_red(board, weights), weights) as f32 / 100.0;
    LinearTrace { scale, ..counts.trace(phase_of(board)) }
}

/// The evaluation from Red's view, weight by weight, for people.
pub fn explain(board: &Board, weights: &Weights) -> String {
    sink::explain(weights, &trace(board, weights), from_red(board, weights), "Red")
}

/// The same as the share of each weight in the value.
pub fn terms_of(board: &Board, weights: &Weights) -> Terms {
    sink::shares(weights, &trace(board, weights), from_red(board, weights))
}

fn from_red(board: &Board, weights: &Weights) -> Value {
    let value = evaluate(board, weights);
    if board.side_to_move() == Color::White { value } else { -value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Position;
    use crate::sets::Parameters;

    /// Boards of games by chance.
    fn boards() -> Vec<Board> {
        let mut state = 5u64;
        let mut boards = Vec::new();
        for _ in 0..20 {
            let mut position = Position::start();
            for _ in 0..120 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                position.play(moves[(state >> 33) as usize % moves.len()]);
                boards.push(*position.board());
            }
        }
        boards
    }

    #[test]
    fn sides_and_wings_are_alike() {
        let weights = &Parameters::embedded().weights;
        for board in boards() {
            let value = evaluate(&board, weights);
            assert_eq!(value, evaluate(&board.mirrored(), weights), "{}", board.to_fen());
            assert_eq!(value, evaluate(&board.turned(), weights), "{}", board.to_fen());
        }
    }

    #[test]
    fn traces_are_the_evaluation() {
        let weights = &Parameters::embedded().weights;
        for board in boards() {
            let trace = trace(&board, weights);
            let (mut middlegame, mut endgame) = (0.0, 0.0);
            for (cell, count) in trace.counts {
                let score: parameters::Score = bytemuck::cast(weights.cells()[usize::from(cell)]);
                middlegame += f32::from(count) * score.middlegame() as f32;
                endgame += f32::from(count) * score.endgame() as f32;
            }
            let value = trace.phase * middlegame + (1.0 - trace.phase) * endgame;
            let value = value * trace.scale;
            let value = if board.side_to_move() == Color::White { value } else { -value };
            assert!((value - evaluate(&board, weights) as f32).abs() < 1.1, "{}", board.to_fen());
        }
    }
}
