//! The search of the literature in chess and in small games.

mod chess_positions;
#[path = "../../../tests/all/toy_games/countdown.rs"]
mod countdown;
mod counts;
mod minimax;
#[path = "../../../tests/all/toy_games/minimax.rs"]
mod plain_minimax;
mod switches;

use parameters::Declaration;
use search::{Control, Limits, Outcome};
use textbook::{Memory, Methods, TextbookGame};

impl TextbookGame for countdown::Countdown {}

/// A number's name within the table of methods.
fn name_of(info: &Declaration) -> String {
    format!("{}.{}", info.group, info.name)
}

/// Minimax with these methods: a switch by its name is on, a number has the value behind `=`.
fn with(settings: &[&str]) -> Methods {
    let mut methods = Methods::declared();
    for setting in settings {
        let (name, value) = setting.split_once('=').unwrap_or((setting, "1"));
        let info = Methods::INFO
            .iter()
            .find(|info| name_of(info) == name || name_of(info) == format!("{name}.enabled"));
        let info = info.unwrap_or_else(|| panic!("{name} is no number"));
        let value: i32 = value.parse().expect("a number");
        assert!(info.range.0 <= value && value <= info.range.1, "{setting}");
        methods.cells_mut()[info.first_cell] = value;
    }
    methods
}

/// The answer of a search without past.
fn ask<G: TextbookGame>(
    game: &mut G,
    methods: &Methods,
    limits: &Limits<G::Move>,
) -> Outcome<G::Move> {
    textbook::search(game, methods, &mut Memory::default(), limits, &Control::new(), &mut |_| {})
}

/// The answer of a search to a depth.
fn ask_to<G: TextbookGame>(game: &mut G, settings: &[&str], depth: u32) -> Outcome<G::Move> {
    ask(game, &with(settings), &Limits::depth(depth))
}

/// A number below `bound`, from a generator of which `seed` is the state.
fn next_below(seed: &mut u64, bound: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    (*seed >> 33) as usize % bound
}

/// Plays so many moves by chance, as far as there are any.
fn wander<G: TextbookGame>(game: &mut G, plies: usize, seed: &mut u64) {
    for _ in 0..plies {
        let moves = game.legal_moves();
        if moves.is_empty() {
            break;
        }
        game.play(moves[next_below(seed, moves.len())]);
    }
}
