//! From files of any form to samples.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::BufRead;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use chess::games;
use command_line::thread_pool;
use indicatif::{ProgressBar, ProgressStyle};
use playable::Numbers;
use rayon::prelude::*;
use system::text::Text;

use super::compression;
use super::counts::{BadLines, Counts, Rejection};
use super::filter::{Candidate, Filter, Judge};
use super::lookahead;
use super::records::{bulletformat, viriformat};
use super::rows::{OfGame, TakeGames, check_share};
use super::sample::Sample;
use super::source::{Form, Source};
use super::store::{Block, Game, Reader, result_code};
use super::{selection, text};

/// Blocks that are read before they are expanded in parallel.
const BATCH: usize = 64;
/// The same for games.
const BATCH_GAMES: usize = 4096;
/// Bytes of games after which there are fewer of both, because each may be long.
const BATCH_BYTES: usize = 4 << 20;
/// Games that are worth an engine, which is costly to make.
const GAMES_AN_ENGINE: usize = 16;

/// Samples and where they come from.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// In the order of files, games and plies.
    pub samples: Vec<Sample>,
    /// Counts of positions read and left out.
    pub counts: Counts,
}

/// Reads files of any form, and filters their positions: [`expand_sources`] with all of each file.
///
/// # Errors
/// As [`expand_sources`].
pub fn expand(
    paths: &[PathBuf],
    filter: &Filter,
    numbers: &Numbers,
    threads: usize,
) -> anyhow::Result<Samples> {
    let sources: Vec<Source> = paths.iter().map(|path| Source::new(path, None, filter)).collect();
    expand_sources(&sources, numbers, threads)
}

/// Reads sources and filters their positions.
///
/// The form of a file is known by its first bytes (stores) or its name, unless the source says it.
/// Games are numbered through all files; a repeated game counts once, and so does a repeated
/// position, with the mean of its results. The result does not depend on `threads`, of which 0 means
/// all cores. Quiet positions are those of an engine with these `numbers`, whose game
/// the positions are of.
///
/// # Errors
/// If a file cannot be read, is damaged, or has too many unusable lines.
pub fn expand_sources(
    sources: &[Source],
    numbers: &Numbers,
    threads: usize,
) -> anyhow::Result<Samples> {
    let pool = thread_pool(threads)?;
    let mut expansion = Expansion::new(sources, numbers)?;
    pool.install(|| sources.iter().try_for_each(|source| expansion.read(source)))?;
    expansion.bar.finish_and_clear();
    let Samples { samples, mut counts } = expansion.found;
    let samples = if sources.iter().all(|source| source.weight == 1.0) {
        samples
    } else {
        let samples = selection::weigh(samples, sources, &expansion.starts);
        counts.weighted_samples = Some(samples.len() as u64);
        samples
    };
    Ok(Samples { samples, counts })
}

/// The samples of a game, or of several whose moves are not known, before duplicates are left out.
struct Drawn {
    /// Of its start and its moves.
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
    numbers: &'a Numbers,
    /// The scale of scores where those of later plies are averaged.
    scale: f64,
    /// How much of the files has been read, on a terminal.
    bar: ProgressBar,
    /// Hashes of the games so far.
    games: HashSet<u64>,
    /// The samples so far by the keys of their positions.
    known: HashMap<u64, Occurrences>,
    next_game: u32,
    /// Index of each source's first sample.
    starts: Vec<usize>,
    found: Samples,
}

