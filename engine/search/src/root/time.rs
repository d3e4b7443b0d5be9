//! How long to think.

use std::time::{Duration, Instant};

use parameters::Switch;
use parameters::group;

use crate::Game;
use crate::limits::{ClockSide, Control, Limits};
use crate::value::{Value, is_mate};

/// What one search may use of the clock.
///
/// Shares of the clock are measured from the start, also of a search on the opponent's time, which
/// therefore has an answer at the ponder hit if it thought long enough.
pub struct Timer {
    started: Instant,
    /// When the clock began to count: at the start, or at the ponder hit.
    counting: Option<Instant>,
    /// After this much, no further iteration begins; scaled by how settled the answer is.
    soft: Option<Duration>,
    /// After this much the search is broken off.
    hard: Option<Duration>,
    /// So much of the own time is given for this move.
    move_time: Option<Duration>,
    /// No further iteration would have begun if the clock had counted.
    enough: bool,
}

impl Timer {
    /// The timer of a search of the position of `game` within these limits.
    pub fn new<G: Game>(limits: &Limits<G::Move>, margins: &Time, game: &G) -> Timer {
        let started = limits.asked.unwrap_or_else(Instant::now);
        let (mut soft, mut hard, mut move_time) = (None, None, None);
        if let Some(clock) = limits.clock[game.mover()] {
            let moves = margins.moves(limits.moves_to_go, game.move_number());
            let (usual, most) = shares(margins, clock, moves, limits.move_overhead);
            soft = Some(usual);
            hard = Some(most);
        }
        if let Some(time) = limits.move_time {
            move_time = Some(time.saturating_sub(limits.move_overhead).max(MINIMUM));
        }
        if limits.infinite {
            (soft, hard, move_time) = (None, None, None);
        }
        let counting = (!limits.ponder).then_some(started);
        Timer { started, counting, soft, hard, move_time, enough: false }
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// True if the search must be broken off.
    pub fn is_over(&mut self, control: &Control) -> bool {
        if self.hard.is_none() && self.move_time.is_none() {
            return false;
        }
        let Some(counted) = self.counted(control) else { return false };
        self.enough
            || self.hard.is_some_and(|hard| self.elapsed() >= hard)
            || self.move_time.is_some_and(|most| counted >= most)
    }

    /// True if no further iteration should begin. `percent` scales the usual share of the clock.
    pub fn is_enough(&mut self, control: &Control, percent: i32) -> bool {
        let Some(soft) = self.soft else { return false };
        let soft = soft * percent.max(0) as u32 / 100;
        self.enough = self.elapsed() >= soft;
        self.enough && self.counted(control).is_some()
    }

    /// Time on the clock so far; none while pondering.
    fn counted(&mut self, control: &Control) -> Option<Duration> {
        if self.counting.is_none() && control.is_ponder_hit() {
            self.counting = Some(Instant::now());
        }
        self.counting.map(|since| since.elapsed())
    }
}

/// A move takes some time however short the clock.
const MINIMUM: Duration = Duration::from_millis(1);

/// Most moves to new time for which the clock must last: few games go on for longer.
const MOVES_MAX: u32 = 50;

/// Percent of the clock that the last moves before new time may use, each its part.
const LAST_SHARE: u32 = 80;

/// The usual and the greatest share of the clock for one move.
///
/// The clock is meant to last for so many moves, each of which costs the overhead and brings the
/// increment.
fn shares(
    margins: &Time,
    clock: ClockSide,
    moves: u32,
    overhead: Duration,
) -> (Duration, Duration) {
    let increments = clock.increment * (moves - 1) * margins.increment_share as u32 / 100;
    let income = clock.time + increments;
    let portion =
        income.saturating_sub(overhead * (moves + margins.overhead_reserve as u32)) / moves;
    let usual = portion * margins.soft_share as u32 / 100;
    let most = usual * margins.hard_share as u32 / 100;
    // Where the game says that new time is near, little need be left.
    let share = (margins.clock_share as u32).max(LAST_SHARE / moves);
    let ceiling = clock.time.saturating_sub(overhead) * share / 100;
    (usual.min(ceiling).max(MINIMUM), most.min(ceiling).max(MINIMUM))
}

group! {
    /// Time: the share of the clock for one move.
    Time, sound {
        /// Moves for which the clock must last at the start of a game, when it does not say (moves).
        horizon: i32 = 40 in 10..=80 step 4,
        /// By how much these get less with each move of the game (hundredths of a move).
        horizon_fall: i32 in 0..=100 step 10,
        /// What they do not get less than (moves).
        horizon_least: i32 = 10 in 5..=80 step 2,
        /// Part of the coming increments that is counted on; the rest stays as a reserve (percent).
        increment_share: i32 = 85 in 0..=100 step 5,
        /// Moves beyond the coming ones whose overhead is kept in reserve (moves).
        overhead_reserve: i32 = 2 in 0..=10 step 1,
        /// Usual share of the fair portion of the clock (percent).
        soft_share: i32 = 90 in 30..=200 step 10,
        /// Most that one move may take, in usual shares (percent).
        hard_share: i32 = 500 in 100..=1000 step 50,
        /// Most of the remaining clock that one move may take (percent).
        clock_share: i32 = 35 in 10..=90 step 5,
    }
}

group! {
    /// Stability: an answer that has stayed the same for several iterations saves time.
    TimeStability, sound {
        /// Saving by stability on or off.
        enabled: Switch = true,
        /// Saving per iteration in which the answer stayed the same (percent of the usual share).
        margin: i32 = 5 in 0..=15 step 1,
        /// Iterations that neither save nor cost time; an answer that stayed for fewer costs more.
        iterations_neutral: i32 = 2 in 0..=10 step 1,
        /// Iterations after which more of them save nothing more.
        iterations_max: i32 = 6 in 2..=20 step 1,
    }
}

group! {
    /// Node share: an answer that took most of the nodes saves time, one that took few costs more.
    TimeNodeShare, sound {
        /// Saving by node share on or off.
        enabled: Switch = true,
        /// Usual share used by an answer that took no node at all (percent).
        base: i32 = 190 in 100..=300 step 15,
        /// How much less for an answer that took all nodes (percent).
        margin: i32 = 130 in 0..=200 step 10,
        /// Least of the usual share that is used (percent).
        least: i32 = 10 in 1..=100 step 5,
    }
}

group! {
    /// Falling score: an answer that turns out worse than it seemed costs more time.
    TimeFallingScore, sound {
        /// More time for a falling score, on or off.
        enabled: Switch,
        /// How much more per ten centipawns that the score has fallen since the iteration before
        /// the last (percent).
        margin: i32 = 16 in 0..=60 step 4,
        /// Most that it makes of the usual share (percent).
        most: i32 = 200 in 100..=400 step 20,
    }
}

impl Time {
    /// Moves for which the clock must last at the game's move with this number: those that are left
    /// until new time, if the game says so. They are worth the same, since what they leave is lost.
    fn moves(&self, to_go: Option<u32>, move_number: u32) -> u32 {
        to_go.map_or_else(|| self.horizon_at(move_number), |moves| moves.clamp(1, MOVES_MAX))
    }

