//! A move as its side sees it: which man, in which direction, and how far or to which file.
//!
//! Each side counts the files from 1 at its own right. Men that move straight say how many steps
//! they go ahead or back, all others and steps aside say the file where they arrive.
//!
//! A file that two men of a kind share does not name one of them. Advisors and elephants do not
//! mind: one of two on a file can go ahead only, the other one back only. Of two other men one is
//! the front one and one the rear one; of three pawns on a file there is a middle one. Four or more
//! pawns on shared files, be it one file or two, are counted together: file by file from the right,
//! and each from the front.

use std::cmp::{Ordering, Reverse};

use playable::MoveError;

use crate::rules::{Bitboard, Board, Color, Kind, Move, Square};

/// Where a man goes, as his side sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Ahead,
    Back,
    Aside,
}

/// Which man of his kind moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Which {
    /// The one on this file.
    File(usize),
    /// The first one of a shared file.
    Front,
    /// The second one of three on a shared file.
    Middle,
    /// The last one of a shared file.
    Rear,
    /// The one of this number, from 1, on all shared files.
    Ordinal(usize),
    /// The one of this number, from 1, on this shared file.
    OnFile { place: usize, file: usize },
}

/// A move as its side sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Designation {
    pub kind: Kind,
    pub which: Which,
    pub direction: Direction,
    /// Steps or a file.
    pub number: usize,
}

/// The file from the own right, from 1, and the rank from the own side.
pub(super) fn seen(color: Color, square: Square) -> (usize, usize) {
    match color {
        Color::White => (Square::FILES - square.file(), square.rank()),
        Color::Black => (square.file() + 1, Square::RANKS - 1 - square.rank()),
    }
}

/// The square that is seen so, if there is one.
fn square_seen(color: Color, file: usize, rank: usize) -> Option<Square> {
    let is_on = (1..=Square::FILES).contains(&file) && rank < Square::RANKS;
    is_on.then(|| match color {
        Color::White => Square::new(Square::FILES - file, rank),
        Color::Black => Square::new(file - 1, Square::RANKS - 1 - rank),
    })
}

/// The mover's men of a kind on files that they share, from the right, and each file from the
/// front.
pub(super) fn sharing(board: &Board, kind: Kind) -> Vec<Square> {
    let color = board.side_to_move();
    let men = board.of(color, kind);
    let is_shared = |man: &Square| (men & Bitboard::file(man.file())).has_several();
    let mut sharing: Vec<Square> = men.filter(is_shared).collect();
    sharing.sort_by_key(|&man| {
        let (file, rank) = seen(color, man);
        (file, Reverse(rank))
    });
    sharing
}

impl Which {
    /// How to tell the mover's man on a square from the others.
    fn of(board: &Board, kind: Kind, square: Square) -> Which {
        let sharing = match kind {
            Kind::Advisor | Kind::Elephant => Vec::new(),
            _ => sharing(board, kind),
        };
        match (sharing.iter().position(|man| *man == square), sharing.len()) {
            (None, _) => Which::File(seen(board.side_to_move(), square).0),
            (Some(0), 2 | 3) => Which::Front,
            (Some(1), 3) => Which::Middle,
            (Some(_), 2 | 3) => Which::Rear,
            (Some(at), _) => Which::Ordinal(at + 1),
        }
    }

    /// The mover's men that may be meant.
    fn men(self, board: &Board, kind: Kind) -> Vec<Square> {
        let color = board.side_to_move();
        let is_on = |file| move |man: &Square| seen(color, *man).0 == file;
        let sharing = sharing(board, kind);
        let files = || sharing.chunk_by(|one, other| one.file() == other.file());
        match self {
            Which::File(file) => board.of(color, kind).filter(is_on(file)).collect(),
            Which::Front => files().map(|men| men[0]).collect(),
            Which::Middle => files().filter(|men| men.len() == 3).map(|men| men[1]).collect(),
            Which::Rear => files().map(|men| men[men.len() - 1]).collect(),
            Which::Ordinal(number) => sharing.into_iter().skip(number - 1).take(1).collect(),
            Which::OnFile { place, file } => {
                sharing.into_iter().filter(is_on(file)).skip(place - 1).take(1).collect()
            }
        }
    }
}

impl Designation {
    /// How the mover sees his move; `None` if the man is not his.
    pub fn of(board: &Board, mv: Move) -> Option<Designation> {
        let color = board.side_to_move();
        let kind = board.man_on(mv.from()).filter(|man| man.color == color)?.kind;
        let ((file, rank), (to_file, to_rank)) = (seen(color, mv.from()), seen(color, mv.to()));
        let direction = match to_rank.cmp(&rank) {
            Ordering::Greater => Direction::Ahead,
            Ordering::Less => Direction::Back,
            Ordering::Equal => Direction::Aside,
        };
        let number = if file == to_file { rank.abs_diff(to_rank) } else { to_file };
        Some(Designation { kind, which: Which::of(board, kind, mv.from()), direction, number })
    }

    /// The legal move that is meant by a text.
    pub fn find(self, board: &Board, text: &str) -> Result<Move, MoveError> {
        let men = self.which.men(board, self.kind).into_iter();
        let moves = men.filter_map(|from| Some(Move::new(from, self.target(board, from)?)));
        let mut legal = moves.filter(|mv| board.is_legal(*mv));
        match (legal.next(), legal.next()) {
            (None, _) => Err(MoveError::Illegal(text.to_owned())),
            (Some(mv), None) => Ok(mv),
            (Some(first), Some(second)) => Err(MoveError::Ambiguous {
                text: text.to_owned(),
                first: first.to_string(),
                second: second.to_string(),
            }),
        }
    }

    /// Where the mover's man would go from there.
    fn target(self, board: &Board, from: Square) -> Option<Square> {
        let color = board.side_to_move();
        let (file, rank) = seen(color, from);
        let aside = self.number.abs_diff(file);
        let (to_file, steps) = match (self.direction, self.kind) {
            (Direction::Aside, _) => (self.number, 0),
            (_, Kind::Advisor | Kind::Elephant) => (self.number, aside),
            (_, Kind::Horse) => (self.number, 3usize.checked_sub(aside)?),
            (_, Kind::Pawn | Kind::Cannon | Kind::Rook | Kind::King) => (file, self.number),
        };
        let to_rank = match self.direction {
            Direction::Back => rank.checked_sub(steps)?,
            Direction::Ahead | Direction::Aside => rank + steps,
        };
        square_seen(color, to_file, to_rank)
    }
}

/// The digit of a file, of steps or of a place, none of which is 0.
pub(super) fn digit(c: char) -> Option<usize> {
    c.to_digit(10).filter(|digit| *digit > 0).map(|digit| digit as usize)
}
