//! A cache of what depends on a few of the men alone, kept from position to position.

use std::fmt::Debug;

use search::prefetch;

/// Direct-mapped cache of `SIZE` entries, each with its key, for one set of weights.
pub(super) struct Cache<E, const SIZE: usize> {
    slots: Box<[(u64, E)]>,
}

impl<E: Copy + Default + PartialEq + Debug, const SIZE: usize> Cache<E, SIZE> {
    /// An empty cache.
    pub fn new() -> Cache<E, SIZE> {
        Cache { slots: vec![(0, E::default()); SIZE].into_boxed_slice() }
    }

    /// Forgets all entries.
    pub fn clear(&mut self) {
        self.slots.fill((0, E::default()));
    }

    /// Has the entry with this key fetched from memory, if it is there.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(&self.slots[Self::place(key)]);
    }

    #[inline]
    fn place(key: u64) -> usize {
        (key >> 32) as usize % SIZE
    }

    /// The entry with this key, which is never zero, computed if it is not there. The upper half of
    /// the key must tell entries apart well. A part of its caller, whatever computes entries.
    #[inline(always)]
    pub fn entry(&mut self, key: u64, compute: impl Fn() -> E) -> &E {
        let slot = &mut self.slots[Self::place(key)];
        if slot.0 != key {
            *slot = (key, compute());
        }
        debug_assert_eq!(slot.1, compute(), "a stale entry");
        &slot.1
    }
}
