//! Opening files and random openings.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use chess::{GAME, Position};
use matches::openings::{
    Book, Format, GenerateSettings, Opening, OpeningSettings, OpeningsError, ScoredOpening, Source,
    Taste, generate, load, random_opening,
};
use playable::{Control, Limits};
use random::stream;

use crate::shared_data::unpacked;

fn book(text: &str, settings: OpeningSettings) -> Result<Book, OpeningsError> {
    Book::parse(text.into(), "book", &settings)
}

fn parse(text: &str) -> Result<Vec<Opening>, OpeningsError> {
    Ok(book(text, OpeningSettings::default())?.openings().collect())
}

#[test]
fn lines_of_both_kinds_are_read() {
    let text = "# a comment\n\
        rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - ce -31; id \"one\";\n\
        \n\
        rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 3 7\n\
        8/8/8/4k3/8/4P3/4K3/8 w - -\n";
    let openings = parse(text).expect("good lines");
    assert_eq!(openings.len(), 3);
    assert_eq!(openings[0].score, Some(-31));
    assert_eq!(openings[0].name.as_deref(), Some("one"));
    assert_eq!(openings[1].score, None);
    assert_eq!(openings[1].position.halfmove_clock(), 3);
    assert_eq!(openings[2].position.to_fen(), "8/8/8/4k3/8/4P3/4K3/8 w - - 0 1");
}

#[test]
fn operations_of_epd() {
    let text = "\u{feff}8/8/8/4k3/8/4P3/4K3/8 w - - hmvc 12; fmvn 40; c0 \"a; ce 7; b\"; id \"x; y\";\r\n\
        8/8/8/4k3/8/4P3/4K3/8 b - - 3 50 id \"both\"; ce -4;\r\n\
        8/8/8/4k3/8/4P3/4K3/8 w - - 40 22;id \"at once\";\r\n\
        8/8/8/4k3/8/4P3/4K3/8 w - - bm e4;\r\n";
    let openings = parse(text).expect("good lines");
    let shown: Vec<(String, Option<i32>, Option<&str>)> =
        openings.iter().map(|it| (it.position.to_fen(), it.score, it.name.as_deref())).collect();
    let fen = |rest: &str| format!("8/8/8/4k3/8/4P3/4K3/8 {rest}");
    let expected = [
        (fen("w - - 12 40"), None, Some("x; y")),
        (fen("b - - 3 50"), Some(-4), Some("both")),
        (fen("w - - 40 22"), None, Some("at once")),
        (fen("w - - 0 1"), None, None),
    ];
    assert_eq!(shown, expected);
}

#[test]
fn games_of_pgn_are_openings() {
    let text = "[Event \"a\"]\n[Opening \"Italian Game\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 1-0\n\n\
        [Event \"b\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 9\"]\n\n9... Kd7 10. e4 *\n";
    let whole = book(text, OpeningSettings::default()).expect("good games");
    assert_eq!((whole.len(), whole.format(), whole.is_chess960()), (2, Format::Pgn, false));
    let fens = |book: &Book| -> Vec<String> {
        book.openings().map(|opening| opening.position.to_fen()).collect()
    };
    let expected = [
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
        "8/3k4/8/8/4P3/8/8/4K3 b - - 0 10",
    ];
    assert_eq!(fens(&whole), expected);
    let names: Vec<String> = whole.openings().filter_map(|opening| opening.name).collect();
    assert_eq!(names, ["Italian Game", "9... Kd7 10. e4"]);
    let first = whole.opening(0).expect("there").position;
    let first = first.typed::<Position>();
    assert_eq!((first.plies_played(), first.repetitions()), (0, 0));
    assert!(whole.opening(2).is_none());
    let settings = OpeningSettings { plies: Some(1), ..OpeningSettings::default() };
    let short = book(text, settings).expect("good games");
    let expected = [
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        "8/3k4/8/8/8/8/4P3/4K3 w - - 1 10",
    ];
    assert_eq!(fens(&short), expected);
}

