//! Minimax in its plainest form, which shares no line with the searches that are held against it.

use search::value::INFINITY;
use search::{Game, Ruling, Value};

/// The value of a position searched to a depth in plies, from the mover's view, by every line to its end.
pub fn minimax<G: Game>(position: &mut G, depth: u32) -> Value {
    node(position, depth, 0)
}

fn node<G: Game>(position: &mut G, depth: u32, ply: usize) -> Value {
    let (least, most) = match position.ruling(ply, 0) {
        Ruling::Exact(value) if ply > 0 => return value,
        Ruling::AtLeast(least) if ply > 0 => (least, INFINITY),
        Ruling::AtMost(most) if ply > 0 => (-INFINITY, most),
        _ => (-INFINITY, INFINITY),
    };
    if depth == 0 {
        return position.evaluate().clamp(least, most);
    }
    let mut best = None;
    for mv in position.legal_moves() {
        position.play(mv);
        best = best.max(Some(-node(position, depth - 1, ply + 1)));
        position.undo();
    }
    best.unwrap_or_else(|| position.stuck(ply)).clamp(least, most)
}
