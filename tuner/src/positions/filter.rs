//! Which positions are fit to learn from.

use std::sync::Arc;

use clap::Args;
use engine::Engine;
use engine::Parameters;
use engine::chess::{Move, PieceType, Position};
use rand::seq::SliceRandom;
use sprt::random::stream;

use super::counts::Counts;
use super::sample::Sample;
use crate::command_line::{count, within};

/// Why a position is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Rejection {
    /// Too near the start of the game, where positions are alike.
    EarlyPly,
    /// The game is decided.
    LargeScore,
    /// No move is left.
    Over,
    /// The side to move is in check.
    InCheck,
    /// The move played captures or promotes: the value is about to change.
    NoisyMove,
    /// Evaluation and quiescence search disagree: something hangs.
    NotQuiet,
    /// The game gave enough other positions.
    NotDrawn,
    /// The position occurred before, and its result went into the mean of the results.
    Duplicate,
}

impl Rejection {
    /// All reasons, in the order of their index.
    pub const ALL: [Rejection; 8] = [
        Rejection::EarlyPly,
        Rejection::LargeScore,
        Rejection::Over,
        Rejection::InCheck,
        Rejection::NoisyMove,
        Rejection::NotQuiet,
        Rejection::NotDrawn,
        Rejection::Duplicate,
    ];

    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Rejection::EarlyPly => "first plies",
            Rejection::LargeScore => "large score",
            Rejection::Over => "game over",
            Rejection::InCheck => "in check",
            Rejection::NoisyMove => "capture or promotion next",
            Rejection::NotQuiet => "not quiet",
            Rejection::NotDrawn => "enough of its game",
            Rejection::Duplicate => "duplicate",
        }
    }
}

/// Which positions are fit to learn from.
#[derive(Args, Clone, PartialEq, Debug)]
pub struct Filter {
    /// Positions a game at most, drawn at random; 0 means all.
    #[arg(long, default_value_t = Filter::default().per_game, value_name = "N",
          value_parser = count(0, 65_535))]
    pub per_game: usize,
    /// Greatest difference of evaluation and quiescence search (centipawns).
    #[arg(long, default_value_t = Filter::default().quiet_margin, value_name = "CENTIPAWNS",
          value_parser = clap::value_parser!(i32).range(0..=40_000))]
    pub quiet_margin: i32,
    /// Plies left out at the start of each recorded game.
    #[arg(long, default_value_t = Filter::default().min_ply, value_name = "PLIES")]
    pub min_ply: u16,
    /// Greatest score, of either side (centipawns).
    #[arg(long, default_value_t = Filter::default().max_score, value_name = "CENTIPAWNS")]
    pub max_score: u16,
    /// Keep positions in check, before captures and promotions, and beyond the quiet margin.
    #[arg(long)]
    pub keep_noisy: bool,
    /// Seed of the drawing of positions from each game.
    #[arg(long, default_value_t = Filter::default().sample_seed, value_name = "SEED")]
    pub sample_seed: u64,
    /// Share of unusable lines in a text file beyond which it is refused.
    #[arg(long, default_value_t = Filter::default().bad_lines_max, value_name = "SHARE",
          value_parser = within(0.0, 1.0))]
    pub bad_lines_max: f64,
    /// Read a store that was not finished as far as its whole blocks go.
    #[arg(long)]
    pub unfinished: bool,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter {
            per_game: 16,
            quiet_margin: 60,
            min_ply: 4,
            max_score: 1000,
            keep_noisy: false,
            sample_seed: 1,
            bad_lines_max: 0.01,
            unfinished: false,
        }
    }
}

/// A position that passed all but the costly tests.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub sample: Sample,
    pub key: u64,
    /// Material other than pawns, from 0 (none) to 24 (that of the start).
    pub phase: u8,
}

impl Candidate {
    /// A candidate; the sample is that of the position.
    pub fn new(position: &Position, sample: Sample) -> Candidate {
        Candidate { sample, key: position.key(), phase: phase(position) }
    }
}

impl Filter {
    /// The tests that cost little. `ply` and `played` are none where the source does not say.
    pub(super) fn quick_rejection(
        &self,
        position: &Position,
        ply: Option<u16>,
        score: Option<i16>,
        played: Option<Move>,
    ) -> Option<Rejection> {
        if ply.is_some_and(|ply| ply < self.min_ply) {
            Some(Rejection::EarlyPly)
        } else if score.is_some_and(|score| score.unsigned_abs() > self.max_score) {
            Some(Rejection::LargeScore)
        } else if !self.keep_noisy && position.in_check() {
            Some(Rejection::InCheck)
        } else if !self.keep_noisy && played.is_some_and(|played| position.is_noisy(played)) {
            Some(Rejection::NoisyMove)
        } else if !position.has_legal_move() {
            Some(Rejection::Over)
        } else {
            None
        }
    }

    /// Draws the samples of a game from its candidates and counts why the others are left out.
    ///
    /// The order in which candidates are tried depends on seed and game alone, and the costly tests
    /// are made only until there are enough.
    pub(super) fn draw(
        &self,
        game: u32,
        candidates: &mut Vec<Candidate>,
        judge: &mut Judge,
        counts: &mut Counts,
    ) {
        let wanted = if self.per_game == 0 { usize::MAX } else { self.per_game };
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        if wanted < order.len() {
            order.shuffle(&mut stream(self.sample_seed, u64::from(game)));
        }
        let mut chosen = Vec::with_capacity(order.len().min(wanted));
        for index in order {
            if chosen.len() == wanted {
                counts.reject(Rejection::NotDrawn);
            } else if !self.keep_noisy
                && !judge.is_quiet(self.quiet_margin, &candidates[index].sample)
            {
                counts.reject(Rejection::NotQuiet);
            } else {
                chosen.push(index);
            }
        }
        chosen.sort_unstable();
        *candidates = chosen.into_iter().map(|index| candidates[index]).collect();
    }
}

/// Judges whether positions are quiet, with an engine of its own.
pub(super) struct Judge {
    engine: Engine,
}

impl Judge {
    pub fn new(parameters: &Arc<Parameters>) -> Judge {
        // Neither evaluation nor quiescence search reads the hash table.
        Judge { engine: Engine::new(parameters.clone(), 0) }
    }

    /// Whether evaluation and quiescence search agree within the margin.
    fn is_quiet(&mut self, margin: i32, sample: &Sample) -> bool {
        let position = sample.position();
        let difference = self.engine.evaluate(&position) - self.engine.quiescence(&position);
        difference.abs() <= margin
    }
}

/// Material other than pawns: 1 for a minor piece, 2 for a rook, 4 for a queen, 24 at most.
fn phase(position: &Position) -> u8 {
    let weights = [
        (PieceType::Knight, 1),
        (PieceType::Bishop, 1),
        (PieceType::Rook, 2),
        (PieceType::Queen, 4),
    ];
    let sum: u32 = weights.iter().map(|&(kind, weight)| weight * position.kind(kind).count()).sum();
    sum.min(24) as u8
}
