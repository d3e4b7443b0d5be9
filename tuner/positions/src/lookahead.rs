//! The further course of a position's game: scores of the next plies in place of its own.
//!
//! The score of a search is as wrong as the evaluation at its leaves, so that a fit to scores teaches
//! the evaluation what it believes already. Some plies later the game has shown whether a merit was
//! one; the scores of then still vary far less than results do.
//!
//! CITE: Richard S. Sutton, "Learning to Predict by the Methods of Temporal Differences" (1988), for
//! TD(λ), whose λ is exp(-1/plies) here; Jonathan Baxter, Andrew Tridgell and Lex Weaver,
//! "Learning to Play Chess Using Temporal Differences" (2000), for its use in chess.

use std::collections::BTreeMap;

use super::source::Source;
use super::store::{Game, result_code};
use super::whole_games::for_each_game;
use crate::logistic::{NATURAL, expected, least_k};

/// Expected results further from even than this say no more: 0.003 is some 1,000 centipawns.
const LEAST: f64 = 0.003;
/// Scores from which the scale is found (centipawns); those beyond say that a game is decided.
const DECIDED: i16 = 1000;

/// Natural units for a centipawn at which the scores of those sources that look ahead foretell the
/// results of their games best: where scores and results are to be averaged, they must mean the same.
///
/// # Errors
/// If such a source holds no whole games, cannot be read or is damaged.
pub(super) fn scale(sources: &[Source]) -> anyhow::Result<f64> {
    // Number of scores and the points of their games.
    let mut points = BTreeMap::<i16, (f64, f64)>::new();
    for source in sources.iter().filter(|source| source.filter.lookahead > 0) {
        for_each_game(source, |game| {
            // A fault in a game is told where its positions are read.
            let Ok(game) = game else { return Ok(()) };
            let result = points_of(&game);
            let scores = game.plies.iter().filter_map(|ply| ply.known_score());
            for score in scores.filter(|score| score.unsigned_abs() <= DECIDED.unsigned_abs()) {
                let (count, sum) = points.entry(score).or_default();
                *count += 1.0;
                *sum += result;
            }
            Ok(())
        })?;
    }
    if points.is_empty() {
        return Ok(NATURAL);
    }
    let k = least_k(|k| {
        let of = |(&score, &(count, sum)): (&i16, &(f64, f64))| {
            count * (sum / count - expected(k * NATURAL, f64::from(score))).powi(2)
        };
        points.iter().map(of).sum()
    });
    Ok(k * NATURAL)
}

/// White's points, 0 to 1.
fn points_of(game: &Game) -> f64 {
    f64::from(result_code(game.result)) / 2.0
}

/// For each ply of a game the mean of the scores from it on (White's view, centipawns), whose weight
/// falls to 1/e in so many `plies`; what is left of it lies on the result. The mean is that of
/// expected results, with `scale` natural units for a centipawn. Without `plies`, or without any
/// score, the scores as they are.
pub(super) fn scores(game: &Game, plies: u16, scale: f64) -> Vec<Option<i16>> {
    let own = game.plies.iter().map(|ply| ply.known_score());
    if plies == 0 || own.clone().all(|score| score.is_none()) {
        return own.collect();
    }
    let keeps = (-1.0 / f64::from(plies)).exp();
    let mut ahead = points_of(game);
    let mut scores: Vec<Option<i16>> = own
        .rev()
        .map(|score| {
            // A ply without a score takes over what follows.
            if let Some(score) = score {
                ahead = keeps * ahead + (1.0 - keeps) * expected(scale, f64::from(score));
            }
            Some(centipawns(ahead, scale))
        })
        .collect();
    scores.reverse();
    scores
}

/// The advantage at which this result is expected, with so many natural units for a centipawn.
fn centipawns(expected: f64, scale: f64) -> i16 {
    let expected = expected.clamp(LEAST, 1.0 - LEAST);
    ((expected / (1.0 - expected)).ln() / scale).round() as i16
}

#[cfg(test)]
mod tests {
    use chess::GAME;
    use matches::game::{GameResult, Termination};
    use playable::Move;

    use super::*;
    use crate::PackedPosition;
    use crate::store::Ply;

    fn game(scores: &[Option<i16>], result: GameResult) -> Game {
        let start = PackedPosition::pack(&GAME.start()).expect("the usual men");
        let plies = scores.iter().map(|&score| Ply::new(Move::default(), score)).collect();
        Game { start, plies, result, termination: Termination::Resignation }
    }

    #[test]
    fn without_plies_scores_stay_as_they_are() {
        let known = [Some(10), None, Some(-30)];
        assert_eq!(scores(&game(&known, GameResult::Draw), 0, NATURAL), known);
    }

    #[test]
    fn a_score_that_never_changes_stands_until_the_result_comes_near() {
        let steady = scores(&game(&[Some(120); 400], GameResult::BlackWins), 20, NATURAL);
        assert_eq!(steady[0], Some(120));
        assert!(steady.windows(2).all(|pair| pair[1] <= pair[0]), "{steady:?}");
        // One ply before the end the result has nearly all of the weight.
        assert!(steady[399] < Some(-400), "{steady:?}");
    }

    #[test]
    fn weights_fall_to_a_third_in_so_many_plies() {
        // One score among evens: its weight in the mean of the first ply is seen at small scores.
        let weight = |at: usize| {
            let mut known = [Some(0); 400];
            known[at] = Some(200);
            f64::from(scores(&game(&known, GameResult::Draw), 4, NATURAL)[0].expect("a score"))
        };
        let ratio = weight(4) / weight(0);
        assert!((ratio - (-1.0f64).exp()).abs() < 0.05, "{ratio}");
    }

    #[test]
    fn plies_without_a_score_take_over_what_follows() {
        let found = scores(&game(&[None, Some(50), None, None], GameResult::Draw), 10, NATURAL);
        assert_eq!(found[0], found[1]);
        assert_eq!(found[2..], [Some(0); 2]);
        let unknown = [None; 3];
        assert_eq!(scores(&game(&unknown, GameResult::WhiteWins), 10, NATURAL), unknown);
    }

    #[test]
    fn decided_games_keep_their_scores_finite() {
        let found = scores(&game(&[Some(31_000); 5], GameResult::WhiteWins), 2, NATURAL);
        assert!(found.iter().all(|score| *score == found[0] && *score < Some(1_100)), "{found:?}");
    }
}
