//! Panels on how games ended, and bars of games by outcome.

use matches::playing::{AuditTally, Bias};
use maud::{Markup, html};

use super::chart::{self, Column};
use super::document::Panel;
use super::games_tally::{GamesTally, Outcomes};
use super::words::{count_of, grouped, percent, share, signed};

/// From whose view games are lost, drawn and won, in this order.
pub struct Sides {
    /// The words of the legend for lost, drawn and won.
    pub legend: [String; 3],
    /// The words of tables and tooltips.
    pub words: [&'static str; 3],
    /// Classes of the style sheet that color lost, drawn and won.
    pub classes: [&'static str; 3],
}

/// The words of tables for games from a player's view.
pub const WORDS: [&str; 3] = ["lost", "drawn", "won"];

impl Sides {
    /// The view of White.
    pub fn colors() -> Sides {
        let words = ["Black won", "drawn", "White won"];
        Sides {
            legend: words.map(str::to_owned),
            words,
            classes: ["black-side", "draw", "white-side"],
        }
    }

    /// The legend of the colors, from won to lost.
    pub fn legend(&self) -> Markup {
        html! {
            p.legend {
                @for index in [2, 0, 1] {
                    span { i class=(self.classes[index]) {} (self.legend[index]) }
                }
            }
        }
    }
}

/// Games by how they ended. `bias` is what adjudication does to the Elo of a test's candidate.
pub fn terminations(tally: &GamesTally, sides: &Sides, bias: Option<Bias>) -> Panel {
    let mut rows: Vec<_> = tally.terminations.iter().collect();
    let total = |outcomes: &Outcomes| outcomes.iter().sum::<u64>();
    rows.sort_by_key(|(_, outcomes)| std::cmp::Reverse(total(outcomes)));
    let most = rows.first().map_or(0, |(_, outcomes)| total(outcomes));
    let (games, [_, drawn, _]) = (tally.games(), tally.outcomes());
    Panel {
        id: "terminations",
        name: "How games ended",
        note: html! { (count_of(games, "game")) ", " (percent(share(drawn, games))) " drawn." },
        content: html! {
            (sides.legend())
            table.bars {
                @for (termination, outcomes) in &rows {
                    @let number = total(outcomes);
                    @let bar = Bar { outcomes, classes: &sides.classes, words: &sides.words };
                    (bar.row(termination.as_str(), share(number, most), &grouped(number)))
                }
            }
            @if !tally.audit.is_empty() { (audit(&tally.audit, bias)) }
        },
        figures: Some(html! { table { (outcome_head(&sides.words))
            @for (termination, outcomes) in &rows {
                (outcome_row(termination.as_str(), outcomes))
            }
        } }),
        is_wide: false,
    }
}

/// How often adjudication was wrong, in the words of the terminal.
fn audit(tally: &AuditTally, bias: Option<Bias>) -> Markup {
    html! {
        h3 { "Adjudicated games played on" }
        ul {
            @for line in tally.to_string().lines() { li { (line) } }
            @if let Some(bias) = bias {
                li {
                    "adjudication adds " (signed(bias.elo, 2)) " ± " (format!("{:.2}", bias.error))
                    " Elo to the candidate"
                }
            }
        }
    }
}

/// The panel of games by length.
pub fn lengths(tally: &GamesTally, sides: &Sides) -> Panel {
    let step = GamesTally::LENGTH_STEP;
    let columns: Vec<Column> = tally
        .lengths
        .iter()
        .enumerate()
        .map(|(index, outcomes)| {
            let (from, to) = (index * step, (index + 1) * step - 1);
            let parts = [2, 1, 0].map(|class| {
                let games = outcomes[class];
                let text =
                    format!("{from} to {to} moves, {}: {}", sides.words[class], grouped(games));
                (games as f64, sides.classes[class], text)
            });
            let is_labeled = index % tally.lengths.len().div_ceil(10) == 0;
            Column {
                label: if is_labeled { from.to_string() } else { String::new() },
                value: String::new(),
                parts: parts.into(),
            }
        })
        .collect();
    let mean = share(tally.plies, 2 * tally.games());
    let text = format!("Moves played after the opening; {mean:.1} on average.");
    Panel {
        id: "lengths",
        name: "Length of games",
        note: html! { (text) },
        content: html! {
            (sides.legend())
            (chart::figure("lengths", "Games by length", &text,
                           &chart::columns(&columns, 0.12, "moves")))
        },
        figures: Some(html! { table { (outcome_head(&sides.words))
            @for (index, outcomes) in tally.lengths.iter().enumerate() {
                (outcome_row(&format!("{}–{} moves", index * step, (index + 1) * step - 1),
                             outcomes))
            }
        } }),
        is_wide: false,
    }
}

/// A bar of lost, drawn and won games.
pub struct Bar<'a> {
    /// How many games were lost, drawn and won.
    pub outcomes: &'a Outcomes,
    /// Colors of lost, drawn and won.
    pub classes: &'a [&'static str; 3],
    /// The words of tooltips.
    pub words: &'a [&'static str; 3],
}

impl Bar<'_> {
    /// The bar as a labeled row of a table; `width` is the share of the room it takes.
    pub fn row(&self, name: &str, width: f64, value: &str) -> Markup {
        let games: u64 = self.outcomes.iter().sum();
        let parts = [2, 1, 0].map(|class| {
            let number = self.outcomes[class];
            let text = format!("{name}, {}: {}", self.words[class], grouped(number));
            (width * share(number, games), self.classes[class], text)
        });
        html! {
            tr {
                th scope="row" { (name) }
                td.bar { (chart::bar(&format!("{name}, by outcome"), &parts)) }
                td { (value) }
            }
        }
    }
}

/// Share of the points, 0 to 1.
pub fn score_of(&[lost, drawn, won]: &Outcomes) -> f64 {
    share(2 * won + drawn, 2 * (lost + drawn + won))
}

/// The head of a table of [`outcome_row`]s.
pub fn outcome_head([lost, drawn, won]: &[&str; 3]) -> Markup {
    html! {
        tr {
            td {}
            @for name in ["games", won, drawn, lost, "score"] { th scope="col" { (name) } }
        }
    }
}

/// Games by outcome as numbers.
pub fn outcome_row(name: &str, outcomes: &Outcomes) -> Markup {
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
