//! How sure each number is: errors and t-values from the normal equations.
//!
//! The estimate is where the loss of the training positions is least. With J the slopes of its
//! residuals r by the numbers, it scatters from one set of games to another like (JᵀJ)⁻¹ B (JᵀJ)⁻¹:
//! the *sandwich*, in which B is the sum over games of sᵍ·sᵍᵀ with sᵍ = Jᵀr over the positions of
//! the game. Games are what is independent, not positions, since all positions of a game share its
//! result; and that the results of sure positions scatter less than those of even ones is in r
//! itself, so that nothing is assumed about them.
//!
//! Fitted residuals are smaller than true ones, most where few games speak of a number: each game's
//! part is divided by the root of what its own influence on the fit has left of it. Where there are
//! fewer than a few games for each number, that is not enough: then positions are the units, and
//! their sum is enlarged by how much more games scatter than their positions one by one, in the mean
//! of all numbers.
//!
//! CITE: Huber, The behavior of maximum likelihood estimates under nonstandard conditions (1967);
//! White (1980); Liang and Zeger, Longitudinal data analysis using generalized linear models (1986):
//! clusters; Bell and McCaffrey, Bias reduction in standard errors (2002): the correction; Kish, Survey
//! Sampling (1965): the design effect.
//!
//! Two things are told. What the positions alone say, without the pull towards the start: one step
//! of Gauss and Newton from the values of the file to where the loss is least, with its error; that
//! interval covers the truth as often as it says. And whether the file's value moved for a reason:
//! its change over the scatter that such a change has with the pull and the ties at work.

use std::ops::Range;

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::symmetric::{InverseRoot, inverse, strips};
use super::task::Task;
use crate::model::normal_equations::{ActiveCells, NormalEquations, is_silent, normal_equations};
use crate::model::{Objective, Tables, Values, Work};

/// Added to the diagonal of the matrix normalized to ones, so that numbers no data can tell apart
/// do not end it.
const RIDGE: f64 = 1e-7;
/// Part of a number in directions without any curvature above which the positions alone say nothing
/// of it.
const UNTOLD: f64 = 0.01;
/// Games a number below which a sum over games tells too little of single numbers.
const GAMES_MIN: usize = 4;
/// Greatest share of a game's residuals that its own influence is taken to have removed.
const INFLUENCE_MAX: f64 = 0.9;
/// Games whose slopes are held at a time, and rows of the sum that one task adds to.
const GAMES: usize = 256;
const ROWS: usize = 64;

/// What is known of one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Its cell.
    pub cell: usize,
    /// 0 for the middlegame, 1 for the endgame or a number without phases.
    pub half: usize,
    /// What the positions alone say, and the standard error of that; none of a number that they do
    /// not tell from others.
    pub alone: Option<(f64, f64)>,
    /// Standard error of the fitted value, with pull and ties.
    pub scatter: f64,
}

/// A sum of changes that means nothing and is 0: what fixes a gauge.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// Cell, half and how much its change counts.
    pub terms: Vec<(usize, usize, f64)>,
}

/// All estimates of a fit.
pub struct Uncertainty {
    /// The numbers that may change and have an effect, in their order.
    pub estimates: Vec<Estimate>,
    /// Inverse of JᵀJ over them, with a unit diagonal before: great where numbers look alike.
    pub inverse: DMatrix<f64>,
    /// Whether games are the units of the errors; else positions, enlarged.
    pub by_games: bool,
}

