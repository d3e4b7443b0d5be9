//! From files to samples: forms of text, filters, sampling, and the split by games.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use chess::{Color, GAME, Position};
use positions::{
    Filter, Purpose, Rejection, Sample, Samples, Shares, expand, parse_epd, parse_result,
    purpose_of, split, write_csv,
};

use crate::shared_data::shared_data;
use crate::store::{random_game, scratch, settings, write};

const FEN4: &str = "6k1/1rq1pp1p/1p1p2p1/1BnP4/1R1QP3/r4P2/P5PP/1R4K1 w - -";
const BLACK4: &str = "6k1/1rq1pp1p/1p1p2p1/1BnP4/1R1QP3/r4P2/P5PP/1R4K1 b - -";

/// A filter that rejects nothing.
fn open_filter() -> Filter {
    Filter { per_game: 0, min_ply: 0, max_score: u16::MAX, keep_noisy: true, ..Filter::default() }
}

fn try_expand(paths: &[&Path], filter: &Filter, threads: usize) -> anyhow::Result<Samples> {
    let paths: Vec<PathBuf> = paths.iter().map(|path| path.to_path_buf()).collect();
    expand(&paths, filter, &GAME.embedded(), threads)
}

fn samples(path: &Path, filter: &Filter) -> Samples {
    try_expand(&[path], filter, 1).expect("readable")
}

#[test]
fn every_form_of_label_is_read() {
    for (label, result, score) in [
        ("[1.0]", 1.0, None),
        ("[0.5]", 0.5, None),
        ("[0.5] 35", 0.5, Some(35)),
        ("[0.6]", 0.6, None),
        ("0 17 [0.0] -120", 0.0, Some(-120)),
        ("c9 \"1-0\";", 1.0, None),
        ("c9 \"1/2-1/2\";", 0.5, None),
        ("c9 \"0-1\";", 0.0, None),
        ("c9 \"-35|0-1\";", 0.0, Some(-35)),
        ("3 40 c9 \"1-0\";", 1.0, None),
        ("hmvc 3; fmvn 40; c9 \"1-0\";", 1.0, None),
        ("id \"a; b\"; c9 \"0-1\";", 0.0, None),
        ("c9 \"20|1-0\"; id \"x\";", 1.0, Some(20)),
        ("| 35 | 1.0", 1.0, Some(35)),
        ("0 1 | -7 | 0.5", 0.5, Some(-7)),
        ("0.5", 0.5, None),
        ("1.0", 1.0, None),
        ("0", 0.0, None),
        ("0 1 1", 1.0, None),
        ("1-0", 1.0, None),
        ("ce 1.0", 1.0, None),
        ("; [1.0]", 1.0, None),
        ("; [1-0]", 1.0, None),
        ("0 17; [0-1]", 0.0, None),
        ("0 17; [0.5] 35", 0.5, Some(35)),
        ("; 1/2-1/2", 0.5, None),
        // Other signs part values, and whole numbers are scores where results are clear.
        (",1.0", 1.0, None),
        (" 0 1,0.5", 0.5, None),
        ("\t0-1", 0.0, None),
        (";½-½", 0.5, None),
        (",35,0.5", 0.5, Some(35)),
        (" 3 40;1–0;-20", 1.0, Some(-20)),
        (";0,5", 0.5, None),
        ("\t0\t0.0", 0.0, Some(0)),
        ("| 1 | 0", 0.0, Some(1)),
        ("|1.0", 1.0, None),
        ("0.5 35", 0.5, Some(35)),
        ("35 1-0", 1.0, Some(35)),
        ("[1-0]", 1.0, None),
        ("[1:0],7", 1.0, Some(7)),
        // Any comment of EPD may hold the result, the usual one before the others.
        ("c0 \"1-0\";", 1.0, None),
        ("c5 \"[0.5]\";", 0.5, None),
        ("c0 \"Nf3=10, e4=5\"; c1 \"0-1\";", 0.0, None),
        ("c0 \"1\"; c9 \"1/2-1/2\";", 0.5, None),
        ("c9 1-0;", 1.0, None),
        ("bm Qe4; c3 1/2-1/2", 0.5, None),
        ("ce 35; c9 \"1-0\";", 1.0, Some(35)),
        ("ce 35; c9 \"20|1-0\";", 1.0, Some(20)),
        // No label is rounded.
        ("[0.123456]", 0.123456, None),
        ("| 35 | 0.3333", 0.3333, Some(35)),
    ] {
        let labelled = parse_epd(GAME, &format!("{FEN4} {label}")).expect(label);
        assert_eq!((labelled.result, labelled.score), (result, score), "{label}");
    }
    let counted =
        parse_epd(GAME, &format!("{FEN4} hmvc 3; fmvn 40; c9 \"1-0\";")).expect("counters");
    assert!(counted.position.to_fen().ends_with(" 3 40"), "{:?}", counted.position);
    let glued = format!("{}; [1.0]", FEN4);
    assert!(parse_epd(GAME, &glued).is_ok(), "a semicolon right after the FEN");
    // Only this form is from the view of the side to move.
    assert_eq!(parse_epd(GAME, &format!("{BLACK4} ce 1.0;")).expect("a label").result, 0.0);
    assert_eq!(parse_epd(GAME, &format!("{BLACK4} 1.0;")).expect("a label").result, 1.0);
    // EPD's evaluation is the mover's, the result beside it is White's.
    let both = parse_epd(GAME, &format!("{BLACK4} ce 35; c9 \"1-0\";")).expect("a label");
    assert_eq!((both.result, both.score), (1.0, Some(-35)));
}

