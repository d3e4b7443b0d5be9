//! Gauge freedoms: ways to change many values together that change no evaluation.
//!
//! Every knight stands on one square and has one mobility: adding 10 to all squares of the knight
//! and taking 10 from its worth changes nothing, so the data cannot tell what is material and what
//! is placement. The pull towards the start settles it roughly; here it is settled exactly, after
//! the fit: the mean change of each such row of values is folded into the single value it trades
//! with. The rows are not listed by hand but found in the traces: a row (an array, or an equal part
//! of one) whose counts add up, in every position, to the count of one other cell, or to nothing at
//! all.

use super::task::Bounds;
use crate::model::dictionary::Entry;
use crate::model::terms::{Term, Terms};
use crate::model::{Positions, Values};

/// Positions used to find candidates, before all are used to verify them.
const FIRST_POSITIONS: usize = 2048;
/// Positions in which a row must count for it to be believed.
const COUNTED_MIN: usize = 50;

/// A row of cells whose counts always add up to those of one cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gauge {
    /// The row: consecutive cells of one weight.
    pub row: std::ops::Range<usize>,
    /// The cell it trades with; none if the row's counts cancel in every position.
    pub anchor: Option<usize>,
}

impl Gauge {
    /// The numbers it relates, by names.
    pub fn describe(&self, terms: &Terms) -> String {
        let (first, last) = (terms.cell_name(self.row.start), terms.cell_name(self.row.end - 1));
        match self.anchor {
            Some(anchor) => format!("{first} … {last} against {}", terms.cell_name(anchor)),
            None => format!("{first} … {last} among themselves"),
        }
    }
}

/// Finds the gauge freedoms of all positions in the store.
pub fn find(store: &dyn Positions, terms: &Terms) -> Vec<Gauge> {
    let mut first: Vec<Vec<i32>> = Vec::new();
    let mut found = None;
    let mut counts = vec![0; store.cells()];
    store.counts(&mut |entries| {
        count(entries, store.linear_sums(), &mut counts);
        if first.len() < FIRST_POSITIONS {
            first.push(counts.clone());
        } else {
            found
                .get_or_insert_with(|| candidates(&first, terms))
                .retain(|gauge| holds(gauge, &counts));
        }
    });
    found.unwrap_or_else(|| candidates(&first, terms))
}

/// The gauges of positions with these counts by cell: of each term the longest rows that have any.
fn candidates(positions: &[Vec<i32>], terms: &Terms) -> Vec<Gauge> {
    let mut found: Vec<Gauge> = Vec::new();
    for term in terms.0.iter().filter(|term| term.length > 1) {
        let divisors = (2..=term.length).rev().filter(|size| term.length % size == 0);
        for size in divisors {
            let rows: Vec<Gauge> = (0..term.length / size)
                .filter_map(|row| {
                    let start = term.first_cell + row * size;
                    relation(term, start..start + size, positions, terms)
                })
                .collect();
            if !rows.is_empty() {
                found.extend(rows);
                break;
            }
        }
    }
    found
}

/// The cell that a row trades with in the first positions, if there is one.
fn relation(
    term: &Term,
    row: std::ops::Range<usize>,
    positions: &[Vec<i32>],
    terms: &Terms,
) -> Option<Gauge> {
    let counted =
        positions.iter().filter(|counts| counts[row.clone()].iter().any(|&count| count != 0));
    if counted.count() < COUNTED_MIN {
        return None;
    }
    let others = terms.0.iter().filter(|other| other.has_phases == term.has_phases);
    let anchors = others.flat_map(Term::cells).filter(|cell| !term.cells().contains(cell));
    std::iter::once(None)
        .chain(anchors.map(Some))
        .map(|anchor| Gauge { row: row.clone(), anchor })
        .find(|gauge| positions.iter().all(|counts| holds(gauge, counts)))
}

/// Does the relation hold in a position with these counts by cell?
fn holds(gauge: &Gauge, counts: &[i32]) -> bool {
    counts[gauge.row.clone()].iter().sum::<i32>() == gauge.anchor.map_or(0, |cell| counts[cell])
}

/// Sets the counts by cell to those of a position in the sums that the evaluation is linear in, the
/// first so many; a cell of another sum never balances. No cell is in two linear sums.
fn count(entries: &[Entry], linear_sums: u8, counts: &mut [i32]) {
    counts.fill(0);
    for entry in entries.iter().filter(|entry| entry.sum < linear_sums) {
        counts[usize::from(entry.cell)] += i32::from(entry.times);
    }
}

