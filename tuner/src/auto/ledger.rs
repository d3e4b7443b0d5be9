//! The record of each generation, and the ledger of all of them.

use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

use anyhow::Context;
use evaluation_tuning::fit::report::Errors;
use matches::sequential_test::style_of;
use report::html::words::grouped;
use serde::{Deserialize, Serialize};
use statistics::{Assessment, EloEstimate, PairCounts, Verdict};
use system::files;
use system::paint;

use super::folder::{CANDIDATE, file_of_part};
use super::words::score_in_words;

/// The record of a generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// Number of the generation, from 1.
    pub generation: u32,
    /// The numbers that were fitted.
    pub step: Fitted,
    /// Positions its candidate was fitted to, without those held out.
    pub positions: usize,
    /// Scale of the expected result.
    pub k: f64,
    /// Errors of the champion's evaluation; none where margins were fitted.
    pub before: Option<Errors>,
    /// Errors of the candidate's.
    pub after: Option<Errors>,
    /// The gain of fitted margins on positions of other games; none where an evaluation was fitted.
    pub regret_fall: Option<RegretFall>,
    /// The gain that the fit lets expect, in Elo.
    pub expected_elo: f64,
    /// The gain that the test decided for or against, in normalized Elo.
    pub elo1: f64,
    /// Pairs of games, from the candidate's view.
    pub counts: PairCounts,
    /// Log-likelihood ratio of the test.
    pub log_likelihood_ratio: f64,
    /// Median-unbiased Elo of the candidate against the champion.
    pub elo: EloEstimate,
    /// The decision of the test of all of it.
    pub tested: Verdict,
    /// The parts that were tested where all of the candidate was not accepted; the last of them may
    /// have been, and is then the new champion.
    pub parts: Vec<Part>,
    /// The check with more nodes; none if none was asked for, or the candidate was not accepted.
    pub check: Option<TestResult>,
    /// The decision of all of them together.
    pub verdict: Verdict,
    /// Fingerprint of the values that were decided on: the candidate's, or those of its part.
    pub fingerprint: String,
    /// SHA-256 of their file.
    pub sha256: String,
}

/// The result of a test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestResult {
    /// Nodes of each move.
    pub nodes: u64,
    /// Pairs of games, from the candidate's view.
    pub counts: PairCounts,
    /// Log-likelihood ratio at the end.
    pub log_likelihood_ratio: f64,
    /// Median-unbiased Elo of the candidate against the champion.
    pub elo: EloEstimate,
    /// The decision about the candidate.
    pub verdict: Verdict,
}

impl TestResult {
    /// The result of a test at so many nodes.
    pub(super) fn of(nodes: u64, found: &Assessment) -> TestResult {
        // Adding zero turns a negative zero into zero.
        let elo = EloEstimate { value: found.elo.value + 0.0, ..found.elo };
        TestResult {
            nodes,
            counts: found.counts,
            log_likelihood_ratio: found.log_likelihood_ratio,
            elo,
            verdict: found.verdict,
        }
    }

    /// The result as that of a check.
    pub(super) fn as_check(&self) -> Decided<'_> {
        let what = match self.verdict {
            Verdict::Accepted => "not weaker",
            Verdict::Rejected => "weaker",
            Verdict::Undecided => "undecided",
        };
        Decided { what, ..self.as_test() }
    }

    /// The result as that of a test.
    pub(super) fn as_test(&self) -> Decided<'_> {
        Decided {
            what: name_of(self.verdict),
            verdict: self.verdict,
            counts: &self.counts,
            elo: &self.elo,
        }
    }
}

/// A decision and the games that made it, in words; the alternate form (`{:#}`) has colors.
pub(super) struct Decided<'a> {
    /// The decision in words.
    what: &'static str,
    verdict: Verdict,
    counts: &'a PairCounts,
    elo: &'a EloEstimate,
}

impl Display for Decided<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let what = paint::painted_in(f, style_of(self.verdict), self.what);
        write!(f, "{what}: {}", score_in_words(self.counts, self.elo))
    }
}

/// The results of a generation's games in words; the alternate form (`{:#}`) has colors.
pub struct Outcome<'a>(&'a Generation);

