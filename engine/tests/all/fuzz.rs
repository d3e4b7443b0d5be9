//! Sessions of nonsense: random bytes, lines of the protocol that are cut, bent and interleaved,
//! illegal positions and extreme numbers. Whatever is sent, every `go` is answered by one legal
//! move or count, and the engine ends with its input.
//!
//! What must be answered and how is told by a model of the session: the first word of each line,
//! and positions kept by the rules code, which is proved by counts of moves. The short form takes
//! fixed seeds. The long form, `cargo test -p engine --test all -- --ignored fuzz --nocapture`, takes
//! new ones from `KAMERTON_FUZZ_SEED` [default: 1000] on for `KAMERTON_FUZZ_SECONDS` [default: 600].
//! Failures name the seed and show the lines that were sent last.

mod model;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use chess::rules::chess960_start;
use chess::{Margins, Parameters, Weights};
use chess::{Move, Position};
use parameters::Number;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use uci::{Command, Go, Reply};

use super::driver::Session;
use model::{Question, is_quick, judge, set_up};

/// What the lines are cut and mixed from.
const WORDS: &str = "uci isready ucinewgame position startpos fen moves e2e4 e7e5 e1g1 e1h1 a7a8q \
    go depth 1 2 3 nodes 50 300 movetime 5 -1 0 wtime btime winc binc movestogo mate searchmoves \
    infinite ponder perft stop ponderhit setoption name value MultiPV UCI_Chess960 UCI_ShowWDL \
    Threads Ponder Clear Hash true false debug on off d eval help register bench \
    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - K7/8/8/8/8/8/8/k7 é 99999999999999999999";

/// Searches that end soon, whatever the numbers.
const QUICK_GO: [&str; 14] = [
    "go nodes 300",
    "go nodes 1",
    "go nodes 1500",
    "go depth 1 nodes 1000",
    "go depth 0",
    "go depth -3",
    "go depth x",
    "go depth",
    "go movetime 5",
    "go movetime 0",
    "go wtime 20 btime 20 winc 1 binc 1",
    "go wtime 0 btime -50 movestogo 0",
    "go nodes 200 searchmoves",
    "go perft 2",
];

/// Searches and counts that only a signal ends.
const ENDLESS_GO: [&str; 8] = [
    "go",
    "go infinite",
    "go infinite depth 2",
    "go ponder nodes 200",
    "go ponder wtime 20 btime 20",
    "go depth 127",
    "go mate 30",
    "go perft 20",
];

/// A session and the model of it.
struct Fuzzer {
    random: ChaCha8Rng,
    seed: u64,
    session: Session,
    folder: tempfile::TempDir,
    /// What the engine must think the position is.
    position: Position,
    /// Another was asked for since, and is none.
    refused: bool,
    questions: VecDeque<Question>,
    sent: VecDeque<String>,
}

