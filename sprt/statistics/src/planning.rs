//! The outlook of a test before it is run: how long it takes, and how often it errs if it is cut
//! off at a number of pairs.

use schemars::JsonSchema;
use serde::Serialize;

use super::brownian::Brownian;
use super::elo::{ELO_PER_LOGIT, score_of_elo};
use super::{DistributionError, Hypotheses, Model, PairDistribution};

/// A test and the pairs it will see, in closed form by Brownian motion.
///
/// Real tests move in steps: without overshoot correction they take a little longer than said here
/// and err a little less; simulation tells by how much.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TestPlan {
    hypotheses: Hypotheses,
    base: PairDistribution,
    /// Both hypotheses as distances from ½ in standard deviations of a pair.
    t_values: (f64, f64),
}

/// Where a test ends if nothing else ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// Pairs after which it ends.
    pub pairs: u64,
    /// Decide then by the sign of the log-likelihood ratio instead of staying undecided.
    pub decide: bool,
}

/// How far a number of pairs falls short of a test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shortfall {
    /// Share of the tests, 0 to 1, that stay undecided even of candidates at elo0 or elo1.
    pub undecided: f64,
    /// Pairs by which nine of ten such tests end.
    pub needed: f64,
    /// The elo1 with which the pairs that are given decide nine of ten such tests, if there is one.
    pub elo1: Option<f64>,
}

/// What to expect of a test for a candidate of a given strength.
#[derive(Clone, Copy, PartialEq, Debug, JsonSchema, Serialize)]
pub struct Outlook {
    /// The candidate's strength (Elo of the model).
    pub elo: f64,
    /// Probability that it is accepted.
    #[schemars(range(min = 0, max = 1))]
    pub accepted: f64,
    /// Probability that it is rejected.
    #[schemars(range(min = 0, max = 1))]
    pub rejected: f64,
    /// Probability that the test ends undecided.
    #[schemars(range(min = 0, max = 1))]
    pub undecided: f64,
    /// Mean number of pairs.
    pub mean_pairs: f64,
    /// Half of the tests end by this number of pairs.
    pub median_pairs: f64,
    /// Nine tests in ten end by this number of pairs.
    pub pairs_90: f64,
    /// 19 tests in 20 end by this number of pairs.
    pub pairs_95: f64,
    /// 99 tests in 100 end by this number of pairs.
    pub pairs_99: f64,
}

impl TestPlan {
    /// Plans a test of pairs that are distributed like `base`, but for their strength. The base
    /// matters for logistic Elo and BayesElo: in normalized Elo all are alike.
    ///
    /// # Errors
    /// A hypothesis is out of reach of the base.
    pub fn new(
        hypotheses: Hypotheses,
        base: PairDistribution,
    ) -> Result<TestPlan, DistributionError> {
        let mut plan = TestPlan { hypotheses, base, t_values: (0.0, 0.0) };
        plan.t_values = (plan.t_value(hypotheses.elo0)?, plan.t_value(hypotheses.elo1)?);
        Ok(plan)
    }

    /// The strength for which the test takes longest: midway between the hypotheses (Elo of the
    /// model).
    pub fn hardest_elo(&self) -> f64 {
        0.5 * (self.hypotheses.elo0 + self.hypotheses.elo1)
    }

    /// The outlook for a candidate of this strength (Elo of the model).
    ///
    /// # Errors
    /// The strength is out of reach of the base.
    pub fn outlook(&self, elo: f64, limit: Option<Limit>) -> Result<Outlook, DistributionError> {
        let (t0, t1) = self.t_values;
        let width = t1 - t0;
        // The ratio of two shifted normal distributions, whose means are t0 and t1.
        let motion = Brownian {
            lower: self.hypotheses.lower_bound(),
            upper: self.hypotheses.upper_bound(),
            drift: width * (self.t_value(elo)? - 0.5 * (t0 + t1)),
            variance: width * width,
        };
        let end = limit.map_or(f64::INFINITY, |limit| limit.pairs as f64);
        let quantile = |probability| motion.quantile(probability).min(end);
        let rejected = motion.ever_absorbed_below();
        let mut outlook = Outlook {
            elo,
            accepted: 1.0 - rejected,
            rejected,
            undecided: 0.0,
            mean_pairs: motion.mean_time(),
            median_pairs: quantile(0.5),
            pairs_90: quantile(0.9),
            pairs_95: quantile(0.95),
            pairs_99: quantile(0.99),
        };
        if let Some(Limit { decide, .. }) = limit {
            outlook.mean_pairs = motion.mean_time_until(end);
            outlook.accepted = motion.absorbed_above(end);
            outlook.rejected = motion.absorbed_below(end);
            outlook.undecided = motion.alive(end);
            if decide {
                outlook.rejected = motion.below(end, 0.0);
                outlook.accepted = 1.0 - outlook.rejected;
                outlook.undecided = 0.0;
            }
        }
        Ok(outlook)
    }

