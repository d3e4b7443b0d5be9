//! How many threads play, on which cores, and what else games do not depend on.

use system::processes::bind_to;

use crate::player::LineLog;

/// Tables of players that do not play just now and may be kept nevertheless, in megabytes for each
/// thread: to make a player costs time, and most have small tables.
pub(super) const IDLE_MEGABYTES: u64 = 64;

/// How many threads play, on which cores, what is written of all that engines say, whether they are
/// tried before, and whether they may have changed: nothing that games depend on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Workers {
    /// Threads; each plays a pair at a time with players of its own.
    pub threads: usize,
    /// The cores of each thread, which the processes it starts inherit; threads beyond the end of the
    /// list, or all if it is empty, go where the system puts them.
    pub places: Vec<Vec<usize>>,
    /// Where all lines of engines go, if anywhere.
    pub log: Option<LineLog>,
    /// Whether engines show before the first game of a new run that they keep limits of nodes and
    /// depth.
    pub tries_limits: bool,
    /// Whether a run goes on although an engine is not the one that it was begun with.
    pub allows_changes: bool,
    /// Whether a new run begins though an engine does not have an option that is set.
    pub allows_unknown_options: bool,
}

impl From<usize> for Workers {
    /// So many threads wherever the system puts them.
    fn from(threads: usize) -> Workers {
        Workers {
            threads,
            places: Vec::new(),
            log: None,
            tries_limits: false,
            allows_changes: false,
            allows_unknown_options: false,
        }
    }
}

impl Workers {
    /// The most that the players of a thread keep in transposition tables, of these sizes: those of a
    /// pair, and of others that do not play as many as are small (2²⁰ bytes).
    pub fn most_megabytes(mut tables: Vec<u64>) -> u64 {
        tables.sort_unstable_by(|one, other| other.cmp(one));
        let (pair, idle) = tables.split_at(tables.len().min(2));
        let small = idle.iter().filter(|&&table| table <= IDLE_MEGABYTES);
        pair.iter().sum::<u64>() + small.sum::<u64>().min(IDLE_MEGABYTES)
    }

    /// Binds the calling thread to the cores of the thread of this number. Where the system does not
    /// allow it, the thread stays where it is: it plays the same games.
    pub(super) fn take_place(&self, number: usize) {
        if let Some(cores) = self.places.get(number) {
            bind_to(cores);
        }
    }
}
