//! The observations of a run so far, from which a killed run goes on.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use command_line;
use matches::player::EngineIdentity;
use positions::logistic::NATURAL;
use serde::{Deserialize, Serialize};
use work::journal::{self, JournalReader, line_of};

/// The settings that decide the course of a run: the first line of its journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct JournalHeader {
    /// Fingerprint of the values it starts from.
    pub start: String,
    pub tunables: Vec<String>,
    /// SHA-256 of the positions.
    pub positions: String,
    /// K of the expected score, see [`fit_k`](positions::logistic::fit_k).
    pub k: String,
    /// Number of positions tuned on.
    pub count: usize,
    pub nodes: u64,
    /// Description of the judge.
    pub judge: String,
    pub seed: u64,
    /// Version of the design of values ([`super::design::DESIGN`]).
    pub design: u32,
    /// Identity of the engine that is tuned; runs of earlier versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineIdentity>,
    /// Identity of the engine that judges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judging: Option<EngineIdentity>,
}

impl JournalHeader {
    /// This course with the engines of another, where these may differ: a program's file is then of no
    /// account, and all that is told it is.
    fn with_engines_of(self, other: &JournalHeader) -> JournalHeader {
        let is_program =
            |it: &Option<EngineIdentity>| matches!(it, Some(EngineIdentity::Program(_)));
        /// The part of a name behind the fingerprint.
        fn told(name: &str) -> &str {
            name.find(['+', '@']).map_or("", |begin| &name[begin..])
        }
        let keep = |own: String, theirs: &String, engine| {
            if is_program(engine) && told(&own) == told(theirs) { theirs.clone() } else { own }
        };
        JournalHeader {
            k: if is_of_centipawns(&self.k, &other.k) { other.k.clone() } else { self.k },
            start: keep(self.start, &other.start, &self.engine),
            judge: keep(self.judge, &other.judge, &self.judging),
            engine: other.engine.clone(),
            judging: other.judging.clone(),
            ..self
        }
    }
}

/// Whether an earlier version wrote this K, in natural units for a centipawn and fitted a little otherwise.
fn is_of_centipawns(earlier: &str, k: &str) -> bool {
    const TOLERANCE: f64 = 1e-4;
    let [Ok(earlier), Ok(k)] = [earlier, k].map(str::parse::<f64>) else { return false };
    (earlier / (k * NATURAL) - 1.0).abs() < TOLERANCE
}

/// The worth of the moves that two opposite sets of values choose in one passage (expected score).
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    pub round: usize,
    pub passage: usize,
    pub worths: [f64; 2],
}

#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    lines: journal::Journal,
    /// Entries of an earlier process, from the first that is still to be taken.
    earlier: std::vec::IntoIter<Entry>,
}

impl Journal {
    /// Begins a journal, or goes on with one that has the same course. A line that a kill cut off
    /// is removed.
    ///
    /// # Errors
    /// If there is a journal and it is not to be resumed, has another course or a damaged line, is
    /// used by another process, or cannot be written; if the engines are others and may not be.
    pub fn open(
        path: &Path,
        course: &JournalHeader,
        resume: bool,
        allows_changes: bool,
    ) -> anyhow::Result<Journal> {
        let shown = path.display();
        if !path.exists() {
            let lines = journal::Journal::create_new(path, course)?;
            return Ok(Journal { path: path.to_owned(), lines, earlier: Vec::new().into_iter() });
        }
        ensure!(resume, "{shown} is there already: go on with it by --resume, or remove it");
        let (then, mut reader, lines) = journal::Journal::open::<JournalHeader>(path)?;
        check_course(then, course, allows_changes).with_context(|| shown.to_string())?;
        let mut entries = Vec::new();
        while let Some(entry) = reader.next::<Entry>("passage")? {
            if entry.worths.iter().any(|worth| !(-1e-9..=1.0 + 1e-9).contains(worth)) {
                let reason = "what moves are worth lies from 0 to 1";
                return Err(reader.damaged(reason.to_owned()).into());
            }
            entries.push(entry);
        }
        let lines = lines.continue_after(reader)?;
        Ok(Journal { path: path.to_owned(), lines, earlier: entries.into_iter() })
    }

    /// Entries of an earlier process that are still to be taken.
    pub fn earlier(&self) -> usize {
        self.earlier.len()
    }

