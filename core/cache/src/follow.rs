// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Following: a member with a tier on disk reads the journals of all others (`journal.rs`), and removes the
//! older values of changed keys from its folders.
//!
//! So each value in the folders is the present one of its key, but for changes in the unread parts of
//! journals. Those are lost if their member dies, or if its ring overflows: then the member with the disk
//! compares all values in its folders with the index (`sweep.rs`). While it has not finished, its note in the
//! folders, or its cursor, says that they are not good after a restart (`returned.rs`).

use std::collections::BTreeSet;

use mf_base::Result;

use crate::atomic_fields::Holder;
use crate::disk::Disk;
use crate::index::unless_gone;
use crate::journal::{Change, Cursor, ENTRY_BYTES_MAX, JournalState, read_ring, split_first};
use crate::member::Member;
use crate::memory::Memory;
use crate::returned::Note;
use crate::view::Member as Peer;

/// Bytes of a journal that are read at once, and rounds of that in one call.
const PIECE: u64 = 64 << 10;
const ROUNDS: u32 = 16;
const _: () = assert!(ENTRY_BYTES_MAX as u64 <= PIECE);

/// Knowledge of the changes of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// All changes before the position were followed.
    Full,
    /// Some are unknown.
    Lost,
    /// Some were unknown; a sweep that has begun since then makes up for them.
    Sweeping {
        /// The member had gone when the sweep began.
        has_gone: bool,
    },
}

/// A followed member.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    pub(crate) holder: Holder,
    pub(crate) joins: u64,
    pub(crate) position: u64,
    pub(crate) trust: Trust,
    /// It changes nothing more.
    has_ended: bool,
}

impl Source {
    pub(crate) fn new(holder: Holder, joins: u64, position: u64) -> Self {
        Self { holder, joins, position, trust: Trust::Full, has_ended: false }
    }

    /// Returns the source of a member with changes that are unknown.
    pub(crate) fn lost(self) -> Self {
        Self { trust: Trust::Lost, ..self }
    }

    fn lose(&mut self) {
        self.trust = Trust::Lost;
    }
}

/// The followed members.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    /// Number of this member among all that have joined; 0: it is not counted yet.
    joins: u64,
    /// Members up to this number have a source, or have gone without unread changes.
    known: u64,
    /// Numbers of later sources.
    later: BTreeSet<u64>,
    pub(crate) all: Vec<Source>,
    turns: u32,
}

impl Sources {
    /// Creates the sources of a member that has joined as number `joins`.
    pub(crate) fn new(joins: u64, all: Vec<Source>) -> Self {
        let mut sources = Self { joins, known: joins, ..Self::default() };
        all.into_iter().for_each(|source| sources.add(source));
        sources
    }

    fn add(&mut self, source: Source) {
        self.all.push(source);
        self.later.insert(source.joins);
        self.later.retain(|joins| *joins > self.known);
        while self.later.remove(&(self.known + 1)) {
            self.known += 1;
        }
    }

    pub(crate) fn joins(&self) -> u64 {
        self.joins
    }

    pub(crate) fn has_lost(&self) -> bool {
        self.all.iter().any(|source| source.trust != Trust::Full)
    }

    pub(crate) fn note(&self, cache: u64) -> Note {
        let mut members: Vec<u64> = self.all.iter().map(|source| source.joins).collect();
        members.sort_unstable();
        Note { cache, joins: self.joins, known: self.known, members }
    }

    /// Drops the sources of members that have gone after all their changes were read; others have lost some.
    fn end_gone(&mut self, is_there: impl Fn(Holder) -> bool) {
        self.all.retain_mut(|source| {
            if is_there(source.holder) {
                return true;
            }
            match source.trust {
                Trust::Full if source.has_ended => return false,
                Trust::Full | Trust::Sweeping { has_gone: false } => source.lose(),
                Trust::Lost | Trust::Sweeping { has_gone: true } => {}
            }
            true
        });
    }
}

impl<M: Memory> Member<M> {
    /// Reads the journals of other members; on other hosts only now and then unless `asks_far`. Returns
    /// true if all changes are known that began before the call.
    ///
    /// # Errors
    /// Errors of the pool; the next call goes on.
    pub(crate) fn follow(&self, disk: &Disk, asks_far: bool) -> Result<bool> {
        /// Calls between two reads of the journals of other hosts.
        const FAR_EVERY: u32 = 64;
        let mut sources = self.memory.lock(&disk.sources);
        if sources.joins == 0 {
            return Ok(false);
        }
        sources.turns = sources.turns.wrapping_add(1);
        let asks_far = asks_far || sources.turns.is_multiple_of(FAR_EVERY);
        // A change of membership does not wait for the disk.
        let members: Vec<Peer> = self.view().latest().members().to_vec();
        let mut is_current = true;
        for peer in members.iter().filter(|peer| peer.holder != self.me) {
            let is_followed = match peer.is_near || asks_far {
                true => unless_gone(self.follow_one(disk, &mut sources, peer))?.unwrap_or(false),
                false => false,
            };
            is_current &= is_followed;
        }
        sources.end_gone(|holder| members.iter().any(|peer| peer.holder == holder));
        Ok(is_current && !sources.has_lost())
    }

