//! The finding of a test in a sentence, for readers who do not know its figures.

use super::{EloEstimate, PairCounts, Verdict};

/// Says whether the candidate is stronger, and by how much. `is_over` says whether the test has ended.
pub fn sentence(counts: &PairCounts, elo: &EloEstimate, verdict: Verdict, is_over: bool) -> String {
    if counts.are_too_few() {
        return "Too few pairs to say who is stronger.".to_owned();
    }
    let words = match (elo.lower > 0.0, elo.upper < 0.0) {
        (true, _) if !is_over => "So far the candidate looks stronger",
        (_, true) if !is_over => "So far the candidate looks weaker",
        (true, _) if verdict == Verdict::Rejected => {
            "The candidate is stronger, but by less than was asked"
        }
        (_, true) if verdict == Verdict::Accepted => {
            "The candidate is weaker, but by less than was allowed"
        }
        (true, _) => "The candidate is stronger",
        (_, true) => "The candidate is weaker",
        (false, false) if !is_over => "No difference shown yet",
        (false, false) => match verdict {
            Verdict::Accepted => "Accepted, though the interval holds 0",
            Verdict::Rejected => "Rejected, though the interval holds 0",
            Verdict::Undecided => "No difference shown",
        },
    };
    format!("{words}: {}.", extent(elo))
}

/// How much stronger or weaker.
fn extent(elo: &EloEstimate) -> String {
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
        }
        let few = PairCounts { win_win: 1, ..Default::default() };
        let expected = "Too few pairs to say who is stronger.";
        assert_eq!(sentence(&few, &strong, Accepted, true), expected);
    }
}
