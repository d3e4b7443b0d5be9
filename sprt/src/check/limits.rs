//! Limits of a search: depth, nodes, time.

use std::time::Duration;

use matches::game::DEFAULT_MARGIN;
use matches::player::{Keeping, LimitTrial, SearchLimit};
use playable::Game;

use super::exam::{Answer, Exam, Stop};
use super::positions::Place;
use super::report::Severity::{Fault, Note, Warning};

/// How long a search by depth or nodes may take that takes no time.
const LIMITED: Duration = Duration::from_secs(5);

/// The trial of a limit by an answer, with the last line that tells of it; the guard is how long
/// the answer was waited for.
fn trial_of(limit: SearchLimit, answer: &Answer, guard: Duration) -> (LimitTrial, Vec<String>) {
    let mut trial = LimitTrial::new(limit);
    answer.lines.iter().for_each(|line| trial.hear(line));
    trial.unanswered = answer.was_stopped.then_some(guard);
    let word = match limit {
        SearchLimit::Nodes(_) => "nodes ".to_owned(),
        SearchLimit::Depth(_) => format!("depth {} ", trial.told.unwrap_or_default()),
    };
    let last = answer.lines.iter().rev().find(|line| line.contains(&word));
    (trial, last.cloned().into_iter().collect())
}

/// Positions in which limits are tried.
fn places(game: Game) -> [Place; 2] {
    [Place::start(game), Place::of(&game.middlegame())]
}

pub(super) fn depth(exam: &mut Exam<'_>) -> Result<(), Stop> {
    exam.meet()?;
    let guard = exam.patience().min(LIMITED);
    for place in places(exam.settings.game) {
        for depth in [1, 5] {
            let limit = SearchLimit::Depth(depth);
            let answer = exam.search(&place, &limit.to_string(), guard)?;
            let (trial, last) = trial_of(limit, &answer, guard);
            if trial.unanswered.is_some() {
                let remedy =
                    "It does not know this limit: play it by --nodes or on a clock (--tc).";
                exam.find(Warning, &trial.to_string(), &last, remedy);
                return Ok(());
            }
            if matches!(trial.keeping(), Keeping::Exceeded | Keeping::Ignored) {
                let remedy = "Games by --depth are not of equal depth: play it by --nodes or --tc.";
                exam.find(Warning, &trial.to_string(), &last, remedy);
            }
        }
    }
    Ok(())
}

pub(super) fn nodes(exam: &mut Exam<'_>) -> Result<(), Stop> {
    const TRIED: [u64; 2] = [3_000, 30_000];
    exam.meet()?;
    let guard = exam.patience().min(LIMITED);
    let mut worst: Option<(LimitTrial, Vec<String>)> = None;
    let mut has_told = false;
    for place in places(exam.settings.game) {
        for asked in TRIED {
            let limit = SearchLimit::Nodes(asked);
            let answer = exam.search(&place, &limit.to_string(), guard)?;
            let (trial, last) = trial_of(limit, &answer, guard);
            if trial.unanswered.is_some() {
                exam.find(Warning, &trial.to_string(), &last, NO_NODES);
                return Ok(());
            }
            has_told |= trial.told.is_some();
            let is_worse = worst.as_ref().is_none_or(|(worst, _)| trial.factor() > worst.factor());
            if is_worse && matches!(trial.keeping(), Keeping::Exceeded | Keeping::Ignored) {
                worst = Some((trial, last));
            }
        }
    }
    if let Some((trial, last)) = worst {
        let remedy = match trial.keeping() {
            Keeping::Ignored => NO_NODES,
            _ => "Ask for more nodes, so that the excess counts less, or play by --depth or --tc.",
        };
        exam.find(Warning, &trial.to_string(), &last, remedy);
    } else if !has_told {
        let remedy = "Whether the limit is kept cannot be seen, and reports have no nodes.";
        exam.find(Note, "it tells no nodes", &[], remedy);
    }
    Ok(())
}

/// Advice about an engine that does not count its nodes.
const NO_NODES: &str =
    "It does not keep this limit: play it by --depth or on a clock (--tc), not by --nodes.";

/// Late by more than this is lost on time in any match (milliseconds).
const MUCH_TOO_LATE: u64 = 500;

/// Asks several times, and returns the answer that was least late with by how much it was late: what
/// else the machine does must not count.
fn least_late(
    exam: &mut Exam<'_>,
    go: &str,
    allowed: Duration,
) -> Result<(Answer, Duration), Stop> {
    const TRIES: usize = 3;
    let guard = allowed + exam.patience().min(LIMITED);
    let mut best: Option<(Answer, Duration)> = None;
    for _ in 0..TRIES {
        let [_, place] = places(exam.settings.game);
        let answer = exam.search(&place, go, guard)?;
        let late = answer.elapsed.saturating_sub(allowed);
        let is_in_time = late.as_millis() <= u128::from(DEFAULT_MARGIN);
        if best.as_ref().is_none_or(|(_, least)| late < *least) {
            best = Some((answer, late));
        }
        if is_in_time {
            break;
        }
    }
    Ok(best.expect("it was asked"))
}

