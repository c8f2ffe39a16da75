// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Values in the folders of a member that starts again.
//!
//! Nothing that was removed or replaced meanwhile may come back. The disk of a member follows its own puts
//! and removals, and not those of other members: so its folders are good only if no other member has been
//! there since, and otherwise begin empty. The store counts the members that join. A member leaves a note in
//! its folders: the cache, its number in that count, and whether it was alone.
//!
//! A member counts itself after others can see it, and searches for others after that. So of two members that
//! join at a time, one sees the other, or the other's number.

use mf_base::Result;

use crate::alloc_request::{AllocRequest, Purpose};
use crate::atomic_fields::{BlockState, Phase, Slot, Spot};
use crate::block::{self, Head, Holds};
use crate::demote::OP;
use crate::disk::Disk;
use crate::index::{Index, unless_gone};
use crate::key::KEY_BYTES_MAX;
use crate::member::{Member, find_peers};
use crate::memory::Memory;
use crate::publish::Spares;

/// Values that are offered at once.
const STRIDE: usize = 64;

/// Circumstances under which a member joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Note {
    /// Number of the cache: another one after the store was started again.
    pub(crate) cache: u64,
    /// The number of members that had joined this cache, itself included.
    pub(crate) joins: u64,
    /// No other member was there.
    pub(crate) is_alone: bool,
}

impl Note {
    /// Returns true if a member that joins now may offer the values of folders with this note: only it has
    /// changed values since they were written.
    pub(crate) fn is_good(self, now: Self) -> bool {
        let before = if self.cache == now.cache { self.joins } else { 0 };
        self.is_alone && now.is_alone && now.joins == before + 1
    }

    pub(crate) fn text(self) -> String {
        format!("cache {:x} joins {} alone {}\n", self.cache, self.joins, self.is_alone)
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let ["cache", cache, "joins", joins, "alone", is_alone] = words[..] else { return None };
        Some(Self {
            cache: u64::from_str_radix(cache, 16).ok()?,
            joins: joins.parse().ok()?,
            is_alone: is_alone.parse().ok()?,
        })
    }
}

/// Values that are to be offered, the newest last.
#[derive(Debug, Default)]
pub(crate) struct Offer {
    values: Vec<(Vec<u8>, u64, u64)>,
    /// Segments before this one are left.
    epoch: u64,
}

