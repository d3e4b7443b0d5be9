//! An engine in a process of its own that speaks UCI, or UCCI.
//!
//! `process.rs` has the child and its pipes, `lines.rs` its lines, `position_command.rs` the position as it is
//! sent, `questions.rs` what it is asked, `answer.rs` its answers, `options.rs` its options, `state.rs`
//! what is known of it, `ponder.rs` its work in the opponent's time, `trial.rs` searches that try a
//! limit, `recorder.rs` the last lines of both directions, `hints.rs` why it did not start, and
//! `dialogue.rs` a conversation without a game.

mod answer;
mod dialogue;
mod hints;
mod lines;
mod options;
mod ponder;
mod position_command;
mod process;
mod questions;
mod recorder;
mod state;
mod trial;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use playable::{Game, Position};
use uci::{Protocol, Reply, resigns};

use super::limit_trial::{LimitTrial, SearchLimit};
use super::stall::Meter;
use super::{Choice, GameStart, Player, Turn};
use crate::game::{Clock, Exchange, Fault, FaultKind, Warning, WarningKind};
use crate::games;
use lines::shorten;
use process::Process;
use questions::{ask_until, go, learn_dialect, no_reply};
use state::{Running, Warnings};

pub use dialogue::{Dialogue, Heard, Parting, judge_lines};
pub use options::{Declared, VARIANT};
pub use process::Silence;
pub use questions::{dialect_of, read_move};
pub use state::UciPlayer;

/// The game that UCCI is a protocol of.
const UCCI_GAME: &str = "xiangqi";

/// Between two looks whether the answer is still wanted.
const CANCEL_CHECK: Duration = Duration::from_millis(200);

/// A process that has introduced itself.
struct Introduced {
    declared: Declared,
    introduction: (String, BTreeMap<String, String>),
    protocol: Protocol,
    dialect: usize,
    meter: Meter,
}

/// A move and when it came.
struct Reached {
    text: Option<String>,
    elapsed: Duration,
    stall: Duration,
}

impl UciPlayer {
    /// Changes options from the next search on, which should be the first of a game.
    ///
    /// # Errors
    /// The process does not take them, or a value is not what an option takes.
    pub fn set_options(&mut self, options: &[(String, String)]) -> Result<(), Fault> {
        self.engine.options.extend(options.iter().cloned());
        if self.running.is_none() {
            return Ok(());
        }
        self.attempt(self.game(), |player, running| {
            player.end_pondering(running)?;
            let options = options.iter().map(|(name, value)| (name.as_str(), value.clone()));
            let wrong = |reason| Fault::new(FaultKind::Start, reason);
            let text = running.declared.commands(options).map_err(wrong)?;
            let asked = running.process.ask(&text, player.reply_deadline());
            let patience = player.engine.reply_timeout;
            asked.map_err(|silence| no_reply(&mut running.process, silence, "setoption", patience))
        })
    }

    /// The engine's answer to `trace` in this position: the rest of its line that begins with that
    /// word. The command is not part of UCI; engines may know it to have their evaluation tuned.
    ///
    /// # Errors
    /// The engine crashed, hung, or knows no such command.
    pub fn trace(&mut self, position: &Position) -> Result<String, Fault> {
        let patience = self.engine.reply_timeout;
        let fen = position.to_fen();
        self.attempt(position.game(), |_, running| {
            let text = format!("position fen {fen}\ntrace\nisready\n");
            let lines = ask_until(&mut running.process, &text, "readyok", patience)?;
            let answer = lines.iter().rev().find_map(|line| line.trim().strip_prefix("trace"));
            let reason = "to `trace`, by a line that begins with that word";
            Ok(answer.ok_or_else(|| Fault::new(FaultKind::Hang, reason))?.trim().to_owned())
        })
    }

