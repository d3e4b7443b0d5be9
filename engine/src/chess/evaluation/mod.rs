//! Evaluation: what a quiet position is worth, in centipawns.
//!
//! Every term is declared once, in `weights.rs`, and used once, in the file of its
//! theme, through a [`Sink`]: in play a sum, for the tuner a list of coefficients. [`close`] joins
//! the sums to one value. Each side fills its own sink; no term knows about signs.

mod closing;
mod endgames;
mod king;
mod king_pawn;
mod material;
mod passed;
mod pawns;
mod pieces;
mod report;
mod scale;
mod scene;
mod sink;
mod space;
mod threats;
pub mod weights;

pub use closing::{Context, Number, PHASE_MAX, Sums, close};
pub use report::{Report, report};
pub use sink::{CHANNELS, DANGER, INITIATIVE, MAIN, SCALE, Sink, TraceEntry};

use self::pawns::{PawnCache, PawnEntry, Skeleton};
use self::scene::Scene;
use self::sink::{Recorder, Sum};
use self::weights::Weights;
use crate::chess::rules::{Bitboard, Board, Color};
use crate::parameters::CellKind;

/// Evaluates positions in play. Holds a cache of pawn structures, which never changes a value.
///
/// The cache is good for one set of weights: [`Evaluator::clear`] it before using another.
pub struct Evaluator {
    cache: PawnCache,
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::new()
    }
}

impl Evaluator {
    /// An evaluator with an empty cache.
    pub fn new() -> Evaluator {
        Evaluator { cache: PawnCache::new() }
    }

    /// Forgets everything, so that other weights may be used.
    pub fn clear(&mut self) {
        self.cache.clear();
    }

    /// Value in centipawns from the view of the side to move, always within ±20,000; a function of
    /// board and weights alone.
    pub fn evaluate(&mut self, board: &Board, weights: &Weights) -> i32 {
        let value = match endgames::known(board) {
            Some(value) => value,
            None => {
                let pawns = self.cache.entry(board, weights);
                let (sums, context) = sums(board, &pawns, weights);
                close(&sums, &context)
            }
        };
        if board.side_to_move() == Color::White { value } else { -value }
    }
}

/// Sums of play: cached pawn structure plus everything else.
#[inline]
fn sums(board: &Board, pawns: &PawnEntry, weights: &Weights) -> (Sums<i32>, Context) {
    let (mut white, mut black) = (Sum::default(), Sum::default());
    let scale_base = terms(board, pawns.passed, weights, &mut white, &mut black);
    let main = pawns.main + white.main - black.main;
    let danger = [pawns.danger[0] + white.danger, pawns.danger[1] + black.danger];
    let initiative = white.initiative + black.initiative;
    let sums = Sums::packed(main, danger, initiative, [white.scale, black.scale]);
    (sums, context(board, scale_base))
}

/// All terms except those of pawns and kings alone. Returns what the scales start from.
#[inline(always)]
fn terms<S: Sink>(
    board: &Board,
    passed: Bitboard,
    w: &Weights,
    white: &mut S,
    black: &mut S,
) -> [u8; 2] {
    let mut scene = Scene::new(board);
    pieces::pieces::<true, S>(&mut scene, w, white);
    pieces::pieces::<false, S>(&mut scene, w, black);
    // The scene is complete from here on.
    side_terms::<true, S>(&scene, passed, w, white);
    side_terms::<false, S>(&scene, passed, w, black);
    space::initiative(&scene, passed, w, white);
    [
        scale::scale::<true, S>(&scene, passed, w, white) as u8,
        scale::scale::<false, S>(&scene, passed, w, black) as u8,
    ]
}

fn side_terms<const WHITE: bool, S: Sink>(
    scene: &Scene,
    passed: Bitboard,
    w: &Weights,
    sink: &mut S,
) {
    material::material::<WHITE, S>(scene, w, sink);
    material::squares::<WHITE, S>(scene, w, sink);
    passed::advance::<WHITE, S>(scene, passed, w, sink);
    king::danger::<WHITE, S>(scene, w, sink);
    threats::threats::<WHITE, S>(scene, w, sink);
    space::space::<WHITE, S>(scene, w, sink);
}

fn context(board: &Board, scale_base: [u8; 2]) -> Context {
    Context {
        phase: material::phase(board),
        halfmove_clock: board.halfmove_clock().min(u32::from(u8::MAX)) as u8,
        white_to_move: board.side_to_move() == Color::White,
        scale_base,
    }
}

