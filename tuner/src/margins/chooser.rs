//! Who chooses moves: an engine whose numbers change from search to search.

use std::sync::Arc;

use anyhow::bail;
use engine::chess::Position;
use engine::engine::{Control, Limits};
use engine::{Engine, Parameters};
use sprt::game::{Fault, MoveLimits};
use sprt::player::{GameStart, Player, Turn, UciPlayer};

use super::life::{Answer, Diary, Life};
use crate::tunables::Subject;

/// Transposition table of each search in this process (megabytes): new for each, and no search
/// fills more.
const HASH_MEGABYTES: usize = 1;

/// An engine that is asked what it would play with other numbers.
pub(super) struct Chooser {
    subject: Arc<Subject>,
    kind: Kind,
    nodes: u64,
}

enum Kind {
    /// Our own engine, in this process.
    Own(Box<Engine>),
    /// Any other, over pipes.
    Foreign(Box<UciPlayer>),
}

impl Chooser {
    /// An engine that searches with so many nodes.
    pub fn new(subject: &Arc<Subject>, nodes: u64) -> Chooser {
        let kind = match subject.program() {
            None => {
                let parameters = Parameters::embedded().clone();
                Kind::Own(Box::new(Engine::new(parameters, HASH_MEGABYTES)))
            }
            Some((engine, hash)) => {
                let mut player = UciPlayer::new(engine.clone(), hash);
                player.remember_answers();
                Kind::Foreign(Box::new(player))
            }
        };
        Chooser { subject: subject.clone(), kind, nodes }
    }

    /// What a search with these values, each in its range, answers over its life. It begins with an
    /// empty memory.
    ///
    /// # Errors
    /// If an engine over pipes does not answer as it should.
    pub fn life(&mut self, position: &Position, values: &[f64]) -> anyhow::Result<Life> {
        let mut diary = Diary::new(self.nodes);
        match &mut self.kind {
            Kind::Own(engine) => {
                let parameters = self.subject.parameters(values).expect("they are our own");
                engine.set_parameters(Arc::new(parameters));
                let limits = Limits::nodes(self.nodes);
                let outcome =
                    engine.search(position, &limits, &Control::default(), &mut |progress| {
                        let answer = Answer { mv: progress.pv[0], centipawns: progress.score };
                        diary.note(progress.nodes, answer);
                    });
                Ok(diary.end(Answer { mv: outcome.best, centipawns: outcome.score }))
            }
            Kind::Foreign(player) => {
                let options = self.subject.options(values);
                let limits = MoveLimits::nodes(self.nodes);
                let mut choose = || -> Result<_, Fault> {
                    player.set_options(&options)?;
                    player.new_game(&GameStart::fresh(position))?;
                    player.choose(&Turn::first(position, &limits))
                };
                match choose() {
                    Err(fault) => {
                        let fen = position.to_fen(position.chess960());
                        bail!("{} failed in {fen}: {fault}", self.subject.base().name)
                    }
                    Ok(choice) => {
                        let said = player.answers(position);
                        let Some(last) = said.last().map(|(_, _, centipawns)| *centipawns) else {
                            bail!("{} never says what it thinks", self.subject.base().name)
                        };
                        for (nodes, mv, centipawns) in said {
                            diary.note(nodes, Answer { mv, centipawns });
                        }
                        let centipawns = choice.score.unwrap_or(last);
                        Ok(diary.end(Answer { mv: choice.mv, centipawns }))
                    }
                }
            }
        }
    }
}
