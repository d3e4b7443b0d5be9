//! The closing formula: from the sums of the channels to one number, the same for play and tuning.

use super::arithmetic::Arithmetic;
use super::channels::{Channel, Sums};
use super::weights::Closing;

/// Phase of the full set of pieces: knights and bishops count 1, rooks 2, queens 4.
///
/// No number for a tuner: the two halves of every other weight mean "at this phase" and "at phase
/// 0", so that to move the scale is to change what all of them mean.
pub const PHASE_MAX: i32 = 24;

/// The full endgame scale: the unit of the group `scale`.
pub const SCALE_FULL: i32 = 128;

/// Plies without capture or pawn move after which the game is drawn; a clock beyond it (there may be
/// one in a FEN) counts as this.
const CLOCK_MAX: u8 = 100;

/// Bound of any value, in centipawns: leaves room for exact endgame values and mates above.
const VALUE_MAX: i32 = 9_000;

/// What the closing formula needs to know of a position besides its sums.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ClosingContext {
    /// How much of the pieces is left: 24 = middlegame, 0 = kings and pawns.
    pub phase: u8,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u8,
    /// What the scale sums of White and Black start from, in 128ths: 128 where no scale weight
    /// speaks.
    pub scale_base: [u8; 2],
}

/// White's value in centipawns, within ±9,000: main score less the cost of danger, the endgame half
/// adjusted by initiative and scaled for the side it favors, tapered by phase, faded by the clock.
#[inline]
pub fn close<T: Arithmetic>(sums: &Sums<T>, context: &ClosingContext, numbers: &Closing) -> T {
    let [middlegame, endgame] = sums.of(Channel::MAIN, 0);
    let white = danger_cost(sums.of(Channel::DANGER, 0), numbers);
    let black = danger_cost(sums.of(Channel::DANGER, 1), numbers);
    let middlegame = middlegame - white[0] + black[0];
    let endgame = endgame - white[1] + black[1];
    let leader = usize::from(endgame.value() < 0.0);
    let endgame = with_initiative(endgame, sums.of(Channel::INITIATIVE, 0)[1], leader);
    let scale =
        sums.of(Channel::SCALE, leader)[1] + T::from_i32(i32::from(context.scale_base[leader]));
    let value = tapered(middlegame, endgame, scale, i32::from(context.phase));
    faded(value, context.halfmove_clock, numbers.fade_end.0)
}

/// What danger (middlegame and endgame) costs the side whose king is in it: middlegame and endgame
/// centipawns.
///
/// In the middlegame the square of the danger counts, and beyond it a share of its cube, for
/// attackers together are worth more than one by one; in the endgame the danger itself, since few
/// pieces rarely mate but a bare king is a target.
///
/// CITE: the Stockfish developers, king danger squared; Tord Romstad, Glaurung, king safety by a
/// curve over attack units.
#[inline]
fn danger_cost<T: Arithmetic>(danger: [T; 2], numbers: &Closing) -> [T; 2] {
    let ceiling = T::from_i32(numbers.danger_max.0);
    let [middlegame, endgame] = danger.map(|half| half.max(T::from_i32(0)).min(ceiling));
    let square = (middlegame * middlegame).divide(numbers.danger_square_divisor.0);
    [
        square + (square * middlegame).divide(numbers.danger_doubles_at.0),
        endgame.divide(numbers.danger_divisor.0),
    ]
}

/// The endgame score with the initiative of its leader (White 0, Black 1), which at most cancels or
/// doubles the lead: it never turns it around, and the value does not jump where the lead changes
/// sides.
///
/// CITE: the Stockfish developers, initiative (later: complexity).
#[inline]
fn with_initiative<T: Arithmetic>(endgame: T, initiative: T, leader: usize) -> T {
    if leader == 0 {
        endgame + initiative.max(-endgame).min(endgame)
    } else {
        endgame - initiative.max(endgame).min(-endgame)
    }
}

