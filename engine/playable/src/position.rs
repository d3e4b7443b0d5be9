//! A position of any game, with its past.

use std::any::Any;
use std::fmt;
use std::ops::{Deref, DerefMut};

use thiserror::Error;

use crate::{Color, Ending, Game, GameResult, Move, MoveError};

/// A text that is no position of the game, in words.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct PositionError(pub String);

/// The rules of a game, as far as a position with its past knows them. Texts of moves are those of UCI
/// and of the game's own notation.
pub trait Rules: fmt::Debug + Send + Sync {
    /// The game.
    fn game(&self) -> Game;

    /// Whose turn it is.
    fn side_to_move(&self) -> Color;

    /// The number of the move about to be played, from 1. It grows after Black's moves.
    fn move_number(&self) -> u32;

    /// Plies since the last move that cannot be taken back, as the rules count them towards a draw.
    fn halfmove_clock(&self) -> u32;

    /// Whether the side to move has to answer at once: an attack on its king, or an offer where captures are
    /// forced.
    fn in_check(&self) -> bool {
        false
    }

    /// All legal moves, in an order that depends on the position alone.
    fn legal_moves(&self) -> Vec<Move>;

    /// Whether a move, of any bits, is legal.
    fn is_legal(&self, mv: Move) -> bool {
        self.legal_moves().contains(&mv)
    }

    /// The legal move of the index that `choose` says, given their number; `None` if there is none.
    fn pick_legal_move(&self, choose: &mut dyn FnMut(usize) -> usize) -> Option<Move> {
        let moves = self.legal_moves();
        if moves.is_empty() { None } else { Some(moves[choose(moves.len())]) }
    }

    /// Plays a legal move.
    fn play(&mut self, mv: Move);

    /// Lets the other side move, which no game is played with, but recorded analyses are.
    fn pass(&mut self);

    /// How the game has ended by its rules, those included that a player would have to claim; `None` if
    /// it goes on.
    fn outcome(&self) -> Option<(GameResult, Ending)>;

    /// The position as text: in chess as FEN, Shredder-FEN where it is played as Chess960.
    fn to_fen(&self) -> String;

    /// The position as `position fen` of UCI and records of games have it.
    fn uci_fen(&self) -> String {
        self.to_fen()
    }

    /// The move that a text in coordinates means.
    ///
    /// # Errors
    /// It is no move, or not a legal one.
    fn parse_uci(&self, text: &str) -> Result<Move, MoveError>;

    /// Appends a legal move in coordinates.
    fn push_uci(&self, mv: Move, text: &mut String);

    /// As [`Rules::parse_uci`], in a dialect below [`crate::Playable::dialects`].
    ///
    /// # Errors
    /// As there.
    fn parse_dialect(&self, text: &str, _dialect: usize) -> Result<Move, MoveError> {
        self.parse_uci(text)
    }

    /// As [`Rules::push_uci`], in a dialect below [`crate::Playable::dialects`].
    fn push_dialect(&self, mv: Move, _dialect: usize, text: &mut String) {
        self.push_uci(mv, text);
    }

    /// The move that a text in the game's own notation means.
    ///
    /// # Errors
    /// It is no move, not a legal one, or may mean several.
    fn parse_san(&self, text: &str) -> Result<Move, MoveError>;

    /// Plays a legal move and appends it in the game's own notation.
    fn play_and_push_san(&mut self, mv: Move, text: &mut String);

    /// As [`Rules::parse_san`], in a notation by its number in [`crate::Playable::notations`].
    ///
    /// # Errors
    /// As there.
    fn parse_in(&self, notation: usize, text: &str) -> Result<Move, MoveError> {
        if notation == 0 { self.parse_san(text) } else { self.parse_uci(text) }
    }

    /// As [`Rules::play_and_push_san`], in a notation by its number in [`crate::Playable::notations`].
    fn play_and_push_in(&mut self, notation: usize, mv: Move, text: &mut String) {
        if notation == 0 {
            return self.play_and_push_san(mv, text);
        }
        self.push_uci(mv, text);
        self.play(mv);
    }

    /// Whether a legal move changes the balance at once: it captures, or promotes.
    fn is_noisy(&self, mv: Move) -> bool;

    /// How much besides the least men is left, from 0 (nothing) to 24 (as at the start) at most.
    fn phase(&self) -> u8;

    /// A key of what decides how the game can go on, counters left out.
    fn key(&self) -> u64;

    /// A key of the men that seldom move, by which positions are alike; 0 where there are none.
    fn structure_key(&self) -> u64 {
        0
    }

    /// The man on a square, by its letter in FEN. Squares are numbered from White's left, row by row.
    fn man_on(&self, square: usize) -> Option<char>;

    /// Whether it stands as at the start of a game, counters included.
    fn is_start(&self) -> bool {
        self.to_fen() == self.game().start().to_fen()
    }

    /// Forgets the past: no earlier position counts as repeated.
    fn forget_past(&mut self);

    /// Forgets the past if none of it can come back. A game that is only played forward stays small.
    fn forget_unrepeatable_past(&mut self) {}

    /// Makes room for so many moves at once.
    fn reserve(&mut self, _moves: usize) {}

    /// Whether nobody can win any more, whatever is played; may miss some.
    fn is_dead(&self) -> bool {
        false
    }

