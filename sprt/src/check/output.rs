//! Checks of the lines during a search.

use std::time::Duration;

use matches::player::judge_lines;
use playable::{Color, Position, mate_in};
use uci::{InfoLine, Reply, ScoreBound, ScoreValue};

use super::exam::{Answer, Exam, Stop};
use super::report::Severity::{Fault, Note, Warning};

/// How long a search may take that shows what is said.
const A_MOMENT: Duration = Duration::from_millis(1500);

/// The last line with an exact score of the best variation.
fn last_score(answer: &Answer) -> Option<(&str, ScoreValue)> {
    answer.lines.iter().rev().find_map(|line| match Reply::parse(line) {
        Some(Reply::Info(info))
            if info.bound == ScoreBound::Exact && info.multi_pv.unwrap_or(1) == 1 =>
        {
            info.score.map(|score| (line.as_str(), score))
        }
        _ => None,
    })
}

pub(super) fn mates(exam: &mut Exam<'_>) -> Result<(), Stop> {
    let places = exam.some(|positions| &positions.mates)?;
    exam.meet()?;
    for (place, moves) in places {
        exam.say("ucinewgame")?;
        let answer = exam.search(&place, "go depth 12", A_MOMENT)?;
        let Some(mv) = exam.legal_move(&answer) else { continue };
        let lines = answer.lines.iter().map(String::as_str);
        let (score, odd) = judge_lines(&place.position, mv, exam.dialect, lines);
        let told = score.and_then(mate_in);
        let line = last_score(&answer).map(|(line, _)| line.to_owned());
        let came: Vec<String> = line.into_iter().chain([answer.line.clone()]).collect();
        let wrong = odd.iter().find(|odd| odd.kind == matches::game::WarningKind::MateScore);
        if let Some(wrong) = wrong {
            let remedy = "Games that are adjudicated by score end with the wrong result so.";
            exam.find(Fault, &format!("a mate that is none: {}", wrong.detail), &came, remedy);
        } else if told.is_some_and(|told| (told > 0) != (moves > 0)) {
            let told = told.unwrap_or_default();
            let what = format!("it says mate {told} where there is mate {moves}: the wrong sign");
            let remedy = "Games that are adjudicated by score end with the wrong result so.";
            exam.find(Fault, &what, &came, remedy);
        } else if told.is_some_and(|told| told.abs() < moves.abs()) {
            let told = told.unwrap_or_default();
            let what = format!("it says mate {told} where there is none before mate {moves}");
            exam.find(Warning, &what, &came, "Mates are counted in moves of the side that mates.");
        } else if told.is_none() {
            let what = format!("it does not say that there is mate {moves}");
            let remedy = "Adjudication takes longer then; the form is `score mate MOVES`.";
            exam.find(Note, &what, &came, remedy);
        }
    }
    Ok(())
}

pub(super) fn score_sign(exam: &mut Exam<'_>) -> Result<(), Stop> {
    let places = exam.some(|positions| &positions.ahead)?;
    exam.meet()?;
    let mut wrong = Vec::new();
    let mut scores = 0;
    for (place, is_ahead) in &places {
        exam.say("ucinewgame")?;
        let answer = exam.search(place, "go depth 6", A_MOMENT)?;
        let Some((line, score)) = last_score(&answer) else { continue };
        scores += 1;
        let (ScoreValue::Centipawns(value) | ScoreValue::Mate(value)) = score;
        if (value > 0) != *is_ahead {
            wrong.push((&place.position, line.to_owned()));
        }
    }
    if scores == 0 {
        return Err(Stop::NotJudged("it tells no scores".to_owned()));
    }
    if let Some((position, line)) = wrong.first() {
        let is_of_black = |position: &Position| position.side_to_move() == Color::Black;
        let of_black = places.iter().filter(|(place, _)| is_of_black(&place.position)).count();
        let are_of_black = wrong.iter().all(|(position, _)| is_of_black(position));
        let what = match are_of_black && wrong.len() == of_black {
            true => {
                let [first, _] = exam.settings.game.color_names();
                format!("scores are from {first}'s view, not from the mover's")
            }
            false => format!(
                "{} of {scores} positions {} have the wrong sign, one is {}",
                wrong.len(),
                exam.positions().of_ahead,
                position.to_fen()
            ),
        };
        let remedy = "Do not adjudicate by its scores (--resign never, --draw never).";
        exam.find(Fault, &what, std::slice::from_ref(line), remedy);
    }
    Ok(())
}

/// Fields of `info` lines and how many numbers follow each; `None` for those that end otherwise.
const FIELDS: [(&str, Option<usize>); 20] = [
    ("depth", Some(1)),
    ("seldepth", Some(1)),
    ("time", Some(1)),
    ("nodes", Some(1)),
    ("multipv", Some(1)),
    ("score", Some(0)),
    ("cp", Some(1)),
    ("mate", Some(1)),
    ("lowerbound", Some(0)),
    ("upperbound", Some(0)),
    ("currmovenumber", Some(1)),
    ("hashfull", Some(1)),
    ("nps", Some(1)),
    ("tbhits", Some(1)),
    ("sbhits", Some(1)),
    ("cpuload", Some(1)),
    ("wdl", Some(3)),
    ("currmove", None),
    ("pv", None),
    ("refutation", None),
];

