//! Who is told how a run goes.

use std::path::PathBuf;
use std::sync::Arc;

use super::Competition;
use crate::game::PairRecord;
use crate::openings::Book;
use crate::player::{Contestant, Identity};

/// The run's description, as told before the first pair.
#[derive(Clone, Debug)]
pub struct Description<R> {
    /// Where the run is kept.
    pub folder: PathBuf,
    /// The contestants as the journal describes them: in a test the candidate, then the baseline.
    pub contestants: Vec<Contestant>,
    /// Who they are, in the same order.
    pub identities: Vec<Identity>,
    /// The openings of the run, all of them.
    pub openings: Arc<Book>,
    /// Checksum of the openings.
    pub openings_checksum: String,
    /// Settings that decide the course of the run.
    pub rules: R,
}

/// Told how a run goes; all methods have empty defaults.
pub trait Observer<C: Competition> {
    /// A run is opened; everything else follows.
    fn on_open(&self, _run: &Description<C::Rules>) {}
    /// Something the user ought to know, told before the first game of a new run.
    fn on_remark(&self, _remark: &str) {}
    /// The run begins or goes on, with so many pairs in the journal, which were told before.
    fn on_start(&self, _progress: &C::Progress) {}
    /// A pair was read from the journal and counted.
    fn on_resumed_pair(&self, _progress: &C::Progress, _pair: &PairRecord) {}
    /// One more pair was played and counted.
    fn on_pair(&self, _progress: &C::Progress, _pair: &PairRecord) {}
    /// One more pair was played that equals an earlier one, and was not counted.
    fn on_copy(&self, _progress: &C::Progress, _pair: &PairRecord) {}
    /// True when the run shall stop, resumable. Asked a few times a second.
    fn is_interrupted(&self) -> bool {
        false
    }
}

/// An observer that neither shows nor asks anything.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoObserver;

impl<C: Competition> Observer<C> for NoObserver {}

/// An observer that may be missing.
impl<C: Competition, O: Observer<C>> Observer<C> for Option<O> {
    fn on_open(&self, run: &Description<C::Rules>) {
        if let Some(observer) = self {
            observer.on_open(run);
        }
    }

    fn on_remark(&self, remark: &str) {
        if let Some(observer) = self {
            observer.on_remark(remark);
        }
    }

    fn on_start(&self, progress: &C::Progress) {
        if let Some(observer) = self {
            observer.on_start(progress);
        }
    }

    fn on_resumed_pair(&self, progress: &C::Progress, pair: &PairRecord) {
        if let Some(observer) = self {
            observer.on_resumed_pair(progress, pair);
        }
    }

    fn on_pair(&self, progress: &C::Progress, pair: &PairRecord) {
        if let Some(observer) = self {
            observer.on_pair(progress, pair);
        }
    }

    fn on_copy(&self, progress: &C::Progress, pair: &PairRecord) {
        if let Some(observer) = self {
            observer.on_copy(progress, pair);
        }
    }

    fn is_interrupted(&self) -> bool {
        self.as_ref().is_some_and(Observer::is_interrupted)
    }
}

/// Two observers, told one after the other; either may stop the run.
impl<C: Competition, A: Observer<C>, B: Observer<C>> Observer<C> for (A, B) {
    fn on_open(&self, run: &Description<C::Rules>) {
        self.0.on_open(run);
        self.1.on_open(run);
    }

    fn on_remark(&self, remark: &str) {
        self.0.on_remark(remark);
        self.1.on_remark(remark);
    }

    fn on_start(&self, progress: &C::Progress) {
        self.0.on_start(progress);
        self.1.on_start(progress);
    }

    fn on_resumed_pair(&self, progress: &C::Progress, pair: &PairRecord) {
        self.0.on_resumed_pair(progress, pair);
        self.1.on_resumed_pair(progress, pair);
    }

    fn on_pair(&self, progress: &C::Progress, pair: &PairRecord) {
        self.0.on_pair(progress, pair);
        self.1.on_pair(progress, pair);
    }

    fn on_copy(&self, progress: &C::Progress, pair: &PairRecord) {
        self.0.on_copy(progress, pair);
        self.1.on_copy(progress, pair);
    }

    fn is_interrupted(&self) -> bool {
        self.0.is_interrupted() || self.1.is_interrupted()
    }
}
