//! Published and independently computed figures of engine matches.
//!
//! Tolerance 1e-6 where the figure is known that well; the looser ones are those of the source.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use random::stream;
use rayon::prelude::*;
use statistics::{
    Assessment, BayesElo, BookBias, Hypotheses, Model, PairCounts, PairDistribution, Sample, bayes,
    bayes_direct, elo_of_score, estimate_after_stop, likelihood_of_superiority, logistic,
    logistic_by_mean, logistic_by_variance, logistic_elo, normalized, normalized_closed_form,
    normalized_elo, score_of_elo,
};

fn assert_close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found} is not {expected}");
}

const NORMALIZED: Model = Model::Normalized;
const LOGISTIC: Model = Model::Logistic;

fn ratio(model: Model, sample: &Sample, elo0: f64, elo1: f64) -> f64 {
    match model {
        Model::Normalized => normalized(sample, elo0, elo1),
        Model::Logistic => logistic(sample, elo0, elo1),
        Model::Bayes => bayes(sample, sample, elo0, elo1),
    }
}

/// One row: counts, model, bounds, log-likelihood ratio to six digits.
type RatioRow = ([u64; 5], Model, f64, f64, f64);

#[rustfmt::skip]
const PAIR_RATIOS: [RatioRow; 25] = [
    ([365, 16618, 36229, 16974, 390], NORMALIZED, 0.0, 2.0, 2.250368),
    ([127, 4883, 10712, 5150, 104], NORMALIZED, -1.75, 0.25, 3.010154),
    ([0, 0, 0, 0, 5550], NORMALIZED, 0.0, 5.0, 111.797555),
    ([379, 10170, 21828, 10640, 343], NORMALIZED, 0.0, 2.0, 2.945495),
    ([39, 8843, 26675, 9240, 44], NORMALIZED, 0.5, 2.5, 2.941675),
    ([249, 1440, 2771, 1626, 284], NORMALIZED, 0.0, 3.0, 2.984398),
    ([120, 2150, 4618, 2338, 141], NORMALIZED, 0.0, 3.0, 2.956525),
    ([39, 2226, 31451, 2412, 40], NORMALIZED, 0.764, 3.439, 2.162941),
    ([39, 2226, 31451, 2412, 40], LOGISTIC, 0.2, 0.9, 2.162543),
    ([13, 37, 50, 25, 3], NORMALIZED, 0.0, 4.0, -0.549125),
    ([13, 37, 50, 25, 3], LOGISTIC, 0.0, 2.716, -0.537767),
    ([223, 9863, 21279, 10037, 246], LOGISTIC, 0.5, 2.5, -3.074126),
    ([871, 26175, 55983, 26678, 821], LOGISTIC, 0.0, 2.0, -4.978673),
    ([10789, 19328, 33806, 19402, 10543], LOGISTIC, -3.0, 1.0, 2.131068),
    ([729, 5234, 10174, 5154, 898], LOGISTIC, -0.5, 1.5, 2.936964),
    ([441, 3213, 7170, 3164, 399], LOGISTIC, -0.5, 1.5, -2.967114),
    ([1746, 11875, 23034, 11679, 1820], LOGISTIC, -0.5, 1.5, -2.936411),
    ([504, 6686, 20525, 6609, 557], LOGISTIC, 0.25, 1.75, -2.949029),
    ([1, 3, 10, 5, 2], NORMALIZED, 0.0, 10.0, 0.148716),
    ([1, 3, 10, 5, 2], LOGISTIC, 0.0, 10.0, 0.204947),
    ([0, 1, 30, 4, 0], NORMALIZED, 0.0, 5.0, 0.141547),
    ([0, 0, 1, 0, 0], NORMALIZED, 0.0, 5.0, -0.000215),
    ([72, 10, 0, 0, 0], NORMALIZED, -1000.0, -500.0, -2.965755),
    ([144, 3, 1, 0, 0], NORMALIZED, -1500.0, -500.0, -6.721260),
    ([0, 0, 0, 0, 0], NORMALIZED, 0.0, 5.0, 0.0),
];

