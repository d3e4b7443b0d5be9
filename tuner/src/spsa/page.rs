//! The page of a run: a curve for each number, what the way is worth, and all of it as a table.

use maud::{Markup, html};
use sprt::report::html::chart::{self, Area, Frame, widened};
use sprt::report::html::document::{Badge, Document, Panel, key, key_elo, key_estimate};
use sprt::report::html::rows::Rows;
use sprt::report::html::words::{count_of, dotted_name, grouped, signed};
use sprt::statistics::{Assessment, CONFIDENCE, Verdict};

use super::course::{Course, Drift, Point};
use super::tuning::Tuning;
use super::verdict;
use crate::tunables::Tunable;

/// Room of one number's curve.
const SMALL: Area = Area { width: 300.0, height: 150.0, left: 46.0, bottom: 30.0 };
/// Numbers that have a curve of their own.
const CURVES: usize = 100;
/// Points of a curve.
const POINTS: usize = 150;

/// How far a run is.
pub enum State<'a> {
    /// Games are being played.
    Running,
    /// It broke off, and why.
    Failed(String),
    /// It came to its end, and so did its test, if there was one.
    Tuned(Option<&'a Assessment>),
}

/// The page as HTML. It holds nothing that depends on time or threads.
pub fn page(tuning: &Tuning, state: State<'_>) -> String {
    let course = &tuning.course;
    let verdict = |assessment: &Assessment| match assessment.figures.verdict {
        Verdict::Accepted => Badge { name: "accepted", class: "accepted" },
        Verdict::Rejected => Badge { name: "rejected", class: "rejected" },
        Verdict::Undecided => Badge { name: "undecided", class: "open" },
    };
    let badge = match &state {
        State::Running => Badge { name: "running", class: "open" },
        State::Failed(_) => Badge { name: "failed", class: "rejected" },
        State::Tuned(None) => Badge { name: "tuned", class: "open" },
        State::Tuned(Some(assessment)) => verdict(assessment),
    };
    let numbers = count_of(course.tunables().len() as u64, "number");
    let mut order: Vec<(usize, Drift)> = course.drifts().into_iter().enumerate().collect();
    order.sort_by(|one, other| other.1.ratio().abs().total_cmp(&one.1.ratio().abs()));
    let document = Document {
        title: format!("SPSA of {numbers}"),
        badge,
        is_running: matches!(state, State::Running),
        heading: html! { "SPSA of " (numbers) },
        lead: html! {
            (tuning.subject.base().name) " · " (tuning.subject.base().limits)
            " · seed " (tuning.settings.seed)
        },
        failure: match &state {
            State::Failed(reason) => Some(reason.clone()),
            State::Running | State::Tuned(_) => None,
        },
        overview: key_figures(tuning, &state),
        panels: vec![worth(tuning), drifts(course, &order), curves(tuning, &order), table(course)],
        facts: facts(tuning),
        repeat: tuning.settings.begun_by.clone(),
    };
    document.into_html()
}

fn key_figures(tuning: &Tuning, state: &State<'_>) -> Markup {
    let faults: u64 = tuning.tally.faults.iter().flat_map(|it| it.faults.values()).sum();
    let planned = format!("planned for {}", grouped(tuning.settings.pairs()));
    let tested = match state {
        State::Tuned(Some(assessment)) if !assessment.counts.are_too_few() => Some(&assessment.elo),
        _ => None,
    };
    html! {
        dl.key {
            (key("Pairs", &grouped(tuning.pairs()), &planned))
            @if let Some((_, elo)) = tuning.course.worth().last().filter(|(_, elo)| elo.error > 0.0) {
                (key_estimate("Predicted Elo", elo))
            }
            @if let Some(elo) = tested {
                (key_elo("Elo of the test", elo))
            }
            @if faults > 0 { (key("Games forfeited", &grouped(faults), "")) }
        }
        @if let State::Tuned(Some(assessment)) = state {
            p.note { "Test of what came out against the start: " (verdict::sentence(assessment)) }
        }
    }
}

