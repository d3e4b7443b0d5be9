//! Pairs that equal an earlier one move for move.
//!
//! Under limits of nodes or depth players repeat themselves: an opening that comes again gives the same
//! games again, and these say nothing new. By the clock equal games are rare, and each is chance.
//!
//! So without a clock a copy is written down and not counted.

use std::collections::HashSet;

use sha2::{Digest, Sha256};

use crate::game::{GameRecord, PairRecord};
use crate::player::Contestant;

/// The pairs that were counted, each by 128 bits.
#[derive(Debug)]
pub(super) struct Copies {
    counted: HashSet<u128>,
    in_a_row: u64,
    /// After so many copies in a row no further pair is new.
    most: u64,
}

impl Copies {
    /// Fewer copies in a row are chance where few openings are, and players vary.
    const LEAST: u64 = 16;

    /// None yet, in a run of these contestants whose openings give so many pairs before they come
    /// again; `None` where a clock makes games differ.
    pub fn of_run<'a>(
        contestants: impl IntoIterator<Item = &'a Contestant>,
        pairs_of_openings: u64,
    ) -> Option<Copies> {
        let is_timed = contestants.into_iter().any(|it| it.limits.is_timed());
        let most = pairs_of_openings.max(Self::LEAST);
        (!is_timed).then(|| Copies { counted: HashSet::new(), in_a_row: 0, most })
    }

    /// True if the same players have played the same games before. A forfeited game is none of these:
    /// it is counted as often as somebody fails.
    pub fn contains(&self, pair: &PairRecord) -> bool {
        let is_forfeited = pair.games.iter().any(|game| !game.faults.is_empty());
        !is_forfeited && self.counted.contains(&fingerprint(pair))
    }

    /// Notes a pair that was played, a copy or not.
    pub fn note(&mut self, pair: &PairRecord) {
        match self.contains(pair) {
            true => self.in_a_row += 1,
            false => {
                self.in_a_row = 0;
                self.counted.insert(fingerprint(pair));
            }
        }
    }

    /// True if the openings were gone through, and all that came were copies.
    pub fn are_all(&self) -> bool {
        self.in_a_row >= self.most
    }
}

/// 128 bits of who played what from where.
fn fingerprint(pair: &PairRecord) -> u128 {
    let mut hash = Sha256::new();
    pair.players.iter().for_each(|&player| hash.update((player as u64).to_le_bytes()));
    for GameRecord { start, plies, .. } in &pair.games {
        hash.update(start.key().to_le_bytes());
        hash.update((plies.len() as u64).to_le_bytes());
        plies.iter().for_each(|ply| hash.update(ply.mv.bits().to_le_bytes()));
    }
    let digest = hash.finalize();
    u128::from_le_bytes(digest[..16].try_into().expect("a half of 32 bytes"))
}

#[cfg(test)]
mod tests {
    use chess::GAME;
    use playable::Color;

    use super::*;
    use crate::game::{Fault, FaultKind, GameResult, MoveLimits, PlyRecord, Termination};

    fn contestants(limits: MoveLimits) -> [Contestant; 2] {
        let words = ["embedded".to_owned()];
        [(); 2].map(|()| Contestant::parse(&words, limits, None).expect("a player"))
    }

    /// Two games of two plies from the usual position, of which the first begins with this move.
    fn pair(players: [usize; 2], first: &str) -> PairRecord {
        let game = |moves: [&str; 2]| {
            let mut position = GAME.start();
            let mut ply = |text: &str| {
                let mv = position.parse_uci(text).expect("a move");
                position.play(mv);
                PlyRecord { mv, score: None, depth: 1, selective_depth: 0, nodes: 1, time: 0 }
            };
            GameRecord {
                start: GAME.start(),
                plies: moves.into_iter().map(&mut ply).collect(),
                result: GameResult::Draw,
                termination: Termination::MaxPlies,
                faults: Vec::new(),
                audit: None,
                warnings: Vec::new(),
            }
        };
        let games = [game([first, "e7e5"]), game(["e2e4", "e7e5"])];
        PairRecord { number: 0, opening: 0, players, games, replays: Vec::new() }
    }

    #[test]
    fn equal_games_of_the_same_players_are_copies() {
        let contestants = contestants(MoveLimits::nodes(9));
        let mut copies = Copies::of_run(&contestants, 2).expect("no clock");
        copies.note(&pair([0, 1], "d2d4"));
        assert!(copies.contains(&pair([0, 1], "d2d4")));
        assert!(!copies.contains(&pair([0, 1], "c2c4")), "another move");
        assert!(!copies.contains(&pair([1, 0], "d2d4")), "other players");
        let mut swapped = pair([0, 1], "d2d4");
        swapped.games.swap(0, 1);
        assert!(!copies.contains(&swapped), "the other's games");
        let mut elsewhere = pair([0, 1], "d2d4");
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1";
        elsewhere.games.iter_mut().for_each(|it| it.start = GAME.position(fen).expect("legal"));
        assert!(!copies.contains(&elsewhere), "from elsewhere");
        let mut forfeited = pair([0, 1], "d2d4");
        forfeited.games[1].faults.push((Color::White, Fault::new(FaultKind::Crash, "")));
        assert!(!copies.contains(&forfeited), "a forfeit is counted each time");
    }

    #[test]
    fn nothing_is_new_after_enough_copies_in_a_row() {
        let contestants = contestants(MoveLimits::nodes(9));
        let mut copies = Copies::of_run(&contestants, 20).expect("no clock");
        let mut note = |first: &str| {
            copies.note(&pair([0, 1], first));
            copies.are_all()
        };
        assert!((0..20).all(|_| !note("d2d4")));
        assert!(!note("c2c4"), "a new pair begins the row anew");
        assert!((1..20).all(|_| !note("d2d4")) && note("c2c4"));
    }

    #[test]
    fn clocks_make_no_copies() {
        let limits = MoveLimits { move_time: Some(9), ..MoveLimits::default() };
        assert!(Copies::of_run(&contestants(limits), 1).is_none());
    }
}
