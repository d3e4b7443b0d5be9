//! The conversation that all checks share: it keeps what was sent and what came, and the findings.

use std::cell::OnceCell;
use std::time::{Duration, Instant};

use foreign::{LINE, WIDTH, shown};
use matches::game::{Direction, Fault, FaultKind};
use matches::games;
use matches::player::{Declared, Dialogue, Parting, Silence, VARIANT, read_move};
use playable::{Game, Move, Position};
use uci::{OptionDeclaration, Reply};

use super::positions::{Place, Positions};
use super::report::{CheckedEngine, Counts, Finding, Severity};
use super::settings::Settings;

/// Findings of a check that are shown.
const MOST_FINDINGS: usize = 3;
/// Lines that are shown with a finding, of each direction, and characters of each.
const SHOWN_LINES: usize = 4;
const SHOWN_CHARACTERS: usize = 240;
/// Lines of a search that are kept.
const MOST_LINES: usize = 20_000;

/// How far an engine gets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Need {
    /// Perhaps it does not even start.
    Nothing,
    /// It starts and introduces itself.
    Start,
    /// It says when it is ready.
    Ready,
    /// The engine answers a search with a move.
    Search,
}

impl Need {
    /// Why checks are not judged that need more than this.
    pub(super) fn lacking(self, game: Game) -> String {
        match self {
            Need::Nothing => "the engine does not introduce itself".to_owned(),
            Need::Start => "the engine does not say that it is ready".to_owned(),
            Need::Ready if games::is_usual(&game) => {
                "the engine does not answer a search".to_owned()
            }
            Need::Ready => format!("the engine answers no search with a move of {}", game.name()),
            Need::Search => String::new(),
        }
    }
}

/// Why a check ends before its end.
pub(super) enum Stop {
    /// The engine does not go on: it crashed, hung or floods.
    Fault(Fault),
    /// The check says nothing of this engine, and why.
    NotJudged(String),
}

/// An engine's answer to a `go`.
pub(super) struct Answer {
    pub position: Position,
    /// The engine's dialect of the game.
    pub dialect: usize,
    pub lines: Vec<String>,
    pub line: String,
    /// Time from `go` to the answer.
    pub passed: Duration,
    /// The same without what the machine withheld.
    pub elapsed: Duration,
    pub was_stopped: bool,
}

/// Oddities noticed on the way, whatever was being checked.
#[derive(Default)]
pub(super) struct Noticed {
    /// Lines that are not of the protocol.
    pub chatter: Vec<String>,
    /// Lines when nothing was asked.
    pub unasked: Vec<String>,
    pub not_utf8: Vec<String>,
    /// The end of standard error, where there was something.
    pub errors: Vec<String>,
}

pub(super) struct Exam<'a> {
    pub settings: &'a Settings,
    pub reached: Need,
    /// Its introduction: the lines between `uci` and `uciok`.
    pub introduction: Vec<String>,
    pub options: Vec<OptionDeclaration>,
    pub noticed: Noticed,
    /// Why it cannot be told to play the game.
    pub refusal: Option<String>,
    /// Its dialect of the game, known from its first move.
    pub dialect: usize,
    positions: OnceCell<Positions>,
    dialogue: Option<Dialogue>,
    sent: Vec<String>,
    findings: Vec<Finding>,
    found: Counts,
}

