//! The moves of a position by what tables say of them: which keep its value, and which of those get
//! on.
//!
//! Moves are ranked by distance. Where distances are missing they are ranked by results, and the
//! search finds the way.

use super::{EndgameTables, Wdl};
use crate::rules::{Board, Move, Position};

/// Plies without capture or pawn's move after which a game is drawn.
const CLOCK_DRAWS_AT: i32 = Board::CLOCK_DRAWS_AT as i32;
/// The distance of a capture or pawn's move after which a side wins, but for the fifty-move rule.
const TOO_LATE: i32 = CLOCK_DRAWS_AT + 1;

/// A move's result as far as it is known, from the worst to the best for the side that moves.
/// Distances may be one too few, so at the very end of the fifty-move rule the result is uncertain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Prospect {
    Loss,
    /// It loses if the distance is right, and is a draw if it is one more.
    LossOrDraw,
    BlessedLoss,
    Draw,
    CursedWin,
    /// It wins if the distance is right, and is a draw if it is one more.
    WinOrDraw,
    Win,
}

impl Prospect {
    /// Its result; an uncertain one counts as a draw.
    fn result(self) -> Wdl {
        match self {
            Prospect::Loss => Wdl::Loss,
            Prospect::LossOrDraw | Prospect::BlessedLoss => Wdl::BlessedLoss,
            Prospect::Draw => Wdl::Draw,
            Prospect::CursedWin | Prospect::WinOrDraw => Wdl::CursedWin,
            Prospect::Win => Wdl::Win,
        }
    }
}

/// The moves that keep a position's value, and the others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranking {
    /// The value for the side to move. With distances the moves since the last capture or pawn's
    /// move count, with results alone only those that end the game by the fifty-move rule. A move that
    /// makes a position stand on the board for the third time, or lets the opponent do that, is a draw;
    /// without the fifty-move rule there is no cursed win and no blessed loss.
    pub value: Wdl,
    /// The moves that keep it, in positions won by results alone without those that repeat one if
    /// others win: in won positions those first that come soonest to the next capture or
    /// pawn's move, in lost ones those that come to it latest.
    pub moves: Vec<Move>,
    /// All other moves with what they are worth, the best ones first.
    pub others: Vec<(Move, Wdl)>,
    /// Whether tables of distances were asked: then playing any of these moves each time does win
    /// what is won.
    pub by_distance: bool,
}

impl Ranking {
    /// The result of a ranked move.
    pub fn value_of(&self, mv: Move) -> Wdl {
        let other = self.others.iter().find(|&&(other, _)| other == mv);
        other.map_or(self.value, |&(_, value)| value)
    }

    /// All moves, and how many of them are equally good, the best ones first.
    pub fn tiers(&self) -> (Vec<Move>, Vec<usize>) {
        let mut moves = self.moves.clone();
        let mut tiers = vec![moves.len()];
        for worse in self.others.chunk_by(|(_, one), (_, other)| one == other) {
            moves.extend(worse.iter().map(|&(mv, _)| mv));
            tiers.push(worse.len());
        }
        (moves, tiers)
    }

    /// These moves of all that are ranked, whose order among equals counts.
    fn new(kept: Vec<Move>, mut all: Vec<(Move, Wdl)>, value: Wdl, by_distance: bool) -> Ranking {
        all.retain(|(mv, _)| !kept.contains(mv));
        all.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
        Ranking { value, moves: kept, others: all, by_distance }
    }
}

impl EndgameTables {
    /// Ranks the moves of a position, only `wanted` ones unless these are none. `None` where tables
    /// do not know all of them. By distances where there are tables of them, by results otherwise.
    /// For tables that were opened for play.
    pub fn rank(
        &self,
        position: &Position,
        wanted: &[Move],
        fifty_move_rule: bool,
    ) -> Option<Ranking> {
        let board = position.board();
        let material = self.material(board)?;
        let mut moves = board.legal_moves().to_vec();
        moves.retain(|mv| wanted.is_empty() || wanted.contains(mv));
        if self.0.files.has_distances(material)
            && self.map_distances(material)
            && let Some(ranked) = self.rank_by_distance(position, &moves, fifty_move_rule)
        {
            return Some(ranked);
        }
        let mut past = Past::new(position);
        let result = |&mv: &Move| {
            let after = after(board, mv);
            let is_over = fifty_move_rule
                && after.halfmove_clock() as i32 >= CLOCK_DRAWS_AT
                && after.has_legal_move();
            let result = self.probe_verified(&after)?.reversed();
            let counted = if fifty_move_rule { result } else { result.without_fifty_move_rule() };
            let is_drawn = is_over || past.makes_draw(mv, counted > Wdl::Draw);
            Some((mv, if is_drawn { Wdl::Draw } else { counted }))
        };
        let results: Vec<(Move, Wdl)> = moves.iter().map(result).collect::<Option<_>>()?;
        let value = results.iter().map(|&(_, result)| result).max()?;
        let kept = results.iter().filter(|&&(_, result)| result == value);
        let mut moves: Vec<Move> = kept.map(|&(mv, _)| mv).collect();
        // Who goes in circles and does not know the way tries another one, if there is one.
        if value == Wdl::Win {
            let fresh = moves.iter().copied().filter(|&mv| past.occurrences_after(mv) == 0);
            let fresh: Vec<Move> = fresh.collect();
            if !fresh.is_empty() {
                moves = fresh;
            }
        }
        Some(Ranking::new(moves, results, value, false))
    }

