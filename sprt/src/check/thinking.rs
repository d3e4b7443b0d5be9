//! Searches that are broken off, asked about, or thought ahead.

use std::time::{Duration, Instant};

use matches::games;
use matches::player::{VARIANT, dialect_of};

use super::exam::{Exam, Stop};
use super::report::Severity::{Fault, Note, Warning};

/// Time for answers that are due at once.
const AT_ONCE: Duration = Duration::from_secs(1);
/// How long a search without limit is left alone.
const A_WHILE: Duration = Duration::from_millis(400);

pub(super) fn answers(exam: &mut Exam<'_>) -> Result<(), Stop> {
    exam.meet()?;
    exam.say("ucinewgame")?;
    let patience = exam.patience();
    let game = exam.settings.game;
    if let Some(reason) = &exam.refusal {
        let what = format!("it {reason}");
        exam.find(
            Fault,
            &what,
            &[],
            "Among the values of that option are the games that it plays.",
        );
        return Ok(());
    }
    let answer = exam.search(&exam.after(&[]), "go wtime 1000 btime 1000", patience)?;
    if answer.was_stopped {
        let what = format!("no answer within {} s until `stop`", patience.as_secs_f64());
        let remedy = "A game on the clock is lost on time; nothing else can be played either.";
        exam.find(Fault, &what, std::slice::from_ref(&answer.line), remedy);
    }
    if !games::is_usual(&game) {
        match dialect_of(game, &answer.line) {
            Ok(dialect) => exam.dialect = dialect,
            Err(what) => {
                let remedy = match exam.option(VARIANT) {
                    Some(_) => "It was told the game, and must know its rules.".to_owned(),
                    None => format!(
                        "It has no option {VARIANT} to be told the game by: is it of this game?"
                    ),
                };
                exam.find(Fault, &what, &[answer.line], &remedy);
            }
        }
    }
    exam.ready()
}

pub(super) fn is_ready_while_searching(exam: &mut Exam<'_>) -> Result<(), Stop> {
    exam.meet()?;
    exam.say("position startpos")?;
    exam.say("go infinite")?;
    let (_, ended) = exam.within("bestmove", A_WHILE)?;
    if ended.is_some() {
        return Err(Stop::NotJudged("`go infinite` was answered before it was asked".to_owned()));
    }
    exam.dialogue()?.begin_measuring();
    let begin = Instant::now();
    exam.say("isready")?;
    let deadline = Instant::now() + exam.patience();
    loop {
        match exam.line(deadline)? {
            Some(line) if line.trim() == "readyok" => break,
            Some(line) if line.starts_with("bestmove") => {
                let remedy = "A runner that asks takes this for the end of the search.";
                exam.find(Warning, "`isready` ended the search", &[line], remedy);
                return Ok(());
            }
            Some(_) => {}
            None => {
                let what = "no `readyok` during the search";
                let remedy =
                    "A runner that asks gives up on the engine: read input while thinking.";
                exam.find(Warning, what, &[], remedy);
                return Ok(());
            }
        }
    }
    let took = begin.elapsed().saturating_sub(exam.dialogue()?.withheld());
    if took > AT_ONCE {
        let what = format!("`readyok` came after {:.1} s", took.as_secs_f64());
        exam.find(Warning, &what, &[], "Look at the input more often during a search.");
    }
    exam.say("stop")?;
    exam.until("bestmove").map(drop)
}

pub(super) fn stop(exam: &mut Exam<'_>) -> Result<(), Stop> {
    exam.meet()?;
    for place in [exam.after(&[]), exam.positions().few_men.clone()] {
        exam.say(&place.setup)?;
        exam.say("go infinite")?;
        let (_, ended) = exam.within("bestmove", A_WHILE)?;
        if let Some(line) = ended {
            let remedy = "The protocol wants `go infinite` to end by `stop` alone; runners do not use it, \
                          analysis does.";
            exam.find(Note, "`go infinite` was answered without `stop`", &[line], remedy);
            exam.say("stop")?;
            exam.ready()?;
            continue;
        }
        let took = exam.timed("stop", "bestmove")?;
        if took > AT_ONCE {
            let what = format!("`stop` was obeyed after {:.1} s", took.as_secs_f64());
            let remedy =
                "A runner waits so long whenever a move is late: look at the input more often.";
            exam.find(Warning, &what, &[], remedy);
        }
    }
    Ok(())
}

pub(super) fn ponder(exam: &mut Exam<'_>) -> Result<(), Stop> {
    if exam.option("Ponder").is_none() {
        return Err(Stop::NotJudged("there is no option Ponder".to_owned()));
    }
    exam.meet()?;
    exam.say("setoption name Ponder value true")?;
    for end in ["ponderhit", "stop"] {
        exam.say("ucinewgame")?;
        exam.ready()?;
        exam.say(&exam.after(&exam.positions().opening).setup)?;
        exam.say("go ponder wtime 2000 btime 2000 winc 0 binc 0")?;
        let (_, ended) = exam.within("bestmove", A_WHILE)?;
        if let Some(line) = ended {
            let remedy = "It must wait for `ponderhit` or `stop`: play it without pondering.";
            exam.find(Warning, "`go ponder` was answered by itself", &[line], remedy);
            return Ok(());
        }
        let took = exam.timed(end, "bestmove")?;
        // Two seconds were on the clock; thinking is allowed after a hit alone.
        let allowed = if end == "stop" { AT_ONCE } else { Duration::from_secs(2) };
        if took > allowed {
            let what = format!("`{end}` was answered after {:.1} s", took.as_secs_f64());
            exam.find(Warning, &what, &[], "Games with pondering are lost on time so.");
        }
    }
    Ok(())
}

pub(super) fn search_moves(exam: &mut Exam<'_>) -> Result<(), Stop> {
    exam.meet()?;
    let (start, choice) = (exam.after(&[]), exam.positions().choice);
    let guard = exam.guard();
    let mut go = "go depth 4 searchmoves".to_owned();
    for mv in choice {
        go.push(' ');
        start.position.push_dialect(mv, exam.dialect, &mut go);
    }
    let answer = exam.search(&start, &go, guard)?;
    let Ok(mv) = answer.read() else { return Ok(()) };
    if !choice.contains(&mv) {
        let mut text = String::new();
        start.position.push_dialect(mv, exam.dialect, &mut text);
        let remedy = "Runners do not use it; programs that make openings or analyze may.";
        exam.find(Note, &format!("it answered {text}"), &[answer.line], remedy);
    }
    Ok(())
}
