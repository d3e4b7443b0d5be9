//! One game: two players, adjudication, the record.

use std::sync::atomic::{AtomicBool, Ordering};

use clap::ValueEnum;
use engine::chess::{Color, Ending, Move, Position};
use engine::engine::MATE_IN_MAX;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::adjudication::{AUDIT_ALL, Adjudication, Referee};
use crate::audit::AuditRecord;
use crate::clock::{Clock, Late};
use crate::limits::MoveLimits;
use crate::player::{Choice, Fault, FaultKind, GameStart, Player, Turn, Warning, WarningKind};
use crate::statistics::GameOutcome;

/// How games are played, whoever plays them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameSettings {
    /// When a game is ended before the rules end it.
    pub adjudication: Adjudication,
    /// Plies after which a game is a draw.
    #[schemars(range(min = 1))]
    pub max_plies: u32,
    /// How long players remember.
    #[serde(default)]
    pub memory: MemorySpan,
    /// Share of the adjudicated games that are played on to learn whether adjudication was right
    /// (ten-thousandths).
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schemars(range(max = AUDIT_ALL))]
    pub audit: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Default for GameSettings {
    /// Usual adjudication, at most 400 plies, nothing remembered from other games.
    fn default() -> GameSettings {
        GameSettings {
            adjudication: Adjudication::default(),
            max_plies: 400,
            memory: MemorySpan::default(),
            audit: 0,
        }
    }
}

/// How long players keep what they learned: transposition table, histories.
#[derive(
    Clone, Copy, PartialEq, Eq, Default, Debug, JsonSchema, Serialize, Deserialize, ValueEnum,
)]
#[serde(rename_all = "lowercase")]
pub enum MemorySpan {
    /// Every move is searched as by a fresh player.
    Move,
    /// Every game is played as by a fresh player.
    #[default]
    Game,
    /// The second game of a pair begins with what was learned in the first.
    Pair,
}

/// One ply of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlyRecord {
    /// The move.
    pub mv: Move,
    /// Score in centipawns from White's view, mates beyond ±30,000; `None` if the mover gave none.
    pub score: Option<i16>,
    /// Depth of the search in plies, at most 255.
    pub depth: u8,
    /// Nodes of the search.
    pub nodes: u64,
    /// Time from question to answer in microseconds, at most 2³² − 1.
    pub time: u32,
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
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, JsonSchema, Serialize, Deserialize,
)]
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
    /// Who forfeited it, and what it did wrong; `None` unless it ended so.
    pub fault: Option<(Color, Fault)>,
    /// How it went on after it was adjudicated, if it was chosen for that. Nothing else of the record
    /// knows of it.
    pub audit: Option<AuditRecord>,
    /// What was odd about the players, in the order in which it was noticed.
    pub warnings: Vec<(Color, Warning)>,
}

/// A player with its limits at one side of the board.
pub struct Seat<'a> {
    /// Who plays.
    pub player: &'a mut dyn Player,
    /// How long it may think.
    pub limits: &'a MoveLimits,
}

/// Where a game stands in a run, which is all that its random numbers depend on.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct GameNumber {
    /// Seed of the run.
    pub seed: u64,
    /// Number of the game, from 0.
    pub number: u64,
    /// True if the players must not know games before it.
    pub fresh: bool,
}

impl GameNumber {
    /// The only game of a run.
    pub const SINGLE: GameNumber = GameNumber { seed: 0, number: 0, fresh: true };
}

/// What became of a game.
#[derive(Clone, Debug)]
pub enum Played {
    /// It is over.
    Finished(Box<GameRecord>),
    /// It was cancelled.
    Cancelled,
    /// A player would have lost on time only because the machine kept it waiting: the game says
    /// nothing. The text tells what was measured.
    Stalled(String),
}

