//! Does an engine keep a limit of nodes or depth? One short search tells, and one rule judges it,
//! for `sprt check` and before the games of a run.

use std::fmt;
use std::time::Duration;

use uci::Reply;

use super::Player;
use crate::game::MoveLimits;

/// How long a search may take that shows whether a limit is kept: none takes that long but on a
/// very slow engine, or on one that does not know the limit.
const TRIAL: Duration = Duration::from_secs(10);

/// A limit of a search that engines may not know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchLimit {
    /// Nodes of the search.
    Nodes(u64),
    /// Depth of the search in plies.
    Depth(u32),
}

impl SearchLimit {
    /// Nodes that are asked for at most: even a slow engine has soon searched them.
    const MOST_NODES: u64 = 30_000;
    /// Plies that are asked for at most.
    const MOST_PLIES: u32 = 5;

    /// The limits to try where moves are limited so: each by itself, as they are or smaller.
    pub fn to_try(limits: &MoveLimits) -> Vec<SearchLimit> {
        let nodes = limits.nodes.map(|nodes| SearchLimit::Nodes(nodes.min(Self::MOST_NODES)));
        let depth = limits.depth.map(|depth| SearchLimit::Depth(depth.min(Self::MOST_PLIES)));
        nodes.into_iter().chain(depth).collect()
    }
}

impl fmt::Display for SearchLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchLimit::Nodes(nodes) => write!(f, "go nodes {nodes}"),
            SearchLimit::Depth(depth) => write!(f, "go depth {depth}"),
        }
    }
}

/// A search with such a limit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LimitTrial {
    /// The limit that the engine was given.
    pub limit: SearchLimit,
    /// The most nodes or plies that its lines tell; `None` if they tell none.
    pub told: Option<u64>,
    /// Set if it did not end by itself: how long it was waited for.
    pub unanswered: Option<Duration>,
}

/// How a limit was kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keeping {
    /// The search ended at its limit, or nearly so.
    Kept,
    /// The search went beyond its limit, but not by far.
    Exceeded,
    /// It was exceeded by far, or is not known at all.
    Ignored,
    /// Nobody can say: the engine tells nothing, or was too slow to come to the limit.
    Unknown,
}

impl LimitTrial {
    /// A search that begins: nothing is told yet.
    pub fn new(limit: SearchLimit) -> LimitTrial {
        LimitTrial { limit, told: None, unanswered: None }
    }

    /// Takes a line of the search.
    pub fn hear(&mut self, line: &str) {
        let Some(Reply::Info(info)) = Reply::parse(line) else { return };
        self.told = self.told.max(match self.limit {
            SearchLimit::Nodes(_) => info.nodes,
            SearchLimit::Depth(_) => info.depth.map(u64::from),
        });
    }

    /// How the limit was kept. Programs look at their count now and then only: nodes may be exceeded
    /// by a fifth and 9,000, and ten times as many are too many by far, if that is more. Of plies none
    /// may be exceeded, and more than four are too many by far. So is a search that does not end,
    /// unless it had not even come to the limit.
    pub fn keeping(&self) -> Keeping {
        let (borne, too_far, asked) = match self.limit {
            SearchLimit::Nodes(asked) => {
                let borne = asked.saturating_add(asked / 5).saturating_add(9_000);
                (borne, asked.saturating_mul(10).max(borne), asked)
            }
            SearchLimit::Depth(asked) => (asked.into(), u64::from(asked) + 4, asked.into()),
        };
        match self.told {
            None if self.unanswered.is_some() => Keeping::Ignored,
            None => Keeping::Unknown,
            Some(told) if told > too_far => Keeping::Ignored,
            Some(told) if self.unanswered.is_some() => match told > asked {
                true => Keeping::Ignored,
                false => Keeping::Unknown,
            },
            Some(told) if told > borne => Keeping::Exceeded,
            Some(_) => Keeping::Kept,
        }
    }

    /// How many times as many nodes were searched as asked; 1 if they are not told.
    pub fn factor(&self) -> f64 {
        match (self.limit, self.told) {
            (SearchLimit::Nodes(asked), Some(told)) => told as f64 / asked.max(1) as f64,
            _ => 1.0,
        }
    }
}

