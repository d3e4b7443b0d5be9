//! Endgame tables in play: the win or draw is kept, wins are won, and what is wrong with tables is
//! said.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use chess::endgame_tables::{EndgameTables, TableUse, Wdl};
use chess::engine::{Control, Limits, MATE_IN_MAX, mate_in};
use chess::{Ending, Position};
use chess::{Engine, Parameters};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use search::value::is_decided;
use uci::{InfoLine, ScoreValue};

use super::driver::Session;
use super::mates::mates;
use crate::shared_data::shared_data;

fn tables() -> Option<EndgameTables> {
    Some(EndgameTables::open_for_play(&[shared_data("syzygy")?]).expect("good tables"))
}

fn engine(tables: &EndgameTables) -> Engine {
    let mut engine = Engine::new(Arc::clone(Parameters::embedded()), 1);
    let tables = tables.clone();
    engine.set_tables(Some(TableUse { tables, depth_min: 1, fifty_move_rule: true }));
    engine
}

/// A position that is not over, with so many men of any kind, and any clock up to 60.
fn random_position(random: &mut ChaCha8Rng, men: usize) -> Position {
    loop {
        let mut squares: Vec<usize> = (0..64).collect();
        squares.shuffle(random);
        let mut board = [' '; 64];
        for (index, &square) in squares[..men].iter().enumerate() {
            board[square] = match index {
                0 => 'K',
                1 => 'k',
                _ => b"PNBRQpnbrq"[random.random_range(0..10)].into(),
            };
        }
        let ranks: Vec<String> = board.chunks(8).map(rank_text).collect();
        let turn = if random.random_bool(0.5) { "w" } else { "b" };
        let clock = random.random_range(0..=60);
        let fen = format!("{} {turn} - - {clock} 80", ranks.join("/"));
        match Position::from_fen(&fen) {
            Ok(position) if position.outcome().is_none() => return position,
            _ => {}
        }
    }
}

/// A rank as a FEN has it.
fn rank_text(men: &[char]) -> String {
    let mut text: String = men.iter().collect();
    for length in (1..=8).rev() {
        text = text.replace(&" ".repeat(length), &length.to_string());
    }
    text
}

fn value(tables: &EndgameTables, position: &Position) -> Wdl {
    tables.probe(position).expect("good tables").expect("a table of these pieces")
}

/// What the engine plays in so many positions is worth what the position is, by tables of results,
/// and with the clock that runs by tables of distances, too.
fn keeps_results(tables: &EndgameTables, positions: usize, seed: u64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut engine = engine(tables);
    let mut seen = [0; 5];
    for number in 0..positions {
        let mut position = random_position(&mut random, 3 + number % 2);
        let fen = position.to_fen(false);
        let before = value(tables, &position);
        let ranked = tables.rank(&position, &[], true).expect("all tables are there");
        assert!(ranked.by_distance, "{fen}");
        let outcome = engine.search(&position, &Limits::nodes(200), &Control::new(), &mut |_| {});
        assert_eq!(
            is_decided(outcome.score),
            matches!(ranked.value, Wdl::Win | Wdl::Loss),
            "{fen}"
        );
        position.play(outcome.best);
        let text = format!("{fen}: {}", outcome.best);
        if position.has_legal_move() {
            assert_eq!(value(tables, &position).reversed(), before, "{text}");
            if position.halfmove_clock() > 0 {
                let after = tables.rank(&position, &[], true).expect("all tables are there");
                assert_eq!(after.value.reversed(), ranked.value, "{text}");
            }
        } else {
            assert_eq!(before, if position.in_check() { Wdl::Win } else { Wdl::Draw }, "{text}");
        }
        seen[before as usize] += 1;
    }
    eprintln!("{positions} positions, losses to wins: {seen:?}");
    assert!([Wdl::Loss, Wdl::Draw, Wdl::Win].iter().all(|&value| seen[value as usize] > 100));
}

