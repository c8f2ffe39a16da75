// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Table of the operations in flight on one connection.
//!
//! They count in one sequence and end in it, so they form a queue: an ack ends all entries up to its number.
//! The sending side adds them, the receiving side ends them, and neither waits for the other
//! (`mf_base::sync::ring`). An entry past its deadline stays until its ack, without its completion and
//! without its memory. Copies between two other processes take longer; they have numbers of their own and end
//! one by one.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use mf_base::sync::lock;
use mf_base::sync::ring::{Adder, Taker};
use mf_base::{Error, Result};
use mf_transport::Completion;

use crate::blocks::Shape;
use crate::malformed::Malformed;

/// Kind of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Put,
    Get,
    Atomic,
    Signal,
    Copy,
}

impl What {
    /// Its name in errors.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Put => "tcp put",
            Self::Get => "tcp get",
            Self::Atomic => "tcp atomic",
            Self::Signal => "tcp signal",
            Self::Copy => "tcp remote copy",
        }
    }
}

/// One operation in flight.
pub(crate) struct Entry {
    /// The waiting completion; `None` once the operation has ended.
    pub(crate) completion: Option<Arc<Completion>>,
    pub(crate) deadline: Instant,
    pub(crate) what: What,
    /// Destination of the bytes of a get or the old value of an atomic.
    pub(crate) local: *mut u8,
    /// Number of these bytes.
    pub(crate) bytes: u64,
    /// Layout of the bytes of a get there; `None`: contiguous.
    pub(crate) shape: Option<Shape>,
    /// Received bytes of a get.
    pub(crate) received: u64,
    /// Why it failed at the other end.
    pub(crate) error: Option<Error>,
}

// SAFETY: the pointer is only used under the rules of `Transport::post`, by the thread that drives the
// connection.
unsafe impl Send for Entry {}

impl Entry {
    /// Notifies the waiting completion, once; the memory is not touched any more.
    fn end(&mut self, flight: &Flight, result: Result<()>) {
        self.local = std::ptr::null_mut();
        if let Some(completion) = self.completion.take() {
            completion.end(result);
            // A thread that sees no operation in flight sees all completions counted.
            flight.withdraw(1);
        }
    }
}

#[derive(Default)]
struct Copies {
    entries: HashMap<u64, Entry>,
    next: u64,
}

/// Shared view of the operations in flight.
pub(crate) struct Flight {
    /// Operations that have not ended.
    live: AtomicUsize,
    /// No deadline is before this, in nanoseconds since `start`. Lowered by the holder of the sending end,
    /// raised by the holder of both.
    nearest: AtomicU64,
    start: Instant,
    copies: Mutex<Copies>,
}

impl Default for Flight {
    fn default() -> Self {
        Self {
            live: AtomicUsize::new(0),
            nearest: AtomicU64::new(u64::MAX),
            start: Instant::now(),
            copies: Mutex::default(),
        }
    }
}

impl Flight {
    /// Operations that have not ended.
    pub(crate) fn live(&self) -> usize {
        // Pairs with the release in `withdraw`.
        self.live.load(Ordering::Acquire)
    }

    /// So many more are in flight.
    pub(crate) fn begin(&self, operations: usize) {
        self.live.fetch_add(operations, Ordering::AcqRel);
    }

    /// So many less.
    pub(crate) fn withdraw(&self, operations: usize) {
        self.live.fetch_sub(operations, Ordering::AcqRel);
    }

    fn since_start(&self, at: Instant) -> u64 {
        u64::try_from(at.saturating_duration_since(self.start).as_nanos()).unwrap_or(u64::MAX - 1)
    }

    /// Returns true if a deadline may have passed.
    pub(crate) fn is_late(&self, now: Instant) -> bool {
        self.live() > 0 && self.nearest.load(Ordering::Relaxed) <= self.since_start(now)
    }

    /// Adds one, for the holder of the sending end; its number.
    pub(crate) fn add(&self, entries: &mut Adder<Entry>, entry: Entry) -> u64 {
        self.begin(1);
        let deadline = self.since_start(entry.deadline);
        if deadline < self.nearest.load(Ordering::Relaxed) {
            self.nearest.store(deadline, Ordering::Relaxed);
        }
        if entry.what != What::Copy {
            return entries.add(entry);
        }
        let mut copies = lock(&self.copies);
        let number = copies.next;
        copies.next += 1;
        copies.entries.insert(number, entry);
        number
    }

