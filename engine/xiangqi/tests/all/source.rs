//! The program of the source on the search of the literature.

use playable::Searched;
use std::path::Path;
use std::sync::Arc;

use playable::{Limits, Numbers};
use search::Control;
use textbook::{MoveTraits, TextbookGame};
use xiangqi::game::XiangqiGame;
use xiangqi::rules::{Move, Position, Square};
use xiangqi::{GAME, Parameters};

const STYLES: [&str; 3] = ["source", "source-solid", "source-risky"];

fn numbers(name: &str) -> Numbers {
    GAME.open_numbers(Path::new(name)).expect("programs carry it").0
}

/// The move that is played, its score, and the depths of the iterations.
fn ask(numbers: &Numbers, fen: &str, limits: &Limits) -> (String, i32, Vec<u32>) {
    let position = GAME.position(fen).expect("a position");
    let mut depths = Vec::new();
    let mut engine = numbers.engine(1);
    let outcome = engine.search(&position, limits, &Control::new(), &mut |progress| {
        depths.push(progress.depth);
    });
    assert!(position.is_legal(outcome.best), "{fen}");
    let mut text = String::new();
    position.push_uci(outcome.best, &mut text);
    (text, outcome.score, depths)
}

#[test]
fn each_style_plays_and_begins_four_plies_deep() {
    for name in STYLES {
        for (_, position) in GAME.bench_positions() {
            let numbers = numbers(name);
            assert!(numbers.search_table() == parameters::Table::Methods, "{name}");
            let (_, _, depths) = ask(&numbers, &position.to_fen(), &Limits::depth(4));
            assert!(depths == [4] || depths == [1], "{name}: {depths:?}");
        }
    }
}

/// Two rooks attack an elephant and an advisor, of which only one can go.
#[test]
fn the_solid_style_alone_sees_that_defenders_are_taken_at_leaves() {
    let fen = "4k4/9/9/9/2rr5/9/9/5K3/9/2BA5 w - - 0 1";
    let score = |name| ask(&numbers(name), fen, &Limits::depth(1)).1;
    let [normal, solid, _] = STYLES.map(score);
    assert!(solid <= normal - 60, "{normal} {solid}");
}

#[test]
fn a_crossed_pawn_is_a_greater_prize_than_an_advisor() {
    let mut game = XiangqiGame::new(Arc::clone(Parameters::embedded()));
    let of = |game: &XiangqiGame, from: [usize; 2], to: [usize; 2]| -> MoveTraits {
        let square = |[file, rank]: [usize; 2]| Square::new(file, rank);
        game.traits_of(Move::new(square(from), square(to)))
    };
    let fen = "3ak4/9/9/R1p6/9/R1p6/9/9/9/3K5 w - - 0 1";
    game.set_position(&Position::from_fen(fen).expect("a position"));
    assert_eq!(of(&game, [0, 6], [2, 6]).prize, 1, "a pawn at home");
    assert_eq!(of(&game, [0, 4], [2, 4]).prize, 3, "a crossed pawn");
    assert_eq!(of(&game, [0, 6], [0, 5]).prize, 0, "nothing");
    let traits = of(&game, [0, 6], [0, 5]);
    assert!(traits.retreats && !traits.takes_last_mover && traits.price == 4);
    game.set_position(&Position::from_fen("3ak4/3R5/9/9/9/9/9/9/9/3K5 w - - 0 1").expect("one"));
    assert_eq!(of(&game, [3, 8], [3, 9]).prize, 2, "an advisor");
}

/// Two pairs of cannons are two heaps of Nim: who must move with equal heaps loses. Red has made them
/// equal by c0c4, Black has closed the one file and Red the other.
const CLOSED_HEAPS: &str = "2cak4/2C1aP3/9/9/9/9/4c4/4C4/4Ap3/3AK4 b - - 3 2";
/// Four moves later Black can go back no farther.
const NO_WAY_BACK: &str = "2cak4/2C1aP3/4c4/4C4/9/9/9/9/4Ap3/3AK4 b - - 11 6";

#[test]
fn who_has_no_way_back_in_the_nim_ending_loses() {
    for name in ["default", "source"] {
        let (_, score, _) = ask(&numbers(name), NO_WAY_BACK, &Limits::nodes(100_000));
        assert!(search::value::is_mate(score) && score < 0, "{name}: {score}");
    }
}

/// A pass would save Black, so cannons alone must not pass.
#[test]
fn closed_heaps_are_lost() {
    let (_, score, _) = ask(&numbers("default"), CLOSED_HEAPS, &Limits::nodes(400_000));
    assert!(search::value::is_mate(score) && score < 0, "{score}");
}

#[test]
#[ignore = "takes half a minute"]
fn the_move_that_makes_the_heaps_equal_is_found() {
    const NIM: &str = "2cak4/4aP3/4c4/9/9/9/9/4C4/4Ap3/2CAK4 w - - 0 1";
    let position = GAME.position(NIM).expect("a position");
    let mut engine = numbers("default").engine(256);
    let limits = Limits::nodes(25_000_000);
    let outcome = engine.search(&position, &limits, &Control::new(), &mut |_| {});
    assert_eq!(position.uci(outcome.best), "c0c4");
    assert!(search::value::is_mate(outcome.score) && outcome.score > 0, "{}", outcome.score);
}
