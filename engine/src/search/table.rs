//! The transposition table: what was found out about positions met before.

use super::game::GameMove;
use super::margins::TableMargins;
use super::value::{Bound, DECIDED, Value, is_decided};

/// What the table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableEntry<M> {
    /// The best move found, or none.
    pub mv: M,
    /// The value found, from the mover's view.
    pub value: Value,
    /// What the value says.
    pub bound: Bound,
    /// Static evaluation before corrections.
    pub evaluation: Value,
    /// Depth searched in plies; 0 for quiescence.
    pub depth: i32,
    /// The position was once on the line of best play.
    pub was_principal: bool,
}

impl<M> TableEntry<M> {
    /// True if the entry's value is outside the window on the side its bound is sure of, or exact.
    #[inline]
    pub(super) fn settles(&self, alpha: Value, beta: Value) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        }
    }

    /// The entry's value if it tells more than the evaluation, else the evaluation.
    #[inline]
    pub(super) fn refine(&self, evaluation: Value) -> Value {
        let tells_more = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value > evaluation,
            Bound::Upper => self.value < evaluation,
        };
        if tells_more && !is_decided(self.value) { self.value } else { evaluation }
    }
}

/// Sixteen-bit fields around a 32-bit piece of the key. The other bits of the key choose the
/// cluster.
#[derive(Clone, Copy)]
#[repr(C)]
struct Slot {
    key: u32,
    mv: u16,
    value: i16,
    evaluation: i16,
    /// Depth plus one, so that zero is an empty slot.
    depth: u8,
    /// Age in the upper five bits, then whether it was on the line of best play, then the bound in
    /// two bits.
    age_and_bound: u8,
}

const EMPTY: Slot = Slot { key: 0, mv: 0, value: 0, evaluation: 0, depth: 0, age_and_bound: 0 };
const AGES: u8 = 32;
const WAS_PRINCIPAL: u8 = 4;
const SLOTS: usize = 5;

impl Slot {
    fn age(self) -> u8 {
        self.age_and_bound >> 3
    }

    fn bound(self) -> Bound {
        match self.age_and_bound & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        }
    }

    /// Worth of keeping: deep and recent.
    fn worth(self, margins: &TableMargins, age: u8) -> i32 {
        let years = (AGES + age - self.age()) % AGES;
        i32::from(self.depth) - margins.ageing * i32::from(years)
    }
}

/// As many slots as fit in a cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Cluster([Slot; SLOTS]);

/// A cluster with its place.
pub(super) struct SavedCluster {
    index: usize,
    cluster: Cluster,
}

/// A hash table of fixed size in which deep and recent results survive.
pub struct Table {
    clusters: Vec<Cluster>,
    age: u8,
}

impl Table {
    /// A table of this many megabytes (at least one cluster).
    pub fn new(megabytes: usize) -> Table {
        let count = (megabytes << 20) / size_of::<Cluster>();
        Table { clusters: vec![Cluster([EMPTY; SLOTS]); count.max(1)], age: 0 }
    }

    /// Empties the table, as for a new game.
    pub fn clear(&mut self) {
        self.clusters.fill(Cluster([EMPTY; SLOTS]));
        self.age = 0;
    }

    /// Makes what is stored older than what will be.
    pub fn grow_older(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    /// What is known of the position with this key, `ply` plies below the root.
    #[inline]
    pub fn probe<M: GameMove>(&self, key: u64, ply: usize) -> Option<TableEntry<M>> {
        let cluster = &self.clusters[self.cluster_of(key)];
        let slot = cluster.0.iter().find(|slot| slot.key == key as u32 && slot.depth != 0)?;
        Some(TableEntry {
            mv: M::from_bits(slot.mv),
            value: value_at(slot.value.into(), ply),
            bound: slot.bound(),
            evaluation: slot.evaluation.into(),
            depth: i32::from(slot.depth) - 1,
            was_principal: slot.age_and_bound & WAS_PRINCIPAL != 0,
        })
    }

    /// Remembers what was found `ply` plies below the root.
    pub fn store<M: GameMove>(
        &mut self,
        margins: &TableMargins,
        key: u64,
        ply: usize,
        entry: TableEntry<M>,
    ) {
        let age = self.age;
        let index = self.cluster_of(key);
        let slots = &mut self.clusters[index].0;
        let same = slots.iter().position(|slot| slot.key == key as u32 && slot.depth != 0);
        let slot = match same {
            Some(same) => &mut slots[same],
            None => {
                let worst = slots.iter_mut().min_by_key(|slot| slot.worth(margins, age));
                worst.expect("a cluster has slots")
            }
        };
        let mut mv = entry.mv.bits();
        if same.is_some() {
            // A bound without a move does not make the older move worse.
            if mv == 0 {
                mv = slot.mv;
            }
            let much_shallower = entry.depth + margins.depth_margin < i32::from(slot.depth) - 1;
            if entry.bound != Bound::Exact && much_shallower && slot.age() == age {
                slot.mv = mv;
                return;
            }
        }
        *slot = Slot {
            key: key as u32,
            mv,
            value: stored_value(entry.value, ply) as i16,
            evaluation: entry.evaluation as i16,
            depth: (entry.depth.clamp(0, 254) + 1) as u8,
            age_and_bound: age << 3
                | if entry.was_principal { WAS_PRINCIPAL } else { 0 }
                | entry.bound as u8,
        };
    }

    /// The cluster that a result with this key would go to, as it is now.
    pub(super) fn cluster(&self, key: u64) -> SavedCluster {
        let index = self.cluster_of(key);
        SavedCluster { index, cluster: self.clusters[index] }
    }

    /// Puts a cluster back as it was.
    pub(super) fn put_back(&mut self, saved: &SavedCluster) {
        self.clusters[saved.index] = saved.cluster;
    }

    /// How full the table is with results of the current search, in permille of a sample.
    pub fn permille_full(&self) -> u32 {
        let sample = &self.clusters[..self.clusters.len().min(200)];
        let used = sample.iter().flat_map(|cluster| &cluster.0);
        let used = used.filter(|slot| slot.depth != 0 && slot.age() == self.age).count();
        (used * 1000 / (sample.len() * SLOTS)) as u32
    }

    #[inline]
    fn cluster_of(&self, key: u64) -> usize {
        ((u128::from(key) * self.clusters.len() as u128) >> 64) as usize
    }
}

/// Mates and known wins are stored as distances from the position itself, not from the root.
fn stored_value(value: Value, ply: usize) -> Value {
    if value >= DECIDED {
        value + ply as Value
    } else if value <= -DECIDED {
        value - ply as Value
    } else {
        value
    }
}

fn value_at(stored: Value, ply: usize) -> Value {
    if stored >= DECIDED {
        stored - ply as Value
    } else if stored <= -DECIDED {
        stored + ply as Value
    } else {
        stored
    }
}

#[cfg(test)]
mod tests {
    use super::super::value::MATE;
    use super::*;
    use crate::parameters::Switch;

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    struct PlainMove(u16);

