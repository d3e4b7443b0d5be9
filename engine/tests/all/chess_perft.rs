//! Counts of move trees against known figures.
//!
//! The long lane counts one ply deeper; `KAMERTON_PERFT_DEPTH` replaces the depth of each file.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use chess::{Position, perft, perft_divide};

use crate::lanes::is_long;
use crate::shared_data::shared_data;

/// A position and its known counts: (depth, leaves).
struct Case {
    fen: String,
    counts: Vec<(u32, u64)>,
}

fn own_data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/perft").join(name)
}

/// The text of a public file of counts, if there is one on this machine.
fn public_counts(name: &str) -> Option<String> {
    let path = shared_data(&format!("perft/{name}"))?;
    Some(std::fs::read_to_string(path).expect("a readable file"))
}

/// To which depth a file is counted: this one in the long lane, else a ply less.
fn depth_limit(long: u32) -> u32 {
    match std::env::var("KAMERTON_PERFT_DEPTH") {
        Ok(text) => text.parse().expect("KAMERTON_PERFT_DEPTH is a depth in plies"),
        Err(_) => long - u32::from(!is_long()),
    }
}

/// Lines `FEN ;D1 20 ;D2 400`; `#` begins a comment.
fn read_epd(text: &str) -> Vec<Case> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let case = |line: &str| {
        let mut parts = line.split(';');
        let fen = parts.next().expect("a FEN").trim().to_owned();
        let count = |part: &str| {
            let (depth, count) = part.trim().strip_prefix('D')?.split_once(' ')?;
            Some((depth.parse().ok()?, count.trim().parse().ok()?))
        };
        let counts = parts.map(|part| count(part).unwrap_or_else(|| panic!("{line}"))).collect();
        Case { fen, counts }
    };
    lines.map(case).collect()
}

/// Blocks of `epd FEN` followed by lines `perft DEPTH COUNT`.
fn read_blocks(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("epd") => {
                let fen = words.collect::<Vec<_>>().join(" ");
                cases.push(Case { fen, counts: Vec::new() });
            }
            Some("perft") => {
                let mut number = || words.next().and_then(|word| word.parse::<u64>().ok());
                let (Some(depth), Some(count)) = (number(), number()) else { panic!("{line}") };
                let case = cases.last_mut().expect("a position before its counts");
                case.counts.push((depth as u32, count));
            }
            _ => {}
        }
    }
    cases
}

/// Counts every case on all cores, and fails with all wrong counts.
fn check(cases: &[Case], limit: u32) {
    assert!(!cases.is_empty());
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    let work = || {
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let position = Position::from_fen(&case.fen).expect("a legal FEN");
            for &(depth, count) in case.counts.iter().filter(|(depth, _)| *depth <= limit) {
                let found = perft(&position, depth);
                if found != count {
                    let line = format!("{}: {found} at depth {depth}, not {count}", case.fen);
                    wrong.lock().expect("no panic so far").push(line);
                }
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let wrong = wrong.into_inner().expect("no panic so far");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn start_position_and_kiwipete() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert_eq!(perft(&Position::start(), 6), 119_060_324);
    assert_eq!(perft(&Position::from_fen(kiwipete).expect("legal"), 5), 193_690_690);
}

#[test]
fn own_files() {
    for name in ["standard.epd", "chess960.epd", "special.epd"] {
        let text = std::fs::read_to_string(own_data(name)).expect("data/perft is in place");
        check(&read_epd(&text), depth_limit(5));
    }
}

#[test]
fn public_standard_positions() {
    if let Some(text) = public_counts("standard.epd") {
        let cases = read_epd(&text);
        assert_eq!(cases.len(), 128);
        check(&cases, depth_limit(5));
    }
}

#[test]
fn public_chess960_positions() {
    if let Some(text) = public_counts("fischer-480.epd") {
        let cases = read_epd(&text);
        assert_eq!(cases.len(), 480);
        check(&cases, depth_limit(4));
    }
}

#[test]
fn public_tricky_positions() {
    if let Some(text) = public_counts("tricky.perft") {
        // One of them has more men than a side may have.
        let has_room =
            |case: &Case| case.fen.chars().filter(char::is_ascii_uppercase).count() <= 16;
        let cases: Vec<Case> = read_blocks(&text).into_iter().filter(has_room).collect();
        check(&cases, u32::MAX);
    }
}

#[test]
fn divided_counts_sum_up() {
    let position = Position::start();
    let divided = perft_divide(&position, 4);
    assert_eq!(divided.len(), 20);
    assert_eq!(divided.iter().map(|(_, count)| count).sum::<u64>(), perft(&position, 4));
    assert!(divided.contains(&(position.parse_uci("e2e4").expect("legal"), 13_160)));
    assert_eq!(perft(&position, 0), 1);
    assert!(perft_divide(&position, 0).is_empty());
}
