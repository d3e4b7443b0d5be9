//! A file for each fault, in the run's folder: what was known when it was made.

use std::io::Write;
use std::path::Path;

use system::files::{create_folder, write_atomically};

use super::RunError;
use super::faults::{FOLDER, MOST_FILES, PlayerFaults, file_name};
use crate::game::PairRecord;
use crate::player::Identity;

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
            let path = folder.join(file_name(pair, game, *color));
            let color = record.start.game().color_names()[color.index()];
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
