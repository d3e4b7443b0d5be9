//! How often adjudication is wrong: a sample of the games that it ended is played on.
//!
//! The result that counts is the adjudicated one, and the next game does not know of the moves played
//! on, so that a run with an audit decides as the same run without.
//!
//! The sample is drawn by seed and game.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use statistics::{CONFIDENCE, GameOutcome};

use crate::game::{GameResult, PairRecord, Termination, outcome_for};
use crate::schema::by_name;

/// Audited games of one rule.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditCounts {
    /// Games that the rule ended.
    pub adjudicated: u64,
    /// Those of them that were played on to an end by the rules of the game.
    pub audited: u64,
    /// Those of the audited that ended otherwise.
    pub wrong: u64,
    /// Those played on that a player's fault or loss on time ended, which say nothing.
    pub broken: u64,
    /// Adjudicated less real points of the first player, summed over the audited games (half points).
    pub gain: i64,
    /// Sum of the squares of the same.
    pub gain_squares: u64,
}

/// Audited games by the rule that ended them. Games that no rule ended are not in it.
#[derive(Clone, PartialEq, Eq, Default, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AuditTally(
    #[schemars(schema_with = "by_name::<Termination, AuditCounts>")]
    BTreeMap<Termination, AuditCounts>,
);

/// The measured error of one rule.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ErrorRate {
    /// Share of the audited games that ended otherwise.
    pub rate: f64,
    /// Wilson's 95 % interval of it.
    pub interval: (f64, f64),
}

/// The bias of adjudication in the first player's Elo.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bias {
    /// Elo that adjudication adds, negative if it takes some.
    pub elo: f64,
    /// Half of the 95 % interval.
    pub error: f64,
}

impl AuditTally {
    /// Counts the games of a pair.
    pub fn count(&mut self, pair: &PairRecord) {
        for (game, color) in pair.games.iter().zip(PairRecord::FIRST) {
            if !game.termination.is_adjudicated() {
                continue;
            }
            let counts = self.0.entry(game.termination).or_default();
            counts.adjudicated += 1;
            let Some(audit) = game.audit else { continue };
            if matches!(audit.termination, Termination::Forfeit | Termination::TimeLoss) {
                counts.broken += 1;
                continue;
            }
            counts.audited += 1;
            counts.wrong += u64::from(audit.result != game.result);
            let half_points = |result: GameResult| match outcome_for(result, color) {
                GameOutcome::Loss => 0i64,
                GameOutcome::Draw => 1,
                GameOutcome::Win => 2,
            };
            let gain = half_points(game.result) - half_points(audit.result);
            counts.gain += gain;
            counts.gain_squares += gain.unsigned_abs().pow(2);
        }
    }

    /// The rules that ended games, with what was counted.
    pub fn rules(&self) -> impl Iterator<Item = (Termination, &AuditCounts)> {
        self.0.iter().map(|(&rule, counts)| (rule, counts))
    }

    /// True if no game was played on.
    pub fn is_empty(&self) -> bool {
        self.0.values().all(|counts| counts.audited + counts.broken == 0)
    }

    /// How many Elo adjudication adds to the first player's score of a run of so many games, near
    /// equality; `None` without audited games.
    ///
    /// Each rule weighs as much as the games it ended. One error of half a point is added to each, so
    /// that a few games without an error do not pass for certainty.
    pub fn bias(&self, games: u64) -> Option<Bias> {
        /// Points to Elo at an even score: 400 / (ln 10 · ½ · ½).
        const ELO_PER_POINT: f64 = 1600.0 / std::f64::consts::LN_10;
        let mut mean = 0.0;
        let mut variance = 0.0;
        let mut any = false;
        for counts in self.0.values().filter(|counts| counts.audited > 0) {
            any = true;
            let audited = counts.audited as f64;
            let share = counts.adjudicated as f64 / games as f64;
            let gain = counts.gain as f64 / 2.0 / audited;
            let square = (counts.gain_squares as f64 / 4.0 + 0.25) / (audited + 1.0);
            mean += share * gain;
            variance += share * share * (square - gain * gain).max(0.0) / audited;
        }
        any.then(|| Bias {
            elo: ELO_PER_POINT * mean,
            error: ELO_PER_POINT * CONFIDENCE * variance.sqrt(),
        })
    }
}

impl AuditCounts {
    /// How often the rule is wrong; `None` without audited games.
    pub fn error_rate(&self) -> Option<ErrorRate> {
        let interval = wilson(self.wrong, self.audited)?;
        Some(ErrorRate { rate: self.wrong as f64 / self.audited as f64, interval })
    }
}

/// The 95 % interval of a probability that came true so often in so many trials.
///
/// CITE: Edwin B. Wilson, "Probable inference, the law of succession, and statistical inference"
/// (1927).
fn wilson(successes: u64, trials: u64) -> Option<(f64, f64)> {
    if trials == 0 {
        return None;
    }
    let n = trials as f64;
    let p = successes as f64 / n;
    let z2 = CONFIDENCE * CONFIDENCE;
    let center = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = CONFIDENCE / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    Some(((center - half).max(0.0), (center + half).min(1.0)))
}

impl fmt::Display for AuditTally {
    /// A line for each rule with audited games, without a last line's end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (rule, counts) in self.rules() {
            if counts.audited + counts.broken == 0 {
                continue;
            }
            let AuditCounts { adjudicated, audited, wrong, broken, .. } = counts;
            write!(f, "{separator}{}: {audited} of {adjudicated} played on", rule.words())?;
            if let Some(ErrorRate { rate, interval: (low, high) }) = counts.error_rate() {
                let [rate, low, high] = [rate, low, high].map(|share| 100.0 * share);
                write!(f, ", {wrong} ended otherwise: {rate:.1} % [{low:.1}, {high:.1}]")?;
            }
            if *broken > 0 {
                write!(f, ", {broken} more ended by a player's fault")?;
            }
            separator = "\n";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_wilson_s() {
        // Values of R's prop.test(…, correct = FALSE).
        for (successes, trials, low, high) in
            [(0, 10, 0.0, 0.277_533), (3, 100, 0.010_256, 0.084_519), (5, 5, 0.565_517, 1.0)]
        {
            let (found_low, found_high) = wilson(successes, trials).expect("trials");
            assert!((found_low - low).abs() < 1e-5, "{successes}/{trials}: {found_low}");
            assert!((found_high - high).abs() < 1e-5, "{successes}/{trials}: {found_high}");
        }
        assert_eq!(wilson(0, 0), None);
    }

    #[test]
    fn bias_weighs_rules_by_the_games_they_ended() {
        // Half a point too many in each of 40 audited draws that stand for 400 of 1,000 games.
        let draws = AuditCounts {
            adjudicated: 400,
            audited: 40,
            wrong: 40,
            gain: 40,
            gain_squares: 40,
            ..AuditCounts::default()
        };
        let tally = AuditTally(BTreeMap::from([(Termination::DrawAgreed, draws)]));
        let bias = tally.bias(1000).expect("audited games");
        assert!((bias.elo - 0.4 * 0.5 * 694.871).abs() < 0.01, "{bias:?}");
        assert!(bias.error < 0.01, "{bias:?}");
        let right = AuditCounts { wrong: 0, gain: 0, gain_squares: 0, ..draws };
        let tally = AuditTally(BTreeMap::from([(Termination::DrawAgreed, right)]));
        let bias = tally.bias(1000).expect("audited games");
        assert!(bias.elo == 0.0 && bias.error > 1.0, "{bias:?}");
        assert_eq!(AuditTally::default().bias(1000), None);
    }
}
