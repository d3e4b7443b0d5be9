//! What opening libraries learn and play.

mod damage;
mod in_use;

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use chess::GAME;
use chess::opening_book::{Book, key};
use chess::opening_library::{
    Assessment, GrowingLibrary, LearnError, Library, LibraryError, LibraryMove, Openings,
    ScoredMove, Taken,
};
use chess::{Color, GameResult, Move, Position};
use pgn::{Games, PgnGame};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::shared_data::shared_data;

/// A few games, the last of which begins elsewhere.
const GAMES: &str = "\
[Result \"1-0\"]

1. e4 {+0.20/9} e5 {+0.10/9} 2. Nf3 {+0.30/9} Nc6 {-0.20/9} 3. Bb5 1-0

[Result \"1-0\"]

1. e4 e5 2. Nf3 Nf6 3. Nxe5 {+1.50/9} 1-0

[Result \"0-1\"]

1. e4 e5 2. f4 {-0.90/9} exf4 {+0.90/9} 0-1

[Result \"0-1\"]

1. d4 f5 0-1

[Result \"*\"]

1. c4 *

[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]
[Result \"1-0\"]

1. O-O 1-0
";

fn games(text: &str) -> Vec<PgnGame> {
    Games::new(text.as_bytes(), "games.pgn").map(|game| game.expect("readable")).collect()
}

fn grown(games: &[PgnGame], plies: u16, games_min: u32) -> Library {
    let mut library = GrowingLibrary::new(plies, games_min).expect("in range");
    learn(&mut library, games);
    library.finish()
}

fn learn(library: &mut GrowingLibrary, games: &[PgnGame]) {
    for game in games {
        library.learn(game.clone(), &Openings::new(GAME)).expect("a legal game");
    }
}

/// The moves in coordinates, and the position after them.
fn played(moves: &str) -> (Vec<Move>, Position) {
    let mut position = Position::start();
    let mut line = Vec::new();
    for text in moves.split_whitespace() {
        let mv = position.parse_uci(text).expect("legal");
        position.play(mv);
        line.push(mv);
    }
    (line, position)
}

fn replies(library: &Library, moves: &str) -> Vec<LibraryMove> {
    let (line, position) = played(moves);
    library.replies(&line, &position)
}

/// The assessment and the games of a move at the end of a line.
fn known(library: &Library, moves: &str) -> (Assessment, u64) {
    let (before, last) = moves.rsplit_once(' ').unwrap_or(("", moves));
    let (line, position) = played(before);
    let mv = position.parse_uci(last).expect("legal");
    let found = library.replies(&line, &position).into_iter().find(|reply| reply.mv == mv);
    let found = found.expect("a move of the library");
    (found.assessment, found.tally.games())
}

#[test]
fn moves_are_assessed_by_results_and_scores_and_minimaxed() {
    let library = grown(&games(GAMES), 20, 1);
    // (150 + 200) / (1 + 1 + 2) for 3. Nxe5; 200 / 3 for 3. Bb5; −(90 + 200) / 4 for 2... exf4.
    assert_eq!(known(&library, "e2e4 e7e5 g1f3 g8f6 f3e5"), (1, 1));
    assert_eq!(known(&library, "e2e4 e7e5 g1f3 b8c6 f1b5"), (1, 1));
    assert_eq!(known(&library, "e2e4 e7e5 f2f4 e5f4"), (-1, 1));
    // White chooses the knight, Black has nothing better, and 1. d4 was answered well.
    assert_eq!(known(&library, "e2e4 e7e5 g1f3"), (1, 2));
    assert_eq!(known(&library, "e2e4"), (1, 3));
    assert_eq!(known(&library, "d2d4"), (-1, 1));
    assert_eq!((library.start().0.games(), library.start().1), (4, 1));
    let size = library.size();
    assert_eq!((size.variations, size.moves, size.noted, size.longest), (4, 11, 0, 5));
    assert_eq!(size.by_assessment, [0, 4, 0, 7, 0]);
    // Of the moves, those that only one game has are kept, but not the library's.
    let library = grown(&games(GAMES), 20, 2);
    let size = library.size();
    assert_eq!((size.variations, size.moves, size.noted), (1, 3, 8));
    // 2. Nf3 ends it now: (30 + 400) / (1 + 2 + 2).
    assert_eq!(known(&library, "e2e4 e7e5 g1f3"), (1, 2));
    let library = grown(&games(GAMES), 2, 1);
    assert_eq!((library.size().moves, library.size().longest), (4, 2));
}

#[test]
fn the_extreme_assessment_is_played_and_a_missing_reply_hands_over() {
    let library = grown(&games(GAMES), 20, 1);
    let choose = |moves: &str, number: u32| {
        let (line, position) = played(moves);
        let found = library.choose(&line, &position, |count| number.min(count - 1))?;
        Some(position.uci(found.mv, false))
    };
    assert_eq!(choose("", 0).as_deref(), Some("e2e4"));
    assert_eq!(choose("e2e4 e7e5", 0).as_deref(), Some("g1f3"));
    // Black has two equal replies, and takes the one that the number points to.
    let both = [0, 1].map(|number| choose("e2e4 e7e5 g1f3", number));
    assert_eq!(both.map(|it| it.expect("a reply")), ["b8c6", "g8f6"]);
    assert_eq!(choose("e2e4 c7c5", 0), None, "a reply is missing");
    assert_eq!(choose("a2a3", 0), None, "the first move is not in it");
    assert_eq!(choose("e2e4 e7e5 g1f3 b8c6 f1b5", 0), None, "the variation ends");
    // By another order of moves one is elsewhere.
    assert_eq!(choose("g1f3 e7e5 e2e4", 0), None);
}

/// Growth from own play: what loses is left.
#[test]
fn a_library_learns_from_losses() {
    let mut library = GrowingLibrary::from(grown(&games(GAMES), 20, 1));
    let (line, position) = played("");
    let first = |library: &GrowingLibrary| {
        let found = library.finish().choose(&line, &position, |_| 0).expect("a first move");
        position.uci(found.mv, false)
    };
    assert_eq!(first(&library), "e2e4");
    let lost = games("[Result \"0-1\"]\n\n1. e4 c5 {+1.20/12} 2. a3 {-1.40/12} 0-1\n");
    learn(&mut library, &lost);
    let drawn = games("[Result \"1/2-1/2\"]\n\n1. c4 e5 1/2-1/2\n");
    learn(&mut library, &drawn);
    assert_eq!(first(&library), "c2c4");
}

#[test]
fn what_does_not_count_is_told() {
    let mut library = GrowingLibrary::new(4, 1).expect("in range");
    let taken = |library: &mut GrowingLibrary, text: &str| {
        library.learn(games(text).remove(0), &Openings::new(GAME))
    };
    for (text, expected) in [
        ("[Result \"1-0\"]\n\n1. e4 1-0", Taken::Learned),
        ("[Result \"1-0\"]\n\n1. e4 *", Taken::Learned),
        ("[Result \"*\"]\n\n1. e4 *", Taken::Undecided),
        ("[Result \"1-0\"]\n[Termination \"withdrawal\"]\n\n1. e4 1-0", Taken::Undecided),
        ("[Variant \"Chess960\"]\n\n1. e4 1-0", Taken::Elsewhere),
        ("[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. Rh8# 1-0", Taken::Elsewhere),
        // The usual start, said in full.
        (
            "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. e4 1-0",
            Taken::Learned,
        ),
        // Broken where the library does not look.
        ("[Result \"1-0\"]\n\n1. e4 e5 2. d4 d5 3. Ke8 1-0", Taken::Learned),
    ] {
        assert_eq!(taken(&mut library, text).expect("readable"), expected, "{text}");
    }
    let before = library.finish();
    for text in ["1. e4 e5 2. Ke8 1-0", "1. e4 -- 1-0", "[Variant \"Atomic\"]\n\n1. e4 1-0"] {
        let refused = taken(&mut library, text);
        assert!(matches!(refused, Err(LearnError::Game(_))), "{text}: {refused:?}");
    }
    assert_eq!(library.finish(), before, "nothing of a broken game is learned");
    assert_eq!(known(&before, "e2e4").1, 4);
}

/// Match runners give the position after an opening, without its moves.
#[test]
fn games_go_on_from_given_openings() {
    let mut openings = Openings::new(GAME);
    assert!(openings.add(&games("1. e4 e5 2. Nf3 *")[0]).expect("legal"));
    assert!(!openings.add(&games(GAMES)[5]).expect("legal"), "it begins elsewhere");
    let (_, position) = played("e2e4 e7e5 g1f3");
    let fen = position.to_fen(false);
    let game = format!("[FEN \"{fen}\"]\n[Result \"1-0\"]\n\n2... Nc6 {{+0.40/8}} 3. Bb5 1-0\n");
    let mut library = GrowingLibrary::new(4, 1).expect("in range");
    let taken = library.learn(games(&game).remove(0), &openings).expect("legal");
    assert_eq!(taken, Taken::Learned);
    let library = library.finish();
    assert_eq!(library.size().moves, 4, "no deeper than its plies");
    let reply = replies(&library, "e2e4 e7e5 g1f3")[0];
    assert_eq!((reply.tally.scores, reply.tally.score_sum), (1, -40));
    let longer = library.to_bytes();
    // An opening longer than the library is deep leaves nothing of the game.
    let mut shallow = GrowingLibrary::new(2, 1).expect("in range");
    shallow.learn(games(&game).remove(0), &openings).expect("legal");
    assert_eq!(shallow.finish().size().moves, 2);
    assert!(shallow.finish().to_bytes().len() < longer.len());
}

/// Holds a library's every move against minimax, computed here from what it shows; counts the moves.
fn assert_minimaxed(library: &Library, line: &mut Vec<Move>, position: &mut Position) -> usize {
    let replies = library.replies(line, position);
    let assessment = |reply: &LibraryMove| reply.assessment;
    let values = replies.iter().map(assessment);
    let extreme = match position.side_to_move() {
        Color::White => values.max(),
        Color::Black => values.min(),
    };
    let mut count = replies.len();
    for reply in &replies {
        assert!((-2..=2).contains(&reply.assessment));
        assert_eq!(reply.is_best, Some(reply.assessment) == extreme, "{line:?} {reply:?}");
        line.push(reply.mv);
        position.play(reply.mv);
        let below = library.replies(line, position);
        let values = below.iter().map(assessment);
        let expected = match position.side_to_move() {
            Color::White => values.max(),
            Color::Black => values.min(),
        };
        let expected = expected.unwrap_or_else(|| reply.tally.assessment());
        assert_eq!(reply.assessment, expected, "{line:?}");
        let games: u64 = below.iter().map(|it| it.tally.games()).sum();
        assert!(games <= reply.tally.games(), "{line:?}");
        count += assert_minimaxed(library, line, position);
        position.undo();
        line.pop();
    }
    count
}

fn assert_sound(library: &Library) {
    let count = assert_minimaxed(library, &mut Vec::new(), &mut Position::start());
    assert_eq!(count, library.size().moves);
    assert_eq!(Library::parse(&library.to_bytes()).as_ref(), Ok(library));
}

/// Games of random moves from few, so that they meet.
fn random_games(seed: u64, count: usize) -> Vec<(Vec<ScoredMove>, GameResult)> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut game = || {
        let mut position = Position::start();
        let mut moves = Vec::new();
        for _ in 0..random.random_range(0..12) {
            let legal = position.legal_moves();
            let mv = legal[random.random_range(0..legal.len().min(3))];
            let score = random.random_range(-900..900);
            moves.push((mv, (score % 3 != 0).then_some(score)));
            position.play(mv);
            if position.legal_moves().is_empty() {
                break;
            }
        }
        let results = [GameResult::WhiteWins, GameResult::Draw, GameResult::BlackWins];
        (moves, results[random.random_range(0..3)])
    };
    (0..count).map(|_| game()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Some games and then others make the same library, byte for byte, as all of them in any order;
    /// and whatever has grown is minimaxed everywhere.
    #[test]
    fn learning_twice_is_learning_all_at_once(
        seed in any::<u64>(), count in 0usize..80, cut in 0usize..80, least in 1u32..4,
    ) {
        let games = random_games(seed, count);
        let (first, second) = games.split_at(cut.min(count));
        let add = |library: &mut GrowingLibrary, games: &[(Vec<ScoredMove>, GameResult)]| {
            for (moves, result) in games {
                library.add(moves, *result).expect("room");
            }
        };
        let mut all = GrowingLibrary::new(8, least).expect("in range");
        add(&mut all, &games);
        let all = all.finish();
        for (earlier, later) in [(first, second), (second, first)] {
            let mut library = GrowingLibrary::new(8, least).expect("in range");
            add(&mut library, earlier);
            let stored = library.finish().to_bytes();
            let mut library = GrowingLibrary::from(Library::parse(&stored).expect("sound"));
            add(&mut library, later);
            prop_assert_eq!(library.finish().to_bytes(), all.to_bytes());
        }
        assert_sound(&all);
    }
}

#[test]
fn settings_out_of_range_are_refused() {
    for (plies, games_min) in [(0, 1), (201, 1), (20, 0)] {
        let refused = GrowingLibrary::new(plies, games_min).map(|_| ());
        assert_eq!(refused, Err(LibraryError::Settings { plies, games_min }));
    }
}

/// All positions in which the library has moves: how many places are there, and which of its replies
/// are best.
fn best_moves(
    library: &Library,
    line: &mut Vec<Move>,
    position: &mut Position,
    found: &mut HashMap<u64, (usize, Vec<Move>)>,
) {
    let replies = library.replies(line, position);
    if replies.is_empty() {
        return;
    }
    let place = found.entry(key(position)).or_default();
    place.0 += 1;
    place.1.extend(replies.iter().filter(|reply| reply.is_best).map(|reply| reply.mv));
    for reply in replies {
        line.push(reply.mv);
        position.play(reply.mv);
        best_moves(library, line, position, found);
        position.undo();
        line.pop();
    }
}

#[test]
fn the_exported_book_plays_the_same_moves() {
    let mut library = GrowingLibrary::new(8, 1).expect("in range");
    for (moves, result) in random_games(3, 300) {
        library.add(&moves, result).expect("room");
    }
    let library = library.finish();
    let book = Book::parse(&library.to_book().to_bytes()).expect("a sound book");
    let mut expected = HashMap::new();
    best_moves(&library, &mut Vec::new(), &mut Position::start(), &mut expected);
    assert!(expected.values().any(|(places, _)| *places > 1), "some orders of moves meet");
    let sum: usize = expected.values().map(|(_, moves)| moves.len()).sum();
    let (line, position) = (&mut Vec::new(), &mut Position::start());
    let weights = assert_same_moves(&library, &book, &expected, line, position);
    assert_eq!(weights.values().sum::<usize>(), sum);
    // Castling is written as the format wants it, and read again.
    let castled = grown(&games("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O 1-0"), 10, 1).to_book();
    let (_, before) = played("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5");
    let found = castled.moves(&before);
    assert_eq!(found.len(), 1);
    assert_eq!(before.uci(found[0].mv, false), "e1g1");
}

/// Holds the book's moves against the best ones everywhere; the weights by position.
fn assert_same_moves(
    library: &Library,
    book: &Book,
    expected: &HashMap<u64, (usize, Vec<Move>)>,
    line: &mut Vec<Move>,
    position: &mut Position,
) -> HashMap<u64, usize> {
    let mut weights = HashMap::new();
    let replies = library.replies(line, position);
    if replies.is_empty() {
        return weights;
    }
    let (_, best) = &expected[&key(position)];
    let found = book.moves(position);
    weights.insert(key(position), found.iter().map(|it| usize::from(it.weight)).sum());
    for it in &found {
        let times = best.iter().filter(|&&mv| mv == it.mv).count();
        assert_eq!(usize::from(it.weight), times, "{line:?} {}", it.mv);
    }
    for reply in replies {
        line.push(reply.mv);
        position.play(reply.mv);
        weights.extend(assert_same_moves(library, book, expected, line, position));
        position.undo();
        line.pop();
    }
    weights
}

/// The counts are those of python-chess, which read the same games by itself.
#[test]
fn a_library_of_public_games_has_the_counts_of_another_program() {
    let Some(folder) = shared_data("pgn/tcec") else { return };
    let mut games = Vec::new();
    for entry in fs::read_dir(folder).expect("readable") {
        let path = entry.expect("readable").path();
        games.extend(Games::open(&path).expect("readable").map(|game| game.expect("readable")));
    }
    for (plies, games_min, variations, moves, positions, noted) in COUNTS {
        let library = grown(&games, plies, games_min);
        let size = library.size();
        assert_eq!(
            (size.variations, size.moves, size.positions, size.noted),
            (variations, moves, positions, noted),
            "{plies} plies, {games_min} games"
        );
        assert_eq!(library.start().0.games(), LEARNED);
        assert_sound(&library);
        let (first, second) = games.split_at(games.len() / 3);
        let mut again = GrowingLibrary::from(grown(second, plies, games_min));
        learn(&mut again, first);
        assert_eq!(again.finish().to_bytes(), library.to_bytes());
    }
}

/// What its README says of it.
#[test]
fn the_library_of_the_repository_is_sound() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/openings/kamerton.library");
    let library = Library::parse(&fs::read(path).expect("readable")).expect("sound");
    assert_sound(&library);
    let size = library.size();
    assert_eq!((size.variations, size.moves, library.start().0.games()), (388, 4853, 438));
    assert!(library.choose(&[], &Position::start(), |_| 0).is_some());
}

/// Games of the public archive that have a result and begin at the usual start.
const LEARNED: u64 = 1375;

/// Plies and least games, and what python-chess counts: variations, moves, positions, and moves of
/// fewer games.
const COUNTS: [(u16, u32, usize, usize, usize, usize); 2] =
    [(20, 2, 532, 6018, 5471, 6066), (12, 1, 764, 4495, 3676, 0)];
