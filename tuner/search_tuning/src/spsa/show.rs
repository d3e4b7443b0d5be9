//! How a run goes, on a terminal: a table that stays in its place, or now and then a line.

use std::fmt::Write;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use system::tell;
use tunables::Tunable;

use super::course::{Drift, SpsaPath};
use super::tuning::Tuning;

/// Numbers in the table of a terminal, those that went furthest.
const ROWS: usize = 15;
/// Time between two versions of the table.
const CHANGES: Duration = Duration::from_millis(250);
/// Time between two lines where there is no terminal.
const LINES: Duration = Duration::from_secs(10);

/// Progress on standard error.
pub struct Display {
    bar: Option<ProgressBar>,
    pairs: u64,
    shown: Instant,
}

impl Display {
    /// Shows a run that goes on to so many pairs.
    pub fn new(tuning: &Tuning, pairs: u64) -> Display {
        let bar = std::io::stderr().is_terminal().then(|| {
            let template =
                "{bar:40} {human_pos} of {human_len} pairs, {elapsed}, {eta} left\n{msg}";
            let style = ProgressStyle::with_template(template)
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(pairs).with_style(style).with_position(tuning.pairs());
            bar.reset_eta();
            bar
        });
        Display { bar, pairs, shown: Instant::now() }
    }

    /// One more pair was counted.
    pub fn show(&mut self, tuning: &Tuning) {
        let interval = if self.bar.is_some() { CHANGES } else { LINES };
        if self.shown.elapsed() < interval {
            return;
        }
        self.shown = Instant::now();
        match &self.bar {
            Some(bar) => {
                bar.set_position(tuning.pairs());
                bar.set_message(table(&tuning.course, ROWS));
            }
            None => {
                let (done, all) = (tuning.pairs(), self.pairs);
                tell(format_args!("{done} of {all} pairs: {}", furthest(&tuning.course)));
            }
        }
    }

    /// Ends the display: no more pairs follow.
    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The numbers with where they were and are, those that went furthest first where not all fit.
pub fn table(course: &SpsaPath, most: usize) -> String {
    let mut rows: Vec<(&Tunable, Drift)> = course.tunables().iter().zip(course.drifts()).collect();
    let left_out = rows.len().saturating_sub(most);
    if left_out > 0 {
        rows.sort_by(|one, other| other.1.ratio().abs().total_cmp(&one.1.ratio().abs()));
        rows.truncate(most);
    }
    let width = rows.iter().map(|(it, _)| it.name.chars().count()).max().unwrap_or(0).max(6);
    let mut text = String::new();
    let mut line = |cells: [&str; 5]| {
        let [name, start, now, change, ratio] = cells;
        writeln!(text, "{name:width$} {start:>10} {now:>10} {change:>10} {ratio:>14}")
            .expect("strings take all");
    };
    line(["number", "start", "now", "change", "drift / chance"]);
    for (tunable, drift) in rows {
        let decimals = tunable.decimals();
        let show = |value: f64| format!("{value:.decimals$}");
        let change = format!("{:+.decimals$}", drift.now - drift.start);
        let ratio = format!("{:+.1}", drift.ratio());
        line([&tunable.name, &show(drift.start), &show(drift.now), &change, &ratio]);
    }
    if left_out > 0 {
        writeln!(text, "and {left_out} that went less far").expect("strings take all");
    }
    text
}

/// The numbers that begin at an end of their range, if any do.
pub fn one_way_only(course: &SpsaPath) -> Option<String> {
    let numbers = course.tunables().iter();
    let ends = numbers.filter_map(|it| it.start_end().map(|end| format!("{} ({end})", it.name)));
    let ends: Vec<String> = ends.collect();
    (!ends.is_empty()).then(|| {
        format!(
            "{} at an end of {} and can move one way only: {}",
            if ends.len() == 1 { "one number begins" } else { "some numbers begin" },
            if ends.len() == 1 { "its range" } else { "their ranges" },
            ends.join(", ")
        )
    })
}

/// The Elo of the way so far, by the results on it.
pub fn worth(course: &SpsaPath) -> String {
    match course.told_worth().last() {
        Some((_, elo)) => format!("{:+.1} ± {:.1} Elo", elo.value, elo.error),
        None if course.last().iteration > 0 => "too few games to say".to_string(),
        None => "nothing was played".to_string(),
    }
}

/// The number that went furthest, and what the way is worth.
fn furthest(course: &SpsaPath) -> String {
    let numbers = course.tunables().iter().zip(course.drifts());
    let furthest =
        numbers.max_by(|one, other| one.1.ratio().abs().total_cmp(&other.1.ratio().abs()));
    let Some((tunable, drift)) = furthest else { return worth(course) };
    let decimals = tunable.decimals();
    format!(
        "furthest {} {:.decimals$} to {:.decimals$} ({:+.1} times chance), {}",
        tunable.name,
        drift.start,
        drift.now,
        drift.ratio(),
        worth(course)
    )
}

#[cfg(test)]
mod tests {
    use super::super::path::{Gains, Path};
    use super::*;

    /// A few games tell nothing of the way, and no figure pretends to.
    #[test]
    fn a_few_games_are_worth_no_figure() {
        let number = |name: &str| {
            let name = name.to_string();
            Tunable {
                name,
                is_whole: false,
                value: 50.0,
                low: 0.0,
                high: 99.0,
                step: 4.0,
                rate: 0.01,
            }
        };
        let numbers: Vec<Tunable> = ["a", "b", "c", "d"].map(number).into();
        let gains = Gains::usual(3000);
        let mut path = Path::new(numbers.clone(), gains, 1, 1);
        let mut course = SpsaPath::new(numbers, gains, 1);
        assert_eq!(worth(&course), "nothing was played");
        for pair in 0..3000 {
            let score = [2, -2, 1, -1, 0][pair % 5];
            let trial = path.count(score);
            course.take(&trial, score, &path);
            let text = worth(&course);
            let Some((_, error)) = text.split_once(" ± ") else {
                assert_eq!(text, "too few games to say");
                continue;
            };
            let error: f64 = error.trim_end_matches(" Elo").parse().expect("a number");
            assert!(error > 0.0 && error <= 200.0, "{text}");
        }
        assert!(worth(&course).contains(" ± "), "{}", worth(&course));
    }

    #[test]
    fn numbers_that_can_move_one_way_only_are_named() {
        let number = |name: &str, value: f64| {
            let name = name.to_string();
            Tunable { name, is_whole: true, value, low: 0.0, high: 9.0, step: 1.0, rate: 0.002 }
        };
        let noted =
            |numbers: Vec<Tunable>| one_way_only(&SpsaPath::new(numbers, Gains::usual(10), 1));
        assert_eq!(noted(vec![number("a", 5.0)]), None);
        assert_eq!(
            noted(vec![number("a", 5.0), number("b", 0.0)]).expect("one"),
            "one number begins at an end of its range and can move one way only: b (lowest)"
        );
        assert_eq!(
            noted(vec![number("a", 9.0), number("b", 0.0)]).expect("two"),
            "some numbers begin at an end of their ranges and can move one way only: a (highest), b \
             (lowest)"
        );
    }
}
