//! Where the positions of an opening file come from.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use pgn::Games;
use playable::{Bound, Control, Engine, Game, Limits, Move, Position};
use rand::{Rng, RngExt};

use super::book::refuse_packed;
use super::{Book, Format, OpeningSettings, OpeningsError, random_opening};

/// A source of positions for an opening file.
#[derive(Debug)]
pub enum Source {
    /// So many legal moves from the start position, whichever they are.
    Random(RangeInclusive<u32>),
    /// So many moves from the start position that a search thinks well of.
    Search(RangeInclusive<u32>, Taste),
    /// Recorded games, after so many plies.
    Games(RangeInclusive<u32>, Vec<Line>),
    /// The positions of a file.
    Positions(Book),
}

/// Plies that are played from the start, or of a game, unless a user says otherwise.
pub const PLIES: RangeInclusive<u32> = 6..=10;

impl Source {
    /// The games of a PGN file, or the positions of an EPD file.
    ///
    /// # Errors
    /// The file cannot be read or is wrong, holds nothing, or plies are given for positions.
    pub fn of_file(
        game: Game,
        path: &Path,
        plies: Option<RangeInclusive<u32>>,
    ) -> Result<Source, OpeningsError> {
        let (bytes, origin) = Book::read(game, path)?;
        refuse_packed(&bytes, &origin)?;
        if Format::of(&bytes) == Format::Epd {
            if plies.is_some() {
                return Err(OpeningsError::Plies { origin });
            }
            return Ok(Source::Positions(Book::parse(bytes, &origin, &OpeningSettings::of(game))?));
        }
        let mut lines = Vec::new();
        for recorded in Games::new(bytes.as_slice(), &origin) {
            let recorded = recorded?;
            let mut line = Line { start: recorded.start(game)?, moves: Vec::new() };
            let mut is_whole = true;
            recorded.replay(game, |_, _, mv| match mv {
                Some(mv) if is_whole => line.moves.push(mv),
                // Nobody passes in an opening: what follows is left out.
                _ => is_whole = false,
            })?;
            lines.push(line);
        }
        if lines.is_empty() {
            return Err(OpeningsError::Empty { origin });
        }
        Ok(Source::Games(plies.unwrap_or(PLIES), lines))
    }

    /// A position by chance, in which play can begin; none if chance led to no such one. It depends
    /// on `random` alone, whatever the engine searched before.
    pub(super) fn draw(
        &self,
        game: Game,
        engine: &mut dyn Engine,
        random: &mut impl Rng,
    ) -> Option<Position> {
        let position = match self {
            Source::Random(plies) => random_opening(game, random, plies.clone()),
            Source::Search(plies, taste) => taste.opening(game, engine, random, plies.clone()),
            Source::Games(plies, lines) => {
                let line = &lines[random.random_range(0..lines.len())];
                line.after(random.random_range(plies.clone()) as usize)?
            }
            Source::Positions(book) => {
                book.opening(random.random_range(0..book.len())).map(|it| it.position)?
            }
        };
        position.outcome().is_none().then_some(position)
    }
}

/// A recorded game, to be cut off after some plies.
#[derive(Debug)]
pub struct Line {
    start: Position,
    moves: Vec<Move>,
}

impl Line {
    /// The position after so many plies, if the game has as many.
    fn after(&self, plies: usize) -> Option<Position> {
        let mut position = self.start.clone();
        for &mv in self.moves.get(..plies)? {
            position.play(mv);
        }
        Some(position)
    }
}

/// A search's choice among moves: the better a move, the likelier.
#[derive(Debug)]
pub struct Taste {
    nodes: u64,
    worse: i32,
    /// Results for positions before, by key and halfmove clock, which the evaluation knows of.
    /// Searches begin with nothing in memory, so the order of searches does not matter.
    known: Mutex<HashMap<(u64, u32), Liked>>,
}

/// Moves with their weights, which add up to 1 but for rounding.
type Liked = Arc<[(Move, f64)]>;

impl Taste {
    /// The taste of a search of so many nodes a position, for moves that are at most so much worse
    /// than the best one (centipawns).
    pub fn new(nodes: u64, worse: i32) -> Taste {
        Taste { nodes, worse, known: Mutex::default() }
    }

    /// As many moves as chance says, each drawn from those it likes.
    fn opening(
        &self,
        game: Game,
        engine: &mut dyn Engine,
        random: &mut impl Rng,
        plies: RangeInclusive<u32>,
    ) -> Position {
        let mut position = game.start();
        for _ in 0..random.random_range(plies) {
            let liked = self.liked(engine, &position);
            let mut left: f64 = random.random();
            let drawn = liked.iter().find(|(_, weight)| {
                left -= weight;
                left <= 0.0
            });
            let Some(&(mv, _)) = drawn.or(liked.first()) else { break };
            position.play(mv);
        }
        position
    }

    /// The moves of a position that it likes, the best first; none where the game is over.
    fn liked(&self, engine: &mut dyn Engine, position: &Position) -> Liked {
        /// More would not be looked at twice.
        const KNOWN_MAX: usize = 1 << 20;
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (position.key(), position.halfmove_clock());
        if let Some(liked) = known().get(&key) {
            return liked.clone();
        }
        let liked = self.search(engine, position);
        let mut known = known();
        if known.len() < KNOWN_MAX {
            known.insert(key, liked.clone());
        }
        liked
    }

    fn search(&self, engine: &mut dyn Engine, position: &Position) -> Liked {
        /// Moves that are looked at: the best ones.
        const MOVES: usize = 8;
        let mut alone = position.clone();
        alone.forget_past();
        engine.new_game();
        let limits = Limits { multi_pv: MOVES, ..Limits::nodes(self.nodes) };
        let mut found: Vec<(Move, i32, u32)> = Vec::new();
        engine.search(&alone, &limits, &Control::default(), &mut |progress| {
            let Some(&mv) = progress.pv.first() else { return };
            // A search that is broken off tells its lines once more.
            let line = (mv, progress.score, progress.depth);
            let is_told = progress.multi_pv > 1 && found.contains(&line);
            if progress.bound == Bound::Exact && !is_told {
                found.retain(|(known, _, _)| *known != mv);
                found.push(line);
            }
        });
        // Where the last iteration was broken off, what the one before found of the others counts.
        let deepest = found.iter().map(|(_, _, depth)| *depth).max().unwrap_or(0);
        found.retain(|(_, _, depth)| depth + 1 >= deepest);
        found.sort_by_key(|(_, score, _)| -score);
        found.truncate(MOVES);
        let best = found.first().map_or(0, |(_, score, _)| *score);
        found.retain(|(_, score, _)| best - score <= self.worse);
        // At the limit a move is played e² times less often than the best.
        let weight =
            |score: i32| (-2.0 * f64::from(best - score) / f64::from(self.worse.max(1))).exp();
        let sum: f64 = found.iter().map(|(_, score, _)| weight(*score)).sum();
        found.iter().map(|&(mv, score, _)| (mv, weight(score) / sum)).collect()
    }
}
