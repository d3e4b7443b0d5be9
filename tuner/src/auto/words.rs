//! Results of games in words.

use statistics::{Assessment, EloEstimate, PairCounts};

/// The score of two players, from the first one's view: games by results, and Elo.
///
/// A shut-out says how many games it took; what interval it leaves is a bound at best.
pub(super) fn score_in_words(counts: &PairCounts, elo: &EloEstimate) -> String {
    let [lost, drawn, won] = counts.trinomial();
    let games = match (lost + drawn + won, lost, won) {
        (0, ..) => "no games played".to_string(),
        (games, 0, won) if won == games => format!("{won} of {games} won"),
        (games, lost, 0) if lost == games => format!("{lost} of {games} lost"),
        (..) => format!("{won} won, {drawn} drawn, {lost} lost"),
    };
    // A pair or two leave an interval without any end.
    match format!("{elo:.0}").as_str() {
        "unknown" => games,
        elo => format!("{games}, Elo {elo}"),
    }
}

/// The Elo of so many games without a stopping rule.
pub(super) fn elo_of(counts: &PairCounts) -> EloEstimate {
    let hypotheses = super::bounds::of_gain(0.0, false);
    Assessment::with_bounds(*counts, &hypotheses, None).elo
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shut_outs_are_told_as_such() {
        let words = |counts: PairCounts| score_in_words(&counts, &elo_of(&counts));
        let none = PairCounts::default();
        let won = words(PairCounts { win_win: 10, ..none });
        assert!(won.starts_with("20 of 20 won, Elo above +"), "{won}");
        let lost = words(PairCounts { loss_loss: 10, ..none });
        assert!(lost.starts_with("20 of 20 lost, Elo below -"), "{lost}");
        let drawn = words(PairCounts { draw_draw: 10, ..none });
        assert!(drawn.starts_with("0 won, 20 drawn, 0 lost, Elo "), "{drawn}");
        let some =
            words(PairCounts { win_win: 60, win_draw: 20, win_loss: 19, loss_draw: 1, ..none });
        assert!(some.starts_with("159 won, 21 drawn, 20 lost, Elo +"), "{some}");
        assert!(some.contains('[') && !some.contains('.'), "{some}");
        assert_eq!(words(none), "no games played");
        assert_eq!(words(PairCounts { win_win: 1, ..none }), "2 of 2 won");
    }
}
