//! The spellings of moves and results that are met in files: dashes of all lengths, figurines, signs
//! of the Informant.

use std::borrow::Cow;

use playable::GameResult;

/// The result that a tag or the end of the moves states: `1-0`, `0:1`, `½–½`, …
pub fn game_result(text: &str) -> Option<GameResult> {
    // Most words are no result, and begin otherwise.
    if !text.starts_with(['0', '1', '½', '.', 'O']) || text.chars().count() > 11 {
        return None;
    }
    let plain: String = text
        .chars()
        .filter(|sign| !sign.is_whitespace())
        .map(|sign| match sign {
            ':' => '-',
            '⁄' => '/',
            'O' | 'o' => '0',
            ',' => '.',
            sign => plain_sign(sign).unwrap_or(sign),
        })
        .collect();
    match plain.replace('½', "1/2").as_str() {
        "1-0" | "1.0-0.0" => Some(GameResult::WhiteWins),
        "0-1" | "0.0-1.0" => Some(GameResult::BlackWins),
        "1/2-1/2" | "1/2" | "0.5-0.5" | ".5-.5" => Some(GameResult::Draw),
        _ => None,
    }
}

/// A move in plain letters: without signs behind it that judge it, en passant and novelties.
pub(super) fn san_of(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(bare(text));
    }
    let plain: String = text
        .chars()
        .filter_map(|sign| match sign {
            // A pawn has no letter; variants of signs, blanks of no width.
            '♙' | '♟' | '\u{fe0e}' | '\u{fe0f}' | '\u{200b}'..='\u{200d}' | '\u{2060}' => None,
            sign => Some(plain_sign(sign).unwrap_or(sign)),
        })
        .collect();
    Cow::Owned(bare(&plain).to_owned())
}

/// The letter that a sign stands for.
fn plain_sign(sign: char) -> Option<char> {
    Some(match sign {
        '‐'..='―' | '−' | '﹣' | '－' => '-',
        '×' | '✕' | '✗' | '⨯' => 'x',
        '♔' | '♚' => 'K',
        '♕' | '♛' => 'Q',
        '♖' | '♜' => 'R',
        '♗' | '♝' => 'B',
        '♘' | '♞' => 'N',
        _ => return None,
    })
}

/// Without what stands behind a move.
fn bare(text: &str) -> &str {
    /// Judgements, the longer ones first; and en passant.
    const BEHIND: [&str; 11] =
        ["+/-", "-/+", "+--", "--+", "+-", "-+", "+=", "=+", "TN", "e.p.", "ep"];
    // Squares, castling, promotions, checks and judgements end so.
    let ends_move = |rest: &&str| rest.ends_with(|last: char| "12345678O0QRBN+#!?".contains(last));
    let mut text = text;
    loop {
        let is_judgement = |sign: char| !sign.is_alphanumeric() && !"+#=-/).".contains(sign);
        let judged = text.trim_end_matches(is_judgement);
        let suffix = BEHIND.iter().find_map(|it| judged.strip_suffix(it).filter(ends_move));
        let shorter = suffix.unwrap_or(judged);
        if shorter.len() == text.len() {
            return text;
        }
        text = shorter;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_in_all_spellings() {
        use GameResult::{BlackWins, Draw, WhiteWins};
        for (texts, result) in [
            ("1-0 1:0 1–0 1—0 1−0 1‑0 1-O", Some(WhiteWins)),
            ("0-1 0:1 0–1 0—1 0−1 O-1", Some(BlackWins)),
            ("1/2-1/2 1/2:1/2 1/2 ½ ½-½ ½:½ ½–½ 1/2–1/2 1⁄2-1⁄2 0.5-0.5 0,5:0,5 ½-1/2", Some(Draw)),
            ("* 0-0 0–0 O-O 1 0 1- 1/2- 1-1 ½-0 e4 1.e4 12-0 1-02", None),
        ] {
            for text in texts.split(' ') {
                assert_eq!(game_result(text), result, "{text}");
            }
        }
        assert_eq!(game_result("1 - 0"), Some(WhiteWins));
        assert_eq!(game_result("1/2 - 1/2"), Some(Draw));
    }

    #[test]
    fn moves_in_plain_letters() {
        for (text, plain) in [
            ("e4", "e4"),
            ("O–O", "O-O"),
            ("0—0−0+", "0-0-0+"),
            ("N×e5", "Nxe5"),
            ("♘f3", "Nf3"),
            ("♞\u{fe0e}f6!?", "Nf6"),
            ("♙e4", "e4"),
            ("e8=♕#", "e8=Q#"),
            ("Nf3TN", "Nf3"),
            ("Nf3!TN", "Nf3"),
            ("Qh7+-", "Qh7"),
            ("Qh7+/-", "Qh7"),
            ("e8=Q++-", "e8=Q+"),
            ("Rd1±", "Rd1"),
            ("Rd1+∞", "Rd1+"),
            ("exd6e.p.", "exd6"),
            ("exd6e.p.+", "exd6e.p.+"),
            ("exd6ep!", "exd6"),
            ("O-O-O+-", "O-O-O"),
            ("e8=Q", "e8=Q"),
            ("e8(Q)", "e8(Q)"),
            ("Qxf7†", "Qxf7"),
        ] {
            assert_eq!(san_of(text), plain, "{text}");
        }
    }
}