#[test]
fn ratios_of_pairs() {
    for (counts, model, elo0, elo1, expected) in PAIR_RATIOS {
        let found = ratio(model, &Sample::of_pairs(counts), elo0, elo1);
        assert_close(found, expected, 1e-6, &format!("{counts:?} {model:?} [{elo0}, {elo1}]"));
    }
}

#[test]
fn reversed_counts_negate_the_ratio() {
    for (mut counts, model, elo0, elo1, _) in PAIR_RATIOS {
        let forward = ratio(model, &Sample::of_pairs(counts), elo0, elo1);
        counts.reverse();
        let backward = ratio(model, &Sample::of_pairs(counts), -elo1, -elo0);
        assert_close(backward, -forward, 1e-7, &format!("{counts:?} {model:?}"));
    }
}

#[test]
fn hypotheses_beyond_all_scores_are_the_closest_that_can_be_computed() {
    let sample = Sample::of_pairs([1, 3, 10, 5, 2]);
    // 4800 Elo are a score of 1 − 10⁻¹²; that of 8000 Elo rounds to 1.
    let closest = logistic(&sample, 0.0, 4800.0);
    assert!(closest < -100.0, "{closest}");
    assert_close(logistic(&sample, 0.0, 8000.0), closest, 1e-3 * closest.abs(), "upper");
    let closest = logistic(&sample, -4800.0, 0.0);
    assert!(closest > 100.0, "{closest}");
    assert_close(logistic(&sample, -8000.0, 0.0), closest, 1e-3 * closest.abs(), "lower");
}

/// Counts, Elo, its error, normalized Elo, its error, likelihood of superiority. Printed to three
/// digits after the point (five for the likelihood), which is the tolerance.
#[rustfmt::skip]
const PAIR_ELO: [([u64; 5], [f64; 5]); 18] = [
    ([365, 16618, 36229, 16974, 390], [0.999, 0.923, 1.962, 1.813, 0.98308]),
    ([127, 4883, 10712, 5150, 104], [1.830, 1.699, 3.582, 3.325, 0.98264]),
    ([379, 10170, 21828, 10640, 343], [1.595, 1.209, 3.051, 2.312, 0.99514]),
    ([39, 8843, 26675, 9240, 44], [1.577, 1.030, 3.480, 2.274, 0.99865]),
    ([249, 1440, 2771, 1626, 284], [6.982, 3.852, 10.941, 6.033, 0.99981]),
    ([120, 2150, 4618, 2338, 141], [4.266, 2.703, 7.854, 4.975, 0.99901]),
    ([39, 2226, 31451, 2412, 40], [0.903, 0.663, 3.451, 2.532, 0.99622]),
    ([13, 37, 50, 25, 3], [-43.658, 29.427, -63.968, 42.560, 0.00161]),
    ([223, 9863, 21279, 10037, 246], [0.918, 1.206, 1.795, 2.359, 0.93200]),
    ([871, 26175, 55983, 26678, 821], [0.633, 0.752, 1.220, 1.448, 0.95058]),
    ([10789, 19328, 33806, 19402, 10543], [-0.774, 1.278, -0.952, 1.572, 0.11766]),
    ([729, 5234, 10174, 5154, 898], [2.020, 1.994, 3.274, 3.232, 0.97643]),
    ([441, 3213, 7170, 3164, 399], [-1.606, 2.335, -2.761, 4.014, 0.08884]),
    ([1746, 11875, 23034, 11679, 1820], [-0.166, 1.320, -0.271, 2.150, 0.40252]),
    ([504, 6686, 20525, 6609, 557], [0.144, 1.293, 0.288, 2.578, 0.58667]),
    ([1, 3, 10, 5, 2], [33.190, 72.843, 48.891, 105.075, 0.81911]),
    ([0, 1, 30, 4, 0], [14.898, 21.268, 57.154, 81.388, 0.91565]),
    ([0, 0, 1, 0, 0], [0.0, 34.021, 0.0, 480.55, 0.5]),
];

