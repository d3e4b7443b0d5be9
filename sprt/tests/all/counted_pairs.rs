//! The pairs that a verdict rests on: all of them, each once, and enough to decide.

use std::fs;

use crate::child::{ended, output};
use crate::files::assert_same;
use crate::helpers::{new_folder, resume, run_command, sprt_line};

/// A ratio that crosses a bound and comes back: the verdict is that of all pairs.
#[test]
fn without_an_early_stop_all_pairs_decide() {
    let home = new_folder();
    let folder = home.path().join("run");
    let mut command = sprt_line(
        "run --candidate embedded quiet_history.enabled=0 --baseline embedded --nodes 100 \
         --pairs 120 --elo0 0 --elo1 120 --alpha .2 --beta .2 --no-early-stop --seed 2 --output",
    );
    let (status, stdout, stderr) = output(command.arg(&folder));
    let result = fs::read_to_string(folder.join("result.json")).expect(&stderr);
    let result: serde_json::Value = serde_json::from_str(&result).expect("JSON");
    let figures = &result["assessment"];
    let (ratio, elo) = (&figures["log_likelihood_ratio"], &figures["elo"]);
    assert!(ratio.as_f64().is_some_and(|ratio| ratio < -1.5), "{result}");
    assert!(elo["value"].as_f64().is_some_and(|elo| elo < 10.0), "{result}");
    assert_eq!((status, &result["verdict"]), (Some(1), &"rejected".into()), "{stdout}");
    // Nothing stopped, and there is no rule to take into account.
    assert_eq!(elo["value"], figures["elo_if_fixed"]["value"]);
    assert!(stdout.contains("Verdict     candidate rejected"), "{stdout}");
    // On the way it was accepted, which is a note.
    let pair = &result["first_crossing"]["pairs"];
    assert_eq!(result["first_crossing"]["verdict"], "accepted", "{result}");
    let note = format!("with early stop the candidate would have been accepted at pair {pair}");
    assert!(stdout.contains(&format!("Note        {note}\n")), "{stdout}");
    let page = home.path().join("page.html");
    ended(0, sprt_line("report").arg(&folder).arg("--output").arg(&page));
    let page = fs::read_to_string(page).expect("a page");
    assert!(page.contains("candidate rejected") && page.contains(&note), "{note}");
    // A resumption of what is over says the same.
    let (status, again, _) = output(&mut resume(&folder));
    assert_eq!((status, again), (Some(1), stdout));

    // Where pairs are left to play, nothing is decided, whatever was crossed.
    let journal = fs::read(folder.join("journal")).expect("readable");
    let lines = journal.split_inclusive(|&byte| byte == b'\n').take(115);
    fs::write(folder.join("journal"), lines.collect::<Vec<_>>().concat()).expect("writable");
    let (_, text, _) = output(sprt_line("compare").arg(&folder));
    assert!(text.contains("unfinished"), "{text}");
}

