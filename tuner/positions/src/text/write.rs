//! Samples as text, score and result from White's view.

use std::io::{self, Write};
use std::path::Path;

use system::files::FileError;

use super::super::compression::write_packed;
use super::super::sample::Sample;

/// Writes samples to a CSV file, whole or not at all: `fen,score,result,ply,game`. The score
/// (centipawns) is empty where none is known, the game where the source names none.
///
/// # Errors
/// If the file cannot be written; it is then as before.
pub fn write_csv(path: &Path, samples: &[Sample]) -> Result<(), FileError> {
    write_packed(path, |file| write_rows(file, samples))
}

/// As [`write_csv`], to anything.
pub(crate) fn write_rows(output: impl Write, samples: &[Sample]) -> io::Result<()> {
    /// The output's own error, by whose kind a reader that has left is known.
    fn own(error: csv::Error) -> io::Error {
        match error.into_kind() {
            csv::ErrorKind::Io(error) => error,
            other => io::Error::other(format!("{other:?}")),
        }
    }
    let mut writer = csv::Writer::from_writer(output);
    writer.write_record(["fen", "score", "result", "ply", "game"]).map_err(own)?;
    for sample in samples {
        let position = sample.position();
        let written = writer.write_record([
            position.to_fen(),
            sample.score().map(|score| score.to_string()).unwrap_or_default(),
            // As read: a real number of more digits says nothing more.
            (sample.result() as f32).to_string(),
            sample.ply().to_string(),
            if sample.game_is_guessed() { String::new() } else { sample.game().to_string() },
        ]);
        written.map_err(own)?;
    }
    writer.flush()
}

/// Writes lines as bullet reads them: `FEN | score | result`, the score in centipawns, the result 1.0,
/// 0.5 or 0.0, the nearest of them. All samples must have a score.
pub(crate) fn write_lines(mut output: impl Write, samples: &[Sample]) -> io::Result<()> {
    for sample in samples {
        let position = sample.position();
        let fen = position.to_fen();
        let score = sample.score().unwrap_or_default();
        let result = f32::from(sample.nearest_result()) / 2.0;
        writeln!(output, "{fen} | {score} | {result:.1}")?;
    }
    Ok(())
}
