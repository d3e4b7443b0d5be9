//! Samples as CSV: `fen,score,result,ply,game`, score and result from White's view.

use std::io::{self, Write};
use std::path::Path;

use sprt::files::{FileError, write_atomically};

use super::super::sample::Sample;

/// Writes samples to a CSV file, whole or not at all. The score (centipawns) is empty where none is
/// known, the game where the source names none.
///
/// # Errors
/// If the file cannot be written; it is then as before.
pub fn write_csv(path: &Path, samples: &[Sample]) -> Result<(), FileError> {
    write_atomically(path, |file| write_rows(file, samples))
}

/// As [`write_csv`], to anything.
pub(in crate::positions) fn write_rows(output: impl Write, samples: &[Sample]) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(output);
    writer.write_record(["fen", "score", "result", "ply", "game"])?;
    for sample in samples {
        let position = sample.position();
        writer.write_record([
            position.to_fen(position.chess960()),
            sample.score().map(|score| score.to_string()).unwrap_or_default(),
            // As read: a real number of more digits says nothing more.
            (sample.result() as f32).to_string(),
            sample.ply().to_string(),
            if sample.game_is_guessed() { String::new() } else { sample.game().to_string() },
        ])?;
    }
    writer.flush()
}
