//! Draughts as the search sees it.
//!
//! A side that must capture is in check: it has no choice but answers, so a leaf is evaluated only
//! where nothing can be captured, and an offer is a check.

use std::sync::Arc;

use playable::Searched;
use search::value::{DRAW, mated_at};
use search::{Game, HistoryIndex, Margins, MoveClass, Ruling, Value};

use crate::evaluation::evaluate;
use crate::evaluation::weights::Weights;
use crate::rules::{Board, Color, Move, Position, SQUARES, mixed};
use crate::sets::Parameters;

/// With fewer plies left until counters end the game, positions count as different by these plies
/// too.
const LIMIT_MATTERS_BELOW: u32 = 16;
/// There, plies between limits that count as different.
const LIMIT_STEP: u32 = 4;
/// Men of the mover from which on another move is at least as good as none: with fewer, who must
/// move may lose by it.
const PASS_MEN: u32 = 6;

/// A position with all that is needed to search it.
pub struct DraughtsGame {
    position: Position,
    parameters: Arc<Parameters>,
    /// Worth of a man and of a king, the mean of both phases.
    worth: [Value; 2],
}

impl DraughtsGame {
    #[inline]
    fn board(&self) -> &Board {
        self.position.board()
    }

    #[inline]
    fn after(&self, mv: Move) -> Board {
        let mut board = *self.board();
        board.play(mv);
        board
    }

    /// The key by which the table knows a board: its own, and how near its counters are to a draw.
    #[inline]
    fn key_of(board: &Board) -> u64 {
        let left = board.plies_to_draw();
        match left >= LIMIT_MATTERS_BELOW {
            true => board.key(),
            false => mixed(board.key() ^ u64::from(1 + left / LIMIT_STEP)),
        }
    }
}

impl Searched for DraughtsGame {
    type Position = Position;
    type Weights = Weights;
    type Methods = ();

    fn new(parameters: Arc<Parameters>) -> DraughtsGame {
        let material = &parameters.weights.material;
        let mean = [material.man, material.king].map(|it| (it.middlegame() + it.endgame()) / 2);
        DraughtsGame { position: Position::start(), parameters, worth: mean }
    }

    fn set_position(&mut self, position: &Position) {
        self.position.clone_from(position);
    }

    fn margins(&self) -> &Margins {
        &self.parameters.margins
    }
}

impl Game for DraughtsGame {
    type Move = Move;
    type BuiltMargins = &'static Margins;
    type Threats = ();
    const PIECE_TO_COUNT: usize = 4 * SQUARES;
    const ROUTE_COUNT: usize = 2 * SQUARES * SQUARES;
    const PRIZE_COUNT: usize = 4;
    const CORRECTION_KEYS: usize = 3;

    #[inline]
    fn mover(&self) -> usize {
        self.board().side_to_move().index()
    }

    fn move_number(&self) -> u32 {
        self.board().number()
    }

    /// The position's key, with the nearness of a draw and whether it stood on the board before.
    #[inline]
    fn table_key(&self) -> u64 {
        let has_occurred = self.position.repetitions().next().is_some();
        Self::key_of(self.board()) ^ u64::from(has_occurred).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    #[inline]
    fn likely_table_key_after(&self, mv: Move) -> u64 {
        Self::key_of(&self.after(mv))
    }

    #[inline]
    fn likely_table_key_after_pass(&self) -> u64 {
        let mut board = *self.board();
        board.pass();
        Self::key_of(&board)
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

    #[inline]
    fn may_pass(&self) -> bool {
        self.board().of(self.board().side_to_move()).count_ones() >= PASS_MEN
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.board().must_capture()
    }

    #[inline]
    fn generate(&self, class: MoveClass, mut emit: impl FnMut(Move)) {
        match class {
            // Who can capture must, and is in check.
            MoveClass::Noisy => {}
            MoveClass::Quiet | MoveClass::Evasions => self.board().each_move(emit),
            MoveClass::QuietChecks => self.board().each_move(|mv| {
                if self.gives_check(mv) {
                    emit(mv);
                }
            }),
        }
    }

    #[inline]
    fn is_plausible(&self, mv: Move) -> bool {
        self.board().is_legal(mv)
    }

    #[inline]
    fn is_noisy(&self, mv: Move) -> bool {
        self.board().captured(mv) != 0
    }

    #[inline]
    fn gives_check(&self, mv: Move) -> bool {
        self.after(mv).must_capture()
    }

    #[inline]
    fn gain(&self, mv: Move) -> Value {
        let captured = self.board().captured(mv);
        let them = !self.board().side_to_move();
        let men = (captured & self.board().men_of(them)).count_ones() as i32;
        let kings = (captured & self.board().kings_of(them)).count_ones() as i32;
        men * self.worth[0] + kings * self.worth[1]
    }

    #[inline]
    fn exchange_at_least(&self, mv: Move, threshold: Value) -> bool {
        self.gain(mv) >= threshold
    }

    #[inline]
    fn threats(&self) {}

    #[inline]
    fn history_index(&self, mv: Move, (): ()) -> HistoryIndex {
        let (from, to) = (mv.from(), mv.to());
        let side = self.board().side_to_move();
        let is_king = self.board().kings_of(side) >> from & 1 == 1;
        HistoryIndex {
            piece_to: (2 * side.index() + usize::from(is_king)) * SQUARES + to,
            route: (side.index() * SQUARES + from) * SQUARES + to,
            prize: self.board().captured(mv).count_ones().min(3) as usize,
        }
    }

    #[inline]
    fn structure_key(&self) -> u64 {
        self.board().structure_key()
    }

    #[inline]
    fn correction_keys(&self) -> impl IntoIterator<Item = u64> + use<> {
        let (board, turn) = (self.board(), self.mover() as u64 * 0x1555);
        let of_side = |color: Color| {
            let (all, kings) = (board.of(color), board.kings_of(color));
            mixed((u64::from(all) | u64::from(kings) << 32) ^ color.index() as u64) ^ turn
        };
        [self.structure_key() ^ turn, of_side(Color::White), of_side(Color::Black)]
    }

    #[inline]
    fn evaluate(&mut self) -> Value {
        evaluate(self.board(), &self.parameters.weights)
    }

    /// Leaves are trusted only where the mover has a move: none loses.
    #[inline]
    fn ruling(&mut self, ply: usize, depth: i32) -> Ruling {
        if depth <= 0 && !self.board().has_legal_move() {
            return Ruling::Exact(mated_at(ply));
        }
        if self.board().drawn_by().is_some() && self.board().has_legal_move() {
            return Ruling::Exact(DRAW);
        }
        // Once within the search is enough: who could do better would do so the first time.
        let mut repetitions = self.position.repetitions();
        match (repetitions.next(), repetitions.next()) {
            (Some(last), earlier) if last < ply || earlier.is_some() => Ruling::Exact(DRAW),
            _ => Ruling::Open,
        }
    }

    #[inline]
    fn stuck(&self, ply: usize) -> Value {
        mated_at(ply)
    }
}
