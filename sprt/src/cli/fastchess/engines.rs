//! The engines of a command line.

use std::path::{Path, PathBuf};

use matches::game::{MoveLimits, milliseconds};
use matches::player::{Contestant, Source, UciEngine};

use super::names::REFUSED_OF_ENGINES;
use super::words::{Group, Refused};
use crate::cli::bounds;

/// How long engines may take to start and to answer (milliseconds).
#[derive(Clone, Copy, Debug)]
pub struct Waits {
    /// Until `uciok` and the first `readyok`.
    pub start: u64,
    /// Time until any later `readyok`.
    pub reply: u64,
}

/// Reads an engine, which has the words of all engines already. A note tells of words without
/// effect.
///
/// # Errors
/// A word that is not known or makes no sense; no limit.
pub fn engine(
    mut group: Group,
    waits: Waits,
    notes: &mut Vec<String>,
) -> Result<Contestant, Refused> {
    for (word, reason) in REFUSED_OF_ENGINES {
        if let Some(value) = group.take(word) {
            return Err(group.wrong(&format!("{word}={value}"), reason));
        }
        if group.take_this(word) {
            return Err(group.wrong(word, reason));
        }
    }
    let command = group.need("cmd")?;
    let folder = group.take("dir").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let name = group.take("name").unwrap_or_else(|| command.clone());
    if name.is_empty() || name.contains(foreign::is_sign) {
        return Err(group.wrong(&format!("name={name}"), "a name has letters"));
    }
    if let Some(protocol) = group.take("proto").filter(|it| it != "uci") {
        return Err(group.wrong(&format!("proto={protocol}"), "engines are spoken to by UCI"));
    }
    let mut engine = UciEngine::new(program(&command, folder.as_deref()));
    engine.restart = match group.take("restart").as_deref() {
        None | Some("off" | "auto") => false,
        Some("on") => true,
        Some(other) => {
            return Err(group.wrong(&format!("restart={other}"), "on, off or auto is expected"));
        }
    };
    if let Some(file) = group.take("stderr") {
        notes.push(format!(
            "{name}: stderr={file}: not written; -log file=FILE engine=true has these lines, too"
        ));
    }
    let arguments = group.take("args").unwrap_or_default();
    engine.arguments = shlex::split(&arguments)
        .ok_or_else(|| group.wrong(&format!("args={arguments}"), "a quote is not closed"))?;
    engine.arguments.extend(group.take_repeated("arg"));
    engine.folder = folder;
    engine.options = group.take_all("option.").into_iter().collect();
    (engine.start_timeout, engine.reply_timeout) = (waits.start, waits.reply);
    engine.ponder = group.flag("ponder")?;
    if let Some(text) = group.take("timeout") {
        let wrong = |reason: String| group.wrong(&format!("timeout={text}"), &reason);
        let wait = milliseconds(&text).map_err(wrong)?;
        (engine.start_timeout, engine.reply_timeout) = (wait, wait);
    }
    let limits = limits(&mut group)?;
    if limits.is_unlimited() {
        return Err(Refused(format!(
            "{name}: how long may it think? give tc=, st=, nodes= or plies="
        )));
    }
    group.end()?;
    Ok(Contestant { name, source: Source::Uci(engine), limits, hash: None })
}

fn limits(group: &mut Group) -> Result<MoveLimits, Refused> {
    let mut limits = MoveLimits { margin: 0, ..MoveLimits::default() };
    if let Some(text) = group.take("tc").filter(|it| !matches!(it.as_str(), "inf" | "infinite")) {
        let wrong = |reason: String| group.wrong(&format!("tc={text}"), &reason);
        limits.clock = Some(plain_control(&text).parse().map_err(wrong)?);
    }
    if let Some(text) = group.take("st") {
        let wrong = |reason: String| group.wrong(&format!("st={text}"), &reason);
        limits.move_time = Some(milliseconds(without_unit(&text)).map_err(wrong)?);
    }
    limits.nodes = group.number("nodes", bounds::NODES)?;
    limits.depth = group.number("plies", 1..=100)?;
    limits.margin = group.number("timemargin", bounds::WAIT)?.unwrap_or(0);
    Ok(limits)
}

/// A time control without what says nothing: `inf/` and `0/` for all moves, an `s` behind seconds.
fn plain_control(text: &str) -> String {
    let all_moves = ["inf/", "infinite/", "0/"];
    let behind = all_moves.iter().find_map(|prefix| text.strip_prefix(prefix)).unwrap_or(text);
    behind.split('+').map(without_unit).collect::<Vec<_>>().join("+")
}

/// A number of seconds without its unit.
fn without_unit(text: &str) -> &str {
    let is_number = |number: &&str| number.ends_with(|last: char| last.is_ascii_digit());
    text.strip_suffix('s').filter(is_number).unwrap_or(text)
}

/// The program of a command that is looked up where the engine runs; a bare name that is not there
/// is one of `PATH`.
fn program(command: &str, folder: Option<&Path>) -> PathBuf {
    let Some(folder) = folder else { return PathBuf::from(command) };
    let there = folder.join(command);
    let is_bare = Path::new(command).components().count() == 1;
    if is_bare && !there.is_file() { PathBuf::from(command) } else { there }
}
