//! How a run is followed on standard error: a line a step with the clock in front, and a bar while a
//! step takes long.

use std::fmt::Display;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use system::tell;

/// Time between two lines of progress where no bar can be shown, if details are asked for.
const LINE_INTERVAL: Duration = Duration::from_secs(10);
/// Time between two turns of what shows that a step goes on.
const TURN: Duration = Duration::from_millis(120);

/// Says what was done, and when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Voice {
    started: Instant,
    verbose: bool,
}

impl Voice {
    /// A clock that begins now; details are said only where `verbose`.
    pub fn new(verbose: bool) -> Voice {
        Voice { started: Instant::now(), verbose }
    }

    /// A step is done: a line with the clock in front.
    pub fn step(&self, text: impl Display) {
        tell(format_args!("{:>5}  {text}", clock(self.started.elapsed())));
    }

    pub fn detail(&self, text: impl Display) {
        if self.verbose {
            tell(format_args!("       {text}"));
        }
    }

    /// A step that begins, of so much work; where nobody knows how much, none.
    pub fn begin(self, what: &str, total: Option<u64>, unit: &'static str) -> ProgressDisplay {
        let bar = std::io::stderr().is_terminal().then(|| {
            let (bar, template) = match total {
                Some(total) => {
                    let template = "       {prefix}: {bar:20} {pos} of at most {len} {msg}";
                    (ProgressBar::new(total), template)
                }
                None => (ProgressBar::new_spinner(), "       {prefix} {spinner}"),
            };
            let style = ProgressStyle::with_template(template)
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = bar.with_style(style).with_prefix(what.to_string());
            if total.is_none() {
                bar.enable_steady_tick(TURN);
            }
            bar
        });
        self.detail(what);
        ProgressDisplay { voice: self, bar, unit, done: 0, total, last: Instant::now() }
    }
}

/// Progress on standard error: a bar on a terminal, now and then a line elsewhere.
pub(super) struct ProgressDisplay {
    voice: Voice,
    bar: Option<ProgressBar>,
    unit: &'static str,
    done: u64,
    total: Option<u64>,
    last: Instant,
}

impl ProgressDisplay {
    /// So much more is done.
    pub fn advance(&mut self, more: u64, message: impl FnOnce() -> String) {
        self.show(self.done + more, message);
    }

    /// So much is done in all.
    pub fn show(&mut self, done: u64, message: impl FnOnce() -> String) {
        self.done = done;
        match &self.bar {
            Some(bar) => {
                bar.set_position(done);
                bar.set_message(format!("{}, {}", self.unit, message()));
            }
            None if self.last.elapsed() >= LINE_INTERVAL => {
                let total = self.total.map_or(String::new(), |it| format!(" of at most {it}"));
                self.voice.detail(format!("{done}{total} {}: {}", self.unit, message()));
                self.last = Instant::now();
            }
            None => {}
        }
    }
}

impl Drop for ProgressDisplay {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A time as a clock shows it: minutes and seconds, with hours before them where there are any.
pub(super) fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        hours => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

pub(super) fn spoken(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..=99 => format!("{} s", seconds.max(1)),
        seconds @ 100..=5999 => format!("{} min", (seconds + 30) / 60),
        seconds => format!("{:.1} h", seconds as f64 / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_show_hours_where_there_are_any() {
        let shown = |seconds| clock(Duration::from_secs(seconds));
        assert_eq!(
            [0, 38, 300, 3599, 3600, 36_125].map(shown),
            ["0:00", "0:38", "5:00", "59:59", "1:00:00", "10:02:05"]
        );
    }
}
