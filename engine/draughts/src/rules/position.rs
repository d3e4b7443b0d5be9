//! A board with its past.

use std::ops::Deref;

use playable::Color;

use super::{Board, FenError, Move, fen};

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

    /// Reads a FEN, in ranks or in squares.
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

    /// How many plies ago the board stood so, the last time first. No man goes back, so it can be
    /// but since kings alone move.
    #[inline]
    pub fn repetitions(&self) -> impl Iterator<Item = usize> {
        let reach = (self.board.clock() as usize).min(self.past.len());
        let is_same = |&plies: &usize| self.past[self.past.len() - plies].is_like(&self.board);
        (4..=reach).step_by(2).filter(is_same)
    }

    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.board.side_to_move()
    }
}
