//! A conversation with a user interface, in UCI or UCCI: reads commands, keeps the state they change, and runs the
//! search in a thread of its own so that commands are answered during it.
//!
//! While the engine is at work, `isready`, `uci`, `stop`, `ponderhit` and `quit` act at once; all
//! other commands wait for its end and are then done in their order. A `go`, `bench` or
//! `ucinewgame` that waits behind a search which only `stop` could end stops it. The end of the
//! input lets limited work finish; `quit` stops it, `bench` and `go perft` too, and so does an output
//! that nobody reads any more.

mod book;
mod games;
mod input;
mod options;
mod output;
mod state;
mod tables;
mod ucci;
mod waiting;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

use playable::{Bench, Control, Engine, Move, Numbers, Position, PositionError, nodes_per_second};
use search::{STACK, wait_until_asked};
use system::threads::{self, ThreadError};
use uci::{Command, Go, Protocol, Reply, Start};

use crate::console::show;
use crate::console::translation::{self, Root, best_move, info_line, limits};
use options::{EngineUpdate, Options};
pub use options::{Listing, check_memory};
use output::Output;
use state::{Answer, EngineState, Event, Job, Session, Until};
use waiting::Waiting;

/// Events that may wait for the session before the input is read no further.
const EVENTS_MAX: usize = 1024;

/// How often a session at work looks whether anybody still reads what it says.
const LOOK_INTERVAL: Duration = Duration::from_millis(100);

/// Said of a position that is not there.
const REFUSED: &str = "there is no position: the last one was refused; send another";

/// The answer to a search that has no move.
const NO_MOVE: Reply = Reply::BestMove { best: None, ponder: None };

/// The answer to `help`: the commands of the protocol and those for people.
const HELP: &str = "\
uci                                  name the engine and list its options
isready                              answer readyok
setoption name NAME [value VALUE]    set an option, or any number: null_move.reduction_base;
                                     ListTuningOptions lets `uci` list those, too;
                                     UCI_Variant chooses a game, which begins with its own numbers
ucinewgame                           forget all that was found so far
position startpos|fen FEN [moves M…] set up a position
go [LIMITS]                          search: depth N, nodes N, movetime MS, mate N, infinite,
                                     wtime MS btime MS winc MS binc MS movestogo N, ponder,
                                     searchmoves M…
go perft N                           count the moves of N plies, at most 20
stop, ponderhit, quit                as the protocol has them
ucci                                 play xiangqi, and speak UCCI from now on
d                                    show the board
eval                                 show the evaluation, term by term
bench [DEPTH]                        search the bench positions and print nodes and speed";

/// A session that cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// Its threads cannot be started.
    #[error(transparent)]
    Threads(#[from] ThreadError),
    /// The thread that reads the input has died.
    #[error("the input thread has died")]
    Input,
    /// The engine's thread has panicked, and has said why.
    #[error("the engine's thread has died; see the message above")]
    Engine,
}

/// Speaks UCI on standard input and output until `quit` or the end of the input. `listing` says
/// which options it tells.
///
/// # Errors
/// One of its threads has died, or cannot be started.
pub fn run(numbers: Numbers, listing: Listing) -> Result<(), SessionError> {
    let (sender, receiver) = sync_channel(EVENTS_MAX);
    let from_input = sender.clone();
    threads::start("input", None, move || input::read_lines(&from_input))?;
    let engine = numbers.engine(options::DEFAULT_HASH);
    let position = numbers.game().start();
    let mut session = Session {
        options: Options::new(numbers, listing),
        tables: None,
        book: None,
        position,
        refused: false,
        banned: Vec::new(),
        line: Some(Vec::new()),
        engine: Some(EngineState::Idle(engine)),
        waiting: Waiting::default(),
        input_ended: false,
        quitting: false,
        output: Output::default(),
        sender,
        jobs: start_thread()?,
    };
    session.run(&receiver)?;
    if session.quitting && session.output.protocol.is_ucci() {
        session.output.say("bye");
    }
    Ok(())
}

