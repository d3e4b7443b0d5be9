//! The outcome as Markdown, for a pull request or a job's summary.

use std::fmt::Write;

use super::outcome::{Change, GamesReport, Outcome, RevisionReport};
use super::speed::SpeedReport;
use crate::statistics::{Model, PairCounts, Verdict};

/// The outcome as Markdown.
pub fn summary(outcome: &Outcome) -> String {
    let mut text = format!("## {}: {}\n\n", outcome.decision.heading(), plain(&title(outcome)));
    push(&mut text, format_args!("{}\n\n", plain(&outcome.reason)));
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

/// Which revisions were compared.
pub fn title(outcome: &Outcome) -> String {
    format!("{} against {}", outcome.candidate.revision.name, outcome.base.revision.name)
}

/// Time that all took, and was allowed.
pub fn effort(outcome: &Outcome) -> String {
    let mut text = format!("Took {}", duration(outcome.elapsed_seconds));
    if let Some(budget) = outcome.budget_seconds {
        push(&mut text, format_args!(" of {} allowed, builds included", duration(budget)));
    }
    text
}

/// What is known of both revisions: name of the row, base, candidate.
pub fn revision_rows(outcome: &Outcome) -> Vec<(&'static str, [String; 2])> {
    let both = |of: &dyn Fn(&RevisionReport) -> String| [of(&outcome.base), of(&outcome.candidate)];
    let missing = || "–".to_owned();
    vec![
        ("revision", both(&|side| side.revision.label())),
        ("subject", both(&|side| side.revision.subject.clone())),
        ("committed", both(&|side| side.revision.date.clone())),
        (
            "build",
            both(&|side| match &side.build {
                Some(build) if build.was_cached => "from the cache".to_owned(),
                Some(build) => duration(build.seconds),
                None => missing(),
            }),
        ),
        ("bench", both(&|side| side.bench.map_or_else(missing, |bench| bench.nodes.to_string()))),
    ]
}

/// What is said of a step that was not done.
pub const NOT_DONE: &str = "not done";

/// What was tested, and what should have been: name, result, detail.
pub fn test_rows(outcome: &Outcome) -> Vec<(String, String, String)> {
    let mut rows = Vec::new();
    if let Some(change) = outcome.change {
        let (result, detail) = match change {
            Change::NonFunctional => ("non-functional", "equal bench: only speed can differ"),
            Change::Functional if outcome.base.bench.is_none() => {
                ("taken as functional", "no bench was run")
            }
            Change::Functional => ("functional", "the benches differ"),
        };
        rows.push(("change".to_owned(), result.to_owned(), detail.to_owned()));
    }
    if let Some(speed) = &outcome.speed {
        rows.push(("speed".to_owned(), speed_result(speed), speed_detail(speed)));
    }
    for games in &outcome.games {
        let [losses, draws, wins] = games.assessment.counts.trinomial();
        let name = format!("games by {}", games.name);
        let counted = format!(
            "{} games: +{wins} ={draws} −{losses}, {}",
            wins + draws + losses,
            games.limits
        );
        rows.push((name, games_result(games), counted));
        rows.push(("Elo".to_owned(), elo(games), elo_detail(games)));
    }
    for step in &outcome.not_done {
        rows.push((step.clone(), NOT_DONE.to_owned(), String::new()));
    }
    rows
}

/// A verdict as a word.
pub fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted => "accepted",
        Verdict::Rejected => "rejected",
        Verdict::Undecided => "undecided",
    }
}

/// The ratio of speeds with its interval.
pub fn speed_result(speed: &SpeedReport) -> String {
    match speed.ratio {
        Some(ratio) => format!(
            "{}: ×{:.4} [{:.4}, {:.4}]",
            verdict(speed.verdict),
            ratio.value,
            ratio.lower,
            ratio.upper
        ),
        None => "undecided: no time to measure".to_owned(),
    }
}

/// How the speed was measured.
pub fn speed_detail(speed: &SpeedReport) -> String {
    if speed.same_program {
        return "both programs are the same bytes".to_owned();
    }
    let time = if speed.processor_time { "processor" } else { "wall-clock" };
    format!(
        "{} benches of each in turn, {time} time, 95 %; rejected if surely more than {} % slower",
        speed.turns.len(),
        100.0 * speed.settings.tolerance
    )
}

fn games_result(games: &GamesReport) -> String {
    let hypotheses = games.hypotheses;
    let model = match hypotheses.model {
        Model::Normalized => "normalized",
        Model::Logistic => "logistic",
        Model::Bayes => "Bayes",
    };
    format!(
        "{}: LLR {:+.2} [{:.2}, {:.2}] for {model} Elo [{}, {}]",
        verdict(games.verdict),
        games.assessment.log_likelihood_ratio,
        games.bounds[0],
        games.bounds[1],
        hypotheses.elo0,
        hypotheses.elo1
    )
}

/// The Elo with its interval, as it is after the test has stopped.
pub fn elo(games: &GamesReport) -> String {
    if games.assessment.counts.are_too_few() {
        return PairCounts::TOO_FEW.to_owned();
    }
    let stopped = games.assessment.elo_after_stop;
    format!("{:+.1} [{:+.1}, {:+.1}]", stopped.elo, stopped.lower, stopped.upper)
}

fn elo_detail(games: &GamesReport) -> String {
    if games.assessment.counts.are_too_few() {
        return String::new();
    }
    let normalized = games.assessment.normalized_elo;
    format!(
        "95 %, with the stopping rule; normalized {:+.1} ± {:.1}, LOS {:.1} %",
        normalized.value,
        normalized.error,
        100.0 * games.assessment.likelihood_of_superiority
    )
}

/// A text that begins with a capital letter.
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

/// A time as people say it.
pub fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..60 => format!("{seconds:.1} s"),
        60..3600 => format!("{}:{:02} min", whole / 60, whole % 60),
        _ => format!("{}:{:02} h", whole / 3600, whole % 3600 / 60),
    }
}

/// A text of somebody else on one line, of which Markdown makes nothing but text: no link, code,
/// HTML, mention, list or end of a table's cell.
fn plain(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.lines().collect::<Vec<_>>().join(" ").chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            // Escaped by a backslash it would still be a mention on GitHub.
            '@' => escaped.push_str("&#64;"),
            letter if letter.is_control() => escaped.push(' '),
            letter if "\\`*_{}[]()#~|!".contains(letter) => escaped.extend(['\\', letter]),
            letter => escaped.push(letter),
        }
    }
    // An address without brackets is a link, too.
    let escaped = escaped.replace("://", "&#58;//").replace("www.", "www&#46;");
    // What only means something at the beginning of a line.
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
            ("\u{1b}[31mred\0", " \\[31mred "),
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
