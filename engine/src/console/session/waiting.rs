//! Commands that wait until the engine has done its work.

use std::collections::VecDeque;

use uci::Command;

/// Commands in the order they came. Kinds that the session asks about with each new command are
/// counted, so that many that wait cost no more than few.
#[derive(Default)]
pub struct Waiting {
    commands: VecDeque<Command>,
    work: usize,
    replacements: usize,
    stops: usize,
}

impl Waiting {
    /// Lets a command wait behind all others.
    pub fn push(&mut self, command: Command) {
        self.work += usize::from(is_work(&command));
        self.replacements += usize::from(is_replacement(&command));
        self.stops += usize::from(command == Command::Stop);
        self.commands.push_back(command);
    }

    /// Takes the command that has waited longest.
    pub fn pop(&mut self) -> Option<Command> {
        let command = self.commands.pop_front()?;
        self.work -= usize::from(is_work(&command));
        self.replacements -= usize::from(is_replacement(&command));
        self.stops -= usize::from(command == Command::Stop);
        Some(command)
    }

    /// Takes the command that has waited longest if it is a signal to the work before it.
    pub fn pop_signal(&mut self) -> Option<Command> {
        let signal = matches!(self.commands.front()?, Command::Stop | Command::PonderHit);
        if signal { self.pop() } else { None }
    }

    /// True if a command waits that a signal may be meant for.
    pub fn has_work(&self) -> bool {
        self.work > 0
    }

    /// True if a `stop` waits: it is meant for all work before it.
    pub fn has_stop(&self) -> bool {
        self.stops > 0
    }

    /// True if a command waits that means another search than the one that runs.
    pub fn has_replacement(&self) -> bool {
        self.replacements > 0
    }
}

fn is_work(command: &Command) -> bool {
    matches!(command, Command::Go(_) | Command::Bench(_))
}

fn is_replacement(command: &Command) -> bool {
    is_work(command) || matches!(command, Command::NewGame)
}