/// Both halves mixed by phase, the endgame half at its scale.
///
/// CITE: Fabien Letouzey, Fruit (2005): two scores interpolated by phase. The Stockfish developers:
/// scale factors for drawish endings.
#[inline]
fn tapered<T: Arithmetic>(middlegame: T, endgame: T, scale: T, phase: i32) -> T {
    // In integers the products must not overflow, whatever a tuner tries.
    let limit = T::from_i32(VALUE_MAX * 2);
    let middlegame = middlegame.min(limit).max(-limit);
    let endgame = endgame.min(limit).max(-limit);
    let mixed = middlegame * T::from_i32(phase * SCALE_FULL)
        + endgame * scale * T::from_i32(PHASE_MAX - phase);
    let limit = T::from_i32(VALUE_MAX);
    mixed.divide(PHASE_MAX * SCALE_FULL).min(limit).max(-limit)
}

/// The value on its way to the draw by the fifty-move rule: without a fade a search would keep its
/// lead and wait.
///
/// CITE: the Stockfish developers, evaluation damped by the fifty-move counter.
#[inline]
fn faded<T: Arithmetic>(value: T, halfmove_clock: u8, fade_end: i32) -> T {
    // Nothing has faded: spares a division where the last move was a capture or a pawn's.
    if halfmove_clock == 0 {
        return value;
    }
    let left = fade_end - i32::from(halfmove_clock.min(CLOCK_MAX));
    (value * T::from_i32(left)).divide(fade_end)
}

#[cfg(test)]
mod tests {
    use parameters::Scalar;

    use super::*;

    const NUMBERS: Closing = Closing {
        danger_max: Scalar(2000),
        danger_square_divisor: Scalar(720),
        danger_doubles_at: Scalar(i32::MAX),
        danger_divisor: Scalar(16),
        fade_end: Scalar(200),
    };

    fn at_phase(phase: u8) -> ClosingContext {
        ClosingContext { phase, scale_base: [128; 2], ..ClosingContext::default() }
    }

    /// The value of these sums: (channel, side, halves).
    fn value(context: ClosingContext, rows: &[(Channel, usize, [i32; 2])]) -> i32 {
        let mut sums = Sums::zero();
        for &(channel, side, halves) in rows {
            *sums.of_mut(channel, side) = halves;
        }
        close(&sums, &context, &NUMBERS)
    }

    #[test]
    fn danger_costs_its_side_by_the_square_and_in_the_endgame_in_proportion() {
        let danger = |side, halves| [(Channel::DANGER, side, halves)];
        let middlegame = |danger: i32| value(at_phase(24), &[(Channel::DANGER, 0, [danger, 0])]);
        assert_eq!([60, 270, 540].map(middlegame), [-5, -101, -405]);
        // Below zero there is no danger; beyond its bound there is no more of it.
        assert_eq!([0, -500, 2000, 3000].map(middlegame), [0, 0, -5555, -5555]);
        assert_eq!(value(at_phase(24), &danger(1, [270, 0])), 101);
        assert_eq!(value(at_phase(0), &danger(0, [0, 160])), -10);
        assert_eq!(value(at_phase(0), &danger(1, [0, 160])), 10);
        assert_eq!(value(at_phase(0), &danger(1, [0, 9999])), 125);
        assert_eq!(value(at_phase(0), &danger(1, [0, -160])), 0);
        // Each half counts in its phase only.
        assert_eq!(value(at_phase(0), &danger(0, [270, 0])), 0);
        assert_eq!(value(at_phase(24), &danger(0, [0, 160])), 0);
    }

    #[test]
    fn initiative_never_turns_the_lead_around_nor_more_than_doubles_it() {
        let endgame = |lead, initiative| {
            let rows = [(Channel::MAIN, 0, [0, lead]), (Channel::INITIATIVE, 0, [0, initiative])];
            value(at_phase(0), &rows)
        };
        assert_eq!(
            [-80, -30, -20, 0, 20, 30, 80].map(|by| endgame(30, by)),
            [0, 0, 10, 30, 50, 60, 60]
        );
        assert_eq!(
            [-80, -30, -20, 0, 20, 30, 80].map(|by| endgame(-30, by)),
            [0, 0, -10, -30, -50, -60, -60]
        );
        assert_eq!([-80, 80].map(|by| endgame(0, by)), [0, 0]);
    }

