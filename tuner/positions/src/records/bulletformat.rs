//! bulletformat, the records that bullet trains on: a position in 32 bytes, turned so that the mover
//! is White. There is no header.
//!
//! | bytes | |
//! |---|---|
//! | 8 | occupied squares, little-endian, from a1 to h8 |
//! | 16 | four bits a piece in the order of squares: P N B R Q K, 8 more for the opponent's |
//! | 2 | score of the mover, centipawns |
//! | 1 | the mover's points, doubled |
//! | 1 | square of the mover's king |
//! | 1 | square of the opponent's king, as the opponent sees it |
//! | 3 | free |
//!
//! Who moves, castling, en passant and the clocks are lost; games are too.

use std::io::{self, Read, Write};

use anyhow::{Context, bail};
use chess::packed::{NO_FILE, PACKED_BYTES, PackedPosition};
use chess::{Color, PieceType, Position, Square};

use super::super::counts::Counts;
use super::super::rows::{BATCH, Row, RowPlace, TakeGames, gather};
use super::super::sample::Sample;
use super::super::source::Source;
use super::super::text::Labelled;

pub(crate) const RECORD_BYTES: usize = 32;
/// Bit of a piece's code for the opponent.
const OPPONENT: u8 = 8;

type Record = [u8; RECORD_BYTES];

/// Reads the games of a file of records, see [`gather`].
///
/// # Errors
/// If the file cannot be read or ends within a record, or too great a share of its records is
/// unusable.
pub(crate) fn read(
    source: &Source,
    mut file: impl Read,
    first_game: u32,
    take: TakeGames,
) -> anyhow::Result<Counts> {
    let path = source.path.display();
    let mut records = 0;
    let next_batch = || {
        let mut bytes = Vec::new();
        let offset = records * RECORD_BYTES as u64;
        file.by_ref()
            .take((BATCH * RECORD_BYTES) as u64)
            .read_to_end(&mut bytes)
            .with_context(|| format!("cannot read {path} beyond byte {offset}"))?;
        let (whole, rest) = bytes.as_chunks::<RECORD_BYTES>();
        let first = records;
        records += whole.len() as u64;
        if !rest.is_empty() {
            let offset = records * RECORD_BYTES as u64;
            bail!(
                "{path}: record {} at byte {offset} has {} of its {RECORD_BYTES} bytes: the file is \
                 cut off, or not bulletformat",
                records + 1,
                rest.len()
            );
        }
        let place = |index: u64| RowPlace::Record(index + 1, index * RECORD_BYTES as u64);
        Ok((first..).map(place).zip(whole.iter().copied()).collect())
    };
    gather(source, first_game, take, next_batch, parse)
}

/// Reads a record; says what is wrong otherwise.
fn parse(record: &Record) -> Result<Row, String> {
    let mut packed = [0; PACKED_BYTES];
    packed[..24].copy_from_slice(&record[..24]);
    // White to move, nothing to take en passant, the first move of a game.
    packed[24] = NO_FILE;
    packed[26] = 1;
    let pieces = u64::from_le_bytes(std::array::from_fn(|index| record[index])).count_ones();
    if (0..32).any(|index| {
        let code = record[8 + index / 2] >> (4 * (index % 2)) & 0xf;
        let is_beyond = index >= pieces as usize;
        if is_beyond { code != 0 } else { code & !OPPONENT > PieceType::King.index() as u8 }
    }) {
        return Err("its pieces are not those of its occupied squares".to_owned());
    }
    let position =
        PackedPosition::from_bytes(&packed).unpack().map_err(|error| error.to_string())?;
    let kings = [
        position.king(Color::White).index() as u8,
        position.king(Color::Black).relative(Color::Black).index() as u8,
    ];
    if record[27..29] != kings {
        return Err("the squares of its kings are not those on the board".to_owned());
    }
    let result = match record[26] {
        doubled @ 0..=2 => f32::from(doubled) / 2.0,
        code => return Err(format!("its result is {code}, not 0, 1 or 2")),
    };
    let score = i16::from_le_bytes([record[24], record[25]]);
    let position = position.into();
    let labelled = Labelled { position, result, score: Some(score).filter(|&it| it != i16::MIN) };
    Ok(Row { is_turned: true, ..Row::alone(labelled) })
}

/// Writes samples as records; results are the nearest of loss, draw and win. All samples must have a
/// score.
pub(crate) fn write(mut output: impl Write, samples: &[Sample]) -> io::Result<()> {
    samples.iter().try_for_each(|sample| output.write_all(&record(sample)))
}

fn record(sample: &Sample) -> Record {
    let mut record = [0; RECORD_BYTES];
    let position = sample.position();
    let position: &Position = position.typed();
    let us = position.side_to_move();
    let mut pieces: Vec<(Square, u8)> = position
        .occupied()
        .into_iter()
        .filter_map(|square| Some((square, position.piece_on(square)?)))
        .map(|(square, piece)| {
            let side = if piece.color() == us { 0 } else { OPPONENT };
            (square.relative(us), piece.kind().index() as u8 | side)
        })
        .collect();
    pieces.sort_unstable_by_key(|(square, _)| square.index());
    let occupied = pieces.iter().fold(0u64, |set, (square, _)| set | 1 << square.index());
    record[..8].copy_from_slice(&occupied.to_le_bytes());
    for (index, (_, code)) in pieces.into_iter().enumerate() {
        record[8 + index / 2] |= code << (4 * (index % 2));
    }
    let (score, result) = (sample.score().unwrap_or_default(), sample.nearest_result());
    let (score, result) = match us {
        Color::White => (score, result),
        Color::Black => (-score, 2 - result),
    };
    record[24..26].copy_from_slice(&score.to_le_bytes());
    record[26] = result;
    record[27] = position.king(us).relative(us).index() as u8;
    record[28] = position.king(!us).relative(!us).index() as u8;
    record
}
