//! The panel on what went wrong.

use std::collections::BTreeMap;

use matches::game::{FaultKind, WarningKind};
use maud::{Markup, html};

use super::document::Panel;
use super::games_tally::GamesTally;
use super::table::{head, row};
use super::viewer::{FaultShelf, KeptGame, Viewer, link_to_end};
use super::words::{count_of, grouped};

/// Faults, warnings and replays. `folder` is the run's folder as a link from the page, ending with a
/// slash.
pub fn panel(tally: &GamesTally, folder: Option<&str>) -> Panel {
    let is_clean =
        tally.faults.iter().all(|player| player.faults.is_empty() && player.warnings.is_empty());
    let note = match is_clean {
        true if tally.replayed == 0 => {
            "None: no player failed, lost on time or broke the protocol, and the machine kept none \
             waiting."
        }
        true => "None: no player failed, lost on time or broke the protocol.",
        false => "Faults lose the game; warnings cost nothing.",
    };
    let content = html! { @if !is_clean || tally.replayed > 0 { (details(tally, folder)) } };
    Panel::new("faults", "Faults", note, content)
}

/// The faults, and where they are.
fn details(tally: &GamesTally, folder: Option<&str>) -> Markup {
    html! {
            table.faults {
                (head(["faults", "warnings"]))
                @for it in &tally.faults {
                    (row(&it.player, [
                        list(&it.faults, FaultKind::as_str),
                        list(&it.warnings, WarningKind::as_str),
                    ]))
                }
            }
            @for player in tally.faults.iter().filter(|player| !player.examples.is_empty()) {
                h3 { (player.player) }
                ul {
                    @for (index, example) in player.examples.iter().enumerate() {
                        li { (told(example, player.files.get(index), folder, &tally.shelf)) }
                    }
                }
            }
            (all_places(&tally.shelf))
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
    }
}

/// An example: its place a link to the game, and behind it one to the file of its last lines.
fn told(
    example: &str,
    file: Option<&Option<String>>,
    folder: Option<&str>,
    shelf: &FaultShelf,
) -> Markup {
    let file = file.and_then(Option::as_deref);
    let shown = file.and_then(|file| example.strip_suffix(&format!(" [{file}]")));
    match (shown, file, folder) {
        (Some(text), Some(file), Some(folder)) => html! {
            (linked(text, shelf)) " " a href=(format!("{folder}{file}")) { "last lines" }
        },
        _ => linked(example, shelf),
    }
}

/// The list of the viewer with the games that have faults.
const FAULTY: &str = "faults";
/// The list of games with warnings that are told.
const ODD: &str = "warnings";

/// Puts the games on show in which something went wrong.
pub fn show<'a>(shelf: &'a FaultShelf, viewer: &mut Viewer<'a>) {
    let in_all = shelf.faulty.len() as u64 + shelf.left_out;
    viewer.add(FAULTY.to_owned(), "Games with faults".to_owned(), &shelf.faulty, in_all);
    let name = "Games with warnings, the first of each kind".to_owned();
    viewer.add(ODD.to_owned(), name, &shelf.odd, shelf.odd.len() as u64);
}

/// An example as it is told, its place a link to the game.
fn linked(example: &str, shelf: &FaultShelf) -> Markup {
    let lists = [(FAULTY, &shelf.faulty), (ODD, &shelf.odd)];
    let found = lists.into_iter().find_map(|(list, games)| {
        let is_its = |game: &KeptGame| {
            example.strip_prefix(&game.place()).is_some_and(|rest| rest.starts_with(':'))
        };
        let index = games.iter().position(is_its)?;
        Some((link_to_end(list, index), games[index].place()))
    });
    html! {
        @match found {
            Some((address, place)) => {
                a.look href=(address) { (place) } (example[place.len()..])
            }
            None => (example),
        }
    }
}

/// Links to all games with faults that are kept; the examples are only the first of each kind.
fn all_places(shelf: &FaultShelf) -> Markup {
    html! {
        @if !shelf.faulty.is_empty() {
            h3 { "Games with faults" }
            div.places {
                @for (index, game) in shelf.faulty.iter().enumerate() {
                    a.look href=(link_to_end(FAULTY, index)) aria-label=(game.place()) {
                        (game.pair + 1) "." (game.index + 1)
                    }
                }
            }
            @if shelf.left_out > 0 {
                p.minor { "The first of them; " (grouped(shelf.left_out)) " more are in games.pgn." }
            }
        }
    }
}

fn list<K: Copy>(kinds: &BTreeMap<K, u64>, name: fn(K) -> &'static str) -> Markup {
    html! {
        @if kinds.is_empty() { span.minor { "none" } }
        @for (&kind, &count) in kinds { div { (grouped(count)) " × " (name(kind)) } }
    }
}