impl<'a> Exam<'a> {
    pub fn new(settings: &'a Settings) -> Exam<'a> {
        Exam {
            settings,
            reached: Need::Nothing,
            introduction: Vec::new(),
            options: Vec::new(),
            noticed: Noticed::default(),
            refusal: None,
            dialect: 0,
            positions: OnceCell::new(),
            dialogue: None,
            sent: Vec::new(),
            findings: Vec::new(),
            found: Counts::default(),
        }
    }

    /// The positions of the game.
    pub fn positions(&self) -> &Positions {
        let Settings { game, seed, .. } = *self.settings;
        self.positions.get_or_init(|| Positions::of(game, seed))
    }

    /// The positions of a kind, at least one.
    pub fn some<T: Clone>(&self, kind: fn(&Positions) -> &Vec<T>) -> Result<Vec<T>, Stop> {
        let found = kind(self.positions()).clone();
        let name = self.settings.game.name();
        let reason = || format!("no such position was met in random games of {name}");
        if found.is_empty() { Err(Stop::NotJudged(reason())) } else { Ok(found) }
    }

    /// The start of a game after these moves.
    pub fn after(&self, moves: &[Move]) -> Place {
        let mut place = Place::start(self.settings.game);
        moves.iter().for_each(|&mv| place.play(mv, self.dialect));
        place
    }

    pub fn patience(&self) -> Duration {
        self.settings.patience
    }

    /// How long a search may take that should take no time, before it is told to stop.
    pub fn guard(&self) -> Duration {
        self.settings.patience.min(Duration::from_millis(400))
    }

    pub fn subject(&self) -> CheckedEngine {
        let told = |pick: fn(Reply) -> Option<String>| {
            let mut replies = self.introduction.iter().filter_map(|line| Reply::parse(line));
            replies.find_map(pick).map(|name| shown(&name, WIDTH))
        };
        CheckedEngine {
            command: self.settings.engine.command.display().to_string(),
            arguments: self.settings.engine.arguments.clone(),
            name: told(|reply| if let Reply::Name(name) = reply { Some(name) } else { None }),
            author: told(|reply| if let Reply::Author(name) = reply { Some(name) } else { None }),
            options: self.options.iter().map(|option| shown(&option.name, WIDTH)).collect(),
        }
    }

    /// The option of this name, in any case.
    pub fn option(&self, name: &str) -> Option<&OptionDeclaration> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Whether an option says which game is played, or has its value from the user; never in chess.
    pub fn is_fixed(&self, name: &str) -> bool {
        let mut fixed = self.settings.engine.options.keys().map(String::as_str).chain([VARIANT]);
        !games::is_usual(&self.settings.game) && fixed.any(|it| it.eq_ignore_ascii_case(name))
    }

    /// Starts a process without a word.
    pub fn start(&mut self) -> Result<(), Stop> {
        self.leave();
        let log = self.settings.log.as_ref().map(|log| (log, self.settings.name.as_str()));
        let dialogue = Dialogue::start(&self.settings.engine, log);
        self.dialogue = Some(dialogue.map_err(Stop::Fault)?);
        Ok(())
    }

    /// Starts a process and introduces itself, with the options that were asked for. A process that is
    /// there goes on.
    pub fn meet(&mut self) -> Result<(), Stop> {
        if self.dialogue.is_some() {
            return Ok(());
        }
        self.start()?;
        let lines = self.introduce()?;
        let declared = Declared::new(lines.iter().map(String::as_str));
        let options = self.settings.engine.options.iter();
        let options = options.map(|(name, value)| (name.as_str(), value.clone()));
        let text = declared.commands(options).map_err(Stop::NotJudged)?;
        text.lines().try_for_each(|line| self.say(line))?;
        self.ready()
    }

    /// Introduces itself, and chooses the game where the engine has a choice. Returns the lines of
    /// the engine's introduction.
    pub fn introduce(&mut self) -> Result<Vec<String>, Stop> {
        let Settings { game, engine, .. } = self.settings;
        self.say("uci")?;
        let lines = self.until("uciok")?;
        if games::is_usual(game) {
            return Ok(lines);
        }
        let declared = Declared::new(lines.iter().map(String::as_str));
        match declared.variant(game.variant(), &engine.options) {
            Ok(chosen) if !chosen.is_empty() => {
                self.say(chosen.trim_end())?;
                // Each game may have options of its own.
                if !declared.unknown(&engine.options, None).is_empty() {
                    self.say("uci")?;
                    return self.until("uciok");
                }
            }
            Ok(_) => {}
            Err(reason) => self.refusal = Some(reason),
        }
        Ok(lines)
    }

    /// The same with a new process.
    pub fn meet_anew(&mut self) -> Result<(), Stop> {
        self.leave();
        self.meet()
    }

    /// Kills the process, if there is one.
    pub fn leave(&mut self) {
        if let Some(mut dialogue) = self.dialogue.take() {
            let errors = dialogue.exchange().errors;
            if !errors.trim().is_empty() {
                self.noticed.errors.push(errors);
            }
        }
        self.sent.clear();
    }

    pub fn say(&mut self, line: &str) -> Result<(), Stop> {
        self.sent.push(line.to_owned());
        let patience = self.settings.patience;
        let said = self.talk()?.say(line, patience);
        said.map_err(|silence| self.silent(silence, "to be written to"))
    }

    /// The next line; `None` if there is none until the deadline.
    pub fn line(&mut self, deadline: Instant) -> Result<Option<String>, Stop> {
        match self.talk()?.next_line(deadline) {
            Ok(heard) => {
                if !heard.is_utf8 {
                    self.noticed.not_utf8.push(heard.text.clone());
                }
                Ok(Some(heard.text))
            }
            Err(Silence::Timeout) => Ok(None),
            Err(silence) => Err(self.silent(silence, "")),
        }
    }

    /// Reads until a line with this first word, and returns those before it.
    pub fn until(&mut self, word: &str) -> Result<Vec<String>, Stop> {
        let patience = self.settings.patience;
        match self.within(word, patience)? {
            (lines, Some(_)) => Ok(lines),
            (_, None) => {
                let seconds = patience.as_secs_f64();
                let fault = format!("no `{word}` within {seconds} s");
                Err(Stop::Fault(Fault::new(FaultKind::Hang, fault)))
            }
        }
    }

    /// Reads until a line with this first word, or for so long. Returns the lines before, and that
    /// line.
    pub fn within(
        &mut self,
        word: &str,
        patience: Duration,
    ) -> Result<(Vec<String>, Option<String>), Stop> {
        let deadline = Instant::now() + patience;
        let mut lines = Vec::new();
        while let Some(line) = self.line(deadline)? {
            if line.split_ascii_whitespace().next() == Some(word) {
                return Ok((lines, Some(line)));
            }
            if lines.len() < MOST_LINES {
                lines.push(line);
            }
        }
        Ok((lines, None))
    }

    /// Asks whether the engine is ready, and takes note of what it says besides.
    pub fn ready(&mut self) -> Result<(), Stop> {
        self.say("isready")?;
        let lines = self.until("readyok")?;
        self.sent.pop();
        let strays = lines.into_iter().filter(|line| !line.trim().is_empty());
        self.noticed.unasked.extend(strays.filter(|line| !line.starts_with("info")));
        Ok(())
    }

    /// Has a position searched: tells it and says `go`, waits for so long, says `stop` and waits
    /// once more, as long as patience lasts.
    pub fn search(&mut self, place: &Place, go: &str, guard: Duration) -> Result<Answer, Stop> {
        self.ready()?;
        self.say(&place.setup)?;
        self.talk()?.begin_measuring();
        let begin = Instant::now();
        self.say(go)?;
        let (mut lines, mut line) = self.within("bestmove", guard)?;
        let was_stopped = line.is_none();
        if was_stopped {
            self.say("stop")?;
            let more;
            (more, line) = self.within("bestmove", self.settings.patience)?;
            lines.extend(more);
        }
        let passed = begin.elapsed();
        let withheld = self.talk()?.withheld();
        let Some(line) = line else {
            let patience = (guard + self.settings.patience).as_secs_f64();
            let fault = format!("no `bestmove` within {patience} s, `stop` included");
            return Err(Stop::Fault(Fault::new(FaultKind::Hang, fault)));
        };
        let odd = |line: &&String| {
            let word = line.split_ascii_whitespace().next();
            !matches!(word, None | Some("info" | "readyok"))
        };
        self.noticed.chatter.extend(lines.iter().filter(odd).cloned());
        let elapsed = passed.saturating_sub(withheld);
        let (position, dialect) = (place.position.clone(), self.dialect);
        Ok(Answer { position, dialect, lines, line, passed, elapsed, was_stopped })
    }

    /// Has a position searched for a moment, by a depth, and by `stop` where that is no limit.
    pub fn glance(&mut self, place: &Place) -> Result<Answer, Stop> {
        let guard = self.guard();
        self.search(place, "go depth 4", guard)
    }

    /// The move of an answer; a fault is found if it is none.
    pub fn legal_move(&mut self, answer: &Answer) -> Option<Move> {
        match answer.read() {
            Ok(mv) => Some(mv),
            Err(fault) => {
                let what = format!("{fault}, in {}", answer.position.to_fen());
                let remedy = "Such an answer loses the game: look for the rule that it breaks.";
                self.find(Severity::Fault, &what, std::slice::from_ref(&answer.line), remedy);
                None
            }
        }
    }

    /// Says a line and reads until one with this first word. Returns how long that took, without what
    /// the machine withheld.
    pub fn timed(&mut self, line: &str, word: &str) -> Result<Duration, Stop> {
        self.talk()?.begin_measuring();
        let begin = Instant::now();
        self.say(line)?;
        self.until(word)?;
        let passed = begin.elapsed();
        Ok(passed.saturating_sub(self.talk()?.withheld()))
    }

    /// The process, to be measured.
    pub fn dialogue(&mut self) -> Result<&mut Dialogue, Stop> {
        self.talk()
    }

    /// Parts with the process.
    pub fn part(&mut self, last: &str, patience: Duration) -> Result<Parting, Stop> {
        self.sent.push(last.to_owned());
        let dialogue = self.dialogue.take();
        dialogue.map(|dialogue| dialogue.part(last, patience)).ok_or_else(Exam::nobody)
    }

    /// Something was found. `came` are the lines that show it; those that were sent last are added.
    pub fn find(&mut self, severity: Severity, what: &str, came: &[String], remedy: &str) {
        self.found[severity as usize] += 1;
        if self.findings.len() == MOST_FINDINGS {
            // A worse one takes the place of the mildest.
            let mildest = (0..MOST_FINDINGS).rev().min_by_key(|&it| self.findings[it].severity);
            match mildest.filter(|&it| self.findings[it].severity < severity) {
                Some(mildest) => drop(self.findings.remove(mildest)),
                None => return,
            }
        }
        self.findings.push(Finding {
            severity,
            what: shown(what, LINE),
            sent: last_of(self.since_position()),
            came: last_of(came),
            remedy: remedy.to_owned(),
        });
    }

    /// The lines sent from the last position on: those before it mostly do not matter.
    fn since_position(&self) -> &[String] {
        let is_position = |line: &String| line.trim_start().starts_with("position");
        let last = self.sent.iter().rposition(is_position);
        &self.sent[last.unwrap_or(0)..]
    }

    /// The engine did not go on.
    pub fn broke_off(&mut self, fault: &Fault) {
        // Lines that nobody read may name the reason: the exchange has them.
        let mut came: Vec<String> = match &mut self.dialogue {
            Some(dialogue) => {
                let lines = dialogue.exchange().lines.into_iter().rev();
                let since = lines.take_while(|line| line.direction != Direction::Sent);
                since.map(|line| line.text).collect()
            }
            None => Vec::new(),
        };
        came.reverse();
        let mut remedy =
            "A runner gives the game to the opponent and starts the engine anew: send it \
                          these lines by hand."
                .to_owned();
        if let Some(dialogue) = self.dialogue.as_mut().filter(|_| self.reached < Need::Ready) {
            let (output, hint) = dialogue.give_up(&self.settings.engine, fault);
            came = output;
            if let Some(hint) = hint {
                remedy = format!("The lines say why, or this does: {hint}.");
            }
        }
        self.find(Severity::Fault, &fault.to_string(), &came, &remedy);
    }

    /// Ends a check; the first and worst that it has found, and how much there was of each severity.
    pub fn finish(&mut self) -> (Vec<Finding>, Counts) {
        self.leave();
        (std::mem::take(&mut self.findings), std::mem::take(&mut self.found))
    }

    fn talk(&mut self) -> Result<&mut Dialogue, Stop> {
        self.dialogue.as_mut().ok_or_else(Exam::nobody)
    }

    fn nobody() -> Stop {
        Stop::NotJudged("there is no process".to_owned())
    }

    fn silent(&mut self, silence: Silence, what: &str) -> Stop {
        let fault = match silence {
            Silence::Timeout => {
                let seconds = self.settings.patience.as_secs_f64();
                Fault::new(FaultKind::Hang, format!("not ready {what} within {seconds} s"))
            }
            Silence::Flood(what) => Fault::new(FaultKind::Flood, what),
            Silence::Ended => match &mut self.dialogue {
                Some(dialogue) => dialogue.end(),
                None => Fault::new(FaultKind::Exit, ""),
            },
        };
        Stop::Fault(fault)
    }
}

impl Answer {
    /// The move.
    ///
    /// # Errors
    /// It is none, or not a legal one.
    pub fn read(&self) -> Result<Move, Fault> {
        match Reply::parse(&self.line) {
            Some(Reply::BestMove { best: Some(text), .. }) => {
                read_move(&self.position, &text, self.dialect)
            }
            Some(Reply::BestMove { best: None, .. }) => Err(Fault::new(FaultKind::NoMove, "")),
            _ => Err(Fault::new(FaultKind::UnreadableMove, self.line.trim())),
        }
    }
}

/// The last few lines, none of them very long.
fn last_of(lines: &[String]) -> Vec<String> {
    let lines = lines.iter().filter(|line| !line.trim().is_empty());
    let mut last: Vec<String> =
        lines.rev().take(SHOWN_LINES).map(|line| shown(line, SHOWN_CHARACTERS)).collect();
    last.reverse();
    last
}

#[cfg(test)]
mod tests {
    use matches::player::UciEngine;

    use super::*;

    #[test]
    fn a_fault_after_many_milder_findings_is_shown_and_counted() {
        let settings = Settings {
            engine: UciEngine::new("none"),
            game: games::usual(),
            name: "none".to_owned(),
            patience: Duration::from_secs(1),
            seed: 1,
            only: Vec::new(),
            log: None,
        };
        let mut exam = Exam::new(&settings);
        let find = |exam: &mut Exam<'_>, severity, what: &str| exam.find(severity, what, &[], "");
        for number in 0..MOST_FINDINGS {
            find(&mut exam, Severity::Note, &format!("note {number}"));
        }
        for what in ["one", "two"] {
            find(&mut exam, Severity::Warning, what);
        }
        find(&mut exam, Severity::Fault, "crash");
        find(&mut exam, Severity::Note, "one more");
        let (findings, found) = exam.finish();
        assert_eq!(found, [MOST_FINDINGS as u64 + 1, 2, 1]);
        let shown: Vec<&str> = findings.iter().map(|finding| &*finding.what).collect();
        assert_eq!(shown, ["one", "two", "crash"]);
    }
}
