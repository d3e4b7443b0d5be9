//! What each generation came to: its record, and the ledger of all of them.

use std::path::Path;

use anyhow::Context;
use serde::{Deserialize, Serialize};
use sprt::files;
use sprt::report::html::words::grouped;
use sprt::statistics::{Assessment, EloEstimate, PairCounts, Verdict};

use super::parts::Part;
use super::words::score_in_words;
use crate::fit::report::Errors;

/// What a generation came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// Its number, from 1.
    pub generation: u32,
    /// What was fitted.
    pub step: Fitted,
    /// Positions its candidate was fitted to, without those held out.
    pub positions: usize,
    /// Scale of the expected result.
    pub k: f64,
    /// Errors of the champion's evaluation; none where margins were fitted.
    pub before: Option<Errors>,
    /// Errors of the candidate's.
    pub after: Option<Errors>,
    /// What fitted margins gain on positions of other games; none where an evaluation was fitted.
    pub regret_fall: Option<RegretFall>,
    /// The gain that the fit lets expect, in Elo.
    pub expected_elo: f64,
    /// What the test decided against no gain, in normalized Elo.
    pub elo1: f64,
    /// Pairs of games, from the candidate's view.
    pub counts: PairCounts,
    /// Log-likelihood ratio of the test.
    pub log_likelihood_ratio: f64,
    /// Median-unbiased Elo of the candidate against the champion.
    pub elo: EloEstimate,
    /// What the test decided of all of it.
    pub tested: Verdict,
    /// The parts that were tested where all of the candidate was not accepted; the last of them may
    /// have been, and is then the new champion.
    pub parts: Vec<Part>,
    /// The check with more nodes; none if none was asked for, or the candidate was not accepted.
    pub check: Option<TestResult>,
    /// What was decided by all of them together.
    pub verdict: Verdict,
    /// Fingerprint of the values that were decided on: the candidate's, or those of its part.
    pub fingerprint: String,
    /// SHA-256 of their file.
    pub sha256: String,
}

/// What a test came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestResult {
    /// Nodes a move.
    pub nodes: u64,
    /// Pairs of games, from the candidate's view.
    pub counts: PairCounts,
    /// Log-likelihood ratio.
    pub log_likelihood_ratio: f64,
    /// Median-unbiased Elo of the candidate against the champion.
    pub elo: EloEstimate,
    /// What was decided.
    pub verdict: Verdict,
}

impl TestResult {
    /// What a test at so many nodes found.
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

    /// A result as a sentence.
    pub(super) fn told(&self) -> String {
        told(self.verdict, &self.counts, &self.elo)
    }

    /// A check's result as a sentence.
    pub(super) fn sentence(&self) -> String {
        let what = match self.verdict {
            Verdict::Accepted => "not weaker",
            Verdict::Rejected => "weaker",
            Verdict::Undecided => "undecided",
        };
        format!(
            "at {} nodes {what}: {}",
            grouped(self.nodes),
            score_in_words(&self.counts, &self.elo)
        )
    }
}

/// What was decided by which games.
fn told(verdict: Verdict, counts: &PairCounts, elo: &EloEstimate) -> String {
    format!("{}: {}", name_of(verdict), score_in_words(counts, elo))
}

/// What a generation fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fitted {
    /// The terms of the evaluation.
    Terms,
    /// The margins of the search.
    Margins,
}

/// A fall in regret, see [`crate::margins`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegretFall {
    /// The gain (expected score a move).
    pub gain: f64,
    /// Its standard error.
    pub error: f64,
}

impl Generation {
    /// What the fit came to, in words.
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

    /// What games said of it, in words.
    pub fn outcome(&self) -> String {
        let parts = self.parts.iter().map(|part| format!("; {}", part.sentence()));
        let check = self.check.as_ref().map(|check| format!("; {}", check.sentence()));
        told(self.tested, &self.counts, &self.elo) + &parts.chain(check).collect::<String>()
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

/// A verdict in a word.
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
