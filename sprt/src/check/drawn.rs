//! Positions of games that have no chosen ones: most are met where both sides play at random.

use playable::{Color, Control, Game, Limits, Position};
use rand::RngExt;
use random::stream;

use super::positions::{Place, Positions};

/// The stream of random numbers of the first game.
const STREAM: u64 = 3 << 32;
/// Games that are played, and the most plies of one.
const GAMES: u64 = 100;
const PLIES: usize = 200;
/// Positions of a kind that are kept.
const MOST: usize = 8;
/// Mates by their lengths in moves, negative for who is mated, and plies from there to the end.
const MATES: [(i32, usize); 5] = [(1, 1), (-1, 2), (2, 3), (-1, 4), (2, 5)];
/// Positions that are searched for who is ahead at most, and plies from one to the next.
const SEARCHES: usize = 120;
const SEARCH_EVERY: usize = 15;
/// Nodes of such a search, and the least score of who is ahead (centipawns).
const NODES: u64 = 4_000;
const MARGIN: i32 = 600;
/// Transposition table of these searches (megabytes).
const HASH: usize = 1;

impl Positions {
    /// Positions of a game: its bench positions, and those that are met in random games.
    pub(super) fn drawn(game: Game, seed: u64) -> Positions {
        let bench = game.bench_positions().into_iter().map(|(_, position)| position);
        let bench: Vec<Position> = bench.filter(has_choice).collect();
        let starts = || std::iter::once(game.start()).chain(bench.iter().cloned()).cycle();
        let numbered = starts().zip(STREAM..STREAM + GAMES);
        let games: Vec<Vec<Position>> =
            numbered.map(|(start, number)| random_game(start, seed, number)).collect();
        let met = || games.iter().flatten();
        let places = |is_of_kind: fn(&Position) -> bool| {
            let found = met().filter(move |it| is_of_kind(it)).map(Place::of);
            found.filter(move |it| is_of_kind(&it.position)).take(MOST)
        };
        let middlegame = game.middlegame();
        let fen = middlegame.uci_fen();
        let few_men = met().filter(|it| has_choice(it)).min_by_key(|it| it.men());
        let choice = game.start().legal_moves();
        let mut after = game.start();
        after.play(choice[0]);
        Positions {
            odd: bench
                .iter()
                .map(Place::of)
                .chain(places(|it| has_choice(it) && it.in_check()))
                .collect(),
            single: places(|it| it.outcome().is_none() && it.legal_moves().len() == 1).collect(),
            over: places(|it| !it.has_legal_move()).collect(),
            mates: mates(&games),
            ahead: ahead(game, met().step_by(SEARCH_EVERY).take(SEARCHES)),
            of_ahead: "in which one side is far ahead",
            few_men: Place::of(few_men.unwrap_or(&middlegame)),
            middlegames: [&middlegame].into_iter().chain(&bench).take(3).map(Place::of).collect(),
            opening: [choice[0], after.legal_moves()[0]],
            choice: [choice[0], choice[choice.len() - 1]],
            bad: vec![
                ("position fen no position at all".to_owned(), "a malformed FEN"),
                (format!("position fen {}", &fen[..fen.len() / 2]), "half a position"),
                ("position startpos moves a1a1".to_owned(), "an illegal move"),
            ],
        }
    }
}

/// Whether the game goes on and the side to move has more than one move.
fn has_choice(position: &Position) -> bool {
    position.outcome().is_none() && position.legal_moves().len() > 1
}

/// The positions of a game in which both sides play at random, the last one included.
fn random_game(start: Position, seed: u64, number: u64) -> Vec<Position> {
    let mut random = stream(seed, number);
    let mut game = vec![start];
    while let Some(last) = game.last().filter(|it| it.outcome().is_none())
        && game.len() <= PLIES
    {
        let mut next = last.clone();
        let mv = next.pick_legal_move(&mut |count| random.random_range(0..count));
        next.play(mv.expect("the game goes on"));
        game.push(next);
    }
    game
}

