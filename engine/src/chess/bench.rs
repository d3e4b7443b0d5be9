//! The bench: a fixed search of fixed positions. Its node count is the engine's signature: it
//! changes when, and only when, what the engine plays changes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::chess::parameters::Parameters;
use crate::chess::rules::Position;
use crate::engine::{Control, Engine, Limits};

/// The positions, one a line, each with its name: openings, middlegames, endgames, mates.
const POSITIONS: &str = include_str!("../../../data/bench.epd");

/// Depth of a bench nobody gave a depth, in plies.
pub const DEFAULT_DEPTH: u32 = 13;

/// Megabytes of the bench's own transposition table.
const HASH: usize = 16;

/// What a bench counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BenchResult {
    /// Nodes of each position, in order, with the position's name.
    pub positions: Vec<(&'static str, u64)>,
    /// Nodes of all positions.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

impl BenchResult {
    /// Nodes per second.
    pub fn speed(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// Nodes per second, also for no time at all.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (u128::from(nodes) * 1_000_000_000 / time.as_nanos().max(1)) as u64
}

/// The bench positions with their names.
pub fn positions() -> impl Iterator<Item = (&'static str, Position)> {
    POSITIONS.lines().map(|line| {
        let (fen, operations) = line.split_once(" id \"").expect("each bench position has a name");
        let name = operations.trim_end_matches("\";");
        (name, Position::from_fen(fen).expect("bench positions are correct"))
    })
}

/// Searches every bench position to `depth` plies with a fresh engine, calling `on_position` with
/// the name and nodes of each. Nodes depend on nothing but parameters and depth.
pub fn bench(
    parameters: &Arc<Parameters>,
    depth: u32,
    on_position: &mut dyn FnMut(&str, u64),
) -> BenchResult {
    let mut engine = Engine::new(Arc::clone(parameters), HASH);
    let start = Instant::now();
    let counted = positions().map(|(name, position)| {
        engine.new_game();
        let limits = Limits::depth(depth);
        let nodes = engine.search(&position, &limits, &Control::new(), &mut |_| {}).nodes;
        on_position(name, nodes);
        (name, nodes)
    });
    let positions: Vec<(&'static str, u64)> = counted.collect();
    let nodes = positions.iter().map(|(_, nodes)| nodes).sum();
    BenchResult { positions, nodes, time: start.elapsed() }
}