/// Who asks for more lines than there are moves that keep the value sees the others behind them, each
/// with what it throws away.
#[test]
fn all_moves_are_shown_in_the_order_of_their_results() {
    let Some(tables) = tables() else { return };
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut engine = engine(&tables);
    let limits = Limits { multi_pv: 256, ..Limits::nodes(2_000) };
    let mut mixed = 0;
    for number in 0..200 {
        let position = random_position(&mut random, 3 + number % 2);
        let fen = position.to_fen(false);
        let ranked = tables.rank(&position, &[], true).expect("all tables are there");
        let count = position.legal_moves().len();
        let mut lines = Vec::new();
        let outcome = engine.search(&position, &limits, &Control::new(), &mut |found| {
            lines.truncate(found.multi_pv - 1);
            lines.push((found.pv[0], found.score));
        });
        assert_eq!(lines.len(), count, "{fen}");
        assert!(ranked.moves.contains(&outcome.best), "{fen}: {}", outcome.best);
        let results: Vec<Wdl> = lines.iter().map(|&(mv, _)| ranked.value_of(mv)).collect();
        assert!(results.is_sorted_by(|one, next| one >= next), "{fen}: {results:?}");
        for (&(mv, score), result) in lines.iter().zip(&results) {
            let sign = if is_decided(score) { score.signum() } else { 0 };
            let expected = match result {
                Wdl::Win => 1,
                Wdl::Loss => -1,
                _ => sign,
            };
            assert_eq!(sign, expected, "{fen}: {mv} {score}, {result:?}");
        }
        mixed += usize::from(!ranked.others.is_empty());
    }
    assert!(mixed > 50, "{mixed}");
}

/// At the end of the fifty-move rule tables do not know whether a mate comes in time; a pawn's move on
/// the way to it tells.
#[test]
fn a_mate_behind_a_pawns_move_is_in_time() {
    let Some(tables) = tables() else { return };
    let position = Position::from_fen("6Q1/8/8/2P5/7k/8/8/4K3 b - - 98 1").expect("a position");
    let limits = Limits { depth: Some(12), ..Limits::default() };
    let outcome = engine(&tables).search(&position, &limits, &Control::new(), &mut |_| {});
    assert_eq!(mate_in(outcome.score), Some(-5), "{}", outcome.score);
}

#[test]
fn every_move_keeps_the_win_or_draw() {
    let Some(tables) = tables() else { return };
    keeps_results(&tables, 1_000, 1);
}

#[test]
#[ignore = "takes a minute"]
fn every_move_keeps_the_win_or_draw_in_many_positions() {
    let Some(tables) = tables() else { return };
    keeps_results(&tables, 10_000, 2);
}

/// With so few nodes that the search alone would not win all of these.
#[test]
fn wins_are_won_in_time() {
    let Some(tables) = tables() else { return };
    for fen in [
        "8/8/8/8/2k5/8/8/KBN5 w - - 0 1",
        "3r4/8/8/3k4/8/8/4Q3/1K6 b - - 20 1",
        "8/8/8/4k3/8/8/1R6/K3n3 w - - 0 1",
        "8/8/8/3k4/8/3P4/3K4/8 w - - 30 1",
        "1k6/8/8/8/3K4/8/P6p/8 w - - 0 1",
        "8/8/8/3k4/8/8/8/K1BB4 w - - 60 1",
    ] {
        let mut position = Position::from_fen(fen).expect("a good position");
        let expected = tables.rank(&position, &[], true).expect("a table").value;
        let first = position.side_to_move();
        let mut engine = engine(&tables);
        while position.outcome().is_none() {
            let limits = Limits::nodes(100);
            let outcome = engine.search(&position, &limits, &Control::new(), &mut |_| {});
            position.play(outcome.best);
        }
        let won = match position.outcome() {
            Some(Ending::Checkmate) if position.side_to_move() == first => Wdl::Loss,
            Some(Ending::Checkmate) => Wdl::Win,
            _ => Wdl::Draw,
        };
        assert_eq!(won, expected, "{fen}");
    }
}