/// Mates at the ends of games: one of each length for each side to move.
fn mates(games: &[Vec<Position>]) -> Vec<(Place, i32)> {
    let mut mates: Vec<(Place, i32)> = Vec::new();
    let lost = games.iter().filter(|game| game.last().is_some_and(|last| last.is_lost()));
    for game in lost {
        for (moves, plies) in MATES {
            let Some(at) = (game.len() - 1).checked_sub(plies) else { continue };
            let place = Place::of(&game[at]);
            let mover = place.position.side_to_move();
            let is_known = |(known, length): &(Place, i32)| {
                (known.position.side_to_move(), *length) == (mover, moves)
            };
            if !mates.iter().any(is_known) && is_mate(&place.position, moves) {
                mates.push((place, moves));
            }
        }
    }
    mates
}

/// Whether there is a mate in exactly so many moves, negative if the mover is mated.
fn is_mate(position: &Position, moves: i32) -> bool {
    let length = moves.unsigned_abs();
    match moves > 0 {
        true => wins_in(position, length) && (length == 1 || !wins_in(position, length - 1)),
        false => loses_in(position, length),
    }
}

/// Whether the mover has a mate in at most so many moves.
fn wins_in(position: &Position, moves: u32) -> bool {
    position.legal_moves().into_iter().any(|mv| {
        let mut after = position.clone();
        after.play(mv);
        match after.outcome() {
            Some(_) => after.is_lost(),
            None => moves > 1 && loses_in(&after, moves - 1),
        }
    })
}

/// Whether every move of a game that goes on allows a mate in at most so many moves.
fn loses_in(position: &Position, moves: u32) -> bool {
    position.outcome().is_none()
        && position.legal_moves().into_iter().all(|mv| {
            let mut after = position.clone();
            after.play(mv);
            after.outcome().is_none() && wins_in(&after, moves)
        })
}

/// Positions in which a search sees one side far ahead, before and after its best move: two for
/// each side, and whether the mover is ahead.
fn ahead<'a>(game: Game, met: impl Iterator<Item = &'a Position>) -> Vec<(Place, bool)> {
    // Programs without numbers have nothing to judge by.
    let Ok(numbers) = game.try_embedded() else { return Vec::new() };
    let mut engine = numbers.engine(HASH);
    let mut search = |position: &Position| {
        engine.new_game();
        engine.search(position, &Limits::nodes(NODES), &Control::default(), &mut |_| {})
    };
    let mut ahead: Vec<(Place, bool)> = Vec::new();
    for position in met {
        let place = Place::of(position);
        let mover = place.position.side_to_move();
        let is_known = ahead.iter().step_by(2).any(|(it, _)| it.position.side_to_move() == mover);
        if is_known || !has_choice(&place.position) {
            continue;
        }
        let found = search(&place.position);
        let mut after = place.position.clone();
        after.play(found.best);
        let after = Place::of(&after);
        let is_far = found.score >= MARGIN && has_choice(&after.position);
        if is_far && search(&after.position).score <= -MARGIN {
            ahead.extend([(place, true), (after, false)]);
        }
        if ahead.len() == 2 * Color::ALL.len() {
            break;
        }
    }
    ahead
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_what_they_are_said_to_be() {
        for &game in engine::GAMES {
            let drawn = Positions::drawn(game, 1);
            let counts = |places: &[Place]| {
                let moves = places.iter().map(|place| place.position.legal_moves().len());
                moves.collect::<Vec<_>>()
            };
            assert!(counts(&drawn.odd).iter().all(|&moves| moves > 1), "{game:?}");
            assert_eq!(counts(&drawn.single), [1; MOST], "{game:?}");
            assert_eq!(counts(&drawn.over), [0; MOST], "{game:?}");
            for (place, moves) in &drawn.mates {
                assert!(is_mate(&place.position, *moves), "{}", place.setup);
            }
            assert!(drawn.mates.len() > 2 && !drawn.ahead.is_empty(), "{game:?}");
            for pair in drawn.ahead.chunks(2) {
                let [(one, true), (other, false)] = pair else { panic!("{game:?}") };
                assert_ne!(one.position.side_to_move(), other.position.side_to_move());
            }
            let again = Positions::drawn(game, 1);
            let setups = |positions: Positions| {
                let places = positions.mates.into_iter().map(|(place, _)| place);
                places.chain(positions.single).map(|place| place.setup).collect::<Vec<_>>()
            };
            assert_eq!(setups(drawn), setups(again), "{game:?}");
        }
    }
}
