//! The notation of the World Xiangqi Federation.
//!
//! Man, file, direction, number: `C2=5`, `H8+7`, with `+` for the front one and `-` for the rear
//! one of two that share a file: `H++7`, `P-+1`. The file is enough where the other one would leave
//! the board if it went as far: `R9-1`. Of three pawns or more that share files each is called by
//! its place from the front and its file, without a letter: `15=6`. Fairy-Stockfish writes it so.

use super::designation::{Designation, Which, digit, seen, sharing};
use super::letters;
use crate::rules::{Board, Kind, Move, Square};

/// A move as text.
pub(super) fn text(board: &Board, mv: Move) -> Option<String> {
    let designation = Designation::of(board, mv)?;
    let sharing = match designation.which {
        Which::File(_) => Vec::new(),
        _ => sharing(board, designation.kind),
    };
    let (color, from) = (board.side_to_move(), mv.from());
    let ((file, rank), (_, to_rank)) = (seen(color, from), seen(color, mv.to()));
    let would_stay = |man: &Square| {
        let arrival = (seen(color, *man).1 + to_rank).checked_sub(rank);
        *man != from && arrival.is_some_and(|rank| rank < Square::RANKS)
    };
    let letter = match designation.kind {
        Kind::Horse => 'H',
        Kind::Elephant => 'E',
        kind => kind.letter().to_ascii_uppercase(),
    };
    let (head, which) = match sharing.len() {
        0 => (letter.to_string(), designation.which),
        2 if sharing.iter().any(would_stay) => (letter.to_string(), designation.which),
        2 => (letter.to_string(), Which::File(file)),
        _ => {
            let before = sharing.iter().take_while(|man| **man != from);
            let place = before.filter(|man| man.file() == from.file()).count() + 1;
            (place.to_string(), Which::OnFile { place, file })
        }
    };
    Some(head + &letters::behind(Designation { which, ..designation }).replace('.', "="))
}

/// Reads a move. A dot may stand for aside, too, and the letters of FEN for horse and elephant.
pub(super) fn read(text: &str) -> Option<Designation> {
    let text = text.replace('=', ".");
    let [place, file, sign, number] = text.chars().collect::<Vec<_>>()[..] else { return None };
    match digit(place) {
        None => letters::read(&text),
        Some(place) => Some(Designation {
            kind: Kind::Pawn,
            which: Which::OnFile { place, file: digit(file)? },
            direction: letters::direction(sign)?,
            number: digit(number)?,
        }),
    }
}

#[cfg(test)]
mod tests {
    use crate::notation::Notation;
    use crate::rules::Position;

    /// Moves with their texts on a position.
    fn agree(fen: &str, moves: &[(&str, &str)]) {
        let position = Position::from_fen(fen).expect("a position");
        for &(mv, text) in moves {
            let mv = Notation::Coordinates.parse(&position, mv).expect("a legal move");
            assert_eq!(Notation::Wxf.text(&position, mv), text);
            assert_eq!(Notation::Wxf.parse(&position, text), Ok(mv));
            assert_eq!(Notation::Wxf.parse(&position, &text.to_lowercase()), Ok(mv));
            assert_eq!(Notation::Wxf.parse(&position, &text.replace('=', ".")), Ok(mv));
        }
    }

    #[test]
    fn texts_are_those_of_fairy_stockfish() {
        let start = Position::start().to_fen();
        agree(&start, &[("h0g2", "H2+3"), ("c0e2", "E7+5"), ("h2h9", "C2+7")]);
        agree(
            "rnbakabnr/9/1c5c1/p1p1p1p1p/4P4/1NB6/P1P1P3P/1C1A3C1/9/RNBAK4 w",
            &[("b4c6", "H++7"), ("e5e6", "P++1"), ("e3e4", "P-+1"), ("c4e2", "E7-5")],
        );
        agree(
            "rnbakabnr/9/1c5c1/p1p1P1p1p/4P4/9/P3P3P/1C5C1/9/RNBAKABNR w",
            &[("e6d6", "15=6"), ("e5d5", "25=6"), ("e3e4", "35+1")],
        );
        agree(
            "5k3/9/3P5/3P1P1P1/5P3/9/9/9/9/4K4 w",
            &[("d6e6", "26=5"), ("f5e5", "24=5"), ("h6g6", "P2=3")],
        );
        agree(
            "c2k5/2c3r2/b2Pbr1n1/P3p1p2/4P3P/R1B6/6P2/5A3/4A4/R2N1K1N1 w",
            &[("a4a1", "R9-3"), ("a4a5", "R++1"), ("a0a1", "R-+1"), ("a4b4", "R+=8")],
        );
    }

    #[test]
    fn a_line_is_that_of_fairy_stockfish() {
        let mut position = Position::start();
        let moves = ["h2e2", "h9g7", "h0g2", "c9e7", "a0a2", "i9h9"];
        for (mv, text) in moves.iter().zip(["C2=5", "H8+7", "H2+3", "E3+5", "R9+2", "R9=8"]) {
            let mv = Notation::Coordinates.parse(&position, mv).expect("a legal move");
            assert_eq!(Notation::Wxf.text(&position, mv), text);
            position.play(mv);
        }
    }
}
