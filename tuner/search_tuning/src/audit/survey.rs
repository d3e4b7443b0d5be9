//! Audits of searches in recorded positions.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::ensure;
use command_line::thread_pool;
use indicatif::{ProgressBar, ProgressStyle};
use playable::{Auditing, Game, Limits, Numbers, Position};
use positions::{self, Filter, Purpose, Shares, purpose_of};
use rand::seq::SliceRandom;
use random::{draws, stream};
use rayon::prelude::*;
use search::{AuditSettings, Cut, DEPTHS, Rule, Tally, Verdict};
use serde::Serialize;
use system::files;

/// Share of the games that models are not fitted to.
const HELD_OUT: f64 = 0.5;
/// Positions a game at most: those of one game are alike.
const PER_GAME: usize = 4;
/// Greatest score of a recorded position (centipawns): a decided game is searched otherwise.
const MAX_SCORE: u16 = 600;
/// Cuts of a rule at a depth that are looked into in a search, unless more or fewer are asked for.
pub const SAMPLES: usize = 8;
/// Transposition table of each search (megabytes): no search here fills more.
const HASH_MEGABYTES: usize = 1;

/// The searches to audit, and how.
#[derive(Clone, Debug)]
pub struct SurveySettings {
    /// Files of recorded positions.
    pub positions: Vec<PathBuf>,
    /// Positions to search; half of them are held out.
    pub count: usize,
    /// Nodes of each search.
    pub nodes: u64,
    /// Most cuts of a rule at a depth that are looked into, in each search.
    pub samples: usize,
    /// Most nodes of a shadow search.
    pub shadow_nodes: u64,
    /// Seed of all randomness.
    pub seed: u64,
    /// Searches at a time; the result does not depend on it.
    pub threads: usize,
}

/// A cut that was looked into, and where.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Record {
    /// Number of the position among those searched.
    pub position: u32,
    /// Number of its game in the files.
    pub game: u32,
    /// Models are not fitted to it.
    pub held_out: bool,
    /// The cut with its measures.
    pub cut: Cut,
}

/// The cuts of all positions.
#[derive(Clone, Debug)]
pub struct Survey {
    /// By game and position, in the order of each search.
    pub records: Vec<Record>,
    /// All cuts, by rule in the order of [`Rule::ALL`] and depth.
    pub tallies: [[Tally; DEPTHS]; Rule::ALL.len()],
    /// Number of positions searched.
    pub positions: usize,
    /// Number of games that they are of.
    pub games: usize,
    /// Nodes of all searches, without those of shadow searches.
    pub nodes: u64,
    /// Nodes of all shadow searches.
    pub shadow_nodes: u64,
}

struct AuditedPosition {
    game: u32,
    held_out: bool,
    position: Position,
}

impl SurveySettings {
    /// Audits a search with these numbers in each position.
    ///
    /// # Errors
    /// If the files cannot be read, or hold too few positions.
    pub fn survey(&self, numbers: &Numbers) -> anyhow::Result<Survey> {
        let places = self.places(numbers.game())?;
        let settings = AuditSettings { samples: self.samples, shadow_nodes: self.shadow_nodes };
        let limits = Limits::nodes(self.nodes);
        let bar = progress(places.len());
        let found: Vec<_> = thread_pool(self.threads)?.install(|| {
            let with = || numbers.game().auditing(numbers, HASH_MEGABYTES);
            let of_place = |auditing: &mut Box<dyn Auditing>,
                            (index, place): (usize, &AuditedPosition)| {
                let mut random = draws(self.seed, index as u64);
                let audited = auditing.audit(&place.position, &limits, &settings, &mut random);
                bar.inc(1);
                audited
            };
            places.par_iter().enumerate().map_init(with, of_place).collect()
        });
        bar.finish_and_clear();
        let mut survey = Survey {
            records: Vec::new(),
            tallies: [[Tally::default(); DEPTHS]; Rule::ALL.len()],
            positions: places.len(),
            games: places.chunk_by(|one, other| one.game == other.game).count(),
            nodes: 0,
            shadow_nodes: 0,
        };
        for ((place, audited), position) in places.iter().zip(&found).zip(0..) {
            survey.nodes += audited.outcome.nodes;
            survey.shadow_nodes += audited.cuts.iter().map(|cut| cut.nodes).sum::<u64>();
            for (sums, tallies) in survey.tallies.iter_mut().zip(&audited.tallies) {
                for (sum, tally) in sums.iter_mut().zip(tallies) {
                    sum.cuts += tally.cuts;
                    sum.in_vain += tally.in_vain;
                }
            }
            let &AuditedPosition { game, held_out, .. } = place;
            let of_cut = |&cut: &Cut| Record { position, game, held_out, cut };
            survey.records.extend(audited.cuts.iter().map(of_cut));
        }
        Ok(survey)
    }

