//! The progress of a run on the terminal.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use crate::pair::PairRecord;
use crate::statistics::logistic_elo;
use crate::test::{Observer, Progress};

/// Shows progress on stderr: a bar on a terminal, else a line now and then.
pub struct Terminal {
    bar: ProgressBar,
    interrupted: Arc<AtomicBool>,
    started: Instant,
    last_line: Mutex<Instant>,
}

impl Terminal {
    /// Time between two lines where there is no terminal.
    const INTERVAL: Duration = Duration::from_secs(30);

    /// Shows a run that stops when `interrupted` is set.
    pub fn new(interrupted: Arc<AtomicBool>) -> Terminal {
        let bar = ProgressBar::no_length();
        let style = ProgressStyle::with_template("{bar:10} {pos}/{len} {wide_msg}");
        bar.set_style(style.expect("the template is fixed"));
        let started = Instant::now();
        Terminal { bar, interrupted, started, last_line: Mutex::new(started) }
    }

    fn message(&self, progress: &Progress) -> String {
        let hypotheses = progress.rules.hypotheses;
        let pairs = progress.counts.pairs();
        let elo = logistic_elo(&progress.counts.sample());
        let played = pairs - progress.resumed_pairs;
        let seconds = self.started.elapsed().as_secs_f64();
        let mut message = format!(
            "LLR {:+.2} [{:.2}, {:.2}] Elo {:+.1} ± {:.1}",
            progress.log_likelihood_ratio,
            hypotheses.lower_bound(),
            hypotheses.upper_bound(),
            elo.value,
            elo.error
        );
        if played > 0 && seconds > 0.0 {
            let pairs_per_second = played as f64 / seconds;
            let left = Duration::from_secs_f64(pairs_left(progress) / pairs_per_second);
            let left = HumanDuration(left);
            message += &format!(" {:.1} games/s {left:#} left", 2.0 * pairs_per_second);
        }
        message
    }
}

impl Observer for Terminal {
    fn on_start(&self, progress: &Progress) {
        self.bar.set_length(progress.rules.pairs);
        self.bar.set_position(progress.counts.pairs());
        if progress.resumed_pairs > 0 {
            self.bar.suspend(|| eprintln!("{} pairs in the journal", progress.resumed_pairs));
        }
    }

    fn on_pair(&self, progress: &Progress, _pair: &PairRecord) {
        if !self.bar.is_hidden() {
            self.bar.set_position(progress.counts.pairs());
            self.bar.set_message(self.message(progress));
            return;
        }
        let mut last_line = self.last_line.lock().expect("printing does not panic");
        if last_line.elapsed() >= Self::INTERVAL {
            *last_line = Instant::now();
            eprintln!("{} pairs: {}", progress.counts.pairs(), self.message(progress));
        }
    }

    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Pairs that are probably left: up to the limit, or fewer if the log-likelihood ratio goes on
/// towards a bound as it did so far.
fn pairs_left(progress: &Progress) -> f64 {
    let Progress { counts, log_likelihood_ratio: ratio, rules, .. } = progress;
    let pairs = counts.pairs() as f64;
    let to_limit = (rules.pairs as f64 - pairs).max(0.0);
    if !rules.early_stop || *ratio == 0.0 {
        return to_limit;
    }
    let hypotheses = rules.hypotheses;
    let bound = if *ratio > 0.0 { hypotheses.upper_bound() } else { hypotheses.lower_bound() };
    (pairs * (bound / ratio - 1.0)).clamp(0.0, to_limit)
}
