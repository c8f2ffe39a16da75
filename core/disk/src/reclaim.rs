// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reclaim: the oldest segment is freed, after values that are worth it were written again.
//!
//! The order matters. Copies are synced before anything is erased. Then the head page is erased, for good:
//! no record of the segment can come back. Now its values leave the index, and tombstones that only this
//! segment needed are no longer kept. Last its room goes back to the file system, and the slot to the free
//! ones.

use std::sync::Arc;

use mf_base::sync::lock;
use rustix::io::Errno;

use crate::disk::{Area, PAGE};
use crate::engine::Engine;
use crate::footer::Entry;
use crate::index::{Found, Place};
use crate::options::Candidate;
use crate::read::Wanted;
use crate::segment::Use;
use crate::state::SegmentInfo;
use crate::writer::{Item, Writing};

impl Engine {
    /// Frees the oldest segment of a folder, or of all that work; the open one is sealed first if it is the
    /// oldest. With `keeps`, values that the hook names are written again, at most half of a segment. Returns
    /// false without a segment, or after a fault of its folder.
    pub(crate) fn reclaim_oldest(&self, writing: &mut Writing, folder: Option<usize>, keeps: bool) -> bool {
        let keep = |candidate: &Candidate<'_>| match &self.options.keep {
            Some(keep) => keep(candidate),
            None => candidate.was_read,
        };
        self.reclaim_with(writing, folder, keeps.then_some(&keep), self.disks.segment_bytes() / 2)
    }

    fn reclaim_with(
        &self,
        writing: &mut Writing,
        folder: Option<usize>,
        keep: Option<&dyn Fn(&Candidate<'_>) -> bool>,
        kept_bytes_max: u64,
    ) -> bool {
        let Some((epoch, info)) = self.oldest(folder) else { return false };
        if !info.is_sealed && !self.seal(writing) {
            return false;
        }
        let number = self.disks.folder(info.slot);
        let entries = self.disks.slot(info.slot).entries(info.salt).map(|(entries, _)| entries);
        if let (Some(keep), Ok(entries)) = (keep, &entries) {
            let items = self.worth_keeping(epoch, info, entries, keep, kept_bytes_max);
            if !items.is_empty() {
                if let Some(info) = lock(&self.state).segments.get_mut(&epoch) {
                    info.has_copies = true;
                }
                self.write_moved(writing, items);
                self.sync_folders();
                // A fault of another folder leaves fewer values; of this one, all as it was.
                if !lock(&self.state).works(number) {
                    return false;
                }
            }
        }
        match self.free(epoch, info, entries.ok()) {
            Ok(()) => true,
            Err(errno) => {
                self.turn_off(number, "erase of a segment", errno);
                false
            }
        }
    }

    fn oldest(&self, folder: Option<usize>) -> Option<(u64, SegmentInfo)> {
        lock(&self.state).oldest(folder)
    }

    /// Makes segments and removals of all working folders survive a power failure. A folder that fails is
    /// switched off.
    pub(crate) fn sync_folders(&self) {
        let working = lock(&self.state).working();
        for folder in (0..self.disks.count()).filter(|folder| working.has(*folder)) {
            let call = self.begin_call(folder);
            let disk = self.disks.disk(folder);
            let areas = [Area::Segments, Area::Removals, Area::View];
            let synced = areas.into_iter().try_for_each(|area| disk.sync(area));
            drop(call);
            if let Err(errno) = synced {
                self.turn_off(folder, "sync", errno);
            }
        }
    }

    /// Values of a segment that the hook wants to keep, read and verified.
    fn worth_keeping(
        &self,
        epoch: u64,
        info: SegmentInfo,
        entries: &[Entry],
        keep: &dyn Fn(&Candidate<'_>) -> bool,
        bytes_max: u64,
    ) -> Vec<Item> {
        let live: Vec<(u128, Found)> = {
            let state = lock(&self.state);
            let is_here = |entry: &&Entry| {
                state.index.is_at(entry.print, Place::new(info.slot, entry.unit, entry.bytes))
            };
            let found = |entry: &Entry| Some((entry.print, state.index.find(entry.print)?));
            entries.iter().filter(is_here).filter_map(found).collect()
        };
        let (mut items, mut total) = (Vec::new(), 0);
        for (print, found) in live {
            let reading = self.reading(print, found, Use { epoch, salt: info.salt });
            let _call = self.begin_call(self.disks.folder(info.slot));
            let Ok(Some((key, bytes))) = reading.key() else { continue };
            let was_read = found.place.was_read();
            let room = bytes + 2 * PAGE + key.len() as u64;
            let candidate = Candidate { key: &key, generation: found.generation, bytes, was_read };
            if total + room > bytes_max || !keep(&candidate) {
                continue;
            }
            if let Ok(Some(value)) = reading.read(&key, Wanted { offset: 0, bytes: u64::MAX }, <[u8]>::to_vec)
            {
                total += room;
                items.push(Item {
                    print,
                    generation: found.generation,
                    key: key.into(),
                    value: Arc::new(value),
                    moved_from: Some(found.place),
                });
            }
        }
        items
    }

    /// Frees a segment. Without its entries, the whole index is searched for its values.
    fn free(&self, epoch: u64, info: SegmentInfo, entries: Option<Vec<Entry>>) -> Result<(), Errno> {
        let slot = self.disks.slot(info.slot);
        let _call = self.begin_call(self.disks.folder(info.slot));
        slot.erase()?;
        let mut state = lock(&self.state);
        match entries {
            Some(entries) => {
                for entry in entries {
                    let place = Place::new(info.slot, entry.unit, entry.bytes);
                    state.index.remove_at(entry.print, place);
                }
            }
            None => state.index.remove_slot(info.slot),
        }
        state.segments.remove(&epoch);
        state.stats.reclaimed_segments += 1;
        state.set_epoch(info.slot, 0);
        drop(state);
        // A file system without holes keeps the room; the slot is as free.
        let _ = slot.disk.discard(slot.start, slot.bytes);
        lock(&self.state).free.push_back(info.slot);
        Ok(())
    }

    /// Frees the oldest segment of a folder without keeping values of it, for a caller that needs room for a
    /// tombstone.
    pub(crate) fn free_oldest_now(&self, folder: usize) {
        self.reclaim_oldest(&mut lock(&self.writing), Some(folder), false);
    }

    /// Frees the segments of a folder that were being freed when it failed. Their values are elsewhere or
    /// evicted, and would come back.
    pub(crate) fn erase_copied(&self, folder: usize) -> Result<(), Errno> {
        let copied: Vec<(u64, SegmentInfo)> = {
            let state = lock(&self.state);
            let is_copied =
                |(_, info): &(&u64, &SegmentInfo)| info.has_copies && self.disks.folder(info.slot) == folder;
            state.segments.iter().filter(is_copied).map(|(epoch, info)| (*epoch, *info)).collect()
        };
        copied.into_iter().try_for_each(|(epoch, info)| self.free(epoch, info, None))
    }

    /// Frees all segments of a folder, known and unknown ones.
    pub(crate) fn erase_folder(&self, folder: usize) -> Result<(), Errno> {
        while let Some((epoch, info)) = self.oldest(Some(folder)) {
            self.abandon(epoch);
            self.free(epoch, info, None)?;
        }
        for number in (0..self.options.slots).filter(|slot| self.disks.folder(*slot) == folder) {
            if lock(&self.state).free.contains(&number) {
                continue;
            }
            let slot = self.disks.slot(number);
            if !matches!(slot.used(self.options.set), Ok(None)) {
                slot.erase()?;
            }
            lock(&self.state).free.push_back(number);
        }
        if let Some(folder) = lock(&self.state).folders.get_mut(folder) {
            folder.must_erase = false;
        }
        Ok(())
    }

    /// Writes the values of all present segments again, closely packed, and frees these segments. Stops early
    /// when no slot is free. Returns the number of segments that were freed.
    ///
    /// **Local.** Blocks for the disk.
    pub fn compact(&self) -> u64 {
        let mut writing = lock(&self.writing);
        if !self.seal(&mut writing) {
            return 0;
        }
        let last = lock(&self.state).next_epoch;
        let mut freed = 0;
        while self.oldest(None).is_some_and(|(epoch, _)| epoch < last) && lock(&self.state).free_slots() > 0 {
            if !self.reclaim_with(&mut writing, None, Some(&|_| true), u64::MAX) {
                break;
            }
            freed += 1;
        }
        freed
    }
}
