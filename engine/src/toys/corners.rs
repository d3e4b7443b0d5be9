//! Corners (Ugolki): two camps of twelve men change places on an 8×8 board by steps and jumps.
//!
//! A man goes one step along a row or file, or jumps over any man next to it, as often as he can.

use std::fmt;
use std::str::FromStr;

use search::value::mated_at;
use search::{Game, GameMove, HistoryIndex, Margins, MoveClass, Ruling, Value};
use textbook::TextbookGame;

/// Worth of a man of the first side by its cell, row by row; the second side's table is turned
/// around. It rises steeply in the far corner.
const WORTH: [i32; 64] = [
    1, 2, 3, 4, 5, 6, 7, 8, //
    9, 10, 11, 12, 13, 14, 15, 16, //
    10, 17, 18, 19, 20, 21, 22, 23, //
    11, 18, 24, 25, 26, 27, 28, 29, //
    12, 19, 25, 30, 31, 32, 33, 34, //
    13, 20, 26, 31, 401, 402, 403, 404, //
    14, 21, 27, 32, 402, 405, 406, 407, //
    15, 22, 28, 33, 403, 406, 408, 409,
];

/// Three rows of four in the first side's corner.
const CAMP: u64 = 0x000F_0F0F;

/// From and to, six bits each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hop(u16);

impl Hop {
    pub(super) fn new(from: usize, to: usize) -> Hop {
        Hop((from << 6 | to) as u16)
    }

    /// The cell that is left, row by row from the first side's corner.
    pub fn from(self) -> usize {
        usize::from(self.0 >> 6 & 63)
    }

    /// The cell that is reached.
    pub fn to(self) -> usize {
        usize::from(self.0 & 63)
    }
}

impl GameMove for Hop {
    const NONE: Hop = Hop(0);

    fn bits(self) -> u16 {
        self.0
    }

    fn from_bits(bits: u16) -> Hop {
        Hop(bits)
    }
}

/// One bit a cell and side.
#[derive(Clone)]
pub struct Corners {
    men: [u64; 2],
    mover: usize,
    past: Vec<[u64; 2]>,
    /// Moves are tried in the order of what they gain, the greatest first.
    best_first: bool,
}

fn cells_of(mut men: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = men.trailing_zeros() as usize;
        men &= men.wrapping_sub(1);
        (cell < 64).then_some(cell)
    })
}

/// The cell `steps` away in one of the four directions.
pub(super) fn step(cell: usize, direction: usize, steps: i32) -> Option<usize> {
    let (file, rank) = (cell as i32 % 8, cell as i32 / 8);
    let (right, down) = [(-1, 0), (1, 0), (0, -1), (0, 1)][direction];
    let (file, rank) = (file + right * steps, rank + down * steps);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as usize)
}

impl Corners {
    /// The cells that the first side's men are to reach, a bit each.
    pub const GOAL: u64 = CAMP.reverse_bits();

    /// The start of a game.
    pub fn new() -> Corners {
        let men = [CAMP, CAMP.reverse_bits()];
        Corners { men, mover: 0, past: Vec::new(), best_first: false }
    }

    /// The same game, but moves that gain most are tried first.
    pub fn best_first(self) -> Corners {
        Corners { best_first: true, ..self }
    }

    /// Without the second side's men.
    pub fn alone() -> Corners {
        Corners { men: [CAMP, 0], ..Corners::new() }
    }

    /// The first side is in the other's camp.
    pub fn is_home(&self) -> bool {
        self.men[0] == Corners::GOAL
    }

    /// How far both sides have come, in the worth of their men.
    pub fn progress(&self) -> i32 {
        let start = Corners::new();
        self.worth(0) + self.worth(1) - start.worth(0) - start.worth(1)
    }

    /// The cells of a side's men, row by row.
    pub fn cells(&self, side: usize) -> impl Iterator<Item = usize> {
        cells_of(self.men[side])
    }

    /// The gain of a move in the worth of its man, for the side to move.
    fn gain_of(&self, mv: Hop) -> Value {
        worth_of(self.mover, mv.to()) - worth_of(self.mover, mv.from())
    }

    /// Whether the second side is in the first's camp.
    pub fn is_second_home(&self) -> bool {
        self.men[1] == CAMP
    }

    fn worth(&self, side: usize) -> i32 {
        cells_of(self.men[side]).map(|cell| worth_of(side, cell)).sum()
    }

    /// Cells that a man can reach: by one step, or by any chain of jumps over men.
    fn targets(&self, from: usize) -> u64 {
        let occupied = (self.men[0] | self.men[1]) & !(1 << from);
        let is_free = |cell: usize| occupied >> cell & 1 == 0;
        let steps = (0..4).filter_map(|direction| step(from, direction, 1));
        let mut targets = steps.filter(|&cell| is_free(cell)).fold(0, |set, cell| set | 1 << cell);
        let mut seen = 1u64 << from;
        let mut open = vec![from];
        while let Some(cell) = open.pop() {
            for direction in 0..4 {
                let over = step(cell, direction, 1).is_some_and(|over| !is_free(over));
                if let Some(to) = step(cell, direction, 2)
                    && over
                    && is_free(to)
                    && seen >> to & 1 == 0
                {
                    seen |= 1 << to;
                    targets |= 1 << to;
                    open.push(to);
                }
            }
        }
        targets
    }
}

