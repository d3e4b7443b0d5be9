//! The page of a run: how strong its champions are by time, what fits and tests said, what changed.
//!
//! It is made of the files of the run alone, and rewritten after each step.

use std::time::Duration;

use evaluation_tuning::fit::page::square_tables;
use maud::{Markup, html};
use parameters::{Number, Table};
use playable::Numbers;
use report::html::chart::{self, Frame, widened};
use report::html::document::{Badge, Document, Panel, key, key_elo};
use report::html::words::{dotted_name, elo_text, grouped, signed, with_minus};
use statistics::{EloEstimate, Verdict, sentence_of};

use super::display::clock;
use super::files::{PAGE, write_text};
use super::folder::Folder;
use super::generation::{Generation, Showcase, is_bound, name_of};
use super::settings::{Settings, Step};

/// Numbers that are shown of those that changed.
const CHANGES: usize = 20;
/// Seconds of a run from which on its time is shown in hours.
const LONG: f64 = 2.0 * 3600.0;
/// Room beside the line of Elo where an interval has no end (Elo).
const ROOM: f64 = 100.0;

/// How far a run is.
pub(super) enum State {
    /// This process takes steps.
    Running,
    /// It broke off, and why.
    Failed(String),
    /// It came to its end, or to that of its budget.
    Ended,
}

/// A champion of the run.
struct Champion {
    generation: u32,
    /// When it was accepted, by the steps before (seconds).
    seconds: f64,
    /// Its games against the start, if it has played some.
    showcase: Option<Showcase>,
}

/// Writes the page as the run is now.
pub(super) fn write(settings: &Settings, folder: &Folder, state: &State) -> anyhow::Result<()> {
    let (start, champion) = (folder.start()?, folder.champion()?);
    let text = document(settings, folder, state, &start, &champion).into_html();
    Ok(write_text(&folder.file(PAGE), &text)?)
}

fn document(
    settings: &Settings,
    folder: &Folder,
    state: &State,
    start: &Numbers,
    champion: &Numbers,
) -> Document {
    let (champions, seconds) = champions_of(folder);
    let generations = folder.generations();
    let choices = &settings.choices;
    Document {
        title: "Tuning".to_string(),
        badge: match state {
            State::Running => Badge { name: "running", class: "open" },
            State::Failed(_) => Badge { name: "failed", class: "rejected" },
            State::Ended if champions.is_empty() => Badge { name: "no gain shown", class: "open" },
            State::Ended => Badge { name: "tuned", class: "accepted" },
        },
        is_running: matches!(state, State::Running),
        heading: html! { "Tuning from " span.name-base { (settings.start_name()) } },
        sentences: vec![with_minus(&sentence(champions.last().map(|it| it.showcase), state))],
        lead: html! {
            "tests at " (grouped(choices.nodes)) " nodes a move · seed " (choices.seed)
        },
        failure: match state {
            State::Failed(reason) => Some(reason.clone()),
            State::Running | State::Ended => None,
        },
        overview: key_figures(&champions, generations.len(), seconds),
        panels: [
            elo(&champions, seconds),
            errors(generations),
            steps(generations),
            changes(start, champion),
        ]
        .into_iter()
        .chain(square_tables(start, champion))
        .collect(),
        facts: facts(settings, champion),
        repeat: command_line::invocation(),
    }
}

/// The champions so far, and the time of all steps (seconds).
fn champions_of(folder: &Folder) -> (Vec<Champion>, f64) {
    let steps = folder.hours().steps();
    let seconds_before = |generation: u32| {
        let is_before = |step: &&(u32, String, f64)| {
            step.0 < generation || step.0 == generation && step.1 != Step::Showcase.name()
        };
        steps.iter().filter(is_before).map(|step| step.2).sum()
    };
    let champion = |accepted: &Generation| Champion {
        generation: accepted.generation,
        seconds: seconds_before(accepted.generation),
        showcase: folder.showcase_of(accepted.generation),
    };
    let champions = folder.accepted().map(champion).collect();
    (champions, steps.iter().map(|step| step.2).sum())
}

