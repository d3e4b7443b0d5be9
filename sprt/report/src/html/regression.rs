//! The outcome as one self-contained HTML page: an overview, beside which the games have pages of
//! their own.

use maud::{Markup, html};
use revisions::words::{effort, revision_rows, sentences, test_rows, title};
use revisions::{Decision, GamesReport, Outcome, SpeedReport, SpeedTurn};
use statistics::PairCounts;

use super::document::{Badge, Document, Panel, key, key_elo};
use super::rows::Rows;
use super::table::{head, row};
use super::words::{elo_text, with_minus};

/// The page. `pages` names the pages of the games, relative to this one.
pub fn page(outcome: &Outcome, pages: &[(String, String)]) -> String {
    let class = match outcome.decision {
        Decision::Accepted => "accepted",
        Decision::Rejected | Decision::Failed => "rejected",
        Decision::Undecided => "open",
    };
    let is_failed = outcome.decision == Decision::Failed;
    let mut panels = vec![revisions(outcome), tests(outcome)];
    panels.extend(outcome.speed.as_ref().and_then(speed));
    panels.extend(outcome.games.iter().map(|games| elo(games, pages)));
    let document = Document {
        title: title(outcome),
        badge: Badge { name: outcome.decision.heading(), class },
        heading: html! {
            span.name-cand { (outcome.candidate.revision.name) } span.versus { " against " }
            span.name-base { (outcome.base.revision.name) }
        },
        sentences: sentences(outcome).iter().map(|it| with_minus(it)).collect(),
        lead: html! {
            @if !is_failed { (outcome.reason) }
        },
        failure: is_failed.then(|| outcome.reason.clone()),
        overview: key_figures(outcome),
        panels,
        facts: vec![("Effort".to_owned(), effort(outcome))],
        repeat: outcome.repeat.clone(),
        ..Document::default()
    };
    document.into_html()
}

fn key_figures(outcome: &Outcome) -> Markup {
    let ratio = outcome.speed.as_ref().and_then(|speed| speed.ratio);
    html! {
        dl.key {
            @for games in &outcome.games {
                @if games.assessment.counts.are_too_few() {
                    (key(&format!("Elo by {}", games.name), "–", PairCounts::TOO_FEW))
                } @else {
                    (key_elo(&format!("Elo by {}", games.name), &games.assessment.elo))
                }
                (key("Games", &(2 * games.assessment.counts.pairs()).to_string(), &games.limits))
            }
            @if let Some(ratio) = ratio {
                (key("Speed", &format!("×{:.4}", ratio.value),
                     &format!("[{:.4}, {:.4}]", ratio.lower, ratio.upper)))
            }
        }
    }
}

fn revisions(outcome: &Outcome) -> Panel {
    let note = "Both revisions, how long each took to build, and the nodes of its bench.";
    let content = html! {
        table.plain {
            (head(["base", "candidate"]))
            @for (name, values) in revision_rows(outcome) { (row(name, values)) }
        }
    };
    Panel::new("revisions", "Revisions", note, content).wide(true)
}

fn tests(outcome: &Outcome) -> Panel {
    let rows = test_rows(outcome);
    let notes: Vec<&String> = outcome.games.iter().flat_map(|games| &games.notes).collect();
    let note = "What was tested and what was left out, and what each test found.";
    let content = html! {
        table.plain {
            @for (name, result, detail) in rows {
                (row(name, [html! { (result) span.minor { (detail) } }]))
            }
        }
        @if !notes.is_empty() { ul { @for note in notes { li { (note) } } } }
    };
    Panel::new("tests", "Tests", note, content).wide(true)
}

/// Ratios of the turns, the interval of the ratio, and what is tolerated.
fn speed(speed: &SpeedReport) -> Option<Panel> {
    let ratio = speed.ratio.filter(|_| !speed.same_program)?;
    let turns: Vec<f64> = speed.turns.iter().map(SpeedTurn::ratio).collect();
    let tolerated = 1.0 - speed.settings.tolerance;
    let all = [1.0, tolerated, ratio.lower, ratio.upper];
    let interval = [ratio.lower, ratio.value, ratio.upper];
    let value = format!("×{:.4} [{:.4}, {:.4}]", ratio.value, ratio.lower, ratio.upper);
    let name = "speed of the candidate over that of the base";
    let mut rows = Rows::new(name, turns.iter().copied().chain(all))
        .named_line(1.0, "axis-line", "equal")
        .named_line(tolerated, "bound reject", "tolerated");
    rows.dots(html! { "Turns" }, &turns);
    rows.interval(html! { "All together" }, interval, &value);
    let text = "Speed of the candidate over that of the base, by turns and with 95 % interval.";
    Some(Panel::new("speed", "Speed", text, rows.into_markup(text)))
}

/// The Elo with its interval, and the way to the games.
fn elo(games: &GamesReport, pages: &[(String, String)]) -> Panel {
    let elo = games.assessment.elo;
    let interval = [elo.lower, elo.value, elo.upper];
    let mut rows =
        Rows::new("Elo", interval.into_iter().chain([0.0])).named_line(0.0, "axis-line", "equal");
    rows.interval(html! { "Candidate" }, interval, &elo_text(&elo));
    let text = format!("Elo of the candidate in games by {}, with 95 % interval.", games.name);
    let (id, name) = match games.name.as_str() {
        "time" => ("games-by-time", "Games by time"),
        _ => ("games-by-nodes", "Games by nodes"),
    };
    let content = html! {
        @if games.assessment.counts.are_too_few() {
            dl.key {
                (key("Elo", "–", PairCounts::TOO_FEW))
                (key("Games", &(2 * games.assessment.counts.pairs()).to_string(), &games.limits))
            }
        } @else {
            (rows.into_markup(&text))
        }
        @for (_, page) in pages.iter().filter(|(name, _)| *name == games.name) {
            p { a href=(page) { "All about these games" } }
        }
    };
    Panel::new(id, name, text, content)
}
