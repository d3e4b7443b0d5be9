//! From files of any kind to samples.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use engine::Parameters;
use rayon::prelude::*;

use super::counts::Counts;
use super::filter::{Candidate, Filter, Judge, Rejection};
use super::sample::Sample;
use super::store::{Block, Game, MAGIC, Reader, StoreError, result_code, termination_code};
use super::text;
use crate::command_line::thread_pool;

/// Blocks that are read before they are expanded in parallel.
const BATCH: usize = 64;

/// Samples and where they come from.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// In the order of files, games and plies.
    pub samples: Vec<Sample>,
    /// What was found and left out.
    pub counts: Counts,
}

/// Reads stores, CSV and EPD files, and filters their positions.
///
/// The kind of a file is known by its first bytes (stores) or its name (`.csv`). Games are numbered
/// through all files; a repeated game counts once, and so does a repeated position, with the mean of
/// its results. The result does not depend on
/// `threads`, of which 0 means all cores. Quiet positions are those of an engine with `parameters`.
///
/// # Errors
/// If a file cannot be read, is damaged, or has too many unusable lines.
pub fn expand(
    paths: &[PathBuf],
    filter: &Filter,
    parameters: &Arc<Parameters>,
    threads: usize,
) -> anyhow::Result<Samples> {
    let pool = thread_pool(threads)?;
    let mut expansion = Expansion::new(filter, parameters);
    pool.install(|| paths.iter().try_for_each(|path| expansion.read(path)))?;
    Ok(expansion.found)
}

/// A game's samples before duplicates are left out.
struct Drawn {
    /// Of its start and its moves; none if these are not known.
    hash: Option<u64>,
    candidates: Vec<Candidate>,
    counts: Counts,
}

/// How often a position occurred, and with which results.
struct Occurrences {
    /// Index of its sample: there are as many of these as positions, and memory is short.
    index: u32,
    count: u32,
    /// Sum of White's points.
    points: f64,
}

struct Expansion<'a> {
    filter: &'a Filter,
    parameters: &'a Arc<Parameters>,
    /// Hashes of the games so far.
    games: HashSet<u64>,
    /// The samples so far by the keys of their positions.
    known: HashMap<u64, Occurrences>,
    next_game: u32,
    found: Samples,
}

