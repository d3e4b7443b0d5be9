//! The course of a path so far: where its numbers went, how far they would have gone by chance
//! alone, and what the way is worth by the results along it.
//!
//! The slope of even iterations tells what the way of odd ones is worth, and the other way round. A
//! lucky result moves a number and raises its slope alike, and would else count as a gain.

use statistics::{CONFIDENCE, Estimate};
use tunables::Tunable;

use super::path::{Gains, Path, Trial};

/// Points of a path that are kept, if it ends where it was planned to.
const POINTS: u64 = 500;
/// Stretches of equal length into which the planned path is divided for the slope along it.
const STRETCHES: u64 = 8;
/// Half of an interval (Elo) that says nothing any more: players so far apart win nearly all games.
const MOST_ERROR: f64 = 200.0;
/// Elo of a score near one half: the slope of the logistic curve there, 1600 / ln 10, times the
/// quarter of a score that one game won more than lost out of two is.
const ELO_PER_WIN_IN_A_PAIR: f64 = 400.0 / std::f64::consts::LN_10;

/// A point of the path.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    /// Iterations counted up to it.
    pub iteration: u64,
    /// Games won more than lost by all `plus` players so far.
    pub score: i64,
    /// Values of the numbers, in their order.
    pub values: Vec<f64>,
    /// For each number the sum of squares of its moves per win: its variance if the results were
    /// chance, but for the variance of a result.
    squares: Vec<f64>,
}

/// How far a number went.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Drift {
    /// The value at the start.
    pub start: f64,
    /// The value now.
    pub now: f64,
    /// How far chance alone would have brought it: the standard deviation of the same moves if the
    /// results were independent of the numbers.
    pub noise: f64,
}

impl Drift {
    /// The change in units of what chance does: beyond 2, chance is an unlikely reason.
    pub fn ratio(&self) -> f64 {
        if self.noise > 0.0 { (self.now - self.start) / self.noise } else { 0.0 }
    }
}

/// The course of a path.
#[derive(Clone, Debug)]
pub struct SpsaPath {
    tunables: Vec<Tunable>,
    gains: Gains,
    batch: u64,
    points: Vec<Point>,
    last: Point,
    /// Sum of squares of the scores of the iterations.
    score_squares: f64,
    stretches: Vec<Stretch>,
}

/// Sums over a part of the path, those of odd iterations and of even ones apart.
#[derive(Clone, Debug)]
struct Stretch {
    halves: [Half; 2],
}

/// Sums over half of the iterations of a stretch, for each number.
#[derive(Clone, Debug)]
struct Half {
    /// Elo times difference of the players.
    products: Vec<f64>,
    /// Squares of the differences.
    squares: Vec<f64>,
    /// Where these iterations moved it.
    moved: Vec<f64>,
    /// Squares of its moves per win.
    chances: Vec<f64>,
}

impl SpsaPath {
    /// The course of a path at its beginning.
    pub fn new(tunables: Vec<Tunable>, gains: Gains, batch: u64) -> SpsaPath {
        let last = Point {
            iteration: 0,
            score: 0,
            values: tunables.iter().map(|tunable| tunable.value).collect(),
            squares: vec![0.0; tunables.len()],
        };
        SpsaPath {
            tunables,
            gains,
            batch,
            points: vec![last.clone()],
            last,
            score_squares: 0.0,
            stretches: Vec::new(),
        }
    }

    /// Takes in an iteration that the path has just counted.
    pub fn take(&mut self, trial: &Trial, score: i64, path: &Path) {
        let length = self.gains.iterations.div_ceil(STRETCHES).max(1);
        if self.stretches.len() as u64 * length < trial.iteration {
            let half = || {
                let zeros = || vec![0.0; self.tunables.len()];
                Half { products: zeros(), squares: zeros(), moved: zeros(), chances: zeros() }
            };
            self.stretches.push(Stretch { halves: [half(), half()] });
        }
        let elo = ELO_PER_WIN_IN_A_PAIR * score as f64 / self.batch as f64;
        if let Some(stretch) = self.stretches.last_mut() {
            let half = &mut stretch.halves[(trial.iteration % 2) as usize];
            for (index, value) in path.values().iter().enumerate() {
                let difference = trial.plus[index] - trial.minus[index];
                half.products[index] += elo * difference;
                half.squares[index] += difference * difference;
                half.moved[index] += value - self.last.values[index];
                half.chances[index] += trial.moves[index].powi(2);
            }
        }
        self.score_squares += (score as f64).powi(2);
        self.last.iteration = trial.iteration;
        self.last.score += score;
        self.last.values.clear();
        self.last.values.extend_from_slice(path.values());
        for (square, by) in self.last.squares.iter_mut().zip(&trial.moves) {
            *square += by * by;
        }
        let stride = (self.gains.iterations / POINTS).max(1);
        if trial.iteration.is_multiple_of(stride) {
            self.points.push(self.last.clone());
        }
    }

