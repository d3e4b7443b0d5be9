//! Positions by which engines are checked: of chess chosen ones, of other games such as are drawn.

use matches::games;
use playable::{Game, Move, Position};

/// A position with the command that tells it to an engine.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The command `position`.
    pub setup: String,
    pub position: Position,
}

/// The positions of a game, by their kinds.
pub(super) struct Positions {
    /// Something is easily overlooked.
    pub odd: Vec<Place>,
    /// There is one legal move.
    pub single: Vec<Place>,
    /// The game is over: there is no legal move.
    pub over: Vec<Place>,
    /// A mate is sure, and in how many moves: negative if the mover is mated.
    pub mates: Vec<(Place, i32)>,
    /// One side is ahead, and whether it is the mover.
    pub ahead: Vec<(Place, bool)>,
    /// The positions in which one side is ahead, in words.
    pub of_ahead: &'static str,
    pub middlegames: Vec<Place>,
    /// Few men are left.
    pub few_men: Place,
    /// The first two moves of a game.
    pub opening: [Move; 2],
    /// Two moves among which one can choose at the start.
    pub choice: [Move; 2],
    /// Commands `position` that make no sense, and what they are in words.
    pub bad: Vec<(String, &'static str)>,
}

impl Place {
    /// The start of a game.
    pub fn start(game: Game) -> Place {
        Place { setup: "position startpos".to_owned(), position: game.start() }
    }

    /// A position that is known to be correct.
    pub fn of_fen(game: Game, fen: &str) -> Place {
        let position = game.position(fen).expect("a good position");
        Place { setup: format!("position fen {fen}"), position }
    }

    /// A position without its past.
    pub fn of(position: &Position) -> Place {
        Place::of_fen(position.game(), &position.uci_fen())
    }

    /// The same after a legal move, told in a dialect of the game.
    pub fn play(&mut self, mv: Move, dialect: usize) {
        self.setup += if self.setup.contains(" moves ") { " " } else { " moves " };
        self.position.push_dialect(mv, dialect, &mut self.setup);
        self.position.play(mv);
    }
}

impl Positions {
    /// The positions of a game, as far as there are any of a kind.
    pub fn of(game: Game, seed: u64) -> Positions {
        if !games::is_usual(&game) {
            return Positions::drawn(game, seed);
        }
        let start = game.start();
        let place = |fen: &&str| Place::of_fen(game, fen);
        let places = |fens: &[&str]| fens.iter().map(place).collect();
        let mv = |text| start.parse_uci(text).expect("a legal move");
        let mut after = start.clone();
        after.play(mv("e2e4"));
        Positions {
            odd: places(ODD),
            single: places(SINGLE),
            over: places(OVER),
            mates: MATES.iter().map(|(fen, moves)| (place(fen), *moves)).collect(),
            ahead: AHEAD.iter().map(|(fen, is_mover)| (place(fen), *is_mover)).collect(),
            of_ahead: "with a queen more or less",
            middlegames: places(MIDDLEGAMES),
            few_men: place(&FEW_MEN),
            opening: [mv("e2e4"), after.parse_uci("e7e5").expect("a legal move")],
            choice: [mv("a2a3"), mv("h2h4")],
            bad: BAD.iter().map(|(text, what)| (format!("position {text}"), *what)).collect(),
        }
    }
}

/// Positions in which something is easily overlooked: checks and double checks, pins, promotions,
/// en passant, castling, few men.
pub(super) const ODD: &[&str] = &[
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    // En passant, with the pawn or the king pinned by it.
    "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1",
    "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    // Castling, also where it is not allowed.
    "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1",
    "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
    "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1",
    // Promotions, of which the queen is not always the best.
    "2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1",
    "8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1",
    "8/k1P5/8/1K6/8/8/8/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    // Nothing but promotions.
    "8/3P1r2/8/8/1q6/8/2k1K1n1/8 w - - 0 1",
    "8/8/8/8/4p2p/3n3K/4p3/5R1k b - - 0 1",
    // The end of the rule of fifty moves is near, and few men.
    "8/8/8/4k3/8/4K3/4P3/8 w - - 98 120",
    "8/8/8/8/8/2k5/7r/1K6 w - - 0 1",
];

/// Positions with one legal move.
const SINGLE: &[&str] = &[
    // En passant.
    "6k1/8/8/1pP5/2K5/3r3r/1q6/r7 w - b6 0 1",
    "R7/1Q6/3R3R/2k5/1Pp5/8/8/6K1 b - b3 0 1",
    "8/4b3/1q2k3/2Pp4/2K5/qr1r4/8/8 w - d6 0 1",
    // Out of a check.
    "2kQ4/4R3/8/K7/3p3r/8/B2p4/8 b - - 0 1",
    "8/6b1/8/8/8/1k4Pp/p7/1K6 w - - 0 1",
    // Out of a double check.
    "2Q5/3K2r1/7r/8/3q4/8/7r/k7 w - - 0 1",
    "8/8/8/8/2q1K2k/3q3n/6Q1/8 w - - 0 1",
];

/// Positions in which the game is over: mate and stalemate, of either side.
const OVER: &[&str] = &[
    "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
    "6k1/8/8/8/8/8/5PPP/r5K1 w - - 0 1",
    "7k/5Q2/8/8/8/8/8/K7 b - - 0 1",
    "k7/8/8/8/8/8/5q2/7K w - - 0 1",
];

/// Positions with a mate that is sure, and in how many moves: negative if the mover is mated.
const MATES: &[(&str, i32)] = &[
    ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 1),
    ("r5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", 1),
    ("7k/8/R7/8/8/8/8/1R4K1 w - - 0 1", 2),
    ("1r4k1/8/8/8/8/r7/8/7K b - - 0 1", 2),
    ("kbK5/pp6/RP6/8/8/8/8/8 b - - 1 1", -1),
    ("8/8/8/8/8/rp6/PP6/KBk5 w - - 1 1", -1),
];

