//! Holds the code to the arrows that ARCHITECTURE.md draws: who uses whom, in each crate and between
//! them, and what some folders never use.

mod drawing;
mod sources;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use drawing::Drawing;
use sources::{Sources, Uses};

#[test]
fn the_code_is_as_it_is_drawn() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = std::fs::read_to_string(workspace.join("ARCHITECTURE.md")).expect("a text");
    let drawing = Drawing::read(&text).unwrap_or_else(|reason| panic!("{reason}"));
    let sources = Sources::load(&workspace);
    let found = differences(&sources.uses(), &drawing);
    assert!(found.is_empty(), "ARCHITECTURE.md and the code differ:\n{}", found.join("\n"));
}

/// All that is not as drawn, a line each.
fn differences(uses: &Uses, drawing: &Drawing) -> Vec<String> {
    let mut found = drawing.arrows_upwards();
    found.extend(undrawn(uses, drawing));
    found.extend(circles(&uses.arrows, drawing));
    for (file, path) in &uses.foreign {
        found.extend(drawing.forbids(file, path).map(|rule| {
            format!("{file} uses {path}, but {} never uses {rule}", drawing.never_node(file))
        }));
    }
    found
}

/// Arrows of the code that are not drawn, and drawn ones that no code uses.
fn undrawn(uses: &Uses, drawing: &Drawing) -> Vec<String> {
    let mut found = Vec::new();
    for file in &uses.files {
        if drawing.node_of(file).is_none() {
            found.push(format!("{file} stands in no drawing"));
        }
    }
    let mut used = BTreeSet::new();
    for (from, to) in &uses.arrows {
        let Some(arrow) = drawing.arrow_of(from, to) else { continue };
        if !drawing.arrows.contains(&arrow) {
            found.push(format!("no arrow {} → {}: {from} uses {to}", arrow.0, arrow.1));
        }
        used.insert(arrow);
    }
    for (from, to) in drawing.arrows.difference(&used) {
        found.push(format!("the arrow {from} → {to} is drawn, but no code uses it"));
    }
    found
}

/// The circles of imports, but for those within a folder where they are allowed.
fn circles(arrows: &BTreeSet<(String, String)>, drawing: &Drawing) -> Vec<String> {
    let mut targets: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in arrows {
        targets.entry(from).or_default().push(to);
    }
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        targets.keys().map(|&file| (file, reachable(file, &targets))).collect();
    let mut found = BTreeSet::new();
    for (&file, others) in &reached {
        if others.contains(file) {
            let is_back = |other: &&&str| reached.get(**other).is_some_and(|it| it.contains(file));
            let circle: Vec<&str> = others.iter().filter(is_back).copied().collect();
            let folders: BTreeSet<_> =
                circle.iter().map(|file| drawing.circular_of(file)).collect();
            if folders.len() > 1 || folders.contains(&None) {
                found.insert(format!("a circle of imports: {}", circle.join(", ")));
            }
        }
    }
    found.into_iter().collect()
}

fn reachable<'a>(from: &'a str, targets: &BTreeMap<&'a str, Vec<&'a str>>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(file) = open.pop() {
        for &next in targets.get(file).into_iter().flatten() {
            if reached.insert(next) {
                open.push(next);
            }
        }
    }
    reached
}

/// Two folders and a file of a made-up crate, with nothing wrong.
const MADE_UP: [(&str, &str); 6] = [
    ("sprt/src/lib.rs", "pub mod game; pub mod play; pub mod clock;"),
    ("sprt/src/game/mod.rs", "mod limits; pub mod moves; pub use limits::Limits;"),
    ("sprt/src/game/limits.rs", "use std::fmt; use super::moves::Move; pub struct Limits;"),
    ("sprt/src/game/moves.rs", "pub struct Move;"),
    ("sprt/src/play/mod.rs", "use crate::game::{self, Limits}; fn f(_: game::moves::Move) {}"),
    ("sprt/src/clock.rs", "pub fn read() {}"),
];

const DRAWN: &str = "\
```text
arrows in sprt
lib → nothing
play → game
game → nothing
clock → nothing
```

```text
arrows between crates
```

```text
never used
sprt/game: std::fs,
  std::time, println!
