// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Listing of all keys: a walk over the index of every member, without locks.

use std::ops::ControlFlow;

use mf_base::{Error, Kind, Result};

use crate::atomic_fields::{Phase, Slot, Spot};
use crate::block::Head;
use crate::events::read_key;
use crate::index::{Index, unless_gone};
use crate::key::KEY_BYTES_MAX;
use crate::layout::{BUCKET_BYTES, SLOTS};
use crate::member::Member;
use crate::memory::Memory;
use crate::publish::Spares;

/// Buckets that are read at once.
const BUCKETS: u64 = 64;
const WORDS: u64 = SLOTS as u64 + 1;

/// Cursor: a position between two slots of the index of all members. Only the position before the first slot
/// has the number 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cursor {
    rank: u16,
    bucket: u64,
    /// Index among the bucket's words, of which the first is no slot.
    word: u64,
}

impl Cursor {
    fn from_number(number: u64) -> Self {
        let rank = u16::try_from(number >> 48).unwrap_or(u16::MAX);
        Self { rank, bucket: (number & ((1 << 48) - 1)) / WORDS, word: number % WORDS }
    }

    fn number(self) -> u64 {
        u64::from(self.rank) << 48 | (self.bucket * WORDS + self.word)
    }

    /// Returns the beginning of the next bucket.
    fn next_bucket(self) -> Self {
        Self { bucket: self.bucket + 1, word: 0, ..self }
    }
}

impl<M: Memory> Member<M> {
    /// Removes all values, but for leased ones if `spares` says so. Returns their number.
    pub(crate) fn clear(&self, spares: Spares) -> Result<u64> {
        const OP: &str = "cache clear";
        let (mut from, mut removed) = (0, 0);
        // Disks have values, too, that are not in the index.
        self.index(&self.view()).note_change(&[], 0)?;
        loop {
            let mut prints = Vec::new();
            from = self.scan(from, &mut |_, head| {
                prints.push(head.print);
                Ok(if prints.len() < 1024 { ControlFlow::Continue(()) } else { ControlFlow::Break(true) })
            })?;
            for print in prints {
                match self.remove_named(OP, (print, None), spares) {
                    Ok(was_there) => removed += u64::from(was_there),
                    Err(error) if error.kind() == Kind::InUse => {}
                    Err(error) => return Err(error),
                }
            }
            if from == 0 {
                self.clear_disk(spares)?;
                return Ok(removed);
            }
        }
    }

    /// Returns some keys, and the cursor of the next call; 0 at the end.
    pub(crate) fn keys(&self, from: u64, most: usize, most_bytes: usize) -> Result<(Vec<Vec<u8>>, u64)> {
        if most == 0 || most_bytes < KEY_BYTES_MAX {
            return Err(Error::invalid("cache keys", "there must be room for a key of 4096 bytes")
                .with("keys", most)
                .with("bytes", most_bytes));
        }
        let (mut keys, mut left) = (Vec::new(), most_bytes);
        let next = self.scan(from, &mut |block, head| {
            let bytes = usize::try_from(head.holds.key_bytes).unwrap_or(0).min(KEY_BYTES_MAX);
            if keys.len() == most || bytes > left {
                return Ok(ControlFlow::Break(false));
            }
            if let Some(key) = read_key(&self.memory, block, head)? {
                left -= bytes;
                keys.push(key);
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok((keys, next))
    }

    /// Calls `visit` for one block of each value, from a cursor on, until it breaks: with false the next call
    /// begins at this block again. Returns the cursor of the next call; 0 if all were visited.
    fn scan(
        &self,
        from: u64,
        visit: &mut dyn FnMut(Spot, &Head) -> Result<ControlFlow<bool>>,
    ) -> Result<u64> {
        let view = self.view();
        let index = self.index(&view);
        let mut cursor = Cursor::from_number(from);
        let mut buffer = Vec::new();
        while let Some(home) = view.next_member(cursor.rank) {
            let rank = home.holder.rank;
            if rank != cursor.rank {
                cursor = Cursor { rank, bucket: 0, word: 0 };
            }
            while cursor.bucket < home.geometry.buckets {
                let count = BUCKETS.min(home.geometry.buckets - cursor.bucket);
                buffer.resize(usize::try_from(count * BUCKET_BYTES).unwrap_or(0), 0);
                let at = home.geometry.bucket(rank, cursor.bucket);
                if unless_gone(self.memory.read(at, &mut buffer))?.is_none() {
                    break;
                }
                for bucket in buffer.as_chunks::<8>().0.chunks(SLOTS + 1) {
                    for (word, slot) in
                        (0..).zip(bucket).skip(usize::try_from(cursor.word).unwrap_or(0).max(1))
                    {
                        let Some((block, head)) = first_of(&index, Slot(u64::from_ne_bytes(*slot)))? else {
                            continue;
                        };
                        if let ControlFlow::Break(is_done) = visit(block, &head)? {
                            return Ok(Cursor { word: word + u64::from(is_done), ..cursor }.number());
                        }
                    }
                    cursor = cursor.next_bucket();
                }
            }
            let Some(rank) = rank.checked_add(1) else { break };
            cursor = Cursor { rank, bucket: 0, word: 0 };
        }
        Ok(0)
    }
}

/// Returns the block that a slot names, if it has a value and no other block of that value is visited.
fn first_of<M: Memory>(index: &Index<'_, M>, slot: Slot) -> Result<Option<(Spot, Head)>> {
    if slot == Slot::NONE {
        return Ok(None);
    }
    let block = slot.block();
    let Some(head) = unless_gone(Head::read(index.memory, block))? else { return Ok(None) };
    if head.state.phase() != Phase::Live || head.print.tag() != slot.tag() {
        return Ok(None);
    }
    let is_first = index.find(head.print)?.is_some_and(|found| found.block == block);
    Ok(is_first.then_some((block, head)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_a_number_and_0_before_the_first_slot_only() {
        assert_eq!(Cursor::from_number(0), Cursor { rank: 0, bucket: 0, word: 0 });
        for cursor in [
            Cursor { rank: 0, bucket: 0, word: 1 },
            Cursor { rank: 4095, bucket: 7, word: 15 },
            Cursor { rank: 3, bucket: 1 << 40, word: 0 },
        ] {
            assert_eq!(Cursor::from_number(cursor.number()), cursor);
            assert_ne!(cursor.number(), 0);
        }
        assert_eq!(
            Cursor::from_number(Cursor { rank: 0, bucket: 2, word: 16 }.number()).next_bucket().bucket,
            4
        );
    }
}
