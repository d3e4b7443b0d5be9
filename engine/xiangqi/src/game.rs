//! Xiangqi as the search sees it.

use std::mem;
use std::sync::Arc;

use playable::Searched;
use search::value::{DRAW, mated_at};
use search::{
    Control, Game, HistoryIndex, Limits, Margins, MoveClass, Outcome, Progress, Ruling, Value,
};

use crate::evaluation::evaluate;
use crate::evaluation::weights::Weights;
use crate::rules::{Bitboard, Board, Color, Kind, Move, Piece, Position, Square, Stage, attacks};
use crate::sets::Parameters;

/// Kinds of men to win, and nobody.
const PRIZES: usize = Kind::COUNT + 1;
/// From this many plies without capture on, positions count as different by the counter too.
const CLOCK_MATTERS_FROM: u32 = 14;
/// From there on, plies between counters that count as different.
const CLOCK_STEP: u32 = 8;
/// One part in so many is lost of the evaluation with each ply without capture: near the natural limit
/// little more than half is left.
const FADE: i32 = 253;

/// A position with all that is needed to search it.
pub struct XiangqiGame {
    position: Position,
    parameters: Arc<Parameters>,
    /// Worth of men by kind, the mean of both phases; the king's is zero.
    worth: [Value; Kind::COUNT],
    /// The memory of the search of the literature.
    textbook: textbook::Memory<Move>,
}

impl Searched for XiangqiGame {
    type Position = Position;
    type Weights = Weights;
    type Methods = textbook::Methods;

    fn new(parameters: Arc<Parameters>) -> XiangqiGame {
        let worth = worth_of(&parameters);
        let textbook = textbook::Memory::default();
        XiangqiGame { position: Position::start(), parameters, worth, textbook }
    }

    fn set_position(&mut self, position: &Position) {
        self.position.clone_from(position);
    }

    fn margins(&self) -> &Margins {
        &self.parameters.margins
    }

    fn other_search(
        &mut self,
        limits: &Limits<Move>,
        control: &Control,
        on_info: &mut dyn FnMut(&Progress<Move>),
    ) -> Option<Outcome<Move>> {
        let methods = self.parameters.textbook?;
        let mut memory = mem::take(&mut self.textbook);
        let found = textbook::search(self, &methods, &mut memory, limits, control, on_info);
        self.textbook = memory;
        Some(found)
    }

    fn forget(&mut self) {
        self.textbook = textbook::Memory::default();
    }

    fn plain_evaluation(&mut self) -> Value {
        evaluate(self.board(), &self.parameters.weights)
    }
}

impl XiangqiGame {
    /// The numbers that it plays with.
    pub(crate) fn parameters(&self) -> &Arc<Parameters> {
        &self.parameters
    }

    pub(crate) fn position(&self) -> &Position {
        &self.position
    }

    pub(crate) fn board(&self) -> &Board {
        self.position.board()
    }

    /// The step of the counter, by which the table tells positions apart: what is won early may be drawn
    /// late. The evaluation fades by the same steps, since the table keeps it.
    fn clock_step(&self) -> u32 {
        let clock = self.board().clock();
        if clock < CLOCK_MATTERS_FROM { 0 } else { 1 + (clock - CLOCK_MATTERS_FROM) / CLOCK_STEP }
    }
}

fn worth_of(parameters: &Parameters) -> [Value; Kind::COUNT] {
    let m = &parameters.weights.material;
    let of = [m.pawn, m.elephant, m.advisor, m.cannon, m.horse, m.rook];
    let mut worth = [0; Kind::COUNT];
    for (worth, score) in worth.iter_mut().zip(of) {
        *worth = (score.middlegame() + score.endgame()) / 2;
    }
    worth
}

impl Game for XiangqiGame {
    type Move = Move;
    type BuiltMargins = &'static Margins;
    type Threats = Bitboard;
    const PIECE_TO_COUNT: usize = Piece::COUNT * Square::COUNT;
    const ROUTE_COUNT: usize = 2 * 2 * 2 * Square::COUNT * Square::COUNT;
    const PRIZE_COUNT: usize = PRIZES;
    const CORRECTION_KEYS: usize = 3;

    #[inline]
    fn mover(&self) -> usize {
        self.board().side_to_move().index()
    }

    fn move_number(&self) -> u32 {
        self.board().number()
    }

