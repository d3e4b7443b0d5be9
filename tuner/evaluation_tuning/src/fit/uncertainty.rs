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
//! Two things are told. First the estimate by the positions alone, without the pull towards the
//! start: one step of Gauss and Newton from the values of the file to where the loss is least, with
//! its error; that interval covers the truth as often as it says. Second, whether the file's value
//! moved for a reason: its change over the scatter that such a change has with the pull and the
//! ties at work.
//!
//! Simulated, 94.0 % of 720 intervals hold the truth, and 4.8 % of the changes of unchanged numbers
//! have |t| > 2. With hardly any pull only 84 % do, because one step from values so far off is too
//! short.

use std::ops::Range;

use nalgebra::{DMatrix, DMatrixViewMut, DVector};
use rayon::prelude::*;

use super::collinear;
use super::factor::Factor;
use super::task::Task;
use crate::model::normal_equations::{ActiveCells, NormalEquations, is_silent, normal_equations};
use crate::model::symmetric::{Symmetric, strips};
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
/// Games whose slopes are held at a time.
const GAMES: usize = 256;

/// One number's estimate by the positions, and its errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Index of its cell in the values.
    pub cell: usize,
    /// 0 for the middlegame, 1 for the endgame or a number without phases.
    pub half: usize,
    /// The estimate by the positions alone, and its standard error; none of a number that they do
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
    /// Groups of numbers that the positions can hardly tell apart, as indices: see
    /// [`collinear::groups`].
    pub collinear: Vec<Vec<usize>>,
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
    let mut equations = normal_equations(task.training, values, &active);
    let free = free_numbers(task, values, &active, &equations);
    if free.is_empty() {
        let (estimates, collinear) = (Vec::new(), Vec::new());
        return Some(Uncertainty { estimates, collinear, by_games: true });
    }
    let scales: Vec<f64> =
        free.iter().map(|&number| equations.matrix[(number, number)].sqrt()).collect();
    let place =
        |cell: usize, half: usize| free.binary_search(&(2 * active.place(cell)? + half)).ok();
    // The fixing of each gauge: the weights of its numbers, and what their sum still lacks.
    let change = |cell: usize, half: usize| values.0[cell][half] - task.start.0[cell][half];
    let gauges: Vec<FixedGauge> = constraints
        .iter()
        .filter_map(|constraint| FixedGauge::new(constraint, &scales, place, change))
        .collect();
    let mut right =
        DVector::from_fn(free.len(), |row, _| equations.vector[free[row]] / scales[row]);
    gauges.iter().for_each(|gauge| gauge.add_to_right(&mut right));
    // Each matrix is as large as a good part of the positions: none stays longer than it is needed.
    let factor = Factor::new(normalized(&equations.matrix, &free, &scales, &gauges))?;
    let step = factor.solve(&right);
    let inverse = factor.inverse();
    drop(factor);
    let (objective, tables) = (task.training, &task.training.store.tables(values));
    let slopes = GameSlopes {
        objective,
        tables,
        active: &active,
        free: &free,
        scales: &scales,
        inverse: &inverse,
    };
    let (meat, by_games) = slopes.meat(games);
    let errors = sandwich(|strip| inverse.columns(strip), &meat);
    let is_told: Vec<bool> =
        inverse.diagonal().iter().map(|untold| untold * RIDGE < UNTOLD).collect();
    let collinear = collinear::groups(&inverse);
    drop(inverse);
    let NormalEquations { matrix, vector, .. } = &mut equations;
    task.ties.add_to((matrix, vector), (task.start, values), &active);
    let mut pulled = normalized(matrix, &free, &scales, &gauges);
    drop(equations);
    for number in 0..free.len() {
        pulled[(number, number)] += task.pull() / scales[number].powi(2);
    }
    let pulled = Factor::new(pulled)?;
    let scatters = sandwich(|strip| pulled.inverse_columns(strip), &meat);
    let estimates = (0..free.len()).map(|row| {
        let (cell, half) = (active.cells[free[row] / 2], free[row] % 2);
        let value = values.0[cell][half] + step[row] / scales[row];
        Estimate {
            cell,
            half,
            alone: is_told[row].then(|| (value, errors[row] / scales[row])),
            scatter: scatters[row] / scales[row],
        }
    });
    Some(Uncertainty { estimates: estimates.collect(), collinear, by_games })
}

