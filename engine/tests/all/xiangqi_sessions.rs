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
    session.send("setoption name XQ_Ranks value 2");
    let line = session.line();
    assert_eq!(line, "info string option XQ_Ranks takes an integer from 0 to 1, not `2`");
}

#[test]
fn chess_has_one_count_of_ranks() {
    assert_eq!(option(&mut Session::start(), "XQ_Ranks"), None);
}
