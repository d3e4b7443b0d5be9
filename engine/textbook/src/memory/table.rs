//! The transposition table: several orders of moves lead to one position, and each iteration comes
//! back to those of the one before. A result gives a move to try first, and, where it is deep
//! enough, the value.
//!
//! Sizes and rules are the source's: a slot by the low bits of the key, which keeps a result
//! against those of less depth, and one with a lower bound against those without. Two differences:
//! a slot keeps a bound of each side, where the source keeps the last alone, and a result of an
//! earlier search keeps nothing out, since no search would ever clear it away.
//!
//! CITE: Richard D. Greenblatt, Donald E. Eastlake and Stephen D. Crocker, "The Greenblatt Chess
//! Program" (1967).

use search::value::{stored_value, value_at};

use crate::Methods;
use crate::prelude::*;

group! {
    /// Transposition table: a remembered position's move is tried first (Kornilov pp. 140-142).
    TableMethod, sound {
        /// The table on or off.
        enabled: Switch,
        /// How much shallower than the result that is there a new one may be and still replace it:
        /// 0 means the same or deeper, 32 always (plies).
        depth_margin: i32 in 0..=32 step 1,
        /// Slots of the main table, as a power of two (18 makes 262,144).
        slots_power: i32 = 18 in 10..=22 step 1,
    }
}

group! {
    /// Table cutoffs: a remembered result that is deep enough narrows the window, and ends the node
    /// where nothing is left of it (Kornilov pp. 140-142).
    TableCutoff, sound {
        /// Table cutoffs on or off.
        enabled: Switch,
    }
}

group! {
    /// Two tables: a main part that keeps deep results, and no upper bound where it has more, and a
    /// small one in which the newest always replaces another (Kornilov pp. 135-142).
    TwoTables, sound {
        /// The second table on or off.
        enabled: Switch,
    }
}

/// Slots of the small table.
const NEWEST: usize = 1 << 16;

/// The entry of a position. Values lie between the bounds.
#[derive(Clone, Copy)]
pub(crate) struct Known<M> {
    pub(crate) mv: M,
    pub(crate) low: Value,
    pub(crate) high: Value,
    pub(crate) depth: i32,
}

#[derive(Clone, Copy)]
struct Slot<M> {
    key: u64,
    /// The number of the search that found it; 0 where nothing is.
    search: u32,
    known: Known<M>,
}

/// Results that a search leaves for the next one of the same game. A default memory is empty, as for
/// a new game.
pub struct Memory<M> {
    main: Vec<Slot<M>>,
    newest: Vec<Slot<M>>,
    search: u32,
}

impl<M> Default for Memory<M> {
    fn default() -> Memory<M> {
        Memory { main: Vec::new(), newest: Vec::new(), search: 0 }
    }
}

impl<M: GameMove> Memory<M> {
    /// Makes results older than those to come; there are no tables before they are needed.
    pub(crate) fn begin_search(&mut self, methods: &Methods) {
        self.search += 1;
        if methods.table.enabled() {
            let known = Known { mv: M::NONE, low: -INFINITY, high: INFINITY, depth: 0 };
            let empty = Slot { key: 0, search: 0, known };
            self.main.resize(1 << methods.table.slots_power, empty);
            self.newest.resize(NEWEST, empty);
        }
    }

    /// How full the table is with results of the current search, in permille of a sample.
    pub(crate) fn permille_full(&self) -> u32 {
        let sample = self.main.iter().take(1000);
        sample.filter(|slot| slot.search == self.search).count() as u32
    }

    fn find(&self, key: u64) -> Option<&Known<M>> {
        let slots =
            [&self.main[key as usize % self.main.len()], &self.newest[key as usize % NEWEST]];
        slots.into_iter().find(|slot| slot.search != 0 && slot.key == key).map(|slot| &slot.known)
    }

