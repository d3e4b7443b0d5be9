//! Positions and games as another program judges them: pydraughts 0.6.7.

use draughts::GAME;
use playable::{Move, Position};

use crate::game_suite::Chance;

/// Nodes of a position that are counted at most: all of them take minutes.
const MOST: u64 = if cfg!(debug_assertions) { 1_000 } else { 1_000_000 };

/// Games from the usual start.
const GAMES: u64 = 1000;

fn leaves(position: &Position, depth: u32) -> u64 {
    let counted = position.perft(depth, &|| false).expect("nobody stops it");
    counted.iter().map(|(_, count)| count).sum()
}

#[test]
fn counts_are_those_of_another_program() {
    let text = include_str!("../../../../data/perft/draughts.epd");
    let mut positions = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (fen, counts) = line.split_once(';').expect("counts");
        let position = GAME.position(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        positions += 1;
        for item in counts.split(';') {
            let (depth, count) = item.trim().split_once(' ').expect("a depth and a count");
            let count: u64 = count.parse().expect("a count");
            if count <= MOST {
                let depth = depth[1..].parse().expect("a depth");
                assert_eq!(leaves(&position, depth), count, "{fen} at depth {depth}");
            }
        }
    }
    assert_eq!(positions, 501);
}

/// Moves are drawn by the seed from the first of the list in the order of their texts: from all,
/// from two, or from three. So the file has the ends of the games alone. From seed 1000 on games
/// begin with few men, and nobody lets the other side capture who can help it: there counters end
/// games.
#[test]
fn games_end_as_another_program_judges_them() {
    let text = include_str!("../../../../data/endings/draughts.csv");
    let mut seen = [0; 7];
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [seed, start, plies, result, rule, end] = fields[..] else { panic!("{line}") };
        let start = if start == "-" { GAME.start() } else { GAME.position(start).expect(line) };
        let (position, played) = game_of(seed.parse().expect("a seed"), start);
        let (found, by) = position.outcome().expect("an end");
        assert_eq!((found.as_str(), by.as_str()), (result, rule), "{line}: {played:?}");
        assert_eq!(played.len().to_string(), plies, "{line}");
        let fen = position.to_fen();
        assert_eq!(fen.rsplit_once(' ').expect("counters").0, end, "{line}");
        let known = GAME.endings().iter().position(|it| *it == by).expect("a rule of the game");
        seen[known] += 1;
    }
    assert_eq!(seen.iter().sum::<u32>(), 1240);
    assert!(seen.iter().all(|&count| count >= 5), "how often each rule ended a game: {seen:?}");
}

/// The end of a game, and its moves.
fn game_of(seed: u64, mut position: Position) -> (Position, Vec<String>) {
    let (mut chance, mut played) = (Chance(seed), Vec::new());
    while position.outcome().is_none() {
        let mut moves: Vec<(String, Move)> =
            position.legal_moves().iter().map(|&mv| (position.uci(mv), mv)).collect();
        moves.sort();
        if seed >= GAMES {
            let is_safe = |&&(_, mv): &&(String, Move)| {
                let mut after = position.clone();
                after.play(mv);
                !after.in_check()
            };
            let safe: Vec<(String, Move)> = moves.iter().filter(is_safe).cloned().collect();
            moves = if safe.is_empty() { moves } else { safe };
        }
        let most = [moves.len(), 2, 3][(seed % 3) as usize];
        let (text, mv) = moves.swap_remove(chance.below(most.min(moves.len())));
        position.play(mv);
        played.push(text);
    }
    (position, played)
}
