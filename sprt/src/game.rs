//! One game: two players, adjudication, the record.

use std::sync::atomic::{AtomicBool, Ordering};

use engine::chess::{Color, Ending, Move, Position};
use serde::{Deserialize, Serialize};

use crate::player::{Player, PlayerFailure, Turn};
use crate::statistics::GameOutcome;

/// How games are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameSettings {
    /// How long a player may think about a move.
    pub limits: MoveLimits,
    /// When a game is ended before the rules end it.
    pub adjudication: Adjudication,
    /// Plies after which a game is a draw.
    pub max_plies: u32,
}

impl GameSettings {
    /// Usual adjudication and at most 400 plies.
    pub fn new(limits: MoveLimits) -> GameSettings {
        GameSettings { limits, adjudication: Adjudication::default(), max_plies: 400 }
    }
}

/// How long a player may think about a move. Whatever is reached first ends the search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveLimits {
    /// Nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
}

impl MoveLimits {
    /// A limit of nodes only.
    pub fn nodes(nodes: u64) -> MoveLimits {
        MoveLimits { nodes: Some(nodes), depth: None }
    }

    /// A limit of depth only.
    pub fn depth(depth: u32) -> MoveLimits {
        MoveLimits { nodes: None, depth: Some(depth) }
    }
}

/// When a game is ended before the rules end it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// When a game is called a draw; never if `None`.
    pub draw: Option<DrawRule>,
    /// When a game is called lost; never if `None`.
    pub resign: Option<ResignRule>,
}

impl Adjudication {
    /// Every game is played out.
    pub const NEVER: Adjudication = Adjudication { draw: None, resign: None };
}

impl Default for Adjudication {
    fn default() -> Adjudication {
        Adjudication {
            draw: Some(DrawRule { after_moves: 34, moves: 8, score: 20 }),
            resign: Some(ResignRule { moves: 3, score: 600 }),
        }
    }
}

/// A game is a draw when both players see equality for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// Moves of each side, from the start of the game, before which the rule is not applied.
    pub after_moves: u32,
    /// Successive moves of each side that must show equality.
    pub moves: u32,
    /// Scores within plus or minus this are equality (centipawns).
    pub score: i32,
}

/// A game is lost when both players see the same side lost for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// Successive moves of each side that must show the loss.
    pub moves: u32,
    /// The loser is at least this far behind (centipawns).
    pub score: i32,
}

/// One ply of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlyRecord {
    /// The move.
    pub mv: Move,
    /// Score in centipawns from White's view; mates are beyond ±30,000.
    pub score: i16,
    /// Depth of the search in plies, at most 255.
    pub depth: u8,
    /// Nodes of the search.
    pub nodes: u64,
}

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum GameResult {
    /// White won.
    #[serde(rename = "1-0")]
    WhiteWins,
    /// Nobody won.
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// Black won.
    #[serde(rename = "0-1")]
    BlackWins,
}

impl GameResult {
    /// The win of a color.
    pub fn win_of(color: Color) -> GameResult {
        match color {
            Color::White => GameResult::WhiteWins,
            Color::Black => GameResult::BlackWins,
        }
    }

    /// As PGN writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::Draw => "1/2-1/2",
            GameResult::BlackWins => "0-1",
        }
    }

    /// The outcome for the player of a color.
    pub fn outcome_for(self, color: Color) -> GameOutcome {
        match self {
            GameResult::Draw => GameOutcome::Draw,
            won if won == GameResult::win_of(color) => GameOutcome::Win,
            _ => GameOutcome::Loss,
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Termination {
    /// The side to move was mated.
    Checkmate,
    /// The side to move had no move.
    Stalemate,
    /// Threefold repetition.
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
    /// A player failed or chose an illegal move, and lost.
    Forfeit,
}

impl Termination {
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
            Termination::Forfeit => "forfeit",
        }
    }
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Where it started.
    pub start: Position,
    /// Its plies.
    pub plies: Vec<PlyRecord>,
    /// Who won.
    pub result: GameResult,
    /// Why it ended.
    pub termination: Termination,
    /// What the player that forfeited did wrong; `None` unless it ended so.
    pub failure: Option<String>,
}