    /// Moves for which the clock must last when the game does not say, at its move with this number:
    /// the further it has gone, the more of what is left may be spent on a move.
    fn horizon_at(&self, move_number: u32) -> u32 {
        let played = move_number.saturating_sub(1).min(1_000) as i32;
        (self.horizon - self.horizon_fall * played / 100).max(self.horizon_least).max(1) as u32
    }
}

impl TimeStability {
    /// Percent of the usual time for an answer that stayed the same for so many iterations.
    pub(crate) fn percent(&self, stable_iterations: i32) -> i32 {
        if !self.enabled() {
            return 100;
        }
        let counted = stable_iterations.min(self.iterations_max);
        100 - self.margin * (counted - self.iterations_neutral)
    }
}

impl TimeNodeShare {
    /// Percent of the usual time for an answer that took this share of the nodes (percent).
    pub(crate) fn percent(&self, share: i32) -> i32 {
        if !self.enabled() {
            return 100;
        }
        (self.base - self.margin * share / 100).max(self.least)
    }
}

impl TimeFallingScore {
    /// Percent of the usual time for an answer whose score went from one to the other.
    pub(crate) fn percent(&self, before: Value, now: Value) -> i32 {
        if !self.enabled() || is_mate(before) || is_mate(now) {
            return 100;
        }
        let fallen = (before - now).max(0);
        (100 + self.margin * fallen / 10).min(self.most)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use parameters::Switch;

    use super::*;

    fn margins() -> Time {
        Time {
            horizon: 40,
            horizon_fall: 0,
            horizon_least: 10,
            increment_share: 85,
            overhead_reserve: 2,
            soft_share: 90,
            hard_share: 500,
            clock_share: 35,
        }
    }

    fn of(time: u64, increment: u64, moves_to_go: Option<u32>) -> (Duration, Duration) {
        let clock = ClockSide {
            time: Duration::from_millis(time),
            increment: Duration::from_millis(increment),
        };
        shares(&margins(), clock, margins().moves(moves_to_go, 1), Duration::from_millis(10))
    }

    /// Forty moves for a time, each of which takes so many percent of the usual time or the most that is
    /// allowed: what is left of each share of the moves, in percent of the time.
    fn left_of(seconds: u64, overhead: Duration, percent: u32) -> Vec<u32> {
        let whole = Duration::from_secs(seconds);
        let mut left = whole;
        let time = crate::made_up::margins().time;
        (1..=40)
            .rev()
            .map(|to_go| {
                let clock = ClockSide { time: left, increment: Duration::ZERO };
                let (usual, most) =
                    shares(&time, clock, time.moves(Some(to_go), 41 - to_go), overhead);
                let taken = (usual * percent / 100).min(most) + overhead;
                left = left.checked_sub(taken).expect("no time is overrun");
                (100 * left.as_micros() / whole.as_micros()) as u32
            })
            .collect()
    }

    /// The moves up to new time are worth the same, and what is not spent then is lost.
    #[test]
    fn the_time_of_forty_moves_is_spent_evenly_and_whole() {
        for seconds in [2, 4, 10, 60, 900] {
            for overhead in [0, 10].map(Duration::from_millis) {
                for percent in [60, 80, 100, 110] {
                    let left = left_of(seconds, overhead, percent);
                    let what = format!("40/{seconds}, {percent} % of the usual time: {left:?}");
                    assert!(left[39] <= 10, "a tenth is the most that is lost: {what}");
                    assert!((45..=70).contains(&left[19]), "half is for the second half: {what}");
                    assert!((20..=50).contains(&left[29]), "{what}");
                }
            }
            // Even where each move takes the most.
            left_of(seconds, Duration::from_millis(10), 10_000);
        }
    }

    #[test]
    fn the_clock_is_never_spent_at_once() {
        for time in [0, 1, 5, 20, 50, 100, 1_000, 60_000] {
            for increment in [0, 10, 1_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(1_000)] {
                    let (usual, most) = of(time, increment, moves_to_go);
                    assert!(usual <= most && usual >= MINIMUM);
                    let share = match moves_to_go {
                        Some(0 | 1) => 80,
                        Some(2) => 40,
                        _ => 35,
                    };
                    let ceiling = Duration::from_millis(time.saturating_sub(10) * share / 100 + 1);
                    assert!(most <= ceiling, "{time}+{increment} {moves_to_go:?}");
                }
            }
        }
    }

