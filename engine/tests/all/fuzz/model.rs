//! The model of a session: questions, and the answers that they may have.

use std::time::Duration;

use chess::{Move, Position};
use uci::{Go, Start};

/// A `go` that waits for its answer, and the position it was meant for, unless that was refused.
pub(super) struct Question {
    pub position: Option<Position>,
    pub go: Go,
}

/// The position that a command sets up, if it is legal throughout.
pub(super) fn set_up(start: &Start, moves: &[String]) -> Option<Position> {
    let mut position = match start {
        Start::Standard => Position::start(),
        Start::Fen(fen) => Position::from_loose_fen(Position::split_operations(fen).0).ok()?.0,
        Start::Unreadable(_) => return None,
    };
    for text in moves {
        let mv = position.parse_uci(text).ok()?;
        position.play(mv);
    }
    Some(position)
}

/// Whether a search ends soon of itself. A limit of depth is none: with some numbers at the ends of their
/// ranges a ply takes too long.
pub(super) fn is_quick(go: &Go, position: &Position) -> bool {
    let soon = Some(Duration::from_millis(50));
    let own_time = go.time[position.side_to_move().index()];
    let limited = go.nodes.is_some_and(|nodes| nodes <= 3_000)
        || (go.move_time.is_some() && go.move_time <= soon)
        || (own_time.is_some() && own_time <= soon);
    match go.perft {
        Some(depth) => depth <= 2,
        None => limited && !go.infinite && !go.ponder,
    }
}

/// Whether a best move answers the question. Errors: why not.
pub(super) fn judge(question: &Question, best: Option<&str>) -> Result<(), String> {
    if question.go.perft.is_some() {
        return Err("not the answer to a count".to_string());
    }
    let Some(position) = &question.position else {
        return best.map_or(Ok(()), |_| Err("a move where the position was refused".to_string()));
    };
    let Some(best) = best else {
        let none = position.legal_moves().is_empty();
        return if none { Ok(()) } else { Err(format!("no move in {}", position.to_fen(true))) };
    };
    let mv = position.parse_uci(best).map_err(|error| error.to_string())?;
    let wanted: Vec<Move> =
        question.go.search_moves.iter().filter_map(|text| position.parse_uci(text).ok()).collect();
    if !wanted.is_empty() && !wanted.contains(&mv) {
        return Err("not among searchmoves".to_string());
    }
    Ok(())
}
