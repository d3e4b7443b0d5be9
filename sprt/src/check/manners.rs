//! How an engine behaves besides playing: options, commands, memory, how it goes.

use std::time::{Duration, Instant};

use uci::{Command, OptionDeclaration, OptionKind};

use super::exam::{Exam, Need, Stop};
use super::positions::Place;
use super::report::Severity::{Note, Warning};

/// Time for answers that take no thinking.
const SOON: Duration = Duration::from_secs(1);
/// How long an engine may take to end after `quit`: then a runner kills it.
const FAREWELL: Duration = Duration::from_secs(2);

pub(super) fn is_ready(exam: &mut Exam<'_>) -> Result<(), Stop> {
    exam.meet()?;
    for number in 0..3 {
        let begin = Instant::now();
        exam.ready()?;
        let took = begin.elapsed();
        if took > SOON {
            let what =
                format!("`readyok` no. {} came after {:.1} s", number + 1, took.as_secs_f64());
            let remedy = "A runner waits so long before each game.";
            exam.find(Warning, &what, &[], remedy);
        }
    }
    Ok(())
}

/// The line that sets an option to this value.
fn set(name: &str, value: &str) -> String {
    Command::SetOption { name: name.to_owned(), value: Some(value.to_owned()) }.to_string()
}

/// The default of an option as a value; `None` for what is only pressed, and for a text that is empty:
/// there are engines that write their log to a file named `<empty>` when told so.
fn default_of(option: &OptionDeclaration) -> Option<String> {
    match &option.kind {
        OptionKind::Text { default } | OptionKind::Other { default, .. } if default.is_empty() => {
            None
        }
        OptionKind::Check { default } => Some(default.to_string()),
        OptionKind::Spin { default, .. } => Some(default.to_string()),
        OptionKind::Combo { default, .. }
        | OptionKind::Text { default }
        | OptionKind::Other { default, .. } => Some(default.clone()),
        OptionKind::Button => None,
    }
}

pub(super) fn set_options(exam: &mut Exam<'_>) -> Result<(), Stop> {
    exam.meet()?;
    let start = exam.after(&[]);
    let defaults: Vec<(String, String)> = exam
        .options
        .iter()
        .filter(|option| !exam.is_fixed(&option.name))
        .filter_map(|option| Some((option.name.clone(), default_of(option)?)))
        .collect();
    for (name, value) in defaults {
        exam.say(&set(&name, &value))?;
        exam.ready()?;
    }
    let answer = exam.glance(&start)?;
    exam.legal_move(&answer);
    // Not the greatest value: it may be more than this machine has.
    for (name, most) in [("Hash", 64), ("Threads", 2)] {
        let Some(OptionKind::Spin { low, high, .. }) = exam.option(name).map(|it| it.kind.clone())
        else {
            continue;
        };
        for value in [low, high.min(most)] {
            exam.say(&set(name, &value.to_string()))?;
            let answer = exam.glance(&start)?;
            exam.legal_move(&answer);
        }
    }
    Ok(())
}

pub(super) fn options_kept(exam: &mut Exam<'_>) -> Result<(), Stop> {
    let takes_two = exam
        .option("MultiPV")
        .is_some_and(|option| matches!(option.kind, OptionKind::Spin { high, .. } if high >= 2));
    if !takes_two {
        return Err(Stop::NotJudged("there is no option MultiPV to see it by".to_owned()));
    }
    exam.meet()?;
    exam.say("setoption name MultiPV value 2")?;
    for when in ["", " after `ucinewgame`"] {
        if !when.is_empty() {
            exam.say("ucinewgame")?;
        }
        let answer = exam.glance(&exam.after(&[]))?;
        if !answer.lines.iter().any(|line| line.contains("multipv 2 ")) {
            let what = format!("MultiPV was set to 2, and one variation is shown{when}");
            let last = answer.lines.last().cloned().into_iter().collect::<Vec<_>>();
            let remedy = "What is set must hold until it is set again; see that other options do.";
            exam.find(Warning, &what, &last, remedy);
        }
    }
    Ok(())
}

pub(super) fn new_games(exam: &mut Exam<'_>) -> Result<(), Stop> {
    exam.meet()?;
    let (start, later) = (exam.after(&[]), after_first(exam));
    for _ in 0..5 {
        exam.say("ucinewgame")?;
        let answer = exam.glance(&start)?;
        exam.legal_move(&answer);
        exam.say(&later.setup)?;
        exam.say("go infinite")?;
        let (_, ended) = exam.within("bestmove", Duration::from_millis(50))?;
        exam.say("stop")?;
        if ended.is_none() {
            exam.until("bestmove")?;
        }
    }
    // Two in a row, and one before any position.
    exam.meet_anew()?;
    exam.say("ucinewgame")?;
    exam.say("ucinewgame")?;
    let answer = exam.glance(&start)?;
    exam.legal_move(&answer);
    Ok(())
}

