//! One game: two players, adjudication, the record.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use playable::ClockSide;
use playable::{Color, OracleError, Position};

use super::{GameNumber, GameSettings, MemorySpan, Referee};
use crate::game::{
    AuditRecord, Clock, Evidence, Fault, FaultKind, GameRecord, GameResult, Late, MoveLimits,
    PlyRecord, Termination, Warning, WarningKind, plies_to_mate,
};
use crate::player::{Choice, GameStart, Heartbeat, Player, Turn};

/// A player with its limits.
pub struct Entrant<'a> {
    /// The player that is asked for moves.
    pub player: &'a mut dyn Player,
    /// How long it may think.
    pub limits: &'a MoveLimits,
}

impl Entrant<'_> {
    /// The same for one game.
    pub(super) fn reborrow(&mut self) -> Entrant<'_> {
        Entrant { player: self.player, limits: self.limits }
    }
}

/// What became of a game.
#[derive(Clone, Debug)]
pub enum Played {
    /// The game is over, by a rule or by a fault.
    Finished(Box<GameRecord>),
    /// The run was cancelled during the game.
    Cancelled,
    /// A player would have lost on time only because the machine kept it waiting: the game says
    /// nothing.
    Stalled(Stall),
    /// This process stood still for so long, be it that it was stopped or that the machine slept: what
    /// its clocks show is not the players' time.
    StoodStill(Duration),
    /// The referee cannot ask a table that it would have to.
    Damaged(OracleError),
}

/// A loss on time that is the machine's fault.
#[derive(Clone, Debug)]
pub struct Stall {
    /// The side whose move was late.
    pub color: Color,
    /// Times of the late move, in words.
    pub reason: String,
    /// The game as it would be if that were no excuse: lost on time.
    pub game: Box<GameRecord>,
}

