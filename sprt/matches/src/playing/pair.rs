//! One opening played twice with colors reversed: the unit of the statistics.
//!
//! A move that is late by no more than its stall loses nothing: the whole pair is replayed,
//! whatever the other game's result. Earlier stalls of the game count where each was longer than
//! the margin. Long games stall more often, so that they are somewhat rarer among those counted.
//! After twenty replays the run fails. If nine tenths of them were for one player, that player
//! loses on time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use playable::{Color, Position};

use serde::{Deserialize, Serialize};
use work::Failure;

use super::{Entrant, GameNumber, MemorySpan, Played, Referee, Stall, play_game_until};
use crate::game::PairRecord;

/// A pair of the schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ScheduledPair {
    /// Number of the pair, from 0.
    pub number: u64,
    /// Index of its opening.
    pub opening: usize,
    /// Who plays: indices of the contestants.
    pub players: [usize; 2],
}

/// Times a pair is replayed because the machine kept players waiting, before the run fails.
pub const MOST_REPLAYS: usize = 20;

/// Replays of a pair, and who was late each time.
#[derive(Default, Debug)]
struct Replays {
    reasons: Vec<String>,
    /// Of the first and the second player; of neither where this process stood still.
    late: [usize; 2],
}

impl Replays {
    /// Of so many replays one may have another reason.
    const OTHERS: usize = 10;

    fn add(&mut self, player: Option<usize>, reason: String) {
        player.into_iter().for_each(|player| self.late[player] += 1);
        self.reasons.push(reason);
    }

    fn count(&self) -> usize {
        self.reasons.len()
    }

    /// The player that is late again and again, if it is nearly always the same one: then it is its
    /// own use of its time and not the machine, which would keep both waiting.
    fn culprit(&self) -> Option<usize> {
        let is_culprit =
            |&player: &usize| (self.count() - self.late[player]) * Self::OTHERS <= self.count();
        (0..2).find(is_culprit).filter(|_| self.count() >= MOST_REPLAYS)
    }
}

/// Waits before a replay, longer each time, so that a machine that is busy for a minute or two does
/// not end the run. Returns early when `cancel` is set.
fn wait_for_quiet(replays: usize, cancel: &AtomicBool) {
    const FIRST: Duration = Duration::from_millis(100);
    const LONGEST: Duration = Duration::from_secs(10);
    const POLL: Duration = Duration::from_millis(50);
    let end = Instant::now() + (FIRST * (1 << replays.min(16))).min(LONGEST);
    while Instant::now() < end && !cancel.load(Ordering::Relaxed) {
        std::thread::sleep(POLL);
    }
}

