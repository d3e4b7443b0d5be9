//! The block of a binary with its parameter file: read, replaced, and damaged in every way.

use block::{BlockError, Contents, LEAST_CAPACITY, contents_of, made_of, replace};
use chess::GAME;

const CAPACITY: usize = 100;
/// Where the numbers of the head stand.
const VERSION_AT: usize = 16;
const CAPACITY_AT: usize = 20;
const LENGTHS_AT: usize = 24;
const CHECKSUM_AT: usize = 36;
const TEXT_AT: usize = 40;
/// Bytes of the program before the block.
const BEFORE: usize = 1000;

fn contents(parameters: &str) -> Contents {
    Contents {
        build: "compiler=none\n".to_string(),
        parameters: parameters.to_string(),
        manifest: "{}\n".to_string(),
    }
}

/// A program with one block between other bytes.
fn program() -> Vec<u8> {
    let mut file = vec![0x90; BEFORE];
    file.extend(made_of(&contents("a = 1\n"), CAPACITY).expect("it fits"));
    file.extend([0xc3; 500]);
    file
}

/// The program with other bytes at a place of its block.
fn with(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = program();
    file[BEFORE + at..BEFORE + at + bytes.len()].copy_from_slice(bytes);
    file
}

/// Neither read nor replaced, and left as it was.
#[track_caller]
fn assert_refused(file: &[u8], expected: &BlockError) {
    assert_eq!(contents_of(file, "chess").as_ref(), Err(expected));
    let mut changed = file.to_vec();
    assert_eq!(replace(&mut changed, &contents("a = 2\n")).as_ref(), Err(expected));
    assert!(changed == file, "it was written into");
}

#[test]
fn a_block_is_replaced_in_place() {
    let mut file = program();
    let before = file.clone();
    assert_eq!(contents_of(&file, "chess"), Ok(contents("a = 1\n")));
    let longer = contents("a = 2 # with more to say\n");
    assert_eq!(replace(&mut file, &longer), Ok(contents("a = 1\n")));
    assert_eq!(contents_of(&file, "chess"), Ok(longer));
    let block = BEFORE..file.len() - 500;
    assert_eq!(file.len(), before.len());
    assert!(
        file[..block.start] == before[..block.start] && file[block.end..] == before[block.end..]
    );
    // Back again: nothing of the longer text is left behind the shorter one.
    replace(&mut file, &contents("a = 1\n")).expect("it fits");
    assert!(file == before);
}

#[test]
fn a_block_is_filled_to_its_last_byte_and_no_further() {
    let mut file = program();
    let rest = CAPACITY - contents("").build.len() - contents("").manifest.len();
    let full = contents(&"x".repeat(rest));
    replace(&mut file, &full).expect("it fits");
    assert_eq!(contents_of(&file, "chess"), Ok(full.clone()));
    let error = replace(&mut file, &contents(&"x".repeat(rest + 1))).expect_err("too long");
    assert_eq!(error, BlockError::TooSmall { needed: CAPACITY + 1, capacity: CAPACITY });
    assert!(error.to_string().contains("room for 100 bytes, and 101 are needed"), "{error}");
    assert_eq!(contents_of(&file, "chess"), Ok(full));
}

#[test]
fn a_program_without_a_block_is_refused() {
    assert_refused(&[], &BlockError::Missing);
    assert_refused(&[0x90; 15], &BlockError::Missing);
    assert_refused(&with(3, b"X"), &BlockError::Missing);
}

#[test]
fn a_program_with_several_blocks_is_refused() {
    let file = [program(), program(), program()].concat();
    assert_refused(&file, &BlockError::Several(3));
}

/// A program of two games: each is read and replaced for itself.
#[test]
fn blocks_of_several_games_stand_side_by_side() {
    let of_game = |parameters: &str| Contents {
        build: "game=draughts\ncompiler=none\n".to_string(),
        ..contents(parameters)
    };
    let other = made_of(&of_game("b = 1\n"), CAPACITY).expect("it fits");
    let mut file = [program(), other.clone()].concat();
    assert_eq!(contents_of(&file, "chess"), Ok(contents("a = 1\n")));
    assert_eq!(contents_of(&file, "draughts"), Ok(of_game("b = 1\n")));
    assert_eq!(replace(&mut file, &of_game("b = 2\n")), Ok(of_game("b = 1\n")));
    assert_eq!(contents_of(&file, "draughts"), Ok(of_game("b = 2\n")));
    assert!(file.starts_with(&program()), "the other one is left alone");
    let error = contents_of(&program(), "draughts").expect_err("there is none");
    assert_eq!(error.to_string(), "no parameter block of draughts in it: it plays chess");
    let twice = [file, other].concat();
    assert_eq!(contents_of(&twice, "draughts"), Err(BlockError::Several(2)));
    assert_eq!(contents_of(&twice, "chess"), Ok(contents("a = 1\n")));
}

