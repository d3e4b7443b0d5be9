//! The store of recorded games: what goes in comes out, and nothing else ever does.

use std::fs;
use std::path::Path;

use chess::{GAME, Position, chess960_start};
use matches::playing::Adjudication;
use positions::PackedPosition;
use positions::store::{
    Ending, Game, Ply, RESULTS, Reader, Settings, StoreError, Writer, terminations,
};
use proptest::prelude::*;
use rand::RngExt;
use random::stream;
use tempfile::TempDir;

/// A folder in memory where there is such a thing: stores are synchronized with the disk block by
/// block, which here would be all that is measured.
pub(crate) fn scratch() -> TempDir {
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    folder.expect("temporary folder")
}

pub(crate) fn settings(block_plies: u32) -> Settings {
    Settings {
        game: GAME,
        program: "test 1.0".to_owned(),
        parameters: "0123456789ab".to_owned(),
        seed: 1,
        nodes: 100,
        hash: 1,
        openings: None,
        random_plies: (8, 9),
        decided: 300,
        adjudication: Adjudication::NEVER,
        max_plies: 400,
        block_plies,
    }
}

/// A game of random moves with random scores.
pub(crate) fn random_game(seed: u64, index: u64) -> Game {
    let mut random = stream(seed, index);
    let mut position = match random.random_range(0..3) {
        0 => chess960_start(random.random_range(0..960)),
        _ => Position::start(),
    };
    for _ in 0..random.random_range(0..12) {
        play_random(&mut position, &mut random);
    }
    let start = PackedPosition::pack(&position.clone().into()).expect("at most 32 pieces");
    let mut plies = Vec::new();
    for _ in 0..random.random_range(0..60) {
        let Some(played) = play_random(&mut position, &mut random) else { break };
        let score = random.random_range(-32_000..=32_000);
        plies.push(Ply { played: played.into(), score });
    }
    let terminations: Vec<_> = terminations(GAME).collect();
    Game {
        start,
        plies,
        result: RESULTS[random.random_range(0..3)],
        termination: terminations[random.random_range(0..terminations.len())],
    }
}

fn play_random(position: &mut Position, random: &mut impl RngExt) -> Option<chess::Move> {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return None;
    }
    let played = moves[random.random_range(0..moves.len())];
    position.play(played);
    Some(played)
}

pub(crate) fn write(path: &Path, settings: &Settings, games: &[Game]) {
    let mut writer = Writer::create(path, settings).expect("a new file");
    games.iter().for_each(|game| writer.push(game.clone()).expect("writable"));
    writer.finish().expect("writable");
}

/// All games of a store, tried by playing them through.
fn read(path: &Path) -> Result<(Vec<Game>, Ending), StoreError> {
    let mut reader = Reader::open(path)?;
    let mut games = Vec::new();
    while let Some(block) = reader.next_block()? {
        for game in block.decode()? {
            game.replay(|_, _, _| {}).map_err(|problem| block.damaged(problem))?;
            games.push(game);
        }
    }
    Ok((games, reader.ending().expect("the end is reached")))
}

/// All games of a store that is whole.
pub(crate) fn games(path: &Path) -> Vec<Game> {
    let (games, ending) = read(path).expect("whole blocks");
    assert_eq!(ending, Ending::Finished);
    games
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 24,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn games_come_back_as_they_were(seed: u64, count in 0u64..30, block_plies in 1u32..500) {
        let folder = scratch();
        let path = folder.path().join("games");
        let games: Vec<Game> = (0..count).map(|index| random_game(seed, index)).collect();
        write(&path, &settings(block_plies), &games);
        prop_assert_eq!(read(&path).expect("readable"), (games, Ending::Finished));
    }

    #[test]
    fn positions_come_back_as_they_were(seed: u64) {
        random_game(seed, 0).replay(|position, _, _| {
            let unpacked = PackedPosition::pack(position).and_then(|packed| packed.unpack()).expect("legal");
            let fen = |position: &playable::Position| position.typed::<Position>().to_fen(true);
            assert_eq!(fen(&unpacked), fen(position));
            assert_eq!(unpacked.key(), position.key());
            assert_eq!(unpacked.chess960(), position.chess960());
        }).expect("legal game");
    }

    #[test]
    fn garbage_does_not_unpack_to_panic(bytes: [u8; 28], sparse: bool) {
        let mut bytes = bytes;
        if sparse {
            // Few pieces, so that more than their number is tried.
            bytes[..6].fill(0);
        }
        if let Ok(position) = PackedPosition::from_bytes(GAME, &bytes).unpack() {
            let fen = position.typed::<Position>().to_fen(true);
            prop_assert!(Position::from_fen(&fen).is_ok());
        }
    }
}