impl Fuzzer {
    fn new(seed: u64) -> Fuzzer {
        let mut fuzzer = Fuzzer {
            random: ChaCha8Rng::seed_from_u64(seed),
            seed,
            session: Session::start(),
            folder: tempfile::tempdir().expect("a folder for a while"),
            position: Position::start(),
            refused: false,
            questions: VecDeque::new(),
            sent: VecDeque::new(),
        };
        // Small, because it is cleared often.
        fuzzer.send(b"setoption name Hash value 1");
        fuzzer
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.random.random_range(0..words.len())]
    }

    fn fail(&self, message: &str) -> ! {
        let sent: Vec<&str> = self.sent.iter().map(String::as_str).collect();
        panic!("seed {}: {message}; sent last:\n{}", self.seed, sent.join("\n"));
    }

    /// Sends a line, and notes what it means.
    fn send(&mut self, line: &[u8]) {
        self.note(line);
        self.session.send_bytes(line);
    }

    fn note(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line).into_owned();
        let first = text.split_whitespace().next();
        match Command::parse(&text).ok().flatten().map(|parsed| parsed.command) {
            Some(Command::Go(go)) => {
                let position = (!self.refused).then(|| self.position.clone());
                self.questions.push_back(Question { position, go });
            }
            _ if first == Some("go") => self.fail(&format!("no go: {text:?}")),
            Some(Command::Position { start, moves }) => {
                let position = set_up(&start, &moves);
                self.refused = position.is_none();
                self.position = position.unwrap_or_else(|| self.position.clone());
            }
            _ => {}
        }
        self.sent.push_back(text.chars().take(2_000).collect());
        if self.sent.len() > 40 {
            self.sent.pop_front();
        }
    }

    /// Sends a line unless it would end the session or fill the machine's memory; `stop` follows
    /// what might not end.
    fn send_wild(&mut self, line: &[u8]) {
        if line.contains(&b'\n') {
            return;
        }
        let text = String::from_utf8_lossy(line);
        let heavy = match Command::parse(&text).ok().flatten().map(|parsed| parsed.command) {
            Some(Command::Quit) => return,
            Some(Command::SetOption { name, .. }) if name.eq_ignore_ascii_case("hash") => return,
            Some(Command::Go(go)) => !is_quick(&go, &self.position),
            Some(Command::Bench(_)) => true,
            _ => false,
        };
        self.send(line);
        if heavy {
            self.send(b"stop");
        }
    }

    /// One line of some kind.
    fn line(&mut self) {
        match self.random.random_range(0..20) {
            0 => {
                let length = self.random.random_range(0..200);
                let bytes: Vec<u8> = (0..length).map(|_| self.random.random()).collect();
                self.send_wild(&bytes);
            }
            1 | 2 => {
                let words: Vec<&str> = WORDS.split_whitespace().collect();
                let count = self.random.random_range(1..9);
                let line: Vec<&str> = (0..count).map(|_| self.pick(&words)).collect();
                let line = self.bend(line.join(" ").into_bytes());
                self.send_wild(&line);
            }
            3..=5 => {
                let line = self.game();
                self.send(&line);
            }
            6 => {
                let line = self.game();
                let line = self.bend(line);
                self.send_wild(&line);
            }
            7 => {
                let fen = self.random_fen();
                self.send(format!("position fen {fen}").as_bytes());
            }
            8..=11 => {
                let line = self.pick(&QUICK_GO);
                self.send(line.as_bytes());
            }
            12 => {
                let line = self.pick(&ENDLESS_GO);
                self.send(line.as_bytes());
                self.send(b"stop");
            }
            13 => {
                let line = self.pick(&QUICK_GO).as_bytes().to_vec();
                let line = self.bend(line);
                self.send_wild(&line);
            }
            14 => {
                let moves: Vec<String> = self.moves().collect();
                let count = self.random.random_range(0..4.min(moves.len() + 1));
                let line = format!("go searchmoves {} e2e5 nodes 100", moves[..count].join(" "));
                self.send(line.as_bytes());
            }
            15 => {
                let signal = self.pick(&["stop", "ponderhit", "isready", "uci", "ucinewgame", "d"]);
                self.send(signal.as_bytes());
            }
            16 => {
                let number = self.random_number();
                let (low, high) = number.range();
                let value = match self.random.random_range(0..4) {
                    0 => i64::from(low),
                    1 => i64::from(high),
                    2 => i64::from(high) + 1,
                    _ => self.random.random_range(i64::from(low)..=i64::from(high)),
                };
                let line = format!("setoption name {} value {value}", number.name());
                self.send(line.as_bytes());
            }
            17 => self.load_parameters(),
            18 => {
                let option = self.pick(&[
                    "Constants value true",
                    "Constants value false",
                    "MultiPV value 1",
                    "MultiPV value 256",
                    "MultiPV value 3",
                    "Move Overhead value 0",
                    "Move Overhead value 10000",
                    "UCI_Chess960 value true",
                    "UCI_Chess960 value false",
                    "UCI_ShowWDL value true",
                    "Threads value 1",
                    "Threads value 2",
                    "Threads value 9",
                    "Clear Hash",
                    "Hash value 2",
                ]);
                self.send(format!("setoption name {option}").as_bytes());
            }
            _ => {
                let many = self.random.random_range(1..40);
                for _ in 0..many {
                    self.send(b"position startpos moves e2e4 e7e5");
                }
            }
        }
    }

    /// Cuts a line off somewhere, or changes, doubles or removes a byte or word.
    fn bend(&mut self, mut line: Vec<u8>) -> Vec<u8> {
        if line.is_empty() {
            return line;
        }
        let at = self.random.random_range(0..line.len());
        match self.random.random_range(0..5) {
            0 => line.truncate(at),
            1 => line[at] = self.random.random(),
            2 => line.insert(at, b' '),
            3 => {
                line.remove(at);
            }
            _ => {
                let mut words: Vec<&[u8]> = line.split(|&byte| byte == b' ').collect();
                let (from, to) = (
                    self.random.random_range(0..words.len()),
                    self.random.random_range(0..words.len()),
                );
                words.swap(from, to);
                line = words.join(&b' ');
            }
        }
        line
    }

    /// `position` with a game of random moves.
    fn game(&mut self) -> Vec<u8> {
        let (mut line, mut position) = match self.random.random_range(0..4) {
            0 => ("position startpos".to_string(), Position::start()),
            1 => {
                let start = chess960_start(self.random.random_range(0..960));
                (format!("position fen {}", start.to_fen(true)), start)
            }
            _ => {
                let fen = self.random_fen();
                let position = Position::from_fen(&fen).unwrap_or_default();
                (format!("position fen {}", position.to_fen(true)), position)
            }
        };
        let most = [4, 30, 400][self.random.random_range(0..3)];
        let plies = self.random.random_range(0..most);
        line += " moves";
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[self.random.random_range(0..moves.len())];
            line += &format!(" {}", position.uci(mv, position.chess960()));
            position.play(mv);
        }
        line.into_bytes()
    }

    /// A board of random men with random fields behind it; many are illegal.
    fn random_fen(&mut self) -> String {
        let mut squares = [' '; 64];
        let most = [6, 12, 40][self.random.random_range(0..3)];
        let men = self.random.random_range(1..most);
        let kinds: Vec<char> = "PPPPNBRQppppnbrq".chars().collect();
        for _ in 0..men {
            let square = self.random.random_range(0..64);
            squares[square] = kinds[self.random.random_range(0..kinds.len())];
        }
        let kings = if self.random.random_bool(0.95) { "Kk" } else { "KKk" };
        for king in kings.chars() {
            squares[self.random.random_range(0..64)] = king;
        }
        if self.random.random_bool(0.8) {
            for square in (0..8).chain(56..64) {
                if squares[square].eq_ignore_ascii_case(&'p') {
                    squares[square] = ' ';
                }
            }
        }
        let ranks: Vec<String> = squares
            .chunks(8)
            .map(|rank| {
                let mut text = String::new();
                let mut empty = 0;
                for &man in rank {
                    if man == ' ' {
                        empty += 1;
                        continue;
                    }
                    if empty > 0 {
                        text += &empty.to_string();
                    }
                    empty = 0;
                    text.push(man);
                }
                if empty > 0 {
                    text += &empty.to_string();
                }
                text
            })
            .collect();
        let mover = self.pick(&["w", "b"]);
        let castling = self.pick(&["-", "-", "-", "KQkq", "Kq", "HAha", "Gb"]);
        let en_passant = self.pick(&["-", "-", "-", "e3", "d6", "a6"]);
        let clocks = self.pick(&["0 1", "99 80", "100 200", "0 65535", "75 9999", "-1 0"]);
        format!("{} {mover} {castling} {en_passant} {clocks}", ranks.join("/"))
    }

    /// Legal moves of the position as text.
    fn moves(&self) -> impl Iterator<Item = String> {
        let position = self.position.clone();
        let moves: Vec<Move> = position.legal_moves().iter().copied().collect();
        moves.into_iter().map(move |mv| position.uci(mv, position.chess960()))
    }

    fn random_number(&mut self) -> Number {
        let all: Vec<Number> = if self.random.random_bool(0.5) {
            Margins::numbers().collect()
        } else {
            Weights::numbers().collect()
        };
        all[self.random.random_range(0..all.len())]
    }

    /// Writes a file of extreme numbers and loads it, or the embedded numbers again.
    fn load_parameters(&mut self) {
        let kind = self.random.random_range(0..6);
        let mut parameters = (**Parameters::embedded()).clone();
        for number in Parameters::numbers() {
            let (low, high) = number.range();
            let value = match kind {
                0 => low,
                1 => high,
                2 if self.random.random_bool(0.5) => low,
                2 => high,
                3 if self.random.random_bool(0.05) => self.random.random_range(low..=high),
                _ => continue,
            };
            number.set(&mut parameters, value.into()).expect("the value is in range");
        }
        let path: PathBuf =
            self.folder.path().join(format!("{}.toml", self.random.random::<u64>()));
        let mut text = parameters.to_toml().into_bytes();
        if kind == 4 {
            // Maybe within a letter.
            text.truncate(self.random.random_range(0..text.len()));
        }
        std::fs::write(&path, text).expect("the folder is writable");
        let name = if kind == 5 { "<empty>".into() } else { path.display().to_string() };
        self.send(format!("setoption name ParametersFile value {name}").as_bytes());
        // Read before it is removed.
        if kind != 5 {
            self.settle();
        }
        let _ = std::fs::remove_file(path);
    }

    /// Lets the engine come to rest, and checks that all questions are answered.
    fn settle(&mut self) {
        self.send(b"stop");
        while !self.questions.is_empty() {
            self.hear_next();
        }
        // Done in its turn, unlike `isready`.
        let mark = format!("mark{}", self.random.random::<u32>());
        self.send(format!("setoption name {mark}").as_bytes());
        let answer = format!("info string unknown option `{mark}`");
        while self.hear_next() != answer {}
        self.send(b"d");
        if self.refused {
            while self.hear_next() != REFUSED {}
            return;
        }
        let expected = format!("Fen: {}", self.position.to_fen(false));
        let shown = loop {
            let line = self.hear_next();
            if line.starts_with("Fen: ") {
                break line;
            }
        };
        // Castling rights may be written in two ways.
        let fen = Position::from_fen(&shown[5..]).map(|position| position.to_fen(false));
        if fen.as_deref() != Ok(&expected[5..]) {
            self.fail(&format!("{shown:?}, not {expected:?}"));
        }
        while !self.hear_next().starts_with("Checkers:") {}
    }

    fn hear_next(&mut self) -> String {
        let Some(line) = self.session.try_line() else { self.fail("it has ended, or was killed") };
        self.hear(&line);
        line
    }

    /// Judges a line of the engine.
    fn hear(&mut self, line: &str) {
        let is_refused_count =
            |question: &Question| question.position.is_none() && question.go.perft.is_some();
        if line == REFUSED && self.questions.front().is_some_and(is_refused_count) {
            self.questions.pop_front();
            return;
        }
        let stopped_or_counted = line.starts_with("Nodes searched: ") || line == STOPPED_PERFT;
        if stopped_or_counted {
            match self.questions.pop_front() {
                Some(Question { go: Go { perft: Some(_), .. }, .. }) => {}
                _ => self.fail(&format!("{line:?} answers nothing")),
            }
            return;
        }
        match Reply::parse(line) {
            Some(Reply::BestMove { best, .. }) => {
                let Some(question) = self.questions.pop_front() else {
                    self.fail(&format!("{line:?} answers nothing"));
                };
                if let Err(message) = judge(&question, best.as_deref()) {
                    self.fail(&format!("{line:?}: {message}"));
                }
            }
            Some(Reply::Info(info)) if !info.line.is_empty() => {
                let Some(question) = self.questions.front() else {
                    self.fail(&format!("{line:?} is about nothing"));
                };
                let Some(mut position) = question.position.clone() else {
                    self.fail(&format!("{line:?}: the position was refused"));
                };
                for text in &info.line {
                    match position.parse_uci(text) {
                        Ok(mv) => position.play(mv),
                        Err(error) => self.fail(&format!("{line:?}: {error}")),
                    }
                }
            }
            _ => {}
        }
    }

    /// Ends the session in one of several ways, with questions unanswered.
    fn end(mut self) {
        for _ in 0..self.random.random_range(0..4) {
            let line = self.pick(&QUICK_GO);
            self.send(line.as_bytes());
        }
        match self.random.random_range(0..3) {
            0 => self.send(b"quit"),
            1 => {
                let line = self.game();
                let line = &line[..self.random.random_range(0..line.len())];
                self.note(line);
                self.session.send_raw(line);
            }
            _ => {
                let line = self.pick(&["go", "go infinite", "go ponder", "go nodes 1"]);
                self.note(line.as_bytes());
                self.session.send_raw(line.as_bytes());
            }
        }
        let (lines, status) = self.session.end();
        for line in lines {
            self.hear(&line);
        }
        if !self.questions.is_empty() {
            self.fail(&format!("{} questions without an answer", self.questions.len()));
        }
        if !status.success() {
            self.fail(&format!("ended with {status}"));
        }
    }
}

