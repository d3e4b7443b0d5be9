//! Chess as the search sees it.

use std::sync::Arc;

use search::value::{DRAW, known_win, mated_at};
use search::{Game, GameMove, HistoryIndex, Margins, MoveClass, Ruling, Value};

use crate::built::{BuiltMargins, BuiltWeights};
use crate::endgame_tables::{TableUse, Wdl};
use crate::evaluation::Evaluator;
use crate::evaluation::weights::Weights;
use crate::rules::{self, Bitboard, Board, Color, Move, PieceType, attacks};
use crate::sets::Parameters;

/// Kinds of pieces times sides.
const PIECES: usize = 12;
/// Kinds of pieces to win, and nothing; what a promotion brings is not told apart.
const PRIZES: usize = 7;
/// From this many plies without capture or pawn move on, positions count as different by the clock
/// too.
const CLOCK_MATTERS_FROM: u32 = 70;
/// From there on, plies between clocks that count as different.
const CLOCK_STEP: u32 = 8;

/// A chess position with all that is needed to search it.
pub struct ChessGame {
    position: rules::Position,
    parameters: Arc<Parameters>,
    evaluator: Evaluator,
    /// Worth of the pieces by kind, the mean of both phases; the king's is zero.
    values: [Value; 6],
    /// The weights are those of the build.
    weights_are_built: bool,
    /// Searches with the numbers of the build have them as constants.
    uses_constants: bool,
    /// The cost of a draw for the side to move in the position that was set (centipawns).
    contempt: Value,
    /// The side to move in that position.
    asker: Color,
    /// The tables to look up in, if any.
    tables: Option<Box<TableUse>>,
    /// Positions found in tables since [`ChessGame::set_tables`].
    table_hits: u64,
}

impl ChessGame {
    /// The start position, to be played with these numbers.
    pub fn new(parameters: Arc<Parameters>) -> ChessGame {
        ChessGame {
            position: rules::Position::start(),
            evaluator: Evaluator::new(),
            values: values_of(&parameters),
            weights_are_built: are_built(&parameters.weights),
            uses_constants: true,
            contempt: 0,
            asker: Color::White,
            parameters,
            tables: None,
            table_hits: 0,
        }
    }

    /// The start position, to be played with the same numbers and as this game is; without tables.
    pub fn with_same_settings(&self) -> ChessGame {
        ChessGame {
            contempt: self.contempt,
            uses_constants: self.uses_constants,
            ..ChessGame::new(Arc::clone(&self.parameters))
        }
    }

    /// Replaces the position, its past included.
    pub fn set_position(&mut self, position: &rules::Position) {
        self.position.clone_from(position);
        self.asker = position.side_to_move();
    }

    /// Says by how many centipawns a draw is worse than equality for whoever is to move in the positions
    /// that will be set; below zero, better.
    pub fn set_contempt(&mut self, contempt: Value) {
        self.contempt = contempt;
    }

    /// Replaces the weights and margins.
    pub fn set_parameters(&mut self, parameters: Arc<Parameters>) {
        self.values = values_of(&parameters);
        self.weights_are_built = are_built(&parameters.weights);
        self.parameters = parameters;
        self.evaluator = Evaluator::new();
    }

    /// Says whether searches with the numbers of the build have them as constants, as they do at first.
    pub fn set_constants(&mut self, constants: bool) {
        self.uses_constants = constants;
    }

    /// Says which tables the next searches look up, if any, and how many positions of theirs have
    /// been found in tables already.
    pub fn set_tables(&mut self, tables: Option<TableUse>, hits: u64) {
        self.tables = tables.map(Box::new);
        self.table_hits = hits;
    }

    /// The parameters that it evaluates with.
    pub fn parameters(&self) -> &Arc<Parameters> {
        &self.parameters
    }

    pub(crate) fn position(&self) -> &rules::Position {
        &self.position
    }

    pub(crate) fn board(&self) -> &Board {
        self.position.board()
    }

    fn value_of(&self, kind: PieceType) -> Value {
        self.values[kind.index()]
    }

    /// The ruling on the position, where it is known whether it is repeated.
    #[inline(always)]
    pub(crate) fn ruling_where(&mut self, is_repeated: bool, ply: usize, depth: i32) -> Ruling {
        let drawn = self.is_drawn_by_clock() || is_repeated || self.board().insufficient_material();
        if drawn {
            return Ruling::Exact(self.draw());
        }
        match &self.tables {
            None => Ruling::Open,
            Some(tables) => {
                look_up(tables, &mut self.table_hits, self.position.board(), ply, depth)
            }
        }
    }

    /// The fifty-move rule; a mate on the last move comes first.
    fn is_drawn_by_clock(&self) -> bool {
        self.board().halfmove_clock() >= Board::CLOCK_DRAWS_AT
            && (!self.board().in_check() || self.board().has_legal_move())
    }
}

