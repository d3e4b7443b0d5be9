//! Panels on what the players put into their moves: depth, time, nodes, by number of the move.

use maud::{Markup, html};

use super::view::View;
use crate::html::chart::{self, Frame};
use crate::html::document::Panel;
use crate::html::games_tally::Work;
use crate::html::words::mean;
use crate::html::work::{NO_TIMES, table};

/// Moves are shown as long as at least this share of the games reached them.
const LEAST_SHARE: f64 = 0.02;

/// A quantity of a player's moves of one number.
struct Quantity {
    id: &'static str,
    name: &'static str,
    /// What the ordinate shows.
    unit: &'static str,
    of: fn(&Work) -> Option<f64>,
}

/// Panels of depth, thinking time and nodes by the number of the move, and a table of all moves.
pub fn panels(view: &View) -> Vec<Panel> {
    let depth = Quantity {
        id: "depth",
        name: "Depth",
        unit: "Mean depth in plies",
        of: |work| mean(work.depth, work.moves),
    };
    let time = Quantity {
        id: "time",
        name: "Thinking time",
        unit: "Mean time of a move in milliseconds",
        of: |work| mean(work.time, work.timed_moves).map(|microseconds| microseconds / 1000.0),
    };
    let nodes = Quantity {
        id: "nodes",
        name: "Nodes",
        unit: "Mean nodes of a move",
        of: |work| mean(work.nodes, work.moves),
    };
    let figures = table(&view.context.run.identities, &view.content.games);
    let mut panels = vec![panel(view, &depth, Some(figures), "")];
    if view.content.games.is_timed() {
        panels.push(panel(view, &time, None, ""));
        panels.push(panel(view, &nodes, None, ""));
    } else {
        panels.push(panel(view, &nodes, None, NO_TIMES));
    }
    panels
}

fn panel(view: &View, quantity: &Quantity, figures: Option<Markup>, remark: &str) -> Panel {
    let lines: Vec<Vec<(f64, f64)>> = (0..2).map(|player| line(view, player, quantity)).collect();
    let last = lines.iter().flatten().map(|point| point.0).fold(2.0, f64::max);
    let most = lines.iter().flatten().map(|point| point.1).fold(0.0, f64::max);
    let frame = Frame::new((1.0, last), (0.0, 1.1 * most));
    let content = html! {
        (frame.counting_axes("move after the opening"))
        (frame.level(0.0, "axis-line"))
        (frame.line(&lines[1], "base"))
        (frame.line(&lines[0], "cand"))
    };
    let text = format!("{} by number of the move.", quantity.unit);
    let note = html! { (text) @if most == 0.0 { " No player told any." } (remark) };
    let content = html! {
        @if most > 0.0 {
            (view.legend())
            (chart::figure(quantity.id, quantity.name, &text, &content))
        }
    };
    Panel::new(quantity.id, quantity.name, note, content).with_figures(figures)
}

fn line(view: &View, player: usize, quantity: &Quantity) -> Vec<(f64, f64)> {
    let work = &view.content.games.work[player].by_move;
    let first = work.first().map_or(0, |work| work.moves) as f64;
    let enough = |work: &&Work| work.moves as f64 >= LEAST_SHARE * first;
    let values = work.iter().take_while(enough).enumerate();
    values.filter_map(|(index, work)| Some((index as f64 + 1.0, (quantity.of)(work)?))).collect()
}
