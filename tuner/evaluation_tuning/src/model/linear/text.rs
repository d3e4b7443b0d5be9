//! The text form: a position a line.
//!
//! ```text
//! # result, then what is known of the position, then index:count
//! 1.0 phase=0.75 scale=0.5 game=12 constant=-3 score=41 0:1 17:-2 130:1
//! ```
//!
//! All but the result may be missing: the phase is then 1 (middlegame), the scale 1, the constant
//! part 0. Results are White's: 0 to 1, or as `1-0`, `0-1`, `1/2-1/2`.

use positions::parse_result;

use super::LinearPosition;

impl LinearPosition {
    /// Reads a line of the text form.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn parse(line: &str, cells: usize) -> Result<LinearPosition, String> {
        parse_line(line.as_bytes(), cells)?.ok_or_else(|| "nothing is said".to_owned())
    }
}

/// Reads a line; none if it is empty or a comment.
///
/// # Errors
/// Says what is wrong with it.
pub(super) fn parse_line(line: &[u8], cells: usize) -> Result<Option<LinearPosition>, String> {
    let line = std::str::from_utf8(line).map_err(|_| "not text in UTF-8")?.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let mut words = line.split_ascii_whitespace();
    let result = parse_result(words.next().unwrap_or_default())?;
    let mut position = LinearPosition { result, ..LinearPosition::default() };
    let mut known = Vec::new();
    for word in words {
        if let Some((index, count)) = word.split_once(':') {
            position.entries.push((number(index, "index")?, number(count, "count")?));
        } else if let Some((key, value)) = word.split_once('=') {
            if known.contains(&key) {
                return Err(format!("`{key}` stands twice"));
            }
            known.push(key);
            match key {
                "phase" => position.phase = number(value, key)?,
                "scale" => position.scale = number(value, key)?,
                "game" => position.game = Some(number(value, key)?),
                "constant" => position.constant = number(value, key)?,
                "score" => position.score = Some(number(value, key)?),
                _ => {
                    return Err(format!(
                        "unknown field `{key}`: there are phase, scale, game, constant and score"
                    ));
                }
            }
        } else {
            return Err(format!("`{word}` is neither index:count nor field=value"));
        }
    }
    position.check(cells)?;
    Ok(Some(position))
}

fn number<T: std::str::FromStr>(text: &str, name: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{text}` is no {name}"))
}
