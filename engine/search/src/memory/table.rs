//! The transposition table: what was found out about positions met before.

mod cluster;

use std::sync::atomic::{self as atomics, AtomicU8, Ordering::Relaxed};
use std::thread;

use bytemuck::Zeroable;
use parameters::Switch;
use parameters::group;

use crate::game::GameMove;
use crate::memory::large_pages::LargePages;
use crate::prefetch;
use crate::value::{Bound, INFINITY, Value, is_decided, stored_value, value_at};
use cluster::{Cluster, SLOTS, SavedCluster};

group! {
    /// Transposition table: results of positions met before are remembered (Kornilov pp. 140-142).
    TableMargins, sound {
        /// The table on or off.
        enabled: Switch = true,
        /// Depth that a result counts less for each search since it was found, when one must give
        /// way (plies).
        ageing: i32 = 4 in 0..=32 step 1,
        /// How much shallower than the result that is there a new bound of the same search may be
        /// and still replace it (plies).
        depth_margin: i32 = 4 in 0..=32 step 1,
    }
}

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
    pub tt_pv: bool,
}

impl<M> TableEntry<M> {
    /// True if the entry's value is outside the window on the side its bound is sure of, or exact.
    #[inline]
    pub(crate) fn settles(&self, alpha: Value, beta: Value) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        }
    }

    /// An entry that knows the evaluation alone: that the value is no more than infinite tells
    /// nothing.
    #[inline]
    pub(crate) fn of_evaluation(evaluation: Value) -> TableEntry<M>
    where
        M: GameMove,
    {
        let (mv, bound) = (M::NONE, Bound::Upper);
        TableEntry { mv, value: INFINITY, bound, evaluation, depth: 0, tt_pv: false }
    }

    /// The entry's value if it tells more than the evaluation, else the evaluation.
    #[inline]
    pub(crate) fn refine(&self, evaluation: Value) -> Value {
        let tells_more = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value > evaluation,
            Bound::Upper => self.value < evaluation,
        };
        if tells_more && !is_decided(self.value) { self.value } else { evaluation }
    }
}

/// What a slot holds beside the lower half of its key (the upper bits choose the cluster), from the
/// lowest bit up: move, value and evaluation of sixteen bits each; depth plus one in eight, so that
/// an empty slot is zero; the bound in two, whether it was on the line of best play in one, age in
/// five.
#[derive(Clone, Copy)]
struct Data(u64);

const VALUE_AT: u32 = 16;
const EVALUATION_AT: u32 = 32;
const DEPTH_AT: u32 = 48;
const BOUND_AT: u32 = 56;
const TT_PV: u64 = 1 << 58;
const AGE_AT: u32 = 59;
const AGES: u8 = 32;

impl Data {
    #[inline]
    fn new<M: GameMove>(entry: &TableEntry<M>, mv: u16, ply: usize, age: u8) -> Data {
        let value = stored_value(entry.value, ply) as u16;
        let depth = entry.depth.clamp(0, 254) + 1;
        Data(
            u64::from(mv)
                | u64::from(value) << VALUE_AT
                | u64::from(entry.evaluation as u16) << EVALUATION_AT
                | (depth as u64) << DEPTH_AT
                | (entry.bound as u64) << BOUND_AT
                | if entry.tt_pv { TT_PV } else { 0 }
                | u64::from(age) << AGE_AT,
        )
    }

    #[inline]
    fn entry<M: GameMove>(self, ply: usize) -> TableEntry<M> {
        TableEntry {
            mv: M::from_bits(self.mv()),
            value: value_at(((self.0 >> VALUE_AT) as i16).into(), ply),
            bound: self.bound(),
            evaluation: ((self.0 >> EVALUATION_AT) as i16).into(),
            depth: self.depth_and_one() - 1,
            tt_pv: self.0 & TT_PV != 0,
        }
    }