impl Display for Outcome<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Generation { tested, counts, elo, parts, check, .. } = self.0;
        Decided { what: name_of(*tested), verdict: *tested, counts, elo }.fmt(f)?;
        for part in parts {
            f.write_str("; ")?;
            part.fmt(f)?;
        }
        let Some(check) = check else { return Ok(()) };
        write!(f, "; at {} nodes ", grouped(check.nodes))?;
        check.as_check().fmt(f)
    }
}

/// The numbers that a generation fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fitted {
    /// The terms of the evaluation.
    Terms,
    /// The margins of the search.
    Margins,
}

/// A fall in regret, see [`search_tuning::margins`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegretFall {
    /// The gain (expected score a move).
    pub gain: f64,
    /// Standard error of the fall.
    pub error: f64,
}

impl Generation {
    /// The result of the fit in words.
    pub fn fit_in_words(&self) -> String {
        match (&self.before, &self.after, &self.regret_fall) {
            (Some(before), Some(after), _) => format!(
                "terms fitted to {} positions, held-out error {:.4} -> {:.4}",
                grouped(self.positions as u64),
                before.held_out,
                after.held_out
            ),
            _ => format!(
                "margins fitted to {} positions, {:+.0} Elo expected",
                grouped(self.positions as u64),
                self.expected_elo
            ),
        }
    }

    /// Reads a generation's record; none if it was not written yet.
    ///
    /// # Errors
    /// When the file is there, but unreadable or not a record.
    pub fn load(path: &Path) -> anyhow::Result<Option<Generation>> {
        if !path.exists() {
            return Ok(None);
        }
        let text = files::read_text(path)?;
        let generation = serde_json::from_str(&text).with_context(|| {
            format!(
                "{} is not a generation's record: remove it, and it is made again from the \
                     test beside it",
                path.display()
            )
        })?;
        Ok(Some(generation))
    }

    /// The results of its games in words.
    pub fn outcome(&self) -> Outcome<'_> {
        Outcome(self)
    }

    /// The same with what was tested, for the manifest of a binary.
    pub fn sentence(&self) -> String {
        format!(
            "{}; 0 against {} normalized Elo, log-likelihood ratio {:.2}",
            self.outcome(),
            self.elo1,
            self.log_likelihood_ratio
        )
    }

    /// The row of the ledger, in the order of [`COLUMNS`].
    fn row(&self) -> Vec<String> {
        let counts = &self.counts;
        let step = match self.step {
            Fitted::Terms => "terms",
            Fitted::Margins => "margins",
        };
        let mut row =
            vec![self.generation.to_string(), step.to_string(), self.positions.to_string()];
        row.push(format!("{:.4}", self.k));
        let (before, after) = (self.before.as_ref(), self.after.as_ref());
        for error in [
            before.map(|it| it.training),
            after.map(|it| it.training),
            before.map(|it| it.held_out),
            after.map(|it| it.held_out),
            self.regret_fall.map(|it| it.gain),
        ] {
            row.push(error.map_or_else(String::new, |error| format!("{error:.6}")));
        }
        row.push(format!("{:.1}", self.expected_elo));
        row.push(format!("{}", self.elo1));
        row.push((2 * counts.pairs()).to_string());
        for count in [
            counts.loss_loss,
            counts.loss_draw,
            counts.win_loss,
            counts.draw_draw,
            counts.win_draw,
            counts.win_win,
        ] {
            row.push(count.to_string());
        }
        row.push(format!("{:.3}", self.log_likelihood_ratio));
        row.extend(elo_cells(&self.elo));
        let last = self.parts.last().filter(|it| it.test.verdict == Verdict::Accepted);
        let part_games: u64 = self.parts.iter().map(|part| 2 * part.test.counts.pairs()).sum();
        row.push(if self.parts.is_empty() { String::new() } else { part_games.to_string() });
        row.push(last.map_or_else(String::new, |it| it.groups.join(" ")));
        row.push(last.map_or_else(String::new, |it| format!("{:.1}", it.test.elo.value)));
        let check = self.check.as_ref();
        row.push(check.map_or_else(String::new, |it| it.nodes.to_string()));
        row.push(check.map_or_else(String::new, |it| (2 * it.counts.pairs()).to_string()));
        row.extend(check.map_or_else(Default::default, |it| elo_cells(&it.elo)));
        row.push(name_of(self.verdict).to_string());
        row.push(self.fingerprint.clone());
        row.push(self.sha256.clone());
        row
    }
}

