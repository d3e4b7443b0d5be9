//! Units that travel as bytes, to workers that may be slow, lose them, or answer twice.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::{Card, Executor, Failure, Received, Unit, UnitFailure, UnitKind};

/// A unit's name wherever it is done: an answer under another card is not its answer.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct UnitName {
    /// Digest of the card, see [`Card::digest`].
    pub card: String,
    /// Number of the unit.
    pub number: u64,
}

/// Carries bytes to workers and back. It may lose, repeat, delay and reorder them.
pub trait Transport {
    /// Units that its workers can have at once.
    fn capacity(&self) -> usize;

    /// Sends an order.
    fn send(&mut self, unit: &UnitName, order: &[u8]);

    /// Bytes that came by the end of a time, if not before: those of [`answer_bytes`].
    fn receive(&mut self, patience: Duration) -> Option<(UnitName, Vec<u8>)>;
}

/// Workers behind a transport.
#[derive(Debug)]
pub struct Remote<'k, K: UnitKind, T> {
    kind: &'k K,
    card: Card,
    transport: T,
    /// Units without an answer are sent again after this time.
    overdue: Duration,
    open: BTreeMap<u64, Sent<K::Order>>,
}

/// A unit that was sent.
#[derive(Debug)]
struct Sent<O> {
    unit: Unit<O>,
    at: Instant,
}

impl<'k, K: UnitKind, T: Transport> Remote<'k, K, T> {
    /// Workers behind this transport; a unit that has no answer after `overdue` is sent again.
    pub fn new(kind: &'k K, transport: T, overdue: Duration) -> Remote<'k, K, T> {
        Remote { kind, card: kind.card(), transport, overdue, open: BTreeMap::new() }
    }

    fn send_order(&mut self, unit: &Unit<K::Order>) {
        let name = UnitName { card: self.card.digest().to_owned(), number: unit.number };
        let order = serde_json::to_vec(&unit.order).expect("plain data becomes JSON");
        let order = sealed(&name, &order);
        self.transport.send(&name, &order);
    }

    /// Sends units again that are overdue.
    fn send_again(&mut self) {
        let overdue: Vec<Unit<K::Order>> = self
            .open
            .values_mut()
            .filter(|sent| sent.at.elapsed() >= self.overdue)
            .map(|sent| {
                sent.at = Instant::now();
                sent.unit.clone()
            })
            .collect();
        overdue.iter().for_each(|unit| self.send_order(unit));
    }
}

impl<K: UnitKind, T: Transport> Executor<K::Order, K::Answer> for Remote<'_, K, T> {
    fn capacity(&self) -> usize {
        self.transport.capacity()
    }

    fn send(&mut self, unit: &Unit<K::Order>) {
        self.open.insert(unit.number, Sent { unit: unit.clone(), at: Instant::now() });
        self.send_order(unit);
    }

    fn receive(&mut self, patience: Duration) -> Received<K::Answer> {
        let came = self.transport.receive(patience.min(self.overdue));
        self.send_again();
        let Some((name, bytes)) = came else { return Received::Nothing };
        if name.card != self.card.digest() {
            return Received::Nothing;
        }
        let Some(Sent { unit, .. }) = self.open.get(&name.number) else { return Received::Nothing };
        // One that was damaged on its way is dropped, and the unit is overdue by and by.
        let answer = match opened(&name, &bytes).and_then(<[u8]>::split_first) {
            Some((&ANSWER, bytes)) => match self.kind.read_answer(unit, bytes) {
                Ok(answer) => Ok(answer),
                Err(_) => return Received::Nothing,
            },
            Some((&FAILURE, reason)) => Err(UnitFailure::Failed {
                unit: name.number,
                reason: String::from_utf8_lossy(reason).into_owned(),
            }),
            _ => return Received::Nothing,
        };
        self.open.remove(&name.number);
        Received::Answer(name.number, answer)
    }
}

/// First byte of an answer, and of a reason why there is none.
const ANSWER: u8 = b'+';
const FAILURE: u8 = b'-';

/// Bytes with a checksum of theirs and of the unit that they are of, so that damage shows.
fn sealed(name: &UnitName, bytes: &[u8]) -> Vec<u8> {
    [&checksum(name, bytes)[..], bytes].concat()
}

/// The bytes that were sealed, if they are as they were.
fn opened<'b>(name: &UnitName, sealed: &'b [u8]) -> Option<&'b [u8]> {
    let (sum, bytes) = sealed.split_first_chunk()?;
    (*sum == checksum(name, bytes)).then_some(bytes)
}

fn checksum(name: &UnitName, bytes: &[u8]) -> [u8; 4] {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(name.card.as_bytes());
    hasher.update(&name.number.to_le_bytes());
    hasher.update(bytes);
    hasher.finalize().to_le_bytes()
}

/// Does a unit that came as bytes, with a function made by [`UnitKind::worker`]; returns the bytes that
/// go back. None if the unit is of another card, its order is damaged, or it was cancelled: then it is
/// sent again.
pub fn answer_bytes<K: UnitKind>(
    kind: &K,
    work: &mut impl FnMut(&Unit<K::Order>, &AtomicBool) -> Result<K::Answer, Failure>,
    name: &UnitName,
    order: &[u8],
    cancel: &AtomicBool,
) -> Option<Vec<u8>> {
    if name.card != kind.card().digest() {
        return None;
    }
    let order = serde_json::from_slice(opened(name, order)?).ok()?;
    let (head, rest) = match work(&Unit { number: name.number, order }, cancel) {
        Ok(answer) => (ANSWER, kind.write_answer(&answer)),
        Err(Failure::Reason(reason)) => (FAILURE, reason.into_bytes()),
        Err(Failure::Cancelled) => return None,
    };
    Some(sealed(name, &[&[head], &*rest].concat()))
}
