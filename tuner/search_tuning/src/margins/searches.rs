//! Searches as units of work: the choice of moves with some values, and the worth of a move.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use matches::games;
use playable::{Game, Move, Position};
use serde::{Deserialize, Serialize};
use tunables::TunedEngine;
use work::{Card, Coordinator, Executor, Failure, Threads, Unit, UnitFailure, UnitKind, in_order};

use super::chooser::Chooser;
use super::judge::{Judge, JudgeSettings};
use super::places::{ChoicePosition, Passage};

/// A search to be made.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(into = "TaskText", try_from = "TaskText")]
pub(super) enum SearchTask {
    /// The choice of moves in the positions of a passage with these values.
    Choose(Passage, Vec<f64>),
    /// The worth of a move.
    Judge(Position, Move),
}

/// The answer to a task.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum TaskResult {
    Moves(Vec<Move>),
    Worth(i32),
}

/// Threads at work.
pub(super) type SearchThreads = Threads<SearchTask, TaskResult>;

/// Who chooses and who judges. Each thread has one of both for as long as it lives.
pub(super) struct Searches {
    subject: Arc<TunedEngine>,
    nodes: u64,
    judge: JudgeSettings,
    card: Card,
}

impl Searches {
    /// Choosers that search with so many nodes, and this judge.
    ///
    /// # Errors
    /// If the engine that is tuned cannot be loaded.
    pub fn new(
        subject: &Arc<TunedEngine>,
        nodes: u64,
        judge: &JudgeSettings,
    ) -> anyhow::Result<Searches> {
        let fingerprint = subject.base().load(subject.game())?.identity.fingerprint;
        let names: Vec<&str> = subject.tunables().iter().map(|it| it.name.as_str()).collect();
        let content = (fingerprint, subject.engine()?, names, nodes, judge.name());
        Ok(Searches {
            subject: subject.clone(),
            nodes,
            judge: judge.clone(),
            card: Card::new("searches of margins", &content),
        })
    }

    /// Does all tasks; what came of them has their order. `next` counts the units of this executor.
    ///
    /// # Errors
    /// The first task that failed, or that no thread is left.
    pub fn all(
        executor: &mut impl Executor<SearchTask, TaskResult>,
        tasks: Vec<SearchTask>,
        next: &mut u64,
    ) -> Result<Vec<TaskResult>, UnitFailure> {
        struct All<'n> {
            tasks: std::vec::IntoIter<SearchTask>,
            next: &'n mut u64,
            found: Vec<TaskResult>,
        }

        impl Coordinator for All<'_> {
            type Order = SearchTask;
            type Answer = TaskResult;
            type Error = UnitFailure;

            fn next(&mut self) -> Option<Unit<SearchTask>> {
                let order = self.tasks.next()?;
                *self.next += 1;
                Some(Unit { number: *self.next, order })
            }

            fn take(
                &mut self,
                _: Unit<SearchTask>,
                answer: TaskResult,
            ) -> Result<ControlFlow<()>, UnitFailure> {
                self.found.push(answer);
                Ok(ControlFlow::Continue(()))
            }
        }

        let mut all =
            All { found: Vec::with_capacity(tasks.len()), tasks: tasks.into_iter(), next };
        in_order(executor, &mut all)?;
        Ok(all.found)
    }
}

/// A task as it travels: positions in FEN, moves by their bits.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum TaskText {
    Choose {
        #[serde(with = "games", default = "games::usual", skip_serializing_if = "games::is_usual")]
        game: Game,
        before: Vec<String>,
        places: Vec<String>,
        values: Vec<f64>,
    },
    Judge {
        #[serde(with = "games", default = "games::usual", skip_serializing_if = "games::is_usual")]
        game: Game,
        position: String,
        mv: u16,
    },
}

impl From<SearchTask> for TaskText {
    fn from(task: SearchTask) -> TaskText {
        match task {
            SearchTask::Choose(Passage { before, places }, values) => TaskText::Choose {
                game: places.first().map_or_else(games::usual, |place| place.position.game()),
                before: before.iter().map(fen).collect(),
                places: places.into_iter().map(|place| place.fen).collect(),
                values,
            },
            SearchTask::Judge(position, mv) => {
                TaskText::Judge { game: position.game(), position: fen(&position), mv: mv.bits() }
            }
        }
    }
}

impl TryFrom<TaskText> for SearchTask {
    type Error = String;

    fn try_from(text: TaskText) -> Result<SearchTask, String> {
        Ok(match text {
            TaskText::Choose { game, before, places, values } => {
                let before =
                    before.iter().map(|fen| position(game, fen)).collect::<Result<_, _>>()?;
                let place = |fen: String| {
                    let position = position(game, &fen)?;
                    Ok::<_, String>(ChoicePosition { position, fen })
                };
                let places = places.into_iter().map(place).collect::<Result<_, _>>()?;
                SearchTask::Choose(Passage { before, places }, values)
            }
            TaskText::Judge { game, position: fen, mv } => {
                let position = position(game, &fen)?;
                let mv = legal(&position, mv)?;
                SearchTask::Judge(position, mv)
            }
        })
    }
}

/// An answer as it travels.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ResultText {
    Moves(Vec<u16>),
    Worth(i32),
}

fn fen(position: &Position) -> String {
    position.to_fen()
}

fn position(game: Game, fen: &str) -> Result<Position, String> {
    game.position(fen).map_err(|error| error.to_string())
}

