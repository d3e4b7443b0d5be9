//! How long a player may think about a move: nodes, depth, time for the move, or a clock.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Time that a reply may be late before the move loses on time, unless the user says otherwise: the
/// pipe and the scheduler take their share.
pub const DEFAULT_MARGIN: u64 = 20;

/// How long a player may think about a move. Whatever is reached first ends the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveLimits {
    /// Nodes a move may take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub nodes: Option<u64>,
    /// Depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub depth: Option<u32>,
    /// Time for each move (milliseconds).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub move_time: Option<u64>,
    /// A clock for the game: `[MOVES/]TIME[+INCREMENT]` in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
    /// A move that is late by up to this does not lose (milliseconds; 20 if missing).
    #[serde(default = "default_margin", skip_serializing_if = "is_default_margin")]
    pub margin: u64,
}

fn default_margin() -> u64 {
    DEFAULT_MARGIN
}

fn is_default_margin(margin: &u64) -> bool {
    *margin == DEFAULT_MARGIN
}

impl Default for MoveLimits {
    /// Nothing limits a move; clocks that run out are forgiven the usual margin.
    fn default() -> MoveLimits {
        MoveLimits {
            nodes: None,
            depth: None,
            move_time: None,
            clock: None,
            margin: DEFAULT_MARGIN,
        }
    }
}

impl MoveLimits {
    /// A limit of nodes only.
    pub fn nodes(nodes: u64) -> MoveLimits {
        MoveLimits { nodes: Some(nodes), ..MoveLimits::default() }
    }

    /// A limit of depth only.
    pub fn depth(depth: u32) -> MoveLimits {
        MoveLimits { depth: Some(depth), ..MoveLimits::default() }
    }

    /// True if time decides anything, so that games cannot be repeated exactly.
    pub fn is_timed(&self) -> bool {
        self.move_time.is_some() || self.clock.is_some()
    }

    /// True if nothing would ever end a search.
    pub fn is_unlimited(&self) -> bool {
        self.nodes.is_none() && self.depth.is_none() && !self.is_timed()
    }
}

impl fmt::Display for MoveLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(nodes) = self.nodes {
            parts.push(format!("{nodes} nodes"));
        }
        if let Some(depth) = self.depth {
            parts.push(format!("depth {depth}"));
        }
        if let Some(time) = self.move_time {
            parts.push(format!("{time} ms a move"));
        }
        if let Some(clock) = self.clock {
            parts.push(clock.to_string());
        }
        if parts.is_empty() { f.write_str("no limit") } else { f.write_str(&parts.join(", ")) }
    }
}

/// Reads a time in seconds as milliseconds.
///
/// # Errors
/// A text that says what is expected.
pub fn milliseconds(text: &str) -> Result<u64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.001..=1e7).contains(seconds));
    let wrong = || "a time in seconds from 0.001 to 10000000 is expected, as in 0.1".to_owned();
    seconds.map(|seconds: f64| (seconds * 1000.0).ceil() as u64).ok_or_else(wrong)
}

/// A clock: time for a number of moves or for the whole game, and an increment after each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeControl {
    /// Moves after which the time is given again; `None` if it is for the whole game.
    pub moves: Option<u32>,
    /// Time (milliseconds).
    pub time: u64,
    /// Added after each move (milliseconds).
    pub increment: u64,
}

impl TimeControl {
    /// The most moves that a time can be for.
    const MOST_MOVES: u32 = 10_000;
    /// The longest time that is accepted (milliseconds): a hundred days.
    const LONGEST: f64 = 100.0 * 86_400_000.0;
}

impl FromStr for TimeControl {
    type Err = String;

    /// Reads `moves/time+increment`; moves and increment may be missing, times are in seconds or
    /// `minutes:seconds`.
    fn from_str(text: &str) -> Result<TimeControl, String> {
        let wrong = || {
            format!(
                "time control {text:?} is not [MOVES/]TIME[+INCREMENT] in seconds, as 40/60+0.6"
            )
        };
        let milliseconds = |text: &str| {
            let (minutes, seconds) = text.split_once(':').unwrap_or(("0", text));
            let minutes: u32 = minutes.trim().parse().ok()?;
            let seconds: f64 = seconds.trim().parse().ok()?;
            let time = (60.0 * f64::from(minutes) + seconds) * 1000.0;
            (0.0..=TimeControl::LONGEST).contains(&time).then(|| time.round() as u64)
        };
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                let moves = moves.trim().parse().ok();
                let moves = moves.filter(|moves| (1..=TimeControl::MOST_MOVES).contains(moves));
                (Some(moves.ok_or_else(wrong)?), rest)
            }
            None => (None, text),
        };
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let time = milliseconds(time).ok_or_else(wrong)?;
        let increment = milliseconds(increment).ok_or_else(wrong)?;
        if time + increment == 0 {
            return Err(wrong());
        }
        Ok(TimeControl { moves, time, increment })
    }
}

impl TryFrom<String> for TimeControl {
    type Error = String;

    fn try_from(text: String) -> Result<TimeControl, String> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(clock: TimeControl) -> String {
        clock.to_string()
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.time as f64 / 1000.0)?;
        if self.increment > 0 {
            write!(f, "+{}", self.increment as f64 / 1000.0)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_and_written() {
        let clock = |moves, time, increment| TimeControl { moves, time, increment };
        let rows = [
            ("8+0.08", clock(None, 8000, 80), "8+0.08"),
            ("40/60", clock(Some(40), 60_000, 0), "40/60"),
            ("40/1:30+0.6", clock(Some(40), 90_000, 600), "40/90+0.6"),
            ("0+0.1", clock(None, 0, 100), "0+0.1"),
        ];
        for (text, expected, written) in rows {
            let read: TimeControl = text.parse().expect("a time control");
            assert_eq!(read, expected);
            assert_eq!(read.to_string(), written);
        }
        for text in ["", "x", "0", "0/5", "-1", "5+", "5+-1", "1e300", "NaN", "1:2:3"] {
            let error = text.parse::<TimeControl>().expect_err("no time control");
            assert!(error.contains(text) && error.contains("40/60+0.6"), "{error}");
        }
    }
}
