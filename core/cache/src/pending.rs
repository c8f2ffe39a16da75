// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Values that are written in pieces: their blocks are in no index until all is there.
//!
//! A block in the phase `Writing` is left alone by its manager. If this process dies, the adopter of the zone
//! gives it up as it does with a put that had not ended.

use mf_base::{ByteLen, Error, Kind, Result};

use crate::atomic_fields::Spot;
use crate::block::{Blocks, Head};
use crate::counts::Count;
use crate::index::unless_gone;
use crate::key::Print;
use crate::member::Member;
use crate::memory::{Memory, Source};
use crate::options::check_replicas;
use crate::publish::Outcome;
use crate::write::Put;

const OP: &str = "cache write";

/// A value that is being written.
#[derive(Debug)]
pub(crate) struct Pending {
    print: Print,
    key: Vec<u8>,
    bytes: u64,
    replace: bool,
    /// The replicas.
    blocks: Vec<(Spot, Head)>,
}

impl<M: Memory> Member<M> {
    /// Makes room for a value of `bytes`.
    pub(crate) fn begin(&self, key: &[u8], bytes: u64, how: Put) -> Result<Pending> {
        let print = self.prints.fingerprint(OP, key)?;
        let replicas = check_replicas(OP, how.replicas.unwrap_or(1))?;
        let (mut blocks, mut made) = (Blocks::default(), Vec::new());
        let view = self.view();
        let written = self.write(&view, (print, key), bytes, (replicas, how), &mut blocks, |block, head| {
            made.push((block, *head));
            Ok(())
        });
        drop(view);
        if let Err(error) = written {
            for block in &*blocks {
                unless_gone(self.manager.give_back(&self.memory, *block))?;
            }
            return Err(error);
        }
        Ok(Pending { print, key: key.to_vec(), bytes, replace: how.replace, blocks: made })
    }

    /// Writes a piece to its offset in the value.
    pub(crate) fn write_piece(&self, pending: &mut Pending, offset: u64, piece: Source<'_>) -> Result<()> {
        if offset.checked_add(piece.bytes()).is_none_or(|end| end > pending.bytes) {
            return Err(Error::invalid(OP, "the piece is not in the value")
                .with("offset", offset)
                .with("piece", ByteLen(piece.bytes()))
                .with("value", ByteLen(pending.bytes)));
        }
        let mut first = None;
        pending.blocks.retain(|(block, head)| {
            let written = self.is_own(*block, head).and_then(|is_own| {
                let at = head.value(*block).add(offset);
                if is_own { self.memory.send(piece, at).map(|()| true) } else { Ok(false) }
            });
            match unless_gone(written) {
                Ok(is_written) => is_written.unwrap_or(false),
                Err(error) => {
                    first.get_or_insert(error);
                    true
                }
            }
        });
        first.map_or_else(|| check_there(pending), Err)
    }

    /// Makes the value visible. Returns false if the key has one that is not to be replaced.
    ///
    /// The blocks stay the caller's after an error.
    pub(crate) fn publish_pending(&self, pending: &mut Pending) -> Result<bool> {
        let mut blocks = Blocks::default();
        for (block, head) in &pending.blocks {
            if unless_gone(self.is_own(*block, head))?.unwrap_or(false) {
                blocks.push(*block);
            }
        }
        match self.publish(OP, self.view(), (pending.print, &pending.key), &blocks, pending.replace)? {
            Outcome::Published(_) => {
                pending.blocks.clear();
                self.counts.add(Count::Puts);
                Ok(true)
            }
            Outcome::Present => Ok(false),
            Outcome::Lost => {
                pending.blocks.clear();
                check_there(pending).map(|()| false)
            }
        }
    }

    /// Gives the room of a value up that was not made visible.
    pub(crate) fn give_up(&self, pending: &Pending) {
        for (block, head) in &pending.blocks {
            // If a member is gone, so is the room there.
            if self.is_there(*block, head).unwrap_or(false) {
                let _ = self.manager.give_back(&self.memory, *block);
            }
        }
    }

    /// Returns true if the block is still being written by this process.
    fn is_own(&self, block: Spot, head: &Head) -> Result<bool> {
        let now = Head::read(&self.memory, block)?;
        Ok((now.state, now.stamp) == (head.state, head.stamp))
    }

    /// Returns true if the block is no other value's, also if it could not be made visible.
    fn is_there(&self, block: Spot, head: &Head) -> Result<bool> {
        let now = Head::read(&self.memory, block)?;
        Ok((now.print, now.stamp, now.lease) == (head.print, head.stamp, head.lease))
    }
}

/// Fails if no replica is left.
fn check_there(pending: &Pending) -> Result<()> {
    if pending.blocks.is_empty() {
        return Err(Error::new(Kind::NotConnected, OP)
            .what("the members that had the pieces are gone")
            .hint("write the value again from its beginning"));
    }
    Ok(())
}
