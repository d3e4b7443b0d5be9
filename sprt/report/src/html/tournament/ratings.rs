//! Panels on who is stronger: ratings, results against each other, likelihood of superiority.

use maud::{Markup, Render, html};
use statistics::Rating;

use super::view::View;
use crate::html::document::Panel;
use crate::html::rows::Rows;
use crate::html::table::{named_head, row};
use crate::html::viewer::{PairingShelf, link};
use crate::html::words::{count_of, grouped, percent, points, share, signed};

/// Players of whom a table of each against each fits half of a page.
const MOST_NARROW: usize = 6;

/// The rating table with its chart.
pub fn table(view: &View) -> Panel {
    let ratings = view.ratings;
    let shown = &ratings.players[..ratings.players.len().min(View::MOST)];
    let ends = |row: &Rating| [row.elo - row.error, row.elo + row.error];
    let mut rows = Rows::new("Elo", shown.iter().flat_map(ends)).line(0.0, "axis-line");
    for row in shown {
        let [low, high] = ends(row);
        rows.interval(html! { (row.player) }, [low, row.elo, high], &signed(row.elo, 1));
    }
    let note = html! {
        "Logistic Elo with its 95 % interval, relative to "
        @if view.context.run.rules.anchors.is_empty() { "the mean of all" } @else { "the anchors" }
        "."
        @if ratings.is_regularized {
            " Somebody won or lost all games, groups never met, or "
            (view.context.run.openings.game().color_names()[0]) "'s advantage is not to be told: each player was given half a drawn game against the average."
        }
    };
    let content = html! {
        div.halves {
            div.scroll {
                table {
                    (named_head("Player", ["Elo", "games", "score", "drawn"]))
                    @for (place, it) in ratings.players.iter().enumerate() {
                        (row(ranked(place, &it.player), [
                            elo_of(it), grouped(it.games), percent(it.score), percent(it.draw_ratio),
                        ]))
                    }
                }
            }
            div {
                (rows.into_markup("Elo of the players with its 95 % interval, the best first"))
                @if let Some(cut) = view.cut() { p.minor { (cut) } }
            }
        }
    };
    Panel::new("ratings", "Ratings", note, content).wide(true)
}

/// Points of each two players against each other.
pub fn crosstable(view: &View) -> Panel {
    let cell = |one: usize, other: usize| {
        let [lost, drawn, won] = view
            .content
            .progress
            .crosstable
            .between(view.order[one], view.order[other])
            .trinomial();
        let (half_points, games) = (2 * won + drawn, lost + drawn + won);
        (games > 0).then(|| {
            let share = share(half_points, 2 * games);
            let [one, other] = [view.order[one], view.order[other]];
            let result = html! { (points(half_points)) "/" (grouped(games)) };
            let name = format!("Games of {} against {}", view.name(one), view.name(other));
            let text = html! {
                @if view.content.pairings.games(one, other).is_empty() { (result) } @else {
                    a.look href=(link(&list_of(one, other), 0)) title=(name) { (result) }
                }
                span.minor { (percent(share)) }
            };
            (share, text)
        })
    };
    let kept = &view.content.pairings;
    let pairings = view.context.run.rules.format.pairings(view.order.len()).len();
    let note = html! {
        "Points out of games of each player against each other, the best first. Cells lead to "
        "games: the first " (count_of(kept.pairs_each as u64, "pair")) " of each two players"
        @if kept.pairs_each * pairings > PairingShelf::MOST {
            ", " (PairingShelf::MOST) " in all"
        }
        "; all are in games.pgn of the run."
    };
    grid("crosstable", "Crosstable", note, view, cell)
}

/// The list of the viewer with the games of two players, in whatever order.
pub fn list_of(one: usize, other: usize) -> String {
    format!("players-{}-{}", one.min(other) + 1, one.max(other) + 1)
}

/// How likely each player is stronger than each other.
pub fn superiority(view: &View) -> Panel {
    let cell = |one: usize, other: usize| {
        let likelihood = view.ratings.likelihood_of_superiority[one][other];
        let text = match 100.0 * likelihood {
            percent if percent > 99.9 => ">\u{202f}99.9".to_owned(),
            percent if percent < 0.1 => "<\u{202f}0.1".to_owned(),
            percent => format!("{percent:.1}"),
        };
        Some((likelihood, html! { (text) }))
    };
    let note = "Probability in percent that the player of a row is stronger than that of a column.";
    grid("superiority", "Likelihood of superiority", note, view, cell)
}

/// The panel of a table of each player against each other by their places: the share by which a cell
/// is tinted, and what it says; `None` if the two never met.
fn grid(
    id: &'static str,
    name: &'static str,
    note: impl Render,
    view: &View,
    cell: impl Fn(usize, usize) -> Option<(f64, Markup)>,
) -> Panel {
    let players = view.order.len().min(View::MOST);
    let note = html! { (note) @if let Some(cut) = view.cut() { " " (cut) } };
    let content = html! {
        div.scroll {
            table.grid {
                tr {
                    td {}
                    @for place in 0..players {
                        th scope="col" title=(view.name(view.order[place])) { (place + 1) }
                    }
                }
                @for one in 0..players { tr {
                    th scope="row" { (ranked(one, view.name(view.order[one]))) }
                    @for other in 0..players {
                        @match cell(one, other).filter(|_| one != other) {
                            Some((share, text)) => {
                                td style={ "--share:" (format!("{share:.3}")) } { (text) }
                            }
                            None => td.none { @if one != other { "–" } }
                        }
                    }
                } }
            }
        }
    };
    Panel::new(id, name, note, content).wide(view.order.len() > MOST_NARROW)
}

fn ranked(place: usize, name: &str) -> Markup {
    html! { span.rank { (place + 1) } (name) }
}

fn elo_of(row: &Rating) -> String {
    if row.error == 0.0 {
        return signed(row.elo, 1);
    }
    format!("{} ± {:.1}", signed(row.elo, 1), row.error)
}
