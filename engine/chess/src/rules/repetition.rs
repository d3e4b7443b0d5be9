//! The reversible move between two positions, found from their keys alone.
//!
//! CITE: Marcel van Kervinck, "The Design and Implementation of the Rookie 2.0 Chess Playing Program"
//! (2002), for the idea; Rasmus Pagh and Flemming Friche Rodler, "Cuckoo Hashing" (2001).

use std::sync::LazyLock;

use super::{Bitboard, Color, Piece, PieceType, Square, attacks, keys};

/// Two squares between which a piece can go to and fro.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shuttle {
    pub(super) from: Square,
    pub(super) to: Square,
}

/// A place of the table: a shuttle and the change of the key that it makes, or nothing.
type Place = Option<(u64, Shuttle)>;

/// Places of the table, of which less than half are taken; a power of two.
const PLACES: usize = 8192;

/// Every shuttle of every piece by the change of the position's key, at one of its two places.
static SHUTTLES: LazyLock<Box<[Place]>> = LazyLock::new(shuttles);

fn places(change: u64) -> [usize; 2] {
    [change as usize % PLACES, (change >> 16) as usize % PLACES]
}

/// The shuttle that changes a position's key so, if there is one.
#[inline]
pub(super) fn shuttle(change: u64) -> Option<Shuttle> {
    places(change)
        .into_iter()
        .filter_map(|place| SHUTTLES[place])
        .find(|&(known, _)| known == change)
        .map(|(_, shuttle)| shuttle)
}

fn shuttles() -> Box<[Place]> {
    let mut table = vec![None; PLACES].into_boxed_slice();
    for color in Color::ALL {
        for kind in PieceType::ALL.into_iter().filter(|&kind| kind != PieceType::Pawn) {
            let piece = Piece::new(color, kind);
            for from in Square::all() {
                let reached = attacks_of(kind, from);
                for to in reached.into_iter().filter(|to| to.index() > from.index()) {
                    let change =
                        keys::piece(piece, from) ^ keys::piece(piece, to) ^ keys::black_to_move();
                    insert(&mut table, change, Shuttle { from, to });
                }
            }
        }
    }
    table
}

/// Puts a shuttle at its first place; what was there goes to its other one, and so on.
fn insert(table: &mut [Place], change: u64, shuttle: Shuttle) {
    let mut carried = (change, shuttle);
    let mut place = places(change)[0];
    while let Some(evicted) = table[place].replace(carried) {
        carried = evicted;
        let [first, second] = places(carried.0);
        place = if place == first { second } else { first };
    }
}

fn attacks_of(kind: PieceType, square: Square) -> Bitboard {
    let empty = Bitboard::EMPTY;
    match kind {
        PieceType::Pawn => empty,
        PieceType::Knight => attacks::knight(square),
        PieceType::Bishop => attacks::bishop(square, empty),
        PieceType::Rook => attacks::rook(square, empty),
        PieceType::Queen => attacks::queen(square, empty),
        PieceType::King => attacks::king(square),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Position;
    use super::*;

    #[test]
    fn every_shuttle_is_found_by_its_change() {
        let known: Vec<(u64, Shuttle)> = SHUTTLES.iter().flatten().copied().collect();
        // Pairs of squares that a knight, bishop, rook, queen or king joins, for both colors.
        assert_eq!(known.len(), 2 * (168 + 280 + 448 + 728 + 210));
        assert!(known.iter().all(|&(change, found)| shuttle(change) == Some(found)));
        assert_eq!(shuttle(0), None);
    }

    fn after(fen: &str, moves: &str) -> Position {
        let mut position = Position::from_fen(fen).expect("a correct position");
        for text in moves.split_whitespace() {
            let mv = position.parse_uci(text).expect("a legal move");
            position.play(mv);
        }
        position
    }

    #[test]
    fn a_way_back_is_seen_unless_it_is_blocked_or_the_opponents() {
        let fen = "4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1";
        assert!(!after(fen, "a1a5 e8d8 a5b5").can_repeat(3));
        // Three plies ago White stood on a1: Black to move can bring his king back.
        let position = after(fen, "a1a5 e8d8 a5a1");
        assert!(position.can_repeat(4));
        // The same place, but it is the root itself, which occurred once.
        assert!(!position.can_repeat(3));
        // A pawn move cannot be taken back.
        assert!(!after(fen, "a1a5 e8d8 e2e3").can_repeat(9));
    }
}
