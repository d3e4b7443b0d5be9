//! How the block lies in a file: found by its mark, read, and replaced by another of the same size.
//!
//! A program has one for each of its games. The build notes say which: `game=NAME`, or nothing where it
//! is [`USUAL_GAME`].
//!
//! All numbers are 32 bits, little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 16 | the mark |
//! | 4 | version of this layout |
//! | 4 | capacity: bytes that follow the head |
//! | 3 × 4 | lengths of build notes, parameter file and manifest |
//! | 4 | CRC-32 of all before but the mark, and of the three texts |
//! | capacity | the three texts (UTF-8) without a gap, then zeros |

use std::hint::black_box;
use std::ops::Range;

use thiserror::Error;

/// The mark with every bit turned round: a program that looks for it must not have it in its code,
/// where it would be found, too.
const TURNED_MARK: [u8; 16] = [
    0xb4, 0x9e, 0x92, 0x9a, 0x8d, 0x8b, 0x90, 0x91, 0x00, 0xf2, 0xf5, 0xe5, 0x4e, 0x62, 0x93, 0x2b,
];
const VERSION: u32 = 1;
/// Bytes before the texts.
const HEAD: usize = 40;
/// Where the checksum stands, after what it is of.
const CHECKSUM: usize = 36;

/// Bytes that a block has room for at least: more than twice the texts of an exported binary, so that
/// files with longer comments go in, too.
pub const LEAST_CAPACITY: usize = 160 << 10;

/// The game of blocks and of parameter files that name none.
pub const USUAL_GAME: &str = "chess";

/// The texts of a block.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Contents {
    /// Game of the block; compiler, target, processor and commit of the binary: lines `name=value`.
    pub build: String,
    /// The parameter file (TOML).
    pub parameters: String,
    /// The manifest of the export that put the file there (JSON); empty in other binaries.
    pub manifest: String,
}

impl Contents {
    /// The game whose numbers these are.
    pub fn game(&self) -> &str {
        self.note("game").unwrap_or(USUAL_GAME)
    }

    /// A line of the build notes.
    pub fn note(&self, name: &str) -> Option<&str> {
        let mut notes = self.build.lines().filter_map(|line| line.split_once('='));
        notes.find(|(key, _)| *key == name).map(|(_, value)| value)
    }
}

/// Why a block cannot be read or replaced.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum BlockError {
    /// The mark was not found.
    #[error(
        "no parameter block in it: it is not Kamerton, is older than such blocks, or was packed"
    )]
    Missing,
    /// There are blocks, but of other games.
    #[error("no parameter block of {game} in it: it plays {}", known.join(", "))]
    OtherGame {
        /// The game that was looked for.
        game: String,
        /// The games whose blocks are there.
        known: Vec<String>,
    },
    /// A game has more than one.
    #[error(
        "{0} parameter blocks of one game in it, so that it is not one binary: of a universal one take \
         the part for one processor (`lipo -thin`)"
    )]
    Several(usize),
    /// Another version's layout.
    #[error("its parameter block has version {0}, and this program knows version {VERSION}")]
    Version(u32),
    /// The file ends before the block does.
    #[error("it ends within its parameter block: {left} bytes of {expected} are there")]
    CutOff {
        /// Bytes from the mark to the end of the file.
        left: usize,
        /// Bytes that the block should have.
        expected: usize,
    },
    /// The texts would go beyond the block.
    #[error("its parameter block is damaged: {length} bytes of text in a block of {capacity}")]
    Lengths {
        /// Bytes of all texts together.
        length: u64,
        /// Bytes that there is room for.
        capacity: usize,
    },
    /// The contents are not what was written.
    #[error("its parameter block is damaged: the checksum is wrong")]
    Checksum,
    /// A text is not UTF-8, although the checksum is right.
    #[error("its parameter block holds something else than text")]
    NotText,
    /// The new texts need more room.
    #[error(
        "its parameter block has room for {capacity} bytes, and {needed} are needed: shorten the \
         comments of the parameter file, or compile a binary with a larger block"
    )]
    TooSmall {
        /// Bytes of the new texts.
        needed: usize,
        /// Bytes that there is room for.
        capacity: usize,
    },
}

/// A game's block of a binary file: its texts.
///
/// # Errors
/// There is none of the game, or more than one; any block is damaged.
pub fn contents_of(file: &[u8], game: &str) -> Result<Contents, BlockError> {
    Ok(find(file, game)?.1)
}

