//! Breakthrough on six files and six ranks, in one file: a second game for the tests of engine session,
//! runner and tuner. It shows that nothing there is chess's alone.
//!
//! A man goes one step straight ahead to an empty square, or diagonally ahead to an empty square or
//! one of the opponent's men, which it captures. Who reaches the last rank wins, and so does who has
//! captured all men or left the opponent no move.
//!
//! CITE: Dan Troyka, Breakthrough (2000).

use std::sync::Arc;

use parameters::{Carried, Embedded, Named, ParameterSet, Scalar, numbers};
use playable::{
    Color, Ending, Game, GameResult, LinearTrace, Move, MoveError, Numbers, OfGame, PACKED_MAX,
    PackedBytes, PackedError, Playable, Position, PositionError, Rules, Searched, Tracer,
    by_searcher, count_leaves,
};
use search::value::mated_at;
use search::{GameMove, HistoryIndex, Margins, MoveClass, Ruling, Value};

/// Breakthrough.
pub const GAME: Game = Game::new(&Breakthrough);

/// Files and ranks.
const SIDE: usize = 6;
const SQUARES: usize = SIDE * SIDE;
/// The first two ranks.
const CAMP: u64 = (1 << (2 * SIDE)) - 1;

numbers! {
    /// The evaluation's weights.
    table Weights;

    /// Men: what they are worth, and what they gain on their way.
    group men: Men {
        /// A man, wherever it stands.
        man: Scalar = 100 in 20..=400,
        /// A man, by its rank.
        advance: [Scalar; 6] = 10 in -50..=400,
        /// A man that another one behind it would avenge.
        guarded: Scalar = 8 in -50..=100,
    }
}

/// A man on the last rank, all men captured, no move left.
const ENDINGS: [Ending; 3] =
    [Ending::new("breakthrough"), Ending::new("all_captured"), Ending::new("no_move")];

type Set = ParameterSet<Weights, Margins>;

impl OfGame for Weights {
    const GAME: Game = GAME;
}

impl Named for Weights {
    const GAME_NAME: &'static str = "breakthrough";
    const NAMED: &'static [(&'static str, &'static str)] =
        &[("textbook", include_str!("../data/default.toml"))];
}

impl Embedded<Margins, ()> for Weights {
    fn carried() -> &'static Carried<Weights, Margins> {
        static CARRIED: Carried<Weights, Margins> = Carried::new(block::carried!());
        &CARRIED
    }
}

#[derive(Debug)]
struct Breakthrough;

by_searcher!(Breakthrough, Playing);

