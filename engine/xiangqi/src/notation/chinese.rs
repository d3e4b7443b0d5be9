//! The notation of books, in characters: 炮二平五.
//!
//! Man, file, direction, number; 进 is ahead, 退 back, 平 aside. Of men that share a file 前, 中 and 后
//! tell the front, the middle and the rear one, before the man: 前炮退二; pawns that are counted are 一
//! to 五: 一兵平六. Red writes files and steps in Chinese digits, Black in Arabic ones, those counts
//! excepted: 一卒平5.

use super::designation::{self, Designation, Direction, Which};
use crate::rules::{Board, Color, Kind, Move};

/// The men of each side, in the order of [`Kind::ALL`].
const MEN: [[char; Kind::COUNT]; 2] =
    [['兵', '相', '仕', '炮', '马', '车', '帅'], ['卒', '象', '士', '炮', '马', '车', '将']];
const DIGITS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// A move in characters.
pub(super) fn text(board: &Board, mv: Move) -> Option<String> {
    let Designation { kind, which, direction, number } = Designation::of(board, mv)?;
    let color = board.side_to_move();
    let man = MEN[color.index()][kind.index()];
    let digit = |number: usize| match color {
        Color::White => DIGITS[number - 1],
        Color::Black => char::from(b'0' + number as u8),
    };
    let [first, second] = match which {
        Which::File(file) | Which::OnFile { file, .. } => [man, digit(file)],
        Which::Front => ['前', man],
        Which::Middle => ['中', man],
        Which::Rear => ['后', man],
        Which::Ordinal(number) => [DIGITS[number - 1], man],
    };
    let sign = match direction {
        Direction::Ahead => '进',
        Direction::Back => '退',
        Direction::Aside => '平',
    };
    Some(String::from_iter([first, second, sign, digit(number)]))
}

/// Reads a move, traditional characters, either side's men and either side's digits included.
pub(super) fn read(text: &str) -> Option<Designation> {
    let [first, second, sign, number] = text.chars().collect::<Vec<_>>()[..] else { return None };
    let (kind, which) = match (kind_of(first), first) {
        (Some(kind), _) => (kind, Which::File(digit(second)?)),
        (None, '前') => (kind_of(second)?, Which::Front),
        (None, '中') => (kind_of(second)?, Which::Middle),
        (None, '后' | '後') => (kind_of(second)?, Which::Rear),
        (None, _) => (kind_of(second)?, Which::Ordinal(digit(first)?)),
    };
    let direction = match sign {
        '进' | '進' => Direction::Ahead,
        '退' => Direction::Back,
        '平' => Direction::Aside,
        _ => return None,
    };
    Some(Designation { kind, which, direction, number: digit(number)? })
}

fn kind_of(man: char) -> Option<Kind> {
    let kind = match man {
        '兵' | '卒' => Kind::Pawn,
        '相' | '象' => Kind::Elephant,
        '仕' | '士' => Kind::Advisor,
        '炮' | '砲' | '包' => Kind::Cannon,
        '马' | '馬' | '傌' => Kind::Horse,
        '车' | '車' | '俥' => Kind::Rook,
        '帅' | '帥' | '将' | '將' => Kind::King,
        _ => return None,
    };
    Some(kind)
}

/// A digit: Chinese, Arabic or of full width.
fn digit(c: char) -> Option<usize> {
    let full_width = || ('１'..='９').position(|digit| digit == c);
    let counted = DIGITS.iter().position(|digit| *digit == c).or_else(full_width);
    counted.map(|at| at + 1).or_else(|| designation::digit(c))
}