    #[test]
    fn the_horizon_comes_nearer_move_by_move_down_to_a_limit() {
        let falling = Time { horizon: 22, horizon_fall: 30, horizon_least: 12, ..margins() };
        let horizons = [0, 1, 11, 21, 31, 41, 1_000].map(|number| falling.horizon_at(number));
        assert_eq!(horizons, [22, 22, 19, 16, 13, 12, 12]);
        assert_eq!(margins().horizon_at(60), 40);
    }

    #[test]
    fn a_reserve_for_overhead_shortens_every_move() {
        let clock = ClockSide { time: Duration::from_secs(1), increment: Duration::ZERO };
        let usual = |overhead_reserve| {
            let margins = Time { overhead_reserve, ..margins() };
            shares(&margins, clock, 40, Duration::from_millis(10)).0
        };
        assert!(usual(10) < usual(2) && usual(2) < usual(0));
    }

    #[test]
    fn an_answer_that_stays_the_same_saves_time_up_to_a_limit() {
        let on = TimeStability {
            enabled: Switch::ON,
            margin: 5,
            iterations_neutral: 2,
            iterations_max: 6,
        };
        assert_eq!([0, 2, 3, 6, 60].map(|stable| on.percent(stable)), [110, 100, 95, 80, 80]);
        assert_eq!(TimeStability { enabled: Switch::OFF, ..on }.percent(6), 100);
    }