    /// The numbers of the path.
    pub fn tunables(&self) -> &[Tunable] {
        &self.tunables
    }

    /// How perturbations and steps shrink.
    pub fn gains(&self) -> &Gains {
        &self.gains
    }

    /// The end of the path so far.
    pub fn last(&self) -> &Point {
        &self.last
    }

    /// Where it was on the way, its beginning and its end included.
    pub fn points(&self) -> impl Iterator<Item = &Point> {
        let end = self.points.last().filter(|point| point.iteration == self.last.iteration);
        self.points.iter().chain(end.is_none().then_some(&self.last))
    }

    /// How far each number went.
    pub fn drifts(&self) -> Vec<Drift> {
        self.drifts_at(&self.last)
    }

    /// How far each number had gone then.
    pub fn drifts_at(&self, point: &Point) -> Vec<Drift> {
        let variance = self.score_squares / self.last.iteration.max(1) as f64;
        let of_number = |(index, tunable): (usize, &Tunable)| Drift {
            start: tunable.value,
            now: point.values[index],
            noise: (variance * point.squares[index]).sqrt(),
        };
        self.tunables.iter().enumerate().map(of_number).collect()
    }

    /// The same as [`SpsaPath::worth`] without those of which so few games were played that they say
    /// nothing.
    pub fn told_worth(&self) -> Vec<(u64, Estimate)> {
        let is_told = |elo: &Estimate| elo.error > 0.0 && elo.error <= MOST_ERROR;
        self.worth().into_iter().filter(|(_, elo)| is_told(elo)).collect()
    }

    /// The worth of the way so far against the start, after each stretch: iterations, Elo with its
    /// error (95 %).
    ///
    /// Slope times way, summed up over the numbers and the stretches of the path. The slope of a
    /// number is Elo by difference of the players, over the iterations of a stretch. A step that
    /// luck caused is in the slope of the same iteration, too, and would be taken for gain; therefore
    /// the way that the odd iterations made is measured by the slope of the even ones, and the other
    /// way round. Unbiased where the slope is constant over a stretch. The error of a slope counts as
    /// often as the way is long, and once more by how far chance alone would have led: for that part
    /// of both ways, each is in the slope of the other, and their errors are the same.
    pub fn worth(&self) -> Vec<(u64, Estimate)> {
        let length = self.gains.iterations.div_ceil(STRETCHES).max(1);
        let score_variance = self.score_squares / self.last.iteration.max(1) as f64;
        let variance_of_elo = (ELO_PER_WIN_IN_A_PAIR / self.batch as f64).powi(2) * score_variance;
        let (mut elo, mut variance) = (0.0, 0.0);
        let mut worth = Vec::new();
        for (number, stretch) in self.stretches.iter().enumerate() {
            let [even, odd] = &stretch.halves;
            for (slopes, way) in [(even, odd), (odd, even)] {
                for (index, moved) in way.moved.iter().enumerate() {
                    let squares = slopes.squares[index];
                    if squares > 0.0 {
                        elo += moved * slopes.products[index] / squares;
                        let by_chance = score_variance * way.chances[index];
                        variance += (moved * moved + by_chance) * variance_of_elo / squares;
                    }
                }
            }
            let end = ((number as u64 + 1) * length).min(self.last.iteration);
            let error = CONFIDENCE * f64::sqrt(variance);
            worth.push((end, Estimate { value: elo, error }));
        }
        worth
    }
}
