//! One line of EPD or FEN to one opening.

use engine::chess::Position;

use super::Opening;

/// Reads a position of four fields, the two counters of a FEN if they follow, and operations.
///
/// # Errors
/// In words, if it is malformed or the game is over.
pub(super) fn parse(line: &str) -> Result<Opening, String> {
    let fields = end_of_words(line, 4);
    let counters = end_of_words(line, 6);
    let is_fen = line[fields..].split_whitespace().next().is_some_and(is_number)
        && line[fields..counters].split_whitespace().all(is_number);
    let (fen, rest) = line.split_at(if is_fen { counters } else { fields });
    let (mut score, mut name) = (None, None);
    let mut clock = None;
    let mut move_number = None;
    for operation in operations(rest) {
        let (code, operand) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        let operand = operand.trim();
        let wrong = || format!("{code} {operand} is no whole number");
        let counter = || operand.parse::<u16>().map_err(|_| wrong());
        match code {
            "ce" => score = Some(operand.parse().map_err(|_| wrong())?),
            "id" => name = Some(operand.trim_matches('"').to_owned()),
            "hmvc" => clock = Some(counter()?),
            "fmvn" => move_number = Some(counter()?),
            "moves" => {
                return Err(
                    "moves behind a position are not played: give it as it is after them".into()
                );
            }
            code if is_number(code) => {
                return Err(format!("{code} is no operation, and the counters of a FEN are two"));
            }
            _ => {}
        }
    }
    let position = if is_fen || (clock.is_none() && move_number.is_none()) {
        Position::from_fen(fen)
    } else {
        let (clock, number) = (clock.unwrap_or(0), move_number.unwrap_or(1));
        Position::from_fen(&format!("{fen} {clock} {number}"))
    };
    let position = position.map_err(|error| error.to_string())?;
    match position.outcome() {
        Some(ending) => Err(format!("the game is over ({ending:?})")),
        None => Ok(Opening { position, score, name }),
    }
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Where the word of this number ends, or the line if it has not so many. A semicolon ends one, too.
fn end_of_words(line: &str, count: usize) -> usize {
    let mut end = 0;
    for _ in 0..count {
        let rest = &line[end..];
        let start = end + rest.len() - rest.trim_start().len();
        let ends = |sign: char| sign.is_whitespace() || sign == ';';
        end = line[start..].find(ends).map_or(line.len(), |length| start + length);
    }
    end
}

/// The operations of a line; a semicolon between quotation marks ends none.
fn operations(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    let ends = move |sign: char| {
        quoted ^= sign == '"';
        sign == ';' && !quoted
    };
    text.split(ends).map(str::trim).filter(|operation| !operation.is_empty())
}
