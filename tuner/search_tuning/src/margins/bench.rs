//! The bench at which numbers are tried: positions, those who choose, those who judge, and what is
//! remembered of their judgements.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use matches::player::EngineIdentity;
use playable::Move;
use positions::logistic::{NATURAL, expected};
use tunables::TunedEngine;
use work::Threads;

use super::judge::{JudgeSettings, Judgements};
use super::places::{ChoicePosition, Passage};
use super::searches::{SearchTask, SearchThreads, Searches, TaskResult};

/// A search to be asked for.
#[derive(Clone, Debug)]
pub(super) struct Question<'a> {
    pub passage: &'a Passage,
    pub values: Vec<f64>,
}

pub(super) struct Bench<'t> {
    threads: &'t mut SearchThreads,
    /// Units that the threads were given.
    units: u64,
    judging: Option<EngineIdentity>,
    judgements: Judgements,
    /// Natural units of the expected score for a centipawn.
    scale: f64,
}

impl Bench<'_> {
    /// A bench for searches of so many nodes, with as many at work as there are threads, for as long as
    /// `body` runs. Judgements of the judge as another engine count if `allows_changes`.
    ///
    /// # Errors
    /// If the judge cannot be used, or the file of judgements; or that of `body`.
    pub fn scope<R>(
        subject: &Arc<TunedEngine>,
        nodes: u64,
        judge: &JudgeSettings,
        (judgements, allows_changes): (&Path, bool),
        k: f64,
        threads: usize,
        body: impl FnOnce(&mut Bench<'_>) -> anyhow::Result<R>,
    ) -> anyhow::Result<R> {
        let judging = judge.check()?;
        let engine = judging.as_ref().map_or_else(String::new, EngineIdentity::digest);
        let judgements = Judgements::open(judgements, &judge.name(), &engine, allows_changes)?;
        let searches = Searches::new(subject, nodes, judge)?;
        Threads::scope(&searches, threads, |threads| {
            body(&mut Bench { threads, units: 0, judgements, judging, scale: k * NATURAL })
        })?
    }

    /// The identity of the engine that judges.
    pub fn judging(&self) -> Option<&EngineIdentity> {
        self.judging.as_ref()
    }

    /// Number of judgements in the file.
    pub fn judgements(&self) -> usize {
        self.judgements.count()
    }

    /// The worth of the moves that are chosen (expected score, 0 to 1), as the mean over the
    /// positions of each passage, in the order of the questions. The less, the more regret.
    ///
    /// # Errors
    /// If an engine over pipes fails, or judgements cannot be written.
    pub fn ask(&mut self, questions: &[Question<'_>]) -> anyhow::Result<Vec<f64>> {
        let jobs =
            questions.iter().map(|it| SearchTask::Choose(it.passage.clone(), it.values.clone()));
        let chosen: Vec<Vec<Move>> = self
            .search(jobs.collect())?
            .into_iter()
            .filter_map(
                |found| if let TaskResult::Moves(moves) = found { Some(moves) } else { None },
            )
            .collect();
        let named = |(question, moves): (&Question<'_>, &Vec<Move>)| {
            let name = |(place, &mv): (&ChoicePosition, &Move)| (mv, place.position.uci(mv));
            question.passage.places.iter().zip(moves).map(name).collect()
        };
        let named: Vec<Vec<(Move, String)>> = questions.iter().zip(&chosen).map(named).collect();
        self.judge(questions, &named)?;
        let worth = |(question, moves): (&Question<'_>, &Vec<(Move, String)>)| {
            let places = &question.passage.places;
            let of_place = |(place, (_, mv)): (&ChoicePosition, &(Move, String))| {
                let worth = self.judgements.of(&place.fen, mv).expect("it has been judged");
                expected(self.scale, f64::from(worth))
            };
            places.iter().zip(moves).map(of_place).sum::<f64>() / places.len() as f64
        };
        Ok(questions.iter().zip(&named).map(worth).collect())
    }

    /// The best that is known of any move, as the mean over a passage (expected score).
    pub fn best(&self, passage: &Passage) -> f64 {
        let of_place = |place: &ChoicePosition| {
            let best = self.judgements.best(&place.fen).expect("a move of it has been judged");
            expected(self.scale, f64::from(best))
        };
        passage.places.iter().map(of_place).sum::<f64>() / passage.places.len() as f64
    }

    fn search(&mut self, tasks: Vec<SearchTask>) -> anyhow::Result<Vec<TaskResult>> {
        Ok(Searches::all(self.threads, tasks, &mut self.units)?)
    }

    /// Has all moves judged that are not known yet.
    fn judge(
        &mut self,
        questions: &[Question<'_>],
        chosen: &[Vec<(Move, String)>],
    ) -> anyhow::Result<()> {
        let mut seen = HashSet::new();
        let mut new = Vec::new();
        let places = questions.iter().flat_map(|it| &it.passage.places);
        for (place, (mv, name)) in places.zip(chosen.iter().flatten()) {
            let is_known = self.judgements.of(&place.fen, name).is_some();
            if !is_known && seen.insert((&place.fen, name)) {
                new.push((place, *mv, name));
            }
        }
        let jobs = new.iter().map(|(place, mv, _)| SearchTask::Judge(place.position.clone(), *mv));
        let worths = self.search(jobs.collect())?.into_iter().filter_map(|found| {
            if let TaskResult::Worth(worth) = found { Some(worth) } else { None }
        });
        let lines = new.into_iter().zip(worths);
        self.judgements.add(
            lines.map(|((place, _, mv), worth)| (place.fen.clone(), mv.clone(), worth)).collect(),
        )
    }
}
