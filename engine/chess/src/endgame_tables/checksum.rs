//! The checksum that ends every Syzygy table.
//!
//! CITE: Ronald de Man, "Syzygy tablebases": every 16 MiB are hashed by CityHashCrc256, and these
//! hashes, one behind the other, by CityHashCrc128.
//!
//! CITE: Geoff Pike and Jyrki Alakuijala, CityHash 1.0 (copyright 2011 Google, Inc., MIT license),
//! whose CityHashCrc256 [`hash_256`] is. It is written here because it is in no crate that is kept.

use std::io::{self, Read};

/// Bytes that are hashed at once.
const PART: u64 = 1 << 24;
/// Length of the checksum (bytes).
pub(super) const LENGTH: usize = 16;

/// The checksum of so many bytes.
///
/// # Errors
/// They cannot be read, or are fewer.
pub(super) fn checksum(input: &mut impl Read, length: u64) -> io::Result<[u8; LENGTH]> {
    let mut hashes = Vec::new();
    let mut buffer = vec![0; length.min(PART) as usize];
    let mut left = length;
    while left > 0 {
        let part = &mut buffer[..left.min(PART) as usize];
        input.read_exact(part)?;
        hashes.extend(hash_256(part).iter().flat_map(|word| word.to_le_bytes()));
        left -= part.len() as u64;
    }
    Ok(hash_128(&hashes))
}

/// CityHashCrc128 of some bytes, as the sixteen bytes that end a table.
fn hash_128(bytes: &[u8]) -> [u8; LENGTH] {
    /// Up to here it is the hash without a CRC.
    const SHORT: usize = 900;
    let [low, high] = if bytes.len() <= SHORT {
        // This crate gives the first half as the high one.
        let hash = cityhash_rs::cityhash_102_128(bytes);
        [(hash >> 64) as u64, hash as u64]
    } else {
        let [_, _, low, high] = hash_256(bytes);
        [low, high]
    };
    (u128::from(low) | u128::from(high) << 64).to_le_bytes()
}

const K0: u64 = 0xc3a5_c85c_97cb_3127;
/// Bytes that a round takes: a word for each lane.
const ROUND: usize = 40;
/// Fewer bytes are filled up with zeros to so many.
const LEAST: usize = 6 * ROUND;

/// CityHashCrc256 of some bytes, as four words.
fn hash_256(bytes: &[u8]) -> [u64; 4] {
    if bytes.len() < LEAST {
        let mut padded = [0; LEAST];
        padded[..bytes.len()].copy_from_slice(bytes);
        return hash_long(&padded, !(bytes.len() as u32));
    }
    hash_long(bytes, 0)
}

/// Five lanes that are stirred round by round, and a CRC of what each was.
struct Lanes {
    words: [u64; 5],
    /// The first lane before the last step.
    last: u64,
    sums: [u32; 5],
}

impl Lanes {
    fn stir(&mut self, bytes: &[u8], rotations: [u32; 5], factor: u64) {
        let [a, b, c, d, e] = self.words;
        let from = [b, c, d, e, self.last];
        self.last = a;
        for lane in 0..5 {
            let stirred = from[lane].rotate_right(rotations[lane]).wrapping_mul(factor);
            self.words[lane] = stirred.wrapping_add(word(bytes, 8 * lane));
            self.sums[lane] = crc(self.sums[lane], self.words[lane]);
        }
    }
}

/// The hash of at least [`LEAST`] bytes.
fn hash_long(bytes: &[u8], seed: u32) -> [u64; 4] {
    const EVEN: [u32; 5] = [41, 27, 41, 33, 25];
    const ODD: [u32; 5] = [40, 26, 40, 32, 24];
    let length = bytes.len() as u64;
    let b = word(bytes, 96).wrapping_add(K0);
    let first = hash_16(b, length);
    let second = word(bytes, 120).wrapping_mul(K0).wrapping_add(length);
    let mut lanes = Lanes {
        words: [
            word(bytes, 56).wrapping_add(K0),
            b,
            first,
            second,
            word(bytes, 184).wrapping_add(u64::from(seed)),
        ],
        last: first.wrapping_add(second),
        sums: [seed, 0, 0, 0, 0],
    };
    let mut blocks = bytes.chunks_exact(LEAST);
    for block in &mut blocks {
        for (number, round) in block.chunks_exact(ROUND).enumerate() {
            match number % 2 {
                0 => lanes.stir(round, ODD, 1),
                _ => lanes.stir(round, EVEN, K0),
            }
        }
    }
    let mut rounds = blocks.remainder().chunks_exact(ROUND);
    for round in &mut rounds {
        lanes.stir(round, EVEN, K0);
    }
    if !rounds.remainder().is_empty() {
        lanes.stir(&bytes[bytes.len() - ROUND..], EVEN, K0);
    }
    finish(&lanes, first, second)
}

