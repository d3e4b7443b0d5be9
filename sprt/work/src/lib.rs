//! Units of work: many small pieces whose answers are taken in order, whoever did them and however fast.
//!
//! A unit is done for its number and its order under a [`Card`], and its answer depends on nothing
//! else. A [`UnitKind`] says how that is done; pairs, recorded games and searches of margins are kinds.
//! An [`Executor`] does units: [`Threads`] here, or a [`Transport`] of bytes to workers elsewhere
//! ([`Remote`]). [`in_order`] hands units out, and hands their answers to a [`Coordinator`] in the order
//! of the units. The coordinator writes each into a [`journal`] before it counts.

mod card;
mod faulty;
mod in_order;
pub mod journal;
mod remote;
mod threads;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

pub use card::Card;
pub use faulty::Faulty;
pub use in_order::{Coordinator, Stop, in_order};
pub use remote::{Remote, Transport, UnitName, answer_bytes};
pub use threads::Threads;

/// A piece of work. Numbers of a run are given out once each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit<O> {
    /// Its number.
    pub number: u64,
    /// The task that it is.
    pub order: O,
}

/// How a unit fails.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Failure {
    /// The work was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// It has no answer, for this reason.
    #[error("{0}")]
    Reason(String),
}

/// A kind of unit: how one is done, and how its answer travels. Orders travel as JSON.
pub trait UnitKind: Sync {
    /// The task of a unit.
    type Order: Clone + Send + Serialize + DeserializeOwned;
    /// The result of a unit.
    type Answer: Send;

    /// All that decides the answers beside number and order.
    fn card(&self) -> Card;

    /// Makes what the thread of an index from 0 needs, and returns the function that does a unit. It
    /// returns soon after its flag is set.
    fn worker(
        &self,
        index: usize,
    ) -> impl FnMut(&Unit<Self::Order>, &AtomicBool) -> Result<Self::Answer, Failure>;

    /// An answer as bytes.
    fn write_answer(&self, answer: &Self::Answer) -> Vec<u8>;

    /// The answer of these bytes to a unit, as far as it can be checked.
    ///
    /// # Errors
    /// The reason why they are none.
    fn read_answer(&self, unit: &Unit<Self::Order>, bytes: &[u8]) -> Result<Self::Answer, String>;
}

/// Does units of one kind.
pub trait Executor<O, A> {
    /// Units it takes before the first is answered: enough to keep all of its workers at work.
    fn capacity(&self) -> usize;

    /// Takes a unit.
    fn send(&mut self, unit: &Unit<O>);

    /// Waits until an answer comes or the time is over. Units of other calls may be among those answered,
    /// and the same more than once.
    fn receive(&mut self, patience: Duration) -> Received<A>;
}

/// The outcome of [`Executor::receive`].
#[derive(Debug)]
pub enum Received<A> {
    /// The answer to the unit of this number, or why there is none.
    Answer(u64, Result<A, UnitFailure>),
    /// Nothing came.
    Nothing,
    /// Nothing will come: nobody works any more.
    Gone,
}

/// Why a unit has no answer.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum UnitFailure {
    /// The thread that did it panicked.
    #[error("the thread of unit {unit} panicked")]
    Panicked {
        /// Number of the unit.
        unit: u64,
    },
    /// It cannot be done.
    #[error("{reason}")]
    Failed {
        /// Number of the unit.
        unit: u64,
        /// The reason in words.
        reason: String,
    },
    /// All workers have ended.
    #[error("the threads that work have ended")]
    Gone,
}
