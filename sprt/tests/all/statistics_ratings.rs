//! Rating tables against closed forms.

use rand::RngExt;
use random::stream;
use statistics::GameOutcome::{self, Draw, Loss, Win};
use statistics::{
    ColorCounts, Crosstable, PairCounts, Rating, RatingError, RatingSettings, Ratings, Sample,
    elo_of_score, logistic_elo, score_of_elo,
};

use crate::lanes::{assert_mean_share, repetitions};

fn table(names: &[&str]) -> Crosstable {
    Crosstable::new(names.iter().map(|name| (*name).to_owned()).collect())
}

fn add_games(table: &mut Crosstable, white: usize, black: usize, games: [u64; 3]) {
    for (outcome, count) in [Loss, Draw, Win].into_iter().zip(games) {
        (0..count).for_each(|_| table.add_game(white, black, outcome));
    }
}

fn anchored(name: &str, elo: f64) -> RatingSettings {
    RatingSettings { anchors: vec![(name.to_owned(), elo)], ..RatingSettings::default() }
}

fn elo_of(ratings: &Ratings, name: &str) -> f64 {
    let row = ratings.players.iter().find(|row| row.player == name);
    row.expect("rated").elo
}

fn assert_close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
}

#[test]
fn two_players_have_the_elo_of_their_score() {
    let mut games = table(&["a", "b"]);
    add_games(&mut games, 0, 1, [96, 111, 136]);
    let expected = logistic_elo(&Sample::of_games([96, 111, 136]));
    let ratings = games.rate(&anchored("b", 0.0)).expect("rated");
    assert_close(elo_of(&ratings, "a"), expected.value, 1e-6);
    // The closed form takes its interval on the scale of scores; one part in a hundred.
    assert_close(ratings.players[0].error, expected.error, 0.01 * expected.error);
    // Around the mean each has half of the difference.
    let ratings = games.rate(&RatingSettings::default()).expect("rated");
    assert_close(elo_of(&ratings, "a"), expected.value / 2.0, 1e-6);
    assert_close(elo_of(&ratings, "b"), -expected.value / 2.0, 1e-6);
    // P(a is better) is that of the difference and its error.
    assert_close(ratings.likelihood_of_superiority[0][1], 0.9960, 1e-3);
    let [row, column] = [0, 1].map(|i| ratings.likelihood_of_superiority[i][1 - i]);
    assert_close(row + column, 1.0, 1e-12);
    assert!(!ratings.is_regularized);
    for (row, points) in ratings.players.iter().zip([136.0 + 55.5, 96.0 + 55.5]) {
        assert_eq!(row.games, 343);
        assert_close(row.score, points / 343.0, 1e-12);
        assert_close(row.draw_ratio, 111.0 / 343.0, 1e-12);
    }
}

#[test]
fn the_error_of_four_pairs_by_hand() {
    let mut games = table(&["a", "b"]);
    for outcomes in [[Win, Win], [Win, Draw], [Draw, Loss], [Win, Loss]] {
        games.add_pair(1, 0, outcomes);
    }
    let ratings = games.rate(&anchored("a", 0.0)).expect("rated");
    assert_close(elo_of(&ratings, "b"), elo_of_score(0.625), 1e-6);
    // Scores of 1, ¾, ¼, ½ with a fifth pair's variance, half of a game's, in squares of a pair's
    // two points; against the information of eight games.
    let game: f64 = 0.625 * 0.375;
    let variance = 4.0 * (0.3125 + 0.5 * game) / 5.0;
    let logit = 10f64.ln() / 400.0;
    let expected = 1.959_963_984_540_054 * (4.0 * variance).sqrt() / (8.0 * game * logit);
    assert_close(ratings.players[0].error, expected, 1e-6);
}

