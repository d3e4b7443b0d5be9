//! Options of the files that are written, and of how results are shown.

use std::path::PathBuf;

use super::words::{Group, Refused};

/// The form of the results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// A block of results now and then.
    Fastchess,
    /// The score after each game.
    Cutechess,
}

/// The PGN file of a match.
#[derive(Clone, PartialEq, Debug)]
pub struct PgnSettings {
    pub file: PathBuf,
    /// Behind what is there, rather than instead of it.
    pub append: bool,
    /// Moves alone, without what engines said of them.
    pub minimal: bool,
    /// Number of the moves' notation in [`playable::Playable::notations`].
    pub notation: usize,
    /// With the selective depth of each move.
    pub selective_depth: bool,
}

/// Where the last positions of games go.
#[derive(Clone, PartialEq, Debug)]
pub struct EpdSettings {
    pub file: PathBuf,
    /// Behind what is there, rather than instead of it.
    pub append: bool,
}

/// Where the run's course is written down.
#[derive(Clone, PartialEq, Debug)]
pub struct LogSettings {
    pub file: PathBuf,
    /// Behind what is there, rather than instead of it.
    pub append: bool,
    /// Not the lines of each game, but what went wrong alone.
    pub only_troubles: bool,
    /// All lines of the engines, too.
    pub engine_lines: bool,
}

/// `-pgnout`. A note tells of each detail that is not written.
///
/// # Errors
/// A word that makes no sense.
pub fn pgn(group: &mut Group, notes: &mut Vec<String>) -> Result<PgnSettings, Refused> {
    let file = group.need("file")?.into();
    let notation = match group.take("notation").as_deref() {
        None | Some("san") => 0,
        Some("uci") => 1,
        Some("lan") => {
            notes.push("-pgnout notation=lan: moves are written as san".to_owned());
            0
        }
        Some(other) => {
            return Err(group.wrong(&format!("notation={other}"), "san, lan or uci is expected"));
        }
    };
    let append = appends(group)?;
    let minimal = group.flag("min")?;
    // These are written in any case, or follow from what is.
    group.flag("nodes")?;
    let selective_depth = group.flag("seldepth")?;
    for missing in ["nps", "hashfull", "tbhits", "pv", "timeleft", "latency"] {
        if group.flag(missing)? {
            notes.push(format!("-pgnout {missing}=true: games are written without it"));
        }
    }
    for pattern in group.take_repeated("match_line") {
        notes.push(format!("-pgnout match_line={pattern}: games are written without such lines"));
    }
    Ok(PgnSettings { file, append, minimal, notation, selective_depth })
}

/// `-report`.
///
/// # Errors
/// A word that makes no sense.
pub fn check_report(group: &mut Group, notes: &mut Vec<String>) -> Result<(), Refused> {
    if !group.flag("penta")? {
        notes.push("-report penta=false: pairs are the unit of all figures".to_owned());
    }
    Ok(())
}

/// `-output`.
///
/// # Errors
/// It is none of the two.
pub fn style(group: &mut Group) -> Result<Style, Refused> {
    match group.need("format")?.as_str() {
        "fastchess" => Ok(Style::Fastchess),
        "cutechess" => Ok(Style::Cutechess),
        other => Err(group.wrong(&format!("format={other}"), "fastchess or cutechess is expected")),
    }
}

/// `-config`: a match that was begun before cannot be gone on with, and none is kept.
///
/// # Errors
/// It asks for a match to go on with.
pub fn check_config(group: &mut Group) -> Result<(), Refused> {
    group.take("outname");
    group.take("stats");
    let is_discarded = group.flag("discard")?;
    match group.take("file").filter(|_| !is_discarded) {
        None => Ok(()),
        Some(file) => {
            let reason = "what can be resumed is `sprt run`; here it is -config discard=true";
            Err(group.wrong(&format!("file={file}"), reason))
        }
    }
}

/// `-epdout`.
///
/// # Errors
/// A word that makes no sense.
pub fn epd(group: &mut Group) -> Result<EpdSettings, Refused> {
    Ok(EpdSettings { file: group.need("file")?.into(), append: appends(group)? })
}

/// Whether a file is written on, which it is unless that is denied.
fn appends(group: &mut Group) -> Result<bool, Refused> {
    match group.take("append").as_deref() {
        None | Some("true") => Ok(true),
        Some("false") => Ok(false),
        Some(other) => Err(group.wrong(other, "append=true or append=false is expected")),
    }
}

/// `-log`.
///
/// # Errors
/// A word that makes no sense.
pub fn log(group: &mut Group, notes: &mut Vec<String>) -> Result<LogSettings, Refused> {
    let file = group.need("file")?.into();
    let only_troubles = match group.take("level").as_deref() {
        None | Some("warn" | "err" | "fatal") => true,
        Some("info" | "trace") => false,
        Some(other) => {
            let reason = "trace, info, warn, err or fatal is expected";
            return Err(group.wrong(&format!("level={other}"), reason));
        }
    };
    let engine_lines = group.flag("engine")?;
    if group.flag("compress")? {
        notes.push("-log compress=true: the file is written as plain text".to_owned());
    }
    // Lines are written at once in any case.
    group.take("realtime");
    Ok(LogSettings { file, append: group.flag("append")?, only_troubles, engine_lines })
}
