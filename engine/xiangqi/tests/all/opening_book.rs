//! Books as text: made of games, joined by mirror images, and refused where they are damaged.

use pgn::records::GameRecord;
use playable::Move as Boxed;
use xiangqi::GAME;
use xiangqi::opening_book::{Book, MOVES_MAX, POSITIONS_MAX};
use xiangqi::rules::{Board, Move, Position};

use crate::notation::Numbers;
use crate::records::{PGN, XML, parse_pgn, parse_xml};

/// A start and the moves from there.
type Game = (Position, Vec<Move>);

/// The games of the source's forms; the first and the third begin alike.
fn games() -> Vec<Game> {
    let mut games = parse_pgn(&PGN.replace("R9+1", "车九进一")).expect("records");
    games.push(parse_xml(XML).expect("a record"));
    let moves = |game: &GameRecord| game.moves.iter().map(|mv| mv.typed()).collect();
    games.iter().map(|game| (game.start.typed::<Position>().clone(), moves(game))).collect()
}

fn book(games: &[Game], plies: usize, least: u32) -> Book {
    let mut book = Book::default();
    for (start, moves) in games {
        book.learn(start, moves.iter().copied().take(plies));
    }
    book.cut(least);
    book
}

/// All moves of a board with their weights, as draws find them.
fn moves(book: &Book, board: &Board) -> Vec<(String, u32)> {
    let (mut found, mut at) = (Vec::new(), 0);
    let mut sum = 1;
    while at < sum {
        let picked = book.pick(board, &mut |all| {
            sum = all;
            at
        });
        let Some((mv, weight)) = picked else { break };
        found.push((mv.to_string(), weight));
        at += weight;
    }
    found
}

fn mirrored((start, moves): &Game) -> Game {
    let image = |mv: &Move| Move::new(mv.from().mirrored(), mv.to().mirrored());
    (Position::from_board(start.board().mirrored()), moves.iter().map(image).collect())
}

#[test]
fn a_book_counts_the_moves_of_games() {
    let book = book(&games(), 20, 1);
    // Nine plies, two, and three that the first game has as well.
    assert_eq!(book.size(), (11, 11));
    let start = Position::start();
    let [(mv, weight)] = &moves(&book, &start)[..] else { panic!("one move") };
    assert!(["h2e2", "b2e2"].contains(&&**mv), "{mv}");
    assert_eq!(*weight, 2);
    let end = "3k5/9/9/9/9/9/9/9/9/R3K4 b - - 3 46";
    let end = Position::from_fen(end).expect("a position");
    assert_eq!(moves(&book, &end), [("d9d8".to_owned(), 1)]);
    assert_eq!(book, self::book(&games(), 20, 0));
    assert_eq!(self::book(&games(), 20, 2).size(), (3, 3));
    assert_eq!(self::book(&games(), 2, 1).size(), (4, 4));
}

#[test]
fn mirrored_games_make_the_same_book() {
    let games = games();
    let images: Vec<Game> = games.iter().map(mirrored).collect();
    let plain = book(&games, 20, 1);
    assert_eq!(book(&images, 20, 1), plain);
    let mut position = Position::start();
    for mv in &games[0].1 {
        let own = moves(&plain, &position);
        let image = moves(&plain, &position.mirrored());
        assert!(!own.is_empty() && own.len() == image.len());
        for ((mv, weight), (other, same)) in own.iter().zip(&image) {
            let [mv, other] = [mv, other].map(|text| text.as_bytes().to_vec());
            let files = [0, 2].map(|at| mv[at] + other[at]);
            assert!(files == [b'a' + b'i'; 2] || position.board().mirrored() == *position.board());
            assert_eq!(weight, same);
        }
        position.play(*mv);
    }
}

#[test]
fn a_book_is_read_as_it_is_written() {
    let book = book(&games(), 20, 1);
    let text = book.to_text();
    assert_eq!(Book::parse(text.as_bytes()), Ok(book.clone()));
    assert_eq!(text.lines().count(), 11);
    assert!(text.lines().all(|line| line.ends_with(" - - 0 1")), "{text}");
    // A line of the source, whose move stands there twice, and as the mirror image of its position.
    let line = "i0h0 4 rnbakabr1/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C4NC1/9/RNBAKABR1 w - - 0 7";
    let line = line.replace("RNBAKABR1", "RNBAKAB1R");
    let image = "a0b0 3 1rbakabnr/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1CN4C1/9/R1BAKABNR w - - 0 9";
    let book =
        Book::parse(format!("\u{feff}{line}\r\n\n{line}\n{image}").as_bytes()).expect("a book");
    let fen = line.splitn(3, ' ').nth(2).expect("a FEN");
    let position = Position::from_fen(fen).expect("a position");
    assert_eq!(moves(&book, &position), [("i0h0".to_owned(), 11)]);
}

