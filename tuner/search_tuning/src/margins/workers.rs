//! The threads that search, each with a chooser and a judge of its own for as long as it lives: a
//! program over pipes ends with the thread that started it.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use anyhow::ensure;
use chess::{Move, Position};
use system::threads;
use tunables::TunedEngine;

use super::chooser::Chooser;
use super::judge::{Judge, JudgeSettings};
use super::places::Passage;

#[derive(Clone, Debug)]
pub(super) enum SearchTask {
    /// The choice of moves in the positions of a passage with these values.
    Choose(Passage, Vec<f64>),
    /// The worth of a move.
    Judge(Position, Move),
}

/// The answer to a job.
#[derive(Clone, Debug)]
pub(super) enum TaskResult {
    Moves(Vec<Move>),
    Worth(i32),
}

/// A number for its place among others, and what came of a job, or of a panic in it.
type Outcome = (usize, thread::Result<anyhow::Result<TaskResult>>);

/// Threads that wait for jobs.
pub(super) struct Workers {
    /// Taken when they are to end.
    jobs: Option<Sender<(usize, SearchTask)>>,
    outcomes: Receiver<Outcome>,
    threads: Vec<JoinHandle<()>>,
}

impl Workers {
    /// So many threads, whose choosers search with so many nodes.
    ///
    /// # Errors
    /// If the system starts no more.
    pub fn new(
        subject: &Arc<TunedEngine>,
        nodes: u64,
        judge: &JudgeSettings,
        threads: usize,
    ) -> anyhow::Result<Workers> {
        let (jobs, waiting) = channel();
        let (sender, outcomes) = channel();
        let waiting = Arc::new(Mutex::new(waiting));
        // Should one not start, those that have end with their jobs.
        let mut workers = Workers { jobs: Some(jobs), outcomes, threads: Vec::new() };
        for _ in 0..threads {
            let (subject, judge) = (subject.clone(), judge.clone());
            let (waiting, sender) = (waiting.clone(), sender.clone());
            workers.threads.push(threads::start("searcher", None, move || {
                work(
                    &mut Chooser::new(&subject, nodes),
                    &mut Judge::new(&judge),
                    &waiting,
                    &sender,
                );
            })?);
        }
        Ok(workers)
    }

    /// Does all jobs; what came of them has their order.
    ///
    /// # Errors
    /// That of the first job that failed; if no thread is left.
    pub fn run(
        &mut self,
        jobs: impl Iterator<Item = SearchTask>,
    ) -> anyhow::Result<Vec<TaskResult>> {
        let queue = self.jobs.as_ref().expect("they have not ended");
        let mut count = 0;
        for job in jobs {
            queue.send((count, job)).expect("the threads wait for jobs as long as they are kept");
            count += 1;
        }
        let mut outcomes: Vec<Outcome> = self.outcomes.iter().take(count).collect();
        ensure!(outcomes.len() == count, "the threads that search have ended");
        outcomes.sort_unstable_by_key(|(index, _)| *index);
        let found = outcomes.into_iter().map(|(_, outcome)| outcome);
        found.map(|outcome| outcome.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.jobs.take();
        for thread in self.threads.drain(..) {
            // Its panics were handed on.
            drop(thread.join());
        }
    }
}

/// Does jobs until there can be no more.
fn work(
    chooser: &mut Chooser,
    judge: &mut Judge,
    waiting: &Mutex<Receiver<(usize, SearchTask)>>,
    outcomes: &Sender<Outcome>,
) {
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((index, job)) = next else { return };
        let outcome = catch_unwind(AssertUnwindSafe(|| match job {
            SearchTask::Choose(passage, values) => {
                chooser.moves(&passage, &values).map(TaskResult::Moves)
            }
            SearchTask::Judge(position, mv) => judge.worth(&position, mv).map(TaskResult::Worth),
        }));
        if outcomes.send((index, outcome)).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use command_line::parameter_file;
    use matches::game::MoveLimits;
    use matches::player::Contestant;

    use super::super::places::ChoicePosition;
    use super::*;

    #[test]
    fn what_is_found_has_the_order_of_the_jobs() {
        let file = parameter_file("default").expect("a name").display().to_string();
        let contestant = Contestant::parse(&[file], MoveLimits::default(), None).expect("one");
        let subject = Arc::new(TunedEngine::new(contestant.clone(), Vec::new()).expect("itself"));
        let judge = JudgeSettings::new(contestant, 50).expect("it is there");
        let start = Position::start();
        let moves = start.legal_moves();
        let jobs = || {
            let judged = moves.iter().map(|&mv| SearchTask::Judge(start.clone(), mv));
            let place = ChoicePosition { position: start.clone(), fen: start.to_fen(false) };
            let passage = Passage { before: Vec::new(), places: vec![place] };
            judged.chain([SearchTask::Choose(passage, Vec::new())])
        };
        let found = |threads| {
            let found =
                Workers::new(&subject, 100, &judge, threads).and_then(|mut it| it.run(jobs()));
            let found = found.expect("none fails");
            format!("{found:?}")
        };
        assert_eq!(found(1), found(3));
        assert!(found(2).ends_with("])]") && found(2).matches("Worth").count() == 20);
    }
}
