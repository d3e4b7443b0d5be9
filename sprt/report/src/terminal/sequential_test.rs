//! The progress of a run on the terminal.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use matches::game::PairRecord;
use matches::run::{Observer, PlayerFaults};
use matches::sequential_test::{Description, Progress, SequentialTest};
use statistics::PairCounts;
use system::paint;
use system::tell;

use super::count_faults;
use crate::pace::{Pace, duration_text};

/// Shows progress on stderr: some lines that stay in their place on a terminal, else a line now and
/// then.
pub struct TestTerminal {
    lines: MultiProgress,
    /// Pairs, speed and time left.
    pairs: ProgressBar,
    /// The likelihood ratio between its bounds.
    ratio: ProgressBar,
    /// Elo and the like.
    figures: ProgressBar,
    /// Faults, once there are any.
    troubles: ProgressBar,
    interrupted: Arc<AtomicBool>,
    pace: Cell<Pace>,
    faults: RefCell<Vec<PlayerFaults>>,
    replays: Cell<u64>,
    shown: Cell<Option<Instant>>,
}

impl TestTerminal {
    /// Time between two lines where there is no terminal.
    const LINES: Duration = Duration::from_secs(30);
    /// Time between two changes of a line that stays in its place.
    const CHANGES: Duration = Duration::from_millis(100);
    /// Width of the bars (characters).
    const WIDTH: usize = 40;

    /// Shows a run that stops when `interrupted` is set.
    pub fn new(interrupted: Arc<AtomicBool>) -> TestTerminal {
        let lines = MultiProgress::new();
        let line = |template: &str| {
            let style = ProgressStyle::with_template(template).expect("the template is fixed");
            lines.add(ProgressBar::no_length().with_style(style))
        };
        TestTerminal {
            pairs: line("Pairs {bar:40} {human_pos} of {human_len} {wide_msg}"),
            ratio: line("LLR   {wide_msg}"),
            figures: line("Elo   {wide_msg}"),
            troubles: line("{wide_msg}"),
            lines,
            interrupted,
            pace: Cell::new(Pace::start()),
            faults: RefCell::new(Vec::new()),
            replays: Cell::new(0),
            shown: Cell::new(None),
        }
    }

    /// Counts what went wrong. Returns what there is to say of it.
    fn count_troubles(&self, pair: &PairRecord) -> Vec<String> {
        self.replays.set(self.replays.get() + pair.replays.len() as u64);
        count_faults(&mut self.faults.borrow_mut(), pair)
    }

    /// Faults so far, in a few words; empty if there are none.
    fn troubles(&self) -> String {
        let mut parts = Vec::new();
        for player in self.faults.borrow().iter().filter(|player| !player.faults.is_empty()) {
            let kinds: Vec<String> = player
                .faults
                .iter()
                .map(|(kind, count)| format!("{} {count}", kind.as_str()))
                .collect();
            parts.push(format!("{}: {}", player.player, kinds.join(", ")));
        }
        if self.replays.get() > 0 {
            parts.push(format!("pairs replayed {}", self.replays.get()));
        }
        parts.join("; ")
    }

    /// Changes the lines that stay in their place.
    fn show(&self, progress: &Progress) {
        self.pairs.set_position(progress.counts.pairs() + progress.copies);
        self.pairs.set_message(speed(&self.pace.get(), progress));
        self.ratio.set_message(gauge(progress, Self::WIDTH));
        self.figures.set_message(figures(progress));
        let troubles = self.troubles();
        if !troubles.is_empty() {
            self.troubles.set_message(format!("Faults {troubles}"));
        }
    }

    fn line(&self, progress: &Progress) -> String {
        let (lower, upper) = progress.bounds;
        let ratio = progress.log_likelihood_ratio;
        let mut line = format!(
            "{} pairs: LLR {ratio:+.2} [{lower:.2}, {upper:.2}], Elo {}",
            progress.counts.pairs(),
            figures(progress),
        );
        for part in [speed(&self.pace.get(), progress), self.troubles()] {
            if !part.is_empty() {
                line = line + ", " + &part;
            }
        }
        line
    }
}

impl Observer<SequentialTest> for TestTerminal {
    fn on_open(&self, run: &Description) {
        self.lines.suspend(|| tell(format_args!("output in {}", run.folder.display())));
        let names = run.identities.iter().map(|it| it.name.clone());
        *self.faults.borrow_mut() = names.map(PlayerFaults::new).collect();
    }

    fn on_remark(&self, remark: &str) {
        self.lines.suspend(|| paint::tell_warning(remark));
    }

    fn on_resumed_pair(&self, _progress: &Progress, pair: &PairRecord) {
        self.count_troubles(pair);
    }

