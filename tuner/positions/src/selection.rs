//! The draw from sources of which not every position counts once.

use rand::RngExt;
use rand::seq::index;
use random::stream;

use super::sample::Sample;
use super::source::Source;

/// Streams of randomness for sources begin here, beyond those of games.
const SOURCES: u64 = 1 << 40;

/// Draws `limit` of `count` indices, in ascending order: a function of seed and source alone.
pub(super) fn draw(count: usize, limit: usize, seed: u64, source: u64) -> Vec<usize> {
    let mut random = stream(seed, SOURCES + 2 * source);
    let mut drawn = index::sample(&mut random, count, limit).into_vec();
    drawn.sort_unstable();
    drawn
}

/// Takes the samples of each source as often as its weight says; `starts` has the index of each
/// source's first sample. Copies of a sample follow one another and belong to its game.
pub(super) fn weigh(samples: Vec<Sample>, sources: &[Source], starts: &[usize]) -> Vec<Sample> {
    let mut weighed = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(samples.len());
        let mut random = stream(source.filter.sample_seed, SOURCES + 2 * index as u64 + 1);
        for sample in &samples[starts[index]..end] {
            let once_more = random.random_bool(source.weight.fract());
            let copies = source.weight.trunc() as usize + usize::from(once_more);
            weighed.extend(std::iter::repeat_n(*sample, copies));
        }
    }
    weighed
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::filter::Filter;
    use super::*;

    #[test]
    fn weights_hold_on_average_and_copies_stay_together() {
        let start = chess::GAME.start();
        let samples: Vec<Sample> = (0..3000)
            .map(|game| Sample::new(&start, game, 0, None, 0.5).expect("few pieces"))
            .collect();
        let source =
            |weight| Source { weight, ..Source::new(Path::new("any"), None, &Filter::default()) };
        let sources = [source(0.25), source(1.0), source(2.5)];
        let weighed = weigh(samples.clone(), &sources, &[0, 1000, 2000]);
        let counts = [0..1000, 1000..2000, 2000..3000]
            .map(|games| weighed.iter().filter(|sample| games.contains(&sample.game())).count());
        assert!((200..300).contains(&counts[0]), "{counts:?}");
        assert_eq!(counts[1], 1000);
        assert!((2440..2560).contains(&counts[2]), "{counts:?}");
        assert!(weighed.is_sorted_by_key(Sample::game));
        assert!(weighed == weigh(samples, &sources, &[0, 1000, 2000]));
    }

    #[test]
    fn draws_are_ascending_and_of_their_seed() {
        let drawn = draw(1000, 100, 7, 0);
        assert_eq!(drawn.len(), 100);
        assert!(drawn.is_sorted_by(|one, other| one < other));
        assert_eq!(drawn, draw(1000, 100, 7, 0));
        assert_ne!(drawn, draw(1000, 100, 8, 0));
        assert_ne!(drawn, draw(1000, 100, 7, 1));
    }
}
