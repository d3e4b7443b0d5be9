//! Panels on how games and pairs ended: outcomes, colors, terminations, lengths.

use maud::{Markup, html};

use super::chart::{self, Column};
use super::document::{Panel, View};
use super::tally::{Outcomes, Tally};
use super::words::{count_of, grouped, percent, share, signed, with_error};
use crate::audit::AuditTally;
use crate::statistics::{BookBias, Estimate};

/// Classes of a game lost, drawn and won by the candidate.
const CLASSES: [&str; 3] = ["base", "draw", "cand"];
const NAMES: [&str; 3] = ["lost", "drawn", "won"];

/// Pairs by outcome.
pub fn pairs(view: &View) -> Panel {
    let counts = view.tally.counts;
    let classes = [
        ("LL", counts.loss_loss, "base", "lost both games"),
        ("LD", counts.loss_draw, "base-soft", "lost one, drew one"),
        ("WL", counts.win_loss, "draw", "won one, lost one"),
        ("DD", counts.draw_draw, "draw-soft", "drew both games"),
        ("WD", counts.win_draw, "cand-soft", "won one, drew one"),
        ("WW", counts.win_win, "cand", "won both games"),
    ];
    let columns: Vec<Column> = classes
        .iter()
        .map(|&(label, pairs, class, meaning)| Column {
            label: label.to_owned(),
            value: grouped(pairs),
            parts: vec![(pairs as f64, class, format!("{}: {meaning}", count_of(pairs, "pair")))],
        })
        .collect();
    let list: Vec<String> =
        classes.iter().map(|(label, pairs, ..)| format!("{label} {pairs}")).collect();
    let ratio = counts.pair_ratio().map_or("none lost".to_owned(), |ratio| format!("{ratio:.2}"));
    let even = share(counts.win_loss + counts.draw_draw, counts.pairs());
    Panel {
        id: "pairs",
        name: "Pairs",
        note: html! {
            "Both games of an opening together; W, D and L are the candidate's. "
            "Pairs won to lost: " (ratio) "; even: " (percent(even)) "."
        },
        content: chart::figure(
            "pairs",
            "Pairs by outcome",
            &list.join(", "),
            &chart::columns(&columns, 0.3, ""),
        ),
        figures: Some(html! {
            table {
                @for &(label, pairs, _, meaning) in &classes {
                    tr {
                        th scope="row" { (label) }
                        td.words { (meaning) }
                        td { (grouped(pairs)) }
                        td { (percent(share(pairs, counts.pairs()))) }
                    }
                }
            }
        }),
        is_wide: false,
    }
}

/// Score by color.
pub fn colors(view: &View) -> Panel {
    let [with_white, with_black] = view.tally.candidate;
    let white = view.tally.colors.white_games();
    let advantage = view.tally.colors.white_advantage();
    let bias = BookBias::of_pairs(&view.tally.counts);
    let rows = [
        ("Candidate with White", with_white, CLASSES),
        ("Candidate with Black", with_black, CLASSES),
        ("White, whoever plays it", white, ["black-side", "draw", "white-side"]),
    ];
    Panel {
        id: "colors",
        name: "Colors",
        note: html! { (colors_note(advantage, bias)) },
        content: html! {
            table.bars {
                @for (name, outcomes, classes) in &rows {
                    (bar_row(name, outcomes, classes, 1.0, &percent(score_of(outcomes))))
                }
            }
            (both_games(view.tally))
        },
        figures: Some(html! { table { (outcome_head()) @for (name, outcomes, _) in &rows {
            (outcome_row(name, outcomes))
        } } }),
        is_wide: false,
    }
}

fn colors_note(advantage: Option<Estimate>, bias: Option<BookBias>) -> String {
    let advantage = advantage.map_or("unknown".to_owned(), |elo| with_error(&elo) + " Elo");
    let bias = bias.map_or("unknown".to_owned(), |bias| {
        format!("{:.0} Elo [{:.0}, {:.0}]", bias.rms, bias.lower, bias.upper)
    });
    format!("White's advantage: {advantage}; what openings give to a side (RMS): {bias}.")
}

/// Pairs by White's results in both games: which openings decide games by themselves.
fn both_games(tally: &Tally) -> Markup {
    let pairs = tally.colors.pairs();
    let names = ["Black wins", "draw", "White wins"];
    html! {
        table.grid {
            caption { "Who won both games of an opening" }
            tr {
                td {}
                @for name in names { th scope="col" { (name) span.minor { " candidate Black" } } }
            }
            @for (first, row) in pairs.iter().enumerate().rev() {
                tr {
                    th scope="row" { (names[first]) span.minor { " candidate White" } }
                    @for &cell in row {
                        @let part = share(cell, tally.counts.pairs());
                        td style={ "--share:" (format!("{part:.3}")) } {
                            (grouped(cell)) span.minor { " " (percent(part)) }
                        }
                    }
                }
            }
        }
    }
}