/// Everything the tuner needs to compute a position's value for any weights near the traced ones.
#[derive(Clone, Default, Debug)]
pub struct Trace {
    /// One entry per cell and channel, in no particular (but a fixed) order, none with zero times.
    pub entries: Vec<TraceEntry>,
    /// The rest of what [`close`] needs.
    pub context: Context,
    /// White's value, if endgame knowledge answered: there is nothing to tune then, and `entries`
    /// is empty.
    pub exact: Option<i32>,
    /// Black's entries, and a counter per cell and side: kept for the next trace, all zero between.
    black: Vec<TraceEntry>,
    counters: Vec<i16>,
}

impl Trace {
    /// An empty trace, to be filled by [`trace`].
    pub fn new() -> Trace {
        Trace::default()
    }

    /// Channel sums for the given weights, in any number type.
    pub fn sums<T: Number>(&self, weights: &Weights) -> Sums<T> {
        let mut sums = Sums::<T>::zero();
        let cells = Cells::new(weights);
        for entry in &self.entries {
            let (middlegame, endgame) = cells.halves(entry.cell);
            let channel = usize::from(entry.channel);
            let times = i32::from(entry.times);
            sums.middlegame[channel] = sums.middlegame[channel] + T::from_i32(middlegame * times);
            sums.endgame[channel] = sums.endgame[channel] + T::from_i32(endgame * times);
        }
        sums
    }
}

/// Weights by cell number.
struct Cells<'a> {
    weights: &'a Weights,
}

impl<'a> Cells<'a> {
    fn new(weights: &'a Weights) -> Cells<'a> {
        Cells { weights }
    }

    /// The two numbers of a cell; a Scalar is all endgame.
    fn halves(&self, cell: u16) -> (i32, i32) {
        let value = self.weights.cells()[usize::from(cell)];
        match info_of(cell).kind {
            CellKind::Score => {
                let score: crate::parameters::Score = bytemuck::cast(value);
                (score.middlegame(), score.endgame())
            }
            CellKind::Scalar => (0, value),
        }
    }
}

/// The declared weight that a cell belongs to.
fn info_of(cell: u16) -> &'static crate::parameters::Declaration {
    let index =
        Weights::INFO.partition_point(|info| info.first_cell + info.length <= usize::from(cell));
    &Weights::INFO[index]
}

/// Clears and fills `trace`: the coefficients of every weight in this position. `weights` gives the
/// addresses only; the trace does not depend on their values.
pub fn trace(board: &Board, weights: &Weights, trace: &mut Trace) {
    trace.exact = endgames::known(board);
    trace.context = context(board, [0; 2]);
    if trace.exact.is_some() {
        trace.entries.clear();
        return;
    }
    let entries = std::mem::take(&mut trace.entries);
    let black = std::mem::take(&mut trace.black);
    (trace.entries, trace.black, trace.context.scale_base) = record(board, weights, entries, black);
    trace.entries.extend_from_slice(&trace.black);
    merge(&mut trace.entries, &mut trace.counters, weights.cells().len());
}

/// White's entries, Black's (in the given vectors, reused), and what the scales start from.
fn record(
    board: &Board,
    weights: &Weights,
    white: Vec<TraceEntry>,
    black: Vec<TraceEntry>,
) -> (Vec<TraceEntry>, Vec<TraceEntry>, [u8; 2]) {
    let mut white = Recorder::new(weights, 0, white);
    let mut black = Recorder::new(weights, 1, black);
    let skeleton = Skeleton::new(board);
    let passed = pawns::skeleton::<true, _>(&skeleton, weights, &mut white)
        | pawns::skeleton::<false, _>(&skeleton, weights, &mut black);
    let scale_base = terms(board, passed, weights, &mut white, &mut black);
    (white.entries, black.entries, scale_base)
}

/// Adds up the entries of the same cell and channel, drops zeros. A cell speaks to one channel, or
/// to one for White and one for Black, so that a counter per cell and side tells them apart.
fn merge(entries: &mut Vec<TraceEntry>, counters: &mut Vec<i16>, cells: usize) {
    counters.resize(2 * cells, 0);
    let slot = |entry: &TraceEntry| {
        let channel = usize::from(entry.channel);
        let black = channel == DANGER + 1 || channel == SCALE + 1;
        usize::from(entry.cell) + if black { cells } else { 0 }
    };
    for entry in entries.iter() {
        counters[slot(entry)] += entry.times;
    }
    entries.retain_mut(|entry| {
        entry.times = std::mem::take(&mut counters[slot(entry)]);
        entry.times != 0
    });
}
