// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Writing: values of the queue become batches of whole pages at the end of the open segment.
//!
//! A batch is chosen under the lock, with the epoch that it goes to, and written without it. A value that was
//! removed or replaced meanwhile is not entered into the index; its record is void by the tombstone of that
//! call. A batch that fails may be on disk in part: its values get tombstones, too (`retry.rs`).

use std::sync::Arc;

use mf_base::os::random;
use mf_base::sync::lock;
use mf_base::{Error, Result};
use rustix::io::Errno;

use crate::disk::{Area, PAGE};
use crate::engine::Engine;
use crate::fields::size;
use crate::footer::{Entry, footer_bytes};
use crate::index::{Found, Place};
use crate::page_buffer::PageBuffer;
use crate::record::{self, Stamp, UNIT};
use crate::segment::Use;
use crate::state::{SegmentInfo, State};

/// Free slots that values of the queue leave to values that are written again.
const RESERVED_SLOTS: usize = 1;

/// The open segment.
pub(crate) struct Open {
    pub(crate) slot: u32,
    pub(crate) used: Use,
    /// Position of the next batch.
    at: u64,
    entries: Vec<Entry>,
}

/// State of the writing thread.
#[derive(Default)]
pub(crate) struct Writing {
    pub(crate) open: Option<Open>,
}

/// A value to write.
pub(crate) struct Item {
    pub(crate) print: u128,
    pub(crate) generation: u64,
    pub(crate) key: Arc<[u8]>,
    pub(crate) value: Arc<Vec<u8>>,
    /// Present place, of a value that is written again.
    pub(crate) moved_from: Option<Place>,
}

impl Open {
    /// Returns true if `bytes` of `count` more records fit, with the footer behind them.
    fn fits(&self, bytes: u64, count: usize, segment_bytes: u64) -> bool {
        self.at + bytes.next_multiple_of(PAGE) + footer_bytes(self.entries.len() + count) <= segment_bytes
    }
}

impl Engine {
    /// Bytes of an item's record.
    fn record_bytes(&self, item: &Item) -> u64 {
        self.shape(item.key.len(), item.value.len()).record_bytes()
    }

    /// Does one piece of work: writes a batch, frees a segment, or tries again after a fault. Returns false
    /// if there is nothing to do.
    ///
    /// **Local.** Blocks for the disk.
    pub fn step(&self) -> bool {
        self.step_with(&mut lock(&self.writing))
    }

    pub(crate) fn step_with(&self, writing: &mut Writing) -> bool {
        let has_resumed = self.resume(writing);
        if let Some(folder) = self.crowded() {
            return self.reclaim_oldest(writing, Some(folder), true);
        }
        let state = lock(&self.state);
        if state.queue.is_empty() || state.is_off() {
            return has_resumed;
        }
        drop(state);
        if writing.open.is_none() && !self.make_room(writing) {
            return false;
        }
        let items = self.choose(writing);
        if items.is_empty() {
            // The next value does not fit, or the queue had void entries only.
            return lock(&self.state).queue.is_empty() || self.seal(writing);
        }
        self.write(writing, &items)
    }

    /// Ends the open segment, without a footer, if its folder has failed.
    pub(crate) fn leave_failed(&self, writing: &mut Writing) {
        let has_failed = |open: &mut Open| !lock(&self.state).slot_works(open.slot);
        if let Some(open) = writing.open.take_if(has_failed) {
            self.abandon(open.used.epoch);
        }
    }

    /// A folder whose ring is half full, and that has segments to free.
    fn crowded(&self) -> Option<usize> {
        let mut state = lock(&self.state);
        (0..self.disks.count()).find(|number| {
            let is_on = state.works(*number);
            let capacity = state.folders.get(*number).map_or(0, |folder| folder.ring.capacity());
            let is_here = |info: &&SegmentInfo| self.disks.folder(info.slot) == *number;
            is_on
                && state.tombstones(*number) > capacity / 2
                && state.segments.values().filter(is_here).count() > 1
        })
    }

    /// Opens a segment for values of the queue.
    fn make_room(&self, writing: &mut Writing) -> bool {
        while lock(&self.state).free_slots() <= RESERVED_SLOTS {
            if !self.reclaim_oldest(writing, None, true) {
                break;
            }
            if writing.open.is_some() {
                return true;
            }
        }
        self.begin(writing)
    }