/// The trial in words.
impl fmt::Display for LimitTrial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ", self.limit)?;
        match self.unanswered {
            Some(waited) => write!(f, "was not answered within {} s", waited.as_secs_f64())?,
            None => f.write_str("was answered")?,
        }
        match (self.told, self.limit) {
            (Some(told), SearchLimit::Nodes(_)) => {
                let factor = self.factor();
                write!(f, " after {told} nodes, {factor:.1} times as many as asked")
            }
            (Some(told), SearchLimit::Depth(_)) => write!(f, " at depth {told}"),
            (None, SearchLimit::Nodes(_)) => f.write_str(" and tells no nodes"),
            (None, SearchLimit::Depth(_)) => f.write_str(" and tells no depth"),
        }
    }
}

/// Has a player searched with each limit; returns what is odd.
///
/// # Errors
/// It does not keep a limit at all: how it was tried.
pub fn try_limits(
    player: &mut dyn Player,
    limits: &[SearchLimit],
) -> Result<Vec<String>, LimitTrial> {
    let mut noticed = Vec::new();
    for &limit in limits {
        let trial = match player.try_limit(limit, TRIAL) {
            Ok(Some(trial)) => trial,
            Ok(None) => return Ok(noticed),
            // A fault in games is judged there.
            Err(fault) => {
                noticed.push(format!("`{limit}` could not be tried: {fault}"));
                return Ok(noticed);
            }
        };
        match trial.keeping() {
            Keeping::Kept => {}
            Keeping::Ignored => return Err(trial),
            Keeping::Exceeded => noticed.push(format!("{trial}: it keeps this limit roughly")),
            Keeping::Unknown => {
                noticed.push(format!("{trial}: whether it keeps this limit cannot be judged"));
            }
        }
    }
    Ok(noticed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_judged_by_one_rule() {
        use Keeping::{Exceeded, Ignored, Kept, Unknown};
        let waited = Some(Duration::from_secs(10));
        for (limit, told, unanswered, keeping) in [
            (SearchLimit::Nodes(1), Some(4_096), None, Kept),
            (SearchLimit::Nodes(3_000), Some(12_600), None, Kept),
            (SearchLimit::Nodes(3_000), Some(12_601), None, Exceeded),
            (SearchLimit::Nodes(3_000), Some(30_001), None, Ignored),
            (SearchLimit::Nodes(100), Some(9_121), None, Ignored),
            (SearchLimit::Nodes(30_000), Some(45_001), None, Exceeded),
            (SearchLimit::Nodes(3_000), None, None, Unknown),
            (SearchLimit::Nodes(3_000), None, waited, Ignored),
            (SearchLimit::Nodes(3_000), Some(2_999), waited, Unknown),
            (SearchLimit::Nodes(3_000), Some(3_001), waited, Ignored),
            (SearchLimit::Nodes(u64::MAX), Some(u64::MAX), None, Kept),
            (SearchLimit::Depth(5), Some(5), None, Kept),
            (SearchLimit::Depth(5), Some(6), None, Exceeded),
            (SearchLimit::Depth(5), Some(10), None, Ignored),
            (SearchLimit::Depth(5), Some(3), waited, Unknown),
            (SearchLimit::Depth(5), None, waited, Ignored),
        ] {
            let trial = LimitTrial { limit, told, unanswered };
            assert_eq!(trial.keeping(), keeping, "{trial:?}: {trial}");
        }
    }

    #[test]
    fn lines_tell_the_most_that_was_searched() {
        let lines = ["info depth 3 nodes 90 pv e2e4", "info nodes 70", "info string nodes 9999"];
        for (limit, told) in [(SearchLimit::Nodes(1), 90), (SearchLimit::Depth(1), 3)] {
            let mut trial = LimitTrial::new(limit);
            assert_eq!(trial.told, None);
            lines.iter().for_each(|line| trial.hear(line));
            assert_eq!(trial.told, Some(told));
        }
    }

    #[test]
    fn limits_that_are_tried_are_small() {
        let limits = MoveLimits { depth: Some(40), ..MoveLimits::nodes(1_000_000) };
        assert_eq!(
            SearchLimit::to_try(&limits),
            [SearchLimit::Nodes(30_000), SearchLimit::Depth(5)]
        );
        assert_eq!(SearchLimit::to_try(&MoveLimits::nodes(7)), [SearchLimit::Nodes(7)]);
        assert!(SearchLimit::to_try(&MoveLimits::default()).is_empty());
    }
}
