// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tombstones that the disk has not taken yet.
//!
//! A thread of the tier writes them. The call that removes or replaces a value waits until its tombstone is
//! written, but for [`EngineOptions::removal_wait`](crate::EngineOptions::removal_wait) at most, and not at
//! all while an earlier tombstone is late. So a disk that does not answer holds no such call. A tombstone
//! that is late is lost if the process is killed before the disk takes it. If more wait than the ring has
//! room for, the folders are switched off and erased instead. An engine without such a thread writes
//! tombstones in the call.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use mf_base::sync::lock;
use rustix::io::Errno;

use crate::disk::Area;
use crate::engine::Engine;
use crate::state::State;
use crate::tombstones::Tombstone;

/// Pause between two examinations of the queue, should a notification be missed.
const NAP: Duration = Duration::from_millis(200);

#[derive(Debug, Default)]
pub(crate) struct Removals {
    queue: Mutex<Queue>,
    /// Notified when the queue gets a tombstone, and when one is written.
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Queue {
    waiting: VecDeque<Waiting>,
    /// Time at which the tombstone was given that is being written.
    writing_since: Option<Instant>,
    /// Numbers of the last tombstones that were given and written, from 1.
    given: u64,
    written: u64,
    /// A thread writes.
    is_served: bool,
    is_ending: bool,
}

#[derive(Debug)]
struct Waiting {
    number: u64,
    since: Instant,
    tombstone: Tombstone,
}

impl Queue {
    /// Returns true if the oldest tombstone was given longer ago than this.
    fn is_late(&self, limit: Duration) -> bool {
        let oldest = self.writing_since.or_else(|| self.waiting.front().map(|first| first.since));
        oldest.is_some_and(|since| since.elapsed() > limit)
    }
}

/// Ends the service of the queue, also by a panic.
struct Serving<'a>(&'a Removals);

impl Drop for Serving<'_> {
    fn drop(&mut self) {
        let mut queue = lock(&self.0.queue);
        (queue.is_served, queue.writing_since) = (false, None);
        drop(queue);
        self.0.changed.notify_all();
    }
}

impl Engine {
    /// Voids records up to `bound`, in all folders.
    pub(crate) fn record<'a>(&'a self, state: MutexGuard<'a, State>, print: u128, bound: u64) {
        let tombstone = Tombstone { print, bound, epoch: state.next_epoch - 1, is_local: false };
        drop(state);
        let mut queue = lock(&self.removals.queue);
        if !queue.is_served {
            drop(queue);
            return self.record_everywhere(tombstone);
        }
        if queue.waiting.len() as u64 >= self.options.tombstones_max {
            queue.waiting.clear();
            queue.written = queue.given;
            drop(queue);
            return self.erase_later();
        }
        let limit = self.options.removal_wait;
        let is_late = queue.is_late(limit);
        queue.given += 1;
        let number = queue.given;
        queue.waiting.push_back(Waiting { number, since: Instant::now(), tombstone });
        self.removals.changed.notify_all();
        if !is_late {
            let is_waiting = |queue: &mut Queue| queue.is_served && queue.written < number;
            let waited = self.removals.changed.wait_timeout_while(queue, limit, is_waiting);
            drop(waited.unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// Lets calls that remove or replace a value on disk leave their tombstones to a thread, which the caller
    /// starts with [`serve_removals`](Self::serve_removals).
    pub fn begin_removals(&self) {
        lock(&self.removals.queue).is_served = true;
    }

    /// Writes the tombstones of all calls until [`end_removals`](Self::end_removals).
    ///
    /// **Local.** Blocks for the disk.
    pub fn serve_removals(&self) {
        let _serving = Serving(&self.removals);
        while let Some(Waiting { number, tombstone, .. }) = self.next_removal() {
            self.record_everywhere(tombstone);
            let mut queue = lock(&self.removals.queue);
            queue.writing_since = None;
            queue.written = queue.written.max(number);
            drop(queue);
            self.removals.changed.notify_all();
        }
    }

    /// Takes the next tombstone from the queue; waits for one. `None` at the end.
    fn next_removal(&self) -> Option<Waiting> {
        let mut queue = lock(&self.removals.queue);
        loop {
            if let Some(first) = queue.waiting.pop_front() {
                queue.writing_since = Some(first.since);
                return Some(first);
            }
            if queue.is_ending {
                // Under the lock: later calls write their tombstones themselves.
                queue.is_served = false;
                return None;
            }
            let waited = self.removals.changed.wait_timeout(queue, NAP);
            queue = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Lets [`serve_removals`](Self::serve_removals) return once the queue is empty.
    pub fn end_removals(&self) {
        lock(&self.removals.queue).is_ending = true;
        self.removals.changed.notify_all();
    }

    /// Waits until the tombstones given so far are written.
    pub(crate) fn wait_for_removals(&self) {
        let mut queue = lock(&self.removals.queue);
        let last = queue.given;
        while queue.is_served && queue.written < last {
            let waited = self.removals.changed.wait_timeout(queue, NAP);
            queue = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Switches all folders off. They are erased before they are used again.
    fn erase_later(&self) {
        for number in 0..self.disks.count() {
            if let Some(folder) = lock(&self.state).folders.get_mut(number) {
                folder.must_erase = true;
            }
            self.switch_off(number, "write of a removal", Errno::TIMEDOUT);
        }
    }

    /// Writes a tombstone to all folders.
    fn record_everywhere(&self, tombstone: Tombstone) {
        (0..self.disks.count()).for_each(|folder| self.record_in(folder, tombstone));
        let state = lock(&self.state);
        let is_in_view = state.view.members.are_in(state.working());
        drop(state);
        if !is_in_view {
            self.update_view();
        }
    }

    fn record_in(&self, number: usize, tombstone: Tombstone) {
        let (sequence, at) = loop {
            let mut state = lock(&self.state);
            let oldest = state.oldest_epoch(number);
            if tombstone.epoch < oldest {
                // All records that it would void have been freed.
                return;
            }
            let Some(folder) = state.folders.get_mut(number) else { return };
            if folder.switch.is_off() {
                folder.keep_unrecorded([tombstone]);
                return;
            }
            if let Some(sequence) = folder.ring.reserve(tombstone.epoch, oldest) {
                break (sequence, folder.ring.position(sequence));
            }
            // A flood of removals: the oldest segment goes, and with it the need for the oldest tombstones.
            drop(state);
            self.free_oldest_now(number);
        };
        if let Err(errno) = self.write_tombstone(number, tombstone, sequence, at) {
            if let Some(folder) = lock(&self.state).folders.get_mut(number) {
                folder.keep_unrecorded([tombstone]);
            }
            self.turn_off(number, "write of a removal", errno);
        }
    }

    pub(crate) fn write_tombstone(
        &self,
        folder: usize,
        tombstone: Tombstone,
        sequence: u64,
        at: u64,
    ) -> Result<(), Errno> {
        let _call = self.begin_call(folder);
        let bytes = tombstone.encode(sequence, self.options.set);
        self.disks.disk(folder).write(Area::Removals, at, &bytes)
    }
}
