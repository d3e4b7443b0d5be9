//! The outcome as one self-contained HTML page: an overview, beside which the games have pages of
//! their own.

use std::fmt::Write;

use super::markdown::{effort, revision_rows, test_rows, title};
use super::outcome::{GamesReport, Outcome};
use super::speed::{SpeedReport, SpeedTurn};

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1c2024; --paper: #fff; --faint: #6b7280; --line: #d9dde3;
  --base: #6b7280; --candidate: #2563eb; --accepted: #15803d; --rejected: #b91c1c;
  --undecided: #a16207; --failed: #b91c1c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --paper: #14171a; --faint: #9aa3ad;
  --line: #343a41; --base: #9aa3ad; --candidate: #7aa7ff; --accepted: #4ade80; --rejected: #f87171;
  --undecided: #facc15; --failed: #f87171; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: .5rem 0; } h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; }
.accepted { color: var(--accepted); } .rejected { color: var(--rejected); }
.undecided { color: var(--undecided); } .failed { color: var(--failed); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0;
  border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--faint); white-space: nowrap; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid var(--line); border-radius: .4rem; }
svg { width: 100%; height: auto; display: block; } svg text { fill: var(--faint); font-size: 12px; }
.axis { stroke: var(--line); } .mark { fill: var(--candidate); }
.interval { stroke: var(--candidate); stroke-width: 3; } .bound { stroke: var(--rejected); }
a { color: var(--candidate); } p.faint { color: var(--faint); }
";

/// The page. `pages` names the pages of the games, relative to this one.
pub fn page(outcome: &Outcome, pages: &[(String, String)]) -> String {
    let decision = format!("{:?}", outcome.decision).to_lowercase();
    let heading = outcome.decision.heading();
    let title = escaped(&title(outcome));
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{heading}: {title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <h1><span class=\"{decision}\">{heading}</span>: {title}</h1>\n<p>{}</p>\n",
        lines(&outcome.reason)
    );
    text.push_str("<h2>Revisions</h2>\n<div class=\"wide\"><table>\n");
    text.push_str("<tr><th></th><th>base</th><th>candidate</th></tr>\n");
    for (name, [base, candidate]) in revision_rows(outcome) {
        let [base, candidate] = [base, candidate].map(|value| escaped(value.trim_matches('`')));
        push(
            &mut text,
            format_args!("<tr><th>{name}</th><td>{base}</td><td>{candidate}</td></tr>\n"),
        );
    }
    text.push_str("</table></div>\n<h2>Tests</h2>\n<div class=\"wide\"><table>\n");
    for (name, result, detail) in test_rows(outcome) {
        let [name, result, detail] = [name, result, detail].map(|value| escaped(&value));
        push(
            &mut text,
            format_args!("<tr><th>{name}</th><td>{result}</td><td>{detail}</td></tr>\n"),
        );
    }
    text.push_str("</table></div>\n");
    if let Some(speed) = &outcome.speed {
        text.push_str(&speed_plot(speed).unwrap_or_default());
    }
    for games in &outcome.games {
        text.push_str(&games_section(games, pages));
    }
    push(
        &mut text,
        format_args!(
            "<h2>Repeat</h2>\n<pre>{}</pre>\n<p class=\"faint\">{}. {}</p>\n</body>\n</html>\n",
            escaped(&outcome.repeat),
            escaped(&effort(outcome)),
            escaped(&outcome.program)
        ),
    );
    text
}

/// A row of numbers to be drawn: the place of a value between the ends of an axis.
struct Axis {
    least: f64,
    most: f64,
}

impl Axis {
    const WIDTH: f64 = 720.0;
    const MARGIN: f64 = 40.0;

