//! The `position` command, extended move by move.

use playable::{Game, Move, Position};

use crate::game::PlyRecord;

/// A game as an engine is told it: where it started, and all moves since.
///
/// With short positions, every capture and pawn move begins the text anew: no position from before
/// can come again and the fifty-move count is zero, so that nothing is lost that the rules of the
/// game know, and the bytes of a whole game grow with its length instead of its square. But the
/// engine does not see that it is the same game: what it keeps of its past is hidden from it.
#[derive(Debug)]
pub(super) struct PositionCommand {
    is_short: bool,
    /// The engine's dialect of the game.
    dialect: usize,
    text: String,
    position: Position,
    /// Plies of the game that are in `position`.
    plies: usize,
    has_moves: bool,
}

impl PositionCommand {
    /// The start of a game.
    pub fn new(start: &Position, is_short: bool, dialect: usize) -> PositionCommand {
        let is_usual = start.is_start() && !start.chess960();
        let mut place = PositionCommand {
            is_short,
            dialect,
            text: String::with_capacity(1024),
            position: start.clone(),
            plies: 0,
            has_moves: false,
        };
        if is_usual {
            place.text.push_str("position startpos");
        } else {
            place.begin();
        }
        place
    }

    /// The same, with the usual start told as other positions are.
    pub fn by_fen(mut self) -> PositionCommand {
        self.begin();
        self
    }

    fn begin(&mut self) {
        self.text.clear();
        self.text.push_str("position fen ");
        self.text.push_str(&self.position.uci_fen());
        self.has_moves = false;
    }

    /// The game that is played.
    pub fn game(&self) -> Game {
        self.position.game()
    }

    /// The command after all these plies of the game, without line end.
    pub fn after(&mut self, plies: &[PlyRecord]) -> &str {
        for ply in &plies[self.plies.min(plies.len())..] {
            let mut text = String::with_capacity(5);
            self.position.push_dialect(ply.mv, self.dialect, &mut text);
            self.position.play(ply.mv);
            self.position.forget_unrepeatable_past();
            self.plies += 1;
            if self.is_short && self.position.halfmove_clock() == 0 {
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

    /// The command after these moves as well, which may never be played.
    pub fn and_then(&self, moves: &[Move]) -> String {
        let mut text = self.text.clone();
        if !self.has_moves {
            text.push_str(" moves");
        }
        let mut position = self.position.clone();
        for &mv in moves {
            text.push(' ');
            position.push_dialect(mv, self.dialect, &mut text);
            position.play(mv);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use playable::Color;

    use super::*;
    use crate::player::Choice;

    /// The lines to an engine before each ply of a game, and after the last.
    fn told(fen: &str, moves: &[&str], is_short: bool) -> Vec<String> {
        let start = chess::GAME.position(fen).expect("a position");
        let mut place = PositionCommand::new(&start, is_short, 0);
        let mut board = start.clone();
        let mut plies = Vec::new();
        let mut texts = vec![place.after(&plies).to_owned()];
        for text in moves {
            let mv = board.parse_uci(text).expect("a legal move");
            plies.push(PlyRecord::new(Color::White, &Choice::of_move(mv)));
            board.play(mv);
            texts.push(place.after(&plies).to_owned());
        }
        texts
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn the_whole_game_is_told_from_its_start() {
        let moves = ["g1f3", "d7d5", "b1c3", "d5d4", "c3d5"];
        let texts = told(START, &moves, false);
        assert_eq!(texts[0], "position startpos");
        assert_eq!(texts[5], "position startpos moves g1f3 d7d5 b1c3 d5d4 c3d5");
        let fen = "4k3/8/8/8/8/4p3/3P4/4K3 w - - 7 40";
        let texts = told(fen, &["d2e3", "e8e7"], false);
        assert_eq!(texts[2], format!("position fen {fen} moves d2e3 e8e7"));
    }

    #[test]
    fn short_positions_begin_anew_after_captures_and_moves_of_pawns() {
        let fen = "4k3/8/8/8/8/4p3/3P4/4K3 w - - 7 40";
        let texts = told(fen, &["e1e2", "e8e7", "d2e3", "e7e6"], true);
        assert_eq!(texts[2], format!("position fen {fen} moves e1e2 e8e7"));
        assert_eq!(texts[3], "position fen 8/4k3/8/8/8/4P3/4K3/8 b - - 0 41");
        assert_eq!(texts[4], "position fen 8/4k3/8/8/8/4P3/4K3/8 b - - 0 41 moves e7e6");
    }
}