/// Estimates the numbers around fitted `values`; `games` holds the game of each training position.
/// None when the matrix has no inverse, as with values that are no numbers.
pub fn estimate(
    task: &Task<'_>,
    values: &Values,
    games: &[u32],
    constraints: &[Constraint],
) -> Option<Uncertainty> {
    let active = task.bounds.active();
    let NormalEquations { mut matrix, vector, .. } =
        normal_equations(task.training, values, &active);
    let free = free_numbers(task, values, &active, &matrix, &vector);
    if free.is_empty() {
        let inverse = DMatrix::zeros(0, 0);
        return Some(Uncertainty { estimates: Vec::new(), inverse, by_games: true });
    }
    let scales: Vec<f64> = free.iter().map(|&number| matrix[(number, number)].sqrt()).collect();
    let place =
        |cell: usize, half: usize| free.binary_search(&(2 * active.place(cell)? + half)).ok();
    // The equations of the free numbers with a unit diagonal and the gauges fixed, and their right side.
    let normalized = |matrix: &DMatrix<f64>| {
        let mut curvature = DMatrix::from_fn(free.len(), free.len(), |row, column| {
            let (low, high) = (row.min(column), row.max(column));
            matrix[(free[high], free[low])] / (scales[low] * scales[high])
        });
        let mut right = DVector::from_fn(free.len(), |row, _| vector[free[row]] / scales[row]);
        for constraint in constraints {
            let both = (&mut curvature, &mut right);
            add_constraint(constraint, both, &scales, place, (task, values));
        }
        (0..free.len()).for_each(|number| curvature[(number, number)] += RIDGE);
        (curvature, right)
    };
    // Each matrix is as large as a good part of the positions: none stays longer than it is needed.
    let (curvature, right) = normalized(&matrix);
    let inverse_alone = inverse(curvature)?;
    task.ties.add_to((&mut matrix, &mut vector.clone()), (task.start, values), &active);
    let (mut pulled, _) = normalized(&matrix);
    drop(matrix);
    for number in 0..free.len() {
        pulled[(number, number)] += task.pull() / scales[number].powi(2);
    }
    let root_pulled = InverseRoot::new(pulled)?;
    let (objective, inverse) = (task.training, &inverse_alone);
    let tables = &objective.store.tables(values);
    let slopes =
        GameSlopes { objective, tables, active: &active, free: &free, scales: &scales, inverse };
    let (meat, by_games) = slopes.meat(games);
    let step = &inverse_alone * right;
    let errors =
        sandwich(|strip| inverse_alone.columns(strip.start, strip.len()).into_owned(), &meat);
    let scatters = sandwich(|strip| root_pulled.inverse_columns(strip), &meat);
    let estimates = (0..free.len()).map(|row| {
        let (cell, half) = (active.cells[free[row] / 2], free[row] % 2);
        let is_told = inverse_alone[(row, row)] * RIDGE < UNTOLD;
        let value = values.0[cell][half] + step[row] / scales[row];
        Estimate {
            cell,
            half,
            alone: is_told.then(|| (value, errors[row] / scales[row])),
            scatter: scatters[row] / scales[row],
        }
    });
    let estimates = estimates.collect();
    Some(Uncertainty { estimates, inverse: inverse_alone, by_games })
}

/// The numbers that may change, have an effect and are not pushed against an end of their range.
fn free_numbers(
    task: &Task<'_>,
    values: &Values,
    active: &ActiveCells,
    matrix: &DMatrix<f64>,
    vector: &DVector<f64>,
) -> Vec<usize> {
    let greatest = matrix.diagonal().max();
    let is_free = |&number: &usize| {
        let (cell, half) = (active.cells[number / 2], number % 2);
        let (low, high) = (task.bounds.low[cell][half], task.bounds.high[cell][half]);
        let (value, push) = (values.0[cell][half], vector[number]);
        let pushed = (value <= low && push <= 0.0) || (value >= high && push >= 0.0);
        low < high && !pushed && !is_silent(matrix[(number, number)], greatest)
    };
    (0..vector.len()).filter(is_free).collect()
}

/// Adds a constraint to the equations. Along its gauge nothing else has a curvature, so that the
/// solution obeys it exactly, whatever its weight.
fn add_constraint(
    constraint: &Constraint,
    (curvature, right): (&mut DMatrix<f64>, &mut DVector<f64>),
    scales: &[f64],
    place: impl Fn(usize, usize) -> Option<usize>,
    (task, values): (&Task<'_>, &Values),
) {
    let terms: Vec<(usize, f64, f64)> = constraint
        .terms
        .iter()
        .filter_map(|&(cell, half, weight)| {
            let number = place(cell, half)?;
            let change = values.0[cell][half] - task.start.0[cell][half];
            Some((number, weight / scales[number], weight * change))
        })
        .collect();
    let squares: f64 = terms.iter().map(|term| term.1 * term.1).sum();
    if squares == 0.0 {
        return;
    }
    let left: f64 = -terms.iter().map(|term| term.2).sum::<f64>();
    for &(one, weight, _) in &terms {
        right[one] += weight * left / squares;
        for &(other, other_weight, _) in &terms {
            curvature[(one, other)] += weight * other_weight / squares;
        }
    }
}

/// Roots of the diagonal of M B M for symmetric matrices; `bread` makes columns of M.
fn sandwich(bread: impl Fn(Range<usize>) -> DMatrix<f64> + Sync, meat: &DMatrix<f64>) -> Vec<f64> {
    let roots = strips(meat.ncols()).into_par_iter().flat_map_iter(|strip| {
        let bread = bread(strip);
        let half = meat * &bread;
        let square = |number| bread.column(number).dot(&half.column(number));
        (0..bread.ncols()).map(|number| square(number).max(0.0).sqrt()).collect::<Vec<_>>()
    });
    roots.collect()
}

/// Room to add up the slopes of a game, by active cell.
#[derive(Default)]
struct Room {
    work: Work,
    sums: Vec<[f64; 2]>,
}

/// What the slopes of games are made of.
struct GameSlopes<'a> {
    objective: &'a Objective<'a>,
    tables: &'a Tables,
    active: &'a ActiveCells,
    /// The numbers wanted, ascending.
    free: &'a [usize],
    /// Roots of their squared slopes, by which all is divided.
    scales: &'a [f64],
    /// Inverse of the equations, so divided.
    inverse: &'a DMatrix<f64>,
}