    /// An axis that holds all values, with some space around them.
    fn around(values: impl IntoIterator<Item = f64>) -> Axis {
        let (least, most) = values
            .into_iter()
            .filter(|value| value.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), value| (a.min(value), b.max(value)));
        let space = ((most - least) * 0.08).max(1e-6);
        Axis { least: least - space, most: most + space }
    }

    fn place(&self, value: f64) -> f64 {
        let share = ((value - self.least) / (self.most - self.least)).clamp(0.0, 1.0);
        Axis::MARGIN + share * (Axis::WIDTH - 2.0 * Axis::MARGIN)
    }

    /// A vertical line with a label above it.
    fn line(&self, value: f64, label: &str, class: &str, height: f64) -> String {
        let x = self.place(value);
        format!(
            "<line class=\"{class}\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"18\" y2=\"{height}\"/>\
             <text x=\"{x:.1}\" y=\"12\" text-anchor=\"middle\">{label}</text>\n"
        )
    }

    /// An interval with its middle and labels at its ends.
    fn interval(&self, [lower, value, upper]: [f64; 3], y: f64, digits: usize) -> String {
        let [left, middle, right] = [lower, value, upper].map(|value| self.place(value));
        let below = y + 18.0;
        format!(
            "<line class=\"interval\" x1=\"{left:.1}\" x2=\"{right:.1}\" y1=\"{y}\" y2=\"{y}\"/>\
             <circle class=\"mark\" cx=\"{middle:.1}\" cy=\"{y}\" r=\"6\"/>\
             <text x=\"{left:.1}\" y=\"{below}\" text-anchor=\"end\">{lower:.digits$}</text>\
             <text x=\"{right:.1}\" y=\"{below}\">{upper:.digits$}</text>\n"
        )
    }
}

fn figure(height: f64, label: &str, content: &str) -> String {
    format!(
        "<svg viewBox=\"0 0 {} {height}\" role=\"img\" aria-label=\"{}\">\n{content}</svg>\n",
        Axis::WIDTH,
        escaped(label)
    )
}

/// Ratios of the turns, the interval of the ratio, and what is tolerated.
fn speed_plot(speed: &SpeedReport) -> Option<String> {
    let ratio = speed.ratio.filter(|_| !speed.same_program)?;
    let turns: Vec<f64> = speed.turns.iter().map(SpeedTurn::ratio).collect();
    let tolerated = 1.0 - speed.settings.tolerance;
    let all = [1.0, tolerated, ratio.lower, ratio.upper];
    let axis = Axis::around(turns.iter().copied().chain(all));
    let mut content = axis.line(1.0, "equal", "axis", 76.0);
    content += &axis.line(tolerated, "tolerated", "bound", 76.0);
    for turn in &turns {
        push(
            &mut content,
            format_args!(
                "<circle class=\"mark\" opacity=\"0.35\" cx=\"{:.1}\" cy=\"36\" r=\"4\"/>\n",
                axis.place(*turn)
            ),
        );
    }
    content += &axis.interval([ratio.lower, ratio.value, ratio.upper], 60.0, 4);
    let label = "Speed of the candidate over that of the base, by turns and with 95 % interval";
    Some(format!(
        "<h2>Speed</h2>\n{}<p class=\"faint\">{label}.</p>\n",
        figure(90.0, label, &content)
    ))
}

/// The Elo with its interval, and the way to the games.
fn games_section(games: &GamesReport, pages: &[(String, String)]) -> String {
    let stopped = games.assessment.elo_after_stop;
    let interval = [stopped.lower, stopped.elo, stopped.upper];
    let axis = Axis::around(interval.into_iter().chain([0.0]));
    let content = axis.line(0.0, "equal", "axis", 56.0) + &axis.interval(interval, 40.0, 1);
    let label = format!("Elo of the candidate in games by {}, with 95 % interval", games.name);
    let mut text = format!(
        "<h2>Games by {}</h2>\n{}<p class=\"faint\">{label}.</p>\n",
        games.name,
        figure(70.0, &label, &content)
    );
    for (_, page) in pages.iter().filter(|(name, _)| *name == games.name) {
        push(
            &mut text,
            format_args!("<p><a href=\"{}\">All about these games</a></p>\n", escaped(page)),
        );
    }
    text
}

/// A text of somebody else, harmless in HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn lines(text: &str) -> String {
    escaped(text).replace('\n', "<br>")
}

fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("writing to a string");
}