    /// Does something with the process, which is started for this game and does not survive a fault.
    fn attempt<T>(
        &mut self,
        game: Game,
        act: impl FnOnce(&mut UciPlayer, &mut Running) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => self.start(game)?,
        };
        let outcome = act(self, &mut running);
        match &outcome {
            Ok(_) => self.running = Some(running),
            Err(_) => {
                running.process.kill();
                self.last_exchange = Some(running.process.exchange());
                self.pondering = None;
            }
        }
        outcome
    }

    /// Starts the process, introduces itself, sets the options and learns the dialect.
    fn start(&mut self, game: Game) -> Result<Running, Fault> {
        self.last_exchange = None;
        let program = self.engine.command.display();
        let fault = |reason: String| Fault::new(FaultKind::Start, format!("{program}: {reason}"));
        let log = self.log.as_ref().map(|(log, name)| log.process(name));
        let process = Process::start(&self.engine, log);
        let mut process = process.map_err(|error| fault(hints::told(&self.engine, &error)))?;
        match self.introduce(&mut process, game, fault) {
            Ok(Introduced { declared, introduction, protocol, dialect, meter }) => Ok(Running {
                process,
                declared,
                introduction,
                protocol,
                dialect,
                chess960: false,
                games: 0,
                says_more: false,
                meter,
            }),
            Err(mut reason) => {
                // A refusal of ours is no riddle: the engine has introduced itself.
                if reason.kind == FaultKind::Start {
                    process.kill();
                } else {
                    let words = process.last_words();
                    reason.detail += &hints::added(&self.engine, &reason, &words);
                }
                self.last_exchange = Some(process.exchange());
                Err(reason)
            }
        }
    }

    /// Introduces itself to a new process, sets the options and learns the dialect.
    fn introduce(
        &self,
        process: &mut Process,
        game: Game,
        fault: impl Fn(String) -> Fault,
    ) -> Result<Introduced, Fault> {
        let patience = self.engine.start_timeout;
        let mut protocol = self.engine.protocol();
        let (question, answer) =
            if self.engine.ucci { ("ucci", "ucciok") } else { ("uci", "uciok") };
        if self.engine.ucci && game.name() != UCCI_GAME {
            let name = game.name();
            return Err(fault(format!("UCCI is a protocol of {UCCI_GAME}, and this is {name}")));
        }
        let mut introduce = |first: String| {
            let lines = ask_until(process, &format!("{first}{question}\n"), answer, patience)?;
            Ok(Declared::in_protocol(protocol, lines.iter().map(String::as_str)))
        };
        let mut declared = introduce(String::new())?;
        let introduction = declared.introduction();
        // Each game may have options of its own.
        let mut first = match games::is_usual(&game) {
            true => String::new(),
            false => declared.variant(game.variant(), &self.engine.options).map_err(&fault)?,
        };
        first += &declared.list_more(&self.engine.options).unwrap_or_default();
        if !first.is_empty() && !declared.unknown(&self.engine.options, None).is_empty() {
            declared = introduce(std::mem::take(&mut first))?;
        }
        if let (true, Some(command)) = (self.engine.ucci, declared.milliseconds()) {
            first += &command;
            protocol = Protocol::Ucci { milliseconds: true };
        }
        let chosen = first + &declared.choose(&self.engine, self.hash).map_err(&fault)?;
        let meter = Meter::new(&process.find_descendants(), self.engine.threads());
        ask_until(process, &(chosen + "isready\n"), "readyok", patience)?;
        // UCCI has one count of ranks.
        let dialect = match self.engine.ucci {
            true => 0,
            false => learn_dialect(process, game, patience, fault)?,
        };
        Ok(Introduced { declared, introduction, protocol, dialect, meter })
    }

    /// Says that what follows has nothing to do with what was before.
    fn say_new_game(&self, running: &mut Running, options: &str) -> Result<(), Fault> {
        let text = format!("{options}{}isready\n", running.declared.new_game());
        ask_until(&mut running.process, &text, "readyok", self.engine.reply_timeout)?;
        Ok(())
    }

    fn prepare(&mut self, running: &mut Running, game: &GameStart<'_>) -> Result<(), Fault> {
        self.end_pondering(running)?;
        self.game = Some(self.told_from(game.position, running.dialect));
        self.warnings = Warnings::default();
        self.last_mate = None;
        // In every game, so that a game's record does not tell whether the process is a new one.
        for name in running.declared.unknown(&self.engine.options, self.hash) {
            self.warnings.add(WarningKind::UnknownOption, name);
        }
        let chess960 = game.position.chess960();
        let mut options = String::new();
        if chess960 != running.chess960 {
            options = running
                .declared
                .chess960(chess960)
                .ok_or_else(|| Fault::new(FaultKind::Start, "does not play Chess960"))?;
            running.chess960 = chess960;
        }
        options += &running.declared.random_stream(game.seed, game.stream);
        running.games += 1;
        if game.forget || running.games == 1 {
            return self.say_new_game(running, &options);
        }
        if options.is_empty() {
            return Ok(());
        }
        let asked = running.process.ask(&options, self.reply_deadline());
        let patience = self.engine.reply_timeout;
        asked.map_err(|silence| no_reply(&mut running.process, silence, "setoption", patience))
    }

    /// Asks for a move and waits for it.
    fn ask(&mut self, running: &mut Running, turn: &Turn<'_>) -> Result<Choice, Fault> {
        let is_guessed = self.pondering.as_ref().is_some_and(|guess| guess.came_true(turn.plies));
        if is_guessed {
            self.pondering = None;
        } else {
            self.end_pondering(running)?;
            self.fall_in_step(running)?;
        }
        let dialect = running.dialect;
        if self.game.is_none() {
            self.game = Some(self.told_from(turn.start, dialect));
        }
        let Some(game) = &mut self.game else { unreachable!("it has just been told") };
        self.message.clear();
        let place = game.after(turn.plies);
        if is_guessed {
            self.message.push_str("ponderhit\n");
        } else {
            self.message.push_str(place);
            let mover = turn.position.side_to_move().index();
            let go = running.protocol.go_text(&go(turn), mover);
            writeln!(self.message, "\n{go}").expect("texts can be written to");
            self.info_lines.clear();
        }
        if turn.limits.is_timed() {
            running.meter.begin(is_guessed);
        }
        let reached = self.wait_for_move(running, turn)?;
        let position = turn.position;
        let Some(text) = reached.text else {
            let detail = if self.engine.ucci { "it answered `nobestmove`" } else { "" };
            return Err(Fault::new(FaultKind::NoMove, detail));
        };
        let mv = read_move(position, &text, dialect)?;
        let mut found = Vec::new();
        let findings = self.info_lines.findings(position, mv, dialect, &mut found);
        for Warning { kind, detail } in found {
            self.warnings.add(kind, detail);
        }
        // A mate that was proven does not go away.
        if let (Some(before), Some(now)) = (self.last_mate, findings.mate)
            && (before > 0) != (now > 0)
        {
            let detail = format!("mate {now} after mate {before}");
            self.warnings.add(WarningKind::MateScore, detail);
        }
        self.last_mate = findings.mate.or(self.last_mate);
        Ok(Choice {
            mv,
            score: findings.score,
            depth: findings.depth,
            selective_depth: findings.selective_depth,
            nodes: findings.nodes,
            elapsed: reached.elapsed,
            stall: reached.stall.min(reached.elapsed),
            resigns: self.resigns,
            warnings: std::mem::take(&mut self.warnings.waiting),
        })
    }

    /// Takes note of what was said when nothing was asked.
    ///
    /// An answer still under way would be taken for one to the next question. An engine that has
    /// ever said more than it was asked is therefore always waited for, and so is every engine in
    /// its first game, which shows its habits.
    fn fall_in_step(&mut self, running: &mut Running) -> Result<(), Fault> {
        while let Some(line) = running.process.waiting_line() {
            let text = String::from_utf8_lossy(running.process.text(line));
            running.says_more |= self.hear_stray(&text);
        }
        if running.says_more || running.games <= 1 {
            let patience = self.engine.reply_timeout;
            for text in ask_until(&mut running.process, "isready\n", "readyok", patience)? {
                running.says_more |= self.hear_stray(&text);
            }
        }
        Ok(())
    }

    /// Takes note of a line that nobody asked for; false if it says nothing.
    fn hear_stray(&mut self, text: &str) -> bool {
        let text = text.trim();
        if !text.is_empty() && !text.starts_with("info") {
            self.warnings.add(WarningKind::Protocol, format!("unasked: {}", shorten(text)));
        }
        !text.is_empty()
    }

    /// Sends the question and reads until the answer. A late answer is still waited for, after
    /// `stop`, so that the engine stays in step; whoever judges sees the time it took.
    fn wait_for_move(&mut self, running: &mut Running, turn: &Turn<'_>) -> Result<Reached, Fault> {
        let begin = Instant::now();
        let timed = turn.limits.is_timed();
        let allowed = self.allowed(turn);
        let mut deadline = begin + allowed;
        let mut excused = Duration::ZERO;
        let mut stopped = false;
        let process = &mut running.process;
        if let Err(silence) = process.ask(&self.message, deadline.max(self.reply_deadline())) {
            return Err(no_reply(process, silence, "position", self.engine.reply_timeout));
        }
        loop {
            let look = deadline.min(Instant::now() + CANCEL_CHECK);
            if timed && !running.process.has_line() {
                running.meter.listen(|| running.process.is_silent());
            }
            match running.process.next_line(look) {
                Err(Silence::Timeout) if Instant::now() < deadline => {
                    if turn.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
                        return Err(Fault::new(FaultKind::Hang, "cancelled"));
                    }
                }
                Ok(line) => {
                    let elapsed = begin.elapsed();
                    if let Some(text) = self.hear(&running.process, line)? {
                        // A move as short as what does not count needs no look.
                        let may_count = timed && elapsed >= Clock::LEAST_STALL;
                        let stall = if may_count { running.meter.waited() } else { Duration::ZERO };
                        return Ok(Reached { text, elapsed, stall });
                    }
                }
                Err(Silence::Timeout) if timed && !stopped => {
                    // The machine's share of the time is given back before anybody is judged.
                    let longest = Duration::from_millis(self.engine.reply_timeout);
                    let stall = running.meter.waited().min(longest);
                    if stall > excused {
                        excused = stall;
                        deadline = begin + allowed + excused;
                        continue;
                    }
                    stopped = true;
                    deadline = self.reply_deadline();
                    if let Err(silence) = running.process.ask("stop\n", deadline) {
                        let patience = self.engine.reply_timeout;
                        return Err(no_reply(&mut running.process, silence, "stop", patience));
                    }
                }
                Err(silence) => {
                    let (question, patience) = match stopped {
                        true => ("stop", self.engine.reply_timeout),
                        false => ("go", self.engine.move_timeout),
                    };
                    return Err(no_reply(&mut running.process, silence, question, patience));
                }
            }
        }
    }

    /// The time after which a move cannot be in time any more.
    fn allowed(&self, turn: &Turn<'_>) -> Duration {
        let limits = turn.limits;
        let clock = turn.clocks[turn.position.side_to_move().index()].map(|side| side.time);
        let move_time = limits.move_time.map(Duration::from_millis);
        let margin = Duration::from_millis(limits.margin);
        match clock.into_iter().chain(move_time).min() {
            Some(time) => time + margin,
            None => Duration::from_millis(self.engine.move_timeout),
        }
    }

    /// Takes a line of a search. Returns the move if it has one: `None` for none.
    fn hear(
        &mut self,
        process: &Process,
        line: Range<usize>,
    ) -> Result<Option<Option<String>>, Fault> {
        let bytes = process.text(line).trim_ascii();
        if bytes.is_empty() {
            return Ok(None);
        }
        let lossy;
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(_) => {
                lossy = String::from_utf8_lossy(bytes);
                self.warnings.add(WarningKind::InvalidUtf8, shorten(&lossy));
                &lossy
            }
        };
        let word = text.split_ascii_whitespace().next().unwrap_or_default();
        match word {
            "info" => self.info_lines.hear(text),
            "bestmove" | "nobestmove" => match self.engine.protocol().parse_reply(text) {
                Some(Reply::BestMove { best, ponder }) => {
                    self.expected = ponder;
                    self.resigns = self.engine.ucci && resigns(text);
                    return Ok(Some(best));
                }
                _ => return Err(Fault::new(FaultKind::UnreadableMove, shorten(text))),
            },
            _ => self.warnings.add(WarningKind::Protocol, shorten(text)),
        }
        Ok(None)
    }
}

