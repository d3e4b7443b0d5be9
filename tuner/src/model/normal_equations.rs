//! The normal equations of the fit: JᵀJ and Jᵀr over all positions, from sparse rows.
//!
//! A position touches some seventy of a thousand cells, so its row of the Jacobian is kept sparse
//! and only the touched pairs of cells are added up, as blocks of two by two (middlegame and
//! endgame). The upper triangle is cut into bands of rows that fit in a core's cache; each band
//! walks all positions in their order, so the sums are the same for any number of threads, and
//! there is only one matrix in memory.

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::trace::{PackedEntry, TracedPosition};
use super::{Objective, Values, differentiate, in_blocks};

/// Positions whose rows are made before the bands take them up.
const CHUNK: usize = 4096;
/// Positions in one parallel task of making rows.
const ROWS_BLOCK: usize = 128;
/// Blocks in one band: 256 KiB.
const BAND_BLOCKS: usize = 8192;

/// The cells a fit may change, in order; each has two numbers, middlegame and endgame.
pub struct ActiveCells {
    /// Indices in [`engine::Weights::cells`].
    pub cells: Vec<usize>,
    /// For each cell its index in `cells`, or [`INACTIVE`].
    index: Vec<u16>,
}

/// Marks a cell that stays as it is.
const INACTIVE: u16 = u16::MAX;

impl ActiveCells {
    /// The cells of `active`, which holds a mark for each of them.
    pub fn new(active: &[bool]) -> ActiveCells {
        let cells: Vec<usize> = (0..active.len()).filter(|&cell| active[cell]).collect();
        let mut index = vec![INACTIVE; active.len()];
        for (place, &cell) in cells.iter().enumerate() {
            index[cell] = place as u16;
        }
        ActiveCells { cells, index }
    }

    /// Index of a cell in `cells`; none if it stays as it is.
    pub fn place(&self, cell: usize) -> Option<usize> {
        Some(self.index[cell]).filter(|&place| place != INACTIVE).map(usize::from)
    }
}

/// JᵀJ and Jᵀr: J holds the slopes of the expected results by the active numbers, r the residuals.
///
/// Number `2·i` is the middlegame half of active cell `i`, number `2·i + 1` its endgame half.
pub struct NormalEquations {
    /// JᵀJ; only the lower triangle is filled.
    pub matrix: DMatrix<f64>,
    /// Right side of the equations: Jᵀr, an entry a free number.
    pub vector: DVector<f64>,
    /// Sum of squared residuals.
    pub squares: f64,
}

/// Share of the greatest sum of squared slopes below which one is nothing but rounding: slopes that
/// cancel exactly on paper leave 10⁻³² of it, those of the rarest terms more than 10⁻¹⁵.
const SILENT: f64 = 1e-22;

/// Says a sum of squared slopes that the positions say nothing about its number? `greatest` is the
/// greatest of all numbers' sums.
pub fn is_silent(squares: f64, greatest: f64) -> bool {
    // Not a number is no silence, but a failure that must show.
    squares <= SILENT * greatest
}

/// The diagonal of JᵀJ at `values`: for each number the sum of its squared slopes, in the order of
/// [`NormalEquations`].
pub fn slope_squares(objective: &Objective<'_>, values: &Values, active: &ActiveCells) -> Vec<f64> {
    let blocks = in_blocks(objective.store.len(), CHUNK, |range| {
        let mut rows = Rows::default();
        rows.fill(objective, values, active, range);
        let mut squares = vec![[0.0; 2]; active.cells.len()];
        for (&place, slopes) in rows.places.iter().zip(&rows.slopes) {
            let sum = &mut squares[usize::from(place)];
            sum[0] += slopes[0] * slopes[0];
            sum[1] += slopes[1] * slopes[1];
        }
        squares
    });
    let mut squares = vec![0.0; 2 * active.cells.len()];
    for block in blocks {
        for (sum, part) in squares.iter_mut().zip(block.as_flattened()) {
            *sum += part;
        }
    }
    squares
}

/// A few sparse rows of the Jacobian, with their residuals.
#[derive(Default)]
struct Rows {
    /// End of each row in `places` and `slopes`.
    ends: Vec<usize>,
    /// Active cells of each row, ascending.
    places: Vec<u16>,
    /// Slopes of the expected result by the two halves of each.
    slopes: Vec<[f64; 2]>,
    residuals: Vec<f64>,
}

/// Consecutive rows of the upper triangle, and the same part of Jᵀr.
struct Band {
    first: usize,
    last: usize,
    /// Blocks in the first row; each further row has one fewer.
    width: usize,
    /// Row by row, each from the diagonal on.
    blocks: Vec<[f64; 4]>,
    vector: Vec<[f64; 2]>,
}

/// Adds up the normal equations at `values`.
pub fn normal_equations(
    objective: &Objective<'_>,
    values: &Values,
    active: &ActiveCells,
) -> NormalEquations {
    let mut bands = bands(active.cells.len());
    let mut rows: Vec<Rows> = (0..CHUNK / ROWS_BLOCK).map(|_| Rows::default()).collect();
    let mut squares = 0.0;
    for chunk in (0..objective.store.len()).step_by(CHUNK) {
        rows.par_iter_mut().enumerate().for_each(|(block, rows)| {
            let start = chunk + block * ROWS_BLOCK;
            let end = (start + ROWS_BLOCK).min(objective.store.len());
            rows.fill(objective, values, active, start..end.max(start));
        });
        bands.par_iter_mut().for_each(|band| rows.iter().for_each(|rows| band.add(rows)));
        for rows in &rows {
            squares += rows.residuals.iter().map(|residual| residual * residual).sum::<f64>();
        }
    }
    let (matrix, vector) = assemble(&bands, active.cells.len());
    NormalEquations { matrix, vector, squares }
}

