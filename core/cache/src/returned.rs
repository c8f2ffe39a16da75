// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Values in the folders of a member that starts again.
//!
//! Nothing that was removed or replaced meanwhile may come back. The disk of a member follows the puts and
//! removals of all members, of the others by their journals (`follow.rs`). So its folders are good if all
//! members that may have changed values since can still be asked: each is there, the same process as before,
//! with the part of its journal that the former process had not read. Otherwise they begin empty.
//!
//! The store counts the members that join. A member leaves a note in its folders: the cache, its number in
//! that count, and the numbers of members with journals to read. The note is written again when members come
//! or go. Numbers above the largest that it knows matter, too.
//!
//! A member counts itself after others can see it, and searches for others after that. So of two members that
//! join at a time, one sees the other, or the other's number. It changes values only after that, and after
//! all others have seen it.
//!
//! Values are offered in batches. Another member may have changed a key after this one has read the journals
//! and before it takes the lock of the key. So the values of a batch are read only after the journals were
//! read once more.

use mf_base::Result;

use crate::alloc_request::{AllocRequest, Purpose};
use crate::atomic_fields::{BlockState, Phase, Slot, Spot};
use crate::block::{self, Head, Holds};
use crate::demote::OP;
use crate::disk::Disk;
use crate::follow::{Source, Sources};
use crate::index::{Index, unless_gone};
use crate::journal::{Cursor, JournalState};
use crate::key::KEY_BYTES_MAX;
use crate::member::{Member, find_peers};
use crate::memory::Memory;
use crate::publish::Spares;
use crate::view::Member as Peer;

/// Values that are offered at once.
const STRIDE: usize = 64;
/// Pauses in a wait for the numbers of members that join at the same time.
const NUMBER_TURNS: u32 = 1000;
/// Most members that may have joined while a member was away.
const AWAY_MAX: u64 = 4096;

/// Note that a member leaves in its folders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Note {
    /// Number of the cache: another one after the store was started again.
    pub(crate) cache: u64,
    /// The number of members that had joined this cache, itself included.
    pub(crate) joins: u64,
    /// Members up to this number are named below, or their changes are known.
    pub(crate) known: u64,
    /// Members with changes that may be unknown.
    pub(crate) members: Vec<u64>,
}

impl Note {
    /// Returns the numbers of all members that may have changed values since, for a member that joins the
    /// cache `now` as number `joins`; `None` if some of them cannot be there.
    fn needed(&self, now: u64, joins: u64) -> Option<Vec<u64>> {
        let is_same = self.cache == now;
        if !is_same && !self.members.is_empty() {
            return None;
        }
        let known = if is_same { self.known } else { 0 };
        let later = (known + 1..joins).take(usize::try_from(AWAY_MAX).unwrap_or(0) + 1);
        let needed: Vec<u64> = self.members.iter().copied().chain(later).collect();
        (needed.len() as u64 <= AWAY_MAX).then_some(needed)
    }

