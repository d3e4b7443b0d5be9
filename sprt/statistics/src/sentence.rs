//! The finding of a test in a sentence, for readers who do not know its figures.

use super::{EloEstimate, PairCounts, Ratings, Verdict};

/// Probability from which on a player counts as shown to be stronger than another: beyond the ends of
/// an interval of 95 % lie 2.5 % on each side.
const SHOWN: f64 = 0.975;

/// Says whether the candidate is stronger, and by how much. `is_over` says whether the test has ended.
pub fn sentence(counts: &PairCounts, elo: &EloEstimate, verdict: Verdict, is_over: bool) -> String {
    sentence_of("candidate", counts, elo, verdict, is_over)
}

/// As [`sentence`] of a player that is called otherwise.
pub fn sentence_of(
    who: &str,
    counts: &PairCounts,
    elo: &EloEstimate,
    verdict: Verdict,
    is_over: bool,
) -> String {
    if counts.are_too_few() {
        return "Too few pairs to say who is stronger.".to_owned();
    }
    let words = match (elo.lower > 0.0, elo.upper < 0.0) {
        (true, _) if !is_over => format!("So far the {who} looks stronger"),
        (_, true) if !is_over => format!("So far the {who} looks weaker"),
        (true, _) if verdict == Verdict::Rejected => {
            format!("The {who} is stronger, but by less than was asked")
        }
        (_, true) if verdict == Verdict::Accepted => {
            format!("The {who} is weaker, but by less than was allowed")
        }
        (true, _) => format!("The {who} is stronger"),
        (_, true) => format!("The {who} is weaker"),
        (false, false) if !is_over => "No difference shown yet".to_owned(),
        (false, false) => match verdict {
            Verdict::Accepted => "Accepted, though the interval holds 0",
            Verdict::Rejected => "Rejected, though the interval holds 0",
            Verdict::Undecided => "No difference shown",
        }
        .to_owned(),
    };
    format!("{words}: {}.", extent(elo))
}

/// Says which player of a table is the strongest, if that is shown: against each other one with a
/// probability of 97.5 %. `is_over` says whether all games were played.
pub fn sentence_of_leader(ratings: &Ratings, is_over: bool) -> String {
    let [leader, second, ..] = ratings.players.as_slice() else {
        return "There is nobody to compare.".to_owned();
    };
    if leader.games.min(second.games) < 2 * PairCounts::LEAST_FOR_ESTIMATES {
        return "Too few games to say who is the strongest.".to_owned();
    }
    let others = ratings.likelihood_of_superiority[0].iter().skip(1);
    let least = others.copied().fold(1.0, f64::min);
    let name = &leader.player;
    let words = match (least >= SHOWN, is_over) {
        (true, true) => format!("{name} is the strongest: it"),
        (true, false) => format!("So far {name} looks the strongest: it"),
        (false, true) => format!("Nobody is shown to be the strongest: {name}"),
        (false, false) => format!("Nobody is shown to be the strongest yet: {name}"),
    };
    let likelihood = match 100.0 * ratings.likelihood_of_superiority[0][1] {
        percent if percent > 99.9 => "more than 99.9".to_owned(),
        percent => format!("{percent:.1}"),
    };
    format!(
        "{words} leads {} by about {:.0} Elo, and is stronger with a probability of {likelihood} %.",
        second.player,
        leader.elo - second.elo
    )
}

