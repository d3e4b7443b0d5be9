//! A board with its past, and how games end.

use std::ops::Deref;

use playable::{Color, Ending, GameResult};

use super::board::KING_PLIES;
use super::{Board, FenError, Move, fen};

/// The side to move has no legal move, or no men: it loses.
const NO_MOVE: Ending = Ending::new("no_move");
/// Each side has moved kings for 40 moves, and nobody has captured: a draw.
const KINGS_ONLY: Ending = Ending::new("kings_only");

/// How games end, in the order in which the rules are asked.
pub const ENDINGS: [Ending; 3] = [NO_MOVE, KINGS_ONLY, Ending::REPETITION];

/// A board and the boards before it.
#[derive(Debug)]
pub struct Position {
    board: Board,
    past: Vec<Board>,
}

impl Deref for Position {
    type Target = Board;

    #[inline]
    fn deref(&self) -> &Board {
        &self.board
    }
}

impl Clone for Position {
    fn clone(&self) -> Position {
        Position { board: self.board, past: self.past.clone() }
    }

    /// Keeps the memory that it has.
    fn clone_from(&mut self, source: &Position) {
        self.board = source.board;
        self.past.clone_from(&source.past);
    }
}

impl Position {
    /// The start of a game.
    pub fn start() -> Position {
        Position::from_board(Board::START)
    }

    /// Reads a FEN, in ranks or in numbers of squares.
    ///
    /// # Errors
    /// The fault in it.
    pub fn from_fen(text: &str) -> Result<Position, FenError> {
        Ok(Position::from_board(fen::parse(text)?))
    }

    /// A board without past.
    pub fn from_board(board: Board) -> Position {
        Position { board, past: Vec::new() }
    }

    /// The board as it stands.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Plays a legal move.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        self.past.push(self.board);
        self.board.play(mv);
    }

    /// Gives the turn to the other side.
    #[inline]
    pub fn pass(&mut self) {
        self.past.push(self.board);
        self.board.pass();
    }

    /// Takes back the last move or pass.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn undo(&mut self) {
        self.board = self.past.pop().expect("a move to take back");
    }

    /// Forgets the past: no earlier position counts as repeated.
    pub fn forget_past(&mut self) {
        self.past.clear();
    }

    /// How many plies ago the board stood so, the last time first. No man goes back, so it can be but
    /// since kings alone move.
    #[inline]
    pub fn repetitions(&self) -> impl Iterator<Item = usize> {
        let reach = (self.board.clock() as usize).min(self.past.len());
        let is_same = |&plies: &usize| self.past[self.past.len() - plies].is_like(&self.board);
        (4..=reach).step_by(2).filter(is_same)
    }

    /// Whether kings have moved alone for as long as a game allows.
    pub fn is_at_limit(&self) -> bool {
        self.board.clock() >= KING_PLIES
    }

    /// How the game has ended, and by which of [`ENDINGS`]; `None` while it goes on.
    pub fn outcome(&self) -> Option<(GameResult, Ending)> {
        if !self.board.has_legal_move() {
            return Some((GameResult::win_of(!self.board.side_to_move()), NO_MOVE));
        }
        if self.is_at_limit() {
            return Some((GameResult::Draw, KINGS_ONLY));
        }
        let is_third = self.repetitions().nth(1).is_some();
        is_third.then_some((GameResult::Draw, Ending::REPETITION))
    }

    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.board.side_to_move()
    }
}