#[test]
fn elo_of_pairs() {
    for (counts, [elo, error, normalized, normalized_error, superiority]) in PAIR_ELO {
        let sample = Sample::of_pairs(counts);
        let what = format!("{counts:?}");
        assert_close(logistic_elo(&sample).value, elo, 5.1e-4, &what);
        assert_close(logistic_elo(&sample).error, error, 5.1e-4, &what);
        assert_close(normalized_elo(&sample).value, normalized, 5.1e-4, &what);
        assert_close(normalized_elo(&sample).error, normalized_error, 5.1e-3, &what);
        assert_close(likelihood_of_superiority(&sample), superiority, 5.1e-6, &what);
    }
    assert_close(logistic_elo(&Sample::of_pairs([0, 0, 0, 0, 5550])).value, 1199.83, 5e-3, "clamp");
}

#[test]
fn elo_of_fastchess_tests() {
    // Printed to four digits after the point.
    #[rustfmt::skip]
    let rows: [([u64; 5], [f64; 5]); 3] = [
        ([34, 54, 63, 64, 75], [55.5798, 27.6534, 57.9356, 28.2754, 0.999970]),
        ([332, 433, 498, 333, 334], [-8.6427, 10.3342, -9.1729, 10.9605, 0.050470]),
        ([7895, 8757, 5685, 568, 9999], [-21.0435, 2.9453, -19.0128, 2.6545, 0.0]),
    ];
    for (counts, [elo, error, normalized, normalized_error, superiority]) in rows {
        let sample = Sample::of_pairs(counts);
        let what = format!("{counts:?}");
        assert_close(logistic_elo(&sample).value, elo, 5.1e-5, &what);
        assert_close(logistic_elo(&sample).error, error, 5.1e-5, &what);
        assert_close(normalized_elo(&sample).value, normalized, 5.1e-5, &what);
        assert_close(normalized_elo(&sample).error, normalized_error, 5.1e-5, &what);
        assert_close(likelihood_of_superiority(&sample), superiority, 1e-6, &what);
    }
    assert_close(Sample::of_pairs([34, 54, 63, 64, 75]).mean(), 0.579310, 1e-6, "score");

    let games = Sample::of_games([96, 111, 136]);
    assert_close(logistic_elo(&games).value, 40.70, 5e-3, "elo");
    assert_close(logistic_elo(&games).error, 30.43, 5e-3, "error");
    assert_close(normalized_elo(&games).value, 49.77, 5e-3, "nelo");
    assert_close(normalized_elo(&games).error, 36.77, 5e-3, "nelo error");
    assert_close(likelihood_of_superiority(&games), 0.9960, 5e-5, "los");
    let games = Sample::of_games([89, 123, 76]);
    assert_close(normalized_elo(&games).value, -20.76, 5e-3, "nelo");
    assert_close(normalized_elo(&games).error, 40.13, 5e-3, "nelo error");
    assert_close(likelihood_of_superiority(&games), 0.1553, 5e-5, "los");
    let games = Sample::of_games([356, 0, 34]);
    // The source does not regularize the missing draws.
    assert_close(normalized_elo(&games).value, -508.44, 1e-2, "nelo");
    assert_close(normalized_elo(&games).error, 34.48, 5e-3, "nelo error");
    assert_close(games.mean(), 0.087, 5e-4, "score");
}

