//! Panels on the course of the test: likelihood ratio and Elo by the number of pairs.

use maud::{Markup, html};
use revisions::words::capitalized;
use statistics::{EloEstimate, Model, PairCounts};

use super::view::View;
use crate::html::chart::{self, Frame};
use crate::html::document::Panel;
use crate::html::table::row;
use crate::html::words::{count_of, elo_text, percent, signed, with_error};

/// The path of the log-likelihood ratio between its bounds.
pub fn likelihood(view: &View) -> Panel {
    let progress = &view.content.progress;
    let ((lower, upper), ratio) = (progress.bounds, progress.log_likelihood_ratio);
    let points = view.content.path.ratios();
    let pairs = progress.counts.pairs();
    let reach = |start: f64, choose: fn(f64, f64) -> f64| {
        points.iter().map(|point| point.1).fold(start, choose)
    };
    let (low, high) = (reach(lower, f64::min), reach(upper, f64::max));
    let margin = 0.12 * (high - low);
    let frame = Frame::new((0.0, pairs.max(1) as f64), (low - margin, high + margin));
    let content = html! {
        (frame.zone(upper, f64::INFINITY, "zone accept"))
        (frame.zone(f64::NEG_INFINITY, lower, "zone reject"))
        (frame.counting_axes("pairs"))
        (frame.level(0.0, "axis-line"))
        (frame.level(upper, "bound accept"))
        (frame.level(lower, "bound reject"))
        (frame.level_label(upper, &format!("accept at {}", signed(upper, 2)), true))
        (frame.level_label(lower, &format!("reject at {}", signed(lower, 2)), false))
        (frame.line(&points, "ink"))
        @if pairs > 0 { (frame.mark((pairs as f64, ratio), &signed(ratio, 2), "ink")) }
    };
    let rule = match view.context.run.rules.early_stop {
        true => "the test ends at",
        false => "all pairs are played, and the ratio of all is judged by",
    };
    let text = format!(
        "After {} the log-likelihood ratio is {}; {rule} {} or {}.",
        count_of(pairs, "pair"),
        signed(ratio, 2),
        signed(lower, 2),
        signed(upper, 2)
    );
    let note = html! {
        (text)
        @if let Some(truncation) = &view.content.ending.truncation {
            " Cut off at the limit of pairs: " (truncation) "."
        }
        @if let Some(text) = &view.content.ending.crossing { " " (capitalized(text)) "." }
    };
    let content = chart::figure("likelihood", "Log-likelihood ratio by pairs", &text, &content);
    Panel::new("likelihood", "Likelihood ratio", note, content)
}

/// How far the scale of the Elo reaches, of estimates by pairs: pairs, low, middle, high. The wide
/// intervals of the first pairs would leave no room for the others.
fn reach(estimates: &[(f64, f64, f64, f64)], pairs: f64) -> (f64, f64) {
    /// Pairs from which on intervals count.
    const SETTLED: f64 = 10.0;
    let first = SETTLED.max(0.08 * pairs).min(pairs);
    let settled = estimates.iter().filter(|estimate| estimate.0 >= first);
    settled.fold((-1.0, 1.0), |(low, high): (f64, f64), estimate| {
        (low.min(estimate.1), high.max(estimate.3))
    })
}

/// Elo with its interval.
pub fn elo(view: &View) -> Panel {
    let progress = &view.content.progress;
    let pairs = progress.counts.pairs();
    let estimate_at = |counts: PairCounts| {
        let EloEstimate { value, lower, upper } = progress.elo_at(&counts);
        (counts.pairs() as f64, lower, value, upper)
    };
    let estimates: Vec<(f64, f64, f64, f64)> =
        view.content.path.counts().map(estimate_at).collect();
    let (low, high) = reach(&estimates, pairs as f64);
    let frame = Frame::new((0.0, pairs.max(1) as f64), (low, high));
    let band: Vec<_> = estimates.iter().map(|&(x, low, _, high)| (x, low, high)).collect();
    let line: Vec<_> = estimates.iter().map(|&(x, _, value, _)| (x, value)).collect();
    let hypotheses = view.context.run.rules.hypotheses;
    let estimate = view.figures.elo;
    let are_too_few = progress.counts.are_too_few();
    let content = html! {
        (frame.counting_axes("pairs"))
        @if !are_too_few { (frame.band(&band, "band")) }
        (frame.level(0.0, "axis-line"))
        @if hypotheses.model == Model::Logistic {
            @for elo in [hypotheses.elo0, hypotheses.elo1] { (frame.level(elo, "hypothesis")) }
        }
        @if !are_too_few {
            (frame.line(&line, "cand"))
            (frame.mark((pairs as f64, estimate.value), &signed(estimate.value, 1), "cand"))
        }
    };
    let text = match are_too_few {
        true => format!("Elo: {}.", PairCounts::TOO_FEW),
        false => format!("Logistic Elo {} with its 95 % interval.", elo_text(&estimate)),
    };
    let content = chart::figure("elo", "Elo by pairs with its 95 % interval", &text, &content);
    Panel::new("elo", "Elo", text, content)
        .with_figures((!are_too_few).then(|| table_of_estimates(view)))
}

/// Elo on both scales with its errors, and the likelihood of superiority.
fn table_of_estimates(view: &View) -> Markup {
    let figures = &view.figures;
    html! {
        table {
            (row("Logistic Elo", [elo_text(&figures.elo)]))
            @if figures.elo.is_bounded() {
                @if view.context.run.rules.early_stop {
                    (row("… as if the number of pairs were fixed",
                         [with_error(&figures.elo_if_fixed)]))
                }
                (row("Normalized Elo", [with_error(&figures.normalized_elo)]))
            }
            (row("Likelihood of superiority", [percent(figures.likelihood_of_superiority)]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_of_the_elo_begins_with_the_tenth_pair() {
        let estimate = |pairs: u64| {
            let side = 600.0 / pairs as f64;
            (pairs as f64, 10.0 - side, 10.0, 10.0 + side)
        };
        let of = |pairs: u64| {
            let estimates: Vec<_> = (1..=pairs).map(estimate).collect();
            reach(&estimates, pairs as f64)
        };
        assert_eq!(of(40), (-50.0, 70.0));
        // A long run has settled later, a short one never.
        assert_eq!(of(1000), (-1.0, 17.5));
        assert_eq!(of(6), (-90.0, 110.0));
        assert_eq!(of(0), (-1.0, 1.0));
    }
}