#[test]
fn draws_follow_the_weights() {
    let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    let text = format!("b2e2 3 {fen}\nh0g2 1 {fen}\n");
    let book = GAME.opening_moves(text.as_bytes()).expect("a book");
    assert_eq!(book.summary(), "book: 2 moves of 1 positions");
    let start = GAME.start();
    let drawn = |at| {
        let found = book.pick(&start, None, &mut |sum| {
            assert_eq!(sum, 4);
            at
        });
        let found = found.expect("a move");
        assert_eq!(found.form, "book");
        (found.mv, found.why)
    };
    let first = drawn(0);
    assert_eq!(first.1, "weight 3");
    assert_eq!([drawn(1), drawn(2)], [first.clone(), first.clone()]);
    assert_eq!(drawn(3).1, "weight 1");
    assert!([0, 3].map(drawn).iter().all(|(mv, _)| start.is_legal(*mv) && *mv != Boxed::NONE));
}

#[test]
fn a_damaged_book_is_refused_with_its_line() {
    let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    for (damaged, reason) in [
        ("h2e2".to_owned(), "line 2: \"h2e2\": a move, its weight and a FEN are expected"),
        (format!("h2e2 0 {fen}"), "line 2: \"0\" is no weight from 1 to 65535"),
        (format!("h2e2 many {fen}"), "line 2: \"many\" is no weight from 1 to 65535"),
        ("h2e2 1 9/9 w".to_owned(), "line 2: the board has 2 ranks, not 10"),
        (format!("h2h9 1 {}", fen.replace(" w ", " b ")), "line 2: "),
        (format!("a0a9 1 {fen}"), "line 2: "),
    ] {
        let text = format!("h2e2 1 {fen}\n{damaged}\n");
        let error = Book::parse(text.as_bytes()).expect_err(&text).to_string();
        assert!(error.starts_with(reason), "{error}");
    }
    let error = Book::parse(b"\n").expect_err("no move").to_string();
    assert_eq!(error, "line 1: a book has at least one move");
    let error = Book::parse(b"\n\n\xff").expect_err("no text").to_string();
    assert!(error.starts_with("line 3: no text"), "{error}");
}

/// More than the limits are cut from what was learned, the least first, and refused in a file.
#[test]
fn the_limits_of_a_book_hold() {
    let start = Position::start();
    let rooks = "3k5/9/9/9/1R2C4/9/9/R5N2/9/4K4 w - - 0 1";
    let rooks = Position::from_fen(rooks).expect("a position");
    let legal = rooks.legal_moves();
    assert!(legal.len() > MOVES_MAX);
    let mut learned = Book::default();
    legal.iter().chain(&legal[20..]).for_each(|&mv| learned.learn(&rooks, [mv]));
    let whole = learned.to_text();
    learned.cut(1);
    assert_eq!(learned.size(), (1, MOVES_MAX));
    let weights = moves(&learned, &rooks);
    assert!(
        weights.iter().filter(|(_, weight)| *weight == 2).count() == (legal.len() - 20).min(40)
    );
    let error = Book::parse(whole.as_bytes()).expect_err("too many").to_string();
    assert_eq!(error, format!("line {}: more than 40 moves of a position", MOVES_MAX + 1));

    let (mut learned, mut numbers) = (Book::default(), Numbers(11));
    while learned.size().0 <= POSITIONS_MAX + 100 {
        let (mut position, mut moves) = (Position::start(), Vec::new());
        for _ in 0..60 {
            let legal = position.legal_moves();
            let Some(&mv) = legal.get(numbers.below(legal.len().max(1))) else { break };
            position.play(mv);
            moves.push(mv);
        }
        learned.learn(&start, moves);
    }
    let whole = learned.to_text();
    learned.cut(1);
    assert_eq!(learned.size().0, POSITIONS_MAX);
    assert!(!moves(&learned, &start).is_empty(), "the start is in every game");
    let error = Book::parse(whole.as_bytes()).expect_err("too many").to_string();
    assert!(error.ends_with(": more than 16384 positions"), "{error}");
}
