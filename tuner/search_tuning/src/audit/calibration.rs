//! Whether a model of a rule's cuts predicts how many are wrong in games that it was not fitted to.

use search::Rule;
use statistics::CONFIDENCE;

use super::model::{Features, Link, Model, Observation, features};
use super::ratio::{Ratio, jackknife_error};
use super::survey::{Record, Survey};

/// Bins of a reliability diagram.
const BINS: usize = 10;
/// Groups of games for the jackknife of a fit: what is found without each of them shows how far it
/// may be off.
pub(super) const GROUPS: u32 = 20;
/// Cuts below which nothing is fitted.
const FEWEST: usize = 40;

/// Cuts with about the same predicted probability to be wrong.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bin {
    /// How many were looked into.
    pub cuts: usize,
    /// Mean of the predicted probabilities.
    pub predicted: f64,
    /// Share of them that was wrong.
    pub realized: Ratio,
}

/// A prediction and what came of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prediction {
    /// The predicted share of wrong cuts, with the error of the fit.
    pub predicted: Ratio,
    /// The share of wrong cuts in games held out, with the error of that sample.
    pub realized: Ratio,
    /// Realized less predicted, with the error of both.
    pub difference: Ratio,
}

impl Prediction {
    /// Whether the difference is within its interval of 95 %.
    pub fn holds(&self) -> bool {
        self.difference.value.abs() <= CONFIDENCE * self.difference.error
    }
}

/// A model's predictions for one rule's cuts in games held out.
#[derive(Clone, PartialEq, Debug)]
pub struct Calibration {
    /// The prediction for all its cuts.
    pub prediction: Prediction,
    /// By the probability that was predicted, from the least on.
    pub bins: Vec<Bin>,
    /// For each group of games: sum of predicted probabilities of a model that does not know it.
    without: Vec<f64>,
    /// The cuts held out: game, wrong, weight, probability.
    answers: Vec<(u32, bool, f64, f64)>,
}

/// The group of a game.
pub(super) fn group_of(game: u32) -> u32 {
    // Numbers of neighboring games are neighbors; any spread over the groups will do.
    game.wrapping_mul(0x9E37_79B1) >> 16 & 0xFFFF
}

/// The model of one rule's wrong cuts, fitted to these.
pub(super) fn fit<'a>(link: Link, records: impl Iterator<Item = &'a Record>) -> Model {
    let observation = |record: &Record| -> Observation {
        let answer = match link {
            Link::Logistic => f64::from(u8::from(record.is_wrong())),
            Link::Logarithm => record.saved().max(0.0),
        };
        (described(record), answer, record.cut.weight)
    };
    Model::fit(link, &records.map(observation).collect::<Vec<_>>())
}

fn described(record: &Record) -> Features {
    features(&record.cut, f64::from(record.cut.gap))
}

impl Calibration {
    /// Fits to one half of the games and looks at the other; none where there are too few cuts.
    pub fn of(survey: &Survey, rule: Rule) -> Option<Calibration> {
        let fitted: Vec<&Record> = survey.known(rule).filter(|it| !it.held_out).collect();
        let held_out: Vec<&Record> = survey.known(rule).filter(|it| it.held_out).collect();
        if fitted.len().min(held_out.len()) < FEWEST {
            return None;
        }
        let model = fit(Link::Logistic, fitted.iter().copied());
        let total = |model: &Model| -> f64 {
            held_out.iter().map(|it| it.cut.weight * model.predict(&described(it))).sum()
        };
        let without = |group: u32| {
            let others = fitted.iter().filter(|it| group_of(it.game) % GROUPS != group);
            total(&fit(Link::Logistic, others.copied()))
        };
        let without: Vec<f64> = (0..GROUPS).map(without).collect();
        let mut answers: Vec<_> = held_out
            .iter()
            .map(|it| (it.game, it.is_wrong(), it.cut.weight, model.predict(&described(it))))
            .collect();
        // Where hardly any cut was wrong, groups of games do not show how far chance goes.
        let seen = Ratio::share(fitted.iter().map(|it| (it.game, it.is_wrong(), it.cut.weight)));
        let few = fitted.iter().filter(|it| it.is_wrong()).count() < Ratio::FEWEST;
        let doubt = if few { seen.error } else { 0.0 };
        let prediction = prediction(&answers, &without, doubt);
        let bins = bins(&mut answers.clone());
        answers.sort_by_key(|answer| answer.0);
        Some(Calibration { prediction, bins, without, answers })
    }