/// Tables do not know whether the last move before the fifty-move rule is reached in time; a search
/// that has found the mate does.
#[test]
fn a_mate_just_before_the_fifty_move_rule_is_told() {
    let Some(tables) = tables() else { return };
    let mut engine = engine(&tables);
    for (fen, moves) in [
        ("8/3R4/1R2K2k/8/8/8/8/8 w - - 97 1", 2),
        ("2Q5/8/8/8/R7/8/8/3k2K1 w - - 97 1", 2),
        ("2Q5/8/8/8/8/8/R7/3k2K1 b - - 98 1", -1),
    ] {
        let position = Position::from_fen(fen).expect("a good FEN");
        let mate = Limits { mate: Some(2), ..Limits::default() };
        for limits in [Limits::nodes(20_000), Limits { depth: Some(8), ..mate }] {
            let mut last = None;
            let outcome = engine
                .search(&position, &limits, &Control::new(), &mut |found| last = Some(found.score));
            assert_eq!(mate_in(outcome.score), Some(moves), "{fen}");
            assert_eq!(last, Some(outcome.score), "{fen}");
        }
        // A move later it is too late.
        let late = fen.replace("97 1", "99 1").replace("98 1", "99 1");
        let position = Position::from_fen(&late).expect("a good FEN");
        engine.new_game();
        let outcome = engine.search(&position, &Limits::nodes(5000), &Control::new(), &mut |_| {});
        assert_eq!(outcome.score, 0, "{late}");
    }
}

/// There is no table of five men, but of what every exchange leaves.
#[test]
fn positions_in_the_tree_are_looked_up() {
    let Some(tables) = tables() else { return };
    let position = Position::from_fen("8/5k2/8/3r4/8/2K5/1PQ5/8 w - - 0 1").expect("good");
    let search = |depth_min: i32| {
        let mut engine = Engine::new(Arc::clone(Parameters::embedded()), 1);
        let tables = tables.clone();
        engine.set_tables(Some(TableUse { tables, depth_min, fifty_move_rule: true }));
        let mut hits = 0;
        let outcome = engine.search(&position, &Limits::depth(20), &Control::new(), &mut |found| {
            hits = found.look_ups;
        });
        (outcome.score, hits)
    };
    let (score, hits) = search(1);
    assert!(is_decided(score) && score < MATE_IN_MAX && hits > 0, "{score}, {hits}");
    let (score, hits) = search(100);
    assert!(!is_decided(score) && hits == 0, "{score}, {hits}");
}

#[test]
fn only_wanted_moves_are_ranked() {
    let Some(tables) = tables() else { return };
    let position = Position::from_fen("8/8/8/3k4/8/8/8/K1Q5 w - - 0 1").expect("good");
    let all = tables.rank(&position, &[], true).expect("a table");
    assert_eq!(all.value, Wdl::Win);
    let gives_away = position.parse_uci("c1c5").expect("legal");
    let one = tables.rank(&position, &[gives_away], true).expect("a table");
    assert_eq!((one.value, one.moves), (Wdl::Draw, vec![gives_away]));
    assert!(!all.moves.contains(&gives_away));
    let quiet = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(tables.rank(&Position::from_fen(quiet).expect("good"), &[], true), None);
}

/// A position that moves have led to.
fn played(fen: &str, moves: &str) -> Position {
    let mut position = Position::from_fen(fen).expect("a good position");
    for text in moves.split_whitespace() {
        let mv = position.parse_uci(text).expect("legal");
        position.play(mv);
    }
    position
}

/// Who is to move wins and has gone in circles, so that a move repeats for the third time.
const CIRCLES: &str = "h5h6 g2e4 h6h5 e4g2 h5h6 g2e4 h6h5";

/// What the tables know nothing of: what has stood on the board before.
#[test]
fn a_win_is_not_given_away_by_repetition() {
    let Some(tables) = tables() else { return };
    let won = played("8/8/8/7k/8/8/6Q1/1K6 b - - 0 1", CIRCLES);
    let drawing = won.parse_uci("e4g2").expect("legal");
    let ranked = tables.rank(&won, &[], true).expect("tables");
    assert!(ranked.by_distance && ranked.value == Wdl::Win && !ranked.moves.contains(&drawing));
    let search = |position| {
        let limits = Limits::nodes(2_000);
        engine(&tables).search(position, &limits, &Control::new(), &mut |_| {})
    };
    assert_ne!(search(&won).best, drawing);
    // Who loses repeats for the third time, and it is a draw.
    let defended = played("8/8/8/7k/4Q3/8/8/1K6 w - - 0 1", "e4g2 h5h6 g2e4 h6h5 e4g2 h5h6 g2e4");
    let outcome = search(&defended);
    assert_eq!((outcome.best, outcome.score), (defended.parse_uci("h6h5").expect("legal"), 0));
}

