//! Opening files and random openings.

use std::path::Path;

use sprt::openings::{load, parse, random_opening};
use sprt::random::stream;

#[test]
fn lines_of_both_kinds_are_read() {
    let text = "# a comment\n\
        rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - ce -31; id \"one\";\n\
        \n\
        rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 3 7\n\
        8/8/8/4k3/8/4P3/4K3/8 w - -\n";
    let openings = parse(text, "book").expect("good lines");
    assert_eq!(openings.len(), 3);
    assert_eq!(openings[0].score, Some(-31));
    assert_eq!(openings[1].score, None);
    assert_eq!(openings[1].position.halfmove_clock(), 3);
    assert_eq!(openings[2].position.to_fen(false), "8/8/8/4k3/8/4P3/4K3/8 w - - 0 1");
}

#[test]
fn bad_lines_are_named() {
    let error = |text: &str| parse(text, "book.epd").expect_err("a bad line").to_string();
    let good = "8/8/8/4k3/8/4P3/4K3/8 w - -";
    let message = error(&format!("{good}\nrnbqkbnr/pppp w - -"));
    assert!(message.starts_with("book.epd:2: "), "{message}");
    assert!(message.ends_with(": \"rnbqkbnr/pppp w - -\""), "{message}");
    let message = error("7k/5Q2/6K1/8/8/8/8/8 b - - ce 0;");
    assert!(message.starts_with("book.epd:1: the game is over (Stalemate)"), "{message}");
    assert!(error(&format!("{good} ce x;")).contains("ce x is no whole number"));
    assert_eq!(error("# nothing\n"), "book.epd: no opening in it");
    let message = load(Path::new("/nonexistent.epd")).expect_err("no file").to_string();
    assert!(message.starts_with("cannot read /nonexistent.epd: "), "{message}");
}

#[test]
fn random_openings_are_fixed_by_seed_and_index() {
    let draw = |seed, index| random_opening(&mut stream(seed, index), 6..=10);
    for index in 0..200 {
        let position = draw(3, index);
        assert!((6..=10).contains(&position.plies_played()));
        assert!(position.outcome().is_none());
        assert_eq!(position.key(), draw(3, index).key());
    }
    assert_ne!(draw(3, 0).key(), draw(4, 0).key());
}