/// The worth of a man of a side on a cell.
pub(super) fn worth_of(side: usize, cell: usize) -> i32 {
    WORTH[if side == 0 { cell } else { 63 - cell }]
}

impl Game for Corners {
    type Move = Hop;
    type BuiltMargins = &'static Margins;
    type Threats = ();
    const PIECE_TO_COUNT: usize = 128;
    const ROUTE_COUNT: usize = 8192;
    const PRIZE_COUNT: usize = 1;

    fn mover(&self) -> usize {
        self.mover
    }

    fn table_key(&self) -> u64 {
        let mix = |key: u64, number: u64| {
            let mixed = (key ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            mixed ^ mixed >> 29
        };
        mix(mix(mix(1, self.mover as u64), self.men[0]), self.men[1])
    }

    /// Any guess will do.
    fn likely_table_key_after(&self, _mv: Hop) -> u64 {
        self.table_key()
    }

    fn likely_table_key_after_pass(&self) -> u64 {
        self.table_key()
    }

    fn play(&mut self, mv: Hop) {
        self.past.push(self.men);
        self.men[self.mover] ^= 1 << mv.from() | 1 << mv.to();
        self.mover ^= 1;
    }

    fn pass(&mut self) {
        self.past.push(self.men);
        self.mover ^= 1;
    }

    fn undo(&mut self) {
        self.men = self.past.pop().expect("a move to undo");
        self.mover ^= 1;
    }

    fn may_pass(&self) -> bool {
        true
    }

    fn in_check(&self) -> bool {
        false
    }

    fn generate(&self, stage: MoveClass, emit: impl FnMut(Hop)) {
        if stage == MoveClass::Quiet {
            let hops = cells_of(self.men[self.mover])
                .flat_map(|from| cells_of(self.targets(from)).map(move |to| Hop::new(from, to)));
            if !self.best_first {
                return hops.for_each(emit);
            }
            let mut hops: Vec<Hop> = hops.collect();
            hops.sort_by_key(|&hop| -self.gain_of(hop));
            hops.into_iter().for_each(emit);
        }
    }

    fn is_plausible(&self, mv: Hop) -> bool {
        self.men[self.mover] >> mv.from() & 1 == 1 && self.targets(mv.from()) >> mv.to() & 1 == 1
    }

    fn is_noisy(&self, _: Hop) -> bool {
        false
    }

    fn gives_check(&self, _: Hop) -> bool {
        false
    }

    fn gain(&self, _: Hop) -> Value {
        0
    }

    fn exchange_at_least(&self, _: Hop, threshold: Value) -> bool {
        threshold <= 0
    }

    fn threats(&self) {}

    fn structure_key(&self) -> u64 {
        0
    }

    fn history_index(&self, mv: Hop, (): ()) -> HistoryIndex {
        let side = self.mover;
        HistoryIndex {
            piece_to: side * 64 + mv.to(),
            route: side * 4096 + usize::from(mv.0),
            prize: 0,
        }
    }

    fn evaluate(&mut self) -> Value {
        self.worth(self.mover) - self.worth(self.mover ^ 1)
    }

    fn ruling(&mut self, ply: usize, _: i32) -> Ruling {
        let opponent = self.mover ^ 1;
        let goal = if opponent == 0 { CAMP.reverse_bits() } else { CAMP };
        if self.men[opponent] == goal { Ruling::Exact(mated_at(ply)) } else { Ruling::Open }
    }

    fn stuck(&self, ply: usize) -> Value {
        mated_at(ply)
    }
}

impl TextbookGame for Corners {
    fn traits_of(&self, mv: Hop) -> textbook::MoveTraits {
        let positional_gain = self.gain_of(mv);
        textbook::MoveTraits { positional_gain, ..textbook::MoveTraits::default() }
    }
}

impl Default for Corners {
    fn default() -> Corners {
        Corners::new()
    }
}

impl fmt::Display for Corners {
    /// Eight rows, the first side's men `x` and the second's `o`, with letters and numbers around.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..8 {
            write!(f, "{}", row + 1)?;
            for cell in 8 * row..8 * row + 8 {
                let has = |side: usize| self.men[side] >> cell & 1 == 1;
                f.write_str(if has(0) {
                    " x"
                } else if has(1) {
                    " o"
                } else {
                    " ."
                })?;
            }
            writeln!(f)?;
        }
        writeln!(f, "  a b c d e f g h")
    }
}

impl fmt::Display for Hop {
    /// Both cells, by column and row: `d3d4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |cell: usize| (char::from(b'a' + (cell % 8) as u8), cell / 8 + 1);
        let ((from, from_row), (to, to_row)) = (name(self.from()), name(self.to()));
        write!(f, "{from}{from_row}{to}{to_row}")
    }
}

impl FromStr for Hop {
    type Err = String;

    /// Reads both cells, by column and row; blanks between them do not matter. The error says what was
    /// expected.
    fn from_str(text: &str) -> Result<Hop, String> {
        let signs: Vec<u8> = text.bytes().filter(|sign| !b" -".contains(sign)).collect();
        match signs[..] {
            [a @ b'a'..=b'h', b @ b'1'..=b'8', c @ b'a'..=b'h', d @ b'1'..=b'8'] => {
                let cell = |column, row| usize::from(8 * (row - b'1') + (column - b'a'));
                Ok(Hop::new(cell(a, b), cell(c, d)))
            }
            _ => Err(format!("`{text}` is not written as a move such as d3d4")),
        }
    }
}