    #[inline]
    fn bound(self) -> Bound {
        match self.0 >> BOUND_AT & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        }
    }

    #[inline]
    fn mv(self) -> u16 {
        self.0 as u16
    }

    #[inline]
    fn with_move(self, mv: u16) -> Data {
        Data(self.0 & !u64::from(u16::MAX) | u64::from(mv))
    }

    #[inline]
    fn depth_and_one(self) -> i32 {
        i32::from((self.0 >> DEPTH_AT) as u8)
    }

    #[inline]
    fn age(self) -> u8 {
        (self.0 >> AGE_AT) as u8
    }

    /// Worth of keeping: deep and recent; an empty slot's is the least.
    #[inline]
    fn worth(self, margins: &TableMargins, age: u8) -> i32 {
        if self.0 == 0 {
            return i32::MIN;
        }
        let age = (AGES + age - self.age()) % AGES;
        self.depth_and_one() - margins.ageing * i32::from(age)
    }
}

// SAFETY: its words may all be zero; then it is empty.
unsafe impl Zeroable for Cluster {}

/// Clusters for which it is not worth starting a thread to empty them.
const SHARE_MIN: usize = 1 << 16;

/// A cluster with its place.
pub(crate) struct SavedPlace {
    index: usize,
    cluster: SavedCluster,
}

/// A hash table of fixed size in which deep and recent results survive. All threads of a search
/// share it; what one of them stores, others find soon or not at all, but never in parts.
pub struct Table {
    clusters: LargePages<Cluster>,
    age: AtomicU8,
}

impl Table {
    /// A table of this many megabytes (at least one cluster).
    pub fn new(megabytes: usize) -> Table {
        let clusters = LargePages::zeroed(Table::clusters_of(megabytes));
        Table { clusters, age: AtomicU8::new(0) }
    }

    /// Whether the system would promise the memory of such a table, at this moment.
    pub fn is_granted(megabytes: usize) -> bool {
        LargePages::<Cluster>::are_granted(Table::clusters_of(megabytes))
    }

    fn clusters_of(megabytes: usize) -> usize {
        ((megabytes << 20) / size_of::<Cluster>()).max(1)
    }

    /// Empties the table, as for a new game, with so many threads.
    pub fn clear(&self, threads: usize) {
        let share = self.clusters.len().div_ceil(threads.max(1)).max(SHARE_MIN);
        let clear = |clusters: &[Cluster]| clusters.iter().for_each(Cluster::clear);
        let (own, others) = self.clusters.split_at(share.min(self.clusters.len()));
        thread::scope(|scope| {
            for clusters in others.chunks(share) {
                let started = thread::Builder::new().spawn_scoped(scope, move || clear(clusters));
                if started.is_err() {
                    clear(clusters);
                }
            }
            clear(own);
        });
        self.age.store(0, Relaxed);
    }

    /// Makes what is stored older than what will be.
    pub fn grow_older(&self) {
        self.age.store((self.age() + 1) % AGES, Relaxed);
    }

