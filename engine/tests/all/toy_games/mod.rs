//! Three small games beside chess: whatever holds for any game is tested where it can be computed.

mod command_line;
mod countdown;
mod minimax;
mod switches;

use chess::{Margins, Parameters};
use engine::toys::corners::Corners;
use engine::toys::drivers;
use engine::toys::source_program::SourceProgram;
use engine::toys::tic_tac_toe::{self, TicTacToe};
use engine::toys::whole_nodes;
use parameters::Switch;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use search::{Control, Game, Limits, Memory, Outcome, search};

use countdown::Countdown;
use minimax::minimax;
use switches::{HARMLESS, HARMLESS_AT_THE_END};

/// The center first, then the corners.
const CENTER_FIRST: [u8; 9] = [4, 0, 2, 6, 8, 1, 3, 5, 7];

/// The margins with all techniques off: plain alpha-beta remains.
fn neutral() -> Margins {
    let mut margins = Parameters::embedded().margins;
    for info in Margins::INFO.iter().filter(|info| info.is_switch()) {
        margins.cells_mut()[info.first_cell] = 0;
    }
    // A ply less after each failure above the window answers another question.
    margins.aspiration.failures_max = 0;
    margins
}

fn neutral_with(switches: &[&str]) -> Margins {
    let mut margins = neutral();
    for name in switches {
        let info = Margins::INFO.iter().find(|info| info.path() == *name).expect("a known switch");
        margins.cells_mut()[info.first_cell] = 1;
    }
    margins
}

fn run<G: Game>(position: &mut G, margins: &Margins, depth: u32) -> Outcome<G::Move> {
    let mut memory = Memory::new(1);
    search(position, margins, &mut memory, &Limits::depth(depth), &Control::new(), &mut |_| {})
}

/// NegaScout by whole nodes and the engine's search agree with plain minimax.
fn assert_all_agree<G: Game>(position: &mut G, depth: u32) {
    let expected = minimax(position, depth);
    assert_eq!(whole_nodes::search(position, depth).0, expected, "whole nodes at depth {depth}");
    let outcome = run(position, &neutral(), depth);
    assert_eq!(outcome.score, expected, "the engine's search at depth {depth}");
    for switch in HARMLESS {
        let outcome = run(position, &neutral_with(&[switch]), depth);
        assert_eq!(outcome.score, expected, "{switch} at depth {depth}");
    }
    let outcome = run(position, &neutral_with(&HARMLESS), depth);
    assert_eq!(outcome.score, expected, "all harmless techniques at depth {depth}");
}

#[test]
fn tic_tac_toe_has_the_known_counts() {
    let counts = [2338, 2869, 3275, 3574, 2316, 3590, 3809, 4981, 3957];
    let replies = [4, 0, 4, 0, 0, 2, 4, 1, 4];
    for (cell, (nodes, reply)) in counts.into_iter().zip(replies).enumerate() {
        let mut board = TicTacToe::new();
        board.play(tic_tac_toe::Cell::new(cell));
        let expected = Some((tic_tac_toe::Cell::new(reply), 0, nodes));
        assert_eq!(board.reply(), expected, "after a first cross at {cell}");
    }
    assert_eq!(TicTacToe::new().all_games_as_second(), (498, 183, 0));
}

/// The book's exercise asks how NegaScout by whole nodes differs: it costs more than by moves.
#[test]
fn whole_nodes_cost_more_than_moves() {
    for (order, expected) in [(TicTacToe::ORDER, 18_837), (CENTER_FIRST, 8_935)] {
        let mut board = TicTacToe::with_order(order);
        assert_eq!(whole_nodes::search(&mut board, 9), (0, expected));
        let moves = drivers::search(&mut board, &["alpha_beta", "fail_soft", "negascout"], 9);
        assert!(moves.nodes < expected);
    }
}

#[test]
fn tic_tac_toe_agrees_with_minimax_from_every_position_of_two_men() {
    for first in 0..9 {
        for second in (0..9).filter(|&second| second != first) {
            let mut board = TicTacToe::new();
            board.play(tic_tac_toe::Cell::new(first));
            board.play(tic_tac_toe::Cell::new(second));
            for depth in [1, 4, 7] {
                assert_all_agree(&mut board, depth);
            }
        }
    }
}

/// Whatever is on and whatever the numbers are, a search without cuts leaves out no line of the depth
/// asked for and searches none less deeply: its value is that of plain minimax. Only what looks beyond
/// the depth, or remembers it, is left out of the comparison.
#[test]
fn a_search_without_cuts_looks_at_all_lines() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for round in 0..20 {
        let mut margins = Parameters::embedded().margins;
        for number in Margins::numbers() {
            let (low, high) = number.range();
            margins.cells_mut()[number.cell()] = match round {
                _ if number.is_switch() => 1,
                0 => low,
                1 => high,
                _ => random.random_range(low..=high),
            };
        }
        let mut whole = margins.without_cuts();
        (whole.quiescence.enabled, whole.table.enabled) = (Switch::OFF, Switch::OFF);
        let mut differs = false;
        let mut check = |expected, found, usual| {
            assert_eq!(found, expected, "round {round}");
            differs |= usual != expected;
        };
        for heap in 5..=20 {
            for depth in [3, 6, 8] {
                let mut board = Countdown::new(heap);
                let expected = minimax(&mut board, depth);
                let [found, usual] = [&whole, &margins].map(|it| run(&mut board, it, depth).score);
                check(expected, found, usual);
            }
        }
        let mut board = Corners::new();
        for depth in 1..=3 {
            let expected = minimax(&mut board, depth);
            let [found, usual] = [&whole, &margins].map(|it| run(&mut board, it, depth).score);
            check(expected, found, usual);
        }
        assert!(differs, "with its cuts it finds other values");
    }
}

