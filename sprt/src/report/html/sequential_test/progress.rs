//! Panels on the course of the test: likelihood ratio and Elo by the number of pairs.

use maud::{Markup, html};

use super::document::View;
use crate::report::html::chart::{self, Frame};
use crate::report::html::document::Panel;
use crate::report::html::words::{count_of, percent, signed, with_error};
use crate::statistics::{Estimate, Model, PairCounts, small_sample_elo};

/// The path of the log-likelihood ratio between its bounds.
pub fn likelihood(view: &View) -> Panel {
    let (lower, upper) = view.bounds;
    let ratio = view.ratio;
    let points = view.tally.path.ratios();
    let pairs = view.tally.counts.pairs();
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
    let text = format!(
        "After {} the log-likelihood ratio is {}; the test ends at {} or {}.",
        count_of(pairs, "pair"),
        signed(ratio, 2),
        signed(lower, 2),
        signed(upper, 2)
    );
    Panel {
        id: "likelihood",
        name: "Likelihood ratio",
        note: html! {
            (text)
            @if let Some(truncation) = &view.truncation {
                " Cut off at the limit of pairs: " (truncation) "."
            }
        },
        content: chart::figure("likelihood", "Log-likelihood ratio by pairs", &text, &content),
        figures: None,
        is_wide: false,
    }
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
    let pairs = view.tally.counts.pairs();
    let estimates: Vec<(f64, f64, f64, f64)> = view
        .tally
        .path
        .counts()
        .map(|counts| {
            let Estimate { value, error } = small_sample_elo(&counts.sample());
            (counts.pairs() as f64, value - error, value, value + error)
        })
        .collect();
    let (low, high) = reach(&estimates, pairs as f64);
    let frame = Frame::new((0.0, pairs.max(1) as f64), (low, high));
    let band: Vec<_> = estimates.iter().map(|&(x, low, _, high)| (x, low, high)).collect();
    let line: Vec<_> = estimates.iter().map(|&(x, _, value, _)| (x, value)).collect();
    let hypotheses = view.context.run.rules.hypotheses;
    let estimate = small_sample_elo(&view.tally.counts.sample());
    let are_too_few = view.tally.counts.are_too_few();
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
        false => format!("Logistic Elo {} with its 95 % interval.", with_error(&estimate)),
    };
    Panel {
        id: "elo",
        name: "Elo",
        note: html! { (text) },
        content: chart::figure("elo", "Elo by pairs with its 95 % interval", &text, &content),
        figures: (!are_too_few).then(|| table_of_estimates(view)),
        is_wide: false,
    }
}

/// Elo on both scales with its errors, and the likelihood of superiority.
fn table_of_estimates(view: &View) -> Markup {
    let unbiased = view.figures.elo_after_stop;
    html! {
        table {
            (row("Logistic Elo", &with_error(&view.figures.elo)))
            @if view.context.run.rules.early_stop {
                (row("… with the stopping rule in mind", &format!(
                    "{} [{}, {}]",
                    signed(unbiased.elo, 1),
                    signed(unbiased.lower, 1),
                    signed(unbiased.upper, 1)
                )))
            }
            (row("Normalized Elo", &with_error(&view.figures.normalized_elo)))
            (row("Likelihood of superiority", &percent(view.figures.likelihood_of_superiority)))
        }
    }
}

/// A row of a table with two columns.
pub fn row(name: &str, value: &str) -> Markup {
    html! { tr { th scope="row" { (name) } td { (value) } } }
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
