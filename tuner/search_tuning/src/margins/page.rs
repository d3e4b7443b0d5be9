//! The page of a run: what was found of each number, how sure that is, and what it is worth.

use maud::{Markup, html};
use positions::logistic::NATURAL;
use report::html::chart::{self, Area, Frame, widened};
use report::html::document::{Badge, Document, Panel, key};
use report::html::rows::Rows;
use report::html::table::{named_head, row};
use report::html::words::{count_of, dotted_name, grouped, signed, with_minus};
use statistics::{CONFIDENCE, extent};

use super::ELO_PER_WORTH;
use super::job::{Comparison, Tuned, TuningSettings};
use super::tuning::Finding;
use crate::audit::{self, Findings};

/// Room of one number's curve.
const SMALL: Area = Area { width: 300.0, height: 150.0, left: 46.0, bottom: 30.0 };
/// Points drawn of a parabola.
const POINTS: usize = 40;

/// The page as HTML, with the audits of start and result where there are any. It holds nothing that
/// depends on time or threads.
pub fn page(
    job: &TuningSettings,
    tuned: &Tuned,
    audits: &[(&'static str, Findings)],
    repeat: &str,
) -> String {
    let mut order: Vec<&Finding> = tuned.findings.iter().collect();
    order.sort_by(|a, b| b.gain.total_cmp(&a.gain));
    let numbers = count_of(order.len() as u64, "number");
    let document = Document {
        title: format!("Margins: {numbers}"),
        badge: badge(tuned.comparison.as_ref()),
        heading: html! { "Margins: " (numbers) },
        sentences: vec![with_minus(&sentence(tuned))],
        lead: html! {
            (job.subject.base().name) " · " (grouped(job.nodes)) " nodes · judge "
            (job.judge.name()) " · seed " (job.seed)
        },
        overview: overview(tuned),
        panels: [worth(tuned), changes(&order), curves(tuned, &order), table(&order)]
            .into_iter()
            .chain(audit::page::panels(audits))
            .collect(),
        facts: facts(job, tuned),
        repeat: repeat.to_string(),
        ..Document::default()
    };
    document.into_html()
}

/// Whether the margins that were found gain clearly on positions that did not choose them.
fn badge(comparison: Option<&Comparison>) -> Badge {
    match comparison.map(Comparison::elo) {
        None => Badge { name: "tuned", class: "open" },
        Some(elo) if elo.lower > 0.0 => Badge { name: "better", class: "accepted" },
        Some(elo) if elo.upper < 0.0 => Badge { name: "worse", class: "rejected" },
        Some(_) => Badge { name: "unclear", class: "open" },
    }
}

/// The result in plain words.
fn sentence(tuned: &Tuned) -> String {
    if tuned.findings.iter().all(|it| it.value == it.start) {
        return "No margin changed.".to_owned();
    }
    let Some(comparison) = &tuned.comparison else {
        return "Margins were found, and not compared with those of the start.".to_owned();
    };
    let elo = comparison.elo();
    let words = match (elo.lower > 0.0, elo.upper < 0.0) {
        (true, _) => "The margins found choose better moves",
        (_, true) => "The margins found choose worse moves",
        _ => "No difference shown between the margins found and those of the start",
    };
    format!("{words}: on positions of other games they are worth {}.", extent(&elo))
}

fn overview(tuned: &Tuned) -> Markup {
    let side = |error: f64| format!("± {:.1} (95 %)", CONFIDENCE * error);
    html! {
        dl.key {
            @if let Some(Comparison { regret, gain, null, .. }) = &tuned.comparison {
                (key("Elo expected", &signed(ELO_PER_WORTH * gain.mean, 0),
                     &side(ELO_PER_WORTH * gain.error)))
                (key("Fall in regret (10⁻⁴)", &signed(1e4 * gain.mean, 1), &side(1e4 * gain.error)))
                (key("Regret (10⁻⁴)", &format!("{:.0}", 1e4 * regret[1]),
                     &format!("from {:.0}", 1e4 * regret[0])))
                @if let Some(null) = null {
                    (key("A change of nothing", &signed(1e4 * null.mean, 1),
                         &side(1e4 * null.error)))
                }
            }
        }
        p.note {
            "Measured on positions of games that have chosen nothing. Regret is what the chosen "
            "moves are worth less than the best moves known, in expected score a move; 10⁻⁴ of it "
            "was worth about " (format!("{:.1}", ELO_PER_WORTH / 1e4))
            " Elo where both were measured."
        }
    }
}

/// The expected gain of the numbers together, by round.
fn worth(tuned: &Tuned) -> Panel {
    let gains: Vec<(f64, f64, f64)> = tuned
        .history
        .iter()
        .zip(1..)
        .map(|(findings, round)| {
            let gain: f64 = findings.iter().map(|it| it.gain).sum();
            let error = findings.iter().map(|it| it.gain_error.powi(2)).sum::<f64>().sqrt();
            (f64::from(round), gain, CONFIDENCE * error)
        })
        .collect();
    let ends = gains.iter().flat_map(|&(_, gain, side)| [gain - side, gain + side]);
    let frame = Frame::new((1.0, (gains.len() as f64).max(2.0)), widened(ends.chain([0.0])));
    let band: Vec<_> = gains.iter().map(|&(x, gain, side)| (x, gain - side, gain + side)).collect();
    let line: Vec<_> = gains.iter().map(|&(x, gain, _)| (x, gain)).collect();
    let content = html! {
        (frame.counting_axes("round"))
        (frame.band(&band, "band"))
        (frame.level(0.0, "axis-line"))
        (frame.line(&line, "cand"))
    };
    let note = "Elo expected of all numbers together, as the surface has it after each round, with \
                its interval of 95 %. What it says of the positions it was fitted to is too good; \
                the figures above are of others.";
    let content = chart::figure("worth-chart", "Expected gain", note, &content);
    Panel::new("worth", "Expected gain", note, content)
}

/// The numbers that gain most.
fn changes(order: &[&Finding]) -> Panel {
    const ROWS: usize = 12;
    let shown = &order[..order.len().min(ROWS)];
    let ends = |it: &Finding| {
        [it.gain - CONFIDENCE * it.gain_error, it.gain, it.gain + CONFIDENCE * it.gain_error]
    };
    let mut rows = Rows::new("gain (Elo)", shown.iter().flat_map(|it| ends(it)).chain([0.0]))
        .line(0.0, "axis-line");
    for finding in shown {
        rows.interval(dotted_name(&finding.name), ends(finding), &signed(finding.gain, 1));
    }
    let note = "What the numbers that gain most are expected to gain, each for itself, with \
                intervals of 95 %.";
    Panel::new("changes", "Greatest gains", note, rows.into_markup(note))
}

fn curves(tuned: &Tuned, order: &[&Finding]) -> Panel {
    let note = "What each value of a number is expected to gain (Elo), as far as it was looked \
                for; dotted, where it started; shaded, where the best value lies with 95 %: \
                everywhere, where nothing is told. A flat line says that the number does not \
                matter there.";
    let content = html! {
        div.multiples {
            @for finding in order { (curve(tuned, finding)) }
        }
    };
    Panel::new("curves", "Numbers", note, content).wide(true)
}

fn curve(tuned: &Tuned, finding: &Finding) -> Markup {
    let path = tuned.history.iter().flatten().filter(|it| it.name == finding.name);
    let (mut low, mut high) = (finding.start, finding.start);
    for value in path.map(|it| it.value) {
        (low, high) = (low.min(value), high.max(value));
    }
    let (low, high) = (low - finding.spread, high + finding.spread);
    let at = |point: usize| low + (high - low) * point as f64 / POINTS as f64;
    let line: Vec<_> = (0..=POINTS).map(|it| (at(it), finding.gain_of(at(it)))).collect();
    // A scale that all can be compared on where little is at stake.
    let heights = line.iter().map(|point| point.1).chain([-5.0, 5.0]);
    let (bottom, top) = widened(heights);
    let frame = Frame::within(SMALL, (low, high), (bottom, top));
    let (from, to) = finding.interval;
    let band = [(from.max(low), bottom, top), (to.min(high), bottom, top)];
    let content = html! {
        (frame.axes("value"))
        (frame.band(&band, "band"))
        (frame.upright(finding.start, "hypothesis"))
        (frame.level(0.0, "axis-line"))
        (frame.line(&line, "cand"))
    };
    let id = format!("number-{}", finding.name.replace(['.', '[', ']'], "-"));
    let [start, found] = [finding.start, finding.value].map(|value| finding.shown(value));
    let text = format!("{} went from {start} to {found}.", finding.name);
    let value = format!("{start} → {found}");
    chart::small_figure(SMALL, &id, &finding.name, value, &text, &content)
}

fn table(order: &[&Finding]) -> Panel {
    let columns =
        ["Start", "Found", "", "95 %", "Gain (Elo)", "±", "A spread off (Elo)", "±", "Spread"];
    let note = "A spread is a third or so of a number, which was moved by half as much again to \
                either side. What is off by one spread loses as much as the curvature says. The \
                interval of 95 % holds the values whose neighbors may be no better; found is the \
                best of them, as far as the rounds came. Errors count what was assumed before \
                anything was seen: a number whose interval is its whole range was not told.";
    let content = html! {
        div.scroll {
            table {
                (named_head("Number", columns))
                @for it in order {
                    (row(dotted_name(&it.name), [
                        it.shown(it.start),
                        it.shown(it.value),
                        it.verdict().to_owned(),
                        format!("{} to {}", it.shown(it.interval.0), it.shown(it.interval.1)),
                        signed(it.gain, 1),
                        format!("{:.1}", CONFIDENCE * it.gain_error),
                        signed(-it.curvature, 1),
                        format!("{:.1}", CONFIDENCE * it.curvature_error),
                        it.shown(it.spread),
                    ]))
                }
            }
        }
    };
    Panel::new("table", "All numbers", note, content).wide(true)
}

fn facts(job: &TuningSettings, tuned: &Tuned) -> Vec<(String, String)> {
    let positions = format!(
        "{} to tune on, {} to report on",
        grouped(job.count as u64),
        grouped(job.count as u64 / 2)
    );
    let facts = [
        ("Tuned", job.subject.base().name.clone()),
        ("Positions", positions),
        ("Rounds", grouped(job.rounds as u64)),
        ("Odds", format!("a centipawn changes their logarithm by {:.5}", tuned.k * NATURAL)),
    ];
    facts.map(|(name, value)| (name.to_string(), value)).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::margins::Estimate;

    #[test]
    fn a_sentence_says_whether_margins_are_better() {
        let finding = |value| Finding {
            name: "futility.margin".to_owned(),
            start: 80.0,
            value,
            interval: (60.0, 100.0),
            is_open: false,
            is_blind: false,
            gain: 1.0,
            gain_error: 1.0,
            curvature: 1.0,
            curvature_error: 1.0,
            spread: 20.0,
            slope: 1.0,
            decimals: 0,
        };
        let tuned = |value, gain: Option<[f64; 2]>| Tuned {
            findings: vec![finding(value)],
            history: Vec::new(),
            comparison: gain.map(|[mean, error]| Comparison {
                positions: 9,
                regret: [0.01, 0.01],
                gain: Estimate { mean, error },
                null: None,
            }),
            k: 1.2,
            notes: String::new(),
        };
        let other = "on positions of other games they are worth about";
        for (tuned, expected) in [
            (
                tuned(70.0, Some([1e-3, 1e-4])),
                format!(
                    "The margins found choose better moves: {other} +22.0 Elo, between +17.7 and +26.3."
                ),
            ),
            (
                tuned(70.0, Some([-1e-3, 1e-4])),
                format!(
                    "The margins found choose worse moves: {other} -22.0 Elo, between -26.3 and -17.7."
                ),
            ),
            (
                tuned(70.0, Some([0.0, 1e-3])),
                format!(
                    "No difference shown between the margins found and those of the start: {other} 0 \
                     Elo, between -43 and +43."
                ),
            ),
            (
                tuned(70.0, None),
                "Margins were found, and not compared with those of the start.".to_owned(),
            ),
            (tuned(80.0, Some([1e-3, 1e-4])), "No margin changed.".to_owned()),
        ] {
            assert_eq!(sentence(&tuned), expected);
        }
    }
}