#[test]
fn ratios_of_games() {
    #[rustfmt::skip]
    let rows: [([u64; 3], Model, f64, f64, f64); 7] = [
        ([36027, 68692, 36433], NORMALIZED, 0.0, 2.0, 0.923293),
        ([10650, 20431, 10871], NORMALIZED, -1.75, 0.25, 2.297500),
        ([0, 0, 4250], NORMALIZED, 0.0, 10.0, 120.548268),
        ([21184, 40708, 21404], LOGISTIC, 0.5, 2.5, -1.571889),
        ([57030, 106593, 57433], LOGISTIC, 0.0, 2.0, -2.593024),
        ([68526, 128429, 68965], Model::Bayes, 0.0, 2.0, -1.262156),
        ([21484, 41111, 21629], Model::Bayes, 0.5, 2.5, -1.130642),
    ];
    for (counts, model, elo0, elo1, expected) in rows {
        let found = ratio(model, &Sample::of_games(counts), elo0, elo1);
        assert_close(found, expected, 1e-6, &format!("{counts:?} {model:?} [{elo0}, {elo1}]"));
    }
    let draw = |counts| BayesElo::of_games(&Sample::of_games(counts)).draw;
    assert_close(draw([68526, 128429, 68965]), 183.0434, 5e-5, "draw parameter");
    assert_close(draw([21484, 41111, 21629]), 185.3865, 5e-5, "draw parameter");
}

#[test]
fn bayes_elo_is_found_in_its_own_games() {
    for (elo, draw) in [(0.0, 200.0), (-30.0, 180.0), (250.0, 60.0)] {
        let model = BayesElo { elo, draw };
        let games = model.probabilities().map(|share| (share * 1e15).round() as u64);
        let found = BayesElo::of_games(&Sample::of_games(games));
        assert_close(found.elo, elo, 1e-6, "elo");
        assert_close(found.draw, draw, 1e-6, "draw parameter");
        assert_close(found.score(), Sample::of_games(games).mean(), 1e-9, "score");
    }
}

#[test]
fn older_forms() {
    let montytest = Sample::of_pairs([13, 37, 50, 25, 3]);
    let (even, better) = (score_of_elo(0.0), score_of_elo(2.716));
    assert_close(normalized_closed_form(&montytest, 0.0, 4.0), -0.540121, 1e-6, "closed form");
    assert_close(logistic_by_mean(&montytest, even, better), -0.521994, 1e-6, "alt");
    assert_close(logistic_by_variance(&montytest, even, better), -0.559663, 1e-6, "alt2");
    let sample = Sample::of_pairs([729, 5234, 10174, 5154, 898]);
    let alt = logistic_by_mean(&sample, score_of_elo(-0.5), score_of_elo(1.5));
    // The source prints five digits.
    assert_close(alt, 2.93533, 5.1e-6, "alt");
    let openbench = Sample::of_games([22569, 44137, 22976]);
    assert_close(bayes_direct(&openbench, 0.5, 2.5), 0.975772, 1e-6, "openbench");
}

#[test]
fn cutechess_tests() {
    // cutechess adds half a game to each outcome, divides its bounds by a scale, prints two digits.
    for (counts, expected) in
        [([1351, 2942, 1477], 2.52), ([555, 298, 555], -0.74), ([149, 1, 3], -4.69)]
    {
        let games = Sample::of_games_with_prior(counts, 0.5);
        let x = 10f64.powf(-BayesElo::of_games(&games).draw / 400.0);
        let scale = 4.0 * x / (1.0 + x).powi(2);
        assert_close(bayes_direct(&games, 0.0, 10.0 / scale), expected, 5e-3, "cutechess");
    }
}

/// Counts, model, bounds of the Elo, median-unbiased Elo, interval, likelihood of superiority.
type StopRow = ([u64; 5], Model, f64, f64, [f64; 4]);

