//! Ratings of many players from their games with each other.
//!
//! The model is logistic Elo: White scores L(white − black + advantage) on average. Ratings are
//! those of maximum likelihood, a draw counting as half a win and half a loss; then each player's
//! expected points are the points it made. Draws make games vary less than the model thinks, and
//! the two games of a pair are not independent, so that errors do not come from the model: they are
//! computed from the scatter of the pairs, and of games where they were not played in pairs
//! (the "sandwich" of inverse information, observed scatter, inverse information).
//!
//! CITE: R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs"; L. R. Ford,
//! "Solution of a ranking problem from binary comparisons", for when a solution exists; H. White,
//! "Maximum likelihood estimation of misspecified models", for the errors.

use std::collections::BTreeMap;
use std::f64::consts::LN_10;
use std::fmt;

use foreign::{WIDTH, shown};
use nalgebra::{DMatrix, DVector};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::elo::{CONFIDENCE, Estimate, score_of_elo};
use super::{ColorCounts, GameOutcome, PairCounts, normal_cdf};

/// Logits of an Elo point.
const LOGIT: f64 = LN_10 / 400.0;

/// Who played whom, with what results.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Crosstable {
    players: Vec<String>,
    /// White's losses, draws, wins by (White, Black), pairs included.
    games: BTreeMap<(usize, usize), [u64; 3]>,
    /// Pairs by two players, the first in the table being the candidate.
    pairs: BTreeMap<(usize, usize), ColorCounts>,
}

impl Crosstable {
    /// A table without games.
    pub fn new(players: Vec<String>) -> Crosstable {
        Crosstable { players, ..Crosstable::default() }
    }

    /// The players' names; others refer to them by index.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// The index of a player, who is added if new.
    pub fn player(&mut self, name: &str) -> usize {
        self.players.iter().position(|player| player == name).unwrap_or_else(|| {
            self.players.push(name.to_owned());
            self.players.len() - 1
        })
    }

    /// Adds a game that is not part of a pair, by White's outcome.
    pub fn add_game(&mut self, white: usize, black: usize, outcome: GameOutcome) {
        self.games.entry((white, black)).or_default()[outcome.half_points()] += 1;
    }

    /// Adds a pair by the outcomes of its first player: as White, then as Black.
    pub fn add_pair(&mut self, first: usize, second: usize, outcomes: [GameOutcome; 2]) {
        let [as_white, as_black] = outcomes;
        self.add_game(first, second, as_white);
        self.add_game(second, first, as_black.reversed());
        let (players, [as_white, as_black]) = if first < second {
            ((first, second), outcomes)
        } else {
            ((second, first), [as_black, as_white].map(GameOutcome::reversed))
        };
        self.pairs.entry(players).or_default().add(as_white, as_black);
    }

    /// The pairs of two players from the view of the first of them.
    pub fn between(&self, one: usize, other: usize) -> PairCounts {
        let counts = self.pairs.get(&(one.min(other), one.max(other)));
        let counts = counts.map(ColorCounts::pair_counts).unwrap_or_default();
        if one < other { counts } else { counts.reversed() }
    }

    /// Losses, draws and wins of a player.
    pub fn games_of(&self, player: usize) -> [u64; 3] {
        let mut sum = [0; 3];
        for (&(white, black), games) in &self.games {
            for (outcome, count) in games.iter().enumerate() {
                if white == player {
                    sum[outcome] += count;
                }
                if black == player {
                    sum[2 - outcome] += count;
                }
            }
        }
        sum
    }

    /// Rates the players.
    ///
    /// # Errors
    /// An anchor is no player or no rating, or there are too many players.
    pub fn rate(&self, settings: &RatingSettings) -> Result<Ratings, RatingError> {
        let players = self.players.len();
        if players > RatingSettings::MOST_PLAYERS {
            return Err(RatingError::TooMany { players });
        }
        let anchors = self.anchors(settings)?;
        let mut model = Model::new(self, anchors, settings.white_advantage);
        let found = if self.has_solution(&model) { model.solve() } else { None };
        let is_regularized = found.is_none();
        let solution = found.unwrap_or_else(|| {
            model.prior = Model::PRIOR;
            model.climb().0
        });
        let covariance = model.covariance(&solution);
        Ok(self.ratings(&model, &solution, &covariance, is_regularized))
    }