impl Player for UciPlayer {
    fn unknown_options(&self) -> Vec<String> {
        let Some(Running { declared, .. }) = &self.running else { return Vec::new() };
        let unknown = declared.unknown(&self.engine.options, self.hash);
        unknown.iter().map(|name| declared.meant(name)).collect()
    }

    fn introduction(&self) -> Option<(String, BTreeMap<String, String>)> {
        self.running.as_ref().map(|running| running.introduction.clone())
    }

    fn option_remarks(&self) -> Vec<String> {
        let Some(Running { declared, .. }) = &self.running else { return Vec::new() };
        declared.remarks(&self.engine.options, self.hash)
    }

    fn new_game(&mut self, game: &GameStart<'_>) -> Result<(), Fault> {
        if self.engine.restart && self.running.take_if(|running| running.games > 0).is_some() {
            self.pondering = None;
        }
        self.attempt(game.position.game(), |player, running| {
            player.prepare(running, game)?;
            // Not at each move: looking costs as much as several moves of a fast game.
            running.meter.follow(&running.process.find_descendants());
            Ok(())
        })
    }

    fn forget(&mut self) -> Result<(), Fault> {
        self.attempt(self.game(), |player, running| {
            player.end_pondering(running)?;
            player.say_new_game(running, "")
        })
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Fault> {
        self.attempt(turn.start.game(), |player, running| {
            let choice = player.ask(running, turn)?;
            player.begin_pondering(running, turn, &choice);
            Ok(choice)
        })
    }

    fn try_limit(
        &mut self,
        limit: SearchLimit,
        patience: Duration,
    ) -> Result<Option<LimitTrial>, Fault> {
        let game = self.game();
        self.attempt(game, |player, running| {
            let timeout = player.engine.reply_timeout;
            trial::search(&mut running.process, game, limit, patience, timeout)
        })
        .map(Some)
    }

    fn exchange(&self) -> Option<Exchange> {
        match &self.running {
            Some(running) => Some(running.process.exchange()),
            None => self.last_exchange.clone(),
        }
    }
}
