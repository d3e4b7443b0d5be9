//! Positions and games as another program judges them: pydraughts 0.6.7.

use std::collections::HashSet;

use draughts::GAME;
use playable::{Move, Position};

use crate::game_suite::Chance;

/// Nodes of a position that are counted at most: all of them take minutes.
const MOST: u64 = if cfg!(debug_assertions) { 1_000 } else { 1_000_000 };

/// Games from the usual start.
const GAMES: u64 = 1000;

fn start_of(seed: u64) -> Position {
    if seed < GAMES {
        return GAME.start();
    }
    let fen = format!("B:WK{}:BK{}", 32 - seed % 4, 1 + seed / 4 % 4);
    GAME.position(&fen).expect("two kings")
}

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

/// Moves are drawn by the seed from the first of the list in the order of their texts: from all, from two,
/// or from three. So the file has the ends of the games alone. From seed 1000 on a king plays a king, and
/// neither repeats what another move would not.
#[test]
fn games_end_as_another_program_judges_them() {
    let text = include_str!("../../../../data/endings/draughts.csv");
    let mut seen = [0; 3];
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [seed, plies, result, rule, end] = fields[..] else { panic!("{line}") };
        let (position, played) = game_of(seed.parse().expect("a seed"));
        let (found, by) = position.outcome().expect("an end");
        assert_eq!((found.as_str(), by.as_str()), (result, rule), "{line}: {played:?}");
        assert_eq!(played.len().to_string(), plies, "{line}");
        let end = GAME.position(&end.replace(' ', ",")).expect("a position");
        assert_eq!(position.key(), end.key(), "{line}");
        let known = GAME.endings().iter().position(|it| *it == by).expect("a rule of the game");
        seen[known] += 1;
    }
    assert_eq!(seen.iter().sum::<u32>(), 1040);
    assert!(seen.iter().all(|&count| count > 0), "how often each rule ended a game: {seen:?}");
}

/// The end of a game, and its moves.
fn game_of(seed: u64) -> (Position, Vec<String>) {
    let (mut chance, mut position, mut played) = (Chance(seed), start_of(seed), Vec::new());
    let mut known = HashSet::from([position.key()]);
    while position.outcome().is_none() {
        let mut moves: Vec<(String, Move)> =
            position.legal_moves().iter().map(|&mv| (position.uci(mv), mv)).collect();
        moves.sort();
        let most =
            if seed < GAMES { [moves.len(), 2, 3][(seed % 3) as usize] } else { moves.len() };
        let drawn = chance.below(most.min(moves.len()));
        let is_new = |&place: &usize| {
            let mut after = position.clone();
            after.play(moves[place].1);
            !known.contains(&after.key())
        };
        let mut others = (drawn..moves.len()).chain(0..drawn);
        let place = if seed < GAMES { drawn } else { others.find(is_new).unwrap_or(drawn) };
        let (text, mv) = moves.swap_remove(place);
        position.play(mv);
        known.insert(position.key());
        played.push(text);
    }
    (position, played)
}