#[test]
fn unusable_books_are_named() {
    let error = |text: &str, settings| book(text, settings).expect_err("unusable").to_string();
    let usual = OpeningSettings::default();
    assert_eq!(
        error("1. f3 e5 2. g4 Qh4# 0-1", usual),
        "book:1: game 1: the game is over (checkmate) where play would begin: take fewer plies of it"
    );
    assert_eq!(
        error("[White \"a\"]\n\n1. e4 *\n\n[White \"b\"]\n\n1. e4 e4 *\n", usual),
        "book:7: game 2: 1... \"e4\" is no legal move here"
    );
    assert_eq!(error("PK\u{3}\u{4}...", usual), "book: a packed file: unpack it first");
    let zstd = Book::parse(b"\x28\xb5\x2f\xfd...".to_vec(), "book", &usual);
    let message = zstd.expect_err("packed").to_string();
    assert_eq!(message, "book: a packed file: unpack it first");
    let plies = OpeningSettings { plies: Some(4), ..usual };
    let message = error("8/8/8/4k3/8/4P3/4K3/8 w - -", plies);
    assert!(message.starts_with("book: a number of plies is for openings in PGN"), "{message}");
    assert_eq!(error("{a word}", usual), "book: no opening in it; `sprt openings` makes some");
}

#[test]
fn one_chess960_position_makes_the_whole_book_so() {
    let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    let other = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\n";
    let shredder = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\n";
    for (text, settings, expected) in [
        (usual.to_owned(), OpeningSettings::default(), false),
        (format!("{usual}{other}"), OpeningSettings::default(), true),
        (format!("{usual}{shredder}"), OpeningSettings::default(), true),
        (usual.to_owned(), OpeningSettings { chess960: true, ..OpeningSettings::default() }, true),
    ] {
        let book = book(&text, settings).expect("good lines");
        assert_eq!(book.is_chess960(), expected, "{text}");
        assert!(book.openings().all(|opening| opening.position.chess960() == expected), "{text}");
    }
    // Both ways to write the rights mean the same.
    let keys = [other, shredder].map(|line| parse(line).expect("good")[0].position.key());
    assert_eq!(keys[0], keys[1]);
}

#[test]
fn the_books_of_the_testing_frameworks_load() {
    let folder = tempfile::tempdir().expect("temporary folder");
    for (name, count, chess960) in [
        ("8moves_v3.pgn", 34_700, false),
        ("2moves_v2.pgn", 12_092, false),
        ("noob_3moves.epd", 150_932, false),
        ("UHO_4060_v4.epd", 241_670, false),
        ("popularpos_lichess_v3.epd", 200_000, false),
        ("endgames.epd", 157_846, false),
        ("FRC_openings.epd", 960, true),
    ] {
        let Some(path) = unpacked(&format!("books/{name}.zip"), folder.path()) else { return };
        let book = Book::load(&path, &OpeningSettings::default()).expect("a good book");
        assert_eq!((book.len(), book.is_chess960()), (count, chess960), "{name}");
        let last = book.opening(count - 1).expect("there").position;
        assert!(last.outcome().is_none(), "{name}");
    }
}

#[test]
fn bad_lines_are_named() {
    let error = |text: &str| parse(text).expect_err("a bad line").to_string();
    let good = "8/8/8/4k3/8/4P3/4K3/8 w - -";
    let message = error(&format!("{good}\nrnbqkbnr/pppp w - -"));
    assert!(message.starts_with("book:2: "), "{message}");
    assert!(message.ends_with(": \"rnbqkbnr/pppp w - -\""), "{message}");
    let message = error("7k/5Q2/6K1/8/8/8/8/8 b - - ce 0;");
    assert!(message.starts_with("book:1: the game is over (stalemate)"), "{message}");
    assert!(error(&format!("{good} ce x;")).contains("ce x is no whole number"));
    assert!(error(&format!("{good} moves a2a3")).contains("moves behind a position"));
    assert!(error(&format!("{good} id x; 3 x;")).contains("3 is no operation"));
    assert_eq!(error("# nothing\n"), "book: no opening in it; `sprt openings` makes some");
    let message = load(GAME, Path::new("/nonexistent.epd")).expect_err("no file").to_string();
    assert!(message.starts_with("cannot read /nonexistent.epd: "), "{message}");
}

