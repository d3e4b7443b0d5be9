//! The normal equations of the fit: JᵀJ and Jᵀr over all positions, from sparse rows.
//!
//! A position touches some seventy of a thousand cells, so its row of the Jacobian is kept sparse
//! and only the touched pairs of cells are added up, as blocks of two by two (middlegame and
//! endgame). The upper triangle is cut into bands of rows that fit in a core's cache; each band
//! walks all positions in their order, so the sums are the same for any number of threads, and
//! there is only one matrix in memory.

use nalgebra::DVector;
use rayon::prelude::*;

use super::symmetric::Symmetric;
use super::{Objective, Tables, Values, Work, in_blocks};

/// Blocks of positions whose rows are made before the bands take them up.
const CHUNK: usize = 8;
/// Blocks in one band: 256 KiB.
const BAND_BLOCKS: usize = 8192;

/// The cells a fit may change, in order; each has two numbers, middlegame and endgame.
pub struct ActiveCells {
    /// Indices of these cells in [`Values`], ascending.
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
    /// The matrix JᵀJ.
    pub matrix: Symmetric,
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
    let tables = objective.store.tables(values);
    let blocks = in_blocks(objective.store.blocks(), CHUNK, Rows::default, |rows, blocks| {
        let mut squares = vec![[0.0; 2]; active.cells.len()];
        for block in blocks {
            rows.fill(objective, &tables, active, block);
            for (&place, slopes) in rows.places.iter().zip(&rows.slopes) {
                let sum = &mut squares[usize::from(place)];
                sum[0] += slopes[0] * slopes[0];
                sum[1] += slopes[1] * slopes[1];
            }
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
    work: Work,
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
    let all: Vec<usize> = (0..objective.store.blocks()).collect();
    normal_equations_of(objective, values, active, &all)
}

/// Adds up the normal equations of some blocks of positions.
pub fn normal_equations_of(
    objective: &Objective<'_>,
    values: &Values,
    active: &ActiveCells,
    blocks: &[usize],
) -> NormalEquations {
    let mut bands = bands(active.cells.len());
    let mut rows: Vec<Rows> = (0..CHUNK).map(|_| Rows::default()).collect();
    let tables = objective.store.tables(values);
    let mut squares = 0.0;
    for chunk in blocks.chunks(CHUNK) {
        let rows = &mut rows[..chunk.len()];
        rows.par_iter_mut()
            .zip(chunk)
            .for_each(|(rows, &block)| rows.fill(objective, &tables, active, block));
        bands.par_iter_mut().for_each(|band| rows.iter().for_each(|rows| band.add(rows)));
        for rows in rows {
            squares += rows.residuals.iter().map(|residual| residual * residual).sum::<f64>();
        }
    }
    drop(rows);
    let (matrix, vector) = assemble(bands, active.cells.len());
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

/// Joins the bands to a matrix and a vector, and frees each when it is taken over.
fn assemble(bands: Vec<Band>, cells: usize) -> (Symmetric, DVector<f64>) {
    let mut matrix = Symmetric::zeros(2 * cells);
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
                    // A block on the diagonal holds its element above it as well.
                    if across <= down {
                        matrix[(down, across)] = sum;
                    }
                }
            }
        }
    }
    (matrix, vector)
}

impl Rows {
    /// Replaces the rows by those of a block of positions.
    fn fill(
        &mut self,
        objective: &Objective<'_>,
        tables: &Tables,
        active: &ActiveCells,
        block: usize,
    ) {
        let Rows { ends, places, slopes, residuals, work } = self;
        ends.clear();
        places.clear();
        slopes.clear();
        residuals.clear();
        objective.store.differentiate(block, tables, work);
        let slopes_of_results: Vec<f64> = work
            .evaluations
            .iter()
            .enumerate()
            .map(|(index, &evaluation)| {
                let (residual, slope) = objective.residual(&work.labels, index, evaluation);
                residuals.push(residual);
                slope
            })
            .collect();
        objective.store.rows(block, work, &mut |row| {
            let slope = slopes_of_results[row.index];
            for (&cell, halves) in row.cells.iter().zip(row.slopes) {
                let place = active.index[usize::from(cell)];
                if place != INACTIVE {
                    places.push(place);
                    slopes.push(halves.map(|half| half * slope));
                }
            }
            ends.push(places.len());
        });
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
