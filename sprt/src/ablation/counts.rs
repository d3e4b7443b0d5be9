//! Searches beside the games: nodes to a depth over the bench positions, and positions of a suite
//! that are solved.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::Ordering;

use playable::{Control, Game, Limits, Move, Numbers, Position};
use system::files::read_text;

use super::error::{AblationError, SuiteError};
use super::settings::Settings;

/// The row of the file as it is.
pub(super) const AS_IT_IS: &str = "as it is";
/// File of the counts, in the folder of the comparison.
pub(super) const COUNTS: &str = "counts.csv";
/// Megabytes of the transposition table, for each position anew.
const HASH: usize = 16;
/// First line of the file of counts.
const HEAD: &str = "name,nodes,is_capped,solved";

/// Counts of one set of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Counts {
    /// Nodes over all bench positions; 0 if none was asked for.
    pub nodes: u64,
    /// A position was given up at the most nodes allowed: all of them needed more.
    pub is_capped: bool,
    /// Positions of the suite that were solved, if there is one.
    pub solved: Option<usize>,
}

/// A position and the moves that solve it, or those that do not.
#[derive(Clone, Debug)]
struct Problem {
    position: Position,
    moves: Vec<Move>,
    /// The moves are those to avoid.
    avoid: bool,
}

/// Positions with known best moves.
#[derive(Clone, Debug)]
pub struct Suite {
    problems: Vec<Problem>,
    nodes: u64,
}

impl Suite {
    /// Reads positions in EPD with best moves (`bm`) or moves to avoid (`am`), each to be searched
    /// with so many nodes.
    ///
    /// # Errors
    /// The file cannot be read, a line makes no sense, or there is none.
    pub fn read(game: Game, path: &Path, nodes: u64) -> Result<Suite, SuiteError> {
        let text = read_text(path)?;
        let mut problems = Vec::new();
        let error = |line, reason| SuiteError::Line { path: path.to_path_buf(), line, reason };
        for (index, line) in text.lines().enumerate() {
            if !line.trim().is_empty() {
                problems.push(problem(game, line).map_err(|reason| error(index + 1, reason))?);
            }
        }
        if problems.is_empty() {
            return Err(error(1, "there is no position".to_owned()));
        }
        Ok(Suite { problems, nodes })
    }

    /// How many positions there are.
    #[expect(clippy::len_without_is_empty, reason = "no suite is empty")]
    pub fn len(&self) -> usize {
        self.problems.len()
    }
}

/// The problem in a line of EPD.
fn problem(game: Game, line: &str) -> Result<Problem, String> {
    let (fen, operations) = game.split_operations(line);
    let position = game.position(fen).map_err(|error| error.to_string())?;
    for operation in operations.split(';') {
        let mut words = operation.split_whitespace();
        let avoid = match words.next() {
            Some("bm") => false,
            Some("am") => true,
            _ => continue,
        };
        let read = |text: &str| {
            position.parse_san(text).map_err(|error| format!("the move {text:?}: {error}"))
        };
        let moves: Vec<Move> = words.map(read).collect::<Result<_, _>>()?;
        if !moves.is_empty() {
            return Ok(Problem { position, moves, avoid });
        }
    }
    Err("there is no best move".to_owned())
}

/// Counts what these numbers need and solve; nothing if it was stopped.
pub(super) fn count(
    numbers: &Numbers,
    settings: &Settings,
    suite: Option<&Suite>,
    is_stopped: &dyn Fn() -> bool,
) -> Option<Counts> {
    let mut engine = numbers.engine(HASH);
    let mut found = Counts { nodes: 0, is_capped: false, solved: suite.map(|_| 0) };
    let mut ask = |position: &Position, limits: &Limits| {
        let control = Control::new();
        engine.new_game();
        let outcome = engine.search(position, limits, &control, &mut |_| {
            control.stop.fetch_or(is_stopped(), Ordering::Relaxed);
        });
        (!is_stopped()).then_some(outcome)
    };
    if settings.bench_depth > 0 {
        let limits =
            Limits { depth: Some(settings.bench_depth), ..Limits::nodes(settings.bench_nodes) };
        for (_, position) in numbers.game().bench_positions() {
            let outcome = ask(&position, &limits)?;
            found.nodes += outcome.nodes;
            found.is_capped |= outcome.nodes >= settings.bench_nodes;
        }
    }
    if let Some(suite) = suite {
        let limits = Limits::nodes(suite.nodes);
        let mut solved = 0;
        for problem in &suite.problems {
            let best = ask(&problem.position, &limits)?.best;
            solved += usize::from(problem.moves.contains(&best) != problem.avoid);
        }
        found.solved = Some(solved);
    }
    Some(found)
}