/// Plays a game to its end.
pub fn play_game(
    start: &Position,
    white: &mut dyn Player,
    black: &mut dyn Player,
    settings: &GameSettings,
) -> GameRecord {
    let never = AtomicBool::new(false);
    play_game_until(start, white, black, settings, &never).expect("nothing cancels the game")
}

/// As [`play_game`], but returns `None` soon after `cancel` is set.
pub fn play_game_until(
    start: &Position,
    white: &mut dyn Player,
    black: &mut dyn Player,
    settings: &GameSettings,
    cancel: &AtomicBool,
) -> Option<GameRecord> {
    let mut position = start.clone();
    let mut plies: Vec<PlyRecord> = Vec::with_capacity(160);
    let mut failure = None;
    for (color, ready) in [(Color::White, white.new_game()), (Color::Black, black.new_game())] {
        if let Err(PlayerFailure(reason)) = ready {
            failure = Some((color, reason));
        }
    }
    let (result, termination) = loop {
        if let Some((color, _)) = failure {
            break (GameResult::win_of(!color), Termination::Forfeit);
        }
        if let Some(end) = ending(&position, &plies, settings) {
            break end;
        }
        if cancel.load(Ordering::Relaxed) {
            return None;
        }
        let mover = position.side_to_move();
        let turn = Turn { position: &position, start, plies: &plies, limits: &settings.limits };
        let answer = match mover {
            Color::White => white.choose(&turn),
            Color::Black => black.choose(&turn),
        };
        match answer {
            Ok(choice) if position.is_legal(choice.mv) => {
                let score = choice.score.clamp(-i32::from(i16::MAX), i32::from(i16::MAX)) as i16;
                plies.push(PlyRecord {
                    mv: choice.mv,
                    score: if mover == Color::White { score } else { -score },
                    depth: choice.depth.min(255) as u8,
                    nodes: choice.nodes,
                });
                position.play(choice.mv);
            }
            Ok(choice) => {
                let text = position.uci(choice.mv, position.chess960());
                failure = Some((mover, format!("illegal move {text}")));
            }
            Err(PlayerFailure(reason)) => failure = Some((mover, reason)),
        }
    };
    let failure = failure.map(|(_, reason)| reason);
    Some(GameRecord { start: start.clone(), plies, result, termination, failure })
}

/// How the game is over, by rule or by adjudication; `None` if it goes on.
fn ending(
    position: &Position,
    plies: &[PlyRecord],
    settings: &GameSettings,
) -> Option<(GameResult, Termination)> {
    if let Some(ending) = position.outcome() {
        return Some(match ending {
            Ending::Checkmate => {
                (GameResult::win_of(!position.side_to_move()), Termination::Checkmate)
            }
            Ending::Stalemate => (GameResult::Draw, Termination::Stalemate),
            Ending::Repetition => (GameResult::Draw, Termination::Repetition),
            Ending::FiftyMoves => (GameResult::Draw, Termination::FiftyMoves),
            Ending::InsufficientMaterial => (GameResult::Draw, Termination::InsufficientMaterial),
        });
    }
    // Both players must agree, hence twice as many plies as moves.
    let recent = |moves: u32| {
        let first = plies.len().checked_sub(2 * moves.max(1) as usize)?;
        Some(&plies[first..])
    };
    if let Some(rule) = settings.adjudication.resign
        && let Some(recent) = recent(rule.moves)
    {
        let all = |winner: Color| {
            let sign = if winner == Color::White { 1 } else { -1 };
            recent.iter().rev().all(|ply| sign * i32::from(ply.score) >= rule.score)
        };
        if let Some(winner) = Color::ALL.into_iter().find(|&color| all(color)) {
            return Some((GameResult::win_of(winner), Termination::Resignation));
        }
    }
    if let Some(rule) = settings.adjudication.draw
        && plies.len() >= 2 * rule.after_moves as usize
        && let Some(recent) = recent(rule.moves)
        && recent.iter().rev().all(|ply| i32::from(ply.score).abs() <= rule.score)
    {
        return Some((GameResult::Draw, Termination::DrawAgreed));
    }
    (plies.len() >= settings.max_plies as usize)
        .then_some((GameResult::Draw, Termination::MaxPlies))
}