/// The mark that some editors put before a text is no part of its first line.
#[test]
fn a_byte_order_mark_is_left_out() {
    let folder = scratch();
    let path = folder.path().join("marked.epd");
    fs::write(&path, format!("\u{feff}{FEN4} [1.0]\n{BLACK4} [0.0]\n")).expect("writable");
    assert_eq!(samples(&path, &open_filter()).samples.len(), 2);
}

/// Fields that a FEN lacks at its end are filled in, whatever form the label has.
#[test]
fn labels_may_follow_a_fen_that_lacks_fields() {
    for line in [
        "4k3/8/8/8/8/8/8/R3K3 [1.0]",
        "4k3/8/8/8/8/8/8/R3K3 w 1-0",
        "4k3/8/8/8/8/8/8/R3K3 w Q c9 \"1-0\";",
        "4k3/8/8/8/8/8/8/R3K3 w - | 35 | 1.0",
    ] {
        let read = parse_epd(GAME, line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!((read.result, read.position.side_to_move()), (1.0, Color::White), "{line}");
    }
}

#[test]
fn malformed_lines_say_what_is_wrong() {
    for (line, reason) in [
        (String::from("nonsense"), "1 ranks instead of 8"),
        (String::from("4k3/8/8/8/8/8/8/4K3"), "no result"),
        (String::from("8/8/8/8/8/8/8/8 w - - [1.0]"), "king"),
        (FEN4.to_owned(), "no result"),
        (format!("{FEN4} 0 1"), "no result"),
        (format!("{FEN4} [2.0]"), "'2.0' is no result"),
        (format!("{FEN4} [NaN]"), "'NaN' is no result"),
        (format!("{FEN4} [1.0"), "bracket"),
        (format!("{FEN4} c9 \"1-0"), "quotation mark"),
        (format!("{FEN4} c9 \"2-0\";"), "'2-0' is no result"),
        (format!("{FEN4} bm \"Qe4\";"), "no operation c0 to c9 holds a result"),
        (format!("{FEN4} | 35 |"), "is no score and result"),
        (format!("{FEN4} ; 1 ; 0"), "which of '1' and '0' is the result?"),
        (format!("{FEN4},35,40"), "'40' is no result"),
        (format!("{FEN4},1,2,3"), "'1,2,3' is no score and result"),
        (format!("{FEN4} | x | 1.0"), "'x' is no score"),
        (format!("{FEN4} | 40000 | 1.0"), "'40000' is no score"),
        (format!("{FEN4} ce 35;"), "an evaluation"),
        (format!("{FEN4} é"), "'é' is no result"),
    ] {
        let message = parse_epd(GAME, &line).err().unwrap_or_else(|| panic!("{line} is refused"));
        assert!(message.contains(reason), "{line}: {message}");
    }
    assert!(parse_result("").is_err() && parse_result("-0.5").is_err());
}

#[test]
fn bad_lines_are_counted_and_shown_until_they_are_too_many() {
    let folder = scratch();
    let path = folder.path().join("lines.epd");
    let mut bytes =
        format!("# a comment\n\n{FEN4} [1.0]\r\n{BLACK4} [0.0]\nnonsense\n").into_bytes();
    bytes.extend_from_slice(b"\xff\xfe\n");
    fs::write(&path, bytes).expect("writable");

    let filter = Filter { bad_lines_max: 0.5, ..open_filter() };
    let found = samples(&path, &filter);
    assert_eq!(found.samples.len(), 2);
    assert_eq!(found.counts.bad_lines.count, 2);
    let shown = &found.counts.bad_lines.shown;
    assert!(shown[0].contains("lines.epd:5: FEN board \"nonsense\""), "{shown:?}");
    assert!(shown[1].contains("lines.epd:6: not text in UTF-8"), "{shown:?}");

    let error = try_expand(&[&path], &Filter::default(), 1).expect_err("half of it is bad");
    let message = error.to_string();
    assert!(message.contains("2 of 4 lines are unusable, more than 1 %"), "{message}");
    assert!(message.contains("lines.epd:5"), "{message}");
}

#[test]
fn csv_rows_name_their_line() {
    let folder = scratch();
    let path = folder.path().join("rows.csv");
    let rows = [
        "result,fen,game,score",
        "1,r1b1k2r/1pq2ppp/p1nb1n2/3p4/3N4/1PN1P3/P3BPPP/R1BQ1RK1 w kq - 0 12,7,",
        "0.5,6k1/1rq1pp1p/1p1p2p1/1BnP4/1R1QP3/r4P2/P5PP/1R4K1 w - - 3 40,9,-15",
        "0,6k1/1rq1pp1p/1p1p2p1/1BnP4/1R1QP3/r4P2/P5PP/1R4K1 b - - 3 40,7,20",
        "0,6k1/1rq1pp1p/1p1p2p1/1BnP4/1R1QP3/r4P2/P5PP/1R4K1 b - - 3 40,7",
        "0,nonsense,7,20",
        "2,6k1/1rq1pp1p/1p1p2p1/1BnP4/1R1QP3/r4P2/P5PP/1R4K1 b - - 3 40,7,20",
        "0,6k1/1rq1pp1p/1p1p2p1/1BnP4/1R1QP3/r4P2/P5PP/1R4K1 b - - 3 40,x,20",
    ];
    fs::write(&path, rows.join("\n")).expect("writable");
    let found = samples(&path, &Filter { bad_lines_max: 1.0, ..open_filter() });
    let labels: Vec<_> = found.samples.iter().map(|s| (s.game(), s.result(), s.score())).collect();
    // Games are numbered in the order in which they come up.
    assert_eq!(labels, [(0, 1.0, None), (0, 0.0, Some(20)), (1, 0.5, Some(-15))]);
    assert_eq!(found.counts.games, 2);
    assert_eq!((found.counts.bad_lines.count, found.counts.bad_lines.shown.len()), (4, 4));
    for (shown, text) in found.counts.bad_lines.shown.iter().zip([
        "rows.csv:5: 3 columns, not 4",
        "rows.csv:6: ",
        "rows.csv:7: '2' is no result",
        "rows.csv:8: 'x' is no number of a game",
    ]) {
        assert!(shown.contains(text), "{shown}");
    }

    fs::write(&path, "place,result\n").expect("writable");
    let message = format!("{:#}", try_expand(&[&path], &open_filter(), 1).expect_err("no fen"));
    assert!(message.contains("rows.csv:1: no column is named fen"), "{message}");
    assert!(message.contains("as the first line, for example fen,score,result"), "{message}");
}

/// Tables as other programs write them: names, signs between columns, no names at all.
#[test]
fn tables_of_other_programs_are_read() {
    let folder = scratch();
    let read = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("writable");
        let found =
            try_expand(&[&path], &open_filter(), 1).map_err(|error| format!("{error:#}"))?;
        let samples = found.samples.iter();
        Ok::<_, String>(samples.map(|it| (it.result(), it.score())).collect::<Vec<_>>())
    };
    let both = |scores: [Option<i16>; 2]| Ok(vec![(1.0, scores[0]), (0.5, scores[1])]);
    let scored = both([Some(35), Some(-7)]);
    for (name, text) in [
        ("a.csv", format!("FEN;Game_Result;Evaluation\n{FEN4};1-0;35\n{BLACK4};1/2-1/2;-7\n")),
        ("b.tsv", format!("cp\tposition\twdl\r\n35\t{FEN4}\t1.0\r\n-7\t{BLACK4}\t[0.5]\r\n")),
        (
            "c.csv",
            format!("\"epd\",\"outcome\",\"eval\"\n\"{FEN4}\",\"1-0\",\"35\"\n{BLACK4},½,-7\n"),
        ),
        ("d.csv", format!("{FEN4},1.0,35\n{BLACK4},-7,0.5\n")),
        ("e.csv", format!("{FEN4};35;1:0\n{BLACK4};-7;0,5\n")),
        ("f.txt", format!("fen|score|result\n{FEN4}|35|1\n{BLACK4}|-7|0.5\n")),
    ] {
        assert_eq!(read(name, &text), scored, "{name}");
    }
    let plain = both([None, None]);
    for (name, text) in [
        ("g.csv", format!("# from elsewhere\n\n{FEN4},1.0\n{BLACK4},0.5\n")),
        ("h.csv", format!("\"{FEN4}\",\"1-0\"\n{BLACK4},1/2-1/2\n")),
        ("i.epd", format!("{FEN4} c0 \"1-0\";\n{BLACK4} c3 \"1/2-1/2\";\n")),
    ] {
        assert_eq!(read(name, &text), plain, "{name}");
    }
    for (text, reason) in [
        ("fen,evaluation\n", "j.csv:1: no column is named result: write the names"),
        ("one,two\n", "j.csv:1: FEN board \"one,two\": 1 ranks instead of 8: write the names"),
    ] {
        let error = read("j.csv", text).expect_err(text);
        assert!(error.contains(reason) && error.contains("fen,score,result"), "{error}");
    }
}