    /// The board for people, with what else there is to know of the position. In each dialect below
    /// [`crate::Playable::dialects`] ranks count from one more.
    fn diagram(&self, dialect: usize) -> String {
        diagram(self, dialect)
    }

    /// Leaves of the tree of so many plies, at least one, behind each legal move; `None` if `is_stopped`
    /// says so meanwhile.
    fn perft(&self, depth: u32, is_stopped: &dyn Fn() -> bool) -> Option<Vec<(Move, u64)>>;

    /// Whether it is played as Chess960; false in other games.
    fn chess960(&self) -> bool {
        false
    }

    /// Says whether it is played as Chess960; other games take no notice.
    fn set_chess960(&mut self, _chess960: bool) {}
}

impl<R: Rules + Clone + 'static> From<R> for Position {
    fn from(position: R) -> Position {
        Position::new(position)
    }
}

/// The needs of a position in a box besides its rules: any that can be cloned has it.
trait Boxed: Rules {
    fn boxed(&self) -> Box<dyn Boxed>;
    fn as_any(&self) -> &dyn Any;
    fn as_rules(&self) -> &(dyn Rules + 'static);
    fn as_rules_mut(&mut self) -> &mut (dyn Rules + 'static);
}

impl<R: Rules + Clone + 'static> Boxed for R {
    fn boxed(&self) -> Box<dyn Boxed> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_rules(&self) -> &(dyn Rules + 'static) {
        self
    }

    fn as_rules_mut(&mut self) -> &mut (dyn Rules + 'static) {
        self
    }
}

/// A position of any game, with its past.
#[derive(Debug)]
pub struct Position(Box<dyn Boxed>);

impl Position {
    /// A position of a game.
    pub fn new(position: impl Rules + Clone + 'static) -> Position {
        Position(Box::new(position))
    }

    /// The position as its game has it.
    ///
    /// # Panics
    /// If it is of another game.
    pub fn typed<R: Rules + 'static>(&self) -> &R {
        let typed = self.0.as_any().downcast_ref();
        typed.unwrap_or_else(|| panic!("a position of another game: {}", self.to_fen()))
    }

    /// A legal move in coordinates.
    pub fn uci(&self, mv: Move) -> String {
        let mut text = String::with_capacity(5);
        self.push_uci(mv, &mut text);
        text
    }

    /// A legal move in the game's own notation.
    pub fn to_san(&self, mv: Move) -> String {
        let mut text = String::new();
        self.clone().play_and_push_san(mv, &mut text);
        text
    }

    /// Whether the game can go on: there is a legal move.
    pub fn has_legal_move(&self) -> bool {
        self.pick_legal_move(&mut |_| 0).is_some()
    }

    /// Whether the side to move has lost by the rules: in chess it is mated.
    pub fn is_lost(&self) -> bool {
        let won = GameResult::win_of(!self.side_to_move());
        self.outcome().is_some_and(|(result, _)| result == won)
    }

    /// Number of men on the board.
    pub fn men(&self) -> u32 {
        let squares = self.game().squares();
        (0..squares).filter(|&square| self.man_on(square).is_some()).count() as u32
    }
}

/// The board with its borders, the FEN and the key; see [`Rules::diagram`].
pub fn diagram<R: Rules + ?Sized>(position: &R, dialect: usize) -> String {
    let (files, ranks) = position.game().board();
    let first = position.game().first_rank() + dialect;
    let margin = (ranks - 1 + first).to_string().len();
    let rule = format!("{:margin$} {}+\n", "", "+---".repeat(files));
    let mut text = rule.clone();
    for rank in (0..ranks).rev() {
        text += &format!("{:>margin$} |", rank + first);
        for square in rank * files..(rank + 1) * files {
            text += &format!(" {} |", position.man_on(square).unwrap_or(' '));
        }
        text += "\n";
        text += &rule;
    }
    let letters = (0..files).map(|file| format!("   {}", char::from(b'a' + file as u8)));
    text += &format!("{:margin$}{}\n\n", "", letters.collect::<String>());
    text + &format!("Fen: {}\nKey: {:016x}\n", position.to_fen(), position.key())
}

/// [`Rules::perft`] of any game, move by move.
pub fn count_leaves<R: Rules + Clone>(
    position: &R,
    depth: u32,
    is_stopped: &dyn Fn() -> bool,
) -> Option<Vec<(Move, u64)>> {
    let after = |mv: Move| {
        let mut after = position.clone();
        after.play(mv);
        let leaves = match depth {
            0 | 1 => 1,
            _ => {
                count_leaves(&after, depth - 1, is_stopped)?.iter().map(|(_, leaves)| leaves).sum()
            }
        };
        (!is_stopped()).then_some((mv, leaves))
    };
    position.legal_moves().into_iter().map(after).collect()
}

impl Clone for Position {
    fn clone(&self) -> Position {
        Position(self.0.boxed())
    }
}

impl Deref for Position {
    type Target = dyn Rules;

    fn deref(&self) -> &(dyn Rules + 'static) {
        self.0.as_rules()
    }
}

impl DerefMut for Position {
    fn deref_mut(&mut self) -> &mut (dyn Rules + 'static) {
        self.0.as_rules_mut()
    }
}