/// Nor do tables of results, which know nothing of the moves that count either.
#[test]
fn results_alone_do_not_hide_what_was_played() {
    let Some(folder) = shared_data("syzygy") else { return };
    let home = tempfile::tempdir().expect("temporary folder");
    copy_tables(&folder, home.path(), ".rtbw");
    let (mut session, _) = session_with(home.path());
    session.send(&format!("position fen 8/8/8/7k/8/8/6Q1/1K6 b - - 0 1 moves {CIRCLES}"));
    session.send("go nodes 2000");
    let (best, infos) = session.best_move();
    assert!(is_sure(&infos) && best.is_some_and(|best| best != "e4g2"));
    // Nor is a position repeated for the second time, where another move wins as well.
    session.send("setoption name MultiPV value 100");
    session.send("position fen 8/8/8/7k/8/8/6Q1/1K6 b - - 0 1 moves h5h6 g2e4 h6h5");
    session.send("go depth 1");
    let (_, infos) = session.best_move();
    let firsts: Vec<&str> =
        infos.iter().filter_map(|info| Some(info.line.first()?.as_str())).collect();
    // Behind it are only the three that give the queen away.
    let place = firsts.iter().position(|&first| first == "e4g2");
    assert!(firsts.len() > 5 && place == Some(firsts.len() - 4), "{firsts:?}");
    session.send("setoption name MultiPV value 1");
    // No move is left to win in.
    let (infos, _) = search(&mut session, "8/1K6/4k3/8/8/8/8/2R5 w - - 99 80");
    assert!(!is_sure(&infos));
}

/// A session of its own, since a process has room for one set of tables.
#[test]
fn a_win_that_the_rule_of_fifty_moves_takes_counts_without_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/syzygy");
    let (mut session, _) = session_with(&folder);
    for (rule, is_won) in [("true", false), ("false", true), ("true", false)] {
        session.send("ucinewgame");
        session.send(&format!("setoption name Syzygy50MoveRule value {rule}"));
        let (infos, _) = search(&mut session, "8/8/8/3k4/8/8/8/KQ6 w - - 99 80");
        assert_eq!(is_sure(&infos), is_won, "{rule}: {:?}", infos.last());
    }
    // Said before the tables, it holds as well.
    let mut session = Session::start();
    session.send("setoption name Syzygy50MoveRule value false");
    session.send(&format!("setoption name SyzygyPath value {}", folder.display()));
    let (infos, _) = search(&mut session, "8/8/8/3k4/8/8/8/KQ6 w - - 99 80");
    assert!(is_sure(&infos), "{:?}", infos.last());
}

/// A session that was told where tables lie, and what it said to that.
fn session_with(path: &Path) -> (Session, Vec<String>) {
    let mut session = Session::start();
    session.send(&format!("setoption name SyzygyPath value {}", path.display()));
    let said = session.until_ready();
    (session, said)
}

/// The infos of a short search, its texts, and that it has an answer.
fn search(session: &mut Session, fen: &str) -> (Vec<InfoLine>, Vec<String>) {
    session.send(&format!("position fen {fen}"));
    session.send("go nodes 60000");
    let (best, infos) = session.best_move();
    assert!(best.is_some());
    let texts = infos.iter().filter_map(|info| info.text.clone()).collect();
    (infos, texts)
}

const ONE_PAWN: &str = "8/8/8/3k4/8/8/3PK3/8 w - - 0 1";
const FIVE_MEN: &str = "8/5k2/8/3r4/8/2K5/1PQ5/8 w - - 0 1";
/// More than any evaluation, less than any mate.
const SURE: std::ops::Range<i32> = 30_700..MATE_IN_MAX;

fn is_sure(infos: &[InfoLine]) -> bool {
    let score = infos.iter().rev().find_map(|info| info.score);
    matches!(score, Some(ScoreValue::Centipawns(score)) if SURE.contains(&score))
}

