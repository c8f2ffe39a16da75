// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Faults of a write: its records become void, and the tier tries again after a while.

use mf_base::sync::lock;
use rustix::io::Errno;

use crate::disk::Area;
use crate::engine::Engine;
use crate::tombstones::Tombstone;
use crate::writer::Item;

impl Engine {
    /// Voids the records of a batch that failed.
    pub(crate) fn fail(&self, items: &[Item]) {
        let mut state = lock(&self.state);
        let epoch = state.next_epoch - 1;
        for item in items {
            // A newer value of the key has its own tombstone for this one.
            if state.generation(item.print) == Some(item.generation) {
                state.forget(item.print);
                state.stats.drops += 1;
            }
        }
        let voided = items.iter().map(|item| Tombstone { print: item.print, bound: item.generation, epoch });
        state.keep_unrecorded(voided);
    }

    /// Tries again after a fault: first of all, the tombstones that the disk has not taken.
    pub(crate) fn resume(&self) -> bool {
        match self.catch_up() {
            Ok(()) => lock(&self.state).switch.turn_on(),
            Err(errno) => self.turn_off("retry", errno),
        }
        true
    }

    /// Writes the tombstones that the disk refused while the tier was off.
    fn catch_up(&self) -> Result<(), Errno> {
        if lock(&self.state).must_erase {
            self.erase_all()?;
        }
        loop {
            let mut state = lock(&self.state);
            let Some(tombstone) = state.unrecorded.pop() else { break };
            let oldest = state.oldest();
            if tombstone.epoch < oldest {
                continue;
            }
            let Some(sequence) = state.ring.reserve(tombstone.epoch, oldest) else {
                // No room: nothing that it would void may stay.
                state.must_erase = true;
                drop(state);
                self.erase_all()?;
                continue;
            };
            let at = state.ring.position(sequence);
            drop(state);
            if let Err(errno) = self.write_tombstone(tombstone, sequence, at) {
                lock(&self.state).keep_unrecorded([tombstone]);
                return Err(errno);
            }
        }
        self.disks.removals().sync(Area::Removals)
    }
}
