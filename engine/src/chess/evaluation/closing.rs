//! The closing formula: from channel sums to one number, the same for play and tuning.

use std::ops::{Add, Mul, Neg, Sub};

use super::sink::{CHANNELS, DANGER, INITIATIVE, MAIN, SCALE};
use crate::parameters::Score;

/// Phase of the full set of pieces: knights and bishops count 1, rooks 2, queens 4.
pub const PHASE_MAX: i32 = 24;

/// The full endgame scale.
pub const SCALE_FULL: i32 = 128;

/// What danger starts from, in danger units. The danger of a side is squared, and the slope of a
/// square at zero is zero: weights that all begin at zero would feel no gradient and never leave
/// it. With a start of 60 a unit of danger costs 1/6 centipawn from the first. `danger.base` is a
/// weight like any other and shifts the start to where it serves best.
const DANGER_START: i32 = 60;

/// The most danger that counts: beyond it the king is lost anyway (some 5,500 centipawns).
const DANGER_MAX: i32 = 2000;

/// Middlegame: danger² / 720 centipawns, so that 270 units (a real attack) cost a pawn and each
/// further unit 3/4 of a centipawn: weights in whole units are then fine enough.
const DANGER_SQUARE_DIVISOR: i32 = 720;

/// Endgame: danger / 16 centipawns, linear, since few pieces rarely mate but a bare king is a
/// target.
const DANGER_ENDGAME_DIVISOR: i32 = 16;

/// Plies without capture or pawn move at which the fade would reach zero. The rule draws at 100;
/// fading to one half there is enough to make the search prefer progress to waiting.
const FADE_END: i32 = 200;

/// Bound of any value, in centipawns: leaves room for exact endgame values and mates above.
const VALUE_MAX: i32 = 9_000;

/// A type the closing formula can be computed in: integers in play, floating point and dual numbers
/// in the tuner.
pub trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// The constant `value`.
    fn from_i32(value: i32) -> Self;
    /// The number itself, without derivatives: for comparisons.
    fn value(self) -> f64;
    /// Divided by a positive constant; integers round towards zero, so that a mirrored position has
    /// exactly the negated value.
    fn divide(self, divisor: i32) -> Self;

    /// The larger of the two: `other` is a floor.
    fn max(self, other: Self) -> Self {
        if self.value() >= other.value() { self } else { other }
    }

    /// The smaller of the two: `other` is a ceiling.
    fn min(self, other: Self) -> Self {
        if self.value() <= other.value() { self } else { other }
    }
}

impl Number for i32 {
    #[inline]
    fn from_i32(value: i32) -> i32 {
        value
    }

    #[inline]
    fn value(self) -> f64 {
        f64::from(self)
    }

    #[inline]
    fn divide(self, divisor: i32) -> i32 {
        self / divisor
    }

    #[inline]
    fn max(self, other: i32) -> i32 {
        Ord::max(self, other)
    }

    #[inline]
    fn min(self, other: i32) -> i32 {
        Ord::min(self, other)
    }
}

impl Number for f64 {
    #[inline]
    fn from_i32(value: i32) -> f64 {
        f64::from(value)
    }

    #[inline]
    fn value(self) -> f64 {
        self
    }

    #[inline]
    fn divide(self, divisor: i32) -> f64 {
        self / f64::from(divisor)
    }
}

/// Sums of `times · weight` by channel. A Score cell adds its halves to both sums; a Scalar cell
/// adds to `endgame` only.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sums<T> {
    /// Middlegame halves.
    pub middlegame: [T; CHANNELS],
    /// Endgame halves, and Scalars.
    pub endgame: [T; CHANNELS],
}

impl<T: Number> Sums<T> {
    /// All sums zero.
    pub fn zero() -> Sums<T> {
        Sums { middlegame: [T::from_i32(0); CHANNELS], endgame: [T::from_i32(0); CHANNELS] }
    }
}

impl Sums<i32> {
    /// The sums of play: packed White and Black scores, dangers for White and Black, initiative,
    /// scales.
    #[inline]
    pub(super) fn packed(
        main: Score,
        danger: [Score; 2],
        initiative: i32,
        scale: [i32; 2],
    ) -> Sums<i32> {
        let mut sums = Sums::zero();
        sums.middlegame[MAIN] = main.middlegame();
        sums.endgame[MAIN] = main.endgame();
        for side in 0..2 {
            sums.middlegame[DANGER + side] = danger[side].middlegame();
            sums.endgame[DANGER + side] = danger[side].endgame();
            sums.endgame[SCALE + side] = scale[side];
        }
        sums.endgame[INITIATIVE] = initiative;
        sums
    }
}

/// What the closing formula needs to know of a position besides its sums.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Context {
    /// How much of the pieces is left: 24 = middlegame, 0 = kings and pawns.
    pub phase: u8,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u8,
    /// Is it White's turn? (The value is White's all the same.)
    pub white_to_move: bool,
    /// What the scale sums of White and Black start from, in 128ths: 128 where no scale weight
    /// speaks.
    pub scale_base: [u8; 2],
}

