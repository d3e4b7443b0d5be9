//! A cluster: a few positions and their results, in one cache line that all threads read and write
//! at once.
//!
//! There is no lock, and words go one by one, so that a reader may meet the data of one result
//! beside the key of another. Data are one word and therefore always whole; keys are kept mixed
//! with the data they came with, and are no longer themselves beside others.
//!
//! A test tries all orders of its events by loom (`engine/tests/all/table.rs`).
//!
//! CITE: Robert Hyatt and Tim Mann, "A lock-less transposition table implementation for parallel
//! search" (2002).

// `std::sync::atomic`; a test puts a model of it in its place that tries all orders of events.
use super::atomics::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// Results in a cluster.
pub const SLOTS: usize = 5;

/// As many results as fit in a cache line: data, zero in an empty slot, and their keys.
#[derive(Default)]
#[repr(C, align(64))]
pub struct Cluster {
    data: [AtomicU64; SLOTS],
    keys: [AtomicU32; SLOTS],
}

/// The words of a cluster at one time.
pub struct SavedCluster {
    data: [u64; SLOTS],
    keys: [u32; SLOTS],
}

impl Cluster {
    /// The slot with this key, and its data.
    #[inline]
    pub fn find(&self, key: u32) -> Option<(usize, u64)> {
        for slot in 0..SLOTS {
            let data = self.data(slot);
            // Slots are filled in their order, as long as there are empty ones.
            if data == 0 {
                return None;
            }
            if self.keys[slot].load(Relaxed) ^ mixed(data) == key {
                return Some((slot, data));
            }
        }
        None
    }

    /// The data in a slot, whatever their key.
    #[inline]
    pub fn data(&self, slot: usize) -> u64 {
        self.data[slot].load(Relaxed)
    }

    /// Puts a result in a slot.
    #[inline]
    pub fn put(&self, slot: usize, key: u32, data: u64) {
        self.data[slot].store(data, Relaxed);
        self.keys[slot].store(key ^ mixed(data), Relaxed);
    }

    /// Empties all slots.
    pub fn clear(&self) {
        self.put_back(&SavedCluster { data: [0; SLOTS], keys: [0; SLOTS] });
    }

    /// All that is in it. Whole only while no other thread writes.
    pub fn saved(&self) -> SavedCluster {
        SavedCluster {
            data: std::array::from_fn(|slot| self.data(slot)),
            keys: std::array::from_fn(|slot| self.keys[slot].load(Relaxed)),
        }
    }

    /// Makes it what it was.
    pub fn put_back(&self, saved: &SavedCluster) {
        for slot in 0..SLOTS {
            self.data[slot].store(saved.data[slot], Relaxed);
            self.keys[slot].store(saved.keys[slot], Relaxed);
        }
    }
}

/// Thirty-two bits that depend on all of the data; different ones for data that differ in one half
/// only, as most results that meet do. The factor fits in an instruction.
#[inline]
fn mixed(data: u64) -> u32 {
    const FACTOR: u64 = -0x61C8_864F_i64 as u64;
    (data.wrapping_mul(FACTOR) >> 32) as u32
}