    fn rank_by_distance(
        &self,
        position: &Position,
        moves: &[Move],
        fifty_move_rule: bool,
    ) -> Option<Ranking> {
        let board = position.board();
        let clock = board.halfmove_clock() as i32;
        let mut past = Past::new(position);
        let rate = |&mv: &Move| {
            let distance = self.distance_after(board, mv)?;
            let distance = if past.makes_draw(mv, distance > 0) { 0 } else { distance };
            Some((mv, distance, prospect(distance, clock, fifty_move_rule)))
        };
        let mut kept: Vec<(Move, i32, Prospect)> = moves.iter().map(rate).collect::<Option<_>>()?;
        let best = kept.iter().map(|&(.., prospect)| prospect).max()?;
        let all = kept.iter().map(|&(mv, _, prospect)| (mv, prospect.result())).collect();
        kept.retain(|&(.., prospect)| prospect == best);
        kept.sort_by_key(|&(_, distance, _)| distance);
        if best == Prospect::Win {
            // Any winning move will do while there is time, and the search knows better which is
            // natural; but who goes in circles, or has no ply to lose, takes the shortest way.
            let in_time = |distance: i32| !fifty_move_rule || distance + clock < CLOCK_DRAWS_AT;
            let soonest = kept[0].1;
            if position.has_repeated() || !in_time(soonest) {
                kept.retain(|&(_, distance, _)| distance == soonest);
            } else {
                kept.retain(|&(_, distance, _)| in_time(distance));
            }
        }
        let moves = kept.into_iter().map(|(mv, ..)| mv).collect();
        Some(Ranking::new(moves, all, best.result(), true))
    }

    /// Plies to the next capture or pawn's move when this move is played, which counts; signs as in
    /// [`EndgameTables::read_distance`].
    fn distance_after(&self, board: &Board, mv: Move) -> Option<i32> {
        let after = after(board, mv);
        if !after.has_legal_move() {
            return Some(if after.in_check() { 1 } else { 0 });
        }
        if after.halfmove_clock() == 0 {
            return Some(match self.probe_verified(&after)?.reversed() {
                Wdl::Win => 1,
                Wdl::CursedWin => TOO_LATE,
                Wdl::Draw => 0,
                Wdl::BlessedLoss => -TOO_LATE,
                Wdl::Loss => -1,
            });
        }
        let theirs = self.read_distance(&after)?;
        Some(-theirs - theirs.signum())
    }
}

/// The prospect of a side with this distance, when so many plies already count. From a count of
/// none distances are right where it matters.
fn prospect(distance: i32, clock: i32, fifty_move_rule: bool) -> Prospect {
    let end = if fifty_move_rule { distance.abs() + clock } else { 0 };
    let is_late = end > CLOCK_DRAWS_AT;
    let is_uncertain = end == CLOCK_DRAWS_AT && clock > 0 && distance.abs() > 1;
    match distance {
        0 => Prospect::Draw,
        1.. if is_late => Prospect::CursedWin,
        1.. if is_uncertain => Prospect::WinOrDraw,
        1.. => Prospect::Win,
        _ if is_late => Prospect::BlessedLoss,
        _ if is_uncertain => Prospect::LossOrDraw,
        _ => Prospect::Loss,
    }
}

/// The game before a position: tables know nothing of it, and repetitions draw games.
struct Past {
    position: Position,
    /// Without a repetition so far no move makes one for the third time.
    has_repeated: bool,
}

impl Past {
    fn new(position: &Position) -> Past {
        Past { position: position.clone(), has_repeated: position.has_repeated() }
    }

    /// How often what a move leads to has stood on the board.
    fn occurrences_after(&mut self, mv: Move) -> u32 {
        self.position.play(mv);
        let occurrences = self.position.repetitions();
        self.position.undo();
        occurrences
    }

    /// Whether a move makes a position stand on the board for the third time, or lets the opponent do
    /// that who would want it, as after a winning move.
    fn makes_draw(&mut self, mv: Move, is_winning: bool) -> bool {
        if !self.has_repeated {
            return false;
        }
        if self.occurrences_after(mv) >= 2 {
            return true;
        }
        if !is_winning {
            return false;
        }
        self.position.play(mv);
        let replies = self.position.board().legal_moves();
        let is_draw = replies.iter().any(|&reply| self.occurrences_after(reply) >= 2);
        self.position.undo();
        is_draw
    }
}

fn after(board: &Board, mv: Move) -> Board {
    let mut after = *board;
    after.play(mv);
    after
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_says_which_wins_come_in_time() {
        for (distance, clock, expected) in [
            (1, 99, Prospect::Win),
            (2, 99, Prospect::CursedWin),
            (49, 50, Prospect::Win),
            (50, 50, Prospect::WinOrDraw),
            (51, 50, Prospect::CursedWin),
            (100, 0, Prospect::Win),
            (TOO_LATE, 0, Prospect::CursedWin),
            (0, 90, Prospect::Draw),
            (-49, 50, Prospect::Loss),
            (-50, 50, Prospect::LossOrDraw),
            (-51, 50, Prospect::BlessedLoss),
        ] {
            assert_eq!(prospect(distance, clock, true), expected, "{distance} at {clock}");
            let without = prospect(distance, clock, false).result();
            assert_eq!(without, expected.result().without_fifty_move_rule());
        }
    }
}