fn key_figures(champions: &[Champion], generations: usize, seconds: f64) -> Markup {
    let last = champions.last().and_then(|it| it.showcase.as_ref());
    let tried = format!("of {generations} candidates");
    html! {
        dl.key {
            @if let Some(showcase) = last { (key_elo("Elo over the start", &showcase.elo())) }
            (key("Champions", &grouped(champions.len() as u64), &tried))
            (key("Time of steps", &clock(Duration::from_secs_f64(seconds)), ""))
        }
        @if let Some(showcase) = last {
            @let [lost, drawn, won] = showcase.counts.trinomial();
            p.note {
                "The champion against the start: " (won) " won, " (drawn) " drawn, " (lost)
                " lost, at " (grouped(showcase.nodes)) " nodes a move."
            }
        }
    }
}

/// Elo over the start by time.
fn elo(champions: &[Champion], total: f64) -> Panel {
    let (unit, name) = if total < LONG { (60.0, "minutes") } else { (3600.0, "hours") };
    let shown: Vec<(f64, EloEstimate)> =
        champions.iter().filter_map(|it| Some((it.seconds / unit, it.showcase?.elo()))).collect();
    let note = "Each champion against the start (95 % interval), when it was accepted. The games \
                have the same openings for all champions, and decide nothing. The time is that \
                of the steps.";
    let table = html! {
        table {
            tr { th scope="row" { "Generation" } th { (name) } th { "Elo" } th { "games" } }
            @for it in champions {
                @if let Some(showcase) = &it.showcase { tr {
                    th scope="row" { (it.generation) }
                    td { (format!("{:.1}", it.seconds / unit)) }
                    td { (elo_text(&showcase.elo())) }
                    td { (2 * showcase.counts.pairs()) }
                } }
            }
        }
    };
    Panel {
        id: "elo",
        name: "Elo over the start",
        note: html! { (note) },
        content: elo_chart(&shown, total / unit, name, note),
        figures: (!shown.is_empty()).then_some(table),
        is_wide: false,
    }
}

fn facts(settings: &Settings, champion: &Numbers) -> Vec<(String, String)> {
    let sample = settings.sample.as_ref();
    let check = match settings.check_nodes {
        0 => "no check".to_string(),
        nodes => grouped(nodes),
    };
    let facts = [
        ("Start", settings.start.clone()),
        ("Champion", champion.fingerprint()),
        ("Sample", sample.map_or("none".to_string(), |it| it.path.display().to_string())),
        ("Pairs of a test at most", grouped(settings.choices.pairs)),
        ("Nodes a move of a check", check),
        ("Nodes a move against the start", grouped(settings.show_nodes)),
    ];
    facts.map(|(name, value)| (name.to_string(), value)).into()
}

/// The result in plain words: what the last champion came to against the start, if there is one and
/// it has played it.
fn sentence(champion: Option<Option<Showcase>>, state: &State) -> String {
    let is_over = !matches!(state, State::Running);
    match champion {
        Some(Some(it)) => {
            sentence_of("champion", &it.counts, &it.elo(), Verdict::Undecided, is_over)
        }
        Some(None) => "The champion has not played the start yet.".to_owned(),
        None if is_over => "No candidate was accepted: the start stays champion.".to_owned(),
        None => "No candidate is accepted yet.".to_owned(),
    }
}

