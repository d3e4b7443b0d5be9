//! `sprt fake-engine`.

use std::io::{BufRead, Write};

use anyhow::Result;
use clap::Args;
use engine::chess::Position;
use engine::uci::{Command, Start};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use sprt::random::stream;

use super::Status;

/// Arguments of `sprt fake-engine`.
#[derive(Args, Debug)]
pub struct FakeEngineArguments {
    /// Seed of the moves, unless the option `Seed` is set
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
}

/// The engine's state.
struct FakeEngine {
    seed: u64,
    random: ChaCha8Rng,
    position: Position,
}

impl FakeEngineArguments {
    /// Speaks UCI until `quit` or the end of the input.
    pub fn execute(self) -> Result<Status> {
        let mut engine = FakeEngine {
            seed: self.seed,
            random: stream(self.seed, 0),
            position: Position::start(),
        };
        let mut input = std::io::stdin().lock();
        let mut output = std::io::stdout().lock();
        let mut line = String::new();
        let mut reply = String::new();
        loop {
            line.clear();
            if input.read_line(&mut line)? == 0 {
                return Ok(Status::Success);
            }
            let Ok(Some(parsed)) = Command::parse(&line) else { continue };
            reply.clear();
            if engine.obey(parsed.command, &mut reply).is_none() {
                return Ok(Status::Success);
            }
            if !reply.is_empty() {
                output.write_all(reply.as_bytes())?;
                output.flush()?;
            }
        }
    }
}

impl FakeEngine {
    /// Does what a command says. `None` at the end.
    fn obey(&mut self, command: Command, reply: &mut String) -> Option<()> {
        match command {
            Command::Uci => reply.push_str(
                "id name Fake engine\nid author the Kamerton authors\n\
                 option name Seed type string default 0\n\
                 option name Stream type string default 0\n\
                 option name UCI_Chess960 type check default false\nuciok\n",
            ),
            Command::IsReady => reply.push_str("readyok\n"),
            Command::SetOption { name, value } => {
                let number = value.and_then(|value| value.parse().ok()).unwrap_or(0);
                match name.as_str() {
                    "Seed" => self.seed = number,
                    "Stream" => self.random = stream(self.seed, number),
                    _ => {}
                }
            }
            Command::Position { start, moves } => self.set_up(&start, &moves),
            Command::Go(_) => {
                let moves = self.position.legal_moves();
                reply.push_str("info depth 1 score cp 0 nodes 1\nbestmove ");
                if moves.is_empty() {
                    reply.push_str("(none)");
                } else {
                    let mv = moves[self.random.random_range(0..moves.len())];
                    reply.push_str(&self.position.uci(mv, self.position.chess960()));
                }
                reply.push('\n');
            }
            Command::Quit => return None,
            _ => {}
        }
        Some(())
    }

    fn set_up(&mut self, start: &Start, moves: &[String]) {
        let position = match start {
            Start::Standard => Ok(Position::start()),
            Start::Fen(fen) => Position::from_fen(fen),
        };
        let Ok(mut position) = position else { return };
        for text in moves {
            let Ok(mv) = position.parse_uci(text) else { return };
            position.play(mv);
        }
        self.position = position;
    }
}