/// How much stronger or weaker: "about +76 Elo, between +27 and +129".
pub fn extent(elo: &EloEstimate) -> String {
    if !elo.is_bounded() {
        return format!("Elo {elo}");
    }
    let EloEstimate { value, lower, upper } = *elo;
    let decimals = if upper - lower < 20.0 { 1 } else { 0 };
    let [value, lower, upper] = [value, lower, upper].map(|it| {
        let text = format!("{it:+.decimals$}");
        let is_zero = !text.contains(|letter| matches!(letter, '1'..='9'));
        if is_zero { "0".to_owned() } else { text }
    });
    format!("about {value} Elo, between {lower} and {upper}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rating;

    #[test]
    fn a_sentence_says_who_leads_a_table() {
        let rating = |player: &str, elo| Rating {
            player: player.to_owned(),
            elo,
            error: 9.0,
            games: 40,
            score: 0.5,
            draw_ratio: 0.3,
        };
        let mut ratings = Ratings {
            players: vec![rating("a-1", 30.2), rating("b", -4.0), rating("c", -26.0)],
            likelihood_of_superiority: vec![vec![0.5, 0.98, 0.9999]],
            white_advantage: None,
            is_regularized: false,
        };
        for (likelihood, is_over, expected) in [
            (
                0.98,
                true,
                "a-1 is the strongest: it leads b by about 34 Elo, and is stronger with a probability of 98.0 %.",
            ),
            (
                0.9999,
                false,
                "So far a-1 looks the strongest: it leads b by about 34 Elo, and is stronger with a probability of more than 99.9 %.",
            ),
            (
                0.9,
                true,
                "Nobody is shown to be the strongest: a-1 leads b by about 34 Elo, and is stronger with a probability of 90.0 %.",
            ),
            (
                0.9,
                false,
                "Nobody is shown to be the strongest yet: a-1 leads b by about 34 Elo, and is stronger with a probability of 90.0 %.",
            ),
        ] {
            ratings.likelihood_of_superiority[0][1] = likelihood;
            assert_eq!(sentence_of_leader(&ratings, is_over), expected);
        }
        ratings.players[1].games = 19;
        let expected = "Too few games to say who is the strongest.";
        assert_eq!(sentence_of_leader(&ratings, true), expected);
    }

    #[test]
    fn a_sentence_says_who_is_stronger() {
        let counts =
            PairCounts { loss_draw: 10, draw_draw: 30, win_draw: 20, ..Default::default() };
        let elo = |value, lower, upper| EloEstimate { value, lower, upper };
        let (strong, weak, open) =
            (elo(76.2, 27.1, 128.8), elo(-3.0, -5.5, -0.46), elo(2.0, -0.04, 9.0));
        let all_won = elo(1199.9, 402.6, 1200.0);
        use Verdict::{Accepted, Rejected, Undecided};
        for (elo, verdict, is_over, expected) in [
            (
                strong,
                Accepted,
                true,
                "The candidate is stronger: about +76 Elo, between +27 and +129.",
            ),
            (
                strong,
                Rejected,
                true,
                "The candidate is stronger, but by less than was asked: about +76 Elo, between +27 and \
                 +129.",
            ),
            (
                strong,
                Undecided,
                false,
                "So far the candidate looks stronger: about +76 Elo, between +27 and +129.",
            ),
            (
                weak,
                Rejected,
                true,
                "The candidate is weaker: about -3.0 Elo, between -5.5 and -0.5.",
            ),
            (
                weak,
                Accepted,
                true,
                "The candidate is weaker, but by less than was allowed: about -3.0 Elo, between -5.5 \
                 and -0.5.",
            ),
            (
                open,
                Undecided,
                false,
                "No difference shown yet: about +2.0 Elo, between 0 and +9.0.",
            ),
            (open, Undecided, true, "No difference shown: about +2.0 Elo, between 0 and +9.0."),
            (
                open,
                Accepted,
                true,
                "Accepted, though the interval holds 0: about +2.0 Elo, between 0 and +9.0.",
            ),
            (all_won, Accepted, true, "The candidate is stronger: Elo above +403."),
        ] {
            assert_eq!(sentence(&counts, &elo, verdict, is_over), expected);
            let other = expected.replace("candidate", "champion");
            assert_eq!(sentence_of("champion", &counts, &elo, verdict, is_over), other);
        }
        let few = PairCounts { win_win: 1, ..Default::default() };
        let expected = "Too few pairs to say who is stronger.";
        assert_eq!(sentence(&few, &strong, Accepted, true), expected);
    }
}