/// The numbers that may change, have an effect and are not pushed against an end of their range.
fn free_numbers(
    task: &Task<'_>,
    values: &Values,
    active: &ActiveCells,
    NormalEquations { matrix, vector, .. }: &NormalEquations,
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

/// The matrix of the free numbers with a unit diagonal and the gauges fixed.
fn normalized(
    matrix: &Symmetric,
    free: &[usize],
    scales: &[f64],
    gauges: &[FixedGauge],
) -> Symmetric {
    let mut curvature = Symmetric::from_fn(free.len(), |row, column| {
        matrix[(free[row], free[column])] / (scales[column] * scales[row])
    });
    (0..free.len()).for_each(|number| curvature[(number, number)] += RIDGE);
    gauges.iter().for_each(|gauge| gauge.add_to_matrix(&mut curvature));
    curvature
}

/// A constraint as part of the equations. Along its gauge nothing else has a curvature, so that the
/// solution obeys it exactly, whatever its weight.
struct FixedGauge {
    /// Numbers, in their order, and how much each counts.
    terms: Vec<(usize, f64)>,
    /// The change that their sum still lacks.
    left: f64,
    /// Sum of the squared weights, by which all is divided.
    squares: f64,
}

impl FixedGauge {
    /// None if nothing of it is free.
    fn new(
        constraint: &Constraint,
        scales: &[f64],
        place: impl Fn(usize, usize) -> Option<usize>,
        change: impl Fn(usize, usize) -> f64,
    ) -> Option<FixedGauge> {
        let (mut terms, mut left) = (Vec::new(), 0.0);
        for &(cell, half, weight) in &constraint.terms {
            if let Some(number) = place(cell, half) {
                terms.push((number, weight / scales[number]));
                left -= weight * change(cell, half);
            }
        }
        terms.sort_unstable_by_key(|&(number, _)| number);
        let squares = terms.iter().map(|(_, weight)| weight * weight).sum();
        (squares > 0.0).then_some(FixedGauge { terms, left, squares })
    }

    fn add_to_right(&self, right: &mut DVector<f64>) {
        for &(number, weight) in &self.terms {
            right[number] += weight * self.left / self.squares;
        }
    }

    fn add_to_matrix(&self, curvature: &mut Symmetric) {
        for (index, &(column, weight)) in self.terms.iter().enumerate() {
            for &(row, other_weight) in &self.terms[index..] {
                curvature[(row, column)] += weight * other_weight / self.squares;
            }
        }
    }
}

/// Roots of the diagonal of M B M for symmetric matrices; `bread` makes columns of M.
fn sandwich(bread: impl Fn(Range<usize>) -> DMatrix<f64> + Sync, meat: &Symmetric) -> Vec<f64> {
    let roots = strips(meat.size()).into_par_iter().flat_map_iter(|strip| {
        let bread = bread(strip);
        let half = meat.times(&bread);
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

/// The parts of the slopes of games.
struct GameSlopes<'a> {
    objective: &'a Objective<'a>,
    tables: &'a Tables,
    active: &'a ActiveCells,
    /// The numbers wanted, ascending.
    free: &'a [usize],
    /// Roots of their squared slopes, by which all is divided.
    scales: &'a [f64],
    /// Inverse of the equations, so divided.
    inverse: &'a Symmetric,
}

impl GameSlopes<'_> {
    /// The sum of squared slopes, and whether it is that of games.
    fn meat(&self, games: &[u32]) -> (Symmetric, bool) {
        let mut order: Vec<u32> = (0..games.len() as u32).collect();
        order.sort_by_key(|&index| (games[index as usize], index));
        let groups: Vec<&[u32]> =
            order.chunk_by(|&one, &other| games[one as usize] == games[other as usize]).collect();
        let by_games = self.squares(&groups);
        if groups.len() >= GAMES_MIN * self.free.len() {
            return (by_games, true);
        }
        let trace = by_games.diagonal().sum();
        drop(by_games);
        let positions: Vec<&[u32]> = order.chunks(1).collect();
        let mut by_positions = self.squares(&positions);
        by_positions *= (trace / by_positions.diagonal().sum()).max(1.0);
        (by_positions, false)
    }

    /// The sum over groups of positions of sᵍ·sᵍᵀ.
    fn squares(&self, groups: &[&[u32]]) -> Symmetric {
        let size = self.free.len();
        let mut sum = Symmetric::zeros(size);
        for groups in groups.chunks(GAMES) {
            let slopes: Vec<Vec<(u32, f64)>> = groups
                .par_iter()
                .map_init(Room::default, |room, group| self.of_group(group, room))
                .collect();
            let strips = sum.strips_mut().into_par_iter();
            strips.for_each(|mut strip| {
                slopes.iter().for_each(|slopes| add_squares(slopes, size, &mut strip));
            });
        }
        let count = groups.len() as f64;
        sum *= count / (count - 1.0).max(1.0);
        sum
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
        // sᵀ M s by the lower triangle: what lies below the diagonal counts twice.
        let fitted: f64 = slopes
            .iter()
            .enumerate()
            .map(|(index, &(column, slope))| {
                let below = slopes[index + 1..].iter();
                let below: f64 = below.map(|&(row, it)| it * self.of_inverse(row, column)).sum();
                slope * (slope * self.of_inverse(column, column) + 2.0 * below)
            })
            .sum();
        if squares > 0.0 {
            let influence = (fitted / squares).clamp(0.0, INFLUENCE_MAX);
            let factor = 1.0 / (1.0 - influence).sqrt();
            slopes.iter_mut().for_each(|(_, slope)| *slope *= factor);
        }
        slopes
    }

    fn of_inverse(&self, row: u32, column: u32) -> f64 {
        self.inverse[(row as usize, column as usize)]
    }
}

/// Adds the products of a game's slopes to a strip of a matrix of so many rows.
fn add_squares(slopes: &[(u32, f64)], size: usize, strip: &mut DMatrixViewMut<'_, f64>) {
    let first = size - strip.nrows();
    let last = first + strip.ncols();
    let start = slopes.partition_point(|&(row, _)| (row as usize) < first);
    for (index, &(column, slope)) in slopes.iter().enumerate().skip(start) {
        let column = column as usize;
        if column >= last {
            break;
        }
        let mut column = strip.column_mut(column - first);
        let column = column.as_mut_slice();
        for &(row, other) in &slopes[index..] {
            column[row as usize - first] += slope * other;
        }
    }
}