    fn follow_one(&self, disk: &Disk, sources: &mut Sources, peer: &Peer) -> Result<bool> {
        let state = JournalState::read(&self.memory, peer.holder.rank)?;
        if state.joins == 0 {
            return Ok(false);
        }
        let is_it = |source: &Source| source.holder == peer.holder;
        if !sources.all.iter().any(is_it) {
            // It had not settled when this member could be seen: its journal has all that it has changed.
            self.cursor(peer, sources.joins).store(&self.memory, Some(0))?;
            sources.add(Source::new(peer.holder, state.joins, 0));
        }
        let joins = sources.joins;
        let Some(source) = sources.all.iter_mut().find(|source| is_it(source)) else { return Ok(false) };
        for _ in 0..ROUNDS {
            if let Some(is_current) = self.follow_piece(disk, source, peer, joins)? {
                return Ok(is_current);
            }
        }
        Ok(false)
    }

    /// Reads a piece of a journal. Returns whether all was read; `None`: there is more.
    fn follow_piece(
        &self,
        disk: &Disk,
        source: &mut Source,
        peer: &Peer,
        joins: u64,
    ) -> Result<Option<bool>> {
        let (rank, geometry) = (peer.holder.rank, &peer.geometry);
        let cursor = self.cursor(peer, joins);
        let is_over =
            |state: &JournalState, from: u64| state.begun.wrapping_sub(from) > geometry.journal_bytes;
        let state = JournalState::read(&self.memory, rank)?;
        if source.trust == Trust::Lost || state.joins != source.joins {
            return Ok(Some(false));
        }
        if state.tail == source.position {
            return Ok(Some(true));
        }
        let length = state.tail.wrapping_sub(source.position).min(PIECE);
        let mut bytes = vec![0; usize::try_from(length).unwrap_or(0)];
        let mut read = 0;
        if !is_over(&state, source.position) {
            read_ring(&self.memory, (rank, geometry), source.position, &mut bytes)?;
            let after = JournalState::read(&self.memory, rank)?;
            if after.joins != source.joins {
                return Ok(Some(false));
            }
            let mut rest = if is_over(&after, source.position) { &[][..] } else { &bytes[..] };
            let whole = rest.len();
            while let Some((change, next)) = split_first(rest) {
                self.follow_change(disk, source, change)?;
                rest = next;
            }
            read = (whole - rest.len()) as u64;
        }
        source.position += read;
        if read == 0 {
            source.lose();
        }
        let is_full = source.trust == Trust::Full;
        cursor.store(&self.memory, is_full.then_some(source.position))?;
        Ok((source.trust == Trust::Lost).then_some(false))
    }

    fn follow_change(&self, disk: &Disk, source: &mut Source, change: Change<'_>) -> Result<()> {
        if change == Change::END {
            source.has_ended = true;
        } else if change.key.is_empty() {
            source.lose();
        } else {
            let print = self.prints.fingerprint(crate::demote::OP, change.key)?;
            disk.void_others((print, change.key), change.version);
        }
        Ok(())
    }

    /// Returns the cursor of this member, which has joined as number `joins`, in the journal of another one.
    pub(crate) fn cursor(&self, peer: &Peer, joins: u64) -> Cursor {
        Cursor::new((peer.holder, &peer.geometry), (self.me.rank, joins))
    }

    /// Ends the journal, and waits for about a second until the members with a tier on disk have read it.
    ///
    /// # Errors
    /// Errors of the pool.
    pub(crate) fn end_journal(&self) -> Result<()> {
        /// Pauses in the wait.
        const TURNS: u32 = 6000;
        let view = self.view();
        let latest = view.latest();
        let Some(own) = latest.member(self.me.rank).filter(|_| self.journal.is_on()) else { return Ok(()) };
        let tail = self.journal.close(&self.memory, (self.me.rank, &own.geometry))?;
        let has_read = |peer: &Peer| -> Result<bool> {
            let joins = JournalState::read(&self.memory, peer.holder.rank)?.joins;
            let cursor = Cursor::new((self.me, &own.geometry), (peer.holder.rank, joins));
            Ok(cursor.load(&self.memory)? == Some(tail))
        };
        let readers =
            || latest.members().iter().filter(|peer| peer.geometry.has_disk && peer.holder != self.me);
        for turn in 0..TURNS.min(self.turns_max) {
            // Others may be leaving, too, and wait for this one.
            if let Some(disk) = &self.disk {
                self.follow(disk, true)?;
            }
            if readers()
                .all(|peer| !self.memory.is_member(peer.holder.rank) || has_read(peer).unwrap_or(true))
            {
                break;
            }
            self.memory.pause(turn);
        }
        self.disk.as_ref().map_or(Ok(()), |disk| self.write_note(disk))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holder(rank: u16) -> Holder {
        Holder { rank, incarnation: 1 }
    }

    #[test]
    fn note_names_members_with_unread_changes() {
        let mut sources = Sources::new(3, vec![Source::new(holder(1), 1, 0), Source::new(holder(2), 2, 8)]);
        assert_eq!(sources.note(7), Note { cache: 7, joins: 3, known: 3, members: vec![1, 2] });
        // One of them leaves after its last entry was read, the other one dies.
        sources.all[1].has_ended = true;
        sources.end_gone(|_| false);
        assert_eq!((sources.note(7).members, sources.has_lost()), (vec![1], true));
        // A number that was not seen is not known, nor are later ones.
        sources.add(Source::new(holder(4), 5, 0));
        assert_eq!((sources.note(7).known, sources.note(7).members), (3, vec![1, 5]));
        sources.add(Source::new(holder(5), 4, 0));
        assert_eq!(sources.note(7).known, 5);
    }
}
