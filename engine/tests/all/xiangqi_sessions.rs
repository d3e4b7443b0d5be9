//! Sessions of xiangqi with the binary.

use super::driver::Session;

/// A session that plays xiangqi from its start.
fn xiangqi() -> Session {
    Session::start_with(&|command| {
        command.args(["--game", "xiangqi"]);
    })
}

/// The option of this name among those that the session lists.
fn option(session: &mut Session, name: &str) -> Option<String> {
    session.send("uci");
    let begin = format!("option name {name} type ");
    session.until("uciok").into_iter().find(|line| line.starts_with(&begin))
}

/// The lines of a search of so many nodes that speak of moves, without times.
fn searched(session: &mut Session, limits: &str) -> Vec<String> {
    session.send(&format!("go {limits}"));
    let lines = session.until("bestmove");
    let told =
        |line: &String| line.split_once(" pv ").map_or(line.clone(), |(_, moves)| moves.to_owned());
    lines.iter().map(told).collect()
}

/// The first moves, each as `go perft 1` counts it.
fn counted(session: &mut Session) -> Vec<String> {
    session.send("go perft 1");
    let mut lines = session.until("Nodes");
    lines.pop();
    lines
}

/// The moves of a text with their ranks counted one higher.
fn one_higher(text: &str) -> String {
    let word = |word: &str| {
        let digits = word.bytes().filter(u8::is_ascii_digit).count();
        if digits != 2 {
            return word.to_owned();
        }
        let sign = |sign: char| match sign.to_digit(10) {
            Some(rank) => (rank + 1).to_string(),
            None => sign.to_string(),
        };
        word.chars().map(sign).collect()
    };
    text.split(' ').map(word).collect::<Vec<String>>().join(" ")
}

#[test]
fn ranks_are_counted_from_0_or_from_1_as_the_user_interface_asks() {
    let mut session = xiangqi();
    let listed = option(&mut session, "XQ_Ranks");
    assert_eq!(listed.as_deref(), Some("option name XQ_Ranks type spin default 0 min 0 max 1"));
    session.send("position startpos moves h2e2 i9i8");
    let limits = "depth 5 searchmoves a0a1 i0i1 h0g2";
    let from_zero = searched(&mut session, limits);
    assert!(from_zero.len() > 4, "{from_zero:?}");
    let counted = counted(&mut session);

    session.send("setoption name XQ_Ranks value 1");
    session.send("setoption name Clear Hash");
    session.send("position startpos moves h3e3 i10i9");
    let from_one = searched(&mut session, &one_higher(limits));
    let expected: Vec<String> = from_zero.iter().map(|line| one_higher(line)).collect();
    assert_eq!(from_one, expected);
    let from_one = self::counted(&mut session);
    assert!(from_one.contains(&"a1a2: 1".to_owned()), "{from_one:?}");
    assert_eq!(from_one, counted.iter().map(|line| one_higher(line)).collect::<Vec<_>>());
}

#[test]
fn moves_of_the_other_count_of_ranks_are_refused() {
    let mut session = xiangqi();
    session.send("position startpos moves i10i9");
    assert_eq!(
        session.line(),
        "info string position refused: move 1: \"i10i9\" is not written as a move"
    );
    session.send("position startpos");
    session.send("go depth 1 searchmoves h2e2 i10i9");
    assert_eq!(session.line(), "info string searchmoves: illegal here: i10i9");
    session.until("bestmove h2e2");
    session.send("setoption name XQ_Ranks value 1");
    session.send("position startpos moves a0a1");
    assert_eq!(
        session.line(),
        "info string position refused: move 1: \"a0a1\" is not written as a move"
    );
    session.send("position startpos");
    session.send("d");
    let board = session.until_ready();
    assert!(board[1].starts_with("10 | r |") && board[19].starts_with(" 1 | R |"), "{board:?}");
    session.send("setoption name XQ_Ranks value 2");
    let line = session.line();
    assert_eq!(line, "info string option XQ_Ranks takes an integer from 0 to 1, not `2`");
}

#[test]
fn chess_has_one_count_of_ranks() {
    assert_eq!(option(&mut Session::start(), "XQ_Ranks"), None);
}

/// The name that a session tells, with the fingerprint of its numbers.
fn name(session: &mut Session) -> String {
    session.send("uci");
    session.until("uciok").swap_remove(0)
}

