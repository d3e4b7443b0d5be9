//! Tic-tac-toe: small enough to be solved, with node counts known from literature.
//!
//! ```text
//! 0 1 2
//! 3 4 5
//! 6 7 8
//! ```

use std::fmt;

use search::value::DRAW;
use search::{Game, GameMove, HistoryIndex, Margins, MoveClass, Ruling, Value};
use textbook::TextbookGame;

use super::drivers;

/// A cell to mark, kept as its number plus one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell(u16);

impl Cell {
    /// A cell by its number, 0 to 8.
    pub fn new(cell: usize) -> Cell {
        Cell(cell as u16 + 1)
    }

    /// Its number, 0 to 8.
    pub fn number(self) -> usize {
        usize::from(self.0) - 1
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
#[derive(Clone)]
pub struct TicTacToe {
    own: u16,
    other: u16,
    past: Vec<(u16, u16)>,
    /// The order in which free cells are tried.
    order: [u8; 9],
}

impl Default for TicTacToe {
    fn default() -> TicTacToe {
        TicTacToe::new()
    }
}

impl TicTacToe {
    /// The order of the source's program.
    pub const ORDER: [u8; 9] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

    /// An empty board with the first player to move.
    pub fn new() -> TicTacToe {
        TicTacToe::with_order(TicTacToe::ORDER)
    }

    /// An empty board whose free cells are tried in this order, which must name each cell once.
    pub fn with_order(order: [u8; 9]) -> TicTacToe {
        TicTacToe { own: 0, other: 0, past: Vec::new(), order }
    }

    /// The reply that the source's program finds by alpha-beta to the end of the game, the first of equally
    /// good cells; its value, and the nodes visited. `None` if the game is over.
    pub fn reply(&mut self) -> Option<(Cell, Value, u64)> {
        if self.is_over() {
            return None;
        }
        let found = drivers::search(self, &["alpha_beta"], 9 - self.men());
        Some((found.best, found.score, found.nodes))
    }

    /// Whether somebody has a line, or no cell is free.
    pub fn is_over(&self) -> bool {
        self.is_won() || self.men() == 9
    }

    /// How the games end that the program can be led into as the second player, whatever the first
    /// one tries: (won by the program, drawn, lost).
    pub fn all_games_as_second(&mut self) -> (u32, u32, u32) {
        let mut sum = (0, 0, 0);
        for mv in self.legal_moves() {
            self.play(mv);
            let (won, drawn, lost) = match self.reply() {
                None if self.is_won() => (0, 0, 1),
                None => (0, 1, 0),
                Some((reply, ..)) => {
                    self.play(reply);
                    let found = match self.is_over() {
                        true if self.is_won() => (1, 0, 0),
                        true => (0, 1, 0),
                        false => self.all_games_as_second(),
                    };
                    self.undo();
                    found
                }
            };
            self.undo();
            sum = (sum.0 + won, sum.1 + drawn, sum.2 + lost);
        }
        sum
    }

    /// How many cells are marked.
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
    type BuiltMargins = &'static Margins;
    type Threats = ();
    const PIECE_TO_COUNT: usize = 18;
    const ROUTE_COUNT: usize = 18;
    const PRIZE_COUNT: usize = 1;

    fn mover(&self) -> usize {
        self.men() as usize % 2
    }

    fn table_key(&self) -> u64 {
        let packed = u64::from(self.own) << 9 | u64::from(self.other);
        (packed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// Any guess will do.
    fn likely_table_key_after(&self, _mv: Cell) -> u64 {
        self.table_key()
    }

    fn likely_table_key_after_pass(&self) -> u64 {
        self.table_key()
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
            self.order
                .map(|cell| Cell::new(cell.into()))
                .into_iter()
                .filter(|&mv| self.is_plausible(mv))
                .for_each(emit);
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

    fn history_index(&self, mv: Cell, (): ()) -> HistoryIndex {
        let cell = usize::from(mv.0) - 1 + 9 * self.mover();
        HistoryIndex { piece_to: cell, route: cell, prize: 0 }
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

impl TextbookGame for TicTacToe {}

impl fmt::Display for TicTacToe {
    /// Three rows of crosses (who began), noughts and the numbers of free cells.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first_moves = self.men().is_multiple_of(2);
        for cell in 0..9 {
            let bit = Cell::new(cell).bit();
            let is_own = self.own & bit != 0;
            let separator = if cell % 3 == 2 { '\n' } else { ' ' };
            match is_own || self.other & bit != 0 {
                true => write!(f, "{}{separator}", if is_own == first_moves { 'x' } else { 'o' })?,
                false => write!(f, "{cell}{separator}")?,
            }
        }
        Ok(())
    }
}
