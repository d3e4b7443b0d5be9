//! The clock of one side.

use std::time::Duration;

use engine::engine::ClockSide;

use crate::limits::MoveLimits;

/// One side's clock.
pub struct Clock<'a> {
    limits: &'a MoveLimits,
    left: Duration,
    moves_to_go: Option<u32>,
}

impl Clock<'_> {
    /// A clock at the start of a game; the increment is given for the first move too.
    pub fn new(limits: &MoveLimits) -> Clock<'_> {
        let control = limits.clock;
        Clock {
            limits,
            left: control.map_or(Duration::ZERO, |control| {
                Duration::from_millis(control.time + control.increment)
            }),
            moves_to_go: control.and_then(|control| control.moves),
        }
    }

    /// As players are told.
    pub fn side(&self) -> Option<ClockSide> {
        let control = self.limits.clock?;
        let increment = Duration::from_millis(control.increment);
        Some(ClockSide { time: self.left, increment })
    }

    /// Moves until the time is given again.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.moves_to_go
    }

    /// Takes the time of a move. Returns by how much it was too late, if it was.
    pub fn take(&mut self, elapsed: Duration) -> Option<Duration> {
        if !self.limits.is_timed() {
            return None;
        }
        let margin = Duration::from_millis(self.limits.margin);
        let too_late = |allowed: Duration| {
            elapsed.checked_sub(allowed + margin).filter(|late| !late.is_zero())
        };
        if let Some(time) = self.limits.move_time
            && let Some(late) = too_late(Duration::from_millis(time))
        {
            return Some(late);
        }
        let control = self.limits.clock?;
        if let Some(late) = too_late(self.left) {
            return Some(late);
        }
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
    use crate::limits::TimeControl;

    fn seconds(clock: &Clock<'_>) -> f64 {
        clock.side().expect("a clock").time.as_secs_f64()
    }

    #[test]
    fn time_is_taken_and_given() {
        let control: TimeControl = "2/10+1".parse().expect("a time control");
        let limits = MoveLimits { clock: Some(control), ..MoveLimits::default() };
        let mut clock = Clock::new(&limits);
        assert_eq!(seconds(&clock), 11.0);
        assert_eq!(clock.take(Duration::from_secs(4)), None);
        assert_eq!((seconds(&clock), clock.moves_to_go()), (8.0, Some(1)));
        assert_eq!(clock.take(Duration::from_secs(3)), None);
        assert_eq!((seconds(&clock), clock.moves_to_go()), (16.0, Some(2)));
        // Within the margin of 20 ms nothing is lost but the time.
        assert_eq!(clock.take(Duration::from_millis(16_020)), None);
        assert_eq!(seconds(&clock), 1.0);
        assert_eq!(clock.take(Duration::from_millis(1_025)), Some(Duration::from_millis(5)));
    }

    #[test]
    fn only_time_limits_are_judged() {
        let hour = Duration::from_secs(3600);
        assert_eq!(Clock::new(&MoveLimits::nodes(1)).take(hour), None);
        let limits = MoveLimits { move_time: Some(100), ..MoveLimits::default() };
        let mut clock = Clock::new(&limits);
        assert!(clock.side().is_none());
        assert_eq!(clock.take(Duration::from_millis(120)), None);
        assert_eq!(clock.take(Duration::from_millis(121)), Some(Duration::from_millis(1)));
    }
}
