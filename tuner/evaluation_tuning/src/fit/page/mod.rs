//! The report of a fit as a page of HTML: one file, nothing fetched.

mod changes;
mod curves;
mod kinds;
mod squares;

use std::cmp::Ordering;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use matches::games;
use maud::{Markup, html};
use playable::Numbers;
use report::html::document::{Badge, Document, key};
use report::html::words::{grouped, signed};

use super::report::Report;
use crate::model::loss::Loss;

pub use squares::panel as square_tables;

/// Files of a report in its folder.
const PAGE: &str = "report.html";
const DATA: &str = "report.json";

/// The sources of a page besides the report.
pub struct PageSources<'a> {
    /// The numbers that the fit began and ended with; none of another engine's evaluation.
    pub numbers: Option<[&'a Numbers; 2]>,
    /// Name of those it began with.
    pub start_name: &'a str,
    /// Names of the sources of positions.
    pub sources: &'a [String],
    /// The line that repeats the fit.
    pub repeat: &'a str,
}

/// The files that a report in this folder has.
pub fn files(folder: &Path) -> [PathBuf; 2] {
    [PAGE, DATA].map(|name| folder.join(name))
}

/// Writes report.json and report.html into `folder`, which is made if needed.
///
/// # Errors
/// When the folder or a file cannot be written; a file is written whole or not at all.
pub fn write(report: &Report, subject: &PageSources<'_>, folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let json = serde_json::to_string_pretty(report)? + "\n";
    for (name, text) in [(DATA, json), (PAGE, page(report, subject))] {
        system::files::write_atomically(&folder.join(name), |file| {
            file.write_all(text.as_bytes())
        })?;
    }
    Ok(())
}

/// The page of a fit as HTML.
pub fn page(report: &Report, subject: &PageSources<'_>) -> String {
    let of_chess = subject.numbers.filter(|[start, _]| games::is_usual(&start.game()));
    let mut panels = vec![curves::loss(report)];
    panels.extend(curves::lambda(report));
    panels.extend(curves::scales(report));
    if of_chess.is_some() {
        panels.push(curves::reliability(report));
    }
    panels.push(changes::ranked(report));
    if let Some([start, tuned]) = of_chess {
        panels.push(kinds::by_lead(report));
        panels.push(kinds::by_pieces(report));
        panels.push(kinds::outliers(report));
        panels.extend(squares::panel(start, tuned));
    }
    panels.extend(changes::collinear(report));
    panels.extend(changes::unmoved(report));
    let document = Document {
        title: "Fit".to_owned(),
        badge: badge(report),
        heading: html! {
            "Fit from " span.name-base { (file_name(subject.start_name)) } " to "
            span.name-cand { (grouped(report.training_positions as u64)) " positions" }
        },
        sentences: vec![sentence(report)],
        lead: html! {
            (report.optimizer) " · " (loss_name(report.loss)) " · λ " (report.lambda)
            " · regularization " (report.regularization) " · seed " (report.seed)
        },
        overview: key_figures(report),
        panels,
        facts: facts(report, subject),
        repeat: subject.repeat.to_owned(),
        ..Document::default()
    };
    document.into_html()
}

/// The direction of the error, where it is clear. Without intervals nobody knows how clear it is.
fn direction(report: &Report) -> Ordering {
    let clear = report.fall_side().unwrap_or(0.0);
    match report.fall() {
        fall if fall.abs() <= clear => Ordering::Equal,
        fall => fall.total_cmp(&0.0),
    }
}

fn badge(report: &Report) -> Badge {
    match direction(report) {
        _ if report.unchanged.is_some() => Badge { name: "no change", class: "open" },
        Ordering::Greater => Badge { name: "fits better", class: "accepted" },
        Ordering::Less => Badge { name: "fits worse", class: "rejected" },
        Ordering::Equal => Badge { name: "no clear gain", class: "open" },
    }
}

/// The result in plain words.
fn sentence(report: &Report) -> String {
    if let Some(reason) = &report.unchanged {
        return format!("No change: {reason}.");
    }
    let (fall, before) = (report.fall(), report.before.held_out);
    let percent = |part: f64| format!("{:.2}", 100.0 * part.abs() / before);
    let whose = match report.judging() {
        "held-out" => "positions of other games",
        _ => "the positions fitted to",
    };
    let way = if fall < 0.0 { "rose" } else { "fell" };
    let change = format!("the error on {whose} {way} by {} %", percent(fall));
    let between = report.fall_side().map(|side| {
        let ends = [fall.abs() - side, fall.abs() + side].map(percent);
        format!(", between {} and {} %", ends[0], ends[1])
    });
    let between = between.unwrap_or_default();
    match direction(report) {
        Ordering::Greater => format!("The tuned values predict results better: {change}{between}."),
        Ordering::Less => format!("The tuned values predict results worse: {change}{between}."),
        Ordering::Equal => format!("No clear gain: {change}, which may be chance."),
    }
}

