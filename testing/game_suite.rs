//! The properties of every game: the rules in a box, and the game as the search sees it. Each
//! game's tests call both.

// Each crate uses a part of it.
#![allow(dead_code)]

use std::collections::HashSet;

use playable::{Game, GameResult, Move, Position};
use search::{Game as Searched, GameMove, MoveClass, Ruling};

/// Numbers by chance (a linear congruential generator), from a seed.
pub struct Chance(pub u64);

impl Chance {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// Positions of games by chance, with their past.
pub fn positions(game: Game, games: usize, plies: usize) -> Vec<Position> {
    let mut chance = Chance(game.name().len() as u64);
    let mut positions = Vec::new();
    for _ in 0..games {
        let mut position = game.start();
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[chance.below(moves.len())]);
            if position.outcome().is_none() {
                positions.push(position.clone());
            }
        }
    }
    positions
}

/// The last positions of games by chance that end by the rules, with their past.
pub fn ends(game: Game, games: usize, plies: usize) -> Vec<Position> {
    let mut chance = Chance(2 * game.name().len() as u64);
    let mut ends = Vec::new();
    for _ in 0..games {
        let mut position = game.start();
        for _ in 0..plies {
            if position.outcome().is_some() {
                ends.push(position);
                break;
            }
            let moves = position.legal_moves();
            position.play(moves[chance.below(moves.len())]);
        }
    }
    ends
}

/// The search's game values an end as the rules do: a win, a loss or a draw of the mover.
pub fn check_ends<G: Searched>(ends: &[Position], of: impl Fn(&Position) -> G) {
    let mut judged = 0;
    for position in ends {
        let fen = position.to_fen();
        let (result, ending) = position.outcome().expect("an end");
        let mut game = of(position);
        let value = match game.ruling(1, 1) {
            Ruling::Exact(value) => value,
            _ if position.legal_moves().is_empty() => game.stuck(1),
            // A draw that somebody would have to claim: the search may go on.
            _ => continue,
        };
        let expected = match result {
            GameResult::Draw => 0,
            won if won == GameResult::win_of(position.side_to_move()) => 1,
            _ => -1,
        };
        assert_eq!(value.signum(), expected, "{ending:?} {fen}");
        judged += 1;
    }
    assert!(2 * judged > ends.len(), "{judged} of {} ends are judged", ends.len());
}

fn in_dialect(position: &Position, mv: Move, dialect: usize) -> String {
    let mut text = String::new();
    position.push_dialect(mv, dialect, &mut text);
    text
}

