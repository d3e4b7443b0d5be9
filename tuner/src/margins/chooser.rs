//! Who chooses moves: an engine whose numbers change from search to search.

use std::sync::Arc;

use engine::chess::Position;
use engine::engine::{Control, Limits};
use engine::parameters::Number;
use engine::{Engine, Parameters};

use super::life::{Diary, Life};
use crate::tunables::Tunable;

/// Transposition table of each search (megabytes): new for each, and no search fills more.
const HASH_MEGABYTES: usize = 1;

/// Our engine in this process.
pub(super) struct Chooser {
    engine: Engine,
    start: Arc<Parameters>,
    /// Where the values that change belong.
    numbers: Vec<Number>,
    nodes: u64,
}

impl Chooser {
    /// An engine that searches with so many nodes and the numbers of `start`, but for the tunables.
    pub fn new(start: &Arc<Parameters>, tunables: &[Tunable], nodes: u64) -> Chooser {
        let number = |tunable: &Tunable| {
            Parameters::find(&tunable.name)
                .expect("a tunable of our own engine is one of its numbers")
        };
        Chooser {
            engine: Engine::new(start.clone(), HASH_MEGABYTES),
            start: start.clone(),
            numbers: tunables.iter().map(number).collect(),
            nodes,
        }
    }

    /// What a search with these values, whole numbers within their ranges, answers over its life.
    /// It begins with an empty memory.
    pub fn life(&mut self, position: &Position, values: &[f64]) -> Life {
        let mut parameters = self.start.as_ref().clone();
        for (number, &value) in self.numbers.iter().zip(values) {
            number.set(&mut parameters, value as i64).expect("the value lies in the range");
        }
        self.engine.set_parameters(Arc::new(parameters));
        let control = Control::default();
        let mut diary = Diary::new(self.nodes);
        let limits = Limits::nodes(self.nodes);
        let outcome = self.engine.search(position, &limits, &control, &mut |progress| {
            diary.note(progress.nodes, progress.pv[0]);
        });
        diary.end(outcome.best)
    }
}