/// Copies the tables whose names end so.
fn copy_tables(from: &Path, to: &Path, ending: &str) {
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("readable").path();
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        if name.ends_with(ending) {
            fs::copy(&path, to.join(name)).expect("writable");
        }
    }
}

#[test]
fn a_session_tells_which_tables_it_has() {
    let Some(folder) = shared_data("syzygy") else { return };
    let (mut session, said) = session_with(&folder);
    let opened = "info string Syzygy: up to 4 pieces, 35 tables of results, 35 of distances";
    assert_eq!(said, [opened]);
    let (infos, _) = search(&mut session, ONE_PAWN);
    assert!(is_sure(&infos) && infos[0].table_hits > Some(0));
    // Other tables in their place, then none.
    let small = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/syzygy");
    session.send(&format!("setoption name SyzygyPath value {}", small.display()));
    session.until("info string Syzygy: up to 3 pieces, 2 tables of results, 1 of distances");
    assert!(!is_sure(&search(&mut session, ONE_PAWN).0));
    session.send("setoption name SyzygyPath value <empty>");
    let (infos, texts) = search(&mut session, FIVE_MEN);
    assert_eq!(texts, [""; 0]);
    assert!(infos.iter().all(|info| info.table_hits == Some(0)));
    session.send(&format!("setoption name SyzygyPath value {}", folder.display()));
    // What the last search found stays in the hash table, and would hide what tables know.
    session.send("ucinewgame");
    let (infos, texts) = search(&mut session, FIVE_MEN);
    assert!(is_sure(&infos) && texts.len() == 1, "{texts:?}");
    session.send("setoption name SyzygyProbeDepth value 100");
    session.send("ucinewgame");
    assert!(!is_sure(&search(&mut session, FIVE_MEN).0));
}

/// Without distances the moves that keep the result are ranked alone, and the search finds the way.
#[test]
fn results_alone_are_used_too() {
    let Some(folder) = shared_data("syzygy") else { return };
    let home = tempfile::tempdir().expect("temporary folder");
    copy_tables(&folder, home.path(), ".rtbw");
    let (mut session, said) = session_with(home.path());
    assert!(said[0].ends_with("35 tables of results, 0 of distances"), "{said:?}");
    let (infos, _) = search(&mut session, ONE_PAWN);
    assert!(is_sure(&infos));
    let hits = |info: &InfoLine| info.table_hits.unwrap_or(0);
    assert!(hits(&infos[infos.len() - 1]) > hits(&infos[0]), "in the tree, too");
}

#[test]
fn a_folder_that_is_gone_takes_nothing_from_the_others() {
    let small = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/syzygy");
    let both = std::env::join_paths([Path::new("/no/such/folder"), &small]).expect("no separator");
    let (_, said) = session_with(Path::new(&both));
    assert_eq!(
        said,
        [
            "info string Syzygy: /no/such/folder is left out: it cannot be read",
            "info string Syzygy: up to 3 pieces, 2 tables of results, 1 of distances",
        ]
    );
}