impl Session {
    fn run(&mut self, receiver: &Receiver<Event>) -> Result<(), SessionError> {
        while !self.output.is_closed() {
            let event = match self.next_event(receiver) {
                Ok(event) => event,
                Err(RecvTimeoutError::Timeout) => {
                    self.output.look();
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => return Err(SessionError::Input),
            };
            match event {
                Event::Line(_) | Event::LongLine(_) if self.quitting => {}
                Event::Line(line) => {
                    if let Some(command) = self.parse(&String::from_utf8_lossy(&line)) {
                        self.receive(command);
                    }
                }
                Event::LongLine(beginning) => match input::position_of(&beginning) {
                    Some(command) => self.receive(command),
                    None => self
                        .output
                        .remark(format!("ignored: a line of more than {} bytes", input::LINE_MAX)),
                },
                Event::End => {
                    self.input_ended = true;
                    self.stop_if_endless();
                }
                Event::Done(engine, answer) => {
                    self.engine = Some(EngineState::Idle(engine));
                    answer.into_iter().for_each(|line| self.output.say(line));
                    self.work_off();
                }
                Event::Died => return Err(SessionError::Engine),
            }
            if self.input_ended && self.is_idle() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The next event; while the engine is at work not for ever, because nobody may be left to end
    /// its work.
    fn next_event(&self, receiver: &Receiver<Event>) -> Result<Event, RecvTimeoutError> {
        if self.is_idle() {
            return receiver.recv().map_err(RecvTimeoutError::from);
        }
        receiver.recv_timeout(LOOK_INTERVAL)
    }

    /// The command of a line; what is wrong with the line is said at once.
    fn parse(&self, line: &str) -> Option<Command> {
        match self.output.protocol.parse_command(line) {
            Ok(None) => None,
            Ok(Some(parsed)) => {
                for mistake in parsed.mistakes {
                    self.output.remark(mistake);
                }
                if !parsed.ignored.is_empty() {
                    self.output.remark(format!("ignored: {}", parsed.ignored.join(" ")));
                }
                Some(parsed.command)
            }
            Err(error) => {
                self.output.remark(error);
                None
            }
        }
    }

    /// Acts on a command or lets it wait.
    fn receive(&mut self, command: Command) {
        match command {
            Command::Quit => {
                self.quitting = true;
                self.input_ended = true;
                self.stop();
            }
            Command::Uci => self.introduce(),
            Command::Ucci => self.speak_ucci(),
            Command::Probe => self.output.say("pophash"),
            Command::IsReady => {
                self.hand_over_parameters();
                self.output.reply(&Reply::ReadyOk);
            }
            Command::Help => self.output.say(HELP),
            Command::Debug(_) | Command::Register => {}
            Command::Stop if self.is_idle() => self.answer_idle_stop(),
            Command::Stop => {
                self.stop();
                // It is also meant for searches asked for before it that have not begun.
                if self.waiting.has_work() {
                    self.waiting.push(Command::Stop);
                }
            }
            Command::PonderHit if self.waiting.has_work() => {
                self.waiting.push(Command::PonderHit);
            }
            Command::PonderHit => self.ponder_hit(),
            other if self.is_idle() => self.act(other),
            other => {
                self.waiting.push(other);
                self.stop_if_replaced();
            }
        }
    }

    /// Does the waiting commands up to the next that needs the engine for longer.
    fn work_off(&mut self) {
        while self.is_idle()
            && let Some(command) = self.waiting.pop()
        {
            self.act(command);
            // Commands about this search that came while it waited.
            while let Some(signal) = self.waiting.pop_signal() {
                match signal {
                    Command::Stop => self.stop(),
                    _ => self.ponder_hit(),
                }
            }
            if self.waiting.has_stop() {
                self.stop();
            }
            if self.input_ended {
                self.stop_if_endless();
            }
            self.stop_if_replaced();
        }
    }

    fn is_idle(&self) -> bool {
        matches!(self.engine, Some(EngineState::Idle(_)))
    }

    fn stop(&self) {
        if let Some(EngineState::Busy { control, .. }) = &self.engine {
            control.stop.store(true, Ordering::Relaxed);
        }
    }

    fn stop_if_endless(&self) {
        if let Some(EngineState::Busy { until, .. }) = &self.engine
            && until.is_endless()
        {
            self.stop();
        }
    }

    /// Ends an endless search when something waits that means another.
    fn stop_if_replaced(&self) {
        if self.waiting.has_replacement() {
            self.stop_if_endless();
        }
    }

    fn ponder_hit(&mut self) {
        if let Some(EngineState::Busy { control, until }) = &mut self.engine {
            control.ponder_hit.store(true, Ordering::Relaxed);
            if *until == Until::PonderHit {
                *until = Until::Done;
            }
        }
    }

    /// Does a command while the engine is here.
    fn act(&mut self, command: Command) {
        match command {
            Command::Go(Go { perft: Some(_), .. }) | Command::Display | Command::Evaluate
                if self.refused =>
            {
                self.output.remark(REFUSED);
            }
            Command::SetOption { name, value } if self.output.protocol.is_ucci() => {
                self.set_ucci_option(&name, value.as_deref());
            }
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::BanMoves(moves) => self.ban(moves),
            Command::Position { start, moves } => self.set_up(&start, &moves),
            Command::NewGame => {
                if let Some(EngineState::Idle(engine)) = &mut self.engine {
                    engine.new_game();
                }
            }
            Command::Go(Go { perft: Some(depth), .. }) => {
                let (Root { position, dialect }, output) = (self.root(), self.output.clone());
                self.start(Until::Done, move |_, control| {
                    let found = show::perft(&position, depth, dialect, control);
                    vec![found.unwrap_or_else(|| output.remark_text("perft was stopped"))]
                });
            }
            Command::Go(go) => self.go(&go),
            Command::Bench(depth) => {
                let (numbers, output) = (self.options.numbers.clone(), self.output.clone());
                let constants = self.options.constants;
                self.start(Until::Done, move |_, control| {
                    let mut on_position = |name: &str, nodes| {
                        output.remark(format!("{nodes} {name}"));
                    };
                    let game = numbers.game();
                    let found = game.bench(&numbers, depth, constants, control, &mut on_position);
                    vec![match found {
                        Some(Bench { nodes, time }) => {
                            format!("{nodes} nodes {} nps", nodes_per_second(nodes, time))
                        }
                        None => output.remark_text("bench was stopped"),
                    }]
                });
            }
            Command::Display => {
                let Root { position, dialect } = self.root();
                self.output.say(position.diagram(dialect));
            }
            Command::Evaluate => {
                let numbers = &self.options.numbers;
                match numbers.game().explain(numbers, &self.position) {
                    Some(text) => self.output.say(text),
                    None => self.output.remark("nobody explains evaluations of this game"),
                }
            }
            // The others act at once, whatever the engine does.
            _ => {}
        }
    }

    fn introduce(&self) {
        let (version, fingerprint) =
            (env!("CARGO_PKG_VERSION"), self.options.numbers.fingerprint());
        self.output.reply(&Reply::Name(format!("Kamerton {version} ({fingerprint})")));
        self.output.reply(&Reply::Author("the Kamerton authors".to_string()));
        let options = match self.output.protocol {
            Protocol::Uci => self.options.declarations(),
            Protocol::Ucci { .. } => self.ucci_options(),
        };
        options.into_iter().for_each(|option| self.output.reply(&Reply::Option(option)));
        self.output.reply(&Reply::UciOk);
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        match self.options.set(name, value) {
            Ok(change) => self.follow(change),
            Err(message) => self.output.remark(message),
        }
    }

    /// Makes the engine follow a change of options.
    fn follow(&mut self, change: EngineUpdate) {
        let Some(EngineState::Idle(engine)) = &mut self.engine else { return };
        match change {
            EngineUpdate::Nothing => {}
            EngineUpdate::Hash => engine.set_hash(self.options.hash),
            EngineUpdate::Threads => engine.set_threads(self.options.threads),
            EngineUpdate::Clear => engine.new_game(),
            EngineUpdate::Tables => self.open_tables(),
            EngineUpdate::Book => self.read_book(),
            EngineUpdate::Game => self.begin_game(),
        }
    }

    /// Gives the engine the numbers set since it last got some. Not with each option, because it
    /// then forgets all it has found, which takes its time with a large table.
    fn hand_over_parameters(&mut self) {
        if let Some(EngineState::Idle(engine)) = &mut self.engine
            && !engine.numbers().is_same(&self.options.numbers)
        {
            engine.set_numbers(&self.options.numbers);
        }
    }

    /// The position of a FEN; what is left out of it is said. Operations of EPD behind it mean nothing
    /// here.
    fn read_fen(&self, text: &str) -> Result<Position, PositionError> {
        let game = self.position.game();
        let (fen, operations) = game.split_operations(text);
        let (position, left_out) = game.loose_position(fen)?;
        if !operations.is_empty() {
            self.output.remark(format!("ignored behind the position: {operations}"));
        }
        for error in left_out {
            self.output.remark(format!("left out: {error}"));
        }
        Ok(position)
    }

    /// Sets up a position. Until one is accepted after a wrong one, no search is answered by a move: it
    /// would be one of another position.
    fn set_up(&mut self, start: &Start, moves: &[String]) {
        self.banned.clear();
        let read = self.read_position(start, moves);
        self.refused = read.is_err();
        match read {
            Ok((position, line)) => (self.position, self.line) = (position, line),
            Err(error) => self.output.remark(format!("position refused: {error}")),
        }
    }

    /// The position after the moves, and these where it is the usual start that they lead from.
    fn read_position(
        &self,
        start: &Start,
        moves: &[String],
    ) -> Result<(Position, Option<Vec<Move>>), String> {
        let mut position = match start {
            Start::Standard => self.position.game().start(),
            Start::Fen(fen) => self.read_fen(fen).map_err(|error| error.to_string())?,
            Start::Unreadable(error) => return Err(error.to_string()),
        };
        let is_start = position.is_start();
        let mut line = Vec::with_capacity(moves.len());
        for (index, text) in moves.iter().enumerate() {
            let mv = position.parse_dialect(text, self.options.first_rank);
            let mv = mv.map_err(|error| format!("move {}: {error}", index + 1))?;
            position.play(mv);
            line.push(mv);
        }
        Ok((position, is_start.then_some(line)))
    }

    fn go(&mut self, go: &Go) {
        if self.refused {
            return self.answer_nothing(go);
        }
        let Some(go) = &self.search_of(go) else {
            return self.output.reply(&NO_MOVE);
        };
        if self.answer_from_book(go) {
            return;
        }
        let asked = Instant::now();
        self.hand_over_parameters();
        if let Some(EngineState::Idle(engine)) = &mut self.engine {
            engine.set_contempt(self.options.contempt_in_play());
            engine.set_constants(self.options.constants);
        }
        let options = &self.options;
        let root = self.root();
        let (mut limits, illegal) = limits(go, &root, options.multi_pv, options.move_overhead);
        limits.asked = Some(asked);
        if let Some(nodes) = options.nodes_of_strength() {
            limits.nodes = Some(limits.nodes.map_or(nodes, |limit| limit.min(nodes)));
        }
        if !illegal.is_empty() {
            self.output.remark(format!("searchmoves: illegal here: {}", illegal.join(" ")));
        }
        self.hand_over_tables();
        let until = Until::of(&limits);
        let position = self.position.clone();
        let (show_chances, output) = (self.options.show_chances, self.output.clone());
        let (tables, is_drawn) = (self.tables.clone(), go.draw);
        self.start(until, move |engine, control| {
            let outcome = engine.search(&position, &limits, control, &mut |found| {
                output.reply(&Reply::Info(Box::new(info_line(found, &root, show_chances))));
                // Nobody reads any more, and nobody may be left to say `stop`.
                if output.is_closed() {
                    control.stop.store(true, Ordering::Relaxed);
                }
            });
            let mut answer = Answer::new();
            if outcome.best == Move::NONE {
                let over = Reply::Info(Box::new(translation::game_over(&outcome, show_chances)));
                answer.push(output.protocol.reply_text(&over));
            }
            // Before the best move: who has that may not listen any more.
            answer.extend(tables::troubles(tables.as_deref(), &output));
            let best = output.protocol.reply_text(&best_move(&outcome, &root));
            answer.push(best + Session::consent(is_drawn, &outcome));
            answer
        });
    }

    /// Answers a search, when its time has come, by no move.
    fn answer_nothing(&mut self, go: &Go) {
        let (limits, _) = limits(go, &self.root(), 1, Duration::ZERO);
        let output = self.output.clone();
        self.start(Until::of(&limits), move |_, control| {
            wait_until_asked(&limits, control);
            let none = match output.protocol {
                Protocol::Uci => "bestmove 0000",
                Protocol::Ucci { .. } => "nobestmove",
            };
            vec![output.remark_text(REFUSED), none.to_owned()]
        });
    }

    /// Sends the engine into its thread with some work.
    fn start(
        &mut self,
        until: Until,
        work: impl FnOnce(&mut dyn Engine, &Control) -> Answer + Send + 'static,
    ) {
        let Some(EngineState::Idle(mut engine)) = self.engine.take() else {
            unreachable!("work is only given to an idle engine");
        };
        let control = Arc::new(Control::new());
        self.engine = Some(EngineState::Busy { control: Arc::clone(&control), until });
        if self.quitting {
            self.stop();
        }
        let sender = self.sender.clone();
        let job = Box::new(move || {
            let mut death = DeathNotice { sender: Some(sender) };
            let answer = work(&mut *engine, &control);
            if let Some(sender) = death.sender.take() {
                // Nobody receives any more when standard output is closed.
                let _ = sender.send(Event::Done(engine, answer));
            }
        });
        // Should the thread have died, its last job has said so.
        let _ = self.jobs.send(job);
    }
}

/// Starts the engine's thread, which does one job after the other.
fn start_thread() -> Result<Sender<Job>, ThreadError> {
    let (sender, receiver) = channel::<Job>();
    threads::start("search", Some(STACK), move || receiver.into_iter().for_each(|job| job()))?;
    Ok(sender)
}

/// Tells the session when the engine's thread ends without having sent the engine back.
struct DeathNotice {
    sender: Option<SyncSender<Event>>,
}

impl Drop for DeathNotice {
    fn drop(&mut self) {
        if let Some(sender) = self.sender.take() {
            let _ = sender.send(Event::Died);
        }
    }
}