/// Counts of a folder so far, by name.
pub(super) fn read(folder: &Path) -> Result<BTreeMap<String, Counts>, AblationError> {
    let path = folder.join(COUNTS);
    if !path.exists() {
        return Ok(BTreeMap::new());
    }
    let text = read_text(&path)?;
    let error = |line, reason: &str| AblationError::Damaged {
        path: path.clone(),
        line,
        reason: reason.to_owned(),
    };
    let mut lines = text.lines().zip(1..);
    if lines.next().map(|(line, _)| line) != Some(HEAD) {
        return Err(error(1, "not the head of a table of counts"));
    }
    let mut known = BTreeMap::new();
    for (line, number) in lines {
        let row = parse(line).ok_or_else(|| error(number, "not a row of a table of counts"))?;
        known.insert(row.0, row.1);
    }
    Ok(known)
}

fn parse(line: &str) -> Option<(String, Counts)> {
    let fields: Vec<&str> = line.split(',').collect();
    let &[name, nodes, is_capped, solved] = &fields[..] else { return None };
    let solved = match solved {
        "" => None,
        text => Some(text.parse().ok()?),
    };
    let counts = Counts { nodes: nodes.parse().ok()?, is_capped: is_capped.parse().ok()?, solved };
    Some((name.to_owned(), counts))
}

/// The counts so far, as [`read`] takes them.
pub(super) fn csv(known: &BTreeMap<String, Counts>) -> String {
    let mut text = format!("{HEAD}\n");
    for (name, counts) in known {
        let solved = counts.solved.map_or_else(String::new, |solved| solved.to_string());
        let Counts { nodes, is_capped, .. } = counts;
        writeln!(text, "{name},{nodes},{is_capped},{solved}").expect("strings take all");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let counts = |nodes, is_capped, solved| Counts { nodes, is_capped, solved };
        let known = BTreeMap::from([
            (AS_IT_IS.to_owned(), counts(12, false, None)),
            ("mtd.bisects".to_owned(), counts(34, true, Some(5))),
        ]);
        std::fs::write(folder.path().join(COUNTS), csv(&known)).expect("writable");
        assert_eq!(read(folder.path()).expect("readable"), known);
        std::fs::write(folder.path().join(COUNTS), format!("{HEAD}\nmtd,many,false,\n")).unwrap();
        let error = read(folder.path()).expect_err("damaged").to_string();
        assert!(error.contains("counts.csv:2: not a row"), "{error}");
    }

    #[test]
    fn a_line_of_a_suite_has_moves_that_can_be_played() {
        let problem = |line: &str| problem(chess::GAME, line);
        let board = "6k1/5ppp/8/8/8/8/8/R5K1 w - -";
        let mate = problem(&format!("{board} bm Ra8#; id \"a\";")).expect("a problem");
        assert_eq!((mate.moves.len(), mate.avoid), (1, false));
        for position in ["6k1/5ppp/8/8/8/8/8/R5K1", &format!("{board} 3 40")] {
            let mate = problem(&format!("{position} bm Ra8#")).expect("a problem");
            assert_eq!(mate.moves.len(), 1, "fields may be missing, counters may be there");
        }
        assert!(problem(&format!("{board} am Ra7 Ra6;")).expect("a problem").avoid);
        assert!(problem(&format!("{board} bm Rb8;")).expect_err("refused").contains("Rb8"));
        assert!(problem(&format!("{board} id \"a\";")).expect_err("refused").contains("best move"));
    }
}
