//! The pieces that a table is of.

use crate::rules::{Board, Color, PieceType, Position};

/// The pieces of both sides, the richer side first in some fixed sense: tables know no colors.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Material([Side; 2]);

/// How many pawns, knights, bishops, rooks and queens a side has beside its king.
type Side = [u8; 5];

/// Letters of names, as a side counts its pieces.
const LETTERS: [u8; 5] = *b"PNBRQ";
/// The king's number in a table's own code, in which pawns are 1, and black pieces 8 more.
const KING_CODE: u8 = 6;
const BLACK_CODE: u8 = 8;

impl Material {
    fn new(one: Side, other: Side) -> Material {
        Material([one.max(other), one.min(other)])
    }

    /// The pieces on a board.
    pub fn of_board(board: &Board) -> Material {
        use PieceType::{Bishop, Knight, Pawn, Queen, Rook};
        let side = |color| {
            [Pawn, Knight, Bishop, Rook, Queen]
                .map(|kind| (board.kind(kind) & board.color(color)).count() as u8)
        };
        Material::new(side(Color::White), side(Color::Black))
    }

    /// Reads a name such as `KQPvKR`.
    pub fn parse(name: &str) -> Option<Material> {
        let (white, black) = name.split_once('v')?;
        let side = |letters: &str| {
            let mut side = Side::default();
            for letter in letters.strip_prefix('K')?.bytes() {
                side[LETTERS.iter().position(|&it| it == letter)?] += 1;
            }
            Some(side)
        };
        Some(Material::new(side(white)?, side(black)?))
    }

    /// The pieces of these codes, which a table itself uses; `None` if they are none, or a side does
    /// not have one king.
    pub fn of_codes(codes: impl Iterator<Item = u8>) -> Option<Material> {
        let mut sides = [Side::default(); 2];
        let mut kings = [0; 2];
        for code in codes {
            let color = usize::from(code > BLACK_CODE);
            match code % BLACK_CODE {
                KING_CODE => kings[color] += 1,
                piece @ 1..KING_CODE => sides[color][usize::from(piece - 1)] += 1,
                _ => return None,
            }
        }
        (kings == [1, 1]).then_some(Material::new(sides[0], sides[1]))
    }

    /// Pieces, kings and pawns included.
    pub fn count(&self) -> u32 {
        2 + self.0.as_flattened().iter().map(|&count| u32::from(count)).sum::<u32>()
    }

    /// True if there are no pieces but kings, which needs no table.
    pub fn is_bare(&self) -> bool {
        self.count() == 2
    }

    /// Whether both sides have pawns.
    pub fn has_pawns_on_both_sides(&self) -> bool {
        self.0.iter().all(|side| side[0] > 0)
    }

