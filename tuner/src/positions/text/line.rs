//! One line of text to one labelled position: the forms in which tuners exchange their data.

use std::borrow::Cow;

use engine::chess::{Color, Position};

use super::super::source::View;

/// A position with its label, as a line of text gives it.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// The position that the FEN gives.
    pub position: Position,
    /// White's points, 0 to 1.
    pub result: f32,
    /// Search score: White's view, centipawns.
    pub score: Option<i16>,
}

/// Reads a line of EPD: a FEN of four or six fields and a result, in any of the forms
///
/// ```text
/// FEN [1.0]              FEN [0.5] 35          (brackets; a score may follow)
/// FEN c9 "1-0";          FEN c9 "35|1-0";      (an EPD operation; a score may precede)
/// FEN | 35 | 1.0         FEN 0.5               FEN 1/2-1/2
/// FEN; [1.0]             FEN; [1-0]            (a semicolon after the FEN)
/// FEN ce 0.5             (this one from the view of the side to move, all others from White's)
/// ```
///
/// # Errors
/// In words, if there is no legal position or no result.
pub fn parse_epd(line: &str) -> Result<Labelled, String> {
    parse_line(line, View::White)
}

/// As [`parse_epd`], with results and scores of forms that do not say it from this view.
///
/// # Errors
/// As [`parse_epd`].
pub(in crate::positions) fn parse_line(line: &str, view: View) -> Result<Labelled, String> {
    let (fen, rest) = split_fen(line)?;
    let position =
        Position::from_fen(&with_counters(fen, rest)).map_err(|error| error.to_string())?;
    let (result, score, own_view) = parse_label(rest)?;
    Ok(Labelled { position, result, score }.seen_by(own_view.unwrap_or(view)))
}

impl Labelled {
    /// With White's points and score, if these are so far from a view.
    pub(in crate::positions) fn seen_by(self, view: View) -> Labelled {
        if view == View::White || self.position.side_to_move() == Color::White {
            return self;
        }
        let score = self.score.map(|score| score.saturating_neg());
        Labelled { result: 1.0 - self.result, score, ..self }
    }
}

/// Reads a result: `1`, `0.5`, `1.0`, `1-0`, `1/2-1/2`, … to White's points, 0 to 1.
///
/// # Errors
/// In words, if it is none.
pub fn parse_result(text: &str) -> Result<f32, String> {
    match text {
        "1-0" => return Ok(1.0),
        "0-1" => return Ok(0.0),
        "1/2-1/2" | "1/2" => return Ok(0.5),
        _ => {}
    }
    let points: Option<f32> = text.parse().ok().filter(|points| (0.0..=1.0).contains(points));
    points.ok_or_else(|| format!("'{text}' is no result"))
}

/// Reads a score in centipawns.
///
/// # Errors
/// In words, if it is no whole number within ±32,000.
pub fn parse_score(text: &str) -> Result<i16, String> {
    let score = text.parse().ok().filter(|score: &i16| score.unsigned_abs() <= 32_000);
    score.ok_or_else(|| format!("'{text}' is no score in centipawns"))
}

/// Splits a line after its FEN: four fields, and two counters if both are there.
fn split_fen(line: &str) -> Result<(&str, &str), String> {
    if let Some((fen, rest)) = line.split_once(';').filter(|(fen, _)| is_fen(fen)) {
        return Ok((fen.trim(), rest.trim()));
    }
    let mut fields = Vec::with_capacity(7);
    let mut end_of = |count: usize| -> Option<usize> {
        while fields.len() < count {
            let from = fields.last().copied().unwrap_or(0);
            let start = from + line[from..].find(|letter: char| !letter.is_whitespace())?;
            let length = line[start..].find(char::is_whitespace).unwrap_or(line.len() - start);
            fields.push(start + length);
        }
        Some(fields[count - 1])
    };
    let Some(four) = end_of(4) else {
        return Err("a FEN has at least four fields".to_owned());
    };
    let counters = end_of(5).zip(end_of(6)).filter(|&(five, six)| {
        is_counter(line[four..five].trim()) && is_counter(line[five..six].trim())
    });
    let end = counters.map_or(four, |(_, six)| six);
    Ok((line[..end].trim(), line[end..].trim()))
}

/// A FEN with the counters that operations of EPD give to one of four fields.
fn with_counters<'a>(fen: &'a str, rest: &str) -> Cow<'a, str> {
    let counter = |name: &str| {
        let value = operations(rest).find_map(|(code, value)| (code == name).then_some(value));
        value.filter(|value| is_counter(value))
    };
    let counters = [counter("hmvc"), counter("fmvn")];
    if counters == [None; 2] || fen.split_whitespace().count() != 4 {
        return fen.into();
    }
    let [clock, number] = counters;
    format!("{fen} {} {}", clock.unwrap_or("0"), number.unwrap_or("1")).into()
}

/// The operations of EPD in a text, each with what stands behind its code, without quotation marks.
fn operations(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut is_quoted = false;
    let parts = text.split(move |letter: char| {
        is_quoted ^= letter == '"';
        letter == ';' && !is_quoted
    });
    parts.map(|part| {
        let (code, value) =
            part.trim().split_once(char::is_whitespace).unwrap_or((part.trim(), ""));
        (code, value.trim().trim_matches('"'))
    })
}

/// Are these the fields of a FEN, and no more: four, or six with two counters?
fn is_fen(text: &str) -> bool {
    let fields: Vec<&str> = text.split_whitespace().collect();
    fields.len() == 4 || fields.len() == 6 && fields[4..].iter().all(|field| is_counter(field))
}

fn is_counter(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// What follows a FEN: result, score, and whose they are if the form says so.
type Label = (f32, Option<i16>, Option<View>);

/// The result and score in what follows the FEN.
fn parse_label(text: &str) -> Result<Label, String> {
    if text.is_empty() {
        return Err("there is no result after the FEN".to_owned());
    }
    if text.contains('"') {
        if text.matches('"').count() % 2 == 1 {
            return Err("a quotation mark is not closed".to_owned());
        }
        let Some((_, quoted)) = operations(text).find(|(code, _)| *code == "c9") else {
            return Err("the operation with the result is not c9".to_owned());
        };
        return match quoted.split_once('|') {
            Some((score, result)) => {
                Ok((parse_result(result.trim())?, Some(parse_score(score.trim())?), None))
            }
            None => Ok((parse_result(quoted.trim())?, None, None)),
        };
    }
    if let Some(rest) = text.strip_prefix('[') {
        let Some((result, rest)) = rest.split_once(']') else {
            return Err("a bracket is not closed".to_owned());
        };
        let rest = rest.trim();
        let score = if rest.is_empty() { None } else { Some(parse_score(rest)?) };
        return Ok((parse_result(result.trim())?, score, None));
    }
    if let Some(rest) = text.strip_prefix('|') {
        let Some((score, result)) = rest.split_once('|') else {
            return Err("'| score | result' is not complete".to_owned());
        };
        return Ok((parse_result(result.trim())?, Some(parse_score(score.trim())?), None));
    }
    if let Some(rest) = text.strip_prefix("ce ") {
        let result = rest.trim().trim_end_matches(';');
        // With a whole number, `ce` is EPD's evaluation, which says nothing of the result.
        if !result.contains('.') {
            return Err(format!("'ce {result}' is an evaluation, not a result"));
        }
        return Ok((parse_result(result)?, None, Some(View::Mover)));
    }
    parse_result(text.trim_end_matches(';')).map(|points| (points, None, None))
}
