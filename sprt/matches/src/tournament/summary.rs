//! The result of a tournament.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use statistics::{Crosstable, PairCounts, Ratings};

use super::Rules;
use crate::player::{Contestant, Identity};
use crate::run::RunTally;

/// What came out of a tournament: `result.json` of `sprt tournament` and `sprt resume`. It holds
/// nothing that depends on time, threads or folders.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct Summary {
    /// Name and version of this form. The version changes when a program that reads it would have
    /// to.
    #[schemars(extend("const" = Summary::SCHEMA))]
    pub schema: String,
    /// Who played, in the order in which they were named.
    pub players: Vec<Identity>,
    /// The same as the run was told.
    pub contestants: Vec<Contestant>,
    /// What was played.
    pub rules: Rules,
    /// The rating table, the best first.
    pub ratings: Ratings,
    /// `[i][j]`: pairs of players i and j, in the order of `players`, from i's view.
    pub crosstable: Vec<Vec<PairCounts>>,
    /// Who was withdrawn for its faults, in the order in which that happened.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub withdrawn: Vec<Withdrawal>,
    /// Terminations, plies, nodes, faults.
    #[serde(flatten)]
    pub tally: RunTally,
}

impl Summary {
    /// Name and version of the JSON form, described in `docs/schemas/tournament.schema.json`.
    pub const SCHEMA: &str = "kamerton-tournament/1";

    /// Pairs of the whole tournament.
    pub fn pairs_in_all(&self) -> u64 {
        self.rules.rounds * self.rules.format.pairings(self.players.len()).len() as u64
    }

    pub(super) fn new(
        rules: Rules,
        contestants: Vec<Contestant>,
        players: Vec<Identity>,
        crosstable: &Crosstable,
        withdrawn: Vec<Withdrawal>,
        tally: RunTally,
    ) -> Summary {
        let ratings = crosstable.rate(&rules.rating()).expect("the anchors were checked before");
        let row = |one| (0..players.len()).map(|other| crosstable.between(one, other)).collect();
        Summary {
            schema: Summary::SCHEMA.to_owned(),
            crosstable: (0..players.len()).map(row).collect(),
            players,
            contestants,
            rules,
            ratings,
            withdrawn,
            tally,
        }
    }

    /// Each player's points against each other, the best first.
    fn write_crosstable(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let index = |name: &str| self.players.iter().position(|player| player.name == name);
        let order: Vec<usize> =
            self.ratings.players.iter().filter_map(|rating| index(&rating.player)).collect();
        let width = self.players.iter().map(|it| it.name.chars().count()).max().unwrap_or(0);
        write!(f, "{:>4}  {:<width$}", "", "Points")?;
        (1..=order.len()).try_for_each(|number| write!(f, " {number:>13}"))?;
        for (place, &one) in order.iter().enumerate() {
            write!(f, "\n{:>4}  {:<width$}", place + 1, self.players[one].name)?;
            for &other in &order {
                let [losses, draws, wins] = self.crosstable[one][other].trinomial();
                let games = losses + draws + wins;
                let cell = match games {
                    0 => "-".to_owned(),
                    _ => format!("{}/{games}", wins as f64 + 0.5 * draws as f64),
                };
                write!(f, " {cell:>13}")?;
            }
        }
        writeln!(f)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RunTally { pairs, .. } = self.tally;
        writeln!(
            f,
            "Tournament  {}, {} rounds: {} games in {pairs} pairs",
            self.rules.format,
            self.rules.rounds,
            2 * pairs
        )?;
        for player in &self.players {
            writeln!(f, "Player      {player}")?;
        }
        writeln!(f)?;
        let [first, _] = self.rules.play.openings.game.color_names();
        writeln!(f, "{}\n", self.ratings.table(first))?;
        self.write_crosstable(f)?;
        writeln!(f)?;
        self.tally.write_endings(f)?;
        self.tally.write_troubles(f)?;
        for withdrawal in &self.withdrawn {
            writeln!(f, "Withdrawn   {withdrawal}")?;
        }
        if let Some(failure) = &self.tally.failure {
            writeln!(f, "Failed      {failure}")?;
        }
        write!(f, "Elo is logistic, ± the half-width of the 95 % interval.")
    }
}

/// A player that was withdrawn for its faults.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Withdrawal {
    /// Its name.
    pub player: String,
    /// The number of its last pair, from 1.
    pub pair: u64,
    /// Faults it had made until then, losses on time not counted.
    pub faults: u64,
    /// Games it had played until then.
    pub games: u64,
}

impl fmt::Display for Withdrawal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Withdrawal { player, pair, faults, games } = self;
        write!(
            f,
            "{player} after pair {pair}, with {faults} faults in {games} games; these count, those \
             left are not played"
        )
    }
}
