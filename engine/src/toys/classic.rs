//! The classic algorithms: whatever they do, their value is minimax's.

use std::collections::HashMap;

use search::value::INFINITY;
use search::{Game, GameMove, Ruling, Value};

/// The work of an algorithm.
#[derive(Default)]
pub struct Count {
    /// Nodes visited, the root included.
    pub nodes: u64,
    /// Bits of the best move of the root.
    pub best: u16,
}

/// A search of a position to a depth in plies: its value from the mover's view.
pub type Algorithm<G> = fn(&mut G, u32, &mut Count) -> Value;

/// All of them by their names, minimax first.
pub fn algorithms<G: Game>() -> [(&'static str, Algorithm<G>); 7] {
    [
        ("minimax", minimax_value),
        ("alpha-beta", alpha_beta_value),
        ("alpha-beta with a table", alpha_beta_with_table_value),
        ("principal-variation search", principal_variation_value),
        ("NegaScout", negascout_value),
        ("NegaScout by whole nodes", whole_nodes_value),
        ("MTD(f)", mtd_value),
    ]
}

/// The value of a node that has no successors, if it is one.
fn leaf<G: Game>(position: &mut G, depth: u32, ply: usize) -> Option<Value> {
    if ply > 0
        && let Ruling::Exact(value) = position.ruling(ply, 0)
    {
        return Some(value);
    }
    let (least, most) = limits(position, ply);
    (depth == 0).then(|| position.evaluate().clamp(least, most))
}

/// The least and the most that the rules allow a node.
fn limits<G: Game>(position: &mut G, ply: usize) -> (Value, Value) {
    match position.ruling(ply, 0) {
        Ruling::AtLeast(least) if ply > 0 => (least, INFINITY),
        Ruling::AtMost(most) if ply > 0 => (-INFINITY, most),
        _ => (-INFINITY, INFINITY),
    }
}

/// Every line to the end, without any pruning.
pub fn minimax_value<G: Game>(position: &mut G, depth: u32, count: &mut Count) -> Value {
    minimax(position, depth, 0, count)
}

fn minimax<G: Game>(position: &mut G, depth: u32, ply: usize, count: &mut Count) -> Value {
    count.nodes += 1;
    if let Some(value) = leaf(position, depth, ply) {
        return value;
    }
    let mut best = None;
    for mv in position.legal_moves() {
        position.play(mv);
        let value = -minimax(position, depth - 1, ply + 1, count);
        position.undo();
        best = best.max(Some(value));
    }
    let (least, most) = limits(position, ply);
    best.unwrap_or_else(|| position.stuck(ply)).clamp(least, most)
}

/// Fail-soft alpha-beta of a node `ply` plies below the root, within the window: a value outside of it
/// is a bound. The first of equally good moves is the best.
pub fn alpha_beta<G: Game>(
    position: &mut G,
    depth: u32,
    ply: usize,
    mut alpha: Value,
    beta: Value,
    count: &mut Count,
) -> Value {
    count.nodes += 1;
    if let Some(value) = leaf(position, depth, ply) {
        return value;
    }
    let mut best = -INFINITY;
    for mv in position.legal_moves() {
        position.play(mv);
        let value = -alpha_beta(position, depth - 1, ply + 1, -beta, -alpha, count);
        position.undo();
        if value > best {
            best = value;
            if ply == 0 {
                count.best = mv.bits();
            }
        }
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    let (least, most) = limits(position, ply);
    let value = if best == -INFINITY { position.stuck(ply) } else { best };
    value.clamp(least, most)
}

/// How a move after the first is searched again when its zero window fails high.
#[derive(Clone, Copy)]
enum Again {
    /// With the whole window: safe where values may contradict each other.
    FromAlpha,
    /// From the bound just proved.
    FromValue,
}

/// First move with the whole window, the others with a zero window first.
fn scout<G: Game>(
    position: &mut G,
    depth: u32,
    ply: usize,
    mut alpha: Value,
    beta: Value,
    again: Again,
    count: &mut Count,
) -> Value {
    count.nodes += 1;
    if let Some(value) = leaf(position, depth, ply) {
        return value;
    }
    let mut best = -INFINITY;
    for (index, mv) in position.legal_moves().into_iter().enumerate() {
        position.play(mv);
        let mut search = |alpha: Value, beta: Value| {
            -scout(position, depth - 1, ply + 1, -beta, -alpha, again, count)
        };
        let mut value;
        if index == 0 {
            value = search(alpha, beta);
        } else {
            value = search(alpha, alpha + 1);
            if value > alpha && value < beta {
                value = match again {
                    Again::FromAlpha => search(alpha, beta),
                    Again::FromValue => search(value, beta).max(value),
                };
            }
        }
        position.undo();
        best = best.max(value);
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    let (least, most) = limits(position, ply);
    let value = if best == -INFINITY { position.stuck(ply) } else { best };
    value.clamp(least, most)
}

/// NegaScout by whole nodes, the book's exercise: all moves of a node are asked whether they reach
/// beta; where none does, the best is a bound above, and the list is run once more below it.
fn whole_nodes<G: Game>(
    position: &mut G,
    depth: u32,
    ply: usize,
    (alpha, beta): (Value, Value),
    count: &mut Count,
) -> Value {
    count.nodes += 1;
    if let Some(value) = leaf(position, depth, ply) {
        return value;
    }
    let mut best_within = |mut alpha: Value, beta: Value| {
        let mut best = -INFINITY;
        for mv in position.legal_moves() {
            position.play(mv);
            best = best.max(-whole_nodes(position, depth - 1, ply + 1, (-beta, -alpha), count));
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
    let (least, most) = limits(position, ply);
    let value = if best == -INFINITY { position.stuck(ply) } else { best };
    value.clamp(least, most)
}

/// Bounds of the value of a position searched to a depth.
#[derive(Clone, Copy)]
struct Known {
    low: Value,
    high: Value,
}

/// Alpha-beta that looks up what it has found before. Positions are told by key and depth, so that
/// what is remembered is what a search would find.
fn alpha_beta_with_table<G: Game>(
    position: &mut G,
    depth: u32,
    ply: usize,
    (mut alpha, mut beta): (Value, Value),
    table: &mut HashMap<(u64, u32), Known>,
    count: &mut Count,
) -> Value {
    count.nodes += 1;
    if let Some(value) = leaf(position, depth, ply) {
        return value;
    }
    let key = (position.key(), depth);
    let mut known = *table.entry(key).or_insert(Known { low: -INFINITY, high: INFINITY });
    if known.low >= beta || known.low == known.high {
        return known.low;
    }
    if known.high <= alpha {
        return known.high;
    }
    (alpha, beta) = (alpha.max(known.low), beta.min(known.high));
    let (asked, mut best) = (alpha, -INFINITY);
    for mv in position.legal_moves() {
        position.play(mv);
        let window = (-beta, -alpha);
        let value = -alpha_beta_with_table(position, depth - 1, ply + 1, window, table, count);
        position.undo();
        if value > best {
            best = value;
            if ply == 0 {
                count.best = mv.bits();
            }
        }
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    let (least, most) = limits(position, ply);
    let value = if best == -INFINITY { position.stuck(ply) } else { best };
    let value = value.clamp(least, most);
    if value > asked {
        known.low = value;
    }
    if value < beta {
        known.high = value;
    }
    table.insert(key, known);
    value
}

/// Alpha-beta with a table that forgets nothing.
pub fn alpha_beta_with_table_value<G: Game>(
    position: &mut G,
    depth: u32,
    count: &mut Count,
) -> Value {
    let window = (-INFINITY, INFINITY);
    alpha_beta_with_table(position, depth, 0, window, &mut HashMap::new(), count)
}

/// Alpha-beta with the whole window.
pub fn alpha_beta_value<G: Game>(position: &mut G, depth: u32, count: &mut Count) -> Value {
    alpha_beta(position, depth, 0, -INFINITY, INFINITY, count)
}

/// Principal-variation search: moves after the first must prove with a zero window that they deserve
/// the whole one.
pub fn principal_variation_value<G: Game>(
    position: &mut G,
    depth: u32,
    count: &mut Count,
) -> Value {
    scout(position, depth, 0, -INFINITY, INFINITY, Again::FromAlpha, count)
}

/// NegaScout: the same, but searched again from the bound just proved.
pub fn negascout_value<G: Game>(position: &mut G, depth: u32, count: &mut Count) -> Value {
    scout(position, depth, 0, -INFINITY, INFINITY, Again::FromValue, count)
}

/// NegaScout by whole nodes instead of single moves.
pub fn whole_nodes_value<G: Game>(position: &mut G, depth: u32, count: &mut Count) -> Value {
    whole_nodes(position, depth, 0, (-INFINITY, INFINITY), count)
}

/// MTD(f): zero windows only, led to the value by the bounds they prove.
pub fn mtd_value<G: Game>(position: &mut G, depth: u32, count: &mut Count) -> Value {
    let (mut low, mut high) = (-INFINITY, INFINITY);
    let mut test = position.evaluate();
    while low < high {
        let value = alpha_beta(position, depth, 0, test, test + 1, count);
        if value > test {
            low = value;
            test = value;
        } else {
            high = value;
            test = value - 1;
        }
    }
    low
}
