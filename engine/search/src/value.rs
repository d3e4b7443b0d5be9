//! Scores: centipawns from the mover's view, with room above for wins that are known and for mates.

/// A score in centipawns, from the view of the side to move.
pub type Value = i32;

/// Deepest line the search follows, in plies.
pub const MAX_PLY: usize = 128;
/// Beyond every score.
pub const INFINITY: Value = 32_000;
/// Being able to win at once; a win at `ply` scores `MATE - ply`, so that the shorter one is
/// preferred.
pub const MATE: Value = 31_000;
/// The longest win the search can see; every score at or above it is a forced win.
pub const MATE_IN_MAX: Value = MATE - MAX_PLY as Value;
/// A win that is known without its mate, as from an endgame table; see [`known_win`].
pub const KNOWN_WIN: Value = MATE_IN_MAX - 1;
/// Every score at or above it is a win that is sure, and every evaluation is below it.
pub const DECIDED: Value = KNOWN_WIN - MAX_PLY as Value;
/// The score of a drawn game.
pub const DRAW: Value = 0;
/// No evaluation is known, as for a mover in check.
pub(crate) const UNKNOWN: Value = 32_100;

/// What a score says about the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The true value is the score or lower.
    Upper = 1,
    /// The true value is the score or higher.
    Lower = 2,
    /// The true value is the score.
    Exact = 3,
}

impl Bound {
    /// What a value says that was found with this window.
    #[inline]
    pub fn of(value: Value, alpha: Value, beta: Value) -> Bound {
        if value >= beta {
            Bound::Lower
        } else if value > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

/// The score of having lost at `ply`: later is better.
#[inline]
pub const fn mated_at(ply: usize) -> Value {
    -MATE + ply as Value
}

/// The score of a known win that is reached at `ply`: sooner is better.
#[inline]
pub const fn known_win(ply: usize) -> Value {
    KNOWN_WIN - ply as Value
}

/// True for a win or loss that is sure, with or without a mate in sight.
#[inline]
pub const fn is_decided(value: Value) -> bool {
    value.abs() >= DECIDED
}

/// True for a forced mate of either side.
#[inline]
pub const fn is_mate(value: Value) -> bool {
    value.abs() >= MATE_IN_MAX
}

/// Moves of the winning side up to the end of the game: positive for a win of the mover, negative
/// (or zero, when the game is already lost) for a loss, `None` when nothing is forced.
pub const fn mate_in(value: Value) -> Option<i32> {
    if value >= MATE_IN_MAX {
        Some((MATE - value + 1) / 2)
    } else if value <= -MATE_IN_MAX {
        Some(-(MATE + value) / 2)
    } else {
        None
    }
}

/// A value as the table keeps it: a sure win or loss by its distance from the position itself, not from
/// the root.
#[inline]
pub const fn stored_value(value: Value, ply: usize) -> Value {
    if value >= DECIDED {
        value + ply as Value
    } else if value <= -DECIDED {
        value - ply as Value
    } else {
        value
    }
}

/// A value that the table kept, by its distance from the root.
#[inline]
pub const fn value_at(stored: Value, ply: usize) -> Value {
    if stored >= DECIDED {
        stored - ply as Value
    } else if stored <= -DECIDED {
        stored + ply as Value
    } else {
        stored
    }
}

/// Keeps an evaluation clear of the scores that mean a sure win or loss.
#[inline]
pub const fn clear_of_decisions(value: Value) -> Value {
    if value >= DECIDED {
        DECIDED - 1
    } else if value <= -DECIDED {
        1 - DECIDED
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves_of_the_winner() {
        assert_eq!(mate_in(MATE - 1), Some(1));
        assert_eq!(mate_in(MATE - 3), Some(2));
        assert_eq!(mate_in(mated_at(2)), Some(-1));
        assert_eq!(mate_in(mated_at(0)), Some(0));
        assert_eq!(mate_in(250), None);
        assert!(is_mate(-MATE_IN_MAX) && !is_mate(clear_of_decisions(-INFINITY)));
    }

    #[test]
    fn known_wins_lie_between_evaluations_and_mates() {
        for ply in 0..MAX_PLY {
            let value = known_win(ply);
            assert!(is_decided(value) && is_decided(-value) && !is_mate(value), "{ply}");
            assert_eq!(mate_in(value), None);
        }
        assert!(!is_decided(clear_of_decisions(INFINITY)));
    }
}
