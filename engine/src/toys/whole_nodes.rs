//! NegaScout by whole nodes, an exercise of the source: all moves of a node are asked whether they reach
//! beta; where none does, the best is a bound above, and the list is run once more below it.

use search::value::INFINITY;
use search::{Game, Ruling, Value};

/// The value of a position searched to a depth in plies, from the mover's view, and the nodes visited, the
/// root included.
pub fn search<G: Game>(position: &mut G, depth: u32) -> (Value, u64) {
    let mut nodes = 0;
    let value = node(position, depth, 0, (-INFINITY, INFINITY), &mut nodes);
    (value, nodes)
}

fn node<G: Game>(
    position: &mut G,
    depth: u32,
    ply: usize,
    (alpha, beta): (Value, Value),
    nodes: &mut u64,
) -> Value {
    *nodes += 1;
    let (least, most) = match position.ruling(ply, 0) {
        Ruling::Exact(value) if ply > 0 => return value,
        Ruling::AtLeast(least) if ply > 0 => (least, INFINITY),
        Ruling::AtMost(most) if ply > 0 => (-INFINITY, most),
        _ => (-INFINITY, INFINITY),
    };
    if depth == 0 {
        return position.evaluate().clamp(least, most);
    }
    let mut best_within = |mut alpha: Value, beta: Value| {
        let mut best = -INFINITY;
        for mv in position.legal_moves() {
            position.play(mv);
            best = best.max(-node(position, depth - 1, ply + 1, (-beta, -alpha), nodes));
            position.undo();
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    };
    let mut best = best_within(beta - 1, beta);
    if best > alpha && best < beta {
        best = best_within(alpha, best);
    }
    let value = if best == -INFINITY { position.stuck(ply) } else { best };
    value.clamp(least, most)
}