#[test]
fn random_openings_are_fixed_by_seed_and_index() {
    let draw = |seed, index| random_opening(GAME, &mut stream(seed, index), 6..=10);
    for index in 0..200 {
        let position = draw(3, index);
        assert!((6..=10).contains(&position.typed::<Position>().plies_played()));
        assert!(position.outcome().is_none());
        assert_eq!(position.key(), draw(3, index).key());
    }
    assert_ne!(draw(3, 0).key(), draw(4, 0).key());
}

/// The greatest distance from zero that the repository's openings were made with (centipawns).
const BALANCE: i32 = 50;

#[test]
fn the_repository_has_many_unique_balanced_openings() {
    let openings = parse(GAME.openings()).expect("legal openings that are not over");
    assert!(openings.len() >= 4000);
    let keys: HashSet<u64> = openings.iter().map(|opening| opening.position.key()).collect();
    assert_eq!(keys.len(), openings.len());
    for opening in &openings {
        let score = opening.score.expect("each states its score");
        assert!(score.abs() <= BALANCE, "{}: {score}", opening.position.to_fen());
    }
}

#[test]
fn the_repository_has_openings_in_which_one_side_leads() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/openings/unbalanced.epd");
    let openings = load(GAME, Path::new(path)).expect("legal openings that are not over");
    assert!(openings.len() >= 500);
    for opening in &openings {
        let lead = opening.score.expect("each states its score").abs();
        assert!((80..=120).contains(&lead), "{}: {lead}", opening.position.to_fen());
    }
}

#[test]
fn a_search_finds_the_repository_s_openings_balanced() {
    // The engine and its values change while the openings stay, and a short search overlooks a
    // blow now and then: a few scores apart are no fault of theirs.
    let openings = parse(GAME.openings()).expect("good openings");
    let mut engine = GAME.embedded().engine(1);
    let scores: Vec<i32> = openings
        .iter()
        .step_by(50)
        .map(|opening| {
            engine.new_game();
            let limits = Limits::nodes(2000);
            engine.search(&opening.position, &limits, &Control::default(), &mut |_| {}).score
        })
        .collect();
    let near = scores.iter().filter(|score| score.abs() <= 2 * BALANCE).count();
    assert!(10 * near >= 9 * scores.len(), "{near} of {} are balanced: {scores:?}", scores.len());
}

fn settings(source: Source) -> GenerateSettings {
    let (balance, men) = (0..=60, 2..=32);
    GenerateSettings { source, count: 20, balance, men, alike: None, nodes: 200, seed: 9 }
}

fn made(settings: &GenerateSettings, threads: usize) -> Result<Vec<ScoredOpening>, String> {
    let never = AtomicBool::new(false);
    generate(settings, &GAME.embedded(), threads, |_| {}, &never).map_err(|error| error.to_string())
}

#[test]
fn generation_does_not_depend_on_threads() {
    let lines = |source, threads| -> Vec<(u64, i32)> {
        let made = made(&settings(source), threads).expect("balanced openings exist");
        assert_eq!(made.len(), 20);
        assert!(made.iter().all(|opening| opening.score.abs() <= 60));
        made.iter().map(|opening| (opening.position.key(), opening.score)).collect()
    };
    assert_eq!(lines(Source::Random(4..=6), 1), lines(Source::Random(4..=6), 3));
    let search = || Source::Search(4..=6, Taste::new(500, 30));
    assert_eq!(lines(search(), 1), lines(search(), 3));
}

#[test]
fn hopeless_generation_gives_up() {
    // Without plies there is but one opening.
    let settings = GenerateSettings {
        count: 2,
        balance: 0..=500,
        nodes: 1,
        seed: 1,
        ..settings(Source::Random(0..=0))
    };
    let message = made(&settings, 2).expect_err("one opening only");
    assert!(message.starts_with("only 1 of 2 openings found in "), "{message}");
}

/// A search's first moves are those that people play, not any legal ones.
#[test]
fn a_search_plays_what_it_thinks_well_of() {
    let settings =
        GenerateSettings { count: 12, ..settings(Source::Search(1..=1, Taste::new(3000, 40))) };
    let message = made(&settings, 2).expect_err("there are fewer such first moves");
    let found: usize = message.split(' ').nth(1).expect("a number").parse().expect("a number");
    assert!((2..=8).contains(&found), "{message}");
    let only = GenerateSettings { count: found, ..settings };
    let openings = made(&only, 2).expect("they were found before");
    let pawns = ["P7/8/8/8", "7P/8/8/8", "1P6/8/8/8", "6P1/8/8/8"];
    for opening in openings {
        let text = opening.position.to_fen();
        let edge = pawns.iter().any(|pawn| text.contains(pawn));
        assert!(!edge, "{text}: a wing pawn by two");
    }
}

