//! A user interface for tests: starts the binary and speaks with it.

use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};

use uci::{InfoLine, Reply};

use crate::child::Guarded;

/// A running engine.
pub struct Session {
    child: Guarded,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Session {
    pub fn start() -> Session {
        Session::start_with(&|_| ())
    }

    /// A session with more arguments, or another environment.
    pub fn start_with(prepare: &dyn Fn(&mut Command)) -> Session {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kamerton"));
        command.env_remove("KAMERTON_OPTIONS");
        prepare(&mut command);
        let child = Guarded::spawn(command.stdin(Stdio::piped()).stdout(Stdio::piped()));
        let stdin = Some(child.take_stdin());
        let stdout = BufReader::new(child.take_stdout());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines() {
                if sender.send(line.unwrap()).is_err() {
                    break;
                }
            }
        });
        Session { child, stdin, lines }
    }

    /// Sends bytes as they are, without a line break.
    pub fn send_raw(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes).unwrap();
        stdin.flush().unwrap();
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let mut line = bytes.to_vec();
        line.push(b'\n');
        self.send_raw(&line);
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(line.as_bytes());
    }

    pub fn line(&self) -> String {
        self.try_line().expect("a line before its end")
    }

    /// The next line; none if it ends before.
    pub fn try_line(&self) -> Option<String> {
        self.lines.recv().ok()
    }

    /// Reads up to a line that begins so, and returns all lines read.
    pub fn until(&self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.line();
            let last = line.starts_with(start);
            lines.push(line);
            if last {
                return lines;
            }
        }
    }

    /// The best move of the running search and the infos before it.
    pub fn best_move(&self) -> (Option<String>, Vec<InfoLine>) {
        let lines = self.until("bestmove");
        let mut infos = Vec::new();
        for line in &lines {
            match Reply::parse(line) {
                Some(Reply::Info(info)) => infos.push(*info),
                Some(Reply::BestMove { best, .. }) => return (best, infos),
                other => panic!("{line:?}: {other:?}"),
            }
        }
        unreachable!("the last line is a best move")
    }

    /// What comes before the answer to `isready`.
    pub fn until_ready(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// The FEN that `d` shows.
    pub fn fen(&mut self) -> String {
        self.send("d");
        let line = self.until("Fen: ").pop().unwrap();
        self.until("Checkers:");
        line["Fen: ".len()..].to_string()
    }

    /// Ends the input, reads what is left, and waits for the end.
    pub fn end(&mut self) -> (Vec<String>, ExitStatus) {
        drop(self.stdin.take());
        self.wait()
    }

    pub fn wait(&mut self) -> (Vec<String>, ExitStatus) {
        (self.lines.iter().collect(), self.child.wait())
    }
}
