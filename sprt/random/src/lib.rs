//! The only source of randomness: a stream of numbers for each (seed, index).

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// The random numbers of item `index` (a pair, a game, an opening) of a run with this seed.
///
/// Streams of one seed are independent, so that an item's numbers depend neither on how many were
/// drawn for others nor on the thread that draws them.
pub fn stream(seed: u64, index: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(index);
    random
}

/// The same stream as a function: uniform 32-bit numbers for those who must not know where they come
/// from.
pub fn draws(seed: u64, index: u64) -> impl FnMut() -> u32 {
    let mut random = stream(seed, index);
    move || random.random()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_fixed_and_distinct() {
        let first = |seed, index| stream(seed, index).random::<u64>();
        // Recorded games and openings are repeatable only as long as these numbers stay.
        assert_eq!(first(1, 0), 7_424_550_030_962_593_201);
        assert_eq!(first(1, 1), 15_715_005_604_373_573_095);
        assert_ne!(first(1, 0), first(2, 0));
    }
}