/// Texts, bytes and rules of positions agree with each other.
pub fn check_rules(game: Game, positions: &[Position]) {
    let mut chance = Chance(3);
    let start = game.start();
    for mv in start.legal_moves() {
        for dialect in 1..game.dialects() {
            let text = in_dialect(&start, mv, dialect);
            assert!(start.parse_uci(&text).is_err(), "{text} is a first move in two dialects");
        }
    }
    let (length, without_counters) = game.packed_lengths();
    assert!(without_counters <= length && length <= playable::PACKED_MAX);
    for position in positions {
        let fen = position.to_fen();
        let mut again = game.position(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(again.to_fen(), fen);
        assert_eq!(
            again.key(),
            position.key(),
            "the key of what was played is that of the text: {fen}"
        );
        let (fields, counters) = game.word_counts();
        assert_eq!(fen.split(' ').count(), fields + counters, "{fen}");
        assert_eq!(game.split_operations(&format!("{fen} id \"x\";")).0.trim(), fen);
        let few: Vec<&str> = fen.split(' ').take(fields).collect();
        assert_eq!(game.split_fields(&fen).0.trim(), few.join(" "));
        let bytes = game.pack(position).expect("few men");
        assert!(bytes[length..].iter().all(|&byte| byte == 0));
        let unpacked = game.unpack(&bytes).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(unpacked.to_fen(), fen);

        assert!(position.phase() <= 24, "{fen}");
        let moves = position.legal_moves();
        let known: HashSet<Move> = moves.iter().copied().collect();
        assert_eq!(known.len(), moves.len(), "no move twice: {fen}");
        let leaves = position.perft(1, &|| false).expect("nobody stops it");
        assert_eq!(leaves.iter().map(|(mv, _)| *mv).collect::<HashSet<_>>(), known, "{fen}");
        assert!(leaves.iter().all(|(_, count)| *count == 1));
        for _ in 0..200 {
            let mv = Move::from_bits(chance.below(1 << 16) as u16);
            assert_eq!(position.is_legal(mv), known.contains(&mv), "{mv:?} {fen}");
        }
        for &mv in &moves {
            assert!(position.is_legal(mv) && mv != Move::NONE, "{fen}");
            let (uci, san) = (position.uci(mv), position.to_san(mv));
            assert_eq!(position.parse_uci(&uci), Ok(mv), "{uci} {fen}");
            assert_eq!(position.parse_san(&san), Ok(mv), "{san} {fen}");
            for notation in 0..game.notations().len() {
                let mut text = String::new();
                position.clone().play_and_push_in(notation, mv, &mut text);
                assert_eq!(position.parse_in(notation, &text), Ok(mv), "{text} {fen}");
            }
            for dialect in 0..game.dialects() {
                let text = in_dialect(position, mv, dialect);
                assert_eq!(text == uci, dialect == 0, "{text} {fen}");
                assert_eq!(position.parse_dialect(&text, dialect), Ok(mv), "{text} {fen}");
            }
        }
        if !moves.is_empty() {
            let mv = moves[chance.below(moves.len())];
            again.play(mv);
            let mut other = position.clone();
            other.play(mv);
            assert_eq!(again.to_fen().split(' ').next(), other.to_fen().split(' ').next());
        }
    }
}

/// The search's game and the rules agree, and what is taken back was never played.
pub fn check_search<G: Searched>(positions: &[Position], of: impl Fn(&Position) -> G) {
    let mut chance = Chance(5);
    for position in positions {
        let fen = position.to_fen();
        let mut game = of(position);
        let rules: HashSet<Move> = position.legal_moves().into_iter().collect();
        let of_class = |class| {
            let mut moves = Vec::new();
            game.generate(class, |mv| moves.push(mv));
            moves
        };
        let is_checked = position.in_check();
        let (noisy, quiet) = match is_checked {
            true => (Vec::new(), of_class(MoveClass::Evasions)),
            false => (of_class(MoveClass::Noisy), of_class(MoveClass::Quiet)),
        };
        let checks = if is_checked { Vec::new() } else { of_class(MoveClass::QuietChecks) };
        let all: Vec<G::Move> = noisy.iter().chain(&quiet).copied().collect();
        let known: HashSet<Move> = all.iter().map(|&mv| Move::of(mv)).collect();
        assert_eq!((known.len(), &known), (all.len(), &rules), "{fen}");
        assert!(noisy.iter().all(|&mv| game.is_noisy(mv)), "{fen}");
        assert!(is_checked || quiet.iter().all(|&mv| !game.is_noisy(mv)), "{fen}");
        assert!(checks.iter().all(|mv| quiet.contains(mv) && game.gives_check(*mv)), "{fen}");
        for _ in 0..200 {
            let mv = G::Move::from_bits(chance.below(1 << 16) as u16);
            let is_known = mv != G::Move::NONE && rules.contains(&Move::of(mv));
            assert_eq!(mv != G::Move::NONE && game.is_plausible(mv), is_known, "{mv:?} {fen}");
        }
        let threats = game.threats();
        for &mv in &all {
            assert_eq!(G::Move::from_bits(mv.bits()), mv);
            let index = game.history_index(mv, threats);
            assert!(index.piece_to < G::PIECE_TO_COUNT, "{mv:?} {fen}");
            assert!(index.route < G::ROUTE_COUNT, "{mv:?} {fen}");
            assert!(index.prize < G::PRIZE_COUNT, "{mv:?} {fen}");
            assert!(!game.exchange_at_least(mv, 30_000), "{mv:?} {fen}");
            assert!(game.exchange_at_least(mv, -30_000), "{mv:?} {fen}");
            let before = (game.table_key(), game.evaluate(), game.structure_key());
            let keys: Vec<u64> = game.correction_keys().into_iter().collect();
            assert_eq!(keys.len(), G::CORRECTION_KEYS);
            let gives_check = game.gives_check(mv);
            game.play(mv);
            assert!(!gives_check || game.in_check(), "{mv:?} {fen}");
            game.undo();
            let after = (game.table_key(), game.evaluate(), game.structure_key());
            assert_eq!(after, before, "{mv:?} {fen}");
            assert_eq!(game.correction_keys().into_iter().collect::<Vec<u64>>(), keys);
        }
    }
}
