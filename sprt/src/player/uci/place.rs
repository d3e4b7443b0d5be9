//! The `position` command, extended move by move.

use engine::chess::{Board, Position};

use crate::game::PlyRecord;

/// A game as an engine is told it: a position, and the moves since.
///
/// With short positions, every capture and pawn move begins the text anew: no position from before
/// can come again and the fifty-move count is zero, so that nothing is lost that the rules of the
/// game know, and the bytes of a whole game grow with its length instead of its square.
#[derive(Debug)]
pub(super) struct Place {
    is_short: bool,
    chess960: bool,
    text: String,
    board: Board,
    /// Plies of the game that are in `board`.
    plies: usize,
    has_moves: bool,
}

impl Place {
    /// The start of a game.
    pub fn new(start: &Position, is_short: bool) -> Place {
        let (board, chess960) = (*start.board(), start.chess960());
        let mut place = Place {
            is_short,
            chess960,
            text: String::with_capacity(1024),
            board,
            plies: 0,
            has_moves: false,
        };
        if !chess960 && board.to_fen(false) == Position::start().to_fen(false) {
            place.text.push_str("position startpos");
        } else {
            place.begin();
        }
        place
    }

    fn begin(&mut self) {
        self.text.clear();
        self.text.push_str("position fen ");
        self.text.push_str(&self.board.to_fen(self.chess960));
        self.has_moves = false;
    }

    /// The command after all these plies of the game, without line end.
    pub fn after(&mut self, plies: &[PlyRecord]) -> &str {
        for ply in &plies[self.plies.min(plies.len())..] {
            let text = self.board.uci(ply.mv, self.chess960);
            self.board.play(ply.mv);
            self.plies += 1;
            if self.is_short && self.board.halfmove_clock() == 0 {
                self.begin();
                continue;
            }
            if !std::mem::replace(&mut self.has_moves, true) {
                self.text.push_str(" moves");
            }
            self.text.push(' ');
            self.text.push_str(&text);
        }
        &self.text
    }
}