/// Judges how late the answer to a limit of time was.
fn judge_lateness(exam: &mut Exam<'_>, go: &str, answer: &Answer, late: Duration) {
    let took = answer.elapsed.as_millis();
    let late = late.as_millis() as u64;
    let came = std::slice::from_ref(&answer.line);
    if answer.was_stopped {
        let what = format!("`{go}` was answered after {took} ms, by `stop` alone");
        let remedy = "It does not know this limit: every such game is lost on time.";
        exam.find(Fault, &what, came, remedy);
    } else if late > DEFAULT_MARGIN {
        let severity = if late > MUCH_TOO_LATE { Fault } else { Warning };
        let what = format!("`{go}` was answered after {took} ms, {late} ms too late");
        let remedy = "Raise its reserve of time (often an option Move Overhead), or let the runner bear it \
                      (--margin MS).";
        exam.find(severity, &what, came, remedy);
    }
}

pub(super) fn move_time(exam: &mut Exam<'_>) -> Result<(), Stop> {
    exam.meet()?;
    for time in [50, 300] {
        let go = format!("go movetime {time}");
        let (answer, late) = least_late(exam, &go, Duration::from_millis(time))?;
        judge_lateness(exam, &go, &answer, late);
        let took = answer.passed.as_millis() as u64;
        if took < time / 4 {
            let what = format!("`{go}` was answered after {took} ms");
            let remedy = "It does not use the time of a move; its opponent does.";
            exam.find(Note, &what, std::slice::from_ref(&answer.line), remedy);
        }
    }
    Ok(())
}

pub(super) fn tiny_clocks(exam: &mut Exam<'_>) -> Result<(), Stop> {
    exam.meet()?;
    for (time, rest) in
        [(100, ""), (30, " winc 10 binc 10"), (10, ""), (1, ""), (200, " movestogo 1")]
    {
        let go = format!("go wtime {time} btime {time}{rest}");
        let (answer, late) = least_late(exam, &go, Duration::from_millis(time))?;
        judge_lateness(exam, &go, &answer, late);
    }
    // Some runners let a clock run below zero; all that is wanted then is an answer.
    for go in ["go wtime 0 btime 0", "go wtime -20 btime -20 winc 0 binc 0"] {
        let [_, place] = places(exam.settings.game);
        let guard = exam.patience().min(LIMITED);
        let answer = exam.search(&place, go, guard)?;
        if answer.was_stopped {
            let what = format!("`{go}` was answered by `stop` alone");
            let remedy = "An empty clock is not none: answer at once.";
            exam.find(Warning, &what, std::slice::from_ref(&answer.line), remedy);
        }
    }
    Ok(())
}

pub(super) fn clock(exam: &mut Exam<'_>) -> Result<(), Stop> {
    const MOVES: usize = 40;
    const TIME: u64 = 1_500;
    const INCREMENT: u64 = 15;
    exam.meet()?;
    exam.say("ucinewgame")?;
    let mut place = exam.after(&[]);
    let mut clocks = [Duration::from_millis(TIME + INCREMENT); 2];
    for _ in 0..2 * MOVES {
        if place.position.outcome().is_some() {
            break;
        }
        let [white, black] = clocks.map(|left| left.as_millis().max(1));
        let go = format!("go wtime {white} btime {black} winc {INCREMENT} binc {INCREMENT}");
        let mover = place.position.side_to_move().index();
        let guard = clocks[mover] + exam.patience().min(LIMITED);
        let answer = exam.search(&place, &go, guard)?;
        let late = answer.elapsed.saturating_sub(clocks[mover]);
        if late.as_millis() > u128::from(DEFAULT_MARGIN) {
            let what = format!(
                "in a game of {}+{} s the clock ran out by {} ms",
                TIME as f64 / 1000.0,
                INCREMENT as f64 / 1000.0,
                late.as_millis()
            );
            let remedy =
                "Raise its reserve of time (often an option Move Overhead), or play longer games.";
            exam.find(Fault, &what, std::slice::from_ref(&answer.line), remedy);
            return Ok(());
        }
        clocks[mover] =
            clocks[mover].saturating_sub(answer.elapsed) + Duration::from_millis(INCREMENT);
        let Some(mv) = exam.legal_move(&answer) else { return Ok(()) };
        place.play(mv, exam.dialect);
    }
    Ok(())
}