impl Playable for Breakthrough {
    fn name(&self) -> &'static str {
        Weights::GAME_NAME
    }

    fn board(&self) -> (usize, usize) {
        (SIDE, SIDE)
    }

    fn start(&self) -> Position {
        Position::new(Board::start())
    }

    fn position(&self, text: &str) -> Result<Position, PositionError> {
        let board = Board::parse(text.trim());
        board.map(Position::new).map_err(|reason| PositionError(reason.to_owned()))
    }

    /// Men, turn and number of the move come before operations.
    fn split_operations<'a>(&self, text: &'a str) -> (&'a str, &'a str) {
        let is_operation = |word: &&str| word.starts_with(|sign: char| sign.is_ascii_alphabetic());
        let second = text.split_whitespace().skip(2).find(is_operation);
        let at = second.map_or(text.len(), |word| word.as_ptr() as usize - text.as_ptr() as usize);
        (&text[..at], &text[at..])
    }

    fn split_fields<'a>(&self, text: &'a str) -> (&'a str, &'a str) {
        let mut words = text.split_whitespace();
        let (ranks, turn) = (words.next(), words.next());
        let last = turn.filter(|turn| ["w", "b"].contains(turn)).or(ranks);
        let at =
            last.map_or(0, |word| word.as_ptr() as usize + word.len() - text.as_ptr() as usize);
        text.split_at(at)
    }

    fn word_counts(&self) -> (usize, usize) {
        (2, 1)
    }

    fn packed_lengths(&self) -> (usize, usize) {
        (19, 17)
    }

    fn pack(&self, position: &Position) -> Result<PackedBytes, PackedError> {
        let board: &Board = position.typed();
        let mut bytes = [0; PACKED_MAX];
        bytes[..8].copy_from_slice(&board.men[0].to_le_bytes());
        bytes[8..16].copy_from_slice(&board.men[1].to_le_bytes());
        bytes[16] = board.mover as u8;
        let number = board.number.min(u16::MAX.into()) as u16;
        bytes[17..19].copy_from_slice(&number.to_le_bytes());
        Ok(bytes)
    }

    fn unpack(&self, bytes: &PackedBytes) -> Result<Position, PackedError> {
        let (words, _) = bytes.as_chunks::<8>();
        let men = [u64::from_le_bytes(words[0]), u64::from_le_bytes(words[1])];
        let mover = usize::from(bytes[16]);
        if mover > 1 || men[0] & men[1] != 0 || (men[0] | men[1]) >> SQUARES != 0 {
            return Err(PackedError("men on the same square or beside the board".to_owned()));
        }
        let number = u16::from_le_bytes([bytes[17], bytes[18]]).into();
        Ok(Position::new(Board { men, mover, number, past: Vec::new() }))
    }

    fn endings(&self) -> &'static [Ending] {
        &ENDINGS
    }

    fn bench_positions(&self) -> Vec<(String, Position)> {
        vec![("start".to_owned(), self.start()), ("middlegame".to_owned(), self.middlegame())]
    }

    fn middlegame(&self) -> Position {
        self.position("pp1ppp/1pp1pp/3p2/2P1P1/P1P1PP/PPPP1P w 7").expect("a good position")
    }

    /// Made by `sprt openings --from random --plies 4-6 --balance 100`.
    fn openings(&self) -> &'static str {
        include_str!("../data/openings.epd")
    }

    /// No number has phases, so the trace is the same with all numbers.
    fn tracer(&self, _: &Numbers) -> Option<Box<dyn Tracer>> {
        Some(Box::new(Counts))
    }
}

/// From and to, six bits each; no man moves to where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Step {
    from: usize,
    to: usize,
}

impl GameMove for Step {
    const NONE: Step = Step { from: 0, to: 0 };

    fn bits(self) -> u16 {
        (self.from | self.to << 6) as u16
    }

    fn from_bits(bits: u16) -> Step {
        Step { from: usize::from(bits & 63), to: usize::from(bits >> 6 & 63) }
    }
}

/// A bit a man, square by square from White's left.
#[derive(Clone, Debug)]
struct Board {
    men: [u64; 2],
    mover: usize,
    number: u32,
    past: Vec<([u64; 2], usize)>,
}

/// The squares of a set.
fn squares_of(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (square < SQUARES).then_some(square)
    })
}

impl Board {
    fn start() -> Board {
        let men = [CAMP, CAMP << (4 * SIDE)];
        Board { men, mover: 0, number: 1, past: Vec::new() }
    }