#[test]
fn estimates_after_a_sequential_stop() {
    // Printed to three digits after the point, the likelihood to four.
    #[rustfmt::skip]
    let rows: [StopRow; 17] = [
        ([365, 16618, 36229, 16974, 390], NORMALIZED, 0.0, 2.0, [0.932, -0.051, 1.878, 0.9687]),
        ([127, 4883, 10712, 5150, 104], NORMALIZED, -1.75, 0.25, [1.659, -0.101, 3.403, 0.9677]),
        ([379, 10170, 21828, 10640, 343], NORMALIZED, 0.0, 2.0, [1.421, 0.146, 2.664, 0.9853]),
        ([39, 8843, 26675, 9240, 44], NORMALIZED, 0.5, 2.5, [1.427, 0.339, 2.487, 0.9946]),
        ([249, 1440, 2771, 1626, 284], NORMALIZED, 0.0, 3.0, [6.661, 2.717, 10.583, 0.9995]),
        ([120, 2150, 4618, 2338, 141], NORMALIZED, 0.0, 3.0, [3.992, 1.216, 6.743, 0.9975]),
        ([39, 2226, 31451, 2412, 40], NORMALIZED, 0.764, 3.439, [0.865, 0.168, 1.541, 0.9920]),
        ([39, 2226, 31451, 2412, 40], LOGISTIC, 0.2, 0.9, [0.865, 0.168, 1.541, 0.9920]),
        ([223, 9863, 21279, 10037, 246], LOGISTIC, 0.5, 2.5, [1.223, -0.136, 2.722, 0.9612]),
        ([871, 26175, 55983, 26678, 821], LOGISTIC, 0.0, 2.0, [0.900, -0.326, 2.241, 0.9298]),
        ([10789, 19328, 33806, 19402, 10543], LOGISTIC, -3.0, 1.0, [-0.993, -3.488, 1.489, 0.1880]),
        ([729, 5234, 10174, 5154, 898], LOGISTIC, -0.5, 1.5, [1.695, -0.449, 3.761, 0.9406]),
        ([441, 3213, 7170, 3164, 399], LOGISTIC, -0.5, 1.5, [-1.274, -3.683, 1.194, 0.1536]),
        ([1746, 11875, 23034, 11679, 1820], LOGISTIC, -0.5, 1.5, [0.145, -1.284, 1.709, 0.5774]),
        ([504, 6686, 20525, 6609, 557], LOGISTIC, 0.25, 1.75, [0.389, -0.963, 1.816, 0.7117]),
        ([1, 3, 10, 5, 2], NORMALIZED, 0.0, 10.0, [33.190, -38.178, 107.508, 0.8191]),
        ([1, 3, 10, 5, 2], LOGISTIC, 0.0, 10.0, [33.190, -38.178, 107.508, 0.8191]),
    ];
    for (counts, model, elo0, elo1, [elo, lower, upper, superiority]) in rows {
        let hypotheses = Hypotheses { model, elo0, elo1, ..Hypotheses::default() };
        let sample = Sample::of_pairs(counts);
        let scores = match model {
            Model::Normalized => {
                let score = |elo: f64| 0.5 + elo / 347.435_585_5 * sample.deviation_per_game();
                (score(elo0), score(elo1))
            }
            _ => (score_of_elo(elo0), score_of_elo(elo1)),
        };
        let bounds = (hypotheses.lower_bound(), hypotheses.upper_bound());
        let found = estimate_after_stop(&sample, scores, bounds);
        let what = format!("{counts:?} {model:?} [{elo0}, {elo1}]");
        // One figure, 6.661, is 6.65990 by an independent computation from the same formulas.
        let tolerance = if elo == 6.661 { 1.2e-3 } else { 5.1e-4 };
        assert_close(found.elo.value, elo, tolerance, &what);
        assert_close(found.elo.lower, lower, 5.1e-4, &what);
        assert_close(found.elo.upper, upper, 5.1e-4, &what);
        assert_close(found.likelihood_of_superiority, superiority, 5.1e-5, &what);
    }
}

#[test]
fn bounds_of_the_ratio() {
    for (alpha, beta, lower, upper) in [
        (0.05, 0.05, -2.944439, 2.944439),
        (0.05, 0.10, -2.251292, 2.890372),
        (0.10, 0.05, -2.890372, 2.251292),
        (0.10, 0.10, -2.197225, 2.197225),
        (0.01, 0.01, -4.595120, 4.595120),
    ] {
        let hypotheses = Hypotheses { alpha, beta, ..Hypotheses::default() };
        assert_close(hypotheses.lower_bound(), lower, 1e-6, "lower");
        assert_close(hypotheses.upper_bound(), upper, 1e-6, "upper");
    }
}