    /// Draws the positions, those of a game one after the other.
    fn places(&self, game: Game) -> anyhow::Result<Vec<AuditedPosition>> {
        let filter = Filter {
            per_game: PER_GAME,
            max_score: MAX_SCORE,
            keep_noisy: true,
            sample_seed: self.seed,
            ..Filter::default()
        };
        let found = positions::expand(&self.positions, &filter, &game.embedded(), self.threads)?;
        found.counts.warn();
        let mut samples = found.samples;
        samples.shuffle(&mut stream(self.seed, u64::MAX));
        let shares = Shares { validation: 0.0, held_out: HELD_OUT };
        let wanted = [self.count - self.count / 2, self.count / 2];
        let mut counts = [0; 2];
        let mut places = Vec::with_capacity(self.count);
        for sample in samples {
            let held_out = purpose_of(sample.game(), shares, self.seed) == Purpose::HeldOut;
            let half = usize::from(held_out);
            let position = sample.position();
            if counts[half] < wanted[half] && position.legal_moves().len() > 1 {
                counts[half] += 1;
                places.push(AuditedPosition { game: sample.game(), held_out, position });
            }
        }
        ensure!(
            counts == wanted,
            "there are only {} positions to fit to and {} of other games to check with, not {} and \
             {}: give more files, or a smaller --count",
            counts[0],
            counts[1],
            wanted[0],
            wanted[1]
        );
        places.sort_by_key(|place| place.game);
        Ok(places)
    }
}

fn progress(length: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(length as u64);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} positions, {eta} left")
    {
        bar.set_style(style);
    }
    bar
}

/// A line of the file of cuts.
#[derive(Serialize)]
struct Line {
    position: u32,
    game: u32,
    half: &'static str,
    rule: &'static str,
    depth: i32,
    gap: i32,
    lead: i32,
    improving: bool,
    history: i32,
    count: usize,
    node: String,
    verdict: String,
    shift: i32,
    covered: bool,
    nodes: u64,
    spent: u64,
    weight: f64,
}

impl Survey {
    /// Writes all cuts that were looked into as CSV.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_csv(&self, path: &Path) -> anyhow::Result<()> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for Record { position, game, held_out, cut } in &self.records {
            writer.serialize(Line {
                position: *position,
                game: *game,
                half: if *held_out { "held out" } else { "fitted" },
                rule: cut.rule.name(),
                depth: cut.depth,
                gap: cut.gap,
                lead: cut.lead,
                improving: cut.improving,
                history: cut.history,
                count: cut.count,
                node: format!("{:?}", cut.node).to_lowercase(),
                verdict: format!("{:?}", cut.verdict).to_lowercase(),
                shift: cut.shift,
                covered: cut.covered,
                nodes: cut.nodes,
                spent: cut.spent,
                weight: cut.weight,
            })?;
        }
        let text = writer.into_inner()?;
        files::write_atomically(path, |file| file.write_all(&text))?;
        Ok(())
    }

    /// The cuts of a rule whose verdict is known.
    pub(super) fn known(&self, rule: Rule) -> impl Iterator<Item = &Record> + Clone {
        self.records
            .iter()
            .filter(move |it| it.cut.rule == rule && it.cut.verdict != Verdict::Unknown)
    }
}

impl Record {
    pub(super) fn is_wrong(&self) -> bool {
        self.cut.verdict == Verdict::Wrong
    }

    pub(super) fn saved(&self) -> f64 {
        self.cut.nodes as f64 - self.cut.spent as f64
    }
}