/// A stray quotation mark costs its own line.
#[test]
fn a_quotation_mark_swallows_no_lines() {
    let folder = scratch();
    let path = folder.path().join("rows.csv");
    let rows: Vec<String> = (1..=99).map(|clock| format!("{FEN4} {clock} 60,1.0,a")).collect();
    fs::write(&path, format!("fen,result,note\n{FEN4} 0 60,1.0,\"a\n{}\n", rows.join("\n")))
        .expect("writable");
    let found = samples(&path, &Filter { bad_lines_max: 0.02, ..open_filter() });
    assert_eq!((found.counts.bad_lines.count, found.counts.positions), (1, 99));
    assert!(found.counts.bad_lines.shown[0].contains("rows.csv:2: a quotation mark"));
}

/// Text is the same in whatever form an editor saves it.
#[test]
fn encodings_change_nothing() {
    let folder = scratch();
    for (name, text) in [
        ("lines.epd", format!("{FEN4} [1.0]\r\n{BLACK4} 35 ½-½\r\n")),
        ("table.csv", format!("fen,result,note\r\n{FEN4},1.0,ü\r\n{BLACK4},0.5,♘\r\n")),
    ] {
        let path = folder.path().join(name);
        let read = |bytes: &[u8]| {
            fs::write(&path, bytes).expect("writable");
            samples(&path, &open_filter()).samples
        };
        let expected = read(text.as_bytes());
        assert_eq!(expected.len(), 2);
        let marked = format!("\u{feff}{text}");
        let wide = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            marked.encode_utf16().flat_map(bytes).collect()
        };
        for (form, bytes) in [
            ("UTF-8 with a mark", marked.clone().into_bytes()),
            ("UTF-16, little end first", wide(u16::to_le_bytes)),
            ("UTF-16, big end first", wide(u16::to_be_bytes)),
            ("^Z", format!("{text}\u{1a}\u{1a}\0\0nothing").into_bytes()),
            ("bare returns", text.replace("\r\n", "\r").into_bytes()),
        ] {
            assert_eq!(read(&bytes), expected, "{name}: {form}");
        }
    }
}

