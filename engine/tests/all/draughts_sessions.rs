//! Sessions of draughts with the binary.

use super::driver::Session;

/// A session that chose the game by the name that the protocol has for it.
fn draughts() -> Session {
    let mut session = Session::start();
    session.send("setoption name UCI_Variant value russian");
    session
}

/// The position that the session shows.
fn shown(session: &mut Session) -> String {
    session.send("d");
    let line = session.until("Fen: ").pop().expect("a position");
    session.until("Key:");
    line["Fen: ".len()..].to_owned()
}

#[test]
fn positions_are_those_of_other_programs_and_moves_all_their_squares() {
    let mut session = draughts();
    let start = "1m1m1m1m/m1m1m1m1/1m1m1m1m/8/8/M1M1M1M1/1M1M1M1M/M1M1M1M1 w 0 0 1";
    assert_eq!(shown(&mut session), start);
    session.send("position startpos moves c3d4 h6g5 b2c3");
    let moved = "1m1m1m1m/m1m1m1m1/1m1m1m2/6m1/3M4/M1M1M1M1/3M1M1M/M1M1M1M1 b 0 3 2";
    assert_eq!(shown(&mut session), moved);
    session.send("position fen W:WKh6:BKa1,Kc3,Ke5,Ke7,Kg5");
    session.send("go perft 1");
    let counted = session.until("Nodes");
    for mv in ["h6d2b4f8: 1", "h6f4d6f8: 1"] {
        assert!(counted.iter().any(|line| line == mv), "{counted:?}");
    }
    for mv in ["h6d2b4f8", "h6f4d6f8"] {
        session.send(&format!("go searchmoves {mv} depth 2"));
        let lines = session.until("bestmove");
        assert!(lines.iter().any(|line| line.contains(&format!(" pv {mv} "))), "{lines:?}");
        assert!(lines.iter().any(|line| line.starts_with(&format!("bestmove {mv}"))), "{lines:?}");
    }
}

/// Of two ways round the same four men either is read, and the first of the alphabet is written.
#[test]
fn any_way_of_a_move_is_read() {
    let mut session = draughts();
    for way in ["d2b4d6f4d2", "d2f4d6b4d2"] {
        session.send("position fen W:WKd2:Bc3,c5,e3,e5,a7");
        session.send(&format!("go depth 1 searchmoves {way}"));
        let answer = session.until("bestmove").pop().expect("an answer");
        assert!(answer.starts_with("bestmove d2b4d6f4d2"), "{answer}");
    }
}