/// A store of a few blocks, small enough to damage at every bit.
fn small_store(folder: &Path) -> (Vec<u8>, Vec<Game>) {
    let path = folder.join("small");
    let games: Vec<Game> = (0..5).map(|index| random_game(7, index)).collect();
    write(&path, &settings(40), &games);
    (fs::read(&path).expect("readable"), games)
}

#[test]
fn every_flipped_bit_is_an_error_that_names_the_place() {
    let folder = scratch();
    let (bytes, _) = small_store(folder.path());
    let path = folder.path().join("flipped");
    for bit in 0..8 * bytes.len() {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &flipped).expect("writable");
        let message = read(&path).expect_err("damaged").to_string();
        assert!(message.contains("flipped"), "bit {bit}: {message}");
        let resumed = Writer::resume(&path, &settings(40));
        assert!(resumed.is_err(), "bit {bit} is not noticed on resuming");
    }
}

#[test]
fn every_truncation_is_told_from_a_finished_store() {
    let folder = scratch();
    let (bytes, games) = small_store(folder.path());
    let path = folder.path().join("cut");
    for length in 0..bytes.len() {
        fs::write(&path, &bytes[..length]).expect("writable");
        match read(&path) {
            Ok((found, Ending::Unfinished { .. })) => {
                assert_eq!(found, games[..found.len()], "cut to {length} bytes");
            }
            Ok((_, Ending::Finished)) => panic!("cut to {length} bytes it passes for finished"),
            Err(error) => assert!(matches!(error, StoreError::Header { .. }), "{error}"),
        }
    }
}

#[test]
fn a_store_cut_anywhere_resumes_to_the_same_bytes() {
    let folder = scratch();
    let (bytes, games) = small_store(folder.path());
    let path = folder.path().join("cut");
    // The reader's test cuts at every byte; here every block is synchronized with the disk.
    for length in (0..bytes.len()).step_by(11).chain(bytes.len() - 40..=bytes.len()) {
        fs::write(&path, &bytes[..length]).expect("writable");
        let mut writer = Writer::resume(&path, &settings(40)).expect("resumable");
        let kept = writer.games() as usize;
        assert_eq!(writer.last_game(), kept.checked_sub(1).map(|last| &games[last]));
        games[kept..].iter().for_each(|game| writer.push(game.clone()).expect("writable"));
        writer.finish().expect("writable");
        assert!(fs::read(&path).expect("readable") == bytes, "cut to {length} bytes");
    }
}

/// As a crash of the system leaves it, where the file had room already for what was not written.
#[test]
fn zeros_behind_a_cut_store_are_dropped_like_the_rest_of_its_block() {
    let folder = scratch();
    let (bytes, games) = small_store(folder.path());
    let path = folder.path().join("zeros");
    let header = 16 + u32::from_le_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]) as usize + 4;
    let mut dropped = 0;
    for length in header..bytes.len() - 5 {
        // The whole length, and more of it.
        for zeros in [(bytes.len() - length).max(40), 4096] {
            fs::write(&path, [&bytes[..length], &vec![0; zeros]].concat()).expect("writable");
            let (found, ending) = read(&path).expect("cut, not damaged");
            assert_eq!(found, games[..found.len()], "cut to {length} bytes");
            let Ending::Unfinished { surplus } = ending else {
                panic!("{length} pass for finished")
            };
            assert!(surplus >= zeros as u64, "{length} {zeros} {surplus}");
            dropped += games.len() - found.len();
        }
    }
    assert!(dropped > 0);
    for length in (header..bytes.len()).step_by(17) {
        fs::write(&path, [&bytes[..length], &[0; 4096]].concat()).expect("writable");
        let mut writer = Writer::resume(&path, &settings(40)).expect("resumable");
        let kept = writer.games() as usize;
        games[kept..].iter().for_each(|game| writer.push(game.clone()).expect("writable"));
        writer.finish().expect("writable");
        assert!(fs::read(&path).expect("readable") == bytes, "cut to {length} bytes");
    }
    // Zeros within are damage.
    let middle = bytes.len() / 2;
    let zeroed = [&bytes[..middle], &[0; 64], &bytes[middle + 64..]].concat();
    fs::write(&path, zeroed).expect("writable");
    assert!(matches!(read(&path), Err(StoreError::Damaged { .. })));
}

