//! The drawings in ARCHITECTURE.md: fenced blocks of text that begin with one of four lines.
//!
//! - `arrows in CRATE`: a line `folder → folder, folder` (or `→ nothing`) for each folder or file
//!   of the crate, without `.rs`; a file belongs to the longest name that it begins with, and to `all`
//!   where there is none. Arrows go down only: to names of lines further down.
//! - `arrows between crates`: `crate → crate, crate`, of which one without arrows in it is whole; a
//!   folder, `crate/folder`, that only some may use has a name of its own on the right, and who alone
//!   may use it a line of its own.
//! - `circles within`: `crate/folder`, a folder whose files may use each other in circles, those of its
//!   subfolders included.
//! - `never used`: `crate/folder: path, path`, paths such as `std::fs` or `println!`.
//!
//! A line that begins with a space goes on with the one before.

use std::collections::{BTreeMap, BTreeSet};

/// Everything that is drawn.
#[derive(Default)]
pub struct Drawing {
    /// The folders and files of all crates, `crate/folder`, from the top to the bottom.
    nodes: Vec<String>,
    /// Who may use another crate: a crate, or one of its nodes.
    outward: BTreeSet<String>,
    /// Who is used by another crate: a crate, or one of its nodes.
    inward: BTreeSet<String>,
    /// Pairs of user and used.
    pub arrows: BTreeSet<(String, String)>,
    /// Folders where circles are allowed.
    circular: BTreeSet<String>,
    /// Names that a node never uses.
    never: BTreeMap<String, Vec<String>>,
}

impl Drawing {
    /// Reads the blocks of a text.
    ///
    /// # Errors
    /// A line of a block makes no sense, or there is no block.
    pub fn read(text: &str) -> Result<Drawing, String> {
        let mut drawing = Drawing::default();
        for block in text.split("```text\n").skip(1) {
            let block = block.split("```").next().unwrap_or_default();
            let (head, lines) = block.split_once('\n').unwrap_or((block, ""));
            // A line that begins with a space goes on with the one before.
            let lines = lines.replace("\n ", " ");
            for line in lines.lines().filter(|line| !line.trim().is_empty()) {
                if let Some(name) = head.strip_prefix("arrows in ") {
                    let node = |of: &str| match of {
                        "all" => name.to_owned(),
                        folder => format!("{name}/{folder}"),
                    };
                    let (from, to) = arrows_of(line)?;
                    let from = node(&from);
                    if drawing.nodes.contains(&from) {
                        return Err(format!("{from} has a line twice"));
                    }
                    let to = to.iter().map(|to| (from.clone(), node(to)));
                    drawing.arrows.extend(to);
                    drawing.nodes.push(from);
                } else if head == "arrows between crates" {
                    let (from, to) = arrows_of(line)?;
                    drawing.inward.extend(to.iter().cloned());
                    drawing.arrows.extend(to.into_iter().map(|to| (from.clone(), to)));
                    drawing.outward.insert(from);
                } else if head == "circles within" {
                    drawing.circular.insert(line.trim().to_owned());
                } else if head == "never used" {
                    let (node, paths) =
                        line.split_once(": ").ok_or_else(|| format!("{line:?} forbids nothing"))?;
                    let paths = paths.split(", ").map(|path| path.trim().to_owned());
                    drawing.never.insert(node.to_owned(), paths.collect());
                }
            }
        }
        if drawing.nodes.is_empty() {
            return Err("no arrows are drawn".to_owned());
        }
        let is_drawn = |to: &str| !to.contains('/') || drawing.nodes.iter().any(|node| node == to);
        match drawing.arrows.iter().find(|(_, to)| !is_drawn(to)) {
            Some((from, to)) => Err(format!("{from} points to {to}, which has no line")),
            None => Ok(drawing),
        }
    }

    /// The drawn arrows within a crate that go to a line further up.
    pub fn arrows_upwards(&self) -> Vec<String> {
        let place = |node: &String| self.nodes.iter().position(|it| it == node);
        let goes_up = |(from, to): &&(String, String)| match (place(from), place(to)) {
            (Some(from_place), Some(to_place)) => {
                crate_of(from) == crate_of(to) && to_place <= from_place
            }
            _ => false,
        };
        let arrows = self.arrows.iter().filter(goes_up);
        arrows.map(|(from, to)| format!("the arrow {from} → {to} goes up")).collect()
    }

    /// The node that a file belongs to.
    pub fn node_of<'a>(&'a self, file: &'a str) -> Option<&'a str> {
        let name = crate_of(file);
        let is_whole = self.outward.contains(name) || self.inward.contains(name);
        let is_divided = self.nodes.iter().any(|node| crate_of(node) == name);
        longest(self.nodes.iter(), file).or((is_whole && !is_divided).then_some(name))
    }

    /// The arrow by which a file uses another; none if both belong to one node, or to none.
    pub fn arrow_of(&self, from: &str, to: &str) -> Option<(String, String)> {
        let (source, target) = if crate_of(from) == crate_of(to) {
            (self.node_of(from)?, self.node_of(to)?)
        } else {
            let drawn = |names, file| longest(names, file).unwrap_or_else(|| crate_of(file));
            (drawn(self.outward.iter(), from), drawn(self.inward.iter(), to))
        };
        (source != target).then(|| (source.to_owned(), target.to_owned()))
    }

    /// The folder of a file within which circles are allowed, if there is one.
    pub fn circular_of(&self, file: &str) -> Option<&str> {
        longest(self.circular.iter(), file)
    }

    /// The rule against a path in a file, if there is one.
    pub fn forbids(&self, file: &str, path: &str) -> Option<&str> {
        let node = longest(self.never.keys(), file)?;
        let is_within = |rule: &&String| {
            path.strip_prefix(rule.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        self.never[node].iter().find(is_within).map(String::as_str)
    }

    /// The node whose rules hold for a file; empty if there are none.
    pub fn never_node(&self, file: &str) -> &str {
        longest(self.never.keys(), file).unwrap_or_default()
    }
}

/// The crate of a file or node.
fn crate_of(path: &str) -> &str {
    path.split('/').next().unwrap_or_default()
}

/// The longest of these names that a file's name begins with.
fn longest<'a>(names: impl Iterator<Item = &'a String>, file: &str) -> Option<&'a str> {
    let place = file.replacen("/src/", "/", 1);
    let place = place.trim_end_matches(".rs").trim_end_matches("/mod");
    let holds = |name: &&String| {
        place
            .strip_prefix(name.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    names.filter(holds).max_by_key(|name| name.len()).map(String::as_str)
}

/// A line `from → to, to`.
fn arrows_of(line: &str) -> Result<(String, Vec<String>), String> {
    let (from, to) = line.split_once('→').ok_or_else(|| format!("{line:?} is no arrow"))?;
    let to = to.split(',').map(|to| to.trim().to_owned()).filter(|to| to != "nothing");
    Ok((from.trim().to_owned(), to.collect()))
}
