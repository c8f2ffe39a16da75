// SPDX-License-Identifier: Apache-2.0 OR MIT
//! State that all threads share, behind one lock that is held over no disk call.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use crate::faults::Switch;
use crate::index::{Found, Index};
use crate::segment::Use;
use crate::stats::Stats;
use crate::tombstones::{Ring, Tombstone};

/// A value in the queue.
#[derive(Clone)]
pub(crate) struct Pending {
    pub(crate) generation: u64,
    pub(crate) key: Arc<[u8]>,
    pub(crate) value: Arc<Vec<u8>>,
    /// True once the writer has put it into a batch: it may reach the disk even if this entry goes.
    pub(crate) is_in_flight: bool,
}

impl Pending {
    pub(crate) fn bytes(&self) -> u64 {
        (self.key.len() + self.value.len()) as u64
    }
}

/// A segment on disk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentInfo {
    pub(crate) slot: u32,
    pub(crate) salt: u64,
    /// False for the segment that is being written.
    pub(crate) is_sealed: bool,
    pub(crate) live_pages: u64,
}

/// See the module documentation.
pub(crate) struct State {
    pub(crate) index: Index,
    pub(crate) pending: HashMap<u128, Pending>,
    /// Prints and generations in the order of writing. An entry without its value in `pending` is void.
    pub(crate) queue: VecDeque<(u128, u64)>,
    /// Segments by epoch. Each has its head page on disk, and no slot outside has one.
    pub(crate) segments: BTreeMap<u64, SegmentInfo>,
    /// Epoch of the segment in each slot; 0 if free.
    pub(crate) epochs: Vec<u64>,
    pub(crate) free: VecDeque<u32>,
    pub(crate) next_epoch: u64,
    /// Larger than every generation that was seen.
    pub(crate) next_generation: u64,
    pub(crate) ring: Ring,
    pub(crate) switch: Switch,
    /// Tombstones that the disk has not taken yet.
    pub(crate) unrecorded: Vec<Tombstone>,
    /// More tombstones were lost than are kept: all segments are erased before the tier is used again.
    pub(crate) must_erase: bool,
    pub(crate) stats: Stats,
}

impl State {
    /// Epoch of the oldest segment on disk.
    pub(crate) fn oldest(&self) -> u64 {
        self.segments.first_key_value().map_or(u64::MAX, |(epoch, _)| *epoch)
    }

    /// Present use of a slot.
    pub(crate) fn used(&self, slot: u32) -> Option<Use> {
        let epoch = *self.epochs.get(usize::try_from(slot).ok()?)?;
        self.segments.get(&epoch).map(|info| Use { epoch, salt: info.salt })
    }

    /// Records the epoch of the segment in a slot; 0 if it is free now.
    pub(crate) fn set_epoch(&mut self, slot: u32, epoch: u64) {
        if let Some(known) = usize::try_from(slot).ok().and_then(|slot| self.epochs.get_mut(slot)) {
            *known = epoch;
        }
    }

    fn count_live(&mut self, found: Found, is_added: bool) {
        let pages = found.place.pages().unwrap_or(0);
        let epoch = usize::try_from(found.place.slot()).ok().and_then(|slot| self.epochs.get(slot)).copied();
        if let Some(info) = epoch.and_then(|epoch| self.segments.get_mut(&epoch)) {
            info.live_pages =
                if is_added { info.live_pages + pages } else { info.live_pages.saturating_sub(pages) };
        }
    }

    /// Inserts into the index.
    pub(crate) fn insert(&mut self, print: u128, found: Found) {
        if let Some(old) = self.index.insert(print, found) {
            self.count_live(old, false);
        }
        self.count_live(found, true);
    }

    /// Removes from the index.
    pub(crate) fn remove(&mut self, print: u128) -> bool {
        let old = self.index.remove(print);
        if let Some(old) = old {
            self.count_live(old, false);
        }
        old.is_some()
    }

    /// Newest generation of a print that is known.
    pub(crate) fn generation(&self, print: u128) -> Option<u64> {
        let pending = self.pending.get(&print).map(|pending| pending.generation);
        pending.max(self.index.find(print).map(|found| found.generation))
    }

    /// Forgets a value, in the queue and in the index. Returns true if the disk may have a record of it.
    pub(crate) fn forget(&mut self, print: u128) -> bool {
        let mut is_on_disk = self.remove(print);
        if let Some(pending) = self.pending.remove(&print) {
            self.stats.queue_bytes -= pending.bytes();
            is_on_disk |= pending.is_in_flight;
        }
        is_on_disk
    }

    /// Drops the values of the queue, except for values that are being written.
    pub(crate) fn drop_queue(&mut self) {
        let before = self.pending.len();
        self.pending.retain(|_, pending| pending.is_in_flight);
        self.stats.drops += (before - self.pending.len()) as u64;
        self.stats.queue_bytes = self.pending.values().map(Pending::bytes).sum();
        self.queue.clear();
    }

    /// Keeps tombstones that the disk has not taken.
    pub(crate) fn keep_unrecorded(&mut self, tombstones: impl IntoIterator<Item = Tombstone>) {
        self.unrecorded.extend(tombstones);
        if self.unrecorded.len() as u64 > self.ring.capacity() {
            self.unrecorded = Vec::new();
            self.must_erase = true;
        }
    }

    /// The generation of a call: the caller's, or the next one.
    pub(crate) fn take_generation(&mut self, given: Option<u64>) -> u64 {
        let generation = given.unwrap_or(self.next_generation);
        self.next_generation = self.next_generation.max(generation.saturating_add(1));
        generation
    }
}
