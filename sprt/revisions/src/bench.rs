//! The bench of an engine: a fixed search whose node count is the signature of how it plays.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use system::files::folder_of;
use system::shell;
use thiserror::Error;

use super::process::{self, Control, Halt, ProcessError};

/// A bench that takes longer has hung.
const LONGEST: Duration = Duration::from_secs(600);

/// Lines of a failed bench that are shown.
const LINES_SHOWN: usize = 10;

/// How engines print their node count (`#`), the clearest form first; of each the last one in the
/// output counts, since counts by position come before the sum.
const PATTERNS: [&str; 5] = [
    r"(?im)\bnodes searched\s*[:=]\s*(#)",
    r"(?im)\b(#)\s+nodes\s+#\s+nps\b",
    r"(?im)\bbench\s*[:=]\s*(#)",
    r"(?im)\bnodes\s*[:=]\s*(#)",
    r"(?im)\b(#)\s+nodes\b",
];

/// Characters between groups of three digits, beside blanks.
const SEPARATORS: [char; 8] = [',', '.', '\'', '\u{2019}', '_', '\u{a0}', '\u{2009}', '\u{202f}'];

/// How an engine is asked for its bench.
#[derive(Clone, Debug)]
pub struct BenchSettings {
    /// Command for the shell; `{engine}` stands for the binary.
    pub command: String,
    /// Finds the node count in the output, as its first group; `None` for the usual forms.
    pub pattern: Option<Regex>,
}

impl BenchSettings {
    /// The command if none is given.
    pub const COMMAND: &'static str = "{engine} bench";

    /// A text that tells these settings from others.
    pub fn key(&self) -> String {
        let pattern = self.pattern.as_ref().map_or("", Regex::as_str);
        format!("{} {pattern}", self.command)
    }
}

/// What a bench came to.
#[derive(Clone, Copy, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bench {
    /// Nodes searched: the signature of how it plays.
    pub nodes: u64,
    /// Time it took: of the processor in user mode where the system tells it, else from start to
    /// end (seconds).
    #[schemars(range(min = 0))]
    pub seconds: f64,
    /// True if `seconds` is time of the processor.
    pub processor_time: bool,
}

impl Bench {
    /// Equal benches of fewer nodes than this do not show that two programs play alike: most of their
    /// code was not reached.
    pub const LEAST_NODES: u64 = 10_000;

    /// True if an equal bench shows that another program plays alike.
    pub fn shows_how_it_plays(&self) -> bool {
        self.nodes >= Bench::LEAST_NODES
    }

    /// Nodes per second of the time taken.
    pub fn speed(&self) -> f64 {
        self.nodes as f64 / self.seconds.max(1e-6)
    }
}

/// Why there is no signature.
#[derive(Debug, Error)]
pub enum BenchError {
    /// It cannot be run, or not to its end.
    #[error("the bench of {revision}: {error}")]
    Process {
        /// Name of the revision whose bench it is.
        revision: String,
        /// The reason, or who ended it.
        error: ProcessError,
    },
    /// It ends with an error.
    #[error("the bench of {revision} failed ({status}): {output}")]
    Failed {
        /// Name of the revision whose bench it is.
        revision: String,
        /// Exit status or signal, in words.
        status: String,
        /// The last lines of what it said.
        output: String,
    },
    /// It prints no node count.
    #[error(
        "the bench of {revision} prints no node count that is understood; name a --bench-pattern, \
         for an engine without a bench a --bench-command, or play games without one by \
         --no-bench. It ends with: {output}"
    )]
    NoCount {
        /// Name of the revision whose bench it is.
        revision: String,
        /// The last lines of what it said.
        output: String,
    },
    /// The bench searches no nodes.
    #[error(
        "the bench of {revision} counts 0 nodes, which is no bench: it must search some positions to a \
         fixed depth, {} nodes or more in all; name a --bench-command that does, or play games \
         without one by --no-bench. It ends with: {output}",
        Bench::LEAST_NODES
    )]
    Empty {
        /// Name of the revision whose bench it is.
        revision: String,
        /// The last lines of what it said.
        output: String,
    },
    /// It counts differently each time.
    #[error(
        "the bench of {revision} is not deterministic: it counted {first} nodes and then {second}, \
         which says nothing about the change; let it use one thread, or play games without it by \
         --no-bench"
    )]
    Unsteady {
        /// Name of the revision whose bench it is.
        revision: String,
        /// Nodes of the first bench.
        first: u64,
        /// Nodes that a later bench counted.
        second: u64,
    },
    /// The timed search is not the same for both.
    #[error(
        "the timed search counts {base} nodes for the base and {candidate} for the candidate, but \
         times compare only for the same search: name another --speed-command"
    )]
    Unlike {
        /// Nodes of the timed search of the base.
        base: u64,
        /// Nodes of the timed search of the candidate.
        candidate: u64,
    },
}

impl BenchError {
    /// The user or the budget, if either ended the bench.
    pub fn halt(&self) -> Option<Halt> {
        match self {
            BenchError::Process { error: ProcessError::Halted(halt), .. } => Some(*halt),
            _ => None,
        }
    }
}

