// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Operations by route and peer: each pair has a slot of counters, which it keeps as long as the process
//! lives. Pairs beyond [`APART`] count together, without a peer.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use mf_base::sync::counters::Counters;
use mf_base::sync::lock;
use mf_transport::OperationKind;

use super::meter::{Measured, Meter};
use super::{SAMPLED_ONE_IN, timeline};

/// Pairs that count apart. Number 0 is unused.
const APART: usize = 254;
const SLOTS: usize = 2 + APART;
/// Slot of the pairs that count together.
const TOGETHER: Slot = Slot(255);
const KINDS: usize = OperationKind::ALL.len();
/// Bytes, errors, operations.
const EACH: usize = 3;
/// The route of the pairs that count together.
const OTHERS: &str = "other";

/// Counters at the front that belong to pools: a copy counts in both parts, and finds the cells of its thread
/// once.
pub const POOL_CELLS: usize = 12 * 64;

/// Counters of pools, then of the slots.
pub static COUNTERS: Counters<{ POOL_CELLS + SLOTS * KINDS * EACH }> = Counters::new();
static METERS: [[Meter; KINDS]; SLOTS] = [const { [const { Meter::new() }; KINDS] }; SLOTS];
static KNOWN: Mutex<BTreeMap<(&'static str, u32), Slot>> = Mutex::new(BTreeMap::new());

/// Counters of the operations of one route to one peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot(u8);

/// Counts of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// `mapped`, `device`, or the transport's name.
    pub route: &'static str,
    /// The peer's rank in the job; `None`: the pairs that count together.
    pub peer: Option<u32>,
    /// Kind of the operations.
    pub kind: OperationKind,
    /// Number of ended operations.
    pub operations: u64,
    /// Bytes moved by the successful ones.
    pub bytes: u64,
    /// Number of failed operations.
    pub errors: u64,
    /// Durations of the timed ones.
    pub took: Measured,
}

impl Slot {
    /// Returns the slot of a route and a peer.
    pub fn of(route: &'static str, peer: u32) -> Self {
        let mut known = lock(&KNOWN);
        if let Some(slot) = known.get(&(route, peer)) {
            return *slot;
        }
        match u8::try_from(known.len() + 1) {
            Ok(next) if next < TOGETHER.0 => *known.entry((route, peer)).or_insert(Self(next)),
            _ => TOGETHER,
        }
    }

    /// Returns it as a number from 1.
    #[inline]
    pub fn number(self) -> u8 {
        self.0
    }

    /// Returns the slot of a [`number`](Self::number).
    #[inline]
    pub fn from_number(number: u8) -> Self {
        Self(number)
    }

    #[inline]
    fn first(self, kind: OperationKind) -> usize {
        POOL_CELLS + (usize::from(self.0) * KINDS + kind as usize) * EACH
    }

    /// Counts an operation that ends well in any case; whether it is the turn of this one to be timed.
    #[inline(always)]
    pub fn count(self, kind: OperationKind, bytes: u64) -> bool {
        let first = self.first(kind);
        COUNTERS.add_each([(first, bytes), (first + 2, 1)]) % SAMPLED_ONE_IN == 1
    }

    /// Counts like [`count`](Self::count), and in two cells of a pool: operations, then bytes.
    #[inline(always)]
    pub fn count_with(self, kind: OperationKind, bytes: u64, cells: usize) -> bool {
        let first = self.first(kind);
        let counts = [(cells, 1), (cells + 1, bytes), (first, bytes), (first + 2, 1)];
        COUNTERS.add_each(counts) % SAMPLED_ONE_IN == 1
    }

    /// Adds the duration of one.
    pub fn time(self, kind: OperationKind, took: Duration) {
        if let Some(meter) = METERS.get(usize::from(self.0)).and_then(|meters| meters.get(kind as usize)) {
            meter.add(took);
        }
    }

    /// Counts an operation that has ended.
    pub fn ended(self, kind: OperationKind, bytes: u64, took: Duration, is_good: bool) {
        if is_good {
            self.count(kind, bytes);
        } else {
            let first = self.first(kind);
            COUNTERS.add_each([(first + 1, 1), (first + 2, 1)]);
        }
        self.time(kind, took);
    }
}

/// Returns all counts since the process began, without kinds that have none. **Local.**
pub fn rows() -> Vec<Row> {
    let known: Vec<_> =
        lock(&KNOWN).iter().map(|((route, peer), slot)| (*route, Some(*peer), *slot)).collect();
    let mut rows = Vec::new();
    for (route, peer, slot) in known.into_iter().chain([(OTHERS, None, TOGETHER)]) {
        for kind in OperationKind::ALL {
            let [bytes, errors, operations] = [0, 1, 2].map(|more| COUNTERS.read(slot.first(kind) + more));
            if operations > 0 {
                let took = METERS[usize::from(slot.0)][kind as usize].read();
                rows.push(Row { route, peer, kind, operations, bytes, errors, took });
            }
        }
    }
    rows
}

/// A copy between mapped memory that is timed.
pub struct Copying {
    slot: Slot,
    kind: OperationKind,
    is_sample: bool,
}

impl Copying {
    /// Counts a copy, also in cells of its pool. Returns `None` if it is not timed.
    #[inline(always)]
    pub fn begin(slot: Slot, kind: OperationKind, bytes: u64, cells: usize) -> Option<Self> {
        let is_sample = slot.count_with(kind, bytes, cells);
        (is_sample || timeline::takes(bytes)).then_some(Self { slot, kind, is_sample })
    }

    /// Begins a copy that may still be refused, without counting it. Returns `None` if it is not timed.
    pub fn of(slot: Slot, kind: OperationKind, bytes: u64) -> Option<Self> {
        thread_local! {
            static TURN: Cell<u64> = const { Cell::new(0) };
        }
        let is_sample = TURN.replace(TURN.get().wrapping_add(1)).is_multiple_of(SAMPLED_ONE_IN);
        (is_sample || timeline::takes(bytes)).then_some(Self { slot, kind, is_sample })
    }

    /// Ends it: records its duration since `since`.
    #[cold]
    pub fn end(self, (route, peer): (&'static str, u32), bytes: u64, since: Instant) {
        let took = since.elapsed();
        if self.is_sample {
            self.slot.time(self.kind, took);
        }
        timeline::copy(self.kind.name(), (route, peer), bytes, since, took);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_separately_and_copies_timed_by_sampling() {
        let (one, other) = (Slot::of("test a", 7), Slot::of("test a", 8));
        assert_eq!(Slot::of("test a", 7), one);
        let timed = (0..2 * SAMPLED_ONE_IN).filter(|_| one.count(OperationKind::Put, 8)).count();
        assert_eq!(timed, 2);
        other.ended(OperationKind::Get, 100, Duration::from_micros(3), true);
        other.ended(OperationKind::Get, 100, Duration::from_micros(3), false);
        let of = |peer| {
            let found =
                rows().into_iter().find(|row| row.route == "test a" && row.peer == Some(peer)).unwrap();
            (found.kind, found.operations, found.bytes, found.errors, found.took.count())
        };
        assert_eq!(of(7), (OperationKind::Put, 512, 4096, 0, 0));
        assert_eq!(of(8), (OperationKind::Get, 2, 100, 1, 2));
    }
}
