//! `sprt check`.

use std::path::PathBuf;
use std::time::Duration;

use crate::check::{self, CHECKS, Check, Settings, Unwatched, Watcher, checks_of};
use anyhow::Result;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use matches::GameOption;
use matches::game::{MoveLimits, milliseconds};
use matches::player::{Contestant, LineLog, Source};

use super::Status;
use super::printing::{answer, answer_json};
use super::statuses::{WrongUse, interruption};

const HELP: &str = "\
The engine is described by words as for `sprt run`: a program, then arg=ARGUMENT, dir=FOLDER,
option.NAME=VALUE, name=NAME, nice=N. Each check has a process of its own and a demand in one
sentence (--list shows all). A finding shows the lines that were sent, the answers, and what to do:
  FAULT    games are lost by it, or a wrong result is taken for a right one
  warning  games go on, but something is not as it should be
  note     worth knowing
All is asked in one game, --game. In other games than chess the positions are those of `bench`, and
some that random games lead to.
Times do not count what the machine kept the engine from running; a busy machine still makes a check
less sure of them. All of it takes half a minute to a minute and a half for an engine that answers.

Exit status: 0 no fault, 1 faults; `sprt --help` has the rest.

Examples:
  All checks of an engine, and those of one that needs an argument:
    sprt check ./engine
    sprt check ./engine arg=uci option.Hash=16
  Does it keep to `go nodes` and `go depth`? Those checks alone, with all lines in a file:
    sprt check ./engine --only go-nodes --only go-depth --log lines.txt
  In a continuous integration: fails if there is a fault, and leaves a report:
    sprt check ./engine --json > check.json
  An engine that plays xiangqi, alone or besides other games:
    sprt check --game xiangqi ./engine
  What a fault looks like:
    sprt check sprt arg=fake-engine arg=--misbehave arg=illegal-move";

/// Arguments of `sprt check`.
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub struct CheckArguments {
    /// The engine's program, then KEY=VALUE words
    #[arg(value_name = "ENGINE", num_args = 1.., required_unless_present = "list")]
    engine: Vec<String>,
    /// Do this check and those that it needs, and no other (repeatable)
    #[arg(long, value_name = "CHECK", value_parser = check_name)]
    only: Vec<String>,
    #[command(flatten)]
    game: GameOption,
    /// How long the engine may take for an answer that should come at once (seconds, 0.001 to 10000000)
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = milliseconds)]
    patience: u64,
    /// Seed of the positions and games that are drawn, any of 64 bits
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// List the checks and what they demand, and do none
    #[arg(long, conflicts_with_all = ["engine", "only", "patience", "seed", "json", "log"])]
    list: bool,
    /// File to which all lines between the check and the engine are appended, each with its time
    /// (seconds), process and direction (> to the engine, < from it, ! on standard error)
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

fn check_name(text: &str) -> Result<String, String> {
    match CHECKS.iter().any(|check| check.name == text) {
        true => Ok(text.to_owned()),
        false => Err("there is no such check: --list names all".to_owned()),
    }
}

impl CheckArguments {
    /// Does the checks and prints what they found.
    pub fn execute(self) -> Result<Status> {
        if self.list {
            let game = self.game.game;
            let line =
                |check: &Check| Some(format!("{:<22}{}\n", check.name, check.demand_in(game)?));
            answer(CHECKS.iter().filter_map(line).collect::<String>())?;
            return Ok(Status::Success);
        }
        let settings = self.settings()?;
        let log = self.log.as_deref().map(LineLog::open).transpose()?;
        let settings = Settings { log, ..settings };
        let interrupted = interruption()?;
        let bar = Bar::new();
        let watcher: &dyn Watcher = if bar.0.is_hidden() { &Unwatched } else { &bar };
        let report = check::examine(&settings, watcher, &interrupted);
        bar.0.finish_and_clear();
        let Some(report) = report else { return Ok(Status::Interrupted) };
        if self.json {
            answer_json(&report)?;
        } else {
            answer(format_args!("{report:#}"))?;
        }
        Ok(if report.faults == 0 { Status::Success } else { Status::Rejected })
    }

    fn settings(&self) -> Result<Settings, WrongUse> {
        let game = self.game.game;
        if let Some(name) =
            self.only.iter().find(|only| checks_of(game).all(|it| it.name != **only))
        {
            return Err(WrongUse(format!("the check {name} makes no sense in {}", game.name())));
        }
        // No limit is needed: the checks say how long it may think.
        let wrong = |error: &dyn std::fmt::Display| WrongUse(error.to_string());
        let limits = MoveLimits::nodes(1);
        let contestant =
            Contestant::parse(&self.engine, limits, None).map_err(|error| wrong(&error))?;
        let loaded = contestant.load(game).map_err(|error| wrong(&error))?;
        let (Source::Uci(mut engine), Some(command)) = (contestant.source, loaded.command()) else {
            let reason = format!("{}: only programs are checked", contestant.name);
            return Err(WrongUse(reason));
        };
        if engine.ucci {
            let reason =
                "the checks are in UCI, and proto=ucci is another protocol: `sprt run` plays it";
            return Err(WrongUse(reason.to_owned()));
        }
        engine.command = command.to_path_buf();
        Ok(Settings {
            engine,
            game,
            name: contestant.name,
            patience: Duration::from_millis(self.patience),
            seed: self.seed,
            only: self.only.clone(),
            log: None,
        })
    }
}

/// Shows on the terminal which check is being done.
struct Bar(ProgressBar);

impl Bar {
    fn new() -> Bar {
        let style = ProgressStyle::with_template("{bar:36} {pos}/{len} {wide_msg}");
        Bar(ProgressBar::no_length().with_style(style.expect("the template is fixed")))
    }
}

impl Watcher for Bar {
    fn on_check(&self, check: &Check, number: usize, checks: usize) {
        self.0.set_length(checks as u64);
        self.0.set_position(number as u64);
        self.0.set_message(check.name);
    }
}
