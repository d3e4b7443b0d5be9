//! `tuner export`: an engine binary with a parameter file embedded, checked, with its manifest
//! beside it.

use std::path::PathBuf;

use clap::Args;

/// Build the engine with a parameter file embedded, and prove that it plays those numbers.
///
/// The binary's `bench` must equal the bench of this program's engine with the same file loaded;
/// otherwise nothing is left behind. The manifest lies beside the binary as OUTPUT.json and is
/// printed by `OUTPUT params --manifest`.
#[derive(Args, Clone, Debug)]
pub struct ExportArguments {
    /// Parameter file to embed.
    #[arg(long, value_name = "FILE")]
    pub parameters: PathBuf,
    /// Binary to write.
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// Processor to build for, as rustc's target-cpu: native, x86-64-v2, x86-64-v3 … [default: the
    /// workspace's]
    #[arg(long, value_name = "NAME")]
    pub target_cpu: Option<String>,
    /// Workspace to build from [default: the one this program was built from].
    #[arg(long, value_name = "FOLDER")]
    pub workspace: Option<PathBuf>,
}

/// Runs `tuner export`.
///
/// # Errors When the file is unusable, the build fails or the checks find a difference; nothing is
/// written then.
pub fn run(_arguments: &ExportArguments) -> anyhow::Result<()> {
    anyhow::bail!("export waits for the engine's bench")
}
