//! Corners (Ugolki): two camps of twelve men change places on an 8×8 board by steps and jumps.

use engine::search::value::{INFINITY, mated_at};
use engine::search::{CORRECTION_KEYS, Game, GameMove, HistoryIndex, MoveClass, Ruling, Value};

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
    fn new(from: usize, to: usize) -> Hop {
        Hop((from << 6 | to) as u16)
    }

    fn from(self) -> usize {
        usize::from(self.0 >> 6 & 63)
    }

    fn to(self) -> usize {
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
}

fn cells_of(mut men: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = men.trailing_zeros() as usize;
        men &= men.wrapping_sub(1);
        (cell < 64).then_some(cell)
    })
}

/// The cell `steps` away in one of the four directions.
fn step(cell: usize, direction: usize, steps: i32) -> Option<usize> {
    let (file, rank) = (cell as i32 % 8, cell as i32 / 8);
    let (right, down) = [(-1, 0), (1, 0), (0, -1), (0, 1)][direction];
    let (file, rank) = (file + right * steps, rank + down * steps);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as usize)
}

impl Corners {
    pub fn new() -> Corners {
        Corners { men: [CAMP, CAMP.reverse_bits()], mover: 0, past: Vec::new() }
    }

    /// Without the second side's men.
    pub fn alone() -> Corners {
        Corners { men: [CAMP, 0], ..Corners::new() }
    }

    /// The first side is in the other's camp.
    pub fn is_home(&self) -> bool {
        self.men[0] == CAMP.reverse_bits()
    }

    /// How far both sides have come.
    pub fn progress(&self) -> i32 {
        let start = Corners::new();
        self.worth(0) + self.worth(1) - start.worth(0) - start.worth(1)
    }

    fn worth(&self, side: usize) -> i32 {
        cells_of(self.men[side]).map(|cell| worth_of(side, cell)).sum()
    }

    /// HistoryIndex a man can reach: one step, or any chain of jumps over men.
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

fn worth_of(side: usize, cell: usize) -> i32 {
    WORTH[if side == 0 { cell } else { 63 - cell }]
}

/// The best gain of the mover in so many moves of its own, the other side passing.
pub fn best_gain_alone(board: &mut Corners, moves: u32, nodes: &mut u64) -> Value {
    *nodes += 1;
    if board.is_home() {
        return INFINITY - board.past.len() as Value;
    }
    if moves == 0 {
        return 0;
    }
    let gains = board.legal_moves().into_iter().map(|mv| {
        let gain = worth_of(0, mv.to()) - worth_of(0, mv.from());
        board.play(mv);
        board.pass();
        let rest = best_gain_alone(board, moves - 1, nodes);
        board.undo();
        board.undo();
        gain + rest
    });
    gains.max().unwrap_or(0)
}

/// The move that begins the best such sequence.
pub fn best_move_alone(board: &mut Corners, moves: u32) -> Hop {
    let options = board.legal_moves().into_iter();
    let best = options.max_by_key(|&mv| {
        let gain = worth_of(0, mv.to()) - worth_of(0, mv.from());
        board.play(mv);
        board.pass();
        let rest = best_gain_alone(board, moves - 1, &mut 0);
        board.undo();
        board.undo();
        gain + rest
    });
    best.expect("some man can move")
}

impl Game for Corners {
    type Move = Hop;
    type Threats = ();
    const PIECE_TO_COUNT: usize = 128;
    const ROUTE_COUNT: usize = 8192;
    const PRIZE_COUNT: usize = 1;

    fn mover(&self) -> usize {
        self.mover
    }

    fn key(&self) -> u64 {
        let mix = |key: u64, number: u64| {
            let mixed = (key ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            mixed ^ mixed >> 29
        };
        mix(mix(self.mover as u64 + 1, self.men[0]), self.men[1])
    }

    /// Any guess will do.
    fn likely_key_after(&self, _mv: Hop) -> u64 {
        self.key()
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

    fn generate(&self, stage: MoveClass, mut emit: impl FnMut(Hop)) {
        if stage == MoveClass::Quiet {
            for from in cells_of(self.men[self.mover]) {
                cells_of(self.targets(from)).for_each(|to| emit(Hop::new(from, to)));
            }
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

    fn can_repeat(&self, _ply: usize) -> bool {
        false
    }

    fn history_index(&self, mv: Hop, (): ()) -> HistoryIndex {
        let side = self.mover;
        HistoryIndex {
            piece_to: side * 64 + mv.to(),
            route: side * 4096 + usize::from(mv.0),
            prize: 0,
        }
    }

    fn correction_keys(&self) -> [u64; CORRECTION_KEYS] {
        [self.mover as u64; CORRECTION_KEYS]
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