/// The fault in the form of an `info` line, if there is one.
fn malformed(line: &str) -> Option<String> {
    let mut words = line.split_ascii_whitespace().skip(1).peekable();
    while let Some(word) = words.next() {
        if word == "string" || word == "currline" {
            return None;
        }
        let Some((_, numbers)) = FIELDS.iter().find(|(name, _)| *name == word) else {
            return Some(format!("{word:?} is no field of `info`"));
        };
        match numbers {
            Some(count) => {
                for _ in 0..*count {
                    let value = words.next().unwrap_or("nothing");
                    if value.parse::<i64>().is_err() {
                        return Some(format!("behind {word} stands {value:?}, not a whole number"));
                    }
                }
            }
            None => {
                while words.next_if(|word| FIELDS.iter().all(|(it, _)| it != word)).is_some() {}
            }
        }
    }
    None
}

/// Searches of positions from the middle of games, with all that is said of them.
fn searches(exam: &mut Exam<'_>) -> Result<Vec<Answer>, Stop> {
    exam.meet()?;
    let mut answers = Vec::new();
    for place in exam.positions().middlegames.clone() {
        exam.say("ucinewgame")?;
        answers.push(exam.search(&place, "go movetime 400", A_MOMENT)?);
    }
    Ok(answers)
}

fn info_of(line: &str) -> Option<InfoLine> {
    match Reply::parse(line) {
        Some(Reply::Info(info)) => Some(*info),
        _ => None,
    }
}

pub(super) fn info_lines(exam: &mut Exam<'_>) -> Result<(), Stop> {
    let answers = searches(exam)?;
    let mut has_score = false;
    for answer in &answers {
        has_score |= last_score(answer).is_some();
        let lines = || answer.lines.iter().filter(|line| line.starts_with("info"));
        let bad = lines().find_map(|line| malformed(line).map(|what| (what, line.clone())));
        if let Some((what, line)) = bad {
            let remedy = "Readers differ in what they make of such a line.";
            exam.find(Warning, &what, &[line], remedy);
        }
        let mut most = 0;
        for line in lines() {
            let Some(InfoLine { nodes: Some(nodes), .. }) = info_of(line) else { continue };
            if nodes < most {
                let what = format!("nodes fall from {most} to {nodes} within a search");
                let remedy = "Speeds and nodes of games are wrong in reports.";
                exam.find(Note, &what, std::slice::from_ref(line), remedy);
                break;
            }
            most = nodes;
        }
    }
    if !has_score {
        let remedy = "No game can be adjudicated by its scores, and reports show none.";
        exam.find(Warning, "it tells no score", &[], remedy);
    }
    Ok(())
}

pub(super) fn variations(exam: &mut Exam<'_>) -> Result<(), Stop> {
    for answer in searches(exam)? {
        // Every line that is shown, not only the last.
        for line in &answer.lines {
            let Some(info) = info_of(line) else { continue };
            let mut position = answer.position.clone();
            for text in &info.line {
                let Ok(mv) = position.parse_dialect(text, answer.dialect) else {
                    let what = format!("the variation has the illegal move {text}");
                    let remedy = "It costs nothing, but shows that something is taken for what it is not: \
                                  often a table's entry of another position.";
                    exam.find(Warning, &what, std::slice::from_ref(line), remedy);
                    break;
                };
                position.play(mv);
            }
        }
        let Ok(mv) = answer.read() else { continue };
        let lines = answer.lines.iter().map(String::as_str);
        let (_, odd) = judge_lines(&answer.position, mv, answer.dialect, lines);
        let played = odd.iter().find(|odd| odd.detail.starts_with("played"));
        if let Some(odd) = played {
            let remedy = "The score in games is that of another move.";
            exam.find(Warning, &odd.detail, std::slice::from_ref(&answer.line), remedy);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_of_lines_is_judged() {
        for line in [
            "info depth 1 seldepth 2 score cp -7 lowerbound nodes 3 nps 4 time 5 pv e2e4 e7e5",
            "info string anything, at all",
            "info currmove e2e4 currmovenumber 1",
            "info depth 3 score mate -2 wdl 1 2 3 hashfull 9 tbhits 0 multipv 1",
            "info",
        ] {
            assert_eq!(malformed(line), None, "{line}");
        }
        for (line, reason) in [
            ("info depth", "behind depth stands \"nothing\""),
            ("info depth x", "behind depth stands \"x\""),
            ("info dpeth 3", "\"dpeth\" is no field"),
            ("info score cp 0.3", "behind cp stands \"0.3\""),
            ("info pv e2e4 e7e5 nodes many", "behind nodes stands \"many\""),
        ] {
            let found = malformed(line).unwrap_or_default();
            assert!(found.contains(reason), "{line}: {found}");
        }
    }
}
