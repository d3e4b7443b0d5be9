//! How games end, draws above all.
//!
//! SOURCE: pydraughts 0.6.7, `Game.is_draw`, which judges so of the variant `russian`.

use playable::{Color, Ending, GameResult};

use super::squares::ROAD;
use super::{Board, Position};

/// The side to move has no legal move, or no men: it loses.
const NO_MOVE: Ending = Ending::new("no_move");
/// Kings alone have moved for 15 moves of both sides, without a capture.
const FIFTEEN_MOVES: Ending = Ending::new("fifteen_moves");
/// Nobody has captured for 30 moves where both have as many kings, and 4 or 5 men and kings.
const THIRTY_MOVES: Ending = Ending::new("thirty_moves");
/// Nobody has captured for 60 moves where both have as many kings, and 6 or 7 men and kings.
const SIXTY_MOVES: Ending = Ending::new("sixty_moves");
/// Nobody has captured for 5 moves where a king alone has the main road against three, a king among
/// them.
const MAIN_ROAD: Ending = Ending::new("main_road");
/// Nobody has captured for 5 moves where a king stands alone against two, a king among them.
const FIVE_MOVES: Ending = Ending::new("five_moves");

/// How games end, in the order in which the rules are asked.
pub const ENDINGS: [Ending; 7] =
    [NO_MOVE, FIFTEEN_MOVES, THIRTY_MOVES, SIXTY_MOVES, MAIN_ROAD, FIVE_MOVES, Ending::REPETITION];

/// Plies with kings alone that end a game.
const KING_PLIES: u32 = 30;

impl Board {
    /// The plies without capture that end a game with these men, and the rule.
    fn capture_limit(&self) -> Option<(u32, Ending)> {
        let count = |set: u32| set.count_ones();
        let [white, black] = Color::ALL.map(|color| count(self.of(color)));
        let [white_kings, black_kings] = Color::ALL.map(|color| count(self.kings_of(color)));
        if white == black && white_kings == black_kings && white_kings > 0 {
            return match white {
                4 | 5 => Some((60, THIRTY_MOVES)),
                6 | 7 => Some((120, SIXTY_MOVES)),
                _ => None,
            };
        }
        let alone = Color::ALL.into_iter().find(|&color| {
            count(self.of(color)) == 1 && self.kings_of(color) != 0 && self.kings_of(!color) != 0
        })?;
        match count(self.of(!alone)) {
            2 => Some((10, FIVE_MOVES)),
            3 if self.of(alone) & ROAD != 0 && self.of(!alone) & ROAD == 0 => Some((10, MAIN_ROAD)),
            _ => None,
        }
    }

    /// The rule by which the counters have ended the game in a draw.
    pub(crate) fn drawn_by(&self) -> Option<Ending> {
        if self.clock >= KING_PLIES {
            return Some(FIFTEEN_MOVES);
        }
        let (limit, rule) = self.capture_limit()?;
        (self.since_capture >= limit).then_some(rule)
    }

    /// Plies until the counters end the game, were nothing but they to change.
    pub(crate) fn plies_to_draw(&self) -> u32 {
        let of_kings = KING_PLIES.saturating_sub(self.clock);
        let left = |(limit, _): (u32, Ending)| limit.saturating_sub(self.since_capture);
        self.capture_limit().map_or(of_kings, |limit| left(limit).min(of_kings))
    }
}

impl Position {
    /// How the game has ended, and by which of [`ENDINGS`]; `None` while it goes on.
    pub fn outcome(&self) -> Option<(GameResult, Ending)> {
        if !self.board().has_legal_move() {
            return Some((GameResult::win_of(!self.board().side_to_move()), NO_MOVE));
        }
        if let Some(rule) = self.board().drawn_by() {
            return Some((GameResult::Draw, rule));
        }
        let is_third = self.repetitions().nth(1).is_some();
        is_third.then_some((GameResult::Draw, Ending::REPETITION))
    }
}
