//! The words of an engine that searches, and what of them is kept.
//!
//! Score and depth are those of the last `info` line about the best move that is no upper bound.

use playable::MATE;
use playable::Position;
use uci::{InfoLine, Protocol, Reply, ScoreBound, ScoreValue};

use super::lines::shorten;
use crate::game::{HIGHEST_SCORE, Warning, WarningKind};

/// The last lines about the search that count. They stay text until the move is there: most lines
/// are followed by better ones.
#[derive(Debug, Default)]
pub(super) struct LastInfoLines {
    protocol: Protocol,
    /// The last line with a score that is not an upper bound.
    score: String,
    /// The last line with an upper bound, if it is newer.
    failed: String,
    /// The last line without score that counts nodes, if it is newer.
    nodes: String,
}

/// An engine's report about its move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Findings {
    /// Centipawns from the mover's view, mates as [`crate::game::plies_to_mate`] reads them; `None`
    /// if it gave none that can be read.
    pub score: Option<i32>,
    /// Depth of the search in plies.
    pub depth: u32,
    /// Longest line that the search followed, in plies; 0 if it did not tell.
    pub selective_depth: u32,
    pub nodes: u64,
    /// The mate it is sure of, in moves as UCI counts them.
    pub mate: Option<i32>,
}

impl LastInfoLines {
    /// Nothing yet, of an engine that speaks so.
    pub fn new(protocol: Protocol) -> LastInfoLines {
        LastInfoLines { protocol, ..LastInfoLines::default() }
    }

    /// Forgets the search before.
    pub fn clear(&mut self) {
        self.score.clear();
        self.failed.clear();
        self.nodes.clear();
    }

    /// Takes an `info` line.
    pub fn hear(&mut self, line: &str) {
        let rest = line["info".len()..].trim_start();
        if rest.starts_with("string") || rest.starts_with("message") {
            return;
        }
        let has_score = rest.contains("score ");
        if has_score && is_of_other_line(rest) {
            return;
        }
        let place = if !has_score {
            if !rest.contains("nodes ") {
                return;
            }
            &mut self.nodes
        } else if rest.contains("upperbound") {
            &mut self.failed
        } else {
            self.failed.clear();
            &mut self.score
        };
        place.clear();
        place.push_str(rest);
        // In UCCI the nodes have a line of their own.
        if has_score && !self.protocol.is_ucci() {
            self.nodes.clear();
        }
    }

    /// The findings about the move `best`, and what is odd about them. Moves are in a dialect of the
    /// game.
    ///
    /// Score and depth are those of the last line that is not an upper bound: a lower bound is what
    /// the move is proven to be worth, an upper bound is about to be searched again. But where a newer
    /// upper bound alone is about the move, as when a search ends just then, it counts. Nodes are
    /// the last that were told.
    pub fn findings(
        &self,
        position: &Position,
        best: playable::Move,
        dialect: usize,
        warnings: &mut Vec<Warning>,
    ) -> Findings {
        let (mut line, mut info) = (&self.score, self.parse(&self.score));
        let is_about_best = |info: &InfoLine| {
            let first = info.line.first();
            first.is_some_and(|text| position.parse_dialect(text, dialect) == Ok(best))
        };
        if !self.failed.is_empty() && !is_about_best(&info) {
            let failed = self.parse(&self.failed);
            if line.is_empty() || is_about_best(&failed) {
                (line, info) = (&self.failed, failed);
            }
        }
        let mut nodes = info.nodes;
        for later in [&self.failed, &self.nodes] {
            if !later.is_empty() && !std::ptr::eq(later, line) {
                nodes = nodes.max(self.parse(later).nodes);
            }
        }
        check_variation(position, best, dialect, &info, line, warnings);
        Findings {
            score: info.score.map(centipawns),
            depth: info.depth.unwrap_or(0),
            selective_depth: info.selective_depth.unwrap_or(0),
            nodes: nodes.unwrap_or(0),
            mate: match info.score {
                Some(ScoreValue::Mate(moves)) if info.bound == ScoreBound::Exact => Some(moves),
                _ => None,
            },
        }
    }

    fn parse(&self, line: &str) -> InfoLine {
        match self.protocol.parse_reply(&format!("info {line}")) {
            Some(Reply::Info(info)) => *info,
            _ => InfoLine::default(),
        }
    }
}

/// True if the line is about another than the best of several variations.
fn is_of_other_line(rest: &str) -> bool {
    rest.split_once("multipv ").is_some_and(|(_, number)| {
        let number = number.trim_start();
        !(number == "1" || number.starts_with("1 "))
    })
}

