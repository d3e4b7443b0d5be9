//! Writes traces that `tuner fit --traces` reads: one file to copy into an engine (edition 2021 or
//! later), nothing else needed.
//!
//! A trace tells what one position counts. With counts c, middlegame values m, endgame values e and
//! values v of terms without phases, your evaluation must be, in centipawns from White's view,
//! constant + phase · Σ c·m + (1 − phase) · scale · Σ c·e + Σ c·v. Indices count the cells of the
//! parameter file from 0.

use std::io::{self, Write};

/// One position.
#[derive(Clone, Debug)]
pub struct Position {
    /// White's points: 0, ½, 1.
    pub result: f32,
    /// Share of the middlegame, 0 to 1.
    pub phase: f32,
    /// Factor of the endgame half, 0 to 1.
    pub scale: f32,
    /// The part that is not fitted: centipawns, White's view.
    pub constant: f32,
    /// Number of the game in this file.
    pub game: u32,
    /// Search score: centipawns, White's view.
    pub score: Option<i16>,
    /// Indices of cells, and how often each counts: White's less Black's.
    pub counts: Vec<(u16, i16)>,
}

/// Writes the text form of a position: a line.
pub fn write_text(output: &mut impl Write, position: &Position) -> io::Result<()> {
    let Position { result, phase, scale, constant, game, .. } = position;
    write!(output, "{result} phase={phase} scale={scale} game={game} constant={constant}")?;
    if let Some(score) = position.score {
        write!(output, " score={score}")?;
    }
    for (index, times) in &position.counts {
        write!(output, " {index}:{times}")?;
    }
    writeln!(output)
}

/// Writes the packed form: blocks with checksums.
pub struct PackedWriter<W: Write> {
    output: W,
    block: Vec<u8>,
    records: u32,
    total: u32,
}

impl<W: Write> PackedWriter<W> {
    /// Begins a file; `cells` is the number of cells in the parameter file.
    pub fn new(mut output: W, cells: u32) -> io::Result<PackedWriter<W>> {
        output.write_all(b"KTRACES1")?;
        output.write_all(&cells.to_le_bytes())?;
        Ok(PackedWriter { output, block: Vec::new(), records: 0, total: 0 })
    }

    /// Appends a position.
    pub fn write(&mut self, position: &Position) -> io::Result<()> {
        // Two bytes say how many counts follow.
        let counts = u16::try_from(position.counts.len())
            .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "more than 65,535 counts"))?;
        for value in [position.result, position.phase, position.scale, position.constant] {
            self.block.extend(value.to_le_bytes());
        }
        self.block.extend(position.game.to_le_bytes());
        self.block.extend(position.score.unwrap_or(i16::MIN).to_le_bytes());
        self.block.extend(counts.to_le_bytes());
        for (index, times) in &position.counts {
            self.block.extend(index.to_le_bytes());
            self.block.extend(times.to_le_bytes());
        }
        self.records += 1;
        if self.block.len() > 1 << 20 { self.flush() } else { Ok(()) }
    }

    /// Ends the file, which is refused without.
    pub fn close(mut self) -> io::Result<()> {
        self.flush()?;
        for word in [0, self.total, 0] {
            self.output.write_all(&word.to_le_bytes())?;
        }
        self.output.flush()
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.records == 0 {
            return Ok(());
        }
        for word in [self.block.len() as u32, self.records, checksum(&self.block)] {
            self.output.write_all(&word.to_le_bytes())?;
        }
        self.output.write_all(&self.block)?;
        self.total += std::mem::take(&mut self.records);
        self.block.clear();
        Ok(())
    }
}

/// CRC-32 as zlib computes it.
fn checksum(bytes: &[u8]) -> u32 {
    let add = |crc: u32, &byte: &u8| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ ((crc & 1) * 0xEDB8_8320))
    };
    !bytes.iter().fold(!0, add)
}
