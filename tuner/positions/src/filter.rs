//! The filter of positions that are fit to learn from.

use std::path::PathBuf;

use clap::Args;
use command_line::{count, within};
use playable::{GameResult, Move, Numbers, Oracle, Position, Quiescence};
use rand::seq::SliceRandom;
use random::stream;
use serde::{Deserialize, Serialize};

use super::counts::{Counts, Rejection};
use super::sample::Sample;

/// Most positions a game that may be asked for.
pub const PER_GAME_MAX: u64 = 65_535;
/// Greatest quiet margin that may be asked for (centipawns).
const QUIET_MARGIN_MAX: i32 = 40_000;

/// Which positions are fit to learn from, and what stands for them. The names of the fields are those
/// of a job file.
#[derive(Args, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Filter {
    /// Positions a game at most, drawn at random; 0 means all.
    #[arg(long, default_value_t = Filter::default().per_game, value_name = "N",
          value_parser = count(0, PER_GAME_MAX))]
    pub per_game: usize,
    /// Greatest difference of evaluation and quiescence search (centipawns).
    #[arg(long, default_value_t = Filter::default().quiet_margin, value_name = "CENTIPAWNS",
          value_parser = clap::value_parser!(i32).range(0..=i64::from(QUIET_MARGIN_MAX)))]
    pub quiet_margin: i32,
    /// Plies left out at the start of each recorded game.
    #[arg(long, default_value_t = Filter::default().min_ply, value_name = "PLIES")]
    pub min_ply: u16,
    /// Greatest score, of either side (centipawns).
    #[arg(long, default_value_t = Filter::default().max_score, value_name = "CENTIPAWNS")]
    pub max_score: u16,
    /// Keep positions in check, before captures and promotions, and beyond the quiet margin.
    #[arg(long, conflicts_with = "quiet_margin")]
    pub keep_noisy: bool,
    /// Let the position at the end of the quiescence search's best line stand for each, instead of
    /// leaving out those that are not quiet
    #[arg(long, conflicts_with_all = ["quiet_margin", "keep_noisy"])]
    pub resolve: bool,
    /// Keep positions that occur again, each with its own result
    #[arg(long)]
    pub keep_duplicates: bool,
    /// Leave out positions without a score
    #[arg(long)]
    pub scored: bool,
    /// In place of a position's score, the mean of those from it to the end of its game, whose weight
    /// falls to 1/e in so many plies, with the result behind them: what became of the position
    /// (temporal differences, TD(λ)). 0: its own score. For whole games.
    #[arg(long, default_value_t = Filter::default().lookahead, value_name = "PLIES")]
    pub lookahead: u16,
    /// Folder of Syzygy tables (.rtbw), which may be given several times: positions for which there
    /// is a table take its result instead of the game's. The fifty moves are taken to begin anew, and
    /// a win that they prevent is a draw.
    #[arg(long, value_name = "FOLDER")]
    pub syzygy: Vec<PathBuf>,
    /// Seed of the drawing of positions from each game.
    #[arg(long, default_value_t = Filter::default().sample_seed, value_name = "SEED")]
    pub sample_seed: u64,
    /// Share of unusable lines, records or games in a file beyond which it is refused.
    #[arg(long, default_value_t = Filter::default().bad_lines_max, value_name = "SHARE",
          value_parser = within(0.0, 1.0))]
    pub bad_lines_max: f64,
    /// Read a store that was not finished as far as its whole blocks go.
    #[arg(long)]
    pub unfinished: bool,
}

impl Filter {
    /// Lets everything through, as often as it occurs.
    pub fn everything() -> Filter {
        Filter {
            per_game: 0,
            min_ply: 0,
            max_score: u16::MAX,
            keep_noisy: true,
            keep_duplicates: true,
            ..Filter::default()
        }
    }

    /// The option of the command line that asks for something else than usual, if one does.
    pub fn unusual(&self) -> Option<String> {
        let fields = |filter: &Filter| serde_json::to_value(filter).expect("numbers and words");
        let (own, usual) = (fields(self), fields(&Filter::default()));
        let names = own.as_object().into_iter().flat_map(|own| own.keys());
        let name = names.into_iter().find(|&name| own[name] != usual[name])?;
        Some(format!("--{}", name.replace('_', "-")))
    }
}