/// The tables' answer about a position, if they are to be asked. They know it only where no
/// halfmove counts towards the fifty-move rule; until then the search is on its own.
#[cold]
#[inline(never)]
fn look_up(tables: &TableUse, hits: &mut u64, board: &Board, ply: usize, depth: i32) -> Ruling {
    if depth < tables.depth_min || board.halfmove_clock() != 0 {
        return Ruling::Open;
    }
    let Some(result) = tables.tables.probe_verified(board) else { return Ruling::Open };
    *hits += 1;
    let counted = if tables.fifty_move_rule { result } else { result.without_fifty_move_rule() };
    match counted {
        // A mate may be nearer than what tables know.
        Wdl::Win => Ruling::AtLeast(known_win(ply)),
        Wdl::Loss => Ruling::AtMost(-known_win(ply)),
        Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => Ruling::Exact(DRAW),
    }
}

fn are_built(weights: &Weights) -> bool {
    weights.cells() == BuiltWeights.cells()
}

/// Values of pieces for exchanges: the evaluation's own.
fn values_of(parameters: &Parameters) -> [Value; 6] {
    let material = &parameters.weights.material;
    let kinds = [material.pawn, material.knight, material.bishop, material.rook, material.queen];
    let mut values = [0; 6];
    for (value, score) in values.iter_mut().zip(kinds) {
        *value = (score.middlegame() + score.endgame()) / 2;
    }
    values
}

impl GameMove for Move {
    const NONE: Move = Move::NONE;

    #[inline]
    fn bits(self) -> u16 {
        Move::bits(self)
    }

    #[inline]
    fn from_bits(bits: u16) -> Move {
        Move::from_bits(bits)
    }
}

impl Game for ChessGame {
    type Move = Move;
    type BuiltMargins = BuiltMargins;
    type Threats = Bitboard;
    const PIECE_TO_COUNT: usize = PIECES * 64;
    const ROUTE_COUNT: usize = 4 * 2 * 64 * 64;
    const PRIZE_COUNT: usize = PRIZES;
    const CORRECTION_KEYS: usize = 3;

    #[inline]
    fn mover(&self) -> usize {
        self.board().side_to_move().index()
    }

    fn move_number(&self) -> u32 {
        self.board().fullmove_number()
    }

