//! How evenly what was recorded falls: results, by score as well, lengths, and what occurs again.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use crate::store::{Game, Reader, result_code};

/// Upper ends of the bands of scores (centipawns, White's view); the last band has none.
const BANDS: [i16; 8] = [-600, -300, -150, -50, 50, 150, 300, 600];

/// Positions whose occurrences are counted at most: beyond, only a share of them is watched.
const WATCHED_MAX: usize = 1 << 22;

/// Counts of the games of a store.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Balance {
    /// Number of games.
    pub games: u64,
    /// Games that have all their moves in common with one before.
    pub repeated_games: u64,
    /// Positions in all games.
    pub positions: u64,
    /// Games lost, drawn and won by White, in this order.
    pub results: [u64; 3],
    /// Positions by score, each with the results of their games; see [`BANDS`].
    bands: [[u64; 3]; BANDS.len() + 1],
    /// Games by their number of plies.
    lengths: Vec<u64>,
    occurrences: Occurrences<WATCHED_MAX>,
}

impl Balance {
    /// Reads the whole blocks of a store.
    ///
    /// # Errors
    /// If the store cannot be read or is damaged.
    pub fn of_store(path: &Path) -> anyhow::Result<Balance> {
        let mut reader = Reader::open(path)?;
        let mut balance = Balance::default();
        let mut known = HashSet::new();
        while let Some(block) = reader.next_block()? {
            for game in block.decode()? {
                balance.add(&game, &mut known).map_err(|problem| block.damaged(problem))?;
            }
        }
        Ok(balance)
    }

    fn add(&mut self, game: &Game, known: &mut HashSet<u64>) -> Result<(), String> {
        let result = usize::from(result_code(game.result));
        let mut hasher = DefaultHasher::new();
        game.start.hash(&mut hasher);
        game.replay(|position, _, ply| {
            ply.played.hash(&mut hasher);
            self.occurrences.add(position.key());
            if let Some(score) = ply.known_score() {
                self.bands[BANDS.partition_point(|&end| end <= score)][result] += 1;
            }
        })?;
        let plies = game.plies.len();
        self.games += 1;
        self.repeated_games += u64::from(!known.insert(hasher.finish()));
        self.positions += plies as u64;
        self.results[result] += 1;
        if self.lengths.len() <= plies {
            self.lengths.resize(plies + 1, 0);
        }
        self.lengths[plies] += 1;
        Ok(())
    }

    /// Share of the positions that had occurred before, 0 to 1; of many, that of a sample of them.
    pub fn repeated_share(&self) -> f64 {
        self.occurrences.repeated_share()
    }

    /// The fewest plies that this share of the games does not exceed.
    pub fn length(&self, share: f64) -> usize {
        let wanted = (share * self.games as f64).ceil().max(1.0) as u64;
        let mut sum = 0;
        let reaches = |&games: &u64| {
            sum += games;
            sum >= wanted
        };
        self.lengths.iter().position(reaches).unwrap_or(0)
    }
}

/// The table that `tuner record` prints.
impl fmt::Display for Balance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |part: f64, whole: f64| 100.0 * part / whole.max(1.0);
        let share = |part: u64, whole: u64| percent(part as f64, whole as f64);
        writeln!(f, "{:<30}{:>12}", "games", self.games)?;
        for (result, name) in [(2, "  White won"), (1, "  drawn"), (0, "  Black won")] {
            let games = self.results[result];
            writeln!(f, "{name:<30}{games:>12}  {:>5.1} %", share(games, self.games))?;
        }
        let repeated = self.repeated_games;
        let name = "  the same as one before";
        writeln!(f, "{name:<30}{repeated:>12}  {:>5.1} %", share(repeated, self.games))?;
        writeln!(f, "{:<30}{:>12}", "positions", self.positions)?;
        let name = "  the same as one before";
        let repeated = self.repeated_share();
        writeln!(f, "{name:<30}{:>12}  {:>5.1} %", "", 100.0 * repeated)?;
        let [least, quarter, half, three_quarters, most] =
            [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| self.length(share));
        writeln!(
            f,
            "plies of a game: {least} to {most}, half of them {quarter} to {three_quarters}, median \
             {half}"
        )?;
        writeln!(f, "score of White   positions   share   White won     drawn   Black won")?;
        let scored: u64 = self.bands.iter().flatten().sum();
        for (index, band) in self.bands.iter().enumerate() {
            let count: u64 = band.iter().sum();
            let name = match (index.checked_sub(1).map(|low| BANDS[low]), BANDS.get(index)) {
                (None, Some(high)) => format!("below {high}"),
                (Some(low), Some(high)) => format!("{low} to {}", high - 1),
                (Some(low), None) => format!("{low} and more"),
                (None, None) => String::new(),
            };
            let [lost, drawn, won] = band.map(|games| share(games, count));
            writeln!(
                f,
                "{name:<14}{count:>12}  {:>5.1} %     {won:>5.1} %   {drawn:>5.1} %     {lost:>5.1} %",
                share(count, scored)
            )?;
        }
        Ok(())
    }
}

/// Counts how often positions occur: all of them as long as they are few, then those whose keys end
/// with ever more zeros, so that no more than `MAX` are held.
#[derive(Clone, PartialEq, Debug, Default)]
struct Occurrences<const MAX: usize> {
    /// Times that each position watched occurred, by its key.
    counts: HashMap<u64, u32>,
    /// Zeros that a key watched ends with.
    zeros: u32,
}

impl<const MAX: usize> Occurrences<MAX> {
    fn add(&mut self, key: u64) {
        if key.trailing_zeros() < self.zeros {
            return;
        }
        let count = self.counts.entry(key).or_default();
        *count = count.saturating_add(1);
        if self.counts.len() > MAX {
            self.zeros += 1;
            let zeros = self.zeros;
            self.counts.retain(|key, _| key.trailing_zeros() >= zeros);
        }
    }

    fn repeated_share(&self) -> f64 {
        let all: u64 = self.counts.values().map(|&count| u64::from(count)).sum();
        let repeated = all - self.counts.len() as u64;
        repeated as f64 / all.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_positions_are_counted_in_bounded_room() {
        let mut few = Occurrences::<10>::default();
        for key in [1, 2, 3, 2, 3, 3, 4, 5] {
            few.add(key);
        }
        assert_eq!(few.repeated_share(), 3.0 / 8.0);

        const MAX: usize = 1 << 14;
        let mut many = Occurrences::<MAX>::default();
        // Every key twice; an odd factor makes all their bits differ.
        for _ in 0..2 {
            for index in 0..20 * MAX as u64 {
                many.add(index.wrapping_mul(0x9E37_79B9_7F4A_7C15));
            }
        }
        assert!(many.counts.len() <= MAX && many.zeros > 3);
        assert!((many.repeated_share() - 0.5).abs() < 0.01, "{}", many.repeated_share());
    }
}