    /// The position's key, with the step of its counter and whether it stood on the board before.
    #[inline]
    fn table_key(&self) -> u64 {
        let step = u64::from(self.clock_step()) << 1 | u64::from(self.position.has_occurred());
        self.board().key() ^ step.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    #[inline]
    fn likely_table_key_after(&self, mv: Move) -> u64 {
        self.board().key_after(mv)
    }

    #[inline]
    fn likely_table_key_after_pass(&self) -> u64 {
        self.board().key_after_pass()
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        self.position.play(mv);
    }

    #[inline]
    fn pass(&mut self) {
        self.position.pass();
    }

    #[inline]
    fn undo(&mut self) {
        self.position.undo();
    }

    /// Zugzwang is common where the mover has neither rook nor horse: cannons that face each other, or
    /// need a screen, must often give way.
    #[inline]
    fn may_pass(&self) -> bool {
        let board = self.board();
        let free = board.kind(Kind::Rook) | board.kind(Kind::Horse);
        (free & board.color(board.side_to_move())).any()
    }

    /// With a cannon, too, some move will do.
    #[inline]
    fn may_skip(&self) -> bool {
        let board = self.board();
        let cannons = board.kind(Kind::Cannon) & board.color(board.side_to_move());
        cannons.any() || self.may_pass()
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.board().in_check()
    }

    #[inline]
    fn generate(&self, class: MoveClass, emit: impl FnMut(Move)) {
        let stage = match class {
            MoveClass::Noisy => Stage::Captures,
            MoveClass::Quiet => Stage::Quiet,
            MoveClass::QuietChecks => Stage::QuietChecks,
            MoveClass::Evasions => Stage::All,
        };
        self.board().each_move(stage, emit);
    }

    #[inline]
    fn is_plausible(&self, mv: Move) -> bool {
        self.board().is_legal(mv)
    }

    #[inline]
    fn is_noisy(&self, mv: Move) -> bool {
        self.board().is_capture(mv)
    }

    #[inline]
    fn gives_check(&self, mv: Move) -> bool {
        self.board().gives_check(mv)
    }

    #[inline]
    fn gain(&self, mv: Move) -> Value {
        self.board().man_on(mv.to()).map_or(0, |man| self.worth[man.kind.index()])
    }

    #[inline]
    fn exchange_at_least(&self, mv: Move, threshold: Value) -> bool {
        self.board().exchange_at_least(mv, threshold, &self.worth)
    }

    #[inline]
    fn threats(&self) -> Bitboard {
        let board = self.board();
        let (them, occupied) = (!board.side_to_move(), board.occupied());
        let mut attacked = Bitboard::EMPTY;
        for kind in Kind::ALL {
            for square in board.of(them, kind) {
                attacked |= attacks::captures_of(Piece { color: them, kind }, square, occupied);
            }
        }
        attacked
    }

    #[inline]
    fn history_index(&self, mv: Move, threats: Bitboard) -> HistoryIndex {
        let board = self.board();
        let (from, to) = (mv.from(), mv.to());
        let piece = board.man_on(from).map_or(0, Piece::index);
        let threatened = |square| usize::from(threats.contains(square));
        let route = (self.mover() * 2 + threatened(from)) * 2 + threatened(to);
        HistoryIndex {
            piece_to: piece * Square::COUNT + to.index(),
            route: (route * Square::COUNT + from.index()) * Square::COUNT + to.index(),
            prize: board.man_on(to).map_or(0, |man| 1 + man.kind.index()),
        }
    }

    #[inline]
    fn structure_key(&self) -> u64 {
        self.board().pawn_key()
    }

    #[inline]
    fn correction_keys(&self) -> impl IntoIterator<Item = u64> + use<> {
        let board = self.board();
        // Whose turn it is changes which keys meet, at the cost of one exclusive or.
        let turn = self.mover() as u64 * 0x1555;
        let [red, black] = Color::ALL.map(|color| board.side_key(color));
        [board.pawn_key() ^ turn, red ^ turn, black ^ turn]
    }

    #[inline]
    fn evaluate(&mut self) -> Value {
        let fade = (CLOCK_STEP * self.clock_step()) as i32;
        let value = self.plain_evaluation();
        value - value * fade / FADE
    }

    /// Leaves are trusted only where the mover has a move: none loses, check or not.
    #[inline]
    fn ruling(&mut self, ply: usize, depth: i32) -> Ruling {
        let board = self.position.board();
        let is_leaf = depth <= 0 && !board.in_check();
        let is_at_limit = self.position.is_at_limit();
        if (is_leaf || is_at_limit) && !board.has_legal_move() {
            return Ruling::Exact(mated_at(ply));
        }
        let loses = |color: Color| color == board.side_to_move();
        match self.position.repetition_in_search(ply).map(|(it, is_exact)| (it.loser, is_exact)) {
            Some((None, _)) => Ruling::Exact(DRAW),
            Some((Some(loser), true)) if loses(loser) => Ruling::Exact(mated_at(ply)),
            Some((Some(_), true)) => Ruling::Exact(-mated_at(ply)),
            _ if is_at_limit => Ruling::Exact(DRAW),
            Some((Some(loser), false)) if loses(loser) => Ruling::AtMost(DRAW),
            Some((Some(_), false)) => Ruling::AtLeast(DRAW),
            None if board.is_dead() => Ruling::Exact(DRAW),
            None => Ruling::Open,
        }
    }

    #[inline]
    fn stuck(&self, ply: usize) -> Value {
        mated_at(ply)
    }
}
