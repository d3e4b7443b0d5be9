//! What earlier nodes taught about moves (to order them) and about the evaluation (to correct it).

use std::marker::PhantomData;

use parameters::Switch;
use parameters::group;

use crate::Margins;
use crate::game::{Game, GameMove, HistoryIndex};
use crate::value::Value;

/// History points lie within this distance of zero: the unit in which margins speak of them.
pub(crate) const HISTORY_LIMIT: i32 = 16_384;
/// Corrections are kept in this fraction of a centipawn: the greatest fits in sixteen bits.
const CORRECTION_GRAIN: i32 = 128;
/// Entries per correction key; a power of two.
const CORRECTIONS: usize = 8192;

/// Entries by the last two moves; a power of two.
const PAIR_CORRECTIONS: usize = 32_768;

/// How far back continuation histories look, in plies.
pub(crate) const CONTINUATIONS: [usize; 4] = [1, 2, 4, 6];
/// Structures that are told apart; a power of two.
const STRUCTURES: usize = 512;

/// Rows of histories that belong to a node.
#[derive(Clone, Copy)]
pub(crate) struct Rows {
    /// Those of the continuation history, by the moves before the node.
    continuation: [usize; CONTINUATIONS.len()],
    /// That of the structure history.
    structure: usize,
}

impl Rows {
    pub(crate) fn new(continuation: [usize; CONTINUATIONS.len()], structure_key: u64) -> Rows {
        Rows { continuation, structure: structure_key as usize % STRUCTURES }
    }

    /// The row of the opponent's last move.
    pub(crate) fn last(&self) -> usize {
        self.continuation[0]
    }
}

/// What [`Histories::quiet`] says of all moves of one node: its rows are found once, which takes 4 %
/// off the instructions of a search.
pub(crate) struct QuietPoints<'a> {
    routes: &'a [i16],
    continuation: [&'a [i16]; CONTINUATIONS.len()],
    /// Percent, as the share of the structure.
    shares: [i32; CONTINUATIONS.len()],
    structure: &'a [i16],
    structure_share: i32,
}

impl QuietPoints<'_> {
    /// Points of a quiet move.
    #[inline]
    pub(crate) fn of(&self, index: HistoryIndex) -> i32 {
        let mut points = self.structure_share * i32::from(self.structure[index.piece_to]);
        for (row, share) in self.continuation.iter().zip(self.shares) {
            points += share * i32::from(row[index.piece_to]);
        }
        i32::from(self.routes[index.route]) + points / 100
    }
}

/// Points per move, raised when the move refutes and lowered when another did.
///
/// CITE: Jonathan Schaeffer, "The History Heuristic" (1983).
pub(crate) struct Histories<G> {
    quiet: Box<[i16]>,
    noisy: Box<[i16]>,
    /// One row for each earlier move, and one that stays zero for "no move".
    continuation: Box<[i16]>,
    /// One row for each structure.
    structure: Box<[i16]>,
    /// The answer that last refuted a move, by the move's piece and destination.
    counter: Box<[u16]>,
    corrections: Box<[i16]>,
    /// Errors by the last two moves.
    pair_corrections: Box<[i16]>,
    game: PhantomData<fn() -> G>,
}

impl<G: Game> Histories<G> {
    /// The row for "no earlier move".
    pub(crate) const NO_ROW: usize = G::PIECE_TO_COUNT;