/// Plays a game to its end. `seats` are White's and Black's.
///
/// # Panics
/// If a time loss was the machine's fault, which needs a time limit.
pub fn play_game(start: &Position, seats: [Seat<'_>; 2], settings: &GameSettings) -> GameRecord {
    let never = AtomicBool::new(false);
    let referee = Referee::from(*settings);
    match play_game_until(start, seats, &referee, GameNumber::SINGLE, &never) {
        Played::Finished(game) => *game,
        Played::Cancelled => unreachable!("nothing cancels the game"),
        Played::Stalled(reason) => panic!("{reason}"),
    }
}

/// As [`play_game`], but ends soon after `cancel` is set.
pub fn play_game_until(
    start: &Position,
    seats: [Seat<'_>; 2],
    referee: &Referee,
    number: GameNumber,
    cancel: &AtomicBool,
) -> Played {
    let settings = &referee.settings;
    let mut position = start.clone();
    // No longer past can be repeated, by the rule of fifty moves.
    position.reserve(100);
    let mut plies: Vec<PlyRecord> = Vec::with_capacity(160);
    let mut warnings = Vec::new();
    let mut clocks = seats.each_ref().map(|seat| Clock::new(seat.limits));
    let mut fault = None;
    for color in Color::ALL {
        let game = GameStart {
            position: start,
            forget: number.fresh,
            seed: number.seed,
            stream: 2 * number.number + color.index() as u64,
        };
        if let Err(reason) = seats[color.index()].player.new_game(&game) {
            fault = Some((color, reason));
        }
    }
    let mut adjudicated = None;
    let (result, termination) = loop {
        if let Some((color, Fault { kind, .. })) = &fault {
            let termination = match kind {
                FaultKind::TimeLoss => Termination::TimeLoss,
                _ => Termination::Forfeit,
            };
            break (GameResult::win_of(!*color), termination);
        }
        if let Some(end) = ending_by_rules(&position) {
            break end;
        }
        match adjudicated {
            None => {
                if let Some(end) = referee.judge(&position, &plies) {
                    if !referee.audits(number) {
                        break end;
                    }
                    adjudicated = Some(Adjudicated { end, plies: plies.len() });
                }
            }
            Some(Adjudicated { plies: before, .. }) if plies.len() >= before + AUDIT_PLIES => {
                break (GameResult::Draw, Termination::MaxPlies);
            }
            Some(_) => {}
        }
        if cancel.load(Ordering::Relaxed) {
            return Played::Cancelled;
        }
        let mover = position.side_to_move();
        let index = mover.index();
        let turn = Turn {
            position: &position,
            start,
            plies: &plies,
            limits: seats[index].limits,
            clocks: [clocks[0].side(), clocks[1].side()],
            moves_to_go: clocks[index].moves_to_go(),
            cancel: Some(cancel),
        };
        let answer = ask(seats[index].player, &turn, settings, !plies.is_empty());
        match answer {
            Ok(choice) => {
                warnings.extend(choice.warnings.iter().map(|warning| (mover, warning.clone())));
                if let Some(late) = clocks[index].take(choice.elapsed, choice.stall) {
                    if late.is_excused() {
                        let color = if mover == Color::White { "White" } else { "Black" };
                        return Played::Stalled(format!("{color} {}", lateness(&late, &choice)));
                    }
                    let detail = lateness(&late, &choice);
                    fault = Some((mover, Fault::new(FaultKind::TimeLoss, detail)));
                } else if position.is_legal(choice.mv) {
                    plies.push(PlyRecord::new(mover, &choice));
                    position.play(choice.mv);
                    position.forget_unrepeatable_past();
                } else {
                    let text = position.uci(choice.mv, position.chess960());
                    fault = Some((mover, Fault::new(FaultKind::IllegalMove, text)));
                }
            }
            // Whoever gave up for that reason has made no fault.
            Err(_) if cancel.load(Ordering::Relaxed) => return Played::Cancelled,
            Err(reason) => fault = Some((mover, reason)),
        }
    };
    if termination == Termination::Checkmate {
        warnings.extend(false_hope(&plies, position.side_to_move()));
    }
    let mut game = GameRecord {
        start: start.clone(),
        plies,
        result,
        termination,
        fault,
        audit: None,
        warnings,
    };
    if let Some(adjudicated) = adjudicated {
        adjudicated.cut(&mut game);
    }
    Played::Finished(Box::new(game))
}

/// Plies that an adjudicated game is played on at most; one that goes on is a draw.
const AUDIT_PLIES: usize = 1000;

/// A game that is played on for an audit.
struct Adjudicated {
    end: (GameResult, Termination),
    /// Plies before.
    plies: usize,
}

impl Adjudicated {
    /// Makes the record one of the adjudicated game, with the real end as its audit.
    fn cut(self, game: &mut GameRecord) {
        game.audit = Some(AuditRecord {
            plies: game.plies.len() as u32,
            result: game.result,
            termination: game.termination,
        });
        (game.result, game.termination) = self.end;
        game.plies.truncate(self.plies);
        game.fault = None;
    }
}

/// The warning to a player that was mated although its last move promised it a mate.
fn false_hope(plies: &[PlyRecord], loser: Color) -> Option<(Color, Warning)> {
    let [.., last, _] = plies else { return None };
    let score = i32::from(last.score_for(loser)?);
    let detail = "mated after announcing a mate of its own".to_owned();
    let warning = Warning { kind: WarningKind::MateScore, detail };
    (score >= MATE_IN_MAX).then_some((loser, warning))
}

/// What was measured of a move that came too late.
fn lateness(late: &Late, choice: &Choice) -> String {
    let Late { by, stalled } = late;
    format!(
        "{by:.1?} too late after {:.1?}; the machine had kept it waiting {stalled:.1?}",
        choice.elapsed
    )
}

/// Asks a player for its move, after making it forget the moves before if it shall.
fn ask(
    player: &mut dyn Player,
    turn: &Turn<'_>,
    settings: &GameSettings,
    has_moved: bool,
) -> Result<Choice, Fault> {
    if settings.memory == MemorySpan::Move && has_moved {
        player.forget()?;
    }
    player.choose(turn)
}

impl PlyRecord {
    /// Its score from a color's view.
    pub fn score_for(&self, color: Color) -> Option<i16> {
        self.score.map(|score| if color == Color::White { score } else { -score })
    }

    fn new(mover: Color, choice: &Choice) -> PlyRecord {
        let most = i32::from(i16::MAX);
        let score = choice.score.map(|score| score.clamp(-most, most) as i16);
        PlyRecord {
            mv: choice.mv,
            score: if mover == Color::White { score } else { score.map(|score| -score) },
            depth: choice.depth.min(255) as u8,
            nodes: choice.nodes,
            time: choice.elapsed.as_micros().min(u128::from(u32::MAX)) as u32,
        }
    }
}

/// How the game is over by the rules of chess; `None` if it goes on.
fn ending_by_rules(position: &Position) -> Option<(GameResult, Termination)> {
    Some(match position.outcome()? {
        Ending::Checkmate => (GameResult::win_of(!position.side_to_move()), Termination::Checkmate),
        Ending::Stalemate => (GameResult::Draw, Termination::Stalemate),
        Ending::Repetition => (GameResult::Draw, Termination::Repetition),
        Ending::FiftyMoves => (GameResult::Draw, Termination::FiftyMoves),
        Ending::InsufficientMaterial => (GameResult::Draw, Termination::InsufficientMaterial),
    })
}
