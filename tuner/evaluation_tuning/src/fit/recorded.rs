//! The fit of an evaluation to recorded positions, whatever the game: chess has a closing formula of its
//! own (`own_evaluation.rs`), and other games tell linear traces (`traces.rs`).

use std::sync::Arc;

use matches::games;
use playable::{Game, Numbers};
use positions::Sample;

use super::report::Report;
use super::settings::FitSettings;
use super::traces::{Traces, fit_traces};
use super::{ProgressLines, own_evaluation};
use crate::model::linear::ParameterFile;

/// The fit of a game's evaluation.
pub struct Fit {
    /// The starting numbers with fitted weights.
    pub numbers: Numbers,
    /// Errors, iterations, and each number's change.
    pub report: Report,
}

/// Fits the weights of `start` to the samples, on the threads of the current pool.
///
/// # Errors
/// When there are too few positions, a temporary file fails, the game's evaluation is not traced,
/// [`Singular`](super::Singular) when the positions do not determine the values, and
/// [`command_line::WrongUse`] for words that name no number.
pub fn fit(
    samples: Vec<Sample>,
    start: &Numbers,
    settings: &FitSettings,
    seed: u64,
    progress: ProgressLines<'_>,
) -> anyhow::Result<Fit> {
    if games::is_usual(&start.game()) {
        let (tuned, report) =
            own_evaluation::fit(samples, &start.typed(), settings, seed, progress)?;
        return Ok(Fit { numbers: Arc::new(tuned).into(), report });
    }
    let (traces, parameters) = (Traces::Recorded(&samples, start), ParameterFile::of(start));
    let (fitted, report) = fit_traces(traces, &parameters, settings, None, seed, progress)?;
    let mut numbers = start.clone();
    parameters.put(&fitted.values, &mut numbers)?;
    Ok(Fit { numbers, report })
}

/// Checks what the single options do not, for a fit of the game's evaluation.
///
/// # Errors
/// [`command_line::WrongUse`] when too few games are left to fit to, for words that name no number, and
/// for options that the game's fit does not have.
pub fn check(settings: &FitSettings, game: Game) -> anyhow::Result<()> {
    match games::is_usual(&game) {
        true => settings.check(),
        false => Ok(settings.check_for_traces()?),
    }
}

/// Whether values are known to say nothing of results but who has more men.
pub fn says_nothing(values: &Numbers) -> bool {
    games::is_usual(&values.game()) && own_evaluation::says_nothing(&values.typed())
}

impl Fit {
    /// The comment at the top of a tuned file: where it comes from.
    pub fn notes(&self, start: &Numbers, start_name: &str, sources: &[String]) -> String {
        let start = format!("from {start_name} ({})", start.fingerprint());
        self.report.notes(&start, sources)
    }
}
