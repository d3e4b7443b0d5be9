//! One game of self-play: where it starts and how it goes.

use std::fmt::Display;
use std::fs;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail, ensure};
use command_line::WrongUse;
use matches::game::MoveLimits;
use matches::openings::{self, Opening};
use matches::player::{GameStart, InProcess, Player, Turn};
use matches::playing::{
    Entrant, GameNumber, GameSettings, MemorySpan, Played, Referee, play_game_until,
};
use playable::{Numbers, Position};
use rand::seq::SliceRandom;
use rand::{Rng, RngExt};
use random::stream;
use sha2::{Digest, Sha256};
use work::{Card, Failure, Unit, UnitKind};

use super::recording::{Goal, Recording};
use crate::PackedPosition;
use crate::store::{Game, Ply, Settings};

/// Openings that are tried for one game before giving up.
const TRIES: u32 = 1000;

pub(super) struct Openings {
    /// Openings of the file, in the order in which games take them; empty without a file.
    positions: Vec<Position>,
    fingerprint: Option<String>,
}

impl Openings {
    /// Reads and shuffles the opening file, if there is one.
    ///
    /// # Errors
    /// If the file is unusable, or games would be the same because there is nothing random in them.
    pub fn load(recording: &Recording) -> anyhow::Result<Openings> {
        let (least, greatest) = recording.random_plies;
        ensure!(
            least <= greatest,
            WrongUse(format!("--random-plies {least}..{greatest} is empty"))
        );
        let Some(path) = &recording.openings else {
            if greatest == 0 {
                bail!(WrongUse("without openings and random plies all games are one".to_owned()));
            }
            return Ok(Openings { positions: Vec::new(), fingerprint: None });
        };
        let openings = openings::load(recording.numbers.game(), path)?;
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let fingerprint = hex::encode(&Sha256::digest(&bytes)[..6]);
        if let Goal::Games(games) = recording.goal
            && games as usize > openings.len()
            && greatest == 0
        {
            bail!(WrongUse(format!(
                "{games} games from the {} openings of {} would repeat themselves: give \
                 --random-plies",
                openings.len(),
                path.display()
            )));
        }
        let mut positions: Vec<Position> =
            openings.into_iter().map(|Opening { position, .. }| position).collect();
        // No game has this number, so that the order owes nothing to any game.
        positions.shuffle(&mut stream(recording.seed, u64::MAX));
        Ok(Openings { positions, fingerprint: Some(fingerprint) })
    }

    /// Hash of the opening file.
    pub fn fingerprint(&self) -> Option<&str> {
        self.fingerprint.as_deref()
    }

    /// The position from which a game's random plies are played.
    fn of_game(&self, game: playable::Game, number: u64) -> Position {
        match self.positions.len() as u64 {
            0 => game.start(),
            count => self.positions[(number % count) as usize].clone(),
        }
    }
}

/// Recorded games as units of work: a game is a function of the settings and its number.
pub(super) struct RecordedGames<'a> {
    pub numbers: &'a Numbers,
    pub settings: &'a Settings,
    pub openings: &'a Openings,
}

impl UnitKind for RecordedGames<'_> {
    type Order = ();
    type Answer = Game;

    fn card(&self) -> Card {
        Card::new("recorded games", self.settings)
    }

    fn worker(&self, _: usize) -> impl FnMut(&Unit<()>, &AtomicBool) -> Result<Game, Failure> {
        let mut players = SelfPlay::new(self.numbers, self.settings, self.openings);
        move |unit, cancel| players.play(unit.number, cancel)
    }

    fn write_answer(&self, game: &Game) -> Vec<u8> {
        game.to_bytes()
    }

    fn read_answer(&self, _: &Unit<()>, bytes: &[u8]) -> Result<Game, String> {
        let game = Game::from_bytes(self.settings.game, bytes)?;
        game.replay(|_, _, _| ()).map(|_| game)
    }
}

/// Two players with the same parameters.
pub(super) struct SelfPlay<'a> {
    white: InProcess,
    black: InProcess,
    settings: &'a Settings,
    openings: &'a Openings,
    limits: MoveLimits,
    referee: Referee,
}

impl<'a> SelfPlay<'a> {
    pub fn new(numbers: &Numbers, settings: &'a Settings, openings: &'a Openings) -> SelfPlay<'a> {
        SelfPlay {
            white: InProcess::new(numbers, settings.hash),
            black: InProcess::new(numbers, settings.hash),
            settings,
            openings,
            limits: MoveLimits::nodes(settings.nodes),
            referee: Referee::from(GameSettings {
                adjudication: settings.adjudication,
                max_plies: settings.max_plies,
                memory: MemorySpan::Game,
                audit: 0,
            }),
        }
    }

    /// Plays the game of a number.
    ///
    /// # Errors
    /// If it is cancelled, no opening is found, or the engine plays against the rules.
    pub fn play(&mut self, number: u64, cancel: &AtomicBool) -> Result<Game, Failure> {
        let failed = |reason: &dyn Display| Failure::Reason(format!("game {number}: {reason}"));
        let start = self.opening(number).map_err(|error| failed(&format_args!("{error:#}")))?;
        let seats = [&mut self.white, &mut self.black]
            .map(|player| Entrant { player, limits: &self.limits });
        let number_in_run = GameNumber { seed: self.settings.seed, number, fresh: true };
        let record = match play_game_until(&start, seats, &self.referee, number_in_run, cancel) {
            Played::Finished(record) => record,
            Played::Cancelled => return Err(Failure::Cancelled),
            Played::Stalled(stall) => return Err(failed(&stall.reason)),
            Played::StoodStill(still) => {
                return Err(failed(&format_args!("stood still for {still:.1?}")));
            }
            Played::Damaged(table) => return Err(failed(&table)),
        };
        if let Some((_, fault)) = record.faults.first() {
            let fen = start.to_fen();
            return Err(failed(&format_args!("the engine failed from {fen}: {fault}")));
        }
        let plies = record.plies.iter().map(|ply| Ply::new(ply.mv, ply.score));
        Ok(Game {
            start: PackedPosition::pack(&start).map_err(|error| failed(&error))?,
            plies: plies.collect(),
            result: record.result,
            termination: record.termination,
        })
    }

    /// Where a game starts: undecided as the engine sees it, and without a past.
    fn opening(&mut self, number: u64) -> anyhow::Result<Position> {
        let (least, greatest) = self.settings.random_plies;
        let mut random = stream(self.settings.seed, number);
        let from = self.openings.of_game(self.settings.game, number);
        for _ in 0..TRIES {
            let plies = random.random_range(least..=greatest);
            let Some(mut position) = play_random(from.clone(), plies, &mut random) else {
                continue;
            };
            position.forget_past();
            // An opening of the file is what it is: trying again would give no other.
            if greatest == 0 || !self.is_decided(&position)? {
                return Ok(position);
            }
        }
        bail!("none of {TRIES} random openings scores within {} centipawns", self.settings.decided)
    }

    fn is_decided(&mut self, position: &Position) -> anyhow::Result<bool> {
        self.white.new_game(&GameStart::fresh(position))?;
        let score = self.white.choose(&Turn::first(position, &self.limits))?.score;
        Ok(score.is_some_and(|score| score.abs() > self.settings.decided))
    }
}

/// The position after so many random moves; none if the game is over there.
fn play_random(mut position: Position, plies: u32, random: &mut impl Rng) -> Option<Position> {
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        position.play(moves[random.random_range(0..moves.len())]);
    }
    position.outcome().is_none().then_some(position)
}
