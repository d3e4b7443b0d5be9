//! Progress of a step on standard error.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Time between two lines of progress where no bar can be shown.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Progress on standard error: a bar on a terminal, now and then a line elsewhere.
pub(super) struct ProgressDisplay {
    bar: Option<ProgressBar>,
    unit: &'static str,
    total: u64,
    last: Instant,
}

impl ProgressDisplay {
    pub fn new(total: u64, unit: &'static str) -> ProgressDisplay {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("  {bar:30} {pos}/{len} {prefix}, {msg}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(total).with_style(style).with_prefix(unit)
        });
        ProgressDisplay { bar, unit, total, last: Instant::now() }
    }

    pub fn show(&mut self, done: u64, message: impl FnOnce() -> String) {
        match &self.bar {
            Some(bar) => {
                bar.set_position(done);
                bar.set_message(message());
            }
            None if self.last.elapsed() >= LINE_INTERVAL => {
                eprintln!("  {done} of at most {} {}: {}", self.total, self.unit, message());
                self.last = Instant::now();
            }
            None => {}
        }
    }

    pub fn end(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
