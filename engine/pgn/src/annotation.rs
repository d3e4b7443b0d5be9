//! Scores, depths and times that players tell of their moves, as match runners write them.

use playable::Color;

/// A player's opinion of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// Score in centipawns from White's view; a mate in so many plies is 31,000 less these, and
    /// other scores are cut to ±30,000.
    pub score: i16,
    /// Depth of the search in plies.
    pub depth: Option<u32>,
}

impl Annotation {
    /// Reads the comment behind a move of `mover`. Known are
    ///
    /// ```text
    /// +0.31/9 0.50s            (mover's view: cutechess, fastchess, c-chess-cli and ourselves)
    /// -M12/20 0.1s, n=5000     (mates: the mover is mated within 12 moves)
    /// ev=-0.21, d=27, mt=…     (White's view: TCEC until season 5)
    /// d=26, …, wv=0.16, …      (White's view: TCEC since)
    /// [%eval -0.4,22] [%eval #3]    (White's view: Lichess)
    /// [%eval -40,22]           (White's view: ChessBase, in centipawns as it has no point)
    /// ```
    ///
    /// `None` if it holds no score: moves of a book, clocks, words.
    pub fn parse(comment: &str, mover: Color) -> Option<Annotation> {
        if let Some((_, rest)) = comment.split_once("[%eval ") {
            let (value, _) = rest.split_once(']')?;
            let (score, depth) = value.split_once(',').unwrap_or((value, ""));
            let depth = depth.trim().parse().ok();
            let score = match score.trim().parse::<i64>() {
                // Without a point: centipawns, where others write pawns with one.
                Ok(centipawns) if depth.is_some() => {
                    centipawns.clamp(-SCORE_MAX as i64, SCORE_MAX as i64) as i16
                }
                _ => parse_white_score(score.trim(), mover)?,
            };
            return Some(Annotation { score, depth });
        }
        let field = |name: &str| {
            let mut fields = comment.split(',').map(str::trim);
            fields.find_map(|field| field.strip_prefix(name)?.strip_prefix('='))
        };
        if let Some(score) = field("wv").or_else(|| field("ev")) {
            let depth = field("d").and_then(|depth| depth.parse().ok());
            // A move of the book: depth 1 in no time.
            if depth == Some(1) && matches!(field("mt"), Some("00:00:00" | "0")) {
                return None;
            }
            return Some(Annotation { score: parse_score(score)?, depth });
        }
        let (score, depth) = comment.split_whitespace().find_map(|word| {
            let (score, depth) = word.trim_matches(['(', ',', ';']).split_once('/')?;
            // Plain numbers are moves, dates or parts of a sentence.
            if !score.contains(['.', 'M', '#']) {
                return None;
            }
            Some((parse_score(score)?, Some(depth.trim_end_matches([',', ')']).parse().ok()?)))
        })?;
        Some(Annotation { score: if mover == Color::White { score } else { -score }, depth })
    }
}

/// Greatest score that is no mate (centipawns).
const SCORE_MAX: f64 = 30_000.0;
/// A mate on the board.
const MATE: i32 = 31_000;
/// Farthest mate that is told from other scores (moves).
const MATE_MOVES_MAX: i32 = 400;

/// Reads a score from White's view. The moves to a mate are counted as the mover counts them, for
/// whom a mate of its own comes a ply sooner than one that it suffers.
fn parse_white_score(text: &str, mover: Color) -> Option<i16> {
    if mover == Color::White {
        return parse_score(text);
    }
    let of_mover = if text.contains('-') { text.replace('-', "") } else { format!("-{text}") };
    Some(-parse_score(&of_mover)?)
}

/// Reads pawns (`+0.31`) or the moves to a mate (`M5`, `-M5`, `#-5`); the view stays as it is.
fn parse_score(text: &str) -> Option<i16> {
    let negative = text.contains('-');
    let bare = text.trim_start_matches(['+', '-']);
    if let Some(moves) = bare.strip_prefix(['M', 'm', '#']) {
        let moves: i32 = moves.trim_start_matches(['+', '-']).parse().ok()?;
        let plies = 2 * moves.min(MATE_MOVES_MAX) - i32::from(!negative);
        let score = MATE - plies.max(0);
        return Some((if negative { -score } else { score }) as i16);
    }
    // "inf" and "nan" are numbers to Rust.
    if !bare.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    let pawns: f64 = bare.parse().ok()?;
    let score = (100.0 * pawns).round().min(SCORE_MAX) as i16;
    Some(if negative { -score } else { score })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_all_runners() {
        let read = |comment: &str| {
            let parsed = Annotation::parse(comment, Color::Black);
            parsed.map(|annotation| (i32::from(annotation.score), annotation.depth))
        };
        let cases = [
            ("+0.31/9 0.50s", Some((-31, Some(9)))),
            ("-1.00/12 0.5s, n=1234, hashfull=10", Some((100, Some(12)))),
            ("0.00/1 0s, Draw by adjudication", Some((0, Some(1)))),
            ("-M4/20 0.1s", Some((30_992, Some(20)))),
            ("+M1/3 0.1s, Black mates", Some((-30_999, Some(3)))),
            ("(Nf3 d5) +0.12/7 3", Some((-12, Some(7)))),
            ("[%eval 28,14]", Some((28, Some(14)))),
            ("[%eval -17,15] weak", Some((-17, Some(15)))),
            ("[%eval 2]", Some((200, None))),
            ("[%eval nan,5]", None),
            ("[%eval inf,5]", None),
            ("[%eval 99999,1]", Some((30_000, Some(1)))),
            ("ev=-0.21, d=27, pd=Rc8, mt=00:07:08, tb=0,", Some((-21, Some(27)))),
            ("d=26, sd=45, pd=e3, wv=0.16, R50=50", Some((16, Some(26)))),
            ("ev=0.00, d=1, mt=00:00:00, tl=01:40:00,", None),
            ("d=26, wv=-M23,", Some((-30_954, Some(26)))),
            ("d=26, wv=99999.99,", Some((30_000, Some(26)))),
            ("[%eval -0.4,22] [%clk 0:01:00]", Some((-40, Some(22)))),
            ("[%eval #-3]", Some((-30_995, None))),
            ("[%eval #3,9]", Some((30_994, Some(9)))),
            ("book", None),
            ("[%clk 0:01:00]", None),
            ("better is 12/5 or so", None),
            ("nan/5 inf/5 1/x", None),
            ("", None),
        ];
        for (comment, expected) in cases {
            assert_eq!(read(comment), expected, "{comment}");
        }
    }
}
