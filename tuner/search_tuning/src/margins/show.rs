//! The display of a run in a terminal.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use command_line::say_line;
use indicatif::{ProgressBar, ProgressStyle};
use statistics::CONFIDENCE;
use system::tell;

use super::job::TuningSettings;
use super::tuning::{Finding, Listener};

/// The table of what was found, greatest gain first.
pub(super) fn print_findings(findings: &[Finding]) {
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort_by(|a, b| b.gain.total_cmp(&a.gain));
    let width = findings.iter().map(|finding| finding.name.len()).max().unwrap_or(0);
    say_line!(
        "{:width$} {:>7} {:>7} {:>15} {:>13} {:>19}",
        "number",
        "start",
        "found",
        "95 % interval",
        "gain (Elo)",
        "one spread off"
    );
    for finding in sorted {
        let verdict = finding.verdict();
        let verdict = if verdict.is_empty() { String::new() } else { format!("  {verdict}") };
        say_line!(
            "{:width$} {:>7} {:>7} {:>15} {:>+6.1} +- {:>3.1} {:>+6.1} +- {:>3.1} ({}){verdict}",
            finding.name,
            finding.shown(finding.start),
            finding.shown(finding.value),
            format!(
                "{} to {}",
                finding.shown(finding.interval.0),
                finding.shown(finding.interval.1)
            ),
            finding.gain,
            CONFIDENCE * finding.gain_error,
            -finding.curvature,
            CONFIDENCE * finding.curvature_error,
            finding.shown(finding.spread),
        );
    }
}

/// Progress on standard error: a bar on a terminal, lines elsewhere.
pub(super) struct Display {
    bar: ProgressBar,
    rounds: usize,
    started: Instant,
    last_line: Instant,
}

impl Display {
    /// Time between two lines where no bar can be shown.
    const LINE_INTERVAL: Duration = Duration::from_secs(30);

    pub fn new(job: &TuningSettings) -> Display {
        let numbers = 2 * job.rounds * job.count + job.replicates * (job.count / 2) * 2;
        let length = numbers as u64;
        let bar = if std::io::stderr().is_terminal() {
            ProgressBar::new(length)
        } else {
            ProgressBar::hidden()
        };
        let template = "{wide_bar} {human_pos}/{human_len} searches, {eta} left, {msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Display { bar, rounds: job.rounds, started: Instant::now(), last_line: Instant::now() }
    }

    /// Removes the bar from the terminal.
    pub fn end(self) {
        self.bar.finish_and_clear();
    }
}

impl Listener for Display {
    fn began(&mut self, text: &str) {
        self.bar.suspend(|| tell(format_args!("{text}")));
    }

    fn compared(&mut self, searches: usize) {
        self.bar.inc(searches as u64);
        self.bar.set_message("comparing start and result");
    }

    fn searched(&mut self, round: usize, searches: usize, _fresh: usize, judgements: usize) {
        self.bar.inc(searches as u64);
        let text = format!("round {}/{}, {judgements} judgements", round + 1, self.rounds);
        if self.bar.is_hidden() && self.last_line.elapsed() >= Self::LINE_INTERVAL {
            let seconds = self.started.elapsed().as_secs();
            tell(format_args!("{text}, {} searches, {seconds} s", self.bar.position()));
            self.last_line = Instant::now();
        }
        self.bar.set_message(text);
    }

    fn round_ended(&mut self, round: usize, findings: &[Finding]) {
        let gain: f64 = findings.iter().map(|finding| finding.gain).sum();
        let error = findings.iter().map(|it| it.gain_error.powi(2)).sum::<f64>().sqrt();
        let mut moved: Vec<&Finding> =
            findings.iter().filter(|finding| finding.value != finding.start).collect();
        moved.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        let words: Vec<String> = moved
            .iter()
            .take(4)
            .map(|it| format!("{} {} -> {}", it.name, it.start, it.value))
            .collect();
        self.bar.suspend(|| {
            tell(format_args!(
                "round {}: {gain:+.0} +- {:.0} Elo expected; {}",
                round + 1,
                CONFIDENCE * error,
                words.join(", ")
            ));
        });
    }
}