#[test]
fn openings_that_decide_both_games_make_the_advantage_uncertain() {
    // 200 pairs in which the opening decides both games, as often for White as for Black.
    let mut games = table(&["a", "b"]);
    let mut colors = ColorCounts::default();
    for pair in 0..200 {
        let outcomes = if pair % 2 == 0 { [Win, Loss] } else { [Loss, Win] };
        games.add_pair(0, 1, outcomes);
        colors.add(outcomes[0], outcomes[1]);
    }
    let settings = RatingSettings { white_advantage: true, ..RatingSettings::default() };
    let ratings = games.rate(&settings).expect("rated");
    let found = ratings.white_advantage.expect("estimated");
    let expected = colors.white_advantage().expect("pairs");
    assert_close(found.value, 0.0, 1e-6);
    // `ColorCounts` takes its interval on the scale of scores, with Student's quantile.
    assert_close(found.error, expected.error, 0.02 * expected.error);
    // The players are as good as each other in every pair: of them more is known.
    assert!(ratings.players[0].error < 0.2 * found.error, "{ratings:?}");
}

#[test]
fn pairs_carry_the_error_of_pairs() {
    // 600 pairs in which the openings decide: games vary, pairs hardly.
    let mut pairs = table(&["a", "b"]);
    let mut singles = table(&["a", "b"]);
    for round in 0..600 {
        let outcomes = match round % 20 {
            0 => [Win, Draw],
            1..10 => [Win, Loss],
            10..19 => [Loss, Win],
            _ => [Draw, Draw],
        };
        pairs.add_pair(1, 0, outcomes);
        singles.add_game(1, 0, outcomes[0]);
        singles.add_game(
            0,
            1,
            match outcomes[1] {
                Win => Loss,
                Loss => Win,
                Draw => Draw,
            },
        );
    }
    let expected = logistic_elo(&Sample::of_pairs([0, 0, 570, 30, 0]));
    let by_pairs = pairs.rate(&anchored("a", 0.0)).expect("rated");
    let by_games = singles.rate(&anchored("a", 0.0)).expect("rated");
    assert_close(elo_of(&by_pairs, "b"), expected.value, 1e-3);
    assert_close(elo_of(&by_games, "b"), expected.value, 1e-3);
    assert_close(by_pairs.players[0].error, expected.error, 0.05 * expected.error);
    assert!(by_games.players[0].error > 3.0 * by_pairs.players[0].error);
}

#[test]
fn pairs_are_seen_from_either_side() {
    let mut games = table(&["a", "b", "c"]);
    games.add_pair(1, 0, [Win, Draw]);
    games.add_pair(0, 1, [Loss, Loss]);
    games.add_pair(0, 1, [Draw, Loss]);
    games.add_pair(2, 0, [Win, Win]);
    let of_b = PairCounts { win_draw: 2, win_win: 1, ..PairCounts::default() };
    assert_eq!(games.between(1, 0), of_b);
    assert_eq!(games.between(0, 1), of_b.reversed());
    assert_eq!(games.between(0, 1).loss_draw, 2);
    assert_eq!(games.between(1, 2), PairCounts::default());
    assert_eq!(games.games_of(0), [6, 2, 0]);
    assert_eq!(games.games_of(1), [0, 2, 4]);
}