pub(super) fn unknown_commands(exam: &mut Exam<'_>) -> Result<(), Stop> {
    // An engine may say that it does not know a command.
    unnoticed(exam, pass_over)
}

fn pass_over(exam: &mut Exam<'_>) -> Result<(), Stop> {
    exam.meet()?;
    for line in [
        "wibble",
        "",
        "   ",
        "joho debug off",
        "register later",
        "setoption name Such An Option Is Nowhere value 3",
        "stop",
        "ponderhit",
    ] {
        exam.say(line)?;
        exam.ready()?;
    }
    let later = after_first(exam);
    let answer = exam.glance(&later)?;
    exam.legal_move(&answer);
    let remedy = "The protocol allows white space anywhere; runners send one space.";
    exam.say(" \t isready")?;
    if let (_, None) = exam.within("readyok", exam.patience().min(SOON))? {
        exam.find(Note, "`isready` with white space in front is not known", &[], remedy);
    }
    let what = "`position` with more than one space between words";
    let setup = later.setup.replacen(' ', "  ", 3).replacen("  moves", "   moves", 1);
    match exam.glance(&Place { setup, ..later }) {
        Ok(answer) if answer.read().is_err() => {
            exam.find(Note, &format!("{what} is not understood"), &[answer.line], remedy);
        }
        Ok(_) => {}
        Err(Stop::Fault(fault)) => {
            exam.find(Warning, &format!("{what}: {fault}"), &[], remedy);
            exam.leave();
        }
        Err(other) => return Err(other),
    }
    Ok(())
}

/// The position after the first move of a game.
fn after_first(exam: &Exam<'_>) -> Place {
    exam.after(&exam.positions().opening[..1])
}

pub(super) fn bad_input(exam: &mut Exam<'_>) -> Result<(), Stop> {
    unnoticed(exam, survive)
}

/// Does something of which nothing is kept that the engine says besides.
fn unnoticed(exam: &mut Exam<'_>, act: fn(&mut Exam<'_>) -> Result<(), Stop>) -> Result<(), Stop> {
    let [heard, errors] = [exam.noticed.unasked.len(), exam.noticed.errors.len()];
    let mut ended = act(exam);
    if let Err(Stop::Fault(fault)) = &ended {
        exam.broke_off(fault);
        ended = Ok(());
    }
    exam.leave();
    exam.noticed.unasked.truncate(heard);
    exam.noticed.errors.truncate(errors);
    ended
}

fn survive(exam: &mut Exam<'_>) -> Result<(), Stop> {
    let later = after_first(exam);
    let first = later.setup.rsplit(' ').next().unwrap_or_default();
    let long = format!("position startpos moves {}", format!("{first} ").repeat(20_000));
    let stray = format!("{} zzzz", later.setup);
    let bad = exam.positions().bad.clone();
    let malformed = bad.iter().map(|(line, what)| (line.as_str(), *what));
    let others = [
        (stray.as_str(), "a move that is none"),
        ("position", "`position` and nothing behind"),
        ("setoption name Hash value many", "a wrong value"),
        ("setoption", "`setoption` and nothing behind"),
        (&long, "a line of 100 kilobytes"),
    ];
    for (line, what) in malformed.chain(others) {
        exam.meet()?;
        exam.say(line)?;
        match exam.ready().and_then(|()| {
            let answer = exam.glance(&later)?;
            exam.legal_move(&answer);
            Ok(())
        }) {
            Ok(()) => {}
            Err(Stop::Fault(fault)) => {
                let remedy = "Runners send nothing of the kind; people and other programs do.";
                exam.find(Warning, &format!("{what}: {fault}"), &[], remedy);
                exam.leave();
            }
            Err(other) => return Err(other),
        }
    }
    Ok(())
}

pub(super) fn reply_speed(exam: &mut Exam<'_>) -> Result<(), Stop> {
    /// A delay that matters at a tenth of a second a move.
    const FELT: Duration = Duration::from_millis(20);
    const TIMES: usize = 15;
    exam.meet()?;
    let median = |mut times: Vec<Duration>| {
        times.sort_unstable();
        times[times.len() / 2]
    };
    let mut times = Vec::new();
    for _ in 0..TIMES {
        exam.dialogue()?.begin_measuring();
        let begin = Instant::now();
        exam.ready()?;
        let took = begin.elapsed();
        times.push(took.saturating_sub(exam.dialogue()?.withheld()));
    }
    let ready = median(times);
    if ready > FELT {
        let what = format!("`readyok` takes {:.1} ms", 1000.0 * ready.as_secs_f64());
        let remedy = "It looks at its input now and then only: use longer time controls.";
        exam.find(Warning, &what, &[], remedy);
    }
    let mut times = Vec::new();
    let (start, guard) = (exam.after(&[]), exam.patience());
    for _ in 0..TIMES {
        times.push(exam.search(&start, "go depth 1", guard)?.elapsed);
    }
    let go = median(times);
    if go > FELT {
        let what = format!("`go depth 1` takes {:.1} ms", 1000.0 * go.as_secs_f64());
        let remedy = "Much of a short time control goes into beginning a search: use longer ones.";
        exam.find(Warning, &what, &[], remedy);
    }
    Ok(())
}

