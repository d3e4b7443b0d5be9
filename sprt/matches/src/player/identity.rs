//! The identity of a program, whatever numbers and options it is given: a run that goes on with
//! another build would add up the games of two engines.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

use playable::{Control, Limits, Numbers};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The option of all commands that go on although the engine is another.
pub const ALLOW_CHANGED_ENGINE: &str = "--allow-changed-engine";

/// Of the bench's positions one in so many tells one build from another, by so many nodes.
const STRIDE: usize = 5;
const NODES: u64 = 3000;
/// Bytes of a digest that are kept.
const DIGEST: usize = 6;

/// The identity of an engine: of ours by its play, of any other by its file and its own words about
/// itself. Nothing in it depends on time.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum EngineIdentity {
    /// An engine in this process: a digest of what short searches find with its numbers.
    Signature(String),
    /// A program, played over pipes.
    Program(ProgramIdentity),
}

/// A program, by its file and by what it says of itself.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramIdentity {
    /// Digest of the program's file.
    pub file: String,
    /// Its own name (`id name`); empty if it does not say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Its options, each with its type and its default.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// Digests of the files and folders that its options and arguments name, as they name them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// Of these names those that it writes itself, of which nothing is known.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub written: BTreeSet<String>,
}

impl EngineIdentity {
    /// The identity of the engine in this program, with these numbers.
    pub fn of_numbers(numbers: &Numbers) -> EngineIdentity {
        let mut engine = numbers.engine(1);
        let control = Control::default();
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let mut hash = Sha256::new();
        for (_, mut position) in numbers.game().bench_positions().into_iter().step_by(STRIDE) {
            // Castling has the same text whatever the variant.
            position.set_chess960(true);
            engine.new_game();
            let found = engine.search(&position, &limits, &control, &mut |_| {});
            hash.update(format!(
                "{} {} {} {}\n",
                position.uci(found.best),
                found.score,
                found.depth,
                found.nodes
            ));
        }
        EngineIdentity::Signature(hex::encode(&hash.finalize()[..DIGEST]))
    }

    /// The differences from an earlier identity; none if it is the same engine.
    pub fn differences(&self, then: &EngineIdentity) -> Vec<String> {
        match (self, then) {
            (EngineIdentity::Signature(now), EngineIdentity::Signature(then)) => {
                let other =
                    format!("the engine in this program plays otherwise ({now}, not {then})");
                (now != then).then_some(other).into_iter().collect()
            }
            (EngineIdentity::Program(now), EngineIdentity::Program(then)) => now.differences(then),
            _ => vec!["one is a program of its own, the other plays in this one".to_owned()],
        }
    }

    /// The same where the engine has written these files while it played.
    pub fn having_written(mut self, names: &BTreeSet<String>) -> EngineIdentity {
        if let EngineIdentity::Program(program) = &mut self {
            let named = names.iter().filter(|&name| program.files.contains_key(name));
            program.written.extend(named.cloned().collect::<Vec<_>>());
            program.files.retain(|name, _| !names.contains(name));
        }
        self
    }

    /// The files that it writes itself.
    pub fn written(&self) -> impl Iterator<Item = &str> {
        let written = match self {
            EngineIdentity::Program(program) => Some(&program.written),
            EngineIdentity::Signature(_) => None,
        };
        written.into_iter().flatten().map(String::as_str)
    }

    /// A digest of all of it, to be part of a key.
    pub fn digest(&self) -> String {
        let text = serde_json::to_string(self).expect("plain data becomes JSON");
        hex::encode(&Sha256::digest(text)[..DIGEST])
    }
}

impl ProgramIdentity {
    fn differences(&self, then: &ProgramIdentity) -> Vec<String> {
        let mut found = Vec::new();
        if self.file != then.file {
            found.push(format!("the program's file ({}, not {})", self.file, then.file));
        }
        if self.name != then.name {
            found.push(format!("its name ({:?}, not {:?})", self.name, then.name));
        }
        for (name, now, then) in unlike(&self.options, &then.options) {
            let [now, then] = [now, then]
                .map(|kind| kind.map_or_else(|| "nothing".to_owned(), |kind| format!("{kind:?}")));
            found.push(format!("its option {name} ({now}, not {then})"));
        }
        for (name, now, was) in unlike(&self.files, &then.files) {
            if !self.written.contains(name) && !then.written.contains(name) {
                let [now, was] = [now, was].map(|digest| digest.map_or("nothing", String::as_str));
                found.push(format!("what it reads, {name} ({now}, not {was})"));
            }
        }
        found
    }
}

