// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Sweep: removes values from the folders that the index does not have.
//!
//! Needed when changes of another member are unknown: it died before this member had read its journal, or the
//! ring of that overflowed, or it has removed all keys. The sweep reads the keys of all values in the
//! folders, one segment after the other, and compares each with the index, under the lock of the key.

use mf_base::Result;

use crate::demote::OP;
use crate::disk::Disk;
use crate::follow::Trust;
use crate::index::Index;
use crate::journal::JournalState;
use crate::key::Print;
use crate::member::Member;
use crate::memory::Memory;

/// Progress of a sweep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sweep {
    /// Segments before this one are left.
    epoch: u64,
    /// Bytes that the engine had moved to later segments when the sweep began.
    moved: u64,
}

impl<M: Memory> Member<M> {
    /// Goes on with a sweep, or begins one if changes of another member are unknown. Returns true if there is
    /// more to do.
    ///
    /// # Errors
    /// Errors of the pool and the disk; the next call goes on.
    pub(crate) fn sweep(&self, disk: &Disk) -> Result<bool> {
        let view = self.view();
        // Before that, the index lacks values.
        if !view.is_settled() || disk.engine().queue_bytes().is_none() {
            return Ok(false);
        }
        drop(view);
        let mut sweep = self.memory.lock(&disk.sweep);
        let Some(Sweep { epoch, moved }) = &mut *sweep else {
            *sweep = self.begin_sweep(disk)?;
            return Ok(sweep.is_some());
        };
        let Some((older, values)) = disk.engine().values_before(*epoch) else {
            let has_moved = disk.engine().stats().rewritten_bytes != *moved;
            *sweep = None;
            // Values that were moved meanwhile may have been passed by: once more.
            self.end_sweep(disk, has_moved)?;
            return Ok(true);
        };
        for value in values {
            let print = self.prints.fingerprint(OP, &value.key)?;
            let view = self.view();
            if !view.is_settled() {
                return Ok(false);
            }
            let removed = || disk.remove_at((print, &value.key), value.generation);
            self.index(&view).remove_unlisted(print, value.generation, removed)?;
        }
        *epoch = older;
        Ok(true)
    }

    fn begin_sweep(&self, disk: &Disk) -> Result<Option<Sweep>> {
        let mut sources = self.memory.lock(&disk.sources);
        if !sources.all.iter().any(|source| source.trust == Trust::Lost) {
            return Ok(None);
        }
        let view = self.view();
        for source in sources.all.iter_mut().filter(|source| source.trust == Trust::Lost) {
            let has_gone = !view.latest().has(source.holder);
            if !has_gone {
                let state = JournalState::read(&self.memory, source.holder.rank)?;
                if state.joins != source.joins {
                    return Ok(None);
                }
                // Later changes are followed, earlier ones are in the index.
                source.position = state.tail;
            }
            source.trust = Trust::Sweeping { has_gone };
        }
        drop(sources);
        drop(view);
        // Values in the queue would get into segments that the sweep has passed.
        disk.engine().flush()?;
        Ok(Some(Sweep { epoch: u64::MAX, moved: disk.engine().stats().rewritten_bytes }))
    }

    fn end_sweep(&self, disk: &Disk, is_void: bool) -> Result<()> {
        let mut sources = self.memory.lock(&disk.sources);
        let view = self.view();
        let joins = sources.joins();
        let mut cursors = Vec::new();
        sources.all.retain_mut(|source| {
            let Trust::Sweeping { has_gone } = source.trust else { return true };
            source.trust = if is_void { Trust::Lost } else { Trust::Full };
            if let Some(peer) = view.latest().member(source.holder.rank).filter(|_| !is_void && !has_gone) {
                cursors.push((self.cursor(peer, joins), source.position));
            }
            is_void || !has_gone
        });
        for (cursor, position) in cursors {
            cursor.store(&self.memory, Some(position))?;
        }
        Ok(())
    }
}

impl<M: Memory> Index<'_, M> {
    /// Calls `remove` if no block of the key has this version.
    pub(crate) fn remove_unlisted(&self, print: Print, version: u64, remove: impl Fn()) -> Result<()> {
        let home = self.home(OP, print)?;
        let _lock = self.lock(OP, &home, print)?;
        if self.entries(print)?.iter().all(|entry| entry.head.state.version() != version) {
            remove();
        }
        Ok(())
    }
}