impl<M: Memory> Member<M> {
    /// Returns the note of this member, which has joined as number `joins`.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn join_note(&self, joins: u64) -> Result<Note> {
        let peers = find_peers(&self.memory, None, true)?;
        let is_alone = peers.iter().all(|peer| peer.holder == self.me);
        Ok(Note { cache: self.prints.fingerprint(OP, b"note")?.high, joins, is_alone })
    }

    /// Decides about the values of a former process in the folders, before anything else uses the disk.
    ///
    /// # Errors
    /// Errors of the pool and the disk.
    pub(crate) fn take_folders(&self, disk: &Disk, former: Option<Note>, now: Note) -> Result<()> {
        let has_values = disk.engine().values_before(u64::MAX).is_some();
        if former.is_some_and(|former| former.is_good(now)) {
            *self.memory.lock(&disk.offer) = Some(Offer { values: Vec::new(), epoch: u64::MAX });
            return Ok(());
        }
        if has_values {
            tracing::info!("the tier on disk begins empty: other members may have changed its values");
            disk.engine().clear()?;
        }
        disk.filter.set_complete();
        Ok(())
    }

    /// Puts stubs of some values of a former process into the index, the newest first. Returns true if there
    /// are more.
    ///
    /// # Errors
    /// Errors of the pool; the next call goes on.
    pub(crate) fn offer_some(&self, disk: &Disk) -> Result<bool> {
        let mut offer = self.memory.lock(&disk.offer);
        let Some(Offer { values, epoch }) = &mut *offer else { return Ok(false) };
        if values.is_empty()
            && let Some((older, found)) = disk.engine().values_before(*epoch)
        {
            *epoch = older;
            values.extend(found.into_iter().map(|value| (value.key, value.generation, value.bytes)));
        } else if values.is_empty() {
            *offer = None;
            disk.filter.set_complete();
            return Ok(false);
        }
        for _ in 0..STRIDE {
            let Some((key, version, bytes)) = values.pop() else { break };
            // A member that joins can change nothing while this one works with a view without it.
            let view = self.view();
            let is_alone = view.is_settled() && view.latest().members().len() == 1;
            let index = self.index(&view);
            if !is_alone || !self.offer_value(&index, disk, (&key, version), bytes)? {
                *offer = None;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Puts the stub of a value into the index, unless the key has a value. Returns false without room.
    fn offer_value(
        &self,
        index: &Index<'_, M>,
        disk: &Disk,
        (key, version): (&[u8], u64),
        bytes: u64,
    ) -> Result<bool> {
        let print = self.prints.fingerprint(OP, key)?;
        disk.filter.add(print);
        if index.find(print)?.is_some() {
            return Ok(true);
        }
        let key_bytes = key.len().min(KEY_BYTES_MAX) as u64;
        let holds = Holds { bytes, key_bytes, replicas: 1, is_on_disk: true };
        let Some(units) = holds.units() else { return Ok(true) };
        // Only free room: stubs of newer values do not go for it.
        let wanted = AllocRequest {
            units,
            purpose: Purpose::Offered,
            preferred: None,
            elsewhere: &[],
            now: self.memory.now(),
            evicted: &|| {},
        };
        let Some(stub) = self.manager.allocate(index, &wanted)? else { return Ok(false) };
        let head = self.new_head((print, holds, units));
        head.fill(&self.memory, stub)?;
        self.memory.write(block::key(stub), key)?;
        let is_offered = index.offer(stub, &head, version, || disk.holds(key, version));
        if !matches!(is_offered, Ok(true)) {
            unless_gone(self.manager.give_back(&self.memory, stub))?;
        }
        is_offered.map(|_| true)
    }

    /// Removes values of the disk that no block is left of after all others were removed.
    ///
    /// # Errors
    /// Errors of the pool and the disk.
    pub(crate) fn clear_disk(&self, spares: Spares) -> Result<()> {
        let Some(disk) = &self.disk else { return Ok(()) };
        *self.memory.lock(&disk.offer) = None;
        if spares == Spares::None {
            return disk.engine().clear();
        }
        let mut epoch = u64::MAX;
        while let Some((older, values)) = disk.engine().values_before(epoch) {
            for value in values {
                let print = self.prints.fingerprint(OP, &value.key)?;
                let view = self.view();
                let index = self.index(&view);
                index
                    .remove_orphan(print, || disk.remove_before((print, &value.key), value.generation + 1))?;
            }
            epoch = older;
        }
        Ok(())
    }
}

impl<M: Memory> Index<'_, M> {
    /// Publishes the stub of a value if its key has none and `is_there` still. Returns whether it did.
    fn offer(&self, stub: Spot, head: &Head, version: u64, is_there: impl Fn() -> bool) -> Result<bool> {
        let home = self.home(OP, head.print)?;
        let mut lock = self.lock(OP, &home, head.print)?;
        if !self.entries(head.print)?.is_empty() || !is_there() {
            return Ok(false);
        }
        if !self.place_free(&mut lock, head.print, Slot::new(head.print.tag(), stub))? {
            return Ok(false);
        }
        block::set_state(self.memory, stub, BlockState::new(version, Phase::Live))?;
        Ok(true)
    }

    /// Calls `remove` if a key has no value.
    fn remove_orphan(&self, print: crate::key::Print, remove: impl Fn()) -> Result<()> {
        let home = self.home(OP, print)?;
        let _lock = self.lock(OP, &home, print)?;
        if self.entries(print)?.is_empty() {
            remove();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_good_only_if_no_other_member_was_there_since() {
        let note = |cache, joins, is_alone| Note { cache, joins, is_alone };
        let former = note(7, 3, true);
        for (now, is_good) in [
            (note(7, 4, true), true),
            (note(7, 5, true), false),
            (note(7, 4, false), false),
            // The store was started again.
            (note(8, 1, true), true),
            (note(8, 2, true), false),
            (note(8, 1, false), false),
        ] {
            assert_eq!(former.is_good(now), is_good, "{now:?}");
            assert!(!note(7, 3, false).is_good(now));
        }
        assert_eq!(Note::parse(&former.text()), Some(former));
        assert_eq!(Note::parse("cache x"), None);
    }
}
