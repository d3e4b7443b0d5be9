//! Opening books: keys, moves, what is refused, and sessions that play from one.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use chess::Position;
use chess::opening_book::{Book, BookError, key};

use super::driver::Session;
use crate::child::output;
use crate::shared_data::shared_data;

fn played(moves: &str) -> Position {
    let mut position = Position::start();
    for text in moves.split_whitespace() {
        let mv = position.parse_uci(text).expect("legal");
        position.play(mv);
    }
    position
}

/// Bytes of an entry; squares are numbered a1, b1, … h8.
fn entry(key: u64, from: u16, to: u16, promotion: u16, weight: u16) -> Vec<u8> {
    let mv = promotion << 12 | from << 6 | to;
    let parts = [&key.to_be_bytes()[..], &mv.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]];
    parts.concat()
}

/// The keys that the description of the format gives as examples.
#[test]
fn keys_are_those_of_the_format() {
    for (moves, expected) in [
        ("", 0x463b_9618_1691_fc9c),
        ("e2e4", 0x823c_9b50_fd11_4196),
        ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
        ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
        ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
        ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
        ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
        ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
    ] {
        let position = played(moves);
        assert_eq!(key(&position), expected, "{moves}");
        let set_up = Position::from_fen(&position.to_fen(false)).expect("good");
        assert_eq!(key(&set_up), expected, "{moves}, without past");
    }
}

/// A capture that would open a line to the king counts all the same.
#[test]
fn pinned_pawns_count_beside_a_double_step() {
    let mut position = Position::from_fen("4r1k1/8/8/8/4p3/8/3P4/4K3 w - - 0 1").expect("good");
    let double_step = position.parse_uci("d2d4").expect("legal");
    position.play(double_step);
    assert_eq!(position.attacked_double_step().map(|it| it.to_string()), Some("d4".to_owned()));
    let mut pinned = Position::from_fen("8/8/8/8/R2p2k1/8/4P3/4K3 w - - 0 1").expect("good");
    let double_step = pinned.parse_uci("e2e4").expect("legal");
    pinned.play(double_step);
    assert_eq!(pinned.en_passant(), None, "the rook would give check");
    assert_eq!(pinned.attacked_double_step().map(|it| it.to_string()), Some("e4".to_owned()));
    assert_ne!(key(&pinned), key(&Position::from_fen(&pinned.to_fen(false)).expect("good")));
}

/// The positions of the book that can be reached through others of it: how many moves they have,
/// and their keys.
fn walk(book: &Book) -> (usize, HashSet<u64>) {
    let mut seen = HashMap::new();
    let mut waiting = vec![Position::start()];
    while let Some(position) = waiting.pop() {
        let moves = book.moves(&position);
        if moves.is_empty() || seen.insert(key(&position), moves.len()).is_some() {
            continue;
        }
        for &mv in &position.legal_moves() {
            let mut next = position.clone();
            next.play(mv);
            waiting.push(next);
        }
    }
    (seen.values().sum(), seen.into_keys().collect())
}

/// What a wrong number, or a wrong way of writing moves, would keep out of reach.
#[test]
fn public_books_are_read_to_their_end() {
    for (name, moves) in [("gm2001.bin", 30_416), ("book_small.bin", 31_467)] {
        let Some(path) = shared_data(&format!("polyglot/{name}")) else { return };
        let bytes = fs::read(path).expect("readable");
        let book = Book::parse(&bytes).expect("a book");
        assert_eq!(book.len(), moves);
        let (reached, keys) = walk(&book);
        eprintln!("{name}: {reached} of {moves} moves in {} positions", keys.len());
        assert!(100 * reached > 85 * moves, "{name}: {reached} of {moves}");
        let of_reached = |entry: &&[u8]| {
            keys.contains(&u64::from_be_bytes(entry[..8].try_into().expect("eight bytes")))
                && entry[10..12] != [0, 0]
        };
        let expected = bytes.chunks(16).filter(of_reached).count();
        assert_eq!(reached, expected, "{name}: all moves of these positions are legal");
    }
}