/// What the way is worth by the results on it.
fn worth(tuning: &Tuning) -> Panel {
    let batch = tuning.settings.batch as f64;
    let start = (0.0, 0.0, 0.0, 0.0);
    let worth = tuning.course.worth();
    let points: Vec<(f64, f64, f64, f64)> = std::iter::once(start)
        .chain(worth.iter().map(|(iteration, elo)| {
            let x = *iteration as f64 * batch;
            (x, elo.value - elo.error, elo.value, elo.value + elo.error)
        }))
        .collect();
    let ends = points.iter().flat_map(|&(_, low, _, high)| [low, high]);
    let last = points.last().map_or(0.0, |point| point.0);
    let frame = Frame::new((0.0, last.max(1.0)), widened(ends));
    let band: Vec<(f64, f64, f64)> = points.iter().map(|it| (it.0, it.1, it.3)).collect();
    let line: Vec<(f64, f64)> = points.iter().map(|it| (it.0, it.2)).collect();
    let content = html! {
        (frame.counting_axes("pairs"))
        (frame.band(&band, "band"))
        (frame.level(0.0, "axis-line"))
        (frame.line(&line, "cand"))
    };
    let note = "Elo against the start, with 95 % interval: slope of Elo by each number, times the \
                way it went, summed up in eight stretches. Odd iterations measure the way of even \
                ones and the other way round, so that luck is not taken for gain.";
    Panel {
        id: "worth",
        name: "Predicted Elo",
        note: html! { (note) },
        content: chart::figure("worth-chart", "Predicted Elo", note, &content),
        figures: Some(html! {
            table {
                tr { th scope="row" { "Pairs" } th { "Elo" } th { "± (95 %)" } }
                @for (iteration, elo) in &worth {
                    tr {
                        th scope="row" { (grouped(iteration * tuning.settings.batch)) }
                        td { (signed(elo.value, 1)) } td { (format!("{:.1}", elo.error)) }
                    }
                }
            }
        }),
        is_wide: false,
    }
}

/// The numbers that went furthest, in units of chance.
fn drifts(course: &Course, order: &[(usize, Drift)]) -> Panel {
    const ROWS: usize = 10;
    let shown = &order[..order.len().min(ROWS)];
    let ratios = shown.iter().map(|(_, drift)| drift.ratio());
    let mut rows = Rows::new("drift, in units of chance", ratios.chain([-2.0, 2.0]))
        .line(0.0, "axis-line")
        .line(-2.0, "hypothesis")
        .line(2.0, "hypothesis");
    for (index, drift) in shown {
        let ratio = drift.ratio();
        let ends = [ratio.min(0.0), ratio, ratio.max(0.0)];
        rows.interval(dotted_name(&course.tunables()[*index].name), ends, &signed(ratio, 1));
    }
    let note = "Where the numbers that went furthest are, against how far chance alone brings \
                them: the standard deviation of the same steps, had the results nothing to do with \
                the numbers. What stays within 2 (dotted) may be chance.";
    Panel {
        id: "drifts",
        name: "Drift against noise",
        note: html! { (note) },
        content: rows.into_markup(note),
        figures: None,
        is_wide: false,
    }
}

/// A curve for each number.
fn curves(tuning: &Tuning, order: &[(usize, Drift)]) -> Panel {
    let course = &tuning.course;
    let all: Vec<&Point> = course.points().collect();
    let stride = all.len().div_ceil(POINTS).max(1);
    // The last point is always there.
    let points: Vec<&Point> = all.iter().rev().step_by(stride).rev().copied().collect();
    let drifts: Vec<Vec<Drift>> = points.iter().map(|point| course.drifts_at(point)).collect();
    let left_out = order.len().saturating_sub(CURVES);
    Panel {
        id: "curves",
        name: "Numbers",
        note: html! {
            "The path of each number over the pairs, those that went furthest first; shaded, where "
            "chance alone would leave it in 95 % of runs."
            @if left_out > 0 { " " (left_out) " more are in the table." }
        },
        content: html! {
            div.multiples {
                @for (index, _) in order.iter().take(CURVES) {
                    (curve(tuning, *index, &points, &drifts))
                }
            }
        },
        figures: None,
        is_wide: true,
    }
}