/// Games by how they ended.
pub fn terminations(view: &View) -> Panel {
    let tally = view.tally;
    let games = 2 * tally.counts.pairs();
    let mut rows: Vec<_> = tally.terminations.iter().collect();
    let total = |outcomes: &Outcomes| outcomes.iter().sum::<u64>();
    rows.sort_by_key(|(_, outcomes)| std::cmp::Reverse(total(outcomes)));
    let most = rows.first().map_or(0, |(_, outcomes)| total(outcomes));
    Panel {
        id: "terminations",
        name: "How games ended",
        note: html! { (count_of(games, "game")) ", " (percent(tally.counts.draw_ratio())) " drawn." },
        content: html! {
            (view.legend_with_draws())
            table.bars {
                @for (termination, outcomes) in &rows {
                    @let number = total(outcomes);
                    @let width = share(number, most);
                    (bar_row(termination.as_str(), outcomes, &CLASSES, width, &grouped(number)))
                }
            }
            @if !tally.audit.is_empty() { (audit(&tally.audit, games)) }
        },
        figures: Some(html! { table { (outcome_head()) @for (termination, outcomes) in &rows {
            (outcome_row(termination.as_str(), outcomes))
        } } }),
        is_wide: false,
    }
}

/// How often adjudication was wrong, in the words of the terminal.
fn audit(tally: &AuditTally, games: u64) -> Markup {
    html! {
        h3 { "Adjudicated games played on" }
        ul {
            @for line in tally.to_string().lines() { li { (line) } }
            @if let Some(bias) = tally.bias(games) {
                li {
                    "adjudication adds " (signed(bias.elo, 2)) " ± " (format!("{:.2}", bias.error))
                    " Elo to the candidate"
                }
            }
        }
    }
}

/// Games by length.
pub fn lengths(view: &View) -> Panel {
    let tally = view.tally;
    let step = Tally::LENGTH_STEP;
    let columns: Vec<Column> = tally
        .lengths
        .iter()
        .enumerate()
        .map(|(index, outcomes)| {
            let (from, to) = (index * step, (index + 1) * step - 1);
            let parts = [2, 1, 0].map(|class| {
                let games = outcomes[class];
                let text = format!("{} {} in {from} to {to} moves", grouped(games), NAMES[class]);
                (games as f64, CLASSES[class], text)
            });
            let is_labeled = index % tally.lengths.len().div_ceil(10) == 0;
            Column {
                label: if is_labeled { from.to_string() } else { String::new() },
                value: String::new(),
                parts: parts.into(),
            }
        })
        .collect();
    let mean = share(tally.plies, 4 * tally.counts.pairs());
    let text = format!("Moves played after the opening; {mean:.1} on average.");
    Panel {
        id: "lengths",
        name: "Length of games",
        note: html! { (text) },
        content: html! {
            (view.legend_with_draws())
            (chart::figure("lengths", "Games by length", &text,
                           &chart::columns(&columns, 0.12, "moves")))
        },
        figures: Some(html! { table { (outcome_head())
            @for (index, outcomes) in tally.lengths.iter().enumerate() {
                (outcome_row(&format!("{}–{} moves", index * step, (index + 1) * step - 1),
                             outcomes))
            }
        } }),
        is_wide: false,
    }
}

/// A labeled bar of lost, drawn and won games; `width` is the share of the room it takes.
fn bar_row(
    name: &str,
    outcomes: &Outcomes,
    classes: &[&'static str; 3],
    width: f64,
    value: &str,
) -> Markup {
    let games: u64 = outcomes.iter().sum();
    let parts = [2, 1, 0].map(|class| {
        let text = format!("{name}: {} {}", grouped(outcomes[class]), NAMES[class]);
        (width * share(outcomes[class], games), classes[class], text)
    });
    html! {
        tr {
            th scope="row" { (name) }
            td.bar { (chart::bar(&format!("{name}, by outcome"), &parts)) }
            td { (value) }
        }
    }
}

/// Share of the points, 0 to 1.
fn score_of(&[lost, drawn, won]: &Outcomes) -> f64 {
    share(2 * won + drawn, 2 * (lost + drawn + won))
}

fn outcome_head() -> Markup {
    html! {
        tr {
            td {}
            @for name in ["games", "won", "drawn", "lost", "score"] { th scope="col" { (name) } }
        }
    }
}

fn outcome_row(name: &str, outcomes: &Outcomes) -> Markup {
    let &[lost, drawn, won] = outcomes;
    let games = lost + drawn + won;
    html! {
        tr {
            th scope="row" { (name) }
            @for number in [games, won, drawn, lost] { td { (grouped(number)) } }
            td { (percent(score_of(outcomes))) }
        }
    }
}
