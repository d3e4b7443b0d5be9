//! Evaluation: what a quiet position is worth, in centipawns.
//!
//! Every term is declared once, in [`weights`], and used once, in the file of its theme, through a
//! [`Sink`]: in play a sum, for the tuner a list of coefficients. The sums are listed as
//! [`Channel`]s, and [`close`] joins them to one value.
//!
//! A term is one statement: `sink.term(&w.pawns.isolated[file], 1)`. It sees neither signs nor
//! colors: each side fills its own sink and plays up the board (`scene.rs`). So each term is
//! compiled once, and the search keeps more of the instruction cache.
//!
//! King danger, initiative and endgame scale are no sums. Their terms go through channels of their
//! own, and the closing formula joins them. The engine computes it with integers, the tuner with
//! dual numbers. The chain rule does the rest, so nobody writes a gradient by hand.

// What terms are added to, and what becomes of the sums.
mod arithmetic;
mod channels;
mod closing;
mod explanation;
mod trace;
pub mod weights;

// What several themes look at.
mod cache;
mod geometry;
mod scene;

// The terms, one file a theme.
mod king;
mod material;
mod passed;
mod pawns;
mod pieces;
mod scale;
mod space;
mod threats;

// Endings that are known instead of estimated.
mod endgames;
mod king_pawn;

pub use arithmetic::Arithmetic;
pub use channels::{Channel, SUMS, Sides, Sink, Sums, TraceEntry};
pub use closing::{ClosingContext, PHASE_MAX, close};
pub use explanation::{Contribution, ExplainedWeight, Explanation, explain};
pub use material::square_gain;
pub use trace::{Trace, trace};

use parameters::Source;

use self::material::{MaterialCache, MaterialEntry};
use self::pawns::{PawnCache, PawnEntry};
use self::scene::{Placement, Scene, Side};
use self::weights::Weights;
use crate::rules::{Bitboard, Board, Color};

/// Evaluates positions in play. Holds caches of material and pawn structures, which never change a
/// value.
///
/// They are good for one set of weights: [`Evaluator::clear`] them before using another.
pub struct Evaluator {
    material: MaterialCache,
    pawns: PawnCache,
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::new()
    }
}

impl Evaluator {
    /// An evaluator with empty caches.
    pub fn new() -> Evaluator {
        Evaluator { material: MaterialCache::new(), pawns: PawnCache::new() }
    }

    /// Forgets everything, so that other weights may be used.
    pub fn clear(&mut self) {
        self.material.clear();
        self.pawns.clear();
    }

    /// Has what is known of the board's pawns fetched from memory: it will be evaluated soon.
    #[inline]
    pub fn expect(&self, board: &Board) {
        self.pawns.prefetch(pawns::cache_key(board));
    }

    /// Value in centipawns from the view of the side to move, always within ±20,000; a function of
    /// board and weights alone.
    pub fn evaluate(&mut self, board: &Board, weights: impl Source<Weights>) -> i32 {
        let value = match endgames::known(board, &weights.endgames) {
            Some(value) => value,
            None => {
                let material = MaterialEntry::of(board, &weights, &mut self.material);
                let pawns = PawnEntry::of(board, weights, &mut self.pawns);
                let mut sums = pawns.sums;
                sums[0].term(&material.lead, 1);
                let scale_base = terms(board, pawns.passed, weights, &mut sums);
                let [white, black] = sums;
                let context = closing_context(board, material.phase, scale_base);
                close(&Sums::joined(&white, &black), &context, &weights.closing)
            }
        };
        if board.side_to_move() == Color::White { value } else { -value }
    }
}

/// All terms except those of material, and of pawns and kings alone; White's and Black's. Returns
/// what the scales start from.
///
/// Each term is for a side that plays up the board: for Black the board is turned around. So the
/// code of a term is there once, and stays near the processor. What stays out of line, and what it
/// calls, takes a [`Source`], so that constants remain constants there; small terms are made part of it
/// and may take a reference. What has just been written is not
/// turned at once, for the processor would have to wait for it.
#[inline(always)]
fn terms<S: Sink>(
    board: &Board,
    passed: Bitboard,
    w: impl Source<Weights>,
    [white, black]: &mut [S; 2],
) -> [u8; 2] {
    let white_side = Side::new(board, Color::White);
    let black_side = Side::new(board, Color::Black);
    let from_black = Placement::new(board, Color::Black, &black_side, &white_side);
    let black_attacks = pieces::pieces(&from_black, w, black);
    let from_white = Placement::new(board, Color::White, &white_side, &black_side);
    let white_attacks = pieces::pieces(&from_white, w, white);
    space::initiative(&from_white, passed, &w, white);
    let scene = Scene {
        placement: &from_white,
        ours: &white_attacks,
        theirs: &black_attacks.turned(),
        passed,
    };
    let white_scale = side_terms(&scene, w, white);
    let scene = Scene {
        placement: &from_black,
        ours: &black_attacks,
        theirs: &white_attacks.turned(),
        passed: passed.flip(),
    };
    let black_scale = side_terms(&scene, w, black);
    [white_scale, black_scale]
}

/// The terms of the own side that look at everything. Returns what its scale starts from.
#[inline(never)]
fn side_terms<S: Sink>(scene: &Scene, w: impl Source<Weights>, sink: &mut S) -> u8 {
    material::tempo(scene.placement, &w, sink);
    material::pawnless_squares(scene.placement, &w, sink);
    passed::advance(scene, w, sink);
    king::danger(scene, w, sink);
    threats::threats(scene, w, sink);
    space::space(scene, &w, sink);
    scale::scale(scene, &w, sink) as u8
}

fn closing_context(board: &Board, phase: u8, scale_base: [u8; 2]) -> ClosingContext {
    ClosingContext {
        phase,
        halfmove_clock: board.halfmove_clock().min(u32::from(u8::MAX)) as u8,
        scale_base,
    }
}