#[test]
fn another_version_is_refused() {
    assert_refused(&with(VERSION_AT, &[2, 0, 0, 0]), &BlockError::Version(2));
}

#[test]
fn a_program_that_ends_too_soon_is_refused() {
    let file = program();
    for left in [16, 39, 40, 40 + CAPACITY - 1] {
        let expected = if left < 40 { 40 } else { 40 + CAPACITY };
        assert_refused(&file[..BEFORE + left], &BlockError::CutOff { left, expected });
    }
    let left = file.len() - BEFORE;
    let expected = 40usize.saturating_add(u32::MAX as usize);
    assert_refused(&with(CAPACITY_AT, &[0xff; 4]), &BlockError::CutOff { left, expected });
}

#[test]
fn texts_beyond_the_block_are_refused() {
    for text in 0..3 {
        let file = with(LENGTHS_AT + 4 * text, &[0xff; 4]);
        let Err(BlockError::Lengths { length, capacity: CAPACITY }) = contents_of(&file, "chess")
        else {
            panic!("not refused");
        };
        assert!(length >= u64::from(u32::MAX));
        assert_refused(&file, &BlockError::Lengths { length, capacity: CAPACITY });
    }
}

/// Every bit of checksum, lengths and texts is watched.
#[test]
fn a_changed_bit_is_found() {
    let end = TEXT_AT + "compiler=none\na = 1\n{}\n".len();
    for at in CAPACITY_AT..end {
        for bit in 0..8 {
            let changed = program()[BEFORE + at] ^ (1 << bit);
            let file = with(at, &[changed]);
            let error = contents_of(&file, "chess").expect_err("a bit was changed");
            if at >= CHECKSUM_AT {
                assert_eq!(error, BlockError::Checksum);
            }
            assert_refused(&file, &error);
        }
    }
}

#[test]
fn texts_that_are_none_are_refused() {
    // The checksum of what stands there, so that only the text itself is wrong.
    let mut file = program();
    file[BEFORE + TEXT_AT] = 0xff;
    let texts = "compiler=none\na = 1\n{}\n".len();
    let mut hash = crc32fast::Hasher::new();
    hash.update(&file[BEFORE + VERSION_AT..BEFORE + CHECKSUM_AT]);
    hash.update(&file[BEFORE + TEXT_AT..BEFORE + TEXT_AT + texts]);
    let checksum = hash.finalize().to_le_bytes();
    file[BEFORE + CHECKSUM_AT..BEFORE + TEXT_AT].copy_from_slice(&checksum);
    assert_refused(&file, &BlockError::NotText);
}

/// What runs and what lies on the disk: the program has one block, which holds what it says.
#[test]
fn the_engine_has_one_block() {
    let file = std::fs::read(env!("CARGO_BIN_EXE_kamerton")).expect("readable");
    let contents = contents_of(&file, "chess").expect("a block");
    let own = GAME.block().contents().expect("this test has a block, too");
    assert_eq!(contents, *own);
    assert!(contents.manifest.is_empty());
    assert!(contents.build.contains("compiler=rustc ") && contents.build.contains("\ntarget="));
    assert!(2 * contents.parameters.len() < LEAST_CAPACITY, "not much room is left");
}

/// A program whose block was damaged says so and does nothing else.
#[cfg(unix)]
#[test]
fn a_damaged_engine_says_so() {
    let mut file = std::fs::read(env!("CARGO_BIN_EXE_kamerton")).expect("readable");
    // Where one text ends and the next begins: programs carry the parameter file elsewhere, too.
    let contents = contents_of(&file, "chess").expect("a block");
    let text = contents.build + &contents.parameters[..60];
    let is_there = |bytes: &[u8]| bytes == text.as_bytes();
    let place = file.windows(text.len()).position(is_there).expect("the text");
    file[place] ^= 1;
    let folder = tempfile::tempdir().expect("temporary folder");
    let program = folder.path().join("kamerton");
    std::fs::copy(env!("CARGO_BIN_EXE_kamerton"), &program).expect("writable");
    std::fs::write(&program, file).expect("writable");
    let mut command = std::process::Command::new(&program);
    let (status, _, errors) = crate::child::output(command.arg("bench"));
    assert_eq!(status, Some(3), "{errors}");
    assert!(errors.contains("error: this binary cannot be used: "), "{errors}");
    assert!(errors.contains("the checksum is wrong"), "{errors}");
}
