//! The outcome as Markdown, for a pull request or a job's summary.

use std::fmt::Write;

use foreign::{LINE, shown};
use revisions::Outcome;
use revisions::words::{effort, revision_rows, sentences, test_rows, title};

/// The outcome of a regression test as Markdown.
pub fn summary(outcome: &Outcome) -> String {
    let mut text = format!("## {}: {}\n\n", outcome.decision.heading(), plain(&title(outcome)));
    for sentence in [&outcome.reason].into_iter().chain(&sentences(outcome)) {
        push(&mut text, format_args!("{}\n\n", plain(sentence)));
    }
    text.push_str("| | base | candidate |\n|---|---|---|\n");
    for (name, [base, candidate]) in revision_rows(outcome) {
        push(&mut text, format_args!("| {name} | {} | {} |\n", plain(&base), plain(&candidate)));
    }
    text.push_str("\n| test | result | |\n|---|---|---|\n");
    for (name, result, detail) in test_rows(outcome) {
        let [name, result, detail] = [name, result, detail].map(|text| plain(&text));
        push(&mut text, format_args!("| {name} | {result} | {detail} |\n"));
    }
    let notes: Vec<&String> = outcome.games.iter().flat_map(|games| &games.notes).collect();
    if !notes.is_empty() {
        text.push('\n');
        for note in notes {
            push(&mut text, format_args!("- {}\n", plain(note)));
        }
    }
    push(&mut text, format_args!("\n{}. Repeat:\n\n", effort(outcome)));
    let fence = fence(&outcome.repeat);
    push(&mut text, format_args!("{fence}sh\n{}\n{fence}\n", outcome.repeat));
    text
}

/// A text of somebody else on one line, of which Markdown makes nothing but text: no link, code,
/// HTML, mention, list or end of a table's cell.
fn plain(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in shown(text, LINE).chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            // Escaped by a backslash it would still be a mention on GitHub.
            '@' => escaped.push_str("&#64;"),
            letter if "\\`*_{}[]()#~|!".contains(letter) => escaped.extend(['\\', letter]),
            letter => escaped.push(letter),
        }
    }
    // An address without brackets is a link, too.
    let escaped = escaped.replace("://", "&#58;//").replace("www.", "www&#46;");
    // Marks of Markdown at the beginning of a line only.
    match escaped.chars().next() {
        Some('+' | '-' | '=') => format!("\\{escaped}"),
        Some(digit) if digit.is_ascii_digit() => escaped.replacen('.', "\\.", 1),
        _ => escaped,
    }
}

/// A fence for code that the code does not hold itself.
fn fence(code: &str) -> String {
    let longest = code.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(3.max(longest + 1))
}

fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("writing to a string");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_others_stays_text() {
        for (text, expected) in [
            ("Prune more (2.5 %)", "Prune more \\(2.5 %\\)"),
            ("[a](javascript:alert`1`)", "\\[a\\]\\(javascript:alert\\`1\\`\\)"),
            ("a | b", "a \\| b"),
            ("a \\| b", "a \\\\\\| b"),
            ("<img src=x onerror=y>", "&lt;img src=x onerror=y&gt;"),
            ("&lt;", "&amp;lt;"),
            (
                "@everyone **now** ~~or~~ _never_",
                "&#64;everyone \\*\\*now\\*\\* \\~\\~or\\~\\~ \\_never\\_",
            ),
            ("https://a.example", "https&#58;//a.example"),
            ("# a\n\n- b", "\\# a  - b"),
            ("- b", "\\- b"),
            ("1. b", "1\\. b"),
            ("\u{1b}[31mred\0", "?\\[31mred?"),
        ] {
            assert_eq!(plain(text), expected);
        }
    }

    #[test]
    fn a_fence_is_longer_than_what_it_holds() {
        assert_eq!(fence("sprt regress"), "```");
        assert_eq!(fence("sprt regress --build '````'"), "`````");
    }
}