    /// Puts a result into its slot; into the small table, if that is on, where the main one refuses
    /// it.
    fn put(&mut self, key: u64, known: Known<M>, depth_margin: i32, two_tables: bool) {
        let slot = Slot { key, search: self.search, known };
        let index = key as usize % self.main.len();
        let place = &mut self.main[index];
        let says_more = place.known.low > -INFINITY && known.low == -INFINITY;
        let holds = says_more || place.known.depth > known.depth + depth_margin;
        if place.search != self.search || !holds {
            *place = slot;
        } else if two_tables {
            self.newest[key as usize % NEWEST] = slot;
        }
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// The entry of the current position.
    pub(crate) fn probe(&self, ply: usize) -> Option<Known<G::Move>> {
        let is_on = self.methods.table.enabled();
        let known = *is_on.then(|| self.memory.find(self.game.table_key())).flatten()?;
        let (low, high) = (value_at(known.low, ply), value_at(known.high, ply));
        Some(Known { low, high, ..known })
    }

    /// The value that is known, if it is deep enough to end the node; else it narrows the window.
    pub(crate) fn try_table_cutoff(
        &self,
        known: Option<Known<G::Move>>,
        (alpha, beta): (&mut Value, &mut Value),
        depth: i32,
        ply: usize,
    ) -> Option<Value> {
        let known = known.filter(|known| known.depth >= depth && ply > 0)?;
        if !self.methods.table_cutoff.enabled() {
            return None;
        }
        if known.low >= *beta || known.low == known.high {
            return Some(known.low);
        }
        if known.high <= *alpha {
            return Some(known.high);
        }
        let bounds = (known.low, known.high);
        (*alpha, *beta) = self.methods.alpha_beta.within((*alpha, *beta), bounds);
        None
    }

    /// Remembers the value of the current position, found with this window.
    pub(crate) fn store(
        &mut self,
        ply: usize,
        depth: i32,
        value: Value,
        (alpha, beta): (Value, Value),
    ) {
        let methods = self.methods;
        // At the root there may be moves that nobody asked for.
        if !methods.table.enabled() || ply == 0 {
            return;
        }
        let key = self.game.table_key();
        let found = stored_value(value, ply);
        let before = self.memory.find(key).copied();
        let same = before.filter(|before| before.depth == depth);
        let (low, high) = same.map_or((-INFINITY, INFINITY), |same| (same.low, same.high));
        let best = self.lines[ply].first();
        let known = Known {
            mv: best.copied().or(before.map(|it| it.mv)).unwrap_or(G::Move::NONE),
            low: if value > alpha { found } else { low },
            high: if value < beta { found } else { high },
            depth,
        };
        self.memory.put(key, known, methods.table.depth_margin, methods.two_tables.enabled());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slots of the main table, as declared.
    const MAIN: u64 = 1 << 18;

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    struct Plain(u16);

    impl GameMove for Plain {
        const NONE: Plain = Plain(0);
        fn bits(self) -> u16 {
            self.0
        }
        fn from_bits(bits: u16) -> Plain {
            Plain(bits)
        }
    }

    /// Puts a lower bound, or else an upper one, of this depth into the one slot of all keys here.
    fn put(memory: &mut Memory<Plain>, number: u64, depth: i32, is_lower: bool, two_tables: bool) {
        let (low, high) = if is_lower { (5, INFINITY) } else { (-INFINITY, 5) };
        let known = Known { mv: Plain(1), low, high, depth };
        memory.put(number * MAIN, known, 0, two_tables);
    }

    #[test]
    fn the_deep_results_stay_and_the_second_table_has_the_newest() {
        for two_tables in [false, true] {
            let mut methods = Methods::declared();
            methods.table.enabled = Switch::ON;
            let mut memory = Memory::<Plain>::default();
            memory.begin_search(&methods);
            let depths = |memory: &Memory<Plain>| {
                [1, 2, 3].map(|key| memory.find(key * MAIN).map(|known| known.depth))
            };
            put(&mut memory, 1, 5, true, two_tables);
            put(&mut memory, 2, 4, true, two_tables);
            assert_eq!(depths(&memory), [Some(5), two_tables.then_some(4), None]);
            put(&mut memory, 3, 9, false, two_tables);
            let newest = two_tables.then_some(9);
            assert_eq!(depths(&memory), [Some(5), None, newest], "an upper bound says less");
            put(&mut memory, 2, 5, true, two_tables);
            assert_eq!(depths(&memory), [None, Some(5), newest], "the same depth");
            memory.begin_search(&methods);
            put(&mut memory, 1, 1, false, two_tables);
            assert_eq!(depths(&memory)[0], Some(1), "another search begins anew");
        }
    }
}