pub(super) fn memory(exam: &mut Exam<'_>) -> Result<(), Stop> {
    /// Growth allowed after the first moves (bytes), as tables still fill; plies before and after.
    const BORNE: u64 = 48 << 20;
    const BEFORE: usize = 30;
    const PLIES: usize = 160;
    exam.meet()?;
    // Tables that fill are no growth.
    if exam.option("Hash").is_some() {
        exam.say("setoption name Hash value 1")?;
    }
    exam.say("ucinewgame")?;
    let mut place = exam.after(&[]);
    let mut before = None;
    for ply in 0..PLIES {
        if ply == BEFORE {
            before = exam.dialogue()?.memory();
        }
        let answer = exam.glance(&place)?;
        let Some(mv) = exam.legal_move(&answer) else { return Ok(()) };
        place.play(mv, exam.dialect);
        if place.position.outcome().is_some() {
            place = exam.after(&[]);
        }
    }
    let after = exam.dialogue()?.memory();
    let (Some(before), Some(after)) = (before, after) else {
        return Err(Stop::NotJudged(
            "this system does not tell how much memory is held".to_owned(),
        ));
    };
    if after > before + BORNE {
        let what = format!(
            "it held {} MB after {BEFORE} plies and {} MB after {PLIES}",
            before >> 20,
            after >> 20
        );
        let remedy =
            "See with a longer game whether it goes on so: games at once share the memory.";
        exam.find(Warning, &what, &[], remedy);
    }
    Ok(())
}

pub(super) fn quit(exam: &mut Exam<'_>) -> Result<(), Stop> {
    let searches: &[bool] = if exam.reached < Need::Search { &[false] } else { &[false, true] };
    for &is_searching in searches {
        exam.meet_anew()?;
        if is_searching {
            exam.say("position startpos")?;
            exam.say("go infinite")?;
            exam.within("bestmove", Duration::from_millis(100))?;
        }
        let parting = exam.part("quit", FAREWELL)?;
        let place = if is_searching { " during a search" } else { "" };
        if !parting.has_ended {
            let what = format!("it lives on {} s after `quit`{place}", FAREWELL.as_secs());
            let remedy = "A runner kills it then: what it would still do is lost, and each match ends later.";
            exam.find(Warning, &what, &[], remedy);
        }
        if parting.left_behind > 0 {
            let what = format!("it leaves {} processes behind{place}", parting.left_behind);
            let remedy = "End them with the engine: what goes on takes the time of other games.";
            exam.find(Warning, &what, &[], remedy);
        }
        if let Some(status) = parting.failure {
            let what = format!("it ends with {status} after `quit`{place}");
            exam.find(Note, &what, &[], "Something fails when it ends; nothing of a game is lost.");
        }
    }
    Ok(())
}

pub(super) fn protocol_lines(exam: &mut Exam<'_>) -> Result<(), Stop> {
    let (chatter, not_utf8) = (exam.noticed.chatter.clone(), exam.noticed.not_utf8.clone());
    if !chatter.is_empty() {
        let what = format!("{} lines during searches that are not of the protocol", chatter.len());
        let remedy = "Runners warn of them and go on: say such things by `info string`.";
        exam.find(Warning, &what, &chatter, remedy);
    }
    if !not_utf8.is_empty() {
        let what = format!("{} lines that are not UTF-8", not_utf8.len());
        exam.find(Warning, &what, &not_utf8, "Some runners end at such a line.");
    }
    Ok(())
}

pub(super) fn unasked_lines(exam: &mut Exam<'_>) -> Result<(), Stop> {
    let unasked = exam.noticed.unasked.clone();
    let (moves, others): (Vec<String>, Vec<String>) =
        unasked.into_iter().partition(|line| line.trim_start().starts_with("bestmove"));
    if !moves.is_empty() {
        let what = format!("{} answers that nobody asked for", moves.len());
        let remedy = "Taken for the answer to the next `go`, such a line loses a game.";
        exam.find(Warning, &what, &moves, remedy);
    }
    if !others.is_empty() {
        let what = format!("{} lines that nobody asked for", others.len());
        exam.find(Note, &what, &others, "Runners pass over them.");
    }
    Ok(())
}

pub(super) fn standard_error(exam: &mut Exam<'_>) -> Result<(), Stop> {
    let lines: Vec<String> =
        exam.noticed.errors.iter().flat_map(|text| text.lines()).map(str::to_owned).collect();
    if !lines.is_empty() {
        let what = format!("{} lines on standard error", lines.len());
        let remedy = "Nothing is lost; but what matters there is harder to find.";
        exam.find(Note, &what, &lines, remedy);
    }
    Ok(())
}
