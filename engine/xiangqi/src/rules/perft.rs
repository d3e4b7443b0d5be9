//! Counts of the positions after some plies.

use super::{Board, Move};

/// Positions after so many plies.
pub fn perft(board: &Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => board.count_legal(),
        _ => {
            let mut count = 0;
            board.each_move(super::Stage::All, |mv| {
                let mut after = *board;
                after.play(mv);
                count += perft(&after, depth - 1);
            });
            count
        }
    }
}

/// The same behind each move; `None` if `is_stopped` says so meanwhile.
pub fn perft_divide(
    board: &Board,
    depth: u32,
    is_stopped: &dyn Fn() -> bool,
) -> Option<Vec<(Move, u64)>> {
    let behind = |mv: Move| {
        let mut after = *board;
        after.play(mv);
        let count = if depth <= 3 {
            perft(&after, depth.max(1) - 1)
        } else {
            let divided = perft_divide(&after, depth - 1, is_stopped)?;
            divided.iter().map(|(_, count)| count).sum()
        };
        (!is_stopped()).then_some((mv, count))
    };
    board.legal_moves().into_iter().map(behind).collect()
}
