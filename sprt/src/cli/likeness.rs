//! `--like`: a run that takes what its command line leaves open from an earlier run.

use std::path::PathBuf;

use anyhow::Result;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, FromArgMatches};
use matches::run::{self, Competition, RunPlan};

/// The earlier run, if there is one.
#[derive(Args, Clone, Debug)]
pub struct LikeOptions {
    #[command(flatten)]
    given: Given,
    /// Folder of an earlier run, from which all comes that this command line leaves open: players
    /// and their limits, openings, seed, rules. A flag that was set then stays set
    #[arg(long, value_name = "FOLDER")]
    like: Option<PathBuf>,
}

/// A command line's options, and the plan of the earlier run that it names.
pub struct Likeness<R> {
    given: Given,
    plan: Option<RunPlan<R>>,
}

impl LikeOptions {
    /// Reads the header of the earlier run.
    pub fn read<C: Competition>(&self) -> Result<Likeness<C::Rules>> {
        let plan = self.like.as_deref().map(run::plan_of::<C>).transpose()?;
        Ok(Likeness { given: self.given.clone(), plan })
    }
}

impl<R> Likeness<R> {
    /// True if an option, by its name with underscores, stands on the command line.
    pub fn is_given(&self, option: &str) -> bool {
        self.given.0.value_source(option) == Some(ValueSource::CommandLine)
    }

    /// The plan of the earlier run.
    pub fn plan(&self) -> Option<&RunPlan<R>> {
        self.plan.as_ref()
    }

    /// The value of an option if it is given, else that of the earlier run, else its default.
    pub fn choose<T>(&self, option: &str, own: T, theirs: impl FnOnce(&RunPlan<R>) -> T) -> T {
        match &self.plan {
            Some(plan) if !self.is_given(option) => theirs(plan),
            _ => own,
        }
    }
}

/// All that stands on the command line. Must be read before any other field, which would take its
/// own value away.
#[derive(Clone, Debug)]
struct Given(ArgMatches);

impl FromArgMatches for Given {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Given, clap::Error> {
        Ok(Given(matches.clone()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Given(matches.clone());
        Ok(())
    }
}

impl Args for Given {
    fn augment_args(command: clap::Command) -> clap::Command {
        command
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        command
    }
}
