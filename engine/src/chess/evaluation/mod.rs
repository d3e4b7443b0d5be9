//! Evaluation: what a quiet position is worth, in centipawns.
//!
//! Every term is declared once, in [`weights`], and used once, in the file of its theme, through a
//! [`Sink`]: in play a sum, for the tuner a list of coefficients. The sums are listed as
//! [`Channel`]s, and [`close`] joins them to one value. Each side fills its own sink; no term knows
//! about signs.

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
pub use channels::{Channel, SUMS, Sides, Sink, Sums};
pub use closing::{ClosingContext, PHASE_MAX, close};
pub use explanation::{Contribution, ExplainedWeight, Explanation, explain};
pub use material::square_gain;
pub use trace::{Trace, TraceEntry, trace};

use self::material::{MaterialCache, MaterialEntry};
use self::pawns::{PawnCache, PawnEntry};
use self::scene::{Placement, Scene};
use self::weights::Weights;
use crate::chess::rules::{Bitboard, Board, Color};

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
    pub fn evaluate(&mut self, board: &Board, weights: &Weights) -> i32 {
        let value = match endgames::known(board, &weights.endgames) {
            Some(value) => value,
            None => {
                let material = MaterialEntry::of(board, weights, &mut self.material);
                let pawns = PawnEntry::of(board, weights, &mut self.pawns);
                let [mut white, mut black] = pawns.sums;
                white.term(&material.lead, 1);
                let scale_base = terms(board, pawns.passed, weights, &mut white, &mut black);
                let context = closing_context(board, material.phase, scale_base);
                close(&Sums::joined(&white, &black), &context, &weights.closing)
            }
        };
        if board.side_to_move() == Color::White { value } else { -value }
    }
}

/// All terms except those of material, and of pawns and kings alone. Returns what the scales start
/// from.
#[inline(always)]
fn terms<S: Sink>(
    board: &Board,
    passed: Bitboard,
    w: &Weights,
    white: &mut S,
    black: &mut S,
) -> [u8; 2] {
    let placement = Placement::new(board);
    let attacks = [
        pieces::pieces::<true, S>(&placement, w, white),
        pieces::pieces::<false, S>(&placement, w, black),
    ];
    let scene = Scene { placement: &placement, attacks };
    side_terms::<true, S>(&scene, passed, w, white);
    side_terms::<false, S>(&scene, passed, w, black);
    space::initiative(&placement, passed, w, white);
    [
        scale::scale::<true, S>(&placement, passed, w, white) as u8,
        scale::scale::<false, S>(&placement, passed, w, black) as u8,
    ]
}

fn side_terms<const WHITE: bool, S: Sink>(
    scene: &Scene,
    passed: Bitboard,
    w: &Weights,
    sink: &mut S,
) {
    material::tempo::<WHITE, S>(scene.placement, w, sink);
    material::pawnless_squares::<WHITE, S>(scene.placement, w, sink);
    passed::advance::<WHITE, S>(scene, passed, w, sink);
    king::danger::<WHITE, S>(scene, w, sink);
    threats::threats::<WHITE, S>(scene, w, sink);
    space::space::<WHITE, S>(scene, w, sink);
}

fn closing_context(board: &Board, phase: u8, scale_base: [u8; 2]) -> ClosingContext {
    ClosingContext {
        phase,
        halfmove_clock: board.halfmove_clock().min(u32::from(u8::MAX)) as u8,
        scale_base,
    }
}
