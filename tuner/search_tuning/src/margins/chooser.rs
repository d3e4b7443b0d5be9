//! Who chooses moves: an engine whose numbers change from search to search.

use std::sync::Arc;

use anyhow::anyhow;
use matches::game::MoveLimits;
use matches::player::{GameStart, Player, Turn, UciPlayer};
use playable::{Control, Engine, Limits, Move, Position};
use tunables::TunedEngine;

use super::places::Passage;

/// Transposition table of each chooser in this process (megabytes): emptied before each passage, as
/// large as in games.
const HASH_MEGABYTES: usize = 16;

/// An engine that is asked what it would play with other numbers.
pub(super) struct Chooser {
    subject: Arc<TunedEngine>,
    kind: Kind,
    nodes: u64,
}

enum Kind {
    Own(Box<dyn Engine>),
    /// Any other engine, over pipes.
    Foreign(Box<UciPlayer>),
}

impl Chooser {
    /// An engine that searches with so many nodes.
    pub fn new(subject: &Arc<TunedEngine>, nodes: u64) -> Chooser {
        let kind = match subject.program() {
            None => {
                let start = subject.numbers(&subject.start()).expect("they are our own");
                Kind::Own(start.engine(HASH_MEGABYTES))
            }
            Some((engine, hash)) => Kind::Foreign(Box::new(UciPlayer::new(engine.clone(), hash))),
        };
        Chooser { subject: subject.clone(), kind, nodes }
    }

    /// The moves that are chosen in the positions of a passage with these values, each in its range.
    /// The memory is empty before the passage, and goes on through it.
    ///
    /// # Errors
    /// If an engine over pipes does not answer as it should.
    pub fn moves(&mut self, passage: &Passage, values: &[f64]) -> anyhow::Result<Vec<Move>> {
        let Passage { before, places } = passage;
        let positions = before.iter().chain(places.iter().map(|place| &place.position));
        let chosen: Vec<Move> = match &mut self.kind {
            Kind::Own(engine) => {
                let numbers = self.subject.numbers(values).expect("they are our own");
                engine.set_numbers(&numbers);
                let limits = Limits::nodes(self.nodes);
                let choose = |position| {
                    engine.search(position, &limits, &Control::default(), &mut |_| ()).best
                };
                positions.map(choose).collect()
            }
            Kind::Foreign(player) => {
                let name = &self.subject.base().name;
                player
                    .set_options(&self.subject.options(values))
                    .map_err(|fault| anyhow!("{name} failed: {fault}"))?;
                let limits = MoveLimits::nodes(self.nodes);
                let choose = |(index, position): (usize, &Position)| {
                    let game = GameStart { forget: index == 0, ..GameStart::fresh(position) };
                    let chosen = player
                        .new_game(&game)
                        .and_then(|()| player.choose(&Turn::first(position, &limits)));
                    chosen.map(|choice| choice.mv).map_err(|fault| {
                        let fen = position.to_fen();
                        anyhow!("{name} failed in {fen}: {fault}")
                    })
                };
                let positions = positions.enumerate();
                positions.map(choose).collect::<anyhow::Result<_>>()?
            }
        };
        Ok(chosen[before.len()..].to_vec())
    }
}
