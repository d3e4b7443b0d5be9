//! Translates what the protocol says into what the search takes, and what the search answers into
//! what the protocol says.

use std::time::Duration;

use playable::{
    Bound, ClockSide, Limits, Move, Outcome, Position, Progress, mate_in, nodes_per_second,
};
use uci::{Go, InfoLine, Reply, ScoreBound, ScoreValue, win_draw_loss};

/// Chances of win, draw and loss (permille) where the game is drawn for certain.
const DRAWN: [u32; 3] = [0, 1000, 0];

/// A position that is searched, and how moves from it are written.
#[derive(Clone)]
pub struct Root {
    pub position: Position,
    /// A dialect of the game, below [`playable::Playable::dialects`].
    pub dialect: usize,
}

impl Root {
    /// A legal move in coordinates.
    pub fn text(&self, mv: Move) -> String {
        let mut text = String::with_capacity(6);
        self.position.push_dialect(mv, self.dialect, &mut text);
        text
    }
}

/// The `info` line for what a running search found, with the chances of win, draw and loss if
/// `show_chances`.
pub fn info_line(info: &Progress, root: &Root, show_chances: bool) -> InfoLine {
    let (score, chances) = score(info.score);
    // Nobody can win any more, whatever is played.
    let chances = if root.position.is_dead() { DRAWN } else { chances };
    InfoLine {
        depth: Some(info.depth),
        selective_depth: Some(info.selective_depth),
        multi_pv: Some(info.multi_pv as u32),
        score: Some(score),
        bound: match info.bound {
            Bound::Exact => ScoreBound::Exact,
            Bound::Lower => ScoreBound::Lower,
            Bound::Upper => ScoreBound::Upper,
        },
        win_draw_loss: show_chances.then_some(chances),
        nodes: Some(info.nodes),
        nodes_per_second: Some(nodes_per_second(info.nodes, info.time)),
        hash_full: Some(info.hash_full),
        table_hits: Some(info.look_ups),
        time: Some(info.time),
        line: line(&info.pv, root),
        ..InfoLine::default()
    }
}

/// The only `info` line of a search that had nothing to search: mate or stalemate.
pub fn game_over(outcome: &Outcome, show_chances: bool) -> InfoLine {
    let (score, lost) = score(outcome.score);
    let chances = if score == ScoreValue::Centipawns(0) { DRAWN } else { lost };
    let win_draw_loss = show_chances.then_some(chances);
    InfoLine { depth: Some(0), score: Some(score), win_draw_loss, ..InfoLine::default() }
}

/// The `bestmove` line for what a search answered.
pub fn best_move(outcome: &Outcome, root: &Root) -> Reply {
    let moves = [outcome.best, outcome.ponder];
    let count = moves.iter().take_while(|mv| !mv.is_none()).count();
    let mut texts = line(&moves[..count], root).into_iter();
    Reply::BestMove { best: texts.next(), ponder: texts.next() }
}

/// The limits of a `go` command, as the search takes them. Illegal moves are left out and returned.
pub fn limits(
    go: &Go,
    root: &Root,
    multi_pv: usize,
    move_overhead: Duration,
) -> (Limits, Vec<String>) {
    let position = &root.position;
    let mut illegal = Vec::new();
    let mut search_moves = Vec::new();
    for text in &go.search_moves {
        match position.parse_dialect(text, root.dialect) {
            Ok(mv) => search_moves.push(mv),
            Err(_) => illegal.push(text.clone()),
        }
    }
    // Who hears of the opponent's clock alone has none left, unless something else is the limit.
    let mover = position.side_to_move().index();
    let run_out = tells_a_clock(go) && !is_counted(go) && !go.infinite && go.mate.is_none();
    let side = |color: usize| {
        let increment = go.increment[color].unwrap_or_default();
        let least = (run_out && color == mover).then_some(Duration::ZERO);
        go.time[color].or(least).map(|time| ClockSide { time, increment })
    };
    let limits = Limits {
        depth: go.depth.or_else(|| mate_depth(go, position)).map(|depth| depth.max(1)),
        nodes: go.nodes.map(|nodes| nodes.max(1)),
        move_time: go.move_time,
        clock: [side(0), side(1)],
        moves_to_go: go.moves_to_go.filter(|&moves| moves > 0),
        mate: go.mate.map(|moves| moves.max(1)),
        infinite: is_endless(go, position),
        ponder: go.ponder,
        search_moves,
        others_are_worse: false,
        tiers: Vec::new(),
        multi_pv,
        move_overhead,
        asked: None,
    };
    (limits, illegal)
}

/// Whether nothing but `stop` ends the search: so asked, or no limit holds for the side to move.
fn is_endless(go: &Go, position: &Position) -> bool {
    let is_limited = go.mate.is_some() || is_limited(go, position) || tells_a_clock(go);
    go.infinite || !is_limited
}

/// Whether depth, nodes or time end the search.
fn is_limited(go: &Go, position: &Position) -> bool {
    is_counted(go) || go.time[position.side_to_move().index()].is_some()
}

/// Whether depth, nodes or a time for this move end the search.
fn is_counted(go: &Go) -> bool {
    go.depth.is_some() || go.nodes.is_some() || go.move_time.is_some()
}

/// Whether anybody's clock is told.
fn tells_a_clock(go: &Go) -> bool {
    go.time.iter().chain(&go.increment).any(Option::is_some)
}

/// Where to give up a mate that nothing else limits, in plies: a mate in n moves is 2n − 1 plies
/// long, and reductions hide it for as many more; a search that went on would never end where there
/// is none. Where all lines have been looked at before, it is only to name a move.
fn mate_depth(go: &Go, position: &Position) -> Option<u32> {
    let moves = go.mate.filter(|_| !go.infinite && !is_limited(go, position))?;
    let exhaustive = position.game().features().exhaustive_mate_max;
    let hidden = if moves <= exhaustive { 2 } else { 4 };
    Some(moves.saturating_mul(hidden).saturating_add(8))
}

fn score(value: i32) -> (ScoreValue, [u32; 3]) {
    match mate_in(value) {
        Some(moves) if value > 0 => (ScoreValue::Mate(moves), [1000, 0, 0]),
        Some(moves) => (ScoreValue::Mate(moves), [0, 0, 1000]),
        None => (ScoreValue::Centipawns(value), win_draw_loss(value)),
    }
}

/// Moves as text. Only the position can tell a castling move's text, so the line is played.
fn line(moves: &[Move], root: &Root) -> Vec<String> {
    let mut root = root.clone();
    root.position.forget_past();
    let mut texts = Vec::with_capacity(moves.len());
    for &mv in moves {
        if !root.position.is_legal(mv) {
            break;
        }
        texts.push(root.text(mv));
        root.position.play(mv);
    }
    texts
}