    fn anchors(&self, settings: &RatingSettings) -> Result<BTreeMap<usize, f64>, RatingError> {
        let mut anchors = BTreeMap::new();
        for (name, elo) in &settings.anchors {
            let index = self.players.iter().position(|player| player == name);
            let index = index.ok_or_else(|| RatingError::UnknownAnchor { name: name.clone() })?;
            if !(-RatingSettings::MOST_ELO..=RatingSettings::MOST_ELO).contains(elo) {
                return Err(RatingError::Anchor { name: name.clone(), elo: *elo });
            }
            anchors.insert(index, *elo);
        }
        Ok(anchors)
    }

    /// Ford's condition: from every player to every other leads a chain of players of whom each
    /// scored against the next; anchors, whose difference is known, are as if they had against each
    /// other. Otherwise some ratings are infinite or unknown to each other. [`Model::solve`] shows
    /// the part of White's advantage in that.
    fn has_solution(&self, model: &Model) -> bool {
        let scored = |one: usize, other: usize| {
            let are_anchors = [one, other].iter().all(|player| model.column(*player).is_none());
            let count = |players, from: usize| {
                self.games.get(&players).map_or(0, |games| games[1] + games[from])
            };
            are_anchors || count((one, other), 2) + count((other, one), 0) > 0
        };
        let reaches_all = |forwards: bool| {
            let mut reached = vec![false; self.players.len()];
            let mut open = vec![0];
            while let Some(player) = open.pop() {
                if std::mem::replace(&mut reached[player], true) {
                    continue;
                }
                open.extend((0..self.players.len()).filter(|&next| {
                    !reached[next]
                        && if forwards { scored(player, next) } else { scored(next, player) }
                }));
            }
            reached.into_iter().all(|is_reached| is_reached)
        };
        self.players.is_empty() || (reaches_all(true) && reaches_all(false))
    }

    fn ratings(
        &self,
        model: &Model,
        solution: &DVector<f64>,
        covariance: &DMatrix<f64>,
        is_regularized: bool,
    ) -> Ratings {
        let elo = |player: usize| model.elo(solution, player);
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|&one, &other| elo(other).total_cmp(&elo(one)));
        let shared = |one: usize, other: usize| match (model.column(one), model.column(other)) {
            (Some(one), Some(other)) => covariance[(one, other)],
            _ => 0.0,
        };
        let rows = order.iter().map(|&player| {
            let [losses, draws, wins] = self.games_of(player);
            let games = losses + draws + wins;
            let share = |points: f64| points / games.max(1) as f64;
            Rating {
                player: self.players[player].clone(),
                elo: elo(player),
                error: CONFIDENCE * shared(player, player).max(0.0).sqrt(),
                games,
                score: share(wins as f64 + 0.5 * draws as f64),
                draw_ratio: share(draws as f64),
            }
        });
        let superiority = order.iter().map(|&one| {
            let against = |&other: &usize| {
                let variance = shared(one, one) + shared(other, other) - 2.0 * shared(one, other);
                let difference = elo(one) - elo(other);
                // Two anchors have no error, and whoever is equal is as likely the better.
                let is_certain = one == other || variance <= 0.0;
                let deviations = difference / if is_certain { 1e-9 } else { variance.sqrt() };
                normal_cdf(deviations)
            };
            order.iter().map(against).collect()
        });
        Ratings {
            players: rows.collect(),
            likelihood_of_superiority: superiority.collect(),
            white_advantage: model.white_column().map(|column| Estimate {
                value: solution[column],
                error: CONFIDENCE * covariance[(column, column)].max(0.0).sqrt(),
            }),
            is_regularized,
        }
    }
}

/// Assumptions of a rating, and what it estimates besides.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct RatingSettings {
    /// Players of fixed rating (Elo). Without any, the mean of all ratings is 0.
    pub anchors: Vec<(String, f64)>,
    /// Estimate White's advantage, which is the same in all games, instead of taking it for 0.
    pub white_advantage: bool,
}

impl RatingSettings {
    /// Anchors beyond this (Elo) are refused.
    pub const MOST_ELO: f64 = 10_000.0;
    /// More players are refused: time grows with the third power of their number.
    pub const MOST_PLAYERS: usize = 2000;
}

