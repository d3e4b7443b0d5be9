//! Panels on how games ended, and bars of games by outcome.

use matches::playing::{AuditTally, Bias};
use maud::{Markup, Render, html};
use playable::Game;

use super::chart::{self, Column};
use super::document::Panel;
use super::games_tally::{GamesTally, Outcomes};
use super::table::{head, row};
use super::words::{count_of, grouped, percent, share, signed};

/// From whose view games are lost, drawn and won, in this order.
pub struct Sides {
    /// The words of the legend for lost, drawn and won.
    pub legend: [String; 3],
    /// The words of tables and tooltips.
    pub words: [String; 3],
    /// Classes of the style sheet that color lost, drawn and won.
    pub classes: [&'static str; 3],
}

/// The words of tables for games from a player's view.
pub fn words() -> [String; 3] {
    ["lost", "drawn", "won"].map(str::to_owned)
}

impl Sides {
    /// The view of the side that moves first.
    pub fn colors(game: Game) -> Sides {
        let [first, second] = game.color_names();
        let words = [format!("{second} won"), "drawn".to_owned(), format!("{first} won")];
        Sides { legend: words.clone(), words, classes: ["black-side", "draw", "white-side"] }
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
    let note = format!("{}, {} drawn.", count_of(games, "game"), percent(share(drawn, games)));
    let content = html! {
        (sides.legend())
        table.bars {
            @for (termination, outcomes) in &rows {
                @let number = total(outcomes);
                @let bar = Bar { outcomes, classes: &sides.classes, words: &sides.words };
                (bar.row(&termination.words(), share(number, most), &grouped(number)))
            }
        }
        @if !tally.audit.is_empty() { (audit(&tally.audit, bias)) }
    };
    let names = rows.iter().map(|(termination, outcomes)| (termination.words(), **outcomes));
    Panel::new("terminations", "How games ended", note, content)
        .with_figures(figures(&sides.words, names))
}

/// The panel of scores by color: bars by name, outcomes and the classes that color them, what stands
/// above and what stands below.
pub fn colors(
    note: impl Render,
    [above, below]: [Markup; 2],
    words: &[String; 3],
    bars: &[(String, Outcomes, [&'static str; 3])],
) -> Panel {
    let content = html! {
        (above)
        table.bars {
            @for (name, outcomes, classes) in bars {
                @let bar = Bar { outcomes, classes, words };
                (bar.row(name, 1.0, &percent(score_of(outcomes))))
            }
        }
        (below)
    };
    let rows = bars.iter().map(|(name, outcomes, _)| (name, *outcomes));
    Panel::new("colors", "Colors", note, content).with_figures(figures(words, rows))
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
    let content = html! {
        (sides.legend())
        (chart::figure("lengths", "Games by length", &text,
                       &chart::columns(&columns, 0.12, "moves")))
    };
    let rows = tally.lengths.iter().enumerate().map(|(index, outcomes)| {
        (format!("{}–{} moves", index * step, (index + 1) * step - 1), *outcomes)
    });
    Panel::new("lengths", "Length of games", text, content)
        .with_figures(figures(&sides.words, rows))
}

/// A bar of lost, drawn and won games.
struct Bar<'a> {
    /// How many games were lost, drawn and won.
    outcomes: &'a Outcomes,
    /// Colors of lost, drawn and won.
    classes: &'a [&'static str; 3],
    /// The words of tooltips.
    words: &'a [String; 3],
}

impl Bar<'_> {
    /// The bar as a labeled row of a table; `width` is the share of the room it takes.
    fn row(&self, name: &str, width: f64, value: &str) -> Markup {
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

/// Games by outcome as a table of numbers.
fn figures(words: &[String; 3], rows: impl Iterator<Item = (impl Render, Outcomes)>) -> Markup {
    let [lost, drawn, won] = words.each_ref().map(String::as_str);
    html! { table {
        (head(["games", won, drawn, lost, "score"]))
        @for (name, outcomes) in rows {
            @let [lost, drawn, won] = outcomes;
            @let numbers = [lost + drawn + won, won, drawn, lost].map(grouped);
            (row(name, numbers.into_iter().chain([percent(score_of(&outcomes))])))
        }
    } }
}
