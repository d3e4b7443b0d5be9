//! Opening files and random openings.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use engine::engine::{Control, Engine, Limits};
use engine::parameters::Parameters;
use sprt::openings::{EMBEDDED, GenerateSettings, generate, load, parse, random_opening};
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

/// The greatest distance from zero that the repository's openings were made with (centipawns).
const BALANCE: i32 = 60;

#[test]
fn the_repository_has_many_unique_balanced_openings() {
    let openings = parse(EMBEDDED, "kamerton.epd").expect("legal openings that are not over");
    assert!(openings.len() >= 4000);
    let keys: HashSet<u64> = openings.iter().map(|opening| opening.position.key()).collect();
    assert_eq!(keys.len(), openings.len());
    for opening in &openings {
        let score = opening.score.expect("each states its score");
        assert!(score.abs() <= BALANCE, "{}: {score}", opening.position.to_fen(false));
    }
}

#[test]
fn a_search_finds_the_repository_s_openings_balanced() {
    // The engine and its values change while the openings stay, and a short search overlooks a
    // blow now and then: a few scores apart are no fault of theirs.
    let openings = parse(EMBEDDED, "kamerton.epd").expect("good openings");
    let mut engine = Engine::new(Parameters::embedded().clone(), 1);
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

#[test]
fn generation_does_not_depend_on_threads() {
    let settings = GenerateSettings { count: 20, plies: 4..=6, balance: 60, nodes: 200, seed: 9 };
    let never = AtomicBool::new(false);
    let lines = |threads| -> Vec<(u64, i32)> {
        let made = generate(&settings, Parameters::embedded(), threads, |_| {}, &never);
        let made = made.expect("balanced openings exist");
        made.iter().map(|opening| (opening.position.key(), opening.score)).collect()
    };
    let made = lines(1);
    assert_eq!(made.len(), 20);
    assert!(made.iter().all(|(_, score)| score.abs() <= 60));
    assert_eq!(made, lines(3));
}

#[test]
fn hopeless_generation_gives_up() {
    // Without random plies there is but one opening.
    let settings = GenerateSettings { count: 2, plies: 0..=0, balance: 500, nodes: 1, seed: 1 };
    let never = AtomicBool::new(false);
    let made = generate(&settings, Parameters::embedded(), 2, |_| {}, &never);
    let message = made.expect_err("one opening only").to_string();
    assert!(message.starts_with("only 1 of 2 openings found in "), "{message}");
}