    /// Begins a segment in the next free slot.
    pub(crate) fn begin(&self, writing: &mut Writing) -> bool {
        let Ok(salt) = random::<8>("disk tier").map(u64::from_le_bytes) else {
            (0..self.disks.count()).for_each(|folder| self.turn_off(folder, "random numbers", Errno::AGAIN));
            return false;
        };
        let mut state = lock(&self.state);
        let Some(slot) = state.take_slot() else { return false };
        let used = Use { epoch: state.next_epoch, salt };
        state.next_epoch += 1;
        state.segments.insert(
            used.epoch,
            SegmentInfo { slot, salt, is_sealed: false, has_copies: false, live_pages: 0 },
        );
        state.set_epoch(slot, used.epoch);
        drop(state);
        let call = self.begin_call(self.disks.folder(slot));
        let begun = self.disks.slot(slot).begin(used, self.options.set);
        drop(call);
        if let Err(errno) = begun {
            self.abandon(used.epoch);
            self.turn_off(self.disks.folder(slot), "begin of a segment", errno);
            return false;
        }
        writing.open = Some(Open { slot, used, at: PAGE, entries: Vec::new() });
        true
    }

    /// Marks a segment as one that takes no further records.
    pub(crate) fn abandon(&self, epoch: u64) {
        if let Some(info) = lock(&self.state).segments.get_mut(&epoch) {
            info.is_sealed = true;
        }
    }

    /// Takes values from the queue that fit into the open segment, up to one batch.
    fn choose(&self, writing: &Writing) -> Vec<Item> {
        let Some(open) = &writing.open else { return Vec::new() };
        let mut state = lock(&self.state);
        let State { pending, queue, .. } = &mut *state;
        let (mut items, mut bytes) = (Vec::new(), 0);
        while let Some((print, generation)) = queue.front().copied() {
            if let Some(value) = pending.get_mut(&print).filter(|value| value.generation == generation) {
                let item = Item {
                    print,
                    generation,
                    key: Arc::clone(&value.key),
                    value: Arc::clone(&value.value),
                    moved_from: None,
                };
                let more = bytes + self.record_bytes(&item);
                let is_last = !items.is_empty() && more > self.options.batch_bytes;
                if is_last || !open.fits(more, items.len() + 1, self.disks.segment_bytes()) {
                    break;
                }
                value.is_in_flight = true;
                bytes = more;
                items.push(item);
            }
            queue.pop_front();
        }
        items
    }

    /// Seals the open segment.
    pub(crate) fn seal(&self, writing: &mut Writing) -> bool {
        let Some(open) = writing.open.take() else { return true };
        let folder = self.disks.folder(open.slot);
        let call = self.begin_call(folder);
        let sealed = self.disks.slot(open.slot).seal(&open.entries, open.used.salt);
        drop(call);
        self.abandon(open.used.epoch);
        lock(&self.state).stats.written_bytes += footer_bytes(open.entries.len());
        if let Err(errno) = sealed {
            self.turn_off(folder, "write of a footer", errno);
            return false;
        }
        true
    }

    /// Writes values that are written again, over as many segments as they need. Without a free slot the rest
    /// is evicted: the segment that is being freed gives the next one.
    pub(crate) fn write_moved(&self, writing: &mut Writing, items: Vec<Item>) {
        let mut rest = items.into_iter().peekable();
        while rest.peek().is_some() {
            let (mut batch, mut bytes) = (Vec::new(), 0);
            if let Some(open) = &writing.open {
                while let Some(item) = rest.next_if(|item| {
                    let more = bytes + self.record_bytes(item);
                    let is_last = !batch.is_empty() && more > self.options.batch_bytes;
                    !is_last && open.fits(more, batch.len() + 1, self.disks.segment_bytes())
                }) {
                    bytes += self.record_bytes(&item);
                    batch.push(item);
                }
            }
            // A value that was removed before this segment was open must not get a record in it: the
            // tombstone covers earlier segments only.
            let chosen = batch.len();
            {
                let state = lock(&self.state);
                batch.retain(|item: &Item| {
                    item.moved_from.is_some_and(|place| state.index.is_at(item.print, place))
                });
            }
            if chosen > 0 && batch.is_empty() {
                continue;
            }
            match (batch.is_empty(), writing.open.is_some()) {
                (false, _) => self.write(writing, &batch),
                (true, true) => self.seal(writing),
                (true, false) if lock(&self.state).free_slots() == 0 => return,
                // After a fault, another folder gets the rest.
                (true, false) => self.begin(writing),
            };
        }
    }