    /// The prediction for the cuts of all rules together; none without any.
    pub fn overall<'a>(all: impl Iterator<Item = &'a Calibration>) -> Option<Prediction> {
        let mut answers = Vec::new();
        let mut without = vec![0.0; GROUPS as usize];
        for calibration in all {
            answers.extend_from_slice(&calibration.answers);
            for (sum, of_rule) in without.iter_mut().zip(&calibration.without) {
                *sum += of_rule;
            }
        }
        answers.sort_by_key(|answer| answer.0);
        (!answers.is_empty()).then(|| prediction(&answers, &without, 0.0))
    }
}

/// Compares answers, by games, with their probabilities; `without` has the sum of the probabilities
/// by models that do not know a group of games, and `doubt` is the least error of the fit.
fn prediction(answers: &[(u32, bool, f64, f64)], without: &[f64], doubt: f64) -> Prediction {
    let weights: f64 = answers.iter().map(|it| it.2).sum();
    let predicted = answers.iter().map(|it| it.2 * it.3).sum::<f64>() / weights;
    let without: Vec<f64> = without.iter().map(|sum| sum / weights).collect();
    let fit_error = jackknife_error(&without).max(doubt);
    let realized = Ratio::share(answers.iter().map(|it| (it.0, it.1, it.2)));
    let wrong = |it: &(u32, bool, f64, f64)| f64::from(u8::from(it.1));
    let scatter = Ratio::by_games(answers.iter().map(|it| (it.0, it.2 * (wrong(it) - it.3), it.2)));
    // Where hardly any cut is wrong, the scatter of games knows less than the share does.
    let few = answers.iter().filter(|it| it.1).count() < Ratio::FEWEST;
    let scatter_error = if few { scatter.error.max(realized.error) } else { scatter.error };
    Prediction {
        predicted: Ratio { value: predicted, error: fit_error },
        realized,
        difference: Ratio {
            value: realized.value - predicted,
            error: fit_error.hypot(scatter_error),
        },
    }
}

/// Divides answers into bins of about equal weight by their probability.
fn bins(answers: &mut [(u32, bool, f64, f64)]) -> Vec<Bin> {
    answers.sort_by(|a, b| a.3.total_cmp(&b.3));
    let weights: f64 = answers.iter().map(|it| it.2).sum();
    let mut bins = Vec::new();
    let (mut first, mut passed) = (0, 0.0);
    for (index, answer) in answers.iter().enumerate() {
        passed += answer.2;
        let is_last = index + 1 == answers.len();
        if passed >= weights * (bins.len() + 1) as f64 / BINS as f64 || is_last {
            let mut members = answers[first..=index].to_vec();
            members.sort_by_key(|it| it.0);
            let weight: f64 = members.iter().map(|it| it.2).sum();
            bins.push(Bin {
                cuts: members.len(),
                predicted: members.iter().map(|it| it.2 * it.3).sum::<f64>() / weight,
                realized: Ratio::share(members.iter().map(|it| (it.0, it.1, it.2))),
            });
            first = index + 1;
        }
    }
    bins
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use random::stream;

    use super::*;

    #[test]
    fn right_probabilities_hold_and_wrong_ones_do_not() {
        let mut random = stream(12, 0);
        let mut answers: Vec<(u32, bool, f64, f64)> = (0..4000)
            .map(|index| {
                let probability = 0.3 * random.random::<f64>();
                (index / 8, random.random::<f64>() < probability, 1.0, probability)
            })
            .collect();
        let sum: f64 = answers.iter().map(|it| it.3).sum();
        let right = prediction(&answers, &[sum; 20], 0.0);
        assert!(right.holds() && right.predicted.error < 1e-12, "{right:?}");
        let bins = bins(&mut answers.clone());
        assert_eq!(bins.len(), BINS);
        assert!(bins.iter().all(|bin| bin.cuts.abs_diff(400) <= 1));
        assert!(bins.is_sorted_by_key(|bin| bin.predicted));
        assert!(bins[9].realized.value > 3.0 * bins[0].realized.value);
        for answer in &mut answers {
            answer.3 *= 1.4;
        }
        assert!(!prediction(&answers, &[1.4 * sum; 20], 0.0).holds());
    }
}