#[test]
fn impossible_hypotheses_are_refused() {
    let good = Hypotheses::default();
    assert!(good.validate().is_ok());
    for bad in [
        Hypotheses { elo0: 5.0, ..good },
        Hypotheses { elo0: f64::NAN, ..good },
        Hypotheses { elo1: f64::INFINITY, ..good },
        Hypotheses { alpha: 0.0, ..good },
        Hypotheses { alpha: 0.5, beta: 0.5, ..good },
        Hypotheses { beta: f64::NAN, ..good },
    ] {
        assert!(bad.validate().is_err(), "{bad:?}");
    }
    // Up to the last that is possible, and the first that is not.
    let (width, most) = (Hypotheses::LEAST_WIDTH, Hypotheses::MOST_ELO);
    let (least, sum) = (Hypotheses::LEAST_ERROR, Hypotheses::MOST_ERRORS);
    for (last, first) in [
        (Hypotheses { elo1: width, ..good }, Hypotheses { elo1: 0.999 * width, ..good }),
        (Hypotheses { elo1: most, ..good }, Hypotheses { elo1: most + 1.0, ..good }),
        (Hypotheses { elo0: -most, ..good }, Hypotheses { elo0: -most - 1.0, ..good }),
        (Hypotheses { alpha: least, ..good }, Hypotheses { alpha: 0.9 * least, ..good }),
        (Hypotheses { beta: least, ..good }, Hypotheses { beta: 0.9 * least, ..good }),
        (
            Hypotheses { alpha: 0.5, beta: sum - 0.5, ..good },
            Hypotheses { alpha: 0.5, beta: sum - 0.499, ..good },
        ),
    ] {
        assert_eq!(last.validate(), Ok(()), "{last:?}");
        assert!(first.validate().is_err(), "{first:?}");
    }
}

#[test]
fn estimates_are_cut_off_on_the_right_side() {
    // Equal hypotheses, and so many pairs that no strength in reach explains them any better.
    for (counts, elo) in [([0, 0, 0, 0, 1 << 40], 1200.0), ([1 << 40, 0, 0, 0, 0], -1200.0)] {
        let found = estimate_after_stop(&Sample::of_pairs(counts), (0.5, 0.5), (-2.9, 2.9)).elo;
        assert_eq!([found.lower, found.value, found.upper], [elo; 3], "{found:?}");
    }
}

#[test]
fn elo_and_score_are_inverse() {
    for elo in [-900.0, -35.5, 0.0, 1.0, 400.0] {
        assert_close(elo_of_score(score_of_elo(elo)), elo, 1e-9, "elo");
    }
}

/// Shares of draws, and the logistic Elo that are 5 normalized Elo there.
#[test]
fn normalized_and_logistic_elo_of_games_with_draws() {
    for (draws, elo) in
        [(0.0, 5.0), (0.3, 4.18), (0.5, 3.54), (0.6, 3.16), (0.7, 2.74), (0.8, 2.24), (0.9, 1.58)]
    {
        let even = PairDistribution::of_draw_ratio(draws, 0.0).expect("possible");
        let stronger = even.shifted(NORMALIZED, 5.0).expect("in reach");
        assert_close(elo_of_score(stronger.mean()), elo, 6e-3, "logistic Elo");
        let stronger = even.shifted(LOGISTIC, elo).expect("in reach");
        let [ll, ld, wl, dd, wd, ww] = stronger.shares().map(|share| (share * 1e12) as u64);
        let found = normalized_elo(&Sample::of_pairs([ll, ld, wl + dd, wd, ww])).value;
        assert_close(found, 5.0, 2e-2, "normalized Elo");
    }
}

