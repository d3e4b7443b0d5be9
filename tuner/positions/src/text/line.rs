//! One line of text to one labelled position: the forms in which tuners exchange their data.

use std::borrow::Cow;

use pgn::game_result;
use playable::{Color, Game, GameResult, Position};

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
/// FEN c9 "1-0";          FEN c9 "35|1-0";      (an operation c0 to c9; a score may precede)
/// FEN ce 35; c0 1-0;     (EPD's evaluation, from the view of the side to move)
/// FEN | 35 | 1.0         FEN 0.5               FEN 1/2-1/2
/// FEN,1.0                FEN;35;½-½            FEN 0.5 35      (score and result in any order)
/// FEN ce 0.5             (this one from the view of the side to move, all others from White's)
/// ```
///
/// # Errors
/// In words, if there is no legal position or no result.
pub fn parse_epd(game: Game, line: &str) -> Result<Labelled, String> {
    parse_line(game, line, View::White)
}

/// As [`parse_epd`], with results and scores of forms that do not say it from this view.
///
/// # Errors
/// As [`parse_epd`].
pub(crate) fn parse_line(game: Game, line: &str, view: View) -> Result<Labelled, String> {
    let (fen, sign, rest) = split_fen(game, line);
    let position = game.position(&with_counters(fen, rest)).map_err(|error| error.to_string())?;
    let Label { result, score, evaluation, own_view } = parse_label(sign, rest)?;
    let labelled = Labelled { position, result, score }.seen_by(own_view.unwrap_or(view));
    let is_white = labelled.position.side_to_move() == Color::White;
    let evaluation = evaluation.map(|own| if is_white { own } else { -own });
    Ok(Labelled { score: labelled.score.or(evaluation), ..labelled })
}

impl Labelled {
    /// With White's points and score, if these are so far from a view.
    pub(crate) fn seen_by(self, view: View) -> Labelled {
        if view == View::White || self.position.side_to_move() == Color::White {
            return self;
        }
        let score = self.score.map(|score| score.saturating_neg());
        Labelled { result: 1.0 - self.result, score, ..self }
    }
}

/// Reads a result: `1`, `0.5`, `[1.0]`, `1-0`, `½:½`, … to White's points, 0 to 1.
///
/// # Errors
/// In words, if it is none.
pub fn parse_result(text: &str) -> Result<f32, String> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let bare = bare.trim().trim_matches('"');
    match game_result(bare) {
        Some(GameResult::WhiteWins) => return Ok(1.0),
        Some(GameResult::BlackWins) => return Ok(0.0),
        Some(GameResult::Draw) => return Ok(0.5),
        None => {}
    }
    let points: Option<f32> = bare.replace(',', ".").parse().ok();
    let points = points.filter(|points| (0.0..=1.0).contains(points));
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