```
";

/// The differences of the made-up crate, after these files were added or replaced.
fn differences_with(files: &[(&str, &str)], drawn: &str) -> Vec<String> {
    let texts = MADE_UP.iter().chain(files);
    let sources = Sources::of(texts.map(|&(path, text)| (path.to_owned(), text.to_owned())));
    match Drawing::read(drawn) {
        Ok(drawing) => differences(&sources.uses(), &drawing),
        Err(reason) => vec![reason],
    }
}

/// Fails unless exactly these words are said, one or more in each line.
fn assert_found(found: &[String], expected: &[&str]) {
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (line, words) in found.iter().zip(expected) {
        assert!(line.contains(words), "{words:?} is not in {line:?}");
    }
}

#[test]
fn nothing_is_said_of_code_that_is_as_drawn() {
    assert_found(&differences_with(&[], DRAWN), &[]);
}

#[test]
fn an_arrow_that_is_not_drawn_is_found_however_it_is_written() {
    for text in [
        "use crate::play::Player;",
        "use super::play::{self};\nfn f() -> play::Player {}",
        "fn f() { use crate::play::Player; }",
        "fn f() { let _ = crate::play::Player; }",
        "fn f() { format!(\"{}\", crate::play::Player) }",
        "use crate::play as games;\nfn f() { html! { div { (games::Player) } } }",
        "use crate::{game::Limits, play::*};",
        "mod inner { use super::super::play::Player; }",
        "impl crate::play::Player { fn f() {} }",
    ] {
        let player = ("sprt/src/play/mod.rs", "use crate::game::Limits; pub struct Player;");
        let found = differences_with(&[player, ("sprt/src/clock.rs", text)], DRAWN);
        let wrong = "no arrow sprt/clock → sprt/play: sprt/src/clock.rs uses sprt/src/play/mod.rs";
        assert!(found.contains(&wrong.to_owned()), "{text}: {found:#?}");
    }
}

#[test]
fn names_that_are_handed_on_count_where_they_are_defined() {
    // The facade names the clock's; whoever asks the facade for it uses the clock.
    let facade = "mod limits; pub mod moves; pub use limits::Limits; pub use crate::clock::read;";
    let user = "use crate::game::{Limits, read};";
    let files = [("sprt/src/game/mod.rs", facade), ("sprt/src/play/mod.rs", user)];
    let expected = ["no arrow sprt/game → sprt/clock", "no arrow sprt/play → sprt/clock"];
    assert_found(&differences_with(&files, DRAWN), &expected);
}

#[test]
fn a_circle_is_found_whichever_folders_its_files_lie_in() {
    // Two files of a folder.
    let moves = ("sprt/src/game/moves.rs", "pub struct Move; pub fn none(_: super::Limits) {}");
    let beside = ["a circle of imports: sprt/src/game/limits.rs, sprt/src/game/moves.rs"];
    assert_found(&differences_with(&[moves], DRAWN), &beside);
    // A folder's `mod.rs` that uses its files' names, beyond handing them on, and is used by them.
    let facade = "mod limits; pub mod moves; pub use limits::Limits; fn f(_: moves::Move) {} pub struct Game;";
    let facade = ("sprt/src/game/mod.rs", facade);
    let moves = ("sprt/src/game/moves.rs", "pub struct Move; use super::Game;");
    let through = ["a circle of imports: sprt/src/game/mod.rs, sprt/src/game/moves.rs"];
    assert_found(&differences_with(&[facade, moves], DRAWN), &through);
    // Files of two folders.
    let other = ("sprt/src/play/other.rs", "use super::deep::Deep; pub struct Other;");
    let deep = ("sprt/src/play/deep/mod.rs", "use super::other::Other; pub struct Deep;");
    let parent = ("sprt/src/play/mod.rs", "mod deep; mod other; use crate::game::Limits;");
    let between = ["a circle of imports: sprt/src/play/deep/mod.rs, sprt/src/play/other.rs"];
    assert_found(&differences_with(&[other, deep, parent], DRAWN), &between);
    let drawn = format!("{DRAWN}\n```text\ncircles within\nsprt/play\n```\n");
    assert_found(&differences_with(&[other, deep, parent], &drawn), &[]);
}

#[test]
fn all_of_a_crate_is_what_has_no_line_of_its_own() {
    let drawn = DRAWN
        .replace("lib → nothing\nplay → game\ngame → nothing\n", "play → all\nall → nothing\n");
    assert_found(&differences_with(&[], &drawn), &[]);
    let limits = ("sprt/src/game/limits.rs", "use crate::clock::read; pub struct Limits;");
    assert_found(&differences_with(&[limits], &drawn), &["no arrow sprt → sprt/clock"]);
}

#[test]
fn a_drawn_arrow_that_no_code_uses_is_found() {
    let drawn = DRAWN.replace("play → game", "play → game, clock");
    assert_found(&differences_with(&[], &drawn), &["the arrow sprt/play → sprt/clock is drawn"]);
}

#[test]
fn an_arrow_that_goes_up_is_found_in_the_drawing() {
    let drawn = DRAWN.replace("clock → nothing", "clock → play");
    let clock = ("sprt/src/clock.rs", "use crate::play::Player;");
    let player = ("sprt/src/play/mod.rs", "use crate::game::Limits; pub struct Player;");
    let found = differences_with(&[clock, player], &drawn);
    assert_found(&found, &["the arrow sprt/clock → sprt/play goes up"]);
}

#[test]
fn what_a_folder_never_uses_is_found() {
    for (text, path) in [
        ("use std::fs; pub struct Limits;", "std::fs"),
        ("use std::fs::File; pub struct Limits;", "std::fs::File"),
        ("use std::{fmt, time::Instant}; pub struct Limits;", "std::time::Instant"),
        ("pub struct Limits; fn f() { std::fs::read(1); }", "std::fs::read"),
        ("pub struct Limits; fn f() { println!(\"here\"); }", "println!"),
    ] {
        let text = format!("{text} use super::moves::Move;");
        let found = differences_with(&[("sprt/src/game/limits.rs", &text)], DRAWN);
        let wrong = format!("sprt/src/game/limits.rs uses {path}, but sprt/game never uses");
        assert!(found.iter().any(|line| line.starts_with(&wrong)), "{text}: {found:#?}");
    }
    // Tests may.
    let text = "pub struct Limits; use super::moves::Move; #[cfg(test)] mod tests { use std::fs; }";
    assert_found(&differences_with(&[("sprt/src/game/limits.rs", text)], DRAWN), &[]);
}

#[test]
fn arrows_between_crates_are_drawn_too() {
    let engine = [
        ("engine/src/lib.rs", "pub mod chess; pub mod search;"),
        ("engine/src/chess.rs", "pub struct Board;"),
        ("engine/src/search.rs", "pub struct Value;"),
        ("sprt/src/clock.rs", "use engine::chess::Board; use engine::search;"),
    ];
    let drawn = format!(
        "{}```text\narrows in engine\nlib → nothing\nchess → nothing\nsearch → nothing\n```\n",
        DRAWN.replace("between crates\n", "between crates\nsprt → engine/chess\n")
    );
    assert_found(&differences_with(&engine, &drawn), &[]);
    let clock =
        ("sprt/src/clock.rs", "use engine::chess::Board; fn f(_: engine::search::Value) {}");
    let mut files = engine.to_vec();
    files.push(clock);
    assert_found(&differences_with(&files, &drawn), &["no arrow sprt → engine: "]);
    let whole = drawn.replace("engine/chess", "engine");
    assert_found(&differences_with(&files, &whole), &[]);
    // A file that has a line of its own is not the crate's any more.
    let drawn =
        drawn.replace("sprt → engine/chess\n", "sprt → engine/chess\nsprt/clock → engine/search\n");
    let expected = ["no arrow sprt/clock → engine/chess", "the arrow sprt → engine/chess is drawn"];
    assert_found(&differences_with(&files, &drawn), &expected);
}

#[test]
fn a_file_outside_the_drawing_and_a_drawing_that_cannot_be_read_are_found() {
    let root = ("sprt/src/lib.rs", "pub mod game; pub mod play; pub mod clock; mod lost;");
    let found = differences_with(&[root, ("sprt/src/lost.rs", "")], DRAWN);
    assert_found(&found, &["sprt/src/lost.rs stands in no drawing"]);
    for (drawn, reason) in [
        (DRAWN.replace("play → game", "play: game"), "is no arrow"),
        (DRAWN.replace("play → game", "play → gone"), "which has no line"),
        (DRAWN.replace("arrows in sprt\n", "arrows in sprt\nplay → game\n"), "twice"),
        (String::new(), "no arrows"),
    ] {
        assert_found(&differences_with(&[], &drawn), &[reason]);
    }
}
