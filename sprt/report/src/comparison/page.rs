//! The rows as a page.

use std::path::Path;

use maud::{Markup, html};

use super::{COLUMNS, FoundRuns, Row, Skipped};
use crate::html::document::{Badge, Document, Panel, key};
use crate::html::link_between;
use crate::html::rows::Rows;
use crate::html::words::{count_of, grouped, signed};

/// The meaning of the columns.
pub const NOTE: &str = "Elo is logistic and the first player's: of tests that may stop early it \
                        takes that into account, of tournaments it is the leader's rating.";

/// The page that is to lie at a path; `repeat` is the command line that makes it again.
pub fn page(found: &FoundRuns, path: &Path, repeat: &str) -> String {
    let rows = &found.rows;
    let runs = rows.len() as u64;
    let pairs: u64 = rows.iter().map(|row| row.pairs).sum();
    let document = Document {
        title: count_of(runs, "run"),
        badge: Badge { name: "index", class: "open" },
        heading: html! { (count_of(runs, "run")) },
        sentences: vec![sentence(rows)],
        lead: html! { (NOTE) },
        overview: html! {
            dl.key {
                (key("Runs", &grouped(runs), ""))
                (key("Pairs", &grouped(pairs), "in all of them"))
                @for verdict in ["accepted", "rejected", "undecided"] {
                    @let number = rows.iter().filter(|row| row.verdict == verdict).count();
                    (key(&format!("Tests {verdict}"), &grouped(number as u64), ""))
                }
            }
        },
        panels: vec![table(rows, path), elo(rows), skipped(&found.skipped)],
        facts: (1..)
            .zip(&found.named)
            .map(|(number, folder)| (format!("Folder {number}"), folder.display().to_string()))
            .collect(),
        repeat: repeat.to_owned(),
        ..Document::default()
    };
    document.into_html()
}

/// How often candidates were accepted.
fn sentence(rows: &[Row]) -> String {
    let of = |verdict: &str| rows.iter().filter(|row| row.verdict == verdict).count() as u64;
    let [accepted, rejected, open] = ["accepted", "rejected", "undecided"].map(of);
    match accepted + rejected + open {
        0 => "None of these runs is a finished test.".to_owned(),
        tests => format!(
            "{}: {} accepted, {} rejected, {} undecided.",
            count_of(tests, "test"),
            grouped(accepted),
            grouped(rejected),
            grouped(open)
        ),
    }
}

/// All rows; on a narrow screen each is a card of its own.
fn table(rows: &[Row], path: &Path) -> Panel {
    let note = "One row a run. The bar shows the log-likelihood ratio (LLR) of a test between its bounds: at \
                the right end the candidate is accepted, at the left one rejected.";
    let content = html! {
        div.cards {
            table {
                thead { tr { @for name in COLUMNS { th scope="col" { (name) } } } }
                tbody { @for row in rows { tr { (cells(row, path)) } } }
            }
        }
    };
    Panel::new("table", "Runs", note, content).wide(true)
}

fn cells(row: &Row, path: &Path) -> Markup {
    let link = row.page.as_deref().and_then(|page| link_between(path, page));
    html! {
        @for (name, cell) in COLUMNS.iter().zip(row.cells()) {
            @match *name {
                "Run" => th scope="row" data-name=(name) {
                    @if let Some(link) = &link { a href=(link) { (cell) } } @else { (cell) }
                },
                "Verdict" => td class={ "verdict " (row.class) } data-name=(name) { (cell) },
                "LLR [bounds]" => td data-name=(name) { (cell) (gauge(row)) },
                _ => td data-name=(name) { (cell) },
            }
        }
    }
}

/// The likelihood ratio as a bar from 0 on.
fn gauge(row: &Row) -> Markup {
    html! {
        @if let Some([lower, ratio, upper]) = row.ratio {
            (crate::html::document::gauge(ratio, (lower, upper)))
        }
    }
}

/// The intervals of those whose Elo is known.
fn elo(all: &[Row]) -> Panel {
    let known: Vec<(&Row, [f64; 3])> = all
        .iter()
        .filter_map(|row| row.elo.map(|elo| (row, [elo.lower, elo.value, elo.upper])))
        .collect();
    let ends = known.iter().flat_map(|(_, elo)| *elo).chain([0.0]);
    let mut rows = Rows::new("Elo of the first player", ends).line(0.0, "axis-line");
    for (row, elo) in &known {
        rows.interval(html! { (row.players) }, *elo, &signed(elo[1], 1));
    }
    let text = "Elo of the first player with its 95 % interval.";
    let note = html! {
        (text) @if known.len() < all.len() { " Runs with too few pairs are missing." }
    };
    Panel::new("elo", "Elo", note, rows.into_markup(text)).wide(true)
}

fn skipped(skipped: &[Skipped]) -> Panel {
    let note = match skipped.is_empty() {
        true => "Nothing was skipped.",
        false => "Folders without a row, and why.",
    };
    let content = html! { @if !skipped.is_empty() { ul { @for it in skipped { li { (it) } } } } };
    Panel::new("skipped", "Skipped", note, content).wide(true)
}