/// The names under which two tables do not have the same, in order, with what they have.
fn unlike<'a>(
    one: &'a BTreeMap<String, String>,
    other: &'a BTreeMap<String, String>,
) -> Vec<(&'a String, Option<&'a String>, Option<&'a String>)> {
    let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    let both = names.into_iter().map(|name| (name, one.get(name), other.get(name)));
    both.filter(|(_, one, other)| one != other).collect()
}

/// An engine that is not the one with which something was begun, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Changed(pub Vec<String>);

impl Display for Changed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// More differences are as good as all.
        const SHOWN: usize = 5;
        let shown = &self.0[..self.0.len().min(SHOWN)];
        write!(f, "another engine than this was begun with: {}", shown.join("; "))?;
        match self.0.len() - shown.len() {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}

/// Compares an engine with the one that something was begun with. Returns a remark where they may
/// differ, or where it is not known which one it was.
///
/// # Errors
/// They differ, and may not.
pub fn compare(
    now: Option<&EngineIdentity>,
    then: Option<&EngineIdentity>,
    allows_changes: bool,
) -> Result<Option<String>, Changed> {
    let (Some(now), Some(then)) = (now, then) else {
        let unknown = "an earlier version of this program began this, without noting which build of \
                       the engine: nobody can tell whether it is the same";
        return Ok(now.map(|_| unknown.to_owned()));
    };
    let differences = now.differences(then);
    match differences.is_empty() {
        true => Ok(None),
        false if allows_changes => Ok(Some(Changed(differences).to_string())),
        false => Err(Changed(differences)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(file: &str, name: &str, options: &[(&str, &str)]) -> EngineIdentity {
        let options = options.iter().map(|(name, kind)| (name.to_string(), kind.to_string()));
        EngineIdentity::Program(ProgramIdentity {
            file: file.to_owned(),
            name: name.to_owned(),
            options: options.collect(),
            ..ProgramIdentity::default()
        })
    }

    #[test]
    fn other_numbers_are_another_engine_and_the_same_are_the_same() {
        let numbers = chess::GAME.embedded();
        let of = EngineIdentity::of_numbers;
        assert_eq!(of(&numbers), of(&numbers));
        let mut other = numbers.clone();
        other.set("material.knight.middlegame", 300).expect("a number");
        assert!(of(&numbers) != of(&other));
        assert_eq!(of(&other).differences(&of(&numbers)).len(), 1);
    }

    #[test]
    fn files_are_compared_unless_the_engine_writes_them() {
        let reading = |digest: &str| {
            let files = ["net", "log"].map(|name| (name.to_owned(), digest.to_owned()));
            let program = ProgramIdentity { files: files.into(), ..ProgramIdentity::default() };
            EngineIdentity::Program(program)
        };
        let (one, other) = (reading("a"), reading("b"));
        let differences = other.differences(&one);
        assert_eq!(differences, ["log", "net"].map(|it| format!("what it reads, {it} (b, not a)")));
        let written = BTreeSet::from(["log".to_owned(), "elsewhere".to_owned()]);
        let one = one.having_written(&written);
        assert_eq!(one.written().collect::<Vec<_>>(), ["log"]);
        assert_eq!(other.differences(&one), ["what it reads, net (b, not a)"]);
    }

    #[test]
    fn what_differs_is_named() {
        let one = program("a", "X 1", &[("Hash", "spin 1"), ("Old", "button")]);
        assert_eq!(compare(Some(&one), Some(&one), false), Ok(None));
        let other = program("b", "X 2", &[("Hash", "spin 2"), ("New", "button")]);
        let changed = compare(Some(&other), Some(&one), false).expect_err("another");
        let text = changed.to_string();
        for part in [
            "the program's file (b, not a)",
            "its name (\"X 2\", not \"X 1\")",
            "its option Hash (\"spin 2\", not \"spin 1\")",
            "its option New (\"button\", not nothing)",
            "its option Old (nothing, not \"button\")",
        ] {
            assert!(text.contains(part), "{text}");
        }
        assert_eq!(compare(Some(&other), Some(&one), true), Ok(Some(text)));
        let remark = compare(Some(&one), None, false).expect("allowed").expect("a remark");
        assert!(remark.contains("earlier version"), "{remark}");
        assert_eq!(compare(None, None, false), Ok(None));
    }
}
