//! The bench: a fixed search of fixed positions. Its node count is the engine's signature: it
//! changes when, and only when, what the engine plays changes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use playable::nodes_per_second;
use search::{self, Control, Cutoffs, Limits, Memory};

use crate::game::ChessGame;
use crate::rules::Position;
use crate::sets::Parameters;

/// The positions, one a line, each with its name: openings, middlegames, endgames, mates.
const POSITIONS: &str = include_str!("../../../data/bench.epd");

/// Depth of a bench nobody gave a depth, in plies.
pub const DEFAULT_DEPTH: u32 = 13;
/// The same for the textbook's search, whose tree grows faster.
const TEXTBOOK_DEPTH: u32 = 4;

/// Depth of a bench with these numbers that nobody gave a depth, in plies.
pub fn default_depth(parameters: &Parameters) -> u32 {
    if parameters.textbook.is_some() { TEXTBOOK_DEPTH } else { DEFAULT_DEPTH }
}

/// Megabytes of the bench's own transposition table.
const HASH: usize = 16;

/// A bench's node counts, and the time of its searches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BenchResult {
    /// Nodes of each position, in order, with the position's name.
    pub positions: Vec<(&'static str, u64)>,
    /// Sum over all positions.
    pub nodes: u64,
    /// Time taken by the searches alone.
    pub time: Duration,
    /// Counts of the moves that refuted their nodes, if they were asked for; none of the textbook's search.
    pub cutoffs: Option<Cutoffs>,
}

impl BenchResult {
    /// Nodes searched per second of the time taken.
    pub fn speed(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// The bench positions with their names, in the order of their file.
pub fn positions() -> impl Iterator<Item = (&'static str, Position)> {
    POSITIONS.lines().map(|line| {
        let (fen, operations) = line.split_once(" id \"").expect("each bench position has a name");
        let name = operations.trim_end_matches("\";");
        (name, Position::from_fen(fen).expect("bench positions are correct"))
    })
}

/// Searches every bench position to `depth` plies, each with an empty memory, calling `on_position` with
/// the name and nodes of each. Nodes depend on nothing but parameters and depth.
pub fn bench(
    parameters: &Arc<Parameters>,
    depth: u32,
    on_position: &mut dyn FnMut(&str, u64),
) -> BenchResult {
    bench_until(parameters, depth, BenchMode::AsInPlay, &Control::new(), on_position)
        .expect("nobody else has the control to stop it")
}

/// How the bench positions are searched: the nodes are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BenchMode {
    /// As in play.
    AsInPlay,
    /// Without the numbers of the build as constants: as fast as with other numbers.
    WithoutConstants,
    /// Likewise, and counts which moves refute their nodes.
    CountingCutoffs,
}

/// [`bench()`] in any mode, unless `control` stops it before the last position is searched: then none.
pub fn bench_until(
    parameters: &Arc<Parameters>,
    depth: u32,
    mode: BenchMode,
    control: &Control,
    on_position: &mut dyn FnMut(&str, u64),
) -> Option<BenchResult> {
    let mut game = ChessGame::new(Arc::clone(parameters));
    game.set_constants(mode == BenchMode::AsInPlay);
    let mut memory = Memory::new(HASH);
    let (margins, limits) = (&parameters.margins, Limits::depth(depth));
    let mut result = BenchResult {
        positions: Vec::new(),
        nodes: 0,
        time: Duration::ZERO,
        cutoffs: (mode == BenchMode::CountingCutoffs && parameters.textbook.is_none())
            .then(Cutoffs::default),
    };
    for (name, position) in positions() {
        // Not a part of the time: clearing the table takes as long whatever the engine's speed.
        memory.clear();
        game.set_position(&position);
        let start = Instant::now();
        let found = match (&parameters.textbook, &mut result.cutoffs) {
            (Some(methods), _) => {
                let memory = &mut textbook::Memory::default();
                crate::textbook::search(&mut game, methods, memory, &limits, control, &mut |_| {})
            }
            (None, None) => {
                search::search(&mut game, margins, &mut memory, &limits, control, &mut |_| {})
            }
            (None, Some(all)) => {
                let (found, cutoffs) = search::search_counting_cutoffs(
                    &mut game,
                    margins,
                    &mut memory,
                    &limits,
                    control,
                    &mut |_| {},
                );
                all.add(&cutoffs);
                found
            }
        };
        result.time += start.elapsed();
        if control.is_stopped() {
            return None;
        }
        result.nodes += found.nodes;
        result.positions.push((name, found.nodes));
        on_position(name, found.nodes);
    }
    Some(result)
}
