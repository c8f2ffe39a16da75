// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The operations in flight on one connection.
//!
//! They count in one sequence and end in it, so the table is a queue: an ack ends all entries up to its
//! number. An entry whose deadline has passed stays until then, without its completion and without its
//! memory. Copies between two other processes take longer; they have numbers of their own and end one by one.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use mf_base::{Error, Result};

use super::blocks::Shape;
use super::wire::Malformed;
use crate::transport::Completion;

/// What an operation asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Put,
    Get,
    Atomic,
    Signal,
    Copy,
}

impl What {
    /// Its name in errors.
    pub(super) const fn name(self) -> &'static str {
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
pub(super) struct Entry {
    /// Who is told; nobody any more once it has ended.
    pub(super) completion: Option<Arc<Completion>>,
    pub(super) deadline: Instant,
    pub(super) what: What,
    /// Where the bytes of a get or the old value of an atomic go.
    pub(super) local: *mut u8,
    pub(super) bytes: u64,
    /// How the bytes of a get lie there; none: in one piece.
    pub(super) shape: Option<Shape>,
    /// How much of a get is there.
    pub(super) received: u64,
    /// Why it failed at the other end.
    pub(super) error: Option<Error>,
}

// SAFETY: the pointer is only used under the rules of `Transport::post`, by whichever thread drives the
// connection.
unsafe impl Send for Entry {}

impl Entry {
    /// Tells who waits, once; the memory is not touched any more.
    fn end(&mut self, result: Result<()>) -> bool {
        self.local = std::ptr::null_mut();
        match self.completion.take() {
            Some(completion) => {
                completion.end(result);
                true
            }
            None => false,
        }
    }
}

/// The operations in flight.
#[derive(Default)]
pub(super) struct Table {
    /// Number of the first entry.
    first: u64,
    entries: VecDeque<Entry>,
    copies: HashMap<u64, Entry>,
    next_copy: u64,
    /// Entries that have not ended.
    live: usize,
    /// No deadline is before this.
    nearest: Option<Instant>,
}

impl Table {
    /// Entries that have not ended.
    pub(super) fn live(&self) -> usize {
        self.live
    }

    /// Entries that take room.
    pub(super) fn len(&self) -> usize {
        self.entries.len() + self.copies.len()
    }

    /// Memory that it holds.
    pub(super) fn bytes(&self) -> usize {
        (self.entries.capacity() + self.copies.capacity()) * size_of::<Entry>()
    }

    /// Gives memory back while nothing is in flight.
    pub(super) fn rest(&mut self) {
        if self.len() == 0 {
            self.entries = VecDeque::new();
            self.copies = HashMap::new();
        }
    }

    fn note(&mut self, deadline: Instant) {
        self.live += 1;
        self.nearest = Some(self.nearest.map_or(deadline, |nearest| nearest.min(deadline)));
    }

    /// Adds one; its number.
    pub(super) fn push(&mut self, entry: Entry) -> u64 {
        self.note(entry.deadline);
        let number = if entry.what == What::Copy {
            let number = self.next_copy;
            self.next_copy += 1;
            self.copies.insert(number, entry);
            return number;
        } else {
            self.first + self.entries.len() as u64
        };
        self.entries.push_back(entry);
        number
    }

    /// The numbers that the next entry and the next copy will get.
    pub(super) fn next(&self) -> (u64, u64) {
        (self.first + self.entries.len() as u64, self.next_copy)
    }

    /// Whether everything before these numbers has ended.
    pub(super) fn is_past(&self, (sequence, copy): (u64, u64)) -> bool {
        self.live == 0
            || (self.copies.keys().all(|number| *number >= copy)
                && self
                    .entries
                    .iter()
                    .zip(self.first..)
                    .all(|(entry, number)| number >= sequence || entry.completion.is_none()))
    }

    /// An entry by its number.
    pub(super) fn entry(&mut self, sequence: u64) -> Option<&mut Entry> {
        let index = usize::try_from(sequence.checked_sub(self.first)?).ok()?;
        self.entries.get_mut(index)
    }

    /// All up to `sequence` are done.
    pub(super) fn ack(&mut self, sequence: u64) -> Result<(), Malformed> {
        if sequence >= self.first + self.entries.len() as u64 {
            return Err(Malformed("ack of an operation that was not asked for"));
        }
        while self.first <= sequence {
            let Some(mut entry) = self.entries.pop_front() else { break };
            self.first += 1;
            let result = match entry.error.take() {
                Some(error) => Err(error),
                None if entry.what == What::Get
                    && entry.received < entry.bytes
                    && entry.completion.is_some() =>
                {
                    self.entries.push_front(entry);
                    self.first -= 1;
                    return Err(Malformed("end of a get before its bytes"));
                }
                None => Ok(()),
            };
            if entry.end(result) {
                self.live -= 1;
            }
        }
        Ok(())
    }

