//! Panels on what the players did: by color, and their work.

use maud::html;

use super::view::View;
use crate::html::document::Panel;
use crate::html::endings::{Bar, Sides, outcome_head, outcome_row, score_of};
use crate::html::words::{percent, with_error};
use crate::html::work::{NO_TIMES, table};

/// The panel of each player's score by color.
pub fn colors(view: &View) -> Panel {
    let sides = Sides::colors();
    let all = view.content.games.outcomes();
    let advantage = view.ratings.white_advantage.filter(|_| view.content.pairs > 0);
    let advantage = advantage.map_or("unknown".to_owned(), |elo| with_error(&elo) + " Elo");
    let bar = Bar { outcomes: &all, classes: &sides.classes, words: &sides.words };
    Panel {
        id: "colors",
        name: "Colors",
        note: html! { "White's advantage among equals: " (advantage) "." },
        content: html! {
            (sides.legend())
            table.bars { (bar.row("White's score", 1.0, &percent(score_of(&all)))) }
            h3 { "Score of each player" }
            table {
                tr {
                    td {}
                    @for name in ["with White", "with Black"] { th scope="col" { (name) } }
                }
                @for &player in &view.order { tr {
                    th scope="row" { (view.name(player)) }
                    @for outcomes in &view.content.by_color[player] {
                        td { (percent(score_of(outcomes))) }
                    }
                } }
            }
        },
        figures: Some(html! { table {
            (outcome_head(&sides.words)) (outcome_row("White's games", &all))
        } }),
        is_wide: false,
    }
}

/// The players' work for their moves.
pub fn work(view: &View) -> Panel {
    let tally = &view.content.games;
    Panel {
        id: "work",
        name: "Work",
        note: html! {
            "Means over all moves of a player." @if !tally.is_timed() { (NO_TIMES) }
        },
        content: table(&view.context.run.identities, tally),
        figures: None,
        is_wide: false,
    }
}
