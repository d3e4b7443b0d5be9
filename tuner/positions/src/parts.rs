//! The split of games into those that margins are found on and those that they are measured on, and
//! the record of it in a found file.
//!
//! The part of a game follows from its positions alone: no seed changes it, no order of files and no
//! file beside its own. So nothing that `tuner margins` finds was chosen by a position that `tuner
//! regret` measures it on.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::Context;
use playable::Numbers;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use system::files::is_stream;

use super::{Filter, Sample, expand};

/// Number of the rule by which [`Part::of`] parts games: another rule needs another number.
const SPLIT: u32 = 1;
/// Share of the games that choose nothing.
const HELD_OUT: f64 = 0.3;
/// Who finds margins on positions, as the heads of their files name them.
const FINDERS: [&str; 2] = ["by `tuner margins` from", "by `tuner audit` from"];
/// Begins what a found file says of the positions it was found on.
const RECORD: &str = "found on: ";

/// The use of a game's positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Numbers are tuned on them.
    Tuning,
    /// They choose nothing, so that what was found can be measured on them.
    HeldOut,
}

/// All positions of recorded games of the game of these numbers with nothing left out, those of a game one after the other.
///
/// # Errors
/// If the files cannot be read.
pub fn every_position(
    files: &[PathBuf],
    numbers: &Numbers,
    threads: usize,
) -> anyhow::Result<Vec<Sample>> {
    let found = expand(files, &Filter::everything(), numbers, threads)?;
    found.counts.warn();
    Ok(found.samples)
}

/// The games of such positions, each with its part.
pub fn parted(samples: &[Sample]) -> impl Iterator<Item = (&[Sample], Part)> {
    let games = samples.chunk_by(|one, other| one.game() == other.game());
    games.map(|game| (game, Part::of(game)))
}

impl Part {
    /// The part of a game, whose samples are all there.
    fn of(game: &[Sample]) -> Part {
        let mut hash = Sha256::new();
        game.iter().for_each(|sample| hash.update(sample.packed().bytes()));
        let hash = hash.finalize();
        let first = u32::from_le_bytes([hash[0], hash[1], hash[2], hash[3]]);
        if f64::from(first) < HELD_OUT * f64::from(u32::MAX) { Part::HeldOut } else { Part::Tuning }
    }
}

/// The positions that margins were found on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FoundOn {
    /// The rule by which games were held out.
    split: u32,
    files: Vec<Recorded>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
struct Recorded {
    name: String,
    /// None of a pipe, which can be read but once.
    sha256: Option<String>,
}

impl FoundOn {
    /// The record of a run on the tuning games of these files.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn of(files: &[PathBuf]) -> anyhow::Result<FoundOn> {
        let recorded = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let sha256 =
                sha256_of(path).with_context(|| format!("cannot read {}", path.display()))?;
            Ok(Recorded { name, sha256 })
        };
        let files = files.iter().map(recorded).collect::<anyhow::Result<_>>()?;
        Ok(FoundOn { split: SPLIT, files })
    }

    /// The line that a found file has at its head.
    pub fn line(&self) -> String {
        let record = serde_json::to_string(self).expect("numbers and words");
        format!("{RECORD}{record}")
    }

    /// A remark on a parameter file that is measured on the held-out games of `measured`; none
    /// of a file that was not found on positions.
    pub fn remark(name: &str, text: &str, measured: &FoundOn) -> Option<String> {
        // The head is wrapped at spaces.
        let head = text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim);
        let head = head.collect::<Vec<_>>().join(" ");
        let record = head.split_once(RECORD).map_or("", |(_, record)| record);
        let found = serde_json::Deserializer::from_str(record).into_iter::<FoundOn>().next();
        let found = found.and_then(Result::ok);
        match found {
            Some(found) if found.split == measured.split => {
                let is_measured = |it: &&Recorded| {
                    it.sha256.is_some()
                        && measured.files.iter().any(|file| file.sha256 == it.sha256)
                };
                let names = |files: BTreeSet<&str>| Vec::from_iter(files).join(", ");
                let common: BTreeSet<&str> =
                    found.files.iter().filter(is_measured).map(|it| it.name.as_str()).collect();
                Some(if common.is_empty() {
                    let all = found.files.iter().map(|it| it.name.as_str()).collect();
                    format!("{name} was found on other files: {}", names(all))
                } else {
                    format!("{name} was found on other games of {}", names(common))
                })
            }
            None if !FINDERS.iter().any(|it| head.contains(it)) => None,
            _ => Some(format!(
                "{name} does not record which games it was found on: if they are among these, its gain \
                 is overstated; find it anew, or measure it on other files"
            )),
        }
    }
}

/// SHA-256 of a file, however large; none of a pipe.
fn sha256_of(path: &Path) -> std::io::Result<Option<String>> {
    if is_stream(path) {
        return Ok(None);
    }
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(Some(hex::encode(hash.finalize()))),
            length => hash.update(&buffer[..length]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_says_which_games_chose() {
        let folder = tempfile::tempdir().expect("a folder");
        let [one, other] = ["one.csv", "other.csv"].map(|name| folder.path().join(name));
        std::fs::write(&one, "1").expect("writable");
        std::fs::write(&other, "2").expect("writable");
        let of = |files: &[&PathBuf]| {
            FoundOn::of(&files.iter().map(|it| it.to_path_buf()).collect::<Vec<_>>())
                .expect("there")
        };
        let fitted = "# Margins fitted by `tuner margins` from a: so\n";
        let text = |found: &FoundOn| format!("{fitted}# {}\nbody", found.line());
        let both = text(&of(&[&one, &other]));
        let remark = |text: &str, files: &[&PathBuf]| FoundOn::remark("t", text, &of(files));
        assert_eq!(
            remark(&both, &[&one]).expect("a remark"),
            "t was found on other games of one.csv"
        );
        let foreign = remark(&text(&of(&[&one])), &[&other]).expect("a remark");
        assert_eq!(foreign, "t was found on other files: one.csv");
        // As it stands in a parameter file, whose head is wrapped.
        let notes = of(&[&one, &other]).line() + ".\nfutility.margin: 1 -> 2";
        let notes = format!("Margins fitted by `tuner margins` from a: so.\n{notes}");
        let written = chess::GAME.embedded().to_toml_with_notes(&notes);
        assert!(!written.lines().any(|line| line.contains("found on: {")), "not wrapped");
        assert_eq!(
            remark(&written, &[&one]).expect("a remark"),
            "t was found on other games of one.csv"
        );
        // The same file under another name is the same file.
        let moved = folder.path().join("moved.csv");
        std::fs::copy(&one, &moved).expect("writable");
        assert!(remark(&both, &[&moved]).expect("a remark").contains("other games of one.csv"));
        // Of an earlier version, of another split, and not of `tuner margins` at all.
        let unknown = remark(fitted, &[&one]).expect("a remark");
        assert!(unknown.contains("does not record"), "{unknown}");
        let old = both.replace("\"split\":1", "\"split\":0");
        assert_ne!(old, both);
        assert_eq!(remark(&old, &[&one]), Some(unknown));
        let priced = remark("# Found by `tuner audit` from default: so\n", &[&one]);
        assert!(priced.is_some_and(|it| it.contains("does not record")));
        assert_eq!(remark("# by hand\n[margins]\n", &[&one]), None);
    }
}
