//! Panels on the numbers: what moved and how surely, what did not and why.

use maud::{Markup, html};
use report::html::document::Panel;
use report::html::words::{dotted_name, grouped, signed};

use crate::fit::report::{AFTER_SELECTION, Change, FEW_GAMES, Report, compact};

/// Changes that are seen at once; the others are folded away.
const SHOWN: usize = 20;

/// All changes, those that lowered the held-out error most first.
pub fn ranked(report: &Report) -> Panel {
    let (shown, more) = report.changes.split_at(report.changes.len().min(SHOWN));
    let note = html! {
        "By their share of the fall in the " (report.judging()) " error: slopes along the way from "
        "start to end, which add up to all of it."
        @if report.has_intervals {
            " The interval is what the positions alone say (95 %, games as units, without the "
            "pull towards the start); t is the change over its standard error."
            @if !report.errors_by_games { " " (FEW_GAMES) }
            @if report.intervals_follow_selection { " " (AFTER_SELECTION) }
        }
    };
    let content = html! {
        @if report.unchanged.is_none() { div.scroll { (table(report, shown)) } }
        @if !more.is_empty() {
            details { summary { "The other " (grouped(more.len() as u64)) }
                      div.scroll { (table(report, more)) } }
        }
    };
    Panel::new("changes", "Changes", note, content).wide(true)
}

fn table(report: &Report, changes: &[Change]) -> Markup {
    let fall = report.fall();
    let known = report.has_intervals;
    let columns = ["start", "tuned", "share", "t", "positions alone", "seen"];
    html! {
        table {
            tr {
                th scope="row" { span.minor { "Number" } }
                @for (index, name) in columns.iter().enumerate() {
                    @if known || !(3..5).contains(&index) { th scope="col" { (name) } }
                }
            }
            @for it in changes { tr {
                th scope="row" { (dotted_name(&it.name)) }
                td { (minus(it.before)) }
                td { (minus(it.after)) }
                td { @if fall == 0.0 { "–" } @else { (signed(100.0 * it.part / fall, 1)) " %" } }
                @if known {
                    td { @if let Some(t) = it.t { (signed(t, 1)) } @else { "–" } }
                    td { (it.alone().replace('-', "−")) }
                }
                td { (grouped(u64::from(it.seen))) }
            } }
        }
    }
}

fn minus(value: i32) -> String {
    value.to_string().replace('-', "−")
}

/// Numbers that the positions can hardly tell apart.
pub fn collinear(report: &Report) -> Option<Panel> {
    let groups = &report.collinear;
    let content = html! {
        ul { @for group in groups { li { (compact(group).join(", ")) } } }
    };
    let note = "Numbers of which the positions tell the sum or the difference a thousand times \
                better than each: their single values mean little, and their errors are great.";
    (!groups.is_empty())
        .then(|| Panel::new("collinear", "Hard to tell apart", note, content).wide(true))
}

/// Numbers that were held, by why.
pub fn unmoved(report: &Report) -> Option<Panel> {
    let unseen: Vec<String> = report.unseen.iter().map(|unseen| unseen.name.clone()).collect();
    let kinds = [
        ("Held by --only or --freeze", &report.frozen),
        ("Held because their change was not significant (--shrink)", &report.insignificant),
        ("In too few positions (--seen-min)", &unseen),
        ("Without effect on any training position", &report.silent),
        ("Rows folded into the value they trade with", &report.folded),
    ];
    let content = html! {
        @for (name, numbers) in kinds.into_iter().filter(|(_, numbers)| !numbers.is_empty()) {
            details {
                summary { (name) ": " (grouped(numbers.len() as u64)) }
                p.minor { (compact(numbers).join(", ")) }
            }
        }
    };
    kinds.iter().any(|(_, numbers)| !numbers.is_empty()).then(|| {
        Panel::new("held", "Held and folded", "Numbers that stayed as they were, and why.", content)
            .wide(true)
    })
}