    /// The next entry of an earlier process, if it is there: that of a round and passage.
    ///
    /// # Errors
    /// If it is that of another.
    pub fn next(&mut self, round: usize, passage: usize) -> anyhow::Result<Option<[f64; 2]>> {
        let Some(entry) = self.earlier.next() else { return Ok(None) };
        ensure!(
            (entry.round, entry.passage) == (round, passage),
            "{}: round {}, passage {} stands where round {round}, passage {passage} should: \
             the file was changed",
            self.path.display(),
            entry.round,
            entry.passage
        );
        Ok(Some(entry.worths))
    }

    /// Appends entries.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append(&mut self, entries: &[Entry]) -> anyhow::Result<()> {
        Ok(self.lines.append(&entries.iter().map(line_of).collect::<String>())?)
    }
}

/// Rounds that the journal at this path holds before the one that it ends in, whatever run it is of;
/// 0 where there is no journal.
pub fn rounds_in(path: &Path) -> usize {
    let Ok((_, mut reader)) = JournalReader::open::<serde_json::Value>(path) else { return 0 };
    let entries = std::iter::from_fn(|| reader.next::<Entry>("passage").ok().flatten());
    entries.last().map_or(0, |entry| entry.round)
}

/// Checks that a run goes on as it was begun.
fn check_course(
    then: JournalHeader,
    course: &JournalHeader,
    allows_changes: bool,
) -> anyhow::Result<()> {
    ensure!(
        then.design == course.design,
        "the run was begun by a version of this program that tried other values: remove the file"
    );
    for (what, now, before) in [
        ("who is tuned", &course.engine, &then.engine),
        ("the judge", &course.judging, &then.judging),
    ] {
        command_line::check_engine(&what, now.as_ref(), before.as_ref(), allows_changes)?;
    }
    // Here the engines are the same, or may differ.
    let then = then.with_engines_of(course);
    if then != *course {
        let (now, then) = (serde_json::to_value(course)?, serde_json::to_value(then)?);
        let names = now.as_object().into_iter().flat_map(|fields| fields.keys());
        let differs: Vec<&str> =
            names.filter(|name| now[*name] != then[*name]).map(String::as_str).collect();
        bail!(
            "the run was begun with other settings ({}): give those again, or remove the file",
            differs.join(", ")
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use matches::player::ProgramIdentity;

    use super::*;

    fn course() -> JournalHeader {
        JournalHeader {
            start: "a".to_string(),
            tunables: vec!["futility.base".to_string()],
            positions: "b".to_string(),
            count: 3,
            nodes: 100,
            judge: "c@1000".to_string(),
            seed: 1,
            k: "0.004".into(),
            design: 2,
            engine: Some(EngineIdentity::Signature("one".to_string())),
            judging: Some(EngineIdentity::Signature("two".to_string())),
        }
    }

    fn entry(passage: usize) -> Entry {
        Entry { round: 0, passage, worths: [0.1 + 0.2, 1.0 / 3.0] }
    }

    #[test]
    fn a_journal_goes_on_whatever_was_cut_off() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("margins.journal");
        let mut journal = Journal::open(&path, &course(), false, false).expect("new");
        journal.append(&[entry(0), entry(1)]).expect("written");
        let error = Journal::open(&path, &course(), true, false).expect_err("locked").to_string();
        assert!(error.contains("another run is writing"), "{error}");
        drop(journal);
        let error = Journal::open(&path, &course(), false, false).expect_err("there").to_string();
        assert!(error.contains("--resume"), "{error}");
        let whole = std::fs::read(&path).expect("there");
        // The head is there as a whole or not at all.
        for end in line_of(&course()).len()..=whole.len() {
            std::fs::write(&path, &whole[..end]).expect("written");
            let mut journal = Journal::open(&path, &course(), true, false).expect("cut anywhere");
            let known = journal.earlier();
            for passage in 0..2 {
                let worths = journal.next(0, passage).expect("in order");
                assert_eq!(worths, (passage < known).then_some(entry(passage).worths));
            }
            let missing: Vec<Entry> = (known..2).map(entry).collect();
            journal.append(&missing).expect("written");
            assert_eq!(std::fs::read(&path).expect("there"), whole, "cut at {end}");
        }
        assert_eq!(rounds_in(&path), 0);
        let mut journal = Journal::open(&path, &course(), true, false).expect("whole");
        journal.append(&[Entry { round: 3, ..entry(0) }]).expect("written");
        drop(journal);
        let whole = std::fs::read(&path).expect("there");
        assert_eq!(rounds_in(&path), 3);
        std::fs::write(&path, &whole[..whole.len() - 1]).expect("written");
        assert_eq!(rounds_in(&path), 0, "its line was cut off");
        assert_eq!(rounds_in(&folder.path().join("nowhere")), 0);
    }

    #[test]
    fn another_engine_goes_on_only_if_it_may() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("margins.journal");
        let signature = |text: &str| Some(EngineIdentity::Signature(text.to_string()));
        let program = |file: &str| {
            let file = file.to_string();
            Some(EngineIdentity::Program(ProgramIdentity { file, ..Default::default() }))
        };
        let own = course();
        let rebuilt = JournalHeader { engine: signature("other"), ..course() };
        let judge = JournalHeader { judging: signature("other"), ..course() };
        let foreign = JournalHeader { engine: program("a"), start: "a+1".to_string(), ..course() };
        let replaced = JournalHeader { engine: program("b"), start: "b+1".to_string(), ..course() };
        for (then, now, what) in [
            (&own, &rebuilt, "who is tuned: another engine"),
            (&own, &judge, "the judge: another engine"),
            (&foreign, &replaced, "the program's file (b, not a)"),
        ] {
            std::fs::write(&path, line_of(then) + &line_of(&entry(0))).expect("written");
            let error = Journal::open(&path, now, true, false).expect_err(what);
            let error = format!("{error:#}");
            assert!(error.contains(what) && error.contains("--allow-changed-engine"), "{error}");
            assert_eq!(Journal::open(&path, now, true, true).expect("allowed").earlier(), 1);
            assert_eq!(Journal::open(&path, then, true, false).expect("the same").earlier(), 1);
        }
        let told_otherwise = JournalHeader { start: "b+2".to_string(), ..replaced };
        std::fs::write(&path, line_of(&foreign)).expect("written");
        assert!(Journal::open(&path, &told_otherwise, true, true).is_err(), "other options");
        // Earlier versions did not say which engine it was.
        let silent = JournalHeader { engine: None, judging: None, ..course() };
        std::fs::write(&path, line_of(&silent)).expect("written");
        Journal::open(&path, &course(), true, false).expect("nothing is known against it");
    }

    #[test]
    fn a_k_of_earlier_versions_is_the_same_in_another_unit() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("margins.journal");
        let of_k = |k: &str| JournalHeader { k: k.into(), ..course() };
        std::fs::write(&path, line_of(&of_k("0.005")) + &line_of(&entry(0))).expect("written");
        let open = |k: &str| Journal::open(&path, &of_k(k), true, false);
        for k in ["0.005", "0.868588963806504", "0.86859"] {
            assert_eq!(open(k).expect(k).earlier(), 1);
        }
        for k in ["0.0051", "0.8688", "5"] {
            assert!(format!("{:#}", open(k).expect_err(k)).contains("(k)"), "{k}");
        }
    }

    #[test]
    fn damage_is_refused_with_its_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("margins.journal");
        let head = line_of(&course());
        let other = line_of(&JournalHeader { seed: 2, nodes: 7, ..course() });
        let older = line_of(&JournalHeader { design: 1, ..course() });
        let good = line_of(&entry(0));
        let much = line_of(&Entry { worths: [0.5, 7.0], ..entry(0) });
        for (text, expected) in [
            ("nonsense\n".to_string(), ":1: damaged journal: not a line"),
            ("somebody's own words".to_string(), ":1: damaged journal: there is no header"),
            (other, "nodes, seed"),
            (older, "other values"),
            (serde_json::to_string(&course()).expect("a line") + "\n", ":1: damaged journal"),
            (format!("{head}nonsense\n"), ":2: damaged journal"),
            (
                format!("{head}{}", good.replace("0.333", "0.433")),
                ":2: damaged journal: the checksum",
            ),
            (format!("{head}{}", line_of(&"passage")), ":2: damaged journal: not a passage"),
            (format!("{head}{much}"), "0 to 1"),
            (format!("{head}{good}{}\n", &good[..good.len() - 2]), ":3: "),
        ] {
            std::fs::write(&path, &text).expect("written");
            let error = Journal::open(&path, &course(), true, false).expect_err(&text);
            let error = format!("{error:#}");
            assert!(error.contains(expected) && error.contains("margins.journal"), "{error}");
            assert_eq!(std::fs::read_to_string(&path).expect("there"), text);
        }
        std::fs::write(&path, head + &line_of(&entry(1))).expect("written");
        let mut journal = Journal::open(&path, &course(), true, false).expect("whole lines");
        assert!(journal.next(0, 0).is_err());
    }
}