#[test]
fn stores_and_their_csv_give_the_same_samples() {
    let folder = scratch();
    let store = folder.path().join("games");
    let games: Vec<_> = (0..40).map(|index| random_game(5, index)).collect();
    write(&store, &settings(300), &games);
    let exported = samples(&store, &open_filter());
    assert_eq!(exported.counts.games, 40);
    assert!(exported.samples.len() > 500);

    let csv = folder.path().join("samples.csv");
    write_csv(&csv, &exported.samples).expect("writable");
    let imported = samples(&csv, &open_filter());
    assert_eq!(imported.samples.len(), exported.samples.len());
    let mut games = std::collections::HashMap::new();
    for (ours, theirs) in exported.samples.iter().zip(&imported.samples) {
        assert_eq!(ours.position().key(), theirs.position().key());
        assert_eq!((ours.result(), ours.ply()), (theirs.result(), theirs.ply()));
        assert_eq!(ours.score(), theirs.score());
        // Games without samples are not in the CSV, so that numbers may differ; boundaries do not.
        assert_eq!(*games.entry(ours.game()).or_insert(theirs.game()), theirs.game());
    }
}

#[test]
fn threads_change_nothing() {
    let folder = scratch();
    let store = folder.path().join("games");
    let games: Vec<_> = (0..60).map(|index| random_game(11, index)).collect();
    write(&store, &settings(100), &games);
    let text = folder.path().join("lines.epd");
    fs::write(&text, format!("{FEN4} [1.0]\n{BLACK4} [0.0]\n")).expect("writable");
    let filter =
        Filter { per_game: 3, max_score: u16::MAX, quiet_margin: 5000, ..Filter::default() };
    let one = try_expand(&[&store, &text], &filter, 1).expect("readable");
    let three = try_expand(&[&store, &text], &filter, 3).expect("readable");
    assert_eq!(one.samples, three.samples);
    assert_eq!(one.counts, three.counts);
    let last = one.samples.last().expect("samples");
    assert_eq!(last.game(), 61, "games are numbered through the files");
}

