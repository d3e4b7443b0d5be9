//! The panel on what went wrong.

use maud::{Markup, html};

use super::document::Panel;
use super::games_tally::GamesTally;
use super::words::{count_of, grouped};
use crate::run::PlayerFaults;

/// Faults, warnings and replays. `folder` is the run's folder as a link from the page, ending with a
/// slash.
pub fn panel(tally: &GamesTally, folder: Option<&str>) -> Panel {
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
                ul { @for item in examples(player, folder) { li { (item) } } }
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

/// The examples, with links to their files.
fn examples<'a>(
    player: &'a PlayerFaults,
    folder: Option<&'a str>,
) -> impl Iterator<Item = Markup> + 'a {
    player.examples.iter().enumerate().map(move |(index, example)| {
        let file = player.files.get(index).and_then(Option::as_deref);
        let shown = file.and_then(|file| example.strip_suffix(&format!(" [{file}]")));
        match (shown, file, folder) {
            (Some(text), Some(file), Some(folder)) => html! {
                (text) " " a href=(format!("{folder}{file}")) { "last lines" }
            },
            _ => html! { (example) },
        }
    })
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
