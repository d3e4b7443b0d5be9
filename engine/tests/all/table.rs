//! The transposition table that threads share: what one stores, another finds whole or not at all.

use std::sync::atomic::{AtomicUsize, Ordering};

use chess::Move;
use chess::{Margins, Parameters};
use loom::sync::{Arc, atomic as atomics};
use loom::thread;
use search::{Bound, Table, TableEntry};

/// The clusters of the table over again, made of loom's words instead of the processor's.
#[path = "../../search/src/memory/table/cluster.rs"]
#[allow(dead_code)]
mod cluster;

use cluster::Cluster;

/// Runs threads that put results of these keys and data into slot 0 of a cluster and one that looks
/// for keys, in all orders that the memory model allows, and checks each answer.
fn model(puts: [(u32, u64); 2], keys: &'static [u32], allowed: fn(u32, u64) -> bool) {
    loom::model(move || {
        let cluster = Arc::new(Cluster::default());
        let writers = puts.map(|(key, data)| {
            let cluster = Arc::clone(&cluster);
            thread::spawn(move || cluster.put(0, key, data))
        });
        for &key in keys {
            if let Some((slot, data)) = cluster.find(key) {
                assert!(slot == 0 && allowed(key, data), "{data} for key {key}");
            }
        }
        for writer in writers {
            writer.join().expect("a writer ends");
        }
    });
}

#[test]
fn results_of_two_keys_are_not_mistaken_for_each_other_in_any_order_of_events() {
    model([(7, 1 << 48 | 70), (9, 1 << 48 | 90)], &[7], |_, data| data == 1 << 48 | 70);
    model([(7, 1 << 48 | 70), (9, 1 << 48 | 90)], &[9, 7], |key, data| {
        data == 1 << 48 | u64::from(10 * key)
    });
}

#[test]
fn of_two_results_of_one_key_one_is_found_in_any_order_of_events() {
    model([(7, 1 << 48 | 70), (7, 3 << 48 | 71)], &[7, 7], |_, data| {
        [1 << 48 | 70, 3 << 48 | 71].contains(&data)
    });
}

/// Keys of one cluster, more than it has slots.
const KEYS: u64 = 8;
const STORES: usize = 200_000;

/// A result from which all can be told of what belongs to it: the key and who stored it.
fn entry(key: u64, number: usize) -> TableEntry<Move> {
    let number = number as u64 % 50_000 + 1;
    TableEntry {
        mv: Move::from_bits(number as u16),
        value: (number * (key + 3) % 20_011) as i32,
        bound: Bound::Exact,
        evaluation: -((number * (key + 7) % 19_997) as i32),
        depth: (number * (key + 11) % 101) as i32,
        tt_pv: (number + key).is_multiple_of(2),
    }
}

#[test]
fn no_result_is_found_in_parts_or_with_another_key() {
    let margins: Margins = Parameters::embedded().margins;
    let table = Table::new(0);
    let (found, number) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = |offset: u64| {
        for round in 0..STORES as u64 {
            let key = (round * 5 + offset) % KEYS;
            let next = number.fetch_add(1, Ordering::Relaxed);
            table.store(&margins.table, key, 0, entry(key, next));
            let asked = (round * 3 + offset) % KEYS;
            if let Some(there) = table.probe::<Move>(asked, 0) {
                let stored = entry(asked, usize::from(there.mv.bits()) - 1);
                assert_eq!(there, stored, "for key {asked}");
                found.fetch_add(1, Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        for offset in [0, 1] {
            let work = &work;
            scope.spawn(move || work(offset));
        }
    });
    let found = found.into_inner();
    assert!(found > STORES / 10, "only {found} results were found");
}