#[test]
fn three_players_by_hand() {
    // Three to one is 400 log10 3 = 190.85 Elo; nine to one is twice that, so that all agree.
    let mut games = table(&["c", "b", "a"]);
    add_games(&mut games, 2, 1, [100, 0, 300]);
    add_games(&mut games, 0, 1, [300, 0, 100]);
    add_games(&mut games, 2, 0, [40, 0, 360]);
    let step = 400.0 * 3f64.log10();
    let ratings = games.rate(&RatingSettings::default()).expect("rated");
    let names: Vec<&str> = ratings.players.iter().map(|row| row.player.as_str()).collect();
    assert_eq!(names, ["a", "b", "c"]);
    for (row, expected) in ratings.players.iter().zip([step, 0.0, -step]) {
        assert_close(row.elo, expected, 1e-6);
    }
    // Two anchors that contradict the games stay where they are put, the third is between.
    let mut settings = anchored("a", 3000.0);
    settings.anchors.push(("c".to_owned(), 2000.0));
    let ratings = games.rate(&settings).expect("rated");
    assert_eq!((elo_of(&ratings, "a"), elo_of(&ratings, "c")), (3000.0, 2000.0));
    assert_close(elo_of(&ratings, "b"), 2500.0, 1e-6);
    assert_eq!(ratings.players[0].error, 0.0);

    // A circle: all are equal. By hand: of n games each with variance v of the score, information
    // and scatter are w = n k²/4 and n k² v times the triangle's Laplacian, whose eigenvalues are
    // 3, so that the variance of a rating is (2/3) · n k² v / (3 w²) with k = ln 10 / 400.
    let mut circle = table(&["a", "b", "c"]);
    for (white, black) in [(0, 1), (1, 2), (2, 0)] {
        add_games(&mut circle, white, black, [100, 0, 300]);
    }
    let ratings = circle.rate(&RatingSettings::default()).expect("rated");
    let k = 10f64.ln() / 400.0;
    // 400 games at three to one, and one more at the model's variance of ¼.
    let (n, v) = (400.0, (400.0 * 0.1875 + 0.25) / 401.0);
    let w = n * k * k / 4.0;
    let error = 1.959_963_984_540_054 * (2.0 / 3.0 * n * k * k * v / (3.0 * w * w)).sqrt();
    for row in &ratings.players {
        assert_close(row.elo, 0.0, 1e-6);
        assert_close(row.error, error, 1e-6);
    }
    assert_close(ratings.likelihood_of_superiority[0][1], 0.5, 1e-6);
}

#[test]
fn the_advantage_of_white_is_told_from_strength() {
    let mut games = table(&["a", "b"]);
    // Of equal players White scores 60 %.
    for (white, black) in [(0, 1), (1, 0)] {
        add_games(&mut games, white, black, [300, 200, 500]);
    }
    // And one more White game for a player must not make him stronger.
    add_games(&mut games, 0, 1, [300, 200, 500]);
    let settings = RatingSettings { white_advantage: true, ..RatingSettings::default() };
    let ratings = games.rate(&settings).expect("rated");
    let advantage = ratings.white_advantage.expect("asked for");
    assert_close(advantage.value, elo_of_score(0.6), 1e-6);
    assert_close(elo_of(&ratings, "a"), 0.0, 1e-6);
    let expected = logistic_elo(&Sample::of_games([900, 600, 1500])).error;
    assert_close(advantage.error, expected, 0.02 * expected + 0.6);
    let without = games.rate(&RatingSettings::default()).expect("rated");
    assert!(elo_of(&without, "a") > 5.0);
}

#[test]
fn hopeless_tables_have_finite_ratings() {
    // Nobody has played; one won all; two groups never met.
    let empty = table(&["a", "b"]).rate(&RatingSettings::default()).expect("rated");
    assert!(empty.players.iter().all(|row| row.elo == 0.0 && row.error.is_finite()), "{empty:?}");
    assert!(table(&[]).rate(&RatingSettings::default()).expect("rated").players.is_empty());
    let mut groups = table(&["a", "b", "c", "d"]);
    add_games(&mut groups, 0, 1, [0, 0, 1000]);
    add_games(&mut groups, 2, 3, [10, 20, 10]);
    for white_advantage in [false, true] {
        let settings = RatingSettings { white_advantage, ..RatingSettings::default() };
        let ratings = groups.rate(&settings).expect("rated");
        assert!(ratings.is_regularized);
        for row in &ratings.players {
            assert!(row.elo.abs() < 3000.0 && row.error.is_finite() && row.error > 0.0, "{row:?}");
        }
        let flat = ratings.likelihood_of_superiority.iter().flatten();
        assert!(flat.into_iter().all(|p| (0.0..=1.0).contains(p)), "{ratings:?}");
        // With an advantage of White's, to have won all games as White says less.
        assert!(white_advantage || ratings.players[0].player == "a");
    }
    let error = groups.rate(&anchored("e", 0.0)).expect_err("unknown");
    assert_eq!(error, RatingError::UnknownAnchor { name: "e".to_owned() });
    assert!(groups.rate(&anchored("a", f64::NAN)).is_err());
}

