//! Substitutes for a position and its result: quiet leaves and endgame tables.

use std::fs;
use std::path::Path;

use chess::{Engine, Parameters, Position};
use positions::{Filter, Samples, Source, expand_sources};

use crate::child::ended;
use crate::command_line::tuner;
use crate::store::{random_game, scratch, settings, write};

fn read(path: &Path, filter: &Filter) -> Samples {
    let source = Source::new(path, None, filter);
    expand_sources(&[source], &chess::GAME.embedded(), 1).expect("readable")
}

/// The position at the end of the line is the one whose evaluation the quiescence search reports.
#[test]
fn the_line_of_the_quiescence_search_ends_where_its_value_is() {
    let mut engine = Engine::new(Parameters::embedded().clone(), 0);
    let (mut lines, mut exact) = (0, 0);
    for index in 0..20 {
        let game = random_game(51, index);
        let visited = game.replay(|position, _, _| {
            let position = position.typed::<Position>();
            let (value, line) = engine.quiescence_line(position);
            assert_eq!(value, engine.quiescence(position));
            let mut leaf = position.clone();
            for &played in &line {
                assert!(leaf.is_legal(played) && (leaf.in_check() || leaf.is_noisy(played)));
                leaf.play(played);
            }
            if line.is_empty() {
                return;
            }
            let own = engine.evaluate(&leaf);
            lines += 1;
            exact += u32::from(value == if line.len() % 2 == 0 { own } else { -own });
        });
        visited.expect("legal");
    }
    // A line may also end with mate, or where the rules make it even.
    assert!(lines > 200 && f64::from(exact) > 0.97 * f64::from(lines), "{exact} of {lines}");
}

#[test]
fn resolved_positions_are_quiet() {
    let folder = scratch();
    let store = folder.path().join("games");
    let games: Vec<_> = (0..20).map(|index| random_game(52, index)).collect();
    write(&store, &settings(1000), &games);
    let open = Filter { keep_noisy: false, ..Filter::everything() };
    let resolved = read(&store, &Filter { resolve: true, ..open.clone() });
    let kept = read(&store, &open);
    assert!(resolved.samples.len() > kept.samples.len(), "noisy positions are of use");
    assert!(resolved.counts.resolved > 100);
    let mut engine = Engine::new(Parameters::embedded().clone(), 0);
    for sample in &resolved.samples {
        let position = sample.position();
        let position = position.typed::<Position>();
        assert!(position.has_legal_move());
        assert_eq!(engine.quiescence_line(position).1, [], "{}", position.to_fen(true));
        // Its game, its score and its result are those of the position that it stands for.
        let game = &games[sample.game() as usize];
        assert_eq!(sample.score(), game.plies[usize::from(sample.ply())].known_score());
    }
}

#[test]
fn a_hanging_queen_is_taken() {
    let folder = scratch();
    let book = folder.path().join("book.epd");
    fs::write(&book, "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1 [1.0] 300\n").expect("writable");
    let filter = Filter { resolve: true, ..Filter::everything() };
    let found = read(&book, &filter);
    let after = Position::from_fen("4k3/8/8/3P4/8/8/8/4K3 b - - 0 1").expect("legal");
    assert_eq!(found.samples[0].position().key(), after.key());
    assert_eq!((found.samples[0].result(), found.samples[0].score()), (1.0, Some(300)));
}

/// Tables know better than games; the program is asked, since a process reads one set of tables.
#[test]
fn tables_give_results() {
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/data/syzygy");
    let folder = scratch();
    let book = folder.path().join("book.epd");
    let lines = [
        // Won by either color, whoever moves; drawn; no table; and castling, which no table knows.
        ("8/8/8/8/8/2k5/8/KQ6 w - - 0 1", "0.5", "1"),
        ("8/8/8/8/8/2K5/8/kq6 b - - 0 1", "0.5", "0"),
        ("8/8/8/3k4/8/8/8/KQ6 b - - 7 30", "0.0", "1"),
        ("8/8/8/3k4/8/8/8/KB6 w - - 0 1", "1.0", "0.5"),
        ("4k3/8/8/8/8/8/3P4/4K3 w - - 0 1", "0.0", "0"),
    ];
    let text: String = lines.iter().map(|(fen, old, _)| format!("{fen} [{old}]\n")).collect();
    fs::write(&book, text).expect("writable");
    let mut command = tuner();
    command.args(["positions", "--keep-noisy", "--syzygy"]).arg(&tables).arg(&book);
    let (stdout, stderr) = ended(0, &mut command);
    for (fen, _, result) in lines {
        let row = stdout.lines().find(|row| row.starts_with(fen)).expect(fen);
        assert_eq!(row.split(',').nth(2), Some(result), "{row}");
    }
    assert!(stderr.contains("results of endgame tables"), "{stderr}");
    let changed = stderr.lines().find(|line| line.contains("other than the game's"));
    assert!(changed.is_some_and(|line| line.split_whitespace().nth(4) == Some("4")), "{stderr}");

    for (folder, reason) in [(folder.path().to_owned(), "no Syzygy table"), ("none".into(), "none")]
    {
        let mut command = tuner();
        command.args(["positions", "--count", "--syzygy"]).arg(&folder).arg(&book);
        let (_, stderr) = ended(3, &mut command);
        assert!(stderr.contains(reason), "{stderr}");
    }
}

/// A damaged table gives no result, and neither does the run.
#[test]
fn a_damaged_table_ends_the_run() {
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests/data/syzygy");
    let folder = scratch();
    let mut bytes = fs::read(tables.join("KQvK.rtbw")).expect("readable");
    bytes[50] ^= 8;
    fs::write(folder.path().join("KQvK.rtbw"), bytes).expect("writable");
    let book = folder.path().join("book.epd");
    fs::write(&book, "8/8/8/8/8/2k5/8/KQ6 w - - 0 1 [0.5]\n").expect("writable");
    let out = folder.path().join("out.csv");
    let mut command = tuner();
    command.args(["positions", "--keep-noisy", "--syzygy"]).arg(folder.path()).arg(&book);
    let (_, stderr) = ended(3, command.arg("--output").arg(&out));
    assert!(stderr.contains("KQvK.rtbw"), "{stderr}");
    assert!(!out.exists());
}