    /// Reads men from the last rank on, the turn, and the number of the move.
    fn parse(text: &str) -> Result<Board, &'static str> {
        let mut fields = text.split_whitespace();
        let mut men = [0; 2];
        let ranks: Vec<&str> = fields.next().unwrap_or_default().split('/').collect();
        if ranks.len() != SIDE {
            return Err("there are not six ranks");
        }
        for (rank, text) in ranks.iter().rev().enumerate() {
            let mut file = 0;
            for sign in text.chars() {
                match sign {
                    'P' | 'p' if file < SIDE => {
                        men[usize::from(sign == 'p')] |= 1 << (rank * SIDE + file);
                        file += 1;
                    }
                    '1'..='6' => file += sign as usize - '0' as usize,
                    _ => return Err("a rank has other signs than P, p and 1 to 6, or too many"),
                }
            }
            if file != SIDE {
                return Err("a rank has not six squares");
            }
        }
        let mover = match fields.next().unwrap_or("w") {
            "w" => 0,
            "b" => 1,
            _ => return Err("the turn is neither w nor b"),
        };
        let number = fields.next().unwrap_or("1").parse();
        let number = number.map_err(|_| "the move's number is none")?;
        match fields.next() {
            Some(_) => Err("there is more than men, turn and number"),
            None => Ok(Board { men, mover, number, past: Vec::new() }),
        }
    }

    /// Where a man of the mover may go: straight, and diagonally.
    fn steps(&self, from: usize) -> impl Iterator<Item = Step> {
        let (file, rank) = (from % SIDE, from / SIDE);
        let next = if self.mover == 0 { rank + 1 } else { rank.wrapping_sub(1) };
        let (own, all) = (self.men[self.mover], self.men[0] | self.men[1]);
        [file.wrapping_sub(1), file, file + 1].into_iter().filter_map(move |to| {
            if to >= SIDE || next >= SIDE {
                return None;
            }
            let blocked = if to == file { all } else { own };
            let to = next * SIDE + to;
            (blocked >> to & 1 == 0).then_some(Step { from, to })
        })
    }

    fn all_steps(&self) -> impl Iterator<Item = Step> {
        squares_of(self.men[self.mover]).flat_map(|from| self.steps(from))
    }

    fn captures(&self, step: Step) -> bool {
        self.men[self.mover ^ 1] >> step.to & 1 == 1
    }

    /// The rule by which the side to move has lost, if it has.
    fn lost(&self) -> Option<Ending> {
        let last_rank = if self.mover == 1 { CAMP >> SIDE << (5 * SIDE) } else { CAMP >> SIDE };
        if self.men[self.mover ^ 1] & last_rank != 0 {
            Some(ENDINGS[0])
        } else if self.men[self.mover] == 0 {
            Some(ENDINGS[1])
        } else {
            self.all_steps().next().is_none().then_some(ENDINGS[2])
        }
    }

    fn make(&mut self, step: Step) {
        self.past.push((self.men, self.mover));
        self.men[self.mover] ^= 1 << step.from | 1 << step.to;
        self.men[self.mover ^ 1] &= !(1 << step.to);
        self.number += self.mover as u32;
        self.mover ^= 1;
    }

    fn hand_over(&mut self) {
        self.past.push((self.men, self.mover));
        self.number += self.mover as u32;
        self.mover ^= 1;
    }

    fn hash(&self) -> u64 {
        let mix = |key: u64, number: u64| {
            let mixed = (key ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            mixed ^ mixed >> 29
        };
        mix(mix(mix(1, self.mover as u64), self.men[0]), self.men[1])
    }

    /// The men of a side: the rank of each from there, and whether it is guarded.
    fn men_of(&self, side: usize) -> impl Iterator<Item = (usize, bool)> {
        squares_of(self.men[side]).map(move |square| {
            let rank = if side == 0 { square / SIDE } else { SIDE - 1 - square / SIDE };
            let behind = if side == 0 { square.wrapping_sub(SIDE) } else { square + SIDE };
            let is_guarded = [(0, usize::MAX), (SIDE - 1, 1)].into_iter().any(|(edge, aside)| {
                let guard = behind.wrapping_add(aside);
                square % SIDE != edge && guard < SQUARES && self.men[side] >> guard & 1 == 1
            });
            (rank, is_guarded)
        })
    }

    /// The worth of a side's men.
    fn worth(&self, side: usize, men: &Men) -> Value {
        let of_man = |(rank, is_guarded): (usize, bool)| {
            men.man.0 + men.advance[rank].0 + i32::from(is_guarded) * men.guarded.0
        };
        self.men_of(side).map(of_man).sum()
    }
}

fn name_of(square: usize) -> String {
    GAME.square_name(square)
}

impl Rules for Board {
    fn game(&self) -> Game {
        GAME
    }

    fn side_to_move(&self) -> Color {
        Color::ALL[self.mover]
    }

    fn move_number(&self) -> u32 {
        self.number
    }