    fn on_start(&self, progress: &Progress) {
        self.pace.set(Pace::start());
        self.pairs.set_length(progress.rules.pairs);
        if progress.resumed_pairs > 0 {
            let told = || tell(format_args!("{} pairs in the journal", progress.resumed_pairs));
            self.lines.suspend(told);
        }
        if self.pairs.is_hidden() {
            self.shown.set(Some(Instant::now()));
        } else {
            self.show(progress);
        }
    }

    fn on_pair(&self, progress: &Progress, pair: &PairRecord) {
        for line in self.count_troubles(pair) {
            self.lines.suspend(|| paint::tell_fault(line));
        }
        let is_terminal = !self.pairs.is_hidden();
        let interval = if is_terminal { Self::CHANGES } else { Self::LINES };
        if self.shown.get().is_some_and(|shown| shown.elapsed() < interval) {
            return;
        }
        self.shown.set(Some(Instant::now()));
        if is_terminal {
            self.show(progress);
        } else {
            tell(format_args!("{}", self.line(progress)));
        }
    }

    fn on_copy(&self, progress: &Progress, _pair: &PairRecord) {
        if progress.copies == 1 {
            let told =
                "warning: a pair equals an earlier one move for move: copies are not counted";
            self.lines.suspend(|| tell(format_args!("{told}")));
        }
        self.pairs.set_position(progress.counts.pairs() + progress.copies);
    }

    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

impl Drop for TestTerminal {
    fn drop(&mut self) {
        for line in [&self.pairs, &self.ratio, &self.figures, &self.troubles] {
            line.finish_and_clear();
        }
    }
}

/// Speed and time left; empty before the first pair.
fn speed(pace: &Pace, progress: &Progress) -> String {
    let timing = pace.timing(progress);
    let (Some(speed), Some((probably, at_most))) = (timing.games_per_second, timing.left) else {
        return String::new();
    };
    let speed = if speed >= 0.1 {
        format!("{speed:.1} games/s")
    } else {
        format!("{:.1} games/h", 3600.0 * speed)
    };
    let left = duration_text(probably);
    if probably == at_most {
        return format!("{speed}, {left} left");
    }
    format!("{speed}, {left} left, at most {}", duration_text(at_most))
}

fn figures(progress: &Progress) -> String {
    if progress.counts.are_too_few() {
        return PairCounts::TOO_FEW.to_owned();
    }
    let elo = progress.elo_at(&progress.counts);
    format!("{elo}, {:.1} % drawn", 100.0 * progress.counts.draw_ratio())
}

/// The likelihood ratio between its bounds, drawn from 0 on.
fn gauge(progress: &Progress, width: usize) -> String {
    let (lower, upper) = progress.bounds;
    let ratio = progress.log_likelihood_ratio;
    let place = |value: f64| {
        let share = ((value - lower) / (upper - lower)).clamp(0.0, 1.0);
        (share * width as f64).round() as usize
    };
    let (zero, now) = (place(0.0), place(ratio));
    let drawn = zero.min(now)..zero.max(now);
    let bar: String = (0..width)
        .map(|index| match index {
            _ if drawn.contains(&index) => '█',
            _ if index == zero => '│',
            _ => '░',
        })
        .collect();
    format!("{bar} {ratio:+.2} between {lower:+.2} and {upper:+.2}")
}

#[cfg(test)]
mod tests {
    use matches::run::PlayRules;
    use matches::sequential_test::Rules;
    use statistics::{Design, Hypotheses};

    use super::*;

    #[test]
    fn the_gauge_is_drawn_from_zero() {
        let rules = Rules {
            play: PlayRules::with_seed(1),
            pairs: 1000,
            early_stop: true,
            hypotheses: Hypotheses::default(),
            design: Design::default(),
        };
        let counts =
            PairCounts { loss_draw: 10, draw_draw: 30, win_draw: 20, ..Default::default() };
        let at = |log_likelihood_ratio: f64| {
            let bounds = (-3.0, 2.0);
            let resumed_pairs = 60;
            Progress { counts, log_likelihood_ratio, bounds, rules, resumed_pairs, copies: 0 }
        };
        let rows = [
            (0.0, "░░░░░░│░░░ +0.00 between -3.00 and +2.00"),
            (1.0, "░░░░░░██░░ +1.00 between -3.00 and +2.00"),
            (-9.0, "██████│░░░ -9.00 between -3.00 and +2.00"),
            (9.0, "░░░░░░████ +9.00 between -3.00 and +2.00"),
        ];
        for (ratio, expected) in rows {
            assert_eq!(gauge(&at(ratio), 10), expected);
        }
        assert_eq!(speed(&Pace::start(), &at(1.0)), "");
        // Nearly that of a fixed number of pairs, +29.0 ± 33.0: the bounds are far for so few.
        let elo = at(1.0).elo_at(&counts);
        assert!((elo.value - 29.0).abs() < 1.0 && (elo.upper - 62.0).abs() < 3.0, "{elo}");
        assert_eq!(figures(&at(1.0)), format!("{elo}, 75.0 % drawn"));
    }
}