/// Why players cannot be rated.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum RatingError {
    /// There are too many players.
    #[error(
        "{players} players are too many for a rating table: at most {} are rated",
        RatingSettings::MOST_PLAYERS
    )]
    TooMany {
        /// Players in the table.
        players: usize,
    },
    /// The anchor did not play.
    #[error("the anchor {name:?} is none of the players")]
    UnknownAnchor {
        /// The player that is meant.
        name: String,
    },
    /// The anchor's rating is no rating.
    #[error("the anchor {name:?} cannot have {elo} Elo")]
    Anchor {
        /// The player that is meant.
        name: String,
        /// Rating that was given (Elo).
        elo: f64,
    },
}

/// A player's rating.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct Rating {
    /// Name of the player.
    pub player: String,
    /// Rating (logistic Elo).
    pub elo: f64,
    /// Half-width of the 95 % confidence interval, relative to the mean of all or to the anchors; 0
    /// for an anchor.
    #[schemars(range(min = 0))]
    pub error: f64,
    /// Games it played, against whomever.
    pub games: u64,
    /// Share of the points, 0 to 1.
    #[schemars(range(min = 0, max = 1))]
    pub score: f64,
    /// Share of drawn games, 0 to 1.
    #[schemars(range(min = 0, max = 1))]
    pub draw_ratio: f64,
}

/// The rating table, the best first.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct Ratings {
    /// The players, the best first.
    pub players: Vec<Rating>,
    /// `[i][j]`: probability, 0 to 1, that player i is stronger than player j, in this order.
    pub likelihood_of_superiority: Vec<Vec<f64>>,
    /// White's advantage (logistic Elo), if asked for.
    pub white_advantage: Option<Estimate>,
    /// True if the games alone give no finite ratings: somebody won or lost all games, groups never
    /// met, or nothing tells White's advantage from the players (White never lost, or each player
    /// had one color). Then each player was given half a drawn game against the average, and
    /// White's advantage one between equals.
    pub is_regularized: bool,
}

/// The likelihood as a function of the unknown ratings and, behind them, White's advantage.
struct Model<'table> {
    table: &'table Crosstable,
    anchors: BTreeMap<usize, f64>,
    /// Column of each player; anchors have none.
    columns: Vec<Option<usize>>,
    unknowns: usize,
    white_advantage: bool,
    /// Drawn games of each player against the average.
    prior: f64,
}