    impl GameMove for PlainMove {
        const NONE: PlainMove = PlainMove(0);
        fn bits(self) -> u16 {
            self.0
        }
        fn from_bits(bits: u16) -> PlainMove {
            PlainMove(bits)
        }
    }

    fn entry(mv: u16, value: Value, depth: i32, bound: Bound) -> TableEntry<PlainMove> {
        let was_principal = false;
        TableEntry { mv: PlainMove(mv), value, bound, evaluation: -7, depth, was_principal }
    }

    fn margins() -> TableMargins {
        TableMargins { enabled: Switch::ON, ageing: 4, depth_margin: 4 }
    }

    #[test]
    fn a_cluster_fills_a_cache_line() {
        assert_eq!(size_of::<Slot>(), 12);
        assert_eq!(size_of::<Cluster>(), 64);
    }

    #[test]
    fn mate_distances_are_kept_relative_to_the_position() {
        let mut table = Table::new(1);
        table.store(&margins(), 5, 4, entry(9, MATE - 10, 3, Bound::Exact));
        assert_eq!(table.probe::<PlainMove>(5, 4), Some(entry(9, MATE - 10, 3, Bound::Exact)));
        assert_eq!(table.probe::<PlainMove>(5, 2).map(|found| found.value), Some(MATE - 8));
        assert_eq!(table.probe::<PlainMove>(6, 2), None);
    }

    #[test]
    fn ageing_says_how_deep_a_result_must_be_to_outlive_a_search() {
        for (ageing, survives) in [(0, true), (32, false)] {
            let margins = TableMargins { ageing, ..margins() };
            let mut table = Table::new(1);
            table.store(&margins, 5, 0, entry(9, 10, 20, Bound::Exact));
            table.grow_older();
            for key in 100..105 {
                table.store(&margins, key, 0, entry(1, 1, 1, Bound::Exact));
            }
            assert_eq!(table.probe::<PlainMove>(5, 0).is_some(), survives, "{ageing} plies");
        }
    }

    #[test]
    fn a_shallower_bound_replaces_a_result_within_the_margin() {
        for (depth_margin, depth) in [(0, 10), (1, 10), (2, 8), (4, 8)] {
            let margins = TableMargins { depth_margin, ..margins() };
            let mut table = Table::new(1);
            table.store(&margins, 5, 0, entry(9, 10, 10, Bound::Exact));
            table.store(&margins, 5, 0, entry(7, 30, 8, Bound::Lower));
            let found = table.probe::<PlainMove>(5, 0).map(|entry| entry.depth);
            assert_eq!(found, Some(depth), "a margin of {depth_margin} plies");
        }
    }

    #[test]
    fn deep_results_survive_shallow_ones_and_age_gives_way() {
        let mut table = Table::new(1);
        table.store(&margins(), 5, 0, entry(9, 10, 20, Bound::Exact));
        table.store(&margins(), 5, 0, entry(0, 30, 2, Bound::Lower));
        assert_eq!(table.probe(5, 0), Some(entry(9, 10, 20, Bound::Exact)));
        // Fill the cluster of key 5 with newer results: all keys here fall into cluster 0.
        for _ in 0..6 {
            table.grow_older();
        }
        for key in 100..105 {
            table.store(&margins(), key, 0, entry(1, 1, 1, Bound::Exact));
        }
        assert_eq!(table.probe::<PlainMove>(5, 0), None);
        assert!(table.permille_full() > 0);
        table.clear();
        assert_eq!(table.permille_full(), 0);
    }
}