    /// Has the position's cluster fetched from memory while something else is done. It takes longer
    /// than all else that a node needs.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(&self.clusters[self.cluster_of(key)]);
    }

    /// What is known of the position with this key, `ply` plies below the root.
    #[inline]
    pub fn probe<M: GameMove>(&self, key: u64, ply: usize) -> Option<TableEntry<M>> {
        let (_, data) = self.clusters[self.cluster_of(key)].find(key as u32)?;
        Some(Data(data).entry(ply))
    }

    /// Remembers what was found `ply` plies below the root.
    pub fn store<M: GameMove>(
        &self,
        margins: &TableMargins,
        key: u64,
        ply: usize,
        entry: TableEntry<M>,
    ) {
        let age = self.age();
        let cluster = &self.clusters[self.cluster_of(key)];
        let short_key = key as u32;
        let mut mv = entry.mv.bits();
        let slot = match cluster.find(short_key) {
            Some((slot, data)) => {
                let old = Data(data);
                // A bound without a move does not make the older move worse.
                if mv == 0 {
                    mv = old.mv();
                }
                let much_shallower = entry.depth + margins.depth_margin < old.depth_and_one() - 1;
                // A deep bound of an earlier search would keep all shallower ones out for the rest of
                // the game.
                let same_search = old.age() == age;
                if entry.bound != Bound::Exact && much_shallower && same_search {
                    cluster.put(slot, short_key, old.with_move(mv).0);
                    return;
                }
                slot
            }
            None => (0..SLOTS)
                .min_by_key(|&slot| Data(cluster.data(slot)).worth(margins, age))
                .expect("a cluster has slots"),
        };
        cluster.put(slot, short_key, Data::new(&entry, mv, ply, age).0);
    }

    /// The cluster that a result with this key would go to, as it is now.
    pub(crate) fn saved(&self, key: u64) -> SavedPlace {
        let index = self.cluster_of(key);
        SavedPlace { index, cluster: self.clusters[index].saved() }
    }

    /// Puts a cluster back as it was.
    pub(crate) fn put_back(&self, saved: &SavedPlace) {
        self.clusters[saved.index].put_back(&saved.cluster);
    }

    /// How full the table is with results of the current search, in permille of a sample.
    pub fn permille_full(&self) -> u32 {
        let sample = &self.clusters[..self.clusters.len().min(200)];
        let slots = sample.iter().flat_map(|cluster| (0..SLOTS).map(|slot| cluster.data(slot)));
        let used = slots.filter(|&data| data != 0 && Data(data).age() == self.age()).count();
        (used * 1000 / (sample.len() * SLOTS)) as u32
    }

    #[inline]
    fn age(&self) -> u8 {
        self.age.load(Relaxed)
    }

    #[inline]
    fn cluster_of(&self, key: u64) -> usize {
        ((u128::from(key) * self.clusters.len() as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use parameters::Switch;

    use super::*;
    use crate::value::MATE;

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
        let tt_pv = false;
        TableEntry { mv: PlainMove(mv), value, bound, evaluation: -7, depth, tt_pv }
    }

    fn margins() -> TableMargins {
        TableMargins { enabled: Switch::ON, ageing: 4, depth_margin: 4 }
    }

    #[test]
    fn a_cluster_fills_a_cache_line() {
        assert_eq!((size_of::<Cluster>(), align_of::<Cluster>()), (64, 64));
    }

    #[test]
    fn mate_distances_are_kept_relative_to_the_position() {
        let table = Table::new(1);
        table.store(&margins(), 5, 4, entry(9, MATE - 10, 3, Bound::Exact));
        assert_eq!(table.probe::<PlainMove>(5, 4), Some(entry(9, MATE - 10, 3, Bound::Exact)));
        assert_eq!(table.probe::<PlainMove>(5, 2).map(|found| found.value), Some(MATE - 8));
        assert_eq!(table.probe::<PlainMove>(6, 2), None);
    }

    #[test]
    fn ageing_says_how_deep_a_result_must_be_to_outlive_a_search() {
        for (ageing, survives) in [(0, true), (32, false)] {
            let margins = TableMargins { ageing, ..margins() };
            let table = Table::new(1);
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
            let table = Table::new(1);
            table.store(&margins, 5, 0, entry(9, 10, 10, Bound::Exact));
            table.store(&margins, 5, 0, entry(7, 30, 8, Bound::Lower));
            let found = table.probe::<PlainMove>(5, 0).map(|entry| entry.depth);
            assert_eq!(found, Some(depth), "a margin of {depth_margin} plies");
            // A later search has other questions: what it finds is kept.
            table.grow_older();
            table.store(&margins, 5, 0, entry(7, 40, 1, Bound::Lower));
            assert_eq!(table.probe::<PlainMove>(5, 0).map(|entry| entry.depth), Some(1));
        }
    }

    #[test]
    fn deep_results_survive_shallow_ones_and_age_gives_way() {
        let table = Table::new(1);
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
        table.clear(1);
        assert_eq!(table.permille_full(), 0);
    }

    #[test]
    fn several_threads_leave_nothing() {
        for (megabytes, threads) in [(0, 3), (1, 2), (9, 2), (16, 3), (16, 512)] {
            let table = Table::new(megabytes);
            let keys =
                || (0..1 << 16).map(|number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
            keys().for_each(|key| table.store(&margins(), key, 0, entry(1, 1, 1, Bound::Exact)));
            assert!(table.permille_full() > 0);
            table.clear(threads);
            let left = keys().filter(|&key| table.probe::<PlainMove>(key, 0).is_some()).count();
            assert_eq!((left, table.permille_full()), (0, 0), "{megabytes} MB, {threads} threads");
        }
    }
}
