//! `tuner auto`: the loop record, fit, test, accept or keep, export, generation by generation.

use clap::Args;

/// Run the whole loop: record, fit, test, accept or keep, export.
#[derive(Args, Clone, Debug)]
pub struct AutoArguments {
    /// Time for all of it, as 90s, 5m, 2h.
    #[arg(long, value_name = "TIME")]
    pub budget: Option<String>,
}

/// Runs `tuner auto`.
///
/// # Errors
/// When a step fails; what was finished stays and is found again by the next call.
pub fn run(_arguments: &AutoArguments) -> anyhow::Result<()> {
    anyhow::bail!("the loop waits for matches")
}