    /// No move can be taken back.
    fn halfmove_clock(&self) -> u32 {
        0
    }

    fn legal_moves(&self) -> Vec<Move> {
        if self.lost().is_some() {
            return Vec::new();
        }
        self.all_steps().map(Move::of).collect()
    }

    fn play(&mut self, mv: Move) {
        self.make(mv.typed());
    }

    fn pass(&mut self) {
        self.hand_over();
    }

    fn outcome(&self) -> Option<(GameResult, Ending)> {
        self.lost().map(|rule| (GameResult::win_of(!self.side_to_move()), rule))
    }

    fn to_fen(&self) -> String {
        let mut text = String::new();
        for rank in (0..SIDE).rev() {
            let mut empty = 0;
            for square in rank * SIDE..(rank + 1) * SIDE {
                let man = self.man_on(square);
                if let Some(letter) = man {
                    if empty > 0 {
                        text += &empty.to_string();
                    }
                    text.push(letter);
                }
                empty = if man.is_some() { 0 } else { empty + 1 };
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            text.push(if rank == 0 { ' ' } else { '/' });
        }
        format!("{text}{} {}", ["w", "b"][self.mover], self.number)
    }

    fn parse_uci(&self, text: &str) -> Result<Move, MoveError> {
        let square = |text: &[u8]| match *text {
            [file @ b'a'..=b'f', rank @ b'1'..=b'6'] => {
                Some(usize::from(rank - b'1') * SIDE + usize::from(file - b'a'))
            }
            _ => None,
        };
        let malformed = || MoveError::Malformed(text.to_owned());
        let (from, to) = text.as_bytes().split_at_checked(2).ok_or_else(malformed)?;
        let from = square(from).ok_or_else(malformed)?;
        let mv = Move::of(Step { from, to: square(to).ok_or_else(malformed)? });
        self.is_legal(mv).then_some(mv).ok_or_else(|| MoveError::Illegal(text.to_owned()))
    }

    fn push_uci(&self, mv: Move, text: &mut String) {
        let Step { from, to } = mv.typed();
        *text += &(name_of(from) + &name_of(to));
    }

    fn parse_san(&self, text: &str) -> Result<Move, MoveError> {
        self.parse_uci(&text.replace(['x', '-'], ""))
    }

    fn play_and_push_san(&mut self, mv: Move, text: &mut String) {
        let step: Step = mv.typed();
        let sign = if self.captures(step) { "x" } else { "-" };
        *text += &(name_of(step.from) + sign + &name_of(step.to));
        self.make(step);
    }

    fn is_noisy(&self, mv: Move) -> bool {
        self.captures(mv.typed())
    }

    fn phase(&self) -> u8 {
        (self.men[0] | self.men[1]).count_ones() as u8
    }

    fn key(&self) -> u64 {
        self.hash()
    }

    fn man_on(&self, square: usize) -> Option<char> {
        (0..2).find(|&side| self.men[side] >> square & 1 == 1).map(|side| ['P', 'p'][side])
    }

    fn perft(&self, depth: u32, is_stopped: &dyn Fn() -> bool) -> Option<Vec<(Move, u64)>> {
        count_leaves(self, depth, is_stopped)
    }

    fn forget_past(&mut self) {
        self.past.clear();
    }

    fn forget_unrepeatable_past(&mut self) {
        self.past.clear();
    }
}

/// The game as the search sees it, at a position of [`GAME`].
pub fn searched(position: &Position) -> impl search::Game + use<> {
    let mut game = Playing::new(GAME.embedded().typed());
    game.set_position(position.typed());
    game
}

/// The game as the search sees it.
struct Playing {
    board: Board,
    set: Arc<Set>,
}

impl Searched for Playing {
    type Position = Board;
    type Weights = Weights;
    type Methods = ();

    fn new(set: Arc<Set>) -> Playing {
        Playing { board: Board::start(), set }
    }

    fn set_position(&mut self, position: &Board) {
        self.board.clone_from(position);
    }

