//! The evaluation: symmetry, play against trace, cache, coverage.

mod terms;

use std::sync::Arc;

use chess::engine::{Control, Engine, Limits};
use chess::evaluation::weights::SHAPE_GROUPS;
use chess::evaluation::{Channel, Evaluator, Sums, Trace, close, explain, trace};
use chess::{Color, Ending, Position};
use chess::{Parameters, Weights};
use parameters::{CellKind, Scalar, Score};

/// A small generator (SplitMix64): the tests need variety, not quality.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }
}

/// Positions of random games from the initial position, some of them long enough for endgames.
fn random_positions(games: u64, visit: &mut dyn FnMut(&Position)) {
    for seed in 0..games {
        let mut random = Random(seed);
        let mut position = Position::start();
        for _ in 0..300 {
            visit(&position);
            let moves = position.legal_moves();
            if moves.is_empty() || position.outcome().is_some() {
                break;
            }
            // Captures now and then, so that all phases occur.
            let captures: Vec<_> =
                moves.iter().copied().filter(|mv| position.is_capture(*mv)).collect();
            let choice = if !captures.is_empty() && random.below(3) == 0 {
                captures[random.below(captures.len())]
            } else {
                moves[random.below(moves.len())]
            };
            position.play(choice);
        }
    }
}

