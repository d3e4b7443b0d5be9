//! Numbers and settings in words.

use matches::playing::{Adjudication, DrawRule, MemorySpan, ResignRule};
use matches::sequential_test::Rules;
use maud::{Markup, html};
use statistics::{Design, EloEstimate, Estimate, Hypotheses};

/// A whole number with its thousands apart.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with a sign and a true minus.
pub fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{value:+.decimals$}");
    let is_zero = text.chars().all(|letter| !letter.is_ascii_digit() || letter == '0');
    if is_zero { text[1..].to_owned() } else { text.replace('-', "−") }
}

/// A number's name, such as `late_move_reduction.quiet_base`, which may go on in another line after a
/// point or an underscore where there is little room.
pub fn dotted_name(name: &str) -> Markup {
    html! {
        @for part in name.split_inclusive(['.', '_']) { (part) @if part.ends_with(['.', '_']) { wbr; } }
    }
}

/// A text of numbers with true minus signs.
pub fn with_minus(text: &str) -> String {
    text.replace('-', "−")
}

/// Elo with its interval, or the one end that it has: see [`EloEstimate`].
pub fn elo_text(elo: &EloEstimate) -> String {
    with_minus(&elo.to_string())
}

/// An estimate with its error.
pub fn with_error(estimate: &Estimate) -> String {
    format!("{} ± {:.1}", signed(estimate.value, 1), estimate.error)
}

/// A share in percent as somebody gave it: what that had of decimals, and nothing of the rounding
/// since.
pub fn rounded_percent(share: f64) -> f64 {
    (1e8 * share).round() / 1e6
}

/// A share in percent, on one line.
pub fn percent(share: f64) -> String {
    format!("{:.1}\u{a0}%", 100.0 * share)
}

/// Part of a whole, 0 if there is no whole.
pub fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

/// A mean, or `None` of nothing.
pub fn mean(sum: u64, number: u64) -> Option<f64> {
    (number > 0).then(|| sum as f64 / number as f64)
}

/// Half points as points, such as "1½".
pub fn points(half_points: u64) -> String {
    match (half_points / 2, half_points % 2) {
        (whole, 0) => grouped(whole),
        (0, _) => "½".to_owned(),
        (whole, _) => grouped(whole) + "½",
    }
}

/// "1 pair", "2 pairs".
pub fn count_of(number: u64, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", grouped(number))
}

/// The hypotheses of a test.
pub fn hypotheses_text(hypotheses: &Hypotheses) -> Markup {
    let Hypotheses { model, elo0, elo1, alpha, beta } = hypotheses;
    let plain = |value: &f64| value.to_string().replace('-', "−");
    html! {
        (plain(elo0)) " against " (plain(elo1)) " " (model)
        ", α " (plain(alpha)) ", β " (plain(beta))
    }
}

/// When the test looks at the likelihood ratio, and what it does then.
pub fn stopping_text(rules: &Rules) -> String {
    let Rules { early_stop, design, .. } = rules;
    let Design { batch_pairs, overshoot_correction, decide_at_limit } = *design;
    let mut text = match (early_stop, batch_pairs.get()) {
        (false, _) => "no".to_owned(),
        (true, 1) => "at a bound, after any pair".to_owned(),
        (true, batch) => format!("at a bound, every {batch} pairs"),
    };
    if overshoot_correction {
        text += "; bounds corrected for overshoot";
    }
    if decide_at_limit {
        text += "; at the limit the sign of the ratio decides";
    }
    text
}

/// The rules of adjudication in words.
pub fn adjudication_text(adjudication: &Adjudication) -> String {
    let draw = adjudication.draw.map(|DrawRule { after_moves, moves, score }| {
        format!(
            "draw after {after_moves} moves when {moves} of them stay within {score} centipawns"
        )
    });
    let resign = adjudication.resign.map(|ResignRule { moves, score, two_sided }| {
        let who = if two_sided { "both players say" } else { "the loser says" };
        format!("loss when {who} so for {moves} moves by {score} centipawns")
    });
    let tablebase = adjudication.tablebase.map(|_| "endgame tables".to_owned());
    let rules: Vec<String> = draw.into_iter().chain(resign).chain(tablebase).collect();
    if rules.is_empty() { "none".to_owned() } else { rules.join("; ") }
}

/// The span of the players' memory in words.
pub fn memory_text(memory: MemorySpan) -> &'static str {
    match memory {
        MemorySpan::Move => "a move",
        MemorySpan::Game => "a game",
        MemorySpan::Pair => "a pair",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_numbers_break_between_their_words() {
        assert_eq!(dotted_name("null_move.base").0, "null_<wbr>move.<wbr>base");
        assert_eq!(dotted_name("tempo").0, "tempo");
    }

    #[test]
    fn numbers_are_readable() {
        assert_eq!([0, 999, 1000, 40_000, 1_234_567].map(grouped).join(" "), {
            "0 999 1,000 40,000 1,234,567"
        });
        assert_eq!([1.26, -1.26, 0.0, -0.001].map(|value| signed(value, 1)).join(" "), {
            "+1.3 −1.3 0.0 0.0"
        });
        assert_eq!(count_of(1, "pair") + &count_of(2000, "pair"), "1 pair2,000 pairs");
        assert_eq!([0, 1, 2, 2001].map(points).join(" "), "0 ½ 1 1,000½");
    }
}
