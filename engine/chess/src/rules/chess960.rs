//! The 960 starting positions.

use super::{PieceType, Position, fen};

/// The start of Chess960 with this number, 0 to 959; 518 is that of standard chess.
///
/// CITE: Reinhard Scharnagl, "Fischer-Random-Schach" (2004), direct derivation of the number.
///
/// # Panics
/// If the number is 960 or more.
pub fn chess960_start(number: u16) -> Position {
    assert!(number < 960, "Chess960 starting positions are numbered 0 to 959, not {number}");
    let mut position = Position::from_board(fen::start_of(back_rank(number)));
    position.set_chess960(true);
    position
}

/// The pieces of the first rank, from the a-file.
fn back_rank(number: u16) -> [PieceType; 8] {
    use PieceType::{Bishop, King, Knight, Queen, Rook};
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let mut rank: [Option<PieceType>; 8] = [None; 8];
    let mut rest = usize::from(number);
    rank[rest % 4 * 2 + 1] = Some(Bishop);
    rest /= 4;
    rank[rest % 4 * 2] = Some(Bishop);
    rest /= 4;
    let free = |rank: &[Option<PieceType>; 8]| -> Vec<usize> {
        (0..8).filter(|&file| rank[file].is_none()).collect()
    };
    rank[free(&rank)[rest % 6]] = Some(Queen);
    rest /= 6;
    let left = free(&rank);
    let (first, second) = KNIGHTS[rest];
    rank[left[first]] = Some(Knight);
    rank[left[second]] = Some(Knight);
    for (file, kind) in free(&rank).into_iter().zip([Rook, King, Rook]) {
        rank[file] = Some(kind);
    }
    rank.map(|kind| kind.unwrap_or(King))
}