#[test]
fn the_user_interface_chooses_the_game() {
    let mut session = Session::start();
    let listed = option(&mut session, "UCI_Variant").expect("an option");
    assert!(listed.ends_with(" default chess var chess var xiangqi var russian"), "{listed}");
    let chess = name(&mut session);
    session.send("setoption name Hash value 2");
    session.send("setoption name MultiPV value 2");
    session.send("setoption name UCI_Variant value Xiangqi");
    let mut expected = xiangqi();
    assert_eq!(name(&mut session), name(&mut expected));
    assert_eq!(option(&mut session, "UCI_Chess960"), None);
    assert!(option(&mut session, "XQ_Ranks").is_some());
    // Hash and the number of lines stay, and the search is that of a session of xiangqi.
    expected.send("setoption name Hash value 2");
    expected.send("setoption name MultiPV value 2");
    let lines = searched(&mut session, "depth 4");
    assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{lines:?}");
    assert_eq!(lines, searched(&mut expected, "depth 4"));
    assert!(session.until_ready().is_empty());
    session.send("bench 1");
    expected.send("bench 1");
    let bench = |session: &Session| loop {
        let line = session.line();
        if let Some((nodes, _)) = line.split_once(" nodes ") {
            return nodes.to_owned();
        }
    };
    assert_eq!(bench(&session), bench(&expected));

    session.send("setoption name UCI_Variant value chess");
    assert_eq!(name(&mut session), chess);
    assert_eq!(session.fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    session.send("setoption name UCI_Variant value shogi");
    let line = session.line();
    let expected =
        "info string option UCI_Variant takes one of chess, xiangqi, russian, not `shogi`";
    assert_eq!(line, expected);
}

#[test]
fn numbers_are_those_that_the_chosen_game_begins_with() {
    let mut session = Session::start_with(&|command| {
        command.args(["--game", "xiangqi", "--parameters", "textbook"]);
    });
    let textbook = name(&mut session);
    assert_ne!(textbook, name(&mut xiangqi()));
    session.send("setoption name null_move.reduction_base value 500");
    assert_ne!(name(&mut session), textbook);
    session.send("setoption name UCI_Variant value xiangqi");
    assert_ne!(name(&mut session), textbook, "the same game is no other");
    session.send("setoption name UCI_Variant value chess");
    assert_eq!(name(&mut session), name(&mut Session::start()));
    session.send("setoption name UCI_Variant value xiangqi");
    assert_eq!(name(&mut session), textbook);
    session.send("setoption name ListTuningOptions value true");
    assert!(option(&mut session, "material.cannon.middlegame").is_some());
    session.send("setoption name UCI_Variant value chess");
    assert!(option(&mut session, "material.cannon.middlegame").is_none());
}

#[test]
fn each_game_has_its_own_ratings_and_looks_for_its_book() {
    let mut session = Session::start();
    session.send("setoption name UCI_LimitStrength value true");
    session.send("setoption name BookFile value no/such/book");
    assert!(session.line().contains("no/such/book"));
    session.send("setoption name OwnBook value true");
    session.send("setoption name UCI_Variant value xiangqi");
    assert!(session.line().contains("no/such/book"), "xiangqi has books of its own");
    assert!(session.until_ready().is_empty());
    for (rating, most) in [("1295", 48), ("1745", 128)] {
        session.send(&format!("setoption name UCI_Elo value {rating}"));
        session.send("go nodes 300");
        let nodes = session.best_move().1.iter().filter_map(|info| info.nodes).max();
        assert!(nodes.is_some_and(|nodes| nodes > most / 2 && nodes <= most), "{nodes:?}");
    }
    session.send("setoption name UCI_Variant value chess");
    assert!(session.line().contains("no/such/book"), "it is looked for again");
}

/// A session that has begun with `ucci`, in a program that was started for any game.
fn ucci() -> Session {
    let mut session = Session::start();
    session.send("ucci");
    session.until("ucciok");
    session
}

#[test]
fn ucci_begins_with_a_name_and_options_and_ends_with_bye() {
    let mut session = Session::start();
    session.send("ucci");
    let lines = session.until("ucciok");
    let expected = name(&mut xiangqi());
    assert_eq!(lines[0], expected);
    for line in [
        "option usemillisec type check default false",
        "option newgame type button",
        "option threads type spin min 1 max 512 default 1",
    ] {
        assert!(lines.iter().any(|known| known == line), "{line}: {lines:?}");
    }
    session.send("isready");
    assert_eq!(session.line(), "readyok");
    for line in ["stop", "go depth 0"] {
        session.send(line);
        assert_eq!(session.line(), "nobestmove", "{line}");
    }
    session.send("probe startpos");
    assert_eq!(session.line(), "pophash");
    // Words without a meaning are passed over.
    for line in ["setoption style risky", "setoption batch true", "hello", "setoption"] {
        session.send(line);
    }
    session.send("position startpos");
    session.send("go infinite");
    session.until("info depth 2 score ");
    session.send("quit");
    let (lines, status) = session.wait();
    assert!(status.success());
    let last = lines.iter().rev().take(2).map(String::as_str).collect::<Vec<_>>();
    assert_eq!(last[0], "bye");
    assert!(last[1].starts_with("bestmove "), "{lines:?}");
}

#[test]
fn ucci_tells_half_the_centipawns_and_the_same_moves() {
    let (mut uci, mut ucci) = (xiangqi(), ucci());
    let fen = "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R r - - 4 3";
    for session in [&mut uci, &mut ucci] {
        session.send(&format!("position fen {fen} moves i0h0"));
        session.send("go depth 6");
    }
    let (_, infos) = uci.best_move();
    let lines = ucci.until("bestmove");
    let told = infos.iter().filter(|info| info.bound != uci::ScoreBound::Upper);
    let expected: Vec<String> = told
        .map(|info| {
            let Some(uci::ScoreValue::Centipawns(score)) = info.score else { panic!("{info}") };
            let (depth, score) = (info.depth.expect("a depth"), score / 2);
            format!("info depth {depth} score {score} pv {}", info.line.join(" "))
        })
        .collect();
    let told: Vec<&String> = lines.iter().filter(|line| line.starts_with("info depth ")).collect();
    assert_eq!(told, expected.iter().collect::<Vec<_>>());
    assert!(lines.iter().any(|line| line.starts_with("info time ")), "{lines:?}");
}

#[test]
fn ucci_tells_mates_by_their_plies() {
    let mut session = ucci();
    session.send("position fen 4k4/R8/1R7/9/9/9/9/9/9/3K5 w - - 0 1");
    session.send("go depth 5");
    let lines = session.until("bestmove");
    assert!(lines.iter().any(|line| line.contains(" score 9999 pv ")), "{lines:?}");
    session.send("position fen 1R2k4/R8/9/9/9/9/9/9/9/3K5 b - - 0 1");
    session.send("go depth 5");
    assert_eq!(session.until("nobestmove"), ["info depth 0 score -10000", "nobestmove"]);
}

#[test]
fn banned_moves_are_not_played_until_the_next_position() {
    let mut session = ucci();
    let mut answer = |lines: &[&str]| {
        lines.iter().for_each(|line| session.send(line));
        session.send("go nodes 2000");
        loop {
            let line = session.line();
            if line.contains("bestmove") || line.contains("message") {
                return line.split(' ').take(2).collect::<Vec<_>>().join(" ");
            }
        }
    };
    let free = answer(&["position startpos"]);
    let banned = free.replace("bestmove", "banmoves");
    assert_ne!(answer(&["setoption newgame", "position startpos", &banned]), free);
    assert_eq!(answer(&["setoption newgame", "position startpos"]), free);
    // The king has two moves.
    let lonely = "position fen 5k3/9/9/9/9/9/9/9/9/3K5 w - - 0 1";
    assert_eq!(answer(&[lonely, "banmoves d0d1"]), "bestmove d0e0");
    assert_eq!(answer(&[lonely, "banmoves d0d1 d0e0"]), "nobestmove");
    assert_eq!(answer(&[lonely, "banmoves d0f0"]), "info message");
}

#[test]
fn ucci_accepts_a_draw_where_nothing_is_to_be_won() {
    let mut session = ucci();
    session.send("position fen 3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1");
    session.send("go draw depth 2");
    let line = session.until("bestmove").pop().expect("a line");
    assert!(line.ends_with(" draw"), "{line}");
    session.send("go depth 2");
    let line = session.until("bestmove").pop().expect("a line");
    assert!(!line.ends_with(" draw"), "{line}");
    session.send("position fen 3k5/9/9/9/9/9/9/9/R8/R4K3 w - - 0 1");
    session.send("go draw depth 2");
    let line = session.until("bestmove").pop().expect("a line");
    assert!(!line.ends_with(" draw"), "{line}");
}

#[test]
fn ucci_answers_no_search_of_a_position_that_was_refused() {
    let mut session = ucci();
    session.send("position fen nonsense");
    assert!(session.line().starts_with("info message position refused: "));
    session.send("go depth 3");
    let lines = session.until("nobestmove");
    assert!(lines[0].starts_with("info message there is no position"), "{lines:?}");
    session.send("position startpos");
    session.send("go ponder depth 3");
    session.until("info depth 3 ");
    session.send("ponderhit draw");
    session.until("bestmove");
}
