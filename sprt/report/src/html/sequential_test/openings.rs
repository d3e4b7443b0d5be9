//! The panel on the openings: whom they favor, and those in which the candidate did best and worst.

use std::cmp::Ordering;

use maud::{Markup, html};
use playable::Game;

use super::view::{OpeningTally, TestPageContent, View};
use crate::html::board::board;
use crate::html::chart::{self, Column};
use crate::html::document::Panel;
use crate::html::table::{head, row};
use crate::html::viewer::{Viewer, link};
use crate::html::words::{count_of, grouped, points};

/// Openings shown at either end.
const SHOWN: usize = 3;

/// Score by opening.
pub fn panel(view: &View) -> Panel {
    let openings = &view.content.openings;
    let game = view.context.run.openings.game();
    let [first, _] = game.color_names();
    let classes = ["0", "¼", "½", "¾", "1"];
    let mut white = [0u64; 5];
    let mut candidate = [0u64; 5];
    for opening in openings.values() {
        white[class_of(opening.white_half_points, opening.pairs)] += 1;
        candidate[class_of(opening.half_points, opening.pairs)] += 1;
    }
    let columns: Vec<Column> = classes
        .iter()
        .zip(white)
        .map(|(class, number)| Column {
            label: (*class).to_owned(),
            value: grouped(number),
            parts: vec![(
                number as f64,
                "white-side",
                format!("{} in which {first} scored about {class}", count_of(number, "opening")),
            )],
        })
        .collect();
    let repeated = openings.values().map(|opening| opening.pairs).max().unwrap_or(0);
    let usage = match repeated {
        0 | 1 => "none of them twice".to_owned(),
        times => format!("up to {times} times each"),
    };
    let text = format!(
        "{} of {} played, {usage}. Openings by {first}'s share of the points:",
        grouped(openings.len() as u64),
        grouped(view.context.run.openings.len() as u64)
    );
    let [best, worst] = shown(view);
    let share = format!("{first}'s share");
    let content = html! {
        div.halves {
            (chart::figure("openings", &format!("Openings by {share} of the points"), &text,
                           &chart::columns(&columns, 0.3, &share)))
            div {
                (row_of_boards(game, "Best for the candidate", &best))
                (row_of_boards(game, "Worst for the candidate", &worst))
                @if !(best.is_empty() && worst.is_empty()) {
                    p.minor { "A board leads to its games." }
                }
            }
        }
    };
    let figures = html! {
        table {
            (head(classes))
            (row(&share, white.map(grouped)))
            (row("Candidate's share", candidate.map(grouped)))
        }
        p.minor { "Openings by the nearest share of all points." }
        @for shown in best.iter().chain(&worst) {
            p.code { (shown.number + 1) ": " (shown.fen) }
        }
    };
    Panel::new("openings", "Openings", text, content).with_figures(figures).wide(true)
}

/// An opening that is shown on a board.
struct Shown {
    number: usize,
    fen: String,
    tally: OpeningTally,
}

/// The openings in which the candidate's score is farthest above and below one half.
fn extremes(content: &TestPageContent) -> (Vec<Numbered>, Vec<Numbered>) {
    let mut openings: Vec<Numbered> =
        content.openings.iter().map(|(number, opening)| (*number, *opening)).collect();
    let by_lean = |one: &Numbered, other: &Numbered| -> Ordering {
        other.1.lean().total_cmp(&one.1.lean()).then(one.0.cmp(&other.0))
    };
    openings.sort_by(by_lean);
    let best = openings.iter().take(SHOWN).filter(|(_, opening)| opening.lean() > 0.0);
    let worst = openings.iter().rev().take(SHOWN).filter(|(_, opening)| opening.lean() < 0.0);
    (best.copied().collect(), worst.copied().collect())
}

/// An opening by its number from 0.
type Numbered = (usize, OpeningTally);

/// The openings that are shown on boards.
fn shown(view: &View) -> [Vec<Shown>; 2] {
    let show = |(number, tally): Numbered| {
        let position = view.context.run.openings.opening(number).expect("it was played").position;
        Shown { number, fen: position.to_fen(), tally }
    };
    let (best, worst) = extremes(view.content);
    [best, worst].map(|openings| openings.into_iter().map(show).collect())
}

/// Puts the games of the openings that are shown on show.
pub fn show_games<'a>(content: &'a TestPageContent, viewer: &mut Viewer<'a>) {
    let (best, worst) = extremes(content);
    for (number, opening) in best.into_iter().chain(worst) {
        let games = content.opening_games.games(number);
        let name = format!("Opening no. {}", number + 1);
        viewer.add(list_of(number), name, games, 2 * u64::from(opening.pairs));
    }
}

/// The list of the viewer with the games of an opening.
fn list_of(number: usize) -> String {
    format!("opening-{}", number + 1)
}

/// The nearest quarter of all points.
fn class_of(half_points: u32, pairs: u32) -> usize {
    (f64::from(half_points) / f64::from(pairs)).round().min(4.0) as usize
}

fn row_of_boards(game: Game, name: &str, openings: &[Shown]) -> Markup {
    html! {
        h3 { (name) }
        @if openings.is_empty() { p.minor { "None yet." } }
        div.boards {
            @for Shown { number, fen, tally } in openings {
                figure {
                    a href=(link(&list_of(*number), 0)) aria-label={
                        "Games of opening no. " (number + 1)
                    } { (board(game, fen)) }
                    figcaption {
                        (points(u64::from(tally.half_points))) " of " (2 * tally.pairs)
                        span.minor {
                            " no. " (number + 1) ", " (game.color_names()[0]) " " (points(u64::from(tally.white_half_points)))
                        }
                    }
                }
            }
        }
    }
}
