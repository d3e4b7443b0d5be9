//! Where terms go: into a sum, or into counts of the weights.

use std::mem::size_of;

use parameters::Score;

use super::weights::Weights;

/// Takes the terms of a position.
pub(super) trait Sink {
    /// A weight that counts so often, Red's less Black's.
    fn add(&mut self, weight: &Score, times: i32);
}

/// The terms of a side.
pub(super) struct Side<'a, S> {
    pub sink: &'a mut S,
    pub sign: i32,
}

impl<S: Sink> Side<'_, S> {
    #[inline]
    pub fn add(&mut self, weight: &Score, times: i32) {
        self.sink.add(weight, self.sign * times);
    }
}

/// The sum of both phases.
pub(super) struct Sum(pub Score);

impl Sink for Sum {
    #[inline]
    fn add(&mut self, weight: &Score, times: i32) {
        self.0 += *weight * times;
    }
}

/// How often each weight counts, by its cell.
pub(super) struct Counts {
    /// The address of the first cell.
    first: usize,
    pub counts: Vec<i16>,
}

impl Counts {
    /// None of all weights yet.
    pub fn new(weights: &Weights) -> Counts {
        let cells = size_of::<Weights>() / size_of::<Score>();
        Counts { first: std::ptr::from_ref(weights).addr(), counts: vec![0; cells] }
    }
}

impl Sink for Counts {
    fn add(&mut self, weight: &Score, times: i32) {
        let cell = (std::ptr::from_ref(weight).addr() - self.first) / size_of::<Score>();
        self.counts[cell] += times as i16;
    }
}
