//! The channels: the sums that terms are added to, listed once.
//!
//! From the list follow the sink that terms speak to, the sums of play, the entries of a trace,
//! what [`close`](super::close) joins and what [`explain`](super::explain) shows.

use parameters::{CellKind, Declarable, Scalar, Score};

use super::arithmetic::Arithmetic;
use super::weights::Weights;

/// How the terms of White and Black meet in a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sides {
    /// In one sum, which White's terms raise and Black's lower.
    Difference,
    /// Not at all: White has a sum, and Black has one.
    Each,
    /// In one sum, which the terms of both raise.
    Shared,
}

/// A channel: one row of the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Channel {
    /// What it is called where people read it.
    pub name: &'static str,
    /// The unit of its sums.
    pub unit: &'static str,
    /// How White and Black meet in it.
    pub sides: Sides,
    /// What its weights are; a channel of Scalars has no middlegame half.
    pub kind: CellKind,
    /// Index of its first sum in [`Sums`].
    first: usize,
}

/// Declares the channels, each with the method by which a term speaks to it.
macro_rules! channels {
    ($(
        $(#[doc = $doc:literal])+
        $channel:ident: $method:ident(&$cell:ident), $sides:ident, $name:literal in $unit:literal;
    )+) => {
        /// What a term is added to: one method a channel. Each side fills its own sink, so no term
        /// knows about signs.
        pub trait Sink {
            $(
                /// Adds `times · weight` to the channel:
                $(#[doc = $doc])+
                fn $method(&mut self, weight: &$cell, times: i32);
            )+
        }

        /// The sink of one side in play: a number for each channel, nothing else.
        #[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
        pub(super) struct SideSums {
            $( $method: $cell, )+
        }

        impl SideSums {
            /// What the side is better by.
            pub(super) fn main(&self) -> Score {
                self.term
            }
        }

        impl Sink for SideSums {
            $(
                #[inline(always)]
                fn $method(&mut self, weight: &$cell, times: i32) {
                    self.$method = self.$method.plus(*weight, times);
                }
            )+
        }

        impl Sink for Recorder<'_> {
            $(
                fn $method(&mut self, weight: &$cell, times: i32) {
                    self.push(weight, Channel::$channel, times);
                }
            )+
        }

        /// Rows of the list.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Row { $( $channel, )+ }

        impl Channel {
            /// All channels, in the order of their sums.
            pub const LIST: [Channel; [$( Row::$channel ),+].len()] = numbered([$(
                Channel {
                    name: $name,
                    unit: $unit,
                    sides: Sides::$sides,
                    kind: <$cell as Declarable>::KIND,
                    first: 0,
                },
            )+]);

            $( $(#[doc = $doc])+ pub const $channel: Channel = Channel::LIST[Row::$channel as usize]; )+
        }

        impl Sums<i32> {
            /// The sums of play.
            #[inline(always)]
            pub(super) fn joined(white: &SideSums, black: &SideSums) -> Sums<i32> {
                let mut sums = Sums::zero();
                $( Channel::$channel.join(white.$method, black.$method, &mut sums); )+
                sums
            }
        }
    };
}

channels! {
    /// What a side is better by, in centipawns: nearly every term.
    MAIN: term(&Score), Difference, "main score" in "centipawns";
    /// Danger to a side's own king, which costs it more the more of it there is.
    DANGER: danger(&Score), Each, "danger to the king" in "danger units";
    /// What makes an endgame lead easier to win, whoever has it.
    INITIATIVE: initiative(&Scalar), Shared, "initiative" in "endgame centipawns for the leader";
    /// What is left of an endgame lead, should the side have it.
    SCALE: scale(&Scalar), Each, "scale of an endgame lead" in "128ths";
}

/// Number of sums: two for a channel with one for each side, one for any other.
pub const SUMS: usize = {
    let last = Channel::LIST[Channel::LIST.len() - 1];
    last.first + last.sums()
};

/// Gives each channel the place of its first sum.
const fn numbered<const N: usize>(mut channels: [Channel; N]) -> [Channel; N] {
    let (mut index, mut first) = (0, 0);
    while index < N {
        channels[index].first = first;
        first += channels[index].sums();
        index += 1;
    }
    channels
}

impl Channel {
    /// The channel that a sum belongs to, and whose it is: 0, or 1 for the second of two, Black's.
    pub const fn of_sum(sum: usize) -> (Channel, usize) {
        let mut index = Channel::LIST.len() - 1;
        while Channel::LIST[index].first > sum {
            index -= 1;
        }
        (Channel::LIST[index], sum - Channel::LIST[index].first)
    }

    /// How many sums it has.
    pub const fn sums(self) -> usize {
        match self.sides {
            Sides::Each => 2,
            Sides::Difference | Sides::Shared => 1,
        }
    }

    /// Index in [`Sums`] of the sum that the terms of a side (White 0, Black 1) go to.
    #[inline(always)]
    pub const fn index(self, side: usize) -> usize {
        match self.sides {
            Sides::Each => self.first + side,
            Sides::Difference | Sides::Shared => self.first,
        }
    }

    /// How the terms of a side (White 0, Black 1) count in its sum: 1, or -1 for Black's in a
    /// difference.
    pub const fn sign(self, side: usize) -> i32 {
        match self.sides {
            Sides::Difference if side == 1 => -1,
            _ => 1,
        }
    }

    /// Enters what the two sides have added up.
    #[inline(always)]
    fn join<C: ChannelCell>(self, white: C, black: C, sums: &mut Sums<i32>) {
        match self.sides {
            Sides::Each => {
                sums.0[self.first] = white.halves();
                sums.0[self.first + 1] = black.halves();
            }
            _ => sums.0[self.first] = white.plus(black, self.sign(1)).halves(),
        }
    }
}

/// What a channel adds up: a pair of numbers or a single one.
trait ChannelCell: Copy {
    /// `self + times · other`.
    fn plus(self, other: Self, times: i32) -> Self;
    /// Middlegame and endgame number; a single number is all endgame.
    fn halves(self) -> [i32; 2];
}

impl ChannelCell for Score {
    #[inline(always)]
    fn plus(self, other: Score, times: i32) -> Score {
        self + other * times
    }

    #[inline(always)]
    fn halves(self) -> [i32; 2] {
        [self.middlegame(), self.endgame()]
    }
}

impl ChannelCell for Scalar {
    #[inline(always)]
    fn plus(self, other: Scalar, times: i32) -> Scalar {
        Scalar(self.0 + other.0 * times)
    }

    #[inline(always)]
    fn halves(self) -> [i32; 2] {
        [0, self.0]
    }
}

/// Sums of `times · weight`: middlegame and endgame half of each, in the order of
/// [`Channel::LIST`], White's before Black's.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sums<T>(pub [[T; 2]; SUMS]);

impl<T: Arithmetic> Sums<T> {
    /// All sums zero.
    #[inline]
    pub fn zero() -> Sums<T> {
        Sums([[T::from_i32(0); 2]; SUMS])
    }

    /// Both halves of a channel's sum, of the given side (White 0, Black 1) where each has one.
    #[inline(always)]
    pub fn of(&self, channel: Channel, side: usize) -> [T; 2] {
        self.0[channel.index(side)]
    }

    /// As [`Sums::of`], to write.
    #[inline(always)]
    pub fn of_mut(&mut self, channel: Channel, side: usize) -> &mut [T; 2] {
        &mut self.0[channel.index(side)]
    }
}

/// One coefficient of a position: cell `cell` was added `times` times to sum `sum`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TraceEntry {
    /// Index in [`Weights::cells`].
    pub cell: u16,
    /// Index in [`Sums`], see [`Channel::of_sum`].
    pub sum: u8,
    /// How often; Black's terms count negatively in the sum of a difference.
    pub times: i16,
}

/// The recording sink of one side. The weight's address within `weights` is its index.
pub(super) struct Recorder<'a> {
    weights: &'a Weights,
    side: usize,
    /// Entries so far.
    pub entries: Vec<TraceEntry>,
}

impl<'a> Recorder<'a> {
    /// Records for White (`side` 0) or Black (1) into `entries`, which it clears.
    pub fn new(weights: &'a Weights, side: usize, mut entries: Vec<TraceEntry>) -> Recorder<'a> {
        entries.clear();
        Recorder { weights, side, entries }
    }

    /// Records that a weight was added to a channel.
    pub fn push<T>(&mut self, weight: &T, channel: Channel, times: i32) {
        if times == 0 {
            return;
        }
        let cell = self.weights.cell_of(weight);
        debug_assert!(cell < self.weights.cells().len(), "a weight from elsewhere");
        self.entries.push(TraceEntry {
            cell: cell as u16,
            sum: channel.index(self.side) as u8,
            times: (times * channel.sign(self.side)) as i16,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sum_has_one_place() {
        let mut sum = 0;
        for channel in Channel::LIST {
            for side in 0..channel.sums() {
                assert_eq!(Channel::of_sum(sum), (channel, side));
                assert_eq!(channel.index(side), sum);
                sum += 1;
            }
            if channel.sides != Sides::Each {
                assert_eq!(channel.index(0), channel.index(1), "{}", channel.name);
            }
        }
        assert_eq!(sum, SUMS);
    }

    #[test]
    fn sides_meet_as_their_channel_says() {
        let (mut white, mut black) = (SideSums::default(), SideSums::default());
        white.term(&Score::new(3, -4), 2);
        black.term(&Score::new(-1, 5), 1);
        white.danger(&Score::new(8, 9), 1);
        black.danger(&Score::new(10, -11), 3);
        white.initiative(&Scalar(7), 1);
        black.initiative(&Scalar(2), 3);
        white.scale(&Scalar(64), 1);
        black.scale(&Scalar(32), 1);
        let sums = Sums::joined(&white, &black);
        assert_eq!(sums.of(Channel::MAIN, 0), [7, -13]);
        assert_eq!(sums.of(Channel::DANGER, 0), [8, 9]);
        assert_eq!(sums.of(Channel::DANGER, 1), [30, -33]);
        assert_eq!(sums.of(Channel::INITIATIVE, 0), [0, 13]);
        assert_eq!((sums.of(Channel::SCALE, 0), sums.of(Channel::SCALE, 1)), ([0, 64], [0, 32]));
    }
}
