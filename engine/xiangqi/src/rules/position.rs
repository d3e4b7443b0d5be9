//! A board with its past.

use std::ops::Deref;

use super::board::NATURAL_LIMIT;
use super::{Board, FenError, Move, fen};

/// A board and the boards before it.
#[derive(Debug)]
pub struct Position {
    board: Board,
    past: Vec<Board>,
    /// The moves that led from each of them to the next; none is a pass.
    moves: Vec<Option<Move>>,
    /// Their keys, apart so that the search for repetitions reads little memory.
    past_keys: Vec<u64>,
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
        let (past, moves, past_keys) =
            (self.past.clone(), self.moves.clone(), self.past_keys.clone());
        Position { board: self.board, past, moves, past_keys }
    }

    /// Keeps the memory that it has.
    fn clone_from(&mut self, source: &Position) {
        self.board = source.board;
        self.past.clone_from(&source.past);
        self.moves.clone_from(&source.moves);
        self.past_keys.clone_from(&source.past_keys);
    }
}

impl Position {
    /// The start of a game.
    pub fn start() -> Position {
        Position::from_board(fen::parse(fen::START).expect("the start is a position"))
    }

    /// Reads a FEN.
    ///
    /// # Errors
    /// The fault in it.
    pub fn from_fen(text: &str) -> Result<Position, FenError> {
        Ok(Position::from_board(fen::parse(text)?))
    }

    /// A board without past.
    pub fn from_board(board: Board) -> Position {
        Position { board, past: Vec::new(), moves: Vec::new(), past_keys: Vec::new() }
    }

    /// The board as it stands.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The boards before, the first one first.
    pub fn past(&self) -> &[Board] {
        &self.past
    }

    /// The moves that led from each of [`Position::past`] to the next; none is a pass.
    pub fn moves(&self) -> &[Option<Move>] {
        &self.moves
    }

    /// Plays a legal move.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        self.remember(Some(mv));
        self.board.play(mv);
    }

    /// Gives the turn to the other side; not in check.
    #[inline]
    pub fn pass(&mut self) {
        self.remember(None);
        self.board.pass();
    }

    #[inline]
    fn remember(&mut self, mv: Option<Move>) {
        self.past.push(self.board);
        self.moves.push(mv);
        self.past_keys.push(self.board.key());
    }

    /// Takes back the last move or pass.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn undo(&mut self) {
        self.board = self.past.pop().expect("a move to take back");
        self.moves.pop();
        self.past_keys.pop();
    }

    /// Forgets the past: no earlier position counts as repeated.
    pub fn forget_past(&mut self) {
        self.past.clear();
        self.moves.clear();
        self.past_keys.clear();
    }

    /// Plies back over which positions may be repeated: since the last capture and the last pass.
    #[inline]
    pub fn repeatable(&self) -> usize {
        (self.board.shuffled() as usize).min(self.past.len())
    }

    /// The keys of the boards before, the first one first.
    #[inline]
    pub(super) fn past_keys(&self) -> &[u64] {
        &self.past_keys
    }

    /// Whether the natural limit is reached.
    pub fn is_at_limit(&self) -> bool {
        self.board.clock() >= NATURAL_LIMIT
    }
}
