//! Panels on the outcomes of pairs, and on colors.

use maud::{Markup, html};
use playable::Game;
use statistics::BookBias;

use super::view::{TestPageContent, View};
use crate::html::chart::{self, Column};
use crate::html::document::Panel;
use crate::html::endings::{self, Sides};
use crate::html::words::{count_of, grouped, percent, share, with_error};

/// Colors of a game lost, drawn and won by the candidate.
pub const CLASSES: [&str; 3] = ["base", "draw", "cand"];

/// Pairs by outcome.
pub fn pairs(view: &View) -> Panel {
    let counts = view.content.progress.counts;
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
    let note = html! {
        "Both games of an opening together; W, D and L are the candidate's. "
        "Pairs won to lost: " (ratio) "; even: " (percent(even)) "."
    };
    let columns = chart::columns(&columns, 0.3, "");
    let content = chart::figure("pairs", "Pairs by outcome", &list.join(", "), &columns);
    Panel::new("pairs", "Pairs", note, content).with_figures(html! {
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
    })
}

/// Score by color.
pub fn colors(view: &View) -> Panel {
    let [with_white, with_black] = view.content.games.by_color[0];
    let white = view.content.colors.white_games();
    let is_enough = !view.content.progress.counts.are_too_few();
    let advantage = view.content.colors.white_advantage().filter(|_| is_enough);
    let advantage = advantage.map_or("unknown".to_owned(), |elo| with_error(&elo) + " Elo");
    let bias = BookBias::of_pairs(&view.content.progress.counts).filter(|_| is_enough);
    let bias = bias.map_or("unknown".to_owned(), |bias| {
        format!("{:.0} Elo [{:.0}, {:.0}]", bias.rms, bias.lower, bias.upper)
    });
    let game = view.context.run.openings.game();
    let [first, second] = game.color_names();
    let note =
        format!("{first}'s advantage: {advantage}; what openings give to a side (RMS): {bias}.");
    let bars = [
        (format!("Candidate with {first}"), with_white, CLASSES),
        (format!("Candidate with {second}"), with_black, CLASSES),
        (format!("{first}, whoever plays it"), white, Sides::colors(game).classes),
    ];
    let table = both_games(view.content, game);
    endings::colors(note, [html! {}, table], &endings::words(), &bars)
}

/// Pairs by the results of both games for who moves first: which openings decide games by themselves.
fn both_games(content: &TestPageContent, game: Game) -> Markup {
    let pairs = content.colors.pairs();
    let [white, black] = game.color_names();
    let names = [format!("{black} wins"), "draw".to_owned(), format!("{white} wins")];
    html! {
        table.grid {
            caption { "Who won both games of an opening" }
            tr {
                td {}
                @for name in &names {
                    th scope="col" { (name) span.minor { " candidate " (black) } }
                }
            }
            @for (first, row) in pairs.iter().enumerate().rev() {
                tr {
                    th scope="row" { (names[first]) span.minor { " candidate " (white) } }
                    @for &cell in row {
                        @let part = share(cell, content.progress.counts.pairs());
                        td style={ "--share:" (format!("{part:.3}")) } {
                            (grouped(cell)) span.minor { " " (percent(part)) }
                        }
                    }
                }
            }
        }
    }
}
