//! Rates with errors that know that the cuts of one game are alike.

use statistics::CONFIDENCE;

/// A ratio of two sums over games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ratio {
    /// The ratio; 0 of nothing.
    pub value: f64,
    /// Its standard error; infinite of fewer than two games.
    pub error: f64,
}

impl Ratio {
    /// Fewer of the rarer answer say too little of their scatter.
    pub(super) const FEWEST: usize = 5;

    /// The ratio of all numerators to all denominators, each `(game, numerator, denominator)`,
    /// those of a game one after the other. The error is that of a jackknife over games.
    ///
    /// CITE: John W. Tukey, "Bias and confidence in not-quite large samples" (1958).
    pub fn by_games(terms: impl Iterator<Item = (u32, f64, f64)>) -> Ratio {
        let mut games: Vec<(u32, f64, f64)> = Vec::new();
        for (game, numerator, denominator) in terms {
            match games.last_mut() {
                Some(last) if last.0 == game => {
                    last.1 += numerator;
                    last.2 += denominator;
                }
                _ => games.push((game, numerator, denominator)),
            }
        }
        let (above, below) =
            games.iter().fold((0.0, 0.0), |(above, below), it| (above + it.1, below + it.2));
        if below == 0.0 {
            return Ratio { value: 0.0, error: f64::INFINITY };
        }
        let without: Vec<f64> = games
            .iter()
            .filter(|it| below - it.2 > 1e-9 * below)
            .map(|it| (above - it.1) / (below - it.2))
            .collect();
        Ratio { value: above / below, error: jackknife_error(&without) }
    }

    /// A share of weighted yes-or-no answers, each `(game, yes, weight)`. Where nearly all answers
    /// are the same, games do not show how far chance goes, and the error is no less than that of
    /// as many independent answers.
    pub fn share(answers: impl Iterator<Item = (u32, bool, f64)> + Clone) -> Ratio {
        let yes = answers.clone().filter(|answer| answer.1).count();
        let no = answers.clone().filter(|answer| !answer.1).count();
        let (sum, squares) = answers.clone().fold((0.0, 0.0), |(sum, squares), (_, _, weight)| {
            (sum + weight, squares + weight * weight)
        });
        let mut ratio = Ratio::by_games(
            answers.map(|(game, yes, weight)| (game, if yes { weight } else { 0.0 }, weight)),
        );
        if yes.min(no) < Ratio::FEWEST && sum > 0.0 {
            let count = sum * sum / squares;
            let share = (ratio.value * count + 0.5) / (count + 1.0);
            ratio.error = ratio.error.max((share * (1.0 - share) / count).sqrt());
        }
        ratio
    }

    /// The ends of the interval of 95 %, within what a share can be.
    pub fn share_interval(self) -> (f64, f64) {
        let side = CONFIDENCE * self.error;
        ((self.value - side).max(0.0), (self.value + side).min(1.0))
    }
}

/// Standard error of what was found with all groups, from what was found without each of them;
/// infinite of fewer than two.
pub(super) fn jackknife_error(without: &[f64]) -> f64 {
    let count = without.len() as f64;
    if count < 2.0 {
        return f64::INFINITY;
    }
    let mean = without.iter().sum::<f64>() / count;
    let squares: f64 = without.iter().map(|value| (value - mean).powi(2)).sum();
    ((count - 1.0) / count * squares).sqrt()
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use random::stream;

    use super::*;

    #[test]
    fn errors_are_those_of_games() {
        // Each game says the same ten times: ten games, not a hundred answers.
        let answers = |game: u32| (0..10).map(move |_| (game, game < 5, 2.0));
        let ratio = Ratio::share((0..10).flat_map(answers));
        assert_eq!(ratio.value, 0.5);
        assert!((ratio.error - (0.25f64 / 9.0).sqrt()).abs() < 1e-9, "{ratio:?}");
        assert_eq!(Ratio::by_games(std::iter::empty()).value, 0.0);
        assert_eq!(Ratio::by_games([(1, 1.0, 2.0)].into_iter()).error, f64::INFINITY);
    }

    #[test]
    fn rare_answers_keep_an_error() {
        let ratio = Ratio::share((0..100).map(|game| (game, false, 1.0)));
        assert!(ratio.value == 0.0 && ratio.error > 0.005, "{ratio:?}");
        let (low, high) = ratio.share_interval();
        assert!(low == 0.0 && high > 0.01 && high < 0.03, "{high}");
    }

    /// Intervals cover the truth as often as they should where answers of a game depend on each
    /// other and games have very different weights.
    #[test]
    fn intervals_cover_the_truth() {
        let mut random = stream(4, 0);
        let covered = (0..400).filter(|_| {
            let mut answers = Vec::new();
            for game in 0..120 {
                let tendency: f64 = 0.2 * random.random::<f64>();
                let weight = 1.0 + 5.0 * random.random::<f64>();
                answers.extend((0..6).map(|_| (game, random.random::<f64>() < tendency, weight)));
            }
            let (low, high) = Ratio::share(answers.into_iter()).share_interval();
            (low..=high).contains(&0.1)
        });
        let covered = covered.count();
        // 380 expected, with a standard deviation of 4.4.
        assert!((362..=396).contains(&covered), "{covered}");
    }
}