#[test]
fn the_filter_keeps_what_it_promises() {
    let folder = scratch();
    let store = folder.path().join("games");
    let games: Vec<_> = (0..60).map(|index| random_game(13, index)).collect();
    write(&store, &settings(1000), &games);
    let filter = Filter { per_game: 5, min_ply: 6, max_score: 20_000, ..Filter::default() };
    let found = samples(&store, &filter);
    let mut per_game = vec![0; games.len()];
    let mut keys = HashSet::new();
    for sample in &found.samples {
        let position = sample.position();
        assert!(!position.in_check() && position.has_legal_move());
        assert!(sample.ply() >= 6);
        assert!(sample.score().expect("recorded").unsigned_abs() <= 20_000);
        assert!(keys.insert(position.key()), "a duplicate");
        let game = &games[sample.game() as usize];
        let played = game.plies[usize::from(sample.ply())].played;
        assert!(position.is_legal(played) && !position.is_noisy(played));
        per_game[sample.game() as usize] += 1;
    }
    assert_eq!(per_game.iter().max(), Some(&5));
    let counts = &found.counts;
    assert_eq!(counts.samples + counts.rejected.iter().sum::<u64>(), counts.positions);
    assert!(counts.rejected[Rejection::InCheck as usize] > 0);

    let other = samples(&store, &Filter { sample_seed: 2, ..filter });
    assert_ne!(found.samples, other.samples, "the seed draws other positions");
}

#[test]
fn scores_may_be_those_of_what_follows() {
    let folder = scratch();
    let store = folder.path().join("games");
    let games: Vec<_> = (0..40).map(|index| random_game(17, index)).collect();
    write(&store, &settings(300), &games);
    let own = samples(&store, &open_filter());
    let ahead = Filter { lookahead: 3, ..open_filter() };
    let found = samples(&store, &ahead);
    // Nothing but scores is other than before.
    let alike = |(one, other): (&Sample, &Sample)| {
        one.position().key() == other.position().key() && one.result() == other.result()
    };
    assert!(own.samples.iter().zip(&found.samples).all(alike));
    // At the end of a game, the result is what follows.
    let last = |game: u32| found.samples.iter().rfind(|sample| sample.game() == game);
    let mut decided = 0;
    for sample in (0..40).filter_map(last) {
        let side = (sample.result() - 0.5).partial_cmp(&0.0).expect("a number") as i16;
        // Some games have no score at all.
        if let Some(score) = sample.score().filter(|_| side != 0) {
            decided += 1;
            assert_eq!(score.signum(), side);
        }
    }
    assert!(decided > 0);

    let csv = folder.path().join("samples.csv");
    write_csv(&csv, &own.samples).expect("writable");
    let error = try_expand(&[&csv], &ahead, 1).expect_err("single positions");
    assert!(format!("{error:#}").contains("it holds no whole games"), "{error:#}");
}