impl Default for Filter {
    fn default() -> Filter {
        Filter {
            per_game: 16,
            quiet_margin: 60,
            min_ply: 4,
            max_score: 1000,
            keep_noisy: false,
            resolve: false,
            keep_duplicates: false,
            scored: false,
            lookahead: 0,
            syzygy: Vec::new(),
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
        Candidate { sample, key: position.key(), phase: position.phase() }
    }
}

impl Filter {
    /// Whether all numbers are within their bounds, as the command line asks it; says what is not.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.per_game as u64 > PER_GAME_MAX {
            return Err(format!("{} is not in 0..={PER_GAME_MAX}", self.per_game));
        }
        if !(0..=QUIET_MARGIN_MAX).contains(&self.quiet_margin) {
            return Err(format!("{} is not in 0..={QUIET_MARGIN_MAX}", self.quiet_margin));
        }
        if !(0.0..=1.0).contains(&self.bad_lines_max) {
            return Err(format!("{} is not from 0 to 1", self.bad_lines_max));
        }
        Ok(())
    }

    /// The tests that cost little. `ply` and `played` are none where the source does not say.
    pub(super) fn quick_rejection(
        &self,
        position: &Position,
        ply: Option<u16>,
        score: Option<i16>,
        played: Option<Move>,
    ) -> Option<Rejection> {
        // A resolved position becomes quiet.
        let takes_noisy = self.keep_noisy || self.resolve;
        if ply.is_some_and(|ply| ply < self.min_ply) {
            Some(Rejection::EarlyPly)
        } else if score.is_some_and(|score| score.unsigned_abs() > self.max_score) {
            Some(Rejection::LargeScore)
        } else if self.scored && score.is_none() {
            Some(Rejection::NoScore)
        } else if !takes_noisy && position.in_check() {
            Some(Rejection::InCheck)
        } else if !takes_noisy && played.is_some_and(|played| position.is_noisy(played)) {
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
    ///
    /// # Errors
    /// A table that would have to be read is damaged.
    pub(super) fn draw(
        &self,
        game: u32,
        candidates: &mut Vec<Candidate>,
        judge: &mut Judge<'_>,
        counts: &mut Counts,
    ) -> anyhow::Result<()> {
        let wanted = if self.per_game == 0 { usize::MAX } else { self.per_game };
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        if wanted < order.len() {
            order.shuffle(&mut stream(self.sample_seed, u64::from(game)));
        }
        let mut chosen = Vec::with_capacity(order.len().min(wanted));
        for index in order {
            if chosen.len() == wanted {
                counts.reject(Rejection::NotDrawn);
            } else {
                match self.settle(&mut candidates[index], judge, counts)? {
                    Some(reason) => counts.reject(reason),
                    None => chosen.push(index),
                }
            }
        }
        chosen.sort_unstable();
        *candidates = chosen.into_iter().map(|index| candidates[index]).collect();
        Ok(())
    }

    /// Makes the costly tests, and of a candidate that passes them what it is to stand for.
    fn settle(
        &self,
        candidate: &mut Candidate,
        judge: &mut Judge<'_>,
        counts: &mut Counts,
    ) -> anyhow::Result<Option<Rejection>> {
        if self.resolve {
            let leaf = judge.leaf(&candidate.sample);
            if !leaf.has_legal_move() {
                return Ok(Some(Rejection::Over));
            }
            if leaf.key() != candidate.key {
                counts.resolved += 1;
                *candidate = Candidate::new(&leaf, candidate.sample.with_position(&leaf)?);
            }
        } else if !self.keep_noisy && !judge.is_quiet(self.quiet_margin, &candidate.sample) {
            return Ok(Some(Rejection::NotQuiet));
        }
        if let Some(points) = judge.table_points(&candidate.sample)? {
            counts.table_results += 1;
            counts.table_changes += u64::from(points != candidate.sample.result() as f32);
            candidate.sample = candidate.sample.with_result(points);
        }
        Ok(None)
    }
}

/// Judges whether positions are quiet, with an engine of its own, and what tables say of them.
pub(super) struct Judge<'a> {
    engine: Box<dyn Quiescence>,
    tables: Option<&'a dyn Oracle>,
}

impl<'a> Judge<'a> {
    pub fn new(numbers: &Numbers, tables: Option<&'a dyn Oracle>) -> Judge<'a> {
        Judge { engine: numbers.game().judge(numbers), tables }
    }

    /// The position at the end of the best line of the quiescence search.
    fn leaf(&mut self, sample: &Sample) -> Position {
        let mut position = sample.position();
        for played in self.engine.quiescence(&position).1 {
            position.play(played);
        }
        position.forget_past();
        position
    }

    /// White's points under perfect play, if a table knows them.
    fn table_points(&self, sample: &Sample) -> anyhow::Result<Option<f32>> {
        let Some(tables) = &self.tables else { return Ok(None) };
        Ok(tables.result_anew(&sample.position())?.map(|known| match known {
            GameResult::BlackWins => 0.0,
            GameResult::Draw => 0.5,
            GameResult::WhiteWins => 1.0,
        }))
    }

    /// Whether evaluation and quiescence search agree within the margin.
    fn is_quiet(&mut self, margin: i32, sample: &Sample) -> bool {
        let position = sample.position();
        let difference = self.engine.evaluate(&position) - self.engine.quiescence(&position).0;
        difference.abs() <= margin
    }
}
