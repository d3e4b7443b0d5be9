//! The command line: arguments, subcommands, and what they print.

mod params;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Parser, Subcommand};
use engine::parameters::Parameters;

/// Kamerton, a chess engine whose every number is a named parameter.
#[derive(Parser, Debug)]
#[command(name = "kamerton", version)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Print the parameters, with what they mean and their ranges
    Params(params::ParamsArguments),
}

/// Which parameters a command works with.
#[derive(Args, Debug)]
struct Source {
    /// Parameter file to use instead of the embedded one
    #[arg(long, value_name = "FILE")]
    parameters: Option<PathBuf>,
}

impl Source {
    fn load(&self) -> anyhow::Result<Arc<Parameters>> {
        load(self.parameters.as_deref())
    }
}

fn load(path: Option<&Path>) -> anyhow::Result<Arc<Parameters>> {
    match path {
        Some(path) => Ok(Arc::new(Parameters::load(path)?)),
        None => Ok(Arc::clone(Parameters::try_embedded()?)),
    }
}

impl Arguments {
    /// Does what the arguments ask for.
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            None => Ok(()),
            Some(Command::Params(arguments)) => arguments.run(),
        }
    }
}
