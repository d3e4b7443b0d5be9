//! The players' work for their moves, as a table.

use matches::player::Identity;
use maud::{Markup, html};

use super::games_tally::GamesTally;
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
            tr {
                td {}
                th scope="col" { "depth" }
                th scope="col" { "nodes a move" }
                th scope="col" { "ms a move" }
                th scope="col" { "nodes a second" }
            }
            @for (identity, work) in players.iter().zip(&tally.work) {
                @let work = work.total;
                @let speed = mean(1_000_000 * work.timed_nodes, work.time);
                tr {
                    th scope="row" { (identity.name) }
                    td { (fine(mean(work.depth, work.moves), 1)) }
                    td { (whole(mean(work.nodes, work.moves))) }
                    td { (fine(mean(work.time, work.timed_moves).map(|time| time / 1000.0), 2)) }
                    td { (whole(speed)) }
                }
            }
        } }
    }
}