    pub(crate) fn new() -> Histories<G> {
        let zeros = |count: usize| vec![0; count].into_boxed_slice();
        Histories {
            quiet: zeros(G::ROUTE_COUNT),
            noisy: zeros(G::PIECE_TO_COUNT * G::PRIZE_COUNT),
            continuation: zeros((G::PIECE_TO_COUNT + 1) * G::PIECE_TO_COUNT),
            structure: zeros(STRUCTURES * G::PIECE_TO_COUNT),
            counter: vec![0; G::PIECE_TO_COUNT + 1].into_boxed_slice(),
            corrections: zeros(G::CORRECTION_KEYS * CORRECTIONS),
            pair_corrections: zeros(PAIR_CORRECTIONS),
            game: PhantomData,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.quiet.fill(0);
        self.noisy.fill(0);
        self.continuation.fill(0);
        self.structure.fill(0);
        self.counter.fill(0);
        self.corrections.fill(0);
        self.pair_corrections.fill(0);
    }

    /// Becomes what another is.
    pub(crate) fn copy_from(&mut self, other: &Histories<G>) {
        self.quiet.copy_from_slice(&other.quiet);
        self.noisy.copy_from_slice(&other.noisy);
        self.continuation.copy_from_slice(&other.continuation);
        self.structure.copy_from_slice(&other.structure);
        self.counter.copy_from_slice(&other.counter);
        self.corrections.copy_from_slice(&other.corrections);
        self.pair_corrections.copy_from_slice(&other.pair_corrections);
    }

    /// Points of a quiet move in a node with these rows.
    #[inline]
    pub(crate) fn quiet(&self, margins: &Margins, index: HistoryIndex, rows: Rows) -> i32 {
        let shares = margins.continuation_history.shares();
        let mut points = 0;
        #[expect(
            clippy::needless_range_loop,
            reason = "by index it is unrolled: 6 % fewer instructions"
        )]
        for back in 0..CONTINUATIONS.len() {
            // What does not count is not fetched either.
            if shares[back] != 0 {
                let cell = rows.continuation[back] * G::PIECE_TO_COUNT + index.piece_to;
                points += shares[back] * i32::from(self.continuation[cell]);
            }
        }
        if margins.structure_history.enabled() {
            let cell = rows.structure * G::PIECE_TO_COUNT + index.piece_to;
            points += margins.structure_history.share * i32::from(self.structure[cell]);
        }
        i32::from(self.quiet[index.route]) + points / 100
    }

    /// Where the points of quiet moves stand in a node with these rows.
    #[inline]
    pub(crate) fn quiet_points(&self, margins: &Margins, rows: Rows) -> QuietPoints<'_> {
        let shares = margins.continuation_history.shares();
        let structure_share =
            if margins.structure_history.enabled() { margins.structure_history.share } else { 0 };
        let width = G::PIECE_TO_COUNT;
        let structure = if structure_share == 0 { 0 } else { rows.structure };
        QuietPoints {
            routes: &self.quiet,
            continuation: std::array::from_fn(|back| {
                let row = if shares[back] == 0 { Self::NO_ROW } else { rows.continuation[back] };
                &self.continuation[row * width..][..width]
            }),
            shares,
            structure: &self.structure[structure * width..][..width],
            structure_share,
        }
    }

    /// Points of a noisy move.
    #[inline]
    pub(crate) fn noisy(&self, index: HistoryIndex) -> i32 {
        i32::from(self.noisy[index.piece_to * G::PRIZE_COUNT + index.prize])
    }

    /// The quiet move that last refuted the move of this row.
    pub(crate) fn counter(&self, row: usize) -> G::Move {
        G::Move::from_bits(self.counter[row])
    }

    /// Rewards (or, with a negative bonus, blames) a quiet move.
    pub(crate) fn update_quiet(
        &mut self,
        margins: &Margins,
        index: HistoryIndex,
        rows: Rows,
        bonus: i32,
    ) {
        self.update_route(margins, index, bonus);
        self.update_continuation(margins, index, rows, bonus);
        if margins.structure_history.enabled() {
            let cell = rows.structure * G::PIECE_TO_COUNT + index.piece_to;
            gravitate(&mut self.structure[cell], bonus);
        }
    }

    /// Rewards or blames a quiet move wherever it is played.
    pub(crate) fn update_route(&mut self, margins: &Margins, index: HistoryIndex, bonus: i32) {
        if margins.quiet_history.enabled() {
            gravitate(&mut self.quiet[index.route], bonus);
        }
    }

    /// Rewards or blames a quiet move as an answer to the moves of `rows`.
    pub(crate) fn update_continuation(
        &mut self,
        margins: &Margins,
        index: HistoryIndex,
        rows: Rows,
        bonus: i32,
    ) {
        if margins.continuation_history.enabled() {
            let shares = margins.continuation_history.shares();
            for (row, share) in rows.continuation.into_iter().zip(shares) {
                if row == Self::NO_ROW || share == 0 {
                    continue;
                }
                let cell = row * G::PIECE_TO_COUNT + index.piece_to;
                gravitate(&mut self.continuation[cell], bonus);
            }
        }
    }

    /// Rewards (or, with a negative bonus, blames) a noisy move.
    pub(crate) fn update_noisy(&mut self, margins: &Margins, index: HistoryIndex, bonus: i32) {
        if margins.capture_history.enabled() {
            gravitate(&mut self.noisy[index.piece_to * G::PRIZE_COUNT + index.prize], bonus);
        }
    }

    /// Remembers the quiet move that refuted the move of this row.
    pub(crate) fn set_counter(&mut self, margins: &Margins, row: usize, mv: G::Move) {
        if margins.counter_move.enabled() {
            self.counter[row] = mv.bits();
        }
    }

    /// By how much the search found evaluations of similar positions to be wrong.
    #[inline]
    pub(crate) fn correction(
        &self,
        margins: &Margins,
        keys: impl IntoIterator<Item = u64>,
        (last, before_last): (usize, usize),
    ) -> Value {
        if !margins.correction_history.enabled() {
            return 0;
        }
        let mut sum = 0;
        for (index, key) in keys.into_iter().enumerate() {
            let entry = self.corrections[correction_cell(index, key)];
            sum += correction_weight(margins, index) * i32::from(entry);
        }
        let pair = self.pair_corrections[Self::pair_cell(last, before_last)];
        sum += margins.correction_history.continuation_weight * i32::from(pair);
        sum / (CORRECTION_GRAIN * 100)
    }

    /// Remembers by how much the search's value differed from the evaluation; deeper searches count
    /// for more.
    pub(crate) fn correct(
        &mut self,
        margins: &Margins,
        keys: impl IntoIterator<Item = u64>,
        (last, before_last): (usize, usize),
        depth: i32,
        difference: Value,
    ) {
        if !margins.correction_history.enabled() {
            return;
        }
        let margins = &margins.correction_history;
        let (weight, whole) = (margins.learning(depth), margins.learning_divisor);
        let target = difference.clamp(-margins.limit, margins.limit) * CORRECTION_GRAIN;
        let learned =
            |entry: i16| ((i32::from(entry) * (whole - weight) + target * weight) / whole) as i16;
        for (index, key) in keys.into_iter().enumerate() {
            let entry = &mut self.corrections[correction_cell(index, key)];
            *entry = learned(*entry);
        }
        let entry = &mut self.pair_corrections[Self::pair_cell(last, before_last)];
        *entry = learned(*entry);
    }

    /// Where the errors after the moves of these two rows are kept.
    fn pair_cell(last: usize, before_last: usize) -> usize {
        let pair = (last * (G::PIECE_TO_COUNT + 1) + before_last) as u32;
        (pair.wrapping_mul(0x9E37_79B1) >> 17) as usize % PAIR_CORRECTIONS
    }
}

