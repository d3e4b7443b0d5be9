//! Panels with curves: errors by iteration and by λ, reliability of expected results, K by phase.

use maud::{Markup, html};
use report::html::chart::{self, Area, Frame, spread};
use report::html::document::Panel;
use report::html::table::{named_head, row};
use report::html::words::{grouped, signed};
use statistics::CONFIDENCE;

use crate::fit::diagnosis::{Bin, Reliability};
use crate::fit::report::Report;

/// Room of the chart of one phase.
const SMALL: Area = Area { width: 300.0, height: 250.0, left: 40.0, bottom: 34.0 };

fn legend(names: &[(&str, &str)]) -> Markup {
    html! {
        p.legend { @for (class, name) in names { span { i class=(class) {} (name) } } }
    }
}

/// The panel of errors by iteration.
pub fn loss(report: &Report) -> Panel {
    let iterations = &report.iterations;
    let training: Vec<_> =
        iterations.iter().map(|it| (f64::from(it.iteration), it.training)).collect();
    let validation: Vec<_> =
        iterations.iter().map(|it| (f64::from(it.iteration), it.validation)).collect();
    let last = iterations.last().map_or(1.0, |it| f64::from(it.iteration)).max(1.0);
    let errors = training.iter().chain(&validation).map(|point| point.1);
    let frame = Frame::new((0.0, last), spread(errors, 0.08));
    let best = iterations.get(report.best);
    let content = html! {
        (frame.counting_axes("iteration"))
        (frame.line(&training, "cand"))
        (frame.line(&validation, "base"))
        @if let Some(best) = best {
            (frame.mark((f64::from(best.iteration), best.validation), "taken", "ink"))
        }
    };
    let text = format!("Mean loss of what is minimized, by iteration; {}.", report.stop_in_words());
    let stopping = if report.validation_positions > 0 { "validation" } else { "with the pull" };
    let content = html! {
        (legend(&[("cand", "training"), ("base", stopping)]))
        (chart::figure("loss", "Loss by iteration", &text, &content))
    };
    let figures = html! {
        table {
            tr { @for name in ["iteration", "training", stopping, "largest step"] {
                th scope="col" { (name) }
            } }
            @for it in iterations { tr {
                th { (it.iteration) } td { (format!("{:.6}", it.training)) }
                td { (format!("{:.6}", it.validation)) } td { (format!("{:.2}", it.step)) }
            } }
        }
    };
    Panel::new("loss", "Loss", text, content).with_figures(figures)
}

/// Expected and actual results, by phase.
pub fn reliability(report: &Report) -> Panel {
    let phases = &report.diagnosis.reliability;
    let note = html! {
        "The " (report.judging()) " positions by White's expected result, and what White made "
        "of them (95 % interval): on the diagonal they agree. A bin has at least twenty "
        "positions."
    };
    let content = html! {
        (legend(&[("cand", "tuned"), ("base", "start")]))
        div style="display:grid;grid-template-columns:repeat(auto-fit,minmax(min(13rem,100%),1fr));\
                   gap:.6rem 1rem" {
            @for (index, phase) in phases.iter().enumerate() {
                div { h3 { (phase.name) } (diagram(index, phase)) }
            }
        }
    };
    Panel::new("reliability", "Reliability by phase", note, content)
        .with_figures(figures(phases))
        .wide(true)
}

fn diagram(index: usize, phase: &Reliability) -> Markup {
    let frame = Frame::within(SMALL, (0.0, 1.0), (0.0, 1.0));
    let before: Vec<_> = phase.before.iter().map(|bin| (bin.expected, bin.result)).collect();
    let after: Vec<_> = phase.after.iter().map(|bin| (bin.expected, bin.result)).collect();
    let content = html! {
        (frame.axes("expected"))
        (frame.line(&[(0.0, 0.0), (1.0, 1.0)], "hypothesis"))
        (frame.line(&before, "base"))
        (frame.line(&after, "cand"))
        @for bin in &phase.after { (frame.error_bar(bin.expected, interval(bin))) }
    };
    let id = ["reliability-1", "reliability-2", "reliability-3", "reliability-4"][index % 4];
    let text = "Mean results by expected results";
    chart::figure_of(SMALL, id, &phase.name, text, &content)
}

fn interval(bin: &Bin) -> [f64; 3] {
    let half = CONFIDENCE * bin.error;
    [bin.result - half, bin.result, bin.result + half]
}

fn figures(phases: &[Reliability]) -> Markup {
    html! {
        @for phase in phases {
            h3 { (phase.name) }
            table {
                tr { @for name in ["expected", "result", "± (95 %)", "positions"] {
                    th scope="col" { (name) }
                } }
                @for bin in &phase.after { tr {
                    td { (format!("{:.3}", bin.expected)) } td { (format!("{:.3}", bin.result)) }
                    td { (format!("{:.3}", CONFIDENCE * bin.error)) }
                    td { (grouped(bin.positions as u64)) }
                } }
            }
        }
    }
}

/// How the share of the score in the target was chosen.
pub fn lambda(report: &Report) -> Option<Panel> {
    let blending = report.blending.as_ref()?;
    let frame = Frame::new((0.0, 1.0), spread(blending.tried.iter().map(|point| point.1), 0.08));
    let chosen = blending.tried.iter().find(|point| point.0 == report.lambda);
    let content = html! {
        (frame.axes("λ"))
        (frame.line(&blending.tried, "cand"))
        @if let Some(&point) = chosen { (frame.mark(point, "taken", "ink")) }
    };
    let blended = blending.blended.map_or(String::new(), |error| format!(", {error:.6} with λ"));
    let text = format!(
        "Error of the validation games' results, foretold by the share λ of the search score in the \
         target. After the fit: {:.6} with results alone{blended}.",
        blending.results_alone
    );
    let content = chart::figure("lambda", "Validation error by λ", &text, &content);
    Some(Panel::new("lambda", "Share of the score", text, content))
}

/// K by what is on the board.
pub fn scales(report: &Report) -> Option<Panel> {
    let held_out = report.held_out_at_k_by_phase?;
    let note = html! {
        "The K that fits each phase best, at the tuned values: with the same everywhere, a "
        "centipawn means the same everywhere. The " (report.judging()) " error is "
        (format!("{held_out:.6}")) " with them, "
        (format!("{:.6}", report.held_out_at_k_after)) " with one K for all ("
        (format!("{:.3}", report.k_after)) ")."
    };
    let content = html! {
        table {
            (named_head("Phase", ["positions", "K", "against all"]))
            @for scale in &report.k_by_phase {
                @let more = 100.0 * (scale.k / report.k_after - 1.0);
                (row(&scale.name, [
                    grouped(scale.positions as u64),
                    format!("{:.3}", scale.k),
                    format!("{} %", signed(more, 1)),
                ]))
            }
        }
    };
    Some(Panel::new("scales", "K by material", note, content))
}
