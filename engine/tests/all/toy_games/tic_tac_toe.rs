//! Tic-tac-toe: small enough to be solved, with node counts known from literature.

use engine::search::value::DRAW;
use engine::search::{CORRECTION_KEYS, Game, GameMove, HistoryIndex, MoveClass, Ruling, Value};

/// A cell to mark, kept as its number plus one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell(u16);

impl Cell {
    pub fn new(cell: usize) -> Cell {
        Cell(cell as u16 + 1)
    }

    fn bit(self) -> u16 {
        1 << (self.0 - 1)
    }
}

impl GameMove for Cell {
    const NONE: Cell = Cell(0);

    fn bits(self) -> u16 {
        self.0
    }

    fn from_bits(bits: u16) -> Cell {
        Cell(bits)
    }
}

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// One bit a cell, for the side to move and for the other.
#[derive(Clone, Default)]
pub struct TicTacToe {
    own: u16,
    other: u16,
    past: Vec<(u16, u16)>,
}

impl TicTacToe {
    pub fn new() -> TicTacToe {
        TicTacToe::default()
    }

    pub fn men(&self) -> u32 {
        (self.own | self.other).count_ones()
    }

    /// The side that has just moved has a line.
    pub fn is_won(&self) -> bool {
        LINES.iter().any(|line| self.other & line == *line)
    }
}

impl Game for TicTacToe {
    type Move = Cell;
    type Threats = ();
    const PIECE_TO_COUNT: usize = 18;
    const ROUTE_COUNT: usize = 18;
    const PRIZE_COUNT: usize = 1;

    fn mover(&self) -> usize {
        self.men() as usize % 2
    }

    fn key(&self) -> u64 {
        let packed = u64::from(self.own) << 9 | u64::from(self.other);
        (packed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// Any guess will do.
    fn likely_key_after(&self, _mv: Cell) -> u64 {
        self.key()
    }

    fn play(&mut self, mv: Cell) {
        self.past.push((self.own, self.other));
        (self.own, self.other) = (self.other, self.own | mv.bit());
    }

    fn pass(&mut self) {
        self.past.push((self.own, self.other));
        (self.own, self.other) = (self.other, self.own);
    }

    fn undo(&mut self) {
        (self.own, self.other) = self.past.pop().expect("a move to undo");
    }

    fn may_pass(&self) -> bool {
        true
    }

    fn in_check(&self) -> bool {
        false
    }

    fn generate(&self, stage: MoveClass, emit: impl FnMut(Cell)) {
        if stage == MoveClass::Quiet {
            (0..9).map(Cell::new).filter(|&mv| self.is_plausible(mv)).for_each(emit);
        }
    }

    fn is_plausible(&self, mv: Cell) -> bool {
        (1..=9).contains(&mv.0) && (self.own | self.other) & mv.bit() == 0
    }

    fn is_noisy(&self, _: Cell) -> bool {
        false
    }

    fn gives_check(&self, _: Cell) -> bool {
        false
    }

    fn gain(&self, _: Cell) -> Value {
        0
    }

    fn exchange_at_least(&self, _: Cell, threshold: Value) -> bool {
        threshold <= 0
    }

    fn threats(&self) {}

    fn structure_key(&self) -> u64 {
        0
    }

    fn can_repeat(&self, _ply: usize) -> bool {
        false
    }

    fn history_index(&self, mv: Cell, (): ()) -> HistoryIndex {
        let cell = usize::from(mv.0) - 1 + 9 * self.mover();
        HistoryIndex { piece_to: cell, route: cell, prize: 0 }
    }

    fn correction_keys(&self) -> [u64; CORRECTION_KEYS] {
        [0; CORRECTION_KEYS]
    }

    fn evaluate(&mut self) -> Value {
        DRAW
    }

    fn ruling(&mut self, _: usize, _: i32) -> Ruling {
        if self.is_won() {
            Ruling::Exact(-1)
        } else if self.men() == 9 {
            Ruling::Exact(DRAW)
        } else {
            Ruling::Open
        }
    }

    fn stuck(&self, _: usize) -> Value {
        DRAW
    }
}