impl Model<'_> {
    /// Drawn games against the average given to each player where the games alone do not do.
    const PRIOR: f64 = 0.5;

    fn new(table: &Crosstable, anchors: BTreeMap<usize, f64>, white_advantage: bool) -> Model<'_> {
        let mut free = 0;
        let columns = (0..table.players.len())
            .map(|player| {
                let is_free = !anchors.contains_key(&player);
                free += usize::from(is_free);
                is_free.then(|| free - 1)
            })
            .collect();
        let unknowns = free + usize::from(white_advantage);
        Model { table, anchors, columns, unknowns, white_advantage, prior: 0.0 }
    }

    fn column(&self, player: usize) -> Option<usize> {
        self.columns[player]
    }

    fn white_column(&self) -> Option<usize> {
        self.white_advantage.then(|| self.unknowns - 1)
    }

    fn elo(&self, solution: &DVector<f64>, player: usize) -> f64 {
        self.columns[player].map_or_else(|| self.anchors[&player], |column| solution[column])
    }

    /// The average the prior pulls to: that of the anchors, or 0.
    fn center(&self) -> f64 {
        self.anchors.values().sum::<f64>() / self.anchors.len().max(1) as f64
    }

    /// The columns that the prior pulls, each with where to: players, and where all games of White
    /// are won its advantage needs a bound as well.
    fn pulled(&self) -> impl Iterator<Item = (usize, f64)> {
        let center = self.center();
        let players = self.columns.iter().flatten().map(move |&column| (column, center));
        players.chain(self.white_column().map(|column| (column, 0.0)))
    }

    fn expected(&self, solution: &DVector<f64>, white: usize, black: usize) -> f64 {
        let advantage = self.white_column().map_or(0.0, |column| solution[column]);
        score_of_elo(self.elo(solution, white) - self.elo(solution, black) + advantage)
    }

    /// How a game's difference of ratings changes with the unknowns.
    fn direction(&self, white: usize, black: usize) -> [Option<(usize, f64)>; 3] {
        let white_column = self.white_column();
        [
            self.columns[white].map(|column| (column, 1.0)),
            self.columns[black].map(|column| (column, -1.0)),
            white_column.map(|column| (column, 1.0)),
        ]
    }

    /// Slope of the log-likelihood and negated curvature, both per Elo.
    fn derivatives(&self, solution: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
        let mut slope = DVector::zeros(self.unknowns);
        let mut information = DMatrix::zeros(self.unknowns, self.unknowns);
        for (&(white, black), &[losses, draws, wins]) in &self.table.games {
            let expected = self.expected(solution, white, black);
            let games = (losses + draws + wins) as f64;
            let surplus = wins as f64 + 0.5 * draws as f64 - games * expected;
            let direction = self.direction(white, black);
            for &(row, sign) in direction.iter().flatten() {
                slope[row] += LOGIT * surplus * sign;
            }
            let weight = LOGIT * LOGIT * games * expected * (1.0 - expected);
            add_outer(&mut information, &direction, weight);
        }
        for (column, center) in self.pulled() {
            let expected = score_of_elo(solution[column] - center);
            slope[column] += self.prior * LOGIT * (0.5 - expected);
            information[(column, column)] +=
                self.prior * LOGIT * LOGIT * expected * (1.0 - expected);
        }
        // Differences alone count: without anchors, a mean of 0 is as good as any and is asked for.
        if self.anchors.is_empty() {
            let scale = LOGIT * LOGIT;
            let players: Vec<usize> = self.columns.iter().flatten().copied().collect();
            let sum: f64 = players.iter().map(|&column| solution[column]).sum();
            for &row in &players {
                slope[row] -= scale * sum;
                for &column in &players {
                    information[(row, column)] += scale;
                }
            }
        }
        (slope, information)
    }

    /// The unknowns at the greatest likelihood, or `None` where it grows without an end or is the
    /// same along a line, as when White won all games or one of two players was always White.
    fn solve(&self) -> Option<DVector<f64>> {
        /// Information of an unknown that is left when all others are known, as a share of all that
        /// there is: less is rounding.
        const LEAST_LEFT: f64 = 1e-9;
        let (solution, is_at_rest) = self.climb();
        let (_, information) = self.derivatives(&solution);
        let all = information.diagonal();
        let left = information.cholesky()?.l_dirty().diagonal().map(|root| root * root);
        let is_told = left.iter().zip(&all).all(|(left, all)| *left > LEAST_LEFT * all);
        (is_at_rest && is_told).then_some(solution)
    }

    /// The unknowns after Newton's steps to greater likelihood, and whether the last one led nowhere.
    fn climb(&self) -> (DVector<f64>, bool) {
        const STEPS: usize = 500;
        /// Longest step of an iteration, in Elo.
        const LONGEST_STEP: f64 = 300.0;
        /// Far below what is printed, and above what rounding does to the steps.
        const TOLERANCE: f64 = 1e-6;
        let mut solution = DVector::from_element(self.unknowns, self.center());
        if let Some(column) = self.white_column() {
            solution[column] = 0.0;
        }
        for _ in 0..STEPS {
            let (slope, information) = self.derivatives(&solution);
            let Some(factors) = information.cholesky() else { break };
            let mut step = factors.solve(&slope);
            let longest = step.amax();
            if longest > LONGEST_STEP {
                step *= LONGEST_STEP / longest;
            }
            solution += &step;
            if longest < TOLERANCE {
                return (solution, true);
            }
        }
        (solution, false)
    }

    /// Covariance of the unknowns: the scatter of the units through the inverse information.
    fn covariance(&self, solution: &DVector<f64>) -> DMatrix<f64> {
        let (_, information) = self.derivatives(solution);
        let Some(factors) = information.cholesky() else {
            return DMatrix::zeros(self.unknowns, self.unknowns);
        };
        let inverse = factors.inverse();
        &inverse * self.scatter(solution) * &inverse
    }

    /// Variance of the slope as the results scatter.
    fn scatter(&self, solution: &DVector<f64>) -> DMatrix<f64> {
        let mut scatter = DMatrix::zeros(self.unknowns, self.unknowns);
        let none = ColorCounts::default();
        for (&(white, black), games) in &self.table.games {
            let key = (white.min(black), white.max(black));
            let pairs = self.table.pairs.get(&key).unwrap_or(&none).pair_counts().pairs();
            let expected = self.expected(solution, white, black);
            // One game of each pair has this player as White.
            let single = games.iter().sum::<u64>().saturating_sub(pairs) as f64;
            let variance = variance_of(games, expected * (1.0 - expected));
            let direction = self.direction(white, black);
            add_outer(&mut scatter, &direction, LOGIT * LOGIT * variance * single);
        }
        for (&(first, second), pairs) in &self.table.pairs {
            let expected = self.expected(solution, first, second);
            let counts = pairs.pair_counts();
            // Points of a pair are twice its score as a share.
            let weight = |half_points: &[u64]| {
                let variance = 4.0 * variance_of(half_points, 0.5 * expected * (1.0 - expected));
                LOGIT * LOGIT * variance * counts.pairs() as f64
            };
            // White's advantage adds up within a pair, the players' difference cancels in it, and
            // the other way round.
            let [one, other, advantage] = self.direction(first, second);
            add_outer(&mut scatter, &[one, other], weight(&counts.pentanomial()));
            add_outer(&mut scatter, &[advantage], weight(&pairs.by_white_points()));
        }
        // A rating that only the prior fixes is no better known than that: its games scatter, too.
        for (column, _) in self.pulled() {
            scatter[(column, column)] += 0.25 * self.prior * LOGIT * LOGIT;
        }
        scatter
    }
}

