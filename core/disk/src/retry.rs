// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Faults of a folder: records of a batch that failed become void, and the folder is tried again after a
//! while.
//!
//! Values of a folder that is switched off miss, and stay in the index. Their removals are kept in memory
//! until the folder has taken them; then its values are read again.

use std::time::Instant;

use mf_base::sync::lock;
use rustix::io::Errno;

use crate::disk::Area;
use crate::engine::Engine;
use crate::tombstones::{Ring, Tombstone};
use crate::voided::Voided;
use crate::writer::{Item, Writing};

impl Engine {
    /// Voids the records of a batch that failed. A value that was written again stays where it was.
    pub(crate) fn fail(&self, folder: usize, items: &[Item]) {
        let mut state = lock(&self.state);
        let epoch = state.next_epoch - 1;
        for item in items.iter().filter(|item| item.moved_from.is_none()) {
            // A newer value of the key has its own tombstone for this one.
            if state.generation(item.print) == Some(item.generation) {
                state.forget(item.print);
                state.stats.drops += 1;
            }
        }
        let voided = items.iter().map(|item| Tombstone {
            print: item.print,
            bound: item.generation,
            epoch,
            is_local: item.moved_from.is_some(),
        });
        if let Some(folder) = state.folders.get_mut(folder) {
            folder.keep_unrecorded(voided);
        }
    }

    /// Tries folders again whose time has come. Returns true if one was tried. The open segment is left if
    /// its folder has failed.
    pub(crate) fn resume(&self, writing: &mut Writing) -> bool {
        let now = Instant::now();
        let due: Vec<usize> = {
            let state = lock(&self.state);
            let is_due =
                |number: &usize| state.folders.get(*number).is_some_and(|folder| folder.switch.is_due(now));
            (0..self.disks.count()).filter(is_due).collect()
        };
        self.leave_failed(writing);
        for folder in &due {
            match self.catch_up(*folder) {
                Ok(()) => self.update_view(),
                Err(errno) => self.turn_off(*folder, "retry", errno),
            }
        }
        !due.is_empty()
    }

    /// Writes the tombstones that a folder has missed, and switches it on.
    fn catch_up(&self, number: usize) -> Result<(), Errno> {
        let disk = self.disks.disk(number);
        let has = |state: &crate::state::State, is: fn(&crate::state::FolderState) -> bool| {
            state.folders.get(number).is_some_and(is)
        };
        if has(&lock(&self.state), |folder| folder.is_unknown) {
            self.learn(number)?;
        }
        if has(&lock(&self.state), |folder| folder.must_erase) {
            self.erase_folder(number)?;
        }
        self.erase_copied(number)?;
        let mut is_synced = false;
        loop {
            let mut state = lock(&self.state);
            let oldest = state.oldest_epoch(number);
            let Some(folder) = state.folders.get_mut(number) else { return Ok(()) };
            let Some(tombstone) = folder.unrecorded.pop() else {
                if is_synced {
                    // With the lock held: a removal from now on writes its tombstone itself.
                    folder.switch.turn_on();
                    return Ok(());
                }
                drop(state);
                disk.sync(Area::Removals)?;
                is_synced = true;
                continue;
            };
            is_synced = false;
            if tombstone.epoch < oldest {
                continue;
            }
            let Some(sequence) = folder.ring.reserve(tombstone.epoch, oldest) else {
                // No room: nothing that it would void may stay.
                folder.must_erase = true;
                drop(state);
                self.erase_folder(number)?;
                continue;
            };
            let at = folder.ring.position(sequence);
            drop(state);
            if let Err(errno) = self.write_tombstone(number, tombstone, sequence, at) {
                if let Some(folder) = lock(&self.state).folders.get_mut(number) {
                    folder.keep_unrecorded([tombstone]);
                }
                return Err(errno);
            }
        }
    }

    /// Reads the ring of a folder that could not be read when the tier was opened.
    fn learn(&self, number: usize) -> Result<(), Errno> {
        let (count, set) = (self.options.tombstones_max, self.options.set);
        let voided = Voided::read(self.disks.disk(number), count, set)?;
        let mut state = lock(&self.state);
        state.next_generation = state.next_generation.max(voided.generation + 1);
        state.next_epoch = state.next_epoch.max(voided.next_epoch());
        if let Some(folder) = state.folders.get_mut(number) {
            folder.ring = Ring::recovered(count, voided.places);
            folder.is_unknown = false;
        }
        Ok(())
    }
}