/// Puts other texts into the block of their game in a binary file, whose size stays. Returns what was
/// there.
///
/// # Errors
/// As [`contents_of`], and when the block is too small; the file is as before then.
pub fn replace(file: &mut [u8], contents: &Contents) -> Result<Contents, BlockError> {
    let (start, before) = find(file, contents.game())?;
    let capacity = number(file, start + 20);
    let block = made_of(contents, capacity)?;
    file[start..start + block.len()].copy_from_slice(&block);
    Ok(before)
}

/// A block with these texts and room for `capacity` bytes.
///
/// # Errors
/// When they do not fit.
pub fn made_of(contents: &Contents, capacity: usize) -> Result<Vec<u8>, BlockError> {
    let texts = [&contents.build, &contents.parameters, &contents.manifest];
    let needed = texts.iter().map(|text| text.len()).sum();
    if needed > capacity || u32::try_from(capacity).is_err() {
        return Err(BlockError::TooSmall { needed, capacity });
    }
    let mut block = mark().to_vec();
    for number in [VERSION, capacity as u32].into_iter().chain(texts.map(|it| it.len() as u32)) {
        block.extend(number.to_le_bytes());
    }
    block.extend([0; HEAD - CHECKSUM]);
    for text in texts {
        block.extend(text.as_bytes());
    }
    let checksum = checksum(&block);
    block[CHECKSUM..HEAD].copy_from_slice(&checksum.to_le_bytes());
    block.resize(HEAD + capacity, 0);
    Ok(block)
}

/// Reads the block that begins at `start`.
///
/// # Errors
/// When it is damaged, or of another version.
pub fn read(file: &[u8], start: usize) -> Result<Contents, BlockError> {
    let block = &file[start..];
    let left = block.len();
    if left < HEAD {
        return Err(BlockError::CutOff { left, expected: HEAD });
    }
    let version = number(block, 16) as u32;
    if version != VERSION {
        return Err(BlockError::Version(version));
    }
    let capacity = number(block, 20);
    let expected = HEAD.saturating_add(capacity);
    if left < expected {
        return Err(BlockError::CutOff { left, expected });
    }
    let lengths = [24, 28, 32].map(|at| number(block, at));
    let length = lengths.iter().map(|&length| length as u64).sum();
    if length > capacity as u64 {
        return Err(BlockError::Lengths { length, capacity });
    }
    let end = HEAD + length as usize;
    if checksum(&block[..end]) != number(block, CHECKSUM) as u32 {
        return Err(BlockError::Checksum);
    }
    let mut at = HEAD;
    let [build, parameters, manifest] = lengths.map(|length| {
        let text: Range<usize> = at..at + length;
        at = text.end;
        String::from_utf8(block[text].to_vec()).map_err(|_| BlockError::NotText)
    });
    Ok(Contents { build: build?, parameters: parameters?, manifest: manifest? })
}

/// Where the only block of a game in a file begins, and its texts.
fn find(file: &[u8], game: &str) -> Result<(usize, Contents), BlockError> {
    let mark = mark();
    let places = file.windows(mark.len()).enumerate().filter(|(_, bytes)| *bytes == mark);
    let blocks = places.map(|(start, _)| read(file, start).map(|contents| (start, contents)));
    let blocks: Vec<(usize, Contents)> = blocks.collect::<Result<_, _>>()?;
    if blocks.is_empty() {
        return Err(BlockError::Missing);
    }
    let of_game = |(_, contents): &&(usize, Contents)| contents.game() == game;
    match blocks.iter().filter(of_game).count() {
        0 => {
            let known = blocks.iter().map(|(_, contents)| contents.game().to_owned()).collect();
            Err(BlockError::OtherGame { game: game.to_owned(), known })
        }
        1 => Ok(blocks.into_iter().find(|block| of_game(&block)).expect("it was counted")),
        more => Err(BlockError::Several(more)),
    }
}

fn mark() -> [u8; 16] {
    // Or else the compiler would turn it round once and for all.
    black_box(TURNED_MARK).map(|byte| !byte)
}

/// The number at a byte of a block that is long enough.
fn number(block: &[u8], at: usize) -> usize {
    let bytes = block[at..at + 4].try_into().expect("four bytes");
    u32::from_le_bytes(bytes) as usize
}

/// Of a block without the zeros behind the texts.
fn checksum(block: &[u8]) -> u32 {
    let mut hash = crc32fast::Hasher::new();
    hash.update(&block[16..CHECKSUM]);
    hash.update(&block[HEAD..]);
    hash.finalize()
}
