//! The clock of one side.

use std::time::Duration;

use playable::ClockSide;

use super::MoveLimits;

/// One side's clock during a game.
pub struct Clock<'a> {
    limits: &'a MoveLimits,
    left: Duration,
    moves_to_go: Option<u32>,
    /// How long the machine kept the player waiting in the moves before, beyond the margin of each.
    stalled: Duration,
}

/// A move that came too late.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Late {
    /// Time beyond what was left and the margin.
    pub by: Duration,
    /// How long the machine had kept the player waiting in this move; and, if a clock ran out, in the
    /// moves before it as far as that was more than the margin, because so much time lost in one move
    /// is missing in the next ones. Less than the margin is what every player must reckon with: it
    /// was told the time it had left.
    pub stalled: Duration,
}

impl Late {
    /// True if the player would have been in time had the machine not kept it waiting.
    pub fn is_excused(&self) -> bool {
        self.stalled >= self.by
    }
}

impl Clock<'_> {
    /// Shorter stalls are what waking up always costs, not the machine's fault.
    pub const LEAST_STALL: Duration = Duration::from_millis(1);

    /// A clock at the start of a game; the increment is given for the first move too.
    pub fn new(limits: &MoveLimits) -> Clock<'_> {
        let control = limits.clock;
        Clock {
            limits,
            left: control.map_or(Duration::ZERO, |control| {
                Duration::from_millis(control.time + control.increment)
            }),
            moves_to_go: control.and_then(|control| control.moves),
            stalled: Duration::ZERO,
        }
    }

    /// The time left and the increment, as players are told them; `None` without a clock.
    pub fn side(&self) -> Option<ClockSide> {
        let control = self.limits.clock?;
        let increment = Duration::from_millis(control.increment);
        Some(ClockSide { time: self.left, increment })
    }

    /// Moves until the time is given again.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.moves_to_go
    }

    /// Takes the time of a move, during which the machine kept the player waiting for `stall`.
    pub fn take(&mut self, elapsed: Duration, stall: Duration) -> Option<Late> {
        if !self.limits.is_timed() {
            return None;
        }
        // Nobody waits for longer than a move takes.
        let stall = if stall >= Self::LEAST_STALL { stall.min(elapsed) } else { Duration::ZERO };
        let margin = Duration::from_millis(self.limits.margin);
        let too_late = |allowed: Duration| {
            elapsed.checked_sub(allowed + margin).filter(|late| !late.is_zero())
        };
        if let Some(time) = self.limits.move_time
            && let Some(by) = too_late(Duration::from_millis(time))
        {
            return Some(Late { by, stalled: stall });
        }
        let control = self.limits.clock?;
        if let Some(by) = too_late(self.left) {
            return Some(Late { by, stalled: self.stalled + stall });
        }
        self.stalled += stall.saturating_sub(margin);
        self.left = self.left.saturating_sub(elapsed) + Duration::from_millis(control.increment);
        if let (Some(moves), Some(to_go)) = (control.moves, &mut self.moves_to_go) {
            *to_go -= 1;
            if *to_go == 0 {
                *to_go = moves;
                self.left += Duration::from_millis(control.time);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::TimeControl;

    fn seconds(clock: &Clock<'_>) -> f64 {
        clock.side().expect("a clock").time.as_secs_f64()
    }

    #[test]
    fn time_is_taken_and_given() {
        let control: TimeControl = "2/10+1".parse().expect("a time control");
        let limits = MoveLimits { clock: Some(control), ..MoveLimits::default() };
        let mut clock = Clock::new(&limits);
        assert_eq!(seconds(&clock), 11.0);
        let mut take = |milliseconds| {
            let late = clock.take(Duration::from_millis(milliseconds), Duration::ZERO);
            (late.map(|late| late.by.as_millis()), seconds(&clock), clock.moves_to_go())
        };
        assert_eq!(take(4000), (None, 8.0, Some(1)));
        assert_eq!(take(3000), (None, 16.0, Some(2)));
        // Within the margin of 20 ms nothing is lost but the time.
        assert_eq!(take(16_020), (None, 1.0, Some(1)));
        assert_eq!(take(1_025), (Some(5), 1.0, Some(1)));
    }

    #[test]
    fn stalls_of_the_whole_game_excuse_a_clock_that_runs_out() {
        let milliseconds = Duration::from_millis;
        let control: TimeControl = "1".parse().expect("a time control");
        let limits = MoveLimits { clock: Some(control), ..MoveLimits::default() };
        // A move of 300 ms, stalled or not, then one that is 40 ms late.
        let late_after = |stall| {
            let mut clock = Clock::new(&limits);
            assert_eq!(clock.take(milliseconds(300), stall), None);
            clock.take(milliseconds(760), milliseconds(5)).expect("too late")
        };
        // The margin of 20 ms is the player's own to reckon with.
        let late = late_after(milliseconds(55));
        assert_eq!(late, Late { by: milliseconds(40), stalled: milliseconds(40) });
        assert!(late.is_excused());
        assert!(!late_after(milliseconds(54)).is_excused());
        assert_eq!(late_after(milliseconds(20)).stalled, milliseconds(5));
        // Nobody waits for longer than a move takes.
        assert_eq!(late_after(milliseconds(9000)).stalled, milliseconds(285));
        let limits = MoveLimits { move_time: Some(100), ..MoveLimits::default() };
        let mut clock = Clock::new(&limits);
        assert_eq!(clock.take(milliseconds(90), milliseconds(80)), None);
        let late = clock.take(milliseconds(150), milliseconds(20)).expect("too late");
        assert_eq!(late, Late { by: milliseconds(30), stalled: milliseconds(20) });
        let late = clock.take(milliseconds(150), Duration::from_micros(999)).expect("too late");
        assert_eq!(late.stalled, Duration::ZERO);
    }

    /// On any machine that is used a player waits a little for nearly every move. Thinking up to
    /// the last millisecond and beyond must not count as the machine's fault.
    #[test]
    fn small_stalls_do_not_add_up_to_an_excuse() {
        let milliseconds = Duration::from_millis;
        let control: TimeControl = "6".parse().expect("a time control");
        let limits = MoveLimits { clock: Some(control), ..MoveLimits::default() };
        let mut clock = Clock::new(&limits);
        for _ in 0..59 {
            assert_eq!(clock.take(milliseconds(100), milliseconds(3)), None);
        }
        // The last 100 ms, the margin, and 10 ms more.
        let late = clock.take(milliseconds(130), milliseconds(3)).expect("too late");
        assert_eq!(late, Late { by: milliseconds(10), stalled: milliseconds(3) });
        assert!(!late.is_excused());
    }

    #[test]
    fn only_time_limits_are_judged() {
        let hour = Duration::from_secs(3600);
        assert_eq!(Clock::new(&MoveLimits::nodes(1)).take(hour, Duration::ZERO), None);
        let limits = MoveLimits { move_time: Some(100), ..MoveLimits::default() };
        let mut clock = Clock::new(&limits);
        assert!(clock.side().is_none());
        assert_eq!(clock.take(Duration::from_millis(120), Duration::ZERO), None);
        let late = clock.take(Duration::from_millis(121), Duration::ZERO).expect("too late");
        assert_eq!(late.by, Duration::from_millis(1));
    }
}