/// The last part of a path, without its ending.
fn file_name(name: &str) -> String {
    Path::new(name).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn loss_name(loss: Loss) -> &'static str {
    match loss {
        Loss::Squares => "squares",
        Loss::CrossEntropy => "cross-entropy",
    }
}

fn key_figures(report: &Report) -> Markup {
    let fall = report.fall();
    let error = format!("from {:.6}", report.before.held_out);
    let [before, after] = [&report.cross_entropy_before, &report.cross_entropy_after];
    html! {
        dl.key {
            (key("Error", &format!("{:.6}", report.after.held_out),
                 &format!("{error}, {} positions", report.judging())))
            (key("It fell by", &format!("{:.2} %", 100.0 * fall / report.before.held_out),
                 &match report.fall_side() {
                     Some(side) => format!("{} ± {side:.6} (95 %)", signed(fall, 6)),
                     None => signed(fall, 6),
                 }))
            (key("Cross-entropy", &format!("{:.5}", after.held_out),
                 &format!("from {:.5}, {}", before.held_out, report.judging())))
            (key("K", &format!("{:.3}", report.k),
                 &format!("{:.3} would fit the tuned values best", report.k_after)))
            (key("λ", &report.lambda.to_string(),
                 if report.blending.is_some() { "chosen by validation games" } else { "" }))
            (key("Numbers changed", &grouped(report.changes.len() as u64),
                 &if report.has_intervals {
                     format!("{} significantly (|t| ≥ 2)", report.significant())
                 } else {
                     String::new()
                 }))
            @if report.has_intervals {
                (key("Games", &grouped(report.training_games as u64), "fitted to"))
            }
        }
    }
}

fn facts(report: &Report, subject: &PageSources<'_>) -> Vec<(String, String)> {
    let mut facts = vec![("Positions", subject.sources.join(", "))];
    if let Some([start, tuned]) = subject.numbers {
        facts
            .push(("Starting values", format!("{} ({})", subject.start_name, start.fingerprint())));
        facts.push(("Tuned values", tuned.fingerprint()));
    } else {
        facts.push(("Starting values", subject.start_name.to_owned()));
    }
    let lines = ["Sets", "Split", "Traces", "Scale", "Optimizer"];
    facts.extend(lines.into_iter().zip(report.facts()));
    if report.tie_squares > 0.0 {
        facts.push(("Neighboring squares tied by", report.tie_squares.to_string()));
    }
    if let Some(least) = report.shrink {
        facts.push(("Moved only from", format!("{least} standard errors on")));
    }
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::report::Errors;
    use super::*;
    use crate::fit::diagnosis::Diagnosis;

    #[test]
    fn a_sentence_says_whether_values_fit_better() {
        let errors = |held_out| Errors { held_out, ..Errors::default() };
        let report = |after, fall_error: f64| Report {
            held_out_positions: 9,
            before: errors(0.2),
            after: errors(after),
            has_intervals: fall_error > 0.0,
            diagnosis: Diagnosis { fall_error, ..Diagnosis::default() },
            ..Report::default()
        };
        let better = "The tuned values predict results better: the error on";
        for (report, expected) in [
            (
                report(0.196, 0.0005),
                format!("{better} positions of other games fell by 2.00 %, between 1.51 and 2.49 %."),
            ),
            // Traces without games tell no interval.
            (
                Report { held_out_positions: 0, ..report(0.196, 0.0) },
                format!("{better} the positions fitted to fell by 2.00 %."),
            ),
            (
                report(0.204, 0.0005),
                "The tuned values predict results worse: the error on positions of other games rose by \
                 2.00 %, between 1.51 and 2.49 %."
                    .to_owned(),
            ),
            (
                report(0.199, 0.005),
                "No clear gain: the error on positions of other games fell by 0.50 %, which may be \
                 chance."
                    .to_owned(),
            ),
            (
                Report { unchanged: Some("too few positions".to_owned()), ..report(0.2, 0.1) },
                "No change: too few positions.".to_owned(),
            ),
        ] {
            assert_eq!(sentence(&report), expected);
        }
    }
}
