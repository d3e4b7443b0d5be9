//! The records of a generation: what its fit, its tests and the games of its champion came to.

use std::fmt::{self, Display, Formatter};
use std::path::Path;

use anyhow::Context;
use evaluation_tuning::fit::report::Errors;
use matches::sequential_test::style_of;
use report::html::words::grouped;
use serde::{Deserialize, Serialize};
use statistics::{Assessment, EloEstimate, Figures, PairCounts, Verdict};
use system::files;
use system::paint;

use super::bounds;
use super::files::CANDIDATE;
use super::settings::Step;

/// Elo between two players beyond which the games of their test are left out: there a result tells
/// who played rather than what was on the board.
const EVEN: f64 = 100.0;

/// The record of a generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Generation {
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
pub(super) struct TestResult {
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
    pub fn of(nodes: u64, found: &Assessment) -> TestResult {
        // Adding zero turns a negative zero into zero.
        let elo = EloEstimate { value: found.elo.value + 0.0, ..found.elo };
        let Figures { log_likelihood_ratio, verdict, .. } = found.figures;
        TestResult { nodes, counts: found.counts, log_likelihood_ratio, elo, verdict }
    }

    /// The result as that of a check.
    pub fn as_check(&self) -> Decided<'_> {
        let what = match self.verdict {
            Verdict::Accepted => "not weaker",
            Verdict::Rejected => "weaker",
            Verdict::Undecided => "undecided",
        };
        Decided { what, ..self.as_test() }
    }

    /// The result as that of a test.
    pub fn as_test(&self) -> Decided<'_> {
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

impl Display for Generation {
    /// The results of its games; the alternate form (`{:#}`) has colors.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Generation { tested, counts, elo, parts, check, .. } = self;
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
pub(super) enum Fitted {
    /// The terms of the evaluation.
    Terms,
    /// The margins of the search.
    Margins,
}

/// A fall in regret, see [`search_tuning::margins`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RegretFall {
    /// The gain (expected score a move).
    pub gain: f64,
    /// Standard error of the fall.
    pub error: f64,
}

impl Generation {
    /// The result of the fit in words.
    pub fn fit_in_words(&self) -> String {
        let positions = grouped(self.positions as u64);
        match self.before.zip(self.after) {
            Some((before, after)) => format!(
                "terms fitted to {positions} positions, held-out error {:.4} -> {:.4}",
                before.held_out, after.held_out
            ),
            None => {
                let elo = self.expected_elo;
                format!("margins fitted to {positions} positions, {elo:+.0} Elo expected")
            }
        }
    }

    /// Reads a generation's record.
    pub fn load(path: &Path) -> anyhow::Result<Generation> {
        let shown = path.display();
        let advice = "remove it, and it is made again from the test beside it";
        let unusable = || format!("{shown} is not a generation's record: {advice}");
        serde_json::from_str(&files::read_text(path)?).with_context(unusable)
    }

    /// The results of its games with what was tested, for the manifest of a binary.
    pub fn sentence(&self) -> String {
        let Generation { elo1, log_likelihood_ratio, .. } = self;
        format!(
            "{self}; 0 against {elo1} normalized Elo, log-likelihood ratio {log_likelihood_ratio:.2}"
        )
    }

    /// The part that games accepted where they did not accept all of the candidate, if any.
    pub fn accepted_part(&self) -> Option<&Part> {
        self.parts.last().filter(|part| part.test.verdict == Verdict::Accepted)
    }

    /// The file of what was tested last: the candidate, or the part of it that games accepted.
    pub fn file(&self) -> String {
        let part = self.accepted_part();
        part.map_or(CANDIDATE.to_string(), |_| file_of_part(self.parts.len() as u32))
    }

    /// Whether the games of its test are some to learn from: played, and between equals.
    pub fn has_even_games(&self) -> bool {
        self.counts.pairs() > 0 && self.elo.value.abs() <= EVEN
    }
}

pub(super) fn name_of(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted => "accepted",
        Verdict::Rejected => "rejected",
        Verdict::Undecided => "undecided",
    }
}

/// The file of a part of a candidate, from 1.
pub(super) fn file_of_part(part: u32) -> String {
    Step::Part(part).name() + ".toml"
}

/// A part of a candidate, and what games said of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Part {
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

/// The games of a champion against the start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Showcase {
    pub nodes: u64,
    /// Pairs of games, from the champion's view.
    pub counts: PairCounts,
    /// Whether these are all that there are to be.
    pub is_whole: bool,
}

impl Showcase {
    /// Elo of the champion over the start.
    pub fn elo(&self) -> EloEstimate {
        elo_of(&self.counts)
    }
}

/// The score of two players, from the first one's view: games by results, and Elo.
///
/// A shut-out says how many games it took; what interval it leaves is a bound at best.
pub(super) fn score_in_words(counts: &PairCounts, elo: &EloEstimate) -> String {
    let [lost, drawn, won] = counts.trinomial();
    let games = match (lost + drawn + won, lost, won) {
        (0, ..) => "no games played".to_string(),
        (games, 0, won) if won == games => format!("{won} of {games} won"),
        (games, lost, 0) if lost == games => format!("{lost} of {games} lost"),
        (..) => format!("{won} won, {drawn} drawn, {lost} lost"),
    };
    // A pair or two leave an interval without any end.
    match format!("{elo:.0}").as_str() {
        "unknown" => games,
        elo => format!("{games}, Elo {elo}"),
    }
}

/// The Elo of so many games without a stopping rule.
fn elo_of(counts: &PairCounts) -> EloEstimate {
    let hypotheses = bounds::of_gain(0.0, false);
    Assessment::with_bounds(*counts, &hypotheses, None).elo
}

/// Whether an end of an interval of Elo is one, and not where the scale ends.
pub(super) fn is_bound(end: f64) -> bool {
    EloEstimate { value: end, lower: end, upper: end }.is_bounded()
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

    #[test]
    fn shut_outs_are_told_as_such() {
        let words = |counts: PairCounts| score_in_words(&counts, &elo_of(&counts));
        let none = PairCounts::default();
        let won = words(PairCounts { win_win: 10, ..none });
        assert!(won.starts_with("20 of 20 won, Elo above +"), "{won}");
        let lost = words(PairCounts { loss_loss: 10, ..none });
        assert!(lost.starts_with("20 of 20 lost, Elo below -"), "{lost}");
        let drawn = words(PairCounts { draw_draw: 10, ..none });
        assert!(drawn.starts_with("0 won, 20 drawn, 0 lost, Elo "), "{drawn}");
        let some =
            words(PairCounts { win_win: 60, win_draw: 20, win_loss: 19, loss_draw: 1, ..none });
        assert!(some.starts_with("159 won, 21 drawn, 20 lost, Elo +"), "{some}");
        assert!(some.contains('[') && !some.contains('.'), "{some}");
        assert_eq!(words(none), "no games played");
        assert_eq!(words(PairCounts { win_win: 1, ..none }), "2 of 2 won");
    }
}