#[test]
fn what_the_prior_alone_tells_has_its_error() {
    // Two groups that never met: nothing says which is the better one.
    let mut groups = table(&["a", "b", "c", "d"]);
    add_games(&mut groups, 0, 1, [100, 100, 100]);
    add_games(&mut groups, 2, 3, [50, 100, 150]);
    let ratings = groups.rate(&RatingSettings::default()).expect("rated");
    assert!(ratings.is_regularized && ratings.players[0].player == "c");
    let place = |name| ratings.players.iter().position(|row| row.player == name).expect("rated");
    let superiority = |one, other| ratings.likelihood_of_superiority[place(one)][place(other)];
    assert!(superiority("c", "d") > 0.999);
    for (one, other) in [("c", "a"), ("c", "b"), ("a", "d")] {
        assert!((0.4..0.7).contains(&superiority(one, other)), "{one} {other}: {ratings:?}");
    }
    // Forty of forty: that happens with 600 Elo more in three matches out of ten.
    let mut all_won = table(&["a", "b"]);
    (0..20).for_each(|_| all_won.add_pair(0, 1, [Win, Win]));
    let ratings = all_won.rate(&anchored("b", 0.0)).expect("rated");
    let Rating { elo, error, .. } = ratings.players[0];
    assert!(elo - error < 600.0 && elo > 700.0, "{elo} ± {error}");
}

#[test]
fn anchors_join_groups_that_never_met() {
    let mut games = table(&["a", "b", "c", "d"]);
    add_games(&mut games, 0, 1, [20, 20, 40]);
    add_games(&mut games, 3, 2, [40, 20, 20]);
    let anchors = vec![("a".to_owned(), 0.0), ("c".to_owned(), 2000.0)];
    let ratings = games.rate(&RatingSettings { anchors, ..RatingSettings::default() });
    let ratings = ratings.expect("rated");
    assert!(!ratings.is_regularized);
    assert_close(elo_of(&ratings, "b"), -elo_of_score(0.625), 1e-6);
    assert_close(elo_of(&ratings, "d"), 2000.0 - elo_of_score(0.625), 1e-6);
    // One that won all games is at no finite distance from them, whoever is an anchor.
    add_games(&mut games, 0, 1, [0, 0, 1000]);
    games.player("e");
    add_games(&mut games, 4, 0, [0, 0, 5]);
    assert!(games.rate(&anchored("a", 0.0)).expect("rated").is_regularized);
}

#[test]
fn an_advantage_of_white_that_games_do_not_tell_is_bounded() {
    let settings = RatingSettings { white_advantage: true, ..RatingSettings::default() };
    // White won both games of a pair; the better player won as White and drew as Black; of twenty
    // games White won all but one, which was drawn; one player was White in all games.
    let mut one_pair = table(&["a", "b"]);
    one_pair.add_pair(0, 1, [Win, Loss]);
    let mut better = table(&["a", "b"]);
    better.add_pair(0, 1, [Win, Draw]);
    let mut ten_pairs = table(&["a", "b"]);
    (0..9).for_each(|_| ten_pairs.add_pair(0, 1, [Win, Loss]));
    ten_pairs.add_pair(0, 1, [Win, Draw]);
    let mut one_color = table(&["a", "b"]);
    add_games(&mut one_color, 0, 1, [10, 20, 30]);
    for games in [one_pair, better, ten_pairs, one_color] {
        let ratings = games.rate(&settings).expect("rated");
        assert!(ratings.is_regularized, "{games:?}");
        let white = ratings.white_advantage.expect("asked for");
        assert!(white.value.abs() < 1500.0 && white.error > 10.0, "{white:?}");
        for row in &ratings.players {
            assert!(row.elo.abs() < 1000.0 && row.error > 10.0, "{row:?}");
        }
        let superiority = ratings.likelihood_of_superiority[0][1];
        assert!(superiority < 0.999, "{superiority}");
        // Without White's advantage the same games have ratings of their own.
        let alone = games.rate(&RatingSettings::default()).expect("rated");
        assert!(!alone.is_regularized, "{games:?}");
    }
}

