// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Calls of a caller with an index of its own: it knows which generation of a key it wants, and lists what a
//! tier has after it was opened.

use mf_base::sync::lock;
use mf_base::{Error, Result};

use crate::check::LiveValue;
use crate::engine::Engine;
use crate::faults::remedy;
use crate::index::Place;
use crate::read::Wanted;
use crate::segment::Use;

impl Engine {
    /// Reads `bytes` of the value with this generation, from `offset` on, less at the value's end, and passes
    /// them to `take`, so that the caller copies them once. `take` is called at most once, with no lock held,
    /// after the bytes were verified. `None`: the key has another value or none, or it cannot be read.
    ///
    /// **Local.** Blocks for the disk.
    ///
    /// # Errors
    /// `InvalidParam` the key is empty or too long.
    pub fn get_at<R>(
        &self,
        key: &[u8],
        generation: u64,
        (offset, bytes): (u64, u64),
        take: impl FnOnce(&[u8]) -> R,
    ) -> Result<Option<R>> {
        self.get_wanted(key, Some(generation), Wanted { offset, bytes }, take)
    }

    /// Returns the generation of the value of a key, also while the tier is switched off.
    ///
    /// # Errors
    /// `InvalidParam` the key is empty or too long.
    pub fn generation(&self, key: &[u8]) -> Result<Option<u64>> {
        let print = self.print("disk contains", key)?;
        Ok(lock(&self.state).generation(print))
    }

    /// Returns the largest generation that was seen.
    pub fn last_generation(&self) -> u64 {
        lock(&self.state).next_generation - 1
    }

    /// Returns the bytes in the queue; `None` while the tier is switched off.
    pub fn queue_bytes(&self) -> Option<u64> {
        let state = lock(&self.state);
        (!state.is_off()).then_some(state.stats.queue_bytes)
    }

    /// Returns a number that changes whenever values are lost: to make room, by a fault, by damage.
    pub fn losses(&self) -> u64 {
        let stats = lock(&self.state).stats;
        stats.reclaimed_segments + stats.drops + stats.damaged + stats.faults
    }

    /// Lists the values of the newest segment with an epoch below this one, and returns its epoch. `None`:
    /// there is no such segment. `u64::MAX` begins with the newest of all. Values with a key that cannot be
    /// read are left out.
    ///
    /// **Local.** Blocks for the disk.
    pub fn values_before(&self, epoch: u64) -> Option<(u64, Vec<LiveValue>)> {
        let (epoch, info) = {
            let state = lock(&self.state);
            state.segments.range(..epoch).next_back().map(|(epoch, info)| (*epoch, *info))?
        };
        let (slot, folder) = (self.disks.slot(info.slot), self.disks.folder(info.slot));
        let entries = {
            let _call = self.begin_call(folder);
            slot.entries(info.salt).map(|(entries, _)| entries).unwrap_or_default()
        };
        let mut values = Vec::new();
        for entry in entries {
            let found = {
                let state = lock(&self.state);
                let place = Place::new(info.slot, entry.unit, entry.bytes);
                state.index.find(entry.print).filter(|_| state.index.is_at(entry.print, place))
            };
            let Some(found) = found else { continue };
            let used = Use { epoch, salt: info.salt };
            let _call = self.begin_call(folder);
            if let Ok(Some((key, bytes))) = self.reading(entry.print, found, used).key() {
                values.push(LiveValue { key, generation: found.generation, bytes });
            }
        }
        Some((epoch, values))
    }

    /// Removes all values, those of the queue included.
    ///
    /// **Local.** Blocks for the disk.
    ///
    /// # Errors
    /// Errors of the disks; values of a folder that failed are removed before it is used again, unless the
    /// process is killed before.
    pub fn clear(&self) -> Result<()> {
        let mut writing = lock(&self.writing);
        writing.open = None;
        let mut state = lock(&self.state);
        // Nothing is in flight while `writing` is locked.
        state.pending.clear();
        state.queue.clear();
        state.stats.queue_bytes = 0;
        drop(state);
        let mut failure = None;
        for number in 0..self.disks.count() {
            let _call = self.begin_call(number);
            if let Err(errno) = self.erase_folder(number) {
                failure = failure.or(Some(errno));
                if let Some(folder) = lock(&self.state).folders.get_mut(number) {
                    folder.must_erase = true;
                }
                self.turn_off(number, "erase of a segment", errno);
            }
        }
        failure.map_or(Ok(()), |errno| Err(Error::os("disk clear", errno).hint(remedy(errno))))
    }
}
