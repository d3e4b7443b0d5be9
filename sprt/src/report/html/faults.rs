//! The panel on what went wrong.

use maud::{Markup, html};

use super::document::Panel;
use super::games_tally::GamesTally;
use super::words::{count_of, grouped};
use crate::run::PlayerFaults;

/// Faults, warnings and replays.
pub fn panel(tally: &GamesTally) -> Panel {
    let is_clean =
        tally.faults.iter().all(|player| player.faults.is_empty() && player.warnings.is_empty());
    let note = if is_clean {
        "None: no player failed, lost on time or broke the protocol."
    } else {
        "Faults lose the game; warnings cost nothing."
    };
    Panel {
        id: "faults",
        name: "Faults",
        note: html! { (note) },
        content: html! {
            table.faults {
                tr { td {} th scope="col" { "faults" } th scope="col" { "warnings" } }
                @for player in &tally.faults {
                    tr {
                        th scope="row" { (player.player) }
                        td { (faults_of(player)) }
                        td { (warnings_of(player)) }
                    }
                }
            }
            @for player in tally.faults.iter().filter(|player| !player.examples.is_empty()) {
                h3 { (player.player) }
                ul { @for example in &player.examples { li { (example) } } }
            }
            h3 { "Replays" }
            @if tally.replayed == 0 {
                p { "None: no pair had to be replayed because the machine kept a player waiting." }
            } @else {
                p {
                    (count_of(tally.replayed, "replay"))
                    " because the machine kept a player waiting, for instance:"
                }
                ul { @for reason in &tally.replays { li { (reason) } } }
            }
        },
        figures: None,
        is_wide: false,
    }
}

fn faults_of(player: &PlayerFaults) -> Markup {
    list(player.faults.iter().map(|(kind, count)| (kind.as_str(), *count)))
}

fn warnings_of(player: &PlayerFaults) -> Markup {
    list(player.warnings.iter().map(|(kind, count)| (kind.as_str(), *count)))
}

fn list<'a>(kinds: impl Iterator<Item = (&'a str, u64)>) -> Markup {
    let kinds: Vec<_> = kinds.collect();
    html! {
        @if kinds.is_empty() { span.minor { "none" } }
        @for (kind, count) in kinds { div { (grouped(count)) " × " (kind) } }
    }
}