impl<'a> Expansion<'a> {
    /// # Errors
    /// If sources that look ahead hold no whole games or cannot be read.
    fn new(sources: &[Source], numbers: &'a Numbers) -> anyhow::Result<Expansion<'a>> {
        Ok(Expansion {
            numbers,
            scale: lookahead::scale(sources)?,
            bar: bar(sources),
            games: HashSet::new(),
            known: HashMap::new(),
            next_game: 0,
            starts: Vec::new(),
            found: Samples::default(),
        })
    }

    fn read(&mut self, source: &Source) -> anyhow::Result<()> {
        self.found.counts.files += 1;
        let first = self.found.samples.len();
        self.starts.push(first);
        let tables = match source.filter.syzygy.as_slice() {
            [] => None,
            folders => Some(self.numbers.game().oracle(folders)?),
        };
        let numbers = self.numbers;
        let judge = || Judge::new(numbers, tables.as_deref());
        let mut file = compression::open(&source.path, &self.bar)?;
        let cannot_read = || format!("cannot read {}", source.path.display());
        let start = file.fill_buf().with_context(cannot_read)?;
        let game = self.numbers.game();
        let form = source.form_of(start);
        ensure!(
            games::is_usual(&game) || !matches!(form, Form::Viriformat | Form::Bulletformat),
            "{}: {form} holds positions of chess, not of {}",
            source.path.display(),
            game.name()
        );
        match form {
            Form::Store => self.read_store(source, file, judge)?,
            Form::Viriformat => self.read_viriformat(source, file, judge)?,
            form @ (Form::Csv | Form::Text) => {
                self.read_rows(source, judge, |first_game, take| {
                    let file = Text::new(file).with_context(cannot_read)?;
                    text::read(game, source, file, form == Form::Csv, first_game, take)
                })?
            }
            Form::Bulletformat => self.read_rows(source, judge, |first_game, take| {
                bulletformat::read(source, file, first_game, take)
            })?,
        }
        if let Some(limit) = source.positions {
            self.limit(first, limit, source.filter.sample_seed);
        }
        Ok(())
    }

    fn read_store<'j>(
        &mut self,
        source: &Source,
        file: Box<dyn BufRead + Send>,
        judge: impl Fn() -> Judge<'j> + Sync,
    ) -> anyhow::Result<()> {
        let mut reader = Reader::new(file, &source.path)?;
        let header_bytes = reader.offset();
        let (found, wanted) = (reader.settings().game, self.numbers.game());
        ensure!(
            found == wanted,
            "{}: positions of {}, not of {}",
            source.path.display(),
            found.name(),
            wanted.name()
        );
        loop {
            let (mut blocks, mut bytes) = (Vec::with_capacity(BATCH), 0);
            while blocks.len() < BATCH
                && bytes < BATCH_BYTES
                && let Some(block) = reader.next_block()?
            {
                bytes += block.plain_bytes() as usize;
                blocks.push(block);
            }
            if blocks.is_empty() {
                break;
            }
            let games = blocks.par_iter().map(|block| Ok((block, block.decode()?)));
            let games = games.collect::<anyhow::Result<Vec<_>>>()?;
            for block in &blocks {
                self.found.counts.plain_bytes += u64::from(block.plain_bytes());
                self.found.counts.store_plies += u64::from(block.plies());
            }
            let (filter, first_game, scale) = (&source.filter, self.next_game, self.scale);
            let games: Vec<_> =
                games.iter().flat_map(|(block, games)| in_block(block, games)).collect();
            for games in games.chunks(BATCH_GAMES) {
                let drawn = games
                    .par_iter()
                    .with_min_len(GAMES_AN_ENGINE)
                    .map_init(&judge, |judge, &(block, index, game)| {
                        let number = first_game.saturating_add(index);
                        draw_game(game, filter, number, scale, judge)
                            .map_err(|problem| block.damaged(format!("game {index}: {problem}")))?
                    })
                    .collect::<anyhow::Result<Vec<_>>>()?;
                drawn.into_iter().for_each(|game| self.take(game, filter));
            }
        }
        if let Some(error) = reader.unfinished().filter(|_| !source.filter.unfinished) {
            return Err(error.into());
        }
        let bytes = reader.offset() - header_bytes;
        self.found.counts.store_bytes += bytes;
        self.advance(u64::from(reader.games()))
    }

