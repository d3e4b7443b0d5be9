//! How a game ended: for whom it was won, and why.

use chess::{Color, GameResult};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use statistics::GameOutcome;

/// The outcome of a game for the player of a color.
pub fn outcome_for(result: GameResult, color: Color) -> GameOutcome {
    match result {
        GameResult::Draw => GameOutcome::Draw,
        won if won == GameResult::win_of(color) => GameOutcome::Win,
        _ => GameOutcome::Loss,
    }
}

/// Why a game ended.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, JsonSchema, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Termination {
    /// The side to move was mated.
    Checkmate,
    /// The side to move had no move.
    Stalemate,
    /// The position stood on the board for the third time.
    Repetition,
    /// A hundred plies without progress.
    FiftyMoves,
    /// Nobody could mate.
    InsufficientMaterial,
    /// Both players saw equality.
    DrawAgreed,
    /// Both players saw one side lost.
    Resignation,
    /// The greatest number of plies was reached.
    MaxPlies,
    /// An endgame table knew the result.
    Tablebase,
    /// A player used more time than it had, and lost.
    TimeLoss,
    /// A player failed or chose an illegal move, and lost.
    Forfeit,
}

impl Termination {
    /// True if the game was ended before the rules of chess end it, and nobody was at fault.
    pub fn is_adjudicated(self) -> bool {
        use Termination::{DrawAgreed, MaxPlies, Resignation, Tablebase};
        matches!(self, DrawAgreed | MaxPlies | Resignation | Tablebase)
    }

    /// In words, as PGN and reports show it.
    pub fn as_str(self) -> &'static str {
        match self {
            Termination::Checkmate => "checkmate",
            Termination::Stalemate => "stalemate",
            Termination::Repetition => "threefold repetition",
            Termination::FiftyMoves => "fifty moves",
            Termination::InsufficientMaterial => "insufficient material",
            Termination::DrawAgreed => "draw by adjudication",
            Termination::Resignation => "win by adjudication",
            Termination::MaxPlies => "greatest number of plies",
            Termination::Tablebase => "endgame table",
            Termination::TimeLoss => "time",
            Termination::Forfeit => "forfeit",
        }
    }
}
