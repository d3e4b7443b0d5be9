//! Several runs side by side: what was played, what came out. The same rows make a table on the
//! terminal and a page.

mod page;
mod rows;
mod table;

use std::path::PathBuf;

use thiserror::Error;

use crate::report::html::words::signed;
use crate::run::RunError;
use crate::statistics::PairCounts;

pub use page::page;
pub use rows::rows_of;
pub use table::text;

/// A run, or a player of a tournament.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The folder, as it was named.
    pub run: String,
    /// Who played whom.
    pub players: String,
    /// How long they may think.
    pub limits: String,
    /// Pairs by outcome, from the first player's view.
    pub counts: PairCounts,
    /// Games that no other row has, too: of a tournament those of the first row are all.
    pub own_games: u64,
    /// Logistic Elo of the first player with its 95 % interval: low, middle, high; `None` if too
    /// little was played.
    pub elo: Option<[f64; 3]>,
    /// Log-likelihood ratio, with its lower and upper bound; `None` where nothing is tested.
    pub ratio: Option<[f64; 3]>,
    /// What is decided, in a few words.
    pub verdict: String,
    /// The color of that: `accepted`, `rejected` or `open`.
    pub class: &'static str,
    /// Nodes a second of the first and of the second player, or the ratio of two builds; empty if
    /// times are not known.
    pub speed: String,
}

impl Row {
    /// Games that were counted.
    fn games(&self) -> u64 {
        2 * self.counts.pairs()
    }

    /// Share of the points of the first player in percent; `-` before the first game.
    fn score(&self) -> String {
        let [_, drawn, won] = self.counts.trinomial();
        match self.games() {
            0 => "-".to_owned(),
            games => format!("{:.1}\u{a0}%", 50.0 * (2 * won + drawn) as f64 / games as f64),
        }
    }

    /// The Elo with its interval.
    fn elo_text(&self) -> String {
        match self.elo {
            Some(elo) => {
                let [low, middle, high] = elo.map(|value| signed(value, 1));
                format!("{middle} [{low}, {high}]")
            }
            None => "-".to_owned(),
        }
    }

    /// The likelihood ratio with its bounds.
    fn ratio_text(&self) -> String {
        match self.ratio {
            Some(ratio) => {
                let [lower, ratio, upper] = ratio.map(|value| signed(value, 2));
                format!("{ratio} [{lower}, {upper}]")
            }
            None => "-".to_owned(),
        }
    }

    /// Pairs by score: 0, ½, 1, 1½, 2 points.
    fn pentanomial_text(&self) -> String {
        self.counts.pentanomial().map(|count| count.to_string()).join(", ")
    }

    fn speed_text(&self) -> String {
        if self.speed.is_empty() { "-".to_owned() } else { self.speed.clone() }
    }
}

/// Names of the columns, in the order of [`Row::cells`].
const COLUMNS: [&str; 10] = [
    "Run",
    "Players",
    "Limits",
    "Games",
    "Score",
    "Elo [95 %]",
    "LLR [bounds]",
    "Verdict",
    "Pairs by points 0, ½, 1, 1½, 2",
    "Speed",
];

impl Row {
    /// What stands in each of [`COLUMNS`].
    fn cells(&self) -> [String; 10] {
        [
            self.run.clone(),
            self.players.clone(),
            self.limits.clone(),
            self.games().to_string(),
            self.score(),
            self.elo_text(),
            self.ratio_text(),
            self.verdict.clone(),
            self.pentanomial_text(),
            self.speed_text(),
        ]
    }
}

/// Why runs cannot be compared.
#[derive(Debug, Error)]
pub enum ComparisonError {
    /// The folder holds nothing that can be compared.
    #[error(
        "{}: {reason}; name folders that `sprt run`, `sprt tournament` or `sprt regress` wrote as \
         their --output",
        folder.display()
    )]
    NotARun {
        /// The folder that is meant.
        folder: PathBuf,
        /// What is missing.
        reason: String,
    },
    /// The run in the folder cannot be read.
    #[error("{}: {error}", folder.display())]
    Run {
        /// The folder of the run.
        folder: PathBuf,
        /// What is wrong. Part of the message, hence no source, which would be printed again.
        error: RunError,
    },
}