/// Positions in which one side is a queen ahead, and whether it is the mover.
const AHEAD: &[(&str, bool)] = &[
    ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1", false),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1", true),
    ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", false),
];

const MIDDLEGAMES: &[&str] = &[
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9",
    "r3kb1r/1bqn1ppp/p2ppn2/1p6/3NPP2/2N1B3/PPPQB1PP/R4RK1 b kq - 1 11",
    "8/pp3k2/2p2p2/3p1n2/3P1P2/2P2K2/PP3N2/8 w - - 0 30",
];

const FEW_MEN: &str = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";

/// Positions that are none, behind `position`, and what they are in words.
const BAD: &[(&str, &str)] = &[
    ("fen no position at all", "a malformed FEN"),
    ("fen 8/8/8/8/8/8/8/8 w - - 0 1", "a board without kings"),
    ("fen rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "a long rank"),
    ("startpos moves e2e5", "an illegal move"),
];

/// Positions of Chess960, as FENs with the files of the castling rooks.
pub(super) const CHESS960: &[&str] = &[
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "nrbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKRN w GBgb - 0 1",
    "rkbnrnqb/pppppppp/8/8/8/8/PPPPPPPP/RKBNRNQB w EAea - 0 1",
    "qbrnnkrb/pppppppp/8/8/8/8/PPPPPPPP/QBRNNKRB w GCgc - 0 1",
];

#[cfg(test)]
mod tests {
    use chess::{Board, Position};

    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
    }

    /// The number of moves to the mate that is forced, up to three.
    fn mate(board: &Board, moves: u32) -> bool {
        let position = Position::from_board(*board);
        position.legal_moves().iter().any(|&mv| {
            let mut after = *board;
            after.play(mv);
            if after.in_check() && !after.has_legal_move() {
                return true;
            }
            let replies = Position::from_board(after).legal_moves();
            moves > 1
                && !replies.is_empty()
                && replies.iter().all(|&reply| {
                    let mut next = after;
                    next.play(reply);
                    mate(&next, moves - 1)
                })
        })
    }

    #[test]
    fn positions_are_what_they_are_said_to_be() {
        for fen in ODD.iter().chain(MIDDLEGAMES) {
            assert!(position(fen).legal_moves().len() > 1, "{fen}");
        }
        for fen in SINGLE {
            assert_eq!(position(fen).legal_moves().len(), 1, "{fen}");
        }
        for fen in OVER {
            assert!(position(fen).legal_moves().is_empty(), "{fen}");
        }
        for fen in CHESS960 {
            assert!(position(fen).chess960(), "{fen}");
        }
        for &(fen, moves) in MATES {
            let board = *position(fen).board();
            if moves > 0 {
                assert!(mate(&board, moves as u32), "{fen}");
                assert!(moves == 1 || !mate(&board, moves as u32 - 1), "{fen}");
            } else {
                for &mv in position(fen).legal_moves().iter() {
                    let mut after = board;
                    after.play(mv);
                    assert!(mate(&after, moves.unsigned_abs()), "{fen}");
                }
            }
        }
        for &(fen, mover) in AHEAD {
            let board = *position(fen).board();
            let of = |color| board.pieces(color, chess::PieceType::Queen).count();
            let side = board.side_to_move();
            assert_eq!(of(side) > of(!side), mover, "{fen}");
        }
    }
}