#[test]
fn moves_of_all_kinds_are_read() {
    let castling = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").expect("good");
    let promotion = Position::from_fen("8/1P5k/8/8/8/8/8/K7 w - - 0 1").expect("good");
    let en_passant = played("e2e4 a7a6 e4e5 d7d5");
    for (position, from, to, promoted, expected) in [
        (&castling, 4, 7, 0, "e1g1"),
        (&castling, 4, 0, 0, "e1c1"),
        (&castling, 4, 6, 0, "e1g1"),
        (&promotion, 49, 57, 1, "b7b8n"),
        (&promotion, 49, 57, 2, "b7b8b"),
        (&promotion, 49, 57, 3, "b7b8r"),
        (&promotion, 49, 57, 4, "b7b8q"),
        (&en_passant, 36, 43, 0, "e5d6"),
    ] {
        let bytes = entry(key(position), from, to, promoted, 7);
        let moves = Book::parse(&bytes).expect("a book").moves(position);
        assert_eq!(moves.len(), 1, "{expected}");
        assert_eq!(position.uci(moves[0].mv, false), expected);
        assert_eq!(moves[0].weight, 7);
    }
}

#[test]
fn moves_are_picked_by_weight() {
    let position = Position::start();
    let start = key(&position);
    // The last two are illegal, and of no weight.
    let moves = [(12, 28, 3), (11, 27, 1), (10, 26, 6), (12, 36, 9), (6, 21, 0)];
    let bytes: Vec<u8> =
        moves.iter().flat_map(|&(from, to, weight)| entry(start, from, to, 0, weight)).collect();
    let book = Book::parse(&bytes).expect("a book");
    let picked = |number: u32| {
        let found = book.pick(&position, |sum| {
            assert_eq!(sum, 10);
            number
        });
        position.uci(found.expect("a move").mv, false)
    };
    let all: Vec<String> = (0..10).map(picked).collect();
    assert_eq!(all[..6], ["c2c4"; 6]);
    assert_eq!(all[6..9], ["e2e4"; 3]);
    assert_eq!(all[9], "d2d4");
    assert_eq!(book.pick(&played("e2e4"), |_| unreachable!("nothing to pick")), None);
}

#[test]
fn damaged_books_are_refused() {
    let start = key(&Position::start());
    let good = [entry(start, 12, 28, 0, 1), entry(start, 11, 27, 0, 1)].concat();
    assert!(Book::parse(&good).is_ok());
    assert_eq!(Book::parse(&[]), Err(BookError::Empty));
    for length in 17..32 {
        assert_eq!(Book::parse(&good[..length]), Err(BookError::Length(length)));
    }
    let unsorted = [entry(5, 1, 2, 0, 1), entry(4, 1, 2, 0, 1)].concat();
    assert_eq!(Book::parse(&unsorted), Err(BookError::Order(2)));
    let nowhere = [entry(5, 1, 2, 0, 1), entry(6, 2, 2, 0, 1)].concat();
    assert_eq!(Book::parse(&nowhere), Err(BookError::Move(2)));
    assert_eq!(Book::parse(&entry(5, 1, 2, 5, 1)), Err(BookError::Move(1)));
    let text = b"Any text whose length happens to be a multiple of sixteen bytes!";
    assert!(Book::parse(text).is_err());
}

/// A session that plays from a book of these bytes, and what it said of them.
fn session_with(bytes: &[u8], folder: &Path) -> (Session, Vec<String>) {
    let path = folder.join("book of mine.bin");
    fs::write(&path, bytes).expect("writable");
    let mut session = Session::start();
    session.send("setoption name OwnBook value true");
    session.send(&format!("setoption name BookFile value {}", path.display()));
    let said = session.until_ready();
    (session, said)
}