/// Weights with every number different from zero, so that no term can hide.
fn lively_weights() -> Weights {
    let mut weights: Weights = bytemuck::Zeroable::zeroed();
    let mut random = Random(7);
    for info in Weights::INFO {
        let (low, high) = info.range;
        for cell in info.first_cell..info.first_cell + info.length {
            let mut number = || {
                let middle = if low > 0 { low + (high - low) / 3 } else { 0 };
                (middle + random.below(41) as i32 - 20).clamp(low, high)
            };
            weights.cells_mut()[cell] = match info.kind {
                CellKind::Score => bytemuck::cast(Score::new(number(), number())),
                CellKind::Scalar if info.group == "scale" => {
                    bytemuck::cast(Scalar(random.below(129) as i32))
                }
                CellKind::Scalar => bytemuck::cast(Scalar(number())),
            };
        }
    }
    weights
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The position with colors exchanged and the board turned upside down.
fn mirrored(position: &Position) -> Position {
    let fen = position.to_fen(false);
    let mut fields = fen.split(' ');
    let mut field = || fields.next().unwrap();
    let swap = |text: &str| -> String {
        text.chars()
            .map(|c| {
                if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
            })
            .collect()
    };
    let rows: Vec<String> = field().split('/').rev().map(swap).collect();
    let side = if field() == "w" { "b" } else { "w" };
    let castling = swap(field());
    let castling: String = {
        let mut letters: Vec<char> = castling.chars().collect();
        letters.sort_unstable();
        letters.into_iter().collect()
    };
    let en_passant = match field() {
        "-" => "-".to_string(),
        square => {
            let (file, rank) = square.split_at(1);
            format!("{file}{}", if rank == "3" { 6 } else { 3 })
        }
    };
    let clocks = format!("{} {}", field(), field());
    Position::from_fen(&format!("{} {side} {castling} {en_passant} {clocks}", rows.join("/")))
        .unwrap_or_else(|error| panic!("mirror of {fen}: {error}"))
}

#[test]
fn mirrored_position_has_the_negated_value() {
    let weights = lively_weights();
    let mut evaluator = Evaluator::new();
    random_positions(40, &mut |position| {
        let value = evaluator.evaluate(position.board(), &weights);
        let mirror = evaluator.evaluate(mirrored(position).board(), &weights);
        // Both from the view of the side to move.
        assert_eq!(value, mirror, "{}", position.to_fen(false));
        assert!(value.abs() < 20_000);
    });
}

/// Whatever a tuner tries, values stay below those of mates.
#[test]
fn values_are_bounded_at_both_ends_of_every_range() {
    for high_end in [false, true] {
        let mut weights = lively_weights();
        for info in Weights::INFO {
            let number = if high_end { info.range.1 } else { info.range.0 };
            for cell in info.first_cell..info.first_cell + info.length {
                weights.cells_mut()[cell] = match info.kind {
                    CellKind::Score => bytemuck::cast(Score::new(number, number)),
                    CellKind::Scalar => number,
                };
            }
        }
        let mut evaluator = Evaluator::new();
        random_positions(10, &mut |position| {
            assert!(evaluator.evaluate(position.board(), &weights).abs() < 20_000);
        });
    }
}

/// The square tables turn with the king, and nothing else knows the king side from the queen side
/// but castling.
#[test]
fn left_and_right_are_alike() {
    let weights = lively_weights();
    let mut evaluator = Evaluator::new();
    random_positions(20, &mut |position| {
        let fen = position.to_fen(false);
        let fields: Vec<&str> = fen.split(' ').collect();
        if fields[2] != "-" || fields[3] != "-" {
            return;
        }
        let rows: Vec<String> =
            fields[0].split('/').map(|row| row.chars().rev().collect()).collect();
        let turned = format!("{} {} - - {} 1", rows.join("/"), fields[1], fields[4]);
        let turned = Position::from_fen(&turned).unwrap();
        let value = evaluator.evaluate(position.board(), &weights);
        assert_eq!(value, evaluator.evaluate(turned.board(), &weights), "{fen}");
    });
}

#[test]
fn play_equals_trace_and_cache_changes_nothing() {
    let weights = lively_weights();
    let mut evaluator = Evaluator::new();
    let mut traced = Trace::new();
    random_positions(60, &mut |position| {
        let board = position.board();
        let played = evaluator.evaluate(board, &weights);
        assert_eq!(played, Evaluator::new().evaluate(board, &weights), "cache");
        let played = if board.side_to_move() == Color::White { played } else { -played };
        trace(board, &weights, &mut traced);
        let fen = position.to_fen(false);
        if let Some(exact) = traced.exact {
            assert!(exact == played && traced.entries.is_empty(), "{fen}");
            return;
        }
        let sums: Sums<i32> = traced.sums(&weights);
        assert_eq!(close(&sums, &traced.context, &weights.closing), played, "{fen}");
        let sums: Sums<f64> = traced.sums(&weights);
        // Play divides integers in up to six places, each of which may drop most of a centipawn.
        let precise = close(&sums, &traced.context, &weights.closing);
        assert!((precise - f64::from(played)).abs() < 4.0, "{fen}: {precise} {played}");
    });
}

#[test]
fn trace_does_not_depend_on_the_values() {
    let weights = lively_weights();
    // But on the points of pieces, which tell what kind of ending it is.
    let zero = Weights { endgames: weights.endgames, ..bytemuck::Zeroable::zeroed() };
    let (mut one, mut other) = (Trace::new(), Trace::new());
    random_positions(10, &mut |position| {
        trace(position.board(), &weights, &mut one);
        trace(position.board(), &zero, &mut other);
        assert_eq!(one.entries, other.entries);
        assert_eq!((one.context, one.exact), (other.context, other.exact));
    });
}

#[test]
fn address_of_a_weight_is_its_cell() {
    let weights = lively_weights();
    let cells = weights.cells();
    let first = |group: &str, name: &str| {
        Weights::INFO.iter().find(|w| w.group == group && w.name == name).unwrap().first_cell
    };
    assert_eq!(weights.cell_of(&weights.material.pawn), first("material", "pawn"));
    assert_eq!(weights.cell_of(&weights.squares.knight[17]), first("squares", "knight") + 17);
    assert_eq!(weights.cell_of(&weights.king.shelter[2][3]), first("king", "shelter") + 17);
    assert_eq!(weights.cell_of(&weights.endgames.last_pawn_advance), cells.len() - 1);
    let mut next = 0;
    for info in Weights::INFO {
        assert_eq!(info.first_cell, next, "{}.{}", info.group, info.name);
        next += info.length;
    }
    assert_eq!(next, cells.len());
}

/// Positions for weights that random games rarely or never reach.
const RARE: &[&str] = &[
    "k7/7p/8/P7/8/8/8/2B1K3 w - - 0 1",
    "6k1/6pp/7r/8/8/8/5PPP/6KR w - - 0 1",
    "8/8/P7/5k2/8/8/6PP/6K1 w - - 0 1",
];

/// A board without pawns with a knight on the square, against a rook.
fn without_pawns(square: usize) -> Position {
    let arrangements = [(4, 62, 16), (7, 60, 25), (4, 63, 17)].into_iter().find_map(|places| {
        let (king, enemy_king, rook) = places;
        let mut board = ['1'; 64];
        for (place, man) in [(king, 'K'), (enemy_king, 'k'), (rook, 'r'), (square, 'N')] {
            board[place] = man;
        }
        let ranks = board.chunks(8).rev().map(String::from_iter).collect::<Vec<_>>();
        let text = (2..=8).rev().fold(ranks.join("/"), |text, count: usize| {
            text.replace(&"1".repeat(count), &count.to_string())
        });
        let found = Position::from_fen(&format!("{text} w - - 0 1")).ok();
        found.filter(|position| position.occupied().count() == 4)
    });
    arrangements.unwrap_or_else(|| panic!("no arrangement for {square}"))
}

#[test]
fn every_weight_is_reached() {
    let weights = Parameters::embedded().weights;
    let mut seen = vec![false; weights.cells().len()];
    let mut traced = Trace::new();
    let mut visit = |position: &Position| {
        trace(position.board(), &weights, &mut traced);
        traced.entries.iter().for_each(|entry| seen[usize::from(entry.cell)] = true);
    };
    random_positions(400, &mut visit);
    RARE.iter().for_each(|fen| visit(&position(fen)));
    (0..64).for_each(|square| visit(&without_pawns(square)));
    let missing: Vec<String> = Weights::INFO
        .iter()
        .flat_map(|info| (0..info.length).map(move |index| (info, index)))
        .filter(|(info, index)| seen[info.first_cell + index] == SHAPE_GROUPS.contains(&info.group))
        .map(|(info, index)| format!("{}.{}[{index}]", info.group, info.name))
        .collect();
    assert!(missing.is_empty(), "never reached, or reached and not a term: {missing:?}");
}

/// The numbers that are not added up play too: a change of any of them changes some value.
#[test]
fn every_number_that_shapes_a_formula_is_used() {
    let weights = Parameters::embedded().weights;
    let endings = [
        "8/8/8/3k4/8/3K4/8/7R w - - 0 1",
        "8/8/8/3k4/8/3K4/P7/6Q1 w - - 0 1",
        "7k/8/5K2/8/8/8/8/2B1N3 w - - 0 1",
        "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1",
        // A lead of knight, bishop, rook or queen without pawns.
        "4k2r/p7/8/8/8/8/8/1N2K2R w - - 0 1",
        "4k2r/p7/8/8/8/8/8/2B1K2R w - - 0 1",
        "4k2q/p7/8/8/8/8/8/R2QK3 w - - 0 1",
        "r3k3/p7/8/8/8/8/8/3QK3 w - - 0 1",
        // A king that is lost anyway.
        "6k1/8/4N1NQ/6RR/8/8/6q1/K7 w - - 60 90",
    ];
    let mut positions: Vec<Position> = endings.into_iter().map(position).collect();
    random_positions(10, &mut |position| positions.push(position.clone()));
    let values = |weights: &Weights| -> Vec<i32> {
        let mut evaluator = Evaluator::new();
        positions.iter().map(|position| evaluator.evaluate(position.board(), weights)).collect()
    };
    let base = values(&weights);
    for info in Weights::INFO.iter().filter(|info| SHAPE_GROUPS.contains(&info.group)) {
        for cell in info.first_cell..info.first_cell + info.length {
            let mut changed = weights;
            changed.cells_mut()[cell] = info.range.0;
            let name = format!("{}.{}", info.group, info.name);
            assert_ne!(values(&changed), base, "{name} {}", cell - info.first_cell);
        }
    }
}

/// Knowledge of where to drive the king is enough for a small search to mate by the fifty-move
/// limit.
#[test]
fn known_endgames_are_won_over_the_board() {
    let parameters = Arc::new(Parameters::embedded().as_ref().clone());
    for fen in ["8/8/8/3k4/8/8/8/2BNK3 w - - 0 1", "8/8/8/3k4/8/8/8/4K2R b - - 0 1"] {
        let mut position = position(fen);
        let mut engine = Engine::new(parameters.clone(), 4);
        while position.outcome().is_none() {
            let control = Control::default();
            let outcome = engine.search(&position, &Limits::nodes(20_000), &control, &mut |_| {});
            position.play(outcome.best);
        }
        assert_eq!(position.outcome(), Some(Ending::Checkmate), "{}", position.to_fen(false));
    }
}

#[test]
fn explanation_begins_with_the_value_and_names_terms_and_sums() {
    let weights = lively_weights();
    let position = position("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    let text = explain(position.board(), &weights).to_string();
    let value = Evaluator::new().evaluate(position.board(), &weights);
    assert!(text.starts_with(&format!("{value} centipawns for White\n")), "{text}");
    assert!(text.contains("Here it is 24: mg counts 24 of 24, eg 0 of 24.\n"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.contains("\nmaterial (centipawns)\n") && text.contains("  tempo"), "{text}");
    assert!(text.contains("\ndanger (danger units)\n"), "{text}");
    for channel in Channel::LIST {
        let sums = text.rsplit("--\n").next().expect("a last part");
        let lines = sums.lines().filter(|line| line.starts_with(channel.name));
        assert_eq!(lines.count(), channel.sums(), "{text}");
    }
    let known = explain(self::position("8/8/8/3k4/8/8/8/R3K3 w - - 0 1").board(), &weights);
    assert!(known.sums.is_none() && known.weights.is_empty() && known.value >= 10_000);
    assert!(known.to_string().ends_with("The endgame is known: no terms are counted."));
}

/// The leads by the weights of the main score add up to it.
#[test]
fn leads_of_terms_are_those_of_the_main_score() {
    let weights = lively_weights();
    let position = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let explained = explain(position.board(), &weights);
    let sums = explained.sums.expect("not a known endgame");
    let main = explained.blended(sums.0[0]);
    let (mut leads, mut count) = (0, 0);
    for (_, lead) in explained.leads() {
        (leads, count) = (leads + lead, count + 1);
    }
    assert!(count > 20 && (leads - main).abs() <= count, "{leads} and {main}: rounding alone");
}