/// Cuts the upper triangle of `cells` rows into bands of about equal size.
fn bands(cells: usize) -> Vec<Band> {
    let mut bands = Vec::new();
    let mut first = 0;
    while first < cells {
        let mut last = first;
        let mut size = 0;
        while last < cells && size < BAND_BLOCKS {
            size += cells - last;
            last += 1;
        }
        bands.push(Band {
            first,
            last,
            width: cells - first,
            blocks: vec![[0.0; 4]; size],
            vector: vec![[0.0; 2]; last - first],
        });
        first = last;
    }
    bands
}

/// Joins the bands to a dense matrix and vector.
fn assemble(bands: &[Band], cells: usize) -> (DMatrix<f64>, DVector<f64>) {
    let mut matrix = DMatrix::zeros(2 * cells, 2 * cells);
    let mut vector = DVector::zeros(2 * cells);
    for band in bands {
        let mut blocks = band.blocks.iter();
        for row in band.first..band.last {
            for (half, sum) in band.vector[row - band.first].into_iter().enumerate() {
                vector[2 * row + half] = sum;
            }
            for (column, block) in (row..cells).zip(&mut blocks) {
                for (part, &sum) in block.iter().enumerate() {
                    let (across, down) = (2 * row + part / 2, 2 * column + part % 2);
                    matrix[(down, across)] = sum;
                }
            }
        }
    }
    (matrix, vector)
}

impl Rows {
    /// Replaces the rows by those of the positions `range`.
    fn fill(
        &mut self,
        objective: &Objective<'_>,
        values: &Values,
        active: &ActiveCells,
        range: std::ops::Range<usize>,
    ) {
        self.ends.clear();
        self.places.clear();
        self.slopes.clear();
        self.residuals.clear();
        for index in range {
            let position = objective.store.position(index);
            let (evaluation, slopes) = differentiate(&position, values);
            let (residual, slope) = objective.residual(index, evaluation);
            let slopes = slopes.map(|halves| halves.map(|half| half * slope));
            self.push_row(&position, &slopes, active);
            self.ends.push(self.places.len());
            self.residuals.push(residual);
        }
    }

    /// Appends the slopes of one position: the two sorted lists of its entries merged by cell.
    fn push_row(
        &mut self,
        position: &TracedPosition<'_>,
        slopes: &[[f64; 2]],
        active: &ActiveCells,
    ) {
        let start = self.places.len();
        let mut others = position.others.iter().peekable();
        for main in position.main {
            while let Some(other) = others.next_if(|other| other.cell < main.cell) {
                self.push(start, other, slopes, active);
            }
            self.push(start, main, slopes, active);
        }
        for other in others {
            self.push(start, other, slopes, active);
        }
    }

    /// Adds one entry to the row that begins at `start`, to its last cell or as a new one.
    #[inline]
    fn push(
        &mut self,
        start: usize,
        entry: &PackedEntry,
        slopes: &[[f64; 2]],
        active: &ActiveCells,
    ) {
        let place = active.index[entry.cell as usize];
        if place == INACTIVE {
            return;
        }
        let times = f64::from(entry.times);
        let [middlegame, endgame] = slopes[entry.sum as usize].map(|slope| times * slope);
        if self.places.len() > start && self.places.last() == Some(&place) {
            if let Some(last) = self.slopes.last_mut() {
                last[0] += middlegame;
                last[1] += endgame;
            }
        } else {
            self.places.push(place);
            self.slopes.push([middlegame, endgame]);
        }
    }
}

impl Band {
    /// Adds the rows' products that belong to this band.
    fn add(&mut self, rows: &Rows) {
        let mut start = 0;
        for (&end, &residual) in rows.ends.iter().zip(&rows.residuals) {
            let (places, slopes) = (&rows.places[start..end], &rows.slopes[start..end]);
            start = end;
            let from = places.partition_point(|&place| (place as usize) < self.first);
            for index in from..places.len() {
                let row = places[index] as usize;
                if row >= self.last {
                    break;
                }
                self.add_pairs(row, &places[index..], &slopes[index..], residual);
            }
        }
    }

    /// Adds the products of a row's first cell, which is `row`, with all its cells.
    #[inline]
    fn add_pairs(&mut self, row: usize, places: &[u16], slopes: &[[f64; 2]], residual: f64) {
        let [middlegame, endgame] = slopes[0];
        let inside = row - self.first;
        self.vector[inside][0] += middlegame * residual;
        self.vector[inside][1] += endgame * residual;
        let start = inside * self.width - inside * inside.saturating_sub(1) / 2;
        let blocks = &mut self.blocks[start..start + self.width - inside];
        for (&place, &[other_middlegame, other_endgame]) in places.iter().zip(slopes) {
            let block = &mut blocks[place as usize - row];
            block[0] += middlegame * other_middlegame;
            block[1] += middlegame * other_endgame;
            block[2] += endgame * other_middlegame;
            block[3] += endgame * other_endgame;
        }
    }
}