group! {
    /// Killers: quiet moves that refuted a sibling are tried early (Kornilov after p. 142, killer).
    Killer, sound {
        /// Killers on or off.
        enabled: Switch = true,
    }
}

group! {
    /// Counter move: the quiet move that last refuted the opponent's move is tried early.
    CounterMove, sound {
        /// Counter moves on or off.
        enabled: Switch = true,
    }
}

group! {
    /// Quiet history: quiet moves are ordered by their success anywhere in the tree (Kornilov after
    /// p. 142, history).
    QuietHistory, sound {
        /// Quiet history on or off.
        enabled: Switch = true,
        /// Whether moves from and to attacked squares have a history of their own.
        by_threats: Switch,
    }
}

group! {
    /// Capture history: noisy moves are ordered by their success as well as by gain.
    CaptureHistory, sound {
        /// Capture history on or off.
        enabled: Switch = true,
    }
}

group! {
    /// Structure history: quiet moves are ordered by their success in positions of the same pawn
    /// structure.
    StructureHistory, sound {
        /// Structure history on or off.
        enabled: Switch,
        /// How much it counts against quiet history (percent).
        share: i32 = 100 in 0..=200 step 15,
    }
}

group! {
    /// Continuation history: quiet moves are ordered by their success after the moves one, two,
    /// four and six plies before.
    ContinuationHistory, sound {
        /// Continuation history on or off.
        enabled: Switch = true,
        /// How much that after the last move counts against quiet history (percent).
        share_1: i32 = 100 in 0..=200 step 15,
        /// How much that after the move two plies before counts (percent).
        share_2: i32 = 100 in 0..=200 step 15,
        /// How much that after the move four plies before counts (percent).
        share_4: i32 = 100 in 0..=200 step 15,
        /// How much that after the move six plies before counts (percent).
        share_6: i32 in 0..=200 step 15,
    }
}

