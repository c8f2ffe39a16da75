// SPDX-License-Identifier: Apache-2.0 OR MIT
//! State that all threads share, behind one lock that is held over no disk call.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use crate::faults::Switch;
use crate::index::{Found, Index};
use crate::segment::Use;
use crate::stats::Stats;
use crate::tombstones::{Ring, Tombstone};
use crate::view::{Members, View};

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
    /// Values of it may be in a younger segment, too: it is being freed.
    pub(crate) has_copies: bool,
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
    /// By number of the folder.
    pub(crate) folders: Vec<FolderState>,
    /// The view that the working folders have recorded.
    pub(crate) view: View,
    /// False while `view` has the members of two views, of which the folders may have either.
    pub(crate) is_view_certain: bool,
    /// Members of the last view that was begun.
    pub(crate) last_members: Members,
    pub(crate) stats: Stats,
}

/// A folder and its ring of tombstones.
#[derive(Debug)]
pub(crate) struct FolderState {
    pub(crate) ring: Ring,
    pub(crate) switch: Switch,
    /// Tombstones that the disk has not taken yet.
    pub(crate) unrecorded: Vec<Tombstone>,
    /// More tombstones were lost than are kept: all segments are erased before the folder is used again.
    pub(crate) must_erase: bool,
    /// The folder was not read when the tier was opened.
    pub(crate) is_unknown: bool,
}

impl FolderState {
    pub(crate) fn new(ring: Ring) -> Self {
        Self { ring, switch: Switch::default(), unrecorded: Vec::new(), must_erase: false, is_unknown: false }
    }

    /// Keeps tombstones that the disk has not taken.
    pub(crate) fn keep_unrecorded(&mut self, tombstones: impl IntoIterator<Item = Tombstone>) {
        self.unrecorded.extend(tombstones);
        if self.unrecorded.len() as u64 > self.ring.capacity() {
            self.unrecorded = Vec::new();
            self.must_erase = true;
        }
    }
}

impl State {
    /// Folder of a slot.
    fn folder(&self, slot: u32) -> usize {
        usize::try_from(slot).unwrap_or(usize::MAX) % self.folders.len().max(1)
    }

    /// Returns true if the folder is not switched off by a fault.
    pub(crate) fn works(&self, folder: usize) -> bool {
        self.folders.get(folder).is_some_and(|folder| !folder.switch.is_off())
    }

    /// Returns true if the folder of a slot works.
    pub(crate) fn slot_works(&self, slot: u32) -> bool {
        self.works(self.folder(slot))
    }

    /// Folders that work.
    pub(crate) fn working(&self) -> Members {
        (0..self.folders.len()).filter(|folder| self.works(*folder)).collect()
    }

    /// Returns true if no folder works.
    pub(crate) fn is_off(&self) -> bool {
        self.working().is_empty()
    }

    /// Oldest segment of a folder, or of all folders that work.
    pub(crate) fn oldest(&self, folder: Option<usize>) -> Option<(u64, SegmentInfo)> {
        let is_wanted = |info: &SegmentInfo| match folder {
            Some(folder) => self.folder(info.slot) == folder,
            None => self.slot_works(info.slot),
        };
        self.segments.iter().find(|(_, info)| is_wanted(info)).map(|(epoch, info)| (*epoch, *info))
    }

    /// Epoch of the oldest segment of a folder.
    pub(crate) fn oldest_epoch(&self, folder: usize) -> u64 {
        self.oldest(Some(folder)).map_or(u64::MAX, |(epoch, _)| epoch)
    }

    /// Number of free slots in folders that work.
    pub(crate) fn free_slots(&self) -> usize {
        self.free.iter().filter(|slot| self.slot_works(**slot)).count()
    }

    /// Takes a free slot of a folder that works.
    pub(crate) fn take_slot(&mut self) -> Option<u32> {
        let at = self.free.iter().position(|slot| self.slot_works(*slot))?;
        self.free.remove(at)
    }

    /// Tombstones that a folder needs, and takes once it works.
    pub(crate) fn tombstones(&mut self, folder: usize) -> u64 {
        let oldest = self.oldest_epoch(folder);
        let needed = |folder: &mut FolderState| folder.ring.needed(oldest) + folder.unrecorded.len() as u64;
        self.folders.get_mut(folder).map_or(0, needed)
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

    /// The generation of a call: the caller's, or the next one.
    pub(crate) fn take_generation(&mut self, given: Option<u64>) -> u64 {
        let generation = given.unwrap_or(self.next_generation);
        self.next_generation = self.next_generation.max(generation.saturating_add(1));
        generation
    }
}
