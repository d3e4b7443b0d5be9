//! The findings of an audit, by rule.

use search::{DEPTHS, Rule, Verdict};

use super::calibration::{Calibration, Prediction};
use super::ratio::Ratio;
use super::survey::{Record, Survey};

/// The findings about one rule.
#[derive(Clone, PartialEq, Debug)]
pub struct RuleFindings {
    /// The rule that cuts.
    pub rule: Rule,
    /// Its cuts in all searches; of late-move pruning the skipped moves, estimated from the sample.
    pub cuts: f64,
    /// How many were looked into.
    pub sampled: usize,
    /// Of these, those whose shadow search did not end within its nodes: nobody knows whether they
    /// are wrong, and the nodes counted are the least that they save.
    pub unknown: usize,
    /// Share of all cuts that is wrong.
    pub wrong: Ratio,
    /// The same by depth left, where cuts were looked into, with their number.
    pub by_depth: Vec<(usize, usize, Ratio)>,
    /// Nodes that a cut saves.
    pub saved_per_cut: Ratio,
    /// Nodes saved for each wrong cut; infinite where none was found.
    pub saved_per_wrong: f64,
    /// Nodes that would be searched without the rule, each of its cuts for itself, less those that
    /// it spends, as a share of the nodes of all searches.
    pub saved: Ratio,
    /// How well a model predicts its wrong cuts; none where too few were looked into.
    pub calibration: Option<Calibration>,
}

/// The findings about all rules.
#[derive(Clone, PartialEq, Debug)]
pub struct Findings {
    /// Findings in the order in which a node meets the rules. Rules that never cut have no sample.
    pub rules: Vec<RuleFindings>,
    /// How well the models predict the wrong cuts of all rules together.
    pub overall: Option<Prediction>,
    /// Number of positions searched.
    pub positions: usize,
    /// Number of games that they are of.
    pub games: usize,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Nodes of all shadow searches.
    pub shadow_nodes: u64,
}

impl Findings {
    /// The findings of a survey.
    pub fn of(survey: &Survey) -> Findings {
        let rules: Vec<RuleFindings> =
            Rule::ALL.into_iter().map(|rule| of_rule(survey, rule)).collect();
        Findings {
            overall: Calibration::overall(
                rules.iter().filter_map(|rule| rule.calibration.as_ref()),
            ),
            rules,
            positions: survey.positions,
            games: survey.games,
            nodes: survey.nodes,
            shadow_nodes: survey.shadow_nodes,
        }
    }

    /// How many predictions hold, and of how many.
    pub fn holding(&self) -> (usize, usize) {
        let all = self.rules.iter().filter_map(|rule| rule.calibration.as_ref());
        (all.clone().filter(|it| it.prediction.holds()).count(), all.count())
    }
}

fn of_rule(survey: &Survey, rule: Rule) -> RuleFindings {
    let tallies = &survey.tallies[rule as usize];
    let of_rule = survey.records.iter().filter(move |it| it.cut.rule == rule);
    let sampled = of_rule.clone().count();
    let unknown = of_rule.clone().filter(|it| it.cut.verdict == Verdict::Unknown).count();
    let share = |records: &dyn Fn(&&Record) -> bool| {
        let answers: Vec<_> = survey
            .known(rule)
            .filter(records)
            .map(|it| (it.game, it.is_wrong(), it.cut.weight))
            .collect();
        Ratio::share(answers.into_iter())
    };
    let by_depth = (0..DEPTHS)
        .filter_map(|depth| {
            let at = |it: &&Record| (it.cut.depth.max(0) as usize).min(DEPTHS - 1) == depth;
            let count = survey.known(rule).filter(at).count();
            (count > 0).then(|| (depth, count, share(&at)))
        })
        .collect();
    let cuts: f64 = of_rule.clone().map(|it| it.cut.weight).sum();
    let in_vain: u64 = tallies.iter().map(|tally| tally.in_vain).sum();
    let saved_per_cut = Ratio::by_games(
        of_rule.clone().map(|it| (it.game, it.cut.weight * it.saved(), it.cut.weight)),
    );
    let per_node = cuts / survey.nodes.max(1) as f64;
    let saved = saved_per_cut.value * cuts;
    // Of the same cuts: those of which both are known.
    let known = |value: &dyn Fn(&Record) -> f64| -> f64 {
        survey.known(rule).map(|it| it.cut.weight * value(it)).sum()
    };
    let wrong = known(&|it| f64::from(u8::from(it.is_wrong())));
    RuleFindings {
        rule,
        cuts,
        sampled,
        unknown,
        wrong: share(&|_| true),
        by_depth,
        saved_per_cut,
        saved_per_wrong: if wrong > 0.0 { known(&Record::saved) / wrong } else { f64::INFINITY },
        saved: Ratio {
            value: (saved - in_vain as f64) / survey.nodes.max(1) as f64,
            error: saved_per_cut.error * per_node,
        },
        calibration: Calibration::of(survey, rule),
    }
}
