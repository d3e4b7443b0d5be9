//! Single options of a command line of fastchess, by their words.

use std::path::PathBuf;

use matches::openings::{OpeningOrder, OpeningSettings};
use matches::playing::{DrawRule, ResignRule};
use matches::tournament::Format;
use statistics::{Hypotheses, Model};

use super::dialect::Program;
use super::names::{KNOWN, REFUSED};
use super::words::{Group, Refused};

/// Why an option is not taken.
pub fn unknown(name: &str) -> Refused {
    // With two dashes as with one.
    let plain = format!("-{}", name.trim_start_matches('-'));
    if let Some((_, instead)) = REFUSED.iter().find(|(refused, _)| *refused == plain) {
        return Refused(format!("{name} is not taken: {instead}"));
    }
    let near = |known: &&&str| strsim::normalized_damerau_levenshtein(known, &plain) > 0.6;
    let meant = KNOWN.iter().find(near).map(|known| format!(", did you mean {known}?"));
    Refused(format!("there is no option {name}{}", meant.unwrap_or_default()))
}

/// Games at once: a number or, from 0 downwards, how many fewer than there are cores.
pub fn threads(group: &mut Group) -> Result<usize, Refused> {
    let number: i64 = group.value(-1024..=1024)?;
    if number > 0 {
        return Ok(number as usize);
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as i64;
    Ok((cores + number).max(1) as usize)
}

/// Folders as this system lists them, or between semicolons.
pub fn folders(list: &str) -> Vec<PathBuf> {
    if list.contains(';') {
        return list.split(';').filter(|folder| !folder.is_empty()).map(PathBuf::from).collect();
    }
    std::env::split_paths(list).collect()
}

/// `-repeat`, `-repeat 2`.
pub fn is_repeated(group: &mut Group) -> Result<bool, Refused> {
    match group.take_word() {
        None => Ok(true),
        Some(word) if word == "2" => Ok(true),
        Some(word) => {
            Err(group.wrong(&word, "a round is an opening with both colors, which is two games"))
        }
    }
}

pub fn format(group: &mut Group) -> Result<Format, Refused> {
    match group.need_word()?.as_str() {
        "roundrobin" | "round-robin" => Ok(Format::RoundRobin),
        "gauntlet" => Ok(Format::Gauntlet { seeds: 1 }),
        other => Err(group.wrong(other, "roundrobin or gauntlet is expected")),
    }
}

pub fn openings(group: &mut Group, settings: &mut OpeningSettings) -> Result<PathBuf, Refused> {
    let file = group.need("file")?.into();
    // Books are told apart by their contents.
    if let Some(other) = group.take("format").filter(|it| !matches!(it.as_str(), "epd" | "pgn")) {
        return Err(group.wrong(&format!("format={other}"), "epd or pgn is expected"));
    }
    settings.order = match group.take("order").as_deref() {
        None | Some("sequential") => OpeningOrder::Sequential,
        Some("random") => OpeningOrder::Random,
        Some(other) => {
            return Err(group.wrong(&format!("order={other}"), "sequential or random is expected"));
        }
    };
    settings.plies = group.number("plies", 0..=10_000)?;
    // Of two engines these three are alike.
    let is_usual = |policy: &str| matches!(policy, "round" | "default" | "encounter");
    if let Some(other) = group.take("policy").filter(|policy| !is_usual(policy)) {
        let reason = "a round has an opening of its own, which is policy=round";
        return Err(group.wrong(&format!("policy={other}"), reason));
    }
    settings.start = group.number("start", 1..=1_000_000_000_000)?.unwrap_or(1);
    Ok(file)
}

pub fn hypotheses(group: &mut Group, program: Program) -> Result<Hypotheses, Refused> {
    let elo = -Hypotheses::MOST_ELO..=Hypotheses::MOST_ELO;
    let error = Hypotheses::LEAST_ERROR..=Hypotheses::MOST_ERRORS;
    let (usual_model, usual_elo1) = program.test();
    let model = match group.take("model").as_deref() {
        None => usual_model,
        Some("normalized") => Model::Normalized,
        Some("logistic") => Model::Logistic,
        Some("bayesian") => Model::Bayes,
        Some(other) => {
            let expected = "normalized, logistic or bayesian is expected";
            return Err(group.wrong(&format!("model={other}"), expected));
        }
    };
    let usual = Hypotheses::default();
    let hypotheses = Hypotheses {
        model,
        elo0: group.number("elo0", elo.clone())?.unwrap_or(0.0),
        elo1: group.number("elo1", elo)?.unwrap_or(usual_elo1),
        alpha: group.number("alpha", error.clone())?.unwrap_or(usual.alpha),
        beta: group.number("beta", error)?.unwrap_or(usual.beta),
    };
    hypotheses.validate().map_err(|error| Refused(format!("-sprt: {error}")))?;
    Ok(hypotheses)
}

pub fn resign(group: &mut Group) -> Result<ResignRule, Refused> {
    Ok(ResignRule {
        moves: group.number("movecount", 1..=100_000)?.unwrap_or(1),
        score: group.number("score", 1..=100_000)?.ok_or_else(|| missing(group, "score"))?,
        two_sided: group.flag("twosided")?,
    })
}

pub fn draw(group: &mut Group) -> Result<DrawRule, Refused> {
    Ok(DrawRule {
        after_moves: group.number("movenumber", 0..=100_000)?.unwrap_or(0),
        moves: group.number("movecount", 1..=100_000)?.unwrap_or(1),
        score: group.number("score", 0..=100_000)?.unwrap_or(0),
    })
}

fn missing(group: &Group, key: &str) -> Refused {
    Refused(format!("{} {key}= is missing", group.name))
}

pub fn adjudicate(group: &mut Group) -> Result<(), Refused> {
    match group.need_word()?.as_str() {
        "BOTH" => Ok(()),
        other => Err(group.wrong(other, "tables end won and drawn games alike: BOTH")),
    }
}

pub fn is_chess960(group: &mut Group) -> Result<bool, Refused> {
    match group.need_word()?.as_str() {
        "standard" => Ok(false),
        "fischerandom" => Ok(true),
        other => Err(group.wrong(other, "standard or fischerandom is expected")),
    }
}

/// The words of a name.
pub fn rest(group: &mut Group) -> String {
    std::iter::from_fn(|| group.take_word()).collect::<Vec<_>>().join(" ")
}