/// Splits a line after its FEN: as many of its fields as are there, and the counters if both are.
/// Gives what parts the values behind it, too: a blank unless another sign follows the FEN.
fn split_fen(game: Game, line: &str) -> (&str, char, &str) {
    for sign in [';', ',', '\t', '|'] {
        let Some((fen, rest)) = line.split_once(sign) else { continue };
        let fen = fen.trim().trim_matches('"').trim();
        if is_fen(game, fen) {
            return (fen, sign, rest.trim());
        }
    }
    let (fields, rest) = game.split_fields(line);
    let (words, counters) = game.word_counts();
    let mut label = rest;
    if fields.split_whitespace().count() == words {
        for _ in 0..counters {
            let trimmed = label.trim_start();
            let end = trimmed.find(char::is_whitespace).unwrap_or(trimmed.len());
            let (counter, behind) = trimmed.split_at(end);
            if !is_counter(counter) {
                return (fields, ' ', rest);
            }
            label = behind;
        }
        return (line[..line.len() - label.len()].trim(), ' ', label.trim());
    }
    (fields, ' ', rest)
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

/// Are these the fields of a FEN, and no more: some of them, or all with the counters?
fn is_fen(game: Game, text: &str) -> bool {
    let (fields, rest) = game.split_fields(text);
    let counters: Vec<&str> = rest.split_whitespace().collect();
    let is_board = fields.split('/').count() == game.board().1;
    is_board
        && [0, game.word_counts().1].contains(&counters.len())
        && counters.iter().all(|counter| is_counter(counter))
}

fn is_counter(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The label behind a FEN.
struct Label {
    result: f32,
    score: Option<i16>,
    /// A score from the view of the side to move, whatever the view of the rest.
    evaluation: Option<i16>,
    /// Whose result and score they are, if the form says so.
    own_view: Option<View>,
}

impl Label {
    fn new(result: f32, score: Option<i16>) -> Label {
        Label { result, score, evaluation: None, own_view: None }
    }
}

/// The result and score in what follows the FEN, its values parted by `sign`.
fn parse_label(sign: char, text: &str) -> Result<Label, String> {
    if text.is_empty() {
        return Err("there is no result after the FEN".to_owned());
    }
    if text.matches('"').count() % 2 == 1 {
        return Err("a quotation mark is not closed".to_owned());
    }
    if let Some(rest) = text.strip_prefix('[') {
        let Some((result, rest)) = rest.split_once(']') else {
            return Err("a bracket is not closed".to_owned());
        };
        let rest =
            rest.trim_matches(|letter: char| letter.is_whitespace() || ",;|".contains(letter));
        let score = if rest.is_empty() { None } else { Some(parse_score(rest)?) };
        return Ok(Label::new(parse_result(result.trim())?, score));
    }
    let is_operation = |text: &str| {
        let code = text.split_whitespace().next().unwrap_or_default();
        code.starts_with(|first: char| first.is_ascii_alphabetic())
            && code.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    if !matches!(sign, '|' | ',') && is_operation(text) {
        return label_in_operations(text);
    }
    // A bar may stand before the first value, too, and a semicolon behind the last.
    let (sign, text) = match text.strip_prefix('|') {
        Some(rest) => ('|', rest.trim()),
        None => (sign, text.trim_end_matches(';').trim()),
    };
    let is_sign = |letter: char| letter == sign || sign == ' ' && letter.is_whitespace();
    let values: Vec<&str> =
        text.split(is_sign).map(str::trim).filter(|value| !value.is_empty()).collect();
    match values[..] {
        [result] if sign != '|' || !text.contains('|') => {
            Ok(Label::new(parse_result(result)?, None))
        }
        [one, other] => score_and_result(sign, one, other),
        _ => Err(format!("'{text}' is no score and result")),
    }
}

/// A score and a result in any order; bars have the score first where it could be either.
fn score_and_result(sign: char, one: &str, other: &str) -> Result<Label, String> {
    // A whole number may be a score, too.
    let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (result, score) = match [parse_result(one), parse_result(other)] {
        [Ok(_), Ok(result)] if sign == '|' || !is_plain(other) && is_plain(one) => (result, one),
        [Ok(result), Ok(_)] if !is_plain(one) && is_plain(other) => (result, other),
        [Ok(_), Ok(_)] => return Err(format!("which of '{one}' and '{other}' is the result?")),
        [Ok(result), Err(_)] => (result, other),
        [Err(_), Ok(result)] => (result, one),
        [Err(_), Err(reason)] if parse_score(one).is_ok() => return Err(reason),
        [Err(reason), Err(_)] => return Err(reason),
    };
    Ok(Label::new(result, Some(parse_score(score)?)))
}

/// The result, and the score if there is one, in operations of EPD.
fn label_in_operations(text: &str) -> Result<Label, String> {
    let evaluation = operations(text).find(|(code, _)| *code == "ce").map(|(_, value)| value);
    let is_comment = |code: &str| matches!(code.as_bytes(), [b'c', b'0'..=b'9']);
    let mut problem = None;
    // The usual one first.
    let comments = || operations(text).filter(|(code, _)| is_comment(code));
    for (_, value) in
        comments().filter(|it| it.0 == "c9").chain(comments().filter(|it| it.0 != "c9"))
    {
        let (score, result) = match value.split_once('|') {
            Some((score, result)) => (Some(score.trim()), result.trim()),
            None => (None, value.trim()),
        };
        match parse_result(result) {
            Ok(result) => {
                let score = score.map(parse_score).transpose()?;
                let evaluation = evaluation.filter(|_| score.is_none());
                let evaluation = evaluation.map(parse_score).transpose()?;
                return Ok(Label { evaluation, ..Label::new(result, score) });
            }
            Err(reason) => problem = problem.or(Some(reason)),
        }
    }
    match (problem, evaluation) {
        (Some(reason), _) => Err(reason),
        // With a whole number, `ce` is EPD's evaluation, which says nothing of the result.
        (None, Some(result)) if result.contains('.') => {
            let own_view = Some(View::Mover);
            Ok(Label { own_view, ..Label::new(parse_result(result)?, None) })
        }
        (None, Some(value)) => Err(format!("'ce {value}' is an evaluation, not a result")),
        (None, None) => Err("no operation c0 to c9 holds a result".to_owned()),
    }
}
