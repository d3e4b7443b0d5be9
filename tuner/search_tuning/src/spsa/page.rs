//! The page of a run: a curve for each number, what the way is worth, and all of it as a table.

use maud::{Markup, html};
use report::html::chart::{self, Area, Frame, widened};
use report::html::document::{Badge, Document, Panel, key, key_elo, key_estimate};
use report::html::rows::Rows;
use report::html::table::{named_head, row};
use report::html::words::{count_of, dotted_name, grouped, signed, with_minus};
use statistics::{CONFIDENCE, EloEstimate, Estimate, Verdict, extent, sentence_of};
use tunables::Tunable;

use super::course::{Drift, Point, SpsaPath};
use super::show;
use super::tuning::Tuning;
use super::verdict::{self, Outcome};

/// Room of one number's curve.
const SMALL: Area = Area { width: 300.0, height: 150.0, left: 46.0, bottom: 30.0 };
/// Numbers that have a curve of their own.
const CURVES: usize = 100;
/// Points drawn of a curve.
const POINTS: usize = 150;

/// How far a run is.
pub enum State<'a> {
    /// This process plays games.
    Running,
    /// It broke off, and why.
    Failed(String),
    /// The path came to its end.
    Ended(Outcome<'a>),
}

/// The page as HTML. It holds nothing that depends on time or threads.
pub fn page(tuning: &Tuning, state: State<'_>) -> String {
    let course = &tuning.course;
    let badge = match &state {
        State::Running => Badge { name: "running", class: "open" },
        State::Failed(_) => Badge { name: "failed", class: "rejected" },
        State::Ended(outcome) => Badge {
            name: outcome.words(),
            class: match outcome {
                Outcome::Tested(assessment) => match assessment.figures.verdict {
                    Verdict::Accepted => "accepted",
                    Verdict::Rejected => "rejected",
                    Verdict::Undecided => "open",
                },
                Outcome::Testing | Outcome::NotTested | Outcome::Unchanged => "open",
            },
        },
    };
    let numbers = count_of(course.tunables().len() as u64, "number");
    let mut order: Vec<(usize, Drift)> = course.drifts().into_iter().enumerate().collect();
    order.sort_by(|one, other| other.1.ratio().abs().total_cmp(&one.1.ratio().abs()));
    let document = Document {
        title: format!("SPSA of {numbers}"),
        badge,
        is_running: matches!(state, State::Running | State::Ended(Outcome::Testing)),
        heading: html! { "SPSA of " (numbers) },
        sentences: vec![with_minus(&sentence(course, &state))],
        lead: html! {
            (tuning.subject.base().name) " · " (tuning.subject.base().limits)
            " · seed " (tuning.settings.seed)
        },
        failure: match &state {
            State::Failed(reason) => Some(reason.clone()),
            State::Running | State::Ended(_) => None,
        },
        overview: key_figures(tuning, &state),
        panels: vec![
            worth(tuning),
            drifts(course, &order),
            paths(tuning, &order),
            curves(tuning, &order),
            table(course),
        ],
        facts: facts(tuning),
        repeat: tuning.settings.begun_by.clone(),
    };
    document.into_html()
}

/// The result in plain words: what a test has shown, or before it what the tuning's own games say.
fn sentence(course: &SpsaPath, state: &State<'_>) -> String {
    let worth = course.told_worth().last().map(|&(_, Estimate { value, error })| {
        extent(&EloEstimate { value, lower: value - error, upper: value + error })
    });
    let worth = match worth {
        Some(worth) => format!("by its own games the change is worth {worth}"),
        None => "too few games say what the change is worth".to_owned(),
    };
    match state {
        State::Running => format!("The tuning goes on; so far {worth}."),
        State::Failed(_) => format!("The tuning broke off; {worth}."),
        State::Ended(Outcome::Testing) => {
            format!("The tuned engine is being tested against the start; {worth}.")
        }
        State::Ended(Outcome::NotTested) => {
            format!("Whether the tuned engine is stronger was not tested; {worth}.")
        }
        State::Ended(Outcome::Unchanged) => {
            "No number changed, so that nothing was tested.".to_owned()
        }
        State::Ended(Outcome::Tested(found)) => {
            sentence_of("tuned engine", &found.counts, &found.elo, found.verdict, true)
        }
    }
}

