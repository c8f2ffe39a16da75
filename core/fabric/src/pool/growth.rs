// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Growth of this member's contribution.

use std::ops::Range;
use std::time::Instant;

use mf_base::os::socket::MAX_DESCRIPTORS;
use mf_base::sync::{lock, pin};
use mf_base::{ByteLen, Error, Kind, MemKind, Rank, Result};
use mf_device::Memory;
use mf_store::Lifetime;

use super::protocol::Request;
use super::record::Record;
use super::{Pool, Stage};
use mf_net::link::Outcome;

/// Most pieces of one contribution of one kind, so that an announcement fits a message also where each is a
/// descriptor: device memory, beside it a file of host memory and the control page.
const SHARES_MAX: usize = MAX_DESCRIPTORS - 3;

impl Pool {
    /// Extends the own contribution of `kind` by `bytes`, inside its maximum. Members use it when the call
    /// returns. Blocks until all have mapped it, at most for the control timeout.
    ///
    /// # Errors
    /// `InvalidParam` misaligned, beyond the maximum, or no such window · `OutOfMemory` · `NotConnected`,
    /// `Timeout` of the store · errors of the network; nothing has grown then. `PartialFailed` it has grown,
    /// and the named members could not map it; they keep using the old size.
    pub fn extend(&self, kind: MemKind, bytes: u64) -> Result<()> {
        const OP: &str = "pool extend";
        self.check_process(OP)?;
        let control = lock(&self.control);
        if self.stage() == Stage::Destroyed {
            return Err(Error::new(Kind::NotExist, OP).what("the pool is destroyed").with("pool", self.id));
        }
        let from = self.local_bytes(kind);
        let max = self.layout.shape().max_bytes[kind.index()];
        let granule_bytes = self.devices.windows(kind)?.granule_bytes(kind);
        let to = from
            .checked_add(bytes)
            .filter(|to| *to <= max && bytes > 0 && bytes.is_multiple_of(granule_bytes));
        let to = to.ok_or_else(|| {
            Error::invalid(OP, "the contribution cannot grow by this much")
                .with("kind", kind)
                .with("by_bytes", bytes)
                .with("present", ByteLen(from))
                .with("max", ByteLen(max))
                .hint(format!(
                    "grow by a multiple of {}, inside the maximum given at creation",
                    ByteLen(granule_bytes)
                ))
        })?;
        let former = self.grow_own(kind, from, to)?;
        if self.stage() != Stage::Joined {
            return Ok(());
        }
        if let Err(error) = self.publish_growth(kind, from, to) {
            self.shrink_own(kind, from..to, former);
            return Err(error.with("present", ByteLen(from)));
        }
        let Some(endpoint) = &*control else { return Ok(()) };
        let extend = |rank: Rank| {
            let peer = self.peers().get(&rank).cloned().ok_or_else(|| Error::new(Kind::NotStarted, OP))?;
            let mut descriptors = Vec::new();
            let parts = self.own_parts(kind, &peer, &mut descriptors)?;
            #[expect(clippy::cast_possible_truncation, reason = "0 or 1")]
            Ok((Request::Extend { kind: kind.index() as u8, parts }, descriptors))
        };
        let deadline = Instant::now() + self.control_timeout;
        let mut refused = Vec::new();
        match self.ask(&endpoint.asker(), &self.links.ranks(), extend, deadline) {
            Ok(outcomes) => {
                for (rank, outcome) in outcomes {
                    match outcome {
                        Outcome::Refused { code, text } if code != Kind::NotStarted.code() => {
                            refused.push(format!("rank {rank}: {text}"));
                        }
                        Outcome::TimedOut => refused.push(format!("rank {rank}: no answer")),
                        _ => {}
                    }
                }
            }
            // Some may have been asked already, so the growth cannot be undone.
            Err(error) => refused.push(format!("those of this host: {error}")),
        }
        if refused.is_empty() {
            return Ok(());
        }
        Err(Error::new(Kind::PartialFailed, OP)
            .what("not all members can use the new memory")
            .with("members", refused.join("; ")))
    }

    /// Grows the own memory and returns the handle on its former state. On failure the contribution is
    /// unchanged.
    fn grow_own(&self, kind: MemKind, from: u64, to: u64) -> Result<Option<Box<dyn Memory>>> {
        let mut own = self.own();
        let slot = &mut own[kind.index()];
        // A separate handle, which replaces the old one after all steps have worked.
        let grown = match slot {
            Some(memory) => memory.grown(to)?,
            None => self.devices.windows(kind)?.allocate(kind, to)?,
        };
        if grown.share_count() > SHARES_MAX {
            return Err(Error::new(Kind::NoResources, "pool extend")
                .what("the contribution would consist of too many pieces")
                .with("pieces", grown.share_count())
                .with("most", SHARES_MAX)
                .hint("grow in fewer and larger steps"));
        }
        // SAFETY: this part of the own segment is behind its end, so no extent covers it.
        unsafe { self.windows.map(kind, self.rank, &*grown, from..to) }?;
        self.windows.include_in_dumps(kind, self.rank, from..to)?;
        if let (MemKind::Host, Some(node)) = (kind, self.numa_node) {
            self.windows.bind_to_node(kind, self.rank, from..to, node).inspect_err(|_| {
                // SAFETY: as above.
                let unmapped = unsafe { self.windows.unmap(kind, self.rank, from..to) };
                if let Err(error) = unmapped {
                    tracing::warn!("memory that is not contributed stays mapped: {error}");
                }
            })?;
        }
        Ok(slot.replace(grown))
    }

    /// Undoes [`grow_own`](Self::grow_own), once no other member uses the growth any more.
    fn shrink_own(&self, kind: MemKind, range: Range<u64>, former: Option<Box<dyn Memory>>) {
        pin::synchronize();
        if let Some(Err(error)) = self.devices.mover().map(|mover| mover.quiesce()) {
            tracing::warn!("memory that is not contributed stays mapped: {error}");
            return;
        }
        // SAFETY: no extent covers this part any more, and the copies that saw another were waited for.
        match unsafe { self.windows.unmap(kind, self.rank, range) } {
            Ok(()) => self.own()[kind.index()] = former,
            Err(error) => tracing::warn!("memory that is not contributed stays mapped: {error}"),
        }
    }

    /// The own memory has grown: it may be used, here and by members that reach it by the network. When it
    /// fails, no member uses more of it than before.
    fn publish_growth(&self, kind: MemKind, from: u64, to: u64) -> Result<()> {
        let mut published = self.remote.published();
        let (Some(record), true) = (&mut *published, self.remote.network().is_some()) else {
            self.extents.admit(kind, self.rank, to);
            return Ok(());
        };
        let mut grown = record.clone();
        grown.bytes[kind.index()] = to;
        grown.descriptions = self.open_to_network(record.key, grown.bytes)?;
        // Before others learn of it.
        self.extents.admit(kind, self.rank, to);
        let published_growth = grown
            .encode()
            .and_then(|value| self.store.set(&Record::key(self.id, self.rank), &value, Lifetime::Session));
        match published_growth {
            Ok(_) => *record = grown,
            Err(error) => {
                self.extents.admit(kind, self.rank, from);
                match self.open_to_network(record.key, record.bytes) {
                    Ok(descriptions) => record.descriptions = descriptions,
                    Err(error) => tracing::warn!("a growth that failed stays open to the network: {error}"),
                }
                return Err(error);
            }
        }
        Ok(())
    }
}