/// Under a limit of nodes an opening that comes again gives the same games, which prove nothing.
#[test]
fn copies_of_a_pair_count_once() {
    let home = new_folder();
    // Three positions, each twice: once with an en passant square that no pawn can use.
    let book = home.path().join("book.epd");
    let lines = ["e2e4 e3", "d2d4 d3", "c2c4 c3"].map(|line| {
        let (mv, square) = line.split_once(' ').expect("two words");
        let mut position = chess::Position::start();
        position.play(position.board().parse_uci(mv).expect("a move"));
        let fen = position.to_fen(false);
        let fields = fen.split(' ').take(3).collect::<Vec<_>>().join(" ");
        format!("{fields} - 0 1\n{fields} {square} 0 1\n")
    });
    fs::write(&book, lines.concat()).expect("writable");
    let options = format!("--pairs 400 --no-early-stop --openings {}", book.display());
    let folders = ["1", "3"].map(|threads| {
        let folder = home.path().join(threads);
        let (stdout, stderr) =
            ended(2, run_command(&folder, &options).args(["--threads", threads]));
        assert!(stderr.contains("6 openings, but only 3 different positions"), "{stderr}");
        assert!(stdout.contains("Games       6 in 3 pairs"), "{stdout}");
        assert!(stdout.contains("the run ends: name a larger book"), "{stdout}");
        assert!(stdout.contains("undecided, and no new pair to be had"), "{stdout}");
        (folder, stdout)
    });
    let [(folder, report), (other, _)] = &folders;
    assert_same(folder, other, &[]);
    let result = fs::read_to_string(folder.join("result.json")).expect("readable");
    let result: serde_json::Value = serde_json::from_str(&result).expect("JSON");
    let [pairs, copies] = ["pairs", "copies"].map(|name| result[name].as_u64().expect("a count"));
    assert_eq!((pairs, &result["is_exhausted"]), (3, &true.into()), "{result}");
    // It ends sixteen copies after the last pair that is new.
    assert!((16..=19).contains(&copies), "{copies}");
    let journal = fs::read_to_string(folder.join("journal")).expect("readable");
    assert_eq!(journal.lines().count() as u64, 1 + pairs + copies);
    assert_eq!(journal.matches("\"copy\":true").count() as u64, copies);
    let games = fs::read_to_string(folder.join("games.pgn")).expect("readable");
    assert_eq!(games.matches("[Result ").count(), 6);

    // It ends so, too, if it is cut off within the copies, and says the same of what is over.
    let (status, again, _) = output(&mut resume(folder));
    assert_eq!((status, &again), (Some(2), report));
    let lines = journal.split_inclusive('\n').take(8).collect::<String>();
    fs::write(other.join("journal"), lines).expect("writable");
    ended(2, &mut resume(other));
    assert_same(folder, other, &[]);
    let page = home.path().join("page.html");
    ended(0, sprt_line("report").arg(folder).arg("--output").arg(&page));
    let page = fs::read_to_string(page).expect("a page");
    assert!(page.contains("undecided: only copies") && page.contains("6 (3 different)"));
}

/// By the clock equal openings are told, but the games differ.
#[test]
fn by_the_clock_pairs_of_one_opening_count() {
    let home = new_folder();
    let book = home.path().join("book.epd");
    fs::write(&book, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n")
        .expect("writable");
    let mut command = sprt_line(
        "run --candidate random name=a --baseline random name=b --movetime 1 --pairs 20 \
         --no-early-stop --max-plies 4 --openings",
    );
    let (stdout, _) = ended(2, command.arg(&book).arg("--output").arg(home.path().join("run")));
    assert!(stdout.contains("in 20 pairs") && !stdout.contains("Copies"), "{stdout}");
    assert!(stdout.contains("Note        more pairs than different openings"), "{stdout}");
}

/// A test that cannot decide, and one of a player against itself, are told before the first game.
#[test]
fn what_a_test_cannot_find_is_told_before_it() {
    let home = new_folder();
    let run = |name: &str, options: &str| {
        let words = format!("run --nodes 20 --max-plies 2 {options} --output");
        output(sprt_line(&words).arg(home.path().join(name)))
    };
    let few = "--candidate embedded quiet_history.enabled=0 --baseline embedded --pairs 100";
    let (status, _, stderr) = run("few", few);
    assert_eq!(status, Some(2), "{stderr}");
    assert!(stderr.contains("100 pairs can hardly decide between 0 and 5 normalized Elo"));
    // The bound that it names is enough.
    let elo1 = stderr.split_once("--elo1 ").expect(&stderr).1.split(' ').next().expect("a number");
    let (_, _, stderr) = run("elo1", &format!("{few} --elo1 {elo1}"));
    assert!(!stderr.contains("can hardly decide"), "{elo1}: {stderr}");
    // Who asks for all pairs, or a decision by the sign, knows how many he wants.
    for wanted in ["--no-early-stop", "--decide-at-limit"] {
        let (_, _, stderr) = run(wanted, &format!("{few} {wanted}"));
        assert!(!stderr.contains("can hardly decide"), "{wanted}: {stderr}");
    }
    let same = "the same program with the same options and limits";
    assert!(!stderr.contains(same), "{stderr}");
    let (status, _, stderr) =
        run("same", "--candidate embedded --baseline default name=b --pairs 2 --no-early-stop");
    assert_eq!(status, Some(2), "{stderr}");
    assert!(stderr.contains(same), "{stderr}");
    let two_limits = "--candidate embedded --baseline embedded nodes=21 --pairs 1 --no-early-stop";
    assert!(!run("limits", two_limits).2.contains(same));
}
