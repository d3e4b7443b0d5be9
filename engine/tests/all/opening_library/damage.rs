//! Libraries that are damaged, and what is said of them.

use chess::opening_library::{EntryFault, GrowingLibrary, Library, LibraryError};
use proptest::prelude::*;

use super::{assert_sound, games, grown, random_games};

/// The same bytes with the right checksum at their end.
fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    if let Some(body) = bytes.len().checked_sub(4) {
        let checksum = crc32fast::hash(&bytes[..body]);
        bytes[body..].copy_from_slice(&checksum.to_le_bytes());
    }
    bytes
}

/// Where entry `number` and what is in it begin: move 0, assessment 2, nothing 3, first reply 4, next
/// sibling 8, White's wins 12, draws 16, Black's wins 20, scores 24, their sum 28.
fn at(number: usize, field: usize) -> usize {
    20 + 36 * number + field
}

/// A sound library: the start, 1. d4 f5, and 1. e4 with two replies.
pub fn small_library() -> Vec<u8> {
    let text = "1. d4 f5 0-1\n\n1. e4 c5 1-0\n\n1. e4 {+0.30/5} e5 1-0\n";
    grown(&games(text), 10, 1).to_bytes()
}

#[test]
fn damaged_files_are_refused_each_with_its_reason() {
    let good = small_library();
    assert_eq!(good.len(), 20 + 36 * 6 + 4);
    assert!(Library::parse(&good).is_ok());
    let changed = |at: usize, bytes: &[u8]| {
        let mut damaged = good.clone();
        damaged[at..at + bytes.len()].copy_from_slice(bytes);
        with_checksum(damaged)
    };
    let entry = |number, fault| LibraryError::Entry { number, fault };
    let length = |found| LibraryError::Length { expected: 240, found };
    let mut flipped = good.clone();
    flipped[at(2, 12)] ^= 1;
    let settings = |plies, games_min| LibraryError::Settings { plies, games_min };
    let cases: Vec<(Vec<u8>, LibraryError, &str)> = vec![
        (Vec::new(), LibraryError::Empty, "the library is empty"),
        (
            b"Any text".to_vec(),
            LibraryError::Foreign,
            "this is no opening library: it does not begin",
        ),
        (
            good[..239].to_vec(),
            length(239),
            "239 bytes where there should be 240: cut off, or more",
        ),
        ([&good[..], &[0]].concat(), length(241), "241 bytes where there should be 240"),
        (good[..15].to_vec(), LibraryError::Length { expected: 60, found: 15 }, "15 bytes where"),
        (flipped, LibraryError::Checksum, "the checksum is wrong"),
        (changed(8, &[2]), LibraryError::Version(2), "version 2 of opening libraries is not known"),
        (changed(10, &[0]), settings(0, 1), "0 plies and 1 games at least: out of"),
        (changed(10, &[201]), settings(201, 1), "201 plies"),
        (changed(12, &[0]), settings(10, 0), "10 plies and 0 games"),
        (changed(10, &[1]), entry(2, EntryFault::Depth), "entry 2: it stands deeper than"),
        (changed(at(3, 4), &[3]), entry(3, EntryFault::Link), "entry 3: a link leads elsewhere"),
        (changed(at(1, 8), &[1]), entry(2, EntryFault::Link), "entry 2: a link leads elsewhere"),
        (changed(at(0, 8), &[1]), entry(0, EntryFault::Link), "entry 0: a link leads elsewhere"),
        (changed(at(4, 8), &[0]), entry(5, EntryFault::Unreached), "entry 5: no link leads to it"),
        (changed(at(2, 0), &[0]), entry(2, EntryFault::Move), "entry 2: its move is not legal"),
        (changed(at(0, 0), &[9]), entry(0, EntryFault::Move), "entry 0: its move is not legal"),
        (
            changed(at(5, 0), &good[at(4, 0)..at(4, 2)]),
            entry(5, EntryFault::Order),
            "entry 5: its move stands twice",
        ),
        (changed(at(3, 24), &[9]), entry(3, EntryFault::Numbers), "entry 3: its scores are more"),
        (
            changed(at(3, 28), &[45, 1]),
            entry(3, EntryFault::Numbers),
            "entry 3: its scores are more",
        ),
        (
            changed(at(5, 12), &[3]),
            entry(3, EntryFault::Games),
            "entry 3: its replies have more games",
        ),
        (
            changed(at(3, 2), &[0]),
            entry(3, EntryFault::Assessment),
            "entry 3: its assessment is not",
        ),
        (
            changed(at(2, 2), &[3]),
            entry(2, EntryFault::Assessment),
            "entry 2: its assessment is not",
        ),
        (
            changed(at(2, 3), &[1]),
            entry(2, EntryFault::Padding),
            "entry 2: a byte without a meaning",
        ),
    ];
    for (bytes, expected, message) in cases {
        assert_eq!(Library::parse(&bytes), Err(expected), "{message}");
        assert!(expected.to_string().starts_with(message), "{expected}: {message}");
    }
    for cut in 0..good.len() {
        assert!(Library::parse(&good[..cut]).is_err(), "cut off at {cut}");
    }
    for index in 0..good.len() {
        for bit in 0..8 {
            let mut damaged = good.clone();
            damaged[index] ^= 1 << bit;
            assert!(Library::parse(&damaged).is_err(), "bit {bit} of byte {index}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Bytes of which some were changed, the checksum put right, are refused or make a sound library.
    #[test]
    fn changed_bytes_never_panic(
        seed in any::<u64>(), changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..4),
    ) {
        let mut library = GrowingLibrary::new(8, 1).expect("in range");
        for (moves, result) in random_games(seed, 12) {
            library.add(&moves, result).expect("room");
        }
        let mut bytes = library.finish().to_bytes();
        for (at, byte) in changes {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        if let Ok(library) = Library::parse(&with_checksum(bytes)) {
            assert_sound(&library);
        }
    }

    /// Nor does anything else.
    #[test]
    fn any_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut headed = b"KamerLib\x01\x00".to_vec();
        headed.extend(&bytes);
        prop_assert!(Library::parse(&bytes).is_err());
        prop_assert!(Library::parse(&headed).is_err());
        prop_assert!(Library::parse(&with_checksum(headed)).is_err());
    }
}

/// A file without end is not read to its end.
#[test]
#[cfg(target_os = "linux")]
fn what_is_no_library_is_refused_by_its_beginning() {
    use crate::child::{in_memory, output};
    let mut kamerton = std::process::Command::new(env!("CARGO_BIN_EXE_kamerton"));
    kamerton.args(["library", "check", "/dev/zero"]);
    let (status, _, stderr) = output(&mut in_memory(256, &kamerton));
    assert_eq!(status, Some(3), "{stderr}");
    assert!(stderr.contains("/dev/zero"), "{stderr}");
}
