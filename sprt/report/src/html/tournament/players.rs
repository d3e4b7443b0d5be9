//! Panels on what the players did: by color, and their work.

use maud::html;

use super::view::View;
use crate::html::document::Panel;
use crate::html::endings::{self, Sides, score_of};
use crate::html::table::{head, row};
use crate::html::words::{percent, with_error};
use crate::html::work::{NO_TIMES, table};

/// The panel of each player's score by color.
pub fn colors(view: &View) -> Panel {
    let game = view.context.run.openings.game();
    let (sides, [first, second]) = (Sides::colors(game), game.color_names());
    let all = view.content.games.outcomes();
    let advantage = view.ratings.white_advantage.filter(|_| view.content.progress.pairs > 0);
    let advantage = advantage.map_or("unknown".to_owned(), |elo| with_error(&elo) + " Elo");
    let scores = html! {
        h3 { "Score of each player" }
        table {
            (head([&*format!("with {first}"), &*format!("with {second}")]))
            @for &player in &view.order {
                @let scores = view.content.games.by_color[player].each_ref().map(score_of);
                (row(view.name(player), scores.map(percent)))
            }
        }
    };
    let note = format!("{first}'s advantage among equals: {advantage}.");
    let bars = [(format!("{first}, whoever plays it"), all, sides.classes)];
    endings::colors(note, [sides.legend(), scores], &sides.words, &bars)
}

/// The players' work for their moves.
pub fn work(view: &View) -> Panel {
    let tally = &view.content.games;
    let note = html! { "Means over all moves of a player." @if !tally.is_timed() { (NO_TIMES) } };
    Panel::new("work", "Work", note, table(&view.context.run.identities, tally))
}