#[test]
fn repeated_games_count_once() {
    let folder = scratch();
    let store = folder.path().join("games");
    let games = [random_game(1, 3), random_game(1, 4), random_game(1, 3)];
    write(&store, &settings(1000), &games);
    let found = samples(&store, &open_filter());
    assert_eq!((found.counts.games, found.counts.repeated_games), (3, 1));
    assert!(found.samples.iter().all(|sample| sample.game() < 2));
}

#[test]
fn damaged_and_unfinished_stores_are_refused() {
    let folder = scratch();
    let store = folder.path().join("games");
    let games: Vec<_> = (0..20).map(|index| random_game(2, index)).collect();
    write(&store, &settings(100), &games);
    let bytes = fs::read(&store).expect("readable");

    fs::write(&store, &bytes[..bytes.len() - 40]).expect("writable");
    let message = try_expand(&[&store], &open_filter(), 1).expect_err("cut off").to_string();
    assert!(message.contains("games: ends at byte") && message.contains("--resume"), "{message}");
    let filter = Filter { unfinished: true, ..open_filter() };
    assert!(!samples(&store, &filter).samples.is_empty(), "whole blocks may be asked for");

    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 4;
    fs::write(&store, flipped).expect("writable");
    let message = try_expand(&[&store], &filter, 2).expect_err("damaged").to_string();
    assert!(message.contains("games: block ") && message.contains(" is damaged: "), "{message}");
}

#[test]
fn an_illegal_move_names_its_block() {
    let folder = scratch();
    let store = folder.path().join("games");
    let mut game = random_game(1, 4);
    game.plies[3].played = game.plies[2].played;
    write(&store, &settings(1000), &[random_game(1, 3), game]);
    let message = try_expand(&[&store], &open_filter(), 1).expect_err("illegal").to_string();
    assert!(message.contains("block 0 at byte"), "{message}");
    assert!(message.contains("game 1: illegal move"), "{message}");
}

#[test]
fn no_game_is_in_two_sets() {
    let start = GAME.start();
    let samples: Vec<Sample> = (0..40_000)
        .map(|index| Sample::new(&start, index / 4, 0, None, 0.5).expect("few pieces"))
        .collect();
    let shares = Shares { validation: 0.1, held_out: 0.2 };
    let parts = split(samples.clone(), shares, 9);
    let sets = [&parts.training, &parts.validation, &parts.held_out];
    let games = sets.map(|set| set.iter().map(Sample::game).collect::<HashSet<_>>());
    for (one, other) in [(0, 1), (0, 2), (1, 2)] {
        assert!(games[one].is_disjoint(&games[other]), "{one} {other}");
    }
    assert_eq!(sets.map(Vec::len).iter().sum::<usize>(), samples.len());
    for (games, expected) in games.iter().zip([0.7, 0.1, 0.2]) {
        let share = games.len() as f64 / 10_000.0;
        assert!((share - expected).abs() < 0.015, "{share}, not {expected}");
    }
    // A game keeps its purpose when others are added after it, and when more is held out.
    let fewer = split(samples[..20_000].to_vec(), shares, 9);
    assert_eq!(fewer.held_out, parts.held_out[..fewer.held_out.len()]);
    let purposes = |shares, seed| -> Vec<Purpose> {
        (0..1000).map(|game| purpose_of(game, shares, seed)).collect()
    };
    let none = Shares { validation: 0.0, held_out: 0.0 };
    assert!(purposes(none, 1).iter().all(|&purpose| purpose == Purpose::Training));
    let all = Shares { validation: 0.0, held_out: 1.0 };
    assert!(purposes(all, 1).iter().all(|&purpose| purpose == Purpose::HeldOut));
    assert_ne!(purposes(shares, 1), purposes(shares, 2));
}

/// Lines of games of random moves in their order, as EPD or CSV names no games; the game of each
/// line.
fn lines_of_games(games: u64, result: impl Fn(u64) -> &'static str) -> (Vec<String>, Vec<u64>) {
    let (mut lines, mut game_of_line) = (Vec::new(), Vec::new());
    for game in 0..games {
        let recorded = random_game(31, game);
        recorded
            .replay(|position, _, _| {
                let fen = position.typed::<Position>().to_fen(true);
                lines.push(format!("{fen} [{}]", result(game)));
                game_of_line.push(game);
            })
            .expect("legal moves");
    }
    (lines, game_of_line)
}

