//! The program that the source gives for Corners.

use search::Value;
use search::value::INFINITY;

use super::corners::{Corners, Hop, step, worth_of};

/// Plays the first side, and thinks of its own moves alone, as if the other side passed: no pruning,
/// and the worth of cells gained as the only value.
///
/// The source adds up the gains of a chain of jumps from its last cell only, and so may answer with a
/// move of no man; here they count from where the chain begins, as its text means them.
#[derive(Clone, Debug)]
pub struct SourceProgram {
    /// The cells of its men, each man at his place in the list for the whole game: of equally good
    /// moves the first found is played.
    men: Vec<usize>,
}

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thought {
    /// The first move of the best sequence; `None` if no man can move, or all are home.
    pub best: Option<Hop>,
    /// The sequence's gain in the worth of cells; infinity less the moves if all men get home.
    pub gain: Value,
    /// Positions visited, the root included.
    pub nodes: u64,
}

impl SourceProgram {
    /// Own moves that it thinks ahead.
    pub const OWN_MOVES: u32 = 3;

    /// The program at the start of a game.
    pub fn new() -> SourceProgram {
        SourceProgram { men: Corners::new().cells(0).collect() }
    }

    /// The best of all sequences of so many own moves on a board where its men stand as it knows.
    pub fn think(&mut self, board: &Corners, moves: u32) -> Thought {
        let others = board.cells(1).fold(0, |set, cell| set | 1u64 << cell);
        let mut nodes = 0;
        let (gain, best) = self.search(others, moves, 0, &mut nodes);
        Thought { best, gain, nodes }
    }

    /// Takes note of its own move that was played.
    pub fn play(&mut self, hop: Hop) {
        for cell in self.men.iter_mut().filter(|cell| **cell == hop.from()) {
            *cell = hop.to();
        }
    }

    fn search(
        &mut self,
        others: u64,
        moves: u32,
        played: Value,
        nodes: &mut u64,
    ) -> (Value, Option<Hop>) {
        *nodes += 1;
        if self.own() == Corners::GOAL {
            return (INFINITY - played, None);
        }
        let mut best: (Value, Option<Hop>) = (0, None);
        if moves == 0 {
            return best;
        }
        for (man, to) in self.hops(others) {
            let from = std::mem::replace(&mut self.men[man], to);
            let (rest, _) = self.search(others, moves - 1, played + 1, nodes);
            self.men[man] = from;
            let gain = worth_of(0, to) - worth_of(0, from) + rest;
            if best.1.is_none() || gain > best.0 {
                best = (gain, Some(Hop::new(from, to)));
            }
        }
        best
    }

    fn own(&self) -> u64 {
        self.men.iter().fold(0, |set, &cell| set | 1u64 << cell)
    }

    /// All moves, as men by their places and cells: single steps of all men, then chains of jumps.
    fn hops(&self, others: u64) -> Vec<(usize, usize)> {
        let occupied = self.own() | others;
        let mut hops = Vec::new();
        for (man, &from) in self.men.iter().enumerate() {
            let steps = (0..4).filter_map(|direction| step(from, direction, 1));
            hops.extend(steps.filter(|&to| occupied >> to & 1 == 0).map(|to| (man, to)));
        }
        for (man, &from) in self.men.iter().enumerate() {
            let mut seen = 1u64 << from;
            jumps(from, occupied & !(1 << from), &mut seen, &mut |to| hops.push((man, to)));
        }
        hops
    }
}

impl Default for SourceProgram {
    fn default() -> SourceProgram {
        SourceProgram::new()
    }
}

/// The cells that chains of jumps from here lead to and that were not seen yet, each before those
/// beyond it.
fn jumps(cell: usize, occupied: u64, seen: &mut u64, emit: &mut impl FnMut(usize)) {
    for direction in 0..4 {
        let over = step(cell, direction, 1).is_some_and(|over| occupied >> over & 1 == 1);
        if let Some(to) = step(cell, direction, 2)
            && over
            && (occupied | *seen) >> to & 1 == 0
        {
            *seen |= 1 << to;
            emit(to);
            jumps(to, occupied, seen, emit);
        }
    }
}