#[test]
fn a_session_plays_from_its_book() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let start = key(&Position::start());
    let bytes = [entry(start, 12, 28, 0, 1), entry(start, 11, 27, 0, 1)].concat();
    let (mut session, said) = session_with(&bytes, folder.path());
    assert_eq!(said, ["info string book: 2 moves"]);
    let answer = |session: &mut Session, go: &str| {
        session.send(go);
        let (best, infos) = session.best_move();
        (best.expect("a move"), infos.iter().any(|info| info.depth.is_some()))
    };
    let mut drawn = HashSet::new();
    for seed in 1..=20 {
        session.send(&format!("setoption name BookSeed value {seed}"));
        let (first, searched) = answer(&mut session, "go nodes 100");
        assert!(!searched);
        assert_eq!(answer(&mut session, "go wtime 1000 btime 1000").0, first, "the same seed");
        drawn.insert(first);
    }
    assert_eq!(drawn, HashSet::from(["e2e4".to_owned(), "d2d4".to_owned()]));
    // Who asks for a search gets one, and so does who has left the book.
    assert!(answer(&mut session, "go nodes 100 searchmoves a2a3").1);
    session.send("go infinite");
    session.until("info depth 2");
    session.send("stop");
    session.best_move();
    session.send("setoption name UCI_AnalyseMode value true");
    assert!(answer(&mut session, "go nodes 100").1);
    session.send("setoption name UCI_AnalyseMode value false");
    session.send("setoption name OwnBook value false");
    assert!(answer(&mut session, "go nodes 100").1);
    session.send("setoption name OwnBook value true");
    assert!(!answer(&mut session, "go nodes 100").1);
    session.send("position startpos moves e2e4");
    assert!(answer(&mut session, "go nodes 100").1);
    session.send("position startpos");
    session.send("setoption name BookFile value <empty>");
    assert!(answer(&mut session, "go nodes 100").1);
}

#[test]
fn a_session_names_a_book_that_it_does_not_use() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let (mut session, said) = session_with(&[1; 24], folder.path());
    assert_eq!(said.len(), 1);
    assert!(said[0].starts_with("info string book: none is used: "), "{said:?}");
    assert!(said[0].contains("book of mine.bin: 24 bytes are no whole number"), "{said:?}");
    session.send("go nodes 100");
    assert!(session.best_move().0.is_some());
    session.send("setoption name BookFile value /no/such/book.bin");
    session.until("info string book: none is used: /no/such/book.bin: ");
}

/// Two games of xiangqi that begin alike, left and right exchanged.
const XIANGQI_GAMES: &str = "[Result \"1-0\"]\n\n1. C2=5 H8+7 2. H2+3 1-0\n\n\
                             [Result \"1/2-1/2\"]\n\n1. C8=5 H2+3 2. H8+7 R1=2 1/2-1/2\n\n\
                             [Result \"*\"]\n\n1. A4+5 *\n";

#[test]
fn a_book_of_xiangqi_is_built_from_games_and_played_from() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let [games, book] = ["games.pgn", "book.txt"].map(|name| folder.path().join(name));
    let build = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kamerton"));
        command.args(["library", "build", "--game", "xiangqi", "--pgn"]).arg(&games);
        output(command.arg("--output").arg(&book).stdin(Stdio::null()))
    };
    fs::write(&games, XIANGQI_GAMES.replace("R1=2", "R1=9")).expect("writable");
    let (status, _, errors) = build();
    assert!(status == Some(3) && !book.exists(), "{errors}");
    assert!(errors.starts_with(&format!("error: {}: line 7: ", games.display())), "{errors}");
    fs::write(&games, XIANGQI_GAMES).expect("writable");
    let (status, said, errors) = build();
    let summary = "2 games: 3 moves of 3 positions\n";
    assert_eq!((status, &*said), (Some(0), summary), "{errors}");
    assert!(errors.contains("left out, without a result: 1\n"), "{errors}");
    let mut session = Session::start_with(&|command| {
        command.args(["--game", "xiangqi"]);
    });
    session.send("setoption name OwnBook value true");
    session.send("setoption name BookSeed value 1");
    session.send(&format!("setoption name BookFile value {}", book.display()));
    assert_eq!(session.until_ready(), ["info string book: 3 moves of 3 positions"]);
    for (moves, reply) in [("b2e2", "b9c7"), ("h2e2", "h9g7"), ("h2e2 h9g7", "h0g2")] {
        session.send(&format!("position startpos moves {moves}"));
        session.send("go nodes 100");
        let (best, infos) = session.best_move();
        assert_eq!(best.as_deref(), Some(reply), "after {moves}");
        assert!(infos.iter().all(|info| info.depth.is_none()), "no search");
    }
    fs::write(&book, "h2e2 1 9/9 w - - 0 1\n").expect("writable");
    session.send(&format!("setoption name BookFile value {}", book.display()));
    let said = session.until_ready().join("\n");
    assert!(said.contains(": line 1: the board has 2 ranks, not 10"), "{said}");
}
