//! The positions whose moves are judged, in passages of games: they are searched one after the other, as
//! in play.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use anyhow::ensure;
use playable::{Game, Position};
use positions::logistic::fit_k;
use positions::{Part, Sample, every_position, parted};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use random::stream;

/// Positions of a passage at most.
const PASSAGE_LENGTH: usize = 8;
/// Positions of a passage of a whole game at least.
const PASSAGE_LENGTH_MIN: usize = 4;
/// Positions before a passage that are searched to fill the memory, as in play.
const WARMING: u16 = 2;
/// Greatest score of a recorded position (centipawns): beyond it most moves win, or none.
const MAX_SCORE: u16 = 600;
/// K where no recorded score tells it, in units of [`NATURAL`](positions::logistic::NATURAL).
const USUAL_K: f64 = 1.2;

/// A position in which a move is to be chosen.
#[derive(Clone, Debug)]
pub(super) struct ChoicePosition {
    pub position: Position,
    pub fen: String,
}

/// Successive positions of a game in which one side is to move. An engine searches them in turn with
/// one memory, as it does in play: from an empty one, a search is another, and margins that are best
/// for it are wrong in games.
#[derive(Clone, Debug)]
pub(super) struct Passage {
    /// Searched first, to fill the memory; what is chosen there does not count.
    pub before: Vec<Position>,
    /// At least one.
    pub places: Vec<ChoicePosition>,
}

/// Positions by purpose, and what a score means for the result.
#[derive(Clone, Debug)]
pub(super) struct Places {
    pub tuning: Vec<Passage>,
    /// Positions of other games, on which the result is measured.
    pub held_out: Vec<Passage>,
    /// K of the expected score, in units of [`NATURAL`](positions::logistic::NATURAL).
    pub k: f64,
}

impl Places {
    /// Draws so many positions for tuning and so many to report on from recorded games of this kind, as a seed
    /// has
    /// it; which games are for what no seed decides, see [`Part`]. Whether positions are quiet does not
    /// matter; those in which there is no choice, or which are decided, are left out. Where a source
    /// names games and plies, positions come in passages, else each for itself.
    ///
    /// # Errors
    /// If the files cannot be read, or hold too few positions.
    pub fn draw(
        game: Game,
        files: &[PathBuf],
        [count, reported]: [usize; 2],
        seed: u64,
        threads: usize,
    ) -> anyhow::Result<Places> {
        let samples = every_position(files, &game.embedded(), threads)?;
        let k = fitted_k(&samples).unwrap_or(USUAL_K);
        let mut random = stream(seed, u64::MAX);
        let mut spans = spans(&samples, &mut random);
        spans.shuffle(&mut random);
        let mut sets = [(Vec::new(), count), (Vec::new(), reported)];
        for span in &spans {
            let (set, missing) = &mut sets[usize::from(span.part == Part::HeldOut)];
            if *missing > 0 {
                let passage = span.passage(&samples, *missing);
                *missing -= passage.places.len();
                set.push(passage);
            }
        }
        let [(tuning, no_tuning), (held_out, no_held_out)] = sets;
        let in_passages: usize = spans.iter().map(|span| span.indices.len()).sum();
        ensure!(
            no_tuning + no_held_out == 0,
            "there are only {} positions to tune on and {} of the games held out, not {count} and \
             {reported}: give more files, or a smaller --count ({in_passages} of {} positions are \
             undecided and stand in a game with {PASSAGE_LENGTH_MIN} or more of the same side in a row)",
            count - no_tuning,
            reported - no_held_out,
            samples.len()
        );
        Ok(Places { tuning, held_out, k })
    }
}

/// Samples of a passage, by their indices.
struct Span {
    /// The part of its game.
    part: Part,
    before: Vec<usize>,
    indices: Vec<usize>,
}

impl Span {
    /// Its first positions, so many at most.
    fn passage(&self, samples: &[Sample], most: usize) -> Passage {
        let place = |&index: &usize| {
            let position = samples[index].position();
            let fen = position.to_fen();
            ChoicePosition { position, fen }
        };
        Passage {
            before: self.before.iter().map(|&index| samples[index].position()).collect(),
            places: self.indices.iter().take(most).map(place).collect(),
        }
    }
}

/// All passages of all games. Each game is cut at places of its own.
fn spans(samples: &[Sample], random: &mut ChaCha8Rng) -> Vec<Span> {
    // Openings are common to games of both parts.
    let tuned: HashSet<u64> = parted(samples)
        .filter(|(_, part)| *part == Part::Tuning)
        .flat_map(|(game, _)| game.iter().map(key_of))
        .collect();
    let mut spans = Vec::new();
    let mut next = 0;
    for (game, part) in parted(samples) {
        let first = next;
        next += game.len();
        let is_fit = |index: usize| {
            let sample = &samples[index];
            counts(sample) && (part == Part::Tuning || !tuned.contains(&key_of(sample)))
        };
        if game[0].game_is_guessed() {
            let single = |index| Span { part, before: Vec::new(), indices: vec![index] };
            spans.extend((first..next).filter(|&index| is_fit(index)).map(single));
            continue;
        }
        let by_ply: HashMap<u16, usize> =
            game.iter().zip(first..).map(|(sample, index)| (sample.ply(), index)).collect();
        for side in 0..2 {
            let of_side = spans_of_side(is_fit, &by_ply, side, random);
            spans.extend(of_side.into_iter().map(|(before, indices)| Span {
                part,
                before,
                indices,
            }));
        }
    }
    spans
}

