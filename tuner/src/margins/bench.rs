//! The bench at which numbers are tried: positions, those who choose, those who judge, and what is
//! remembered of their judgements.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::judge::{JudgeSettings, Judgements};
use super::life::{Answer, Life, MOMENTS};
use super::places::{Place, expected_score};
use super::workers::{Found, Job, Workers};
use crate::tunables::Subject;

/// One search that is asked for.
#[derive(Clone, Debug)]
pub(super) struct Question<'a> {
    pub place: &'a Place,
    /// Values of the tunables.
    pub values: Vec<f64>,
}

/// What a search is worth, as the mean over the moments of its life.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Errors {
    /// What the moves are worth that it chose (expected score, 0 to 1): the less, the more regret.
    pub worth: f64,
    /// By how much it misjudged them (expected score, 0 to 1).
    pub misjudgement: f64,
}

impl Errors {
    /// Weight of a move's worth against its judgement. The worth is what counts, but chance rules
    /// it: among moves that are nearly equal any change of the tree chooses another, and now and
    /// then one is a blunder. How well a search judges what it chose rises with its strength as
    /// closely, and far more steadily.
    const WORTH_WEIGHT: f64 = 0.5;

    /// What is to be as great as possible.
    pub fn merit(self) -> f64 {
        Self::WORTH_WEIGHT * self.worth - self.misjudgement
    }
}

/// Choosers, judges and judgements.
pub(super) struct Bench {
    workers: Workers,
    judgements: Judgements,
    k: f64,
}

impl Bench {
    /// A bench for searches of so many nodes, with as many at work as there are threads.
    ///
    /// # Errors
    /// If the file of judgements is unusable.
    pub fn new(
        subject: &Arc<Subject>,
        nodes: u64,
        judge: &JudgeSettings,
        judgements: &Path,
        k: f64,
        threads: usize,
    ) -> anyhow::Result<Bench> {
        Ok(Bench {
            workers: Workers::new(subject, nodes, judge, threads),
            judgements: Judgements::open(judgements, judge.name())?,
            k,
        })
    }

    /// Judgements in the file.
    pub fn judgements(&self) -> usize {
        self.judgements.count()
    }

    /// What was found of each search (see [`Errors`]), in the order of the questions.
    ///
    /// # Errors
    /// If an engine over pipes fails, or judgements cannot be written.
    pub fn ask(&mut self, questions: &[Question<'_>]) -> anyhow::Result<Vec<Errors>> {
        let jobs =
            questions.iter().map(|it| Job::Choose(it.place.position.clone(), it.values.clone()));
        let lives: Vec<Life> = self
            .workers
            .run(jobs)?
            .into_iter()
            .filter_map(|found| if let Found::Life(life) = found { Some(life) } else { None })
            .collect();
        self.judge(questions, &lives)?;
        let of_life = |(question, life): (&Question<'_>, &Life)| {
            let place = question.place;
            let mut errors = Errors { worth: 0.0, misjudgement: 0.0 };
            for Answer { mv, centipawns } in life {
                let mv = place.position.uci(*mv, place.position.chess960());
                let worth = self.judgements.of(&place.fen, &mv).expect("it has been judged");
                let worth = expected_score(self.k, f64::from(worth));
                let promised = expected_score(self.k, f64::from(*centipawns));
                errors.worth += worth / MOMENTS.len() as f64;
                errors.misjudgement += (promised - worth).abs() / MOMENTS.len() as f64;
            }
            errors
        };
        Ok(questions.iter().zip(&lives).map(of_life).collect())
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
            for &Answer { mv, .. } in life {
                let text = place.position.uci(mv, place.position.chess960());
                let is_known = self.judgements.of(&place.fen, &text).is_some();
                if !is_known && seen.insert((place.fen.as_str(), text.clone())) {
                    new.push((place, mv, text));
                }
            }
        }
        let jobs = new.iter().map(|(place, mv, _)| Job::Judge(place.position.clone(), *mv));
        let worths =
            self.workers.run(jobs)?.into_iter().filter_map(|found| {
                if let Found::Worth(worth) = found { Some(worth) } else { None }
            });
        let lines = new.into_iter().zip(worths);
        self.judgements
            .add(lines.map(|((place, _, mv), worth)| (place.fen.clone(), mv, worth)).collect())
    }
}
