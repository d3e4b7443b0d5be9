//! The faults of a run's players, per player.

use std::collections::BTreeMap;

use playable::Color;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::{FaultKind, PairRecord, WarningKind};
use crate::schema::by_name;

/// Where the files of faults are, in the run's folder.
pub(super) const FOLDER: &str = "faults";
/// Faults of a player that get a file; more would fill the disk in a run that bears all of them.
pub(super) const MOST_FILES: u64 = 100;

/// The file of a fault in the run's folder, by the pair and the game (0 or 1) in which a player made
/// it.
pub(super) fn file_name(pair: &PairRecord, game: usize, color: Color) -> String {
    let names = pair.games[game].start.game().color_names();
    let color = names[color.index()].to_lowercase();
    format!("{FOLDER}/pair-{:06}-game-{}-{color}.txt", pair.number + 1, game + 1)
}

/// Faults and warnings of one player.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerFaults {
    /// Name of the player.
    pub player: String,
    /// Games forfeited, by reason.
    #[schemars(schema_with = "by_name::<FaultKind, u64>")]
    pub faults: BTreeMap<FaultKind, u64>,
    /// Oddities that cost nothing, by kind.
    #[schemars(schema_with = "by_name::<WarningKind, u64>")]
    pub warnings: BTreeMap<WarningKind, u64>,
    /// The first few of each kind, with the numbers of pair and game from 1 and, in brackets, the
    /// file in the run's folder that shows more.
    pub examples: Vec<String>,
    /// The files of the examples, in the run's folder; those of warnings have none.
    #[serde(skip)]
    pub files: Vec<Option<String>>,
    /// The number of the last pair with a fault, and what it was.
    #[serde(skip)]
    last: Option<(u64, String)>,
}

impl PlayerFaults {
    /// Faults and warnings told of each kind.
    const EXAMPLES: u64 = 3;

    /// A player that did nothing wrong yet.
    pub fn new(player: String) -> PlayerFaults {
        PlayerFaults {
            player,
            faults: BTreeMap::new(),
            warnings: BTreeMap::new(),
            examples: Vec::new(),
            files: Vec::new(),
            last: None,
        }
    }

    /// Counts what this player, number `index` of the contestants, did in a pair.
    pub fn count(&mut self, index: usize, pair: &PairRecord) {
        for (number, game) in pair.games.iter().enumerate() {
            let first = pair.players[0] == index;
            let is_ours = |color: Color| (color == PairRecord::FIRST[number]) == first;
            if !pair.players.contains(&index) {
                continue;
            }
            let place = format!("pair {}, game {}", pair.number + 1, number + 1);
            for (color, warning) in &game.warnings {
                if is_ours(*color) {
                    let count = self.warnings.entry(warning.kind).or_default();
                    *count += 1;
                    if *count <= Self::EXAMPLES {
                        let kind = warning.kind.as_str();
                        self.examples.push(format!("{place}: {kind}: {}", warning.detail));
                        self.files.push(None);
                    }
                }
            }
            for (color, fault) in game.faults.iter().filter(|(color, _)| is_ours(*color)) {
                let has_file = self.total() < MOST_FILES;
                let count = self.faults.entry(fault.kind).or_default();
                *count += 1;
                if *count <= Self::EXAMPLES {
                    let file = file_name(pair, number, *color);
                    let file = has_file.then_some(file);
                    let shown = file.as_ref().map_or(String::new(), |file| format!(" [{file}]"));
                    self.examples.push(format!("{place}: {fault}{shown}"));
                    self.files.push(file);
                }
                self.last = Some((pair.number, format!("{}, {place}: {fault}", self.player)));
            }
        }
    }

    /// Faults of all kinds, losses on time included.
    pub fn total(&self) -> u64 {
        self.faults.values().sum()
    }

    /// Faults that are defects of the program: all but losses on time.
    pub fn defects(&self) -> u64 {
        let of_kind = |(kind, count): (&FaultKind, &u64)| {
            if *kind == FaultKind::TimeLoss { 0 } else { *count }
        };
        self.faults.iter().map(of_kind).sum()
    }

    /// Games lost on time, which are faults of no program.
    pub fn time_losses(&self) -> u64 {
        self.faults.get(&FaultKind::TimeLoss).copied().unwrap_or(0)
    }

    /// The pair of the last fault, and what it was.
    pub fn last(&self) -> Option<(u64, String)> {
        self.last.clone()
    }
}
