//! The older notation with letters, and the one of numeric keypads.
//!
//! As in characters: man, file, direction, number, with `+` for ahead, `-` for back and `.` for
//! aside: `C2.5`. The same signs after the man mean the front, the rear and the middle one of a
//! shared file (`C+-2`: the front cannon goes back two), and `a` to `e` the pawns that are counted
//! (`Pa.6`). On a keypad a digit stands for the man: K1 A2 B3 N4 R5 C6 P7, so that `62.5` is
//! `C2.5`; the pawns that are counted have their small letters there, too. ElephantEye writes the
//! letters so.

use super::designation::{Designation, Direction, Which, digit};
use crate::rules::{Board, Kind, Move, Piece};

/// Men by the digits of the keypad, from 1.
const KEYPAD: [Kind; Kind::COUNT] =
    [Kind::King, Kind::Advisor, Kind::Elephant, Kind::Horse, Kind::Rook, Kind::Cannon, Kind::Pawn];

/// A move by letters.
pub(super) fn text(board: &Board, mv: Move) -> Option<String> {
    let designation = Designation::of(board, mv)?;
    Some(designation.kind.letter().to_ascii_uppercase().to_string() + &behind(designation))
}

/// A move by digits.
pub(super) fn keypad_text(board: &Board, mv: Move) -> Option<String> {
    let designation = Designation::of(board, mv)?;
    let at = KEYPAD.iter().position(|kind| *kind == designation.kind)?;
    Some((at + 1).to_string() + &behind(designation))
}

/// Reads a move by letters.
pub(super) fn read(text: &str) -> Option<Designation> {
    read_behind(text, |man| Some(Piece::of_letter(man)?.kind))
}

/// Reads a move by digits.
pub(super) fn read_keypad(text: &str) -> Option<Designation> {
    read_behind(text, |man| KEYPAD.get(digit(man)? - 1).copied())
}

/// All but the man.
pub(super) fn behind(designation: Designation) -> String {
    let which = match designation.which {
        Which::File(file) | Which::OnFile { file, .. } => file.to_string(),
        Which::Front => '+'.into(),
        Which::Middle => '.'.into(),
        Which::Rear => '-'.into(),
        Which::Ordinal(number) => char::from(b'a' + number as u8 - 1).into(),
    };
    format!("{which}{}{}", sign(designation.direction), designation.number)
}

fn sign(direction: Direction) -> char {
    match direction {
        Direction::Ahead => '+',
        Direction::Back => '-',
        Direction::Aside => '.',
    }
}

/// The direction of a sign.
pub(super) fn direction(sign: char) -> Option<Direction> {
    match sign {
        '+' => Some(Direction::Ahead),
        '-' => Some(Direction::Back),
        '.' => Some(Direction::Aside),
        _ => None,
    }
}

fn read_behind(text: &str, kind: impl Fn(char) -> Option<Kind>) -> Option<Designation> {
    let [man, which, sign, number] = text.chars().collect::<Vec<_>>()[..] else { return None };
    let which = match which.to_ascii_lowercase() {
        '+' => Which::Front,
        '.' => Which::Middle,
        '-' => Which::Rear,
        letter @ 'a'..='e' => Which::Ordinal(letter as usize - 'a' as usize + 1),
        file => Which::File(digit(file)?),
    };
    Some(Designation {
        kind: kind(man)?,
        which,
        direction: direction(sign)?,
        number: digit(number)?,
    })
}