    fn read_viriformat<'j>(
        &mut self,
        source: &Source,
        file: Box<dyn BufRead + Send>,
        judge: impl Fn() -> Judge<'j> + Sync,
    ) -> anyhow::Result<()> {
        let (path, filter, first_game) = (&source.path, &source.filter, self.next_game);
        let scale = self.scale;
        let mut reader = viriformat::Reader::new(file, path);
        let mut broken = BadLines::default();
        loop {
            let (mut raw, mut bytes) = (Vec::new(), 0);
            while raw.len() < BATCH_GAMES
                && bytes < BATCH_BYTES
                && let Some(game) = reader.next_game()?
            {
                bytes += game.bytes();
                raw.push(game);
            }
            if raw.is_empty() {
                break;
            }
            let drawn = raw
                .par_iter()
                .with_min_len(GAMES_AN_ENGINE)
                .map_init(&judge, |judge, raw| {
                    let number = u64::from(first_game).saturating_add(raw.number - 1);
                    let number = u32::try_from(number).unwrap_or(u32::MAX);
                    raw.decode().and_then(|game| draw_game(&game, filter, number, scale, judge))
                })
                .collect::<Vec<_>>();
            for (raw, drawn) in raw.iter().zip(drawn) {
                match drawn {
                    Ok(drawn) => self.take(drawn?, filter),
                    Err(problem) => broken.add(|| raw.describe(path, &problem)),
                }
            }
        }
        check_share(path, "games", &broken, reader.games(), filter.bad_lines_max)?;
        let extensions = reader.extensions().clone();
        self.found.counts.merge(Counts { bad_lines: broken, extensions, ..Counts::default() });
        ensure!(reader.games() > 0, "{} holds no games", path.display());
        self.advance(reader.games())
    }

    fn read_rows<'j>(
        &mut self,
        source: &Source,
        judge: impl Fn() -> Judge<'j> + Sync,
        read: impl FnOnce(u32, TakeGames) -> anyhow::Result<Counts>,
    ) -> anyhow::Result<()> {
        let (filter, first_game) = (&source.filter, self.next_game);
        let counts = read(first_game, &mut |games| {
            for group in pieces(games).chunks(BATCH) {
                let drawn = group
                    .par_iter()
                    .map_init(&judge, |judge, piece| draw_rows(piece, filter, first_game, judge))
                    .collect::<anyhow::Result<Vec<_>>>()?;
                drawn.into_iter().for_each(|drawn| self.take(drawn, filter));
            }
            Ok(())
        })?;
        self.advance(counts.games)?;
        self.found.counts.merge(counts);
        Ok(())
    }

    /// Takes the samples of what comes next, and of repeated positions the mean of their results unless
    /// they are to be kept.
    fn take(&mut self, game: Drawn, filter: &Filter) {
        let found = &mut self.found;
        if game.hash.is_some_and(|hash| !self.games.insert(hash)) {
            found.counts.games += 1;
            found.counts.repeated_games += 1;
            return;
        }
        found.counts.merge(game.counts);
        for Candidate { sample, key, phase } in game.candidates {
            let index = found.samples.len() as u32;
            if !filter.keep_duplicates {
                match self.known.entry(key) {
                    Entry::Vacant(entry) => {
                        entry.insert(Occurrences { index, count: 1, points: sample.result() });
                    }
                    Entry::Occupied(mut entry) => {
                        let Occurrences { index, count, points } = entry.get_mut();
                        *count += 1;
                        *points += sample.result();
                        let mean = *points / f64::from(*count);
                        let sample = &mut found.samples[*index as usize];
                        *sample = sample.with_result(mean as f32);
                        found.counts.reject(Rejection::Duplicate);
                        continue;
                    }
                }
            }
            found.samples.push(sample);
            found.counts.samples += 1;
            found.counts.phases[usize::from(phase)] += 1;
        }
    }

    /// Keeps so many of the samples from `first` on, drawn at random.
    fn limit(&mut self, first: usize, limit: usize, seed: u64) {
        let Samples { samples, counts } = &mut self.found;
        let count = samples.len() - first;
        if count <= limit {
            return;
        }
        let kept = selection::draw(count, limit, seed, self.starts.len() as u64);
        // Where a sample goes; none if it is left out.
        let mut places = vec![None; count];
        for (place, index) in kept.into_iter().enumerate() {
            places[index] = Some(first + place);
        }
        for (index, place) in places.iter().enumerate() {
            let sample = samples[first + index];
            match *place {
                Some(place) => samples[place] = sample,
                None => {
                    counts.reject(Rejection::BeyondLimit);
                    counts.samples -= 1;
                    counts.phases[usize::from(sample.position().phase())] -= 1;
                }
            }
        }
        samples.truncate(first + limit);
        self.known.retain(|_, known| {
            let Some(index) = (known.index as usize).checked_sub(first) else { return true };
            places[index].inspect(|&place| known.index = place as u32).is_some()
        });
    }

    fn advance(&mut self, games: u64) -> anyhow::Result<()> {
        let next = u64::from(self.next_game) + games;
        self.next_game = u32::try_from(next).context("there are more than 4 billion games")?;
        Ok(())
    }
}