/// Plays a game to its end. `seats` are White's and Black's.
///
/// # Panics
/// If a time loss was the machine's fault, or this process stood still, which needs a time limit, or a
/// table of the referee is damaged.
pub fn play_game(start: &Position, seats: [Entrant<'_>; 2], settings: &GameSettings) -> GameRecord {
    let never = AtomicBool::new(false);
    let referee = Referee::from(*settings);
    match play_game_until(start, seats, &referee, GameNumber::SINGLE, &never) {
        Played::Finished(game) => *game,
        Played::Cancelled => unreachable!("nothing cancels the game"),
        Played::Stalled(Stall { reason, .. }) => panic!("{reason}"),
        Played::StoodStill(still) => panic!("stood still for {still:.1?}"),
        Played::Damaged(table) => panic!("{table}"),
    }
}

/// As [`play_game`], but ends soon after `cancel` is set.
pub fn play_game_until(
    start: &Position,
    mut seats: [Entrant<'_>; 2],
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
    let heartbeat = Heartbeat::now();
    let mut faults = begin_game(start, &mut seats, number);
    let mut excuse = None;
    let harmless = seats.iter().filter_map(|seat| harmless_standstill(seat.limits)).min();
    let mut adjudicated = None;
    let (result, termination) = loop {
        // As with moves that come late: an audit is no reason to throw a result away.
        if adjudicated.is_none()
            && let Some(still) = harmful_standstill(&heartbeat, &faults, harmless)
        {
            return Played::StoodStill(still);
        }
        match &faults[..] {
            [] => {}
            [(color, fault)] => break (GameResult::win_of(!*color), fault.kind.termination()),
            _ => break (GameResult::Draw, Termination::Forfeit),
        }
        if let Some(end) = ending_by_rules(&position) {
            break end;
        }
        match adjudicated {
            None => match referee.judge(&position, &plies) {
                Ok(None) => {}
                Ok(Some(end)) if !referee.audits(number) => break end,
                Ok(Some(end)) => {
                    let (plies, warnings) = (plies.len(), warnings.len());
                    adjudicated = Some(Adjudicated { end, plies, warnings });
                }
                Err(table) => return Played::Damaged(table),
            },
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
        let told = clocks.each_ref().map(Clock::side);
        let turn = Turn {
            position: &position,
            start,
            plies: &plies,
            limits: seats[index].limits,
            clocks: told,
            moves_to_go: clocks[index].moves_to_go(),
            cancel: Some(cancel),
        };
        let answer = ask(seats[index].player, &turn, settings, !plies.is_empty());
        let fault = match answer {
            Ok(choice) => {
                warnings.extend(choice.warnings.iter().map(|warning| (mover, warning.clone())));
                if let Some(late) = clocks[index].take(choice.elapsed, choice.stall) {
                    let detail = lateness(&late, &choice);
                    excuse = late.is_excused().then(|| (mover, excuse_of(mover, &detail)));
                    Some(Fault::new(FaultKind::TimeLoss, detail))
                } else if choice.resigns {
                    break (GameResult::win_of(!mover), Termination::Resigned);
                } else if position.is_legal(choice.mv) {
                    plies.push(PlyRecord::new(mover, &choice));
                    position.play(choice.mv);
                    position.forget_unrepeatable_past();
                    None
                } else {
                    let move_text = position.uci(choice.mv);
                    Some(Fault::new(FaultKind::IllegalMove, move_text))
                }
            }
            // A player that gave up for that reason has made no fault.
            Err(_) if cancel.load(Ordering::Relaxed) => return Played::Cancelled,
            Err(reason) => Some(reason),
        };
        if let Some(mut fault) = fault {
            fault.evidence = Some(evidence(&position, start, &plies, told, &seats[index]));
            faults.push((mover, fault));
        }
    };
    if matches!(termination, Termination::Rules(_)) && position.is_lost() {
        warnings.extend(false_hope(&plies, position.side_to_move()));
    }
    let start = start.clone();
    let game = GameRecord { start, plies, result, termination, faults, audit: None, warnings };
    ended(game, adjudicated, excuse)
}

/// The end of a game, which was adjudicated or has an excuse for a late answer.
fn ended(
    mut game: GameRecord,
    adjudicated: Option<Adjudicated>,
    excuse: Option<(Color, String)>,
) -> Played {
    if let Some(adjudicated) = adjudicated {
        adjudicated.cut(&mut game);
    }
    let game = Box::new(game);
    // A late answer after the game was adjudicated is no reason to throw its result away.
    match excuse.filter(|_| game.audit.is_none()) {
        Some((color, reason)) => Played::Stalled(Stall { color, reason, game }),
        None => Played::Finished(game),
    }
}

impl FaultKind {
    /// Whether it consists in taking too long.
    fn is_of_time(self) -> bool {
        matches!(self, FaultKind::TimeLoss | FaultKind::Hang)
    }

    fn termination(self) -> Termination {
        match self {
            FaultKind::TimeLoss => Termination::TimeLoss,
            _ => Termination::Forfeit,
        }
    }
}

/// The evidence of a fault that a player has just made.
fn evidence(
    position: &Position,
    start: &Position,
    plies: &[PlyRecord],
    clocks: [Option<ClockSide>; 2],
    seat: &Entrant<'_>,
) -> Box<Evidence> {
    let (mut game, mut played) = (format!("position fen {}", start.uci_fen()), start.clone());
    for (index, ply) in plies.iter().enumerate() {
        game.push_str(if index == 0 { " moves " } else { " " });
        played.push_uci(ply.mv, &mut game);
        played.play(ply.mv);
    }
    Box::new(Evidence {
        position: position.to_fen(),
        game,
        clocks: clocks.map(|side| side.map(|side| side.time)),
        colors: start.game().color_names(),
        limits: seat.limits.to_string(),
        exchange: seat.player.exchange(),
    })
}

/// Tells both players of a game. Returns who is not able to play it.
fn begin_game(
    start: &Position,
    seats: &mut [Entrant<'_>; 2],
    number: GameNumber,
) -> Vec<(Color, Fault)> {
    let mut faults = Vec::new();
    let clocks = seats.each_ref().map(|seat| Clock::new(seat.limits).side());
    for (color, seat) in Color::ALL.into_iter().zip(seats) {
        let game = GameStart {
            position: start,
            forget: number.fresh,
            seed: number.seed,
            stream: 2 * number.number + color.index() as u64,
        };
        if let Err(mut reason) = seat.player.new_game(&game) {
            reason.evidence = Some(evidence(start, start, &[], clocks, seat));
            faults.push((color, reason));
        }
    }
    faults
}

/// How long this process stood still, if that was long enough to change the game or to make a player late.
fn harmful_standstill(
    heartbeat: &Heartbeat,
    faults: &[(Color, Fault)],
    harmless: Option<Duration>,
) -> Option<Duration> {
    let is_late = faults.iter().any(|(_, fault)| fault.kind.is_of_time());
    let is_timed = is_late || harmless.is_some();
    let still = is_timed.then(|| heartbeat.stood_still()).flatten()?;
    (is_late || harmless.is_some_and(|harmless| still > harmless)).then_some(still)
}

/// How long this process may stand still in a game without changing it much; `None` without a limit of
/// time.
fn harmless_standstill(limits: &MoveLimits) -> Option<Duration> {
    /// One in so many parts of the time that a player has at first.
    const SHARE: u64 = 20;
    let clock = limits.clock.map(|clock| clock.time + clock.increment);
    clock.into_iter().chain(limits.move_time).min().map(|time| Duration::from_millis(time / SHARE))
}

/// Plies that an adjudicated game is played on at most; one that goes on is a draw.
const AUDIT_PLIES: usize = 1000;

/// A game that is played on for an audit.
struct Adjudicated {
    end: (GameResult, Termination),
    /// Plies that were played before the game was adjudicated.
    plies: usize,
    /// Warnings that there were by then.
    warnings: usize,
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
        game.warnings.truncate(self.warnings);
        game.faults.clear();
    }
}

/// The warning to a player that was mated although its last move promised it a mate.
fn false_hope(plies: &[PlyRecord], loser: Color) -> Option<(Color, Warning)> {
    let [.., last, _] = plies else { return None };
    let score = last.score_for(loser)?;
    let detail = "mated after announcing a mate of its own".to_owned();
    let warning = Warning { kind: WarningKind::MateScore, detail };
    (score > 0 && plies_to_mate(score).is_some()).then_some((loser, warning))
}

/// The times of a move that came too late, in words.
fn lateness(late: &Late, choice: &Choice) -> String {
    let Late { by, stalled } = late;
    format!(
        "{by:.1?} too late after {:.1?}; the machine had kept it waiting {stalled:.1?}",
        choice.elapsed
    )
}

/// Why a pair is replayed: who was late, and what was measured.
fn excuse_of(mover: Color, detail: &str) -> String {
    let color = if mover == Color::White { "White" } else { "Black" };
    format!("{color} {detail}")
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

    /// The part of a mover's choice that is kept.
    pub fn new(mover: Color, choice: &Choice) -> PlyRecord {
        let most = i32::from(i16::MAX);
        let score = choice.score.map(|score| score.clamp(-most, most) as i16);
        PlyRecord {
            mv: choice.mv,
            score: if mover == Color::White { score } else { score.map(|score| -score) },
            depth: choice.depth.min(255) as u8,
            selective_depth: choice.selective_depth.min(255) as u8,
            nodes: choice.nodes,
            time: choice.elapsed.as_micros().min(u128::from(u32::MAX)) as u32,
        }
    }
}

/// How the game is over by its rules; `None` if it goes on.
fn ending_by_rules(position: &Position) -> Option<(GameResult, Termination)> {
    position.outcome().map(|(result, rule)| (result, Termination::Rules(rule)))
}
