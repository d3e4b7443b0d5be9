//! How many threads play, on which cores, and what else games do not depend on.

use crate::player::LineLog;
use crate::system::bind_to;

/// How many threads play, on which cores, what is written of all that engines say, and whether they
/// are tried before: nothing that games depend on.
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
}

impl From<usize> for Workers {
    /// So many threads wherever the system puts them.
    fn from(threads: usize) -> Workers {
        Workers { threads, places: Vec::new(), log: None, tries_limits: false }
    }
}

impl Workers {
    /// Binds the calling thread to the cores of the thread of this number. Where the system does not
    /// allow it, the thread stays where it is: it plays the same games.
    pub(super) fn take_place(&self, number: usize) {
        if let Some(cores) = self.places.get(number) {
            bind_to(cores);
        }
    }
}