/// Steps of Elo: each champion holds until the next one.
fn elo_chart(shown: &[(f64, EloEstimate)], end: f64, unit: &str, note: &str) -> Markup {
    // An interval without an end goes on to the edge of the plane.
    let ends: Vec<f64> = shown.iter().flat_map(|(_, elo)| finite(elo)).chain([0.0]).collect();
    let frame = Frame::new((0.0, end.max(0.1)), widened(ends.iter().copied()));
    let height = |elo: &EloEstimate| if elo.is_bounded() { elo.value } else { finite(elo)[0] };
    let mut line = vec![(0.0, 0.0)];
    for (time, elo) in shown {
        line.push((*time, line.last().map_or(0.0, |point| point.1)));
        line.push((*time, height(elo)));
    }
    line.push((end, line.last().map_or(0.0, |point| point.1)));
    let content = html! {
        (frame.axes(unit))
        (frame.level(0.0, "axis-line"))
        (frame.line(&line, "cand"))
        @for (time, elo) in shown { (frame.error_bar(*time, [elo.lower, height(elo), elo.upper])) }
    };
    chart::figure("elo-chart", "Elo over the start", note, &content)
}

/// The ends of an interval that are some, with room where there is none.
fn finite(elo: &EloEstimate) -> Vec<f64> {
    match [elo.lower, elo.upper].map(is_bound) {
        [true, false] => vec![elo.lower, elo.lower + ROOM],
        [false, true] => vec![elo.upper, elo.upper - ROOM],
        [true, true] => vec![elo.lower, elo.upper],
        [false, false] => vec![0.0],
    }
}

/// Errors on games that no fit saw, before and after each fit of terms.
fn errors(generations: &[Generation]) -> Panel {
    let fits: Vec<(f64, [f64; 2])> = generations
        .iter()
        .filter_map(|it| {
            Some((f64::from(it.generation), [it.before?.held_out, it.after?.held_out]))
        })
        .collect();
    let note = "Mean squared error of the expected result on games that are held out: from the \
                champion's value to the candidate's. Each fit has positions of its own.";
    let range =
        if fits.is_empty() { (0.0, 1.0) } else { widened(fits.iter().flat_map(|fit| fit.1)) };
    let frame = Frame::new((0.5, generations.len().max(1) as f64 + 0.5), range);
    let content = html! {
        (frame.axes("generation"))
        @for (number, [before, after]) in &fits {
            (frame.line(&[(number - 0.25, *before), (number + 0.25, *after)], "cand"))
            (frame.error_bar(number + 0.25, [*after; 3]))
        }
    };
    Panel {
        id: "errors",
        name: "Held-out error",
        note: html! { (note) },
        content: chart::figure("errors-chart", "Held-out error", note, &content),
        figures: None,
        is_wide: false,
    }
}

/// Columns of the table of generations.
const STEPS: [&str; 4] = ["", "Fit", "Games", "Verdict"];

fn steps(generations: &[Generation]) -> Panel {
    Panel {
        id: "generations",
        name: "Generations",
        note: html! { "What was fitted, and what games against the champion of then said of it." },
        content: html! {
            // Sentences do not fit beside each other on a narrow screen.
            div.cards { table {
                thead { tr { @for name in STEPS { th scope="col" { (name) } } } }
                tbody { @for it in generations { tr {
                    th scope="row" { "Generation " (it.generation) }
                    td data-name=(STEPS[1]) { (it.fit_in_words()) }
                    td data-name=(STEPS[2]) { (it) }
                    td.verdict.(name_of(it.verdict)) data-name=(STEPS[3]) { (name_of(it.verdict)) }
                } } }
            } }
        },
        figures: None,
        is_wide: true,
    }
}