    pub(crate) fn text(&self) -> String {
        let members: Vec<String> = self.members.iter().map(u64::to_string).collect();
        let Self { cache, joins, known, .. } = self;
        format!("cache {cache:x} joins {joins} known {known} members {}\n", members.join(" "))
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let ["cache", cache, "joins", joins, "known", known, "members", members @ ..] = &words[..] else {
            return None;
        };
        Some(Self {
            cache: u64::from_str_radix(cache, 16).ok()?,
            joins: joins.parse().ok()?,
            known: known.parse().ok()?,
            members: members.iter().map(|number| number.parse().ok()).collect::<Option<_>>()?,
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
    /// Publishes the number of this member, which others can see already, and decides about the values of a
    /// former process in its folders, before anything else uses them.
    ///
    /// # Errors
    /// Errors of the pool and the disk.
    pub(crate) fn join(&self, joins: u64, former: Option<&Note>) -> Result<()> {
        self.journal.set_joins(&self.memory, self.me.rank, joins)?;
        let Some(disk) = &self.disk else { return Ok(()) };
        let others = self.counted_peers()?;
        let positions = match former {
            Some(former) => self.unread(former, joins, &others)?,
            None => None,
        };
        let is_good = positions.is_some();
        let positions = positions.unwrap_or_else(|| others.iter().map(|(_, state)| state.tail).collect());
        let has_values = disk.engine().values_before(u64::MAX).is_some();
        if is_good {
            *self.memory.lock(&disk.offer) = Some(Offer { values: Vec::new(), epoch: u64::MAX });
        } else {
            if has_values {
                tracing::info!("the tier on disk begins empty: other members may have changed its values");
                disk.engine().clear()?;
            }
            disk.filter.set_complete();
        }
        let mut sources = Vec::new();
        for ((peer, state), position) in
            others.iter().zip(positions).filter(|((_, state), _)| state.joins > 0)
        {
            let source = Source::new(peer.holder, state.joins, position);
            let stored = unless_gone(self.cursor(peer, joins).store(&self.memory, Some(position)))?;
            if is_good || stored.is_some() {
                sources.push(if stored.is_some() { source } else { source.lost() });
            }
        }
        *self.memory.lock(&disk.sources) = Sources::new(joins, sources);
        self.write_note(disk)
    }

    /// Returns the other members, with their numbers as far as they are counted.
    fn counted_peers(&self) -> Result<Vec<(Peer, JournalState)>> {
        let mut others = Vec::new();
        for turn in 0..NUMBER_TURNS.min(self.turns_max) {
            others.clear();
            for peer in find_peers(&self.memory, None, true)? {
                if peer.holder != self.me
                    && let Some(state) = unless_gone(JournalState::read(&self.memory, peer.holder.rank))?
                {
                    others.push((peer, state));
                }
            }
            if others.iter().all(|(_, state)| state.joins > 0) {
                break;
            }
            self.memory.pause(turn);
        }
        Ok(others)
    }

    /// Returns the positions in the journals of these members up to which a former process has read them;
    /// `None` if changes may be unknown.
    fn unread(&self, former: &Note, joins: u64, others: &[(Peer, JournalState)]) -> Result<Option<Vec<u64>>> {
        let cache = self.cache_number()?;
        let Some(needed) = former.needed(cache, joins) else { return Ok(None) };
        let is_there = |joins: &u64| others.iter().any(|(_, state)| state.joins == *joins);
        if !needed.iter().all(is_there) {
            return Ok(None);
        }
        let mut positions = Vec::new();
        for (peer, state) in others {
            let cursor = Cursor::new((peer.holder, &peer.geometry), (self.me.rank, former.joins));
            let read = match former.cache == cache {
                true => unless_gone(cursor.load(&self.memory))?.flatten(),
                false => None,
            };
            // One that has joined since was not read.
            let is_later = state.joins > former.known || former.cache != cache;
            let position = read.or((is_later && state.is_complete()).then_some(0));
            let Some(position) = position.filter(|_| needed.contains(&state.joins) || state.joins > joins)
            else {
                return Ok(None);
            };
            if state.begun.checked_sub(position).is_none_or(|unread| unread > peer.geometry.journal_bytes) {
                return Ok(None);
            }
            positions.push(position);
        }
        Ok(Some(positions))
    }

    fn cache_number(&self) -> Result<u64> {
        Ok(self.prints.fingerprint(OP, b"note")?.high)
    }

    /// Writes the note into the folders if members have come or gone. If the disk refuses it, the former note
    /// stays, with which the folders begin empty after a restart.
    ///
    /// # Errors
    /// Errors of the fingerprint.
    pub(crate) fn write_note(&self, disk: &Disk) -> Result<()> {
        let note = self.memory.lock(&disk.sources).note(self.cache_number()?);
        let mut noted = self.memory.lock(&disk.noted);
        if note.joins > 0 && noted.as_ref() != Some(&note) {
            if let Err(error) = disk.folders().map_or(Ok(()), |folders| folders.set_note(&note.text())) {
                tracing::warn!(%error, "the tier on disk begins empty after a restart: its note is not written");
            }
            *noted = Some(note);
        }
        Ok(())
    }

    /// Puts stubs of some values of a former process into the index, the newest first. Returns true if there
    /// are more.
    ///
    /// # Errors
    /// Errors of the pool; the next call goes on.
    pub(crate) fn offer_some(&self, disk: &Disk) -> Result<bool> {
        let mut offer = self.memory.lock(&disk.offer);
        if offer.is_none() && !disk.has_unconfirmed() {
            return Ok(false);
        }
        let is_current = self.follow(disk, true)?;
        if self.memory.lock(&disk.sources).has_lost() {
            *offer = None;
            self.withdraw(disk)?;
            return Ok(true);
        }
        if !is_current {
            return Ok(false);
        }
        disk.confirm();
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
            if !view.is_settled() {
                values.push((key, version, bytes));
                return Ok(false);
            }
            let index = self.index(&view);
            let offered = unless_gone(self.offer_value(&index, disk, (&key, version), bytes))?;
            match offered {
                Some(true) => {}
                Some(false) => {
                    *offer = None;
                    return Ok(true);
                }
                None => {
                    values.push((key, version, bytes));
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Takes offered values back: their keys may have been changed.
    fn withdraw(&self, disk: &Disk) -> Result<()> {
        for (key, version) in disk.unconfirmed() {
            let print = self.prints.fingerprint(OP, &key)?;
            disk.remove_at((print, &key), version);
            let view = self.view();
            self.find_there(&self.index(&view), (print, &key))?;
        }
        disk.confirm();
        Ok(())
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
        self.memory.write(block::key(stub, holds), key)?;
        disk.note_unconfirmed(key, version);
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
    fn members_that_may_have_changed_values_are_needed() {
        let note = Note { cache: 7, joins: 3, known: 5, members: vec![1, 4] };
        assert_eq!(Note::parse(&note.text()), Some(note.clone()));
        assert_eq!(Note::parse("cache x"), None);
        assert_eq!(note.needed(7, 6), Some(vec![1, 4]));
        assert_eq!(note.needed(7, 8), Some(vec![1, 4, 6, 7]));
        // The store was started again: the members of before are gone.
        assert_eq!(note.needed(8, 1), None);
        let alone = Note { members: Vec::new(), ..note };
        assert_eq!(Note::parse(&alone.text()), Some(alone.clone()));
        assert_eq!((alone.needed(8, 1), alone.needed(8, 3)), (Some(vec![]), Some(vec![1, 2])));
        assert_eq!(alone.needed(7, u64::MAX), None);
    }
}