    #[test]
    fn great_danger_costs_more_than_its_square() {
        let numbers = Closing { danger_doubles_at: Scalar(1000), ..NUMBERS };
        let cost = |danger| danger_cost([danger, 0], &numbers)[0];
        // 13, 347 and 1388 by the square.
        assert_eq!([100, 500, 1000].map(cost), [14, 520, 2776]);
    }

    #[test]
    fn danger_decides_who_leads() {
        let rows = [
            (Channel::MAIN, 0, [0, 5]),
            (Channel::DANGER, 0, [0, 160]),
            (Channel::INITIATIVE, 0, [0, 3]),
            (Channel::SCALE, 1, [0, -64]),
        ];
        // White's 5 less 10 for danger: Black leads by 5, by 8 with the initiative, half of it.
        assert_eq!(value(at_phase(0), &rows), -4);
    }

    #[test]
    fn scale_counts_for_the_stronger_side_and_only_in_the_endgame() {
        let context = |phase| ClosingContext { scale_base: [0, 128], ..at_phase(phase) };
        let rows = |lead| [(Channel::MAIN, 0, [100, lead]), (Channel::SCALE, 0, [0, 32])];
        assert_eq!(value(context(0), &rows(100)), 25);
        assert_eq!(value(context(24), &rows(100)), 100);
        assert_eq!(value(context(0), &rows(-100)), -100);
    }

    #[test]
    fn value_goes_evenly_from_middlegame_to_endgame() {
        let at = |phase| value(at_phase(phase), &[(Channel::MAIN, 0, [240, -480])]);
        assert_eq!([24, 18, 12, 6, 0].map(at), [240, 60, -120, -300, -480]);
    }

    #[test]
    fn value_fades_to_one_half_at_the_fifty_move_limit() {
        let at = |clock| {
            let context = ClosingContext { halfmove_clock: clock, ..at_phase(24) };
            value(context, &[(Channel::MAIN, 0, [200, 0])])
        };
        assert_eq!([0, 1, 50, 100, 101, 255].map(at), [200, 199, 150, 100, 100, 100]);
    }

    #[test]
    fn values_are_bounded_and_alike_for_both_sides() {
        let of = |halves| value(at_phase(12), &[(Channel::MAIN, 0, halves)]);
        assert_eq!(of([30_000, 30_000]), VALUE_MAX);
        assert_eq!(of([-30_000, -30_000]), -VALUE_MAX);
        // Each half is bounded by itself, so that one cannot drown the other.
        assert_eq!(of([30_000, -30_000]), 0);
        assert_eq!(of([-30_000, 30_000]), 0);
        assert_eq!(of([30_000, -12_000]), 3_000);
        assert_eq!(of([-12_000, 30_000]), 3_000);
        assert_eq!(of([7, 0]), -of([-7, 0]));
    }

    #[test]
    fn real_numbers_give_what_integers_round() {
        let mut sums = Sums::<f64>::zero();
        *sums.of_mut(Channel::MAIN, 0) = [200.0, 200.0];
        *sums.of_mut(Channel::DANGER, 0) = [60.0, 60.0];
        let found = close(&sums, &at_phase(12), &NUMBERS);
        assert!((found - (200.0 - (5.0 + 3.75) / 2.0)).abs() < 1e-6, "{found}");
        // Danger has a slope at its start: 120/720 a unit.
        *sums.of_mut(Channel::DANGER, 0) = [61.0, 60.0];
        let slope = found - close(&sums, &at_phase(12), &NUMBERS);
        assert!((slope - (61.0 * 61.0 - 3600.0) / 720.0 / 2.0).abs() < 1e-6, "{slope}");
    }
}
