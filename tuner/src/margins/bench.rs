//! The bench at which numbers are tried: positions, those who choose, those who judge, and what is
//! remembered of their judgements.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use engine::Parameters;

use super::chooser::Chooser;
use super::judge::{Judge, Judgements};
use super::life::{Life, MOMENTS};
use super::places::{Place, expected_score};
use crate::tunables::Tunable;

/// One search that is asked for.
#[derive(Clone, Debug)]
pub(super) struct Question<'a> {
    pub place: &'a Place,
    /// Values of the tunables.
    pub values: Vec<f64>,
}

/// Choosers, judges and judgements.
pub(super) struct Bench {
    choosers: Vec<Chooser>,
    judges: Vec<Judge>,
    judgements: Judgements,
    k: f64,
}

/// Who judges: numbers and nodes.
#[derive(Clone, Debug)]
pub(super) struct JudgeSettings {
    pub parameters: Arc<Parameters>,
    pub nodes: u64,
}

impl JudgeSettings {
    /// The name under which its judgements are remembered.
    pub fn name(&self) -> String {
        format!("{}@{}", self.parameters.fingerprint(), self.nodes)
    }
}

impl Bench {
    /// A bench for searches of so many nodes that differ from `start` in the tunables, with as many
    /// at work as there are threads.
    ///
    /// # Errors
    /// If the file of judgements is unusable.
    pub fn new(
        start: &Arc<Parameters>,
        tunables: &[Tunable],
        nodes: u64,
        judge: &JudgeSettings,
        judgements: &Path,
        k: f64,
        threads: usize,
    ) -> anyhow::Result<Bench> {
        Ok(Bench {
            choosers: (0..threads).map(|_| Chooser::new(start, tunables, nodes)).collect(),
            judges: (0..threads)
                .map(|_| Judge::new(judge.parameters.clone(), judge.nodes))
                .collect(),
            judgements: Judgements::open(judgements, judge.name())?,
            k,
        })
    }

    /// Judgements in the file.
    pub fn judgements(&self) -> usize {
        self.judgements.count()
    }

    /// What the moves chosen over each search's life are worth on the average (expected score, 0 to
    /// 1), in the order of the questions.
    ///
    /// # Errors
    /// If judgements cannot be written.
    pub fn ask(&mut self, questions: &[Question<'_>]) -> anyhow::Result<Vec<f64>> {
        let lives = in_parallel(&mut self.choosers, questions, |chooser, question| {
            chooser.life(&question.place.position, &question.values)
        });
        self.judge(questions, &lives)?;
        let worth = |(question, life): (&Question<'_>, &Life)| {
            let place = question.place;
            let sum: f64 = life
                .iter()
                .map(|&mv| {
                    let mv = place.position.uci(mv, place.position.chess960());
                    let worth = self.judgements.of(&place.fen, &mv).expect("it has been judged");
                    expected_score(self.k, f64::from(worth))
                })
                .sum();
            sum / MOMENTS.len() as f64
        };
        Ok(questions.iter().zip(&lives).map(worth).collect())
    }

    /// The best that is known of any move in a position (expected score).
    pub fn best(&self, place: &Place) -> f64 {
        let best = self.judgements.best(&place.fen).expect("a move of it has been judged");
        expected_score(self.k, f64::from(best))
    }

    /// Has all moves judged that are not known yet.
    fn judge(&mut self, questions: &[Question<'_>], lives: &[Life]) -> anyhow::Result<()> {
        let mut seen = HashSet::new();
        let mut new = Vec::new();
        for (question, life) in questions.iter().zip(lives) {
            let place = question.place;
            for &mv in life {
                let text = place.position.uci(mv, place.position.chess960());
                let is_known = self.judgements.of(&place.fen, &text).is_some();
                if !is_known && seen.insert((place.fen.as_str(), text.clone())) {
                    new.push((place, mv, text));
                }
            }
        }
        let worths = in_parallel(&mut self.judges, &new, |judge, (place, mv, _)| {
            judge.worth(&place.position, *mv)
        });
        let lines = new.into_iter().zip(worths);
        self.judgements
            .add(lines.map(|((place, _, mv), worth)| (place.fen.clone(), mv, worth)).collect())
    }
}

/// Does something with each item, by as many threads as there are workers; results in the order of
/// the items.
fn in_parallel<W: Send, I: Sync, T: Send>(
    workers: &mut [W],
    items: &[I],
    work: impl Fn(&mut W, &I) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let take = |worker: &mut W| {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return done };
            done.push((index, work(worker, item)));
        }
    };
    let mut results: Vec<(usize, T)> = std::thread::scope(|scope| {
        let threads: Vec<_> = workers.iter_mut().map(|it| scope.spawn(|| take(it))).collect();
        let joined = threads.into_iter().map(|thread| thread.join());
        joined
            .flat_map(|done| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_have_the_order_of_the_items() {
        let items: Vec<u32> = (0..100).collect();
        let mut workers = [0u32; 3];
        let doubled = in_parallel(&mut workers, &items, |count, item| {
            *count += 1;
            2 * item
        });
        assert_eq!(doubled, items.iter().map(|item| 2 * item).collect::<Vec<_>>());
        assert_eq!(workers.iter().sum::<u32>(), 100);
    }
}
