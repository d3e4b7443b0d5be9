//! The panel of square tables: before and after, as maps.

use maud::{Markup, html};
use parameters::{Declaration, Half, Number, Table};
use playable::Numbers;
use report::html::document::Panel;

use crate::fit::ties::{SQUARES, files_of};

/// Width of a square in the map.
const SIDE: usize = 10;
/// Least value that has the full color, in centipawns.
const FULL_MIN: i32 = 20;

/// The maps of all tables, before and after, by phase; none where the game has no such tables.
pub fn panel(start: &Numbers, tuned: &Numbers) -> Option<Panel> {
    let weights = start.declarations(Table::Weights);
    let tables: Vec<&'static Declaration> =
        weights.iter().filter(|info| info.group == SQUARES).collect();
    if tables.is_empty() {
        return None;
    }
    let note = "Centipawns by square, seen from White with the own king on files e to h: blue is \
                good, orange bad, both by the greatest value of a table in all four maps.";
    let content = html! {
        @for table in tables {
            h3 { (capitalized(table.name)) }
            div style="display:grid;gap:.8rem;\
                       grid-template-columns:repeat(auto-fit,minmax(max(8.5rem,23%),1fr))" {
                @for half in [Half::Middlegame, Half::Endgame] {
                    @let values = [start, tuned].map(|set| values(set, table, half));
                    @let full = full(&[start, tuned], table);
                    @for (values, when) in values.iter().zip(["start", "tuned"]) {
                        figure {
                            (map(table, values, full, when))
                            figcaption { span.minor { (half.name()) ", " (when) } }
                        }
                    }
                }
            }
        }
    };
    Some(Panel::new("squares", "Square tables", note, content).wide(true))
}

fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn values(set: &Numbers, table: &'static Declaration, half: Half) -> Vec<i32> {
    let of_phase = table.numbers().filter(|number| number.half == Some(half));
    of_phase.map(|number: Number| set.value(&number)).collect()
}

/// The greatest value of a table in either set and phase.
fn full(sets: &[&Numbers], table: &'static Declaration) -> i32 {
    let halves = [Half::Middlegame, Half::Endgame];
    let all = sets.iter().flat_map(|set| halves.map(|half| values(set, table, half)));
    all.flatten().map(i32::abs).fold(FULL_MIN, i32::max)
}

/// A table as a map: rank 8 above, file a at the left.
fn map(table: &Declaration, values: &[i32], full: i32, when: &str) -> Markup {
    let files = files_of(table);
    let ranks = values.len() / files;
    let (width, height) = (files * SIDE, ranks * SIDE);
    let name = format!("{} {when}", table.path());
    html! {
        svg.board viewBox={ "0 0 " (width) " " (height) } role="img" aria-label=(name)
            style={ "max-width:" (100 * files / 8) "%" } {
            @for (square, &value) in values.iter().enumerate() {
                @let (x, y) = (square % files * SIDE, (ranks - 1 - square / files) * SIDE);
                rect x=(x) y=(y) width=(SIDE) height=(SIDE) style=(color(value, full)) {}
                text x=(x + SIDE / 2) y=(y + 6) text-anchor="middle" style="font-size:3.6px" {
                    (value.to_string().replace('-', "−"))
                }
            }
        }
    }
}

/// The color of a value, in the colors of the page by day and by night.
fn color(value: i32, full: i32) -> String {
    let share = 100 * value.abs() / full;
    let tint = if value < 0 { "base-soft" } else { "cand-soft" };
    format!("fill:color-mix(in srgb,var(--{tint}) {share}%,var(--rule))")
}