#[test]
fn leads_men_and_likeness_stay_within_bounds() {
    let lead = GenerateSettings { balance: 80..=120, ..settings(Source::Random(6..=10)) };
    for opening in made(&lead, 2).expect("such leads exist") {
        assert!((80..=120).contains(&opening.score.abs()), "{}", opening.score);
    }
    let alike = GenerateSettings { alike: Some(1), ..settings(Source::Random(2..=3)) };
    let pawns = made(&alike, 2).expect("they exist");
    let pawn_key = |it: &ScoredOpening| it.position.typed::<Position>().board().pawn_key();
    let keys: HashSet<u64> = pawns.iter().map(pawn_key).collect();
    assert_eq!(keys.len(), pawns.len());
}

#[test]
fn games_and_positions_are_sources_too() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().join("games.pgn");
    let games = "[Event \"a\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n\n\
                 [Event \"mate\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    std::fs::write(&path, games).expect("writable");
    let source = |plies| Source::of_file(GAME, &path, Some(plies)).expect("two games");
    let wide = |source, count| GenerateSettings { count, balance: 0..=30_000, ..settings(source) };
    // A game that is shorter or over there is no opening.
    let openings = made(&wide(source(4..=4), 1), 2).expect("one has as many plies");
    let expected = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -";
    assert!(openings[0].position.to_fen().starts_with(expected));
    assert!(made(&wide(source(4..=4), 2), 2).is_err());
    assert!(made(&wide(source(7..=9), 1), 2).is_err());
    let few = GenerateSettings { men: 2..=10, ..wide(source(4..=4), 1) };
    assert!(made(&few, 2).expect_err("there are 32").starts_with("only 0 of 1 "));

    let path = folder.path().join("positions.epd");
    std::fs::write(&path, "8/8/8/4k3/8/4P3/4K3/8 w - -\n").expect("writable");
    let source = Source::of_file(GAME, &path, None).expect("a position");
    let found = made(&GenerateSettings { men: 2..=3, ..wide(source, 1) }, 1).expect("it is there");
    assert_eq!(found[0].position.to_fen(), "8/8/8/4k3/8/4P3/4K3/8 w - - 0 1");
    // Rooks that castle from anywhere are named by their files.
    let chess960 = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb -";
    std::fs::write(&path, format!("{chess960}\n")).expect("writable");
    let source = Source::of_file(GAME, &path, None).expect("a position");
    let found = made(&wide(source, 1), 1).expect("it is there");
    assert_eq!(found[0].position.to_fen(), format!("{chess960} 0 1"));
    let error = Source::of_file(GAME, &path, Some(1..=2)).expect_err("positions have no plies");
    assert!(error.to_string().contains("a number of plies is for openings in PGN"), "{error}");
    std::fs::write(&path, "1. e4 e4 *").expect("writable");
    let error = Source::of_file(GAME, &path, None).expect_err("no such move").to_string();
    assert!(error.contains("positions.epd:1: game 1: "), "{error}");
}

/// Neither of a file without end nor of one without line ends is more read than shows what it is.
#[test]
#[cfg(target_os = "linux")]
fn what_is_no_book_is_refused_by_its_beginning() {
    let home = tempfile::tempdir().expect("temporary folder");
    let made = home.path().join("made.epd");
    for command in [
        "openings --from /dev/zero --output",
        "run --candidate random --baseline random --nodes 1 --openings /dev/zero --output",
    ] {
        let mut command = crate::helpers::sprt_line(command);
        let (status, _, stderr) =
            crate::child::output(&mut crate::child::in_memory(400, command.arg(&made)));
        assert!(matches!(status, Some(3 | 64)), "{stderr}");
        assert!(stderr.contains("/dev/zero: line 1 is longer than 1048576 bytes"), "{stderr}");
    }
}
