//! The summary of a run.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use statistics::{
    Assessment, ColorCounts, Crossing, Estimate, Figures, Limit, PairCounts, PairDistribution,
    TestPlan, Verdict, sentence,
};
use system::paint;

use super::Rules;
use crate::player::{Contestant, Identity};
use crate::run::RunTally;

/// What came out of a test: `result.json` of `sprt run` and `sprt resume`. It holds nothing that
/// depends on time, threads or folders.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct Summary {
    /// Name and version of this form. The version changes when a program that reads it would have
    /// to.
    #[schemars(extend("const" = Summary::SCHEMA))]
    pub schema: String,
    /// Who was tested.
    pub candidate: Identity,
    /// Who it was tested against.
    pub baseline: Identity,
    /// Both as the run was told: the candidate, then the baseline.
    #[schemars(length(equal = 2))]
    pub contestants: Vec<Contestant>,
    /// What was tested, and how.
    pub rules: Rules,
    /// The verdict on the candidate.
    pub verdict: Verdict,
    /// Bounds of the log-likelihood ratio at the end, overshoot correction included: lower, upper.
    pub bounds: (f64, f64),
    /// What the pairs say: counts, likelihood ratio, Elo, with their intervals.
    pub assessment: Assessment,
    /// The errors of the test as it was cut off; `None` unless it ended at its limit of pairs.
    #[serde(default)]
    pub truncation: Option<Truncation>,
    /// Where the test would have ended, if it was not to stop early and the ratio reached a bound.
    /// It decides nothing: the verdict is that of all pairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_crossing: Option<Crossing>,
    /// Pairs by White's outcomes.
    pub colors: ColorCounts,
    /// White's advantage in logistic Elo; `None` before the first pair.
    pub white_advantage: Option<Estimate>,
    /// Terminations, plies, nodes, faults.
    #[serde(flatten)]
    pub tally: RunTally,
}

impl Summary {
    /// Name and version of the JSON form, described in `docs/schemas/test.schema.json`.
    pub const SCHEMA: &str = "kamerton-test/2";

    /// True if pairs are left to play: the journal of a run that was interrupted or goes on.
    pub fn is_unfinished(&self) -> bool {
        let is_decided = self.rules.early_stop && self.verdict != Verdict::Undecided
            || self.tally.failure.is_some();
        !is_decided && !self.tally.is_at_end(self.rules.pairs)
    }

    /// Elo on both scales with its errors, and the likelihood of superiority.
    fn write_estimates(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Figures { elo, normalized_elo, likelihood_of_superiority, .. } =
            self.assessment.figures;
        let rule =
            if self.rules.early_stop { ", taking the stopping rule into account" } else { "" };
        writeln!(f, "Elo         {elo:.2} (95 %{rule})")?;
        if elo.is_bounded() {
            let Estimate { value, error } = normalized_elo;
            let rule = if self.rules.early_stop { " without that rule" } else { "" };
            writeln!(f, "Normalized  {value:+.2} ± {error:.2}{rule}")?;
        }
        writeln!(f, "LOS         {:.2} %", 100.0 * likelihood_of_superiority)
    }

    /// Whether the candidate is stronger, in a sentence.
    pub fn sentence(&self) -> String {
        let Assessment { counts, figures, .. } = &self.assessment;
        sentence(counts, &figures.elo, self.verdict, !self.is_unfinished())
    }

    /// The decision that the test would have made on its way, had it been allowed to.
    pub fn crossing_text(&self) -> Option<String> {
        let Crossing { pairs, verdict } = self.first_crossing?;
        let verdict = if verdict == Verdict::Accepted { "accepted" } else { "rejected" };
        Some(format!("with early stop the candidate would have been {verdict} at pair {pairs}"))
    }
}

/// The true errors of a test that ends at a number of pairs, for pairs like those that were played.
#[derive(Clone, Copy, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Truncation {
    /// Probability of accepting a candidate at elo0.
    #[schemars(range(min = 0, max = 1))]
    pub alpha: f64,
    /// Probability of rejecting a candidate at elo1.
    #[schemars(range(min = 0, max = 1))]
    pub beta: f64,
    /// Probability that a candidate at elo0 stays undecided.
    #[schemars(range(min = 0, max = 1))]
    pub undecided_at_elo0: f64,
    /// Probability that a candidate at elo1 stays undecided.
    #[schemars(range(min = 0, max = 1))]
    pub undecided_at_elo1: f64,
}