fn legal(position: &Position, bits: u16) -> Result<Move, String> {
    let mv = Move::from_bits(bits);
    position.is_legal(mv).then_some(mv).ok_or_else(|| format!("{bits:#06x} is no legal move"))
}

impl UnitKind for Searches {
    type Order = SearchTask;
    type Answer = TaskResult;

    fn card(&self) -> Card {
        self.card.clone()
    }

    fn worker(
        &self,
        _: usize,
    ) -> impl FnMut(&Unit<SearchTask>, &AtomicBool) -> Result<TaskResult, Failure> {
        let mut chooser = Chooser::new(&self.subject, self.nodes);
        let mut judge = Judge::new(&self.judge);
        move |unit, _| {
            let found = match &unit.order {
                SearchTask::Choose(passage, values) => {
                    chooser.moves(passage, values).map(TaskResult::Moves)
                }
                SearchTask::Judge(position, mv) => {
                    judge.worth(position, *mv).map(TaskResult::Worth)
                }
            };
            found.map_err(|error| Failure::Reason(format!("{error:#}")))
        }
    }

    fn write_answer(&self, answer: &TaskResult) -> Vec<u8> {
        let text = match answer {
            TaskResult::Moves(moves) => {
                ResultText::Moves(moves.iter().map(|mv| mv.bits()).collect())
            }
            TaskResult::Worth(worth) => ResultText::Worth(*worth),
        };
        serde_json::to_vec(&text).expect("plain data becomes JSON")
    }

    fn read_answer(&self, unit: &Unit<SearchTask>, bytes: &[u8]) -> Result<TaskResult, String> {
        let text = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        match (&unit.order, text) {
            (SearchTask::Choose(passage, _), ResultText::Moves(moves))
                if moves.len() == passage.places.len() =>
            {
                let places = passage.places.iter().zip(moves);
                let moves = places.map(|(place, bits)| legal(&place.position, bits));
                Ok(TaskResult::Moves(moves.collect::<Result<_, _>>()?))
            }
            (SearchTask::Judge(..), ResultText::Worth(worth)) => Ok(TaskResult::Worth(worth)),
            _ => Err("the answer to another task".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use chess::GAME;
    use command_line::parameter_file;
    use matches::game::MoveLimits;
    use matches::player::Contestant;
    use work::{Faulty, Remote, answer_bytes};

    use super::*;

    fn searches() -> Searches {
        let file = parameter_file("default").expect("a name").display().to_string();
        let contestant = Contestant::parse(&[file], MoveLimits::default(), None).expect("one");
        let subject =
            Arc::new(TunedEngine::new(GAME, contestant.clone(), Vec::new()).expect("itself"));
        let judge = JudgeSettings::new(GAME, contestant, 50).expect("it is there");
        Searches::new(&subject, 100, &judge).expect("our own")
    }

    fn tasks() -> Vec<SearchTask> {
        let start = GAME.start();
        let moves = start.legal_moves();
        let judge = |&mv: &Move| SearchTask::Judge(start.clone(), mv);
        let mut tasks: Vec<SearchTask> = moves.iter().map(judge).collect();
        let place = ChoicePosition { position: start.clone(), fen: start.to_fen() };
        let passage = Passage { before: Vec::new(), places: vec![place] };
        tasks.push(SearchTask::Choose(passage, Vec::new()));
        tasks
    }

    #[test]
    fn what_is_found_has_the_order_of_the_tasks() {
        let searches = searches();
        let found = |count| {
            let all = |threads: &mut SearchThreads| Searches::all(threads, tasks(), &mut 0);
            Threads::scope(&searches, count, all).expect("threads").expect("none fails")
        };
        assert_eq!(found(1), found(3));
        let worths = found(2).iter().filter(|it| matches!(it, TaskResult::Worth(_))).count();
        assert!(matches!(found(2).last(), Some(TaskResult::Moves(_))) && worths == 20);
    }

    #[test]
    fn a_faulty_transport_changes_nothing() {
        let searches = searches();
        let all = |threads: &mut SearchThreads| Searches::all(threads, tasks(), &mut 0);
        let expected = Threads::scope(&searches, 2, all).expect("threads").expect("none fails");
        let mut work = searches.worker(0);
        let transport = Faulty::new(random::draws(5, 0), |unit, order| {
            answer_bytes(&searches, &mut work, unit, order, &AtomicBool::new(false))
        });
        let mut remote = Remote::new(&searches, transport, Duration::from_millis(1));
        assert_eq!(Searches::all(&mut remote, tasks(), &mut 0).expect("none fails"), expected);
    }

    #[test]
    fn tasks_and_answers_travel() {
        let searches = searches();
        let mut work = searches.worker(0);
        for (number, order) in (0..).zip(tasks()) {
            let unit = Unit { number, order };
            let text = serde_json::to_string(&unit.order).expect("JSON");
            let order: SearchTask = serde_json::from_str(&text).expect("its own");
            assert_eq!(serde_json::to_string(&order).expect("JSON"), text);
            let answer = work(&unit, &AtomicBool::new(false)).expect("an answer");
            let bytes = searches.write_answer(&answer);
            assert_eq!(searches.read_answer(&unit, &bytes).expect("its own"), answer);
            assert!(searches.read_answer(&unit, b"[]").is_err());
        }
    }
}
