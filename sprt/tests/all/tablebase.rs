//! Endgame tables that end games.

use std::fs;
use std::path::Path;

use chess::GAME;
use matches::game::GameResult;
use matches::playing::{Tablebase, TablebaseRule};

use crate::child::ended;
use crate::helpers::sprt_line;
use crate::shared_data::shared_data;

#[test]
fn wins_are_sure_after_a_capture_or_pawn_move_only() {
    let Some(folder) = shared_data("syzygy") else { return };
    let tables = Tablebase::open(GAME, &[folder]).expect("good tables");
    let strict = TablebaseRule { pieces: 4, ignore_fifty_moves: false };
    let judge = |fen: &str, rule| {
        let position = GAME.position(fen).expect("a good position");
        tables.judge(&position, rule).expect("good tables")
    };
    let won = "4k3/8/8/8/8/8/8/Q3K3 b - -";
    assert_eq!(judge(&format!("{won} 0 50"), strict), Some(GameResult::WhiteWins));
    assert_eq!(judge(&format!("{won} 7 50"), strict), None);
    let lenient = TablebaseRule { ignore_fifty_moves: true, ..strict };
    assert_eq!(judge(&format!("{won} 7 50"), lenient), Some(GameResult::WhiteWins));
    let few = TablebaseRule { pieces: 2, ..strict };
    assert_eq!(judge(&format!("{won} 0 50"), few), None);
    // A draw stays one.
    let drawn = "4k3/8/8/8/8/8/8/B3K1n1 w - - 9 50";
    assert_eq!(judge(drawn, strict), Some(GameResult::Draw));
}

/// A run from a won endgame with the small tables that lie with the engine's tests, of which one may
/// have a wrong bit.
#[test]
fn a_damaged_table_ends_the_run_and_is_named() {
    let home = tempfile::tempdir().expect("temporary folder");
    let openings = home.path().join("openings.epd");
    fs::write(&openings, "4k3/8/8/8/8/8/8/Q3K3 w - -\n").expect("writable");
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/data/syzygy");
    for (name, wrong, status) in [("good", 0, 2), ("damaged", 16, 3)] {
        let folder = home.path().join(name);
        fs::create_dir(&folder).expect("writable");
        let table = folder.join("KQvK.rtbw");
        let mut bytes = fs::read(tables.join("KQvK.rtbw")).expect("readable");
        bytes[100] ^= wrong;
        fs::write(&table, bytes).expect("writable");
        let line = "run --candidate random --baseline random --nodes 1 --pairs 1 --syzygy";
        let mut command = sprt_line(line);
        command.arg(&folder).arg("--openings").arg(&openings);
        command.arg("--output").arg(home.path().join(format!("run-{name}")));
        let (_, stderr) = ended(status, &mut command);
        let message = format!(
            "error: pair 1 could not be played: {}: its checksum is wrong",
            table.display()
        );
        assert_eq!(stderr.contains(&message), wrong != 0, "{stderr}");
    }
}