impl GameSlopes<'_> {
    /// The sum of squared slopes, and whether it is that of games.
    fn meat(&self, games: &[u32]) -> (DMatrix<f64>, bool) {
        let mut order: Vec<u32> = (0..games.len() as u32).collect();
        order.sort_by_key(|&index| (games[index as usize], index));
        let groups: Vec<&[u32]> =
            order.chunk_by(|&one, &other| games[one as usize] == games[other as usize]).collect();
        let by_games = self.squares(&groups);
        if groups.len() >= GAMES_MIN * self.free.len() {
            return (by_games, true);
        }
        let trace = by_games.trace();
        drop(by_games);
        let positions: Vec<&[u32]> = order.chunks(1).collect();
        let by_positions = self.squares(&positions);
        let design_effect = (trace / by_positions.trace()).max(1.0);
        (by_positions * design_effect, false)
    }

    /// The sum over groups of positions of sᵍ·sᵍᵀ.
    fn squares(&self, groups: &[&[u32]]) -> DMatrix<f64> {
        let size = self.free.len();
        let mut sum = DMatrix::<f64>::zeros(size, size);
        for groups in groups.chunks(GAMES) {
            let slopes: Vec<Vec<(u32, f64)>> = groups
                .par_iter()
                .map_init(Room::default, |room, group| self.of_group(group, room))
                .collect();
            // Column by column of the lower triangle: memory is in that order.
            sum.as_mut_slice().par_chunks_mut(size * ROWS).enumerate().for_each(
                |(task, columns)| {
                    let first = task * ROWS;
                    slopes.iter().for_each(|slopes| add_squares(slopes, first, columns, size));
                },
            );
        }
        sum.fill_upper_triangle_with_lower_triangle();
        let count = groups.len() as f64;
        sum * (count / (count - 1.0).max(1.0))
    }

    /// Jᵀr over some positions, the numbers with a slope, as it would be without their own influence
    /// on the fit.
    fn of_group(&self, positions: &[u32], room: &mut Room) -> Vec<(u32, f64)> {
        let Room { work, sums } = room;
        sums.resize(self.active.cells.len(), [0.0; 2]);
        sums.fill([0.0; 2]);
        let mut squares = 0.0;
        for &index in positions {
            let position = self.objective.store.single(index as usize, self.tables, work);
            let row = position.row;
            let (residual, slope) = self.objective.residual(position.labels, 0, row.evaluation);
            squares += residual * residual;
            for (&cell, halves) in row.cells.iter().zip(row.slopes) {
                if let Some(place) = self.active.place(usize::from(cell)) {
                    sums[place][0] += residual * slope * halves[0];
                    sums[place][1] += residual * slope * halves[1];
                }
            }
        }
        let slopes = self.free.iter().enumerate().filter_map(|(row, &number)| {
            let slope = sums[number / 2][number % 2];
            (slope != 0.0).then(|| (row as u32, slope / self.scales[row]))
        });
        let mut slopes: Vec<(u32, f64)> = slopes.collect();
        let fitted: f64 = slopes
            .iter()
            .map(|&(column, slope)| {
                let column = self.inverse.column(column as usize);
                let sum: f64 = slopes.iter().map(|&(row, it)| it * column[row as usize]).sum();
                slope * sum
            })
            .sum();
        if squares > 0.0 {
            let influence = (fitted / squares).clamp(0.0, INFLUENCE_MAX);
            let factor = 1.0 / (1.0 - influence).sqrt();
            slopes.iter_mut().for_each(|(_, slope)| *slope *= factor);
        }
        slopes
    }
}

/// Adds the products of a game's slopes to whole columns, of which `first` is the first.
fn add_squares(slopes: &[(u32, f64)], first: usize, columns: &mut [f64], size: usize) {
    let last = first + columns.len() / size;
    let start = slopes.partition_point(|&(row, _)| (row as usize) < first);
    for (index, &(column, slope)) in slopes.iter().enumerate().skip(start) {
        let column = column as usize;
        if column >= last {
            break;
        }
        let column = &mut columns[(column - first) * size..][..size];
        for &(row, other) in &slopes[index..] {
            column[row as usize] += slope * other;
        }
    }
}
