//! The outcome as Markdown, for a pull request or a job's summary.

use std::fmt::Write;

use crate::revisions::Outcome;
use crate::revisions::words::{effort, revision_rows, test_rows, title};

/// The outcome as Markdown.
pub fn summary(outcome: &Outcome) -> String {
    let mut text = format!("## {}: {}\n\n", outcome.decision.heading(), title(outcome));
    push(&mut text, format_args!("{}\n\n", plain(&outcome.reason)));
    text.push_str("| | base | candidate |\n|---|---|---|\n");
    for (name, [base, candidate]) in revision_rows(outcome) {
        push(&mut text, format_args!("| {name} | {} | {} |\n", cell(&base), cell(&candidate)));
    }
    text.push_str("\n| test | result | |\n|---|---|---|\n");
    for (name, result, detail) in test_rows(outcome) {
        push(&mut text, format_args!("| {name} | {} | {} |\n", cell(&result), cell(&detail)));
    }
    let notes: Vec<&String> = outcome.games.iter().flat_map(|games| &games.notes).collect();
    if !notes.is_empty() {
        text.push('\n');
        for note in notes {
            push(&mut text, format_args!("- {}\n", plain(note)));
        }
    }
    push(&mut text, format_args!("\n{}. Repeat:\n\n", effort(outcome)));
    push(&mut text, format_args!("```sh\n{}\n```\n", outcome.repeat));
    text
}

/// A text that cannot break out of its table cell.
fn cell(text: &str) -> String {
    plain(text).replace('|', "\\|")
}

/// A text of somebody else on one line, without what Markdown would take for HTML or a mention.
fn plain(text: &str) -> String {
    let line = text.lines().collect::<Vec<_>>().join(" ");
    line.replace('<', "&lt;").replace('@', "&#64;")
}

fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("writing to a string");
}