/// A group that cannot be switched off must be sound, or the search without cuts has some.
#[test]
fn every_group_of_margins_is_sound_or_has_a_switch() {
    for group in Margins::INFO.chunk_by(|one, next| one.group == next.group) {
        let has_switch = group.iter().any(|info| info.name == "enabled");
        assert!(has_switch || group[0].is_sound, "{}", group[0].group);
    }
    // The lists by effect say the same.
    for info in Margins::INFO.iter().filter(|info| info.is_sound && info.is_switch()) {
        let path = info.path();
        let beyond = path.starts_with("quiescence_");
        let listed = HARMLESS.contains(&&path[..]) || HARMLESS_AT_THE_END.contains(&&path[..]);
        assert!(listed || beyond, "{path} is declared sound");
    }
}

/// Searched to the end of the game, a remembered value is the value, so the table changes nothing.
#[test]
fn the_table_keeps_the_value_of_solved_games() {
    let mut all = HARMLESS.to_vec();
    all.extend(["table.enabled", "table_cutoff.enabled", "quiescence.enabled"]);
    for first in 0..9 {
        let mut board = TicTacToe::new();
        board.play(tic_tac_toe::Cell::new(first));
        let without = run(&mut board, &neutral(), 9);
        let with = run(&mut board, &neutral_with(&all), 9);
        assert_eq!(with.score, without.score);
        assert!(with.nodes < without.nodes / 2, "{} against {}", with.nodes, without.nodes);
        assert_eq!(board.men(), 1, "the board is as it was");
    }
}

/// To the end of the game no extension changes the value, nor does where results are kept.
#[test]
fn what_searches_deeper_keeps_the_value_of_solved_games() {
    let table = ["table.enabled", "table_cutoff.enabled", "quiescence.enabled"];
    for cell in [0, 1, 4] {
        let mut board = TicTacToe::new();
        board.play(tic_tac_toe::Cell::new(cell));
        let expected = run(&mut board, &neutral(), 9).score;
        for switch in HARMLESS_AT_THE_END {
            let switches = [&table[..], &[switch]].concat();
            let outcome = run(&mut board, &neutral_with(&switches), 9);
            assert_eq!(outcome.score, expected, "{switch} after a first cross at {cell}");
        }
        let all = [&table[..], &HARMLESS, &HARMLESS_AT_THE_END].concat();
        let outcome = run(&mut board, &neutral_with(&all), 9);
        assert_eq!(outcome.score, expected, "all after a first cross at {cell}");
    }
}

/// Claims are rulings on one side only: the value may be better than what is claimed, and the
/// search must find out.
#[test]
fn one_sided_rulings_agree_with_minimax() {
    let (mut claimed, mut refused) = (0, 0);
    for heap in 1..=20 {
        for depth in 1..=8 {
            let mut board = Countdown::new(heap);
            assert_all_agree(&mut board, depth);
            match run(&mut board, &neutral(), depth).score {
                0 => claimed += 1,
                _ => refused += 1,
            }
        }
        // Searched to the end, what is remembered is true, whatever a claim added to it.
        let solved = minimax(&mut Countdown::new(heap), 30);
        let mut all = HARMLESS.to_vec();
        all.extend(["table.enabled", "table_cutoff.enabled", "quiescence.enabled"]);
        let outcome = run(&mut Countdown::new(heap), &neutral_with(&all), 30);
        assert_eq!(outcome.score, solved, "a heap of {heap} with the table");
    }
    assert!(claimed > 20 && refused > 20, "{claimed} draws, {refused} other values");
}

#[test]
fn corners_agrees_with_minimax() {
    let mut board = Corners::new();
    let mut seed = 7u64;
    for _ in 0..6 {
        for depth in 1..=3 {
            assert_all_agree(&mut board, depth);
        }
        for _ in 0..7 {
            let moves = board.legal_moves();
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            board.play(moves[(seed >> 33) as usize % moves.len()]);
        }
    }
}

/// The source's program thinks three moves of its own ahead while the other side passes.
#[test]
fn corners_alone_has_the_known_tree() {
    let found = SourceProgram::new().think(&Corners::new(), SourceProgram::OWN_MOVES);
    assert_eq!((found.gain, found.nodes), (49, 8341));
    let best = found.best.expect("a move");
    assert!(Corners::new().is_plausible(best), "{best}");
}

/// Without the second side's men it fills their camp; the source's counts are known.
#[test]
fn corners_alone_reaches_its_goal() {
    let (mut board, mut program) = (Corners::alone(), SourceProgram::new());
    let mut moves = 0;
    while !board.is_home() {
        let found = program.think(&board, SourceProgram::OWN_MOVES);
        let best = found.best.expect("a move");
        assert!(board.is_plausible(best), "{best}");
        program.play(best);
        board.play(best);
        board.pass();
        moves += 1;
        assert!(moves <= 40, "wanders about");
    }
    assert_eq!(moves, 32);
    assert_eq!(program.think(&board, 3).best, None);
}

/// With everything on, the search is a selective one, but it still knows the game.
#[test]
fn the_full_search_plays_the_toy_games() {
    let margins = &Parameters::embedded().margins;
    let mut board = TicTacToe::new();
    let mut memory = Memory::new(1);
    while board.men() < 9 && !board.is_won() {
        let limits = Limits::nodes(2_000);
        let outcome =
            search(&mut board, margins, &mut memory, &limits, &Control::new(), &mut |_| {});
        assert!(board.legal_moves().contains(&outcome.best));
        board.play(outcome.best);
    }
    let mut board = Corners::new();
    for _ in 0..20 {
        let outcome = run(&mut board, margins, 3);
        board.play(outcome.best);
    }
    assert!(board.progress() > 60, "both sides go forward: {}", board.progress());
}