/// A score as this process has them. Centipawns are kept clear of what means a mate, and mates of it.
fn centipawns(score: ScoreValue) -> i32 {
    const LONGEST: i32 = MATE - HIGHEST_SCORE - 1;
    match score {
        ScoreValue::Centipawns(value) => value.clamp(-HIGHEST_SCORE, HIGHEST_SCORE),
        // The winner makes the last move, the loser the one before.
        ScoreValue::Mate(moves) if moves > 0 => {
            MATE - (moves.saturating_mul(2) - 1).clamp(1, LONGEST)
        }
        ScoreValue::Mate(moves) => -MATE + moves.saturating_mul(-2).clamp(0, LONGEST),
    }
}

/// Follows the variation and holds the score against what it leads to.
fn check_variation(
    position: &Position,
    best: playable::Move,
    dialect: usize,
    info: &InfoLine,
    line: &str,
    warnings: &mut Vec<Warning>,
) {
    let mut warn = |kind, detail: String| warnings.push(Warning { kind, detail });
    // With its past: a repetition may be a win.
    let mut end = position.clone();
    for (index, text) in info.line.iter().enumerate() {
        let Ok(mv) = end.parse_dialect(text, dialect) else {
            let detail = format!("illegal move {} in {}", index + 1, shorten(line));
            return warn(WarningKind::WrongVariation, detail);
        };
        if index == 0 && mv != best {
            let mut detail = "played ".to_owned();
            position.push_dialect(best, dialect, &mut detail);
            detail += &format!(" after {}", shorten(line));
            warn(WarningKind::WrongVariation, detail);
            break;
        }
        end.play(mv);
    }
    if let Some(ScoreValue::Mate(moves)) = info.score
        && info.bound == ScoreBound::Exact
        && let Some(problem) = wrong_mate(position, best, &end, info.line.len(), moves)
    {
        warn(WarningKind::MateScore, format!("{problem}: {}", shorten(line)));
    }
}

/// The fault in the claim of a mate in `moves`, given the last position of its variation.
fn wrong_mate(
    position: &Position,
    best: playable::Move,
    end: &Position,
    plies: usize,
    moves: i32,
) -> Option<&'static str> {
    if moves == 0 {
        return Some("no such mate");
    }
    if moves <= 1 {
        let mut after = position.clone();
        after.play(best);
        match after.is_lost() {
            true if moves < 0 => return Some("wrong sign"),
            false if moves > 0 => return Some("the move does not mate"),
            _ => {}
        }
    }
    if end.is_lost() {
        let mover_wins = end.side_to_move() != position.side_to_move();
        if mover_wins != (moves > 0) {
            return Some("wrong sign");
        }
    }
    let length = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
    (plies >= length as usize && !end.is_lost()).then_some("no mate at the end")
}

#[cfg(test)]
mod tests {
    use chess::GAME;

    use super::*;

    fn findings(lines: &[&str], best: &str) -> (Option<i32>, u32, Vec<Warning>) {
        let start = GAME.start();
        let mut heard = LastInfoLines::new(Protocol::Uci);
        lines.iter().for_each(|line| heard.hear(line));
        let mut warnings = Vec::new();
        let best = start.parse_uci(best).expect("a legal move");
        let Findings { score, depth, .. } = heard.findings(&start, best, 0, &mut warnings);
        (score, depth, warnings)
    }

    #[test]
    fn a_search_that_ends_with_an_upper_bound_of_another_move_is_no_fault() {
        let exact = "info depth 5 score cp 30 nodes 1000 pv e2e4 e7e5";
        let failed = "info depth 6 score cp 20 upperbound nodes 1500 pv d2d4";
        assert_eq!(findings(&[exact, failed], "e2e4"), (Some(30), 5, Vec::new()));
        assert_eq!(findings(&[exact, failed], "d2d4"), (Some(20), 6, Vec::new()));
        assert_eq!(findings(&[failed], "d2d4"), (Some(20), 6, Vec::new()));
        // A line of neither.
        let (score, depth, warnings) = findings(&[exact, failed], "c2c4");
        assert_eq!((score, depth), (Some(30), 5));
        let [warning] = &warnings[..] else { panic!("{warnings:?}") };
        assert_eq!(warning.kind, WarningKind::WrongVariation);
        assert!(warning.detail.starts_with("played c2c4 after depth 5"), "{}", warning.detail);
    }
}
