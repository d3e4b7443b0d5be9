//! Runs beside each other: what was played, what came out. The same rows make a table on the terminal
//! and a page.

mod finding;
mod page;
mod rows;
mod table;

use std::path::PathBuf;

use statistics::{EloEstimate, PairCounts};

use crate::html::words::{elo_text, signed};

pub use finding::{FoundRuns, NothingFound, Skipped, find};
pub use page::page;
pub use table::text;

/// A run, as a row of the table.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The run's folder.
    pub folder: PathBuf,
    /// A page that shows it, if there is one.
    pub page: Option<PathBuf>,
    /// Who played whom; of a tournament all, the best first.
    pub players: String,
    /// How long they may think.
    pub limits: String,
    /// Whether it is over.
    pub state: State,
    /// Pairs that are counted.
    pub pairs: u64,
    /// Pairs of the first player by outcome, from its view.
    pub counts: PairCounts,
    /// Logistic Elo of the first player with its 95 % interval; `None` if too little was played.
    pub elo: Option<EloEstimate>,
    /// Log-likelihood ratio, with its lower and upper bound; `None` where nothing is tested.
    pub ratio: Option<[f64; 3]>,
    /// The decision in a few words; empty if there is none.
    pub verdict: String,
    /// The color of that: `accepted`, `rejected` or `open`.
    pub class: &'static str,
    /// Nodes a second of the first and of the second player, or the ratio of two builds; empty if
    /// times are not known.
    pub speed: String,
}

/// Whether a run is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// It came to its end.
    Finished,
    /// Interrupted, killed, or going on: games are left to play.
    Unfinished,
    /// An error or the players' faults ended it early.
    Failed,
}

impl State {
    fn as_str(self) -> &'static str {
        match self {
            State::Finished => "finished",
            State::Unfinished => "unfinished",
            State::Failed => "failed",
        }
    }
}

/// Names of the columns, in the order of [`Row::cells`]: what decides comes first.
const COLUMNS: [&str; 11] = [
    "Run",
    "Players",
    "Verdict",
    "Elo [95 %]",
    "LLR [bounds]",
    "State",
    "Pairs",
    "Score",
    "Limits",
    "Pairs by points 0, ½, 1, 1½, 2",
    "Speed",
];

impl Row {
    fn cells(&self) -> [String; 11] {
        let or_dash = |text: &str| if text.is_empty() { "-".to_owned() } else { text.to_owned() };
        [
            self.folder.display().to_string(),
            self.players.clone(),
            or_dash(&self.verdict),
            self.elo_text(),
            self.ratio_text(),
            self.state.as_str().to_owned(),
            self.pairs.to_string(),
            self.score(),
            self.limits.clone(),
            self.counts.pentanomial().map(|count| count.to_string()).join(", "),
            or_dash(&self.speed),
        ]
    }

    /// Share of the points of the first player in percent; `-` before the first game.
    fn score(&self) -> String {
        let [_, drawn, won] = self.counts.trinomial();
        match 2 * self.counts.pairs() {
            0 => "-".to_owned(),
            games => format!("{:.1}\u{a0}%", 50.0 * (2 * won + drawn) as f64 / games as f64),
        }
    }

    fn elo_text(&self) -> String {
        self.elo.as_ref().map_or("-".to_owned(), elo_text)
    }

    fn ratio_text(&self) -> String {
        match self.ratio {
            Some(ratio) => {
                let [lower, ratio, upper] = ratio.map(|value| signed(value, 2));
                format!("{ratio} [{lower}, {upper}]")
            }
            None => "-".to_owned(),
        }
    }
}