/// Four words of what the lanes came to.
fn finish(lanes: &Lanes, first: u64, second: u64) -> [u64; 4] {
    let [a, b, c, d, e] = lanes.words;
    let [f, g, h, i, j] = lanes.sums.map(u64::from);
    let mix = |value: u64| value ^ (value >> 47);
    let j = j.wrapping_add(i << 32);
    let a = hash_16(a, j);
    let h = h.wrapping_add(g << 32);
    let b = b.wrapping_add(h);
    let c = hash_16(c, f).wrapping_add(i);
    let d = hash_16(d, e.wrapping_add(first));
    let j = j.wrapping_add(e);
    let i = i.wrapping_add(hash_16(h, lanes.last));
    let e = hash_16(a, d).wrapping_add(j);
    let f = hash_16(b, c).wrapping_add(a);
    let g = hash_16(j, i).wrapping_add(c);
    let one = e.wrapping_add(f).wrapping_add(g).wrapping_add(h);
    let a = mix(a.wrapping_add(g).wrapping_mul(K0)).wrapping_mul(K0).wrapping_add(b);
    let two = second.wrapping_add(a).wrapping_add(one);
    let a = mix(a.wrapping_mul(K0)).wrapping_mul(K0).wrapping_add(c);
    let three = a.wrapping_add(two);
    let a = mix(a.wrapping_add(e).wrapping_mul(K0)).wrapping_mul(K0);
    [one, two, three, a.wrapping_add(three)]
}

/// A hash of two words.
fn hash_16(low: u64, high: u64) -> u64 {
    const FACTOR: u64 = 0x9ddf_ea08_eb38_2d69;
    let first = (low ^ high).wrapping_mul(FACTOR);
    let second = (high ^ first ^ (first >> 47)).wrapping_mul(FACTOR);
    (second ^ (second >> 47)).wrapping_mul(FACTOR)
}

/// The word that begins at this byte.
fn word(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}

/// CRC-32C of one more word, without the usual negations.
fn crc(sum: u32, word: u64) -> u32 {
    let bytes = (u64::from(sum) ^ word).to_le_bytes();
    (0..8).fold(0, |sum, index| sum ^ CRC_TABLES[7 - index][usize::from(bytes[index])])
}

/// For each byte its CRC-32C with so many zeros behind it.
static CRC_TABLES: [[u32; 256]; 8] = {
    const POLYNOMIAL: u32 = 0x82f6_3b78;
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut sum = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            sum = (sum >> 1) ^ ((sum & 1) * POLYNOMIAL);
            bit += 1;
        }
        tables[0][byte] = sum;
        byte += 1;
    }
    let mut zeros = 1;
    while zeros < 8 {
        let mut byte = 0;
        while byte < 256 {
            let sum = tables[zeros - 1][byte];
            tables[zeros][byte] = (sum >> 8) ^ tables[0][(sum & 0xff) as usize];
            byte += 1;
        }
        zeros += 1;
    }
    tables
};

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(length: usize) -> Vec<u8> {
        (0..length).map(|index| (index * index / 7 + index) as u8).collect()
    }

    #[test]
    fn hashes_are_those_of_an_implementation_apart() {
        // Made by a script that was written from the description of CityHash alone.
        for (length, expected) in [
            (64, "7c09503735e7cd6fa9723907485c404b"),
            (239, "7dcab949b668e72c9d69c08b2a4208f4"),
            (240, "70f30cf9ddc3814a2d04e37058b47281"),
            (320, "055997452d34a0c26383b47f9dc2620f"),
            (1000, "fcd5b54d37bb47c5e05b54a5e9c9c9da"),
        ] {
            let bytes = bytes(length);
            let found = checksum(&mut &bytes[..], length as u64).expect("memory can be read");
            assert_eq!(hex::encode(found), expected, "{length}");
        }
    }

    #[test]
    fn large_files_are_hashed_part_by_part() {
        let part = bytes(PART as usize);
        let two = [&part[..], &part[..100]].concat();
        let hashes = [hash_256(&part), hash_256(&part[..100])].concat();
        let joined: Vec<u8> = hashes.iter().flat_map(|word| word.to_le_bytes()).collect();
        let found = checksum(&mut &two[..], two.len() as u64).expect("memory can be read");
        assert_eq!(found, hash_128(&joined));
        assert!(checksum(&mut &part[..9], 10).is_err());
    }

    #[test]
    fn words_are_summed_as_bytes_are() {
        let of_byte =
            |sum: u32, byte: u8| (sum >> 8) ^ CRC_TABLES[0][usize::from(byte ^ sum as u8)];
        let word = 0x0123_4567_89ab_cdef_u64;
        assert_eq!(
            crc(0x5a5a_1234, word),
            word.to_le_bytes().into_iter().fold(0x5a5a_1234, of_byte)
        );
    }
}