#[test]
fn a_finished_store_can_grow() {
    let folder = scratch();
    let games: Vec<Game> = (0..40).map(|index| random_game(3, index)).collect();
    let whole = folder.path().join("whole");
    write(&whole, &settings(200), &games);
    for first in [0, 1, 17, 39] {
        let path = folder.path().join(format!("grown-{first}"));
        write(&path, &settings(200), &games[..first]);
        let mut writer = Writer::resume(&path, &settings(200)).expect("resumable");
        games[first..].iter().for_each(|game| writer.push(game.clone()).expect("writable"));
        writer.finish().expect("writable");
        drop(writer);
        assert!(fs::read(&path).expect("readable") == fs::read(&whole).expect("readable"));
    }
}

#[test]
fn blocks_of_another_store_are_refused() {
    let folder = scratch();
    let (bytes, games) = small_store(folder.path());
    let path = folder.path().join("other");
    write(&path, &Settings { seed: 2, ..settings(40) }, &games);
    let other = fs::read(&path).expect("readable");
    assert_eq!(bytes.len(), other.len());
    let header = 16 + u32::from_le_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]) as usize + 4;
    fs::write(&path, [&bytes[..header], &other[header..]].concat()).expect("writable");
    let message = read(&path).expect_err("mixed").to_string();
    assert!(message.contains(&format!("block 0 at byte {header} is damaged")), "{message}");
}

#[test]
fn writing_refuses_what_is_not_its_own() {
    let folder = scratch();
    let path = folder.path().join("games");
    write(&path, &settings(40), &[random_game(1, 0)]);
    let message = |result: Result<Writer, StoreError>| match result {
        Ok(_) => panic!("it should be refused"),
        Err(error) => error.to_string(),
    };
    assert!(message(Writer::create(&path, &settings(40))).contains("--resume"));
    let mut bytes = fs::read(&path).expect("readable");
    bytes[8] += 1;
    let newer = folder.path().join("newer");
    fs::write(&newer, &bytes).expect("writable");
    let reason = "it is of version 2, this program reads version 1";
    assert!(message(Writer::resume(&newer, &settings(40))).ends_with(reason));
    assert!(Reader::open(&newer).is_err_and(|error| error.to_string().ends_with(reason)));
    assert_eq!(fs::read(&newer).expect("readable"), bytes);

    let other = Settings { seed: 2, nodes: 5, ..settings(40) };
    let text = message(Writer::resume(&path, &other));
    assert!(text.ends_with("other settings: nodes 100 (now 5), seed 1 (now 2)"), "{text}");

    let held = Writer::resume(&path, &settings(40)).expect("resumable");
    assert!(message(Writer::resume(&path, &settings(40))).contains("another process"));
    drop(held);

    let text = folder.path().join("text");
    fs::write(&text, "not a store, but a text of some length").expect("writable");
    assert!(message(Writer::resume(&text, &settings(40))).contains("its first bytes are wrong"));
    assert_eq!(fs::read(&text).expect("readable").len(), 38);

    let nowhere = folder.path().join("missing").join("games");
    assert!(message(Writer::create(&nowhere, &settings(40))).starts_with("cannot create "));
}
