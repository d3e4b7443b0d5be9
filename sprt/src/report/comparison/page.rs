//! The rows as a page.

use maud::{Markup, html};

use super::{COLUMNS, Row};
use crate::report::html::chart::{self, Frame};
use crate::report::html::document::{Badge, Document, Panel, key};
use crate::report::html::words::{count_of, grouped, signed};

/// What the columns say, in a sentence or two.
pub const NOTE: &str = "Elo is logistic and the first player's: of tests that may stop early it \
                        takes that into account, of tournaments it is the rating.";

/// The page; `repeat` is the command line that makes it again.
pub fn page(rows: &[Row], repeat: &str) -> String {
    let games: u64 = rows.iter().map(|row| row.own_games).sum();
    let folders = folders(rows);
    let runs = folders.len() as u64;
    let document = Document {
        title: format!("{} side by side", count_of(runs, "run")),
        badge: Badge { name: "comparison", class: "open" },
        is_running: false,
        heading: html! { (count_of(runs, "run")) " side by side" },
        lead: html! { (NOTE) },
        failure: None,
        overview: html! {
            dl.key {
                (key("Runs", &grouped(runs), ""))
                (key("Games", &grouped(games), "in all of them"))
            }
        },
        panels: vec![table(rows), elo(rows)],
        facts: (1..)
            .zip(folders)
            .map(|(number, folder)| (format!("Folder {number}"), folder.to_owned()))
            .collect(),
        repeat: repeat.to_owned(),
    };
    document.into_html()
}

/// The folders of the rows, each once.
fn folders(rows: &[Row]) -> Vec<&str> {
    let mut folders: Vec<&str> = rows.iter().map(|row| row.run.as_str()).collect();
    folders.dedup();
    folders
}

/// All rows; on a narrow screen each is a card of its own.
fn table(rows: &[Row]) -> Panel {
    Panel {
        id: "table",
        name: "Runs",
        note: html! {},
        content: html! {
            div.cards {
                table {
                    thead { tr { @for name in COLUMNS { th scope="col" { (name) } } } }
                    tbody {
                        @for row in rows { tr {
                            @for (name, cell) in COLUMNS.iter().zip(row.cells()) {
                                (cell_of(name, &cell, row.class))
                            }
                        } }
                    }
                }
            }
        },
        figures: None,
        is_wide: true,
    }
}

fn cell_of(name: &str, cell: &str, class: &str) -> Markup {
    let class = if name == "Verdict" { format!("verdict {class}") } else { String::new() };
    html! {
        @if name == COLUMNS[0] {
            th scope="row" data-name=(name) { (cell) }
        } @else {
            td class=[Some(class).filter(|it| !it.is_empty())] data-name=(name) { (cell) }
        }
    }
}

/// The intervals of those whose Elo is known.
fn elo(rows: &[Row]) -> Panel {
    let known: Vec<(&Row, [f64; 3])> =
        rows.iter().filter_map(|row| Some((row, row.elo?))).collect();
    let ends = known.iter().flat_map(|(_, elo)| *elo).chain([0.0]);
    let frame = Frame::of_rows(known.len(), ends);
    let content = html! {
        (frame.rows_axis("Elo of the first player"))
        (frame.upright(0.0, "axis-line"))
        @for (number, (row, elo)) in known.iter().enumerate() {
            (frame.row(number, *elo, &row.players, &signed(elo[1], 1)))
        }
    };
    let text = "Elo of the first player with its 95 % interval.";
    Panel {
        id: "elo",
        name: "Elo",
        note: html! { (text) @if known.len() < rows.len() { " Those with too few pairs are missing." } },
        content: html! {
            @if !known.is_empty() {
                (chart::figure_of(frame.area, "elo", "Elo of all runs", text, &content))
            }
        },
        figures: None,
        is_wide: true,
    }
}