/// Plays an opening with both colors, or ends soon after `cancel` is set. A pair in which a time
/// loss was the machine's fault is replayed as a whole, whoever would have lost, and so is one during
/// which this process stood still. After
/// [`MOST_REPLAYS`] that is over: if it was nearly always the same player, it has lost on time; else
/// the machine is too busy.
///
/// # Errors
/// It was cancelled, the machine is too busy, or an endgame table that the referee asks is damaged.
pub fn play_pair(
    slot: ScheduledPair,
    start: &Position,
    opponents: [Entrant<'_>; 2],
    referee: &Referee,
    seed: u64,
    cancel: &AtomicBool,
) -> Result<Box<PairRecord>, Failure> {
    let wait = |replays| wait_for_quiet(replays, cancel);
    play_and_wait(slot, start, opponents, referee, seed, cancel, &wait)
}

fn play_and_wait(
    slot: ScheduledPair,
    start: &Position,
    mut opponents: [Entrant<'_>; 2],
    referee: &Referee,
    seed: u64,
    cancel: &AtomicBool,
    wait: &dyn Fn(usize),
) -> Result<Box<PairRecord>, Failure> {
    let mut replays = Replays::default();
    while replays.count() <= MOST_REPLAYS {
        if let Some(before) = replays.count().checked_sub(1) {
            wait(before);
        }
        let culprit = replays.culprit();
        let mut games = Vec::with_capacity(2);
        for game in 0..2 {
            let number = GameNumber {
                seed,
                number: 2 * slot.number + game,
                fresh: game == 0 || referee.settings.memory != MemorySpan::Pair,
            };
            let white = PairRecord::FIRST[game as usize];
            let [first, second] = &mut opponents;
            let seats = match white {
                Color::White => [first.reborrow(), second.reborrow()],
                Color::Black => [second.reborrow(), first.reborrow()],
            };
            match play_game_until(start, seats, referee, number, cancel) {
                Played::Finished(record) => games.push(*record),
                Played::Cancelled => return Err(Failure::Cancelled),
                Played::Damaged(table) => return Err(Failure::Reason(table.to_string())),
                Played::Stalled(Stall { color, reason, game: record }) => {
                    let player = usize::from(color != white);
                    if culprit == Some(player) {
                        games.push(*record);
                        continue;
                    }
                    replays.add(Some(player), format!("game {}: {reason}", game + 1));
                    break;
                }
                Played::StoodStill(still) => {
                    let reason = format!("the runner itself stood still for {still:.1?}");
                    replays.add(None, format!("game {}: {reason}", game + 1));
                    break;
                }
            }
        }
        if let Ok(games) = games.try_into() {
            let ScheduledPair { number, opening, players } = slot;
            let replays = replays.reasons;
            let record = PairRecord { number, opening, players, games, replays };
            return Ok(Box::new(record));
        }
    }
    let (count, last) = (replays.count(), replays.reasons.pop().unwrap_or_default());
    Err(Failure::Reason(format!(
        "it was replayed {count} times because the machine kept players waiting; last: {last}"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::MoveLimits;
    use crate::game::{Fault, FaultKind, Termination};
    use crate::player::{Choice, GameStart, Player, Turn};
    use crate::playing::{AUDIT_ALL, Adjudication, GameSettings};

    /// Plays the first legal move, and is late by some milliseconds from its third move on; the
    /// machine kept it waiting for as many as are given.
    struct Clocked {
        late: u64,
        stall: u64,
        moves: usize,
    }

    impl Clocked {
        fn new(late: u64, stall: u64) -> Clocked {
            Clocked { late, stall, moves: 0 }
        }
    }

    impl Player for Clocked {
        fn new_game(&mut self, _: &GameStart<'_>) -> Result<(), Fault> {
            self.moves = 0;
            Ok(())
        }

        fn forget(&mut self) -> Result<(), Fault> {
            Ok(())
        }

        fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Fault> {
            self.moves += 1;
            let mut choice = Choice::of_move(turn.position.legal_moves()[0]);
            choice.elapsed = Duration::from_millis(1);
            let side = turn.clocks[turn.position.side_to_move().index()];
            if let Some(side) = side.filter(|_| self.late > 0 && self.moves > 2) {
                let margin = Duration::from_millis(turn.limits.margin);
                choice.elapsed = side.time + margin + Duration::from_millis(self.late);
                choice.stall = Duration::from_millis(self.stall);
            }
            Ok(choice)
        }
    }

    fn play(first: &mut Clocked, second: &mut Clocked) -> Result<Box<PairRecord>, Failure> {
        play_as(first, second, GameSettings { max_plies: 20, ..GameSettings::default() })
    }

    fn play_as(
        first: &mut Clocked,
        second: &mut Clocked,
        settings: GameSettings,
    ) -> Result<Box<PairRecord>, Failure> {
        let clock = Some("1".parse().expect("a time control"));
        let limits = MoveLimits { clock, ..MoveLimits::default() };
        let opponents = [
            Entrant { player: first, limits: &limits },
            Entrant { player: second, limits: &limits },
        ];
        let settings = GameSettings { adjudication: Adjudication::NEVER, ..settings };
        let slot = ScheduledPair { number: 0, opening: 0, players: [0, 1] };
        let never = AtomicBool::new(false);
        let start = chess::GAME.start();
        play_and_wait(slot, &start, opponents, &settings.into(), 1, &never, &|_| {})
    }

    #[test]
    fn an_engine_with_an_excuse_every_time_loses_on_time() {
        for late_one in 0..2 {
            // It uses more than its time in every game, and waits as long for the machine.
            let mut players = [Clocked::new(0, 0), Clocked::new(0, 0)];
            players[late_one] = Clocked::new(5, 6);
            let [first, second] = &mut players;
            let played = play(first, second);
            let pair = played.expect("both games are over");
            assert_eq!(pair.replays.len(), MOST_REPLAYS);
            for (game, first) in pair.games.iter().zip(PairRecord::FIRST) {
                let guilty = if late_one == 0 { first } else { !first };
                assert_eq!(game.termination, Termination::TimeLoss);
                let [(color, fault)] = &game.faults[..] else { panic!("{:?}", game.faults) };
                assert_eq!((*color, fault.kind), (guilty, FaultKind::TimeLoss));
            }
        }
    }

    #[test]
    fn a_machine_that_keeps_both_waiting_ends_the_run() {
        let played = play(&mut Clocked::new(5, 6), &mut Clocked::new(5, 6));
        // Who moves first is late first; when that is no excuse any more, the other is in its game.
        let Err(Failure::Reason(reason)) = played else { panic!("{played:?}") };
        assert!(reason.starts_with("it was replayed 21 times because the machine"), "{reason}");
        assert!(reason.contains("; last: game 2: "), "{reason}");
        let mut replays = Replays::default();
        for number in 0..MOST_REPLAYS {
            assert_eq!(replays.culprit(), None);
            replays.add(Some(number % 2), String::new());
        }
        assert_eq!(replays.culprit(), None);
        // Nobody is guilty of what this process stood still.
        let mut replays = Replays::default();
        (0..=MOST_REPLAYS).for_each(|_| replays.add(None, String::new()));
        assert_eq!(replays.culprit(), None);
    }

    #[test]
    fn what_is_late_in_the_audit_of_a_game_leaves_its_result() {
        // The game is over after two plies; the late moves are those that are played on.
        for late in [Clocked::new(5, 6), Clocked::new(5, 4)] {
            let settings = GameSettings { max_plies: 2, audit: AUDIT_ALL, ..Default::default() };
            let played = play_as(&mut { late }, &mut Clocked::new(0, 0), settings);
            let pair = played.expect("both games are over");
            assert!(pair.replays.is_empty());
            for game in &pair.games {
                assert_eq!((game.plies.len(), game.termination), (2, Termination::MaxPlies));
                assert!(game.faults.is_empty());
                let audit = game.audit.expect("all games are audited");
                assert_eq!(audit.termination, Termination::TimeLoss);
            }
        }
    }

    #[test]
    fn who_is_late_without_an_excuse_loses_at_once() {
        let played = play(&mut Clocked::new(5, 4), &mut Clocked::new(0, 0));
        let pair = played.expect("both games are over");
        assert!(pair.replays.is_empty());
        assert!(pair.games.iter().all(|game| game.termination == Termination::TimeLoss));
    }
}