#[test]
fn missing_and_damaged_tables_are_named() {
    let (mut session, said) = session_with(Path::new("/no/such/folder"));
    assert!(
        said[0].starts_with("info string Syzygy: no tables are used: cannot read "),
        "{said:?}"
    );
    search(&mut session, ONE_PAWN);
    let Some(folder) = shared_data("syzygy") else { return };
    let home = tempfile::tempdir().expect("temporary folder");
    copy_tables(&folder, home.path(), "");
    for (name, position) in [("KQvK.rtbw", 100), ("KRvK.rtbz", 50)] {
        let path = home.path().join(name);
        let mut bytes = fs::read(&path).expect("readable");
        bytes[position] ^= 1;
        fs::remove_file(&path).expect("it is there");
        fs::write(&path, bytes).expect("writable");
    }
    let cut = home.path().join("KBvKN.rtbw");
    let bytes = fs::read(&cut).expect("readable");
    fs::remove_file(&cut).expect("it is there");
    fs::write(&cut, &bytes[..bytes.len() - 100]).expect("writable");
    let (mut session, said) = session_with(home.path());
    let said: Vec<&String> = said.iter().filter(|line| line.contains("not used")).collect();
    assert_eq!(said.len(), 3, "{said:?}");
    for (line, name) in said.iter().zip(["KBvKN.rtbw", "KQvK.rtbw", "KRvK.rtbz"]) {
        assert!(line.contains(name) && line.contains("download it again"), "{line}");
    }
    // Nothing is guessed.
    let (infos, _) = search(&mut session, "8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    assert!(!is_sure(&infos));
    let (infos, _) = search(&mut session, "8/8/8/3k4/8/8/8/KR6 w - - 0 1");
    assert!(is_sure(&infos), "by results");
}

#[test]
fn tables_that_were_replaced_since_they_were_verified_are_not_read() {
    let Some(folder) = shared_data("syzygy") else { return };
    let whole = fs::read(folder.join("KPvK.rtbw")).expect("readable");
    type Change<'a> = (&'a str, &'a dyn Fn(&Path));
    let by_another: Change = ("another table", &|path| {
        let beside = path.with_extension("new");
        fs::write(&beside, &whole).expect("writable");
        fs::rename(&beside, path).expect("in its place");
    });
    let by_less: Change = ("a cut one", &|path| {
        let file = fs::OpenOptions::new().write(true).open(path).expect("writable");
        file.set_len(100).expect("cut");
    });
    for (what, change) in [by_another, by_less] {
        let home = tempfile::tempdir().expect("temporary folder");
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("readable").path();
            let copy = home.path().join(path.file_name().expect("a name"));
            fs::write(copy, fs::read(&path).expect("readable")).expect("writable");
        }
        let (mut session, said) = session_with(home.path());
        assert_eq!(said.len(), 1, "{said:?}");
        for entry in fs::read_dir(home.path()).expect("a folder") {
            change(&entry.expect("readable").path());
        }
        let (infos, texts) = search(&mut session, "8/8/8/3k4/8/8/1KR5/8 w - - 0 1");
        assert!(!is_sure(&infos) && !texts.is_empty(), "{what}: {texts:?}");
        let (infos, texts) = search(&mut session, FIVE_MEN);
        assert!(!is_sure(&infos) && !texts.is_empty(), "{what}: {texts:?}");
    }
}

#[test]
fn tables_that_are_withdrawn_are_missed_once() {
    let Some(folder) = shared_data("syzygy") else { return };
    let home = tempfile::tempdir().expect("temporary folder");
    copy_tables(&folder, home.path(), "");
    let (mut session, said) = session_with(home.path());
    assert_eq!(said.len(), 1);
    home.close().expect("removable");
    let (infos, texts) = search(&mut session, FIVE_MEN);
    assert!(!is_sure(&infos));
    assert!(!texts.is_empty(), "somebody must be told");
    for text in &texts {
        assert!(text.starts_with("Syzygy: not used: ") && text.contains("any more"), "{text}");
    }
    session.send("ucinewgame");
    let (_, again) = search(&mut session, FIVE_MEN);
    assert!(again.iter().all(|text| !texts.contains(text)), "{again:?}");
}

/// Tables know of a node that it is won, not by which mate: where all lines are looked at for a mate, they are
/// not asked there.
#[test]
fn tables_hide_no_mate_behind_a_capture() {
    let Some(tables) = tables() else { return };
    let mut random = ChaCha8Rng::seed_from_u64(9);
    let mut engine = engine(&tables);
    let mut found = 0;
    while found < 20 {
        let position = random_position(&mut random, 5);
        let board = position.board();
        let is_mate_in = |moves| mates(board, moves, &mut 20_000);
        let captures = position.legal_moves().iter().any(|&mv| board.piece_on(mv.to()).is_some());
        if !captures || position.halfmove_clock() > 50 || is_mate_in(1) || !is_mate_in(2) {
            continue;
        }
        let limits = Limits { mate: Some(2), ..Limits::default() };
        let outcome = engine.search(&position, &limits, &Control::new(), &mut |_| {});
        assert_eq!(mate_in(outcome.score), Some(2), "{}", position.to_fen(false));
        found += 1;
    }
}
