//! The summary of a run.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::contestant::{Contestant, Identity};
use crate::run::Tally;
use crate::statistics::{Assessment, ColorCounts, Estimate, Model, Verdict};
use crate::test::Rules;

/// What came out of a run. Its JSON form is `result.json`; it holds nothing that depends on time,
/// threads or folders.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// Who was tested.
    pub candidate: Identity,
    /// Against whom.
    pub baseline: Identity,
    /// Both as the run was told: the candidate, then the baseline.
    pub contestants: Vec<Contestant>,
    /// What was tested, and how.
    pub rules: Rules,
    /// The verdict on the candidate.
    pub verdict: Verdict,
    /// All figures.
    pub assessment: Assessment,
    /// Pairs by White's outcomes.
    pub colors: ColorCounts,
    /// White's advantage in logistic Elo; `None` before the first pair.
    pub white_advantage: Option<Estimate>,
    /// Terminations, plies, nodes, faults.
    #[serde(flatten)]
    pub tally: Tally,
}

impl Summary {
    /// True if pairs are left to play: the journal of a run that was interrupted or goes on.
    pub fn is_unfinished(&self) -> bool {
        let is_decided = self.rules.early_stop && self.verdict != Verdict::Undecided;
        !is_decided && self.assessment.counts.pairs() < self.rules.pairs
    }
}

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
        let elo = assessment.elo;
        let stopped = assessment.elo_after_stop;
        writeln!(f, "Elo         {:+.2} ± {:.2} (95 %)", elo.value, elo.error)?;
        writeln!(
            f,
            "  unbiased  {:+.2} [{:+.2}, {:+.2}] taking the stopping rule into account",
            stopped.elo, stopped.lower, stopped.upper
        )?;
        let normalized = assessment.normalized_elo;
        writeln!(f, "Normalized  {:+.2} ± {:.2}", normalized.value, normalized.error)?;
        writeln!(f, "LOS         {:.2} %", 100.0 * assessment.likelihood_of_superiority)?;
        let model = match hypotheses.model {
            Model::Normalized => "normalized Elo",
            Model::Logistic => "logistic Elo",
            Model::Bayes => "BayesElo",
        };
        writeln!(
            f,
            "LLR         {:.3} within [{:.3}, {:.3}] for {model} [{}, {}]",
            assessment.log_likelihood_ratio,
            hypotheses.lower_bound(),
            hypotheses.upper_bound(),
            hypotheses.elo0,
            hypotheses.elo1
        )?;
        let endings: Vec<String> = tally
            .terminations
            .iter()
            .map(|(termination, games)| format!("{} {games}", termination.as_str()))
            .collect();
        writeln!(f, "Endings     {}", endings.join(", "))?;
        if !tally.audit.is_empty() {
            for line in tally.audit.to_string().lines() {
                writeln!(f, "Audit       {line}")?;
            }
            if let Some(bias) = tally.audit.bias(2 * tally.pairs) {
                writeln!(
                    f,
                    "            adjudication adds {:+.2} ± {:.2} Elo to the candidate",
                    bias.elo, bias.error
                )?;
            }
        }
        for faults in &tally.faults {
            let forfeits = faults.faults.iter().map(|(kind, count)| (kind.as_str(), count));
            let warnings = faults.warnings.iter().map(|(kind, count)| (kind.as_str(), count));
            let list: Vec<String> =
                forfeits.chain(warnings).map(|(kind, count)| format!("{kind} {count}")).collect();
            if !list.is_empty() {
                writeln!(f, "Faults      {}: {}", faults.player, list.join(", "))?;
            }
            for example in &faults.examples {
                writeln!(f, "            {example}")?;
            }
        }
        if tally.replays > 0 {
            writeln!(f, "Replays     {} because the machine kept players waiting", tally.replays)?;
        }
        if tally.openings_repeated {
            writeln!(f, "Note        more pairs than openings: openings were played repeatedly")?;
        }
        let verdict = match self.verdict {
            Verdict::Accepted => "candidate accepted",
            Verdict::Rejected => "candidate rejected",
            Verdict::Undecided => "undecided at the limit of pairs",
        };
        write!(f, "Verdict     {verdict}")
    }
}