impl<'a> Expansion<'a> {
    fn new(filter: &'a Filter, parameters: &'a Arc<Parameters>) -> Expansion<'a> {
        Expansion {
            filter,
            parameters,
            games: HashSet::new(),
            known: HashMap::new(),
            next_game: 0,
            found: Samples::default(),
        }
    }

    fn read(&mut self, path: &Path) -> anyhow::Result<()> {
        self.found.counts.files += 1;
        if is_store(path)? { self.read_store(path) } else { self.read_text(path) }
    }

    fn read_store(&mut self, path: &Path) -> anyhow::Result<()> {
        let mut reader = Reader::open(path)?;
        let header_bytes = reader.offset();
        loop {
            let mut blocks = Vec::with_capacity(BATCH);
            while blocks.len() < BATCH
                && let Some(block) = reader.next_block()?
            {
                blocks.push(block);
            }
            if blocks.is_empty() {
                break;
            }
            let (filter, first_game) = (self.filter, self.next_game);
            let drawn = blocks
                .par_iter()
                .map_init(
                    || Judge::new(self.parameters),
                    |judge, block| draw_block(block, filter, first_game, judge),
                )
                .collect::<Result<Vec<_>, StoreError>>()?;
            for (block, games) in blocks.iter().zip(drawn) {
                self.found.counts.plain_bytes += u64::from(block.plain_bytes());
                self.found.counts.store_plies += u64::from(block.plies());
                games.into_iter().for_each(|game| self.take(game));
            }
        }
        if let Some(error) = reader.unfinished().filter(|_| !self.filter.unfinished) {
            return Err(error.into());
        }
        let bytes = reader.offset() - header_bytes;
        self.found.counts.bytes += reader.offset();
        self.found.counts.store_bytes += bytes;
        self.advance(u64::from(reader.games()))
    }

    fn read_text(&mut self, path: &Path) -> anyhow::Result<()> {
        let (filter, first_game) = (self.filter, self.next_game);
        let mut counts = Counts::default();
        let games = text::read_text(path, filter, first_game, &mut counts)?;
        self.found.counts.merge(counts);
        let count = games.len() as u64;
        let drawn: Vec<Drawn> = games
            .into_par_iter()
            .enumerate()
            // An engine is costly to make, a position quick to judge.
            .with_min_len(1024)
            .map_init(
                || Judge::new(self.parameters),
                |judge, (index, mut candidates)| {
                    let mut counts = Counts::default();
                    let game = first_game.saturating_add(index as u32);
                    filter.draw(game, &mut candidates, judge, &mut counts);
                    Drawn { hash: None, candidates, counts }
                },
            )
            .collect();
        drawn.into_iter().for_each(|game| self.take(game));
        self.advance(count)
    }

    /// Takes the samples of the next game that have not occurred before.
    fn take(&mut self, game: Drawn) {
        let found = &mut self.found;
        if game.hash.is_some_and(|hash| !self.games.insert(hash)) {
            found.counts.games += 1;
            found.counts.repeated_games += 1;
            return;
        }
        found.counts.merge(game.counts);
        for Candidate { sample, key, phase } in game.candidates {
            match self.known.entry(key) {
                Entry::Vacant(entry) => {
                    let index = found.samples.len() as u32;
                    entry.insert(Occurrences { index, count: 1, points: sample.result() });
                    found.samples.push(sample);
                    found.counts.samples += 1;
                    found.counts.phases[usize::from(phase)] += 1;
                }
                Entry::Occupied(mut entry) => {
                    let Occurrences { index, count, points } = entry.get_mut();
                    *count += 1;
                    *points += sample.result();
                    let mean = *points / f64::from(*count);
                    let sample = &mut found.samples[*index as usize];
                    *sample = sample.with_result(mean as f32);
                    found.counts.reject(Rejection::Duplicate);
                }
            }
        }
    }

    fn advance(&mut self, games: u64) -> anyhow::Result<()> {
        let next = u64::from(self.next_game) + games;
        self.next_game = u32::try_from(next).context("there are more than 4 billion games")?;
        Ok(())
    }
}

/// Whether a file begins as a store does.
fn is_store(path: &Path) -> anyhow::Result<bool> {
    let mut start = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut start))
        .with_context(|| format!("cannot read {}", path.display()))?;
    Ok(start == MAGIC)
}

/// The games of a block, with the samples drawn from each.
fn draw_block(
    block: &Block,
    filter: &Filter,
    first_game: u32,
    judge: &mut Judge,
) -> Result<Vec<Drawn>, StoreError> {
    let games = block.decode()?.into_iter().zip(block.first_game()..);
    games
        .map(|(game, index)| {
            let number = first_game.saturating_add(index);
            draw_game(&game, filter, number, judge)
                .map_err(|problem| block.damaged(format!("game {index}: {problem}")))
        })
        .collect()
}

/// The samples drawn from a game; says what is wrong if it cannot be played through.
fn draw_game(
    game: &Game,
    filter: &Filter,
    number: u32,
    judge: &mut Judge,
) -> Result<Drawn, String> {
    let mut counts = Counts::default();
    let mut candidates = Vec::new();
    let mut hasher = DefaultHasher::new();
    game.start.hash(&mut hasher);
    let points = f32::from(result_code(game.result)) / 2.0;
    game.replay(|position, index, ply| {
        ply.played.hash(&mut hasher);
        // A game is shorter than 65,536 plies: the store has two bytes for its length.
        let index = index as u16;
        let (score, played) = (ply.known_score(), Some(ply.played));
        match filter.quick_rejection(position, Some(index), score, played) {
            Some(reason) => counts.reject(reason),
            None => candidates.push(Candidate::new(
                position,
                Sample::new(position, number, index, score, points)
                    .expect("a game has no more pieces than its packed start"),
            )),
        }
    })?;
    counts.games = 1;
    counts.positions = game.plies.len() as u64;
    counts.result(points);
    counts.terminations[termination_code(game.termination)] = 1;
    filter.draw(number, &mut candidates, judge, &mut counts);
    Ok(Drawn { hash: Some(hasher.finish()), candidates, counts })
}
