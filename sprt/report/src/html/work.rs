//! The players' work for their moves, as a table.

use matches::player::Identity;
use maud::{Markup, html};

use super::games_tally::GamesTally;
use super::table::{head, row};
use super::words::{grouped, mean};

/// Why there are no times.
pub const NO_TIMES: &str =
    " Times are unknown: where no limit is a time, the journal does not record them.";

/// The means of all players over all moves.
pub fn table(players: &[Identity], tally: &GamesTally) -> Markup {
    let whole = |value: Option<f64>| {
        value.map_or("unknown".to_owned(), |value| grouped(value.round() as u64))
    };
    let fine = |value: Option<f64>, decimals: usize| {
        value.map_or("unknown".to_owned(), |value| format!("{value:.decimals$}"))
    };
    html! {
        div.scroll { table {
            (head(["depth", "nodes a move", "ms a move", "nodes a second"]))
            @for (identity, work) in players.iter().zip(&tally.work) {
                @let work = work.total;
                @let speed = mean(1_000_000 * work.timed_nodes, work.time);
                (row(&identity.name, [
                    fine(mean(work.depth, work.moves), 1),
                    whole(mean(work.nodes, work.moves)),
                    fine(mean(work.time, work.timed_moves).map(|time| time / 1000.0), 2),
                    whole(speed),
                ]))
            }
        } }
    }
}
