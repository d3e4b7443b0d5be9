//! Panels on positions: kinds of them by material, and those whose results came least expected.

use matches::games;
use maud::{Markup, html};
use report::html::board::board;
use report::html::document::Panel;
use report::html::rows::Rows;
use report::html::table::{head, row};
use report::html::words::{grouped, signed};
use statistics::CONFIDENCE;

use crate::fit::diagnosis::Kind;
use crate::fit::report::Report;

/// Residuals by the lead in material.
pub fn by_lead(report: &Report) -> Panel {
    let text = format!(
        "Result less expected result of the side that is ahead in material (White where it is \
         equal), by its lead in points; {} positions, tuned values, 95 % intervals.",
        report.judging()
    );
    panel("leads", "Residuals by lead", &text, &report.diagnosis.by_lead)
}

/// Residuals by what is on the board.
pub fn by_pieces(report: &Report) -> Panel {
    let text = "The same by what stands beside kings and pawns.";
    panel("pieces", "Residuals by pieces", text, &report.diagnosis.by_pieces)
}

fn panel(id: &'static str, name: &'static str, text: &str, kinds: &[Kind]) -> Panel {
    let ends = |kind: &Kind| {
        let half = CONFIDENCE * kind.residual_error;
        [kind.residual - half, kind.residual, kind.residual + half]
    };
    let mut rows = Rows::new("result − expected", kinds.iter().flat_map(ends).chain([0.0]))
        .line(0.0, "axis-line");
    for kind in kinds {
        rows.interval(html! { (kind.name) }, ends(kind), &signed(kind.residual, 3));
    }
    Panel::new(id, name, text, rows.into_markup(text)).with_figures(table(kinds))
}

fn table(kinds: &[Kind]) -> Markup {
    html! {
        table {
            (head(["positions", "error before", "after", "residual"]))
            @for kind in kinds {
                @let error = CONFIDENCE * kind.residual_error;
                (row(&kind.name, [
                    grouped(kind.positions as u64),
                    format!("{:.5}", kind.before),
                    format!("{:.5}", kind.after),
                    format!("{} ± {error:.3}", signed(kind.residual, 3)),
                ]))
            }
        }
    }
}

/// The held-out positions whose results came least expected.
pub fn outliers(report: &Report) -> Panel {
    let note = html! {
        "The " (report.judging()) " positions whose results came least expected, each of another game: a term "
        "that is missing, or a blunder later on."
    };
    let content = html! {
        div style="display:grid;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr));gap:.8rem" {
            @for it in &report.diagnosis.outliers {
                figure {
                    (board(games::usual(), &it.fen))
                    figcaption {
                        (signed(f64::from(it.evaluation) / 100.0, 2)) ", expected "
                        (format!("{:.2}", it.expected)) ", came " (it.result)
                        span.minor {
                            (side_to_move(&it.fen)) " to move"
                            @if let Some(score) = it.score {
                                "; search " (signed(f64::from(score) / 100.0, 2))
                            }
                        }
                    }
                }
            }
        }
    };
    let figures = html! {
        @for it in &report.diagnosis.outliers { p.code { (it.fen) } }
    };
    Panel::new("outliers", "Outliers", note, content).with_figures(figures).wide(true)
}

fn side_to_move(fen: &str) -> &'static str {
    if fen.split(' ').nth(1) == Some("b") { "Black" } else { "White" }
}