    #[test]
    fn an_answer_that_took_the_nodes_saves_time_down_to_a_limit() {
        let on = TimeNodeShare { enabled: Switch::ON, base: 190, margin: 200, least: 10 };
        assert_eq!([0, 45, 90, 100].map(|share| on.percent(share)), [190, 100, 10, 10]);
        assert_eq!(TimeNodeShare { enabled: Switch::OFF, ..on }.percent(0), 100);
    }

    #[test]
    fn an_answer_that_got_worse_costs_time_up_to_a_limit() {
        let on = TimeFallingScore { enabled: Switch::ON, margin: 20, most: 200 };
        let percents = [(30, 40), (30, 30), (30, 10), (30, -300), (30, -30_990)];
        assert_eq!(
            percents.map(|(before, now)| on.percent(before, now)),
            [100, 100, 140, 200, 100]
        );
    }

    #[test]
    fn what_was_thought_on_the_opponents_time_need_not_be_thought_again() {
        let seconds = Duration::from_secs;
        let pondering = |since: u64| Timer {
            started: Instant::now().checked_sub(seconds(since)).expect("long after the start"),
            counting: None,
            soft: Some(seconds(100)),
            hard: Some(seconds(500)),
            move_time: None,
            enough: false,
        };
        let hit = Control::new();
        hit.ponder_hit.store(true, Ordering::Relaxed);
        // After the usual time it thinks on, and has its answer at the hit; unless the last iteration
        // has made the answer doubtful.
        let mut timer = pondering(150);
        assert!(!timer.is_enough(&Control::new(), 100) && !timer.is_over(&Control::new()));
        assert!(timer.is_over(&hit));
        let mut timer = pondering(150);
        assert!(!timer.is_enough(&Control::new(), 100) && !timer.is_enough(&Control::new(), 200));
        assert!(!timer.is_over(&hit) && !timer.is_enough(&hit, 200) && timer.is_enough(&hit, 100));
        // In the midst of an iteration it has the rest of the greatest share.
        assert!(!pondering(150).is_over(&hit));
        assert!(pondering(550).is_over(&hit));
        assert!(!pondering(550).is_over(&Control::new()));
    }

    #[test]
    fn a_small_increment_leaves_a_reserve_on_the_clock() {
        let (usual, _) = of(400, 10, None);
        assert!(usual < Duration::from_millis(10));
        let (usual, _) = of(1_000, 10, None);
        assert!(usual > Duration::from_millis(15));
    }
}