    /// The operation failed at the other end; its ack follows.
    pub(super) fn fail(&mut self, sequence: u64, error: impl FnOnce(What) -> Error) -> Result<(), Malformed> {
        let entry = self.entry(sequence).ok_or(Malformed("error of an operation that was not asked for"))?;
        if entry.error.is_none() {
            entry.error = Some(error(entry.what));
        }
        Ok(())
    }

    /// A copy has ended; one that has ended here before is not known any more.
    pub(super) fn end_copy(&mut self, number: u64, result: Result<()>) {
        if let Some(mut entry) = self.copies.remove(&number)
            && entry.end(result)
        {
            self.live -= 1;
        }
    }

    /// Whether a deadline has passed.
    pub(super) fn is_late(&self, now: Instant) -> bool {
        self.live > 0 && self.nearest.is_some_and(|nearest| nearest <= now)
    }

    /// Ends all whose deadline has passed. `release` says, for a number, whether its memory is not read any
    /// more; entries for which it says no make the connection end, after which nothing reads it. Gives
    /// that back.
    pub(super) fn expire(
        &mut self,
        now: Instant,
        mut release: impl FnMut(u64) -> bool,
        error: impl Fn(What) -> Error,
    ) -> bool {
        if !self.is_late(now) {
            return true;
        }
        let mut nearest: Option<Instant> = None;
        let mut whole = true;
        let mut ended = 0;
        let mut look = |entry: &mut Entry, number: Option<u64>| {
            if entry.completion.is_none() {
                return;
            }
            if entry.deadline > now {
                nearest = Some(nearest.map_or(entry.deadline, |nearest| nearest.min(entry.deadline)));
            } else if number.is_none_or(&mut release) {
                if entry.end(Err(error(entry.what))) {
                    ended += 1;
                }
            } else {
                entry.error = Some(error(entry.what));
                whole = false;
            }
        };
        for (entry, number) in self.entries.iter_mut().zip(self.first..) {
            look(entry, Some(number));
        }
        self.copies.retain(|_, entry| {
            look(entry, None);
            entry.completion.is_some()
        });
        self.live -= ended;
        self.nearest = nearest;
        whole
    }

    /// Ends all.
    pub(super) fn end_all(&mut self, error: impl Fn(What) -> Error) {
        self.first += self.entries.len() as u64;
        for mut entry in self.entries.drain(..).chain(self.copies.drain().map(|(_, entry)| entry)) {
            let error = entry.error.take().unwrap_or_else(|| error(entry.what));
            entry.end(Err(error));
        }
        self.live = 0;
        self.nearest = None;
        self.rest();
    }

    /// Whether something in flight belongs to this completion.
    pub(super) fn serves(&self, completion: &Completion) -> bool {
        let is =
            |entry: &Entry| entry.completion.as_ref().is_some_and(|own| std::ptr::eq(&**own, completion));
        self.entries.iter().any(is) || self.copies.values().any(is)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mf_base::Kind;

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
    fn an_ack_ends_all_before_it_and_copies_end_alone() {
        let completion = Arc::new(Completion::new());
        let later = Instant::now() + Duration::from_secs(60);
        let mut table = Table::default();
        for number in 0..3 {
            assert_eq!(table.push(entry(&completion, What::Put, later)), number);
        }
        let copy = table.push(entry(&completion, What::Copy, later));
        table.fail(1, |what| Error::invalid(what.name(), "no")).unwrap();
        table.ack(1).unwrap();
        assert_eq!(table.live(), 2);
        assert!(table.is_past((2, 0)) && !table.is_past((3, 0)) && !table.is_past((2, 1)));
        assert!(table.ack(3).is_err());
        table.ack(2).unwrap();
        table.end_copy(copy, Ok(()));
        assert_eq!(table.live(), 0);
        assert!(completion.is_done());
        assert!(completion.outcome().is_err());
    }

    #[test]
    fn a_get_that_ends_without_its_bytes_is_refused() {
        let completion = Arc::new(Completion::new());
        let mut table = Table::default();
        table.push(entry(&completion, What::Get, Instant::now()));
        assert!(table.ack(0).is_err());
        table.entry(0).unwrap().received = 8;
        table.ack(0).unwrap();
        completion.outcome().unwrap();
    }

    #[test]
    fn late_ones_end_once_and_their_ack_is_no_surprise() {
        let completion = Arc::new(Completion::new());
        let now = Instant::now();
        let mut table = Table::default();
        table.push(entry(&completion, What::Put, now));
        table.push(entry(&completion, What::Get, now + Duration::from_secs(60)));
        let late = |what: What| Error::new(Kind::Timeout, what.name());
        assert!(table.expire(now, |_| true, late));
        assert_eq!((table.live(), completion.pending()), (1, 1));
        assert!(!table.is_late(now));
        table.ack(0).unwrap();
        table.end_all(|what| Error::new(Kind::NotConnected, what.name()));
        assert!(completion.is_done());
        assert_eq!(completion.outcome().unwrap_err().kind(), Kind::Timeout);
    }
}