/// Adds the weighted product of a sparse vector with itself.
fn add_outer(matrix: &mut DMatrix<f64>, vector: &[Option<(usize, f64)>], weight: f64) {
    for &(row, row_sign) in vector.iter().flatten() {
        for &(column, column_sign) in vector.iter().flatten() {
            matrix[(row, column)] += weight * row_sign * column_sign;
        }
    }
}

/// Variance of the score, 0 to 1, of one unit from the counts of equally spaced scores and one more
/// unit with the `expected` variance: a few equal results do not prove that there is no chance.
fn variance_of(counts: &[u64], expected: f64) -> f64 {
    let total = counts.iter().sum::<u64>() as f64;
    let values = || {
        counts
            .iter()
            .enumerate()
            .map(|(class, &n)| (class as f64 / (counts.len() - 1) as f64, n as f64))
    };
    let mean = values().map(|(value, n)| value * n).sum::<f64>() / total.max(1.0);
    let squares: f64 = values().map(|(value, n)| n * (value - mean).powi(2)).sum();
    (squares + expected) / (total + 1.0)
}

impl fmt::Display for Ratings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.table("White").fmt(f)
    }
}

impl Ratings {
    /// The table, in which the side that moves first has this name.
    pub fn table<'a>(&'a self, first: &'a str) -> RatingTable<'a> {
        RatingTable { ratings: self, first }
    }
}

/// Ratings as a table for people.
pub struct RatingTable<'a> {
    ratings: &'a Ratings,
    first: &'a str,
}

impl fmt::Display for RatingTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RatingTable { ratings: Ratings { players, .. }, first } = *self;
        let names: Vec<String> = players.iter().map(|row| shown(&row.player, WIDTH)).collect();
        let width = names.iter().map(|name| name.chars().count()).max();
        let width = width.unwrap_or(0).max("Player".len());
        write!(f, "{:>4}  {:<width$}  {:>8} {:>7}", "", "Player", "Elo", "±")?;
        write!(f, "  {:>8}  {:>7}  {:>7}  LOS %", "games", "score", "drawn")?;
        // Against each of the others where that fits a line, or against the next.
        let is_narrow = players.len() <= 16;
        for (index, row) in players.iter().enumerate() {
            write!(
                f,
                "\n{:>4}  {:<width$}  {:>+8.1} {:>7.1}  {:>8}  {:>5.1} %  {:>5.1} %",
                index + 1,
                names[index],
                row.elo,
                row.error,
                row.games,
                100.0 * row.score,
                100.0 * row.draw_ratio
            )?;
            for (other, superiority) in
                self.ratings.likelihood_of_superiority[index].iter().enumerate()
            {
                if other == index && is_narrow {
                    write!(f, "    -")?;
                } else if is_narrow || other == index + 1 {
                    write!(f, " {:>4.0}", 100.0 * superiority)?;
                }
            }
        }
        if let Some(Estimate { value, error }) = self.ratings.white_advantage {
            write!(f, "\n{first}'s advantage {value:+.1} ± {error:.1}")?;
        }
        if self.ratings.is_regularized {
            write!(
                f,
                "\nSomebody won or lost all games, groups never met, or {first}'s advantage is not to \
                 be told: each player was given half a drawn game against the average."
            )?;
        }
        Ok(())
    }
}