/// EPD names no games. Successive lines are kept together all the same, so that hardly any game is
/// both fitted to and held out.
#[test]
fn successive_lines_are_kept_together() {
    let folder = scratch();
    let path = folder.path().join("lines.epd");
    let (lines, game_of_line) =
        lines_of_games(300, |game| ["1.0", "0.5", "0.0"][game as usize % 3]);
    fs::write(&path, lines.join("\n") + "\n").expect("writable");
    let found = samples(&path, &open_filter());
    assert!(found.counts.continued_positions as f64 > 0.9 * lines.len() as f64);
    assert!(found.samples.iter().all(Sample::game_is_guessed));
    let by_key: std::collections::HashMap<String, u64> = lines
        .iter()
        .map(|line| line.rsplit_once(" [").expect("a label").0.to_owned())
        .zip(game_of_line)
        .collect();
    let mut blocks_of_game = std::collections::HashMap::<u64, HashSet<u32>>::new();
    for sample in &found.samples {
        let fen = sample.position().typed::<Position>().to_fen(true);
        let Some(&game) = by_key.get(&fen) else { continue };
        blocks_of_game.entry(game).or_default().insert(sample.game());
    }
    let whole = blocks_of_game.values().filter(|blocks| blocks.len() == 1).count();
    assert!(whole as f64 > 0.97 * blocks_of_game.len() as f64, "{whole} games are whole");
    let blocks: HashSet<u32> = found.samples.iter().map(Sample::game).collect();
    assert!(blocks.len() > 50, "only {} blocks", blocks.len());

    // As CSV they come back as unknown as they were, and are guessed again.
    let csv = folder.path().join("lines.csv");
    write_csv(&csv, &found.samples).expect("writable");
    let text = fs::read_to_string(&csv).expect("readable");
    assert!(text.lines().skip(1).all(|line| line.ends_with(',')), "a guess is no game");
    let again = samples(&csv, &open_filter());
    assert_eq!(again.samples.len(), found.samples.len());
    assert!(again.samples.iter().all(Sample::game_is_guessed));
}

/// A position that occurs again counts once, with the mean of its results.
#[test]
fn repeated_positions_take_the_mean_of_their_results() {
    let folder = scratch();
    let path = folder.path().join("lines.epd");
    let lines = [("1.0", FEN4), ("0.0", BLACK4), ("0.0", FEN4), ("0.5", FEN4), ("1.0", FEN4)];
    let text: Vec<String> = lines.iter().map(|(result, fen)| format!("{fen} [{result}]")).collect();
    fs::write(&path, text.join("\n")).expect("writable");
    let found = samples(&path, &open_filter());
    let results: Vec<f64> = found.samples.iter().map(Sample::result).collect();
    assert_eq!(results, [0.625, 0.0]);
    assert_eq!(found.counts.rejected[Rejection::Duplicate as usize], 3);
}

#[test]
fn real_data_loses_its_checks_and_duplicates() {
    let Some(path) = shared_data("positions/wukongjs-selfplay-66k.txt") else { return };
    let found = try_expand(&[&path], &Filter::default(), 0).expect("readable");
    let rejected = |reason| found.counts.rejected[reason as usize];
    assert_eq!(found.counts.positions, 66_086);
    assert!((6_000..7_000).contains(&rejected(Rejection::InCheck)));
    assert!(rejected(Rejection::Duplicate) > 0);
    let keys: HashSet<u64> = found.samples.iter().map(|s| s.position().key()).collect();
    assert_eq!(keys.len(), found.samples.len());
}

#[test]
fn real_data_is_read_whole() {
    for (name, lines) in [
        ("positions/zurichess-quiet-labeled-subset-1000.epd", 1_081),
        ("positions/lichess-big3-48k.book", 48_000),
    ] {
        let Some(path) = shared_data(name) else { continue };
        let found = try_expand(&[&path], &open_filter(), 0).expect("readable");
        assert_eq!(found.counts.positions, lines, "{name}");
        assert_eq!(found.counts.bad_lines.count, 0, "{name}");
    }
}