    /// The board's key. Near the end of the fifty-move rule the clock is part of it, since what is
    /// won early may be drawn late.
    #[inline]
    fn table_key(&self) -> u64 {
        let key = self.board().key();
        let clock = self.board().halfmove_clock();
        if clock < CLOCK_MATTERS_FROM {
            return key;
        }
        key ^ u64::from(clock / CLOCK_STEP).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    #[inline]
    fn likely_table_key_after(&self, mv: Move) -> u64 {
        self.board().likely_key_after(mv)
    }

    #[inline]
    fn likely_table_key_after_pass(&self) -> u64 {
        self.board().likely_key_after_pass()
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        self.position.play(mv);
        self.evaluator.expect(self.position.board());
    }

    #[inline]
    fn pass(&mut self) {
        self.position.pass();
    }

    #[inline]
    fn undo(&mut self) {
        self.position.undo();
    }

    /// Zugzwang is common where the mover has only king and pawns.
    #[inline]
    fn may_pass(&self) -> bool {
        let board = self.board();
        let slow = board.kind(PieceType::Pawn) | board.kind(PieceType::King);
        (board.color(board.side_to_move()) & !slow).any()
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.board().in_check()
    }

    #[inline]
    fn generate(&self, class: MoveClass, emit: impl FnMut(Move)) {
        let stage = match class {
            MoveClass::Noisy => rules::Stage::Noisy,
            MoveClass::Quiet => rules::Stage::Quiet,
            MoveClass::QuietChecks => rules::Stage::QuietChecks,
            MoveClass::Evasions => rules::Stage::Evasions,
        };
        self.board().each_move(stage, emit);
    }

    #[inline]
    fn is_plausible(&self, mv: Move) -> bool {
        self.board().is_legal(mv)
    }

    #[inline]
    fn is_noisy(&self, mv: Move) -> bool {
        self.board().is_noisy(mv)
    }

    /// Misses checks by castling and those opened by the pawn taken en passant.
    #[inline]
    fn gives_check(&self, mv: Move) -> bool {
        if mv.is_castling() {
            return false;
        }
        let board = self.board();
        let (us, from, to) = (board.side_to_move(), mv.from(), mv.to());
        let king = board.king(!us);
        let occupied = (board.occupied() ^ from.bitboard()) | to.bitboard();
        let direct = match mv.promotion().unwrap_or(board.moved_piece(mv).kind()) {
            PieceType::Pawn => attacks::pawn(us, to),
            PieceType::Knight => attacks::knight(to),
            PieceType::Bishop => attacks::bishop(to, occupied),
            PieceType::Rook => attacks::rook(to, occupied),
            PieceType::Queen => attacks::queen(to, occupied),
            PieceType::King => Bitboard::EMPTY,
        };
        if direct.contains(king) {
            return true;
        }
        let may_open_a_line = attacks::line(king, from).any();
        may_open_a_line && {
            let diagonal = attacks::bishop(king, occupied) & board.diagonal_sliders(us);
            let straight = attacks::rook(king, occupied) & board.straight_sliders(us);
            ((diagonal | straight) & !from.bitboard()).any()
        }
    }

    #[inline]
    fn gain(&self, mv: Move) -> Value {
        let captured = self.board().captured(mv).map_or(0, |piece| self.value_of(piece.kind()));
        let promoted =
            mv.promotion().map_or(0, |kind| self.value_of(kind) - self.value_of(PieceType::Pawn));
        captured + promoted
    }

    #[inline]
    fn exchange_at_least(&self, mv: Move, threshold: Value) -> bool {
        self.board().see_at_least(mv, threshold, &self.values)
    }

    /// Who cannot capture on the target square now can do so after the move only along a line that the
    /// mover leaves, and then attacked him there (or one that is opened en passant).
    #[inline]
    fn exchange_under_threats(&self, mv: Move, threshold: Value, threats: Bitboard) -> bool {
        let ends = mv.from().bitboard() | mv.to().bitboard();
        if (ends & threats).is_empty() && !mv.is_en_passant() {
            return (mv.is_plain() && threshold <= 0) || self.gain(mv) >= threshold;
        }
        self.exchange_at_least(mv, threshold)
    }

    #[inline]
    fn threats(&self) -> Bitboard {
        let board = self.board();
        board.attacked_by(!board.side_to_move())
    }

    #[inline]
    fn history_index(&self, mv: Move, threats: Bitboard) -> HistoryIndex {
        let board = self.board();
        let piece = board.moved_piece(mv).index();
        let (from, to) = (mv.from().index(), mv.to().index());
        let captured = board.captured(mv).map_or(0, |piece| 1 + piece.kind().index());
        HistoryIndex {
            piece_to: piece * 64 + to,
            route: ((self.mover() * 2 + usize::from(threats.contains(mv.from()))) * 64 + from)
                * 128
                + usize::from(threats.contains(mv.to())) * 64
                + to,
            prize: captured,
        }
    }

    #[inline]
    fn correction_keys(&self) -> impl IntoIterator<Item = u64> + use<> {
        let board = self.board();
        // Whose turn it is changes which keys meet, at the cost of one exclusive or.
        let turn = self.mover() as u64 * 0x1555;
        let [white, black] = Color::ALL.map(|color| board.non_pawn_key(color));
        [board.pawn_key() ^ turn, white ^ turn, black ^ turn]
    }

    #[inline]
    fn evaluate(&mut self) -> Value {
        self.evaluator.evaluate(self.position.board(), &self.parameters.weights)
    }

    fn built_margins(&self, margins: &Margins) -> Option<BuiltMargins> {
        let are_built = margins.cells() == BuiltMargins.cells();
        (self.uses_constants && self.weights_are_built && are_built).then_some(BuiltMargins)
    }

    #[inline]
    fn evaluate_as_built(&mut self) -> Value {
        self.evaluator.evaluate(self.position.board(), BuiltWeights)
    }

    /// Out of line it would cost .5 % of all instructions.
    #[inline(always)]
    fn ruling(&mut self, ply: usize, depth: i32) -> Ruling {
        self.ruling_where(self.position.is_repetition(ply), ply, depth)
    }

    fn look_ups(&self) -> u64 {
        self.table_hits
    }

    #[inline]
    fn structure_key(&self) -> u64 {
        self.board().pawn_key()
    }

    /// Contempt makes it worth less to the side that was asked, and more to the other.
    #[inline]
    fn draw(&self) -> Value {
        let is_asker = self.position.side_to_move() == self.asker;
        if is_asker { DRAW - self.contempt } else { DRAW + self.contempt }
    }

    /// A draw at least.
    #[inline]
    fn upcoming_repetition(&self, alpha: Value, ply: usize) -> Ruling {
        let draw = self.draw();
        match alpha < draw && self.position.can_repeat(ply) {
            true => Ruling::AtLeast(draw),
            false => Ruling::Open,
        }
    }

    #[inline]
    fn stuck(&self, ply: usize) -> Value {
        if self.in_check() { mated_at(ply) } else { self.draw() }
    }
}