/// White's value in centipawns, within ±9,000: main score less the cost of danger, the endgame half
/// adjusted by initiative and scaled for the side it favors, tapered by phase, faded by the clock.
#[inline]
pub fn close<T: Number>(sums: &Sums<T>, context: &Context) -> T {
    let mut middlegame = sums.middlegame[MAIN];
    let mut endgame = sums.endgame[MAIN];
    let (white, black) = (danger_cost(sums, 0), danger_cost(sums, 1));
    middlegame = middlegame - white.0 + black.0;
    endgame = endgame - white.1 + black.1;

    // The initiative at most cancels or doubles the lead: it never turns it around, and the value
    // does not jump where the lead changes sides.
    let lead = endgame.value();
    let initiative = sums.endgame[INITIATIVE];
    if lead > 0.0 {
        endgame = endgame + initiative.max(-endgame).min(endgame);
    } else {
        endgame = endgame - initiative.max(endgame).min(-endgame);
    }

    let stronger = usize::from(lead < 0.0);
    let scale =
        sums.endgame[SCALE + stronger] + T::from_i32(i32::from(context.scale_base[stronger]));
    let phase = i32::from(context.phase);
    let limit = T::from_i32(VALUE_MAX * 2);
    let middlegame = middlegame.min(limit).max(-limit);
    let endgame = endgame.min(limit).max(-limit);
    let tapered = (middlegame * T::from_i32(phase * SCALE_FULL)
        + endgame * scale * T::from_i32(PHASE_MAX - phase))
    .divide(PHASE_MAX * SCALE_FULL);

    let limit = T::from_i32(VALUE_MAX);
    let fade = FADE_END - i32::from(context.halfmove_clock.min(100));
    (tapered.min(limit).max(-limit) * T::from_i32(fade)).divide(FADE_END)
}

/// What the danger for one side's king costs it: middlegame and endgame centipawns.
#[inline]
fn danger_cost<T: Number>(sums: &Sums<T>, side: usize) -> (T, T) {
    let curb = |danger: T| {
        let danger = danger + T::from_i32(DANGER_START);
        danger.max(T::from_i32(0)).min(T::from_i32(DANGER_MAX))
    };
    let middlegame = curb(sums.middlegame[DANGER + side]);
    let endgame = curb(sums.endgame[DANGER + side]);
    (
        (middlegame * middlegame).divide(DANGER_SQUARE_DIVISOR),
        endgame.divide(DANGER_ENDGAME_DIVISOR),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context(phase: u8) -> Context {
        Context { phase, scale_base: [128; 2], ..Context::default() }
    }

    #[test]
    fn danger_has_a_slope_at_zero_and_grows_faster_than_its_sum() {
        let cost = |danger: f64| {
            let mut sums = Sums::<f64>::zero();
            sums.middlegame[DANGER] = danger;
            -close(&sums, &context(24))
        };
        assert!(cost(1.0) > cost(0.0) + 0.1);
        assert!(cost(200.0) - cost(100.0) > 1.5 * (cost(100.0) - cost(0.0)));
        assert_eq!(cost(-60.0), cost(-500.0));
    }

    #[test]
    fn initiative_never_turns_the_lead_around() {
        let mut sums = Sums::<i32>::zero();
        sums.endgame[MAIN] = 30;
        sums.endgame[INITIATIVE] = -80;
        assert_eq!(close(&sums, &context(0)), 0);
        sums.endgame[MAIN] = -30;
        assert_eq!(close(&sums, &context(0)), 0);
        sums.endgame[INITIATIVE] = 20;
        assert_eq!(close(&sums, &context(0)), -50);
    }

    #[test]
    fn scale_counts_for_the_stronger_side_and_only_in_the_endgame() {
        let mut sums = Sums::<i32>::zero();
        sums.middlegame[MAIN] = 100;
        sums.endgame[MAIN] = 100;
        sums.endgame[SCALE] = 32;
        let context = |phase| Context { scale_base: [0, 128], ..context(phase) };
        assert_eq!(close(&sums, &context(0)), 25);
        assert_eq!(close(&sums, &context(24)), 100);
        sums.endgame[MAIN] = -100;
        assert_eq!(close(&sums, &context(0)), -100);
    }

    #[test]
    fn value_fades_to_one_half_at_the_fifty_move_limit() {
        let mut sums = Sums::<i32>::zero();
        sums.middlegame[MAIN] = 200;
        let at = |clock| Context { halfmove_clock: clock, ..context(24) };
        assert_eq!(close(&sums, &at(0)), 200);
        assert_eq!(close(&sums, &at(100)), 100);
        assert_eq!(close(&sums, &at(255)), 100);
    }
}