    /// The number that the next copy will get.
    pub(crate) fn next_copy(&self) -> u64 {
        lock(&self.copies).next
    }

    /// A copy has ended; one that has ended here before is not known any more.
    pub(crate) fn end_copy(&self, number: u64, result: Result<()>) {
        let ended = lock(&self.copies).entries.remove(&number);
        if let Some(mut entry) = ended {
            entry.end(self, result);
        }
    }

    /// Memory of the copies.
    pub(crate) fn bytes(&self) -> usize {
        lock(&self.copies).entries.capacity() * size_of::<Entry>()
    }

    /// Gives that back while no copy is in flight.
    pub(crate) fn rest(&self) {
        let mut copies = lock(&self.copies);
        if copies.entries.is_empty() {
            copies.entries = HashMap::new();
        }
    }
}

/// The receiving end's view of the operations in flight.
pub(crate) struct Table<'a> {
    pub(crate) flight: &'a Flight,
    pub(crate) entries: &'a mut Taker<Entry>,
}

impl Table<'_> {
    /// An entry by its number.
    pub(crate) fn entry(&mut self, sequence: u64) -> Option<&mut Entry> {
        self.entries.get_mut(sequence)
    }

    /// Returns true if all operations and copies before these numbers have ended.
    pub(crate) fn is_past(&mut self, (sequence, copy): (u64, u64)) -> bool {
        let mut past = lock(&self.flight.copies).entries.keys().all(|number| *number >= copy);
        self.entries.visit(|number, entry| {
            past &= number >= sequence || entry.completion.is_none();
            past && number < sequence
        });
        past
    }

    /// All up to `sequence` are done.
    pub(crate) fn ack(&mut self, sequence: u64) -> Result<(), Malformed> {
        if sequence >= self.entries.end() {
            return Err(Malformed("ack of an operation that was not asked for"));
        }
        while self.entries.first() <= sequence {
            let Some(entry) = self.entries.get_mut(self.entries.first()) else { break };
            let is_short = entry.what == What::Get && entry.received < entry.bytes;
            if is_short && entry.error.is_none() && entry.completion.is_some() {
                return Err(Malformed("end of a get before its bytes"));
            }
            if let Some(mut entry) = self.entries.take() {
                let result = entry.error.take().map_or(Ok(()), Err);
                entry.end(self.flight, result);
            }
        }
        Ok(())
    }

    /// The operation failed at the other end; its ack follows.
    pub(crate) fn fail(&mut self, sequence: u64, error: impl FnOnce(What) -> Error) -> Result<(), Malformed> {
        let entry = self.entry(sequence).ok_or(Malformed("error of an operation that was not asked for"))?;
        if entry.error.is_none() {
            entry.error = Some(error(entry.what));
        }
        Ok(())
    }

    /// Ends all operations past their deadline, for the holder of the sending end, too. `release` returns
    /// false for an operation that may still be done at the other end, or reads its memory; such entries keep
    /// their error, and false is returned: the connection must end.
    pub(crate) fn expire(
        &mut self,
        now: Instant,
        mut release: impl FnMut(What, u64) -> bool,
        error: impl Fn(What) -> Error,
    ) -> bool {
        let flight = self.flight;
        let mut nearest = u64::MAX;
        let mut whole = true;
        let mut check = |entry: &mut Entry, number: u64| {
            if entry.completion.is_none() {
                return;
            }
            if entry.deadline > now {
                nearest = nearest.min(flight.since_start(entry.deadline));
            } else if release(entry.what, number) {
                entry.end(flight, Err(error(entry.what)));
            } else {
                entry.error = Some(error(entry.what));
                whole = false;
            }
        };
        self.entries.visit(|number, entry| {
            check(entry, number);
            true
        });
        lock(&flight.copies).entries.retain(|number, entry| {
            check(entry, *number);
            entry.completion.is_some()
        });
        flight.nearest.store(nearest, Ordering::Relaxed);
        whole
    }

    /// All that belongs to this completion becomes late.
    pub(crate) fn hasten(&mut self, completion: &Completion, now: Instant) {
        let flight = self.flight;
        let hasten = |entry: &mut Entry| {
            if entry.completion.as_ref().is_some_and(|own| own.serves(completion)) {
                entry.deadline = now;
                flight.nearest.store(0, Ordering::Relaxed);
            }
        };
        self.entries.visit(|_, entry| {
            hasten(entry);
            true
        });
        lock(&flight.copies).entries.values_mut().for_each(hasten);
    }

    /// Ends all, for the holder of the sending end, too.
    pub(crate) fn end_all(&mut self, error: impl Fn(What) -> Error) {
        let copies = std::mem::take(&mut lock(&self.flight.copies).entries);
        let entries = std::iter::from_fn(|| self.entries.take());
        for mut entry in entries.chain(copies.into_values()) {
            let error = entry.error.take().unwrap_or_else(|| error(entry.what));
            entry.end(self.flight, Err(error));
        }
        self.flight.nearest.store(u64::MAX, Ordering::Relaxed);
    }

    /// Returns true if an operation in flight belongs to this completion.
    pub(crate) fn serves(&mut self, completion: &Completion) -> bool {
        let is = |entry: &Entry| entry.completion.as_ref().is_some_and(|own| own.serves(completion));
        let mut serves = lock(&self.flight.copies).entries.values().any(is);
        self.entries.visit(|_, entry| {
            serves |= is(entry);
            !serves
        });
        serves
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mf_base::Kind;
    use mf_base::sync::ring::ring;

    use super::*;

    fn entry(completion: &Arc<Completion>, what: What, deadline: Instant) -> Entry {
        completion.begin(1);
        Entry {
            completion: Some(Arc::clone(completion)),
            deadline,
            what,
            local: std::ptr::null_mut(),
            bytes: 8,
            shape: None,
            received: 0,
            error: None,
        }
    }

    #[test]
    fn ack_completes_earlier_operations_and_copies_complete_singly() {
        let completion = Arc::new(Completion::new());
        let later = Instant::now() + Duration::from_secs(60);
        let (flight, (mut adder, mut taker)) = (Flight::default(), ring());
        for number in 0..3 {
            assert_eq!(flight.add(&mut adder, entry(&completion, What::Put, later)), number);
        }
        let copy = flight.add(&mut adder, entry(&completion, What::Copy, later));
        let mut table = Table { flight: &flight, entries: &mut taker };
        table.fail(1, |what| Error::invalid(what.name(), "no")).unwrap();
        table.ack(1).unwrap();
        assert_eq!(flight.live(), 2);
        assert!(table.is_past((2, 0)) && !table.is_past((3, 0)) && !table.is_past((2, 1)));
        assert!(table.ack(3).is_err());
        table.ack(2).unwrap();
        flight.end_copy(copy, Ok(()));
        assert_eq!(flight.live(), 0);
        assert!(completion.is_done());
        assert!(completion.outcome().is_err());
    }

    #[test]
    fn acknowledged_get_without_its_bytes_is_refused() {
        let completion = Arc::new(Completion::new());
        let (flight, (mut adder, mut taker)) = (Flight::default(), ring());
        flight.add(&mut adder, entry(&completion, What::Get, Instant::now()));
        let mut table = Table { flight: &flight, entries: &mut taker };
        assert!(table.ack(0).is_err());
        table.entry(0).unwrap().received = 8;
        table.ack(0).unwrap();
        completion.outcome().unwrap();
    }

    #[test]
    fn late_operations_end_once_and_accept_their_ack() {
        let completion = Arc::new(Completion::new());
        let (flight, (mut adder, mut taker)) = (Flight::default(), ring());
        let now = Instant::now();
        flight.add(&mut adder, entry(&completion, What::Put, now));
        flight.add(&mut adder, entry(&completion, What::Get, now + Duration::from_secs(60)));
        let late = |what: What| Error::new(Kind::Timeout, what.name());
        let mut table = Table { flight: &flight, entries: &mut taker };
        assert!(flight.is_late(now) && table.expire(now, |_, _| true, late));
        assert_eq!((flight.live(), completion.pending()), (1, 1));
        assert!(!flight.is_late(now));
        table.ack(0).unwrap();
        table.end_all(|what| Error::new(Kind::NotConnected, what.name()));
        assert!(completion.is_done());
        assert_eq!(completion.outcome().unwrap_err().kind(), Kind::Timeout);
    }
}