/// A bar over the bytes of the files, where standard error is a terminal.
fn bar(sources: &[Source]) -> ProgressBar {
    let bytes = |source: &Source| fs::metadata(&source.path).map_or(0, |file| file.len());
    let bar = ProgressBar::new(sources.iter().map(bytes).sum());
    let style =
        ProgressStyle::with_template("reading {wide_bar} {bytes}/{total_bytes}, {eta} left");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Successive games of rows in pieces of so many rows or more, each worth an engine: one is costly to
/// make, a position quick to judge.
fn pieces(rows: &[OfGame]) -> Vec<&[OfGame]> {
    const ROWS: usize = 1024;
    let mut pieces = Vec::new();
    let mut rest = rows;
    while let Some(last) = rest.get(ROWS - 1).or(rest.last()) {
        let end = rest.partition_point(|row| row.game <= last.game);
        let (piece, behind) = rest.split_at(end);
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

/// The samples drawn from successive games of rows.
fn draw_rows(
    rows: &[OfGame],
    filter: &Filter,
    first_game: u32,
    judge: &mut Judge<'_>,
) -> anyhow::Result<Drawn> {
    let mut drawn = Drawn { hash: None, candidates: Vec::new(), counts: Counts::default() };
    for game in rows.chunk_by(|one, next| one.game == next.game) {
        let mut candidates: Vec<Candidate> = game.iter().map(|row| row.candidate).collect();
        let number = first_game + game[0].game;
        filter.draw(number, &mut candidates, judge, &mut drawn.counts)?;
        drawn.candidates.extend(candidates);
    }
    Ok(drawn)
}

/// The games of a block with their indices in the store.
fn in_block<'a>(
    block: &'a Block,
    games: &'a [Game],
) -> impl Iterator<Item = (&'a Block, u32, &'a Game)> {
    (block.first_game()..).zip(games).map(move |(index, game)| (block, index, game))
}

/// The samples drawn from a game, unless a table is damaged; says what is wrong with the game itself if
/// it cannot be played through.
fn draw_game(
    game: &Game,
    filter: &Filter,
    number: u32,
    scale: f64,
    judge: &mut Judge<'_>,
) -> Result<anyhow::Result<Drawn>, String> {
    let mut counts = Counts::default();
    let mut candidates = Vec::new();
    let mut hasher = DefaultHasher::new();
    game.start.hash(&mut hasher);
    let points = f32::from(result_code(game.result)) / 2.0;
    let labels = lookahead::scores(game, filter.lookahead, scale);
    game.replay(|position, index, ply| {
        ply.played.hash(&mut hasher);
        let label = labels[index];
        // A game is shorter than 65,536 plies: the store has two bytes for its length.
        let index = index as u16;
        let (score, played) = (ply.known_score(), Some(ply.played));
        match filter.quick_rejection(position, Some(index), score, played) {
            Some(reason) => counts.reject(reason),
            None => candidates.push(Candidate::new(
                position,
                Sample::new(position, number, index, label, points)
                    .expect("a game has no more pieces than its packed start"),
            )),
        }
    })?;
    counts.games = 1;
    counts.positions = game.plies.len() as u64;
    counts.result(points);
    counts.terminations.insert(game.termination, 1);
    let drawn = filter.draw(number, &mut candidates, judge, &mut counts);
    Ok(drawn.map(|()| Drawn { hash: Some(hasher.finish()), candidates, counts }))
}