    /// Writes one batch, which fits into the open segment, and enters it into the index.
    fn write(&self, writing: &mut Writing, items: &[Item]) -> bool {
        let Some(open) = &mut writing.open else { return false };
        let unit_of = |bytes: usize| u32::try_from((open.at + bytes as u64) / UNIT).unwrap_or(u32::MAX);
        let mut pages = PageBuffer::zeroed(
            items.iter().map(|item| self.record_bytes(item)).sum::<u64>().next_multiple_of(PAGE),
        );
        let cipher = self.cipher.as_ref().and_then(|cipher| cipher.segment(open.used));
        if cipher.is_some() != self.cipher.is_some() {
            return false;
        }
        let (mut places, mut at) = (Vec::with_capacity(items.len()), 0);
        for item in items {
            let (unit, end) = (unit_of(at), at + size(self.record_bytes(item)));
            let stamp = Stamp { print: item.print, generation: item.generation, salt: open.used.salt, unit };
            record::write(
                pages.bytes_mut().get_mut(at..end).unwrap_or_default(),
                stamp,
                &item.key,
                &item.value,
                cipher.as_ref(),
            );
            places.push(unit);
            at = end;
        }
        record::write_pad(pages.bytes_mut().get_mut(at..).unwrap_or_default(), open.used.salt, unit_of(at));
        let slot = self.disks.slot(open.slot);
        let folder = self.disks.folder(open.slot);
        let call = self.begin_call(folder);
        let written = slot.disk.write(Area::Segments, slot.start + open.at, pages.bytes());
        drop(call);
        if let Err(errno) = written {
            let epoch = open.used.epoch;
            writing.open = None;
            self.abandon(epoch);
            self.fail(folder, items);
            self.turn_off(folder, "write", errno);
            return false;
        }
        open.at += pages.bytes().len() as u64;
        let mut state = lock(&self.state);
        state.stats.written_bytes += pages.bytes().len() as u64;
        let is_back = state.folders.get_mut(folder).is_some_and(|folder| folder.switch.succeeded());
        for (item, unit) in items.iter().zip(places) {
            let bytes = self.record_bytes(item);
            open.entries.push(Entry { print: item.print, generation: item.generation, unit, bytes });
            let found = Found { generation: item.generation, place: Place::new(open.slot, unit, bytes) };
            Self::commit(&mut state, item, found);
        }
        drop(state);
        if is_back {
            tracing::info!("folder {} of the disk tier works again", folder + 1);
        }
        true
    }

    fn commit(state: &mut State, item: &Item, found: Found) {
        if let Some(from) = item.moved_from {
            if state.index.is_at(item.print, from) {
                state.insert(item.print, found);
                state.stats.rewritten_bytes += item.value.len() as u64;
            }
        } else if state.pending.get(&item.print).is_some_and(|pending| pending.generation == item.generation)
        {
            if let Some(pending) = state.pending.remove(&item.print) {
                state.stats.queue_bytes -= pending.bytes();
            }
            state.insert(item.print, found);
        }
    }

    /// Writes the whole queue, and makes it and all removals so far survive a power failure.
    ///
    /// **Local.** Blocks for the disk.
    ///
    /// # Errors
    /// `Failed` a disk call failed; `NotStarted` the tier is off.
    pub fn flush(&self) -> Result<()> {
        const OPERATION: &str = "disk flush";
        self.wait_for_removals();
        let mut writing = lock(&self.writing);
        while !lock(&self.state).queue.is_empty() && self.step_with(&mut writing) {}
        let is_working = {
            let state = lock(&self.state);
            state.queue.is_empty() && !state.is_off()
        };
        let working = lock(&self.state).working();
        self.sync_folders();
        let is_synced = working.are_in(lock(&self.state).working());
        if !is_working {
            return Err(Error::new(mf_base::Kind::NotStarted, OPERATION)
                .what("the disk tier is switched off by a fault")
                .hint("the log has the fault and its remedy"));
        }
        if !is_synced {
            return Err(Error::new(mf_base::Kind::Failed, OPERATION)
                .what("a folder of the disk tier failed while it was synced")
                .hint("the log has the fault and its remedy"));
        }
        Ok(())
    }

    /// Flushes and seals the open segment, so that the next opening reads its footer.
    ///
    /// **Local.** Blocks for the disk.
    ///
    /// # Errors
    /// As for [`flush`](Self::flush).
    pub fn close(&self) -> Result<()> {
        self.flush()?;
        if self.seal(&mut lock(&self.writing)) {
            return Ok(());
        }
        Err(Error::new(mf_base::Kind::Failed, "disk close")
            .what("the footer of the open segment was not written"))
    }
}