fn curve(tuning: &Tuning, index: usize, points: &[&Point], drifts: &[Vec<Drift>]) -> Markup {
    let tunable = &tuning.course.tunables()[index];
    let batch = tuning.settings.batch as f64;
    let mut line = Vec::with_capacity(points.len());
    let mut band = Vec::with_capacity(points.len());
    for (point, drifts) in points.iter().zip(drifts) {
        let (x, Drift { start, now, noise }) = (point.iteration as f64 * batch, drifts[index]);
        line.push((x, now));
        let [low, high] = [start - CONFIDENCE * noise, start + CONFIDENCE * noise];
        band.push((x, low.max(tunable.low), high.min(tunable.high)));
    }
    let ends = line.iter().map(|point| point.1).chain(band.iter().flat_map(|it| [it.1, it.2]));
    let last = line.last().map_or(0.0, |point| point.0);
    let frame = Frame::within(SMALL, (0.0, last.max(1.0)), widened(ends));
    let content = html! {
        (frame.counting_axes("pairs"))
        (frame.band(&band, "band"))
        (frame.level(tunable.value, "hypothesis"))
        (frame.line(&line, "cand"))
    };
    let [start, now] = [tunable.value, line.last().map_or(tunable.value, |point| point.1)]
        .map(|value| shown(tunable, value));
    let id = format!("number-{index}");
    let text = format!("{} went from {start} to {now}.", tunable.name);
    html! {
        figure {
            figcaption { span { (dotted_name(&tunable.name)) } span.value { (start) " → " (now) } }
            (chart::figure_of(SMALL, &id, &tunable.name, &text, &content))
        }
    }
}

fn table(course: &Course) -> Panel {
    let rows = course.tunables().iter().zip(course.drifts());
    let columns = ["Now", "Drift", "Start", "Change", "Chance (σ)", "Lowest", "Highest", "Step"];
    Panel {
        id: "table",
        name: "All numbers",
        note: html! {
            "Every number as it is now, its drift in units of chance, where it began, and between "
            "which values it may move."
        },
        content: html! {
            div.scroll {
                table {
                    tr { th scope="row" { "Number" } @for name in columns { th { (name) } } }
                    @for (tunable, drift) in rows {
                        @let change = signed(drift.now - drift.start, tunable.decimals());
                        tr {
                            th scope="row" { (dotted_name(&tunable.name)) }
                            td { (shown(tunable, drift.now)) }
                            td { (signed(drift.ratio(), 1)) }
                            td { (shown(tunable, drift.start)) }
                            td { (change) }
                            td { (format!("{:.*}", tunable.decimals(), drift.noise)) }
                            td { (tunable.low) } td { (tunable.high) } td { (tunable.step) }
                        }
                    }
                }
            }
        },
        figures: None,
        is_wide: true,
    }
}

fn facts(tuning: &Tuning) -> Vec<(String, String)> {
    let settings = &tuning.settings;
    let gains = &settings.gains;
    let facts = [
        ("Tuned", format!("{} ({})", tuning.subject.base().name, settings.fingerprint())),
        ("Limits", tuning.subject.base().limits.to_string()),
        ("Iterations planned", grouped(gains.iterations)),
        ("Pairs of an iteration", grouped(settings.batch)),
        ("Iterations at once", grouped(settings.window)),
        ("Gains", format!("A {} of the plan, α {}, γ {}", gains.a_ratio, gains.alpha, gains.gamma)),
        ("Nodes", grouped(tuning.tally.nodes)),
    ];
    facts.map(|(name, value)| (name.to_string(), value)).into()
}

/// A value with the decimals in which its changes show.
fn shown(tunable: &Tunable, value: f64) -> String {
    let text = format!("{value:.*}", tunable.decimals());
    text.replace('-', "−")
}