impl Truncation {
    /// The errors of a test by its rules and what was counted; `None` if that says too little.
    pub fn of_test(rules: &Rules, counts: &PairCounts) -> Option<Truncation> {
        let base = PairDistribution::of_counts(counts).ok()?;
        let plan = TestPlan::new(rules.hypotheses, base).ok()?;
        let limit = Limit { pairs: counts.pairs(), decide: rules.design.decide_at_limit };
        let outlook = |elo| plan.outlook(elo, Some(limit)).ok();
        let (null, alternative) =
            (outlook(rules.hypotheses.elo0)?, outlook(rules.hypotheses.elo1)?);
        Some(Truncation {
            alpha: null.accepted,
            beta: alternative.rejected,
            undecided_at_elo0: null.undecided,
            undecided_at_elo1: alternative.undecided,
        })
    }
}

impl fmt::Display for Truncation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |share: f64| 100.0 * share;
        write!(
            f,
            "true alpha {:.1} %, beta {:.1} %; undecided in {:.1} % at elo0, {:.1} % at elo1",
            percent(self.alpha),
            percent(self.beta),
            percent(self.undecided_at_elo0),
            percent(self.undecided_at_elo1)
        )
    }
}

/// The alternate form is in color.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { assessment, tally, .. } = self;
        let hypotheses = self.rules.hypotheses;
        let counts = assessment.counts;
        let [losses, draws, wins] = counts.trinomial();
        writeln!(f, "Candidate   {}", self.candidate)?;
        writeln!(f, "Baseline    {}", self.baseline)?;
        writeln!(
            f,
            "Games       {} in {} pairs: {wins} won, {draws} drawn, {losses} lost ({:.1} % drawn)",
            2 * counts.pairs(),
            counts.pairs(),
            100.0 * assessment.draw_ratio
        )?;
        writeln!(
            f,
            "Pairs       LL {}, LD {}, WL {}, DD {}, WD {}, WW {} (won to lost: {})",
            counts.loss_loss,
            counts.loss_draw,
            counts.win_loss,
            counts.draw_draw,
            counts.win_draw,
            counts.win_win,
            assessment.pair_ratio.map_or("none lost".to_owned(), |ratio| format!("{ratio:.2}"))
        )?;
        if counts.are_too_few() {
            writeln!(f, "Elo         {}", PairCounts::TOO_FEW)?;
        } else {
            self.write_estimates(f)?;
        }
        let model = hypotheses.model;
        writeln!(
            f,
            "LLR         {:.3} with bounds [{:.3}, {:.3}] for {model} [{}, {}]",
            assessment.log_likelihood_ratio,
            self.bounds.0,
            self.bounds.1,
            hypotheses.elo0,
            hypotheses.elo1
        )?;
        if let (Some(white), Some(book)) = (self.white_advantage, assessment.book_bias)
            && !counts.are_too_few()
        {
            let [first, _] = self.rules.play.openings.game.color_names();
            writeln!(
                f,
                "{first:<11} {:.2} Elo; openings favor a side by {:.1} [{:.1}, {:.1}] (RMS)",
                white.interval(),
                book.rms,
                book.lower,
                book.upper
            )?;
        }
        if let Some(truncation) = &self.truncation {
            writeln!(f, "Limit       {truncation}")?;
        }
        tally.write_endings(f)?;
        if let Some(bias) = tally.audit.bias(2 * tally.pairs) {
            writeln!(
                f,
                "            adjudication adds {:+.2} ± {:.2} Elo to the candidate",
                bias.elo, bias.error
            )?;
        }
        tally.write_troubles(f)?;
        if let Some(text) = self.crossing_text() {
            writeln!(f, "Note        {text}")?;
        }
        if let Some(failure) = &tally.failure {
            let verdict = paint::painted_in(f, paint::BAD, "none, the run failed:");
            return write!(f, "Verdict     {verdict} {failure}");
        }
        let verdict = match self.verdict {
            Verdict::Accepted => "candidate accepted",
            Verdict::Rejected => "candidate rejected",
            Verdict::Undecided if self.is_unfinished() => "undecided, and pairs are left to play",
            Verdict::Undecided if tally.is_exhausted => "undecided, and no new pair to be had",
            Verdict::Undecided => "undecided at the limit of pairs",
        };
        let verdict = paint::painted_in(f, style_of(self.verdict), verdict);
        let sentence = self.sentence();
        write!(f, "Verdict     {verdict}\n            {sentence}")
    }
}

/// The color of a test's verdict.
pub fn style_of(verdict: Verdict) -> paint::Style {
    match verdict {
        Verdict::Accepted => paint::GOOD,
        Verdict::Rejected => paint::BAD,
        Verdict::Undecided => paint::OPEN,
    }
}