#[test]
fn pairs_and_games_are_counted_alike() {
    use statistics::GameOutcome::{Draw, Loss, Win};
    let mut counts = PairCounts::default();
    for (first, second) in [(Win, Loss), (Draw, Draw), (Draw, Win), (Loss, Loss), (Win, Win)] {
        counts.add(first, second);
    }
    assert_eq!(counts.pairs(), 5);
    assert_eq!(counts.pentanomial(), [1, 0, 2, 1, 1]);
    assert_eq!(counts.trinomial(), [3, 3, 4]);
    assert_eq!((counts.win_loss, counts.draw_draw), (1, 1));
    assert_eq!(counts.pair_ratio(), Some(2.0));
    assert_eq!(counts.draw_ratio(), 0.3);
    assert_eq!(PairCounts::default().pair_ratio(), None);
}

/// Counts of every size and shape: up to 10⁶ in a class, seldom 10¹⁵, classes often empty.
fn random_counts(random: &mut ChaCha8Rng) -> [u64; 6] {
    let largest = if random.random_bool(0.02) { 50 } else { 20 };
    std::array::from_fn(|_| {
        if random.random_bool(0.3) {
            0
        } else {
            let size = random.random_range(0..=largest);
            random.random_range(0..=1u64 << size)
        }
    })
}

/// All figures of one random vector of counts are finite or clamped, for all models.
fn assert_finite(round: u64) {
    let mut random = stream(1, round);
    let [loss_loss, loss_draw, win_loss, draw_draw, win_draw, win_win] = random_counts(&mut random);
    let counts = PairCounts { loss_loss, loss_draw, win_loss, draw_draw, win_draw, win_win };
    let wide = if random.random_bool(0.2) { 2000.0 } else { 20.0 };
    let elo0 = random.random_range(-wide..wide - 1.0);
    let elo1 = random.random_range(elo0 + 0.5..=wide);
    for model in [NORMALIZED, LOGISTIC, Model::Bayes] {
        let hypotheses = Hypotheses { model, elo0, elo1, ..Hypotheses::default() };
        let games = counts.game_sample();
        let assessment = Assessment::new(counts, &hypotheses);
        let bias = assessment.book_bias.unwrap_or(BookBias { rms: 0.0, lower: 0.0, upper: 0.0 });
        let figures = [
            assessment.log_likelihood_ratio,
            hypotheses.log_likelihood_ratio(&games, &games),
            assessment.elo.value,
            assessment.elo.lower,
            assessment.elo.upper,
            assessment.likelihood_of_superiority,
            assessment.elo_if_fixed.value,
            assessment.elo_if_fixed.error,
            assessment.normalized_elo.value,
            assessment.normalized_elo.error,
            assessment.draw_ratio,
            assessment.pair_ratio.unwrap_or(0.0),
            bias.rms,
            bias.lower,
            bias.upper,
        ];
        let what = format!("round {round}: {counts:?} {hypotheses:?} {assessment:?}");
        assert!(figures.iter().all(|figure| figure.is_finite()), "{what}");
        assert!(assessment.elo.lower <= assessment.elo.upper, "{what}");
        assert!(assessment.elo.value.abs() <= 1200.0, "{what}");
        assert!(assessment.elo_if_fixed.value.abs() <= 1200.0, "{what}");
        assert!(bias.lower <= bias.rms && bias.rms <= bias.upper, "{what}");
    }
}

#[test]
fn every_figure_is_finite() {
    (0..3000).for_each(assert_finite);
}

/// The same for ten million vectors, or as many as `KAMERTON_RANDOM_COUNTS` says; run it with
/// `cargo test --release -p sprt ten_million -- --ignored`.
#[test]
#[ignore = "takes half an hour on two cores"]
fn every_figure_of_ten_million_counts_is_finite() {
    let rounds = std::env::var("KAMERTON_RANDOM_COUNTS");
    let rounds: u64 = rounds.map_or(10_000_000, |text| text.parse().expect("a number"));
    (0..rounds).into_par_iter().for_each(assert_finite);
}