/// Folds the mean change of each row into its anchor, in whole centipawns, so that evaluations stay
/// exactly the same; rows with cells that do not change are left out of the mean, and their fixed
/// cells stay.
///
/// `seen` holds in how many positions each cell occurs: the mean is that of the pieces on the
/// board. Returns the gauges that moved.
pub fn fold(
    gauges: &[Gauge],
    start: &Values,
    values: &mut Values,
    bounds: &Bounds,
    seen: &[u32],
    terms: &Terms,
) -> Vec<Gauge> {
    let mut moved = Vec::new();
    for gauge in gauges {
        let mut any = false;
        for half in terms.of_cell(gauge.row.start).halves() {
            let free: Vec<usize> = gauge
                .row
                .clone()
                .filter(|&cell| bounds.low[cell][half] < bounds.high[cell][half])
                .collect();
            let shift = mean_change(&free, half, start, values, seen);
            let shift = possible(gauge, &free, half, values, bounds, shift.round());
            for &cell in &free {
                values.0[cell][half] -= shift;
            }
            if let Some(anchor) = gauge.anchor {
                values.0[anchor][half] += shift;
            }
            any |= shift != 0.0;
        }
        if any {
            moved.push(gauge.clone());
        }
    }
    moved
}

/// Mean change of the cells, each weighted by how often it was seen.
fn mean_change(cells: &[usize], half: usize, start: &Values, values: &Values, seen: &[u32]) -> f64 {
    let weight: f64 = cells.iter().map(|&cell| f64::from(seen[cell])).sum();
    let sum: f64 = cells
        .iter()
        .map(|&cell| f64::from(seen[cell]) * (values.0[cell][half] - start.0[cell][half]))
        .sum();
    if weight > 0.0 { sum / weight } else { 0.0 }
}

/// `shift`, or the part of it that leaves all values within their bounds.
fn possible(
    gauge: &Gauge,
    cells: &[usize],
    half: usize,
    values: &Values,
    bounds: &Bounds,
    shift: f64,
) -> f64 {
    let (mut least, mut most) = (f64::NEG_INFINITY, f64::INFINITY);
    for &cell in cells {
        least = least.max(values.0[cell][half] - bounds.high[cell][half]);
        most = most.min(values.0[cell][half] - bounds.low[cell][half]);
    }
    if let Some(anchor) = gauge.anchor {
        least = least.max(bounds.low[anchor][half] - values.0[anchor][half]);
        most = most.min(bounds.high[anchor][half] - values.0[anchor][half]);
    }
    shift.min(most).max(least)
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use random::stream;

    use super::*;
    use crate::model::trace::terms;

    fn term(name: &str) -> Term {
        terms().0.into_iter().find(|term| term.name == name).expect("a weight")
    }

    /// Counts by cell without any relation, but that `anchor` counts as often as all of `row`.
    fn related(positions: usize, row: &std::ops::Range<usize>, anchor: usize) -> Vec<Vec<i32>> {
        let mut random = stream(37, 0);
        let cells = terms().cells();
        (0..positions)
            .map(|_| {
                let mut counts: Vec<i32> =
                    (0..cells).map(|_| random.random_range(-99..=99)).collect();
                counts[anchor] = counts[row.clone()].iter().sum();
                counts
            })
            .collect()
    }

    /// A row may be any equal part of its weight, and what it trades with any cell of another.
    #[test]
    fn any_part_trades_with_any_other_cell_of_its_kind() {
        let term = term("squares.rook");
        let all = terms();
        let others: Vec<usize> = all
            .0
            .iter()
            .filter(|other| other.has_phases && other.first_cell != term.first_cell)
            .flat_map(Term::cells)
            .collect();
        let [first, last] = [others[0], others[others.len() - 1]];
        let (before, after) = (term.first_cell - 1, term.first_cell + term.length);
        for (anchor, parts, part) in [
            (first, 1, 0),
            (last, 1, 0),
            (first, 2, 1),
            (last, 2, 0),
            (before, 4, 3),
            (after, 4, 2),
            (last, 8, 5),
        ] {
            let size = term.length / parts;
            let start = term.first_cell + part * size;
            let row = start..start + size;
            let expected = Gauge { row: row.clone(), anchor: Some(anchor) };
            assert_eq!(candidates(&related(COUNTED_MIN, &row, anchor), &terms()), [expected]);
            // In fewer positions it may be chance.
            assert_eq!(candidates(&related(COUNTED_MIN - 1, &row, anchor), &terms()), []);
        }
    }

    /// A number without phases cannot make up for one with two.
    #[test]
    fn no_row_trades_with_a_cell_of_another_kind() {
        let term = term("squares.rook");
        let row = term.first_cell..term.first_cell + term.length;
        let all = terms();
        let other = all.0.iter().find(|other| !other.has_phases).expect("both kinds");
        assert_eq!(candidates(&related(COUNTED_MIN, &row, other.first_cell), &all), []);
    }
}