fn key_figures(tuning: &Tuning, state: &State<'_>) -> Markup {
    let faults: u64 = tuning.tally.faults.iter().flat_map(|it| it.faults.values()).sum();
    let planned = format!("planned for {}", grouped(tuning.settings.pairs()));
    let tested = match state {
        State::Ended(Outcome::Tested(assessment)) if !assessment.counts.are_too_few() => {
            Some(&assessment.elo)
        }
        _ => None,
    };
    html! {
        dl.key {
            (key("Pairs", &grouped(tuning.pairs()), &planned))
            @if let Some((_, elo)) = tuning.course.told_worth().last() {
                (key_estimate("Predicted Elo", elo))
            }
            @if let Some(elo) = tested {
                (key_elo("Elo of the test", elo))
            }
            @if faults > 0 { (key("Games forfeited", &grouped(faults), "")) }
        }
        @if let State::Ended(Outcome::Tested(assessment)) = state {
            p.note { "Test of what came out against the start: " (verdict::Ended(assessment)) }
        }
    }
}

/// The worth of the way by the results on it.
fn worth(tuning: &Tuning) -> Panel {
    let batch = tuning.settings.batch as f64;
    let start = (0.0, 0.0, 0.0, 0.0);
    let worth = tuning.course.told_worth();
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
    let content = chart::figure("worth-chart", "Predicted Elo", note, &content);
    let figures = html! {
        table {
            (named_head("Pairs", ["Elo", "± (95 %)"]))
            @for (iteration, elo) in &worth {
                @let cells = [signed(elo.value, 1), format!("{:.1}", elo.error)];
                (row(grouped(iteration * tuning.settings.batch), cells))
            }
        }
    };
    Panel::new("worth", "Predicted Elo", note, content).with_figures(figures)
}

/// The numbers that went furthest, in units of chance.
fn drifts(course: &SpsaPath, order: &[(usize, Drift)]) -> Panel {
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
    Panel::new("drifts", "Drift against noise", note, rows.into_markup(note))
}

/// Points of a course, as many as a curve has; the last is always there.
fn thinned(course: &SpsaPath) -> Vec<&Point> {
    let all: Vec<&Point> = course.points().collect();
    let stride = all.len().div_ceil(POINTS).max(1);
    all.iter().rev().step_by(stride).rev().copied().collect()
}

/// All numbers in one plane, each in its own steps.
fn paths(tuning: &Tuning, order: &[(usize, Drift)]) -> Panel {
    /// Numbers that stand out and have a label.
    const NAMED: usize = 5;
    let course = &tuning.course;
    let batch = tuning.settings.batch as f64;
    let points = thinned(course);
    let path = |index: usize| -> Vec<(f64, f64)> {
        let tunable = &course.tunables()[index];
        let steps = |value: f64| (value - tunable.value) / tunable.step;
        points.iter().map(|it| (it.iteration as f64 * batch, steps(it.values[index]))).collect()
    };
    let mut lines: Vec<(usize, Vec<(f64, f64)>)> =
        order.iter().map(|(index, _)| (*index, path(*index))).collect();
    lines.sort_by(|one, other| {
        let end = |line: &[(f64, f64)]| line.last().map_or(0.0, |point| point.1.abs());
        end(&other.1).total_cmp(&end(&one.1))
    });
    let heights = lines.iter().flat_map(|(_, line)| line.iter().map(|point| point.1));
    let last = points.last().map_or(0.0, |point| point.iteration as f64 * batch);
    let frame = Frame::new((0.0, last.max(1.0)), widened(heights.chain([-1.0, 1.0])));
    let (named, others) = lines.split_at(lines.len().min(NAMED));
    let content = html! {
        (frame.axes("pairs"))
        (frame.level(0.0, "axis-line"))
        @for (_, line) in others { (frame.line(line, "faint")) }
        @for (_, line) in named { (frame.line(line, "cand")) }
        @for (index, line) in named {
            @if let Some(&end) = line.last() {
                (frame.mark(end, &course.tunables()[*index].name, "cand"))
            }
        }
    };
    let note = "All numbers in one plane: how far each is from its start, in its own steps (c_end). \
                Those that went furthest have their names.";
    Panel::new(
        "paths",
        "All paths",
        note,
        chart::figure("paths-chart", "All paths", note, &content),
    )
}