const REFUSED: &str = "info string there is no position: the last one was refused; send another";
const STOPPED_PERFT: &str = "info string perft was stopped";

/// Rounds of a session.
const ROUNDS: u32 = 12;

/// One session of so many rounds; after each, everything must be answered.
fn fuzz(seed: u64, rounds: u32) {
    let mut fuzzer = Fuzzer::new(seed);
    for _ in 0..rounds {
        for _ in 0..fuzzer.random.random_range(1..30) {
            fuzzer.line();
        }
        fuzzer.settle();
    }
    fuzzer.end();
}

#[test]
fn every_go_of_wild_sessions_is_answered_by_one_legal_move() {
    for seed in 0..6 {
        fuzz(seed, ROUNDS);
    }
}

/// Ten minutes of new seeds, or as long as asked for.
#[test]
#[ignore = "takes ten minutes"]
fn every_go_of_many_wild_sessions_is_answered_by_one_legal_move() {
    let number = |name: &str, default: u64| match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")),
        Err(_) => default,
    };
    let time = Duration::from_secs(number("KAMERTON_FUZZ_SECONDS", 600));
    let (start, first) = (Instant::now(), number("KAMERTON_FUZZ_SEED", 1_000));
    let mut seeds = first..;
    while start.elapsed() < time {
        fuzz(seeds.next().expect("there are more seeds than minutes"), ROUNDS);
    }
    eprintln!("{} sessions, seeds {first} to {}", seeds.start - first, seeds.start - 1);
}