/// An Elo as the ledger has it: value and interval, whose end is empty where there is none.
fn elo_cells(elo: &EloEstimate) -> [String; 3] {
    let is_end = |end: f64| EloEstimate { value: end, lower: end, upper: end }.is_bounded();
    let shown = |end: f64| if is_end(end) { format!("{end:.1}") } else { String::new() };
    [format!("{:.1}", elo.value), shown(elo.lower), shown(elo.upper)]
}

pub(super) fn name_of(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted => "accepted",
        Verdict::Rejected => "rejected",
        Verdict::Undecided => "undecided",
    }
}

/// Columns of the ledger. Counts of pairs are the candidate's results in the two games of a pair.
const COLUMNS: [&str; 33] = [
    "generation",
    "step",
    "positions",
    "k",
    "training_before",
    "training_after",
    "held_out_before",
    "held_out_after",
    "regret_fall",
    "expected_elo",
    "elo1",
    "games",
    "loss_loss",
    "loss_draw",
    "win_loss",
    "draw_draw",
    "win_draw",
    "win_win",
    "log_likelihood_ratio",
    "elo",
    "elo_lower",
    "elo_upper",
    "part_games",
    "part_groups",
    "part_elo",
    "check_nodes",
    "check_games",
    "check_elo",
    "check_elo_lower",
    "check_elo_upper",
    "verdict",
    "fingerprint",
    "sha256",
];

/// Writes the ledger of all generations.
///
/// # Errors
/// When the file cannot be written; what was there stays.
pub fn write_ledger(path: &Path, generations: &[Generation]) -> anyhow::Result<()> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    for generation in generations {
        writer.write_record(generation.row())?;
    }
    let text = writer.into_inner().context("cannot finish the ledger")?;
    files::write_atomically(path, |file| std::io::Write::write_all(file, &text))?;
    Ok(())
}

/// A part of a candidate, and what games said of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The groups that it has from the candidate, the best first; all others are the champion's.
    pub groups: Vec<String>,
    /// The gain expected by its fit, in Elo.
    pub expected_elo: f64,
    /// The test of the part.
    pub test: TestResult,
}

impl Display for Part {
    /// Its groups and the result of its test; the alternate form (`{:#}`) has colors.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "of it {} alone ", self.groups.join(", "))?;
        self.test.as_test().fmt(f)
    }
}

impl Generation {
    /// The file of what was tested last: the candidate, or the part of it that games accepted.
    pub(super) fn file(&self) -> PathBuf {
        match self.parts.last() {
            Some(part) if part.test.verdict == Verdict::Accepted => {
                PathBuf::from(file_of_part(self.parts.len() as u32))
            }
            _ => PathBuf::from(CANDIDATE),
        }
    }
}

#[cfg(test)]
mod tests {
    use system::paint::{BAD, GOOD, painted};

    use super::*;

    /// The same words stand on terminals, in colors, and on pages and in manifests, without.
    #[test]
    fn decisions_have_colors_on_terminals_alone() {
        let elo = EloEstimate { value: 0.0, lower: -1200.0, upper: 1200.0 };
        let result = |verdict| TestResult {
            nodes: 1200,
            counts: PairCounts::default(),
            log_likelihood_ratio: 0.0,
            elo,
            verdict,
        };
        let of = |test: TestResult, colored: &str, plain: &str| {
            assert_eq!(format!("{:#}", test.as_test()), format!("{colored}: no games played"));
            assert_eq!(format!("{}", test.as_test()), format!("{plain}: no games played"));
        };
        of(result(Verdict::Accepted), &painted(GOOD, "accepted"), "accepted");
        of(result(Verdict::Rejected), &painted(BAD, "rejected"), "rejected");
        let check = result(Verdict::Rejected);
        assert_eq!(format!("{:#}", check.as_check()), painted(BAD, "weaker") + ": no games played");
        let (groups, test) = (vec!["king".to_string()], result(Verdict::Accepted));
        let part = Part { groups, expected_elo: 9.0, test };
        assert!(format!("{part:#}").contains(&painted(GOOD, "accepted")));
        assert_eq!(part.to_string(), "of it king alone accepted: no games played");
    }
}