#[test]
fn strangers_have_the_mean_of_the_anchors() {
    let mut games = table(&["a", "b", "c"]);
    add_games(&mut games, 0, 1, [10, 20, 30]);
    let anchors = vec![("a".to_owned(), 3000.0), ("b".to_owned(), 2100.0)];
    let ratings = games.rate(&RatingSettings { anchors, ..RatingSettings::default() });
    let ratings = ratings.expect("rated");
    assert!(ratings.is_regularized);
    assert_close(elo_of(&ratings, "c"), 2550.0, 1e-6);
}

#[test]
fn errors_are_those_of_repeated_tournaments() {
    // Round robins of four players with known ratings: the ratings found must scatter as their errors
    // say, and include the truth 95 times in a hundred.
    let truth = [90.0, 20.0, -30.0, -80.0];
    let (mut inside, mut total, mut squares, mut errors) = (0, 0, 0.0, 0.0);
    for round in 0..repetitions(2400) {
        let mut random = stream(9, round);
        let mut games = table(&["a", "b", "c", "d"]);
        let mut play = |one: usize, other: usize, bias: f64| -> GameOutcome {
            // 60 % draws, and openings that matter.
            let score = score_of_elo(truth[one] - truth[other]) + bias;
            let win = score - 0.3 * 4.0 * score * (1.0 - score);
            let point: f64 = random.random();
            if point < win {
                Win
            } else if point < win + 0.6 * 4.0 * score * (1.0 - score) {
                Draw
            } else {
                Loss
            }
        };
        for first in 0..4 {
            for second in first + 1..4 {
                for pair in 0..60 {
                    let bias = if pair % 2 == 0 { 0.15 } else { -0.15 };
                    let outcomes = [play(first, second, bias), play(first, second, -bias)];
                    games.add_pair(first, second, outcomes);
                }
            }
        }
        let ratings = games.rate(&RatingSettings::default()).expect("rated");
        for (index, name) in ["a", "b", "c", "d"].iter().enumerate() {
            let row = ratings.players.iter().find(|row| row.player == *name).expect("rated");
            let miss = row.elo - truth[index];
            inside += u64::from(miss.abs() < row.error);
            squares += miss * miss;
            errors += (row.error / 1.96).powi(2);
            total += 1;
        }
    }
    // Ratings of a tournament hang together, and count as if they were half as many.
    assert_mean_share(inside, total, 2.0, 0.95..=0.95, "ratings");
    // A mean of squares of so many normal numbers scatters by the root of 2 / total.
    let scatter = 4.0 * (2.0 * 2.0 / total as f64).sqrt();
    assert!((squares / errors - 1.0f64).abs() < scatter, "{}", squares / errors);
}

#[test]
fn tables_of_many_players_stay_readable() {
    let names: Vec<String> = (0..30).map(|index| format!("player {index}")).collect();
    let mut games = Crosstable::new(names);
    for index in 0..30 {
        add_games(&mut games, index, (index + 1) % 30, [3, 4, 5]);
    }
    let ratings = games.rate(&RatingSettings::default()).expect("rated");
    assert!(ratings.to_string().lines().all(|line| line.chars().count() < 80), "{ratings}");
    let many = Crosstable::new((0..2001).map(|index| index.to_string()).collect());
    let error = many.rate(&RatingSettings::default()).expect_err("too many").to_string();
    assert_eq!(error, "2001 players are too many for a rating table: at most 2000 are rated");
}
