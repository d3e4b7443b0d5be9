//! One line of EPD or FEN to one opening.

use playable::Game;

use super::Opening;

/// Reads a FEN, as many of its fields as are there, and the operations of EPD behind it.
///
/// # Errors
/// In words, if it is malformed or the game is over.
pub(super) fn parse(game: Game, line: &str) -> Result<Opening, String> {
    let (fen, rest) = game.split_operations(line);
    let fields = fen.split_whitespace().count();
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
            _ if code.starts_with(|sign: char| sign.is_ascii_alphabetic()) => {}
            _ => return Err(format!("{code} is no operation")),
        }
    }
    let position = if fields != 4 || (clock.is_none() && move_number.is_none()) {
        game.position(fen)
    } else {
        let (clock, number) = (clock.unwrap_or(0), move_number.unwrap_or(1));
        game.position(&format!("{fen} {clock} {number}"))
    };
    let position = position.map_err(|error| error.to_string())?;
    match position.outcome() {
        Some((_, rule)) => Err(format!("the game is over ({})", rule.words())),
        None => Ok(Opening { position, score, name }),
    }
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
