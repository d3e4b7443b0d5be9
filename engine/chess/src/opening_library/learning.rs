//! The selection of games that a library learns from, and of their moves.

use std::collections::HashMap;

use pgn::{Annotation, GameError, PgnGame};
use playable::{Game, Position};
use thiserror::Error;

use super::{GrowingLibrary, LibraryError, ScoredMove};
use crate::rules::Move;

/// The fate of a game that was given to learn from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taken {
    /// The library has learned from it.
    Learned,
    /// It began elsewhere than at the start of standard chess, and at no opening that was given.
    Elsewhere,
    /// It has no result, or one that was awarded: see [`PgnGame::result`].
    Undecided,
}

/// A game that cannot be learned from.
#[derive(Debug, Error)]
pub enum LearnError {
    /// An illegal move or a null move within the library's plies, or an unknown variant.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The library cannot hold it.
    #[error(transparent)]
    Library(#[from] LibraryError),
}

/// How many games were given to learn from, by what became of them.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct LearnedGames {
    /// Games that were learned from.
    pub learned: u64,
    /// Games that began elsewhere.
    pub elsewhere: u64,
    /// Games without a result.
    pub undecided: u64,
}

impl LearnedGames {
    /// Counts a game by what became of it.
    pub fn count(&mut self, taken: Taken) {
        match taken {
            Taken::Learned => self.learned += 1,
            Taken::Elsewhere => self.elsewhere += 1,
            Taken::Undecided => self.undecided += 1,
        }
    }
}

/// The moves that lead to the positions in which a match's games began: match runners give players
/// the position after an opening, without its moves.
#[derive(Clone, Debug)]
pub struct Openings {
    /// Chess, by whose rules the games are read.
    chess: Game,
    lines: HashMap<String, Vec<Move>>,
}

impl Openings {
    /// No openings yet, of games that are read by these rules, which are those of chess.
    pub fn new(chess: Game) -> Openings {
        Openings { chess, lines: HashMap::new() }
    }

    /// Takes in an opening: a game from the start of standard chess, to its last move. Of two that
    /// lead to the same position the first counts. False if it begins elsewhere.
    ///
    /// # Errors
    /// It has an illegal move, or a null move.
    pub fn add(&mut self, game: &PgnGame) -> Result<bool, GameError> {
        if !is_start(&game.start(self.chess)?) {
            return Ok(false);
        }
        let mut line = Vec::new();
        let end =
            game.replay(self.chess, |_, _, mv| line.extend(mv.map(|mv| mv.typed::<Move>())))?;
        refuse_null_moves(game)?;
        self.lines.entry(place(&end)).or_insert(line);
        Ok(true)
    }
}

impl GrowingLibrary {
    /// Learns from a game: of each move within the library's plies the result, and the mover's score
    /// where a comment behind the move has one ([`Annotation`]). The game begins at the start of
    /// standard chess, or at the end of one of `openings`, whose moves then count as its own. Each
    /// game that is given counts, one that is given twice counts twice.
    ///
    /// # Errors
    /// A [`LearnError`]; nothing is learned from the game then.
    pub fn learn(&mut self, mut game: PgnGame, openings: &Openings) -> Result<Taken, LearnError> {
        let Some(line) = self.line_of(&mut game, openings)? else { return Ok(Taken::Elsewhere) };
        let Some(result) = game.result() else { return Ok(Taken::Undecided) };
        self.add(&line, result)?;
        Ok(Taken::Learned)
    }

    /// The moves of a game from the start of standard chess that the library takes in, each with its
    /// score; `None` if it began elsewhere.
    fn line_of(
        &self,
        game: &mut PgnGame,
        openings: &Openings,
    ) -> Result<Option<Vec<ScoredMove>>, GameError> {
        let start = game.start(openings.chess)?;
        let mut line: Vec<ScoredMove> = match openings.lines.get(&place(&start)) {
            _ if is_start(&start) => Vec::new(),
            Some(opening) if !start.chess960() => opening.iter().map(|&mv| (mv, None)).collect(),
            _ => return Ok(None),
        };
        game.moves.truncate(usize::from(self.plies()).saturating_sub(line.len()));
        refuse_null_moves(game)?;
        let comments: Vec<&str> = game.moves.iter().map(|mv| mv.comment.as_str()).collect();
        game.replay(openings.chess, |position, index, mv| {
            let annotation = Annotation::parse(comments[index], position.side_to_move());
            line.extend(mv.map(|mv| (mv.typed(), annotation.map(|found| found.score))));
        })?;
        Ok(Some(line))
    }
}

fn refuse_null_moves(game: &PgnGame) -> Result<(), GameError> {
    match game.moves.iter().find(|mv| mv.looks_null()) {
        Some(null) => Err(game.error(null.line, "a null move in an opening".to_owned())),
        None => Ok(()),
    }
}

/// A text that tells positions of standard chess apart, whatever the counters of moves are.
fn place(position: &Position) -> String {
    let fen = position.to_fen();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

fn is_start(position: &Position) -> bool {
    !position.chess960() && place(position) == place(&position.game().start())
}
