//! The panel on the openings: whom they favor, and those in which the candidate did best and worst.

use std::cmp::Ordering;

use maud::{Markup, html};

use super::document::View;
use super::test_tally::OpeningTally;
use crate::report::html::board::board;
use crate::report::html::chart::{self, Column};
use crate::report::html::document::Panel;
use crate::report::html::words::{count_of, grouped, points};

/// Openings shown at either end.
const SHOWN: usize = 3;

/// Score by opening.
pub fn panel(view: &View) -> Panel {
    let openings = &view.tally.openings;
    let classes = ["0", "¼", "½", "¾", "1"];
    let mut white = [0u64; 5];
    let mut candidate = [0u64; 5];
    for opening in openings.values() {
        white[class_of(opening.white_half_points, opening.pairs)] += 1;
        candidate[class_of(opening.half_points, opening.pairs)] += 1;
    }
    let columns: Vec<Column> = classes
        .iter()
        .zip(white)
        .map(|(class, number)| Column {
            label: (*class).to_owned(),
            value: grouped(number),
            parts: vec![(
                number as f64,
                "white-side",
                format!("{} in which White scored about {class}", count_of(number, "opening")),
            )],
        })
        .collect();
    let repeated = openings.values().map(|opening| opening.pairs).max().unwrap_or(0);
    let usage = match repeated {
        0 | 1 => "none of them twice".to_owned(),
        times => format!("up to {times} times each"),
    };
    let text = format!(
        "{} of {} played, {usage}. Openings by White's share of the points:",
        grouped(openings.len() as u64),
        grouped(view.context.run.openings.len() as u64)
    );
    let (best, worst) = extremes(view);
    Panel {
        id: "openings",
        name: "Openings",
        note: html! { (text) },
        content: html! {
            div.halves {
                (chart::figure("openings", "Openings by White's share of the points", &text,
                               &chart::columns(&columns, 0.3, "White's share")))
                div {
                    (row_of_boards("Best for the candidate", &best))
                    (row_of_boards("Worst for the candidate", &worst))
                }
            }
        },
        figures: Some(html! {
            table {
                tr {
                    td {}
                    @for class in classes { th scope="col" { (class) } }
                }
                @for (name, numbers) in [("White's share", white), ("Candidate's share", candidate)]
                {
                    tr {
                        th scope="row" { (name) }
                        @for number in numbers { td { (grouped(number)) } }
                    }
                }
            }
            p.minor { "Openings by the nearest share of all points." }
            @for shown in best.iter().chain(&worst) {
                p.code { (shown.number + 1) ": " (shown.fen) }
            }
        }),
        is_wide: true,
    }
}

/// An opening that is shown on a board.
struct Shown {
    number: usize,
    fen: String,
    tally: OpeningTally,
}

/// The openings in which the candidate's score is farthest above and below one half.
fn extremes(view: &View) -> (Vec<Shown>, Vec<Shown>) {
    type Numbered = (usize, OpeningTally);
    let mut openings: Vec<Numbered> =
        view.tally.openings.iter().map(|(number, opening)| (*number, *opening)).collect();
    // Points above even, over the root of their number: what has been seen more often is surer.
    let lean = |opening: &OpeningTally| {
        let pairs = f64::from(opening.pairs);
        (f64::from(opening.half_points) / 2.0 - pairs) / pairs.sqrt()
    };
    let by_lean = |one: &Numbered, other: &Numbered| -> Ordering {
        lean(&other.1).total_cmp(&lean(&one.1)).then(one.0.cmp(&other.0))
    };
    openings.sort_by(by_lean);
    let best = openings.iter().take(SHOWN).filter(|(_, opening)| lean(opening) > 0.0);
    let worst = openings.iter().rev().take(SHOWN).filter(|(_, opening)| lean(opening) < 0.0);
    let show = |&(number, tally): &Numbered| {
        let position = view.context.run.openings.opening(number).expect("it was played").position;
        Shown { number, fen: position.to_fen(position.chess960()), tally }
    };
    (best.map(show).collect(), worst.map(show).collect())
}

/// The nearest quarter of all points.
fn class_of(half_points: u32, pairs: u32) -> usize {
    (f64::from(half_points) / f64::from(pairs)).round().min(4.0) as usize
}

fn row_of_boards(name: &str, openings: &[Shown]) -> Markup {
    html! {
        h3 { (name) }
        @if openings.is_empty() { p.minor { "None yet." } }
        div.boards {
            @for Shown { number, fen, tally } in openings {
                figure {
                    (board(fen))
                    figcaption {
                        (points(u64::from(tally.half_points))) " of " (2 * tally.pairs)
                        span.minor {
                            " no. " (number + 1) ", White " (points(u64::from(tally.white_half_points)))
                        }
                    }
                }
            }
        }
    }
}
