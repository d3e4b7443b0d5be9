//! A file for each fault, in the run's folder: what was known when it was made.

use std::io::Write;
use std::path::Path;

use chess::Color;
use system::files::{create_folder, write_atomically};

use super::{PlayerFaults, RunError};
use crate::game::PairRecord;
use crate::player::Identity;

/// Where the files of faults are, in the run's folder.
const FOLDER: &str = "faults";
/// Faults of a player that get a file; more would fill the disk in a run that bears all of them.
pub(super) const MOST_FILES: u64 = 100;

/// The file of a fault in the run's folder, by the pair (from 0) and the game (0 or 1) in which a
/// player made it.
pub(super) fn file_name(pair: u64, game: usize, color: Color) -> String {
    let color = if color == Color::White { "white" } else { "black" };
    format!("{FOLDER}/pair-{:06}-game-{}-{color}.txt", pair + 1, game + 1)
}

/// Writes the files of a pair's faults, of which these were counted before.
///
/// # Errors
/// One cannot be written.
pub(super) fn write(
    folder: &Path,
    pair: &PairRecord,
    counted: &[PlayerFaults],
    players: &[Identity],
) -> Result<(), RunError> {
    let mut more = vec![0; players.len()];
    for (game, record) in pair.games.iter().enumerate() {
        for (color, fault) in &record.faults {
            let is_first = *color == PairRecord::FIRST[game];
            let player = pair.players[usize::from(!is_first)];
            more[player] += 1;
            let Some(evidence) = &fault.evidence else { continue };
            if counted[player].total() + more[player] > MOST_FILES {
                continue;
            }
            create_folder(&folder.join(FOLDER))?;
            let path = folder.join(file_name(pair.number, game, *color));
            let color = if *color == Color::White { "White" } else { "Black" };
            write_atomically(&path, |file| {
                writeln!(file, "Fault       {fault}")?;
                writeln!(file, "Player      {}, {color}", players[player])?;
                writeln!(file, "Played in   pair {}, game {}", pair.number + 1, game + 1)?;
                write!(file, "{evidence}")
            })?;
        }
    }
    Ok(())
}