/// The numbers that moved furthest, terms by centipawns and margins by their ranges.
fn changes(start: &Numbers, champion: &Numbers) -> Panel {
    let of_table = |is_term: bool| {
        let mut moved: Vec<(f64, Number)> = champion
            .own_numbers()
            .into_iter()
            .filter(|number| (number.declaration.table == Table::Weights) == is_term)
            .map(|number| (way(&number, start, champion, is_term), number))
            .filter(|(way, _)| *way > 0.0)
            .collect();
        moved.sort_by(|one, other| other.0.total_cmp(&one.0));
        moved
    };
    let tables = [("Terms", of_table(true)), ("Margins of the search", of_table(false))];
    Panel {
        id: "changes",
        name: "Most changed numbers",
        note: html! { "From the start to the champion: terms by how far they moved, margins by the share \
        of their range." },
        content: html! {
            @for (name, moved) in tables.iter().filter(|(_, moved)| !moved.is_empty()) {
                h3 { (name) ", " (grouped(moved.len() as u64)) " changed" }
                div.scroll { table {
                    tr { @for name in ["Number", "start", "champion", "change"] {
                        th scope="col" { (name) }
                    } }
                    @for (_, number) in moved.iter().take(CHANGES) {
                        @let [before, after] = [start, champion].map(|set| set.value(number));
                        tr {
                            th scope="row" { (dotted_name(&number.name())) }
                            td { (signed(f64::from(before), 0).trim_start_matches('+')) }
                            td { (signed(f64::from(after), 0).trim_start_matches('+')) }
                            td { (signed(f64::from(after - before), 0)) }
                        }
                    }
                } }
            }
        },
        figures: None,
        is_wide: true,
    }
}

/// How far a number moved.
fn way(number: &Number, start: &Numbers, champion: &Numbers, is_term: bool) -> f64 {
    let moved = f64::from((champion.value(number) - start.value(number)).abs());
    let (low, high) = number.range();
    if is_term { moved } else { moved / f64::from((high - low).max(1)) }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chess::Parameters;
    use statistics::PairCounts;

    use super::*;

    #[test]
    fn a_sentence_says_whether_the_champion_is_stronger() {
        let counts = PairCounts { win_win: 40, win_draw: 30, win_loss: 29, loss_draw: 1, ..none() };
        let showcase = |counts| Some(Some(Showcase { nodes: 300, counts, is_whole: true }));
        let said = |champion, state| sentence(champion, &state);
        let stronger = said(showcase(counts), State::Ended);
        assert!(stronger.starts_with("The champion is stronger: about +"), "{stronger}");
        assert!(stronger.contains(" Elo, between +"), "{stronger}");
        let going_on = said(showcase(counts), State::Running);
        assert!(going_on.starts_with("So far the champion looks stronger: "), "{going_on}");
        let few = PairCounts { win_win: 3, ..none() };
        assert_eq!(said(showcase(few), State::Ended), "Too few pairs to say who is stronger.");
        assert_eq!(said(Some(None), State::Ended), "The champion has not played the start yet.");
        assert_eq!(said(None, State::Running), "No candidate is accepted yet.");
        for state in [State::Ended, State::Failed(String::new())] {
            let said = said(None, state);
            assert_eq!(said, "No candidate was accepted: the start stays champion.");
        }
    }

    fn none() -> PairCounts {
        PairCounts::default()
    }

    #[test]
    fn numbers_stand_by_how_far_they_moved() {
        let start = Numbers::from(Arc::new(Parameters::zero()));
        let mut champion = start.clone();
        champion.set("space.room.endgame", 5).expect("in range");
        champion.set("material.queen.endgame", 700).expect("in range");
        let panel = changes(&start, &champion).content.0;
        let [queen, space] = ["queen.", "room."].map(|name| panel.find(name).expect("it is there"));
        assert!(queen < space && panel.contains("2 changed"), "{panel}");
        assert!(!panel.contains("Margins"), "{panel}");
    }

    #[test]
    fn intervals_without_an_end_leave_the_chart_its_scale() {
        let shut_out = EloEstimate { value: 1199.83, lower: 403.0, upper: 1199.83 };
        let chart = elo_chart(&[(1.0, shut_out)], 5.0, "minutes", "").0;
        assert!(chart.contains("400") && !chart.contains("1.2k") && !chart.contains("1,200"));
        assert_eq!(finite(&shut_out), [403.0, 503.0]);
        let some = EloEstimate { value: 10.0, lower: -5.0, upper: 25.0 };
        assert_eq!(finite(&some), [-5.0, 25.0]);
    }
}
