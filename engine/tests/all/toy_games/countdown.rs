//! Countdown: a heap from which both sides take one to three; who takes the last wins. At some
//! heights a side may claim a draw instead of playing on, which is a ruling on one side only.
//! From an even heap to take more than one is noisy, which means nothing, but gives the order of moves
//! something to order.

use search::value::{DRAW, mated_at};
use search::{Game, GameMove, HistoryIndex, Margins, MoveClass, Ruling, Value};

/// How many to take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Take(u16);

impl GameMove for Take {
    const NONE: Take = Take(0);

    fn bits(self) -> u16 {
        self.0
    }

    fn from_bits(bits: u16) -> Take {
        Take(bits)
    }
}

/// A heap, whose turn it is, and what was taken.
#[derive(Clone)]
pub struct Countdown {
    heap: u16,
    mover: usize,
    taken: Vec<u16>,
}

impl Countdown {
    pub fn new(heap: u16) -> Countdown {
        Countdown { heap, mover: 0, taken: Vec::new() }
    }

    fn take(&mut self, count: u16) {
        self.heap -= count;
        self.mover ^= 1;
        self.taken.push(count);
    }
}

impl Game for Countdown {
    type Move = Take;
    type BuiltMargins = &'static Margins;
    type Threats = ();
    const PIECE_TO_COUNT: usize = 6;
    const ROUTE_COUNT: usize = 6;
    const PRIZE_COUNT: usize = 1;

    fn mover(&self) -> usize {
        self.mover
    }

    fn table_key(&self) -> u64 {
        (u64::from(self.heap) * 2 + self.mover as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// Any guess will do.
    fn likely_table_key_after(&self, _mv: Take) -> u64 {
        self.table_key()
    }

    fn likely_table_key_after_pass(&self) -> u64 {
        self.table_key()
    }

    fn play(&mut self, mv: Take) {
        self.take(mv.0);
    }

    fn pass(&mut self) {
        self.take(0);
    }

    fn undo(&mut self) {
        self.heap += self.taken.pop().expect("a move to undo");
        self.mover ^= 1;
    }

    fn may_pass(&self) -> bool {
        false
    }

    fn in_check(&self) -> bool {
        false
    }

    fn generate(&self, class: MoveClass, emit: impl FnMut(Take)) {
        if class == MoveClass::QuietChecks {
            return;
        }
        let noisy = class == MoveClass::Noisy;
        let moves = (1..=3).map(Take).filter(|&mv| self.is_plausible(mv));
        moves.filter(|&mv| self.is_noisy(mv) == noisy).for_each(emit);
    }

    fn is_plausible(&self, mv: Take) -> bool {
        (1..=3).contains(&mv.0) && mv.0 <= self.heap
    }

    fn is_noisy(&self, mv: Take) -> bool {
        self.heap.is_multiple_of(2) && mv.0 > 1
    }

    fn gives_check(&self, _: Take) -> bool {
        false
    }

    fn gain(&self, _: Take) -> Value {
        0
    }

    fn exchange_at_least(&self, _: Take, threshold: Value) -> bool {
        threshold <= 0
    }

    fn threats(&self) {}

    fn structure_key(&self) -> u64 {
        0
    }

    fn history_index(&self, mv: Take, (): ()) -> HistoryIndex {
        let index = usize::from(mv.0) - 1 + 3 * self.mover;
        HistoryIndex { piece_to: index, route: index, prize: 0 }
    }

    /// Anything, as long as it depends on the heap alone: a search must not need it to be right.
    fn evaluate(&mut self) -> Value {
        Value::from(self.heap * 37 % 101) - 50
    }

    /// Above a multiple of five the mover may claim a draw, below one of seven the opponent may.
    fn ruling(&mut self, _: usize, _: i32) -> Ruling {
        match (self.heap % 5, self.heap % 7) {
            _ if self.heap == 0 => Ruling::Open,
            (1, _) => Ruling::AtLeast(DRAW),
            (_, 6) => Ruling::AtMost(DRAW),
            _ => Ruling::Open,
        }
    }

    fn stuck(&self, ply: usize) -> Value {
        mated_at(ply)
    }
}