group! {
    /// What all histories learn from a move that refutes its node.
    History, sound {
        /// Bonus for a success, per ply of depth left (points).
        bonus_margin: i32 = 150 in 20..=500 step 20,
        /// What is taken off the bonus (points).
        bonus_base: i32 = 60 in 0..=400 step 20,
        /// Greatest bonus (points).
        bonus_max: i32 = 1600 in 400..=4000 step 150,
        /// Penalty for moves tried before the successful one, as a share of its bonus (percent).
        penalty: i32 = 90 in 20..=200 step 10,
    }
}

group! {
    /// Correction history: the evaluation is corrected by its past errors in similar positions.
    CorrectionHistory, sound {
        /// Correction history on or off.
        enabled: Switch = true,
        /// Share of the error by pawn structure that is applied (percent).
        pawn_weight: i32 = 50 in 0..=200 step 10,
        /// Share of the error by each side's pieces that is applied (percent).
        non_pawn_weight: i32 = 25 in 0..=200 step 10,
        /// Share of the error by the last two moves that is applied (percent).
        continuation_weight: i32 in 0..=200 step 10,
        /// Greatest error that is remembered (centipawns).
        limit: i32 = 128 in 16..=255 step 16,
        /// Greatest weight of a new error; below it, one more than the depth it was found at
        /// (parts of the divisor).
        learning_max: i32 = 16 in 1..=64 step 2,
        /// Weight of all errors together, the new one and those remembered (parts).
        learning_divisor: i32 = 256 in 64..=1024 step 32,
    }
}

impl History {
    /// Points for success at this depth.
    #[inline]
    pub(crate) fn bonus(&self, depth: i32) -> i32 {
        (self.bonus_margin * depth - self.bonus_base).clamp(0, self.bonus_max)
    }

    /// Points, below zero, of a move that was tried before the one with this bonus.
    #[inline]
    pub(crate) fn blame(&self, bonus: i32) -> i32 {
        -bonus * self.penalty / 100
    }
}

impl ContinuationHistory {
    /// How much each of [`CONTINUATIONS`] counts (percent).
    #[inline]
    fn shares(&self) -> [i32; CONTINUATIONS.len()] {
        [self.share_1, self.share_2, self.share_4, self.share_6]
    }
}

impl CorrectionHistory {
    /// The weight of an error found at this depth, in parts of the divisor.
    pub(crate) fn learning(&self, depth: i32) -> i32 {
        (depth + 1).min(self.learning_max)
    }
}

/// Moves an entry towards the limit on the bonus's side, the less the nearer it is already.
#[inline]
fn gravitate(entry: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-HISTORY_LIMIT, HISTORY_LIMIT);
    let now = i32::from(*entry);
    *entry = (now + bonus - now * bonus.abs() / HISTORY_LIMIT) as i16;
}

fn correction_cell(index: usize, key: u64) -> usize {
    index * CORRECTIONS + key as usize % CORRECTIONS
}

fn correction_weight(margins: &Margins, index: usize) -> i32 {
    match index {
        0 => margins.correction_history.pawn_weight,
        _ => margins.correction_history.non_pawn_weight,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_stay_within_the_limit_and_fade() {
        let mut entry = 0;
        for _ in 0..1000 {
            gravitate(&mut entry, 2_000);
        }
        assert!(i32::from(entry) > HISTORY_LIMIT * 9 / 10 && i32::from(entry) <= HISTORY_LIMIT);
        for _ in 0..1000 {
            gravitate(&mut entry, -40_000);
        }
        assert_eq!(i32::from(entry), -HISTORY_LIMIT);
    }
}