    /// Why so many pairs can hardly decide the test, if so: most of the tests of candidates at elo0 and at
    /// elo1, which end soonest, stay undecided.
    ///
    /// # Errors
    /// A hypothesis is out of reach of the base.
    pub fn shortfall(&self, pairs: u64) -> Result<Option<Shortfall>, DistributionError> {
        let Hypotheses { elo0, elo1, .. } = self.hypotheses;
        let limit = Limit { pairs, decide: false };
        let [at_elo0, at_elo1] = [elo0, elo1].map(|elo| self.outlook(elo, Some(limit)));
        let undecided = at_elo0?.undecided.min(at_elo1?.undecided);
        if undecided <= 0.5 {
            return Ok(None);
        }
        let needed = self.pairs_for_most()?;
        Ok(Some(Shortfall { undecided, needed, elo1: self.elo1_for(pairs) }))
    }

    /// Pairs by which nine of ten tests end, of candidates at elo0 or at elo1.
    fn pairs_for_most(&self) -> Result<f64, DistributionError> {
        let Hypotheses { elo0, elo1, .. } = self.hypotheses;
        Ok(self.outlook(elo0, None)?.pairs_90.max(self.outlook(elo1, None)?.pairs_90))
    }

    /// The least elo1 for which so many pairs decide nine of ten tests; `None` if it would be so far
    /// from elo0 that nobody would ask for it.
    fn elo1_for(&self, pairs: u64) -> Option<f64> {
        /// Width of the widest test that is offered (Elo of the model).
        const WIDEST: f64 = 300.0;
        let decides = |elo1: f64| {
            let hypotheses = Hypotheses { elo1, ..self.hypotheses };
            let plan = TestPlan::new(hypotheses, self.base).ok()?;
            (plan.pairs_for_most().ok()? <= pairs as f64).then_some(())
        };
        let (mut too_low, mut enough) = (self.hypotheses.elo1, self.hypotheses.elo1);
        while decides(enough).is_none() {
            too_low = enough;
            let width = 2.0 * (enough - self.hypotheses.elo0);
            if width > WIDEST {
                return None;
            }
            enough = self.hypotheses.elo0 + width;
        }
        while enough - too_low > 0.01 {
            let middle = 0.5 * (too_low + enough);
            *(if decides(middle).is_some() { &mut enough } else { &mut too_low }) = middle;
        }
        Some(enough)
    }

    /// A strength (Elo of the model) as distance from ½ in standard deviations of a pair.
    fn t_value(&self, elo: f64) -> Result<f64, DistributionError> {
        let score = match self.hypotheses.model {
            Model::Normalized => return Ok(elo / ELO_PER_LOGIT * 2f64.sqrt()),
            Model::Logistic => score_of_elo(elo),
            Model::Bayes => self.base.bayes_score(elo),
        };
        // The variance is the candidate's own: it falls where one side always wins.
        let variance = self.base.shifted(self.hypotheses.model, elo)?.variance();
        Ok((score - 0.5) / variance.sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_few_pairs_are_told_with_what_would_do() {
        let plan = |elo0, elo1| {
            let base = PairDistribution::of_draw_ratio(0.5, PairDistribution::usual_bias(0.5));
            let hypotheses = Hypotheses { elo0, elo1, ..Hypotheses::default() };
            TestPlan::new(hypotheses, base.expect("a distribution")).expect("within reach")
        };
        let short = plan(0.0, 5.0).shortfall(100).expect("known").expect("far too few");
        assert!(short.undecided > 0.99, "{short:?}");
        // Its figures suffice: these pairs for these bounds, and this bound for these pairs.
        let enough = short.needed.ceil() as u64;
        assert_eq!(plan(0.0, 5.0).shortfall(enough), Ok(None));
        let end = plan(0.0, 5.0).outlook(5.0, Some(Limit { pairs: enough, decide: false }));
        assert!(end.is_ok_and(|it| it.undecided <= 0.1 + 1e-6));
        let elo1 = short.elo1.expect("a bound");
        assert_eq!(plan(0.0, elo1).shortfall(100), Ok(None));
        assert!(plan(0.0, elo1).outlook(elo1, None).is_ok_and(|it| it.pairs_90 <= 100.0));
        // Pairs grow as the square of the inverse width.
        let width = 5.0 * (short.needed / 100.0).sqrt();
        assert!((elo1 / width - 1.0).abs() < 0.01, "{elo1} {width}");
        assert_eq!(plan(0.0, 5.0).shortfall(40_000), Ok(None));
        assert_eq!(plan(-1.0, 0.0).shortfall(1).expect("known").expect("one").elo1, None);
    }
}