    fn margins(&self) -> &Margins {
        &self.set.margins
    }
}

impl search::Game for Playing {
    type Move = Step;
    type BuiltMargins = &'static Margins;
    type Threats = ();
    const PIECE_TO_COUNT: usize = 2 * 64;
    const ROUTE_COUNT: usize = 2 * 4096;
    const PRIZE_COUNT: usize = 2;

    fn mover(&self) -> usize {
        self.board.mover
    }

    fn move_number(&self) -> u32 {
        self.board.number
    }

    fn table_key(&self) -> u64 {
        self.board.hash()
    }

    /// Any guess will do.
    fn likely_table_key_after(&self, _: Step) -> u64 {
        self.board.hash()
    }

    fn likely_table_key_after_pass(&self) -> u64 {
        self.board.hash()
    }

    fn play(&mut self, step: Step) {
        self.board.make(step);
    }

    fn pass(&mut self) {
        self.board.hand_over();
    }

    fn undo(&mut self) {
        (self.board.men, self.board.mover) = self.board.past.pop().expect("a move to undo");
        self.board.number -= self.board.mover as u32;
    }

    /// Zugzwang is the rule where men are few.
    fn may_pass(&self) -> bool {
        self.board.men[self.board.mover].count_ones() > 6
    }

    fn in_check(&self) -> bool {
        false
    }

    fn generate(&self, class: MoveClass, emit: impl FnMut(Step)) {
        let noisy = match class {
            MoveClass::Noisy => true,
            MoveClass::Quiet => false,
            MoveClass::QuietChecks | MoveClass::Evasions => return,
        };
        self.board.all_steps().filter(|&step| self.board.captures(step) == noisy).for_each(emit);
    }

    fn is_plausible(&self, step: Step) -> bool {
        let is_own = self.board.men[self.board.mover] >> step.from & 1 == 1;
        is_own && self.board.steps(step.from).any(|known| known == step)
    }

    fn is_noisy(&self, step: Step) -> bool {
        self.board.captures(step)
    }

    fn gives_check(&self, _: Step) -> bool {
        false
    }

    fn gain(&self, step: Step) -> Value {
        i32::from(self.board.captures(step)) * self.set.weights.men.man.0
    }

    fn exchange_at_least(&self, step: Step, threshold: Value) -> bool {
        self.gain(step) >= threshold
    }

    fn threats(&self) {}

    fn history_index(&self, step: Step, (): ()) -> HistoryIndex {
        let side = self.board.mover;
        HistoryIndex {
            piece_to: side * 64 + step.to,
            route: side * 4096 + usize::from(step.bits()),
            prize: usize::from(self.board.captures(step)),
        }
    }

    fn structure_key(&self) -> u64 {
        0
    }

    fn evaluate(&mut self) -> Value {
        let (mover, men) = (self.board.mover, &self.set.weights.men);
        self.board.worth(mover, men) - self.board.worth(mover ^ 1, men)
    }

    fn ruling(&mut self, ply: usize, _: i32) -> Ruling {
        match self.board.lost() {
            Some(_) => Ruling::Exact(mated_at(ply)),
            None => Ruling::Open,
        }
    }

    fn stuck(&self, ply: usize) -> Value {
        mated_at(ply)
    }
}

/// Counts the weights of positions.
struct Counts;

impl Tracer for Counts {
    fn trace(&mut self, position: &Position) -> LinearTrace {
        const MAN: usize = 0;
        const ADVANCE: usize = MAN + 1;
        const GUARDED: usize = ADVANCE + SIDE;
        let board: &Board = position.typed();
        let mut counts = [0; GUARDED + 1];
        for (side, sign) in [(0, 1), (1, -1)] {
            for (rank, is_guarded) in board.men_of(side) {
                counts[MAN] += sign;
                counts[ADVANCE + rank] += sign;
                counts[GUARDED] += sign * i16::from(is_guarded);
            }
        }
        let counts = (0..).zip(counts).filter(|&(_, count)| count != 0).collect();
        LinearTrace { phase: 1.0, scale: 1.0, constant: 0.0, counts }
    }
}