fn curves(tuning: &Tuning, order: &[(usize, Drift)]) -> Panel {
    let course = &tuning.course;
    let points = thinned(course);
    let drifts: Vec<Vec<Drift>> = points.iter().map(|point| course.drifts_at(point)).collect();
    let left_out = order.len().saturating_sub(CURVES);
    let note = html! {
        "The path of each number over the pairs, those that went furthest first; shaded, where "
        "chance alone would leave it in 95 % of runs."
        @if left_out > 0 { " " (left_out) " more are in the table." }
        @if let Some(note) = show::one_way_only(course) { " Note: " (note) "." }
    };
    let content = html! {
        div.multiples {
            @for (index, _) in order.iter().take(CURVES) {
                (curve(tuning, *index, &points, &drifts))
            }
        }
    };
    Panel::new("curves", "Numbers", note, content).wide(true)
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
    let value = format!("{start} → {now}");
    chart::small_figure(SMALL, &id, &tunable.name, value, &text, &content)
}

fn table(course: &SpsaPath) -> Panel {
    let rows = course.tunables().iter().zip(course.drifts());
    let columns =
        ["Now", "Drift", "Start", "Change", "Chance (σ)", "Lowest", "Highest", "Step", ""];
    let note = "Every number as it is now, its drift in units of chance, where it began, and \
                between which values it may move.";
    let content = html! {
        div.scroll {
            table {
                (named_head("Number", columns))
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
                        td {
                            @if let Some(end) = tunable.start_end() {
                                "one way only: begins at its " (end) " value"
                            }
                        }
                    }
                }
            }
        }
    };
    Panel::new("table", "All numbers", note, content).wide(true)
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

#[cfg(test)]
mod tests {
    use statistics::{Assessment, Hypotheses, PairCounts};

    use super::*;
    use crate::spsa::path::Gains;

    #[test]
    fn a_sentence_says_what_came_of_the_tuning() {
        let course = SpsaPath::new(Vec::new(), Gains::usual(9), 1);
        let said = |state| sentence(&course, &state);
        let counts = PairCounts {
            win_win: 40,
            win_draw: 30,
            win_loss: 29,
            loss_draw: 1,
            ..Default::default()
        };
        let assessment = Assessment::new(counts, &Hypotheses::default());
        let tested = said(State::Ended(Outcome::Tested(&assessment)));
        assert!(tested.starts_with("The tuned engine is stronger: about +"), "{tested}");
        let few = "too few games say what the change is worth.";
        for (state, expected) in [
            (State::Running, format!("The tuning goes on; so far {few}")),
            (State::Failed(String::new()), format!("The tuning broke off; {few}")),
            (
                State::Ended(Outcome::Testing),
                format!("The tuned engine is being tested against the start; {few}"),
            ),
            (
                State::Ended(Outcome::NotTested),
                format!("Whether the tuned engine is stronger was not tested; {few}"),
            ),
            (
                State::Ended(Outcome::Unchanged),
                "No number changed, so that nothing was tested.".to_owned(),
            ),
        ] {
            assert_eq!(said(state), expected);
        }
    }
}