/// Runs the bench of a revision's program once.
///
/// # Errors
/// See [`BenchError`].
pub fn bench(
    revision: &str,
    program: &Path,
    settings: &BenchSettings,
    control: &Control,
) -> Result<Bench, BenchError> {
    let revision = || revision.to_owned();
    let mut command = Command::new("sh");
    let quoted = shell::join([&*program.to_string_lossy()]);
    command.arg("-c").arg(settings.command.replace("{engine}", &quoted));
    command.current_dir(folder_of(program));
    let finished = process::run(&mut command, Some(LONGEST), control)
        .map_err(|error| BenchError::Process { revision: revision(), error })?;
    let output = finished.last_lines(LINES_SHOWN);
    if !finished.status.success() {
        let status = finished.status.to_string();
        return Err(BenchError::Failed { revision: revision(), status, output });
    }
    let nodes = node_count(&finished.output, settings.pattern.as_ref())
        .or_else(|| node_count(&finished.errors, settings.pattern.as_ref()))
        .ok_or_else(|| BenchError::NoCount { revision: revision(), output: output.clone() })?;
    if nodes == 0 {
        return Err(BenchError::Empty { revision: revision(), output });
    }
    // Of a few milliseconds the system's accounting says nothing.
    let processor_time = finished.processor >= Duration::from_millis(20);
    let time = if processor_time { finished.processor } else { finished.elapsed };
    Ok(Bench { nodes, seconds: time.as_secs_f64(), processor_time })
}

/// The node count in a bench's output.
fn node_count(text: &str, pattern: Option<&Regex>) -> Option<u64> {
    match pattern {
        Some(pattern) => number(pattern.captures_iter(text).last()?.get(1)?.as_str()),
        None => PATTERNS.iter().find_map(|pattern| usual_count(text, pattern)).flatten(),
    }
}

/// The number where one of the usual forms stands last: `None` if it does nowhere, `Some(None)` if
/// what stands there is but a part of something, which would tell no two versions apart.
fn usual_count(text: &str, pattern: &str) -> Option<Option<u64>> {
    let pattern = Regex::new(&pattern.replace('#', &count())).expect("the patterns are fixed");
    let found = pattern.captures_iter(text).last()?.get(1)?;
    // Many digits are a count, whatever list they stand in.
    let is_long = found.len() > 3 && found.as_str().bytes().all(|sign| sign.is_ascii_digit());
    let goes_on = |signs: [Option<char>; 2]| match signs {
        [Some(sign), Some(next)] if SEPARATORS.contains(&sign) => next.is_ascii_digit() && !is_long,
        [Some(sign), _] => sign.is_alphanumeric(),
        [None, _] => false,
    };
    let mut before = text[..found.start()].chars().rev();
    let mut after = text[found.end()..].chars();
    let is_part = goes_on([before.next(), before.next()]) || goes_on([after.next(), after.next()]);
    Some(number(found.as_str()).filter(|_| !is_part))
}

/// A count as a regular expression: digits, or groups of three with the same sign between them, with
/// blanks if there are two such groups at least.
fn count() -> String {
    let grouped =
        |sign: &char| format!("[0-9]{{1,3}}(?:{}[0-9]{{3}})+|", regex::escape(&sign.to_string()));
    let grouped: String = SEPARATORS.iter().map(grouped).collect();
    format!("(?:{grouped}[0-9]{{1,3}}(?: [0-9]{{3}}){{2,}}|[0-9]+)")
}

/// A count, which may stand in groups.
fn number(text: &str) -> Option<u64> {
    let is_count = Regex::new(&format!("^{}$", count())).expect("it is fixed");
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    is_count.is_match(text).then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_counts_are_found_in_the_usual_forms() {
        let rows = [
            ("info depth 5 nodes 77\n4299008 nodes 1459224 nps\n", Some(4_299_008)),
            ("Total time (ms) : 12\nNodes searched  : 1094654\nNodes/second : 9\n", Some(1094654)),
            ("position 1: 100 nodes\nposition 2: 200 nodes\nBench: 300", Some(300)),
            ("Time  : 1 ms\nNodes : 5150000\nNPS   : 12\n", Some(5_150_000)),
            ("1234 nodes", Some(1234)),
            ("BENCH 77", None),
            ("Nodes searched: 99999999999999999999999", None),
            ("Nodes searched  : 1,234,567\n", Some(1_234_567)),
            ("1'234'567 nodes 999 nps", Some(1_234_567)),
            ("Bench: 1\u{202f}234\u{202f}567", Some(1_234_567)),
            ("Nodes: 1.234.567.", Some(1_234_567)),
            ("1 234 567 nodes 1 234 nps", Some(1_234_567)),
            ("depth 5 123 nodes 456 nps", Some(123)),
            ("nodes: 1\u{2019}234\u{2019}567", Some(1_234_567)),
            ("Bench: 4299008,1459224", Some(4_299_008)),
            ("Nodes: 4299008.0", Some(4_299_008)),
            ("4299008.0 nodes", None),
            ("12,34,567 nodes", None),
            ("nodes: 7, depth: 3", Some(7)),
            ("Nodes searched: 1.5e6\n20 nodes", None),
            ("Nodes searched: 12M", None),
            ("Bench: 12ab34", None),
            ("nodes: 1,2345", None),
            ("", None),
        ];
        for (text, expected) in rows {
            assert_eq!(node_count(text, None), expected, "{text}");
        }
        let pattern = Regex::new(r"signature (\d+)").expect("a pattern");
        assert_eq!(node_count("signature 5\n7 nodes", Some(&pattern)), Some(5));
        let pattern = Regex::new(r"signature ([0-9,]+)").expect("a pattern");
        assert_eq!(node_count("signature 5,000 nodes", Some(&pattern)), Some(5_000));
        // The named number is taken, whatever stands beside it.
        let pattern = Regex::new("^([0-9]+),").expect("a pattern");
        assert_eq!(node_count("42,7", Some(&pattern)), Some(42));
        // Without a group there is nothing to take.
        let pattern = Regex::new("signature").expect("a pattern");
        assert_eq!(node_count("signature 5", Some(&pattern)), None);
    }
}