    /// A board with these pieces on which nothing can be captured and nobody is in check; `None` where
    /// none is found soon.
    pub fn example(&self) -> Option<Board> {
        const TRIES: u32 = 10_000;
        // Numbers that look random are enough here (Knuth's MMIX generator).
        let mut state = 1_u64;
        let mut next_square = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 58) as usize
        };
        (0..TRIES).find_map(|_| {
            let mut men = [None; 64];
            for (side, kings_letter) in self.0.iter().zip(*b"Kk") {
                let case = kings_letter & 0x20;
                let letters = LETTERS.iter().zip(side);
                let pieces = letters
                    .flat_map(|(letter, &count)| std::iter::repeat_n(letter | case, count.into()));
                for man in pieces.chain([kings_letter]) {
                    let free = std::iter::repeat_with(&mut next_square)
                        .find(|&square| men[square].is_none());
                    men[free?] = Some(char::from(man));
                }
            }
            let ranks: Vec<String> = men.chunks(8).map(rank_text).collect();
            let position = Position::from_fen(&format!("{} w - - 0 1", ranks.join("/"))).ok()?;
            let board = *position.board();
            let moves = board.legal_moves();
            let is_calm = !board.in_check()
                && !moves.is_empty()
                && moves.iter().all(|&mv| board.captured(mv).is_none());
            is_calm.then_some(board)
        })
    }

    /// The pieces after one more capture, by a pawn that promotes, too.
    pub fn after_captures(&self) -> Vec<Material> {
        let mut found = Vec::new();
        for (us, them) in [(0, 1), (1, 0)] {
            for lost in (0..LETTERS.len()).filter(|&lost| self.0[them][lost] > 0) {
                let (ours, mut theirs) = (self.0[us], self.0[them]);
                theirs[lost] -= 1;
                found.push(Material::new(ours, theirs));
                if ours[0] == 0 {
                    continue;
                }
                for promoted in 1..LETTERS.len() {
                    let mut ours = ours;
                    ours[0] -= 1;
                    ours[promoted] += 1;
                    found.push(Material::new(ours, theirs));
                }
            }
        }
        found
    }

    /// The pieces after one more pawn has promoted without a capture.
    pub fn after_promotions(&self) -> Vec<Material> {
        let mut found = Vec::new();
        for side in (0..2).filter(|&side| self.0[side][0] > 0) {
            for promoted in 1..LETTERS.len() {
                let mut sides = self.0;
                sides[side][0] -= 1;
                sides[side][promoted] += 1;
                found.push(Material::new(sides[0], sides[1]));
            }
        }
        found
    }
}

/// A rank of a FEN.
fn rank_text(men: &[Option<char>]) -> String {
    let runs = men.chunk_by(|one, next| one.is_none() && next.is_none());
    let text = |run: &[Option<char>]| run[0].map_or_else(|| run.len().to_string(), String::from);
    runs.map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Position;

    fn material(name: &str) -> Material {
        Material::parse(name).expect("a name")
    }

    #[test]
    fn names_of_either_color_are_the_same_pieces() {
        assert_eq!(material("KQPvKR"), material("KRvKQP"));
        assert_eq!(material("KQPvKR"), material("KPQvKR"));
        assert_ne!(material("KQPvKR"), material("KQvKRP"));
        assert_eq!(material("KQPvKR").count(), 5);
        for name in ["", "KQ", "QvK", "KQvKX", "KQvKvK", "kqvk"] {
            assert_eq!(Material::parse(name), None, "{name}");
        }
        let position =
            Position::from_fen("8/8/4k3/3r4/8/2K5/1PQ5/8 w - - 0 1").expect("a position");
        assert_eq!(Material::of_board(position.board()), material("KQPvKR"));
    }

    #[test]
    fn captures_lead_to_fewer_pieces() {
        let mut found = material("KPvKR").after_captures();
        found.sort_by_key(|material| material.0);
        let mut expected = ["KPvK", "KQvK", "KRvK", "KBvK", "KNvK", "KRvK"].map(material).to_vec();
        expected.sort_by_key(|material| material.0);
        assert_eq!(found, expected);
        assert!(material("KQvK").after_captures()[0].is_bare());
    }

    #[test]
    fn an_example_has_the_pieces_and_nothing_to_capture() {
        for name in ["KPvK", "KQQQvK", "KPPPvK", "KQvKQ", "KRPvKBN", "KQQvKRP", "KRRvKRR", "KNNvKP"]
        {
            let board = material(name).example().expect("there is one");
            assert_eq!(Material::of_board(&board), material(name));
            let calm = board.legal_moves().iter().all(|&mv| board.captured(mv).is_none());
            assert!(calm && !board.in_check(), "{name}");
        }
    }

    #[test]
    fn promotions_keep_the_number_of_pieces() {
        let found = material("KPvKP").after_promotions();
        let expected = ["KNvKP", "KBvKP", "KRvKP", "KQvKP"].map(material);
        assert_eq!(found, [expected, expected].concat());
        assert_eq!(material("KQvKR").after_promotions(), []);
    }
}
