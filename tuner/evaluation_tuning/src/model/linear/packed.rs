//! The packed form: blocks of records with checksums, all numbers little-endian.
//!
//! | part | bytes |
//! |---|---|
//! | file | `KTRACES1`, number of cells (4), blocks, end |
//! | block | bytes of its records (4), records (4), CRC-32 of the records' bytes (4), records |
//! | end | 0 (4), records of all blocks modulo 2³² (4), 0 (4) |
//! | record | result, phase, scale, constant (4 each, floating point), game (4), score (2, −32768: none), pairs (2), pairs |
//! | pair | index (2), count (2, signed) |

use std::io::Read;

use super::LinearPosition;

/// How a packed file begins.
pub(super) const MAGIC: &[u8; 8] = b"KTRACES1";
/// Bytes of a record before its pairs.
const RECORD: usize = 24;
/// Most bytes of a block: a greater length is damage, and must not fill the memory.
const BLOCK_MAX: usize = 1 << 26;
const NO_SCORE: i16 = i16::MIN;

/// Reads what follows the magic; `take` gets each record, its errors are those of its record.
///
/// # Errors
/// With the offset of what is damaged, and the reason.
pub(super) fn read_records(
    input: &mut impl Read,
    cells: usize,
    mut take: impl FnMut(LinearPosition) -> Result<(), String>,
) -> Result<(), (u64, String)> {
    let mut offset = MAGIC.len() as u64;
    let mut word = [0; 4];
    fill(input, &mut word, offset, "the number of cells")?;
    let told = u32::from_le_bytes(word);
    if told as usize != cells {
        let reason = format!("traces of {told} cells, but the parameter file names {cells}");
        return Err((offset, reason));
    }
    offset += 4;
    let mut total = 0u32;
    loop {
        let mut head = [0; 12];
        fill(input, &mut head, offset, "the head of a block")?;
        let [bytes, records, checksum] = [0, 4, 8]
            .map(|at| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]));
        if bytes == 0 {
            if records != total {
                let reason = format!("{records} records are promised, and there are {total}");
                return Err((offset + 4, reason));
            }
            let rest = input.read(&mut [0]).map_err(|error| (offset + 12, error.to_string()))?;
            let nothing = "something follows the end".to_string();
            return if rest == 0 { Ok(()) } else { Err((offset + 12, nothing)) };
        }
        if bytes as usize > BLOCK_MAX {
            return Err((offset, format!("a block of {bytes} bytes, more than {BLOCK_MAX}")));
        }
        let start = offset + 12;
        let mut block = vec![0; bytes as usize];
        fill(input, &mut block, start, "a block")?;
        if crc32fast::hash(&block) != checksum {
            return Err((start, "the checksum of the block is wrong".to_string()));
        }
        read_block(&block, records, cells, &mut take)
            .map_err(|(inside, reason)| (start + inside as u64, reason))?;
        offset = start + u64::from(bytes);
        total = total.wrapping_add(records);
    }
}

fn read_block(
    block: &[u8],
    records: u32,
    cells: usize,
    take: &mut impl FnMut(LinearPosition) -> Result<(), String>,
) -> Result<(), (usize, String)> {
    let mut at = 0;
    for _ in 0..records {
        let short = || (at, "a record goes beyond its block".to_string());
        let head = block.get(at..at + RECORD).ok_or_else(short)?;
        let bytes = |from: usize| [head[from], head[from + 1], head[from + 2], head[from + 3]];
        let float = |from: usize| f32::from_le_bytes(bytes(from));
        let score = i16::from_le_bytes([head[20], head[21]]);
        let pairs = usize::from(u16::from_le_bytes([head[22], head[23]]));
        let end = at + RECORD + 4 * pairs;
        let pairs = block.get(at + RECORD..end).ok_or_else(short)?.chunks_exact(4);
        let position = LinearPosition {
            result: float(0),
            phase: float(4),
            scale: float(8),
            constant: float(12),
            game: Some(u32::from_le_bytes(bytes(16))),
            score: Some(score).filter(|&score| score != NO_SCORE),
            entries: pairs
                .map(|pair| {
                    let index = u16::from_le_bytes([pair[0], pair[1]]);
                    (index, i16::from_le_bytes([pair[2], pair[3]]))
                })
                .collect(),
        };
        position.check(cells).map_err(|reason| (at, reason))?;
        take(position).map_err(|reason| (at, reason))?;
        at = end;
    }
    if at == block.len() {
        Ok(())
    } else {
        Err((at, format!("{} bytes follow the last record of the block", block.len() - at)))
    }
}

fn fill(input: &mut impl Read, into: &mut [u8], at: u64, what: &str) -> Result<(), (u64, String)> {
    input.read_exact(into).map_err(|error| match error.kind() {
        std::io::ErrorKind::UnexpectedEof => (at, format!("the file ends within {what}")),
        _ => (at, error.to_string()),
    })
}