/// Stands for a position, its counters left out.
fn key_of(sample: &Sample) -> u64 {
    let mut hasher = DefaultHasher::new();
    sample.packed().without_counters().hash(&mut hasher);
    hasher.finish()
}

/// The passages of a game in which the side moves that moves at plies of this parity: the samples
/// before each, and its own.
fn spans_of_side(
    is_fit: impl Fn(usize) -> bool,
    by_ply: &HashMap<u16, usize>,
    parity: u16,
    random: &mut ChaCha8Rng,
) -> Vec<(Vec<usize>, Vec<usize>)> {
    let last = by_ply.keys().copied().max().unwrap_or(0);
    // The first one is shorter, so that not all games are cut at the same plies.
    let mut room = random.random_range(1..=PASSAGE_LENGTH);
    let mut spans: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
    let mut open = false;
    for ply in (parity..=last).step_by(2) {
        let here = by_ply.get(&ply).copied().filter(|&index| is_fit(index));
        let Some(index) = here else {
            open = false;
            continue;
        };
        if !open || room == 0 {
            if !spans.is_empty() {
                room = PASSAGE_LENGTH;
            }
            let earlier = (1..=WARMING).rev().filter_map(|back| ply.checked_sub(2 * back));
            let before = earlier.filter_map(|ply| by_ply.get(&ply).copied()).collect();
            spans.push((before, Vec::new()));
            open = true;
        }
        spans.last_mut().expect("one is open").1.push(index);
        room -= 1;
    }
    // To fill the memory for a position or two costs too much.
    spans.retain(|(_, indices)| indices.len() >= PASSAGE_LENGTH_MIN);
    spans
}

/// Whether there is a choice in the position, and something at stake.
fn counts(sample: &Sample) -> bool {
    sample.score().is_none_or(|score| score.unsigned_abs() <= MAX_SCORE)
        && sample.position().legal_moves().len() > 1
}

/// The K with which the recorded scores predict the results best; none if there are too few scores.
fn fitted_k(samples: &[Sample]) -> Option<f64> {
    /// Fewer results do not determine it.
    const FEWEST: usize = 1000;
    let known: Vec<(f32, f32)> = samples
        .iter()
        .filter_map(|sample| Some((sample.score()?, sample.result())))
        .filter(|(score, _)| score.unsigned_abs() <= MAX_SCORE)
        .map(|(score, result)| (f32::from(score), result as f32))
        .collect();
    (known.len() >= FEWEST).then(|| fit_k(&known))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use matches::openings::random_opening;
    use positions::logistic::{NATURAL, expected};
    use positions::write_csv;
    use rand::RngExt;

    use super::*;

    /// Games of random play, in which no position occurs twice.
    fn games(numbers: std::ops::Range<u32>) -> Vec<Sample> {
        let game = |number: u32| {
            let mut random = stream(17, u64::from(number));
            let mut position = random_opening(chess::GAME, &mut random, 8..=8);
            let mut samples = Vec::new();
            for ply in 0..24 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                samples.push(Sample::new(&position, number, ply, None, 0.5).expect("packed"));
                position.play(moves[random.random_range(0..moves.len())]);
            }
            samples
        };
        numbers.flat_map(game).collect()
    }

    /// No game chooses margins and measures them, too, whatever the seeds and the files.
    #[test]
    fn no_game_is_in_both_parts() {
        let folder = tempfile::tempdir().expect("a folder");
        let [one, other] = ["one.csv", "other.csv"].map(|name| folder.path().join(name));
        write_csv(&one, &games(0..90)).expect("written");
        write_csv(&other, &games(90..180)).expect("written");
        let mut game_of: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
        for sample in games(0..180) {
            let position = sample.position();
            let fen = position.to_fen();
            game_of.entry(fen).or_default().insert(sample.game());
        }
        let of = |passages: &[Passage]| -> BTreeSet<u32> {
            let places = passages.iter().flat_map(|it| &it.places);
            places.flat_map(|it| game_of[&it.fen].clone()).collect()
        };
        let (mut tuned, mut measured) = (BTreeSet::new(), BTreeSet::new());
        for seed in 0..8 {
            for files in [vec![one.clone(), other.clone()], vec![other.clone(), one.clone()]] {
                let places =
                    Places::draw(chess::GAME, &files, [200, 100], seed, 1).expect("enough");
                tuned.extend(of(&places.tuning));
                measured.extend(of(&places.held_out));
            }
            for file in [&one, &other] {
                let places =
                    Places::draw(chess::GAME, std::slice::from_ref(file), [0, 60], seed, 1)
                        .expect("enough");
                assert!(places.tuning.is_empty());
                measured.extend(of(&places.held_out));
            }
        }
        assert!(tuned.is_disjoint(&measured), "{tuned:?} {measured:?}");
        // Hardly any game is left out for good.
        assert!(tuned.len() + measured.len() > 170, "{} {}", tuned.len(), measured.len());
        assert!((30..80).contains(&measured.len()), "{}", measured.len());
    }

    #[test]
    fn k_is_found_again() {
        let mut random = stream(3, 0);
        let truth = 1.04;
        let samples: Vec<Sample> = (0..20_000)
            .map(|game| {
                let score: i16 = random.random_range(-600..=600);
                let wins = random.random::<f64>() < expected(truth * NATURAL, f64::from(score));
                let result = if wins { 1.0 } else { 0.0 };
                Sample::new(&chess::GAME.start(), game, 0, Some(score), result).expect("packed")
            })
            .collect();
        let k = fitted_k(&samples).expect("enough");
        assert!((k - truth).abs() < 0.05, "{k}");
        assert_eq!(fitted_k(&samples[..10]), None);
    }
}
